"""The virtual table: a dealer's game, played by bots whose hands move pieces of a rendered scene."""

from __future__ import annotations

import copy
import math
import random
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.box import Piece, PieceId
from companion.core.errors import CompanionError
from companion.core.game import Dealer, Game, Refusal
from companion.core.table import Point, Pose, Zone, ZoneId
from vision.scene.acting import Actor, Script, Stage
from vision.scene.scene import Scene

CROOKED_MM = 3.0
CROOKED_DEG = 5.0
"""How far from straight bots lay their cards, as standard deviations."""
AT_ONCE = 3
"""More pieces than this to clear or lay in one place are moved together, under one hand."""


class VirtualGame:
    """A game that bots play on a scene.

    Args:
        game: the rules; its dealer knows the cards.
        seed: of the deal, the bots' taste and how crooked they lay cards.
        line: `players`, and options that are to be kept.
        rate_hz: frames per second of the camera.
        speed_mm_s: how fast hands move.

    Raises:
        CompanionError: the players, guilds or options of `line` can't be, or are dealt otherwise.

    Attributes:
        poses: where each piece was laid last: x, y and angle of its centre.
        zones: by id, as at the start of the game.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        seed: int,
        line: Mapping[str, Any],
        rate_hz: float = 10.0,
        speed_mm_s: float = 700.0,
    ) -> None:
        self.game = game
        self.dealer: Dealer = game.dealer(seed, line)
        self.scene = Scene(game.box, seed=seed)
        self.stage = Stage()
        self._chance = random.Random(seed)
        self._rate_hz, self._speed_mm_s = rate_hz, speed_mm_s
        self.poses: dict[PieceId, Pose] = {}
        start = first_state(game, self.dealer, line)
        dealt = self.dealer.setup
        if start != (plain := game.setup(dealt)):
            named = [key for key, value in _options(line).items() if game.setup({**dealt, key: value}) != plain]
            raise CompanionError(f"{', '.join(named)}: the virtual table decides this by itself; leave it out")
        self._start = dict(self.dealer.table())
        self.zones = {zone.id: zone for zone in game.zones(start, {})}
        self.arrange()
        # A place that goes with a card that may be taken away, such as the open one, stays where it was at first.
        self.zones = {name: self._fixed(zone) for name, zone in self.zones.items()}

    def arrange(self) -> None:
        """Lays everything out that is on the dealer's table; what hasn't moved since the start, as at the start."""
        table = self.dealer.table()
        in_zones = {kind for zone in self.zones.values() for kind in zone.holds}
        for piece, pose in self.game.arrangement(self.dealer.setup).items():
            here = piece in table and table[piece] == self._start.get(piece)
            if here or self.game.box.pieces[piece].kind not in in_zones:
                self.put(piece, pose)
        for piece, zone in table.items():
            if piece not in self.scene.placed:
                self.put(piece, self.pose_in(zone))

    @property
    def over(self) -> bool:
        """The dealer's game has ended."""
        return not self.dealer.choices()

    def agrees(self, state: Any) -> bool:
        """What the rules expect in this state is just what the dealer has on the table."""
        if self.game.outcome(state) is not None:
            return self.over
        layout, bare = self.game.layout(state), self.game.box.name_of
        lying = Counter((bare(piece), zone) for piece, zone in self.dealer.table().items())
        expected = Counter((bare(piece), zone) for piece, zone in layout.expected)
        optional = Counter((bare(piece), zone) for piece, zone in layout.optional)
        return expected <= lying <= expected + optional

    def follow(self, moves: Iterable[Mapping[str, Any]]) -> None:
        """Brings a fresh game to where these moves of a journal lead, and lays the table accordingly.

        Moves that leave no trace stand in no journal; they are made where the next move needs them.

        Raises:
            CompanionError: the moves are not of this deal.
        """
        for move in moves:
            while move not in (choices := self.dealer.choices()):
                traceless = next((choice for choice in choices if not self._leaves_trace(choice)), None)
                if traceless is None:
                    raise CompanionError(f"move {dict(move)}: impossible in the deal of this seed; begin a new game")
                self.dealer.do(traceless)
            self.dealer.do(move)
        for piece in list(self.scene.placed):
            if self.game.box.pieces[piece].kind in {kind for zone in self.zones.values() for kind in zone.holds}:
                self.scene.remove(piece)
        self.arrange()

    def _leaves_trace(self, move: Mapping[str, Any]) -> bool:
        after = copy.deepcopy(self.dealer)
        after.do(move)
        return after.table() != self.dealer.table()

    def move(self, line: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Makes a move (by default the bot's) in the dealer's world, and lets the hands follow on the stage."""
        line = line or self.dealer.think()
        before = self.dealer.table()
        self.dealer.do(line)
        self.stage.play(self.rearrange(before, self.dealer.table(), str(line.get("by", ""))))
        return line

    def rearrange(self, before: Mapping[PieceId, ZoneId], after: Mapping[PieceId, ZoneId], by: str = "") -> Script:
        """Moves the pieces from one layout to another as people do: first away with what goes, then the new."""
        gone = [piece for piece in before if piece not in after]
        new = [(piece, zone) for piece, zone in after.items() if before.get(piece) != zone]
        actor = self.actor(by)
        if len(gone) > AT_ONCE or len(new) > AT_ONCE:
            yield from self._together(actor, gone, new)
            return
        for piece in gone:
            yield from actor.take(piece)
        for piece, zone in new:
            yield from self.lay(actor, piece, self.pose_in(zone, piece))

    def lay(self, actor: Actor, piece: Piece | PieceId, pose: Pose) -> Script:
        """Lets an actor lay a piece, a little crooked."""
        x, y, angle = self.crooked(pose)
        name = piece if isinstance(piece, str) else piece.id
        self.poses[name] = (x, y, angle)
        yield from actor.lay(piece, (x, y), angle)

    def put(self, piece: PieceId, pose: Pose) -> None:
        """Lays a piece at once, without a hand."""
        self.poses[piece] = pose
        self.scene.put(piece, (pose[0], pose[1]), pose[2])

    def crooked(self, pose: Pose) -> Pose:
        """A pose as people hit it."""
        gauss = self._chance.gauss
        x, y, angle = pose
        return (x + gauss(0, CROOKED_MM), y + gauss(0, CROOKED_MM), angle + gauss(0, CROOKED_DEG))

    def pose_in(self, zone_id: ZoneId, piece: PieceId = "") -> Pose:
        """A free spot of a zone."""
        zone = self.zones[zone_id]
        spots = [self._in_table(zone, spot) for spot in zone.spots]
        taken = [placed.at_mm for name, placed in self.scene.placed.items() if name != piece]
        return max(spots, key=lambda spot: min([25.0, *(math.dist(spot[:2], at) for at in taken)]))

    def free_pose(self, room_mm: float) -> Pose | None:
        """A pose with nothing else within so many mm, and in no zone of a nest or seat; None if there is no room."""
        width, height = self.scene.size_mm
        centres = [placed.at_mm for placed in self.scene.placed.values()]
        centres += [self._in_table(z, s)[:2] for z in self.zones.values() for s in z.spots]
        grid = [(x, y) for x in range(60, int(width) - 60, 20) for y in range(60, int(height) - 60, 20)]
        at = max(grid, key=lambda point: min(math.dist(point, centre) for centre in centres))
        return (float(at[0]), float(at[1]), 0.0) if min(math.dist(at, c) for c in centres) > room_mm / 2 else None

    def actor(self, by: str) -> Actor:
        """The hand of the player with this name, or of whoever is near the bottom edge."""
        width, height = self.scene.size_mm
        seats = self.game.seats(self.dealer.setup)
        x, y, _ = self.poses.get(seats.get(by, ""), (width / 2, height - 1, 0.0))
        seat = (x, -200.0) if y < height / 2 else (x, height + 200.0)
        return Actor(self.scene, seat, f"hand of {by}", self._rate_hz, self._speed_mm_s)

    def _together(self, actor: Actor, gone: list[PieceId], new: list[tuple[PieceId, ZoneId]]) -> Script:
        """Clears and lays many pieces place by place, under a hand that hides them."""
        near = {piece: self._near(piece) for piece in gone}
        goal = {piece: zone.partition("/")[0] for piece, zone in new}
        for zone in dict.fromkeys((*near.values(), *goal.values())):
            here = [piece for piece in gone if near[piece] == zone]
            yield from self._swap(actor, here, [(piece, where) for piece, where in new if goal[piece] == zone])

    def _swap(self, actor: Actor, gone: list[PieceId], new: list[tuple[PieceId, ZoneId]]) -> Script:
        rest = actor.rest_hand(self._middle(gone, new), 2)
        for number, _ in enumerate(rest):
            if number == 1:
                for piece in gone:
                    self.scene.remove(piece)
                for piece, zone in new:
                    self.put(piece, self.crooked(self.pose_in(zone, piece)))
            yield

    def _near(self, piece: PieceId) -> ZoneId:
        """The first part of the zone whose spots are nearest to a piece."""
        at = self.scene.placed[piece].at_mm
        zones = [zone for zone in self.zones.values() if zone.spots]
        nearest = min(zones, key=lambda z: min(math.dist(self._in_table(z, s)[:2], at) for s in z.spots))
        return nearest.id.partition("/")[0]

    def _middle(self, gone: list[PieceId], new: list[tuple[PieceId, ZoneId]]) -> Point:
        points = [self.scene.placed[piece].at_mm for piece in gone] + [self.pose_in(zone)[:2] for _, zone in new]
        return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))

    def _fixed(self, zone: Zone) -> Zone:
        if zone.anchor is None or self.game.box.pieces[zone.anchor].kind not in zone.holds:
            return zone
        return replace(zone, anchor=None, spots=tuple(self._in_table(zone, spot) for spot in zone.spots))

    def _in_table(self, zone: Zone, spot: Pose) -> Pose:
        """A spot of a zone in the table frame; the zone's frame is that of its anchor's tag."""
        if zone.anchor is None:
            return spot
        x, y, angle = self.poses[zone.anchor]
        tag_x, tag_y = self.game.box.pieces[zone.anchor].tag_at_mm
        return (*_add((x, y), _turn((tag_x + spot[0], tag_y + spot[1]), angle)), angle + spot[2])


def first_state(game: Game[Any, Any], dealer: Dealer, line: Mapping[str, Any]) -> Any:
    """The state in which a dealer's game starts, with all options of `line` in force.

    Raises:
        CompanionError: the game can't be set up like this, or doesn't know an option.
    """
    state = game.setup({**dealer.setup, **_options(line)})
    if isinstance(state, Refusal):
        raise CompanionError(f"this game can't be set up: {state.params.get('reason', state.code)}")
    return state


def _options(line: Mapping[str, Any]) -> dict[str, Any]:
    """All of a set-up line but its players."""
    return {key: value for key, value in line.items() if key != "players"}


def _turn(point: Point, angle_deg: float) -> Point:
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return (point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos)


def _add(one: Point, other: Point) -> Point:
    return (one[0] + other[0], one[1] + other[1])

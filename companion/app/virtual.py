"""The virtual table: a dealer's game, played by bots whose hands move pieces of a rendered scene."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.app.fans import Fan, hides
from companion.app.opening import first_state, options
from companion.app.sheets import sheets
from companion.app.worlds import AdoptError, Lying, Place, Worlds, lying
from companion.core.box import Piece, PieceId
from companion.core.errors import CompanionError
from companion.core.game import Dealer, Dispute, Game, Question, Way, answers
from companion.core.messages import Message
from companion.core.settle import settle
from companion.core.table import Observation, Point, Pose, Sighting, Zone, ZoneId
from vision.scene.acting import Actor, Script, Stage, wait
from vision.scene.scene import Scene

CROOKED_MM = 3.0
CROOKED_DEG = 5.0
"""How far from straight bots lay their cards, as standard deviations."""
GUIDED = 1.5
"""So many of these at most in printed cells and fans, which guide the hand: no tile covers the tag of the next one."""
REST_FRAMES = 8
"""So long tiles that were taken out are shuffled, and a place is shown to be empty."""
TRIES = 40
"""So often a bot moves a card about until it hides no tag of a fan."""
AT_ONCE = 3
"""More pieces than this to clear or lay in one place are moved together, under one hand."""
NEAR_MM = 40.0
"""A piece that is farther from all places where it could be laid lies in none of them."""
BESIDE = ""
"""The zone of what lies in no zone."""


class VirtualGame:
    """A game that bots play on a scene.

    Args:
        game: the rules; its dealer knows the cards.
        seed: of the deal, the bots' taste and how crooked they lay cards.
        line: `players`, and options that are to be kept; with `start` a whole set-up line.
        rate_hz: frames per second of the camera.
        speed_mm_s: how fast hands move.
        voice: says what is printed on sheets; without it only what is the same in every language is.
        start: the state in which a game has begun that is to be carried on.

    Raises:
        CompanionError: the players, guilds or options of `line` can't be, or are dealt otherwise.
        AdoptError: the dealer can't begin with `start`.

    Attributes:
        setup: the set-up line of the game that lies on the table.
        poses: where each piece was laid last: x, y and angle of its centre.
        zones: by id, as at the start of the game.
        due: the dealer's last move, while it still has to be told by a button.
        made: counts the changes of the world.
        speed_mm_s: how fast hands move.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        seed: int,
        line: Mapping[str, Any],
        rate_hz: float = 10.0,
        speed_mm_s: float = 700.0,
        voice: Callable[[Message], str] | None = None,
        start: Any = None,
    ) -> None:
        self.game = game
        self.scene = Scene(game.box, seed=seed)
        self.stage = Stage()
        self._chance = random.Random(seed)
        self._seed, self._line = seed, line
        self._rate_hz, self.speed_mm_s = rate_hz, speed_mm_s
        self._voice = voice
        self.poses: dict[PieceId, Pose] = {}
        self.made = 0
        self._quiet = False  # the dealer's last move has changed no fact
        self._last: Mapping[str, Any] = {}
        self._shown: set[PieceId] = set()
        dealer = game.dealer(seed, line)
        if start is None:
            begun, dealt = first_state(game, dealer, line), dealer.setup
            if begun != (plain := game.setup(dealt)):
                named = [key for key, value in options(line).items() if game.setup({**dealt, key: value}) != plain]
                raise CompanionError(f"{', '.join(named)}: the virtual table decides this by itself; leave it out")
        elif start != game.setup(dealer.setup) and not dealer.adopt(start, {}):
            raise AdoptError(f"{game.id}: its dealer can't carry on a game that was dealt otherwise")
        self._lay_out(dealer, line if start is not None else dealer.setup)

    def _lay_out(self, dealer: Dealer, setup: Mapping[str, Any]) -> None:
        """Lays out the table for a game that begins; whatever lay there is gone."""
        self._worlds, self.setup = Worlds(self.game, dealer), setup
        self.due: Mapping[str, Any] | None = None
        self._start = dict(dealer.table())
        self.poses.clear()
        self.zones = {zone.id: zone for zone in self.game.zones(self.game.setup(setup), {})}
        self.scene.clear()
        # First of all, so that everything else lies on them.
        for number, (sheet, (x, y, angle)) in enumerate(sheets(self.game, self.game.arrangement(setup), self._voice)):
            self.scene.put_prop(f"sheet {number}", sheet, (x, y), angle)
        self.arrange()
        # A place that goes with a card that may be taken away, such as the open one, stays where it was at first.
        self.zones = {name: self._fixed(zone) for name, zone in self.zones.items()}

    def arrange(self) -> None:
        """Lays everything out that is on the dealer's table; what hasn't moved since the start, as at the start."""
        table = self.dealer.table()
        in_zones = {kind for zone in self.zones.values() for kind in zone.holds}
        for name, pose in self.game.arrangement(self.setup).items():
            piece, here = self.game.box.pieces[name], name in table and table[name] == self._start.get(name)
            if here or piece.fixed or piece.kind not in in_zones:
                self.put(name, pose)
        for name, (zone, face_up) in lying(self.dealer).items():
            if name not in self.scene.placed:
                pose = self.pose_in(zone, name)
                self.put(name, pose if face_up else self.crooked(pose, name), face_up)

    @property
    def dealer(self) -> Dealer:
        """The world as it is now; it may be ahead of the rules by what they have not understood yet."""
        return self._worlds.now

    @property
    def heeded(self) -> Any:
        """The state of the rules that the world agreed with last; None before the game."""
        return self._worlds.heeded

    @property
    def players(self) -> list[str]:
        """Names of the players, clockwise."""
        named = self.setup["players"]
        return [player if isinstance(player, str) else player["name"] for player in named]

    @property
    def over(self) -> bool:
        """The dealer's game has ended."""
        return not self.dealer.choices()

    def pressed(self, question: Question | None, state: Any) -> Way | None:
        """Which answer to a question people have to press now, if any: the set-up as dealt, or the move that is due."""
        known = self.due is not None and state is not None and self.game.facts(state) == self.dealer.facts()
        if known and not self._quiet:
            self.due = None  # somebody else has pressed it
        for way, choice in answers(question):
            dealt = choice.draft is not None and choice.draft.items() <= self.setup.items()
            if (dealt and state is None) or (self.due is not None and choice.move == self.due):
                return way
        if known:
            self.due = None
        return None

    def tell(self, question: Question | None) -> bool:
        """Whether the dealer's last move, which the table has failed to tell, is due now since a button can tell it."""
        offered = any(choice.move == self._last for _, choice in answers(question))
        if offered:
            self.due = self._last
        return offered

    def _by_button(self, state: Any, line: Mapping[str, Any], before: Lying) -> bool:
        """Whether a move that was just made in the dealer's world, from `before`, is one that only buttons tell."""
        table = self.dealer.table()
        gone = {piece: zone for piece, (zone, face_up) in before.items() if face_up and piece not in table}
        look = Observation(tuple(Sighting(piece, zone) for piece, zone in table.items()), gone)
        settled = settle(self.game, state, look)
        if settled.moves or self.game.outcome(state):
            return False
        question = self.game.question(state, settled.difference, look)
        return any(choice.move == line for _, choice in answers(question))

    def agrees(self, state: Any) -> bool:
        """What the rules expect in this state is just what the dealer has on the table, and no button is due.

        What the dealer has done since without a trace they don't know yet. A state that agrees is heeded from now on,
        and the world as it is then remembered, for when people take moves back.
        """
        if self.due is not None or (state is not self.heeded and self.game.facts(state) != self.dealer.facts()):
            return False
        if self.game.outcome(state) is None:
            layout, bare = self.game.layout(state), self.game.box.name_of
            lying = Counter((bare(piece), zone) for piece, zone in self.dealer.table().items())
            expected = Counter((bare(piece), zone) for piece, zone in layout.expected)
            optional = Counter((bare(piece), zone) for piece, zone in layout.optional)
            agreed = expected <= lying <= expected + optional
        else:
            agreed = self.over
        if agreed and state is not self.heeded:
            self._worlds.heed(state)
            self._last = {}
        return agreed

    def carry_on(self, states: Sequence[Any], moves: Sequence[Mapping[str, Any]]) -> None:
        """Brings a fresh game to where a journal leads, and lays the table accordingly; see `Worlds.carry_on`."""
        self._worlds.carry_on(states, moves)
        for name in self.lies():
            self.scene.remove(name)
        self.arrange()

    def follow(self, state: Any) -> bool:
        """Goes with the dealer's world to a state to which people have brought the rules; False if it can't."""
        table = {piece: zone for piece, (zone, face_up) in self.lies().items() if face_up}
        followed = self._worlds.follow(state, table)
        if followed:
            self.due, self._last = None, {}
            self.made += 1
        return followed

    def begin_again(self, draft: Mapping[str, Any]) -> None:
        """Deals where a game is set up and another lies on the table: one that has been played, or of another kind.

        Args:
            draft: what people have said of the set-up.
        """
        otherwise = any(self.setup.get(key, value) != value for key, value in draft.items())
        if self.heeded is None and (not otherwise or draft == self._line):
            return
        self._seed += self.heeded is not None
        self._line = dict(draft)
        self.stage.play(self._lay_out_anew(self.game.dealer(self._seed, draft)))

    def _lay_out_anew(self, dealer: Dealer) -> Script:
        """Clears the table, so that everybody sees it, and lays it out for a game that begins."""
        for piece in self.lies():
            self.scene.remove(piece)
        yield from wait(2 * REST_FRAMES)
        self._lay_out(dealer, dealer.setup)
        yield

    def lies(self) -> Lying:
        """What lies on the table of what belongs into zones, and what is strange; the topmost first."""
        kinds = {kind for zone in self.zones.values() for kind in zone.holds}
        found: dict[PieceId, Place] = {}
        for name, placed in sorted(self.scene.placed.items(), key=lambda one: -one[1].order):
            piece = placed.what
            if isinstance(piece, Piece) and name not in self.game.box.pieces:
                found[name] = (BESIDE, True)
            elif isinstance(piece, Piece) and piece.kind in kinds and not piece.fixed:
                found[name] = (self._zone_at(placed.at_mm, piece.kind), placed.face_up)
        return found

    def _zone_at(self, at_mm: Point, kind: str) -> ZoneId:
        """The zone for pieces of a kind at one of whose spots a point is."""
        far = (
            (math.dist(self._in_table(zone, spot)[:2], at_mm), name)
            for name, zone in self.zones.items()
            if kind in zone.holds
            for spot in zone.spots
        )
        nearest = min(far, default=(math.inf, BESIDE))
        return nearest[1] if nearest[0] < NEAR_MM else BESIDE

    def put_right(self, disputes: Collection[Dispute] = ()) -> None:
        """Lets hands bring the table to how the dealer has it; where it is so, they show what is disputed all the same.

        Args:
            disputes: such as are about what the rules still believe to lie where it lay before.
        """
        goal = lying(self.dealer)
        self._rename(goal)
        here = self.lies()
        if here != goal:
            self.stage.play(self.rearrange(here, goal))
            return
        lifted = {piece for dispute in disputes for piece in self._to_lift(dispute, here)}
        if lifted:
            again = lifted <= self._shown
            self._shown = lifted
            zones = {here[piece][0] for piece in lifted}
            self.stage.play(
                self._show({p: place for p, place in here.items() if p in lifted or (again and place[0] in zones)})
            )

    def _to_lift(self, dispute: Dispute, here: Lying) -> list[PieceId]:
        """What has to be lifted so that everybody sees it, or what isn't below it."""
        if dispute.piece in here and not self._is_single(here[dispute.piece][0]):
            return [dispute.piece]
        place = here[dispute.piece][0] if dispute.piece in here else dispute.seen
        return [piece for piece, (zone, _) in here.items() if zone == place]

    def _show(self, lifted: Lying) -> Script:
        """Takes pieces away, the topmost first, and lays them again."""
        actor = self.actor("")
        for piece in lifted:
            yield from actor.take(piece)
        yield from wait(REST_FRAMES)
        for piece, (zone, face_up) in reversed(list(lifted.items())):
            yield from self.lay(actor, piece, self.pose_in(zone, piece), face_up)

    def _rename(self, goal: Lying) -> None:
        """Calls what can't be told apart as the dealer calls it: copies that are alike, and what lies face down."""
        pieces, here = self.game.box.pieces, self.lies()

        def veiled(lying: Lying) -> dict[tuple[str, ZoneId], list[PieceId]]:
            found: dict[tuple[str, ZoneId], list[PieceId]] = {}
            for piece, (zone, face_up) in sorted(lying.items()):
                if piece in pieces and (pieces[piece].alike or not face_up):
                    kind = pieces[piece].name if pieces[piece].alike else pieces[piece].kind
                    found.setdefault((kind, zone), []).append(piece)
            return found

        plain = {
            piece for piece, (_, face_up) in here.items() if face_up and not (piece in pieces and pieces[piece].alike)
        }
        names: dict[PieceId, PieceId] = {}
        have, want = veiled(here), veiled(goal)
        for place, olds in have.items():
            fresh = [piece for piece in want.get(place, []) if piece not in olds and piece not in plain]
            names |= zip([piece for piece in olds if piece not in want.get(place, [])], fresh, strict=False)
        # Whose name somebody else has got is called by one that is free.
        for (kind, _), olds in have.items():
            for piece in olds:
                if piece in names.values() and piece not in names:
                    free = (old for (other, _), some in have.items() if other == kind for old in some)
                    names[piece] = next(old for old in free if old in names and old not in names.values())
        if names:
            self._call(names)

    def _call(self, names: Mapping[PieceId, PieceId]) -> None:
        """Gives pieces that lie on the table other names; nothing else changes."""
        placed = self.scene.placed
        lying = [(name, placed[name]) for name in reversed(list(self.lies()))]
        poses = {name: self.poses[name] for name, _ in lying if name in self.poses}
        for name, _ in lying:
            self.scene.remove(name)
        for name, there in lying:
            called = names.get(name, name)
            what = self.game.box.pieces[called] if name in names else there.what
            assert isinstance(what, Piece)
            self.scene.put(what, there.at_mm, there.angle_deg, there.face_up)
            if name in poses:
                self.poses[called] = poses[name]

    def move(self, state: Any, line: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Makes a move (by default the bot's) in the dealer's world, and lets the hands follow on the stage.

        Args:
            state: of the rules, before it.
            line: the move.
        """
        thought = self.dealer.think()  # also for a player who makes his own move: the bots' dice fall as they would
        line = line or thought
        before = lying(self.dealer)
        self.decide(state, line)
        self.stage.play(self.rearrange(before, lying(self.dealer), str(line.get("by", ""))))
        return line

    def decide(self, state: Any, line: Mapping[str, Any]) -> None:
        """Makes a move in the dealer's world alone; one that the table doesn't tell is due from now on.

        Args:
            state: of the rules, before it.
            line: the move.
        """
        before, facts = lying(self.dealer), self.dealer.facts()
        self.dealer.do(line)
        self.made += 1
        self._quiet = self.dealer.facts() == facts
        self._last = line
        self.due = line if self._by_button(state, line, before) else None

    def lay_bare(self, before: Lying) -> None:
        """Lays what has come to light where a piece has left since, which somebody has moved already."""
        after = lying(self.dealer)
        for piece in self._uncovered(before, after):
            self.put(piece, self.pose_in(after[piece][0], piece), face_up=False)

    def rearrange(self, before: Lying, after: Lying, by: str = "") -> Script:
        """Moves the pieces from one layout to another as people do: turn over, away with what goes, then the new."""
        actor = self.actor(by)
        uncovered = self._uncovered(before, after)
        for piece, above in uncovered.items():
            self.put(piece, self.poses[above], face_up=False)
        buried = self._uncovered(after, before)
        gone = [piece for piece in before if piece not in after and piece not in buried]
        moved = {
            piece: after[piece] for piece, (zone, _) in before.items() if piece in after and after[piece][0] != zone
        }
        swapped = self._swapped(before, moved)
        turned = [p for p, (_, face_up) in before.items() if p in after and after[p][1] != face_up]
        lifted = turned if swapped and all(not after[p][1] and before[p][1] for p in swapped) else []
        for piece in turned:
            # What is turned up and changes places is turned up there.
            if piece not in lifted and not (piece in swapped and after[piece][1]):
                yield from self.turn(actor, piece, after[piece][1])
        if lifted:
            yield from self._shuffle(actor, lifted, after)
        elif swapped:
            yield from self._swap(actor, swapped, [(piece, after[piece]) for piece in swapped])
        new = [(p, place) for p, place in after.items() if (p not in before and p not in uncovered) or p in moved]
        new = [(piece, place) for piece, place in new if piece not in swapped]
        yield from self._close_up(actor, before, after)
        if len(gone) > AT_ONCE or len(new) > AT_ONCE:
            yield from self._together(actor, gone, new)
        else:
            for piece in gone:
                yield from actor.take(piece)
            for piece, (zone, face_up) in self._in_turn(before, new):
                yield from self.lay(actor, piece, self.pose_in(zone, piece), face_up)
        for piece in buried:
            self.scene.remove(piece)

    def _swapped(self, before: Lying, moved: Lying) -> list[PieceId]:
        """Those of the pieces moved that change places among one another, where there is room for one only."""
        found = [piece for piece in moved if self._is_single(moved[piece][0])]
        while True:
            left, reached = {before[piece][0] for piece in found}, {moved[piece][0] for piece in found}
            kept = [piece for piece in found if moved[piece][0] in left and before[piece][0] in reached]
            if len(kept) == len(found):
                return found
            found = kept

    def _in_turn(self, before: Lying, new: list[tuple[PieceId, Place]]) -> Iterator[tuple[PieceId, Place]]:
        """What is laid, so that what lies in a place for one piece leaves it before the next one comes."""
        left = list(new)
        while left:
            full = {before[piece][0] for piece, _ in left if piece in before}
            first = next((one for one in left if one[1][0] not in full or not self._is_single(one[1][0])), left[0])
            left.remove(first)
            yield first

    def _is_single(self, zone: ZoneId) -> bool:
        return len(self.zones[zone].spots) == 1

    def show(self, actor: Actor, piece: PieceId, zone: ZoneId) -> Script:
        """Lets an actor bring a piece to a zone face up, or turn it up where it lies."""
        if piece in self.scene.placed:
            yield from self.turn(actor, piece, True)
        else:
            yield from self.lay(actor, piece, self.pose_in(zone, piece))

    def show_at_once(self, actor: Actor, zones: Mapping[PieceId, ZoneId]) -> Script:
        """Lets several pieces appear face up in one and the same frame, as when two hands are quick."""
        poses = {piece: self.crooked(self.pose_in(zone, piece), piece) for piece, zone in zones.items()}
        middle = tuple(sum(pose[axis] for pose in poses.values()) / len(poses) for axis in (0, 1))
        for number, _ in enumerate(actor.rest_hand((middle[0], middle[1]), 2)):
            if number == 1:
                for piece, pose in poses.items():
                    self.put(piece, pose)
            yield

    def hide(self, actor: Actor, piece: PieceId) -> Script:
        """Undoes `show`."""
        if piece in self.dealer.face_down():
            yield from self.turn(actor, piece, False)
        else:
            yield from actor.take(piece)

    def turn(self, actor: Actor, piece: PieceId, face_up: bool) -> Script:
        """Lets an actor turn a piece over; it comes to lie a little otherwise than before, as it does."""
        pose, kind = self.poses[piece], self.game.box.pieces[piece].kind
        zones = [zone for zone in self.zones.values() if kind in zone.holds]
        spots = [self._in_table(zone, spot) for zone in zones for spot in zone.spots]
        self.poses[piece] = self.crooked(min(spots, key=lambda spot: math.dist(spot[:2], pose[:2])), piece)
        yield from actor.turn_over(piece, face_up, self.poses[piece])

    def exchange(self, actor: Actor, first: PieceId, second: PieceId) -> Script:
        """Lets two face-down pieces change places, under a hand that hides them."""
        poses = {first: self.poses[second], second: self.poses[first]}
        middle = tuple((one + other) / 2 for one, other in zip(poses[first][:2], poses[second][:2], strict=True))
        for number, _ in enumerate(actor.rest_hand((middle[0], middle[1]), 2)):
            if number == 1:
                for piece, pose in poses.items():
                    self.put(piece, pose, face_up=False)
            yield

    def lay(self, actor: Actor, piece: Piece | PieceId, pose: Pose, face_up: bool = True) -> Script:
        """Lets an actor lay a piece, a little crooked."""
        name = piece if isinstance(piece, str) else piece.id
        x, y, angle = self.crooked(pose, name)
        self.poses[name] = (x, y, angle)
        yield from actor.lay(piece, (x, y), angle, face_up)

    def put(self, piece: PieceId, pose: Pose, face_up: bool = True) -> None:
        """Lays a piece at once, without a hand."""
        self.poses[piece] = pose
        self.scene.put(piece, (pose[0], pose[1]), pose[2], face_up)

    def crooked(self, pose: Pose, piece: PieceId = "") -> Pose:
        """A pose as people hit it with this piece: in a fan it hides no tag."""
        what = self.game.box.pieces.get(piece)
        fan = next((fan for fan in self._fans().values() if what and fan.holds(what, pose)), None)
        tags = list(fan.tags(what.id)) if fan and what else []
        for _ in range(TRIES):
            found = self._missed(pose, GUIDED if fan or (what and what.two_sided) else math.inf)
            if what is None or not tags or not hides(what, found, tags):
                return found
        return pose

    def _missed(self, pose: Pose, most: float) -> Pose:
        off = [max(-most, min(most, self._chance.gauss(0, 1))) for _ in range(3)]
        x, y, angle = pose
        return (x + CROOKED_MM * off[0], y + CROOKED_MM * off[1], angle + CROOKED_DEG * off[2])

    def pose_in(self, zone_id: ZoneId, piece: PieceId = "") -> Pose:
        """A free spot of a zone; of a fan the one behind all that lies there."""
        zone = self.zones[zone_id]
        if zone.fan:
            return self._fans()[zone_id].next_spot(piece)
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
        seats = self.game.seats(self.setup)
        x, y, _ = self.poses.get(seats.get(by, ""), (width / 2, height - 1, 0.0))
        seat = (x, -200.0) if y < height / 2 else (x, height + 200.0)
        return Actor(self.scene, seat, f"hand of {by}", self._rate_hz, self.speed_mm_s)

    def _uncovered(self, before: Lying, after: Lying) -> dict[PieceId, PieceId]:
        """The face-down pieces that come to light where the one above them leaves, each with that one."""
        left = {zone: p for p, (zone, up) in before.items() if not up and after.get(p) != (zone, False)}
        new = {piece: zone for piece, (zone, up) in after.items() if not up and piece not in before}
        return {piece: left[zone] for piece, zone in new.items() if zone in left}

    def _fans(self) -> dict[ZoneId, Fan]:
        """The places where pieces lie in fans."""
        found = {}
        for zone in (zone for zone in self.zones.values() if zone.fan):
            outline = [self._in_table(zone, (*corner, 0.0))[:2] for corner in zone.polygon_mm]
            spots = [self._in_table(zone, spot) for spot in zone.spots]
            found[zone.id] = Fan(self.scene, spots, zone.holds, outline)
        return found

    def _close_up(self, actor: Actor, before: Lying, after: Lying) -> Script:
        """Closes the gaps of fans that have no room left at their ends for what is to come."""
        for zone, fan in self._fans().items():
            coming = sum(where == zone != before.get(p, ("",))[0] for p, (where, _) in after.items())
            lying = [(number, p) for number, p in fan.lying() if after.get(p, ("",))[0] == zone]
            if not coming or not lying or lying[-1][0] + coming < len(fan.spots):
                continue
            for number, _ in enumerate(actor.rest_hand(fan.spots[len(lying) // 2][:2], 2)):
                if number == 1:
                    for _, piece in lying:
                        self.scene.remove(piece)
                    for (_, piece), spot in zip(lying, fan.spots, strict=False):
                        self.put(piece, self.crooked(spot, piece), after[piece][1])
                yield

    def _shuffle(self, actor: Actor, pieces: list[PieceId], after: Lying) -> Script:
        """Takes pieces away one by one, and lays them back elsewhere."""
        for piece in pieces:
            yield from actor.take(piece)
        yield from wait(REST_FRAMES)
        for piece in pieces:
            zone, face_up = after[piece]
            yield from self.lay(actor, piece, self.pose_in(zone, piece), face_up)

    def _together(self, actor: Actor, gone: list[PieceId], new: list[tuple[PieceId, Place]]) -> Script:
        """Clears and lays many pieces place by place, under a hand that hides them."""
        near = {piece: self._near(piece) for piece in gone}
        goal = {piece: zone.partition("/")[0] for piece, (zone, _) in new}
        for zone in dict.fromkeys(near.values()):
            yield from self._swap(actor, [piece for piece in gone if near[piece] == zone], [])
        if gone and new:
            yield from wait(REST_FRAMES)  # what is laid at once where something else lay could hide that it has gone
        for zone in dict.fromkeys(goal.values()):
            yield from self._swap(actor, [], [(piece, where) for piece, where in new if goal[piece] == zone])

    def _swap(self, actor: Actor, gone: list[PieceId], new: list[tuple[PieceId, Place]]) -> Script:
        rest = actor.rest_hand(self._middle(gone, new), 2)
        for number, _ in enumerate(rest):
            if number == 1:
                for piece in gone:
                    self.scene.remove(piece)
                for piece, (zone, face_up) in new:
                    self.put(piece, self.crooked(self.pose_in(zone, piece), piece), face_up)
            yield

    def _near(self, piece: PieceId) -> ZoneId:
        """The first part of the zone whose spots are nearest to a piece."""
        at = self.scene.placed[piece].at_mm
        zones = [zone for zone in self.zones.values() if zone.spots]
        nearest = min(zones, key=lambda z: min(math.dist(self._in_table(z, s)[:2], at) for s in z.spots))
        return nearest.id.partition("/")[0]

    def _middle(self, gone: list[PieceId], new: list[tuple[PieceId, Place]]) -> Point:
        points = [self.scene.placed[piece].at_mm for piece in gone] + [self.pose_in(zone)[:2] for _, (zone, _) in new]
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


def _turn(point: Point, angle_deg: float) -> Point:
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return (point[0] * cos - point[1] * sin, point[0] * sin + point[1] * cos)


def _add(one: Point, other: Point) -> Point:
    return (one[0] + other[0], one[1] + other[1])

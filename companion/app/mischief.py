"""Wrong acts at the virtual table, and how they are put right: for proofs, and for seeing what the table says.

They know no game: whether an act is wrong is asked of the rules, by settling the table as it would lie afterwards.
"""

from __future__ import annotations

import copy
import itertools
import random
from collections.abc import Callable, Mapping
from typing import Any

from companion.app.fans import hides, outline_of
from companion.app.virtual import VirtualGame
from companion.app.worlds import lying
from companion.core.box import Piece, PieceId
from companion.core.messages import verbatim
from companion.core.settle import settle
from companion.core.table import Observation, Pose, Sighting, ZoneId
from companion.core.tags import QrTag
from vision.scene.acting import Script

TRIES = 60
FEW = 8
"""So many moves or pieces are thought over for one idea."""
FAR_MM = 130.0
"""How far a piece is pushed to be out of its zone for sure."""


class Mischief:
    """One wrong act.

    Attributes:
        kind: `misplaced`, `two-at-once`, `taken-away`, `slipped`, `foreign`, `turned-up`, `turned-back`, `swapped`.
        what: the pieces that it is about.
    """

    def __init__(
        self, kind: str, what: tuple[PieceId, ...], do: Callable[[], Script], mend: Callable[[], Script]
    ) -> None:
        self.kind = kind
        self.what = what
        self.do = do
        self.mend = mend


class Imp:
    """Thinks of wrong acts at a virtual table.

    Args:
        virtual: the table.
        seed: of its ideas.
    """

    def __init__(self, virtual: VirtualGame, seed: int) -> None:
        self._virtual = virtual
        self._chance = random.Random(seed)

    def tempted(self, chance: float) -> bool:
        """Whether it feels like something wrong now."""
        return self._chance.random() < chance

    def think(self, state: Any) -> Mischief | None:
        """A wrong act in this state, or None if none comes to mind."""
        kinds = [self._misplaced, self._two_at_once, self._taken_away, self._slipped, self._foreign]
        if self._virtual.dealer.face_down():
            kinds += [self._turned_up, self._turned_back, self._swapped]
        self._chance.shuffle(kinds)
        return next((found for kind in kinds if (found := kind(state))), None)

    def _wrong(self, state: Any, table: Mapping[PieceId, ZoneId], gone: Mapping[PieceId, ZoneId]) -> bool:
        """Whether the rules would dispute everything about this table, and do nothing."""
        look = Observation(tuple(Sighting(piece, zone) for piece, zone in table.items()), gone)
        settled = settle(self._virtual.game, state, look)
        return bool(settled.disputes) and not settled.moves

    def _hidden(self) -> list[PieceId]:
        """Pieces that lie nowhere, of kinds that lie in zones."""
        kinds = {kind for zone in self._virtual.zones.values() if zone.spots for kind in zone.holds}
        placed, pieces = self._virtual.scene.placed, self._virtual.game.box.pieces.values()
        return [piece.id for piece in pieces if piece.kind in kinds and piece.id not in placed and not piece.fixed]

    def _zones_for(self, piece: PieceId) -> list[ZoneId]:
        kind = self._virtual.game.box.pieces[piece].kind
        return [zone.id for zone in self._virtual.zones.values() if kind in zone.holds and zone.spots]

    def _misplaced(self, state: Any) -> Mischief | None:
        table, hidden = self._virtual.dealer.table(), self._hidden()
        for _ in range(TRIES if hidden else 0):
            piece = self._chance.choice(hidden)
            zone = self._chance.choice(self._zones_for(piece))
            if self._wrong(state, {**table, piece: zone}, {}):
                return self._laid("misplaced", piece, zone)
        return None

    def _two_at_once(self, state: Any) -> Mischief | None:
        """Somebody makes a move, and lays or turns another piece at the same time; that one is taken back."""
        dealer, table = self._virtual.dealer, self._virtual.dealer.table()
        choices = dealer.choices()
        for move in self._chance.sample(choices, min(FEW, len(choices))):
            after = copy.deepcopy(dealer)
            after.do(move)
            new = {piece: zone for piece, zone in after.table().items() if table.get(piece) != zone}
            if len(new) != 1 or not table.keys() <= after.table().keys():
                continue
            ((first, zone),) = new.items()
            for second, elsewhere in self._others(first, zone):
                alone = self._wrong(state, {**table, first: zone}, {})
                if not alone and self._wrong(state, {**table, first: zone, second: elsewhere}, {}):
                    return self._both(state, move, {first: zone, second: elsewhere}, second)
        return None

    def _others(self, piece: PieceId, zone: ZoneId) -> list[tuple[PieceId, ZoneId]]:
        """Pieces that could be laid or turned up beside one, each with a zone; in the same one they would be a pile."""
        if self._virtual.dealer.face_down():
            return [(other, where) for other, where in self._some_down() if other != piece and where != zone]
        hidden = [other for other in self._hidden() if other != piece]
        some = self._chance.sample(hidden, min(FEW, len(hidden)))
        pairs = [(other, self._chance.choice(self._zones_for(other))) for other in some]
        return [(other, where) for other, where in pairs if where != zone and not self._crowded(where)]

    def _both(
        self, state: Any, move: Mapping[str, Any], zones: Mapping[PieceId, ZoneId], second: PieceId
    ) -> Mischief | None:
        if any(self._crowded(zone) for zone in zones.values()):
            return None
        virtual, actor = self._virtual, self._virtual.actor("")

        def show() -> Script:
            """Both at the same moment."""
            yield from virtual.show_at_once(actor, zones)

        def hide() -> Script:
            yield from virtual.hide(actor, second)
            before = lying(virtual.dealer)
            virtual.decide(state, move)
            virtual.lay_bare(before)

        return Mischief("two-at-once", tuple(zones), show, hide)

    def _turned_up(self, state: Any) -> Mischief | None:
        """A tile is turned up when it isn't time for it."""
        table = self._virtual.dealer.table()
        wrong = (piece for piece, zone in self._some_down() if self._wrong(state, {**table, piece: zone}, {}))
        piece = next(wrong, None)
        return self._turned("turned-up", piece, True) if piece else None

    def _turned_back(self, state: Any) -> Mischief | None:
        """A tile is turned down too early."""
        table = self._virtual.dealer.table()
        for piece, zone in sorted(table.items()):
            left = {other: where for other, where in table.items() if other != piece}
            if self._turnable(piece) and not self._covered(piece) and self._wrong(state, left, {piece: zone}):
                return self._turned("turned-back", piece, False)
        return None

    def _turned(self, kind: str, piece: PieceId, face_up: bool) -> Mischief:
        virtual, actor = self._virtual, self._virtual.actor("")
        return Mischief(
            kind, (piece,), lambda: virtual.turn(actor, piece, face_up), lambda: virtual.turn(actor, piece, not face_up)
        )

    def _swapped(self, state: Any) -> Mischief | None:
        """Two face-down tiles change places, and one of them is turned up."""
        table, actor = self._virtual.dealer.table(), self._virtual.actor("")
        for (first, _), (second, zone) in itertools.permutations(self._some_down(), 2):
            if self._wrong(state, {**table, first: zone}, {}):

                def show(first: PieceId = first, second: PieceId = second) -> Script:
                    yield from self._virtual.exchange(actor, first, second)
                    yield from self._virtual.turn(actor, first, True)

                def hide(first: PieceId = first, second: PieceId = second) -> Script:
                    yield from self._virtual.turn(actor, first, False)
                    yield from self._virtual.exchange(actor, first, second)

                return Mischief("swapped", (first,), show, hide)
        return None

    def _some_down(self) -> list[tuple[PieceId, ZoneId]]:
        down = [one for one in sorted(self._virtual.dealer.face_down().items()) if not self._covered(one[0])]
        return self._chance.sample(down, min(FEW, len(down)))

    def _turnable(self, piece: PieceId) -> bool:
        """Whether it is turned over where it lies, and is of a kind that lies face down elsewhere."""
        pieces = self._virtual.game.box.pieces
        return pieces[piece].two_sided and pieces[piece].kind in {
            pieces[other].kind for other in self._virtual.dealer.face_down()
        }

    def _taken_away(self, state: Any) -> Mischief | None:
        table = self._virtual.dealer.table()
        for piece, zone in self._chance.sample(sorted(table.items()), len(table)):
            left = {other: where for other, where in table.items() if other != piece}
            if not self._covered(piece) and self._wrong(state, left, {piece: zone}):
                return self._away(piece)
        return None

    def _slipped(self, state: Any) -> Mischief | None:
        table = self._virtual.dealer.table()
        anchors = {zone.anchor for zone in self._virtual.game.zones(state, {})}  # their zones go where they go
        for piece in self._chance.sample(sorted(table.keys() - anchors), len(table.keys() - anchors)):
            here = [Sighting(p, None if p == piece else z) for p, z in table.items()]
            settled = settle(self._virtual.game, state, Observation(tuple(here)))
            free = self._virtual.free_pose(FAR_MM)
            if free and settled.disputes and not settled.moves and not self._covered(piece):
                return self._aside(piece, free)
        return None

    def _foreign(self, _state: Any) -> Mischief | None:
        """A QR code of something else, laid where cards lie."""
        code = QrTag(f"WINE{self._chance.randrange(10**8):08d}1999")
        card = next(p for p in self._virtual.game.box.pieces.values() if isinstance(p.tag, QrTag))
        stranger = Piece("stranger", "", "card", verbatim("?"), code, card.tag_mm, card.size_mm, card.tag_at_mm)
        zone = self._chance.choice([z for z in self._zones_for(card.id) if z.count("/")] or self._zones_for(card.id))
        if self._crowded(zone):
            return None
        actor = self._virtual.actor("")
        pose = self._virtual.pose_in(zone)
        return Mischief(
            "foreign", ("stranger",), lambda: self._virtual.lay(actor, stranger, pose), lambda: actor.take("stranger")
        )

    def _away(self, piece: PieceId) -> Mischief:
        pose, actor = self._virtual.poses[piece], self._virtual.actor("")
        return Mischief(
            "taken-away", (piece,), lambda: actor.take(piece), lambda: self._virtual.lay(actor, piece, pose)
        )

    def _aside(self, piece: PieceId, to: Pose) -> Mischief:
        pose, actor = self._virtual.poses[piece], self._virtual.actor("")
        lay = self._virtual.lay
        return Mischief("slipped", (piece,), lambda: lay(actor, piece, to), lambda: lay(actor, piece, pose))

    def _laid(self, kind: str, piece: PieceId, zone: ZoneId) -> Mischief | None:
        if self._crowded(zone):
            return None
        actor = self._virtual.actor("")
        pose = self._virtual.pose_in(zone, piece)
        return Mischief(kind, (piece,), lambda: self._virtual.lay(actor, piece, pose), lambda: actor.take(piece))

    def _crowded(self, zone: ZoneId) -> bool:
        """All spots are taken, so that a further piece would cover one that lies there."""
        return sum(where == zone for where in self._virtual.dealer.table().values()) >= len(
            self._virtual.zones[zone].spots
        )

    def _covered(self, piece: PieceId) -> bool:
        """Another piece lies on it."""
        placed = self._virtual.scene.placed
        below = placed[piece]
        outline = [outline_of(self._virtual.game.box.pieces[piece], (*below.at_mm, below.angle_deg))]
        above = (p for p in placed.values() if p.order > below.order and isinstance(p.what, Piece))
        return any(hides(p.what, (*p.at_mm, p.angle_deg), outline) for p in above if isinstance(p.what, Piece))

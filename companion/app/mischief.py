"""Wrong acts at the virtual table, and how they are put right: for proofs, and for seeing what the table says.

They know no game: whether an act is wrong is asked of the rules, by settling the table as it would lie afterwards.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from companion.app.virtual import VirtualGame
from companion.core.box import Piece, PieceId
from companion.core.messages import verbatim
from companion.core.settle import settle
from companion.core.table import Observation, Pose, Sighting, ZoneId
from companion.core.tags import QrTag
from vision.scene.acting import Script, together

TRIES = 60
FAR_MM = 130.0
"""How far a piece is pushed to be out of its zone for sure."""


class Mischief:
    """One wrong act.

    Attributes:
        kind: `misplaced`, `two-at-once`, `taken-away`, `slipped`, `foreign`.
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
        placed = self._virtual.scene.placed
        return [p.id for p in self._virtual.game.box.pieces.values() if p.kind in kinds and p.id not in placed]

    def _zones_for(self, piece: PieceId) -> list[ZoneId]:
        kind = self._virtual.game.box.pieces[piece].kind
        return [zone.id for zone in self._virtual.zones.values() if kind in zone.holds and zone.spots]

    def _misplaced(self, state: Any) -> Mischief | None:
        table, hidden = self._virtual.dealer.table(), self._hidden()
        for _ in range(TRIES if hidden else 0):
            piece = self._chance.choice(hidden)
            zone = self._chance.choice(self._zones_for(piece))
            if self._wrong(state, {**table, piece: zone}, {}):
                return self._laid("misplaced", {piece: zone})
        return None

    def _two_at_once(self, state: Any) -> Mischief | None:
        table, hidden = self._virtual.dealer.table(), self._hidden()
        for _ in range(TRIES if len(hidden) > 1 else 0):
            first, second = self._chance.sample(hidden, 2)
            zones = {
                first: self._chance.choice(self._zones_for(first)),
                second: self._chance.choice(self._zones_for(second)),
            }
            if zones[first] == zones[second]:
                continue  # they would be laid on one spot, the one over the other
            alone = [self._wrong(state, {**table, piece: zone}, {}) for piece, zone in zones.items()]
            if not any(alone) and self._wrong(state, {**table, **zones}, {}):
                return self._laid("two-at-once", zones)
        return None

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

    def _laid(self, kind: str, zones: Mapping[PieceId, ZoneId]) -> Mischief | None:
        if any(self._crowded(zone) for zone in zones.values()):
            return None
        actor = self._virtual.actor("")

        def lay() -> Script:
            """All at the same time, each with a hand of its own."""
            hands = {piece: self._virtual.actor(piece) for piece in zones}
            poses = {piece: self._virtual.pose_in(zone, piece) for piece, zone in zones.items()}
            yield from together(*(self._virtual.lay(hands[piece], piece, pose) for piece, pose in poses.items()))

        def take() -> Script:
            for piece in zones:
                yield from actor.take(piece)

        return Mischief(kind, tuple(zones), lay, take)

    def _crowded(self, zone: ZoneId) -> bool:
        """All spots are taken, so that a further piece would cover one that lies there."""
        return sum(where == zone for where in self._virtual.dealer.table().values()) >= len(
            self._virtual.zones[zone].spots
        )

    def _covered(self, piece: PieceId) -> bool:
        """Another piece lies on it."""
        placed = self._virtual.scene.placed
        x, y = placed[piece].at_mm
        above = [p for name, p in placed.items() if name != piece and p.order > placed[piece].order]
        return any(abs(p.at_mm[0] - x) < 60 and abs(p.at_mm[1] - y) < 90 for p in above)

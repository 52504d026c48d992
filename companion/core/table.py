"""The table as the rules expect it, as it was seen, and how the two differ.

All lengths are millimetres in the table frame: origin at the outer corner of the top left fiducial, x to the right,
y towards the bottom edge of the camera's picture, seen from above. Angles are degrees, clockwise as seen from above.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from companion.core.box import Box, PieceId

ZoneId = str

Point = tuple[float, float]
Pose = tuple[float, float, float]
"""x and y in mm, and an angle in degrees, clockwise."""


class Zone(msgspec.Struct, frozen=True):
    """A place that means something to a game. A piece lies in the zone in which its middle is, wherever its tag sits.

    Attributes:
        id: its name, `/` between the parts: `small-1/crown`.
        polygon_mm: corners in order, in the frame of the anchor, or of the table where there is no anchor. The
            anchor's frame has its origin in the centre of the anchor's tag and its x axis along the tag's top edge.
        anchor: the piece whose pose carries the zone.
        holds: kinds of pieces that count here; others lie over it without being in it.
        priority: where zones overlap, the highest priority wins, then the one whose edge is farthest away.
        spots: where pieces are best laid in it, in the zone's frame: x, y of the piece's centre, and its angle.
        fan: they are laid from the first spot to the last, each over the one before it, so that only a part of each
            shows; a gap among them is not filled but closed.
    """

    id: ZoneId
    polygon_mm: tuple[Point, ...]
    anchor: PieceId | None = None
    holds: frozenset[str] = frozenset({"card"})
    priority: int = 0
    spots: tuple[Pose, ...] = ()
    fan: bool = False


class Sighting(msgspec.Struct, frozen=True):
    """One piece of the game that lies on the table.

    Attributes:
        piece: its id.
        zone: where it lies, or None beside all zones.
        at_mm: centre of its tag.
        angle_deg: direction of the tag's top edge, 0 along x, clockwise.
        hidden: it can't be seen now, under a hand or another piece, and is only believed to lie there still.
        since_s: when it was put there, by the camera's clock.
    """

    piece: PieceId
    zone: ZoneId | None
    at_mm: Point = (0.0, 0.0)
    angle_deg: float = 0.0
    hidden: bool = False
    since_s: float = 0.0


class Stranger(msgspec.Struct, frozen=True):
    """A tag that is no piece of the game.

    Attributes:
        kind: `foreign` (not ours, or of another game), `damaged` (ours, but its check fails), `double` (a second
            tag of a piece that lies elsewhere).
        text: what was read.
        zone: where it lies, or None.
        at_mm: its centre.
    """

    kind: str
    text: str
    zone: ZoneId | None = None
    at_mm: Point = (0.0, 0.0)


class Observation(msgspec.Struct, frozen=True):
    """What lies on the table, once it has come to rest.

    A piece that is in none of the fields is unseen: it may lie under a hand. Only `gone` says that a place is
    visible, still and empty.

    Attributes:
        sightings: one for each piece seen, or known to lie unchanged.
        gone: pieces that have left the zone in which they lay last, by that zone.
        strangers: other tags on the table.
        unplaced: anchors that were never seen, so that their zones can't be placed.
        at_s: time of the newest frame behind it, by the camera's clock.
        restless: something still moves or is looked at again, or an arm is over the table: what came at the same time
            as something else may not be seen yet.
    """

    sightings: tuple[Sighting, ...] = ()
    gone: Mapping[PieceId, ZoneId] = msgspec.field(default_factory=dict)
    strangers: tuple[Stranger, ...] = ()
    unplaced: tuple[PieceId, ...] = ()
    at_s: float = 0.0
    restless: bool = False

    @property
    def in_sight(self) -> frozenset[PieceId]:
        """The pieces that are seen, and not only believed to lie where they lay."""
        return frozenset(sighting.piece for sighting in self.sightings if not sighting.hidden)

    def zone_of(self, piece: PieceId) -> ZoneId | None:
        """Where a piece was seen, or None if it wasn't, or lies beside all zones."""
        return next((s.zone for s in self.sightings if s.piece == piece), None)


class Layout(msgspec.Struct, frozen=True):
    """Which piece the rules expect in which zone.

    Attributes:
        expected: pairs of a piece and its zone. A bare name (`token-5`) stands for any copy, and may come as
            often as there are copies.
        optional: pieces that may lie in that zone or not, such as cards that are being cleared away.
        piles: zones in which pieces lie on one another. What can't be seen there lies below, so of two alike the one in
            sight is the new one.
    """

    expected: tuple[tuple[str, ZoneId], ...] = ()
    optional: tuple[tuple[str, ZoneId], ...] = ()
    piles: frozenset[ZoneId] = frozenset()


class Difference(msgspec.Struct, frozen=True):
    """How a table that was seen differs from the expected one.

    Pieces that can't be seen make no difference: they may lie where the rules expect them, but a piece that is only
    believed to lie elsewhere says nothing.

    Attributes:
        extra: pieces in a zone where the rules expect none of their name.
        missing: expected pieces that have left their zone and are seen nowhere, by that zone.
        moved: expected pieces that are seen elsewhere: the zone expected, and the one seen (None: beside all).
        strangers: tags in a zone that are no pieces of the game.
    """

    extra: Mapping[PieceId, ZoneId] = msgspec.field(default_factory=dict)
    missing: Mapping[PieceId, ZoneId] = msgspec.field(default_factory=dict)
    moved: Mapping[PieceId, tuple[ZoneId, ZoneId | None]] = msgspec.field(default_factory=dict)
    strangers: tuple[Stranger, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.extra or self.missing or self.moved or self.strangers)


def _take(pairs: list[tuple[str, ZoneId]], names: Iterable[str], zone: ZoneId | None) -> tuple[str, ZoneId] | None:
    """Takes the first of the pairs (name, zone) out of the list; with zone None any zone will do."""
    for name in names:
        for pair in pairs:
            if pair[0] == name and zone in (None, pair[1]):
                pairs.remove(pair)
                return pair
    return None


def compare(layout: Layout, seen: Observation, box: Box) -> Difference:
    """Where the table seen differs from the table expected."""
    expected, optional = list(layout.expected), list(layout.optional)
    below = [sighting for sighting in seen.sightings if sighting.hidden and sighting.zone in layout.piles]
    loose = [
        sighting
        for sighting in (*below, *(sighting for sighting in seen.sightings if sighting not in below))
        if sighting.zone is None or not _take(expected, _names(sighting.piece, box), sighting.zone)
    ]
    loose = [s for s in loose if s.zone is None or not _take(optional, _names(s.piece, box), s.zone)]
    loose = [s for s in loose if not s.hidden]
    moved: dict[PieceId, tuple[ZoneId, ZoneId | None]] = {}
    extra: dict[PieceId, ZoneId] = {}
    for sighting in loose:
        # A single piece (or the very copy) that is expected elsewhere has moved; of several copies any may be new.
        names = _names(sighting.piece, box) if len(box.copies.get(sighting.piece, ())) == 1 else (sighting.piece,)
        pair = _take(expected, names, None)
        if pair:
            moved[sighting.piece] = (pair[1], sighting.zone)
        elif sighting.zone is not None:
            extra[sighting.piece] = sighting.zone
    strayed = {box.name_of(piece) for piece in extra}
    missing = {
        piece: zone
        for piece, zone in seen.gone.items()
        if (pair := _take(expected, _names(piece, box), zone)) and not (pair[0] in strayed and pair[0] != piece)
    }
    return Difference(extra, missing, moved, tuple(s for s in seen.strangers if s.zone is not None))


def unmet(layout: Layout, seen: Observation, box: Box) -> Iterator[tuple[str, ZoneId]]:
    """What is expected somewhere and not known to lie there."""
    lying = [(sighting.piece, sighting.zone) for sighting in seen.sightings]
    for name, zone in layout.expected:
        found = next((pair for pair in lying if pair[1] == zone and name in (pair[0], box.name_of(pair[0]))), None)
        if found:
            lying.remove(found)
        else:
            yield name, zone


def _names(piece: PieceId, box: Box) -> tuple[str, ...]:
    return (piece, box.name_of(piece))

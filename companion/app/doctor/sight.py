"""What can be measured in a camera's pictures of a table: light, sharpness, corners, the size of tags, zones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import msgspec
import numpy as np

from companion.core.box import Box, Piece, PieceId
from companion.core.table import Zone
from companion.core.tags import ARUCO_CELLS, CORNER_IDS, QR_MODULES, ArucoTag, QrTag, check
from vision.fiducials import Corners, Fiducials
from vision.frame import Frame, Picture
from vision.geometry import Table
from vision.health import Light, edge_px, light
from vision.lens import Homography, Points
from vision.reading import Reader
from vision.scan import Found, Scanner
from vision.zones import Pose, ZoneMap

CORNER_NAMES: Mapping[int, str] = dict(
    zip(CORNER_IDS, ("top left", "top right", "bottom right", "bottom left"), strict=True)
)
"""Of the corner markers, as they are printed on them."""
CORNER_MM = 50.0
"""Side of a corner marker's black square, as it is printed."""
LOOKS = 8
"""After so many looks a table whose corner markers fit badly is taken all the same."""
FINE_PX = 3.5
"""With so many px per module a code is read without enlargement."""
STACK = 4
"""The mean of so many pictures shows codes that none of them does."""
AROUND = 0.3
"""So much more than a corner marker itself, as a share of it, is looked at for sharp edges."""
WHITEST = 254
"""A pixel of this grey level can't be told from a whiter one."""
_BLOCK = 16


class Wanted(msgspec.Struct, frozen=True):
    """What one game wants to have seen.

    Attributes:
        game: its id.
        box: its pieces.
        zones: the places that matter.
    """

    game: str
    box: Box
    zones: tuple[Zone, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Quarter:
    """A quarter of the table, measured at its corner marker, or, where that isn't seen, in its part of the picture.

    Attributes:
        name: such as `top left`.
        white: grey level of 255 of paper there.
        black: the same of ink; None without marker.
        washed: share of the paper there that is as white as the camera knows; None without marker.
        edge_px: how wide sharp edges are there, see `vision.health.edge_px`; None where there are none.
        marker_px: the marker's corners; None if it isn't seen.
    """

    name: str
    white: float
    black: float | None = None
    washed: float | None = None
    edge_px: float | None = None
    marker_px: Corners | None = None


class TagSize(msgspec.Struct, frozen=True):
    """How large one sort of tags is in the picture.

    Attributes:
        game: whose.
        kinds: of pieces that carry it, such as `card`.
        code: it is a QR code; otherwise a marker.
        tag_mm: side of its black square.
        px: of one module, in the middle of the table.
        least_px: the same in the corner of the table that is farthest away.
    """

    game: str
    kinds: tuple[str, ...]
    code: bool
    tag_mm: float
    px: float
    least_px: float


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """What was measured.

    Attributes:
        size_px: width and height of the pictures.
        light: of the whole picture.
        noise: standard deviation of a pixel from picture to picture, in grey levels of 255; None with one picture.
        edge_px: how wide the sharper edges of the whole picture are; None where there are none.
        quarters: all four, in the order of the corner markers: clockwise from the top left.
        table: the map to millimetres; None unless all four corners were seen and fit.
        outline_px: outer corners (4, 2) of the corner markers, clockwise from the top left; None without `table`.
        table_mm: width and height between them.
        px_per_mm: scale in the middle of the table; without `table` that at the markers which are seen, or None.
        sizes: of all tags in use, largest first; empty without a scale.
        seen: the pieces whose tags were found, by game, in the order of their boxes.
        strangers: what was read that is no piece of these games.
        outside: places of games (`phoenix: big/moon`) that reach over the edge of the picture.
        placed: how many places could be placed.
        unplaced: anchors (`phoenix: nest-big`) that weren't seen, so that nothing is known of their places.
    """

    size_px: tuple[int, int]
    light: Light
    noise: float | None
    edge_px: float | None
    quarters: tuple[Quarter, ...]
    table: Homography | None = None
    outline_px: Points | None = None
    table_mm: tuple[float, float] | None = None
    px_per_mm: float | None = None
    sizes: tuple[TagSize, ...] = ()
    seen: Mapping[str, tuple[PieceId, ...]] = msgspec.field(default_factory=dict)
    strangers: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    placed: int = 0
    unplaced: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the corners that aren't seen."""
        return tuple(quarter.name for quarter in self.quarters if quarter.marker_px is None)


def measure(
    frames: Sequence[Frame], wanted: Sequence[Wanted], reader: Reader | None = None, corner_mm: float = CORNER_MM
) -> Sight:
    """Measures pictures of one table that lies still.

    Args:
        frames: of one size, at least one; with two or more noise is known, and with four weak codes are read.
        wanted: the games that may be played.
        reader: of QR codes; without one none are read, which saves most of the time, and cards are not among `seen`.
        corner_mm: side of the corner markers' black square.
    """
    last = frames[-1]
    scanner = Scanner(reader or Reader.standard(), Fiducials())
    table = Table(corner_mm)
    looks = [scanner.markers(frame, fine=True) for frame in frames]
    markers = {one.tag: one for look in looks for one in look}
    corners = {tag.number: one.corners_px for tag, one in markers.items() if isinstance(tag, ArucoTag)}
    for number in range(LOOKS):
        table.refresh(_numbered(looks[number]) if number < len(looks) else corners, last.size)
    quarters = tuple(_quarter(last, number, corners) for number in CORNER_IDS)
    found = list(markers.values())
    scales = _scales(table, quarters, corner_mm)
    if reader is not None:
        found += _codes(scanner, frames, scales[0] if scales else None, wanted)
    map_, outline_mm = table.homography, table.outline_mm
    known = {game.game: _places(game, found, map_) for game in wanted}
    zones = {game.game: ZoneMap(game.box, game.zones, known[game.game]) for game in wanted}
    return Sight(
        size_px=last.size,
        light=light(last.lores),
        noise=_noise(frames),
        edge_px=edge_px(last),
        quarters=quarters,
        table=map_,
        outline_px=None if map_ is None or outline_mm is None else map_.to_px(outline_mm),
        table_mm=None if outline_mm is None else _extent(outline_mm),
        px_per_mm=scales[0] if scales else None,
        sizes=tuple(size for game in wanted for size in _sizes(game, scales)),
        seen={game.game: _seen(game, found) for game in wanted},
        strangers=tuple(_strangers(wanted, found)),
        outside=tuple(_outside(wanted, zones, known, map_, last.size)) if map_ else (),
        placed=sum(len(one.placed) for one in zones.values()) if map_ else 0,
        unplaced=tuple(f"{game}: {anchor}" for game, one in zones.items() for anchor in one.unplaced) if map_ else (),
    )


def _numbered(look: Sequence[Found]) -> dict[int, Corners]:
    return {one.tag.number: one.corners_px for one in look if isinstance(one.tag, ArucoTag)}


def _quarter(frame: Frame, number: int, corners: Mapping[int, Corners]) -> Quarter:
    name, marker = CORNER_NAMES[number], corners.get(number)
    if marker is None:
        return Quarter(name, light(_part(frame, number, corners)).white)
    inside = _inside(frame.grey, marker)
    white, black = float(np.percentile(inside, 95)), float(np.percentile(inside, 5))
    washed = float(np.mean(inside[inside >= (white + black) / 2] >= WHITEST))
    return Quarter(name, white, black, washed, edge_px(_around(frame, marker)), marker)


def _inside(grey: Picture, marker: Corners) -> Picture:
    """The pixels of a marker, in a row."""
    left, top, width, height = cv2.boundingRect(np.round(marker).astype(np.int32))
    left, top = max(0, left), max(0, top)
    part = grey[top : top + height, left : left + width]
    mask = np.zeros(part.shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(marker - (left, top)).astype(np.int32), 255)
    return np.asarray(part[mask > 0])


def _around(frame: Frame, marker: Corners) -> Frame:
    """The part of a frame around a marker, shrunk as the whole is: edges are measured in patches of that size."""
    reach = AROUND * (marker.max(axis=0) - marker.min(axis=0))
    left, top = np.maximum(0, np.floor(marker.min(axis=0) - reach)).astype(int).tolist()
    right, bottom = np.ceil(marker.max(axis=0) + reach).astype(int).tolist()
    grey = np.ascontiguousarray(frame.grey[top:bottom, left:right])
    size = [max(1, round(side * shrink)) for side, shrink in zip(grey.shape[::-1], frame.shrink, strict=True)]
    return Frame(grey, np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.uint8), frame.at_s)


def _part(frame: Frame, number: int, corners: Mapping[int, Corners]) -> Picture:
    """The part of the small picture where a corner must be that isn't seen: opposite of that which is."""
    width, height = frame.size
    opposite = corners.get((number + 2) % 4)
    right, low = number in (1, 2), number in (2, 3)
    if opposite is not None:
        x, y = opposite.mean(axis=0)
        right, low = bool(x < width / 2), bool(y < height / 2)
    rows, columns = frame.lores.shape[0] // 2, frame.lores.shape[1] // 2
    down, across = (slice(rows, None) if low else slice(rows), slice(columns, None) if right else slice(columns))
    return np.ascontiguousarray(frame.lores[down, across])


def _noise(frames: Sequence[Frame]) -> float | None:
    """The mean difference of two pictures in most blocks; a hand that moves is in some of them only."""
    if len(frames) < 2:
        return None
    apart = cv2.absdiff(frames[-1].grey, frames[-2].grey)
    size = (max(1, apart.shape[1] // _BLOCK), max(1, apart.shape[0] // _BLOCK))
    blocks = cv2.resize(apart.astype(np.float32), size, interpolation=cv2.INTER_AREA)
    # The mean of |a - b| of two normal deviates of sigma s is 2 s / sqrt(pi).
    return float(np.median(blocks)) * float(np.sqrt(np.pi)) / 2


def _scales(table: Table, quarters: Sequence[Quarter], corner_mm: float) -> list[float]:
    """Px per mm: first in the middle, then in the corners of the table."""
    map_, outline = table.homography, table.outline_mm
    if map_ is not None and outline is not None:
        x, y = outline.mean(axis=0)
        return [map_.px_per_mm((float(x), float(y))), *(map_.px_per_mm((float(x), float(y))) for x, y in outline)]
    sides = [_side(quarter.marker_px) / corner_mm for quarter in quarters if quarter.marker_px is not None]
    return [float(np.mean(sides)), *sides] if sides else []


def _side(corners_px: Corners) -> float:
    return float(np.linalg.norm(corners_px - np.roll(corners_px, 1, axis=0), axis=1).mean())


def _codes(scanner: Scanner, frames: Sequence[Frame], px_per_mm: float | None, wanted: Sequence[Wanted]) -> list[Found]:
    sides = [piece.tag_mm for game in wanted for piece in game.box.pieces.values() if isinstance(piece.tag, QrTag)]
    fine = bool(px_per_mm and sides and min(sides) / QR_MODULES * px_per_mm >= FINE_PX)
    found = {one.tag: one for one in scanner.codes(frames[-1], 1 if fine else 2)}
    if len(frames) > 1:
        for one in scanner.codes(frames[-1], 1 if fine else 2, stack=[frame.grey for frame in frames[-STACK:]]):
            found.setdefault(one.tag, one)
    return list(found.values())


def _places(game: Wanted, found: Sequence[Found], table: Homography | None) -> dict[PieceId, Pose]:
    if table is None:
        return {}
    places = {}
    for one in found:
        piece = game.box.piece_of(one.tag)
        if piece is not None:
            mm = table.to_mm(one.corners_px)
            along = mm[1] - mm[0] + mm[2] - mm[3]
            x, y = mm.mean(axis=0)
            places[piece.id] = Pose((float(x), float(y)), float(np.degrees(np.arctan2(along[1], along[0]))))
    return places


def _extent(outline_mm: Points) -> tuple[float, float]:
    sides = np.linalg.norm(outline_mm - np.roll(outline_mm, -1, axis=0), axis=1)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def _sizes(game: Wanted, scales: Sequence[float]) -> Iterator[TagSize]:
    kinds: dict[tuple[bool, float], dict[str, None]] = {}
    for piece in game.box.pieces.values():
        kinds.setdefault((isinstance(piece.tag, QrTag), piece.tag_mm), {})[piece.kind] = None
    for (code, side_mm), named in sorted(kinds.items(), key=lambda one: -one[0][1]):
        cell_mm = side_mm / (QR_MODULES if code else ARUCO_CELLS)
        if scales:
            yield TagSize(game.game, tuple(named), code, side_mm, scales[0] * cell_mm, min(scales) * cell_mm)


def _seen(game: Wanted, found: Sequence[Found]) -> tuple[PieceId, ...]:
    tags = {one.tag for one in found}
    return tuple(piece.id for piece in game.box.pieces.values() if piece.tag in tags)


def _strangers(wanted: Sequence[Wanted], found: Sequence[Found]) -> Iterator[str]:
    for one in found:
        if isinstance(one.tag, QrTag) and not any(_owner(game, one) for game in wanted):
            yield f"{check(one.tag.payload) or 'of another game'}: {one.tag.payload}"


def _owner(game: Wanted, one: Found) -> Piece | None:
    return game.box.piece_of(one.tag)


def _outside(
    wanted: Sequence[Wanted],
    zones: Mapping[str, ZoneMap],
    poses: Mapping[str, Mapping[PieceId, Pose]],
    table: Homography,
    size_px: tuple[int, int],
) -> Iterator[str]:
    """Places in which the tag of a piece that is laid where it is best laid would not be in the picture."""
    for game in wanted:
        for zone, edge in zones[game.game].placed:
            polygon = edge.astype(np.float64)
            px = table.to_px(np.concatenate(list(_tags_in(game.box, zone, polygon, poses[game.game]))))
            if (px < 0).any() or (px > np.array(size_px) - 1).any():
                yield f"{game.game}: {zone.id}"


def _tags_in(box: Box, zone: Zone, polygon: Points, poses: Mapping[PieceId, Pose]) -> Iterator[Points]:
    """Corners (4, 2) in mm of the tags of pieces at the zone's spots; without spots, the middle of the zone."""
    anchor = box.find(zone.anchor) if zone.anchor else None
    frame = poses[anchor.id] if anchor else Pose((0.0, 0.0))
    held = {(p.tag_mm, p.tag_at_mm): p for p in box.pieces.values() if p.kind in zone.holds}
    for x, y, angle in zone.spots:
        for piece in held.values():
            half = piece.tag_mm / 2
            square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) + piece.tag_at_mm
            yield frame.place(Pose((x, y), angle).place(square))
    if not zone.spots or not held:
        yield polygon.mean(axis=0, keepdims=True)

"""What is cut out: corner markers, anchors and stickers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from companion.core.box import Piece
from companion.core.messages import Message
from companion.core.table import Point, Zone
from companion.core.tags import ARUCO_CELLS, CORNER_IDS, ArucoTag
from companion.kit.drawing import BLACK, Drawing, sticker_mm
from companion.kit.layout import Cell
from companion.kit.paper import MARGIN_MM
from companion.kit.words import KitWords

Say = Callable[[Message], str]
Side = tuple[float, str]
"""Direction from an anchor's middle, in degrees clockwise from x, and what lies there."""
CORNER_MM = 50.0
CORNER_KEYS = ("top-left", "top-right", "bottom-right", "bottom-left")
"""By marker number. Source: `companion.core.tags.CORNER_IDS`."""
_CORNER_PAPER_MM = CORNER_MM * (1 + 2 * 1.2 / ARUCO_CELLS)
_STRIP_MM = 15.0
HEADER_MM = MARGIN_MM + 14.0
"""From the top of the page to what is printed below its heading."""
_LABEL_MM = 5.5
_CROP_MM = 1.8


def corners(drawing: Drawing, words: KitWords, top_mm: float) -> None:
    """The four corner markers, each with its corner's name and an arrow to the table's top edge."""
    width, height = _CORNER_PAPER_MM, _CORNER_PAPER_MM + _STRIP_MM
    middle = drawing.paper.width_mm / 2
    for number, key in zip(CORNER_IDS, CORNER_KEYS, strict=True):
        right, low = "right" in key, "bottom" in key
        left = middle + 6 if right else middle - 6 - width
        top = top_mm + (height + 12) * low
        drawing.box((left, top), (width, height))
        drawing.arrow((left + 8, top + 2.5), 11)
        drawing.label(words(f"corner.{key}"), (left + width / 2, top + 2.5), (33, 6), 12)
        drawing.label(words("corner.top"), (left + width / 2, top + 9), (36, 4), 7)
        table = (left + width - 14, top + 4)
        drawing.box(table, (10, 6.5))
        drawing.box((table[0] + 7.5 * right, table[1] + 4 * low), (2.5, 2.5), fill=BLACK, line_mm=0)
        drawing.tag(ArucoTag(number), (left + width / 2, top + _STRIP_MM + width / 2), CORNER_MM)


def anchor_cell(piece: Piece, room_mm: tuple[float, float]) -> Cell[Piece]:
    """The room for an anchor: its whole shape, or its tag alone where the shape is larger than the page."""
    strip = 0.0 if _has_room(piece) else _STRIP_MM
    whole = (piece.size_mm[0], piece.size_mm[1] + strip)
    if whole[0] <= room_mm[0] and whole[1] <= room_mm[1]:
        return Cell(piece, piece.id, whole)
    side = sticker_mm(piece) + 2 * _CROP_MM
    return Cell(piece, piece.id, (max(side, 40.0), side + _STRIP_MM))


def anchor(drawing: Drawing, words: KitWords, say: Say, cell: Cell[Piece], sides: Sequence[Side]) -> None:
    """One anchor with its tag, its name, an arrow to its upper side and what lies at its sides."""
    piece = cell.item
    left, top = _on_page(cell)
    centre = left + cell.size_mm[0] / 2
    label = say(piece.label)
    sticker = sticker_mm(piece)
    if cell.size_mm[1] < piece.size_mm[1] or not _has_room(piece):
        high = cell.size_mm[1] - _STRIP_MM
        if high >= piece.size_mm[1]:
            drawing.outline(piece, (centre, top + high / 2))
            middle = (centre + piece.tag_at_mm[0], top + high / 2 + piece.tag_at_mm[1])
        else:
            middle = (centre, top + high / 2)
            drawing.crop_marks(middle, sticker)
        drawing.tag(piece.tag, middle, piece.tag_mm)
        drawing.arrow((centre - 16, top + high + 2), 10)
        drawing.label(f"{label} ({words('anchor.up')})", (centre + 4, top + high + 3), (30, 9), 9)
        return
    shape = (centre, top + piece.size_mm[1] / 2)
    middle = (shape[0] + piece.tag_at_mm[0], shape[1] + piece.tag_at_mm[1])
    drawing.outline(piece, shape)
    drawing.tag(piece.tag, middle, piece.tag_mm)
    drawing.arrow((middle[0], middle[1] - sticker / 2 - 10), 9)
    drawing.label(words("anchor.up"), (middle[0] + 8, middle[1] - sticker / 2 - 6), (12, 4), 7)
    drawing.label(label, (middle[0], middle[1] + sticker / 2 + 1), (sticker + 12, 7), 11)
    reach = min(piece.size_mm) / 2 - 8
    for direction, text in sides:
        turn = math.radians(direction)
        drawing.label(text, (shape[0] + reach * math.cos(turn), shape[1] + reach * math.sin(turn) - 2), (22, 6), 8)


def sides_of(anchor_id: str, zones: Sequence[Zone], say: Say) -> tuple[Side, ...]:
    """What a game calls the places around an anchor, by the text `name.side` of its wording, if it has one."""
    found = []
    for zone in zones:
        if zone.anchor != anchor_id:
            continue
        x, y = (sum(values) / len(zone.polygon_mm) for values in zip(*zone.polygon_mm, strict=True))
        text = say(Message("name.side", {"zone": zone.id}))
        if math.hypot(x, y) > 1 and text != "name.side":
            found.append((math.degrees(math.atan2(y, x)), text))
    return tuple(found)


def sticker_cell(piece: Piece) -> Cell[Piece]:
    """The room for a sticker with its crop marks and its label."""
    side = cut_mm(piece) + 2 * _CROP_MM
    return Cell(piece, piece.id, (max(side, 20.0), side + _LABEL_MM))


def sticker(drawing: Drawing, say: Say, cell: Cell[Piece]) -> None:
    """One sticker: the tag with its quiet zone, marks to cut along, and the piece's name below."""
    piece = cell.item
    left, top = _on_page(cell)
    cut = cut_mm(piece)
    middle = (left + cell.size_mm[0] / 2, top + _CROP_MM + cut / 2)
    if piece.face.round:
        drawing.circle(middle, cut / 2)
    else:
        drawing.crop_marks(middle, cut)
    drawing.tag(piece.tag, middle, piece.tag_mm)
    text = f"{piece.number}: {say(piece.label)}" if piece.number else say(piece.label)
    if piece.copy and not piece.alike:
        text = f"{text} ({piece.copy})"
    drawing.label(text, (middle[0], top + 2 * _CROP_MM + cut), (cell.size_mm[0], _LABEL_MM))


def _on_page(cell: Cell[Piece]) -> Point:
    return cell.left_top_mm[0] + MARGIN_MM, cell.left_top_mm[1] + HEADER_MM


def cut_mm(piece: Piece) -> float:
    """Side of a square sticker as it is cut out. On a disc it is cut round, a little smaller than the disc."""
    return min(piece.size_mm) - 1 if piece.face.round else sticker_mm(piece)


def _has_room(piece: Piece) -> bool:
    """Whether an anchor's shape has room for an arrow above its tag and for its name below."""
    above = piece.size_mm[1] / 2 + piece.tag_at_mm[1] - sticker_mm(piece) / 2
    below = piece.size_mm[1] / 2 - piece.tag_at_mm[1] - sticker_mm(piece) / 2
    return min(above, below) > 14

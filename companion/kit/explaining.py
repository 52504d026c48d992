"""The page that says where everything goes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from companion.core.box import Piece
from companion.core.printing import Size
from companion.core.table import Point
from companion.kit.drawing import DARK, Drawing, sticker_mm
from companion.kit.paper import MARGIN_MM
from companion.kit.sheets import CORNER_KEYS, HEADER_MM, Say, cut_mm
from companion.kit.words import KitWords, number

_TABLE_MM = (136.0, 74.0)
_BARE_TABLE_MM = (80.0, 44.0)
"""Of the drawing of a table, and of one on which nothing is shown but its corners."""
_SCALE = 0.7
_DRAWING_MM = 62.0
"""Room for one drawing of a piece, at most."""
_IN_ROW = 6
"""So many drawings stand beside one another at most."""
_CAPTION_MM = 25.0
"""Height of what stands below a drawing of a piece."""
_FLUSH_MM = 0.25
"""What lies nearer to an edge lies on it."""
_RULER_MM = 14.0
"""From the foot of the page, within its margin, to what stands above the ruler."""
RULER_MM = 100


class Alike(msgspec.Struct, frozen=True):
    """Pieces with the same sticker in the same place."""

    first: Piece
    count: int


def alike(pieces: Iterable[Piece]) -> tuple[Alike, ...]:
    """Pieces with the same sticker in the same place together."""
    found: dict[tuple[object, ...], list[Piece]] = {}
    for piece in pieces:
        key = (piece.kind, piece.size_mm, piece.tag_mm, piece.tag_at_mm)
        found.setdefault(key, []).append(piece)
    return tuple(Alike(pieces[0], len(pieces)) for pieces in found.values())


def explanation(
    drawing: Drawing,
    words: KitWords,
    say: Say,
    anchors: Sequence[Piece],
    stuck: Sequence[Piece],
    steps: Iterable[str],
) -> None:
    """Steps, a drawing of the table, a drawing of each sort of piece, and a ruler.

    Args:
        drawing: is at a new page.
        words: of the kit.
        say: of the game.
        anchors: that are printed.
        stuck: pieces that get stickers.
        steps: what is to be done, one after the other.
    """
    width = drawing.paper.inner_mm[0]
    y = HEADER_MM + drawing.paragraph(words("steps-title"), (MARGIN_MM, HEADER_MM), width, 12, bold=True) + 1
    for count, step in enumerate(steps, 1):
        drawing.paragraph(f"{count}.", (MARGIN_MM, y), 6, 9.5, bold=True)
        y += drawing.paragraph(step, (MARGIN_MM + 6, y), width - 6, 9.5) + 1.2
    table = _TABLE_MM if anchors else _BARE_TABLE_MM
    _table(drawing, words, say, anchors, ((drawing.paper.width_mm - table[0]) / 2, y + 9), table)
    _pieces(drawing, words, say, alike(stuck), y + 9 + table[1] + 10)
    _ruler(drawing, words)


def _table(drawing: Drawing, words: KitWords, say: Say, anchors: Sequence[Piece], left_top: Point, size: Size) -> None:
    """The table from above with its corner markers and anchors."""
    (left, top), (width, height) = left_top, size
    drawing.box((left - 4, top - 4), (width + 8, height + 8))
    drawing.arrow((left + width / 2, top - 3), 6)
    drawing.label(words("corner.top"), (left + width / 2 + 26, top - 3), (44, 4), 7.5)
    for key in CORNER_KEYS:
        x, y = left + (width - 9) * ("right" in key), top + (height - 9) * ("bottom" in key)
        drawing.box((x, y), (9, 9), fill=DARK, line_mm=0)
        inward = -14 if "right" in key else 23
        drawing.label(words(f"corner.{key}"), (x + inward, y + 2), (26, 7), 7.5)
    shown = anchors[:5]
    for index, piece in enumerate(shown):
        scale = min(1.0, 30 / max(piece.size_mm), width * 0.7 / len(shown) / max(piece.size_mm))
        middle = (left + width * (index + 1) / (len(shown) + 1), top + height / 2 - 2)
        drawing.outline(piece, middle, scale)
        side = max(3.0, piece.tag_mm * scale)
        drawing.box((middle[0] - side / 2, middle[1] - side / 2), (side, side), fill=DARK, line_mm=0)
        drawing.label(say(piece.label), (middle[0], middle[1] + max(piece.size_mm) * scale / 2 + 1), (30, 6), 8)


def _pieces(drawing: Drawing, words: KitWords, say: Say, groups: Sequence[Alike], top_mm: float) -> None:
    """Each sort of piece with the place of its sticker, in as many rows as they need."""
    if not groups:
        return
    rows = math.ceil(len(groups) / _IN_ROW)
    in_row = math.ceil(len(groups) / rows)
    foot = drawing.paper.height_mm - MARGIN_MM - _RULER_MM
    high = min(_DRAWING_MM, (foot - top_mm) / rows - _CAPTION_MM)
    room = drawing.paper.inner_mm[0] / in_row
    for start in range(0, len(groups), in_row):
        row = groups[start : start + in_row]
        tallest = max(_scale(group.first, room, high) * group.first.size_mm[1] for group in row)
        left = MARGIN_MM + room * (in_row - len(row)) / 2
        for index, group in enumerate(row):
            middle = (left + room * (index + 0.5), top_mm + tallest / 2)
            _piece(drawing, group.first, middle, _scale(group.first, room, high))
            name = say(group.first.label)
            if group.count > 1:
                name = f"{name} {words('more', count=group.count - 1)}"
            below = top_mm + tallest + 1.5
            drawing.label(name, (middle[0], below), (room - 3, 10), 8)
            drawing.label(_place(words, group.first), (middle[0], below + 10), (room - 3, 12), 7)
        top_mm += tallest + _CAPTION_MM


def _piece(drawing: Drawing, piece: Piece, middle: Point, scale: float) -> None:
    """A piece with its sticker."""
    drawing.outline(piece, middle, scale)
    side, inner = sticker_mm(piece) * scale, piece.tag_mm * scale
    x, y = middle[0] + piece.tag_at_mm[0] * scale, middle[1] + piece.tag_at_mm[1] * scale
    if not piece.face.round:
        drawing.box((x - side / 2, y - side / 2), (side, side))
    drawing.box((x - inner / 2, y - inner / 2), (inner, inner), fill=DARK, line_mm=0)


def _scale(piece: Piece, room_mm: float, high_mm: float) -> float:
    return min(_SCALE, high_mm / piece.size_mm[1], (room_mm - 4) / piece.size_mm[0])


def _place(words: KitWords, piece: Piece) -> str:
    """The size of the sticker as it is cut out, and where it goes."""
    size = words("round-size" if piece.face.round else "one-size", side=number(words, cut_mm(piece)))
    if piece.tag_at_mm == (0.0, 0.0):
        return f"{size}, {words('place.middle')}"
    half = sticker_mm(piece) / 2
    left, top = (piece.size_mm[axis] / 2 + piece.tag_at_mm[axis] - half for axis in (0, 1))
    if number(words, left) == number(words, top):
        return f"{size}, {words('place.both', gap=number(words, top))}"
    parts = [size, _gap(words, "top", top)]
    if piece.tag_at_mm[0]:
        parts.append(_gap(words, "left", left))
    return ", ".join(parts)


def _gap(words: KitWords, edge: str, gap_mm: float) -> str:
    """How far a sticker lies from an edge."""
    return words(f"place.flush-{edge}") if gap_mm < _FLUSH_MM else words(f"place.{edge}", gap=number(words, gap_mm))


def _ruler(drawing: Drawing, words: KitWords) -> None:
    """A hundred millimetres to measure."""
    left, y = (drawing.paper.width_mm - RULER_MM) / 2, drawing.paper.height_mm - MARGIN_MM - 6
    drawing.line((left, y), (left + RULER_MM, y), width_mm=0.3)
    for mm in range(0, RULER_MM + 1, 5):
        length = 4.0 if mm % 50 == 0 else 2.6 if mm % 10 == 0 else 1.4
        drawing.line((left + mm, y), (left + mm, y - length), width_mm=0.3)
    drawing.text(words("ruler.label"), (drawing.paper.width_mm / 2, y + 4), 8, align="C")

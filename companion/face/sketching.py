"""Drawings on a display of one colour: how many fit and where, and their white lines on black.

Laying out (`arrange`) and drawing (`draw`) are two pure steps, as for the rest of a screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw

from companion.core.art import SIDE, strokes
from companion.core.panel import Art, Sketch
from companion.face.fonts import Font
from companion.face.wrapping import wrap

LEAST_PX = 26
"""Below this height pictures are hard to tell apart: rather show fewer at once."""

WINDOW_PX = 28
"""Height of pictures of which some are out of sight."""

MARK_PX, MOST_MARK_PX = 5, 7
"""Least and largest height of the band below a picture that has its mark; the large one if the picture stays large."""

STRETCH = 1.15
"""So much wider may a single wide picture be drawn than it is, to reach from edge to edge."""

MOST_BESIDE_PX = 60
"""Largest side of a picture that has text beside it."""

_GAP_PX, _MOST_GAP_PX = 2, 10
_EDGE_PX = 5
_TEXT_GAP_PX = 4


@dataclass(frozen=True)
class Cell:
    """A sketch and the pixels of its picture, from the top left of the drawing."""

    sketch: Sketch
    left_px: int
    top_px: int
    width_px: int
    height_px: int


@dataclass(frozen=True)
class Drawing:
    """Art as it stands among the lines of a screen.

    Attributes:
        cells: the pictures.
        width_px, height_px: its size.
        mark_px: height of the band below each picture for its mark.
        before, after: there are more pictures than these, to the left or to the right.
        beside: lines at the right of the picture.
        beside_px: where they begin.
    """

    cells: tuple[Cell, ...]
    width_px: int
    height_px: int
    mark_px: int = 0
    before: bool = False
    after: bool = False
    beside: tuple[str, ...] = ()
    beside_px: int = 0


def arrange(
    art: Art, said: Sequence[str], font: Font, width_px: int, height_px: int
) -> tuple[Drawing, tuple[str, ...]]:
    """Art in a room of this size, and the lines of text that it leaves for below.

    Args:
        art: the sketches.
        said: what `art.beside` says.
        font: of these lines.
        width_px: of the room.
        height_px: of the room; the drawing takes all of it, its pictures stand in the middle.
    """
    if said and len(art.sketches) == 1 and art.sketches[0].width <= SIDE:
        return _with_text(art.sketches[0], said, font, width_px, height_px)
    return _grid(art.sketches, width_px, height_px), tuple(line for text in said for line in wrap(text, font, width_px))


def draw(image: Image.Image, drawing: Drawing, top_px: int, font: Font) -> None:
    """Draws it into a picture of mode `1`, at the left edge and `top_px` down."""
    canvas = ImageDraw.Draw(image)
    for cell in drawing.cells:
        top = top_px + cell.top_px
        image.paste(sketched(cell.sketch, cell.width_px, cell.height_px), (cell.left_px, top))
        _draw_mark(canvas, cell, top + cell.height_px, drawing.mark_px)
    middle = top_px + (drawing.height_px - drawing.mark_px) // 2
    if drawing.before:
        _draw_triangle(canvas, 0, middle, 1)
    if drawing.after:
        _draw_triangle(canvas, drawing.width_px - 1, middle, -1)
    top = top_px + (drawing.height_px - font.height_px * len(drawing.beside)) // 2
    for number, line in enumerate(drawing.beside):
        font.draw(canvas, (drawing.beside_px, top + font.height_px * number), line, 1)


def sketched(sketch: Sketch, width_px: int, height_px: int) -> Image.Image:
    """A sketch as white lines on black, mode `1`: filled shapes hide what is below them, those of ink are white."""
    image = Image.new("1", (width_px, height_px))
    canvas = ImageDraw.Draw(image)
    across, down = (width_px - 1) / sketch.width, (height_px - 1) / SIDE
    for layer in sketch.picture:
        for stroke in strokes(layer.path):
            points = [(round(x * across), round(y * down)) for x, y in stroke.points]
            if (layer.fill or layer.ink) and len(points) > 2:
                canvas.polygon(points, fill=1 if layer.ink else 0)
            if layer.line or layer.ink:
                canvas.line([*points, points[0]] if stroke.closed else points, fill=1)
    return image


def _with_text(
    sketch: Sketch, said: Sequence[str], font: Font, width_px: int, height_px: int
) -> tuple[Drawing, tuple[str, ...]]:
    """One picture at the left, as many lines as fit at its right."""
    mark = MARK_PX if sketch.mark else 0
    side = max(1, min(height_px - mark, MOST_BESIDE_PX))
    left = side + _TEXT_GAP_PX
    lines = tuple(line for text in said for line in wrap(text, font, width_px - left))
    fitting = height_px // font.height_px
    cell = Cell(sketch, 0, (height_px - side - mark) // 2, _width(sketch, side, 0), side)
    return Drawing((cell,), width_px, height_px, mark, beside=lines[:fitting], beside_px=left), lines[fitting:]


def _grid(sketches: Sequence[Sketch], width_px: int, height_px: int) -> Drawing:
    """All of them, in as many rows as make them largest, else those around the next one in a row."""
    aspect = max((sketch.width for sketch in sketches), default=SIDE) / SIDE
    marks = (MOST_MARK_PX, MARK_PX) if any(sketch.mark for sketch in sketches) else (0,)
    fits = [(*_largest(len(sketches), aspect, width_px, height_px, mark), mark) for mark in marks]
    columns, side, mark = next((fit for fit in fits if fit[1] >= WINDOW_PX), fits[-1])
    most = max(1, height_px - mark)
    if side >= min(LEAST_PX, most) or len(sketches) == 1:
        return _placed(sketches, columns, side, mark, width_px, height_px)
    side = min(WINDOW_PX, most)
    columns = max(1, int((width_px - 2 * _EDGE_PX + _GAP_PX) // (side * aspect + _GAP_PX)))
    side = min(side, _side(columns, 1, aspect, width_px - 2 * _EDGE_PX, height_px, mark))
    first = max(0, min(_next(sketches) - 1, len(sketches) - columns))
    shown = sketches[first : first + columns]
    drawing = _placed(shown, columns, side, mark, width_px, height_px)
    return replace(drawing, before=first > 0, after=first + columns < len(sketches))


def _largest(count: int, aspect: float, width_px: int, height_px: int, mark_px: int) -> tuple[int, int]:
    """Columns, and height of the pictures, with one row or two, whichever makes them larger."""
    shapes = [(max(1, -(-count // rows)), rows) for rows in ((1, 2) if count > 1 else (1,))]
    found = [(columns, _side(columns, rows, aspect, width_px, height_px, mark_px)) for columns, rows in shapes]
    return max(found, key=lambda shape: shape[1])


def _side(columns: int, rows: int, aspect: float, width_px: int, height_px: int, mark_px: int) -> int:
    """Height of the pictures that fit in so many columns and rows."""
    across = (width_px - _GAP_PX * (columns - 1)) / columns / aspect
    return max(1, int(min(across, height_px / rows - mark_px)))


def _next(sketches: Sequence[Sketch]) -> int:
    """Which one is next; where none is marked, the first that isn't done."""
    marks = [sketch.mark for sketch in sketches]
    if "next" in marks:
        return marks.index("next")
    return next((number for number, mark in enumerate(marks) if mark != "done"), len(marks))


def _placed(
    sketches: Sequence[Sketch], columns: int, side: int, mark_px: int, width_px: int, height_px: int
) -> Drawing:
    """The pictures in rows, in the middle of the room, with the space that is left over between them."""
    rows = max(1, -(-len(sketches) // columns))
    widths = [_width(sketch, side, width_px if len(sketches) == 1 else 0) for sketch in sketches]
    slot = max(widths, default=0)
    gap = max(_GAP_PX, min(_MOST_GAP_PX, (width_px - columns * slot) // (columns + 1)))
    band = min(height_px // rows - side, MOST_MARK_PX) if mark_px else 0
    left = (width_px - columns * slot - gap * (columns - 1)) // 2
    top = (height_px - rows * (side + band)) // 2
    cells = []
    for number, (sketch, width) in enumerate(zip(sketches, widths, strict=True)):
        row, column = divmod(number, columns)
        middle = left + column * (slot + gap) + (slot - width) // 2
        cells.append(Cell(sketch, middle, top + row * (side + band), width, side))
    return Drawing(tuple(cells), width_px, height_px, band)


def _width(sketch: Sketch, side: int, room_px: int) -> int:
    """Width of a picture of this height; a wide one may be stretched a little to fill the room."""
    width = side * sketch.width / SIDE
    return max(1, round(min(width * STRETCH, max(width, room_px)) if sketch.width > SIDE else width))


def _draw_mark(canvas: ImageDraw.ImageDraw, cell: Cell, top_px: int, mark_px: int) -> None:
    """Below a picture: an arrow that points up at it, or a tick."""
    height = mark_px - 1
    middle = cell.left_px + cell.width_px // 2
    if cell.sketch.mark == "next":
        for row in range(height):
            canvas.line((middle - row, top_px + 1 + row, middle + row, top_px + 1 + row), fill=1)
    elif cell.sketch.mark == "done":
        left, low = middle - height // 4, top_px + height
        canvas.line(((left - height // 2, low - height // 2), (left, low), (left + height, low - height)), fill=1)


def _draw_triangle(canvas: ImageDraw.ImageDraw, tip_px: int, middle_px: int, step: int) -> None:
    """A small triangle whose tip is at `tip_px` and whose base lies in the direction `step`."""
    for column in range(_EDGE_PX - 1):
        x = tip_px + step * column
        canvas.line((x, middle_px - column, x, middle_px + column), fill=1)

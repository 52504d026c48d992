"""What a game has printed beside its tags: small things packed on pages, large ones parted over several."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from companion.core.messages import Message
from companion.core.printing import LEGEND_MM, Printable, Size
from companion.core.table import Point
from companion.kit import layout, shapes
from companion.kit.drawing import BLACK, CUT, DARK, FAINT, WHITE, Drawing
from companion.kit.layout import Cell
from companion.kit.page import KitPage
from companion.kit.paper import MARGIN_MM
from companion.kit.parting import Section, sections
from companion.kit.sheets import HEADER_MM, Say
from companion.kit.words import KitWords

_BLEED_MM = 1.0
"""Printed beyond a cut on the strip to glue on, so that no white shows where the next section is cut a little short."""
_PLAN_MM = (40.0, 10.0)
_HATCH_MM = 3.0
_BELOW_MM = 1.5
"""Between a thing and its legend."""


def pages(
    drawing: Drawing, words: KitWords, say: Say, printables: Sequence[Printable], room_mm: Size
) -> Iterator[KitPage]:
    """The pages of all printables, part by part; in a part the small things come first.

    Raises:
        KitError: one with a back is larger than a page, or there is nowhere to part a large one between its tags.
    """
    for part in dict.fromkeys(printable.part for printable in printables):
        of_part = [printable for printable in printables if printable.part == part]
        large = [printable for printable in of_part if not printable.back and not _whole(printable, room_mm)]
        small = [printable for printable in of_part if printable not in large]
        alike = Counter(map(_size, small))
        name = say(Message(f"part.{part}"))
        for cells in layout.pages([_cell(one, room_mm, alike[_size(one)]) for one in small], room_mm):
            hint = "fold" if any(cell.item.back for cell in cells) else "cut-out"
            yield KitPage(part, name, name, partial(_packed, drawing, say, cells), words(hint))
        for sheet in large:
            parted = sections(sheet, room_mm)
            title = say(sheet.title) if sheet.title else name
            for section in parted:
                heading = words("section", title=title, section=section.number, sections=len(parted))
                draw = partial(_section, drawing, words, say, sheet, section, parted)
                yield KitPage(part, name, heading, draw, words("join"), _PLAN_MM[0])


def _size(printable: Printable) -> Size:
    """Of all that is cut out, the back included."""
    width, height = printable.size
    return (width * (2 if printable.back else 1), height)


def _whole(printable: Printable, room_mm: Size) -> bool:
    """Whether it fits on a page, upright or turned."""
    shorter, longer = sorted(_size(printable))
    return shorter <= min(room_mm) and longer <= max(room_mm)


def _cell(printable: Printable, room_mm: Size, alike: int) -> Cell[Printable]:
    """Its room: upright if that fits, and if so many of its size take no fewer pages when they are turned."""
    width, height = _size(printable)
    if printable.legend:
        size = (max(width, LEGEND_MM[0]), height + _BELOW_MM + LEGEND_MM[1])
        return Cell(printable, printable.part, size)
    upright, turned = (_page_count(size, room_mm, alike) for size in ((width, height), (height, width)))
    return Cell(printable, printable.part, (width, height) if upright <= turned else (height, width))


def _page_count(size: Size, room_mm: Size, things: int) -> float:
    """How many pages so many things of a size take; infinitely many if not even one has room."""
    on_page = layout.columns(size[0], room_mm[0]) * layout.columns(size[1], room_mm[1])
    return math.ceil(things / on_page) if on_page else math.inf


def _packed(drawing: Drawing, say: Say, cells: Iterable[Cell[Printable]]) -> None:
    """Small things, each with a line around it to cut along."""
    for cell in cells:
        printable, size = cell.item, _size(cell.item)
        width, height = printable.size
        left, top = cell.left_top_mm[0] + MARGIN_MM, cell.left_top_mm[1] + HEADER_MM
        if printable.legend:
            middle = left + cell.size_mm[0] / 2
            with drawing.placed((middle - LEGEND_MM[0] / 2, top + height + _BELOW_MM)):
                shapes.draw(drawing, printable.legend, say)
            left = middle - width / 2
        turned = not printable.legend and cell.size_mm != size
        with drawing.placed((left + cell.size_mm[0] * turned, top), turned):
            with drawing.clipped((0, 0), printable.size):
                shapes.draw(drawing, printable.shapes, say)
            if printable.back:
                with drawing.placed((width, 0)), drawing.clipped((0, 0), printable.size):
                    shapes.draw(drawing, printable.back, say)
                drawing.line((width, 0), (width, height), CUT, 0.2, dashed=True)
            drawing.box((0, 0), size)


def _section(
    drawing: Drawing,
    words: KitWords,
    say: Say,
    sheet: Printable,
    section: Section,
    parted: Sequence[Section],
) -> None:
    """One section: what it shows of the sheet, the strips to glue the next ones on, and lines to cut along."""
    (width, height), (right, foot) = section.size, section.glue
    room = drawing.paper.inner_mm[0]
    with drawing.placed((MARGIN_MM + (room - width - right) / 2, HEADER_MM)):
        _strips(drawing, words, section, parted)
        bleed = (min(right, _BLEED_MM), min(foot, _BLEED_MM))
        with drawing.clipped((0, 0), (width + bleed[0], height + bleed[1])):
            drawing.box((0, 0), (width + bleed[0], height + bleed[1]), fill=WHITE, line_mm=0)
            with drawing.placed((-section.left_top[0], -section.left_top[1])):
                shapes.draw(drawing, sheet.shapes, say)
        drawing.box((0, 0), (width + right, height + foot))
        if right:
            drawing.line((width, 0), (width, height + foot), BLACK)
        if foot:
            drawing.line((0, height), (width + right, height), BLACK)
        for x in {0.0, width, width + right}:
            drawing.tick((x, 0), (0, -1), 0.5, 2.5)
            drawing.tick((x, height + foot), (0, 1), 0.5, 2.5)
        for y in {0.0, height, height + foot}:
            drawing.tick((0, y), (-1, 0), 0.5, 2.5)
            drawing.tick((width + right, y), (1, 0), 0.5, 2.5)
    _plan(drawing, sheet, section, parted)


def _strips(drawing: Drawing, words: KitWords, section: Section, parted: Sequence[Section]) -> None:
    """Hatched strips with the number of the section that is glued on."""
    (width, height), (right, foot) = section.size, section.glue
    numbers = {(other.row, other.column): other.number for other in parted}
    for left_top, size in (((width, 0.0), (right, height + foot)), ((0.0, height), (width + right, foot))):
        if min(size) > 0:
            with drawing.clipped(left_top, size):
                _hatch(drawing, left_top, size)
    if right:
        beside = words("glue", section=numbers[section.row, section.column + 1])
        for y in _spread(height):
            _note(drawing, beside, (width + right / 2, y))
    if foot:
        below = words("glue", section=numbers[section.row + 1, section.column])
        for x in _spread(width):
            _note(drawing, below, (x, height + foot / 2))


def _hatch(drawing: Drawing, left_top: Point, size: Size) -> None:
    (left, top), (width, height) = left_top, size
    # Counted from the corner of the section, so that the lines of both strips meet.
    first = int((left + top) / _HATCH_MM)
    for step in range(first, first + int((width + height) / _HATCH_MM) + 2):
        drawing.line((left, step * _HATCH_MM - left), (step * _HATCH_MM - top, top), CUT, 0.1)


def _spread(length: float) -> list[float]:
    """Middles of so many notes as are easily found along a strip."""
    count = max(1, round(length / 70))
    return [length * (index + 0.5) / count for index in range(count)]


def _note(drawing: Drawing, text: str, middle: Point) -> None:
    room = (8.0, 8.0)
    drawing.box((middle[0] - 4.25, middle[1] - 4.25), (8.5, 8.5), fill=WHITE, line_mm=0)
    drawing.label(text, (middle[0], middle[1] - 4), room, 6.5, centred=True, colour=FAINT)


def _plan(drawing: Drawing, sheet: Printable, section: Section, parted: Sequence[Section]) -> None:
    """The whole sheet, small, with its sections' numbers; this one is dark."""
    scale = min(_PLAN_MM[0] / sheet.size[0], _PLAN_MM[1] / sheet.size[1])
    left = drawing.paper.width_mm - MARGIN_MM - sheet.size[0] * scale
    for other in parted:
        (x, y), size = other.left_top, (other.size[0] * scale, other.size[1] * scale)
        corner = (left + x * scale, MARGIN_MM + y * scale)
        dark = other == section
        drawing.box(corner, size, fill=DARK if dark else WHITE, line_mm=0.2, colour=BLACK)
        middle_top = (corner[0] + size[0] / 2, corner[1])
        drawing.label(str(other.number), middle_top, size, 8, True, centred=True, colour=WHITE if dark else BLACK)

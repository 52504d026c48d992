"""Where a sheet that is larger than a page is parted: straight cuts that keep clear of its tags."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise, product

import msgspec

from companion.core.printing import Disc, Drawn, Frame, Label, Line, Printable, Shape, Size, TagMark
from companion.core.table import Point
from companion.kit.drawing import with_quiet_mm
from companion.kit.paper import KitError

GLUE_MM = 10.0
"""Of a section's page beyond its cut: the next section is glued on there."""
CLEAR_MM = 1.0
"""Between a cut and a tag's quiet zone."""
_LEAST_MM = 20.0
_STEP_MM = 2.0
_TAG = math.inf
_READ, _ROUND, _EDGE, _INNER = 20.0, 4.0, 2.0, 1.0
"""What it costs to cut a picture or a text, a circle, close beside a line, and through a rectangle."""
_ASIDE = 0.5
"""What it costs not to cut in the middle between two things."""
_UNEVEN = 5.0
_BESIDE_MM = 0.6

Mark = tuple[float, float, float]
"""From where to where along an edge of the sheet a cut costs so much."""


class Section(msgspec.Struct, frozen=True):
    """What one page shows of a sheet.

    Attributes:
        number: from 1, row by row.
        row: from 0 at the top.
        column: from 0 at the left.
        left_top: its corner on the sheet.
        size: what is seen of it when all sections are glued together.
        glue: width of the strips at its right and at its foot on which the next ones are glued; 0 at the sheet's edge.
    """

    number: int
    row: int
    column: int
    left_top: Point
    size: Size
    glue: Size


def sections(sheet: Printable, room_mm: Size) -> tuple[Section, ...]:
    """The sections of a sheet, each with its strips to glue on small enough for a page.

    Raises:
        KitError: there is nowhere to cut between its tags.
    """
    bounds = [_cuts(sheet, axis, room_mm[axis]) for axis in (0, 1)]
    columns, rows = (list(pairwise(cuts)) for cuts in bounds)
    return tuple(
        Section(
            number,
            row,
            column,
            (left, top),
            (right - left, bottom - top),
            (GLUE_MM * (column + 1 < len(columns)), GLUE_MM * (row + 1 < len(rows))),
        )
        for number, ((row, (top, bottom)), (column, (left, right))) in enumerate(
            product(enumerate(rows), enumerate(columns)), 1
        )
    )


def _cuts(sheet: Printable, axis: int, room_mm: float) -> Sequence[float]:
    """Where the sheet begins, is cut and ends along one axis: on as few pages as there can be."""
    length = sheet.size[axis]
    marks = [mark for shape in sheet.shapes for mark in _marks(shape, axis)]
    costs = _costs(length, marks)
    least = max(1, math.ceil((length - GLUE_MM) / (room_mm - GLUE_MM)))
    for count in range(least, least + 3):
        if found := _cheapest(length, room_mm, count, costs):
            return found
    raise KitError(
        f"{sheet.part}: no straight cut through its {sheet.size[0]:.0f} x {sheet.size[1]:.0f} mm misses all tags; "
        f"leave {2 * CLEAR_MM:g} mm free between their quiet zones at least every {room_mm - GLUE_MM:.0f} mm"
    )


def _cheapest(length: float, room_mm: float, count: int, costs: dict[float, float]) -> Sequence[float] | None:
    """The cheapest of all ways to make so many sections; None if there is none."""
    even = length / count
    best: dict[float, tuple[float, tuple[float, ...]]] = {0.0: (0.0, (0.0,))}
    for number in range(1, count + 1):
        last = number == count
        found: dict[float, tuple[float, tuple[float, ...]]] = {}
        for at, cost in [(length, 0.0)] if last else costs.items():
            ways = [
                (spent + cost + _UNEVEN * ((at - before) / even - 1) ** 2, (*way, at))
                for before, (spent, way) in best.items()
                if min(_LEAST_MM, even) <= at - before <= room_mm - (0.0 if last else GLUE_MM)
            ]
            if ways:
                found[at] = min(ways)
        best = found
    return best[length][1] if best else None


def _costs(length: float, marks: Sequence[Mark]) -> dict[float, float]:
    """What it costs to cut at places worth a look: regular ones, and the middle of each gap, however small."""
    found = {_STEP_MM * step: _ASIDE for step in range(1, math.ceil(length / _STEP_MM))}
    ends = sorted({end for low, high, _ in marks for end in (low, high)})
    found |= {(a + b) / 2: 0.0 for a, b in pairwise(ends) if 0 < (a + b) / 2 < length}
    costs = {at: aside + sum(cost for low, high, cost in marks if low < at < high) for at, aside in found.items()}
    return {at: cost for at, cost in costs.items() if cost < _TAG}


def _marks(shape: Shape, axis: int) -> Iterator[Mark]:
    """What it costs along one axis to cut through a shape."""
    match shape:
        case TagMark(tag, middle, side):
            half = with_quiet_mm(tag, side) / 2 + CLEAR_MM
            yield middle[axis] - half, middle[axis] + half, _TAG
        case Drawn(_, left_top, side):
            yield left_top[axis], left_top[axis] + side, _READ
        case Label(_, left_top, size):
            yield left_top[axis], left_top[axis] + size[axis], _READ
        case Disc(middle, radius):
            yield middle[axis] - radius, middle[axis] + radius, _ROUND
        case Frame(left_top, size):
            yield left_top[axis], left_top[axis] + size[axis], _INNER
            for edge in (left_top[axis], left_top[axis] + size[axis]):
                yield edge - _BESIDE_MM, edge + _BESIDE_MM, _EDGE
        case Line(start, end):
            if start[axis] == end[axis]:
                yield start[axis] - _BESIDE_MM, start[axis] + _BESIDE_MM, _EDGE

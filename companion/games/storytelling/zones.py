"""Where things lie: the cells of the grid, the clock's dial, the squares of The Race; and which piece belongs where.

The grid sheets carry a marker at their upper left (`a`) and lower right (`b`) corner; each carries the cells nearest
to it. Around the cells of the long sheet run the squares of The Race, clockwise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from companion.core.box import PieceId
from companion.core.table import Layout, Point, Pose, Zone
from companion.games.storytelling.box import CELLS, CLOCK, DIAL, HARE, SHEETS, TORTOISE
from companion.games.storytelling.grid import zone_of
from companion.games.storytelling.setup import SQUARES
from companion.games.storytelling.state import State, cells_of, grid_of

PITCH_MM = 74.0
"""From the middle of a cell to that of the next."""
RING_MM = 44.0
"""Width of the border around the cells, in which squares and sheet markers lie."""
DIAL_MM = 66.0
"""From the dial's middle to the middles of its places."""
DIAL_EDGE_MM = (34.0, 100.0)
TRACK, CLOCK_PLACE = "track", "dial"
PRINTED = 12
"""Numbers on the printed dial."""


def square(number: int) -> str:
    """The zone of a square of The Race; figures do not go beyond the last one."""
    return f"{TRACK}/{min(number, SQUARES - 1)}"


def stroke(number: int, positions: int) -> str:
    """The zone of the clock after so many strokes: the number printed there, or `1-5` where none is (one of five)."""
    place = number % positions
    printed, between = divmod(PRINTED * place, positions)
    return f"{CLOCK_PLACE}/{place}-{positions}" if between else f"{CLOCK_PLACE}/{printed}"


def zones(mode: str, clock_positions: int = 12) -> tuple[Zone, ...]:
    """All zones of a mode."""
    found = [_cell(mode, cell) for cell in cells_of(mode)]
    if mode == "race":
        found += [_square(number) for number in range(SQUARES)]
    if mode == "midnight":
        found += [_position(number, clock_positions) for number in range(clock_positions)]
    return tuple(found)


def layout(state: State) -> Layout:
    """Which piece belongs where now. The last tile that BLEW moved may stay up until the next card."""
    if state.phase == "over":
        return Layout()
    expected = [(state.story.piece(tile), zone_of(cell)) for cell, tile in state.up]
    if state.mode == "midnight":
        expected.append((CLOCK, stroke(state.clock, state.clock_positions)))
    if state.mode == "race":
        expected += [(HARE, square(state.hare)), (TORTOISE, square(state.tortoise))]
    blown = ((state.story.piece("BLEW"), zone_of(state.blown)),) if state.blown else ()
    return Layout(tuple(expected), blown)


def sheet_mm(mode: str) -> Point:
    """Width and height of the grid sheet with its border."""
    rows, columns = grid_of(mode)
    return columns * PITCH_MM + 2 * RING_MM, rows * PITCH_MM + 2 * RING_MM


def cell_mm(mode: str, index: int) -> Point:
    """The middle of a cell, counted row by row, from the sheet's upper left corner."""
    row, column = divmod(index, grid_of(mode)[1])
    return RING_MM + (column + 0.5) * PITCH_MM, RING_MM + (row + 0.5) * PITCH_MM


def square_mm(number: int) -> tuple[Point, Point]:
    """A square of The Race on its sheet: upper left corner, and width and height.

    They run clockwise around the grid's outside edges, from the left edge of the upper row to that of the lower row.
    Source: rulings, The Race.
    """
    width, height = sheet_mm("race")
    if 1 <= number <= 8:
        return (RING_MM + (number - 1) * PITCH_MM, 0.0), (PITCH_MM, RING_MM)
    if 11 <= number <= 18:
        return (RING_MM + (18 - number) * PITCH_MM, height - RING_MM), (PITCH_MM, RING_MM)
    row = 0 if number in (0, 9) else 1
    return (0.0 if number in (0, 19) else width - RING_MM, RING_MM + row * PITCH_MM), (RING_MM, PITCH_MM)


def position_mm(number: int, positions: int) -> Point:
    """A place of the dial, from its middle; 0 is at the top, the others go clockwise."""
    return _at(DIAL_MM, 360.0 * number / positions)


def arrangement(line: Mapping[str, Any]) -> Mapping[PieceId, Pose]:
    """The sheet in the middle of a table of about 107 x 60 cm, the dial beside it."""
    mode = line.get("mode", "basic")
    width, height = sheet_mm(mode)
    left, top = (535.0 - width / 2, 305.0 - height / 2) if mode != "midnight" else (240.0, 305.0 - height / 2)
    first, second = _sheet_of(mode)
    inner = RING_MM / 2
    poses: dict[PieceId, Pose] = {
        first: (left + inner, top + inner, 0.0),
        second: (left + width - inner, top + height - inner, 0.0),
    }
    for index, name in enumerate(CELLS):
        x, y = cell_mm(mode, index)
        poses[name] = (left + x, top + y, 0.0)
    if mode == "midnight":
        poses[DIAL] = (left + width + 150.0, 305.0, 0.0)
    return poses


def _sheet_of(mode: str) -> tuple[PieceId, PieceId]:
    return SHEETS[grid_of(mode)[1]]


def _on_sheet(mode: str, middle: Point, corners: tuple[Point, ...]) -> tuple[PieceId, tuple[Point, ...], Point]:
    """Points of the sheet in the frame of the marker that is nearer to `middle`; with it the shift."""
    width, height = sheet_mm(mode)
    ends = ((RING_MM / 2, RING_MM / 2), (width - RING_MM / 2, height - RING_MM / 2))
    number = 0 if math.dist(middle, ends[0]) <= math.dist(middle, ends[1]) else 1
    origin = ends[number]
    return _sheet_of(mode)[number], tuple((x - origin[0], y - origin[1]) for x, y in corners), origin


def _cell(mode: str, cell: tuple[int, int]) -> Zone:
    middle = cell_mm(mode, cell[0] * grid_of(mode)[1] + cell[1])
    anchor, corners, origin = _on_sheet(mode, middle, _box(middle, PITCH_MM, PITCH_MM))
    spot = (middle[0] - origin[0], middle[1] - origin[1], 0.0)
    return Zone(zone_of(cell), corners, anchor, frozenset({"tile", "cell"}), spots=(spot,))


def _square(number: int) -> Zone:
    (left, top), (width, height) = square_mm(number)
    middle = (left + width / 2, top + height / 2)
    anchor, corners, origin = _on_sheet("race", middle, _box(middle, width, height))
    x, y = middle[0] - origin[0], middle[1] - origin[1]
    aside = (17.0, 0.0) if width > height else (0.0, 17.0)
    spots = ((x - aside[0], y - aside[1], 0.0), (x + aside[0], y + aside[1], 0.0))
    return Zone(square(number), corners, anchor, frozenset({"runner"}), spots=spots)


def _position(number: int, positions: int) -> Zone:
    """A sector of the ring around the dial's marker."""
    half, turn = 180.0 / positions, 360.0 * number / positions
    arc = [turn - half + half / 2 * step for step in range(5)] if positions > 1 else [90.0 * s for s in range(5)]
    corners = [_at(DIAL_EDGE_MM[1], angle) for angle in arc] + [_at(DIAL_EDGE_MM[0], angle) for angle in reversed(arc)]
    x, y = position_mm(number, positions)
    return Zone(stroke(number, positions), tuple(corners), DIAL, frozenset({"clock"}), spots=((x, y, 0.0),))


def _box(middle: Point, width: float, height: float) -> tuple[Point, ...]:
    (x, y), w, h = middle, width / 2, height / 2
    return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))


def _at(radius_mm: float, angle_deg: float) -> Point:
    """The point at a distance from the middle, in a direction clockwise from the top."""
    turn = math.radians(angle_deg)
    return round(radius_mm * math.sin(turn), 3), round(-radius_mm * math.cos(turn), 3)

"""Where things go on pages: in rows from the top left, as on shelves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, TypeVar

import msgspec

from companion.core.table import Point
from companion.kit.paper import KitError

GAP_MM = 2.0


T = TypeVar("T")


class Cell(msgspec.Struct, Generic[T], frozen=True):
    """Room for something on a page.

    Attributes:
        item: what is printed there.
        name: what it is called where it has no room.
        size_mm: width and height.
        left_top_mm: its corner, from the corner of the room that the page has.
    """

    item: T
    name: str
    size_mm: tuple[float, float]
    left_top_mm: Point = (0.0, 0.0)


def columns(width_mm: float, room_mm: float) -> int:
    """How many things of this width stand beside one another; as many rows of this height stand below one another."""
    return int((room_mm + GAP_MM) / (width_mm + GAP_MM))


def pages(cells: Iterable[Cell[T]], room_mm: tuple[float, float]) -> Iterator[list[Cell[T]]]:
    """Cells with their places, page by page. Cells of one size stand together.

    Raises:
        KitError: a cell is larger than a page.
    """
    by_size: dict[tuple[float, float], list[Cell[T]]] = {}
    for cell in cells:
        if cell.size_mm[0] > room_mm[0] or cell.size_mm[1] > room_mm[1]:
            wide, high = cell.size_mm
            raise KitError(
                f"{cell.name}: needs {wide:.0f} x {high:.0f} mm; choose a larger paper, a smaller size or a smaller tag"
            )
        by_size.setdefault(cell.size_mm, []).append(cell)
    page: list[Cell[T]] = []
    y = 0.0
    for (width, height), same in by_size.items():
        beside = columns(width, room_mm[0])
        indent = (room_mm[0] - beside * (width + GAP_MM) + GAP_MM) / 2
        for start in range(0, len(same), beside):
            if y + height > room_mm[1]:
                yield page
                page, y = [], 0.0
            for column, cell in enumerate(same[start : start + beside]):
                place = (indent + column * (width + GAP_MM), y)
                page.append(msgspec.structs.replace(cell, left_top_mm=place))
            y += height + GAP_MM
    if page:
        yield page

"""The names of the cells, as they are printed on the sheet: a letter for the column and a number for the row."""

from __future__ import annotations

from companion.games.storytelling.moves import Cell

LETTERS = "ABCDEFGH"
PLACE = "grid"


def name_of(cell: Cell) -> str:
    """What a cell is called, such as `B3`."""
    return f"{LETTERS[cell[1]]}{cell[0] + 1}"


def zone_of(cell: Cell) -> str:
    """The zone of a cell, such as `grid/B3`."""
    return f"{PLACE}/{name_of(cell)}"


def cell_in(zone: str | None) -> Cell | None:
    """The cell of a zone, or None if the zone is none of the grid's."""
    place, _, name = (zone or "").partition("/")
    return (int(name[1:]) - 1, LETTERS.index(name[0])) if place == PLACE else None

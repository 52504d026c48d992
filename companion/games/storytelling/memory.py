"""What the table has shown of the face-down tiles: which lies where, or which are spread over which cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from companion.games.storytelling.moves import Cell


class Spread(msgspec.Struct, frozen=True):
    """Tiles of which only the cells are known that they share.

    Attributes:
        cells: where they lie.
        tiles: as many.
        seen: they were seen before they were shuffled; False for those that nobody has seen since the start.
    """

    cells: tuple[Cell, ...]
    tiles: tuple[str, ...]
    seen: bool = True


class Memory(msgspec.Struct, frozen=True):
    """All that is known.

    Attributes:
        known: pairs of a cell and its tile.
        spreads: the other tiles, in sets that share their cells; no tile and no cell is in two of them.
    """

    known: tuple[tuple[Cell, str], ...] = ()
    spreads: tuple[Spread, ...] = ()

    def tile_at(self, cell: Cell) -> str | None:
        """The tile that is known to lie in a cell."""
        return next((tile for where, tile in self.known if where == cell), None)

    def cells_of(self, tile: str) -> tuple[Cell, ...]:
        """Where a tile lies or may lie by what was seen of it; empty if it was never seen."""
        found = tuple(cell for cell, known in self.known if known == tile)
        return found or next((spread.cells for spread in self.spreads if spread.seen and tile in spread.tiles), ())

    def possible(self, cell: Cell) -> tuple[str, ...]:
        """The tiles that may lie in a cell."""
        known = self.tile_at(cell)
        return (known,) if known is not None else next(s.tiles for s in self.spreads if cell in s.cells)

    def seen(self, cell: Cell, tile: str) -> Memory:
        """After a possible tile was turned up: its set gets smaller, and a set of one tells where that one lies."""
        if self.tile_at(cell) == tile:
            return self
        known = [*self.known, (cell, tile)]
        spreads = []
        for spread in self.spreads:
            cells = tuple(one for one in spread.cells if one != cell)
            tiles = tuple(one for one in spread.tiles if one != tile)
            if len(cells) == 1:
                known.append((cells[0], tiles[0]))
            elif cells:
                spreads.append(Spread(cells, tiles, spread.seen))
        return Memory(tuple(known), tuple(spreads))

    def mixed(self, cells: Iterable[Cell]) -> Memory:
        """After the known tiles of these cells were shuffled among them."""
        cells = tuple(cells)
        if len(cells) == 1:
            return self
        tiles = tuple(tile for cell, tile in self.known if cell in cells)
        left = tuple(pair for pair in self.known if pair[0] not in cells)
        return Memory(left, (*self.spreads, Spread(cells, tiles)))

    def corrected(self, cell: Cell, tile: str) -> Memory:
        """After people have said that a tile lies where it couldn't: what contradicts that is forgotten."""
        if tile in self.possible(cell):
            return self
        known = [pair for pair in self.known if cell in pair or tile in pair]
        mixed = [spread for spread in self.spreads if cell in spread.cells or tile in spread.tiles]
        both = Spread(
            tuple(where for where, _ in known) + tuple(where for spread in mixed for where in spread.cells),
            tuple(name for _, name in known) + tuple(name for spread in mixed for name in spread.tiles),
            all(spread.seen for spread in mixed),
        )
        kept = tuple(spread for spread in self.spreads if spread not in mixed)
        return Memory(tuple(pair for pair in self.known if pair not in known), (*kept, both))

    def moved(self, goals: Mapping[Cell, Cell]) -> Memory:
        """After tiles were moved from cells to others, also those that nobody has seen yet."""
        return Memory(
            tuple((goals.get(cell, cell), tile) for cell, tile in self.known),
            tuple(Spread(tuple(goals.get(c, c) for c in s.cells), s.tiles, s.seen) for s in self.spreads),
        )

"""What is remembered of face-down tiles, held against tables on which all of them are known."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.storytelling.memory import Memory, Spread
from companion.games.storytelling.moves import Cell

Act = tuple[str, int]
ACTS = st.lists(st.tuples(st.sampled_from(["seen", "mixed", "moved"]), st.integers(0, 2**16)), max_size=40)
"""What is done, and a number that says with which cells."""


class Table:
    """A table on which the tiles are known to the test, and what may lie on it for somebody who only watches.

    Args:
        columns: of the grid.
        rows: of the grid.
        worlds: whether to keep all tables that would have looked the same so far.
    """

    def __init__(self, columns: int, rows: int, worlds: bool = False) -> None:
        self.cells: list[Cell] = [(row, column) for row in range(rows) for column in range(columns)]
        self.columns, self.rows = columns, rows
        tiles = [f"T{index:02}" for index in range(len(self.cells))]
        self.lying = dict(zip(self.cells, tiles, strict=True))
        self.ever_seen: set[str] = set()
        self.memory = Memory((), (Spread(tuple(self.cells), tuple(sorted(tiles)), seen=False),))
        self.worlds: set[tuple[str, ...]] = set(permutations(tiles)) if worlds else set()

    def act(self, act: Act) -> None:
        kind, number = act
        {"seen": self.see, "mixed": self.mix, "moved": self.move}[kind](number)

    def see(self, number: int) -> None:
        index = number % len(self.cells)
        cell = self.cells[index]
        self.ever_seen.add(self.lying[cell])
        self.memory = self.memory.seen(cell, self.lying[cell])
        self.worlds = {world for world in self.worlds if world[index] == self.lying[cell]}

    def mix(self, number: int) -> None:
        """Some of the known tiles are shuffled among their cells, as after a stinky breath."""
        chance = random.Random(number)
        known = [cell for cell, _ in self.memory.known]
        if not known:
            return
        cells = chance.sample(known, chance.randint(1, len(known)))
        goals = chance.sample(cells, len(cells))
        self.memory = self.memory.mixed(cells)
        self.lying |= {goal: self.lying[cell] for goal, cell in zip(goals, cells, strict=True)}
        order = [self.cells.index(cell) for cell in cells]
        self.worlds = {
            _put(world, dict(zip(order, (world[index] for index in ways), strict=True)))
            for world in self.worlds
            for ways in permutations(order)
        }

    def move(self, number: int) -> None:
        """One row or column goes round by one, as when the wolf has blown."""
        step = 1 if number % 2 else -1
        line = number // 2 % (self.rows + self.columns)
        if line < self.rows:
            goals = {(line, c): (line, (c + step) % self.columns) for c in range(self.columns)}
        else:
            column = line - self.rows
            goals = {(r, column): ((r + step) % self.rows, column) for r in range(self.rows)}
        self.memory = self.memory.moved(goals)
        self.lying = {goals.get(cell, cell): tile for cell, tile in self.lying.items()}
        order = {self.cells.index(goal): self.cells.index(cell) for cell, goal in goals.items()}
        self.worlds = {_put(world, {to: world[come] for to, come in order.items()}) for world in self.worlds}


def _put(world: tuple[str, ...], tiles: dict[int, str]) -> tuple[str, ...]:
    return tuple(tiles.get(index, tile) for index, tile in enumerate(world))


@given(ACTS, st.sampled_from([(4, 4), (8, 2)]))
def test_what_is_known_is_true_and_the_true_tile_is_always_possible(acts: list[Act], grid: tuple[int, int]) -> None:
    table = Table(*grid)
    for act in acts:
        table.act(act)
        memory = table.memory
        assert [pair for pair in memory.known if table.lying[pair[0]] != pair[1]] == []
        assert [cell for cell, tile in table.lying.items() if tile not in memory.possible(cell)] == []


@given(ACTS, st.sampled_from([(4, 4), (8, 2)]))
def test_each_cell_and_each_tile_stands_in_one_place_of_the_memory(acts: list[Act], grid: tuple[int, int]) -> None:
    table = Table(*grid)
    for act in acts:
        table.act(act)
        memory = table.memory
        cells = [cell for cell, _ in memory.known] + [cell for spread in memory.spreads for cell in spread.cells]
        tiles = [tile for _, tile in memory.known] + [tile for spread in memory.spreads for tile in spread.tiles]
        assert (sorted(cells), sorted(tiles)) == (table.cells, sorted(table.lying.values()))
        assert [spread for spread in memory.spreads if len(spread.cells) != len(spread.tiles)] == []


@given(ACTS)
def test_just_what_the_table_has_not_excluded_is_possible(acts: list[Act]) -> None:
    """All tables that look the same so far are tried; none is forgotten, and none is held possible that isn't."""
    table = Table(3, 2, worlds=True)
    for act in acts:
        table.act(act)
        for index, cell in enumerate(table.cells):
            may_lie = {world[index] for world in table.worlds}
            assert set(table.memory.possible(cell)) == may_lie
            assert table.memory.tile_at(cell) == (may_lie.pop() if len(may_lie) == 1 else None)


@given(ACTS, st.sampled_from([(4, 4), (8, 2)]))
def test_a_tile_that_was_seen_lies_in_one_of_its_cells_and_others_have_none(
    acts: list[Act], grid: tuple[int, int]
) -> None:
    table = Table(*grid)
    for act in acts:
        table.act(act)
        for cell, tile in table.lying.items():
            cells = table.memory.cells_of(tile)
            assert cell in cells if tile in table.ever_seen else cells in ((), (cell,))


def test_the_last_tile_that_nobody_has_seen_is_known() -> None:
    table = Table(4, 4)
    for number in range(15):
        assert table.memory.tile_at((3, 3)) is None
        table.see(number)
    assert table.memory.tile_at((3, 3)) == "T15"
    assert table.memory.spreads == ()


def _memory(*spreads: Spread, **known: Any) -> Memory:
    """Known tiles are given as `a="X"`: tile X in the cell of row 0 that a letter stands for."""
    return Memory(tuple(((0, "abcd".index(letter)), tile) for letter, tile in known.items()), spreads)


ABC = ((0, 0), (0, 1), (0, 2))
SHUFFLED = Spread(ABC, ("X", "Y", "Z"))


def test_shuffled_tiles_may_lie_in_each_of_their_cells_and_nowhere_else() -> None:
    memory = _memory(a="X", b="Y", c="Z", d="W").mixed(ABC)
    assert memory == _memory(SHUFFLED, d="W")
    assert {cell: memory.possible(cell) for cell in ABC} == dict.fromkeys(ABC, ("X", "Y", "Z"))
    assert memory.possible((0, 3)) == ("W",)
    assert (memory.cells_of("Y"), memory.cells_of("W"), memory.cells_of("V")) == (ABC, ((0, 3),), ())


def test_a_shuffled_set_gets_smaller_and_a_set_of_one_is_known() -> None:
    memory = _memory(SHUFFLED, d="W").seen((0, 1), "X")
    assert memory == Memory((((0, 3), "W"), ((0, 1), "X")), (Spread(((0, 0), (0, 2)), ("Y", "Z")),))
    assert dict(memory.seen((0, 2), "Y").known) == {(0, 0): "Z", (0, 1): "X", (0, 2): "Y", (0, 3): "W"}
    assert memory.seen((0, 2), "Y").spreads == ()


def test_a_single_tile_can_not_be_shuffled() -> None:
    memory = _memory(a="X", b="Y")
    assert memory.mixed([(0, 1)]) == memory


def test_a_tile_seen_again_tells_nothing_new() -> None:
    memory = _memory(SHUFFLED, d="W")
    assert memory.seen((0, 3), "W") == memory


@pytest.mark.parametrize("seen", [False, True])
def test_unknown_tiles_move_with_their_cells(seen: bool) -> None:
    """A row that goes round takes along whatever lies in it, and a set stays the set that it is."""
    moved = _memory(Spread(((0, 1), (1, 1)), ("Y", "Z"), seen), a="X").moved(
        {(0, 0): (0, 1), (0, 1): (0, 2), (0, 2): (0, 0)}
    )
    assert moved == _memory(Spread(((0, 2), (1, 1)), ("Y", "Z"), seen), b="X")


def test_shuffled_sets_that_were_moved_are_narrowed_where_they_lie_now() -> None:
    memory = _memory(a="X", b="Y", c="Z", d="W").mixed(ABC[:2]).moved({(0, c): (0, (c + 1) % 4) for c in range(4)})
    assert memory == Memory((((0, 3), "Z"), ((0, 0), "W")), (Spread(((0, 1), (0, 2)), ("X", "Y")),))
    assert dict(memory.seen((0, 2), "X").known) == {(0, 1): "Y", (0, 2): "X", (0, 3): "Z", (0, 0): "W"}

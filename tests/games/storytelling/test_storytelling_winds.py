"""The wolf's wind and the dragon's breath: where tiles go, and what is still known of them."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
import pytest

from companion.core.game import Refusal
from companion.core.messages import verbatim
from companion.games.storytelling import GAME
from companion.games.storytelling.state import MODES
from tests.games.storytelling.smalltale import TILES, Cell, Evening, blow

SHUFFLE = {"do": "shuffle-back"}

# The wolf blew

STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}


def _lying_with_blew_at(cell: Cell) -> list[str]:
    tiles = [tile for tile in TILES if tile != "BLEW"]
    tiles.insert(cell[0] * 4 + cell[1], "BLEW")
    return tiles


def _gone_round(lying: Mapping[str, Cell], way: str) -> dict[str, Cell]:
    """The whole table after BLEW's line was pushed on by one, as lists that are turned round."""
    rows = [[""] * 4 for _ in range(4)]
    for tile, (row, column) in lying.items():
        rows[row][column] = tile
    turned = way in ("up", "down")
    if turned:
        rows = [list(column) for column in zip(*rows, strict=True)]
    line = next(line for line in rows if "BLEW" in line)
    if way in ("left", "up"):
        line.append(line.pop(0))
    else:
        line.insert(0, line.pop())
    if turned:
        rows = [list(row) for row in zip(*rows, strict=True)]
    return {tile: (row, column) for row, tiles in enumerate(rows) for column, tile in enumerate(tiles)}


@pytest.mark.parametrize("way", STEPS)
@pytest.mark.parametrize("cell", [(row, column) for row in range(4) for column in range(4)])
def test_the_wind_moves_a_whole_line_by_one_and_round_the_edge(cell: Cell, way: str) -> None:
    """Tiles that were seen are known where they lie now, and none is asked for where it lay."""
    evening = Evening(
        "wolf-blew", cards={1: ("T01", "T02", "T03", "T04", "T05", "T06")}, lying=_lying_with_blew_at(cell)
    )
    evening.fail("T01", "T02", "T03", "T04", "T05", "BLEW")
    assert (evening.facts["tidy"], len(evening.facts["up"])) == ("blow", 6)
    to = ((cell[0] + STEPS[way][0]) % 4, (cell[1] + STEPS[way][1]) % 4)
    seen = [tile for _, tile in evening.facts["up"]]
    evening.lying = _gone_round(evening.lying, way)
    assert evening.lying["BLEW"] == to
    assert evening.do(blow(*to)) == ["blown", "next"]
    assert evening.facts["known"] == {"{},{}".format(*evening.lying[tile]): tile for tile in seen}
    unseen = set(TILES) - set(seen)
    memory = evening.state.memory
    assert {tile: set(memory.possible(at)) for tile, at in evening.lying.items()} == {
        tile: {tile} if tile in seen else unseen for tile in TILES
    }


def test_the_wind_is_named_by_its_way_and_blew_may_lie_open_until_the_next_card() -> None:
    evening = Evening("wolf-blew")
    evening.fail("T01", "BLEW")
    move = blow(0, 3)
    step = GAME.apply(evening.state, msgspec.convert(move, GAME.move_type))
    assert not isinstance(step, Refusal)
    assert step.events[0].params == {"blew": verbatim("BLEW"), "way": "down", "cell": "D1"}
    evening.do(move)
    assert GAME.layout(evening.state).optional == (("george-16", "grid/D1"),)
    evening.card()
    assert GAME.layout(evening.state).optional == ()


def test_blew_among_the_right_tiles_brings_the_wind_too_when_the_turn_fails() -> None:
    evening = Evening("wolf-blew", cards={1: ("T01", "BLEW", "T02")})
    evening.fail("T01", "BLEW", "T03")
    assert evening.facts["tidy"] == "blow"
    assert [move.to for move in GAME.legal_moves(evening.state)] == [(2, 3), (0, 3), (3, 2), (3, 0)]


# The stinky breath


def test_breath_alone_has_nothing_to_be_shuffled_with_and_stays_known() -> None:
    evening = Evening("stinky-breath")
    evening.fail("BREATH")
    assert (evening.facts["tidy"], evening.facts["up"]) == ("shuffle-back", [[[3, 2], "BREATH"]])
    assert evening.do(SHUFFLE) == ["shuffled", "next"]
    assert evening.facts["known"] == {"3,2": "BREATH"}


def test_breath_among_the_right_tiles_shuffles_them_too_when_the_turn_fails() -> None:
    evening = Evening("stinky-breath", cards={1: ("T01", "BREATH", "T02")})
    evening.fail("T01", "BREATH", "T03")
    assert evening.facts["tidy"] == "shuffle-back"
    evening.do(SHUFFLE)
    assert evening.facts["known"] == {}
    cells = [evening.lying[tile] for tile in ("T01", "BREATH", "T03")]
    assert [set(evening.state.memory.possible(cell)) for cell in cells] == [{"T01", "BREATH", "T03"}] * 3
    evening.card()
    for tile in set(TILES) - {"T01", "BREATH", "T03"}:
        assert evening.refused({"do": "flip", "cell": [0, 0], "tile": tile}).code == "card-elsewhere"


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("tile", ["BREATH", "BLEW"])
def test_a_won_turn_just_turns_its_tiles_down(mode: str, tile: str) -> None:
    evening = Evening(mode, cards={1: ("T01", tile)})
    evening.win()
    assert (evening.facts["outcome"], evening.facts["tidy"]) == ("won", "turn-down")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("tile", ["BREATH", "BLEW"])
def test_each_tile_of_a_tale_works_in_its_own_game_only(mode: str, tile: str) -> None:
    evening = Evening(mode)
    evening.fail(tile)
    special = {("stinky-breath", "BREATH"): "shuffle-back", ("wolf-blew", "BLEW"): "blow"}
    assert evening.facts["tidy"] == special.get((mode, tile), "turn-down")

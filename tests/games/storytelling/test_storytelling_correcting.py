"""The table is right: what is accepted as it lies, what that forgets, and what can't be accepted."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Refusal, Step
from companion.core.table import Observation, compare
from companion.games.storytelling import GAME
from companion.games.storytelling.memory import Memory, Spread
from companion.face.words import read_game_wording
from tests.games.storytelling.smalltale import Evening, flipping, look, over, wind


def _accepted(evening: Evening, seen: Observation) -> Step | Refusal:
    return GAME.accept(evening.state, compare(GAME.layout(evening.state), seen, GAME.box))


def _accept(evening: Evening, seen: Observation) -> list[str]:
    """Accepts the table; it agrees with the rules then."""
    step = _accepted(evening, seen)
    assert isinstance(step, Step), step
    evening.state = step.state
    assert not compare(GAME.layout(evening.state), seen, GAME.box)
    return [event.name for event in step.events]


def _why(evening: Evening, seen: Observation) -> str:
    refusal = _accepted(evening, seen)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.rule) == ("not-allowed", "corrections")
    return refusal.wording


def test_tiles_that_were_turned_at_once_count_in_the_order_of_the_card() -> None:
    evening = flipping()
    assert _accept(evening, look({"T02": "grid/B1", "T01": "grid/A1"})) == ["corrected", "found", "won"]
    assert evening.facts["up"] == [[[0, 0], "T01"], [[0, 1], "T02"]]


def test_after_a_wrong_tile_the_others_only_lie_face_up() -> None:
    evening = flipping()
    assert _accept(evening, look({"T09": "grid/A3", "T05": "grid/A2"})) == ["corrected", "failed"]
    assert len(evening.facts["up"]) == 2
    assert evening.facts["phase"] == "tidy"


def test_a_tile_that_was_known_elsewhere_is_believed_and_what_contradicts_it_is_forgotten() -> None:
    evening = Evening()
    evening.fail("T03")
    evening.back()
    evening.card()
    assert evening.facts["known"] == {"0,2": "T03"}
    assert _accept(evening, look({"T03": "grid/A1"}))[0] == "corrected"
    assert evening.facts["known"] == {"0,0": "T03"}
    assert set(evening.state.memory.possible((0, 2))) == {f"T{n:02}" for n in (1, 2, *range(4, 15))} | {
        "BREATH",
        "BLEW",
    }


def test_a_correction_keeps_as_many_cells_as_tiles() -> None:
    memory = Memory(
        (((0, 0), "a"), ((0, 1), "b")), (Spread(((1, 0), (1, 1)), ("c", "d")), Spread(((2, 0),), ("e",), False))
    )
    assert memory.corrected((0, 0), "a") == memory
    assert memory.corrected((1, 0), "c") == memory
    assert memory.corrected((0, 0), "b").spreads[-1] == Spread(((0, 0), (0, 1)), ("a", "b"))
    mixed = memory.corrected((0, 0), "d")
    assert mixed.known == (((0, 1), "b"),)
    assert mixed.spreads == (Spread(((2, 0),), ("e",), False), Spread(((0, 0), (1, 0), (1, 1)), ("a", "c", "d")))
    assert not memory.corrected((2, 0), "c").spreads[-1].seen


def test_a_tile_that_was_turned_back_too_early_is_down() -> None:
    evening = flipping()
    evening.flip("T01")
    assert _accept(evening, look({}, {"T01": "grid/A1"})) == ["corrected"]
    assert (evening.facts["up"], evening.facts["found"]) == ([], 1)
    assert evening.flip("T02") == ["won"]


def test_a_tile_that_slipped_has_changed_places() -> None:
    evening = flipping()
    evening.flip("T01")
    assert _accept(evening, look({"T01": "grid/D4"})) == ["corrected"]
    assert evening.facts["up"] == [[[3, 3], "T01"]]
    assert evening.state.memory.tile_at((3, 3)) == "T01"
    assert "T01" not in evening.state.memory.possible((0, 0))


def test_figures_count_where_they_stand() -> None:
    ball = Evening("midnight")
    assert ball.facts["clock"] == 0
    assert _accept(ball, look({"clock": "dial/3"})) == ["corrected"]
    assert ball.facts["clock"] == 3
    race = Evening("race")
    assert _accept(race, look({"hare": "track/4", "tortoise": "track/7"})) == ["corrected"]
    assert (race.facts["hare"], race.facts["tortoise"]) == (4, 7)
    assert _why(race, look({"hare": "track/19", "tortoise": "track/7"})) == "accept-figure-end"
    assert _why(race, look({"hare": None, "tortoise": "track/7"})) == "accept-beside"


@pytest.mark.parametrize(
    ("evening", "seen", "why"),
    [
        (over, {"T01": "grid/A1"}, "accept-not-now"),
        (Evening, {"T01": "grid/A1"}, "accept-not-now"),
        (flipping, {"cell-01": "grid/A1"}, "accept-empty"),
        (flipping, {"pigs-01": "grid/A1"}, "accept-other-tale"),
        (flipping, {"T01": "grid/A1", "T02": "grid/A1"}, "accept-full"),
        (wind, {"T01": "grid/B2"}, "accept-tidy"),
    ],
)
def test_what_can_not_be_right_is_refused_with_a_reason(evening: Any, seen: dict[str, str], why: str) -> None:
    assert _why(evening(), look(seen)) == why


def test_a_tile_beside_the_grid_is_no_table_to_accept() -> None:
    evening = flipping()
    evening.flip("T01")
    assert _why(evening, look({"T01": None})) == "accept-beside"


def test_every_reason_why_a_table_can_not_be_right_is_met_here() -> None:
    reasons = {key for key in read_game_wording("storytelling")["en"]["refusal"] if key.startswith("accept-")}
    assert reasons == set(re.findall(r"accept-[a-z-]+[a-z]", Path(__file__).read_text("utf-8")))

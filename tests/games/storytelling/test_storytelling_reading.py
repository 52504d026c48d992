"""What the table shows in each phase: the move that it means, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Dispute, Refusal
from companion.core.messages import say, verbatim
from companion.core.table import Observation
from companion.games.storytelling import GAME
from tests.games.storytelling.smalltale import (
    Evening,
    blow,
    breath,
    failed,
    flipped,
    flipping,
    look,
    over,
    piece,
    remembering,
    retiring,
    see,
    wind,
)

BLEW = verbatim("BLEW")


def _after_wind() -> Evening:
    evening = wind()
    evening.do(blow(2, 3))
    return evening


# Turning tiles up


def test_a_tile_that_was_turned_up_is_the_active_players_flip() -> None:
    evening = flipping()
    assert see(evening, look({"T01": "grid/A1"})) == ([flipped("T01", 0, 0)], ())
    assert see(evening, look({"T01": "grid/A1", "T03": "grid/C1"})) == ([flipped("T03", 0, 2)], ())
    assert evening.facts["outcome"] == "failed"


def _two(*cells: str) -> Refusal:
    return Refusal("two-at-once", "one-at-a-time", {"cells": list(cells)})


def test_of_two_tiles_turned_at_once_neither_counts() -> None:
    """The camera may even see a little later which came first: less than a look's length tells nothing."""
    for since in ({}, {"T01": 5.0, "T02": 5.2}, {"T01": 5.2, "T02": 5.0}):
        evening = flipping()
        seen = look({"T01": "grid/A1", "T02": "grid/B1"}, **since)
        disputes = tuple(
            Dispute(piece(tile), zone, None, _two("A1", "B1"))
            for tile, zone in (("T01", "grid/A1"), ("T02", "grid/B1"))
        )
        assert see(evening, seen) == ([], disputes)
        assert see(evening, look({"T02": "grid/B1"}, {"T01": "grid/A1"})) == ([flipped("T02", 0, 1)], ())


def test_while_the_table_is_restless_a_tile_is_waited_with_for_the_other_one_that_may_lie_below_it() -> None:
    evening = flipping()
    first = look({"T01": "grid/A1"}, T01=8.4)
    assert see(evening, replace(first, restless=True)) == ([], ())
    both = look({"T01": "grid/A1", "T02": "grid/B1"}, T01=8.4, T02=8.9)
    assert [dispute.refusal for dispute in see(evening, both)[1]] == [_two("A1", "B1")] * 2
    assert see(evening, first) == ([flipped("T01", 0, 0)], ())
    evening = flipping()
    long = look({"T01": "grid/A1"}, T01=7.4)
    assert see(evening, replace(long, restless=True)) == ([flipped("T01", 0, 0)], ()), "a hand may rest there"


def test_a_tile_that_plainly_came_earlier_is_taken_and_the_later_one_comes_too_late_for_a_lost_turn() -> None:
    evening = flipping()
    moves, disputes = see(evening, look({"T01": "grid/A1", "T05": "grid/A2"}, T01=6.8, T05=5.2))
    refusal = Refusal("not-now", "flipping", {"tile": verbatim("T01"), "cell": "A1", "turn": "Ellie"}, "flip-tidy")
    assert (moves, disputes) == ([flipped("T05", 1, 0)], (Dispute("george-01", "grid/A1", None, refusal),))
    assert (evening.facts["up"], evening.facts["outcome"]) == ([[[1, 0], "T05"]], "failed")


def test_the_earlier_of_two_tiles_counts_first() -> None:
    moves, _ = see(flipping(), look({"T02": "grid/B1", "T01": "grid/A1"}, T01=5.0, T02=6.6))
    assert moves[0] == flipped("T01", 0, 0)


def test_of_three_tiles_only_one_that_came_before_both_others_is_taken() -> None:
    seen = {"T01": "grid/A1", "T02": "grid/B1", "T03": "grid/C1"}
    moves, disputes = see(flipping("basic"), look(seen, T01=5.0, T02=6.6, T03=6.7))
    assert moves == [flipped("T01", 0, 0)]
    assert [(dispute.piece, dispute.refusal) for dispute in disputes] == [
        (piece(tile), _two("B1", "C1")) for tile in ("T02", "T03")
    ]
    moves, disputes = see(flipping("basic"), look(seen, T01=5.0, T02=5.1, T03=6.7))
    assert (moves, [dispute.refusal for dispute in disputes]) == ([], [_two("A1", "B1", "C1")] * 3)


def test_a_tile_under_a_hand_is_no_news() -> None:
    seen = look({"T01": "grid/A1"})
    hidden = replace(seen, sightings=tuple(replace(one, hidden=True) for one in seen.sightings))
    assert see(flipping(), hidden) == ([], ())


# Disputes


def _not_now(phase: str) -> Refusal:
    return Refusal("not-now", "flipping", {"tile": verbatim("T05"), "cell": "A2", "turn": "Ellie"}, f"flip-{phase}")


def _where(tile: str, cell: str) -> dict[str, Any]:
    return {"tile": verbatim(tile), "blew": BLEW, "cell": cell}


def _elsewhere(tile: str, cell: str, key: str, **there: Any) -> Refusal:
    params = {"tile": verbatim(tile), "cell": cell, "there": say(key, cell=cell, **there), "turn": "Ellie"}
    return Refusal("card-elsewhere", "memory", params)


def _other_tale(name: str) -> Refusal:
    return Refusal("unknown-card", "components", {"card": name}, "other-tale")


SLIPPED = Refusal("wrong-place", "tidying", _where("T01", "A1"), "slipped")
Case = tuple[Callable[[], Evening], Observation, tuple[Dispute, ...]]
CASES: dict[str, Case] = {
    "a tile of another tale in a turn": (
        flipping,
        look({"pigs-03": "grid/B1"}),
        (Dispute("pigs-03", "grid/B1", None, _other_tale("pigs-03")),),
    ),
    "a tile of another tale beside two at once": (
        flipping,
        look({"T01": "grid/A1", "T02": "grid/B1", "own-01": "grid/C1"}),
        (
            Dispute("george-01", "grid/A1", None, _two("A1", "B1")),
            Dispute("george-02", "grid/B1", None, _two("A1", "B1")),
            Dispute("own-01", "grid/C1", None, _other_tale("own-01")),
        ),
    ),
    "a tile of another tale between turns": (
        Evening,
        look({"hare-16": "grid/D4"}),
        (Dispute("hare-16", "grid/D4", None, _other_tale("hare-16")),),
    ),
    "a tile before the card": (
        Evening,
        look({"T05": "grid/A2"}),
        (Dispute("george-05", "grid/A2", None, _not_now("card")),),
    ),
    "a further tile after the turn": (
        partial(failed, "basic", "T03"),
        look({"T03": "grid/C1", "T05": "grid/A2"}),
        (Dispute("george-05", "grid/A2", None, _not_now("tidy")),),
    ),
    "a tile while somebody is asked": (
        retiring,
        look({"T05": "grid/A2"}),
        (Dispute("george-05", "grid/A2", None, _not_now("retire")),),
    ),
    "two tiles before the card": (
        Evening,
        look({"T05": "grid/A2", "T01": "grid/A1"}),
        (
            Dispute("george-05", "grid/A2", None, _not_now("card")),
            Dispute(
                "george-01",
                "grid/A1",
                None,
                Refusal("not-now", "flipping", {"tile": verbatim("T01"), "cell": "A1", "turn": "Ellie"}, "flip-card"),
            ),
        ),
    ),
    "turned back too early": (
        partial(flipping, "basic", "T01"),
        look({}, {"T01": "grid/A1"}),
        (Dispute("george-01", None, "grid/A1", Refusal("not-now", "tidying", _where("T01", "A1"), "turned-back")),),
    ),
    "slipped to another cell": (
        partial(flipping, "basic", "T01"),
        look({"T01": "grid/B1"}),
        (Dispute("george-01", "grid/B1", "grid/A1", SLIPPED),),
    ),
    "slipped off the grid": (
        partial(flipping, "basic", "T01"),
        look({"T01": None}),
        (Dispute("george-01", None, "grid/A1", SLIPPED),),
    ),
    "two tiles swapped": (
        remembering,
        look({"T09": "grid/C1"}),
        (
            Dispute(
                "george-09", "grid/C1", None,
                _elsewhere("T09", "C1", "there.swapped", here=verbatim("T03"), cells=["A3"]),
            ),
        ),
    ),
    "a tile that was seen elsewhere": (
        remembering,
        look({"T09": "grid/D4"}),
        (Dispute("george-09", "grid/D4", None, _elsewhere("T09", "D4", "there.seen", cells=["A3"])),),
    ),
    "a tile where another was seen": (
        remembering,
        look({"T01": "grid/A3"}),
        (Dispute("george-01", "grid/A3", None, _elsewhere("T01", "A3", "there.other", here=verbatim("T09"))),),
    ),
    "an empty cell": (
        partial(flipping, "basic", "T01"),
        look({"T01": "grid/A1", "cell-06": "grid/B2"}),
        (Dispute("cell-06", "grid/B2", None, Refusal("wrong-place", "flipping", {"cell": "B2"}, "empty-cell")),),
    ),
    "a tile put back open in another cell": (
        partial(failed, "basic", "T03"),
        look({"T03": "grid/D1"}),
        (
            Dispute(
                "george-03", "grid/D1", "grid/C1",
                Refusal("wrong-place", "tidying", _where("T03", "C1") | {"seen": "grid/D1"}, "moved-turn-down"),
            ),
        ),
    ),
    "a tile laid back open after the breath": (
        breath,
        look({"T01": "grid/C4"}, {"BREATH": "grid/C4"}),
        (
            Dispute(
                "george-01", "grid/C4", "grid/A1",
                Refusal("wrong-place", "tidying", _where("T01", "A1") | {"seen": "grid/C4"}, "moved-shuffle-back"),
            ),
        ),
    ),
    "BLEW down too early": (
        wind,
        look({"T01": "grid/A1"}, {"BLEW": "grid/D4"}),
        (Dispute("george-16", None, "grid/D4", Refusal("must-do", "blow", _where("BLEW", "D4"), "blew-down")),),
    ),
    "BLEW down too early, after the others": (
        wind,
        look({}, {"T01": "grid/A1", "BLEW": "grid/D4"}),
        (Dispute("george-16", None, "grid/D4", Refusal("must-do", "blow", _where("BLEW", "D4"), "blew-down")),),
    ),
    "another tile moved instead of BLEW": (
        wind,
        look({"T01": "grid/A2", "BLEW": "grid/D4"}),
        (
            Dispute(
                "george-01", "grid/A2", "grid/A1",
                Refusal("wrong-place", "tidying", _where("T01", "A1") | {"seen": "grid/A2"}, "moved-blow"),
            ),
        ),
    ),
    **{
        f"BLEW blown to {cell}": (
            wind,
            look({"BLEW": f"grid/{cell}"}, {"T01": "grid/A1"}),
            (
                Dispute(
                    "george-16", f"grid/{cell}", "grid/D4",
                    Refusal(
                        "wrong-place", "blow", {"blew": BLEW, "cell": cell, "cells": ["D3", "D1", "C4", "A4"]},
                        "blow-too-far",
                    ),
                ),
            ),
        )
        for cell in ("D2", "B4", "C3")
    },
    "BLEW turned up elsewhere after the wind": (
        _after_wind,
        look({"BLEW": "grid/C3"}),
        (
            Dispute(
                "george-16", "grid/C3", None,
                Refusal("not-now", "flipping", {"tile": BLEW, "cell": "C3", "turn": "Sam"}, "flip-card"),
            ),
        ),
    ),
    "anything after the end": (over, look({"T05": "grid/A2", "pigs-01": "grid/A1", "clock": "dial/0"}), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_table_that_no_move_explains_is_disputed_piece_by_piece(name: str) -> None:
    begin, seen, disputes = CASES[name]
    evening = begin()
    before = evening.facts
    assert see(evening, seen) == ([], disputes)
    assert evening.facts == before


@pytest.mark.parametrize("name", CASES)
def test_a_dispute_ends_when_the_table_is_as_expected_again(name: str) -> None:
    begin, seen, _ = CASES[name]
    evening = begin()
    see(evening, seen)
    layout = dict(GAME.layout(evening.state).expected)
    assert see(evening, look(layout)) == ([], ())


def test_swapped_tiles_are_put_right_and_then_the_turn_goes_on() -> None:
    evening = remembering()
    see(evening, look({"T09": "grid/C1"}))
    assert see(evening, look({}, {"T09": "grid/C1"})) == ([], ())
    assert see(evening, look({"T04": "grid/D1"})) == ([flipped("T04", 0, 3)], ())

"""Set-up lines of Wonderland XIII: a new game, a position, and everything that is wrong with a line."""

from __future__ import annotations

from typing import Any

import pytest
from wonder import line

from companion.core.game import Refusal
from companion.games.wonderland import setup
from companion.games.wonderland.state import State, facts

NEW: dict[str, Any] = {
    "game": "wonderland",
    "players": ["Ann", {"name": "Bea", "guild": "red"}],
    "turn": "Bea",
    "notebooks": {"Ann": ["Queen", "Alice", "Cata"], "Bea": ["Bundle", "Bundle", "Hatter"]},
}


def _wrong(changed: dict[str, Any]) -> str:
    refusal = setup.start(changed)
    assert isinstance(refusal, Refusal), refusal
    assert (refusal.code, refusal.rule) == ("bad-setup", "setup")
    return str(refusal.params["reason"])


def test_a_new_game_has_equal_decks_two_keys_taken_and_nothing_discarded() -> None:
    state = setup.start(NEW)
    assert isinstance(state, State)
    assert facts(state) == {
        "phase": "explore",
        "turn": "Bea",
        "keys_middle": 2,
        "keys_hand": 2,
        "unlocked": [],
        "sizes": [13, 13, 12, 12, 12],
        "decks": [{"down": size, "up": []} for size in (13, 13, 12, 12, 12)],
        "tunnel": [],
        "covered": [],
        "hatter": {"Ann": [], "Bea": []},
        "notebooks": {"Ann": ["Alice", "Cat", "Queen"], "Bea": ["Bundle", "Bundle", "Hatter"]},
        "discards": [],
        "discards_count": 0,
        "can_continue": False,
        "scores": {"Ann": 3, "Bea": 11},
        "winners": None,
    }


def test_a_position_has_decks_discards_and_what_the_hatter_laid() -> None:
    state = setup.start(
        line("3 Cat Queen, 0 Alice, 4, 5, 6", ("Cat", "Rabbit Bundle"), "Hatter Cat", "Bea", Bea="Queen")
    )
    assert isinstance(state, State)
    found = facts(state)
    assert [found[name] for name in ("turn", "sizes", "hatter", "discards", "notebooks")] == [
        "Bea",
        [5, 1, 4, 5, 6],
        {"Ann": [], "Bea": ["Queen"]},
        ["Cat", "Hatter"],
        {"Ann": ["Cat"], "Bea": ["Bundle", "Rabbit"]},
    ]
    assert (state.decks[0].top, state.decks[1].veiled, state.decks[2].veiled) == ("Queen", False, True)


def test_a_position_without_decks_divides_what_lies_nowhere_else() -> None:
    state = setup.start({**NEW, "discards": ["Cat", "Cat"], "hatter": {"Ann": ["Queen"]}})
    assert isinstance(state, State)
    assert [deck.down for deck in state.decks] == [12, 12, 12, 12, 11]


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"players": ["Ann"]}, "players: 1 named; Wonderland XIII is for 2 to 4"),
        ({"players": ["Ann", "Bea", "Cid", "Dot", "Eve"]}, "players: 5 named"),
        ({"turn": "Zoe"}, "turn: 'Zoe' is no player"),
        ({"notebooks": {"Ann": ["Cat"] * 3, "Zoe": ["Cat"] * 3}}, "notebooks: 'Zoe' is no player"),
        ({"notebooks": {"Ann": ["Cat"] * 3, "Bea": ["Cat"]}}, "notebooks: 1 cards for 'Bea'; each player is dealt 3"),
        ({"notebooks": {"Ann": ["Cat"] * 3}}, "notebooks: 0 cards for 'Bea'"),
        ({"notebooks": {"Ann": ["Dodo", "Cat", "Cat"], "Bea": ["Cat"] * 3}}, "notebooks: 'Dodo' is no card; there are"),
        ({"discards": ["Bundle"] * 7}, "cards: 9 of Bundle; the box holds 8"),
        ({"hatter": {"Zoe": ["Cat"]}}, "hatter: 'Zoe' is no player"),
        ({"hatter": {"Ann": ["Cat", "Cat", "Bundle"]}}, "hatter: the cards of 'Ann' collapse"),
        ({"decks": [{"down": 3}] * 4}, "decks: 4 named; the Hall has 5"),
        ({"decks": [{"down": 3}] * 4 + [{"down": -1}]}, "decks: a number below 0"),
        ({"decks": [{"down": 13}] * 5}, "decks: 65 cards lie face down; of the box 62 lie nowhere else"),
        ({"decks": [{"down": 3}] * 4 + [{"down": 0}]}, "decks: so many are empty that this game has ended"),
        ({"decks": [{"down": 3, "up": ["Dodo"]}] * 5}, "decks: 'Dodo' is no card"),
        ({"dice": 2}, "unknown field `dice`; there are players, turn, notebooks, decks, discards, hatter"),
        ({"turn": 3}, "Expected `str`, got `int`"),
    ],
)  # fmt: skip
def test_a_set_up_line_that_cant_be_says_what_is_wrong(changes: dict[str, Any], reason: str) -> None:
    assert reason in _wrong({**NEW, **changes})


def test_everything_that_is_wrong_is_named_at_once() -> None:
    reason = _wrong({**NEW, "players": ["Ann"], "turn": "Zoe", "notebooks": {"Ann": ["Dodo"]}})
    assert [part.split(":")[0] for part in reason.split("; ")][:3] == [
        "players",
        "Wonderland XIII is for 2 to 4",
        "turn",
    ]
    assert "'Dodo' is no card" in reason


@pytest.mark.parametrize("field", ["players", "turn", "notebooks"])
def test_what_every_game_needs_is_asked_for(field: str) -> None:
    assert f"missing required field `{field}`" in _wrong({key: value for key, value in NEW.items() if key != field})

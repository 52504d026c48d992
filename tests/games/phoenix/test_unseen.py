"""What the referee concludes about hidden cards: nothing that isn't sure, and everything that is."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.game import Game, Refusal, decode

SETUP = {
    "players": [{"name": "A", "guild": "crown"}, {"name": "B", "guild": "bell"}],
    "holder": "A",
    "open": "blue-3a",
    "tokens": {"small-1": [2], "small-2": [3], "big": [4]},
}


def _play(game: Game[Any, Any], setup: dict[str, Any], moves: list[dict[str, Any]]) -> Any:
    """The state after all the moves, or the code of the last one's refusal."""
    state = game.setup(setup)
    for number, move in enumerate(moves):
        step = game.apply(state, decode(game, move))
        if isinstance(step, Refusal):
            assert number == len(moves) - 1, step
            return step.code
        state = step.state
    return state


def _place(by: str, card: str, nest: str = "big") -> dict[str, str]:
    return {"do": "place", "by": by, "card": card, "nest": nest}


def test_a_card_taken_openly_can_only_be_played_by_its_taker(phoenix: Game[Any, Any]) -> None:
    taken = [_place("A", "red-2a"), {"do": "take-open", "new": "red-7"}]
    assert _play(phoenix, SETUP, [*taken, _place("B", "blue-3a")]) == "card-elsewhere"
    state = _play(phoenix, SETUP, [*taken, _place("B", "blue-3b"), _place("A", "blue-3a", "small-1")])
    assert phoenix.facts(state)["turn"] == "B"


def test_without_copy_letters_the_number_of_copies_decides(phoenix: Game[Any, Any]) -> None:
    first = [_place("A", "red-2"), _place("B", "red-2")]
    assert phoenix.facts(_play(phoenix, SETUP, first))["nests"]["big"] == {"A": ["red-2"], "B": ["red-2"]}
    assert _play(phoenix, SETUP, [*first, _place("A", "red-2", "small-1")]) == "card-elsewhere"


def test_a_nameless_copy_leaves_either_letter_for_later(phoenix: Game[Any, Any]) -> None:
    for letter in "ab":
        moves = [_place("A", "red-2"), _place("B", f"red-2{letter}")]
        assert phoenix.facts(_play(phoenix, SETUP, moves))["turn"] == "A"


def test_a_taken_card_played_without_its_letter_may_have_been_the_other_copy(phoenix: Game[Any, Any]) -> None:
    moves = [
        _place("A", "red-2a"),
        {"do": "take-open", "new": "red-7"},
        _place("B", "green-2a"),
        _place("A", "blue-3", "small-1"),
        _place("B", "blue-3b", "small-1"),
    ]
    assert phoenix.facts(_play(phoenix, SETUP, moves))["turn"] == "A"


POSITION = {
    **SETUP,
    "players": [{"name": "A", "guild": "crown"}, {"name": "B", "guild": "bell"}],
    "nests": {"small-1": {"A": ["red-2a"], "B": []}, "small-2": {}, "big": {}},
    "turn": "B",
    "to_draw": "A",
    "hands": {"A": 4, "B": 5},
}


def test_the_reshuffled_deck_holds_just_the_discards(phoenix: Game[Any, Any]) -> None:
    """All others must be in hands, so a new open card can't be one that was never seen."""
    nests = {"small-1": {}, "small-2": {}, "big": {"A": ["red-2a"], "B": []}}
    cards = 69 - 1 - 1 - 9
    setup = {**POSITION, "nests": nests, "deck": 0, "discards": cards}
    assert not isinstance(phoenix.setup(setup), Refusal)
    taken = [{"do": "take-open", "by": "A", "new": "red-4a"}]
    assert phoenix.facts(_play(phoenix, setup, taken))["deck"] == cards - 1


def test_a_hand_that_is_known_whole_holds_nothing_else(phoenix: Game[Any, Any]) -> None:
    moves: list[dict[str, Any]] = []
    opens = ["blue-4a", "blue-5a", "blue-6a", "blue-7", "green-7", "yellow-7"]
    nests = ["small-1", "small-1", "small-2", "small-2", "big", "big"]
    others = ["red-2a", "red-3a", "red-4a", "red-5a", "red-6a"]
    own = ["green-2a", "green-3a", "green-4a", "green-5a", "green-6a"]
    for card, new, nest, other in zip(own, opens, nests, others, strict=False):
        moves += [_place("A", card, nest), {"do": "take-open", "new": new}, _place("B", other, nest)]
    known = _play(phoenix, SETUP, moves)
    assert phoenix.facts(known)["hands"]["A"] == 5
    assert _play(phoenix, SETUP, [*moves, _place("A", "purple-7", "big")]) == "card-elsewhere"
    assert phoenix.facts(_play(phoenix, SETUP, [*moves, _place("A", "blue-6a", "big")]))["turn"] == "B"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": ["A"]}, "2 to 6"),
        ({"players": list("ABCDEFG")}, "2 to 6"),
        ({"players": ["A", "A"]}, "comes twice"),
        ({"players": [{"name": "A", "guild": "bell"}, {"name": "B", "guild": "bell"}]}, "comes twice"),
        ({"holder": "C"}, "'C' is no player"),
        ({"holder": None}, "holder"),
        ({"open": "pink-3"}, "no card"),
        ({"open": "start"}, "no card"),
        ({"tokens": {"small-1": [2], "small-2": [3]}}, "name the nests"),
        ({"tokens": {"small-1": [2], "small-2": [3], "big": [4, 5]}}, "2 players need 1"),
        ({"tokens": {"small-1": [11], "small-2": [3], "big": [4]}}, "value 11"),
        ({"nests": {"big": {"A": ["red-2a", "red-3a", "red-4a"]}}}, "more than two"),
        ({"nests": {"big": {"A": ["red-2a"], "B": ["red-2a"]}}}, "more often"),
        ({"deck": 3}, "the box has 69"),
        ({"round": 4}, "rounds 1 to 3"),
        ({"scores": {"A": -1}}, "below 0"),
        ({"players": 3}, "players"),
    ],
)
def test_a_set_up_that_cannot_be_says_what_is_wrong(
    phoenix: Game[Any, Any], change: dict[str, Any], words: str
) -> None:
    refusal = phoenix.setup({**SETUP, **change})
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad-setup"
    assert words in refusal.params["reason"]

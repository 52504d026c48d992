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
        (
            {"players": [{"name": "A", "guild": "a\x1b"}, "B"]},
            "'a\\x1b' is no guild that can be shown; 1 to 24 letters",
        ),
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
        ({"colour": "red", "size": 3}, "colour, size: no such field; there are players, holder, open, tokens, round"),
    ],
)
def test_a_set_up_that_cannot_be_says_what_is_wrong(
    phoenix: Game[Any, Any], change: dict[str, Any], words: str
) -> None:
    refusal = phoenix.setup({**SETUP, **change})
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad-setup"
    assert words in refusal.params["reason"]


def test_names_with_and_without_letters_may_be_mixed(phoenix: Game[Any, Any]) -> None:
    """A taken red 3 without its letter, played with it, leaves the other copy for everybody."""
    moves = [
        _place("A", "blue-3b", "small-1"),
        {"do": "take-open", "new": "red-3"},
        _place("B", "blue-4a", "small-1"),
        {"do": "take-open", "new": "yellow-2a"},
        _place("A", "blue-5a", "small-1"),
        _place("B", "red-3a", "small-1"),
        {"do": "take-open", "new": "yellow-4a"},
        _place("A", "blue-6a", "small-2"),
        {"do": "take-open", "new": "red-3b"},
    ]
    assert phoenix.facts(_play(phoenix, SETUP, moves))["open"] == "red-3"


@pytest.mark.parametrize("seed", range(6))
def test_a_game_goes_on_from_its_own_facts_with_all_letters(phoenix: Game[Any, Any], seed: int) -> None:
    """Facts name cards without letters; the moves that follow name them with letters."""
    dealer = phoenix.dealer(seed, {"players": [f"P{number}" for number in range(2 + seed % 5)]})
    states = []
    for _ in range(20 + 11 * seed):
        move = dealer.think()
        dealer.do(move)
    line = {**dealer.setup, **dealer.facts(), "players": dealer.setup["players"]}
    states.append(phoenix.setup(line))
    while dealer.choices():
        move = dealer.think()
        dealer.do(move)
        step = phoenix.apply(states[-1], decode(phoenix, move))
        assert not isinstance(step, Refusal), (move, step)
        states.append(step.state)
    assert phoenix.facts(states[-1])["scores"] == dealer.facts()["scores"]


def test_who_took_the_large_token_is_concluded_or_asked_for(phoenix: Game[Any, Any]) -> None:
    nests = {
        "small-1": {"A": ["red-2a", "red-2b"], "B": ["blue-2a", "blue-5a"]},
        "small-2": {"A": ["red-3a", "red-3b"], "B": ["blue-4a", "blue-4b"]},
        "big": {"A": ["red-4a", "red-4b"], "B": ["blue-6a", "blue-6b"]},
    }
    tokens: dict[str, list[int]] = {"small-1": [], "small-2": [], "big": [4]}
    line = {**SETUP, "open": "blue-3a", "nests": nests, "tokens": tokens, "large_there": False}
    state = _play(phoenix, line, [{"do": "pick", "nest": "big", "token": 4}])
    first = state.seats[state.ranking(2)[0]].name
    assert phoenix.facts(state)["holder"] == first
    over = phoenix.setup(
        {**line, "players": [{"name": n, "guild": g} for n, g in zip("AB", ("crown", "bell"), strict=True)]}
    )
    assert not isinstance(over, Refusal)

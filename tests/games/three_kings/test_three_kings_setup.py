"""The set-up line: a new game, a position at the start of a later Turn, and all that can be wrong with one; Marks."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.game import Refusal
from companion.games.three_kings import setup
from companion.games.three_kings.marks import instruction, pools
from companion.games.three_kings.state import State
from tests.games.three_kings.court import DECKS, Court, cards_of, said

THREE = {"players": ["Ann", "Ben", "Cleo"]}


def _wrong(**line: Any) -> str:
    refusal = setup.start({**THREE, **line}, DECKS)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.rule) == ("bad-setup", "setup")
    said(refusal)
    return str(refusal.params["reason"])


def test_a_new_game() -> None:
    court = Court(3)
    assert court.facts == {
        "turn": 1, "phase": "recruit", "round": 0, "active": "Ann", "first": "Ann",
        "vp": {"owl": 0, "wyvern": 0, "serpent": 0, "eye": 0}, "thrones": ["noble-1", "merchant-1", "priest-1"],
        "counselors": dict.fromkeys(court.names), "hands": court.hands(0, 0, 0), "deck": 65, "discards": 0,
        "infirmary": 0, "intrigue": [0, 0, 0], "past": court.hands(0, 0, 0), "action_deck": 33, "pending_draw": 0,
        "winners": None,
    }  # fmt: skip
    assert [seat.guild for seat in court.state.seats] == ["red", "blue", "purple"]


def test_players_with_and_without_a_colour() -> None:
    players = ["Ann", {"name": "Ben", "guild": "red"}, {"name": "Cleo"}]
    state = setup.start({"players": players}, DECKS)
    assert isinstance(state, State)
    assert [(seat.name, seat.guild) for seat in state.seats] == [("Ann", "blue"), ("Ben", "red"), ("Cleo", "purple")]


def test_the_facts_at_the_start_of_a_turn_are_a_set_up_line() -> None:
    court = Court(4, first="Ben").quiet_turn()
    facts = court.facts
    players = {"players": list(court.names)}
    again = setup.start({**players, **facts}, DECKS)
    assert isinstance(again, State)
    assert Court(4, **facts).facts == facts
    later = Court(3, turn=3, hands={"Ann": 9, "Ben": 2}, discards=5, infirmary=4, past={"Ben": 2}, action_deck=20)
    assert Court(3, **later.facts).facts == later.facts


def test_an_owners_deck_goes_before_the_shipped_one_and_may_be_named_or_given() -> None:
    shipped = DECKS["three-kings"]
    ours = {"ours": shipped, **DECKS}
    first = setup.start(THREE, ours)
    assert isinstance(first, State)
    assert first.actions is ours["ours"]
    given = Court(3, actions=cards_of([{"do": "protect"}]))
    assert [card.id for card in given.state.actions.cards] == ["card-1"]
    assert given.facts["action_deck"] == 1


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"players": ["Ann", "Ben"]}, "players: 2 named; 3 Kings is for 3 to 8"),
        ({"players": [*"ABCDEFGHI"]}, "players: 9 named; 3 Kings is for 3 to 8"),
        ({"players": ["Ann", {"name": "B", "guild": "pink"}, "C"]}, "players: guild 'pink'; there are red, blue,"),
        (
            {"players": [{"name": "A", "guild": "red"}, {"name": "B", "guild": "red"}, "C"]},
            "players: guild 'red' comes twice; each player has a colour of his own",
        ),
        ({"first": "Zoe"}, "first: 'Zoe' is no player"),
        ({"hands": {"Zoe": 1}}, "hands: 'Zoe' is no player"),
        ({"winner": "Ann"}, "winner: no such field; there are players, first, actions, turn,"),
        ({"turn": 5}, "turn: 5; there are Turns 1 to 4"),
        ({"hands": {"Ann": -1}}, "a number below 0"),
        ({"vp": {"sun": 1}}, "vp: 'sun'; there are owl, wyvern, serpent, eye"),
        ({"vp": {"owl": 1000}}, "vp: at most 999 points"),
        ({"thrones": ["king-1", "spy-1", "spy-1"]}, "thrones: 'king-1' is no card of this box"),
        ({"thrones": ["purge", "spy-1", "spy-1"]}, "thrones: 'purge'; only Characters sit there"),
        ({"thrones": ["spy-1a", "spy-1a", "spy-1"]}, "thrones: 'spy-1a' sits there more often than the box holds it"),
        ({"counselors": {"Ann": 4}}, "counselors: 'Ann' on 4; there are Thrones 1 to 3"),
        ({"deck": 64}, "cards: 3 on the Thrones, 0 in hands, 64 in the deck, 0 discarded, 0 in the Infirmary; the box"),
        ({"discards": 66}, "cards: 3 on the Thrones"),
        ({"past": {"Ann": 34}}, "past, action_deck: 34 and -1; there are 33 Action cards"),
        ({"past": {"Ann": 4}, "action_deck": 30}, "past, action_deck: 4 and 30; there are 33 Action cards"),
        ({"actions": "other"}, "actions: 'other'; there are three-kings"),
        ({"actions": {"name": "x", "cards": []}}, "actions: no cards"),
        ({"actions": {"cards": 3}}, "actions: "),
        ({"phase": "award"}, "phase: 'award'; at the start of this Turn it is 'recruit'"),
        ({"intrigue": [1, 0, 0]}, "intrigue: [1, 0, 0]; at the start of this Turn it is [0, 0, 0]"),
        ({"active": "Cleo"}, "active: 'Cleo'; at the start of this Turn it is 'Ann'"),
        ({"deck": "many"}, "Expected `int | null`, got `str`"),
    ],
)
def test_what_is_wrong_with_a_line_is_told(line: dict[str, Any], reason: str) -> None:
    assert reason in _wrong(**line)


def test_everything_that_is_wrong_is_told_at_once() -> None:
    assert _wrong(players=["A", "C"], first="B", hands={"D": 1}, vp={"x": 1}).count("; ") >= 3


def test_the_same_action_card_twice_or_a_strange_one_is_wrong_in_a_given_deck() -> None:
    deck = cards_of([{"do": "protect"}], [{"do": "fly"}])
    deck["cards"][0]["id"] = "card-2"
    assert "actions: 'card-2' comes 2 times" in _wrong(actions=deck)
    assert "'card-2', effect 1, do: 'fly'; one of move, exchange" in _wrong(actions=deck)
    assert "rank: 0; 1 to 99" in _wrong(actions=cards_of([{"do": "protect"}], ranks=[0]))
    assert "mark: 'Q'" in _wrong(actions=cards_of([{"do": "protect"}], mark="Q"))


def test_the_marks_for_each_number_of_players() -> None:
    owl, wyvern, serpent, eye = "owl", "wyvern", "serpent", "eye"
    assert pools(3) == pools(4) == ((owl, wyvern, serpent, eye),)
    assert [sorted(pool) for pool in pools(5)] == [
        sorted([a, a, b, b, eye]) for a, b in ((owl, wyvern), (owl, serpent), (wyvern, serpent))
    ]
    assert len(pools(6)) == 4
    assert {frozenset(pool) for pool in pools(6)} == {
        frozenset({owl, wyvern, serpent, eye} - {out}) for out in (owl, wyvern, serpent, eye)
    }
    assert [sorted(pool) for pool in pools(7)] == [sorted([owl, owl, wyvern, wyvern, serpent, serpent, eye])]
    assert [sorted(pool) for pool in pools(8)] == [sorted([owl, owl, wyvern, wyvern, serpent, serpent, eye, eye])]
    for players in range(3, 9):
        assert {len(pool) for pool in pools(players)} == {max(players, 4)}
        said(instruction(players))

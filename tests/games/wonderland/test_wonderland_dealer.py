"""The dealer, who knows every card, against the referee, who knows what the table has shown: every fact, every move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import msgspec
import pytest

from companion.core.game import Refusal
from companion.games.wonderland import rules, setup
from companion.games.wonderland.dealer import WonderlandDealer
from companion.games.wonderland.moves import Move
from companion.games.wonderland.spirits import COUNTS
from companion.games.wonderland.state import State, facts

PLAYERS = (2, 3, 4)
ALL_TOLD = {
    "unlocked", "covered", "took", "deck-empty", "last-explore", "collapse", "alice", "rabbit", "cat", "hatter",
    "hatter-collapse", "queen", "no-skill", "stopped", "hatter-leaves", "refill", "refilled", "next", "over",
    "over-shared",
}  # fmt: skip
"""All that the rules announce."""
NEVER_FOR_TWO = {"hatter-collapse"}
"""One turn brings two Hatters at the most, and two cards are never too many; with more players others add to them."""


def _play(players: int, seed: int, wild: bool) -> Iterator[str]:
    """A whole game, sensible or of moves by chance; what it announces."""
    dealer = WonderlandDealer(seed, {"players": [f"P{number}" for number in range(1, players + 1)]})
    chance = random.Random(seed)
    state = setup.start(dealer.setup)
    assert isinstance(state, State), state
    assert facts(state) == dealer.facts()
    while dealer.choices():
        line = chance.choice(dealer.choices()) if wild else dealer.think()
        dealer.do(line)
        step = rules.apply(state, msgspec.convert(line, Move))
        assert not isinstance(step, Refusal), (players, seed, line, step)
        state = step.state
        assert facts(state) == dealer.facts(), (players, seed, line)
        yield from (event.name for event in step.events)
    assert state.phase == "over"


@pytest.mark.parametrize("players", PLAYERS)
def test_dealer_and_referee_agree_in_games_of_moves_by_chance(players: int) -> None:
    told = Counter(name for seed in range(8) for name in _play(players, seed, wild=True))
    assert told["over"] + told["over-shared"] == 8


@pytest.mark.soak
@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("wild", [False, True])
def test_dealer_and_referee_agree_in_a_thousand_games_that_meet_every_event(players: int, wild: bool) -> None:
    told = Counter(name for seed in range(1000) for name in _play(players, seed, wild))
    assert set(told) == (ALL_TOLD - NEVER_FOR_TWO if players == 2 else ALL_TOLD)


@pytest.mark.parametrize("players", PLAYERS)
def test_every_choice_of_the_dealer_is_a_legal_move_and_no_deck_is_legal_that_he_lacks(players: int) -> None:
    """Cards that come from face-down decks may be any unseen ones for the referee; the dealer knows them."""
    dealer = WonderlandDealer(players, {"players": [f"P{number}" for number in range(players)]})
    state = setup.start(dealer.setup)
    while dealer.choices():
        assert isinstance(state, State)
        legal = [msgspec.to_builtins(move) for move in rules.legal_moves(state)]
        choices = dealer.choices()
        assert [choice for choice in choices if choice not in legal] == []
        bare = [{k: v for k, v in move.items() if k not in ("reveals", "cards")} for move in choices]
        assert [m for m in legal if {k: v for k, v in m.items() if k not in ("reveals", "cards")} not in bare] == []
        line = dealer.think()
        dealer.do(line)
        step = rules.apply(state, msgspec.convert(line, Move))
        assert not isinstance(step, Refusal)
        state = step.state


@pytest.mark.parametrize("players", PLAYERS)
def test_no_card_is_lost_and_none_is_told_of_that_nobody_saw(players: int) -> None:
    dealer = WonderlandDealer(7, {"players": [f"P{number}" for number in range(players)]})
    state = setup.start(dealer.setup)
    while dealer.choices():
        assert isinstance(state, State)
        down = sum(deck.down for deck in state.decks)
        hidden = Counter(card[:-1] for pile in dealer._hall for card, up in pile if not up)
        assert (sum(state.unseen.values()), dict(state.unseen)) == (down, {card: hidden[card] for card in COUNTS})
        line = dealer.think()
        dealer.do(line)
        step = rules.apply(state, msgspec.convert(line, Move))
        assert not isinstance(step, Refusal)
        state = step.state


def test_the_dealer_keeps_whose_turn_is_first_and_leaves_cards_of_a_kind_apart() -> None:
    dealer = WonderlandDealer(3, {"players": ["Ann", {"name": "Bea"}], "turn": "Bea"})
    assert (dealer.setup["players"], dealer.setup["turn"], dealer.facts()["turn"]) == (["Ann", "Bea"], "Bea", "Bea")
    lying = dealer.table()
    assert sorted(lying.values()) == sorted(
        ["keys/Bea"] * 2 + ["middle/key"] * 2 + ["notebook/Ann"] * 3 + ["notebook/Bea"] * 3
    )

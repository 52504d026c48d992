"""The dealer, who knows every tile, against the referee, who knows what the table has shown: every fact, every move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from companion.core.game import Refusal, decode, encode
from companion.core.settle import settle
from companion.core.table import Observation, Sighting
from companion.games.storytelling import GAME
from companion.games.storytelling.state import MODES

BUTTONS = ("card", "retire")
"""Moves that leave no trace on the table."""
ENDS = {"over", "over-by-cards", "over-shared", "over-nobody", "race-won", "race-lost"}
MET = {
    "basic": {"found", "won", "failed", "pile-turned-over", "over", "next"},
    "stinky-breath": {"found", "won", "failed", "shuffled", "over", "next"},
    "wolf-blew": {"found", "won", "failed", "blown", "over", "next"},
    "midnight": {"stroke", "last-stroke", "midnight", "retired", "stays", "over", "over-nobody"},
    "race": {"completed", "hare", "tortoise", "race-won", "race-lost", "pile-turned-over"},
}
"""Events that twenty games of a mode meet, so that they are about what is special to it."""


def _line(mode: str, seed: int) -> dict[str, Any]:
    """Players vary with the seed; the clock and the race are sometimes shorter than usual."""
    least = 1 if mode == "race" else 2
    players = [f"P{number + 1}" for number in range(least + seed % (5 - least))]
    line: dict[str, Any] = {"players": players, "mode": mode}
    if mode == "midnight" and seed % 3:
        line["clock_positions"] = 2 + seed % 7
    if mode == "race" and seed % 2:
        line |= {"finish": 6 + seed % 14, "hare_start": seed % 6}
    return line


def _game(mode: str, seed: int) -> tuple[Any, Any]:
    dealer = GAME.dealer(seed, _line(mode, seed))
    state = GAME.setup(dealer.setup)
    assert not isinstance(state, Refusal), state
    assert GAME.facts(state) == dealer.facts()
    return dealer, state


def _thought(dealer: Any, state: Any, lucky: random.Random | None) -> Mapping[str, Any]:
    """What the dealer's players do; the lucky ones often find what they look for, and so win more."""
    right = [move for move in dealer.choices() if move.get("tile") == state.wanted and move["do"] == "flip"]
    return right[0] if right and lucky and lucky.random() < 0.8 else dealer.think()


def _play(mode: str, seed: int) -> Iterator[str]:
    """A whole game; what it announces, move by move."""
    dealer, state = _game(mode, seed)
    chance = random.Random(seed)
    while dealer.choices():
        line = _thought(dealer, state, chance if seed // 2 % 2 else None)
        move = decode(GAME, line)
        assert not isinstance(move, Refusal), move
        assert move in GAME.legal_moves(state), (mode, seed, line)
        dealer.do(line)
        step = GAME.apply(state, move)
        assert not isinstance(step, Refusal), (mode, seed, line, step)
        state = step.state
        assert GAME.facts(state) == dealer.facts(), (mode, seed, line)
        yield from (event.name for event in step.events)
    assert GAME.outcome(state) is not None


def _read(mode: str, seed: int) -> None:
    """A whole game of which only the table is seen, and buttons are pressed for what it can't show."""
    dealer, state = _game(mode, seed)
    before: Mapping[str, str] = dealer.table()
    while dealer.choices():
        line = dealer.think()
        dealer.do(line)
        now = dealer.table()
        gone = {piece: zone for piece, zone in before.items() if piece not in now}
        look = Observation(tuple(Sighting(*lies) for lies in now.items()), gone, at_s=1.0)
        settled = settle(GAME, state, look)
        made = [encode(move) for move, _ in settled.moves]
        assert (made, settled.disputes) == ([] if line["do"] in BUTTONS else [_whole(line)], ()), (mode, seed, line)
        state, before = settled.state, now
        if line["do"] in BUTTONS:
            question = GAME.question(state, settled.difference, look)
            assert question is not None, (mode, seed, line)
            assert line in [choice.move for choice in question.choices], (mode, seed, line)
            step = GAME.apply(state, decode(GAME, line))
            assert not isinstance(step, Refusal), step
            state = step.state
        assert GAME.facts(state) == dealer.facts(), (mode, seed, line)
    assert GAME.outcome(state) is not None


def _whole(line: Mapping[str, Any]) -> dict[str, Any]:
    """The move with its cells as pairs, as it is encoded."""
    return {key: tuple(value) if key in ("cell", "to") else value for key, value in line.items()}


@pytest.mark.parametrize("mode", MODES)
def test_dealer_and_referee_agree_in_every_fact_of_twenty_games(mode: str) -> None:
    told = Counter(event for seed in range(20) for event in _play(mode, seed))
    assert sum(told[end] for end in ENDS) == 20
    assert MET[mode] - set(told) == set()


@pytest.mark.parametrize("mode", MODES)
def test_whole_games_are_read_from_the_table_alone(mode: str) -> None:
    for seed in range(10):
        _read(mode, seed)


@pytest.mark.soak
@pytest.mark.parametrize("mode", MODES)
def test_dealer_and_referee_agree_in_a_thousand_games_of_each_mode(mode: str) -> None:
    for seed in range(1000):
        for _ in _play(mode, seed):
            pass


@pytest.mark.soak
@pytest.mark.parametrize("mode", MODES)
def test_a_hundred_games_of_each_mode_are_read_from_the_table_alone(mode: str) -> None:
    for seed in range(100):
        _read(mode, seed)


@pytest.mark.parametrize("mode", MODES)
def test_the_dealer_plays_with_the_options_that_were_set(mode: str) -> None:
    line = {
        "players": ["Ellie", "Sam"], "mode": mode, "first": "Sam", "storyteller": "Ellie",
        "story": {"race": "cinderella", "stinky-breath": "saint-george"}.get(mode, "three-little-pigs"),
        "clock_positions": 7, "finish": 9, "hare_start": 4,
    }  # fmt: skip
    dealer = GAME.dealer(1, line)
    assert dealer.setup == {**line, "game": "storytelling", "players": [{"name": "Ellie"}, {"name": "Sam"}]}
    assert dealer.facts()["active"] == "Sam"


def test_the_dealer_chooses_each_mode_with_a_tale_of_its_own() -> None:
    chosen = {(d["mode"], d["story"]) for d in (GAME.dealer(s, {"players": ["A", "B"]}).setup for s in range(60))}
    assert {story for mode, story in chosen if mode == "basic"} == set(GAME.stories)
    assert {pair for pair in chosen if pair[0] != "basic"} == {
        ("stinky-breath", "saint-george"),
        ("wolf-blew", "three-little-pigs"),
        ("midnight", "cinderella"),
        ("race", "hare-and-tortoise"),
    }

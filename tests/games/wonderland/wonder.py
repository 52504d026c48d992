"""Positions and moves of Wonderland XIII in few words, for the tests beside it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.core.game import Refusal, Step
from companion.games.wonderland import rules, setup
from companion.games.wonderland.moves import Move
from companion.games.wonderland.state import State

NAMES = ("Ann", "Bea", "Cid", "Dot")
FULL = "9, 9, 9, 9, 9"


def line(
    hall: str = FULL,
    notebooks: tuple[str, ...] = ("Alice Cat Queen", "Alice Cat Queen"),
    discards: str = "",
    turn: str = "Ann",
    **hatter: str,
) -> dict[str, Any]:
    """A set-up line for a position.

    Args:
        hall: the decks, commas between them: how many cards lie face down, and the cards that cover them.
        notebooks: by seat; as many as there are players.
        discards: the Discard Pile.
        turn: whose turn begins.
        hatter: by player's name, the face-down cards in his Tunnel.
    """
    decks = [deck.split() for deck in hall.split(",")]
    names = NAMES[: len(notebooks)]
    return {
        "players": list(names),
        "turn": turn,
        "notebooks": {name: cards.split() for name, cards in zip(names, notebooks, strict=True)},
        "decks": [{"down": int(down), "up": up} for down, *up in decks],
        "discards": discards.split(),
        "hatter": {name: cards.split() for name, cards in hatter.items()},
    }


def at(*args: Any, **fields: Any) -> State:
    """The state of a position; arguments as for `line`."""
    state = setup.start(line(*args, **fields))
    assert not isinstance(state, Refusal), state
    return state


def move(words: str) -> Any:
    """A move: `unlock 2`, `cover 2 Cat`, `take 1:Queen 3:Hatter`, `skill Rabbit deck=0 reveals=Cat`, `refill Cat`."""
    do, *rest = words.split()
    named: dict[str, Any] = dict(word.split("=") for word in rest if "=" in word)
    plain = [word for word in rest if "=" not in word]
    if "deck" in named:
        named["deck"] = int(named["deck"])
    if do in ("unlock", "cover"):
        named["deck"] = int(plain[0])
    if do in ("cover", "skill"):
        named["card"] = plain[-1]
    if do == "take":
        named["cards"] = dict(word.split(":") for word in plain)
    if do == "refill":
        named["cards"] = plain
    return msgspec.convert({"do": do, **named}, Move)


def tried(state: State, words: str) -> Step | Refusal:
    """What a move leads to."""
    return rules.apply(state, move(words))


def played(state: State, *moves: str) -> State:
    """The state after moves that are all legal."""
    for words in moves:
        step = tried(state, words)
        assert not isinstance(step, Refusal), (words, step)
        state = step.state
    return state


def told(state: State, words: str) -> list[str]:
    """The names of what a legal move announces."""
    step = tried(state, words)
    assert not isinstance(step, Refusal), (words, step)
    return [event.name for event in step.events]

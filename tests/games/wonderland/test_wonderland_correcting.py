"""The table is right: what is accepted as it lies, and what can't be."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Refusal, Step
from companion.core.table import Difference
from companion.face.words import read_game_wording
from companion.games.wonderland import GAME
from companion.games.wonderland.state import Deck, State

HERS = ("Hatter", "Queen", "Queen")
LAST = (Deck(0, ("Cat",)), *(Deck(9) for _ in range(4)))
LINE = {
    "players": ["Ann", "Bea"],
    "turn": "Ann",
    "notebooks": {"Ann": ["Alice", "Cat", "Cat"], "Bea": ["Queen", "Hatter", "Queen"]},
}


def _state(**changes: Any) -> State:
    state = GAME.setup(LINE)
    assert isinstance(state, State), state
    return replace(state, **changes)


def _cards(state: State) -> Counter[str]:
    piles = (*state.notebooks, state.tunnel, state.discards, *(deck.up for deck in state.decks))
    return Counter(card for pile in piles for card in pile)


@pytest.mark.parametrize(
    ("changes", "extra", "missing", "notebooks"),
    [
        ({}, {"Alice-a": "notebook/Bea"}, {"Alice-b": "notebook/Ann"}, (("Cat", "Cat"), ("Alice", *HERS))),
        ({"discards": ("Bundle",)}, {"Bundle-a": "notebook/Ann"}, {}, (("Alice", "Bundle", "Cat", "Cat"), HERS)),
        ({}, {"Cat-a": "deck-2/top"}, {"Cat-a": "notebook/Ann"}, (("Alice", "Cat"), HERS)),
        ({"phase": "decide", "tunnel": ("Rabbit",)}, {"Rabbit-a": "notebook/Ann"}, {"Rabbit-b": "tunnel/Ann"},
         (("Alice", "Cat", "Cat", "Rabbit"), HERS)),
    ],
)  # fmt: skip
def test_cards_count_where_they_lie_and_none_is_lost(
    changes: dict[str, Any], extra: dict[str, str], missing: dict[str, str], notebooks: tuple[tuple[str, ...], ...]
) -> None:
    before = _state(**changes)
    step = GAME.accept(before, Difference(_ids(extra), _ids(missing)))
    assert isinstance(step, Step), step
    assert tuple(map(tuple, map(sorted, step.state.notebooks))) == notebooks
    assert _cards(step.state) == _cards(before)
    assert [event.name for event in step.events] == ["corrected"]


def _ids(zones: dict[str, str]) -> dict[str, str]:
    """By id of a piece, given as `Name-letter`."""
    found = {}
    for one, zone in zones.items():
        name, _, letter = one.partition("-")
        copies = GAME.box.copies[name]
        found[copies["abc".index(letter)].id] = zone
    return found


@pytest.mark.parametrize(
    ("changes", "extra", "missing", "why"),
    [
        ({"phase": "refill"}, {"Alice-a": "notebook/Bea"}, {"Alice-b": "notebook/Ann"}, "accept-not-now"),
        ({}, {"key-a": "deck-1/key"}, {}, "accept-keys"),
        ({}, {"Alice-a": "tunnel/Bea"}, {"Alice-a": "notebook/Ann"}, "accept-beside"),
        ({}, {"Bundle-a": "notebook/Bea"}, {}, "accept-unknown"),
        ({}, {"Alice-a": "tunnel/Ann"}, {"Alice-a": "notebook/Ann"}, "accept-tunnel"),
        ({}, {}, {"Alice-a": "notebook/Ann"}, "accept-gone"),
        ({"decks": LAST}, {"Cat-b": "notebook/Bea"}, {"Cat-b": "deck-0/top"},
         "accept-last"),
        ({"players": ("Ann", "Bea", "Cid"), "notebooks": (("Cat", "Cat"), HERS, ()), "hatter": ((), (), ()),
          "decks": (Deck(0), *(Deck(9) for _ in range(4)))},
         {"Cat-b": "deck-0/top"}, {"Cat-b": "notebook/Ann"}, "accept-empty"),
        ({"notebooks": (("Cat",), HERS), "unlocked": (2,), "deck": 2, "keys": 1},
         {"Cat-b": "notebook/Bea"}, {"Cat-b": "notebook/Ann"}, "accept-cover"),
        ({"phase": "decide", "tunnel": ("Bundle", "Cat")},
         {"Cat-b": "tunnel/Ann"}, {"Cat-b": "notebook/Ann"}, "accept-collapse"),
    ],
)  # fmt: skip
def test_what_can_not_be_right_is_refused_with_a_reason(
    changes: dict[str, Any], extra: dict[str, str], missing: dict[str, str], why: str
) -> None:
    refusal = GAME.accept(_state(**changes), Difference(_ids(extra), _ids(missing)))
    assert isinstance(refusal, Refusal), refusal
    assert (refusal.code, refusal.wording) == ("not-allowed", why)


def test_every_reason_is_met_here() -> None:
    reasons = {key for key in read_game_wording("wonderland")["en"]["refusal"] if key.startswith("accept-")}
    assert reasons == set(re.findall(r"accept-[a-z-]+[a-z]", Path(__file__).read_text("utf-8")))

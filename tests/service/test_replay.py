"""Replaying games of players whose names were allowed once."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.players import renamed
from companion.games import load
from companion.service.archive import parse
from companion.service.entries import Entry
from companion.service.replay import replay

JOURNALS = Path(__file__).resolve().parents[1] / "journals"


def _recorded(name: str, called: dict[str, str]) -> tuple[Entry, ...]:
    """A recorded game, of players who are called otherwise."""

    def other(entry: Entry) -> Entry:
        events = tuple(replace(event, params=renamed(event.params, called)) for event in entry.events)
        return replace(entry, body=renamed(entry.body, called), events=events)

    with (JOURNALS / name).open("rb") as lines:
        return tuple(map(other, parse(lines, name)))


@pytest.mark.parametrize(
    ("name", "called", "now"),
    [
        (
            "phoenix-taken-back.jsonl",
            {"P1": "\x1b[2JEllie\r\n", "P2": "x" * 100},
            {"P1": "?[2JEllie??", "P2": "x" * 24},
        ),
        ("phoenix-taken-back.jsonl", {"P1": " ", "P2": "\u202e", "P3": "?"}, {"P1": "1", "P2": "?", "P3": "? 3"}),
        ("storytelling-midnight.jsonl", {"P1": "Jose\u0301 ", "P2": "JOSÉ"}, {"P1": "José", "P2": "JOSÉ 2"}),
    ],
)
def test_a_game_with_names_that_no_longer_can_be_goes_on_with_the_nearest(
    name: str, called: dict[str, str], now: dict[str, str]
) -> None:
    plain = _recorded(name, {})
    game: Any = load(plain[0].game)
    found, known = replay(game, _recorded(name, called)), replay(game, plain)
    assert (found.differs, known.differs) == ("", ""), "it announces what it announced"
    assert game.facts(found.history.state) == renamed(game.facts(known.history.state), now)


def test_new_moves_of_such_a_game_are_replayed_with_the_old_ones() -> None:
    entries = _recorded("phoenix-taken-back.jsonl", {"P1": "\x1b"})
    game: Any = load("phoenix")
    first = next(number for number, entry in enumerate(entries) if entry.kind == "move")
    fresh = [replace(entry, body=renamed(entry.body, {"\x1b": "?"})) for entry in entries[first + 1 :]]
    assert replay(game, [*entries[: first + 1], *fresh]).history.state == replay(game, entries).history.state

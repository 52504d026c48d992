"""What stands in a journal: its entries, and what can be wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.errors import CompanionError
from companion.core.game import Event

SETUP, MOVE, ACCEPTED, UNDO, REDO, FREED = "setup", "move", "accepted", "undo", "redo", "freed"
ENDED, LEFT_OUT = "ended", "left-out"


class JournalError(CompanionError, RuntimeError):
    """The journal can't be opened, written or replayed; the text says where and what to do.

    Args:
        text: for people at a keyboard.
        trouble: key below `trouble.` in the wording, for the screen of the box.
    """

    def __init__(self, text: str, trouble: str = "journal") -> None:
        super().__init__(text)
        self.trouble = trouble


class DamagedError(JournalError):
    """Something that was written can't be read any more.

    Args:
        text: what it is.
        after: number of the last entry before it.
        missing: how many entries it held; 0 where nobody can know.
        game: which game of the journal it was in, counted from 1.
    """

    def __init__(self, text: str, after: int = 0, missing: int = 0, game: int = 1) -> None:
        super().__init__(text)
        self.after, self.missing, self.game = after, missing, game


class Entry(msgspec.Struct, frozen=True):
    """One entry of the journal.

    Attributes:
        number: counts all entries of the journal, from 1.
        kind: `setup`, `move`, `accepted` (people have said that the table is right), `undo`, `redo`, `freed` (what
            undone moves left on the table has changed), `ended` (people have given the game up), or `left-out`: the
            last entries don't follow newer rules, and the game was carried on without them.
        game: the game's id.
        rules: the rules version that wrote it.
        body: the set-up line, the move, how the accepted table differed, what an undo left on it, or how many entries
            are left out, as JSON values.
        events: what was announced, as JSON values.
        at: when it was written, by the clock of the box: ISO 8601 in UTC, or empty if that wasn't kept. Entries are in
            the order of their numbers, whatever the clock did.
    """

    number: int
    kind: str
    game: str
    rules: int
    body: Mapping[str, Any]
    events: tuple[Event, ...] = ()
    at: str = ""


def gap(before: int, after: int, game: int = 1) -> DamagedError:
    """What is wrong between two entries that don't follow one another."""
    one, last = before + 1, after - 1
    words = f"entry {one} is missing" if one == last else f"entries {one} to {last} are missing"
    return DamagedError(words, before, after - before - 1, max(game, 1))


def to_json(value: Any) -> str:
    """A value as JSON."""
    return msgspec.json.encode(value).decode()

"""What stands in a journal: its entries, the row of each in the file, and what can be wrong with them."""

from __future__ import annotations

import zlib
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
    """What stands in the file isn't what was written into it."""


class Entry(msgspec.Struct, frozen=True):
    """One line of the journal.

    Attributes:
        number: counts all entries of the file, from 1.
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


COLUMNS = ("number", "kind", "game", "rules", "body", "events", "at", "seal")
"""In the order of the table. Journals of the first days have only the first six."""
FIRST_COLUMNS = 6

Row = tuple[int, str, str, int, str, str, str, int | None]
"""An entry as it stands in the file."""


def row_of(entry: Entry) -> Row:
    """How an entry is written, with its seal."""
    told = to_json(msgspec.to_builtins(entry.events))
    content = (entry.number, entry.kind, entry.game, entry.rules, to_json(entry.body), told, entry.at)
    return (*content, _seal(content))


def entry_of(row: tuple[Any, ...]) -> Entry:
    """The entry in a row that was read, of which further columns are left out.

    Raises:
        DamagedError: it isn't the row that was written.
    """
    *content, seal = (row if len(row) > FIRST_COLUMNS else (*row, "", None))[: len(COLUMNS)]
    number, kind, game, rules, body, events, at = content
    # What is sealed is checked, since SQLite doesn't notice a changed letter.
    if seal is not None and seal != _seal(tuple(content)):
        raise DamagedError(f"entry {number}: it isn't what was written there")
    try:
        told = msgspec.json.decode(events, type=tuple[Event, ...])
        fields = {"number": number, "kind": kind, "game": game, "rules": rules, "body": msgspec.json.decode(body)}
        return msgspec.convert(fields | {"events": told, "at": at}, Entry)
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise DamagedError(f"entry {number}: {error}") from error


def gap(before: int, after: int) -> DamagedError:
    """What is wrong between two entries that don't follow one another."""
    one, last = before + 1, after - 1
    return DamagedError(f"entry {one} is missing" if one == last else f"entries {one} to {last} are missing")


def to_json(value: Any) -> str:
    """A value as JSON."""
    return msgspec.json.encode(value).decode()


def _seal(content: tuple[Any, ...]) -> int:
    return zlib.crc32(msgspec.json.encode(content))

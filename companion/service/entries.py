"""What stands in a journal: its entries, the row of each in the file, and what can be wrong with them."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.errors import CompanionError
from companion.core.game import Event

SETUP, MOVE, UNDO, REDO, FREED = "setup", "move", "undo", "redo", "freed"


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
        kind: `setup`, `move`, `undo`, `redo`, or `freed`: what undone moves left on the table has changed.
        game: the game's id.
        rules: the rules version that wrote it.
        body: the set-up line, the move, or what an undo left on the table, as JSON values.
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


COLUMNS = "number, at, kind, game, rules, body, events, seal"
TABLE = """
create table if not exists entries (
    number integer primary key,
    kind text not null,
    game text not null,
    rules integer not null,
    body text not null,
    events text not null,
    at text not null default '',
    seal integer
) strict
"""
ADDED = {"at": "text not null default ''", "seal": "integer"}
"""Columns that the first journals didn't have, with their types."""

Row = tuple[int, str, str, str, int, str, str, int | None]
"""An entry as it stands in the file, in the order of `COLUMNS`."""


def row_of(entry: Entry) -> Row:
    """How an entry is written, with its seal."""
    told = to_json(msgspec.to_builtins(entry.events))
    content = (entry.number, entry.at, entry.kind, entry.game, entry.rules, to_json(entry.body), told)
    return (*content, _seal(content))


def entry_of(row: Any) -> Entry:
    """The entry in a row that was read.

    Raises:
        DamagedError: it isn't the row that was written.
    """
    *content, seal = row
    number, at, kind, game, rules, body, events = content
    # Journals of the first days have no seals; what is sealed is checked, since SQLite doesn't notice a changed letter.
    if seal is not None and seal != _seal(tuple(content)):
        raise DamagedError(f"entry {number}: it isn't what was written there")
    try:
        told = msgspec.json.decode(events, type=tuple[Event, ...])
        return msgspec.convert(
            {"number": number, "kind": kind, "game": game, "rules": rules, "body": msgspec.json.decode(body), "at": at}
            | {"events": told},
            Entry,
        )
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise DamagedError(f"entry {number}: {error}") from error


def connect(path: str, wait_s: float = 0.5, uri: bool = False) -> sqlite3.Connection:
    """A connection to a journal file; letters that can't be are replaced, so that the seal tells of them.

    Raises:
        sqlite3.Error: the file can't be opened.
    """
    found = sqlite3.connect(path, timeout=wait_s, isolation_level=None, uri=uri)
    found.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return found


def to_json(value: Any) -> str:
    """A value as JSON."""
    return msgspec.json.encode(value).decode()


def _seal(content: tuple[Any, ...]) -> int:
    return zlib.crc32(msgspec.json.encode(content))

"""The journal as a database: how its file is opened, prepared, read and written."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from msgspec.structs import replace

from companion.service.entries import (
    COLUMNS,
    ENDED,
    FIRST_COLUMNS,
    SETUP,
    DamagedError,
    Entry,
    JournalError,
    entry_of,
    gap,
    row_of,
)

ALL = "select * from entries"
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
FOREIGN = "this is another sort of file; name another file"
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file can raise: also names of columns and errors may hold letters that can't be."""
BUSY_S = 0.5
"""So long a program that looks into the file with other means may hold it up."""


def connect(path: str, uri: bool = False) -> sqlite3.Connection:
    """A connection to a journal file; letters that can't be are replaced, so that the seal tells of them.

    Raises:
        sqlite3.Error: the file can't be opened.
    """
    found = sqlite3.connect(path, timeout=BUSY_S, isolation_level=None, uri=uri)
    found.text_factory = lambda raw: raw.decode("utf-8", "replace")
    return found


def prepare(db: sqlite3.Connection, path: Path | str, ours: bool) -> None:
    """Makes a file ready to be written; what isn't in it yet is made.

    Args:
        db: the file.
        path: its name.
        ours: it was a journal before, so that what doesn't fit is damage.

    Raises:
        JournalError: it belongs to something else; nothing was changed.
        DamagedError: the table is gone, or another one.
        sqlite3.Error: it can't be written.
    """
    tables = {row[0] for row in db.execute("select name from sqlite_master where type = 'table'")}
    (pages,) = db.execute("pragma page_count").fetchone()
    there = {row[1] for row in db.execute("pragma table_info(entries)")}
    first = len(there) == FIRST_COLUMNS  # a journal of the first days
    missing = [name for name in COLUMNS[: FIRST_COLUMNS if first else None] if name not in there]
    if tables and missing and not ours:
        raise JournalError(f"journal {path}: {FOREIGN}")
    if missing and pages > 1:
        raise DamagedError(f"its columns {', '.join(missing)} are missing")
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=full")
    db.execute(TABLE)
    if first:
        db.execute("begin immediate")
        for name, kind in ADDED.items():
            db.execute(f"alter table entries add column {name} {kind}")
        db.execute("commit")


def write(db: sqlite3.Connection, entries: Iterable[Entry], numbered: bool = False) -> None:
    """Adds entries: all of them are on disk afterwards, or none.

    Args:
        db: the file.
        entries: what is to be added.
        numbered: they keep their numbers, of which none may be there; otherwise they follow what is there.

    Raises:
        sqlite3.Error: the disk is full or gone.
    """
    try:
        db.execute("begin immediate")
        (last,) = db.execute("select max(number) from entries").fetchone()
        for number, entry in enumerate(entries, (last or 0) + 1):
            row = row_of(entry if numbered else replace(entry, number=number))
            db.execute(f"insert into entries ({', '.join(COLUMNS)}) values (?, ?, ?, ?, ?, ?, ?, ?)", row)
        db.execute("commit")
    except BaseException:
        if db.in_transaction:
            db.execute("rollback")
        raise


def last_game(db: sqlite3.Connection, game: str) -> tuple[Entry, ...]:
    """The last game of this id, unless it was given up; only what was written since its set-up is read.

    Raises:
        DamagedError: an entry isn't what was written, or is missing.
        sqlite3.Error: the file can't be read.
    """
    query = "select number from entries where kind = ? and game = ? order by number desc limit 1"
    start = db.execute(query, [SETUP, game]).fetchone()
    if start is None:
        return ()
    found = [entry_of(row) for row in db.execute(f"{ALL} where rowid >= ? order by rowid", start)]
    for before, after in pairwise(found):
        if after.number != before.number + 1:
            raise gap(before.number, after.number)
    mine = tuple(entry for entry in found if entry.game == game)
    return () if mine[-1].kind == ENDED else mine

"""Damaged journals: what can still be read of one, and how it is set aside. Nothing is ever deleted."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime
from pathlib import Path

from companion.service.database import ALL, TABLE, UNREADABLE, connect
from companion.service.entries import SETUP, DamagedError, Entry, Row, entry_of, gap

MAGIC = b"SQLite format 3\0"
WAL, SHM = "-wal", "-shm"
"""Endings of the files that SQLite keeps beside the journal: what was written last, and an index of it."""


def beside(path: Path, ending: str) -> Path:
    """A file that belongs to a journal."""
    return path.with_name(path.name + ending)


def is_foreign(path: Path) -> bool:
    """Whether the file that is there can't ever have been a journal, so that nobody may touch it."""
    try:
        with path.open("rb") as file:
            head = file.read(len(MAGIC))
    except OSError:
        return False
    return bool(head.strip(b"\0")) and head != MAGIC and not any(beside(path, one).exists() for one in (WAL, ".lock"))


def is_beheaded(path: Path) -> bool:
    """Whether the file is empty or missing while there is something of it in its WAL, which SQLite would delete."""
    wal = beside(path, WAL)
    return wal.exists() and wal.stat().st_size > 0 and not (path.exists() and path.stat().st_size > 0)


def set_aside(path: Path, now: datetime) -> Path:
    """Gives a journal with all that belongs to it another name, with the date in it; that name.

    Raises:
        OSError: it can't be renamed, since the disk is read-only.
    """
    stem = f"{path.name}.damaged-{now:%Y-%m-%d}"
    goals = (path.with_name(stem + (f"-{number}" if number else "")) for number in range(1_000_000))
    goal = next(goal for goal in goals if not any(beside(goal, ending).exists() for ending in ("", WAL)))
    for ending in (WAL, SHM, ""):  # the file itself last: alone it opens, while its WAL alone would be deleted
        if beside(path, ending).exists():
            beside(path, ending).rename(beside(goal, ending))
    return goal


def salvage(path: Path) -> Iterator[Entry | DamagedError]:
    """All that can be read of a damaged journal, in order, with an error for each place that can't.

    After such a place everything is left out up to the next set-up: what comes out are beginnings of games.
    The file itself isn't touched.

    Raises:
        OSError: there is no room for the copy that is read.
    """
    with tempfile.TemporaryDirectory(prefix="journal-") as folder:
        copy = Path(folder) / "copy"
        for ending in ("", WAL):
            if beside(path, ending).exists():
                shutil.copyfile(beside(path, ending), beside(copy, ending))
        if is_beheaded(copy):
            _give_head(copy)
        with closing(connect(str(copy))) as db:
            yield from _clean(_rows(db))


def read(db: sqlite3.Connection) -> Iterator[Entry | DamagedError]:
    """All that can be read of a journal that is open, as `salvage` has it."""
    yield from _clean(_rows(db))


def _give_head(path: Path) -> None:
    """Makes an empty journal in the place of one that was lost, to read the WAL by."""
    template = beside(path, "-head")
    with closing(connect(str(template))) as db:
        db.execute("pragma journal_mode=wal")
        db.execute(TABLE)
    template.replace(path)


def _rows(db: sqlite3.Connection) -> Iterator[Row | DamagedError]:
    """The rows from the beginning to the first page that can't be read, and those from the end back to one."""
    last = 0
    try:
        if (
            db.execute("pragma page_count").fetchone()[0] <= 1
            and not db.execute("select 1 from sqlite_master").fetchone()
        ):
            return  # it was just being made
        db.execute("pragma writable_schema=on")  # so that SQLite tries, although pages are missing at the end
        for row in db.execute(f"{ALL} order by rowid"):
            last = row[0]
            yield row
        return
    except UNREADABLE as error:
        yield DamagedError(f"after entry {last}: {error}")
    rest: list[Row] = []
    try:
        for row in db.execute(f"{ALL} where rowid > ? order by rowid desc", [last]):
            rest.append(row)
    except UNREADABLE:
        pass
    yield from reversed(rest)


def _clean(rows: Iterator[Row | DamagedError]) -> Iterator[Entry | DamagedError]:
    """Entries that are what was written and follow one another."""
    whole: set[str] | None = None  # games of which nothing is missing; None: of all
    number = None
    for row in rows:
        try:
            if isinstance(row, DamagedError):
                raise row
            entry = entry_of(row)
        except DamagedError as error:
            whole, number = set(), None if number is None else number + 1
            yield error
            continue
        if number is not None and entry.number != number + 1:
            whole = set()
            yield gap(number, entry.number)
        number = entry.number
        if whole is not None and entry.kind == SETUP:
            whole.add(entry.game)
        if whole is None or entry.game in whole:
            yield entry

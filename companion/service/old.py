"""Journals of earlier versions, which were SQLite databases: read to be taken over, and never written."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from companion.service.entries import Entry, JournalError
from companion.service.lines import written
from companion.service.lock import opened

MAGIC = b"SQLite format 3\0"
BESIDE = ("-wal", "-shm", ".lock")
"""Endings of what lay beside such a journal: what was written last, an index of it, and the lock."""
COLUMNS = ("number", "kind", "game", "rules", "body", "events", "at", "seal")
"""The first journals had only the first six."""
FIRST_COLUMNS = 6
FOREIGN = "this is another sort of file; name another file"
UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
"""What reading a damaged file can raise: also names of columns and errors may hold letters that can't be."""
WAL_MAGIC, WAL_HEAD, FRAME_HEAD = b"\x37\x7f\x06", 32, 24
"""How a WAL begins, and how long the heads of it and of each page in it are. Source: SQLite's file format, 4."""


def is_old(path: Path) -> bool:
    """Whether such a journal is there, or only what was written last of it."""
    try:
        file = opened(path)
    except OSError:
        return False
    head = b""
    if file:
        with file:
            head = file.read(len(MAGIC))
    wal = beside(path, "-wal")
    return head == MAGIC or (not head.strip(b"\0") and wal.is_file() and wal.stat().st_size > 0)


def beside(path: Path, ending: str) -> Path:
    """A file that belongs to another one."""
    return path.with_name(path.name + ending)


def lines(path: Path) -> Iterator[bytes]:
    """All that can be read, as sealed lines, with one that isn't whole in the place of damage. The file isn't touched.

    Raises:
        JournalError: it is another program's database.
        OSError: there is no room for the copy that is read.
    """
    with tempfile.TemporaryDirectory(prefix="journal-") as folder:
        copy = Path(folder) / "copy"
        for ending in ("", "-wal"):
            if beside(path, ending).is_file():
                shutil.copyfile(beside(path, ending), beside(copy, ending))
        if not copy.exists() or not copy.stat().st_size:
            _give_head(copy)
        with closing(sqlite3.connect(copy, isolation_level=None)) as db:
            db.text_factory = lambda raw: raw.decode("utf-8", "replace")  # the seal tells of letters that can't be
            yield from written(_entries(db, path, beside(copy, "-wal")))


def _entries(db: sqlite3.Connection, path: Path, wal: Path) -> Iterator[Entry | None]:
    number = None
    for row in _rows(db, not beside(path, ".lock").exists(), path):
        entry = _entry(row) if row else None
        if entry and number and entry.number != number + 1:
            yield None
        number = entry.number if entry else None
        yield entry
    if _lost(db, wal):
        yield None


def _rows(db: sqlite3.Connection, strange: bool, path: Path) -> Iterator[tuple[Any, ...] | None]:
    """The rows from the beginning to the first page that can't be read, and those from the end back to one."""
    last, rest = 0, []
    try:
        there = {row[1] for row in db.execute("pragma table_info(entries)")}
        if not there and db.execute("pragma page_count").fetchone()[0] <= 1:
            return  # it was just being made
        if (
            strange
            and not there.issuperset(COLUMNS[:FIRST_COLUMNS])
            and db.execute("select 1 from sqlite_master").fetchone()
        ):
            raise JournalError(f"journal {path}: {FOREIGN}")
        db.execute("pragma writable_schema=on")  # so that SQLite tries, although pages are missing at the end
        for row in db.execute("select * from entries order by rowid"):
            last = row[0]
            yield row
        return
    except UNREADABLE:
        yield None
    try:
        for row in db.execute("select * from entries where rowid > ? order by rowid desc", [last]):
            rest.append(row)
    except UNREADABLE:
        pass
    yield from reversed(rest)


def _entry(row: tuple[Any, ...]) -> Entry | None:
    """The entry in a row; further columns are left out. None if it isn't what was written."""
    *content, seal = (row if len(row) > FIRST_COLUMNS else (*row, "", None))[: len(COLUMNS)]
    if seal is not None and seal != zlib.crc32(msgspec.json.encode(tuple(content))):
        return None
    fields: dict[str, Any] = dict(zip(COLUMNS, content, strict=False))
    try:
        fields |= {name: msgspec.json.decode(fields[name]) for name in ("body", "events")}
        return msgspec.convert(fields, Entry)
    except (msgspec.MsgspecError, TypeError, ValueError):
        return None


def _give_head(path: Path) -> None:
    """Makes an empty journal in the place of one that was lost, to read the WAL by."""
    with (
        tempfile.TemporaryDirectory(prefix="journal-") as folder,
        closing(sqlite3.connect(Path(folder) / "head")) as db,
    ):
        db.execute("pragma journal_mode=wal")
        db.execute(f"create table entries (number integer primary key, {', '.join(COLUMNS[1:])})")
        db.execute("pragma wal_checkpoint(truncate)")
        shutil.copyfile(Path(folder) / "head", path)


def _lost(db: sqlite3.Connection, wal: Path) -> bool:
    """Whether the WAL holds more that was saved than SQLite can read, which leaves that out without a word."""
    try:
        content = wal.read_bytes()
        size = db.execute("pragma page_size").fetchone()[0] + FRAME_HEAD
        read = db.execute("pragma wal_checkpoint").fetchone()[1]
    except (OSError, sqlite3.Error):
        return False
    if content and not content.startswith(WAL_MAGIC):
        return True
    frames = [content[at : at + FRAME_HEAD] for at in range(WAL_HEAD, len(content), size)][max(read, 0) :]
    return any(frame[8:16] == content[16:24] and any(frame[4:8]) for frame in frames)

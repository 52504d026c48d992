"""The journal: every move of every game, on disk before it is announced.

SQLite in write-ahead mode with full synchronisation: what `append` has returned from survives a pulled plug. The table
only ever grows; undo and redo are entries of their own. The state of a game is the replay of its entries.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from companion.core.game import Event, Game
from companion.core.messages import Message, say
from companion.service.database import ALL, FOREIGN, UNREADABLE, connect, last_game, prepare, write
from companion.service.entries import (
    ACCEPTED,
    ENDED,
    FREED,
    LEFT_OUT,
    MOVE,
    REDO,
    SETUP,
    UNDO,
    DamagedError,
    Entry,
    JournalError,
    entry_of,
)
from companion.service.lock import FULL, Lock, lock_beside
from companion.service.rescue import is_beheaded, is_foreign, salvage, set_aside

__all__ = [
    "ACCEPTED",
    "ENDED",
    "FREED",
    "LEFT_OUT",
    "MOVE",
    "REDO",
    "SETUP",
    "UNDO",
    "Entry",
    "Journal",
    "JournalError",
    "default_path",
]

BROKEN = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
"""What SQLite reports of a damaged file; the first where our table is none that our queries understand."""
TROUBLES = {
    sqlite3.SQLITE_FULL: "journal-full",
    sqlite3.SQLITE_READONLY: "journal-read-only",
    sqlite3.SQLITE_CANTOPEN: "journal-read-only",
}
"""What the screen says of what SQLite reports."""
REMEDIES = {
    "journal-full": "nothing was written, and the move was not made; free some space",
    "journal-read-only": "nothing was written, and the move was not made; make it writable, or name another file",
}
OTHERWISE = "nothing was written, and the move was not made; look after the disk, or name another file"

LEAST_BYTES = 65536
"""With less room than that SQLite can't even begin: its index of the WAL alone takes half of it."""

T = TypeVar("T")
New = tuple[str, Game[Any, Any], Mapping[str, Any], tuple[Event, ...]]
"""An entry to be added: kind, game, body, events."""


def utc_now() -> datetime:
    """The time of the box's clock, which may be wrong: a Raspberry Pi has no battery."""
    return datetime.now(UTC)


class Journal:
    """A journal file, opened for writing; only one process may have it.

    A file that turns out to be damaged is set aside under another name, and a new one is begun with what can be read of
    the last games. `news` tells of it.

    Args:
        path: the file; it is made with its folder if it isn't there. `:memory:` keeps nothing.
        now: the time that stands in entries.

    Raises:
        JournalError: another process plays with the file, it or its folder can't be written, or it is no journal.
    """

    def __init__(self, path: Path | str, now: Callable[[], datetime] = utc_now) -> None:
        self.path = path
        self._now = now
        self._db: sqlite3.Connection | None = None
        self._lock: Lock | None = None
        self._file: tuple[int, int] | None = None
        self._news: list[Message] = []
        self._game: list[Entry] = []
        self._owed: list[Entry] = []
        self._closed = False
        self._ours = isinstance(path, Path) and lock_beside(path).exists()
        if isinstance(path, Path) and is_foreign(path):
            raise JournalError(f"journal {path}: {FOREIGN}")
        try:
            self._on_file(lambda _: None)
        except JournalError:
            self.close()
            raise

    def append(self, entries: Iterable[New]) -> None:
        """Adds entries as one piece: all of them are on disk afterwards, or none.

        Raises:
            JournalError: the disk is full or gone; nothing was added, and it may be tried again.
        """
        at = self._now().astimezone(UTC).isoformat(timespec="seconds")
        new = [Entry(0, kind, game.id, game.rules_version, body, events, at) for kind, game, body, events in entries]
        if self._lost():
            self._begin_anew(self._game)
            self._unlock()
            self._news.append(say("notice.journal-lost"))
        self._on_file(lambda db: write(db, new))
        for entry in new:
            if entry.kind == SETUP:
                self._game = []
            self._game.append(entry)

    def last_game(self, game: str) -> tuple[Entry, ...]:
        """The entries of the game of this id that was set up last, in order; empty if there is none to carry on.

        Only that game is read.

        Raises:
            JournalError: the file can't be read.
        """
        found = self._on_file(lambda db: last_game(db, game))
        self._game = list(found)
        return found

    def entries(self) -> Iterator[Entry]:
        """All entries, in order.

        Raises:
            JournalError: the file can't be read, or an entry isn't what was written.
        """
        yield from self._on_file(lambda db: tuple(map(entry_of, db.execute(f"{ALL} order by rowid"))))

    def news(self) -> tuple[Message, ...]:
        """What happened to the file since the last call."""
        news, self._news = tuple(self._news), []
        return news

    def close(self) -> None:
        """Closes the file, and lets others have it."""
        self._closed = True
        self._close_file()
        self._unlock()

    def _on_file(self, act: Callable[[sqlite3.Connection], T]) -> T:
        """Does something with the file; if that is damaged, with a new one."""
        try:
            try:
                return act(self._open())
            except (*UNREADABLE, DamagedError) as error:
                if isinstance(error, sqlite3.Error) and _code(error) not in BROKEN:
                    raise
                self._renew()
                return act(self._open())
        except (*UNREADABLE, DamagedError, OSError) as error:
            raise self._failed(error) from error

    def _open(self) -> sqlite3.Connection:
        """The file, opened if it isn't, with all that has to stand in it."""
        if self._closed:
            raise ValueError(f"journal {self.path} is closed")
        if self._db is None:
            if isinstance(self.path, Path):
                _make_folder(self.path.parent)
                if self._lock is None:
                    self._lock = Lock(self.path)
                if is_beheaded(self.path):
                    raise DamagedError("the file is empty, but its WAL is not")
            db = connect(str(self.path))
            try:
                prepare(db, self.path, self._ours)
            except (*UNREADABLE, JournalError):
                db.close()
                raise
            self._db, self._file, self._ours = db, self._identity(), True
        if self._owed:
            write(self._db, self._owed)
            self._owed = []
        return self._db

    def _renew(self) -> None:
        """Sets a damaged file aside; a new one will begin with the last games as far as they can be read.

        Raises:
            OSError: the disk is full or read-only.
        """
        assert isinstance(self.path, Path), "a journal in memory can't be damaged"
        self._close_file()
        rescued = self._game or _last_games(salvage(self.path))
        aside = set_aside(self.path, self._now())
        self._begin_anew(rescued)
        self._news.append(say("notice.journal-damaged", file=aside.name))

    def _begin_anew(self, entries: Iterable[Entry]) -> None:
        """The next use finds or makes another file, and writes these entries first."""
        self._close_file()
        self._owed = list(entries)

    def _lost(self) -> bool:
        """Whether the file that is open isn't the one of this name any more: what is written to it would be gone."""
        return self._db is not None and self._file is not None and self._identity() != self._file

    def _identity(self) -> tuple[int, int] | None:
        try:
            found = Path(self.path).stat()
        except OSError:
            return None
        return (found.st_dev, found.st_ino)

    def _close_file(self) -> None:
        if self._db is not None:
            with suppress(sqlite3.Error):  # whatever is wrong with it, it is given up
                self._db.close()
            self._db = None

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _failed(self, error: Exception) -> JournalError:
        if isinstance(error, JournalError) and not isinstance(error, DamagedError):
            return error
        trouble = TROUBLES.get(_code(error), "journal")
        if isinstance(error, OSError):
            trouble = "journal-full" if error.errno in FULL else "journal-read-only"
        elif _code(error) == sqlite3.SQLITE_IOERR and self._room() < LEAST_BYTES:
            trouble = "journal-full"
        return JournalError(f"journal {self.path}: {error}; {REMEDIES.get(trouble, OTHERWISE)}", trouble)

    def _room(self) -> int:
        """Bytes that are free where the file lies."""
        try:
            return shutil.disk_usage(Path(self.path).parent).free
        except OSError:
            return LEAST_BYTES


def default_path(game: str) -> Path:
    """Where the journal of a game is kept if nobody says otherwise: in the user's data folder."""
    import platformdirs

    return platformdirs.user_data_path("tabletop-companion") / f"{game}.journal"


def _code(error: Exception) -> int:
    """SQLite's primary code of an error, 0 if it has none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _last_games(entries: Iterable[Entry | DamagedError]) -> list[Entry]:
    """The last game of each id."""
    last: dict[str, list[Entry]] = {}
    for entry in entries:
        if isinstance(entry, Entry):
            if entry.kind == SETUP:
                last[entry.game] = []
            last.setdefault(entry.game, []).append(entry)
    return sorted((entry for game in last.values() for entry in game), key=lambda entry: entry.number)


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"journal folder {folder}: {error.strerror}; name a folder that can be written") from error

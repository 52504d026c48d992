"""The journal: every move of every game, on disk before it is announced.

SQLite in write-ahead mode with full synchronisation: what `append` has returned from survives a pulled plug. The table
only ever grows; undo and redo are entries of their own. The state of a game is the replay of its entries.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.core.errors import CompanionError
from companion.core.game import Event, Game, Refusal, decode

SETUP, MOVE, UNDO, REDO, FREED, ENDED = "setup", "move", "undo", "redo", "freed", "ended"

_TABLE = """
create table if not exists entries (
    number integer primary key,
    kind text not null,
    game text not null,
    rules integer not null,
    body text not null,
    events text not null
) strict
"""


class JournalError(CompanionError, RuntimeError):
    """The journal can't be opened, written or replayed; the text says where and what to do."""


class Entry(msgspec.Struct, frozen=True):
    """One line of the journal.

    Attributes:
        number: counts all entries of the file, from 1.
        kind: `setup`, `move`, `undo`, `redo`, `freed` (what undone moves left on the table has changed), or `ended`:
            people have given the game up.
        game: the game's id.
        rules: the rules version that wrote it.
        body: the set-up line, the move, or what an undo left on the table, as JSON values.
        events: what was announced, as JSON values.
    """

    number: int
    kind: str
    game: str
    rules: int
    body: Mapping[str, Any]
    events: tuple[Event, ...] = ()


class Journal:
    """A journal file, opened for writing.

    Args:
        path: the file; it is made with its folder if it isn't there. `:memory:` keeps nothing.

    Raises:
        JournalError: the file or its folder can't be written, or is no journal.
    """

    def __init__(self, path: Path | str) -> None:
        self.path = path
        if isinstance(path, Path):
            _make_folder(path.parent)
        try:
            self._db = sqlite3.connect(path, isolation_level=None)
            self._db.execute("pragma journal_mode=wal")
            self._db.execute("pragma synchronous=full")
            self._db.execute(_TABLE)
        except sqlite3.Error as error:
            raise JournalError(f"journal {path}: {error}; name another file, or free it for writing") from error

    def append(self, entries: Iterable[tuple[str, Game[Any, Any], Mapping[str, Any], tuple[Event, ...]]]) -> None:
        """Adds entries (kind, game, body, events) as one piece: all of them are on disk afterwards, or none.

        Raises:
            JournalError: the disk is full or gone; nothing was added.
        """
        rows = [
            (kind, game.id, game.rules_version, _json(body), _json(msgspec.to_builtins(events)))
            for kind, game, body, events in entries
        ]
        try:
            with self._db:
                self._db.execute("begin immediate")
                self._db.executemany(
                    "insert into entries (kind, game, rules, body, events) values (?, ?, ?, ?, ?)", rows
                )
        except sqlite3.Error as error:
            raise JournalError(
                f"journal {self.path}: {error}; the move was not made, free some space and repeat it"
            ) from error

    def last_game(self, game: str) -> tuple[Entry, ...]:
        """The entries of the game of this id that was set up last, in order; empty if there is none to carry on.

        Raises:
            JournalError: an entry can't be read.
        """
        mine = [entry for entry in self.entries() if entry.game == game]
        starts = [index for index, entry in enumerate(mine) if entry.kind == SETUP]
        given_up = bool(mine) and mine[-1].kind == ENDED
        return tuple(mine[starts[-1] :]) if starts and not given_up else ()

    def entries(self) -> Iterable[Entry]:
        """All entries, in order.

        Raises:
            JournalError: an entry can't be read.
        """
        row: Any = ()
        try:
            for row in self._db.execute("select number, kind, game, rules, body, events from entries order by number"):
                number, kind, game, rules, body, events = row
                told = msgspec.json.decode(events, type=tuple[Event, ...])
                yield Entry(number, kind, game, rules, msgspec.json.decode(body), told)
        except (sqlite3.Error, msgspec.MsgspecError) as error:
            where = f"entry {row[0]}" if row else "the first entry"
            raise JournalError(f"journal {self.path}, {where}: {error}; name another file") from error

    def close(self) -> None:
        """Closes the file."""
        self._db.close()


def default_path(game: str) -> Path:
    """Where the journal of a game is kept if nobody says otherwise: in the user's data folder."""
    import platformdirs

    return platformdirs.user_data_path("tabletop-companion") / f"{game}.journal"


class Replay(msgspec.Struct, frozen=True):
    """What the entries of one game lead to.

    Attributes:
        line: the set-up line.
        past: the state at the start and after each move that stands.
        moves: the moves that stand, as JSON objects.
        told: what each of these moves announced.
        future: moves that were taken back and could be made again, the next one last, with their states and events.
        taken_back: what undone moves left on the table.
    """

    line: Mapping[str, Any]
    past: tuple[Any, ...]
    moves: tuple[Mapping[str, Any], ...]
    told: tuple[tuple[Event, ...], ...]
    future: tuple[tuple[Any, tuple[Event, ...]], ...]
    taken_back: Mapping[str, str | None]


def replay(game: Game[Any, Any], entries: Iterable[Entry]) -> Replay:
    """The states that a game went through.

    Raises:
        JournalError: an entry doesn't follow from those before it under today's rules; the text says which and how.
    """
    past: list[Any] = []
    told: list[tuple[Event, ...]] = []
    moves: list[Mapping[str, Any]] = []
    future: list[tuple[Any, Mapping[str, Any], tuple[Event, ...]]] = []
    taken_back: Mapping[str, str | None] = {}
    line: Mapping[str, Any] = {}
    for entry in entries:
        if entry.kind == SETUP:
            line, past, moves, told, future = entry.body, [_checked(entry, game.setup(entry.body))], [], [], []
            taken_back = {}
        elif entry.kind == UNDO and len(past) > 1:
            future.append((past.pop(), moves.pop(), told.pop()))
            taken_back = entry.body.get("taken_back", {})
        elif entry.kind == REDO and future:
            state, again, events = future.pop()
            past.append(state)
            moves.append(again)
            told.append(events)
        elif entry.kind == FREED and past:
            taken_back = entry.body.get("taken_back", {})
        elif entry.kind == MOVE and past:
            move = _checked(entry, decode(game, entry.body))
            step = _checked(entry, game.apply(past[-1], move))
            if step.events != entry.events:
                raise JournalError(
                    _differs(entry, f"it announces {_told(step.events)} instead of {_told(entry.events)}")
                )
            past.append(step.state)
            moves.append(entry.body)
            told.append(step.events)
            future = []
        else:
            raise JournalError(_differs(entry, "nothing stands before it that it could apply to"))
    undone = tuple((state, events) for state, _, events in future)
    return Replay(line, tuple(past), tuple(moves), tuple(told), undone, taken_back)


def _checked(entry: Entry, result: Any) -> Any:
    if isinstance(result, Refusal):
        raise JournalError(_differs(entry, f"today's rules refuse it: {result.code} {dict(result.params)}"))
    return result


def _differs(entry: Entry, how: str) -> str:
    where = (
        f"journal entry {entry.number} ({entry.game}, rules version {entry.rules}), {entry.kind} {_json(entry.body)}"
    )
    return f"{where}: {how}; start a new game, and send this journal with a report"


def _told(events: Iterable[Event]) -> str:
    return ", ".join(event.name for event in events) or "nothing"


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"journal folder {folder}: {error.strerror}; name a folder that can be written") from error

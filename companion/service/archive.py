"""Journals as something to look at, to take along and to send: read without being opened for playing."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from io import FileIO
from pathlib import Path
from typing import Any

import msgspec

from companion import files
from companion.core.game import Game
from companion.service import lines, old
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
    gap,
)
from companion.service.journal import Journal
from companion.service.lock import opened
from companion.service.pair import mark, names_of, sound, sources_of
from companion.service.replay import ReplayError, replay, standing

MOST_BYTES = 1 << 28
"""So large an exported journal may be."""
KINDS = (SETUP, MOVE, ACCEPTED, UNDO, REDO, FREED, ENDED, LEFT_OUT)


class Played(msgspec.Struct, frozen=True):
    """One game of a journal.

    Attributes:
        number: counts the games of the journal, from 1.
        entries: from its set-up on; without a set-up if the journal begins in the middle of a game.
    """

    number: int
    entries: tuple[Entry, ...]

    @property
    def game(self) -> str:
        """The game's id."""
        return self.entries[0].game

    @property
    def began(self) -> datetime | None:
        """When it was set up, by the clock of the box; None if that wasn't kept."""
        try:
            return datetime.fromisoformat(self.entries[0].at)
        except ValueError:
            return None

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, as far as the set-up line says it."""
        named = self.entries[0].body.get("players")
        players = named if isinstance(named, list) else []
        return tuple(str(one.get("name", "?")) if isinstance(one, dict) else str(one) for one in players)

    @property
    def mode(self) -> str:
        """Which of the game's ways of playing it was; empty where there is one only."""
        return str(self.entries[0].body.get("mode", ""))

    @property
    def moves(self) -> int:
        """How many moves stand."""
        kinds = [entry.kind for entry in standing(self.entries)]
        return kinds.count(MOVE) + kinds.count(ACCEPTED) + kinds.count(REDO) - kinds.count(UNDO)

    def standing(self, rules: Game[Any, Any]) -> str:
        """How far it is, in a few words.

        Raises:
            ReplayError: it doesn't follow today's rules.
        """
        found = replay(rules, self.entries)
        if found.differs:
            raise ReplayError(found.differs)
        outcome = rules.outcome(found.history.state)
        if outcome:
            scores = sorted(outcome.scores.items(), key=lambda one: -one[1])
            told = ", ".join(f"{name} {points}" for name, points in scores)
            return f"over, {' and '.join(outcome.winners) or 'nobody'} won: {told}"
        return f"{'given up' if self.entries[-1].kind == ENDED else 'not over'}, {self.moves} moves"


def is_there(path: Path) -> bool:
    """Whether there is a journal of this name, or anything left of one."""
    return any(map(mark, names_of(path))) or old.is_old(path)


def entries_of(path: Path) -> Iterator[Entry | DamagedError]:
    """All entries that can be read, in order, also of a journal that is being played with or lies on a read-only disk.

    In the place of damage comes an error; after it everything is left out up to the next set-up. One of the two files
    that isn't the other's copy is such an error as well, though nothing is missing.

    Raises:
        JournalError: there is no such file, or it is no journal.
    """
    last = None
    with ExitStack() as opening:
        for found in _read(path, opening):
            if isinstance(found, DamagedError):
                yield found
                last = None
                continue
            for entry in lines.entries_in(found):
                if last and entry.number != last + 1:
                    yield gap(last, entry.number)
                last = entry.number
                yield entry


def last_game(path: Path, game: str) -> tuple[Entry, ...]:
    """The entries of the last game of this id, as a journal that is opened for playing would carry it on.

    The files stay as they are, also if they are damaged; then it is what can be read of the game.

    Raises:
        JournalError: there is no such file, or it is no journal.
    """
    with ExitStack() as opening:
        if found := sound(_opened(path, opening)):
            file, end = found
            start = end.setups.get(game, (end.size, 0))[0]
            return lines.last_game(lines.lines_of(file, end.size, start), game)
    mine = [played.entries for played in games(entries_of(path), []) if played.game == game]
    return () if not mine or mine[-1][-1].kind == ENDED else mine[-1]


def games(entries: Iterable[Entry | DamagedError], faults: list[DamagedError]) -> Iterator[Played]:
    """The games in a journal, in the order in which they ended; what is damaged is added to `faults`."""
    number = 0
    running: dict[str, tuple[int, list[Entry]]] = {}
    for entry in entries:
        if isinstance(entry, DamagedError):
            faults.append(entry)
            continue
        if entry.kind == SETUP or entry.game not in running:
            if entry.game in running:
                yield _played(running[entry.game])
            number += 1
            running[entry.game] = (number, [])
        running[entry.game][1].append(entry)
    yield from map(_played, running.values())


def last_games(entries: Iterable[Entry | DamagedError], faults: list[DamagedError], most: int | None) -> list[Played]:
    """The last games by the number of their set-up; all if `most` is None."""
    found = games(entries, faults)
    kept = list(found) if most is None else heapq.nlargest(most, found, key=lambda played: played.number)
    return sorted(kept, key=lambda played: played.number)


def line_of(entry: Entry) -> bytes:
    """An entry as a line of JSON."""
    return msgspec.json.encode(entry) + b"\n"


def reported(path: Path) -> Iterator[bytes]:
    """The lines of an exported journal.

    Raises:
        JournalError: there is no such file, it is none that can be one, or it is too large.
    """
    try:
        yield from files.lines(path, MOST_BYTES, lines.MOST_BYTES)
    except files.FileError as error:
        raise JournalError(str(error)) from error


def parse(lines: Iterable[bytes], name: str) -> Iterator[Entry]:
    """The entries in the lines of an exported journal.

    Raises:
        JournalError: a line is no entry, or entries are missing before it; the text names the line.
    """
    last = None
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entry = msgspec.json.decode(line, type=Entry)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise JournalError(f"{name}, line {number}: no entry of a journal: {error}; export it again") from error
        if entry.kind not in KINDS:
            raise JournalError(f"{name}, line {number}, kind: {entry.kind!r}; there are {', '.join(KINDS)}")
        if not 0 < entry.number < 2**63:
            raise JournalError(f"{name}, line {number}, number: {entry.number}; it counts entries from 1")
        if last is not None and (entry.number <= last or (entry.number != last + 1 and entry.kind != SETUP)):
            raise JournalError(f"{name}, line {number}: entry {entry.number} after entry {last}; export it again")
        last = entry.number
        yield entry


def write_new(path: Path, entries: Iterable[Entry]) -> int:
    """Makes a journal of entries, which keep their numbers and times; how many there were.

    Raises:
        JournalError: the file is there already, or can't be written; nothing is left of it.
    """
    if is_there(path):
        raise JournalError(f"{path}: is there already and stays as it is; name another file with -o")
    with closing(Journal(path, first=lines.written(entries))) as journal:
        return sum(1 for _ in journal.entries())


def _played(found: tuple[int, list[Entry]]) -> Played:
    return Played(found[0], tuple(found[1]))


def _opened(path: Path, opening: ExitStack) -> list[FileIO]:
    """The files of a journal that are there."""
    try:
        there = [file for name in names_of(path) if (file := opened(name))]
    except OSError as error:
        raise JournalError(f"journal {path}: can't be read ({error.strerror}); name a file that can") from error
    for file in there:
        opening.callback(file.close)
    return there


def _read(path: Path, opening: ExitStack) -> Iterator[bytes | DamagedError]:
    """The lines of a journal that can be read, with errors in the place of what can't."""
    if not is_there(path):
        raise JournalError(f"journal {path}: there is no such file; name one that is there")
    files = _opened(path, opening)
    if found := sound(files):
        file, end = found
        yield from lines.lines_of(file, end.size)
        return
    sources, is_old = sources_of(path, files, None)
    try:
        yield from lines.merged(sources)
    except OSError as error:
        raise JournalError(f"journal {path}: {error}; free some space") from error
    if not is_old:
        yield DamagedError("one of its two files is damaged or missing; who plays with it mends it")

"""The journal: every move of every game, on disk before it is announced.

What `append` has returned from stands in two files, and survives a pulled plug, and damage to either of them. A journal
only ever grows; undo and redo are entries of their own. The state of a game is the replay of its entries.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, suppress
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import Any

from companion.core.game import Event, Game
from companion.core.messages import Message, say
from companion.service import lines, old, pair
from companion.service.entries import SETUP, Entry, JournalError
from companion.service.lines import End
from companion.service.lock import holder, holder_of, opened

New = tuple[str, Game[Any, Any], Mapping[str, Any], tuple[Event, ...]]
"""An entry to be added: kind, game, body, events."""


def utc_now() -> datetime:
    """The time of the box's clock, which may be wrong: a Raspberry Pi has no battery."""
    return datetime.now(UTC)


class Journal:
    """A journal, opened for writing; only one process may have it.

    Whatever of its files is damaged or gone is made anew from what is whole in the other, and `news` tells of it.

    Args:
        path: its first file; the other one lies beside it. `:memory:` keeps nothing.
        now: the time that stands in entries.
        first: the lines of a new journal.

    Raises:
        JournalError: another process plays with it, it or its folder can't be written, or it is no journal.
    """

    def __init__(
        self, path: Path | str, now: Callable[[], datetime] = utc_now, first: Iterable[bytes] = (lines.HEAD,)
    ) -> None:
        self.path = path
        self._now = now
        self._names = pair.names_of(path) if isinstance(path, Path) else []
        self._files: list[FileIO] = []
        self._marks: list[tuple[int, ...]] = []
        self._end = End(0, lines.START, 0, {})
        self._unsettled = False
        self._game, self._before = "", lines.START
        self._lately: list[bytes] = []  # what follows on `_before`: the game that is being played
        self._news: list[Message] = []
        if self._names:
            with pair.in_words(path, self._names):
                self._open(first)

    def append(self, entries: Iterable[New]) -> None:
        """Adds entries as one piece: all of them are on disk afterwards, in both files, or none.

        Raises:
            JournalError: the disk is full or gone; nothing was added, and it may be tried again.
        """
        at = self._now().astimezone(UTC).isoformat(timespec="seconds")
        with pair.in_words(self.path, self._names):
            self._check()
            new = [
                Entry(number, kind, game.id, game.rules_version, body, events, at)
                for number, (kind, game, body, events) in enumerate(entries, self._end.number + 1)
            ]
            if not new:
                return
            line, seal = lines.sealed(new, self._end.seal)
            self._unsettled = True
            try:
                for file in self._files:
                    pair.write(file, line, self._end.size)
            except BaseException:
                with suppress(OSError):
                    self._settle()
                raise
        self._unsettled = False
        self._marks = [pair.mark(file) for file in self._files]
        begun = {entry.game: (self._end.size, self._end.seal) for entry in new if entry.kind == SETUP}
        if begun and self._names:
            self._game, self._before, self._lately = new[0].game, self._end.seal, []
        self._lately.append(line)
        self._end = End(self._end.size + len(line), seal, new[-1].number, {**self._end.setups, **begun})

    def last_game(self, game: str) -> tuple[Entry, ...]:
        """The entries of the game of this id that was set up last, in order; empty if there is none to carry on.

        Only what was written since then is read.

        Raises:
            JournalError: the files can't be read.
        """
        return lines.last_game(self._lines(game), game) if game in self._end.setups else ()

    def entries(self) -> Iterator[Entry]:
        """All entries, in order.

        Raises:
            JournalError: the files can't be read.
        """
        for line in self._lines():
            yield from lines.entries_in(line)

    def news(self) -> tuple[Message, ...]:
        """What happened to the files since the last call."""
        news, self._news = tuple(self._news), []
        return news

    def close(self) -> None:
        """Closes the files, and lets others have them."""
        for file in self._files:
            file.close()

    def _lines(self, game: str = "") -> list[bytes]:
        """The lines since the last set-up of a game, or all. The former are kept in mind, to mend the files by."""
        if not self._names:
            return self._lately
        with pair.in_words(self.path, self._names):
            self._check()
            found, before = self._read(game)
            if not lines.end_of(found, before):
                self._open()
                found, before = self._read(game)
        if game:
            self._game, self._before, self._lately = game, before, found
        return found

    def _read(self, game: str) -> tuple[list[bytes], int]:
        start, before = self._end.setups.get(game, (0, 0))
        return list(lines.lines_of(self._files[0], self._end.size, start)), before

    def _check(self) -> None:
        """Sees whether the files are those that were written, and mends them if not."""
        self._settle()
        if self._marks != [pair.mark(name) for name in self._names]:
            self._open()

    def _settle(self) -> None:
        """Takes away what an append that failed may have left."""
        if self._unsettled:
            for file in self._files:
                os.ftruncate(file.fileno(), self._end.size)
            self._unsettled = False
            self._marks = [pair.mark(file) for file in self._files]

    def _open(self, first: Iterable[bytes] = (lines.HEAD,)) -> None:
        """Opens what the names lead to; what isn't equal and whole, and as long as it was, is mended."""
        self._names[0].parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as opening:
            found = [self._taken(name, opening) for name in self._names]
            files = [file for file in found if file]
            end, known = pair.whole(files), self._end
            if end is None or (self._files and (end.size, end.seal) != (known.size, known.seal)):
                files = self._mend(found, first, opening)
                end = pair.whole(files)
            if end is None:
                raise OSError(errno.EIO, "what was written can't be read again")
            opening.pop_all()
        for file in {*self._files, *filter(None, found)} - {*files}:
            file.close()
        self._files, self._end = files, end._replace(number=max(end.number, known.number))
        self._marks = [pair.mark(file) for file in files]
        if self._game in end.setups:
            self._lately, self._before = self._read(self._game)

    def _taken(self, name: Path, opening: ExitStack, flags: int = os.O_RDWR) -> FileIO | None:
        """The file of a name, locked; the one that is open already if it is that."""
        for file in self._files:
            if pair.mark(file)[:2] == pair.mark(name)[:2]:
                return file
        found = opened(name, flags)
        if found:
            opening.callback(found.close)
            self._refuse(holder(found))
        return found

    def _refuse(self, process: str) -> None:
        if process:
            words = f"process {process} is playing with it; end that one first, or name another file"
            raise JournalError(f"journal {self.path}: {words}", "journal-held")

    def _mend(self, found: list[FileIO | None], first: Iterable[bytes], opening: ExitStack) -> list[FileIO]:
        """Makes both names lead to what is whole in any file that is there, or open still though its name is gone."""
        there = [file for file in found if file]
        there += [file for file in self._files if file not in there]
        sources, is_old = pair.sources_of(self._names[0], there, self._end.size if self._files else None)
        if self._lately:
            sources.append(lines.links(self._lately, self._before))
        if is_old:
            self._refuse(holder_of(old.beside(self._names[0], ".lock")))
        with tempfile.TemporaryFile(dir=self._names[0].parent, buffering=0) as truth:
            last, faults = pair.fill(truth, lines.merged(sources) if sources else first)
            size, files = pair.size_of(truth), []
            for name, file in reversed([*zip(self._names, found, strict=True)]):
                if file and pair.equal(file, truth):
                    files.append(file)
                    continue
                fresh = self._copied(truth, name, file, opening)
                if file and not faults and pair.cut_short(file, truth, last):
                    self._news.append(say("notice.journal-cut-short"))
                elif is_old and name == self._names[0]:
                    self._news.append(say("notice.journal-taken-over", file=pair.set_aside(name, "old", self._now())))
                elif file:
                    sure = not faults and pair.size_of(file) <= size  # one that is longer may have held more
                    aside = pair.set_aside(name, "damaged", self._now())
                    self._news.append(say(f"notice.journal-{'mended' if sure else 'damaged'}", file=aside))
                elif sources and not is_old and not faults:
                    self._news.append(say("notice.journal-restored", file=name.name))
                pair.replace(name)
                files.append(fresh)
        self._news += pair.missing(faults, size)
        return files[::-1]

    def _copied(self, truth: FileIO, name: Path, file: FileIO | None, opening: ExitStack) -> FileIO:
        """A file beside the one of a name, to be put into its place."""
        fresh = self._taken(pair.fresh_of(name), opening, os.O_RDWR | os.O_CREAT)
        assert fresh
        opening.callback(pair.fresh_of(name).unlink, missing_ok=True)
        if pair.mark(name)[:2] != (pair.mark(file)[:2] if file else ()):
            self._refuse("(unknown)")  # another process has just made it
        fresh.truncate(0)
        with lines.reading(truth) as reader, open(fresh.fileno(), "wb", closefd=False) as writer:
            shutil.copyfileobj(reader, writer)
        os.fsync(fresh.fileno())
        return fresh


def default_path(game: str) -> Path:
    """Where the journal of a game is kept if nobody says otherwise: in the user's data folder."""
    import platformdirs

    return platformdirs.user_data_path("tabletop-companion") / f"{game}.journal"

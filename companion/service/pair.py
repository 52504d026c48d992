"""Two equal files of sealed lines: whatever happens to one of them, the other has it all."""

from __future__ import annotations

import errno
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from io import FileIO
from pathlib import Path

from companion.core.messages import Message, say
from companion.service.entries import SETUP, DamagedError, Entry, JournalError
from companion.service.lines import (
    FORM,
    HEAD,
    START,
    End,
    Link,
    chain,
    common,
    lines_of,
    links,
    merged,
    reading,
    sealed,
)
from companion.service.lock import held, holder, lock, opened
from companion.service.old import BESIDE, FOREIGN, beside, is_old
from companion.service.old import links as old_links

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says when there is no room left."""
CLOSED = (errno.EACCES, errno.EPERM)
UNWRITTEN = "nothing was written, and the move was not made"


def names_of(path: Path) -> tuple[Path, Path]:
    """The two files of a journal, whatever link leads there."""
    path = Path(os.path.realpath(path))
    return path, beside(path, "-2")


def whole(there: Sequence[FileIO]) -> End | None:
    """Where two files end, if they are equal and all of them is whole."""
    return None if len(there) < 2 or _differ(*there) else chain(lines_of(there[0]))


def sources_of(path: Path, there: Sequence[FileIO], end: int | None = None) -> tuple[list[Iterable[Link | None]], bool]:
    """What a journal can be read from if its files aren't whole, and whether that is one of an earlier version.

    Args:
        path: its name.
        there: its files.
        end: what stands in them from this byte on isn't its own; known if it is being played with.

    Raises:
        JournalError: they are of another sort.
    """
    sources: list[Iterable[Link | None]] = [links(lines_of(file, end)) for file in there]
    if end is not None or any(any(links(lines_of(file))) for file in there):
        return sources, False
    if is_old(path):
        return [old_links(path)], True
    heads = [next(lines_of(file, len(FORM)), b"") for file in there]
    strange = [head for head in heads if head.strip(b"\0") and not FORM.startswith(head)]
    if strange and not (len(there) == 2 and path.suffix == ".journal"):  # two of these names can be nothing else
        raise JournalError(f"journal {path}: {FOREIGN}")
    return sources, False


class Pair:
    """The files, open for writing and locked.

    Whatever of them is damaged, or gone, is made anew from what is whole in the other, and set aside.

    Args:
        path: name of the first one; both are made with their folder if neither is there.
        now: the time that stands in the names of files that are set aside.
        first: what stands in new files.

    Attributes:
        end: where they end.
        news: what happened to them.

    Raises:
        JournalError: another process has them, they can't be written, or they are of another sort.
    """

    end: End

    def __init__(self, path: Path, now: Callable[[], datetime], first: Iterable[Link] = ()) -> None:
        self._path, self._now = path, now
        self._names = names_of(path)
        self._files: list[FileIO] = []
        self._marks: list[tuple[int, ...]] = []
        self._unsettled = False
        self._game, self._before = "", START
        self._lately: list[bytes] = []  # what follows on `_before`: the game that is being played
        self.news: list[Message] = []
        with in_words(path, self._names):
            self._open(first)

    def check(self) -> None:
        """Sees whether the files are those that were written, and mends them if not.

        Raises:
            JournalError: that can't be done now.
        """
        with in_words(self._path, self._names):
            self._settle()
            if self._marks != [_mark(name) for name in self._names]:
                self._open()

    def append(self, entries: Sequence[Entry]) -> None:
        """Adds a line: it is on disk afterwards in both files, or in none.

        Args:
            entries: follow what stands there.

        Raises:
            JournalError: the disk is full or gone.
        """
        line, seal = sealed(entries, self.end.seal)
        with in_words(self._path, self._names):
            self._settle()
            self._unsettled = True
            try:
                for file in self._files:
                    _write(file, line, self.end.size)
            except BaseException:
                with suppress(OSError):
                    self._settle()
                raise
        self._unsettled = False
        self._marks = [_mark(file) for file in self._files]
        for entry in entries:
            if entry.kind == SETUP:
                self.end.setups[entry.game] = self.end.size, self.end.seal
                self._game, self._before, self._lately = entry.game, self.end.seal, []
        self._lately.append(line)
        self.end = End(self.end.size + len(line), seal, entries[-1].number, self.end.setups)

    def lines(self, game: str = "") -> list[bytes]:
        """The lines since the last set-up of a game, or all. The former are kept in mind, to mend the files by.

        Raises:
            JournalError: they can't be read.
        """
        self.check()
        with in_words(self._path, self._names):
            for _ in range(2):
                if game and game not in self.end.setups:
                    return []
                start, before = self.end.setups[game] if game else (0, 0)
                found = list(lines_of(self._files[0], self.end.size, start))
                if chain(found, before):
                    if game:
                        self._game, self._before, self._lately = game, before, found
                    return found
                self._open()
            raise OSError(errno.EIO, "what was written can't be read again", str(self._path))

    def close(self) -> None:
        """Closes the files, and lets others have them."""
        for file in self._files:
            file.close()

    def _settle(self) -> None:
        """Takes away what an append that failed may have left."""
        if self._unsettled:
            for file in self._files:
                os.ftruncate(file.fileno(), self.end.size)
            self._unsettled = False
            self._marks = [_mark(file) for file in self._files]

    def _open(self, first: Iterable[Link] = ()) -> None:
        """Opens what the names lead to; what isn't equal and whole, and as long as it was, is mended."""
        self._names[0].parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as opening:
            found = [self._taken(name, opening) for name in self._names]
            files = [file for file in found if file]
            end = whole(files)
            known = self.end if self._files else None
            if end is None or (known and (end.size, end.seal) != (known.size, known.seal)):
                files = self._mend(found, first, opening)
                end = whole(files)
            if end is None:
                raise OSError(errno.EIO, "what was written can't be read again", str(self._path))
            opening.pop_all()
        for file in {*self._files, *filter(None, found)} - {*files}:
            file.close()
        self._files, self.end = files, end._replace(number=max(end.number, known.number if known else 0))
        self._marks = [_mark(file) for file in files]
        if self._game:
            self.lines(self._game)

    def _taken(self, name: Path, opening: ExitStack) -> FileIO | None:
        """The file of a name, locked; the one that is open already if it is that."""
        for file in self._files:
            if _mark(file)[:2] == _mark(name)[:2]:
                return file
        found = opened(name, os.O_RDWR)
        if found:
            opening.callback(found.close)
            self._lock(found)
        return found

    def _mend(self, found: list[FileIO | None], first: Iterable[Link], opening: ExitStack) -> list[FileIO]:
        """Makes both names lead to what is whole in any file that is there, or open still though its name is gone."""
        there = [file for file in found if file]
        there += [file for file in self._files if file not in there]
        sources, old = sources_of(self._path, there, self.end.size if self._files else None)
        if self._lately:
            sources.append(links(self._lately, self._before))
        if old:
            self._refuse(held(beside(self._path, ".lock")))
        with _nameless(self._names[0].parent) as truth:
            last, game, faults = _fill(truth, merged(sources) if sources else first)
            files: list[FileIO] = []
            for name, file in reversed([*zip(self._names, found, strict=True)]):
                if file and not _differ(file, truth):
                    files.insert(0, file)
                    continue
                fresh = self._copy(truth, name, opening)
                if file and not faults and _size(truth) - last <= _size(file) == common(file, truth):
                    self.news.append(say("notice.journal-completed"))
                elif old and name == self._names[0]:
                    self.news.append(say("notice.journal-taken-over", file=set_aside(name, "old", self._now()).name))
                elif file:
                    sure = not faults and _size(file) <= _size(truth)  # one that is longer may have held more
                    aside = set_aside(name, "damaged", self._now())
                    self.news.append(say(f"notice.journal-{'mended' if sure else 'damaged'}", file=aside.name))
                elif sources and not old and not faults:
                    self.news.append(say("notice.journal-restored", file=name.name))
                _fresh(name).replace(name)
                _sync(name.parent)
                files.insert(0, fresh)
        if faults and _size(files[0]) == len(HEAD):
            self.news.append(say("notice.journal-empty"))
        else:
            self.news += _missing(faults, game)
        return files

    def _copy(self, truth: FileIO, name: Path, opening: ExitStack) -> FileIO:
        """A file beside the one of a name, to be put into its place."""
        before = _mark(name)
        fresh = opened(_fresh(name), os.O_RDWR | os.O_CREAT)
        assert fresh
        opening.callback(fresh.close)
        self._lock(fresh)
        opening.callback(_fresh(name).unlink, missing_ok=True)
        if _mark(name) != before:
            self._refuse("(unknown)")  # another process was just making it
        fresh.truncate(0)
        with reading(truth) as reader, open(fresh.fileno(), "wb", closefd=False) as writer:
            shutil.copyfileobj(reader, writer)
        os.fsync(fresh.fileno())
        return fresh

    def _lock(self, file: FileIO) -> None:
        if not lock(file):
            self._refuse(holder(file))

    def _refuse(self, process: str) -> None:
        if process:
            words = f"process {process} is playing with it; end that one first, or name another file"
            raise JournalError(f"journal {self._path}: {words}", "journal-held")


@contextmanager
def in_words(path: Path, names: Iterable[Path]) -> Iterator[None]:
    """What the system refuses becomes a `JournalError` that says what helps."""
    try:
        yield
    except OSError as error:
        closed = [name for name in (*names, path.parent) if name.exists() and not os.access(name, os.W_OK)]
        trouble, remedy = "journal", "look after the disk, or name another file"
        if error.errno in FULL:
            trouble, remedy = "journal-full", "free some space"
        elif error.errno == errno.EROFS:
            trouble, remedy = "journal-read-only", "make it writable, or name another file"
        elif error.errno in CLOSED and closed:
            me, owner = user(os.geteuid()), user(closed[0].stat().st_uid)
            files = " ".join(shlex.quote(str(name)) for name in closed)
            mend = f"chmod u+rwX {files}" if owner == me else f"sudo chown {me} {files}"
            trouble, remedy = "journal-owner", f"{closed[0]} is {owner}'s, and {me} may not write it; type: {mend}"
        elif isinstance(error, FileExistsError | NotADirectoryError | PermissionError):
            remedy = "name a folder that can be written"
        raise JournalError(f"journal {path}: {error.strerror or error}; {UNWRITTEN}; {remedy}", trouble) from error


def user(number: int) -> str:
    """The name of a user of this computer."""
    try:
        import pwd

        return pwd.getpwuid(number).pw_name
    except (ImportError, KeyError):
        return f"user {number}"


def set_aside(name: Path, why: str, now: datetime) -> Path:
    """Gives a file with all that belongs to it another name, with the date in it; that name.

    The file itself keeps its first name as well where that is possible, until another one takes its place.

    Raises:
        OSError: it can't be done, since the disk is read-only.
    """
    stem = f"{name.name}.{why}-{now:%Y-%m-%d}"
    goals = (name.with_name(stem + (f"-{number}" if number else "")) for number in range(1_000_000))
    goal = next(goal for goal in goals if not any(beside(goal, ending).exists() for ending in ("", *BESIDE)))
    for ending in BESIDE:
        if beside(name, ending).exists():
            beside(name, ending).rename(beside(goal, ending))
    try:
        goal.hardlink_to(name)
    except FileNotFoundError:
        pass  # all that is left of it lay beside it
    except OSError:
        name.rename(goal)
    return goal


def _fill(file: FileIO, items: Iterable[Link | DamagedError]) -> tuple[int, int, list[DamagedError]]:
    """Writes lines into an empty file.

    Returns:
        The size of the last line, the number of games that had begun before the first fault, and the faults.
    """
    seal, games, game, last = START, 0, 0, len(HEAD)
    faults: list[DamagedError] = []
    with open(file.fileno(), "wb", closefd=False) as writer:
        writer.write(HEAD)
        for item in items:
            if isinstance(item, DamagedError):
                game = game if faults else games
                faults.append(item)
                continue
            line, seal = (item.line, item.seal) if item.line else sealed(item.entries, seal)
            games += sum(entry.kind == SETUP for entry in item.entries)
            last = writer.write(line)
    return last, game, faults


def _missing(faults: list[DamagedError], game: int) -> Iterator[Message]:
    """What people are told of what can't be read in any file."""
    if count := sum(fault.missing for fault in faults):
        yield say("notice.journal-missing", count=count, number=faults[0].after + 1, game=max(game, 1))
    if faults and not faults[-1].missing:
        yield say("notice.journal-cut", number=faults[-1].after + 1)


def _nameless(folder: Path) -> FileIO:
    """A file in a folder that is gone when it is closed."""
    number, name = tempfile.mkstemp(prefix=".journal-", dir=folder)
    file = FileIO(number, "rb+")
    Path(name).unlink()
    return file


def _write(file: FileIO, line: bytes, at: int) -> None:
    done = 0
    while done < len(line):
        done += os.pwrite(file.fileno(), line[done:], at + done)
    os.fsync(file.fileno())


def _mark(of: Path | FileIO) -> tuple[int, ...]:
    """By what a file is known, and whether somebody has written it; empty for one that isn't there."""
    try:
        found = of.stat() if isinstance(of, Path) else os.fstat(of.fileno())
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def _fresh(name: Path) -> Path:
    return name.with_name(f".{name.name}.new")


def _sync(folder: Path) -> None:
    number = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


def _differ(one: FileIO, other: FileIO) -> bool:
    return not common(one, other) == _size(one) == _size(other)


def _size(file: FileIO) -> int:
    return os.fstat(file.fileno()).st_size

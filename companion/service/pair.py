"""Two equal files: what one lacks is in the other, and what was damaged is set aside. Nothing is ever deleted."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from io import FileIO
from itertools import islice
from pathlib import Path

from companion.core.messages import Message, say
from companion.rights import quoted, user
from companion.service import old
from companion.service.entries import DamagedError, JournalError
from companion.service.lines import FORM, HEAD, OPENING, End, Link, end_of, lines_of, links, same
from companion.service.old import FOREIGN, beside, is_old

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says when there is no room left."""
CLOSED = (errno.EACCES, errno.EPERM)
UNWRITTEN = "nothing was written, and the move was not made"


def names_of(path: Path) -> list[Path]:
    """The two files of a journal, whatever link leads there."""
    path = Path(os.path.realpath(path))
    return [path, beside(path, "-2")]


def whole(files: Sequence[FileIO]) -> End | None:
    """Where two files end, if they are equal and all of them is whole."""
    return end_of(lines_of(files[0])) if len(files) == 2 and equal(*files) else None


def sound(files: Sequence[FileIO]) -> tuple[FileIO, End] | None:
    """The file from which both can be read, and its end: they are equal but for a line that is just being written."""
    if len(files) < 2:
        return None
    one, other = files
    if not same(one, other, size_of(other)) or len([*islice(lines_of(one, start=size_of(other)), 2)]) > 1:
        return None
    return next(((file, end) for file in files if (end := end_of(lines_of(file)))), None)


def equal(one: FileIO, other: FileIO) -> bool:
    """Whether one of two files is the other's copy."""
    return size_of(one) == size_of(other) and same(one, other, size_of(one))


def sources_of(path: Path, files: Sequence[FileIO], end: int | None) -> tuple[list[Iterator[Link | None]], bool]:
    """What a journal can be read from if its files aren't whole, and whether that is one of an earlier version.

    Args:
        path: its name.
        files: those that are there.
        end: what stands in them from this byte on isn't its own; None if nobody plays with it.

    Raises:
        JournalError: they are of another sort.
    """
    if end is not None or any(any(links(lines_of(file))) for file in files):
        return [links(lines_of(file, end)) for file in files], False
    if is_old(path):
        return [links(old.lines(path))], True
    heads = [next(lines_of(file, len(FORM)), b"") for file in files]
    strange = any(head.strip(b"\0") and not FORM.startswith(head) for head in heads)
    if strange and not (len(files) == 2 and path.suffix == ".journal"):  # two of these names can be nothing else
        raise JournalError(f"journal {path}: {FOREIGN}")
    return [links(lines_of(file)) for file in files], False


def cut_short(file: FileIO, truth: FileIO, last: int) -> bool:
    """Whether all that is wrong with a file is that a program was ended while it wrote a line there.

    Args:
        file: may lack some of the last line, or have the beginning of another one.
        truth: what stands there by right.
        last: size of the last line of that.
    """
    size = size_of(truth)
    if not same(file, truth, min(size, size_of(file))):
        return False
    rest = next(lines_of(file, start=size), b"")
    return rest[-1:] != b"\n" and rest.startswith(OPENING[: len(rest)]) if rest else size_of(file) >= size - last


def fill(file: FileIO, lines: Iterable[bytes | DamagedError]) -> tuple[int, list[DamagedError]]:
    """Writes lines into an empty file; the size of the last one, and the errors among them."""
    last, faults = 0, []
    with open(file.fileno(), "wb", closefd=False) as writer:
        for line in lines:
            if isinstance(line, DamagedError):
                faults.append(line)
            else:
                last = writer.write(line)
    return last, faults


def missing(faults: Sequence[DamagedError], size: int) -> Iterator[Message]:
    """What people are told of what can't be read in any file, where `size` bytes are left."""
    if faults and size == len(HEAD):
        yield say("notice.journal-empty")
        return
    if count := sum(fault.missing for fault in faults):
        yield say("notice.journal-missing", count=count, number=faults[0].after + 1, game=faults[0].game)
    if faults and not faults[-1].missing:
        yield say("notice.journal-cut", number=faults[-1].after + 1)


def set_aside(name: Path, why: str, now: datetime) -> str:
    """Gives a file with all that belongs to it another name, with the date in it; that name.

    The file itself keeps its first name as well where that is possible, until another one takes its place.

    Raises:
        OSError: it can't be done, since the disk is read-only.
    """
    stem = f"{name.name}.{why}-{now:%Y-%m-%d}"
    goals = (name.with_name(stem + (f"-{number}" if number else "")) for number in range(1_000_000))
    goal = next(goal for goal in goals if not any(beside(goal, one).exists() for one in ("", *old.BESIDE)))
    for ending in old.BESIDE:
        if beside(name, ending).exists():
            beside(name, ending).rename(beside(goal, ending))
    try:
        goal.hardlink_to(name)
    except FileNotFoundError:
        pass  # all that is left of it lay beside it
    except OSError:
        name.rename(goal)
    return goal.name


def fresh_of(name: Path) -> Path:
    """Where a file is made that will take the place of the one of this name."""
    return name.with_name(f".{name.name}.new")


def replace(name: Path) -> None:
    """Puts the fresh file, which is on disk, into its place for good."""
    fresh_of(name).replace(name)
    folder = os.open(name.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def write(file: FileIO, line: bytes, at: int) -> None:
    """Writes a line to its place; it is on disk afterwards."""
    done = 0
    while done < len(line):
        done += os.pwrite(file.fileno(), line[done:], at + done)
    os.fsync(file.fileno())


def mark(of: Path | FileIO) -> tuple[int, ...]:
    """By what a file is known, and whether somebody has written it; empty for one that isn't there."""
    try:
        found = of.stat() if isinstance(of, Path) else os.fstat(of.fileno())
    except OSError:
        return ()
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def size_of(file: FileIO) -> int:
    """In bytes."""
    return os.fstat(file.fileno()).st_size


@contextmanager
def in_words(path: Path | str, names: Sequence[Path]) -> Iterator[None]:
    """What the system refuses becomes a `JournalError` that says what helps."""
    try:
        yield
    except OSError as error:
        places = [*names, *(name.parent for name in names)]
        closed = [name for name in dict.fromkeys(places) if mark(name) and not os.access(name, os.W_OK)]
        trouble, remedy = "journal", "look after the disk, or name another file"
        if error.errno in FULL:
            trouble, remedy = "journal-full", "free some space"
        elif error.errno == errno.EROFS:
            trouble, remedy = "journal-read-only", "make it writable, or name another file"
        elif error.errno in CLOSED and closed:
            me, owner = user(os.geteuid()), user(closed[0].stat().st_uid)
            mend = f"chmod u+rwX {quoted(closed)}" if owner == me else f"sudo chown {me} {quoted(closed)}"
            trouble, remedy = "journal-owner", f"{closed[0]} is {owner}'s, and {me} may not write it; type: {mend}"
        elif isinstance(error, FileExistsError | NotADirectoryError | PermissionError):
            remedy = "name a folder that can be written"
        raise JournalError(f"journal {path}: {error.strerror or error}; {UNWRITTEN}; {remedy}", trouble) from error

"""Files from outside: the one way in for all that people, disks and other programs may have laid there.

Whatever has such a file's name is looked at before it is opened. A pipe, a socket or a device would be waited for
without end, or never come to one, and to open some devices does something already.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from companion.core.content import Problem
from companion.core.errors import CompanionError
from companion.core.letters import escaped
from companion.rights import mend

OWNERS_BYTES = 256 * 1024
"""So large may be what people write: stories, decks, settings. A long story has a tenth of that."""
_WITHOUT_WAITING = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_WHOLE = "file"
_KINDS = {
    stat.S_IFDIR: "is a folder",
    stat.S_IFIFO: "is a pipe",
    stat.S_IFSOCK: "is a socket",
    stat.S_IFCHR: "is a device",
    stat.S_IFBLK: "is a device",
}


class FileError(CompanionError, OSError):
    """A file from outside that can't be used.

    Attributes:
        path: the file.
        problem: what is wrong with it, and what helps.
        missing: there is no such file.
    """

    def __init__(self, path: Path, problem: Problem, missing: bool = False) -> None:
        place = f"{path}" if problem.where == _WHOLE else f"{path}, {problem.where}"
        super().__init__(escaped(f"{place}: {problem.what}; {problem.allowed}"))
        self.path, self.problem, self.missing = path, problem, missing


def read(path: Path, most_bytes: int = OWNERS_BYTES) -> bytes:
    """What a file holds, byte by byte.

    Args:
        path: the file.
        most_bytes: a larger one is not read.

    Raises:
        FileError: it isn't there, is no file, can't be read, or is larger.
    """
    with opened(path) as file:
        try:
            data = file.read(most_bytes + 1)
        except OSError as error:
            raise _unreadable(path, error) from error
    if len(data) > most_bytes:
        raise _too_large(path, most_bytes)
    return data


def read_text(path: Path, most_bytes: int = OWNERS_BYTES) -> str:
    """The text in a file, without the byte order mark that some editors put first.

    Raises:
        FileError: as `read`; or it is no text in UTF-8.
    """
    try:
        text = read(path, most_bytes).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise _wrong(path, line, "letters in another encoding", "save the file as UTF-8") from None
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise _wrong(path, line, "a zero byte, which no text has", "save the file as UTF-8")
    return text


def lines(path: Path, most_bytes: int, longest: int = OWNERS_BYTES) -> Iterator[bytes]:
    """The lines of a file one after the other, each with its end, so that a large one isn't held in memory.

    Args:
        path: the file.
        most_bytes: so much of it is read; more of it is an error once one comes to it.
        longest: so many bytes a line may have.

    Raises:
        FileError: as `read`; or a line is longer.
    """
    with opened(path) as file:
        left, number = most_bytes, 0
        while True:
            try:
                line = file.readline(min(longest, left) + 1)
            except OSError as error:
                raise _unreadable(path, error) from error
            if not line:
                return
            number, left = number + 1, left - len(line)
            if len(line) > longest:
                raise _wrong(path, number, f"has more than {longest:,} bytes", "name another file")
            if left < 0:
                raise _too_large(path, most_bytes)
            yield line


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """A file that is open for reading; its reader sees to it that not too much is read.

    Raises:
        FileError: it isn't there, is no file, or can't be opened.
    """
    try:
        _refuse_all_but_files(path, path.stat().st_mode)
        handle = os.open(path, _WITHOUT_WAITING)
    except (OSError, ValueError) as error:  # a path with a zero byte in it is a ValueError
        if isinstance(error, FileError):
            raise
        raise _unreadable(path, error) from error
    with os.fdopen(handle, "rb") as file:
        _refuse_all_but_files(path, os.fstat(handle).st_mode)  # it may have been another one a moment ago
        yield file


def there(path: Path) -> bool:
    """Whether anything is there under this name, also something that can't be read; not if it can't be known."""
    return os.path.lexists(path)


def _refuse_all_but_files(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        what = _KINDS.get(stat.S_IFMT(mode), "is no file")
        raise FileError(path, Problem(_WHOLE, what, "name a file"))


def _wrong(path: Path, line: int, what: str, remedy: str) -> FileError:
    return FileError(path, Problem(f"line {line}", what, remedy))


def _unreadable(path: Path, error: Exception) -> FileError:
    reason = getattr(error, "strerror", None) or error
    problem = Problem(_WHOLE, f"can't be read ({reason})", mend(path, error, "name a file that can"))
    return FileError(path, problem, isinstance(error, FileNotFoundError))


def _too_large(path: Path, most_bytes: int) -> FileError:
    return FileError(path, Problem(_WHOLE, f"has more than {_size(most_bytes)}", "name a smaller file"))


def _size(most_bytes: int) -> str:
    return f"{most_bytes // 2**20:,} MiB" if most_bytes >= 2**20 else f"{most_bytes // 2**10:,} KiB"

"""A lock on a file: one process at a time may write it."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from companion.service.entries import JournalError

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""What the system says when there is no room left."""


class Lock:
    """Held from its making until it is closed; the kernel releases it when the process ends, however that happens.

    It is a file beside the one that is locked, so that nobody is kept from reading that one. It stays there:
    to take it away could let two processes lock two files of the same name.

    Args:
        path: the file to be locked; `.lock` is added to it.

    Raises:
        JournalError: another process has it, or the lock can't be written.
    """

    def __init__(self, path: Path) -> None:
        beside = lock_beside(path)
        try:
            self._file: IO[bytes] = beside.open("a+b", buffering=0)
        except OSError as error:
            raise JournalError(
                f"journal {path}: {beside} can't be written ({error.strerror}); free some space, or name another file",
                "journal-full" if error.errno in FULL else "journal-read-only",
            ) from error
        try:
            _lock(self._file)
        except OSError as error:
            holder = self._holder()
            self._file.close()
            if isinstance(error, BlockingIOError):
                raise JournalError(
                    f"journal {path}: process {holder} is playing with it; end that one first, or name another file",
                    "journal-held",
                ) from error
            raise JournalError(f"journal {path}: {beside} can't be locked ({error.strerror})") from error
        with suppress(OSError):  # on a full disk the lock holds all the same, only its holder can't be told
            self._file.truncate(0)
            self._file.write(f"{os.getpid()}\n".encode())

    def close(self) -> None:
        """Lets others have the file."""
        self._file.close()

    def _holder(self) -> str:
        self._file.seek(0)
        return self._file.read(20).decode("ascii", "replace").strip() or "(unknown)"


def lock_beside(path: Path) -> Path:
    """The file by which `path` is locked."""
    return path.with_name(f"{path.name}.lock")


def _lock(file: IO[bytes]) -> None:
    try:
        import fcntl
    except ImportError:  # no such thing on Windows, where no box runs
        return
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)

"""A lock on a file: one process at a time may write it, by whatever name it calls it."""

from __future__ import annotations

import errno
import os
import stat
from io import FileIO
from pathlib import Path


def opened(path: Path, flags: int = os.O_RDONLY) -> FileIO | None:
    """A regular file; None if there is none of this name.

    Raises:
        OSError: it can't be opened, or is a folder, a pipe or a device.
    """
    try:
        file = FileIO(os.open(path, flags | os.O_NONBLOCK | os.O_CLOEXEC, 0o666), "rb+" if flags & os.O_RDWR else "rb")
    except FileNotFoundError:
        return None
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()
    raise OSError(errno.EINVAL, "this is no regular file", str(path))


def holder(file: FileIO, shared: bool = False) -> str:
    """Takes a file for this process, until it is closed or the process ends, however that happens.

    Args:
        file: an open file.
        shared: others may have it in this way as well.

    Returns:
        The number of the process that has it already, as far as the kernel tells it; empty if there is none.
    """
    try:
        import fcntl
    except ImportError:  # no such thing on Windows, where no box runs
        return ""
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError:
        inode = str(os.fstat(file.fileno()).st_ino)
        try:
            held = [line.split() for line in Path("/proc/locks").read_text().splitlines()]
        except OSError:
            held = []
        found = (one[4] for one in held if one[1] == "FLOCK" and one[5].rpartition(":")[2] == inode)
        return next(found, "(unknown)")
    return ""


def holder_of(path: Path) -> str:
    """The number of the process that has the file of this name; empty if none has, or it can't be looked at."""
    try:
        file = opened(path)
        if file is None:
            return ""
        with file:
            return holder(file, shared=True)
    except OSError:
        return ""

"""Files that this user may not use: whose they are, and the command that mends it."""

from __future__ import annotations

import os
import shlex
import stat
from collections.abc import Sequence
from pathlib import Path

BOX = "companion"
"""The user of the box's service."""


def mend(path: Path, error: BaseException, otherwise: str) -> str:
    """What helps where a file can't be read or written.

    A command is told only for what can be this user's: his home, and what lies in a folder of his. To own a folder of
    the system would harm more than it helps.

    Args:
        path: the file, also one that was to be made.
        error: what the system said.
        otherwise: what helps unless it is somebody else's.
    """
    place = _closed(path) if isinstance(error, PermissionError) else None
    if place is None or os.geteuid() == 0:
        return otherwise
    owner, me = place.stat().st_uid, os.geteuid()
    if owner == me:
        return f"your rights to {place} don't allow it; type: chmod u+rwX {quoted([place])}"
    if user(owner) == BOX:
        return f"{place} is the box's own; call this as its user: sudo -u {BOX} {BOX} ..."
    if place.is_relative_to(Path.home()) or place.parent.stat().st_uid == me:
        return f"{place} is {user(owner)}'s, and {user(me)} may not use it; type: {give(user(me), [place])}"
    return f"{place} is {user(owner)}'s; {otherwise}"


def strangers(folder: Path) -> list[Path]:
    """The files in a folder that its owner can't use, since they are somebody else's; by name.

    So they come to lie there when a command is once called by root. Who asks doesn't matter: root may use them all.
    """
    try:
        owner = folder.stat().st_uid
        return sorted(path for path in folder.iterdir() if _strange(path, owner))
    except OSError:  # it isn't there, or closed to whoever asks
        return []


def give(name: str, paths: Sequence[Path]) -> str:
    """The command that gives files and folders to a user."""
    deep = "-R " if any(path.is_dir() for path in paths) else ""
    return f"sudo chown {deep}{name} {quoted(paths)}"


def user(number: int) -> str:
    """The name of a user."""
    import pwd  # there is none on Windows

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def quoted(paths: Sequence[Path]) -> str:
    """Files as they are typed."""
    return " ".join(shlex.quote(str(path)) for path in paths)


def _closed(path: Path) -> Path | None:
    """What keeps this user from a file: it, its folder, or one further up; None if nothing does."""
    for place in (path, *path.absolute().parents):
        try:
            is_folder = place.is_dir()
            if not place.exists():
                continue
        except OSError:  # one further up is closed
            continue
        needed = os.W_OK | os.X_OK if is_folder else os.R_OK | os.W_OK
        if not os.access(place, needed, effective_ids=os.access in os.supports_effective_ids):
            return place
        if is_folder:
            return None
    return None


def _strange(path: Path, owner: int) -> bool:
    found = path.lstat()
    return found.st_uid != owner and stat.S_ISREG(found.st_mode) and found.st_mode & 0o006 != 0o006

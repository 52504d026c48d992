"""Device files: whether this user may use one, who has it open, and what to type in either case."""

from __future__ import annotations

import grp
import os
import pwd
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Holder:
    """A process that has a device open.

    Attributes:
        number: of the process.
        name: of its program.
        service: of systemd to which it belongs, empty if to none.
    """

    number: int
    name: str
    service: str = ""

    def __str__(self) -> str:
        return f"process {self.number} ({self.name}{f', service {self.service}' if self.service else ''})"

    @property
    def end(self) -> str:
        """The command that ends it."""
        return f"sudo systemctl stop {self.service}" if self.service else f"sudo kill {self.number}"


def holders(pattern: str, proc: Path = Path("/proc")) -> list[Holder]:
    """The other processes that have open what is called so, as far as this user may know.

    Args:
        pattern: a regular expression for the whole name, such as `/dev/i2c-1`.
        proc: where Linux tells of its processes.
    """
    return sorted(_found(re.compile(pattern), proc), key=lambda holder: holder.number)


def _found(name: re.Pattern[str], proc: Path) -> Iterator[Holder]:
    for folder in proc.glob("[0-9]*"):
        if int(folder.name) == os.getpid():
            continue
        with suppress(OSError):  # it is somebody else's, or has ended meanwhile
            if any(name.fullmatch(str(file.readlink())) for file in (folder / "fd").iterdir()):
                service = re.search(r"/system\.slice/([^/\n]+)\.service", (folder / "cgroup").read_text())
                program = (folder / "comm").read_text().strip()
                yield Holder(int(folder.name), program, service[1] if service else "")


def barred(path: Path, group: str) -> str:
    """Why this user may not use a device file, and what to type; empty if he may.

    Args:
        path: the file.
        group: whose members commonly may, such as `i2c`.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return "not there"
    except OSError as error:
        return str(error.strerror)
    if os.access(path, os.R_OK | os.W_OK):
        return ""
    user, owner = _user(os.geteuid()), _user(found.st_uid)
    name, members = _group(found.st_gid)
    if name != group or found.st_mode & 0o060 != 0o060:
        return (
            f"belongs to {owner}, and the group {group} may not use it; until the next start this helps: "
            f"sudo chgrp {group} {path} && sudo chmod g+rw {path}"
        )
    if user in members:
        return f"is for the group {group}, to which {user} was added after logging in; log in anew, or restart"
    return f"is for {owner} and the group {group}; sudo usermod -aG {group} {user}, then log in anew"


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group(number: int) -> tuple[str, list[str]]:
    try:
        found = grp.getgrgid(number)
    except KeyError:
        return str(number), []
    return found.gr_name, found.gr_mem

"""A game on a disk that gets full and read-only: a process of its own, which says as a JSON line how it went.

`limit FOLDER` is a limit of this process on the size of its files; `tmpfs FOLDER` mounts a small disk there, for which
it must be root in a namespace of its own.
"""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from companion.core.snapshot import Undo
from companion.service.archive import entries_of
from companion.service.entries import JournalError
from companion.service.journal import Journal
from tests.dealt import Deal, Dealt

DEAL = Deal("phoenix", 3, 6)
Told = list[object]


@contextmanager
def read_only() -> Iterator[None]:
    """A disk that lets nothing be written any more."""

    def refuse(*_: object) -> int:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(os, "pwrite", refuse)
        yield


def limited(folder: Path) -> Told:
    """Files may grow no more."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    journal, dealt = _begun(folder)

    def fill() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, ((folder / "j-2").stat().st_size + 100, hard))

    told = suffered(dealt, fill, lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard)))
    journal.close()
    return [*told, *_after(folder, dealt)]


def mounted(folder: Path) -> Told:
    """First the disk is full, then read-only and full while the box starts."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "none", folder], check=True)
    ballast = folder / "ballast"
    journal, dealt = _begun(folder)

    def fill() -> None:
        with ballast.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                return

    def remount(how: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{how}", folder], check=True)

    told = suffered(dealt, fill, ballast.unlink)
    # Nobody can make a disk read-only on which something is open for writing, other than by an error of the disk.
    written = list(journal.entries())
    journal.close()
    remount("ro")
    told.append(list(entries_of(folder / "j")) == written)
    try:
        Journal(folder / "j").close()
    except JournalError as error:
        told.append(error.trouble)
    remount("rw")
    # One file is gone while there is no room to make it anew.
    (folder / "j-2").unlink()
    fill()
    try:
        Journal(folder / "j").close()
    except JournalError as error:
        told += [error.trouble, sorted(path.name for path in folder.iterdir())]
    ballast.unlink()
    return [*told, *_after(folder, dealt)]


def suffered(dealt: Dealt, spoil: Callable[[], object], heal: Callable[[], object]) -> Told:
    """What people are told while nothing can be saved, and whether the same placement counts afterwards."""
    before = dealt.facts
    spoil()
    while dealt.snapshot.unsaved is None and dealt.move():  # what leaves no trace needs no disk
        before = dealt.facts  # a full disk may have room for a line in its last block
        dealt.look()
    dealt.look()
    unsaved = dealt.snapshot.unsaved
    told: Told = [unsaved and unsaved.key, dealt.facts == before]
    dealt.session.tell(Undo())
    told += [[notice.key for notice in dealt.snapshot.notices], dealt.facts == before]
    heal()
    dealt.look()
    return [*told, dealt.snapshot.unsaved is None, dealt.facts == dealt.dealer.facts()]


def _begun(folder: Path) -> tuple[Journal, Dealt]:
    journal = Journal(folder / "j")
    dealt = Dealt(DEAL, journal)
    dealt.look()
    for _ in range(20):
        dealt.move()
        dealt.look()
    dealt.agree()
    return journal, dealt


def _after(folder: Path, dealt: Dealt) -> Told:
    """Whether a new start knows the same."""
    journal = Journal(folder / "j")
    again = Dealt(DEAL, journal).facts
    journal.close()
    return [again == dealt.facts]


if __name__ == "__main__":
    print(json.dumps({"limit": limited, "tmpfs": mounted}[sys.argv[1]](Path(sys.argv[2]))))

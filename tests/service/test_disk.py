"""A disk that is full or read-only: the move is not made, that is said, the game waits, and it heals by itself."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion.service.journal import Journal
from tests.dealt import Dealt
from tests.service.poor_disk import DEAL

ROOT = Path(__file__).resolve().parents[2]


def _waits(trouble: str) -> list[object]:
    """Told so, unmade, told again after a button, unmade; then healed and made."""
    return [f"trouble.{trouble}", True, [f"trouble.{trouble}"], True, True, True]


def _told(command: list[str]) -> list[object]:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[object] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("call", ["pwrite", "fsync"])
@pytest.mark.parametrize("file", [0, 1])
def test_a_disk_that_fails_leaves_nothing_half_written_and_heals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, file: int
) -> None:
    """Also where what was written of it can't be taken back at once."""
    with closing(Journal(tmp_path / "j")) as journal:
        dealt = Dealt(DEAL, journal)
        dealt.look()
        before = [(tmp_path / name).read_bytes() for name in ("j", "j-2")]
        calls = count()
        really = {name: getattr(os, name) for name in (call, "ftruncate")}

        def fail(name: str) -> Callable[..., Any]:
            def failing(*arguments: Any) -> Any:
                if name == "ftruncate" or next(calls) >= file:
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
                return really[name](*arguments)

            return failing

        for name in really:
            monkeypatch.setattr(os, name, fail(name))
        while dealt.snapshot.unsaved is None:
            dealt.move()
            dealt.look()
        assert dealt.snapshot.unsaved.key == "trouble.journal"
        dealt.look()
        monkeypatch.undo()
        journal._check()
        assert [(tmp_path / name).read_bytes() for name in ("j", "j-2")] == before
        dealt.look()
        dealt.agree()
    with closing(Journal(tmp_path / "j")) as journal:
        assert (Dealt(DEAL, journal).facts, journal.news()) == (dealt.facts, ())


def test_a_process_that_may_not_write_more_waits_and_heals(tmp_path: Path) -> None:
    told = _told([sys.executable, "-m", "tests.service.poor_disk", "limit", str(tmp_path)])
    assert told == [*_waits("journal-full"), True]


def test_a_full_and_a_read_only_disk_make_the_game_wait_and_heal(tmp_path: Path) -> None:
    unshare = [shutil.which("unshare") or "unshare", "--mount", *(["--map-root-user"] if os.geteuid() else [])]
    if subprocess.run(
        [*unshare, "mount", "-t", "tmpfs", "none", tmp_path], capture_output=True, check=False
    ).returncode:
        pytest.skip("this machine lets nobody mount a small disk in a namespace")
    told = _told([*unshare, sys.executable, "-m", "tests.service.poor_disk", "tmpfs", str(tmp_path)])
    full, read_only = "journal-full", "journal-read-only"
    assert told == [*_waits(full), True, read_only, full, ["ballast", "j"], True]

"""A disk that is full or read-only: the move is not made, that is said, the game waits, and it heals by itself."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

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


def test_a_journal_that_may_not_grow_makes_the_game_wait(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "j")) as journal:
        dealt = Dealt(DEAL, journal)
        dealt.look()
        database = journal._db
        assert database
        (pages,) = database.execute("pragma page_count").fetchone()

        def most(more: int) -> None:
            database.execute(f"pragma max_page_count = {pages + more}")

        most(0)
        while dealt.snapshot.unsaved is None:
            dealt.move()
            dealt.look()
        assert dealt.snapshot.unsaved.key == "trouble.journal-full"
        most(1000)
        dealt.look()
        assert (dealt.snapshot.unsaved, dealt.facts) == (None, dealt.dealer.facts())


def test_a_process_that_may_not_write_more_waits_and_heals(tmp_path: Path) -> None:
    told = _told([sys.executable, "-m", "tests.service.poor_disk", "limit", str(tmp_path)])
    assert told == [*_waits("journal"), True]


def test_a_full_and_a_read_only_disk_make_the_game_wait_and_heal(tmp_path: Path) -> None:
    unshare = [shutil.which("unshare") or "unshare", "--mount", *(["--map-root-user"] if os.geteuid() else [])]
    if subprocess.run(
        [*unshare, "mount", "-t", "tmpfs", "none", tmp_path], capture_output=True, check=False
    ).returncode:
        pytest.skip("this machine lets nobody mount a small disk in a namespace")
    told = _told([*unshare, sys.executable, "-m", "tests.service.poor_disk", "tmpfs", str(tmp_path)])
    full, read_only = "journal-full", "journal-read-only"
    assert told == [*_waits(full), *_waits(read_only), True, full, read_only, True]

"""Games that are cut at any moment: what was announced is there, nothing else, and they go on to their end."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.service.journal import Journal
from tests.dealt import Deal, Dealt, deals

ROOT = Path(__file__).resolve().parents[2]
IN_MEMORY = Path("/dev/shm")
PARTS, KILLS, OF_ONE = 4, 250, 12


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where that can be had: what a kill leaves is the same there, and nobody waits for a disk."""
    if not IN_MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as found:
        yield Path(found)


def _killed(folder: Path, seed: int, kills: int, of_one: int) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.proofs.cuts", str(folder), str(seed), str(kills), str(of_one)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def test_a_game_of_each_sort_killed_now_and_then_is_the_game_that_nobody_killed(folder: Path) -> None:
    report = _killed(folder, 1, 20, 4)
    assert report["errors"] == []
    assert report["kills"] >= 20


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_a_thousand_kills_lose_nothing_and_add_nothing(
    folder: Path, part: int, record_property: Callable[[str, object], None]
) -> None:
    report = _killed(folder, 1000 + 100 * part, KILLS, OF_ONE)
    record_property("figures", f"cuts, part {part + 1} of {PARTS}: {report}")
    assert report["errors"] == []
    assert report["kills"] >= KILLS


def _cut_at_moves(deal: Deal, folder: Path, every: int) -> None:
    """A game in which moves fall into a cut: they are made, nobody looks, and the box starts again."""
    path, number = folder / "j", 0
    journal = Journal(path)
    dealt = Dealt(deal, journal)
    dealt.look()
    while dealt.move():
        number += 1
        if number % every == 0:
            journal.close()
            journal = Journal(path)
            dealt = Dealt(deal, journal, dealt.dealer, due=dealt.due)
        dealt.look()
    journal.close()
    assert dealt.facts == dealt.dealer.facts()


@pytest.mark.parametrize("deal", deals(3), ids=lambda deal: deal.mode or deal.name)
def test_a_move_that_falls_into_a_cut_is_understood_afterwards(deal: Deal, folder: Path) -> None:
    _cut_at_moves(deal, folder, 7)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("number", range(len(deals(0))))
def test_any_move_that_falls_into_a_cut_is_understood_afterwards(number: int, seed: int, folder: Path) -> None:
    _cut_at_moves(deals(10 + seed)[number], folder, 1)

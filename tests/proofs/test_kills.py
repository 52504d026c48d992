"""The program itself, killed time and again: what it has printed is there, and it goes on from there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PARTS = 4
KILLS = {"play": 75, "serve": 175}
"""In each part: a thousand in all."""


def _killed(command: str, folder: Path, seed: int, kills: int) -> dict[str, Any]:
    """On a disk, where what is written takes its time."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.proofs.kills", command, str(folder), str(seed), str(kills)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    assert report["errors"] == []
    assert report["kills"] >= kills
    return report


@pytest.mark.parametrize("command", KILLS)
def test_the_program_is_killed_and_knows_all_that_it_has_printed(command: str, tmp_path: Path) -> None:
    assert _killed(command, tmp_path, 1, 4)["games"] >= 1


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("command", KILLS)
def test_in_a_thousand_kills_the_program_loses_nothing_that_it_has_printed(
    command: str, part: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    report = _killed(command, tmp_path, 100 + part, KILLS[command])
    record_property("figures", f"kills of {command}, part {part + 1} of {PARTS}: {report}")

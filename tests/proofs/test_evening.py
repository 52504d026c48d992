"""Long evenings at full speed: memory and open handles stay as they are."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_MB = 1.5
"""So much the memory may grow from one half of an evening to the other, each at its highest."""
WARMING_UP_MB = 8.0
"""The same in the first quarter of an hour, in which the second game is loaded."""

Record = Callable[[str, object], None]


def _evening(folder: Path, hours: float, record: Record) -> dict[str, Any]:
    command = [sys.executable, "-m", "tests.proofs.evening", str(folder), str(hours)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    figures = found["figures"]
    ends = "; ".join(
        ", ".join(f"{name} {value}" for name, value in one.items()) for one in figures[:: len(figures) // 4]
    )
    record("figures", f"evening: { {key: value for key, value in found.items() if key != 'figures'} }: {ends}")
    return found


def _flat(figures: list[dict[str, float]], most_mb: float) -> None:
    half = len(figures) // 2
    assert {one["handles"] for one in figures[half:]} == {figures[half]["handles"]}
    first, second = (max(one["rss_mb"] for one in part) for part in (figures[1 : half + 1], figures[half:]))
    assert second - first < most_mb


def test_a_short_evening_leaves_memory_and_handles_as_they_are(tmp_path: Path, record_property: Record) -> None:
    evening = _evening(tmp_path, 0.25, record_property)
    assert evening["moves"] > 50
    _flat(evening["figures"], WARMING_UP_MB)


@pytest.mark.soak
def test_eight_hours_leave_memory_and_handles_as_they_are(tmp_path: Path, record_property: Record) -> None:
    evening = _evening(tmp_path, 8.0, record_property)
    assert evening["games"] > 30
    _flat(evening["figures"], MOST_MB)

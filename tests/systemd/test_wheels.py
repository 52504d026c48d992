"""Everything that is needed is there ready-made for the Pi's processor, so that no box ever compiles."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from fake_root import PROJECT

NEEDED = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["dependencies"]
GLIBC = {"311": 36, "313": 41}
"""The second number of glibc's version, by Python's: Bookworm and Trixie."""


def _resolve(folder: Path, python: str, *wanted: str) -> dict[str, str]:
    """File names of the wheels that pip would take on a Pi, by package."""
    report = folder / "report.json"
    platforms = ["manylinux2014_aarch64", *(f"manylinux_2_{minor}_aarch64" for minor in range(17, GLIBC[python] + 1))]
    command = [sys.executable, "-m", "pip", "install", "-q", "--dry-run", "--ignore-installed", "--report", report]
    command += ["--target", folder / "none", "--only-binary=:all:", "--implementation=cp", f"--python-version={python}"]
    command += [f"--platform={platform}" for platform in platforms]
    done = subprocess.run([*command, *wanted], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    chosen = json.loads(report.read_text())["install"]
    return {one["metadata"]["name"].lower(): one["download_info"]["url"].rsplit("/", 1)[1] for one in chosen}


@pytest.mark.soak
@pytest.mark.parametrize(
    ("python", "system"),
    [("311", ""), ("313", ""), ("311", "numpy==1.24.2"), ("313", "numpy==2.2.4")],
    ids=["bookworm", "trixie", "bookworm-with-its-own-opencv", "trixie-with-its-own-opencv"],
)
def test_every_requirement_has_a_wheel_for_a_pi(tmp_path: Path, python: str, system: str) -> None:
    wanted = [name for name in NEEDED if not (system and name.startswith("opencv"))]
    wheels = _resolve(tmp_path, python, *wanted, *([system] if system else []))
    assert len(wheels) >= len(wanted)
    assert [name for name in wheels.values() if not name.endswith(("-any.whl", "_aarch64.whl"))] == []
    if system:
        assert wheels["numpy"].startswith(system.replace("==", "-"))
        assert [name for name in wheels if "opencv" in name] == []

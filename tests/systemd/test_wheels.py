"""Every locked package is there ready-made for each box, with the locked hash: no box ever compiles or resolves."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from email.parser import HeaderParser
from pathlib import Path

import pytest
from fake_root import PROJECT
from packaging.requirements import Requirement

LOCK = PROJECT / "systemd/requirements.lock"
SYSTEMS = {"bookworm": ("311", 36, "1.24.2"), "trixie": ("313", 41, "2.2.4")}
"""Of each system: Python's version, the second number of glibc's, and numpy's."""


def _download(folder: Path, processor: str, system: str) -> list[Path]:
    """The wheels that pip takes there; it compares their hashes with the locked ones."""
    python, glibc, _ = SYSTEMS[system]
    platforms = [f"manylinux2014_{processor}", *(f"manylinux_2_{minor}_{processor}" for minor in range(17, glibc + 1))]
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--require-hashes", "--only-binary=:all:"]
    command += ["--dest", folder, "--implementation=cp", f"--python-version={python}", "-r", LOCK]
    command += [f"--platform={platform}" for platform in platforms]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return sorted(folder.iterdir())


def _needs(wheel: Path) -> list[Requirement]:
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        headers = HeaderParser().parsestr(archive.read(name).decode())
    return [Requirement(text) for text in headers.get_all("Requires-Dist", [])]


@pytest.mark.soak
@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("processor", ["aarch64", "x86_64"])
def test_every_locked_package_has_a_wheel(tmp_path: Path, processor: str, system: str) -> None:
    wheels = _download(tmp_path, processor, system)
    locked = [line.split("==")[0] for line in LOCK.read_text().splitlines() if line[0].isalpha()]
    assert sorted(wheel.name.split("-")[0].lower().replace("_", "-") for wheel in wheels) == locked
    assert [wheel.name for wheel in wheels if not wheel.stem.endswith(("-any", f"_{processor}"))] == []
    # pip is told to look at no package's needs: so the system's numpy must be what each of them accepts
    numpys = [(wheel.name, need) for wheel in wheels for need in _needs(wheel) if need.name == "numpy"]
    brought = SYSTEMS[system][2]
    refused = [name for name, need in numpys if not need.specifier.contains(brought) and "opencv" not in name]
    assert refused == []

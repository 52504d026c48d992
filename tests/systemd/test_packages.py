"""What the installer's helper says of Python packages."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import tomllib
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType

import pytest
from fake_root import PROJECT

HELPER = PROJECT / "systemd/packages.py"
LOCK = PROJECT / "systemd/requirements.lock"
NEEDED = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]["dependencies"]


@pytest.fixture(scope="module")
def packages() -> ModuleType:
    loader = SourceFileLoader("installer_packages", str(HELPER))
    spec = spec_from_loader("installer_packages", loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def _run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, HELPER, *arguments], capture_output=True, text=True, check=False)


def _names(text: str) -> list[str]:
    return [line.partition("==")[0] for line in text.splitlines() if not line.startswith("    --hash=sha256:")]


def test_without_anything_of_the_system_all_that_is_locked_is_installed(packages: ModuleType) -> None:
    first, rest = LOCK.read_text().split("\n", 1)
    assert first.startswith("#")
    assert packages.requirements(LOCK.read_text(), None, None) == rest


@pytest.mark.parametrize(
    ("numpy_version", "cv2_version", "left_out"),
    [
        ("1.24.2", "4.6.0", ["numpy", "opencv-python-headless"]),
        ("2.2.4", "4.10.0", ["numpy", "opencv-python-headless"]),
        ("2.2.4", "5.0.0-pre", ["numpy", "opencv-python-headless"]),
        ("1.24.2", "4.5.1", ["numpy"]),
        ("1.24.2", None, ["numpy"]),
        (None, None, []),
    ],
)
def test_what_the_system_brings_is_not_installed_again(
    packages: ModuleType, numpy_version: str | None, cv2_version: str | None, left_out: list[str]
) -> None:
    left = _names(packages.requirements(LOCK.read_text(), numpy_version, cv2_version))
    assert [name for name in _names(LOCK.read_text())[1:] if name not in left] == left_out


def test_names_are_compared_as_the_index_does(packages: ModuleType) -> None:
    other = "opencv-python-headless-x==1 \\\n    --hash=sha256:00\n    # via numpy\n"
    text = f"# a header\nOpenCV_Python.Headless==5 \\\n    --hash=sha256:00 \\\n    --hash=sha256:11\n{other}"
    assert packages.requirements(text, None, "4.6.0") == other


def test_the_systems_numpy_is_held(packages: ModuleType) -> None:
    assert packages.constraints("1.24.2") == ["numpy==1.24.2"]
    assert packages.constraints(None) == []


@pytest.mark.parametrize(
    ("installed", "wrong"),
    [
        (["RPi.GPIO", "rpi-lgpio"], True),
        (["rpi_lgpio", "rpi.gpio", "gpiozero"], True),
        (["rpi-lgpio", "lgpio"], False),
        (["RPi.GPIO"], False),
        ([], False),
    ],
)
def test_two_packages_that_call_themselves_rpi_clash(packages: ModuleType, installed: list[str], wrong: bool) -> None:
    found = packages.clashes(installed)
    assert len(found) == wrong
    assert all("sudo apt-get remove python3-rpi.gpio" in text for text in found)


def test_the_self_test_passes_here(tmp_path: Path) -> None:
    held = tmp_path / "constraints.txt"
    held.write_text(f"numpy=={importlib.metadata.version('numpy')}\n")
    done = _run("selftest", held)
    assert (done.returncode, done.stderr) == (0, "")
    assert all("not installed" in line for line in done.stdout.splitlines())


def test_another_numpy_than_the_systems_fails_the_self_test(tmp_path: Path) -> None:
    held = tmp_path / "constraints.txt"
    held.write_text("numpy==1.24.2\n")
    done = _run("selftest", held)
    assert done.returncode == 1
    assert " hides the system's numpy==1.24.2, for which the system's packages were compiled" in done.stdout


def test_a_package_that_can_not_be_imported_fails_the_self_test(
    packages: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "picamera2.py").write_text("raise ValueError('numpy.dtype size changed')")
    (tmp_path / "gone.py").write_text("import nothing_of_this_name")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(packages, "COMPILED", ("gone",))
    monkeypatch.setattr(packages, "OPTIONAL", {"picamera2": "no camera", "not_there": "no lamps"})
    assert packages.selftest([]) == (
        [
            "import gone: ModuleNotFoundError: No module named 'nothing_of_this_name'",
            "picamera2: ValueError: numpy.dtype size changed; no camera",
        ],
        ["not_there: not installed; no lamps"],
    )


def test_everything_that_is_needed_is_tried(packages: ModuleType) -> None:
    """Each requirement is either compiled, and in the self-test, or pure Python."""
    modules = {name.split(".")[0] for name in (*packages.COMPILED, *packages.OPTIONAL)}
    imported = {"opencv-python-headless": "cv2", "zxing-cpp": "zxingcpp", "pillow": "PIL", "fpdf2": "fpdf"}
    pure = {"click", "fonttools", "platformdirs", "segno"}
    names = {packages._name(one) for one in NEEDED} - pure
    assert {imported.get(name, name.split("-")[0].split(".")[0]) for name in names} <= modules


def test_the_command_line_prints_what_pip_reads() -> None:
    brought = {"numpy", "opencv-python-headless"}
    locked = _names(LOCK.read_text())[1:]
    assert _names(_run("requirements", LOCK).stdout) == [name for name in locked if name not in brought]
    assert _run("constraints").stdout == f"numpy=={importlib.metadata.version('numpy')}\n"
    assert (_run("clashes").returncode, _run("clashes").stdout) == (0, "")
    assert _run("bogus").returncode == 2

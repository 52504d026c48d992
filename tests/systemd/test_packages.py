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
PYPROJECT = PROJECT / "pyproject.toml"
NEEDED = tomllib.loads(PYPROJECT.read_text())["project"]["dependencies"]


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


def test_without_a_system_opencv_everything_is_asked_for(packages: ModuleType) -> None:
    assert packages.requirements(PYPROJECT.read_text(), None) == NEEDED
    assert packages.requirements(PYPROJECT.read_text(), "4.5.1") == NEEDED


@pytest.mark.parametrize("version", ["4.6.0", "4.10.0", "5.0.0-pre"])
def test_a_system_opencv_that_will_do_is_not_asked_for_again(packages: ModuleType, version: str) -> None:
    left = packages.requirements(PYPROJECT.read_text(), version)
    assert [name for name in NEEDED if name not in left] == ["opencv-python-headless>=4.7"]


def test_names_are_compared_as_the_index_does(packages: ModuleType) -> None:
    text = (
        '[project]\ndependencies = ["OpenCV_Python.Headless[x] >=4; python_version>\'3\'", "opencv-python-headless-x"]'
    )
    assert packages.requirements(text, "4.6.0") == ["opencv-python-headless-x"]


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
    assert _run("requirements", PYPROJECT).stdout.splitlines() == [
        name for name in NEEDED if not name.startswith("opencv")
    ]
    assert _run("constraints").stdout == f"numpy=={importlib.metadata.version('numpy')}\n"
    assert (_run("clashes").returncode, _run("clashes").stdout) == (0, "")
    assert _run("bogus").returncode == 2

"""The words are those of real releases that were put beside one another."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.documents import ROOT
from vision.clash import clash, told

SIZE = "numpy.dtype size changed, may indicate binary incompatibility. Expected 96 from C header, got 88 from PyObject"
GROWN = (
    "numpy.ndarray size changed, may indicate binary incompatibility. Expected 88 from C header, got 80 from PyObject"
)
ABI = "module compiled against ABI version 0x2000000 but this version of numpy is 0x1000009"
API = (
    "module was compiled against NumPy C-API version 0x10 (NumPy 1.23) but the running NumPy has C-API version 0xf. "
    "Check the section C-API incompatibility"
)
FAILED = "numpy.core.multiarray failed to import"
SYSTEM, VENV = "/usr/lib/python3/dist-packages", "/opt/companion/current/venv/lib/python3.11/site-packages"
PIP = f"{sys.executable} -m pip"


def _raised(text: str, path: str) -> Exception:
    """An error that comes from a file."""
    try:
        exec(compile(f"raise ImportError({text!r})", path, "exec"))
    except ImportError as error:
        return error
    raise AssertionError


@pytest.mark.parametrize(
    ("text", "version", "numpy_in", "module_in", "compared", "helps"),
    [
        (SIZE, "2.1.0", VENV, SYSTEM, "newer", f"{PIP} install 'numpy<2'"),
        (FAILED, "2.1.0", VENV, VENV, "newer", f"{PIP} install 'numpy<2'"),
        ("_ARRAY_API not found", "2.2.4", SYSTEM, VENV, "newer", f"{PIP} install --upgrade simplejpeg"),
        (SIZE, "2.2.4", SYSTEM, SYSTEM, "newer", "sudo apt full-upgrade"),
        (GROWN, "1.19.5", SYSTEM, VENV, "older", f"{PIP} uninstall simplejpeg"),
        (FAILED, "1.24.2", VENV, SYSTEM, "older", f"{PIP} install --upgrade numpy"),
        (ABI, "1.24.2", SYSTEM, SYSTEM, "older", "sudo apt full-upgrade"),
        (API, "1.22.0", SYSTEM, VENV, "older", f"{PIP} uninstall simplejpeg"),
        ("No module named 'numpy._core'", "1.24.2", SYSTEM, VENV, "older", f"{PIP} uninstall simplejpeg"),
    ],
)
def test_a_numpy_that_is_newer_than_wanted_has_another_remedy_than_an_older_one(
    text: str, version: str, numpy_in: str, module_in: str, compared: str, helps: str
) -> None:
    error = _raised(text, f"{module_in}/simplejpeg/__init__.py")
    said = told(error, version, f"{numpy_in}/numpy/__init__.py")
    assert said == f"numpy {version} is {compared} than the one that simplejpeg was built for; {helps}"


def test_pip_knows_opencv_by_another_name_than_its_module() -> None:
    error = _raised(FAILED, f"{VENV}/cv2/__init__.py")
    said = told(error, "2.2.4", f"{SYSTEM}/numpy/__init__.py")
    assert said.endswith(f"cv2 was built for; {PIP} install --upgrade opencv-python-headless")


def test_of_other_errors_nothing_is_said() -> None:
    assert clash(ImportError("libpisp.so.1: cannot open shared object file")) == ""


def test_a_command_whose_modules_do_not_fit_says_what_to_type(tmp_path: Path) -> None:
    (tmp_path / "cv2.py").write_text(f"raise ImportError({FAILED!r})")
    environ = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    ran = subprocess.run(
        [sys.executable, "-m", "companion", "read", "picture.png"],
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"Error: {FAILED}: numpy ")
    assert "Traceback" not in ran.stderr

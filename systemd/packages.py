"""What the installer needs to know about Python packages. Standard library only: it runs before anything is installed.

`packages.py requirements LOCK` prints what of a lock file pip has to install into the virtual environment that runs
this, and `packages.py constraints` what has to stay as it is. `packages.py clashes` prints what can't be installed side
by side, `packages.py selftest CONSTRAINTS` tries everything that is compiled; these two exit with 1 if something is
wrong.

The camera's Python packages come from the system, and are compiled for the system's numpy. A second numpy in the
virtual environment would be imported by them and crash ("numpy.dtype size changed"). So the system's numpy is used, and
its `cv2` if that works: Debian's python3-opencv has no metadata by which pip could see it, and the locked
opencv-python-headless is compiled for a newer numpy.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

OPENCV = "opencv-python-headless"
OLDEST_CV2 = (4, 6)
"""Debian 12's. As a wheel a newer one is locked; the code knows both of its ArUco interfaces."""
COMPILED = ("numpy", "cv2", "cv2.aruco", "zxingcpp", "msgspec", "PIL.Image", "luma.oled.device", "gpiozero", "fpdf")
OPTIONAL = {
    "picamera2": "the camera on the ribbon cable can't be used",
    "lgpio": "buttons, lamps and buzzer can't be used",
    "pyzbar.pyzbar": "tags are read by zxing-cpp alone",
}
CV2_VERSION = "import cv2, cv2.aruco; print(cv2.__version__)"


def requirements(lock: str, numpy_version: str | None, cv2_version: str | None) -> str:
    """What pip has to install of a lock file: all but what the system brings.

    Args:
        lock: its text, one package after the other, each beginning at the margin and followed by its hashes.
        numpy_version: of the system's numpy, None if there is none.
        cv2_version: of the system's OpenCV, None if there is none that works.
    """
    brought = {"numpy"} if numpy_version else set()
    if cv2_version is not None and _numbers(cv2_version) >= OLDEST_CV2:
        brought.add(OPENCV)
    packages = re.findall(r"^\w.*\n(?:[ \t].*\n)*", lock, re.MULTILINE)
    return "".join(one for one in packages if _name(one) not in brought)


def constraints(numpy_version: str | None) -> list[str]:
    """What has to stay as it is: the system's numpy, of this version, if there is one."""
    return [f"numpy=={numpy_version}"] if numpy_version else []


def clashes(installed: Iterable[str]) -> list[str]:
    """What is wrong with the names of the installed packages."""
    names = {_normal(name) for name in installed}
    if not {"rpi-gpio", "rpi-lgpio"} <= names:
        return []
    return [
        "RPi.GPIO and rpi-lgpio are both installed, and both call themselves RPi: one hides the other. "
        "Keep rpi-lgpio on a Raspberry Pi 5, either one on older ones. To remove the other: "
        "sudo apt-get remove python3-rpi.gpio (or python3-rpi-lgpio); if that says it is not installed, "
        "sudo python3 -m pip uninstall --break-system-packages RPi.GPIO (or rpi-lgpio)"
    ]


def selftest(held: Sequence[str]) -> tuple[list[str], list[str]]:
    """Imports and tries what is compiled.

    Args:
        held: what `constraints` gave when this environment was built.

    Returns:
        What is wrong, and what is missing but can be done without.
    """
    wrong, missing = [], []
    for name in COMPILED:
        try:
            importlib.import_module(name)
        except Exception as error:  # a module compiled for another numpy raises ValueError
            wrong.append(f"import {name}: {type(error).__name__}: {error}")
    for name, effect in OPTIONAL.items():
        if problem := _optional(name):
            (missing if problem == "not installed" else wrong).append(f"{name}: {problem}; {effect}")
    if not wrong:
        wrong = _try_out(held)
    return wrong, missing


def _optional(name: str) -> str:
    top = name.split(".")[0]
    if importlib.util.find_spec(top) is None:
        return "not installed"
    try:
        importlib.import_module(name)
    except Exception as error:
        # Pure Python packages are there even where what they call is not.
        return "not installed" if top == "pyzbar" else f"{type(error).__name__}: {error}"
    return ""


def _try_out(held: Sequence[str]) -> list[str]:
    import cv2
    import numpy as np
    import zxingcpp

    now = constraints(np.__version__)
    if held and now != list(held):
        return [f"{now[0]} hides the system's {held[0]}, for which the system's packages were compiled"]
    grey = cv2.cvtColor(np.full((60, 80, 3), 255, np.uint8), cv2.COLOR_BGR2GRAY)
    found = zxingcpp.read_barcodes(cv2.resize(grey, None, fx=2, fy=2))
    return [] if list(found) == [] else ["zxing-cpp sees a tag on white paper"]


def _name(requirement: str) -> str:
    return _normal(re.split(r"[^\w.-]", requirement.strip(), maxsplit=1)[0])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", version)[:2])


def _cv2_version() -> str | None:
    """Of the OpenCV that this Python sees; in a process of its own, since a broken one may crash."""
    done = subprocess.run([sys.executable, "-c", CV2_VERSION], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def _numpy_version() -> str | None:
    try:
        return importlib.metadata.version("numpy")
    except importlib.metadata.PackageNotFoundError:
        return None


def main(arguments: list[str]) -> int:
    """Does what the module's text says; 2 if it is asked for something else."""
    match arguments:
        case ["requirements", path]:
            print(requirements(Path(path).read_text("utf-8"), _numpy_version(), _cv2_version()), end="")
        case ["constraints"]:
            print(*constraints(_numpy_version()), sep="\n")
        case ["clashes"]:
            found = clashes(dist.metadata["Name"] or "" for dist in importlib.metadata.distributions())
            print(*found, sep="\n", end="\n" if found else "")
            return bool(found)
        case ["selftest", path]:
            with tempfile.TemporaryDirectory() as folder:
                os.environ["LG_WD"] = folder  # lgpio makes a pipe there when it is imported
                wrong, missing = selftest(Path(path).read_text("utf-8").split())
            for line in [*wrong, *missing]:
                print(line)
            return bool(wrong)
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""What is compiled fits only some versions of numpy: which way it doesn't fit, and what to type.

It imports nothing that is compiled, so that it can still speak when nothing of that kind can be imported.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import re
import sys
import traceback

PIP_NAMES = {"cv2": "opencv-python-headless"}
"""What pip calls a module where it is not its name."""
SYSTEM = "/usr/lib/python3/"
"""Where Debian puts the modules of its packages."""
_VERSIONS = re.compile(r"compiled against [^.]*?(0x[0-9a-f]+).{0,80}?(0x[0-9a-f]+)", re.DOTALL)
"""numpy's own words, of several releases: the number of the interface that is wanted, and of the one that is there."""


def clash(error: BaseException) -> str:
    """What is to be said of a module that doesn't fit the numpy that is installed; empty if it is something else."""
    found = importlib.util.find_spec("numpy")
    if found is None or found.origin is None:
        return ""
    return told(error, importlib.metadata.version("numpy"), found.origin)


def told(error: BaseException, version: str, place: str) -> str:
    """The same, of a numpy of this version at this place."""
    text = str(error)
    if "numpy" not in text.lower() and "_ARRAY_API" not in text:
        return ""
    module, path = _module(error)
    pip, name = f"{sys.executable} -m pip", PIP_NAMES.get(module, module)
    older = _older(text, version)
    if SYSTEM not in place:
        helps = f"{pip} install --upgrade numpy" if older else f"{pip} install 'numpy<2'"
    elif path and SYSTEM not in path:
        helps = f"{pip} uninstall {name}" if older else f"{pip} install --upgrade {name}"
    else:
        helps = "sudo apt full-upgrade"
    return f"numpy {version} is {'older' if older else 'newer'} than the one that {module} was built for; {helps}"


def _older(text: str, version: str) -> bool:
    """Whether numpy is older than wanted; otherwise it is newer."""
    if numbers := _VERSIONS.search(text):
        return int(numbers[1], 16) > int(numbers[2], 16)
    # Sizes tell nothing: those of some types grew with 1.20, and that of another shrank with 2.0. But 2 is the only
    # release that what was built before it can't bear.
    return "numpy._core" in text or int(version.partition(".")[0]) < 2


def _module(error: BaseException) -> tuple[str, str]:
    """The module whose import failed, and where it lies; if that isn't known, what to call it and nothing."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        found = re.search(r"-packages/([^/]+?)(?:\.py)?(?:/|$)", frame.filename)
        if found and found[1] != "numpy":
            return found[1], frame.filename
    return "a compiled module", ""

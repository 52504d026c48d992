#!/usr/bin/env python3
"""The one command of this project: `./go` lists what there is.

Standard library only, so that it runs on a bare machine. It keeps `.venv` fresh by the hash of `pyproject.toml`.
"""

from __future__ import annotations

import ctypes.util
import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / "python"
STAMP = VENV / "stamp"
OLDEST = (3, 11)
FONT_FOLDERS = ("/usr/share/fonts/opentype/spleen", "/usr/local/share/fonts/spleen")

VERBS = {
    "play": "bots play on the virtual table; `./go play --help` tells the rest",
    "test": "format, lint, types and all tests but the long ones; with arguments: just these tests",
    "lint": "format, lint and types only; `./go lint --fix` mends what can be mended",
    "soak": "the long proofs: whole games from rendered frames, a thousand dealer games a player count",
    "bench": "benchmarks, as ratios to a baseline in the same run",
    "print": "the kit to print: `./go print phoenix -o kit.pdf`",
    "companion": "any command of the companion: `./go companion --help`",
}


def main(arguments: list[str]) -> int:
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        print("./go VERB ...\n")
        for verb, text in VERBS.items():
            print(f"  {verb:<10} {text}")
        return 0
    verb, rest = arguments[0], arguments[1:]
    if verb not in VERBS:
        return _fail(f"./go {verb}: no such verb; there are {', '.join(VERBS)}")
    problem = _prepare()
    if problem:
        return _fail(problem)
    return {
        "play": lambda: _companion(["play", *_with_game(rest)]),
        "test": lambda: _test(rest),
        "lint": lambda: _lint(rest),
        "soak": lambda: _pytest(["-m", "soak", "-n", _workers(), "--dist", "worksteal", *rest]),
        "bench": lambda: _bench(rest),
        "print": lambda: _companion(["print", *rest]),
        "companion": lambda: _companion(rest),
    }[verb]()


def _companion(arguments: list[str]) -> int:
    command = [str(PYTHON), "-m", "companion", *arguments]
    if os.name == "posix":  # in the place of this process, so that whoever ends it ends the game
        os.execve(command[0], command, _environment())
    return _run(list(command), cwd=None)


def _with_game(arguments: list[str]) -> list[str]:
    """The arguments of `play`; the game may be left out."""
    named = bool(arguments) and not arguments[0].startswith("-")
    return arguments if named else ["phoenix", *arguments]


def _test(arguments: list[str]) -> int:
    if arguments:
        return _pytest(arguments)
    return _lint([]) or _pytest(["-n", _workers(), "--dist", "worksteal"])


def _pytest(arguments: list[str]) -> int:
    return _run([PYTHON, "-m", "pytest", *arguments])


def _lint(arguments: list[str]) -> int:
    if "--fix" in arguments:
        return _run([BIN / "ruff", "format", "-q", "."]) or _run([BIN / "ruff", "check", "-q", "--fix", "."])
    commands = (["ruff", "format", "-q", "--check", "."], ["ruff", "check", "-q", "."], ["mypy", "--no-error-summary"])
    return max(_run([BIN / command[0], *command[1:]]) for command in commands)


def _bench(arguments: list[str]) -> int:
    scripts = sorted((ROOT / "tests" / "bench").glob("bench_*.py"))
    names = [argument for argument in arguments if not argument.startswith("-")]
    options = [argument for argument in arguments if argument.startswith("-")]
    wanted = [script for script in scripts if not names or script.stem.removeprefix("bench_") in names]
    return max((_run([PYTHON, script, *options]) for script in wanted), default=1)


def _run(command: list[object], cwd: Path | None = ROOT) -> int:
    try:
        return subprocess.run([str(part) for part in command], cwd=cwd, env=_environment(), check=False).returncode
    except KeyboardInterrupt:
        return 130


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT)}


def _workers() -> str:
    return str(min(4, os.cpu_count() or 1))


def _prepare() -> str:
    """Makes everything ready that a verb needs; what is wrong and can't be helped, or nothing."""
    if sys.version_info < OLDEST:
        return f"Python {sys.version.split()[0]} is too old: 3.11 or newer is needed (as in Debian 12)."
    if not importlib.util.find_spec("ensurepip"):
        missing = _install(["python3-venv"])
        if missing:
            return f"Python's venv module is missing. {missing}"
    wanted = hashlib.sha256((ROOT / "pyproject.toml").read_bytes() + sys.version.encode()).hexdigest()
    fresh = STAMP.exists() and STAMP.read_text() == wanted and PYTHON.exists()
    if fresh:
        return ""
    _say("Preparing .venv (about a minute, only when the dependencies have changed) ...")
    wished = [package for package, there in (("libzbar0", _has_zbar()), ("fonts-spleen", _has_font())) if not there]
    if wished:
        missing = _install(wished)
        if missing:
            _say(f"{missing}\nGoing on without: zxing-cpp reads alone, and the screen uses another font.")
    if VENV.exists():
        shutil.rmtree(VENV)
    for command in ([sys.executable, "-m", "venv", VENV], [PYTHON, "-m", "pip", "install", "-q", "-e", f"{ROOT}[dev]"]):
        done = subprocess.run([str(part) for part in command], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{' '.join(str(part) for part in command)} failed:\n{done.stdout[-2000:]}{done.stderr[-4000:]}"
    STAMP.write_text(wanted)
    return ""


def _install(packages: list[str]) -> str:
    """Installs Debian packages where that is possible; otherwise what to type."""
    apt = shutil.which("apt-get")
    if apt is None:
        brew = {"libzbar0": "zbar", "fonts-spleen": "font-spleen"}
        names = " ".join(brew.get(package, package) for package in packages)
        return f"Missing: {', '.join(packages)}. There is no apt-get here; on a Mac: brew install {names}"
    if os.geteuid() != 0:
        return f"Missing: {', '.join(packages)}. Please type: sudo apt-get install -y {' '.join(packages)}"
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in ([apt, "update", "-q"], [apt, "install", "-y", "-q", "--no-install-recommends", *packages]):
        done = subprocess.run(command, env=quiet, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode:
        return f"apt-get install {' '.join(packages)} failed: {(done.stderr or done.stdout).strip()[-500:]}"
    return ""


def _has_zbar() -> bool:
    return ctypes.util.find_library("zbar") is not None


def _has_font() -> bool:
    return any(Path(folder).is_dir() for folder in FONT_FOLDERS)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _fail(text: str) -> int:
    _say(text)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

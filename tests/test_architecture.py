"""Which folder may import which: the rooms of the house."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CORE = {"companion.core"}
FILES = {"companion.files", "companion.rights"}
"""The way in for files from outside, and whose they are, for all who read or write any."""
MAY = {
    "companion/core": CORE,
    "companion/games": {*CORE, "companion.games"},
    "companion/service": {*CORE, *FILES, "companion.games", "companion.service"},
    "companion/face": {*CORE, "companion.games", "companion.face"},
    "companion/kit": {*CORE, *FILES, "companion.games", "companion.kit"},
    "vision": {*CORE, *FILES, "vision"},
    "devices": {*CORE, "devices"},
}
OURS = ("companion", "vision", "devices")


def _imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.split(".")[0] in OURS}


def _inside(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def test_each_folder_imports_only_what_it_may() -> None:
    wrong = []
    for folder, allowed in MAY.items():
        for path in sorted((ROOT / folder).rglob("*.py")):
            wrong += [f"{path}: {n}" for n in _imports(path) if not any(_inside(n, one) for one in allowed)]
    assert wrong == []


def test_a_game_imports_no_other_game() -> None:
    wrong = []
    for game in (path for path in (ROOT / "companion" / "games").iterdir() if (path / "__init__.py").exists()):
        own = f"companion.games.{game.name}"
        for path in sorted(game.rglob("*.py")):
            wrong += [f"{path}: {n}" for n in _imports(path) if _inside(n, "companion.games") and not _inside(n, own)]
    assert wrong == []


def test_rules_use_no_clock_no_chance_and_no_file() -> None:
    forbidden = {"time", "datetime", "random", "threading", "pathlib", "os", "socket", "subprocess", "asyncio"}
    wrong = []
    for folder in ("core", "games"):
        for path in sorted((ROOT / "companion" / folder).rglob("*.py")):
            if path.name in ("dealer.py", "dealing.py", "adopting.py"):  # the world, not the rules: it shuffles
                continue
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                wrong += [f"{path}: {name}" for name in names if name.split(".")[0] in forbidden]
    assert wrong == []

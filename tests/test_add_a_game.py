"""The game of docs/add-a-game.md, taken out of the page: found, contract-tested and played with no edit elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion.face.tables import read
from companion.face.words import check, read_shared_wording

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "add-a-game.md"
GAME = "high_card"
BLOCK = re.compile(r"^`((?:companion|docs)/games/[^`]+)`\n\n(`{3,})\w+\n(.*?)^\2$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with the page's code blocks in it."""
    root = tmp_path_factory.mktemp("scratch")
    for folder in ("companion", "vision", "devices", "tests", "docs"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for name, _fence, text in BLOCK.findall(PAGE.read_text("utf-8")):
        file = root / name
        assert not file.exists(), f"{name}: the page may add files, not change any"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, "utf-8")
    return root


def _run(scratch: Path, *command: str, lines: str = "") -> str:
    """What a Python module says on standard output in the scratch copy; fails with all it said if it fails."""
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=scratch,
        env={**os.environ, "PYTHONPATH": str(scratch)},
        input=lines,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_game_is_found_and_keeps_the_contract(scratch: Path) -> None:
    tests = ("tests/games/test_contract.py", "tests/test_architecture.py")
    said = _run(scratch, "pytest", *tests, "-p", "no:cacheprovider", "-k", f"{GAME} or architecture")
    passed = re.search(r"(\d+) passed", said)
    assert passed
    assert int(passed[1]) > 20, said


def test_its_page_tells_what_is_so(scratch: Path) -> None:
    page = "tests/test_game_pages.py"
    said = _run(scratch, "pytest", page, "-p", "no:cacheprovider", "-k", f"{GAME} or every_game_has_a_page")
    passed = re.search(r"(\d+) passed", said)
    assert passed
    assert int(passed[1]) > 8, said


def test_its_code_is_formatted_and_clean(scratch: Path) -> None:
    folder = f"companion/games/{GAME}"
    _run(scratch, "ruff", "format", "--no-cache", "--check", folder)
    _run(scratch, "ruff", "check", "--no-cache", folder)


def test_its_words_are_whole_in_all_languages(scratch: Path) -> None:
    wording = read(scratch / "companion" / "games" / GAME / "wording")
    assert check(wording, read_shared_wording()) == []


def test_the_referee_plays_it(scratch: Path) -> None:
    lines = [{"setup": {"players": ["Ann", "Bea"]}}, {"table": {"card-3": "mat/red", "card-9": "mat/blue"}}]
    said = _run(scratch, "companion", "referee", GAME, lines="\n".join(json.dumps(line) for line in lines))
    assert [event["text"] for event in json.loads(said.splitlines()[-1])["events"]] == [
        "Ann lays the 3",
        "Bea lays the 9",
        "Bea wins with the 9!",
    ]


def test_bots_play_it_at_the_virtual_table(scratch: Path) -> None:
    said = _run(scratch, "companion", "play", GAME, "--plain", "--players", "Ann,Bea", "--language", "de")
    heading, *lines, scores, kept = said.splitlines()
    assert heading == "Hohe Karte · virtual: · Ann, Bea · seed 1"
    assert re.fullmatch(r"(Ann|Bea) \d+, (Ann|Bea) \d+", scores)
    assert kept.startswith("Not kept")
    told = [line.partition(" · ")[2] for line in lines]
    assert len(told) == 3
    assert told[0].startswith("Ann legt die ")
    assert told[1].startswith("Bea legt die ")
    assert re.fullmatch(r"(Ann|Bea) gewinnt mit der \d+!", told[2])


def test_its_kit_is_printed(scratch: Path) -> None:
    _run(scratch, "companion", "print", GAME, "-o", "kit.pdf")
    assert (scratch / "kit.pdf").read_bytes().startswith(b"%PDF")

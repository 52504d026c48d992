"""A made-up game, `toy`, whose owners write rhymes; journals that are closed again."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import companion.games
from companion.core.content import ContentError, ContentKind, Problem
from companion.service.journal import Journal

OpenJournal = Callable[..., Journal]


def _check(text: str) -> list[Problem]:
    """Each line that says `bad` is wrong."""
    lines = enumerate(text.splitlines(), 1)
    return [Problem(f"line {number}", "'bad'", "anything else") for number, line in lines if line == "bad"]


class Toy:
    """As much of a game as content files need."""

    content = ContentKind("rhyme", _check, '# What it is called:\nname = ""\n')

    def __init__(self, files: Mapping[str, str] | None = None) -> None:
        self.files = files

    def equipped(self, files: Mapping[str, str]) -> Toy:
        if len(files) > 2:
            raise ContentError("rhymes: three of them; two at most")
        return Toy(files)


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of games, of which one, `toy`, ships the rhyme `old`."""
    folder = tmp_path / "games"
    (folder / "toy" / "content" / "rhyme").mkdir(parents=True)
    (folder / "toy" / "__init__.py").write_text("raise RuntimeError('names of folders do')")
    (folder / "toy" / "content" / "rhyme" / "old.toml").write_text('name = "Old"')
    (folder / "toy" / "content" / "rhyme" / "notes.txt").write_text("no rhyme")
    (folder / "unfinished" / "content" / "poem").mkdir(parents=True)
    monkeypatch.setattr(companion.games, "__path__", [str(folder)])
    monkeypatch.setattr("companion.service.content.resources", SimpleNamespace(files=lambda _package: folder))
    return folder


@pytest.fixture
def toy(games: Path, monkeypatch: pytest.MonkeyPatch) -> Toy:
    game = Toy()
    monkeypatch.setitem(sys.modules, "companion.games.toy", SimpleNamespace(GAME=game))
    return game


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """The owner's folder of rhymes."""
    folder = tmp_path / "own" / "toy" / "rhyme"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def open_journal() -> Iterator[OpenJournal]:
    """Opens a journal, as a box does that starts again: whoever had it before has ended."""
    opened: dict[Path | str, Journal] = {}

    def open_(path: Path | str, **more: Any) -> Journal:
        if path in opened:
            opened.pop(path).close()
        opened[path] = Journal(path, **more)
        return opened[path]

    yield open_
    for journal in opened.values():
        journal.close()

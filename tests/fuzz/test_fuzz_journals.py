"""Whatever a report holds: it is taken in and played again, or it is told in words why it can't be."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.errors import CompanionError
from companion.games import load
from companion.service.archive import entries_of, games, parse, write_new
from companion.service.entries import DamagedError, JournalError
from companion.service.replay import ReplayError, replay
from tests.fuzz.mutations import VALUES, garbled, long, mutated, no_hang, short

RECORDED = [path.read_text("utf-8") for path in (Path(__file__).resolve().parents[1] / "journals").glob("*.jsonl")]
FEW = ["".join(text.splitlines(keepends=True)[:25]) for text in RECORDED]


def _with(text: str, number: int, other: Any, seed: int) -> str:
    """A journal of which one entry is another."""
    lines = text.splitlines()
    place = number % len(lines)
    lines[place] = json.dumps(mutated(json.loads(lines[place]), other, seed))
    return "\n".join(lines)


TEXTS = st.builds(_with, st.sampled_from(FEW), st.integers(0, 24), VALUES, st.integers(0, 10**9)) | st.builds(
    garbled, st.sampled_from(FEW), st.integers(0, 10**9)
)


def _holds(text: str) -> None:
    with no_hang(), tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        try:
            write_new(path, parse(text.encode("utf-8", "replace").splitlines(), "report.jsonl"))
        except JournalError as error:
            assert str(error).startswith("report.jsonl, line ")
            assert not list(Path(folder).iterdir())
            return
        faults: list[DamagedError] = []
        for played in games(entries_of(path), faults):
            assert isinstance(played.players, tuple)
            try:
                replay(load(played.game), played.entries)
            except ReplayError as error:
                assert str(error).startswith("journal entry ")
            except CompanionError as error:
                assert str(error).startswith("game ")
        assert faults == [] or str(faults[0]).endswith("missing")


@given(TEXTS)
@short(40)
def test_any_report_is_taken_in_or_refused_in_words(text: str) -> None:
    _holds(text)


@pytest.mark.soak
@given(TEXTS)
@long(4000)
def test_very_many_reports_are_taken_in_or_refused_in_words(text: str) -> None:
    _holds(text)

"""Whatever a line says: the referee gives one JSON answer, and a refusal changes nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.core.game import CODES
from companion.face.words import load_words
from companion.games import load, names
from companion.service.referee import Referee
from tests.fuzz.mutations import VALUES, garbled, long, mutated, no_hang, short

GAMES = Path(__file__).resolve().parents[2] / "companion" / "games"


def _lines(name: str) -> list[Any]:
    """All lines of the game's playthroughs."""
    files = sorted((GAMES / name / "playthroughs").glob("*.jsonl"))
    return [json.loads(line)["in"] for path in files for line in path.read_text("utf-8").splitlines()]


LINES = {name: _lines(name) for name in names()}
REFEREES = {name: Referee(load(name), load_words("en", load(name)).say) for name in names()}


def _line(good: Any, other: Any, seed: int) -> str:
    return json.dumps(mutated(good, other, seed))


def near(name: str) -> st.SearchStrategy[str]:
    """Lines that are nearly right."""
    good = st.sampled_from(LINES[name])
    seeds = st.integers(0, 10**9)
    setups = st.sampled_from([line for line in LINES[name] if "setup" in line])
    return (
        st.builds(_line, good, VALUES, seeds)
        | st.builds(_line, setups, VALUES, seeds)
        | st.builds(lambda line, seed: garbled(json.dumps(line), seed), good, seeds)
        | good.map(json.dumps)
        | VALUES.map(json.dumps)
    )


def _holds(name: str, lines: list[str | bytes]) -> None:
    referee = REFEREES[name]
    referee._history = None
    facts = None
    for line in lines:
        with no_hang():
            answer = json.loads(msgspec.json.encode(referee.answer(line)))
        if answer["ok"]:
            assert isinstance(answer["events"], list)
        else:
            assert answer["refusal"]["code"] in CODES
            assert answer["refusal"]["text"]
            assert answer.get("facts") == facts, line
        facts = answer.get("facts")


@pytest.mark.parametrize("name", names())
@given(data=st.data())
@short(60)
def test_any_line_that_is_nearly_right_has_an_answer(name: str, data: st.DataObject) -> None:
    _holds(name, data.draw(st.lists(near(name), max_size=12)))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", names())
@given(lines=st.lists(st.binary(max_size=60) | st.text(max_size=60), max_size=4))
@example(lines=["[" * 100_000])
@example(lines=['{"setup":' * 50_000])
@example(lines=['{"do": ' + "9" * 10_000 + "}"])
@example(lines=["\ud800"])
@short(60)
def test_any_bytes_have_an_answer(name: str, lines: list[str | bytes]) -> None:
    _holds(name, lines)


@pytest.mark.soak
@pytest.mark.parametrize("name", names())
@given(data=st.data())
@long(5000)
def test_very_many_lines_have_an_answer(name: str, data: st.DataObject) -> None:
    _holds(name, data.draw(st.lists(near(name), max_size=25)))  # type: ignore[arg-type]

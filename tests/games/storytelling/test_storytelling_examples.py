"""Whole games by another implementation of the same rules replay exactly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.games.storytelling import GAME
from companion.games.storytelling.state import MODES
from companion.service.referee import Referee


@pytest.mark.parametrize("mode", MODES)
def test_examples_replay_exactly(shared: Path, mode: str) -> None:
    name = f"storytelling-{mode}*.jsonl"
    paths = sorted((shared / "examples").glob(name))
    if not paths:
        pytest.skip(f"no {name} in {shared.name}/examples")
    for path in paths:
        referee = Referee(GAME, lambda message: message.key)
        for number, line in enumerate(path.read_bytes().splitlines(), 1):
            step = msgspec.json.decode(line)
            asked = {"setup": step["setup"]} if number == 1 else step["event"]
            answer = referee.answer(msgspec.json.encode(asked))
            assert answer["ok"], (path.name, number, answer)
            assert _free(answer["facts"]) == _free(step["facts"]), (path.name, number)


def test_each_example_is_of_a_mode_that_is_replayed(shared: Path) -> None:
    names = [path.stem.removeprefix("storytelling-") for path in (shared / "examples").glob("storytelling-*.jsonl")]
    assert [name for name in names if not name.startswith(MODES)] == []


def _free(facts: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with the set of winners in no order."""
    winners = facts["winners"]
    return {**facts, "winners": winners if winners is None else sorted(winners)}

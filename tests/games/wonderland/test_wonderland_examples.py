"""Whole games by another implementation of the same rules replay exactly."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.games.wonderland import GAME
from companion.service.referee import Referee


@pytest.mark.parametrize("name", ["wonderland-2-players.jsonl", "wonderland-4-players.jsonl"])
def test_wonderland_examples_replay_exactly(shared: Path, name: str) -> None:
    referee = Referee(GAME, lambda message: message.key)
    for number, line in enumerate((shared / "examples" / name).read_bytes().splitlines()):
        step = msgspec.json.decode(line)
        asked = step["event"] if number else {"setup": step["setup"]}
        answer = referee.answer(msgspec.json.encode(asked))
        assert (answer["ok"], answer["facts"]) == (True, step["facts"]), number

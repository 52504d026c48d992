"""Whole games by another implementation of the same rules replay exactly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.game import Game
from companion.service.referee import Referee


@pytest.mark.parametrize("name", ["phoenix-3-players.jsonl", "phoenix-6-players.jsonl"])
def test_examples_replay_exactly(shared: Path, phoenix: Game[Any, Any], name: str) -> None:
    referee = Referee(phoenix, lambda message: message.key)
    for number, line in enumerate((shared / "examples" / name).read_bytes().splitlines()):
        step = msgspec.json.decode(line)
        asked = step["event"] if number else {"setup": step["setup"]}
        answer = referee.answer(msgspec.json.encode(asked))
        assert (answer["ok"], answer["facts"]) == (True, step["facts"]), number

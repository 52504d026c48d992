"""Whole games by another implementation of the same rules replay exactly."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.game import Refusal
from companion.games.three_kings import rules, setup
from companion.games.three_kings.moves import Move
from companion.games.three_kings.state import State, facts
from tests.games.three_kings.court import DECKS


def test_examples_replay_exactly(shared: Path) -> None:
    paths = sorted((shared / "examples").glob("three_kings-*.jsonl"))
    if not paths:
        pytest.skip(f"no three_kings-*.jsonl in {shared.name}/examples")
    for path in paths:
        first, *steps = map(msgspec.json.decode, path.read_bytes().splitlines())
        state = setup.start(first["setup"], DECKS)
        assert isinstance(state, State)
        assert facts(state) == first["facts"]
        for number, step in enumerate(steps, 2):
            move = msgspec.convert(step["event"], Move)
            done = rules.apply(state, move)
            assert not isinstance(done, Refusal), (path.name, number, done)
            state = done.state
            assert _free(facts(state)) == _free(step["facts"]), (path.name, number)
            told = [event.params for event in done.events if "defence" in event.params]
            fights = [announced for announced in step["announce"] if isinstance(announced, dict)]
            assert [{key: one[key] for key in fight} for one, fight in zip(told, fights, strict=True)] == fights


def _free(found: Mapping[str, Any]) -> dict[str, Any]:
    """The facts with the set of winners in no order."""
    winners = found["winners"]
    return {**found, "winners": winners if winners is None else sorted(winners)}

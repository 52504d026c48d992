"""Whole games, read from rendered frames, without one uncorrected error: a few here, all of them in the soak run."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from companion.app.proof import Proof, Report
from companion.games import load

FEW = [("phoenix", 2, 1), ("phoenix", 3, 2)]
ALL = [("phoenix", players, seed) for players in range(2, 7) for seed in range(10)]


def _prove(name: str, players: int, seed: int, record: Callable[[str, object], None]) -> Report:
    report = Proof(load(name), players, seed).run()
    record("proof", msgspec.to_builtins(report))
    return report


@pytest.mark.parametrize(("name", "players", "seed"), FEW)
def test_a_whole_game_is_read_right(
    name: str, players: int, seed: int, record_property: Callable[[str, object], None]
) -> None:
    assert _prove(name, players, seed, record_property).errors == ()


@pytest.mark.soak
@pytest.mark.parametrize(("name", "players", "seed"), [game for game in ALL if game not in FEW])
def test_every_seeded_game_is_read_right(
    name: str, players: int, seed: int, record_property: Callable[[str, object], None]
) -> None:
    assert _prove(name, players, seed, record_property).errors == ()

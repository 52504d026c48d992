"""Whole games, read from rendered frames, without one uncorrected error: a few here, all of them in the soak run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import msgspec
import pytest

from companion.app.proof import Proof, Report
from companion.games import load


class Seeded(NamedTuple):
    """One game: its name, number of players, seed, and what else the set-up says."""

    name: str
    players: int
    seed: int
    options: tuple[tuple[str, Any], ...] = ()


def _tale(mode: str, seed: int) -> Seeded:
    """A game of Storytelling; the number of players goes round with the seed."""
    players = 1 + seed % 4 if mode == "race" else 2 + seed % 3
    return Seeded("storytelling", players, seed, (("mode", mode),))


MODES = ("basic", "stinky-breath", "wolf-blew", "midnight", "race")
FEW = [Seeded("phoenix", 2, 1), Seeded("phoenix", 3, 2), _tale("stinky-breath", 4), _tale("wolf-blew", 1)]
FEW += [Seeded("wonderland", 2, 0), Seeded("wonderland", 4, 0), Seeded("three_kings", 3, 3)]
ALL = [Seeded("phoenix", players, seed) for players in range(2, 7) for seed in range(10)]
ALL += [_tale(mode, seed) for mode in MODES for seed in range(10)]
ALL += [Seeded("wonderland", players, seed) for players in range(2, 5) for seed in range(10)]
ALL += [Seeded("three_kings", players, seed) for players in (3, 5, 8) for seed in range(1, 6)]


def _prove(game: Seeded, record: Callable[[str, object], None]) -> Report:
    mischief = 0.1 if game.name == "storytelling" else 0.06
    proof = Proof(load(game.name), game.players, game.seed, mischief=mischief, options=dict(game.options))
    report = proof.run()
    record("proof", msgspec.to_builtins(report))
    return report


def _called(game: Seeded) -> str:
    return "-".join(str(part) for part in (game.name, *dict(game.options).values(), game.players, game.seed))


@pytest.mark.parametrize("game", FEW, ids=_called)
def test_a_whole_game_is_read_right(game: Seeded, record_property: Callable[[str, object], None]) -> None:
    assert _prove(game, record_property).errors == ()


@pytest.mark.soak
@pytest.mark.parametrize("game", [game for game in ALL if game not in FEW], ids=_called)
def test_every_seeded_game_is_read_right(game: Seeded, record_property: Callable[[str, object], None]) -> None:
    assert _prove(game, record_property).errors == ()

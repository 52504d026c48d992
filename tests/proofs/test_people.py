"""Whole games with somebody who takes back, makes again, corrects and answers at random moments: none is ever stuck."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.games import load
from tests.proofs.people import Rendered, Watched, evening


class Seeded(NamedTuple):
    """One game: its name, number of players, seed, and mode."""

    name: str
    players: int
    seed: int
    mode: str = ""


MODES = ("basic", "stinky-breath", "wolf-blew", "midnight", "race")
FEW = [
    Seeded("phoenix", 2, 4), Seeded("storytelling", 2, 1, "wolf-blew"), Seeded("storytelling", 3, 3, "midnight"),
    Seeded("wonderland", 2, 5), Seeded("three_kings", 3, 1),
]  # fmt: skip
MANY = [Seeded("phoenix", players, seed) for players in range(2, 7) for seed in range(10)]
MANY += [Seeded("storytelling", 2 + seed % 3, seed, mode) for mode in MODES for seed in range(9)]
MANY += [Seeded("storytelling", 1, seed, "race") for seed in range(5)]
MANY += [Seeded("wonderland", players, seed) for players in range(2, 5) for seed in range(15)]
MANY += [Seeded("three_kings", players, seed) for players in range(3, 9) for seed in range(5)]
PICTURED = [
    Seeded("phoenix", 2, 1), Seeded("storytelling", 2, 2, "stinky-breath"), Seeded("wonderland", 2, 3),
    Seeded("three_kings", 3, 4),
]  # fmt: skip


def _called(game: Seeded) -> str:
    return "-".join(str(part) for part in game if part != "")


def _play(game: Seeded, folder: Path, kind: type[Rendered], record: Callable[[str, object], None]) -> None:
    more: dict[str, Any] = {"mode": game.mode} if game.mode else {}
    record("evening", evening(folder, load(game.name), game.players, game.seed, kind, **more))


@pytest.mark.parametrize("game", FEW, ids=_called)
def test_bots_go_along_with_whatever_somebody_presses(
    game: Seeded, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    _play(game, tmp_path, Watched, record_property)


@pytest.mark.soak
@pytest.mark.parametrize("game", [game for game in MANY if game not in FEW], ids=_called)
def test_bots_go_along_in_every_seeded_game(
    game: Seeded, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    _play(game, tmp_path, Watched, record_property)


@pytest.mark.soak
@pytest.mark.parametrize("game", PICTURED, ids=_called)
def test_bots_go_along_in_whole_games_that_are_read_from_pictures(
    game: Seeded, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    _play(game, tmp_path, Rendered, record_property)

"""The games. Each folder here with a `GAME` that keeps the contract of `companion.core.game` is one."""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any

from companion.core.errors import CompanionError
from companion.core.game import Game


class NoSuchGameError(CompanionError, LookupError):
    """A game was asked for that no folder holds."""


def names() -> tuple[str, ...]:
    """The ids of all games, sorted; they are the folders' names."""
    return tuple(sorted(found.name for found in pkgutil.iter_modules(__path__) if found.ispkg))


def load(name: str) -> Game[Any, Any]:
    """The game in the folder `name`.

    Raises:
        NoSuchGameError: there is no such folder.
    """
    if name not in names():
        raise NoSuchGameError(f"game {name!r}: not here; there are {', '.join(names())}")
    game: Game[Any, Any] = importlib.import_module(f"{__name__}.{name}").GAME
    return game

"""How a dealer's game starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.errors import CompanionError
from companion.core.game import Dealer, Game, Refusal
from companion.core.messages import LANGUAGES
from companion.face.words import load_words


def first_state(game: Game[Any, Any], dealer: Dealer, line: Mapping[str, Any]) -> Any:
    """The state in which a dealer's game starts, with all options of `line` in force.

    Raises:
        CompanionError: the game can't be set up like this, or doesn't know an option.
    """
    state = game.setup({**dealer.setup, **options(line)})
    if isinstance(state, Refusal):
        raise CompanionError(load_words(LANGUAGES[0], game).say(state.message))
    return state


def options(line: Mapping[str, Any]) -> dict[str, Any]:
    """All of a set-up line but its players."""
    return {key: value for key, value in line.items() if key != "players"}

"""Whose turn it is."""

from __future__ import annotations

from typing import Any

from companion.core.game import Game, Refusal
from companion.games.phoenix.moves import Place

TWO_EACH = {
    nest: {"Sam": cards} for nest, cards in (("small-1", ("red-2a", "red-3a")), ("small-2", ("red-4a", "red-5a")))
}


def test_who_has_laid_all_cards_of_the_round_is_passed_over(phoenix: Game[Any, Any]) -> None:
    """As it may be after a correction."""
    nests = {**TWO_EACH, "big": {"Sam": ("blue-2a", "blue-3a")}}
    line = {
        "players": ["Ellie", "Sam", "Ezio"],
        "holder": "Ellie",
        "turn": "Ellie",
        "open": "red-7",
        "tokens": {"small-1": [2, 3], "small-2": [4, 5], "big": [6, 7]},
        "nests": nests,
    }
    state = phoenix.setup(line)
    step = phoenix.apply(state, Place("blue-7", "big", by="Ellie"))
    assert not isinstance(step, Refusal), step
    assert phoenix.facts(step.state)["turn"] == "Ezio"

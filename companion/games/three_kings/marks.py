"""Faction Marks: who belongs to whom. Nobody but their holders sees them, so the rules only know how they are dealt."""

from __future__ import annotations

from itertools import combinations

from companion.core.messages import Message, say
from companion.games.three_kings.cards import FACTIONS

PER_DECK = 2
"""Marks of each faction in the box. Source: rulebook, Components and Game Setup."""


def pools(players: int) -> tuple[tuple[str, ...], ...]:
    """All pools of Marks that players may have before them; each draws one. Source: rulebook, Game Setup; rulings.

    With three players one of the four stays out unseen; where a deck is removed unseen, there is one pool for each.
    """
    *three, eye = FACTIONS
    if players <= 4:
        return (FACTIONS,)
    if players == 5:
        return tuple((*two * PER_DECK, eye) for two in combinations(three, 2))
    if players == 6:
        return tuple(kept * PER_DECK for kept in combinations(FACTIONS, 3))
    return ((*tuple(three) * PER_DECK, *(eye,) * (players - len(three) * PER_DECK)),)


def instruction(players: int) -> Message:
    """How the Marks are made ready for so many players, for the screen."""
    return say(f"marks.{players}")

"""The Spirit cards: characters, how many of each there are, and what they are worth.

Copies of a character are interchangeable for the rules. State, moves and facts therefore speak of characters; a move
may also name a copy (`Alicec`), which the rules read as its character.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from string import ascii_lowercase

BUNDLE = "Bundle"
"""The Spirit Bundle: it has no skill and counts as one of each character when a Tunnel is checked."""
COUNTS: Mapping[str, int] = {"Alice": 12, "Rabbit": 12, "Cat": 12, "Hatter": 12, "Queen": 12, BUNDLE: 8}
"""Cards of each kind in the box. Source: rulebook, Game Parts."""
CARDS = tuple(COUNTS)
CHARACTERS = tuple(card for card in CARDS if card != BUNDLE)
"""The five characters that make a set."""

BUNDLE_POINTS = 5
SET_POINTS = 15
"""What a Bundle and a set of all five characters are worth. Source: rulebook, Scoring."""


def copies(card: str) -> tuple[str, ...]:
    """The letters that tell the copies of a card apart, as its tag has them: `Alicea` to `Alicel`."""
    return tuple(ascii_lowercase[: COUNTS[card]])


def character(card: str) -> str:
    """The card without its copy letter; empty if the box holds no such card."""
    if card in COUNTS:
        return card
    name, letter = card[:-1], card[-1:]
    return name if name in COUNTS and letter in copies(name) else ""


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Cards sorted by name, as hands and piles are held whose order means nothing."""
    return tuple(sorted(cards))


def score(cards: Iterable[str]) -> int:
    """What a Notebook is worth.

    Source: rulebook, Scoring; rulings, Score: Bundles never fill a set.
    """
    held = Counter(cards)
    sets = min(held[one] for one in CHARACTERS)
    left = (held[one] - sets for one in CHARACTERS)
    return held[BUNDLE] * BUNDLE_POINTS + sets * SET_POINTS + sum(n * (n + 1) // 2 for n in left)

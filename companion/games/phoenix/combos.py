"""What two cards are worth together. Source: rulebook, Combo Values."""

from __future__ import annotations

from companion.games.phoenix.box import DOUBLE


def worth(first: str, second: str) -> int:
    """The value of a combo of two cards, named with or without copy letter.

    A wild card has every colour and its own number.
    """
    colour_1, value_1 = _split(first)
    colour_2, value_2 = _split(second)
    agree = colour_1 == colour_2 or "wild" in (colour_1, colour_2)
    if value_1 == value_2 == DOUBLE:
        return 0
    if DOUBLE in (value_1, value_2):
        number = int(value_2 if value_1 == DOUBLE else value_1)
        return 2 * number if agree else number
    low, high = sorted((int(value_1), int(value_2)))
    if low == high:
        return 11 * low if agree else 2 * low
    return low + high if agree else high


def _split(card: str) -> tuple[str, str]:
    colour, value = card.split("-")
    return colour, value.rstrip("ab")

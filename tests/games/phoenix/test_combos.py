"""Combo values, each line from the rulebook's table or the rulings on it."""

from __future__ import annotations

import pytest

from companion.games.phoenix.combos import worth


@pytest.mark.parametrize(
    ("first", "second", "value"),
    [
        ("red-3a", "red-3b", 33),
        ("wild-2a", "red-2a", 22),
        ("wild-2a", "wild-2b", 22),
        ("purple-7", "purple-6a", 13),
        ("wild-2a", "red-5a", 7),
        ("wild-2a", "wild-3a", 5),
        ("red-6a", "blue-6a", 12),
        ("red-7", "red-2xa", 14),
        ("wild-3a", "red-2xa", 6),
        ("red-5a", "blue-2a", 5),
        ("red-4a", "blue-2xa", 4),
        ("red-2xa", "blue-2xa", 0),
        ("red-2xa", "red-2xb", 0),
        ("green-3", "wild-3", 33),
        ("green-5", "red-5", 10),
        ("yellow-3", "yellow-7", 10),
    ],
)
def test_two_cards_are_worth_what_the_rulebook_says(first: str, second: str, value: int) -> None:
    assert (worth(first, second), worth(second, first)) == (value, value)

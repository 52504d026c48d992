"""Dealing anew: every card where it may be, as many as each place takes, and the copies that lie on the table."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.dealing import Copies, spread
from companion.games import load


@st.composite
def _dealt(draw: st.DrawFn) -> tuple[list[tuple[str, int]], list[int]]:
    """Cards with places that can be, since each was dealt somewhere, and how many each place takes."""
    sizes = draw(st.lists(st.integers(0, 6), min_size=1, max_size=6))
    homes = [place for place, size in enumerate(sizes) for _ in range(size)]
    more = draw(st.lists(st.integers(0, 2 ** len(sizes) - 1), min_size=len(homes), max_size=len(homes)))
    return [(f"card-{n}", 1 << home | m) for n, (home, m) in enumerate(zip(homes, more, strict=True))], sizes


@given(_dealt(), st.integers())
def test_cards_that_can_be_spread_are_spread_so_that_each_is_where_it_may_be(
    dealt: tuple[list[tuple[str, int]], list[int]], seed: int
) -> None:
    cards, sizes = dealt
    held = spread(cards, sizes, random.Random(seed))
    assert [len(there) for there in held] == sizes
    assert sorted(card for there in held for card in there) == sorted(card for card, _ in cards)
    places = dict(cards)
    assert all(places[card] >> place & 1 for place, there in enumerate(held) for card in there)


def test_cards_that_cannot_be_spread_are_an_error() -> None:
    with pytest.raises(ValueError, match="no place is left"):
        spread([("one", 1), ("two", 1)], [1, 1], random.Random(1))


def test_copies_are_those_that_lie_there_and_very_copies_are_kept_for_whoever_asks_for_them() -> None:
    box = load("phoenix").box
    copies = Copies(box, {"token-5c": "small-1", "token-5a": "big"}, ["token-5b"])
    assert copies.take("token-5", "small-1") == "token-5c"
    assert copies.take("token-5") == "token-5d"
    assert copies.take_all(["token-5b", "token-5"]) == ["token-5b", "token-5a"]

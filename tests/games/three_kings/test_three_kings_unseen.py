"""What is known about hidden cards: where each may be, and what can therefore not be shown."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from companion.games.three_kings import cards
from companion.games.three_kings.unseen import (
    DECK,
    DISCARDS,
    INFIRMARY,
    Unseen,
    all_but,
    board,
    emptied,
    example,
    fits,
    hand,
    mixed,
    moved,
    put,
    swapped,
    take,
)

BOX = sum(card.copies for card in cards.deck().values())


def _bits(*places: int) -> int:
    return sum(1 << place for place in places)


def _where(pool: tuple[Unseen, ...], card: str) -> int:
    return next(one.places for one in pool if one.card == card)


def test_the_box_holds_54_characters_8_corruption_and_6_purge() -> None:
    characters = [card for card in cards.deck().values() if card.is_character]
    assert sum(card.copies for card in characters) == 54
    assert {card.name: card.copies for card in cards.deck().values() if not card.is_character} == {
        "corruption": 8, "purge": 6
    }  # fmt: skip
    assert cards.known("guard-3").ids == ("guard-3a", "guard-3b", "guard-3c")
    assert [cards.name_of(card) for card in ("spy-1c", "spy-1", "corruptionh", "king")] == [
        "spy-1", "spy-1", "corruption", "king"
    ]  # fmt: skip


def test_a_card_that_was_seen_is_no_longer_among_the_unseen() -> None:
    pool = all_but(["noble-1a", "spy-2"], [DECK])
    assert not isinstance(pool, str)
    assert len(pool) == BOX - 2
    assert take(pool, "noble-1a", DECK) is None
    assert [one.card for one in pool if one.card.startswith("spy-2")] == ["spy-2", "spy-2"]
    assert all_but(["noble-1"] * 4, [DECK]) == "noble-1"


def test_a_bare_name_may_be_any_of_the_copies_that_could_lie_there() -> None:
    pool = (Unseen("spy-1a", _bits(DECK)), Unseen("spy-1b", _bits(DECK, DISCARDS)), Unseen("spy-1c", _bits(INFIRMARY)))
    left = take(pool, "spy-1", DECK)
    assert left is not None
    assert sorted((one.card, one.places) for one in left) == [
        ("spy-1", _bits(DECK, DISCARDS)), ("spy-1c", _bits(INFIRMARY))
    ]  # fmt: skip
    assert take(pool, "spy-1c", DECK) is None
    assert take(left, "spy-1a", DECK) is not None
    assert take(left, "spy-1c", DECK) is None


def test_what_may_lie_at_one_place_may_be_at_the_other_after_cards_went_there() -> None:
    pool = (Unseen("spy-1a", _bits(DECK)), Unseen("purgea", _bits(DECK)), Unseen("spy-1b", _bits(DISCARDS)))
    some = moved(pool, DECK, hand(0), left=1)
    assert _where(some, "spy-1a") == _bits(DECK, hand(0))
    assert _where(some, "spy-1b") == _bits(DISCARDS)
    everything = moved(pool, DECK, hand(0), left=0)
    assert _where(everything, "spy-1a") == _bits(hand(0))


def test_purge_and_corruption_are_never_on_a_board() -> None:
    pool = (Unseen("spy-1a", _bits(hand(2))), Unseen("purgea", _bits(hand(2))), Unseen("corruptiona", _bits(hand(2))))
    after = moved(pool, hand(2), board(2), left=2)
    assert [one.places for one in after] == [_bits(hand(2), board(2)), _bits(hand(2)), _bits(hand(2))]


def test_piles_that_were_mixed_swapped_or_emptied() -> None:
    pool = (Unseen("spy-1a", _bits(DECK)), Unseen("spy-1b", _bits(hand(0))), Unseen("spy-1c", _bits(hand(0), hand(1))))
    assert [one.places for one in mixed(pool, [hand(0), hand(1)])] == [_bits(DECK), *[_bits(hand(0), hand(1))] * 2]
    assert [one.places for one in swapped(pool, hand(0), hand(1))] == [
        _bits(DECK), _bits(hand(1)), _bits(hand(0), hand(1))
    ]  # fmt: skip
    assert _where(emptied(pool, hand(0)), "spy-1c") == _bits(hand(1))
    assert put(pool, "noble-1a", DISCARDS)[-1] == Unseen("noble-1a", _bits(DISCARDS))


def test_cards_fit_only_if_each_has_a_place_and_each_place_its_number() -> None:
    pool = (Unseen("spy-1a", _bits(0, 1)), Unseen("spy-1b", _bits(0)), Unseen("spy-1c", _bits(1, 2)))
    assert fits(pool, [1, 1, 1])
    assert fits(pool, [2, 1, 0])
    assert not fits(pool, [0, 2, 1])
    assert not fits(pool, [1, 0, 2])
    assert not fits(pool, [1, 1, 2])
    assert example(pool, [1, 1, 1]) == (("spy-1b",), ("spy-1a",), ("spy-1c",))


@given(st.lists(st.integers(1, 15), min_size=1, max_size=6), st.data())
def test_fitting_agrees_with_trying_everything(masks: list[int], data: st.DataObject) -> None:
    chosen = [data.draw(st.integers(0, 3)) for _ in masks]
    sizes = [chosen.count(place) for place in range(4)]
    pool = tuple(Unseen(f"spy-{i}", mask) for i, mask in enumerate(masks))
    spread = [place for place, number in enumerate(sizes) for _ in range(number)]
    possible = any(all(mask >> p & 1 for mask, p in zip(masks, order, strict=True)) for order in permutations(spread))
    assert fits(pool, sizes) == possible
    if possible:
        lies = example(pool, sizes)
        assert [len(there) for there in lies] == sizes
        assert all(_where(pool, card) >> place & 1 for place, there in enumerate(lies) for card in there)

"""What the table has told about Character cards that nobody sees: piles, hands, boards, Intrigue spaces.

Every unseen card has a set of places where it may be, kept as bits. It can be shown at a place only if it may lie there
and if the rest then still fits: each card somewhere, and as many cards at each place as lie there. So a card that went
into a hand for all to see, or that must be in the Discards, can't be played from another hand. Piles have no order
here: what may be in the Discards may be anywhere in them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from companion.games.three_kings import cards

DECK, DISCARDS, INFIRMARY = 0, 1, 2
SEATS = 8
_INTRIGUE = 3
_HAND = _INTRIGUE + 3
_BOARD = _HAND + SEATS
"""Places are counted: the piles, three Intrigue spaces, the hands of all seats, their boards."""


def intrigue(throne: int) -> int:
    """The place before a Throne, counted from 1."""
    return _INTRIGUE + throne - 1


def hand(seat: int) -> int:
    """A player's hand."""
    return _HAND + seat


def board(seat: int) -> int:
    """What lies face down on a player's board: Characters only."""
    return _BOARD + seat


def seat_of_hand(place: int) -> int | None:
    """Whose hand a place is; None if it is no hand."""
    return place - _HAND if _HAND <= place < _BOARD else None


class Unseen(msgspec.Struct, frozen=True):
    """One card that lies face down or in a hand.

    Attributes:
        card: its id, or the bare name where it isn't known which copy it is.
        places: bits of the places where it may be.
    """

    card: str
    places: int


Pool = tuple[Unseen, ...]


def all_but(seen: Iterable[str], places: Iterable[int]) -> Pool | str:
    """The pool of all cards except those seen, each at any of the places; or the card that is seen too often."""
    anywhere = _all(places)
    pool: Pool = tuple(Unseen(one, anywhere) for card in cards.deck().values() for one in card.ids)
    for card in seen:
        left = _without(pool, card, anywhere)
        if left is None:
            return card
        pool = left
    return pool


def take(pool: Pool, card: str, place: int) -> Pool | None:
    """The pool after a card was shown that lay at the place; None if it can't have lain there."""
    return _without(pool, card, 1 << place)


def take_anywhere(pool: Pool, card: str, places: Iterable[int]) -> Pool | None:
    """As `take`, for a card that may have lain at any of several places."""
    return _without(pool, card, _all(places))


def put(pool: Pool, card: str, place: int) -> Pool:
    """The pool after an open card was laid face down, or taken into a hand."""
    return (*pool, Unseen(card, 1 << place))


def put_anywhere(pool: Pool, card: str, places: Iterable[int]) -> Pool:
    """As `put`, for a card that may be at any of several places now."""
    return (*pool, Unseen(card, _all(places)))


def moved(pool: Pool, source: int, goal: int, left: int) -> Pool:
    """The pool after cards went from one place to another, and nobody saw which.

    Args:
        pool: the cards so far.
        source: where they lay.
        goal: where they are now.
        left: how many cards lie at the source still.
    """
    only_characters = goal >= _BOARD
    start, end = 1 << source, 1 << goal

    def after(unseen: Unseen) -> Unseen:
        if not unseen.places & start:
            return unseen
        kept = unseen.places if left else unseen.places & ~start
        stays = only_characters and not cards.known(unseen.card).is_character
        return Unseen(unseen.card, kept if stays else kept | end)

    return tuple(after(unseen) for unseen in pool)


def emptied(pool: Pool, place: int) -> Pool:
    """The pool after the last card of a place was shown: nothing else can lie there."""
    return tuple(Unseen(u.card, u.places & ~(1 << place)) for u in pool)


def mixed(pool: Pool, places: Iterable[int]) -> Pool:
    """The pool after cards went to and fro between some places: each of them may be at any of these now."""
    anywhere = _all(places)
    return tuple(Unseen(u.card, u.places | anywhere) if u.places & anywhere else u for u in pool)


def swapped(pool: Pool, one: int, other: int) -> Pool:
    """The pool after two places have exchanged all that lies there."""
    both = 1 << one | 1 << other
    return tuple(Unseen(u.card, u.places ^ both) if u.places & both not in (0, both) else u for u in pool)


def fits(pool: Pool, sizes: Sequence[int]) -> bool:
    """Whether the cards can be spread over the places, so that each holds as many as lie there.

    Args:
        pool: the cards.
        sizes: how many cards each place holds, by place.
    """
    return _spread(pool, sizes) is not None


def example(pool: Pool, sizes: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """One way in which cards that fit may lie: by place, the cards."""
    held = _spread(pool, sizes)
    assert held is not None
    left = list(pool)
    found: list[tuple[str, ...]] = []
    for there in held:
        here = []
        for places in there.elements():
            unseen = next(one for one in left if one.places == places)
            left.remove(unseen)
            here.append(unseen.card)
        found.append(tuple(here))
    return tuple(found)


def _spread(pool: Pool, sizes: Sequence[int]) -> list[Counter[int]] | None:
    """By place, how many cards of each set of places lie there; None if they can't be spread."""
    if len(pool) != sum(sizes):
        return None
    room = list(sizes)
    held: list[Counter[int]] = [Counter() for _ in sizes]
    need = Counter(unseen.places for unseen in pool)
    for places in sorted(need, key=int.bit_count):
        for place in _bits(places):
            number = min(room[place], need[places])
            if number:
                room[place] -= number
                need[places] -= number
                held[place][places] += number
    settled = all(_settles(places, room, held, set()) for places in need.elements())
    return held if settled else None


def _settles(places: int, room: list[int], held: list[Counter[int]], tried: set[int]) -> bool:
    """Finds a place for one more card; others give way to it where they have somewhere else to go."""
    for place in _bits(places):
        if room[place]:
            room[place] -= 1
            held[place][places] += 1
            return True
    for place in _bits(places):
        if place in tried:
            continue
        tried.add(place)
        for other in [one for one, number in held[place].items() if number]:
            if _settles(other, room, held, tried):
                held[place][other] -= 1
                held[place][places] += 1
                return True
    return False


def _all(places: Iterable[int]) -> int:
    return sum(1 << place for place in places)


def _bits(places: int) -> Iterator[int]:
    while places:
        last = places & -places
        yield last.bit_length() - 1
        places ^= last


def _without(pool: Pool, card: str, places: int) -> Pool | None:
    name = cards.name_of(card)
    copies = [unseen for unseen in pool if cards.name_of(unseen.card) == name]
    exact = [unseen for unseen in copies if unseen.card == card != name]
    possible = [u for u in exact or copies if (exact or name in (card, u.card)) and u.places & places]
    if not possible:
        return None
    gone, *others = possible
    rest = list(pool)
    rest.remove(gone)
    anywhere = 0
    for unseen in possible:
        anywhere |= unseen.places
    for unseen in others:
        # Nobody knows which copy it was: each of the others may be wherever one of them may have been.
        rest.remove(unseen)
        rest.append(Unseen(name, anywhere))
    return tuple(rest)

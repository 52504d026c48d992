"""What the table has told about the cards that nobody sees: the hands, the deck, discards of unknown content.

Every unseen card has a set of places where it may be, kept as bits. A card can be shown by somebody only if he may
hold it and if the rest then still fits: no group of places may have to hold more cards than lie there (Hall's
condition). So a card that was taken openly, or that must be in another hand, can't be played by the wrong player.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from companion.games.phoenix.box import box

DECK = 1
"""The bit of the draw deck. Hands follow in seat order; the bit above them stands for discards of unknown content."""


def hand(seat: int) -> int:
    """The bit of a player's hand."""
    return 2 << seat


class Unseen(msgspec.Struct, frozen=True):
    """One card that lies face down or in a hand.

    Attributes:
        card: its id, or the bare name where it isn't known which copy it is.
        places: bits of the places where it may be.
    """

    card: str
    places: int


Pool = tuple[Unseen, ...]


def anywhere(sizes: Sequence[int]) -> int:
    """Bits of all places that hold cards.

    Args:
        sizes: how many cards each place holds, by bit.
    """
    return sum(1 << bit for bit, size in enumerate(sizes) if size)


def all_but(seen: Iterable[str], places: int) -> Pool | str:
    """The pool of all cards except those seen, each at any of the places; or the card that is seen too often."""
    pool: Pool = tuple(Unseen(p.id, places) for p in box().pieces.values() if p.kind == "card")
    for card in seen:
        left = take(pool, card, places)
        if left is None:
            return card
        pool = left
    return pool


def take(pool: Pool, card: str, places: int) -> Pool | None:
    """The pool after a card was shown that came from one of the places; None if it can't have come from there."""
    name = box().name_of(card)
    copies = [unseen for unseen in pool if box().name_of(unseen.card) == name]
    exact = [unseen for unseen in copies if unseen.card == card != name]
    named = exact or [unseen for unseen in copies if name in (card, unseen.card)]
    possible = [unseen for unseen in named if unseen.places & places]
    if not possible:
        return None
    gone, *others = possible
    rest = list(pool)
    rest.remove(gone)
    if others:
        # Nobody knows which copy it was: the other may be wherever one of them may have been.
        rest.remove(others[0])
        rest.append(Unseen(name, gone.places | others[0].places))
    return tuple(rest)


def fits(pool: Pool, sizes: Sequence[int]) -> bool:
    """Whether the cards can be spread over the places: deck, hands in seat order, unknown discards.

    Args:
        pool: the cards; as many as the sizes' sum.
        sizes: how many cards each place holds, by bit.
    """
    need: dict[int, int] = {}
    for unseen in pool:
        need[unseen.places] = need.get(unseen.places, 0) + 1
    unions = {0}
    for places in need:
        unions |= {union | places for union in unions}
    return all(
        sum(number for places, number in need.items() if not places & ~union)
        <= sum(size for bit, size in enumerate(sizes) if union >> bit & 1)
        for union in unions
    )


def drawn(pool: Pool, seat: int) -> Pool:
    """The pool after a player drew from the deck unseen: what may be in the deck may now be in his hand."""
    return tuple(Unseen(u.card, u.places | hand(seat)) if u.places & DECK else u for u in pool)


def reshuffled(pool: Pool, discards: Iterable[str], buried: int) -> Pool:
    """The pool after the discards became the deck, which was empty: nothing else can be in it.

    Args:
        pool: the cards so far.
        discards: the cards that were seen before they were discarded.
        buried: the bit of discards of unknown content; those are in the deck now.
    """
    old = tuple(Unseen(u.card, u.places & ~DECK & ~buried | (DECK if u.places & buried else 0)) for u in pool)
    return (*old, *(Unseen(card, DECK) for card in discards))

"""When a Tunnel collapses, and how likely the next check will find it so.

Likelihoods are exact fractions. A card that nobody has seen is any of those that lie nowhere else, each as likely as
the next, whichever deck it lies in; nothing else is known of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from math import comb, prod

from companion.games.wonderland.spirits import BUNDLE, CARDS, CHARACTERS
from companion.games.wonderland.state import State

CROWD = 3
"""So many of one character make a Tunnel collapse. Source: rulebook, Step 2."""


def crowds(cards: Iterable[str]) -> tuple[str, ...]:
    """The characters of which there are too many; each Bundle counts as one of each. Source: rulebook, Step 2."""
    held = Counter(cards)
    return tuple(one for one in CHARACTERS if held[one] + held[BUNDLE] >= CROWD)


def collapses(cards: Iterable[str]) -> bool:
    """Whether a Tunnel in which these cards count collapses."""
    return bool(crowds(cards))


def chances(state: State, *, blind: bool = True) -> dict[int, Fraction]:
    """How likely the check after each Explore that can be made now is to fail, by the deck that is explored.

    Args:
        state: before the Explore; where none can be made, there are no chances.
        blind: as `chance` has it.
    """
    if state.phase not in ("explore", "decide") or not state.can_explore:
        return {}
    decks = range(len(state.decks)) if state.deck is None else (state.deck,)
    free = [deck for deck in decks if state.decks[deck].size and (deck in state.unlocked or state.keys)]
    return {deck: chance(state, deck, blind=blind) for deck in free}


def chance(state: State, deck: int, *, blind: bool = True) -> Fraction:
    """How likely the Tunnel is to collapse if a deck is explored now.

    Args:
        state: of the game, before that deck's neighbours are taken.
        deck: the one that is covered.
        blind: what the turn player himself can know, who has not seen the Hatter's cards before him: these are any of
            the unseen cards, as far as his Tunnel stands with them as it lies now. Otherwise what the others know.
    """
    tops = sorted(state.decks[neighbour].top for neighbour in state.neighbours(deck))
    return _chance(state, tuple(tops), blind)


def rabbit_chance(state: State, *, blind: bool = True) -> Fraction:
    """How likely the Tunnel is to collapse if the White Rabbit reveals a card now; `blind` as `chance` has it."""
    return _chance(state, ("",), blind)


@lru_cache(maxsize=64)
def _chance(state: State, tops: tuple[str, ...], blind: bool) -> Fraction:
    """The likelihood of a collapse by cards that come into the Tunnel; unseen ones have no name.

    Remembered, since most decks have neighbours of the same sort, and pages are made anew with each look.
    """
    known = [top for top in tops if top]
    hidden = state.hatter[state.turn] if blind else ()
    counting = Counter(state.counting) - Counter(hidden)
    unseen = Counter(state.unseen) + Counter(hidden)
    total, failing = 0, Fraction(0)
    for drawn in _draws(unseen, len(hidden)):
        if collapses((counting + drawn).elements()):
            continue
        ways = prod(comb(unseen[card], number) for card, number in drawn.items())
        total += ways
        before = counting + drawn + Counter(known)
        failing += ways * _collapsing(before, unseen - drawn, len(tops) - len(known))
    return failing / total if total else Fraction(0)


def _collapsing(counting: Counter[str], unseen: Counter[str], more: int) -> Fraction:
    """The likelihood that the cards collapse with so many more, drawn from the unseen ones."""
    ways = {True: 0, False: 0}
    for drawn in _draws(unseen, more):
        ways[collapses((counting + drawn).elements())] += prod(comb(unseen[card], n) for card, n in drawn.items())
    return Fraction(ways[True], sum(ways.values()) or 1)


def _draws(unseen: Mapping[str, int], number: int, cards: tuple[str, ...] = CARDS) -> Iterator[Counter[str]]:
    """All hands of a size that can be drawn from a pool, by how often each card comes."""
    if not cards:
        if number == 0:
            yield Counter()
        return
    first, *rest = cards
    for times in range(min(number, unseen[first]) + 1):
        for others in _draws(unseen, number - times, tuple(rest)):
            yield Counter({first: times}) + others

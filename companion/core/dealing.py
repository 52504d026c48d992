"""Dealing anew what nobody has seen, so that it fits all that the table has shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random

from companion.core.box import Box, PieceId
from companion.core.table import ZoneId


class Copies:
    """Which copies are meant where only names are known: those that lie there, and otherwise any that is left.

    Args:
        box: the pieces.
        lying: by piece, the zone in which it lies face up.
        known: what is asked for somewhere; the very copies among it are kept for whoever asks for them.
    """

    def __init__(self, box: Box, lying: Mapping[PieceId, ZoneId], known: Iterable[str] = ()) -> None:
        self._box = box
        self._lying = lying
        self._known = set(known)
        self._left = {name: [copy.id for copy in copies] for name, copies in box.copies.items()}

    def take(self, piece: str, zone: ZoneId = "") -> PieceId:
        """The piece with this id, or a copy with this name, if possible one that lies in the zone; each once."""
        left = self._left[self._box.name_of(piece)]
        found = piece
        if piece not in left:
            free = [one for one in left if one not in self._known] or left
            there = [one for one in free if self._lying.get(one) == zone]
            loose = [one for one in free if one not in self._lying]
            found = (there or loose or free)[0]
        left.remove(found)
        return found

    def take_all(self, pieces: Iterable[str], zone: ZoneId = "") -> list[PieceId]:
        """The same for several, in their order."""
        return [self.take(piece, zone) for piece in pieces]


def spread(cards: Sequence[tuple[str, int]], sizes: Sequence[int], chance: Random) -> list[list[str]]:
    """Cards spread over places by chance, so that each is where it may be.

    Args:
        cards: each with the bits of the places where it may be.
        sizes: how many cards each place takes, by bit.
        chance: shuffles.

    Raises:
        ValueError: they can't be spread like this.
    """
    held: list[list[tuple[str, int]]] = [[] for _ in sizes]
    for card in chance.sample(cards, len(cards)):
        if not _settles(card, held, sizes, set(), chance):
            raise ValueError(f"{card[0]}: no place is left for it")
    return [[name for name, _ in chance.sample(there, len(there))] for there in held]


def _settles(
    card: tuple[str, int], held: list[list[tuple[str, int]]], sizes: Sequence[int], tried: set[int], chance: Random
) -> bool:
    """Finds a place for one more card; others give way to it where they have somewhere else to go."""
    places = [place for place in range(len(sizes)) if card[1] >> place & 1]
    chance.shuffle(places)
    free = next((place for place in places if len(held[place]) < sizes[place]), None)
    if free is not None:
        held[free].append(card)
        return True
    for place in places:
        if place in tried:
            continue
        tried.add(place)
        for other in list(held[place]):
            if _settles(other, held, sizes, tried, chance):
                held[place].remove(other)
                held[place].append(card)
                return True
    return False

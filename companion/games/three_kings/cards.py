"""The Character deck as data: kinds, values, factions, and how often each card exists."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

FACTIONS = ("owl", "wyvern", "serpent", "eye")
"""In the order of the score track. Each of the first three beats the next, and the third beats the first."""
OWL, WYVERN, SERPENT, EYE = range(4)
FACTION_OF: Mapping[str, int] = {
    "noble": OWL,
    "guard": OWL,
    "merchant": WYVERN,
    "mercenary": WYVERN,
    "priest": SERPENT,
    "spy": SERPENT,
}
"""By kind of Character the index of its faction. Source: rulebook, Awarding of VP."""
LEADERS = ("noble", "merchant", "priest")
"""The Leader of each faction, in their order."""
CORRUPTION, PURGE = "corruption", "purge"
FIRST_THRONES = ("noble-1", "merchant-1", "priest-1")
"""Who sits on the Thrones when a game begins. Source: rulebook, Game Setup."""
VALUES = (1, 2, 3)
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Card(msgspec.Struct, frozen=True):
    """A card of the Character deck.

    Attributes:
        name: what copies share, such as `noble-1`, `corruption`.
        kind: `noble`, `guard`, `merchant`, `mercenary`, `priest`, `spy`, `corruption` or `purge`.
        value: 1 to 3; 0 for Corruption and Purge.
        copies: how many the box holds.
    """

    name: str
    kind: str
    value: int
    copies: int

    @property
    def is_character(self) -> bool:
        """Whether it may be planned and sit on a Throne."""
        return self.kind in FACTION_OF

    @property
    def faction(self) -> int | None:
        """Index of its faction; None for Corruption and Purge."""
        return FACTION_OF.get(self.kind)

    @property
    def ids(self) -> tuple[str, ...]:
        """All copies with their letters: `noble-1a`, `noble-1b`, ..."""
        return tuple(self.name + letter for letter in _LETTERS[: self.copies])


@cache
def deck() -> Mapping[str, Card]:
    """All cards of the Character deck by name, those on the Thrones among them."""
    data = tomllib.loads((files(__package__) / "cards.toml").read_text("utf-8"))
    numbers = {(kind, value): data["characters"][kind][value - 1] for kind in FACTION_OF for value in VALUES}
    found = [Card(f"{kind}-{value}", kind, value, copies) for (kind, value), copies in numbers.items()]
    found += [Card(kind, kind, 0, data["others"][kind]) for kind in (CORRUPTION, PURGE)]
    return {card.name: card for card in found}


@cache
def _by_id() -> Mapping[str, Card]:
    return {**deck(), **{one: card for card in deck().values() for one in card.ids}}


def find(card: str) -> Card | None:
    """The card of this name or id; None if the box holds no such card."""
    return _by_id().get(card)


def name_of(card: str) -> str:
    """The name without copy letter; what is no card comes back as it is."""
    found = find(card)
    return found.name if found else card


def known(card: str) -> Card:
    """The card of this name or id, which must be one of the box."""
    return _by_id()[card]

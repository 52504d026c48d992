"""The Action deck as data: 33 cards with rank, mark, words and effect, from a file or from a set-up line."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from companion.core.messages import Message, told, verbatim

ACTION_CARDS = 33
"""How many Action cards a box holds. Source: rulebook, Components."""
ELIMINATED, KEPT = "X", "C"
"""What a card bears: back into the box, or face down among the Past Actions, whether it was performed or not."""


class Step(msgspec.Struct, frozen=True, rename={"source": "from"}, omit_defaults=True):
    """One step of an effect. `vocabulary.py` tells what each verb does and which fields it needs.

    Attributes:
        do: the verb.
        source: pile that cards come from; `from` in files.
        to: pile that they go to.
        n: how many, as far as they go; points of `score`.
        up_to: how many at most, as the player likes.
        who: whom it concerns: `self` or `target`.
        faction: of `score`.
        zones: of `by-hand`: facts that may be otherwise afterwards.
        if_done: only if the step before moved a card.
    """

    do: str
    source: str = ""
    to: str = ""
    n: int = 0
    up_to: int = 0
    who: str = ""
    faction: str = ""
    zones: tuple[str, ...] = ()
    if_done: bool = False


class ActionCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """An Action card.

    Attributes:
        id: by which moves name it.
        rank: cards drawn together are dealt with from the lowest rank to the highest.
        mark: `X` or `C`.
        effect: its steps, in order.
        name: what it is called, by language.
        text: what it says, by language.
    """

    id: str
    rank: int
    mark: str
    effect: tuple[Step, ...]
    name: Mapping[str, str] = msgspec.field(default_factory=dict)
    text: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def title(self) -> Message:
        """What it is called."""
        return told(self.name) if self.name else verbatim(self.id)

    @property
    def words(self) -> Message:
        """What it says."""
        return told(self.text)


class Deck(msgspec.Struct, frozen=True, omit_defaults=True):
    """All Action cards of a box.

    Attributes:
        name: what the deck is called, in one text or by language.
        cards: all of them; the first bears the tag `action-01`.
        stand_in: it stands in for the cards of the box.
    """

    name: str | Mapping[str, str]
    cards: tuple[ActionCard, ...]
    stand_in: bool = False

    @property
    def title(self) -> Message:
        """What the deck is called."""
        return verbatim(self.name) if isinstance(self.name, str) else told(self.name)

    def card(self, name: str) -> ActionCard | None:
        """The card with this id, or of this piece (`action-01`)."""
        return next((card for i, card in enumerate(self.cards, 1) if name in (card.id, f"action-{i:02}")), None)

    def known(self, name: str) -> ActionCard:
        """The card with this id, which must be in the deck."""
        return next(card for card in self.cards if card.id == name)

    def piece(self, name: str) -> str:
        """The piece of the box that bears the tag of the card with this id."""
        return f"action-{next(i for i, card in enumerate(self.cards, 1) if card.id == name):02}"


@cache
def shipped() -> Mapping[str, str]:
    """The text of each deck file that comes with the game, by name."""
    folder = files(__package__) / "content" / "deck"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): file.read_text("utf-8") for file in found}


def decks(owned: Mapping[str, Deck]) -> dict[str, Deck]:
    """All decks by name, an owner's first; one of a shipped name takes its place."""
    return {**owned, **{name: load(text) for name, text in shipped().items() if name not in owned}}


def load(text: str) -> Deck:
    """The deck in a file's text, which has passed `checking.check`."""
    return msgspec.convert(tomllib.loads(text), Deck)

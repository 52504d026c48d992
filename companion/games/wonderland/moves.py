"""The moves of Wonderland XIII, as they stand in journals and in the referee protocol.

Decks are numbered 0 to 4 round the Hall. Cards are characters (`Alice`), or copies of them (`Alicec`). Whose turn it is
says who did it, so `by` may always be left out. The two Keys at the start of a turn are taken by themselves.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Unlock(msgspec.Struct, frozen=True, tag="unlock", tag_field="do", omit_defaults=True):
    """A Key is laid beside a deck, which stays unlocked until the end of the turn; that deck is explored next."""

    deck: int
    by: str = ""


class Cover(msgspec.Struct, frozen=True, tag="cover", tag_field="do", omit_defaults=True):
    """A card from the own Notebook is laid face up on an unlocked deck."""

    deck: int
    card: str
    by: str = ""


class Take(msgspec.Struct, frozen=True, tag="take", tag_field="do", omit_defaults=True):
    """The top cards of both neighbours of the covered deck come into the Tunnel.

    Attributes:
        cards: the card that was taken, by the number of its deck as text.
        by: whose turn it is.
    """

    cards: Mapping[str, str]
    by: str = ""


class Skill(msgspec.Struct, frozen=True, tag="skill", tag_field="do", omit_defaults=True):
    """The skill of one of the two cards of this Explore is used.

    Attributes:
        card: whose skill.
        deck: Rabbit, Cat and Hatter: the deck whose face-down top card it is about.
        reveals: Rabbit and Hatter: the card that came up. The Cat's card is his player's secret and is never told.
        target: Hatter: the player who gets the card.
        covers: Queen: the other card of this Explore.
        by: whose turn it is.
    """

    card: str
    deck: int | None = None
    reveals: str = ""
    target: str = ""
    covers: str = ""
    by: str = ""


class NoSkill(msgspec.Struct, frozen=True, tag="no-skill", tag_field="do", omit_defaults=True):
    """No skill is used; legal only where neither of the two cards has one that can be done."""

    by: str = ""


class Stop(msgspec.Struct, frozen=True, tag="stop", tag_field="do", omit_defaults=True):
    """The turn ends: the Tunnel comes into the Notebook, the Keys go back. Going on is the next `Unlock` or `Cover`."""

    by: str = ""


class Refill(msgspec.Struct, frozen=True, tag="refill", tag_field="do", omit_defaults=True):
    """The cards that were drawn from the shuffled discards into the Notebook, in any order."""

    cards: tuple[str, ...]
    by: str = ""


Move = Unlock | Cover | Take | Skill | NoSkill | Stop | Refill

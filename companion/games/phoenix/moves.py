"""The moves of Schatz des Phönix, as they stand in journals and in the referee protocol."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Place(msgspec.Struct, frozen=True, tag="place", tag_field="do", omit_defaults=True):
    """A card is laid at a side of a nest; the side tells the player where `by` is left out."""

    card: str
    nest: str
    side: str = ""
    by: str = ""


class Item(msgspec.Struct, frozen=True, omit_defaults=True):
    """One card of a `PlaceMany`."""

    card: str
    nest: str
    side: str = ""
    by: str = ""


class PlaceMany(msgspec.Struct, frozen=True, tag="place-many", tag_field="do", omit_defaults=True):
    """Several cards appeared in one look; legal if each is one player's turn, in turn order."""

    items: tuple[Item, ...]


class DrawDeck(msgspec.Struct, frozen=True, tag="draw-deck", tag_field="do", omit_defaults=True):
    """A card is drawn from the deck. It leaves no trace on the table; the next placement implies it."""

    by: str = ""


class TakeOpen(msgspec.Struct, frozen=True, tag="take-open", tag_field="do", omit_defaults=True):
    """The open card is taken and a new one revealed; `new` is left out only where no card is left to reveal."""

    new: str = ""
    by: str = ""


class Pick(msgspec.Struct, frozen=True, tag="pick", tag_field="do", omit_defaults=True):
    """A treasure token is taken out of a nest; `large` tells the large 10 from a small one."""

    nest: str
    token: int
    large: bool | None = None
    by: str = ""


class NewRound(msgspec.Struct, frozen=True, tag="new-round", tag_field="do"):
    """The nests are cleared and hold new tokens: values of the small ones by nest."""

    tokens: Mapping[str, tuple[int, ...]]


Move = Place | PlaceMany | DrawDeck | TakeOpen | Pick | NewRound

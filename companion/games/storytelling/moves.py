"""The moves of Storytelling, as they stand in journals and in the referee protocol."""

from __future__ import annotations

import msgspec

Cell = tuple[int, int]
"""Row and column in the grid, from 0, as the sheet lies upright."""


class ShowCard(msgspec.Struct, frozen=True, tag="card", tag_field="do", omit_defaults=True):
    """The Storyteller shows the next card; 0 stands for whichever is next."""

    number: int = 0


class Flip(msgspec.Struct, frozen=True, tag="flip", tag_field="do", omit_defaults=True):
    """A tile is turned face up."""

    cell: Cell
    tile: str
    by: str = ""


class Turned(msgspec.Struct, frozen=True, omit_defaults=True):
    """One tile of a `FlipMany`."""

    cell: Cell
    tile: str
    by: str = ""


class FlipMany(msgspec.Struct, frozen=True, tag="flip-many", tag_field="do", omit_defaults=True):
    """Several tiles were seen turned up in one look; more than one is never allowed."""

    flips: tuple[Turned, ...]


class TurnDown(msgspec.Struct, frozen=True, tag="turn-down", tag_field="do"):
    """All tiles that were turned up lie face down again."""


class ShuffleBack(msgspec.Struct, frozen=True, tag="shuffle-back", tag_field="do"):
    """The tiles that were turned up were taken out, shuffled and laid back face down."""


class Blow(msgspec.Struct, frozen=True, tag="blow", tag_field="do"):
    """The row or column of the face-up BLEW was moved by one; `to` is where BLEW went."""

    to: Cell


class Retire(msgspec.Struct, frozen=True, tag="retire", tag_field="do", omit_defaults=True):
    """The active player answers whether he retires from the ball."""

    yes: bool
    by: str = ""


Move = ShowCard | Flip | FlipMany | TurnDown | ShuffleBack | Blow | Retire

"""The root of all errors that this project raises on purpose."""

from __future__ import annotations


class CompanionError(Exception):
    """Something that a person can put right: the text names the thing, the value found and the remedy.

    Breaking a rule of a game is no error but a `companion.core.game.Refusal`.
    """


class TagError(CompanionError, ValueError):
    """A tag payload or head that the payload scheme does not allow."""


class BoxError(CompanionError, ValueError):
    """The description of a game's pieces contradicts itself."""

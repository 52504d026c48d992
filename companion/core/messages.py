"""What is to be said, without the language it is said in.

A message is a key into a game's (or the shared) wording files with the values for its placeholders. How a value is
shown is written in the wording itself: `"{card:piece} belongs to {side:guild}"` names the piece `red-3a` and looks the
guild up in the wording's `[guild]` table. So journals and snapshots hold plain ids, and a change of language changes
every text, also the old ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

LANGUAGES = ("en", "de", "es", "ca")
"""The languages of all wording, first the one that stands in for a missing text."""

Params = Mapping[str, Any]


class Message(msgspec.Struct, frozen=True):
    """One thing to say.

    Attributes:
        key: dotted path into the wording files, such as `page.treasure.title`.
        params: plain JSON values (text, numbers, lists of them) or further messages for the placeholders.
    """

    key: str
    params: Params = msgspec.field(default_factory=dict)


def say(key: str, **params: Any) -> Message:
    """The message `key` with its placeholders' values, as keyword arguments."""
    return Message(key, params)


def verbatim(text: str) -> Message:
    """A message that is the same in every language: a name, a number, a mark."""
    return Message("verbatim", {"text": text})


def told(texts: Mapping[str, str]) -> Message:
    """A message that brings its text along in each language (`en`, `de`, ...), such as a name from an owner's file."""
    return Message("told", {"texts": dict(texts)})

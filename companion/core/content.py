"""Content files: what owners of a box can write themselves, such as the stories of their own cards."""

from __future__ import annotations

import reprlib
from collections.abc import Callable
from typing import Any

import msgspec

from companion.core.errors import CompanionError

_SHOWN = reprlib.Repr()
_SHOWN.maxstring = _SHOWN.maxother = 60
_SHOWN.maxlist = 12
_SHOWN.maxlevel = 3


def shown(value: Any) -> str:
    """A value as a message names it, not at any length or depth."""
    return _SHOWN.repr(value)


def shown_key(key: str) -> str:
    """A key as a message names it: as it is, unless it is empty or endless."""
    return key if 0 < len(key) <= _SHOWN.maxstring else shown(key)


class ContentError(CompanionError, ValueError):
    """A content file that can't be used; the text lists all that is wrong with it."""


class Problem(msgspec.Struct, frozen=True):
    """One thing that is wrong with a content file.

    Attributes:
        where: the line (`line 12`) or the key (`cards 3, pictures`).
        what: what stands there, and why it can't.
        allowed: what may stand there.
    """

    where: str
    what: str
    allowed: str = ""

    def __str__(self) -> str:
        """All of it on one line, whatever letters the file held."""
        text = f"{self.where}: {self.what}" + (f"; {self.allowed}" if self.allowed else "")
        return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


class ContentKind(msgspec.Struct, frozen=True):
    """One sort of content files of a game.

    Attributes:
        noun: what one is called on the command line, such as `story`.
        check: all problems of a file's text, in the order of the file; none if it is fit for use.
        template: the text of a new file with comments, to be filled in.
    """

    noun: str
    check: Callable[[str], list[Problem]]
    template: str

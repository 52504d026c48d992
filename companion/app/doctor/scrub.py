"""Taking out of a report what is nobody's business: names of people, of the computer and its user, paths, passwords."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.service.entries import SETUP, Entry

COMMON = frozenset({"companion", "pi", "root", "user", "localhost", "raspberrypi", ""})
"""Names of users and computers that tell nothing of anybody, and are words of ours besides."""
_PATTERNS = (
    (
        re.compile(r"(?i)\b((?:pass(?:word|wd|wort|phrase)?|secret|psk|api[_-]?key|credentials?)\s*[=:]\s*)\S+"),
        r"\1***",
    ),
    (re.compile(r"://[^/\s:@]+(?::[^/\s@]*)?@"), "://***@"),
    (re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"), "ADDRESS"),
    (re.compile(r"/(?:home|Users|root)(?:/[^/\s'\":,;)\]]+)?"), "~"),
    (re.compile(r"\b(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}\b"), "ADDRESS"),
    (re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b"), "ADDRESS"),
)


class Place(msgspec.Struct, frozen=True):
    """Where a report is made.

    Attributes:
        home: the user's home folder.
        user: the user's name.
        host: the computer's name.
        box: what the box is called; empty if it has no name of its own.
        folders: further folders that were chosen.
    """

    home: Path
    user: str
    host: str
    box: str = ""
    folders: tuple[str, ...] = ()


def here() -> tuple[Path, str, str]:
    """Home folder, user and name of this computer."""
    import getpass
    import socket

    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a user without a name
        user = ""
    return Path.home(), user, socket.gethostname()


def players(entries: Iterable[Entry], words: frozenset[str]) -> list[str]:
    """The names of people in a journal, in the order in which they appear.

    A player whom nobody has named is called as his guild or by a number; that is no name of anybody.

    Args:
        entries: of the journal.
        words: the game's own, such as the names of its pieces.
    """
    found: dict[str, None] = {}
    for entry in entries:
        if entry.kind == SETUP:
            found |= dict.fromkeys(named(entry.body, words))
    return list(found)


def named(line: Mapping[str, Any], words: frozenset[str]) -> list[str]:
    """The names of people in one set-up line."""
    seats = line.get("players")
    told = []
    for seat in seats if isinstance(seats, list | tuple) else ():
        name, guild = (seat.get("name"), seat.get("guild")) if isinstance(seat, Mapping) else (seat, None)
        if isinstance(name, str) and name and name != guild and not name.isdecimal() and name not in words:
            told.append(name)
    return told


class Scrub:
    """Replaces what is personal, always by the same.

    Args:
        names: of people, in the order in which they get their numbers.
        place: where the report is made.
    """

    def __init__(self, names: Iterable[str], place: Place) -> None:
        self.people: Mapping[str, str] = {name: f"P{n}" for n, name in enumerate(dict.fromkeys(names), 1)}
        self._folders = sorted((*place.folders, str(place.home)), key=len, reverse=True)
        own = {place.user: "USER", place.host: "HOST", place.host.partition(".")[0]: "HOST", place.box: "BOX"}
        self._own = {word: stand_in for word, stand_in in own.items() if word.casefold() not in COMMON}
        self._words = _any_of(self.people)
        self._places = _any_of(self._own)

    def text(self, text: str) -> str:
        """A text for people, such as a log."""
        for folder in self._folders:
            if len(folder) > 1:
                text = text.replace(folder, "~")
        for pattern, stand_in in _PATTERNS:
            text = pattern.sub(stand_in, text)
        if self._places:
            text = self._places.sub(lambda found: self._own[found[0]], text)
        return self.names(text)

    def names(self, text: str) -> str:
        """A text in which only people can be named."""
        return self._words.sub(lambda found: self.people[found[0]], text) if self._words else text

    def values(self, value: Any, only_names: bool = False) -> Any:
        """JSON values with all texts in them; with `only_names` people alone, who may be keys as well."""
        if isinstance(value, str):
            return self.names(value) if only_names else self.text(value)
        if isinstance(value, Mapping):
            keys = (self.names(key) if only_names else key for key in value)
            return dict(zip(keys, (self.values(inner, only_names) for inner in value.values()), strict=True))
        if isinstance(value, list | tuple):
            return [self.values(inner, only_names) for inner in value]
        return value


def _any_of(words: Iterable[str]) -> re.Pattern[str] | None:
    """Any of these as a whole word, the longest first."""
    sorted_ = sorted(words, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted_))})(?!\w)") if sorted_ else None

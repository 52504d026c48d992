"""Players' names: one rule for all games, wherever a name comes from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.game import Refusal
from companion.core.letters import cleaned, count, escaped, printable

LONGEST = 24
"""Letters of a name, as people count them."""
_MOST_PARTS = 16 * LONGEST
"""Code points of a name. So many marks and parts of emojis make no 24 letters, and to compose more takes long."""
ALLOWED = f"names of 1 to {LONGEST} letters that can be shown, none of them twice"
"""The rule in short, for messages to people at a keyboard."""
READERS = ("storyteller",)
"""Fields of a set-up line that name somebody who need not be a player, or nobody."""
_SPACES = re.compile("[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
_DEEPEST = 6
"""No line names a player in tables within more tables than that."""


def trimmed(name: str) -> str:
    """The name without spaces around it and with single ones in it, composed as most keyboards type it.

    One that is far too long comes back as it is.
    """
    if len(name) > _MOST_PARTS:
        return name
    return _SPACES.sub(" ", unicodedata.normalize("NFC", name)).strip(" ")


def wrong_name(names: Sequence[str]) -> Refusal | None:
    """What is wrong with the first of the players' names that can't be; None if all can.

    Args:
        names: all of them, `trimmed`.
    """
    known: set[str] = set()
    for number, name in enumerate(names, 1):
        if wrong := _wrong(name, number):
            return wrong
        if _folded(name) in known:
            return _refused("twice", name=name)
        known.add(_folded(name))
    return None


def named(line: Mapping[str, Any]) -> Mapping[str, Any] | Refusal:
    """A set-up line with its names `trimmed` wherever they stand, or what is wrong with the first that can't be.

    A line whose fields are of other sorts than they should be comes back as it is: the game tells what is wrong.
    """
    names = {name: trimmed(name) for name in (*_players(line), *_readers(line))}
    wrong = wrong_name([names[name] for name in _players(line)])
    wrong = wrong or next((bad for name in _readers(line) if names[name] and (bad := _wrong(names[name], 0))), None)
    return wrong or renamed(line, {raw: name for raw, name in names.items() if raw != name})


def mended(line: Mapping[str, Any]) -> dict[str, str]:
    """What the people of a set-up line are called instead, where today's rule refuses a name that was once allowed."""
    names: dict[str, str] = {}
    people = [raw for raw in (*_players(line), *filter(trimmed, _readers(line))) if raw]
    for number, raw in enumerate(people, 1):
        others = {_folded(name) for name in names.values()}
        tried = (_shortened(raw), *(_shortened(raw, f" {n}") for n in range(number, number + len(others) + 1)))
        names.setdefault(raw, next(name for name in tried if name and _folded(name) not in others))
    return {raw: name for raw, name in names.items() if raw != name}


def renamed(value: Any, names: Mapping[str, str], deepest: int = _DEEPEST) -> Any:
    """A JSON value with people called otherwise, whether they stand as keys or as values.

    Args:
        value: a table, a list, a text or what else JSON knows.
        names: what to call them, by what they are called in it.
        deepest: so many tables and lists within one another are looked at.
    """
    if isinstance(value, str):
        return names.get(value, value)
    if not names or not deepest:
        return value
    if isinstance(value, Mapping):
        return {names.get(key, key): renamed(one, names, deepest - 1) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [renamed(one, names, deepest - 1) for one in value]
    return value


def _wrong(name: str, number: int) -> Refusal | None:
    if printable(name) != name:
        return _refused("hidden", name=cleaned(escaped(name)))
    letters = count(name) if len(name) <= _MOST_PARTS else len(name)
    if letters > LONGEST:
        return _refused("long", name=cleaned(name), n=letters, most=LONGEST)
    return None if letters else _refused("empty", number=number, most=LONGEST)


def _refused(how: str, **params: Any) -> Refusal:
    return Refusal("bad-setup", "setup", params, f"name-{how}")


def _players(line: Mapping[str, Any]) -> list[str]:
    """The players' names, as far as there are any."""
    players = line.get("players")
    seats = players if isinstance(players, list | tuple) else ()
    found = (seat.get("name") if isinstance(seat, Mapping) else seat for seat in seats)
    return [name for name in found if isinstance(name, str)]


def _readers(line: Mapping[str, Any]) -> list[str]:
    return [name for field in READERS if isinstance(name := line.get(field), str)]


def _shortened(raw: str, ending: str = "") -> str:
    """The nearest to a name that today's rule lets pass, with this at its end; empty if nothing is left of it."""
    for letters in range(min(len(raw), 4 * LONGEST), -1, -1):
        name = trimmed(printable(trimmed(raw[:letters]) + ending))
        if count(name) <= LONGEST:
            return name
    return ""


def _folded(name: str) -> str:
    return unicodedata.normalize("NFC", name.casefold())

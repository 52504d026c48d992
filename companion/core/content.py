"""Content files: what owners of a box can write themselves, such as the stories of their own cards."""

from __future__ import annotations

import re
import reprlib
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.errors import CompanionError
from companion.core.letters import escaped, printable
from companion.core.messages import LANGUAGES

DEEPEST, MOST_KEYS = 20, 5000
"""So many names may a key or a header have, with dots between, and so many of both a file: with more of them, it takes
minutes to read one of a few hundred kilobytes."""
MOST_TOLD = 50
"""So many problems of one file are told, and then how many more there are."""
_TEXTS = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}|"(?:[^"\\\n]|\\.)*+"|'''
    r"""'''(?:[^']|'(?!''))*+'{3,5}|'[^'\n]*+'|\#[^\n]*+""",
    re.DOTALL,
)
_STATEMENT = re.compile(r"^[ \t]*+[\[\w-]", re.MULTILINE)
_DEEP = re.compile(rf"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{DEEPEST}}}", re.ASCII)

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


class TooMuchError(ContentError):
    """A content file that nobody has written: so deep, or with so many keys, that it isn't read."""


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
        return escaped(f"{self.where}: {self.what}" + (f"; {self.allowed}" if self.allowed else ""))


def told(problems: Sequence[Problem], before: str = "") -> list[str]:
    """A line for each problem, but of very many only the first ones and how many there are beside them.

    Args:
        problems: all of them.
        before: how each line begins.
    """
    lines = [f"{before}{problem}" for problem in problems[:MOST_TOLD]]
    left = len(problems) - len(lines)
    return [*lines, f"{before}and {left:,} more"] if left else lines


def read_toml(text: str) -> dict[str, Any]:
    """The tables in the text of a TOML file, in bounded time whatever the text is.

    Raises:
        TooMuchError: it is nested too deeply, or has more keys than anybody writes.
        ContentError: it is no TOML.
    """
    bare = _TEXTS.sub(lambda found: "" if found[0][0] == "#" else "0", text)
    if sum(1 for _ in _STATEMENT.finditer(bare)) > MOST_KEYS:
        raise TooMuchError(f"more than {MOST_KEYS:,} keys")
    if _DEEP.search(bare):
        raise TooMuchError(f"a key of more than {DEEPEST} names")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise TooMuchError("nested too deeply") from None
    except ValueError as error:  # also a number that is too long, which is no TOMLDecodeError
        raise ContentError(f"no TOML: {error}") from error


def found(value: Any) -> str:
    """A value as a message names it, where there may be none."""
    return "missing" if value is None else shown(value)


def is_whole(value: Any, least: int, most: int) -> bool:
    """Whether a value is a whole number within these bounds."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def wrong_keys(where: str, table: Mapping[str, Any], known: Collection[str]) -> Iterator[Problem]:
    """The keys of a table that nobody knows; `where` is empty for the file itself."""
    for key in table:
        if key not in known:
            at = f"{where}, {shown_key(key)}" if where else shown_key(key)
            yield Problem(at, "no such key", f"there are {', '.join(known)}")


def wrong_texts(where: str, texts: Any, longest: int, most_breaks: int = 0) -> Iterator[Problem]:
    """What is wrong with a text in several languages; an owner may leave languages out, but not all.

    Args:
        where: its key.
        texts: by language, what the file holds.
        longest: so many letters at most.
        most_breaks: so many line breaks at most.
    """
    if not isinstance(texts, dict) or not texts:
        yield Problem(where, found(texts), f"a text in one or more of {', '.join(LANGUAGES)}")
        return
    for language, text in texts.items():
        if language not in LANGUAGES:
            there = f"there are {', '.join(LANGUAGES)}"
            yield Problem(f"{where}, {shown_key(language)}", "no such language", there)
        elif not isinstance(text, str) or not text.strip():
            yield Problem(f"{where}, {language}", shown(text), "a text in quotes")
        elif printable(text, keep="\n") != text or text.count("\n") > most_breaks:
            yield Problem(f"{where}, {language}", "line breaks or signs that can't be shown", "plain letters and signs")
        elif len(text) > longest:
            yield Problem(f"{where}, {language}", f"{len(text)} letters", f"at most {longest}")


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

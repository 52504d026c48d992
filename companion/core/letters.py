"""Letters: which of them can be shown, what stands for the others, and how many there are.

Text from outside (a tag, a name, a path, a word in a journal) may hold what moves a cursor, breaks lines, turns the
direction of reading round, or shows nothing at all. It goes through `cleaned` or `printable` where it enters.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

SIGN = "?"
"""Stands for what can't be shown; every font and every terminal has it."""
MOST_LETTERS = 40
"""So many letters of a text from outside are shown; the rest is counted."""
MOST_MARKS = 3
"""Above and below one letter: as many as Hebrew needs."""

SOFT_HYPHEN = "\u00ad"
_JOINER, _AS_EMOJI = "\u200d", "\ufe0f"
_SKINS = range(0x1F3FB, 0x1F400)
_PLAIN = re.compile("[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u27ff]*")
"""Most texts by far: no letter of them needs a second look."""
_BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters, or so Unicode says, of which nothing is seen: they make two names of one."""

_STAND_INS = dict.fromkeys("‘’‚‛′", "'") | dict.fromkeys("“”„‟″", '"') | dict.fromkeys("‐‑‒–—―−─", "-")
_STAND_INS |= dict.fromkeys("✓✔", "ok") | dict.fromkeys("✗✘×", "x") | dict.fromkeys("╭╮╰╯", "+")
_STAND_INS |= {"…": "...", "•": "·", "·": ".", "€": "EUR", "→": "->", "←": "<-", "▸": ">", "▲": "^", "●": "*", "○": "o"}
_STAND_INS |= {"│": "|", "ŀ": "l·", "Ŀ": "L·", "Ł": "L", "ł": "l", "ẞ": "SS", "ß": "ss", "æ": "ae", "Æ": "AE"}
_STAND_INS |= {"œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "¿": "", "¡": "", SOFT_HYPHEN: "", _JOINER: ""}
# For letters that a font or a terminal lacks. What is not here loses its accents; what is lacking even then is a sign.


def printable(text: str, keep: str = "") -> str:
    """The text with a sign for each letter that can't be shown, and with few marks on one letter.

    Args:
        text: of any letters, lone surrogates among them.
        keep: letters that pass as they are, such as a line's end.
    """
    if _PLAIN.fullmatch(text):
        return text
    shown: list[str] = []
    marks = 0
    for before, letter, after in zip(("", *text), text, (*text[1:], ""), strict=False):
        if letter not in keep and is_hidden(letter, before, after):
            letter = SIGN
        if not _is_mark(letter):
            marks = 0
        elif shown:
            marks += 1
        else:
            letter = SIGN
        if marks <= MOST_MARKS:
            shown.append(letter)
    return "".join(shown)


def cleaned(text: str, most: int = MOST_LETTERS) -> str:
    """A text from outside as it is passed on: `printable`, and of a long one the beginning and how many more."""
    return printable(text) if len(text) <= most else f"{printable(text[:most])}... +{len(text) - most}"


def escaped(text: str) -> str:
    """The text with a number in the place of each letter that can't be shown, as Python escapes it."""
    return "".join(letter.encode("unicode_escape").decode() if is_hidden(letter) else letter for letter in text)


def count(text: str) -> int:
    """How many letters people see: marks belong to theirs, and so do the parts of one emoji."""
    pairs = zip(("", *text), text, strict=False)
    return sum(not (_is_mark(one) or one == _JOINER or last == _JOINER or _is_tint(one, last)) for last, one in pairs)


def replaced(text: str, has: Callable[[str], bool]) -> str:
    """The text in the letters that there are, the nearest for those that there are not."""
    return "".join(_stand_in(letter, has) for letter in unicodedata.normalize("NFC", text))


def is_hidden(letter: str, before: str = "", after: str = "") -> bool:
    """Whether nothing can be seen of a letter between these two, or it does something else than to be seen."""
    if letter == _AS_EMOJI:
        return not _is_emoji(before)
    if letter == _JOINER:
        return not (_is_emoji(after) and (_is_emoji(before) or before == _AS_EMOJI))
    shown = letter.isprintable() or unicodedata.category(letter) == "Zs"
    return not shown or _BLANK.match(letter) is not None


def _stand_in(letter: str, has: Callable[[str], bool]) -> str:
    if has(letter):
        return letter
    nearest = _STAND_INS.get(letter)
    if nearest is None:
        nearest = "".join(part for part in unicodedata.normalize("NFKD", letter) if not _is_mark(part))
    return SIGN if nearest == letter else "".join(_stand_in(part, has) for part in nearest)


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter).startswith("M")


def _is_tint(letter: str, before: str) -> bool:
    return ord(letter) in _SKINS and _is_emoji(before)


def _is_emoji(letter: str) -> bool:
    return letter != "" and (unicodedata.category(letter) == "So" or ord(letter) in _SKINS)

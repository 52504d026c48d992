"""Breaking text into lines that fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from companion.core.letters import SOFT_HYPHEN
from companion.face.fonts import Font

ELLIPSIS = "..."

_SHORTEST_REST = 3
"""Letters that are taken to the next line at least where a word is broken anywhere."""
_SYLLABLE = re.compile(rf"[^-{SOFT_HYPHEN}]*(?:-|{SOFT_HYPHEN}+)|[^-{SOFT_HYPHEN}]+")


def wrap(text: str, font: Font, room_px: int) -> tuple[str, ...]:
    """The text in lines of at most `room_px`, broken at spaces, else after hyphens and at soft hyphens.

    A word that is too long for a line of its own and has no such place is broken where it must be. The work grows with
    the length of the text, whatever it holds.
    """
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            joined = f"{line} {word}" if line else word
            if font.width_px(joined) <= room_px:
                line = joined
                continue
            if line:
                lines.append(line)
            *whole, line = _break(word, font, room_px)
            lines += whole
        lines.append(line)
    return tuple(line.replace(SOFT_HYPHEN, "") for line in lines)


def shorten(lines: Sequence[str], most: int, font: Font, room_px: int) -> tuple[str, ...]:
    """The lines, if they fit; else as many as may be, and the last one ends in an ellipsis."""
    *kept, last = lines[:most]
    if len(lines) <= most and font.width_px(last) <= room_px:
        return (*kept, last)
    letters = _most(len(last), lambda number: font.width_px(last[:number].rstrip() + ELLIPSIS) <= room_px)
    return (*kept, last[:letters].rstrip() + ELLIPSIS)


def _break(word: str, font: Font, room_px: int) -> list[str]:
    """The parts of a word; all fit, and all but the last end in a hyphen."""
    parts: list[str] = []
    part = ""
    for syllable in _SYLLABLE.findall(word):
        if part and font.width_px(_ended(part + syllable)) > room_px:
            parts.append(_ended(part))
            part = ""
        part += syllable
        while (fitting := _fitting(part, font, room_px)) < len(part):
            letters = len(part.rstrip(f"-{SOFT_HYPHEN}"))
            fitting = max(1, min(fitting, letters - _SHORTEST_REST))
            parts.append(part[:fitting] + "-")
            part = part[fitting:]
    return [*parts, part]


def _fitting(part: str, font: Font, room_px: int) -> int:
    """How many letters of a part fit with a hyphen behind them; all of them if the whole part fits as it ends."""
    bare = _most(len(part), lambda number: font.width_px(part[:number]) <= room_px)
    if bare == len(part) and font.width_px(_ended(part)) <= room_px:
        return bare
    return _most(min(bare, len(part) - 1), lambda number: font.width_px(part[:number] + "-") <= room_px)


def _most(limit: int, fits: Callable[[int], bool]) -> int:
    """The largest number up to `limit` that fits. None that is much more than twice as large is tried."""
    fitting, step = 0, 1
    while fitting + step <= limit and fits(fitting + step):
        fitting, step = fitting + step, 2 * step
    while step:
        if fitting + step <= limit and fits(fitting + step):
            fitting += step
        step //= 2
    return fitting


def _ended(part: str) -> str:
    """The part as it looks at the end of a line."""
    return part.rstrip(SOFT_HYPHEN) + "-" if part.endswith(SOFT_HYPHEN) else part

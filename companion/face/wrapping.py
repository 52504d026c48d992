"""Breaking text into lines that fit."""

from __future__ import annotations

import re
from collections.abc import Sequence

from companion.face.fonts import Font

ELLIPSIS = "..."

SOFT_HYPHEN = "\u00ad"

_SHORTEST_REST = 3
"""Letters that are taken to the next line at least where a word is broken anywhere."""


def wrap(text: str, font: Font, room_px: int) -> tuple[str, ...]:
    """The text in lines of at most `room_px`, broken at spaces, else after hyphens and at soft hyphens.

    A word that is too long for a line of its own and has no such place is broken where it must be.
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
    while last and font.width_px(last.rstrip() + ELLIPSIS) > room_px:
        last = last[:-1]
    return (*kept, last.rstrip() + ELLIPSIS)


def _break(word: str, font: Font, room_px: int) -> list[str]:
    """The parts of a word; all fit, and all but the last end in a hyphen."""
    parts: list[str] = []
    part = ""
    for syllable in re.findall(rf"[^-{SOFT_HYPHEN}]*[-{SOFT_HYPHEN}]|[^-{SOFT_HYPHEN}]+", word):
        if part and font.width_px(_ended(part + syllable)) > room_px:
            parts.append(_ended(part))
            part = ""
        part += syllable
        while font.width_px(_ended(part)) > room_px:
            fitting = 1
            while fitting + 1 < len(part) and font.width_px(part[: fitting + 1] + "-") <= room_px:
                fitting += 1
            letters = len(part.rstrip(f"-{SOFT_HYPHEN}"))
            fitting = max(1, min(fitting, letters - _SHORTEST_REST))
            parts.append(part[:fitting] + "-")
            part = part[fitting:]
    return [*parts, part]


def _ended(part: str) -> str:
    """The part as it looks at the end of a line."""
    return part[:-1] + "-" if part.endswith(SOFT_HYPHEN) else part

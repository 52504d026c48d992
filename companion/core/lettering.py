"""Text in a room: how large it is, and where its lines break."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

POINT_MM = 25.4 / 72
LEADING = 1.2
"""From one base line to the next, in sizes of the type."""
ASCENT = 0.8
"""From the top of a line to its base line, in sizes of the type."""
_SMALLEST_PT = 4.5
_STEP_PT = 0.25

Measure = Callable[[str], float]
"""How wide a text is at a size of one point, in mm."""
Size = tuple[float, float]


class Block(msgspec.Struct, frozen=True):
    """Lines of one size; a line may be wider than its room, and is to be written narrower then."""

    lines: tuple[str, ...]
    size_pt: float

    @property
    def height_mm(self) -> float:
        """From the top of the first line to the foot of the last one."""
        return (max(0, len(self.lines) - 1) * LEADING + 1.0) * self.size_pt * POINT_MM

    def base_mm(self, line: int, leading: float = LEADING) -> float:
        """The base line of a line, counted from 0, below the top of the block."""
        return (line * leading + ASCENT) * self.size_pt * POINT_MM


def broken(text: str, width_mm: float, size_pt: float, measure: Measure) -> Block:
    """Text broken at spaces, and where it has line breaks of its own; a single word may be wider than the room."""
    return _broken(_words(text, measure), measure(" "), width_mm, size_pt)


def fitted(text: str, room_mm: Size, size_pt: float, measure: Measure) -> Block:
    """Text in a small room, at most as large as `size_pt` and as small as it must be.

    Even where the smallest readable size is too large no word is left out: lines that are too wide are to be written
    narrower, and where there are too many of them they are smaller still.
    """
    words, space = _words(text, measure), measure(" ")
    size, wide_mm = size_pt, room_mm[0] + 1e-9
    while True:
        block = _broken(words, space, wide_mm, size)
        narrow = size <= _SMALLEST_PT or all(measure(line) * size <= wide_mm for line in block.lines)
        if (narrow and block.height_mm <= room_mm[1] + 1e-9) or size <= 2 * _STEP_PT:
            return block
        size -= _STEP_PT


def _words(text: str, measure: Measure) -> list[list[tuple[str, float]]]:
    """Each paragraph's words with their widths. Only plain spaces part words, and so no-break spaces hold."""
    return [[(word, measure(word)) for word in line.split(" ") if word] for line in text.strip().split("\n")]


def _broken(paragraphs: list[list[tuple[str, float]]], space: float, width_mm: float, size_pt: float) -> Block:
    lines: list[str] = []
    for words in paragraphs:
        line, wide = "", 0.0
        for word, width in words:
            if line and (wide + space + width) * size_pt > width_mm:
                lines.append(line)
                line, wide = "", 0.0
            line, wide = (f"{line} {word}", wide + space + width) if line else (word, width)
        lines.append(line)
    return Block(tuple(lines), size_pt)

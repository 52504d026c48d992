"""The box in a terminal: the displays' true pixels, its lamps and buttons, and what has happened.

Pure functions that return lines. Without `colour` (no terminal, or NO_COLOR) they hold no escape codes. A terminal
that has not all letters shows the display with simple ones where there is room, and tells in words what stands on it
where there is not; the other signs of these lines have stand-ins (`companion.core.letters`).
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from PIL import Image

from companion.core.letters import SOFT_HYPHEN, printable
from companion.core.messages import Message
from companion.core.panel import Art, Button, Element, Lamp, Panel, Row
from companion.face.screen import HEIGHT_PX, WIDTH_PX
from companion.face.words import Words

NARROW = WIDTH_PX // 2 + 2
"""Columns that the display takes in braille, with its frame."""

WIDE = WIDTH_PX + 2
"""Columns that it takes in half blocks, which are easier on the eye."""

LOW = 34
"""With fewer rows the log would have no room below the screen."""

_COLOURS = {Lamp.GREEN: 32, Lamp.AMBER: 33, Lamp.RED: 31}
_GLASS, _DIM = "96;40", "90"
_BLOCKS = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
_STROKES = {(False, False): " ", (True, False): "'", (False, True): ".", (True, True): "|"}
# Dots of a braille cell by column and row. Source: Unicode standard, block Braille Patterns, U+2800.
_DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))


@dataclass(frozen=True)
class Entry:
    """Something that has happened, for the log.

    Attributes:
        time: when, as it is to be shown.
        text: what.
        level: `event`, `dispute` or `trouble`.
    """

    time: str
    text: str
    level: str = "event"


_MARKS = {"event": ("·", "0"), "dispute": ("!", "31"), "trouble": ("?", "33")}


def draw(
    images: Sequence[Image.Image],
    panel: Panel,
    words: Words,
    log: Sequence[Entry] = (),
    columns: int = 80,
    rows: int = 40,
    colour: bool = True,
    rich: bool = True,
) -> list[str]:
    """The whole box as lines for a terminal of this size; the newest entries of the log fill what is left.

    Args:
        images: the displays' pictures, mode `1`, 128x64 pixels; the second is left out where it doesn't fit.
        panel: what is shown, for lamps and buttons.
        words: the language.
        log: what has happened, oldest first.
        columns: width of the terminal; below `NARROW` lines are cut off by the terminal.
        rows: height of the terminal.
        colour: use ANSI escape codes.
        rich: the terminal has all letters, braille and blocks among them.
    """
    glass, width = _glasses(images, columns, rows, colour, rich)
    if not glass or rows < LOW:
        return _low(panel, words, log, columns, rows, colour)
    lines = [*glass, lamp_line(panel, colour), *button_lines(panel, words, width), ""]
    lines += [*score_lines(panel, words, width), ""]
    told = [_ink(line, _MARKS[entry.level][1], colour) for entry in log for line in plain_lines(entry, columns)]
    room = max(0, rows - len(lines) - 1)
    return [*lines, *told[max(0, len(told) - room) :]][: rows - 1]


def _glasses(images: Sequence[Image.Image], columns: int, rows: int, colour: bool, rich: bool) -> tuple[list[str], int]:
    """The displays beside or below one another, as large as leaves some room for the log; and the width of one.

    Braille is shown even where that leaves none; in simple letters a display has no smaller form, so there may be none.
    """
    large, small = (half_blocks if rich else strokes, WIDE, HEIGHT_PX // 2 + 2, 24), (braille, NARROW, LOW - 16, 16)
    for show, width, height, rest in (large, small) if rich else (large,):
        framed = [_framed(show(image), colour) for image in images]
        if columns >= len(images) * (width + 1) - 1 and rows >= height + rest:
            return [" ".join(lines) for lines in zip(*framed, strict=True)], width
        if columns >= width and rows >= len(images) * height + rest:
            return [line for lines in framed for line in lines], width
    if len(images) > 1:
        return _glasses(images[:1], columns, rows, colour, rich)
    return (framed[0], width) if rich else ([], 0)


def _framed(glass: Sequence[str], colour: bool) -> list[str]:
    edge = "─" * len(glass[0])
    return [f"╭{edge}╮", *("│" + _ink(line, _GLASS, colour) + "│" for line in glass), f"╰{edge}╯"]


def _low(panel: Panel, words: Words, log: Sequence[Entry], columns: int, rows: int, colour: bool) -> list[str]:
    """The box where its screen doesn't fit: what stands on it, lamps, buttons, and the log."""
    page = panel.pages[0]
    said = [_line(words, page.title), *(_told(element, words) for element in page.elements)]
    lamps = " " * (len(lamp_line(panel, False)) + 2)
    first, *more = textwrap.wrap(lamps + " · ".join(filter(None, said)), max(1, columns)) or [""]
    first = lamp_line(panel, colour) + first[len(lamps) - 2 :]
    head = [first, *more[: rows // 3], *button_lines(panel, words, columns), ""]
    told = [_ink(line, _MARKS[entry.level][1], colour) for entry in log for line in plain_lines(entry, columns)]
    room = max(0, rows - len(head) - 1)
    return [*head, *told[max(0, len(told) - room) :]][: rows - 1]


def _told(element: Element, words: Words) -> str:
    """An element in one line; of drawings the marks tell how far one is."""
    if isinstance(element, Art):
        marks = "".join({"done": "●", "next": "▲"}.get(sketch.mark, "○") for sketch in element.sketches)
        return " ".join([marks, *(_line(words, message) for message in element.beside)])
    if isinstance(element, Row):
        return f"{'▸' * element.marked}{_line(words, element.left)} {_line(words, element.right)}".rstrip()
    return _line(words, element.message)


def braille(image: Image.Image) -> list[str]:
    """The pixels as braille, 64 columns in 16 lines."""
    return [
        "".join(chr(0x2800 + _cell(image, x, y)) for x in range(0, image.width, 2)) for y in range(0, image.height, 4)
    ]


def half_blocks(image: Image.Image) -> list[str]:
    """The pixels as half blocks, 128 columns in 32 lines."""
    return _pairs(image, _BLOCKS)


def strokes(image: Image.Image) -> list[str]:
    """The pixels as signs that every terminal has, 128 columns in 32 lines."""
    return _pairs(image, _STROKES)


def lamp_line(panel: Panel, colour: bool = True) -> str:
    """The lamps as dots, full where they shine; without colour by their names."""
    if not colour:
        return " ".join(f"[{lamp if lamp in panel.lamps else ' ' * len(lamp)}]" for lamp in Lamp)
    return " ".join(
        _ink("●", str(_COLOURS[lamp]), True) if lamp in panel.lamps else _ink("○", _DIM, True) for lamp in Lamp
    )


def button_lines(panel: Panel, words: Words, columns: int) -> list[str]:
    """What the buttons do now, in as many lines as it takes."""
    meanings = dict(panel.buttons)
    keys = {Button.A: "1", Button.B: "2", Button.UP: "3", Button.DOWN: "4"}
    said = [
        f"[{key}]\u00a0" + _line(words, meanings[b]).replace(" ", "\u00a0") for b, key in keys.items() if b in meanings
    ]
    return [line.replace("\u00a0", " ") for line in textwrap.wrap("  ".join(said), columns, drop_whitespace=True)]


def score_lines(panel: Panel, words: Words, columns: int) -> list[str]:
    """The rows of all pages that have something at their right, such as scores; the marked ones with an arrow."""
    rows = [e for page in panel.pages for e in page.elements if isinstance(e, Row)]
    said = dict.fromkeys((row.marked, _line(words, row.left), _line(words, row.right)) for row in rows)
    lines = []
    for marked, left, right in said:
        right = right[: columns - 3]
        room = columns - 3 - len(right)
        lines += [f"{'▸' if marked else ' '} {left[:room]:<{room}} {right}"] if right else []
    return lines


def plain_lines(entry: Entry, columns: int) -> list[str]:
    """A log entry as lines without escape codes."""
    head = f"{entry.time} {_MARKS[entry.level][0]} "
    text = _in_line(entry.text)
    return textwrap.wrap(text, columns, initial_indent=head, subsequent_indent=" " * len(head)) or [head.rstrip()]


def _pairs(image: Image.Image, signs: Mapping[tuple[bool, bool], str]) -> list[str]:
    """Two pixels, one above the other, in a sign."""
    return [
        "".join(signs[_lit(image, x, y), _lit(image, x, y + 1)] for x in range(image.width))
        for y in range(0, image.height, 2)
    ]


def _line(words: Words, message: Message) -> str:
    return _in_line(words.say(message))


def _in_line(text: str) -> str:
    """A text in which no letter breaks the line or does anything else but to be seen."""
    return printable(text.replace(SOFT_HYPHEN, "").replace("\n", " "))


def _cell(image: Image.Image, x: int, y: int) -> int:
    return sum(dot for i, dots in enumerate(_DOTS) for j, dot in enumerate(dots) if _lit(image, x + i, y + j))


def _lit(image: Image.Image, x: int, y: int) -> bool:
    return bool(image.getpixel((x, y)))


def _ink(text: str, code: str, colour: bool) -> str:
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text

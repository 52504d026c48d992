"""What the box shows and sounds, before fonts, pixels and pins: pages, buttons, lamps and melodies."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from companion.core.art import SIDE, Picture
from companion.core.messages import Message


class Button(StrEnum):
    """The four buttons, as they are printed on the box."""

    A = "A"
    B = "B"
    UP = "up"
    DOWN = "down"


class Lamp(StrEnum):
    """The three lamps."""

    GREEN = "green"
    RED = "red"
    AMBER = "amber"


class Note(msgspec.Struct, frozen=True):
    """One tone: frequency in hertz (0 is a rest) and length in seconds."""

    frequency_hz: float
    length_s: float


Melody = tuple[Note, ...]


class Text(msgspec.Struct, frozen=True, tag="text"):
    """A paragraph; it is broken at words and goes on to the next page where it doesn't fit.

    Attributes:
        message: what it says.
        big: in large type, for what must be read from across the table.
        reading: to be read aloud: in large type unless people have set small type.
    """

    message: Message
    big: bool = False
    reading: bool = False


class Row(msgspec.Struct, frozen=True, tag="row"):
    """A line with something at its left and something at its right edge, such as a name and its score.

    Attributes:
        left: text at the left edge; cut short with an ellipsis where both don't fit.
        right: text at the right edge; always whole.
        marked: shown inverted: whose turn it is, what is chosen.
    """

    left: Message
    right: Message
    marked: bool = False


class Sketch(msgspec.Struct, frozen=True):
    """One drawing of an `Art`.

    Attributes:
        picture: its shapes, in a square of 100, or as wide as `width` says.
        width: where it isn't a square.
        mark: `""`, `done` (found already) or `next` (an arrow under it).
    """

    picture: Picture
    width: float = SIDE
    mark: str = ""


class Art(msgspec.Struct, frozen=True, tag="art"):
    """Drawings side by side, as large as the screen allows; with too many for it, those around the next one.

    Attributes:
        sketches: from left to right.
        beside: short lines at the right of a single drawing that leaves room there.
    """

    sketches: tuple[Sketch, ...]
    beside: tuple[Message, ...] = ()


Element = Text | Row | Art


class Page(msgspec.Struct, frozen=True):
    """One thing to show; what doesn't fit on the screen is reached with the page buttons.

    Attributes:
        title: one line, shown inverted at the top.
        elements: what stands below it.
        warns: it tells of a danger, so the amber lamp is lit.
    """

    title: Message
    elements: tuple[Element, ...] = ()
    warns: bool = False


class Panel(msgspec.Struct, frozen=True):
    """Everything that the box shows at one moment.

    Attributes:
        pages: first the one that matters most.
        aside: what a second screen shows, which faces the active player; empty if the game has nothing for it.
        buttons: what the buttons mean now; those without an entry do nothing.
        lamps: the lamps that are lit.
    """

    pages: tuple[Page, ...]
    buttons: tuple[tuple[Button, Message], ...] = ()
    lamps: frozenset[Lamp] = frozenset()
    aside: tuple[Page, ...] = ()

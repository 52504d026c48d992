"""What a game has to be printed, as shapes in millimetres; the kit makes pages of it.

Lengths are mm from a printable's top left corner, y downwards.
"""

from __future__ import annotations

import msgspec

from companion.core.art import Picture
from companion.core.messages import Message
from companion.core.table import Point
from companion.core.tags import Tag

Size = tuple[float, float]
LEGEND_MM: Size = (34.0, 8.0)
"""The room for what is printed below a small thing, outside of what is cut out."""


class Frame(msgspec.Struct, frozen=True):
    """A rectangle.

    Attributes:
        left_top: of its outline.
        size: width and height.
        line: width of the outline; 0 for none.
        fill: `#rrggbb`, or empty.
        colour: of the outline.
        corner: radius of its corners.
        dashed: a line to fold along, or a place.
    """

    left_top: Point
    size: Size
    line: float = 0.3
    fill: str = ""
    colour: str = "#2a2420"
    corner: float = 0.0
    dashed: bool = False


class Disc(msgspec.Struct, frozen=True):
    """A circle with its `middle` and `radius`; `line`, `fill` and `colour` as in `Frame`."""

    middle: Point
    radius: float
    line: float = 0.3
    fill: str = ""
    colour: str = "#2a2420"


class Line(msgspec.Struct, frozen=True):
    """A straight line; `dashed` ones are to be folded along."""

    start: Point
    end: Point
    width: float = 0.3
    colour: str = "#2a2420"
    dashed: bool = False


class Label(msgspec.Struct, frozen=True):
    """Text in a box: as large as `size_pt` says, smaller where it wouldn't fit, never cut.

    Attributes:
        message: what it says.
        left_top: of the box.
        size: of the box.
        size_pt: largest size of the type.
        bold: in bold type.
        centred: in the middle of the box; otherwise from its top left corner.
        colour: of the type.
    """

    message: Message
    left_top: Point
    size: Size
    size_pt: float = 9.0
    bold: bool = False
    centred: bool = True
    colour: str = "#1c1a18"


class TagMark(msgspec.Struct, frozen=True):
    """A tag: its middle, and the side of its black square."""

    tag: Tag
    middle: Point
    side: float


class Drawn(msgspec.Struct, frozen=True):
    """A picture in a square whose top left corner and side are given."""

    picture: Picture
    left_top: Point
    side: float


Shape = Frame | Disc | Line | Label | TagMark | Drawn


class Printable(msgspec.Struct, frozen=True):
    """One thing to be printed and cut out, or glued together from several pages where it is larger than one.

    Attributes:
        part: key below `part.` in the game's wording; things of one part are printed together under this heading.
        size: width and height in mm.
        shapes: in the order in which they are drawn.
        back: what is printed beside it, to be folded behind it; empty for nothing.
        title: what a sheet of several pages is called on each of them; None for small things.
        legend: what is printed below a small thing without a back, outside of what is cut out, such as its name;
            counted from the top left corner of a room of `LEGEND_MM`.
    """

    part: str
    size: Size
    shapes: tuple[Shape, ...]
    back: tuple[Shape, ...] = ()
    title: Message | None = None
    legend: tuple[Shape, ...] = ()

"""What a game describes as shapes, drawn on a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from companion.core.messages import Message
from companion.core.printing import Disc, Drawn, Frame, Label, Line, Shape, TagMark
from companion.kit.drawing import WHITE, Drawing, with_quiet_mm


def draw(drawing: Drawing, shapes: Iterable[Shape], say: Callable[[Message], str]) -> None:
    """Draws shapes in their order; where they lie is said by `Drawing.placed`."""
    for shape in shapes:
        match shape:
            case Frame(left_top, size, line, fill, colour, corner, dashed):
                drawing.box(left_top, size, fill, line, colour, corner, dashed)
            case Disc(middle, radius, line, fill, colour):
                drawing.circle(middle, radius, fill, line, colour)
            case Line(start, end, width, colour, dashed):
                drawing.line(start, end, colour, width, dashed)
            case Label(message, (left, top), size, size_pt, bold, centred, colour):
                at = (left + size[0] / 2, top)
                align = "C" if centred else "L"
                drawing.label(say(message), at, size, size_pt, bold, align, centred, colour)
            case TagMark(tag, (x, y) as middle, side):
                white = with_quiet_mm(tag, side)
                drawing.box((x - white / 2, y - white / 2), (white, white), fill=WHITE, line_mm=0)
                drawing.tag(tag, middle, side)
            case Drawn(picture, left_top, side):
                drawing.picture(picture, left_top, side)

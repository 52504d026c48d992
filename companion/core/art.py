"""Pictures as vectors: one description for the printer, the small display and the virtual table."""

from __future__ import annotations

import math
from functools import lru_cache

import msgspec

from companion.core.errors import CompanionError

Point = tuple[float, float]

SIDE = 100.0
"""Pictures are drawn in a square from 0, 0 (top left) to 100, 100."""
LINE = 3.0
STEPS = 10
"""Straight pieces that stand for one curve."""


class ArtError(CompanionError, ValueError):
    """A picture that can't be drawn."""


class Layer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One shape of a picture; later ones lie on top.

    Attributes:
        path: in the syntax of SVG path data, in the square of a picture.
        fill: `#rrggbb`, or empty for a line alone.
        line: width of its dark outline; 0 for none.
        ink: on a display of one colour it is filled, and not drawn as an outline.
    """

    path: str
    fill: str = ""
    line: float = LINE
    ink: bool = False


Picture = tuple[Layer, ...]


class Stroke(msgspec.Struct, frozen=True):
    """A line through points; `closed` if the last is joined to the first."""

    points: tuple[Point, ...]
    closed: bool


@lru_cache(maxsize=1024)
def strokes(path: str) -> tuple[Stroke, ...]:
    """The lines of SVG path data, curves as short straight pieces.

    Raises:
        ArtError: it isn't path data.
    """
    from fontTools.pens.recordingPen import DecomposingRecordingPen
    from fontTools.svgLib.path import parse_path

    pen = DecomposingRecordingPen({})
    try:
        parse_path(path, pen)
    except Exception as error:  # the parser raises whatever it stumbles over
        raise ArtError(f"path {path[:40]!r}: no SVG path data ({error})") from error
    found: list[Stroke] = []
    points: list[Point] = []
    for name, values in pen.value:
        if name == "moveTo":
            points = [values[0]]
        elif name == "lineTo":
            points.append(values[0])
        elif name in ("curveTo", "qCurveTo"):
            points += _curve([points[-1], *values])
        elif points:
            found.append(Stroke(tuple((float(x), float(y)) for x, y in points), name == "closePath"))
            points = []
    return tuple(found)


def _curve(controls: list[Point]) -> list[Point]:
    """Points of a Bezier curve behind its first control point."""
    degree = len(controls) - 1
    weights = [math.comb(degree, i) for i in range(degree + 1)]
    found = []
    for step in range(1, STEPS + 1):
        t = step / STEPS
        shares = [weight * t**i * (1 - t) ** (degree - i) for i, weight in enumerate(weights)]
        x, y = (sum(share * point[axis] for share, point in zip(shares, controls, strict=True)) for axis in (0, 1))
        found.append((x, y))
    return found

"""The small drawings beside the words: the table from above, and a gauge."""

from __future__ import annotations

from collections.abc import Collection

from companion.app.calibrate.corners import NAMES
from companion.core.art import Layer, Picture
from companion.core.panel import Sketch

_LEFT, _TOP, _RIGHT, _BOTTOM = 8, 16, 92, 84
_MARK = 18


def plan(
    seen: Collection[str] = (), arrow: str = "", bar: str = "", shaded: Collection[str] = (), marks: bool = True
) -> Sketch:
    """The table from above.

    Args:
        seen: names of corners whose marks are drawn full; the others are empty.
        arrow: a side to which an arrow points.
        bar: a side along which a bar stands.
        shaded: names of corners whose quarter is filled.
        marks: the marks are drawn at all.
    """
    layers = [Layer(_box(_LEFT, _TOP, _RIGHT, _BOTTOM))]
    layers += [Layer(_box(*_quarter(name)), ink=True) for name in NAMES if name in shaded]
    if marks:
        layers += [Layer(_box(*_mark(name)), ink=name in seen) for name in NAMES]
    if arrow:
        layers.append(Layer(_ARROWS[arrow], ink=True))
    if bar:
        layers.append(Layer(_box(*_BARS[bar]), ink=True))
    return Sketch(tuple(layers))


def gauge(now: int, best: int) -> Sketch:
    """How much of 100 there is, and how much there was at best."""
    level, mark = (round(96 - 92 * value / 100) for value in (now, best))
    tube: Picture = (Layer(_box(30, 4, 70, 96)), Layer(_box(30, level, 70, 96), ink=True))
    return Sketch((*tube, Layer(f"M12 {mark} L30 {mark}"), Layer(f"M70 {mark} L88 {mark}")))


def _box(left: int, top: int, right: int, bottom: int) -> str:
    return f"M{left} {top} L{right} {top} L{right} {bottom} L{left} {bottom} Z"


def _mark(name: str) -> tuple[int, int, int, int]:
    left = _RIGHT - _MARK if "right" in name else _LEFT
    top = _BOTTOM - _MARK if "bottom" in name else _TOP
    return left, top, left + _MARK, top + _MARK


def _quarter(name: str) -> tuple[int, int, int, int]:
    left, right = (50, _RIGHT) if "right" in name else (_LEFT, 50)
    top, bottom = (50, _BOTTOM) if "bottom" in name else (_TOP, 50)
    return left, top, right, bottom


_BARS = {
    "top": (_LEFT, 0, _RIGHT, 10),
    "bottom": (_LEFT, 90, _RIGHT, 100),
    "left": (0, _TOP, 4, _BOTTOM),
    "right": (96, _TOP, 100, _BOTTOM),
}
_ARROWS = {
    "top": "M50 24 L66 44 L55 44 L55 70 L45 70 L45 44 L34 44 Z",
    "bottom": "M50 76 L66 56 L55 56 L55 30 L45 30 L45 56 L34 56 Z",
    "left": "M24 50 L44 34 L44 45 L74 45 L74 55 L44 55 L44 66 Z",
    "right": "M76 50 L56 34 L56 45 L26 45 L26 55 L56 55 L56 66 Z",
}

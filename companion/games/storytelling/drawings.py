"""Drawings for the small screen that depend on the state: the clock, and the track of The Race."""

from __future__ import annotations

import math

from companion.core.art import Layer, Picture
from companion.core.panel import Sketch
from companion.games.storytelling.setup import SQUARES

TRACK_WIDTH = 300.0
ACROSS, DOWN = TRACK_WIDTH / 10, 25.0
"""The track's drawing has ten columns and four rows of equal squares; the grid's cells in its middle are left out."""


def clock(strokes: int, positions: int) -> Sketch:
    """The dial with its hand; at midnight the hand is back at the top."""
    layers = [Layer(_circle(50, 50, 47), "#ffffff")]
    for number in range(positions):
        inner = 38 if number % max(1, positions // 4) else 33
        layers.append(Layer(f"M{_polar(inner, number / positions)} L{_polar(43, number / positions)}"))
    hand = strokes / positions
    layers.append(Layer(_hand(hand, 36, 7), "#1c1a18", ink=True))
    layers.append(Layer(_circle(50, 50, 5), "#1c1a18", ink=True))
    return Sketch(tuple(layers))


def track(hare: int, tortoise: int, finish: int) -> Sketch:
    """The squares around the grid, ears for the Hare, a shell for the Tortoise; the finish is drawn double."""
    layers: list[Layer] = []
    for number in range(SQUARES):
        column, row = _square(number)
        layers.append(Layer(_box(column * ACROSS, row * DOWN, ACROSS, DOWN), "#ffffff"))
        if number == finish:
            layers.append(Layer(_box(column * ACROSS + 5, row * DOWN + 5, ACROSS - 10, DOWN - 10), "#ffffff"))
    both = min(hare, finish) == min(tortoise, finish)
    for number, shape, aside in ((min(tortoise, finish), _tortoise, -7), (min(hare, finish), _hare, 7)):
        column, row = _square(number)
        layers += shape((column + 0.5) * ACROSS + aside * both, (row + 0.5) * DOWN, 0.6 if both else 1.0)
    return Sketch(tuple(layers), TRACK_WIDTH)


def _square(number: int) -> tuple[int, int]:
    """Column and row of a square; they go clockwise from the upper one at the left."""
    if 1 <= number <= 8:
        return number, 0
    if 11 <= number <= 18:
        return 19 - number, 3
    return (0 if number in (0, 19) else 9), (1 if number in (0, 9) else 2)


def _tortoise(x: float, y: float, size: float) -> Picture:
    w, h = 12 * size, 9 * size
    shell = f"M{x - w} {y + h} C{x - w} {y - 1.4 * h} {x + w} {y - 1.4 * h} {x + w} {y + h} Z"
    return (Layer(shell, "#4d9a4a", ink=True),)


def _hare(x: float, y: float, size: float) -> Picture:
    w, h = 11 * size, 10 * size
    ears = (
        f"M{x - w} {y + h} L{x - w} {y - h} L{x - w * 0.4} {y - h} L{x - w * 0.3} {y} L{x + w * 0.3} {y} "
        f"L{x + w * 0.4} {y - h} L{x + w} {y - h} L{x + w} {y + h} Z"
    )
    return (Layer(ears, "#d8b48a", ink=True),)


def _box(x: float, y: float, width: float, height: float) -> str:
    return f"M{x:.1f} {y:.1f} h{width:.1f} v{height:.1f} h{-width:.1f} Z"


def _circle(x: float, y: float, radius: float) -> str:
    return f"M{x - radius} {y} A{radius} {radius} 0 1 1 {x + radius} {y} A{radius} {radius} 0 1 1 {x - radius} {y} Z"


def _polar(radius: float, share: float, turn: float = 0.0) -> str:
    angle = 2 * math.pi * share + turn
    return f"{50 + radius * math.sin(angle):.1f} {50 - radius * math.cos(angle):.1f}"


def _hand(share: float, length: float, width: float) -> str:
    left, right = (_polar(width / 2, share, sign * math.pi / 2) for sign in (-1, 1))
    return f"M{left} L{_polar(length, share)} L{right} Z"

"""Drawings for the small screen that depend on the state: the clock, and the track of The Race."""

from __future__ import annotations

import math

from companion.core.art import Layer, Picture
from companion.core.panel import Sketch
from companion.games.storytelling.setup import SQUARES
from companion.games.storytelling.zones import sheet_mm, square_mm

TRACK_WIDTH = 288.0
"""The track's drawing is this wide, and 100 high, as its sheet is."""


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
    """The squares around the grid: the Hare's one with two long ears, the Tortoise's one filled, the finish striped."""
    width, height = sheet_mm("race")
    across, down = TRACK_WIDTH / width, 100.0 / height
    layers: list[Layer] = []
    for number in range(SQUARES):
        (left, top), (wide, high) = square_mm(number)
        x, y, w, h = left * across + 1, top * down + 1, wide * across - 2, high * down - 2
        layers.append(Layer(_box(x, y, w, h), "#ffffff"))
        if number == finish:
            layers.append(Layer(_box(x + w / 4, y + h / 4, w / 2, h / 2), "#ffffff"))
    for number, shape in ((min(tortoise, finish), _tortoise), (min(hare, finish), _hare)):
        (left, top), (wide, high) = square_mm(number)
        x, y = (left + wide / 2) * across, (top + high / 2) * down
        both = min(hare, finish) == min(tortoise, finish)
        aside = (8 if shape is _hare else -8) if both else 0
        layers += shape(x + (aside if wide > high else 0), y + (0 if wide > high else aside))
    return Sketch(tuple(layers), TRACK_WIDTH)


def _tortoise(x: float, y: float) -> Picture:
    return (Layer(f"M{x - 8} {y + 5} C{x - 8} {y - 9} {x + 8} {y - 9} {x + 8} {y + 5} Z", "#4d9a4a", ink=True),)


def _hare(x: float, y: float) -> Picture:
    ears = f"M{x - 6} {y + 7} L{x - 6} {y - 8} L{x - 2} {y} L{x + 2} {y} L{x + 6} {y - 8} L{x + 6} {y + 7} Z"
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

"""Drawings: the faces of the Spirits, a Key, and for the small screen the Hall as it stands."""

from __future__ import annotations

import math
from collections.abc import Sequence

from companion.core.art import Layer, Picture
from companion.core.panel import Sketch
from companion.games.wonderland.state import DECKS, Deck

INK = "#1c1a18"


def portrait(card: str) -> Picture:
    """The face of a Spirit."""
    return _PORTRAITS[card]


def key() -> Picture:
    """A Key."""
    return (
        Layer(_circle(28, 50, 18), "#d9b23c", ink=True),
        Layer(_circle(28, 50, 7), "#ffffff"),
        Layer("M45 44 H92 V70 H82 V57 H74 V66 H64 V57 H45 Z", "#d9b23c", ink=True),
    )


def hall(decks: Sequence[Deck], unlocked: Sequence[int]) -> Sketch:
    """The ring of decks: bright where a card lies open, a line where a deck is empty, a disc where a Key lies."""
    layers: list[Layer] = []
    for number, deck in enumerate(decks):
        corners = ((-11, -16), (11, -16), (11, 16), (-11, 16)) if deck.size else ((-11, 0), (11, 0))
        path = "M" + " L".join(_on_ring(number, x, y) for x, y in corners) + (" Z" if deck.size else "")
        layers.append(Layer(path, "#ffffff" if deck.size else "", ink=bool(deck.up)))
        if number in unlocked:
            x, y = map(float, _on_ring(number, 19, -2).split())
            layers.append(Layer(_circle(x, y, 6), INK, ink=True))
    return Sketch(tuple(layers))


def _on_ring(deck: int, across: float, down: float) -> str:
    """A point beside the middle of a deck, as seen from the middle of the Hall."""
    turn = 2 * math.pi * deck / DECKS
    x, y = across, down - 33
    return f"{50 + x * math.cos(turn) - y * math.sin(turn):.1f} {53 + x * math.sin(turn) + y * math.cos(turn):.1f}"


def _circle(x: float, y: float, radius: float) -> str:
    return f"M{x - radius} {y} A{radius} {radius} 0 1 1 {x + radius} {y} A{radius} {radius} 0 1 1 {x - radius} {y} Z"


def _dot(x: float, y: float, radius: float) -> Layer:
    return Layer(_circle(x, y, radius), INK, line=0, ink=True)


_PORTRAITS: dict[str, Picture] = {
    "Alice": (
        Layer("M50 8 C18 8 14 40 12 90 L88 90 C86 40 82 8 50 8 Z", "#f0cf6a"),
        Layer("M28 50 C28 34 40 28 52 28 C64 28 72 36 72 50 C72 68 62 78 50 78 C38 78 28 68 28 50 Z", "#f8e0c8"),
        Layer("M24 34 C34 16 66 16 76 34 L71 42 C60 26 40 26 29 42 Z", "#3f6fb0", ink=True),
        _dot(41, 52, 4),
        _dot(59, 52, 4),
        Layer("M42 65 C46 69 54 69 58 65"),
    ),
    "Rabbit": (
        Layer("M42 46 C28 34 24 6 36 5 C48 5 50 30 49 46 Z", "#ffffff"),
        Layer("M58 46 C72 34 76 6 64 5 C52 5 50 30 51 46 Z", "#ffffff"),
        Layer(_circle(50, 66, 28), "#ffffff"),
        _dot(40, 60, 4),
        _dot(60, 60, 4),
        Layer("M44 72 L56 72 L50 79 Z", "#d98a8a", ink=True),
        Layer("M50 79 V86"),
        Layer("M22 70 L38 73 M22 80 L38 77 M78 70 L62 73 M78 80 L62 77"),
    ),
    "Cat": (
        Layer("M20 44 L14 8 L42 24 Z", "#c59ad0", ink=True),
        Layer("M80 44 L86 8 L58 24 Z", "#c59ad0", ink=True),
        Layer("M50 20 C22 20 12 40 12 58 C12 80 30 92 50 92 C70 92 88 80 88 58 C88 40 78 20 50 20 Z", "#c59ad0"),
        Layer("M30 40 C36 32 42 36 44 46 C38 48 32 46 30 40 Z", "#f5e58a", ink=True),
        Layer("M70 40 C64 32 58 36 56 46 C62 48 68 46 70 40 Z", "#f5e58a", ink=True),
        Layer("M22 56 C40 66 60 66 78 56 C76 78 62 84 50 84 C38 84 24 78 22 56 Z", "#ffffff"),
        Layer("M36 62 V80 M50 64 V84 M64 62 V80"),
    ),
    "Hatter": (
        Layer("M26 10 H74 L68 66 H32 Z", "#4d7f4a"),
        Layer("M30 48 H70 L68 64 H32 Z", INK, ink=True),
        Layer("M6 68 C8 60 24 62 50 62 C76 62 92 60 94 68 C94 84 66 88 50 88 C34 88 6 84 6 68 Z", "#4d7f4a", ink=True),
        Layer("M56 20 H84 V40 H56 Z", "#ffffff"),
        Layer("M62 27 H78 M62 33 H78", line=2.0),
    ),
    "Queen": (
        Layer("M12 30 L30 50 L50 14 L70 50 L88 30 L82 90 H18 Z", "#e0b53c"),
        Layer(
            "M50 84 C30 72 30 56 40 55 C46 54 50 62 50 64 C50 62 54 54 60 55 C70 56 70 72 50 84", "#c03a36", ink=True
        ),
        _dot(12, 26, 6),
        _dot(50, 10, 6),
        _dot(88, 26, 6),
    ),
    "Bundle": (
        Layer("M50 4 L62 36 L96 38 L70 60 L79 94 L50 75 L21 94 L30 60 L4 38 L38 36 Z", "#e8cf78", ink=True),
        Layer("M50 30 L57 46 L74 48 L61 59 L65 76 L50 66 L35 76 L39 59 L26 48 L43 46 Z", "#ffffff"),
    ),
}

"""Drawings: emblems of Characters and factions; for the small screen the fight for a Throne, and the Thrones."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.art import Layer, Picture
from companion.core.panel import Sketch

INK, WHITE = "#1c1a18", "#ffffff"
COURT_WIDTH = 300.0
"""Of the drawing of all Thrones, beside one another."""
BAR_MOST = 12
"""So many points fill a bar of the fight."""


def emblem(what: str, value: int = 0) -> Picture:
    """What a Character, a faction or a deck's back is known by, with a stroke for each point of its value."""
    pips = tuple(Layer(f"M{50 + 18 * (i - (value - 1) / 2):.0f} 90 v8", line=7.0) for i in range(value))
    return (*_EMBLEMS[what], *pips)


def scales(defence: int, attack: int) -> Sketch:
    """Two bars, the defence above the attack; the one that prevails is filled."""
    longest = max(defence, attack, BAR_MOST)
    layers = []
    for top, points, wins in ((14, defence, defence > attack), (58, attack, defence <= attack)):
        layers.append(Layer(f"M4 {top} H96 V{top + 28} H4 Z", WHITE))
        if points:
            layers.append(Layer(f"M4 {top} H{4 + 92 * points / longest:.1f} V{top + 28} H4 Z", INK, ink=wins))
            layers += [Layer(f"M{4 + 92 * i / longest:.1f} {top} v28", line=2.0) for i in range(1, points) if not wins]
    return Sketch(tuple(layers))


def court(kinds: Sequence[str], closed: Sequence[int]) -> Sketch:
    """The emblems of those who sit on the Thrones; a deactivated one is crossed out."""
    layers: list[Layer] = []
    for index, kind in enumerate(kinds):
        left = index * 100
        layers += [Layer(_shifted(layer.path, left), layer.fill, layer.line, layer.ink) for layer in _EMBLEMS[kind]]
        if index + 1 in closed:
            layers.append(Layer(f"M{left + 4} 6 L{left + 96} 94 M{left + 96} 6 L{left + 4} 94", line=6.0))
    return Sketch(tuple(layers), COURT_WIDTH)


def _shifted(path: str, right: float) -> str:
    """A path of absolute commands M, L, C and Z, moved."""
    parts, horizontal = [], True
    for word in path.replace(",", " ").split():
        letter, number = (word[0], word[1:]) if word[0].isalpha() else ("", word)
        if letter:
            horizontal = True
        if number:
            value = float(number) + (right if horizontal else 0.0)
            parts.append(f"{letter}{value:g}")
            horizontal = not horizontal
        else:
            parts.append(letter)
    return " ".join(parts)


def _circle(x: float, y: float, radius: float) -> str:
    """A circle of four curves."""
    k = radius * 0.5523
    return (
        f"M{x} {y - radius} C{x + k} {y - radius} {x + radius} {y - k} {x + radius} {y} "
        f"C{x + radius} {y + k} {x + k} {y + radius} {x} {y + radius} "
        f"C{x - k} {y + radius} {x - radius} {y + k} {x - radius} {y} "
        f"C{x - radius} {y - k} {x - k} {y - radius} {x} {y - radius} Z"
    )


_EMBLEMS: dict[str, Picture] = {
    "noble": (
        Layer("M12 72 L8 26 L32 46 L50 14 L68 46 L92 26 L88 72 Z", "#e0b53c", ink=True),
        Layer("M12 78 L88 78 L88 88 L12 88 Z", "#e0b53c"),
    ),
    "guard": (
        Layer("M14 12 L86 12 L86 46 C86 68 70 82 50 90 C30 82 14 68 14 46 Z", "#8fa6c0"),
        Layer(
            "M44 18 L56 18 L56 40 L80 40 L80 52 L56 52 L56 80 L50 84 L44 80 L44 52 L20 52 L20 40 L44 "
            "40 Z", INK, ink=True,
        ),
    ),
    "merchant": (
        Layer(_circle(38, 58, 28), "#e0b53c"),
        Layer(_circle(38, 58, 16), "#c9962a", ink=True),
        Layer(_circle(70, 38, 24), "#e0b53c"),
        Layer(_circle(70, 38, 12), "#c9962a", ink=True),
    ),
    "mercenary": (
        Layer("M46 6 L54 6 L58 16 L56 58 L44 58 L42 16 Z", "#c9ccd2"),
        Layer("M24 58 L76 58 L76 68 L24 68 Z", INK, ink=True),
        Layer("M45 68 L55 68 L55 84 L45 84 Z", "#7a4a2c"),
        Layer(_circle(50, 88, 6), "#e0b53c", ink=True),
    ),
    "priest": (
        Layer("M50 6 C72 26 76 44 70 60 L30 60 C24 44 28 26 50 6 Z", "#efe6d2"),
        Layer("M46 20 L54 20 L54 32 L64 32 L64 40 L54 40 L54 54 L46 54 L46 40 L36 40 L36 32 L46 32 Z", INK, ink=True),
        Layer("M30 64 L70 64 L74 88 L26 88 Z", "#c8403a"),
    ),
    "spy": (
        Layer(
            "M4 34 C24 22 40 26 50 34 C60 26 76 22 96 34 C96 60 80 70 66 64 C58 60 54 52 50 52 C46 52 "
            "42 60 34 64 C20 70 4 60 4 34 Z", "#4a4643", ink=True,
        ),
        Layer("M18 42 C24 36 34 38 38 46 C32 52 22 52 18 42 Z", WHITE),
        Layer("M82 42 C76 36 66 38 62 46 C68 52 78 52 82 42 Z", WHITE),
    ),
    "corruption": (
        Layer("M38 24 L62 24 L70 10 L30 10 Z", "#9c7b3a"),
        Layer("M38 26 L62 26 C88 46 90 88 50 90 C10 88 12 46 38 26 Z", "#9c7b3a"),
        Layer("M50 42 C36 42 34 56 50 58 C66 60 64 76 50 76 C42 76 36 72 34 68 M50 34 L50 84", line=6.0),
    ),
    "purge": (
        Layer(
            "M50 6 C60 28 84 40 78 66 C74 84 62 92 50 92 C38 92 26 84 22 66 C18 48 36 44 38 26 C46 32 "
            "46 42 44 48 C54 40 54 22 50 6 Z", "#dd7a2a",
        ),
        Layer(
            "M50 52 C58 62 64 68 60 78 C58 84 54 86 50 86 C46 86 42 84 40 78 C38 70 46 64 50 52 Z", "#e0b53c", ink=True,
        ),
    ),
    "owl": (
        Layer("M16 8 L34 22 L66 22 L84 8 L86 54 C86 78 70 92 50 92 C30 92 14 78 14 54 Z", "#7fa3cf"),
        Layer(_circle(34, 44, 13), WHITE),
        Layer(_circle(66, 44, 13), WHITE),
        Layer(_circle(34, 44, 5), INK, ink=True),
        Layer(_circle(66, 44, 5), INK, ink=True),
        Layer("M44 56 L56 56 L50 70 Z", INK, ink=True),
    ),
    "wyvern": (
        Layer(
            "M50 30 C36 6 14 10 4 22 C16 24 20 34 20 44 C28 38 36 42 40 52 C44 70 36 82 22 90 C52 94 "
            "68 76 62 54 C64 42 72 38 80 44 C80 34 84 24 96 22 C86 10 64 6 50 30 Z", "#d9b04a", ink=True,
        ),
    ),
    "serpent": (
        Layer("M22 84 C58 92 78 74 62 58 C48 46 34 48 36 34 C38 18 66 16 72 34", line=15.0),
        Layer("M60 30 C62 16 84 16 84 32 C84 42 70 46 60 30 Z", "#86b36b", ink=True),
        Layer("M82 38 L94 46 M82 38 L86 50", line=3.0),
    ),
    "eye": (
        Layer("M4 50 C24 16 76 16 96 50 C76 84 24 84 4 50 Z", "#a78fb5"),
        Layer(_circle(50, 50, 22), WHITE),
        Layer(_circle(50, 50, 11), INK, ink=True),
    ),
    "back": (
        Layer("M50 4 L96 50 L50 96 L4 50 Z", "#8a4a5c"),
        Layer("M22 60 L18 36 L36 48 L50 26 L64 48 L82 36 L78 60 Z", "#e0b53c", ink=True),
    ),
    "action-back": (
        Layer("M50 4 L96 50 L50 96 L4 50 Z", "#4a7a5c"),
        Layer("M40 18 L62 18 L52 42 L66 42 L40 82 L46 52 L34 52 Z", "#e0b53c", ink=True),
    ),
}  # fmt: skip

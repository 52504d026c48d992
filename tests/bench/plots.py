"""Line plots as PNG, drawn with Pillow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

SIZE = (560, 420)
LEFT, TOP, RIGHT, BOTTOM = 60, 46, 16, 50
COLOURS = ("#1b4f9c", "#d1495b", "#e09f3e", "#2a9d8f", "#7b4fa3", "#8d6e63", "#444444")

Curves = Mapping[str, Sequence[float | None]]
"""Shares of 100 by the name of a curve, one for each x; None where nothing was measured."""


def draw(path: Path, panels: Mapping[str, Curves], x: Sequence[float], x_name: str) -> None:
    """Panels side by side, each with curves over the same x, and one legend below."""
    names = list(dict.fromkeys(name for curves in panels.values() for name in curves))
    legend = 24 * ((len(names) + 3) // 4) + 16
    picture = Image.new("RGB", (SIZE[0] * len(panels), SIZE[1] + legend), "white")
    pen = ImageDraw.Draw(picture)
    for number, (title, curves) in enumerate(panels.items()):
        _panel(pen, SIZE[0] * number, title, curves, names, x, x_name)
    wide = picture.width // 4
    for number, name in enumerate(names):
        left, top = 30 + wide * (number % 4), SIZE[1] + 8 + 24 * (number // 4)
        pen.line([(left, top + 8), (left + 30, top + 8)], COLOURS[number % len(COLOURS)], 4)
        pen.text((left + 38, top), name, "black", ImageFont.load_default(15))
    picture.save(path, optimize=True)


def _panel(
    pen: ImageDraw.ImageDraw, left: int, title: str, curves: Curves, names: list[str], x: Sequence[float], x_name: str
) -> None:
    width, height = SIZE[0] - LEFT - RIGHT, SIZE[1] - TOP - BOTTOM

    def at(place: float, share: float) -> tuple[float, float]:
        across = (place - x[0]) / (x[-1] - x[0])
        return left + LEFT + width * across, TOP + height * (1 - share / 100)

    pen.text((left + LEFT, 14), title, "black", ImageFont.load_default(18))
    for share in range(0, 101, 20):
        pen.line([at(x[0], share), at(x[-1], share)], "#dddddd", 1)
        pen.text((at(x[0], share)[0] - 40, at(x[0], share)[1] - 8), f"{share} %", "black", ImageFont.load_default(13))
    for place in x:
        pen.line([at(place, 0), at(place, 100)], "#eeeeee", 1)
        pen.text((at(place, 0)[0] - 10, at(place, 0)[1] + 6), f"{place:g}", "black", ImageFont.load_default(13))
    pen.text((left + LEFT + width / 3, SIZE[1] - 24), x_name, "black", ImageFont.load_default(14))
    for name, shares in curves.items():
        colour = COLOURS[names.index(name) % len(COLOURS)]
        points = [at(place, share) for place, share in zip(x, shares, strict=True) if share is not None]
        pen.line(points, colour, 3)
        for across, down in points:
            pen.ellipse([(across - 4, down - 4), (across + 4, down + 4)], colour)

"""Printing on a picture: shapes in millimetres, vector drawings and text, smooth at their edges."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterable, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.core.art import SIDE, Stroke, strokes
from companion.core.art import Picture as Drawing
from companion.core.lettering import POINT_MM, fitted
from companion.core.printing import Disc, Drawn, Frame, Label, Line, Shape, TagMark

Pair = tuple[float, float]
"""x and y, or width and height."""
Points = NDArray[np.float64]
"""Shape (n, 2)."""
INK = "#2a2420"
"""Of a drawing's lines."""
_DASH_MM, _GAP_MM = 1.2, 0.9
_FINE = 4
"""Shapes are drawn so many times larger, and made smaller again."""
_SHIFT = 3
"""Binary digits behind the point in OpenCV's coordinates."""
_TILE_PX = 512
"""What is larger is drawn in parts: most of them are empty where it is an outline."""
_ROUND_STEPS = 16
"""Straight pieces of a quarter of a circle."""


def bgr_of(colour: str) -> tuple[int, int, int]:
    """A colour `#rrggbb` as blue, green and red."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return blue, green, red


class Print:
    """Prints on a picture of a flat thing, in place. Lengths are mm from the thing's top left corner, y downwards.

    Args:
        bgr: the picture; uint8, shape (height, width, 3). Its middle is the thing's.
        size_mm: width and height of the thing.
        px_per_mm: scale of the picture.
    """

    def __init__(self, bgr: NDArray[np.uint8], size_mm: Pair, px_per_mm: int) -> None:
        self._bgr = bgr
        self._scale = px_per_mm
        height, width = bgr.shape[:2]
        self._origin = np.array([width - size_mm[0] * px_per_mm, height - size_mm[1] * px_per_mm]) / 2

    def shapes(self, shapes: Iterable[Shape]) -> None:
        """Shapes in their order.

        Tags are left out: they are pieces, which lie there by themselves. So are texts that need a language: only
        `verbatim` ones are printed.
        """
        for shape in shapes:
            match shape:
                case Frame(left_top, size, line, fill, colour, corner, dashed):
                    self._outlined(_box(left_top, size, corner), line, fill, colour, dashed)
                case Disc(middle, radius, line, fill, colour):
                    self._outlined(_arc(middle, radius, 0.0, 4), line, fill, colour)
                case Line(start, end, width, colour, dashed):
                    self._line([Stroke((start, end), False)], width, colour, dashed)
                case Label():
                    self._label(shape)
                case Drawn(picture, left_top, side):
                    self.drawing(picture, left_top, side)
                case TagMark():
                    pass

    def drawing(self, drawing: Drawing, left_top: Pair, side_mm: float) -> None:
        """A vector drawing in a square: each layer is filled, then outlined."""
        scale = side_mm / SIDE
        for layer in drawing:
            placed = [
                Stroke(
                    tuple((left_top[0] + x * scale, left_top[1] + y * scale) for x, y in stroke.points), stroke.closed
                )
                for stroke in strokes(layer.path)
            ]
            if layer.fill:
                self._fill(placed, layer.fill)
            if layer.line:
                self._line(placed, layer.line * scale, INK)

    def text(
        self,
        text: str,
        at: Pair,
        room: Pair,
        colour: str,
        most_mm: float = math.inf,
        bold: bool = True,
        anchor: str = "mm",
    ) -> None:
        """One line, as large as the room and `most_mm`, its size of type, allow.

        Args:
            text: what it says; nothing is printed of an empty one, and no accents: the font has none.
            at: the middle of the room, or of its left edge.
            room: its width and height.
            colour: of the type.
            most_mm: largest size of the type.
            bold: in bold type.
            anchor: `mm` if `at` is the middle, `lm` if it is the middle of the left edge.
        """
        text = _plain(text)
        left, top, right, bottom = ImageFont.load_default(100).getbbox(text)
        if right <= left:
            return
        size = self._scale * min(100 * room[0] / (right - left), 100 * room[1] / (bottom - top), most_mm)
        stroke = round(size * 0.025) if bold else 0  # small type would run into a blot
        font = ImageFont.load_default(size)
        x, y = self._px([at])[0]
        box = font.getbbox(text, anchor=anchor, stroke_width=stroke)
        low = math.floor(x + box[0]) - 1, math.floor(y + box[1]) - 1
        high = math.ceil(x + box[2]) + 1, math.ceil(y + box[3]) + 1
        mask = Image.new("L", (high[0] - low[0], high[1] - low[1]))
        pen = ImageDraw.Draw(mask)
        pen.text((x - low[0], y - low[1]), text, fill=255, font=font, anchor=anchor, stroke_width=stroke)
        self._ink(np.array(mask), low, colour)

    def _label(self, label: Label) -> None:
        if label.message.key != "verbatim":
            return
        (left, top), (width, height) = label.left_top, label.size
        block = fitted(_plain(label.message.params["text"]), label.size, label.size_pt, _wide_mm)
        size, leading = block.size_pt * POINT_MM, block.base_mm(1) - block.base_mm(0)
        top += (height - block.height_mm) / 2 if label.centred else 0.0
        for index, line in enumerate(block.lines):
            middle = top + size / 2 + index * leading
            at, anchor = ((left + width / 2, middle), "mm") if label.centred else ((left, middle), "lm")
            self.text(line, at, (width, size), label.colour, size, label.bold, anchor)

    def _outlined(self, points: Sequence[Pair], line_mm: float, fill: str, colour: str, dashed: bool = False) -> None:
        outline = [Stroke(tuple(points), True)]
        if fill:
            self._fill(outline, fill)
        if line_mm:
            self._line(outline, line_mm, colour, dashed)

    def _fill(self, outlines: Iterable[Stroke], colour: str) -> None:
        def paint(mask: NDArray[np.uint8], lines: Sequence[NDArray[np.int32]]) -> None:
            for line in lines:  # one by one: what two of them share is filled as well
                cv2.fillPoly(mask, [line], 255, cv2.LINE_8, _SHIFT)

        self._paint([self._px(outline.points) for outline in outlines], 1, colour, paint)

    def _line(self, lines: Iterable[Stroke], width_mm: float, colour: str, dashed: bool = False) -> None:
        width = max(1, round(width_mm * self._scale * _FINE))
        paths = [(*line.points, line.points[0]) if line.closed else line.points for line in lines]
        paths = [dash for path in paths for dash in _dashes(path)] if dashed else paths

        def paint(mask: NDArray[np.uint8], lines: Sequence[NDArray[np.int32]]) -> None:
            cv2.polylines(mask, lines, False, 255, width, cv2.LINE_8, _SHIFT)

        self._paint([self._px(path) for path in paths], math.ceil(width / 2 / _FINE) + 1, colour, paint)

    def _paint(
        self,
        lines: Sequence[Points],
        pad_px: int,
        colour: str,
        paint: Callable[[NDArray[np.uint8], Sequence[NDArray[np.int32]]], None],
    ) -> None:
        """Lets `paint` draw lines into a fine mask around them; each pixel takes the share of it that is covered."""
        if not lines:
            return
        points = np.concatenate(lines)
        limit = self._bgr.shape[1], self._bgr.shape[0]
        low = np.clip(np.floor(points.min(axis=0)).astype(int) - pad_px, 0, limit)
        high = np.clip(np.ceil(points.max(axis=0)).astype(int) + pad_px, 0, limit)
        for top in range(int(low[1]), int(high[1]), _TILE_PX):
            for left in range(int(low[0]), int(high[0]), _TILE_PX):
                width, height = min(_TILE_PX, int(high[0]) - left), min(_TILE_PX, int(high[1]) - top)
                mask = np.zeros((height * _FINE, width * _FINE), np.uint8)
                paint(mask, [np.rint(((p - (left, top)) * _FINE - 0.5) * 2**_SHIFT).astype(np.int32) for p in lines])
                if cv2.countNonZero(mask):
                    shares = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
                    self._ink(np.asarray(shares, np.uint8), (left, top), colour)

    def _ink(self, shares: NDArray[np.uint8], left_top: tuple[int, int], colour: str) -> None:
        """Colours the part of the picture at `left_top` as far as `shares` (255 is all) say."""
        (left, top), (height, width) = left_top, self._bgr.shape[:2]
        inner = shares[max(0, -top) : max(0, height - top), max(0, -left) : max(0, width - left)]
        target = self._bgr[max(0, top) : max(0, top) + inner.shape[0], max(0, left) : max(0, left) + inner.shape[1]]
        share = inner[..., None].astype(np.float32) / 255
        target[:] = np.rint(target + share * (np.array(bgr_of(colour), np.float32) - target)).astype(np.uint8)

    def _px(self, points: Sequence[Pair]) -> Points:
        """Where points are in the picture; the left edge of its first pixel is 0."""
        return np.array(points, np.float64) * self._scale + self._origin


def _plain(text: str) -> str:
    """Text without accents: the font has none."""
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def _wide_mm(text: str) -> float:
    """How wide a text is in type of one point."""
    return ImageFont.load_default(100).getlength(text) / 100 * POINT_MM


def _arc(middle: Pair, radius: float, start_deg: float, quarters: int) -> list[Pair]:
    """Points of so many quarters of a circle, clockwise; 0 degrees is at the right."""
    turns = np.radians(start_deg + np.linspace(0.0, 90.0 * quarters, _ROUND_STEPS * quarters + 1))
    return [(middle[0] + radius * float(np.cos(turn)), middle[1] + radius * float(np.sin(turn))) for turn in turns]


def _box(left_top: Pair, size: Pair, corner: float) -> list[Pair]:
    """Points of a rectangle with round corners, clockwise."""
    (left, top), (width, height) = left_top, size
    if corner <= 0:
        return [(left, top), (left + width, top), (left + width, top + height), (left, top + height)]
    corner = min(corner, width / 2, height / 2)
    near, far = (left + corner, top + corner), (left + width - corner, top + height - corner)
    middles = (near, (far[0], near[1]), far, (near[0], far[1]))
    return [point for number, middle in enumerate(middles) for point in _arc(middle, corner, 180.0 + 90 * number, 1)]


def _dashes(path: Sequence[Pair]) -> list[tuple[Pair, ...]]:
    """A line in short pieces."""
    points = np.array(path, np.float64)
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    found = []
    for start in np.arange(0.0, along[-1], _DASH_MM + _GAP_MM):
        spots = np.linspace(start, min(start + _DASH_MM, along[-1]), 4)
        x, y = (np.interp(spots, along, points[:, axis]) for axis in (0, 1))
        found.append(tuple((float(one), float(other)) for one, other in zip(x, y, strict=True)))
    return found

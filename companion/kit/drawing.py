"""Drawing on a page in millimetres, everything as vectors."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from fpdf import FPDF
from fpdf.drawing_primitives import Transform

from companion.core import lettering
from companion.core.art import SIDE, Picture, strokes
from companion.core.box import Piece
from companion.core.table import Point
from companion.core.tags import QR_QUIET, QrTag, Tag, cells
from companion.kit.outlines import outlines
from companion.kit.paper import Paper
from companion.kit.words import latin

ARUCO_QUIET = 1
"""Quiet cells around a printed ArUco marker."""
BLACK, WHITE = "#000000", "#ffffff"
DARK, FAINT = "#3c3c3c", "#5a5a5a"
"""Of what stands for a tag on a small drawing, and of what is not read at first."""
CUT = "#969696"
"""Of lines to cut along."""
OUTLINE = "#2a2420"
"""Of a picture's lines."""
_MEASURED_PT = 100.0


class Drawing:
    """A document that grows page by page. Lengths are mm from the page's top left corner, y downwards.

    Colours are `#rrggbb`; an empty one fills nothing.

    Args:
        paper: of all its pages.
        title: of the document.
        created: the date that the file says; the same input and date give the same bytes.
    """

    def __init__(self, paper: Paper, title: str, created: datetime) -> None:
        self.paper = paper
        self._pdf = FPDF(unit="mm", format=(paper.width_mm, paper.height_mm))
        self._pdf.set_auto_page_break(False)
        self._pdf.set_margin(0)
        self._pdf.c_margin = 0.0
        self._pdf.set_creation_date(created)
        self._pdf.set_title(title)
        self._pdf.set_line_width(0.2)

    def page(self) -> None:
        """Begins a new page."""
        self._pdf.add_page()

    def output(self) -> bytes:
        """The whole document."""
        return bytes(self._pdf.output())

    @contextmanager
    def placed(self, origin: Point, turned: bool = False) -> Iterator[None]:
        """What is drawn inside counts from `origin`.

        Args:
            origin: in the mm that count outside.
            turned: by a quarter, clockwise: what is drawn reaches to the left and down from there.
        """
        turn = (0, 1, -1, 0) if turned else (1, 0, 0, 1)
        with self._pdf.transform(Transform(*turn, *origin)):
            yield

    @contextmanager
    def clipped(self, left_top: Point, size_mm: tuple[float, float]) -> Iterator[None]:
        """What is drawn inside is seen only in this rectangle."""
        # The outer context makes fpdf forget the colours and lines that were set inside, as the page does.
        with self._pdf.local_context(), self._pdf.rect_clip(*left_top, *size_mm):
            yield

    def tag(self, tag: Tag, middle: Point, side_mm: float) -> None:
        """A tag's black cells; the paper is its white."""
        black = cells(tag)
        cell = side_mm / len(black)
        left, top = middle[0] - side_mm / 2, middle[1] - side_mm / 2
        with self._pdf.new_path() as path:
            path.style.fill_color, path.style.stroke_color = BLACK, None
            for loop in outlines(black):
                corners = [(left + column * cell, top + row * cell) for column, row in loop]
                path.move_to(*corners[0])
                for corner in corners[1:]:
                    path.line_to(*corner)
                path.close()

    def picture(self, picture: Picture, left_top: Point, side_mm: float) -> None:
        """A picture in a square: each layer is filled, then outlined."""
        scale = side_mm / SIDE
        for layer in picture:
            with self._pdf.new_path() as path:
                style = path.style
                style.fill_color, style.stroke_color = layer.fill or None, OUTLINE if layer.line else None
                style.stroke_width = layer.line * scale
                style.stroke_join_style = style.stroke_cap_style = "round"
                style.auto_close = False
                for stroke in strokes(layer.path):
                    points = [(left_top[0] + x * scale, left_top[1] + y * scale) for x, y in stroke.points]
                    path.move_to(*points[0])
                    for point in points[1:]:
                        path.line_to(*point)
                    if stroke.closed:
                        path.close()

    def text(
        self, text: str, at: Point, size_pt: float, bold: bool = False, align: str = "L", colour: str = BLACK
    ) -> None:
        """One line; `at` is on its base line, at its left end, its middle (align C) or its right end (R)."""
        width = self._measure(text, bold) * size_pt
        self._write(text, (at[0] - {"L": 0.0, "C": width / 2, "R": width}[align], at[1]), size_pt, bold, colour)

    def paragraph(
        self, text: str, at: Point, width_mm: float, size_pt: float, bold: bool = False, colour: str = BLACK
    ) -> float:
        """Broken at words; returns how high it is, in mm."""
        leading = 1.3
        block = lettering.broken(text, width_mm, size_pt, lambda words: self._measure(words, bold))
        for index, line in enumerate(block.lines):
            self._write(line, (at[0], at[1] + block.base_mm(index, leading)), size_pt, bold, colour)
        return len(block.lines) * leading * size_pt * lettering.POINT_MM

    def label(
        self,
        text: str,
        middle_top: Point,
        room_mm: tuple[float, float],
        size_pt: float = 7.0,
        bold: bool = False,
        align: str = "C",
        centred: bool = False,
        colour: str = BLACK,
    ) -> None:
        """Text in a small room, at most as large as `size_pt` and as small as it must be; see `lettering.fitted`.

        Args:
            text: what it says.
            middle_top: the middle of the room's upper edge.
            room_mm: width and height of the room.
            size_pt: largest size of the type.
            bold: in bold type.
            align: `C`, each line in the middle of the room, or `L`.
            centred: in the middle of the room's height; otherwise from its upper edge.
            colour: of the type.
        """
        block = lettering.fitted(text, room_mm, size_pt, lambda words: self._measure(words, bold))
        top = middle_top[1] + ((room_mm[1] - block.height_mm) / 2 if centred else 0.0)
        for index, line in enumerate(block.lines):
            wide = self._measure(line, bold) * block.size_pt
            shown = min(wide, room_mm[0])
            left = middle_top[0] - (shown if align == "C" else room_mm[0]) / 2
            if wide > room_mm[0]:
                self._pdf.set_stretching(100 * room_mm[0] / wide)
            self._write(line, (left, top + block.base_mm(index)), block.size_pt, bold, colour)
            self._pdf.set_stretching(100)

    def line(self, start: Point, end: Point, colour: str = BLACK, width_mm: float = 0.2, dashed: bool = False) -> None:
        """A straight line."""
        self._pen(colour, width_mm, dashed)
        self._pdf.line(*start, *end)

    def outline(self, piece: Piece, middle: Point, scale: float = 1.0) -> None:
        """A piece's shape, at this scale."""
        self._pen(CUT, 0.2)
        width, height = (side * scale for side in piece.size_mm)
        left, top = middle[0] - width / 2, middle[1] - height / 2
        if piece.face.round:
            self._pdf.ellipse(left, top, width, height)
        elif is_hexagon(piece):
            self._pdf.polygon([(middle[0] + x * scale, middle[1] + y * scale) for x, y in _hexagon(piece.size_mm)])
        else:
            self.box((left, top), (width, height), line_mm=0.2, corner_mm=min(3.0 * scale, width / 4, height / 4))

    def circle(self, middle: Point, radius_mm: float, fill: str = "", line_mm: float = 0.15, colour: str = CUT) -> None:
        """A circle; unless told otherwise a thin grey one to cut along."""
        if style := self._style(fill, line_mm, colour):
            self._pdf.circle(middle[0], middle[1], radius_mm, style=style)

    def box(
        self,
        left_top: Point,
        size_mm: tuple[float, float],
        fill: str = "",
        line_mm: float = 0.15,
        colour: str = CUT,
        corner_mm: float = 0.0,
        dashed: bool = False,
    ) -> None:
        """A rectangle; unless told otherwise a thin grey one to cut along."""
        if style := self._style(fill, line_mm, colour, dashed):
            corner = min(corner_mm, 0.499 * min(size_mm))  # from half a side on fpdf takes it for a share
            self._pdf.rect(*left_top, *size_mm, style=style, round_corners=corner > 0, corner_radius=corner)

    def crop_marks(self, middle: Point, side_mm: float, gap_mm: float = 0.4, length_mm: float = 1.2) -> None:
        """Short lines beside the corners of a square, to cut along; the square itself stays white."""
        half = side_mm / 2
        for x in (-1, 1):
            for y in (-1, 1):
                corner = (middle[0] + x * half, middle[1] + y * half)
                for along in ((x, 0), (0, y)):
                    self.tick(corner, along, gap_mm, length_mm)

    def tick(self, end: Point, along: Point, gap_mm: float, length_mm: float) -> None:
        """A short line away from the end of a line; `along` is the direction, of length 1."""
        near, far = ((end[0] + along[0] * out, end[1] + along[1] * out) for out in (gap_mm, gap_mm + length_mm))
        self.line(near, far, FAINT, 0.15)

    def arrow(self, tip: Point, length_mm: float, turn_deg: float = 0.0) -> None:
        """An arrow that points up, or turned clockwise by so many degrees."""
        turn = math.radians(turn_deg)
        cos, sin = math.cos(turn), math.sin(turn)

        def placed(x: float, y: float) -> Point:
            return tip[0] + x * cos - y * sin, tip[1] + x * sin + y * cos

        head = length_mm * 0.45
        self.line(placed(0, head), placed(0, length_mm), BLACK, 0.5)
        self._pdf.set_fill_color(BLACK)
        self._pdf.polygon([placed(0, 0), placed(-head * 0.6, head), placed(head * 0.6, head)], style="F")

    def _style(self, fill: str, line_mm: float, colour: str, dashed: bool = False) -> str:
        """Sets pen and filling; how fpdf calls it to use them, or nothing if there is nothing to draw."""
        if line_mm:
            self._pen(colour, line_mm, dashed)
        if fill:
            self._pdf.set_fill_color(fill)
        return "D" * bool(line_mm) + "F" * bool(fill)

    def _pen(self, colour: str, width_mm: float, dashed: bool = False) -> None:
        self._pdf.set_draw_color(colour)
        self._pdf.set_line_width(width_mm)
        self._pdf.set_dash_pattern(*((1.2, 0.9) if dashed else (0, 0)))

    def _measure(self, text: str, bold: bool) -> float:
        self._pdf.set_font("Helvetica", "B" if bold else "", _MEASURED_PT)
        return float(self._pdf.get_string_width(latin(text))) / _MEASURED_PT

    def _write(self, text: str, at: Point, size_pt: float, bold: bool, colour: str) -> None:
        self._pdf.set_font("Helvetica", "B" if bold else "", size_pt)
        self._pdf.set_text_color(colour)
        self._pdf.text(*at, latin(text))


def with_quiet_mm(tag: Tag, side_mm: float) -> float:
    """Side of a tag with its quiet zone, given that of its black square."""
    quiet = QR_QUIET if isinstance(tag, QrTag) else ARUCO_QUIET
    return side_mm * (1 + 2 * quiet / len(cells(tag)))


def sticker_mm(piece: Piece) -> float:
    """Side of a piece's tag with its quiet zone."""
    return with_quiet_mm(piece.tag, piece.tag_mm)


def is_hexagon(piece: Piece) -> bool:
    """Whether an anchor has a regular hexagon's proportions, and is printed as one."""
    ratio = min(piece.size_mm) / max(piece.size_mm)
    return piece.kind == "anchor" and not piece.face.round and abs(ratio - math.sqrt(3) / 2) < 0.01


def _hexagon(size_mm: tuple[float, float]) -> list[Point]:
    width, height = size_mm[0] / 2, size_mm[1] / 2
    if width > height:
        return [
            (width, 0),
            (width / 2, height),
            (-width / 2, height),
            (-width, 0),
            (-width / 2, -height),
            (width / 2, -height),
        ]
    return [
        (0, height),
        (width, height / 2),
        (width, -height / 2),
        (0, -height),
        (-width, -height / 2),
        (-width, height / 2),
    ]

"""Drawing on a page in millimetres, everything as vectors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import datetime

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from companion.core.box import Piece
from companion.core.table import Point
from companion.core.tags import QR_QUIET, QrTag, Tag, cells
from companion.kit.outlines import outlines
from companion.kit.paper import Paper
from companion.kit.words import latin

ARUCO_QUIET = 1
"""Quiet cells around a printed ArUco marker."""
_GREY = 150
_POINT_MM = 25.4 / 72
_SMALLEST_PT = 4.5


class Drawing:
    """A document that grows page by page. Lengths are mm from the page's top left corner, y downwards.

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

    def tag(self, tag: Tag, middle: Point, side_mm: float) -> None:
        """A tag's black cells; the paper is its white."""
        black = cells(tag)
        cell = side_mm / len(black)
        left, top = middle[0] - side_mm / 2, middle[1] - side_mm / 2
        with self._pdf.new_path() as path:
            path.style.fill_color, path.style.stroke_color = "#000000", None
            for loop in outlines(black):
                corners = [(left + column * cell, top + row * cell) for column, row in loop]
                path.move_to(*corners[0])
                for corner in corners[1:]:
                    path.line_to(*corner)
                path.close()

    def text(self, text: str, at: Point, size_pt: float, bold: bool = False, align: str = "L", grey: int = 0) -> None:
        """One line; `at` is on its base line, at its left end, its middle (align C) or its right end (R)."""
        text = latin(text)
        self._font(size_pt, bold, grey)
        width = self._pdf.get_string_width(text)
        left = at[0] - {"L": 0.0, "C": width / 2, "R": width}[align]
        self._pdf.text(left, at[1], text)

    def paragraph(self, text: str, at: Point, width_mm: float, size_pt: float, bold: bool = False) -> float:
        """Broken at words; returns how high it is, in mm."""
        self._font(size_pt, bold, 0)
        line = size_pt * _POINT_MM * 1.3
        self._pdf.set_xy(*at)
        self._pdf.multi_cell(width_mm, line, latin(text), align="L", new_x=XPos.LEFT, new_y=YPos.NEXT)
        return float(self._pdf.get_y()) - at[1]

    def label(self, text: str, middle_top: Point, room_mm: tuple[float, float], size_pt: float = 7.0) -> None:
        """Text in a small room, centred, at most as large as `size_pt` and as small as it must be.

        Even at the smallest size no word is left out: one that is too wide for the room is written narrower.
        """
        words = latin(text).split()
        size = size_pt
        lines = self._lines(words, room_mm[0], size)
        while size > _SMALLEST_PT and not self._fits(lines, room_mm, size):
            size -= 0.25
            lines = self._lines(words, room_mm[0], size)
        for index, line in enumerate(lines):
            self._font(size, False, 0)
            wide = self._pdf.get_string_width(line)
            if wide > room_mm[0]:
                self._pdf.set_stretching(100 * room_mm[0] / wide)
            self.text(line, (middle_top[0], middle_top[1] + (index + 0.8) * size * _POINT_MM * 1.1), size, align="C")
            self._pdf.set_stretching(100)

    def _lines(self, words: Sequence[str], width_mm: float, size_pt: float) -> list[str]:
        self._font(size_pt, False, 0)
        lines: list[str] = []
        for word in words:
            joined = f"{lines[-1]} {word}" if lines else word
            if lines and self._pdf.get_string_width(joined) <= width_mm:
                lines[-1] = joined
            else:
                lines.append(word)
        return lines

    def _fits(self, lines: Sequence[str], room_mm: tuple[float, float], size_pt: float) -> bool:
        self._font(size_pt, False, 0)
        wide = max((self._pdf.get_string_width(line) for line in lines), default=0.0)
        return wide <= room_mm[0] and len(lines) * size_pt * _POINT_MM * 1.1 <= room_mm[1]

    def line(self, start: Point, end: Point, grey: int = 0, width_mm: float = 0.2, dashed: bool = False) -> None:
        """A straight line."""
        self._pen(grey, width_mm, dashed)
        self._pdf.line(*start, *end)

    def outline(self, piece: Piece, middle: Point, scale: float = 1.0, dashed: bool = False) -> None:
        """A piece's shape, at this scale."""
        self._pen(_GREY, 0.2, dashed)
        width, height = (side * scale for side in piece.size_mm)
        left, top = middle[0] - width / 2, middle[1] - height / 2
        if piece.face.round:
            self._pdf.ellipse(left, top, width, height)
        elif is_hexagon(piece):
            self._pdf.polygon([(middle[0] + x * scale, middle[1] + y * scale) for x, y in _hexagon(piece.size_mm)])
        else:
            corner = min(3.0 * scale, width / 4, height / 4)
            self._pdf.rect(left, top, width, height, round_corners=True, corner_radius=corner)

    def circle(self, middle: Point, radius_mm: float) -> None:
        """A thin grey circle to cut along."""
        self._pen(_GREY, 0.15, False)
        self._pdf.circle(middle[0], middle[1], radius_mm)

    def box(self, left_top: Point, size_mm: tuple[float, float], fill: int | None = None) -> None:
        """A thin grey rectangle, or one filled with grey."""
        self._pen(_GREY, 0.15, False)
        self._pdf.set_fill_color(fill or 0)
        self._pdf.rect(*left_top, *size_mm, style="D" if fill is None else "F")

    def crop_marks(self, middle: Point, side_mm: float, gap_mm: float = 0.4, length_mm: float = 1.2) -> None:
        """Short lines beside the corners of a square, to cut along; the square itself stays white."""
        half = side_mm / 2
        for x in (-1, 1):
            for y in (-1, 1):
                corner = (middle[0] + x * half, middle[1] + y * half)
                for along in ((x, 0), (0, y)):
                    near, far = (
                        (corner[0] + along[0] * out, corner[1] + along[1] * out) for out in (gap_mm, gap_mm + length_mm)
                    )
                    self.line(near, far, 90, 0.15)

    def arrow(self, tip: Point, length_mm: float, turn_deg: float = 0.0) -> None:
        """An arrow that points up, or turned clockwise by so many degrees."""
        turn = math.radians(turn_deg)
        cos, sin = math.cos(turn), math.sin(turn)

        def placed(x: float, y: float) -> Point:
            return tip[0] + x * cos - y * sin, tip[1] + x * sin + y * cos

        head = length_mm * 0.45
        self.line(placed(0, head), placed(0, length_mm), 0, 0.5)
        self._pdf.set_fill_color(0)
        self._pdf.polygon([placed(0, 0), placed(-head * 0.6, head), placed(head * 0.6, head)], style="F")

    def _pen(self, grey: int, width_mm: float, dashed: bool) -> None:
        self._pdf.set_draw_color(grey)
        self._pdf.set_line_width(width_mm)
        self._pdf.set_dash_pattern(*((1.2, 0.9) if dashed else (0, 0)))

    def _font(self, size_pt: float, bold: bool, grey: int) -> None:
        self._pdf.set_font("Helvetica", "B" if bold else "", size_pt)
        self._pdf.set_text_color(grey)


def sticker_mm(piece: Piece) -> float:
    """Side of a piece's tag with its quiet zone."""
    quiet = QR_QUIET if isinstance(piece.tag, QrTag) else ARUCO_QUIET
    return piece.tag_mm * (1 + 2 * quiet / len(cells(piece.tag)))


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

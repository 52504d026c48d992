"""How a piece looks from straight above: a small picture with see-through surroundings, made once."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from companion.core.box import Face, Piece
from companion.core.tags import QR_QUIET, ArucoTag, QrTag, Tag, cells
from vision.scene.scene import FIDUCIAL_MM, Prop
from vision.scene.shapes import inside_mm

Picture = NDArray[np.uint8]
"""BGR, shape (height, width, 3)."""
Pair = tuple[float, float]
"""x and y, or width and height."""
_PAPER = (236, 243, 245)
_INK = (38, 34, 32)
_ARUCO_QUIET = 1
_BACK = "#2f4a63"


class Sprite(msgspec.Struct, frozen=True):
    """A piece's picture.

    Attributes:
        bgra: BGR multiplied by its alpha, then alpha; uint8, shape (height, width, 4). Its centre is the
            piece's.
        height_mm: how far its top is above the table; makes the shadow.
    """

    bgra: NDArray[np.uint8]
    height_mm: float


def quiet_cells(tag: Tag) -> int:
    """Quiet cells around a printed tag."""
    return QR_QUIET if isinstance(tag, QrTag) else _ARUCO_QUIET


def sprite(what: Piece | Prop, face_up: bool, px_per_mm: int) -> Sprite:
    """The picture of a piece or prop at this scale."""
    if isinstance(what, Prop):
        return _prop(what, px_per_mm)
    return _piece(_Key(what), face_up, px_per_mm)


class _Key:
    """A piece as a cache's key. It can't be one itself, since the parameters of its label have no hash."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece

    def __hash__(self) -> int:
        return hash((self.piece.id, self.piece.tag))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.piece == self.piece


@lru_cache(maxsize=256)
def _piece(key: _Key, face_up: bool, px_per_mm: int) -> Sprite:
    piece = key.piece
    mask, ring = _outline(piece, px_per_mm)
    if face_up:
        bgr = _lettered(_stock(piece.face, ring, px_per_mm), piece, px_per_mm)
        _stick(bgr, piece.tag, piece.tag_mm, piece.tag_at_mm, px_per_mm)
    else:
        bgr = _stock(Face(_BACK, round=piece.face.round), ring, px_per_mm)
        _back(bgr, ring, px_per_mm)
    return Sprite(_premultiplied(bgr, mask), 2.0 if piece.face.round else 0.8)


@lru_cache(maxsize=16)
def _prop(prop: Prop, px_per_mm: int) -> Sprite:
    return _cup(prop, px_per_mm) if prop.kind == "cup" else _paper(prop, px_per_mm)


@lru_cache(maxsize=16)
def fiducial(number: int, px_per_mm: int) -> Sprite:
    """A corner fiducial on its square of white paper."""
    side_mm = FIDUCIAL_MM * (1 + 2 * 1.2 / 7)
    side = round(side_mm * px_per_mm)
    bgr = np.full((side, side, 3), _PAPER, np.uint8)
    draw_tag(bgr, ArucoTag(number), FIDUCIAL_MM, (0.0, 0.0), px_per_mm)
    return Sprite(_premultiplied(bgr, np.full((side, side), 255, np.uint8)), 0.3)


def draw_tag(bgr: Picture, tag: Tag, side_mm: float, at_mm: tuple[float, float], px_per_mm: int) -> None:
    """Prints a tag's black cells into a picture whose middle is (0, 0), exact to fractions of a pixel.

    Each pixel takes the share of its area that is black, so that edges between pixels come out right.
    """
    black = np.array(cells(tag), np.float64)
    count = len(black)
    height, width = bgr.shape[:2]
    cell_px = side_mm * px_per_mm / count
    left, top = (
        size / 2 + at * px_per_mm - side_mm * px_per_mm / 2 for size, at in zip((width, height), at_mm, strict=True)
    )
    ink = _shares(height, top, cell_px, count) @ black @ _shares(width, left, cell_px, count).T
    bgr[:] = np.rint(bgr + ink[..., None] * (np.array(_INK) - bgr.astype(np.float64))).astype(np.uint8)


def _shares(pixels: int, start: float, cell_px: float, count: int) -> NDArray[np.float64]:
    """How much of each pixel lies in each cell: shape (pixels, cells)."""
    low = start + cell_px * np.arange(count)[None, :]
    pixel = np.arange(pixels)[:, None]
    return np.asarray(np.clip(np.minimum(pixel + 1, low + cell_px) - np.maximum(pixel, low), 0, 1))


def _bgr(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return blue, green, red


def _premultiplied(bgr: Picture, mask: NDArray[np.uint8]) -> NDArray[np.uint8]:
    share = mask[..., None].astype(np.uint16)
    return np.dstack([((bgr * share + 127) // 255).astype(np.uint8), mask])


def _outline(what: Piece | Prop, px_per_mm: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """The shape as a smooth mask, and how far inside its edge each pixel lies, in mm."""
    width, height = (math.ceil(side * px_per_mm) + 2 for side in what.size_mm)
    x = (np.arange(width, dtype=np.float32) + 0.5 - width / 2)[None, :] / px_per_mm
    y = (np.arange(height, dtype=np.float32) + 0.5 - height / 2)[:, None] / px_per_mm
    inside = inside_mm(what, x, y).astype(np.float32)
    mask = np.rint(np.clip(inside * px_per_mm + 0.5, 0, 1) * 255).astype(np.uint8)
    return mask, inside


def _stock(face: Face, ring: NDArray[np.float32], px_per_mm: int) -> Picture:
    """The piece's board: a field in its colour with a light, a dark and a soft rim."""
    height, width = ring.shape
    colour = np.array(_bgr(face.colour), np.float32)
    slope = np.linspace(1.05, 0.93, height, dtype=np.float32)[:, None, None]
    field = np.broadcast_to(colour * slope, (height, width, 3)).copy()
    rim_mm = 1.0 if face.round else 2.4
    paper = np.clip((rim_mm - ring) * px_per_mm + 0.5, 0, 1)[..., None]
    rim = colour * 0.55 if face.round else np.array(_PAPER, np.float32)
    field = field * (1 - paper) + rim * paper
    line = np.clip((0.18 - np.abs(ring - rim_mm)) * px_per_mm + 0.5, 0, 1)[..., None] * 0.5
    return np.asarray(np.clip(field * (1 - line) + colour * 0.35 * line, 0, 255).astype(np.uint8))


def _lettered(bgr: Picture, piece: Piece, px_per_mm: int) -> Picture:
    """Writes the face's text large into the room that the tag leaves, and small into two corners."""
    text = piece.face.text
    width_mm, height_mm = piece.size_mm
    above = height_mm / 2 + piece.tag_at_mm[1] - piece.tag_mm * 0.62
    below = height_mm / 2 - piece.tag_at_mm[1] - piece.tag_mm * 0.62
    room_mm = max(above, below) - 5
    if not text or room_mm < 9:
        return bgr
    image = Image.fromarray(bgr)
    pen = ImageDraw.Draw(image)
    ink = _bgr(piece.face.ink)
    middle_mm = height_mm - 2 - below / 2 if below > above else 2 + above / 2
    _write(pen, text, (width_mm / 2, middle_mm), (width_mm * 0.78, room_mm * 0.62), ink, px_per_mm)
    aside_mm = width_mm / 2 - abs(piece.tag_at_mm[0]) - piece.tag_mm * 0.62 - 3
    if not piece.face.round and aside_mm > 6:
        for x in (3 + aside_mm / 2, width_mm - 3 - aside_mm / 2):
            _write(pen, text, (x, 10.0), (aside_mm * 0.8, 9.0), ink, px_per_mm)
    return np.array(image)


def _write(
    pen: ImageDraw.ImageDraw, text: str, middle_mm: Pair, room_mm: Pair, ink: tuple[int, int, int], scale: int
) -> None:
    """Text as large as the room allows, in its middle."""
    trial = ImageFont.load_default(100)
    left, top, right, bottom = trial.getbbox(text)
    size = 100 * scale * min(room_mm[0] / (right - left), room_mm[1] / (bottom - top))
    middle = (middle_mm[0] * scale + 1, middle_mm[1] * scale + 1)
    stroke = max(1, round(size * 0.025))
    font = ImageFont.load_default(size)
    pen.text(middle, text, fill=ink, font=font, anchor="mm", stroke_width=stroke, stroke_fill=ink)


def _stick(bgr: Picture, tag: Tag, side_mm: float, at_mm: tuple[float, float], px_per_mm: int) -> None:
    """The sticker: white paper as far as the quiet zone goes, then the tag."""
    paper_mm = side_mm * (1 + 2 * quiet_cells(tag) / len(cells(tag)))
    height, width = bgr.shape[:2]
    left, top = (size / 2 + (at - paper_mm / 2) * px_per_mm for size, at in zip((width, height), at_mm, strict=True))
    area = _shares(height, top, paper_mm * px_per_mm, 1) @ _shares(width, left, paper_mm * px_per_mm, 1).T
    bgr[:] = np.rint(bgr + area[..., None] * (np.array(_PAPER) + 6 - bgr.astype(np.float64))).astype(np.uint8)
    draw_tag(bgr, tag, side_mm, at_mm, px_per_mm)


def _back(bgr: Picture, ring: NDArray[np.float32], px_per_mm: int) -> None:
    """A woven pattern within the rim."""
    height, width = ring.shape
    x, y = np.arange(width)[None, :] / px_per_mm, np.arange(height)[:, None] / px_per_mm
    weave = np.sin((x + y) * 1.6) * np.sin((x - y) * 1.6)
    gold = (np.clip(weave * 3 - 1.6, 0, 1) * 0.55 * (ring > 4.5))[..., None]
    bgr[:] = (bgr + gold * (np.array(_bgr("#c9a866")) - bgr.astype(np.float32))).astype(np.uint8)


def _paper(prop: Prop, px_per_mm: int) -> Sprite:
    height, width = (round(side * px_per_mm) for side in reversed(prop.size_mm))
    bgr = np.full((height, width, 3), _bgr(prop.colour), np.uint8)
    return Sprite(_premultiplied(bgr, np.full((height, width), 255, np.uint8)), 0.6)


def _cup(prop: Prop, px_per_mm: int) -> Sprite:
    """A cup with a drink, a handle and a saucer's rim of light."""
    side = round(max(prop.size_mm) * px_per_mm * 1.4)
    y, x = (np.mgrid[0:side, 0:side].astype(np.float32) + 0.5 - side / 2) / px_per_mm
    outer = min(prop.size_mm) / 2
    radius = np.hypot(x, y)
    colour = np.array(_bgr(prop.colour), np.float32)
    light = np.clip(0.85 + 0.5 * (-x - y) / (outer * 2), 0.4, 1.3)[..., None]
    handle = np.abs(np.hypot((x - outer * 0.98) / 0.75, y) - outer * 0.3) - outer * 0.08
    shape = np.minimum(radius - outer, handle)
    bgr = np.broadcast_to(colour, (side, side, 3)) * light
    wall = outer * 0.1
    inner = np.clip((outer - wall - radius) * px_per_mm + 0.5, 0, 1)[..., None]
    depth = np.clip((radius / outer) ** 3, 0, 1)[..., None]
    inside = colour * (2.05 - light) * 0.85
    bgr = bgr * (1 - inner) + inside * inner
    drink = np.clip((outer * 0.78 - radius) * px_per_mm + 0.5, 0, 1)[..., None]
    bgr = bgr * (1 - drink) + (np.array([22, 34, 58]) + 30 * depth) * drink
    mask = np.rint(np.clip(-shape * px_per_mm + 0.5, 0, 1) * 255).astype(np.uint8)
    return Sprite(_premultiplied(cv2.GaussianBlur(np.clip(bgr, 0, 255).astype(np.uint8), (0, 0), 1.0), mask), 30.0)

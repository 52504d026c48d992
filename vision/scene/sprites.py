"""How a piece looks from straight above: a small picture with see-through surroundings, made once."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.box import Piece
from companion.core.tags import ArucoTag, Tag, cells
from vision.scene.faces import PAPER, back, front
from vision.scene.printed import Print, bgr_of
from vision.scene.scene import FIDUCIAL_MM, Prop
from vision.scene.shapes import inside_mm, sticker_mm

Picture = NDArray[np.uint8]
"""BGR, shape (height, width, 3)."""
_INK = (38, 34, 32)


class Sprite(msgspec.Struct, frozen=True):
    """A piece's picture.

    Attributes:
        bgra: BGR multiplied by its alpha, then alpha; uint8, shape (height, width, 4). Its centre is the
            piece's.
        height_mm: how far its top is above the table; makes the shadow. What is printed on something else has none.
    """

    bgra: NDArray[np.uint8]
    height_mm: float


def sprite(what: Piece | Prop, face_up: bool, px_per_mm: int) -> Sprite:
    """The picture of a piece or prop at this scale."""
    return _sprite(_Key(what), face_up, px_per_mm)


class _Key:
    """A piece or prop as a cache's key. It can't be one itself, since the parameters of its words have no hash."""

    def __init__(self, what: Piece | Prop) -> None:
        self.what = what

    def __hash__(self) -> int:
        if isinstance(self.what, Piece):
            return hash((self.what.id, self.what.tag))
        return hash((self.what.kind, self.what.size_mm, self.what.colour))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and (other.what is self.what or other.what == self.what)


@lru_cache(maxsize=256)
def _sprite(key: _Key, face_up: bool, px_per_mm: int) -> Sprite:
    if isinstance(key.what, Piece):
        return _piece(key.what, face_up, px_per_mm)
    return _cup(key.what, px_per_mm) if key.what.kind == "cup" else _paper(key.what, px_per_mm)


def _piece(piece: Piece, face_up: bool, px_per_mm: int) -> Sprite:
    mask, ring = _outline(piece, px_per_mm)
    if not face_up:
        bgr = back(piece.face, ring, px_per_mm)
    elif piece.fixed:
        bgr = np.full((*mask.shape, 3), PAPER, np.uint8)
        draw_tag(bgr, piece.tag, piece.tag_mm, piece.tag_at_mm, px_per_mm)
    else:
        bgr = front(piece, ring, px_per_mm)
        _stick(bgr, piece.tag, piece.tag_mm, piece.tag_at_mm, px_per_mm)
    return Sprite(_premultiplied(bgr, mask), 0.0 if piece.fixed else 2.0 if piece.face.round else 0.8)


@lru_cache(maxsize=16)
def fiducial(number: int, px_per_mm: int) -> Sprite:
    """A corner fiducial on its square of white paper."""
    side_mm = FIDUCIAL_MM * (1 + 2 * 1.2 / 7)
    side = round(side_mm * px_per_mm)
    bgr = np.full((side, side, 3), PAPER, np.uint8)
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


def _stick(bgr: Picture, tag: Tag, side_mm: float, at_mm: tuple[float, float], px_per_mm: int) -> None:
    """The sticker: white paper as far as the quiet zone goes, then the tag."""
    paper_mm = sticker_mm(tag, side_mm)
    height, width = bgr.shape[:2]
    left, top = (size / 2 + (at - paper_mm / 2) * px_per_mm for size, at in zip((width, height), at_mm, strict=True))
    area = _shares(height, top, paper_mm * px_per_mm, 1) @ _shares(width, left, paper_mm * px_per_mm, 1).T
    bgr[:] = np.rint(bgr + area[..., None] * (np.array(PAPER) + 6 - bgr.astype(np.float64))).astype(np.uint8)
    draw_tag(bgr, tag, side_mm, at_mm, px_per_mm)


def _paper(prop: Prop, px_per_mm: int) -> Sprite:
    height, width = (round(side * px_per_mm) for side in reversed(prop.size_mm))
    bgr = np.full((height, width, 3), bgr_of(prop.colour), np.uint8)
    Print(bgr, prop.size_mm, px_per_mm).shapes(prop.shapes)
    return Sprite(_premultiplied(bgr, np.full((height, width), 255, np.uint8)), 0.6)


def _cup(prop: Prop, px_per_mm: int) -> Sprite:
    """A cup with a drink, a handle and a saucer's rim of light."""
    side = round(max(prop.size_mm) * px_per_mm * 1.4)
    y, x = (np.mgrid[0:side, 0:side].astype(np.float32) + 0.5 - side / 2) / px_per_mm
    outer = min(prop.size_mm) / 2
    radius = np.hypot(x, y)
    colour = np.array(bgr_of(prop.colour), np.float32)
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

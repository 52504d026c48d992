"""What is printed on a piece before the tag is stuck on: its board, its text or picture, and its back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from companion.core.box import Face, Piece
from companion.core.printing import Drawn, Frame
from vision.scene.printed import Print, bgr_of

PAPER = (236, 243, 245)
"""Blue, green and red of white paper in the light of the room."""
BACK = "#2f4a63"
"""Of a piece whose face names no colour for its back."""
_WHITE = "#f5f3ec"
_GOLD = "#c9a866"
_FRAME_MM, _PICTURE_MM = 4.0, 6.0
"""Width of the frame around a picture, and where the picture begins, from the edges of the piece."""

Picture = NDArray[np.uint8]


def front(piece: Piece, ring: NDArray[np.float32], px_per_mm: int) -> Picture:
    """The face of a piece without its tag, BGR.

    Args:
        piece: the piece.
        ring: how far inside its edge each pixel lies, in mm.
        px_per_mm: scale of the picture.
    """
    if piece.face.picture:
        return _pictured(piece, ring, px_per_mm)
    bgr = _stock(piece.face.colour, piece.face.round, ring, px_per_mm)
    _letter(bgr, piece, px_per_mm)
    return bgr


def back(face: Face, ring: NDArray[np.float32], px_per_mm: int) -> Picture:
    """The back of a piece: a woven pattern within the rim. It says nothing of the face."""
    bgr = _stock(face.back or BACK, face.round, ring, px_per_mm)
    height, width = ring.shape
    x, y = np.arange(width)[None, :] / px_per_mm, np.arange(height)[:, None] / px_per_mm
    weave = np.sin((x + y) * 1.6) * np.sin((x - y) * 1.6)
    gold = (np.clip(weave * 3 - 1.6, 0, 1) * 0.55 * (ring > 4.5))[..., None]
    return np.asarray((bgr + gold * (np.array(bgr_of(_GOLD)) - bgr.astype(np.float32))).astype(np.uint8))


def _field(colour: str, shape: tuple[int, int]) -> NDArray[np.float32]:
    """A colour, a little lighter at the top."""
    slope = np.linspace(1.05, 0.93, shape[0], dtype=np.float32)[:, None, None]
    return np.broadcast_to(np.array(bgr_of(colour), np.float32) * slope, (*shape, 3)).copy()


def _stock(colour: str, round_: bool, ring: NDArray[np.float32], px_per_mm: int) -> Picture:
    """The piece's board: a field in its colour with a light, a dark and a soft rim."""
    field, dark = _field(colour, ring.shape), np.array(bgr_of(colour), np.float32)
    rim_mm = 1.0 if round_ else 2.4
    paper = np.clip((rim_mm - ring) * px_per_mm + 0.5, 0, 1)[..., None]
    rim = dark * 0.55 if round_ else np.array(PAPER, np.float32)
    field = field * (1 - paper) + rim * paper
    line = np.clip((0.18 - np.abs(ring - rim_mm)) * px_per_mm + 0.5, 0, 1)[..., None] * 0.5
    return np.asarray(np.clip(field * (1 - line) + dark * 0.35 * line, 0, 255).astype(np.uint8))


def _pictured(piece: Piece, ring: NDArray[np.float32], px_per_mm: int) -> Picture:
    """A frame in the face's colour, paper inside; the picture in the corner that is farthest from the tag."""
    bgr = np.clip(_field(piece.face.colour, ring.shape), 0, 255).astype(np.uint8)
    (width, height), side = piece.size_mm, min(piece.size_mm) / 2
    left = _PICTURE_MM if piece.tag_at_mm[0] >= 0 else width - _PICTURE_MM - side
    top = _PICTURE_MM if piece.tag_at_mm[1] >= 0 else height - _PICTURE_MM - side
    inner = (width - 2 * _FRAME_MM, height - 2 * _FRAME_MM)
    paper = Frame((_FRAME_MM, _FRAME_MM), inner, 0.0, piece.face.paper or _WHITE, corner=2.0)
    Print(bgr, piece.size_mm, px_per_mm).shapes((paper, Drawn(piece.face.picture, (left, top), side)))
    return bgr


def _letter(bgr: Picture, piece: Piece, px_per_mm: int) -> None:
    """Writes the face's text large into the room that the tag leaves, and small into two corners."""
    text, ink = piece.face.text, piece.face.ink
    width_mm, height_mm = piece.size_mm
    above = height_mm / 2 + piece.tag_at_mm[1] - piece.tag_mm * 0.62
    below = height_mm / 2 - piece.tag_at_mm[1] - piece.tag_mm * 0.62
    room_mm = max(above, below) - 5
    if not text or room_mm < 9:
        return
    pen = Print(bgr, piece.size_mm, px_per_mm)
    middle_mm = height_mm - 2 - below / 2 if below > above else 2 + above / 2
    pen.text(text, (width_mm / 2, middle_mm), (width_mm * 0.78, room_mm * 0.62), ink)
    aside_mm = width_mm / 2 - abs(piece.tag_at_mm[0]) - piece.tag_mm * 0.62 - 3
    if not piece.face.round and aside_mm > 6:
        for x in (3 + aside_mm / 2, width_mm - 3 - aside_mm / 2):
            pen.text(text, (x, 10.0), (aside_mm * 0.8, 9.0), ink)

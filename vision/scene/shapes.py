"""Outlines of pieces and props, as distances: drawn by `sprites`, asked by `truth`."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from companion.core.box import Piece
from companion.core.tags import QR_QUIET, QrTag, Tag, cells
from vision.scene.scene import Prop

Field = NDArray[np.floating]
CORNER_MM = 3.2
"""Radius of a card's corners."""
_ARUCO_QUIET = 1


def sticker_mm(tag: Tag, side_mm: float) -> float:
    """Side of the white paper of a printed tag whose black square has this side: as far as its quiet zone goes."""
    quiet = QR_QUIET if isinstance(tag, QrTag) else _ARUCO_QUIET
    return side_mm * (1 + 2 * quiet / len(cells(tag)))


def is_hexagon(what: Piece | Prop) -> bool:
    """Whether an anchor has a regular hexagon's proportions, and is drawn as one."""
    if isinstance(what, Prop) or what.kind != "anchor" or what.face.round:
        return False
    return abs(min(what.size_mm) / max(what.size_mm) - math.sqrt(3) / 2) < 0.01


def is_round(what: Piece | Prop) -> bool:
    """Whether it is drawn as a disc."""
    return what.kind == "cup" if isinstance(what, Prop) else what.face.round


def inside_mm(what: Piece | Prop, x_mm: Field, y_mm: Field) -> Field:
    """How far inside the outline points lie; negative outside. Points are from the centre of the upright thing.

    Of a piece that is printed on a sheet only the tag with its quiet zone is there.
    """
    if isinstance(what, Piece) and what.fixed:
        half = sticker_mm(what.tag, what.tag_mm) / 2
        return np.asarray(half - np.maximum(np.abs(x_mm - what.tag_at_mm[0]), np.abs(y_mm - what.tag_at_mm[1])))
    width, height = what.size_mm
    if is_round(what):
        return np.asarray((1 - np.hypot(x_mm / (width / 2), y_mm / (height / 2))) * min(width, height) / 2)
    if is_hexagon(what):
        long, short = (np.abs(x_mm), np.abs(y_mm)) if width > height else (np.abs(y_mm), np.abs(x_mm))
        flat = min(width, height) / 2
        return np.asarray(np.minimum(flat - short, flat - (long * math.sqrt(3) / 2 + short / 2)))
    corner = min(CORNER_MM, min(width, height) / 6)
    out_x, out_y = np.abs(x_mm) - (width / 2 - corner), np.abs(y_mm) - (height / 2 - corner)
    beyond = np.hypot(np.maximum(out_x, 0), np.maximum(out_y, 0))
    return np.asarray(corner - beyond - np.minimum(np.maximum(out_x, out_y), 0))

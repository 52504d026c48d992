"""A hand with its arm, modelled as round limbs seen from above and lit from the top left."""

from __future__ import annotations

from functools import lru_cache

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.scene.scene import Hand
from vision.scene.sprites import Sprite

# A right hand's back, fingers up (-y). Of each limb both ends, in mm from the middle of the palm, and both radii.
_LIMBS: tuple[tuple[float, float, float, float, float, float], ...] = (
    (-26, -30, -22, 32, 15, 18),  # palm, along the four metacarpals
    (-9, -36, -8, 36, 15, 19),
    (9, -34, 8, 36, 15, 19),
    (26, -26, 20, 32, 14, 18),
    (-28, -38, -34, -74, 9.8, 8.8),  # index
    (-34, -74, -35, -104, 8.8, 7.4),
    (-9, -44, -11, -86, 10.2, 9.0),  # middle
    (-11, -86, -11, -118, 9.0, 7.6),
    (10, -42, 13, -80, 9.8, 8.6),  # ring
    (13, -80, 14, -110, 8.6, 7.2),
    (28, -32, 36, -62, 8.8, 7.6),  # little
    (36, -62, 39, -86, 7.6, 6.4),
    (-24, 24, -50, -8, 15, 11.5),  # thumb
    (-50, -8, -60, -40, 11, 8.6),
    (0, 30, 0, 110, 27, 29),  # wrist and forearm
)
_SLEEVE_FROM_MM = 96.0
_SLEEVE: tuple[float, float, float, float, float, float] = (0, 132, 0, 1300, 38, 56)
_NAILS = ((-35, -106), (-11, -120), (14, -112), (39, -88), (-62, -43))
HALF_WIDTH_MM = 76.0
TOP_MM = -134.0
LENGTH_MM = 900.0
"""How long the arm is drawn, from the middle of the palm."""


class Arm(msgspec.Struct, frozen=True):
    """A hand's picture.

    Attributes:
        sprite: its picture, scaled at `px_per_mm`.
        px_per_mm: its scale.
        palm_px: where the middle of the palm is in it.
    """

    sprite: Sprite
    px_per_mm: float
    palm_px: tuple[float, float]


def facing(hand: Hand) -> NDArray[np.float64]:
    """The turn from the model (fingers up) to the table, shape (2, 2)."""
    away = np.array(hand.from_mm, float) - np.array(hand.at_mm, float)
    away /= max(float(np.hypot(*away)), 1e-9)
    return np.array([[away[1], away[0]], [-away[0], away[1]]])


def inside_mm(x_mm: NDArray[np.floating], y_mm: NDArray[np.floating], left: bool = False) -> NDArray[np.floating]:
    """How far inside the outline of a hand points lie; negative outside. Points as in the table of limbs."""
    x = -x_mm if left else x_mm
    deepest = np.full(np.broadcast(x, y_mm).shape, -1e6, np.float32)
    for limb in (*_LIMBS, _SLEEVE):
        deepest = np.maximum(deepest, _limb(x, y_mm, limb)[0])
    return deepest


def _limb(
    x: NDArray[np.floating], y: NDArray[np.floating], limb: tuple[float, float, float, float, float, float]
) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
    """How far inside a limb points lie, and its radius there."""
    ax, ay, bx, by, start, end = limb
    length2 = (bx - ax) ** 2 + (by - ay) ** 2
    along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length2, 0, 1)
    radius = start + (end - start) * along
    return radius - np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay)), radius


@lru_cache(maxsize=8)
def arm(skin: str, sleeve: str, left: bool, px_per_mm: float) -> Arm:
    """The picture of a hand in these colours."""
    width, height = round(2 * HALF_WIDTH_MM * px_per_mm), round((LENGTH_MM - TOP_MM) * px_per_mm)
    x = ((np.arange(width, dtype=np.float32) + 0.5) / px_per_mm - HALF_WIDTH_MM)[None, :]
    y = ((np.arange(height, dtype=np.float32) + 0.5) / px_per_mm + TOP_MM)[:, None]
    model_x = -x if left else x
    shape = inside_mm(x, y, left)
    cloth_line = _SLEEVE_FROM_MM + 3 * np.sin(model_x / 11)
    cloth = np.clip((y - cloth_line) * px_per_mm + 0.5, 0, 1)
    bare = _relief(model_x, y, _LIMBS)
    covered = _relief(model_x, y, (_SLEEVE,)) + 1.2 * np.sin(y / 9 + 0.08 * model_x + np.sin(y / 31) * 2) * (
        y > _SLEEVE_FROM_MM
    )
    sleeve_shape = np.minimum(_limb(model_x, y, _SLEEVE)[0], y - cloth_line)
    skin_shape = np.full(shape.shape, -1e6, np.float32)
    for limb in _LIMBS:
        skin_shape = np.maximum(skin_shape, _limb(model_x, y, limb)[0])
    lit = _lit(bare, px_per_mm, 0.58) * (1 - cloth) + _lit(covered, px_per_mm, 0.5) * cloth
    bgr = _colour(skin) * (1 - cloth[..., None]) + _colour(sleeve) * cloth[..., None]
    blush = np.exp(-((np.abs(y + 36) / 9) ** 2)) * 0.05 + np.exp(-((np.abs(y + 78) / 6) ** 2)) * 0.05
    bgr = bgr * (1 - (blush * (1 - cloth))[..., None] * np.array([1.6, 1.2, 0.4], np.float32))
    for nail_x, nail_y in _NAILS:
        nail = np.clip((1 - np.hypot((model_x - nail_x) / 4.4, (y - nail_y) / 5.4)) * 3, 0, 1) * 0.32
        bgr = bgr + nail[..., None] * (np.array([196, 205, 236], np.float32) - bgr)
    bgr = np.clip(bgr * lit[..., None], 0, 255)
    outline = np.maximum(np.minimum(skin_shape, cloth_line + 6 - y), sleeve_shape)
    alpha = np.clip(outline * px_per_mm + 0.5, 0, 1)
    bgra = np.rint(np.dstack([bgr * alpha[..., None], alpha * 255])).astype(np.uint8)
    return Arm(Sprite(bgra, 40.0), px_per_mm, (HALF_WIDTH_MM * px_per_mm, -TOP_MM * px_per_mm))


def _relief(
    x: NDArray[np.floating],
    y: NDArray[np.floating],
    limbs: tuple[tuple[float, float, float, float, float, float], ...],
) -> NDArray[np.floating]:
    """Height in mm of the limbs' rounded tops, blended where they meet."""
    total = np.zeros(np.broadcast(x, y).shape, np.float32)
    for limb in limbs:
        depth, radius = _limb(x, y, limb)
        height = np.sqrt(np.clip(radius**2 - (radius - np.maximum(depth, 0)) ** 2, 0, None))
        total += height**4
    return np.asarray(total**0.25)


def _lit(relief: NDArray[np.floating], px_per_mm: float, ambient: float) -> NDArray[np.floating]:
    down, across = np.gradient(relief, 1 / px_per_mm)
    light = (0.42 * across + 0.5 * down + 0.75) / np.sqrt(across**2 + down**2 + 1) / 0.99
    return np.asarray(ambient + (1.12 - ambient) * np.clip(light, 0, 1.2))


def _colour(hex_colour: str) -> NDArray[np.float32]:
    return np.array([int(hex_colour[i : i + 2], 16) for i in (5, 3, 1)], np.float32)

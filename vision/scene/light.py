"""Blur, light and noise: from a clean picture of the table to what a sensor delivers."""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from vision.scene.optics import Glare, Optics, Shade
from vision.scene.regions import Region
from vision.scene.sprites import Picture

_OWN_BLUR_PX = 0.4
"""Point spread that shrinking the drawing to the camera's pixels has already brought."""
_FIELD_STEP = 8
_NOISE_TILE_PX = 640
_NOISE_ROOM_PX = 64


class Light:
    """What optics do to a picture.

    Args:
        optics: the camera and the light.
        map_x: table x, in mm, of each pixel; shape (height, width).
        map_y: table y.
        rng: draws the noise.
    """

    def __init__(self, optics: Optics, map_x: NDArray[np.float32], map_y: NDArray[np.float32], rng: Generator) -> None:
        self._rng = rng
        self._sigma = math.sqrt(max(0.0, optics.blur_px**2 - _OWN_BLUR_PX**2))
        self._streak = _streak(optics.motion_px)
        blur_reach = math.ceil(3 * self._sigma) if self._sigma > 0.1 else 0
        self.spread_px = blur_reach + (max(self._streak.shape) // 2 if self._streak is not None else 0)
        """How far a pixel's light reaches."""
        levels = np.arange(256)[:, None] * optics.exposure * np.array(optics.white_balance)
        self._tone = np.rint(np.clip(levels, 0, 255)).astype(np.uint8).reshape(256, 1, 3)
        self._plain = optics.exposure == 1.0 and optics.white_balance == (1.0, 1.0, 1.0)
        self._gain, self._veil = _fields(optics, map_x, map_y)
        self._brighter, self._darker = _noise(optics, rng)

    def developed(self, clean: Picture, inner: Region, place: Region) -> Picture:
        """The part `inner` of a clean picture in this lens and light; `place` is where that part lies."""
        picture: Picture = clean
        if self._streak is not None:
            picture = np.asarray(cv2.filter2D(picture, -1, self._streak), np.uint8)
        if self._sigma > 0.1:
            side = 2 * math.ceil(3 * self._sigma) + 1
            picture = np.asarray(cv2.GaussianBlur(picture, (side, side), self._sigma), np.uint8)
        picture = picture[inner.slices]
        if not self._plain:
            picture = np.asarray(cv2.LUT(picture, self._tone), np.uint8)
        if self._gain is not None:
            gain = self._gain[place.slices]
            picture = np.asarray(cv2.multiply(picture, cv2.merge([gain, gain, gain]), scale=1 / 128), np.uint8)
        if self._veil is not None:
            veil = self._veil[place.slices]
            picture = np.asarray(cv2.add(picture, cv2.merge([veil, veil, veil])), np.uint8)
        return picture

    def noisy(self, lit: Picture) -> Picture:
        """A copy with noise, drawn anew each time."""
        if self._brighter is None or self._darker is None:
            return lit.copy()
        height, width = lit.shape[:2]
        left, top = (int(at) for at in self._rng.integers(0, _NOISE_ROOM_PX, 2))
        part = (slice(top, top + height), slice(left, left + width))
        picture = cv2.add(lit, self._brighter[part])
        return np.asarray(cv2.subtract(picture, self._darker[part], dst=picture), np.uint8)


def _streak(motion_px: tuple[float, float]) -> NDArray[np.float32] | None:
    """The kernel of a straight movement, or None where there is none."""
    length = math.hypot(*motion_px)
    if length < 0.2:
        return None
    half = math.ceil(length / 2) + 1
    kernel = np.zeros((2 * half + 1, 2 * half + 1), np.float32)
    for share in np.linspace(-0.5, 0.5, 8 * half + 1):
        x, y = half + motion_px[0] * share, half + motion_px[1] * share
        left, top = int(x), int(y)
        for row, column in ((top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)):
            kernel[row, column] += max(0.0, 1 - abs(x - column)) * max(0.0, 1 - abs(y - row))
    return np.asarray(kernel / kernel.sum(), np.float32)


def _fields(
    optics: Optics, map_x: NDArray[np.float32], map_y: NDArray[np.float32]
) -> tuple[NDArray[np.uint8] | None, NDArray[np.uint8] | None]:
    """How much of the light each pixel gets (128 is all of it), and how much white is laid over it: (height, width)."""
    if not (optics.vignette or optics.glares or optics.shades):
        return None, None
    height, width = map_x.shape
    size = (math.ceil(width / _FIELD_STEP), math.ceil(height / _FIELD_STEP))
    x, y = (np.asarray(cv2.resize(f, size, interpolation=cv2.INTER_AREA), float) for f in (map_x, map_y))
    across, down = np.meshgrid(np.linspace(-1, 1, size[0]) * width, np.linspace(-1, 1, size[1]) * height)
    gain = 1 - optics.vignette * (across**2 + down**2) / (width**2 + height**2)
    for shade in optics.shades:
        gain *= 1 - shade.strength * _band(shade, x, y)
    white = np.zeros_like(gain)
    for glare in optics.glares:
        white = 1 - (1 - white) * (1 - glare.strength * _spot(glare, x, y))
    fields = (
        np.asarray(cv2.resize(np.clip(field, 0, 255).astype(np.float32), (width, height)))
        for field in (gain * (1 - white) * 128, white * 255)
    )
    full_gain, veil = (np.rint(field).astype(np.uint8) for field in fields)
    return full_gain, veil if optics.glares else None


def _band(shade: Shade, x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.floating]:
    angle = math.radians(shade.angle_deg)
    off = np.abs(-(x - shade.at_mm[0]) * math.sin(angle) + (y - shade.at_mm[1]) * math.cos(angle))
    t = np.clip((shade.width_mm / 2 - off) / shade.soft_mm + 0.5, 0, 1)
    return np.asarray(t * t * (3 - 2 * t))


def _spot(glare: Glare, x: NDArray[np.floating], y: NDArray[np.floating]) -> NDArray[np.floating]:
    across, down = (x - glare.at_mm[0]) / glare.radii_mm[0], (y - glare.at_mm[1]) / glare.radii_mm[1]
    return np.asarray(np.exp(-2 * (across**2 + down**2)))


def _noise(optics: Optics, rng: Generator) -> tuple[Picture | None, Picture | None]:
    """What is added to and what is taken from the pixels; larger than the picture, so that it can be shifted."""
    if optics.noise <= 0:
        return None, None
    width, height = (side + _NOISE_ROOM_PX for side in optics.picture_px)
    tile = (_NOISE_TILE_PX, _NOISE_TILE_PX)
    # Half of the variance is shared by the channels, as after a camera's demosaicing.
    grey = rng.standard_normal((*tile, 1), np.float32)
    levels = np.rint((grey + rng.standard_normal((*tile, 3), np.float32)) * (optics.noise / math.sqrt(2)))
    repeats = (math.ceil(height / tile[0]), math.ceil(width / tile[1]), 1)
    planes = (np.clip(sign * levels, 0, 255).astype(np.uint8) for sign in (1, -1))
    brighter, darker = (np.ascontiguousarray(np.tile(plane, repeats)[:height, :width]) for plane in planes)
    return brighter, darker

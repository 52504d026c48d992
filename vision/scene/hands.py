"""Hands over the table, drawn straight into the camera's pixels."""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.table import Point
from vision.scene.arm import HALF_WIDTH_MM, LENGTH_MM, TOP_MM, Arm, arm, facing
from vision.scene.canvas import LIGHT, cover, darken, warped
from vision.scene.lens import Lens
from vision.scene.regions import Region
from vision.scene.scene import Hand
from vision.scene.sprites import Picture

_HEIGHT_MM = 40.0
_SHADE_MM = 9.0
_COARSE = 4


class _Pose(msgspec.Struct, frozen=True):
    """Where a hand appears.

    Attributes:
        matrix: from mm of the model (palm in the origin, fingers up) to px; float64 (2, 3).
        smear_px: how far it moves while the shutter is open.
        region: all that it and its shadow may cover.
    """

    matrix: NDArray[np.float64]
    smear_px: Point
    region: Region


class Hands:
    """Draws hands as one camera sees them.

    Args:
        lens: of the camera.
    """

    def __init__(self, lens: Lens) -> None:
        self._lens = lens
        self._whole = Region(0, 0, *lens.picture_px)
        self._pose = lru_cache(maxsize=32)(self._posed)

    def region(self, hand: Hand) -> Region:
        """The part of the picture that a hand and its shadow may cover."""
        return self._pose(hand).region

    def draw(self, picture: Picture, region: Region, hand: Hand) -> None:
        """Draws what a part of the picture shows of a hand, in place."""
        pose = self._pose(hand)
        part = pose.region.within(region)
        model = arm(hand.skin, hand.sleeve, hand.left, max(1, round(self._lens.px_per_mm)))
        to_px = pose.matrix[:, :2] / model.px_per_mm
        shift = pose.matrix[:, 2] - to_px @ (np.array(model.palm_px) - 0.5)
        into_part = np.column_stack([to_px, shift - (part.left, part.top)])
        size = (part.right - part.left, part.bottom - part.top)
        layer = warped(model.sprite.bgra, into_part, size, pose.smear_px)
        target = picture[part.moved(-region.left, -region.top).slices]
        darken(target, self._shadow(model, to_px, shift, part), 0.45)
        cover(target, layer)

    def _posed(self, hand: Hand) -> _Pose:
        """The arm is taken as flat; that it is nearer to the camera than the table can't be seen."""
        jacobian = self._lens.jacobian(hand.at_mm)
        matrix = np.column_stack([jacobian @ facing(hand), self._lens.to_px([hand.at_mm])[0]])
        x, y = jacobian @ np.array(hand.motion_mm)
        corners = [(x, y, 1) for x in (-HALF_WIDTH_MM, HALF_WIDTH_MM) for y in (TOP_MM, LENGTH_MM)]
        outline = np.array(corners) @ matrix.T
        shadow = outline + _HEIGHT_MM * self._lens.px_per_mm * np.array(LIGHT)
        pad = math.ceil(2 * _SHADE_MM * self._lens.px_per_mm + max(abs(x), abs(y)))
        region = Region.around(np.concatenate([outline, shadow]), pad).within(self._whole)
        return _Pose(matrix, (float(x), float(y)), region)

    def _shadow(
        self, model: Arm, to_px: NDArray[np.float64], shift: NDArray[np.float64], part: Region
    ) -> NDArray[np.uint8]:
        """Where a hand's shadow falls in a part of the picture: uint8 (height, width).

        It is soft, so a quarter of the resolution does, at a sixteenth of the time. The coarse pixels are those of
        the whole picture: whichever part is drawn, the shadow is the same.
        """
        sigma = max(0.5, _SHADE_MM * self._lens.px_per_mm / 2 / _COARSE)
        pad = math.ceil(3 * sigma) + 1
        coarse = Region(
            part.left // _COARSE - pad,
            part.top // _COARSE - pad,
            -(-part.right // _COARSE) + pad,
            -(-part.bottom // _COARSE) + pad,
        )
        cast = _HEIGHT_MM * self._lens.px_per_mm * np.array(LIGHT)
        offset = (shift + cast + 0.5) / _COARSE - 0.5 - (coarse.left, coarse.top)
        size = (coarse.right - coarse.left, coarse.bottom - coarse.top)
        alpha = np.ascontiguousarray(model.sprite.bgra[..., 3])
        shadow = cv2.warpAffine(alpha, np.column_stack([to_px / _COARSE, offset]), size, flags=cv2.INTER_LINEAR)
        shadow = cv2.GaussianBlur(shadow, (2 * pad - 1, 2 * pad - 1), sigma)
        shadow = cv2.resize(shadow, (size[0] * _COARSE, size[1] * _COARSE), interpolation=cv2.INTER_LINEAR)
        inner = part.moved(-coarse.left * _COARSE, -coarse.top * _COARSE)
        return np.ascontiguousarray(np.asarray(shadow, np.uint8)[inner.slices])

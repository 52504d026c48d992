"""The table from straight above: any part of it, drawn at a fixed scale with everything that lies there."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.box import Piece
from companion.core.table import Point
from companion.core.tags import CORNER_IDS
from vision.scene.regions import Region
from vision.scene.scene import FIDUCIAL_MM, WOOD_MM, Placed
from vision.scene.sprites import Picture, Sprite, fiducial, sprite
from vision.scene.wood import wood

_WOOD_PX_PER_MM = 2
LIGHT = (0.35, 0.45)
"""Where shadows fall: mm to the right and down for each mm of height; the light comes from the top left."""
_REACH = 1.5
"""A sprite may be so much larger than its piece: a cup has a handle."""


def reach_mm(placed: Placed) -> tuple[Point, Point]:
    """Lowest and highest x and y, in table mm, of all that a thing covers, its shadow and smear included."""
    half = math.hypot(*placed.what.size_mm) / 2
    if not isinstance(placed.what, Piece):
        half *= _REACH
    pad_x, pad_y = (half + 4 + abs(motion) / 2 for motion in placed.motion_mm)
    shadow = 4.0 if isinstance(placed.what, Piece) else 24.0
    x, y = placed.at_mm
    return (x - pad_x, y - pad_y), (x + pad_x + shadow, y + pad_y + shadow)


class Canvas:
    """Draws parts of a table.

    Args:
        size_mm: the table frame.
        seed: of the wood.
        px_per_mm: scale of what is drawn; about twice the camera's, so that shrinking it smooths it.
    """

    def __init__(self, size_mm: tuple[float, float], seed: int, px_per_mm: int) -> None:
        self.px_per_mm = px_per_mm
        width, height = (math.ceil(side + 2 * WOOD_MM) for side in size_mm)
        self._wood = wood((width, height), _WOOD_PX_PER_MM, seed)
        half = FIDUCIAL_MM / 2
        spots = [
            (half, half),
            (size_mm[0] - half, half),
            (size_mm[0] - half, size_mm[1] - half),
            (half, size_mm[1] - half),
        ]
        self._fiducials = tuple(zip(CORNER_IDS, spots, strict=True))

    def draw(self, box_mm: Region, things: Iterable[Placed]) -> Picture:
        """The part `box_mm` (in whole mm of the table frame) with the things, lowest first.

        Returns:
            BGR, uint8, `px_per_mm` pixels for each mm.
        """
        picture = self._planks(box_mm)
        for number, at in self._fiducials:
            self._lay(picture, box_mm, fiducial(number, self.px_per_mm), at, 0.0, (0.0, 0.0))
        for placed in things:
            self._lay(
                picture,
                box_mm,
                sprite(placed.what, placed.face_up, self.px_per_mm),
                placed.at_mm,
                placed.angle_deg,
                placed.motion_mm,
            )
        return picture

    def _planks(self, box_mm: Region) -> Picture:
        rows = self._indices(box_mm.top, box_mm.bottom, self._wood.shape[0])
        columns = self._indices(box_mm.left, box_mm.right, self._wood.shape[1])
        bare = self._wood[rows][:, columns]
        size = ((box_mm.right - box_mm.left) * self.px_per_mm, (box_mm.bottom - box_mm.top) * self.px_per_mm)
        return np.asarray(cv2.resize(bare, size, interpolation=cv2.INTER_LINEAR), np.uint8)

    def _indices(self, low_mm: int, high_mm: int, count: int) -> NDArray[np.intp] | slice:
        """Rows or columns of the wood; beyond its edge it goes on as in a mirror."""
        low, high = (int((at + WOOD_MM) * _WOOD_PX_PER_MM) for at in (low_mm, high_mm))
        if low >= 0 and high <= count:
            return slice(low, high)
        folded = np.arange(low, high) % (2 * count)
        return np.where(folded < count, folded, 2 * count - 1 - folded)

    def _lay(
        self,
        picture: Picture,
        box_mm: Region,
        sprite_: Sprite,
        at_mm: Point,
        angle_deg: float,
        motion_mm: Point,
    ) -> None:
        """Draws a sprite and its shadow where they meet the picture."""
        scale = self.px_per_mm
        height, width = sprite_.bgra.shape[:2]
        turn = math.radians(angle_deg)
        cos, sin = math.cos(turn), math.sin(turn)
        middle = ((at_mm[0] - box_mm.left) * scale - 0.5, (at_mm[1] - box_mm.top) * scale - 0.5)
        spread_mm = 0.5 + 0.22 * sprite_.height_mm
        cast_px = [sprite_.height_mm * share * scale for share in LIGHT]
        pad = math.ceil(3 * spread_mm * scale + max(cast_px))
        smear_px = (motion_mm[0] * scale, motion_mm[1] * scale)
        half_x = (abs(width * cos) + abs(height * sin)) / 2 + abs(smear_px[0]) / 2
        half_y = (abs(width * sin) + abs(height * cos)) / 2 + abs(smear_px[1]) / 2
        whole = Region(
            math.floor(middle[0] - half_x) - pad,
            math.floor(middle[1] - half_y) - pad,
            math.ceil(middle[0] + half_x) + pad,
            math.ceil(middle[1] + half_y) + pad,
        )
        seen = whole.within(Region(0, 0, picture.shape[1], picture.shape[0]))
        if seen.empty:
            return
        part = whole.within(seen.grown(pad))
        in_middle = ((width - 1) / 2, (height - 1) / 2)
        to_part = (middle[0] - part.left, middle[1] - part.top)
        matrix = np.array(
            [
                [cos, -sin, to_part[0] - cos * in_middle[0] + sin * in_middle[1]],
                [sin, cos, to_part[1] - sin * in_middle[0] - cos * in_middle[1]],
            ]
        )
        layer = warped(sprite_.bgra, matrix, (part.right - part.left, part.bottom - part.top), smear_px)
        inner = seen.moved(-part.left, -part.top).slices
        target = picture[seen.slices]
        if layer[inner][..., 3].min() == 255:  # in the midst of a sheet there is nothing of its shadow
            target[:] = layer[inner][..., :3]
            return
        if sprite_.height_mm > 0:
            shadow = cv2.warpAffine(
                np.ascontiguousarray(layer[..., 3]),
                np.array([[1.0, 0, cast_px[0]], [0, 1.0, cast_px[1]]]),
                (layer.shape[1], layer.shape[0]),
            )
            shadow = cv2.GaussianBlur(shadow, (0, 0), spread_mm * scale)
            darken(target, np.asarray(shadow, np.uint8)[inner], 0.42)
        cover(target, layer[inner])


def warped(
    bgra: NDArray[np.uint8], matrix: NDArray[np.float64], size: tuple[int, int], smear_px: Point
) -> NDArray[np.uint8]:
    """A sprite moved by an affine matrix into a picture of this size, smeared along its motion."""
    pad = math.ceil(max(map(abs, smear_px)) / 2) + 1
    if pad == 1:
        return np.asarray(cv2.warpAffine(bgra, matrix, size, flags=cv2.INTER_LINEAR), np.uint8)
    wider = matrix + np.array([[0, 0, pad], [0, 0, pad]])
    room = (size[0] + 2 * pad, size[1] + 2 * pad)
    layer = np.asarray(cv2.warpAffine(bgra, wider, room, flags=cv2.INTER_LINEAR), np.uint8)
    # Halving the way each time, a few means of two make a mean of many: 2, 4, 8, 16 positions.
    share = 0.25
    while max(map(abs, smear_px)) * share >= 0.5:
        layer = _twice(layer, round(smear_px[0] * share), round(smear_px[1] * share))
        share /= 2
    return layer[pad:-pad, pad:-pad]


def _twice(layer: NDArray[np.uint8], x: int, y: int) -> NDArray[np.uint8]:
    """The mean of a layer shifted to either side by x and y."""
    height, width = layer.shape[:2]
    wide, high = abs(x), abs(y)
    room = np.asarray(cv2.copyMakeBorder(layer, high, high, wide, wide, cv2.BORDER_CONSTANT), np.uint8)
    one = room[high - y : high - y + height, wide - x : wide - x + width]
    other = room[high + y : high + y + height, wide + x : wide + x + width]
    return np.asarray(cv2.addWeighted(one, 0.5, other, 0.5, 0), np.uint8)


def darken(target: Picture, shadow: NDArray[np.uint8], strength: float) -> None:
    """Takes up to a share of `strength` of the light away where the shadow is full, in place."""
    light = cv2.convertScaleAbs(shadow, alpha=-strength, beta=255.0)
    target[:] = cv2.multiply(target, cv2.merge([light, light, light]), scale=1 / 255)


def cover(target: Picture, layer: NDArray[np.uint8]) -> None:
    """Lays a layer (colours multiplied by their alpha) over a picture, in place."""
    blue, green, red, alpha = cv2.split(layer)
    through = cv2.bitwise_not(alpha)
    rest = cv2.multiply(target, cv2.merge([through, through, through]), scale=1 / 255)
    target[:] = cv2.add(rest, cv2.merge([blue, green, red]))

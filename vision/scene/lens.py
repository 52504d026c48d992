"""Where a point of the table appears in the camera's picture: a pinhole camera with radial distortion."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from companion.core.table import Point

Points = NDArray[np.float64]
"""Points as rows (x, y), shape (n, 2)."""
_FIELD_DEG = 66.0
"""Horizontal field of view that sets the camera's height. Source: Raspberry Pi Camera Module 3 datasheet."""
_UNDISTORT_STEPS = 4


def border(low: Point, high: Point, steps: int = 9) -> Points:
    """Points along the edge of a rectangle: enough of them not to miss the bulge of a distortion."""
    xs, ys = np.linspace(low[0], high[0], steps), np.linspace(low[1], high[1], steps)
    return np.array([(x, y) for x in xs for y in (low[1], high[1])] + [(x, y) for y in ys for x in (low[0], high[0])])


class Lens:
    """A camera above the middle of the table, which the picture shows whole.

    Args:
        size_mm: width and height of the table frame.
        picture_px: width and height of the picture.
        margin_mm: how much more than the table frame is seen at the tightest side.
        tilt_deg: how far the camera leans away from looking straight down, around the table's x axis.
        roll_deg: turn of the picture, clockwise.
        shift_mm: the point at which it looks, from the middle of the table.
        k1: radial distortion; the radius is 1 in the picture's corner. Negative is a barrel.
    """

    def __init__(
        self,
        size_mm: tuple[float, float],
        picture_px: tuple[int, int],
        margin_mm: float = 20.0,
        tilt_deg: float = 0.0,
        roll_deg: float = 0.0,
        shift_mm: Point = (0.0, 0.0),
        k1: float = 0.0,
    ) -> None:
        self.size_mm = size_mm
        self.picture_px = picture_px
        self.k1 = k1
        width, height = size_mm
        reach_mm = (width + 2 * margin_mm) / 2 / math.tan(math.radians(_FIELD_DEG / 2))
        tilt, roll = math.radians(tilt_deg), math.radians(roll_deg)
        turn = np.array([[math.cos(roll), -math.sin(roll), 0], [math.sin(roll), math.cos(roll), 0], [0, 0, 1]])
        lean = np.array([[1, 0, 0], [0, math.cos(tilt), math.sin(tilt)], [0, -math.sin(tilt), math.cos(tilt)]])
        rotation = turn @ lean
        look = np.array([width / 2 + shift_mm[0], height / 2 + shift_mm[1]])
        # Columns: where table x, table y and the table's origin land in the camera's frame, z along its axis.
        origin = np.array([0, 0, reach_mm]) - rotation[:, :2] @ look
        self._rays = np.column_stack([rotation[:, 0], rotation[:, 1], origin])
        self._back = np.linalg.inv(self._rays)
        self._centre = (np.array(picture_px, float) - 1) / 2
        self._corner_px = float(np.hypot(*self._centre))
        self._focal_px = 1.0
        self._focal_px = self._fit(border((-margin_mm, -margin_mm), (width + margin_mm, height + margin_mm)))
        self.px_per_mm = math.sqrt(abs(np.linalg.det(self.jacobian((width / 2, height / 2)))))
        """Scale in the middle of the table."""

    def _fit(self, edge: Points) -> float:
        """The longest focal length, in px, with which all of these points are seen."""
        low, high = 1.0, 20.0 * self.picture_px[0]
        for _ in range(50):
            self._focal_px = (low + high) / 2
            px = self.to_px(edge)
            seen = bool((px >= 0).all() and (px <= 2 * self._centre).all())
            low, high = (self._focal_px, high) if seen else (low, self._focal_px)
        return low

    def to_px(self, points_mm: ArrayLike) -> Points:
        """Picture coordinates (n, 2) of points of the table; (0, 0) is the middle of the first pixel."""
        points = np.asarray(points_mm, float).reshape(-1, 2)
        camera = np.column_stack([points, np.ones(len(points))]) @ self._rays.T
        flat = camera[:, :2] / camera[:, 2:] * self._focal_px
        radius = np.hypot(flat[:, 0], flat[:, 1]) / self._corner_px
        return np.asarray(self._centre + flat * (1 + self.k1 * radius**2)[:, None])

    def to_mm(self, points_px: ArrayLike) -> Points:
        """Points of the table, shape (n, 2), that appear at these picture coordinates."""
        points = np.asarray(points_px, float).reshape(-1, 2)
        x, y = self._inverse(points[:, 0] - self._centre[0], points[:, 1] - self._centre[1])
        return np.column_stack([x, y])

    def map_mm(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Table x and table y, in mm, that each pixel shows: two arrays (height, width)."""
        width, height = self.picture_px
        x = np.arange(width, dtype=np.float32)[None, :] - np.float32(self._centre[0])
        y = np.arange(height, dtype=np.float32)[:, None] - np.float32(self._centre[1])
        table_x, table_y = self._inverse(x, y)
        return table_x.astype(np.float32), table_y.astype(np.float32)

    def _inverse(
        self, x: NDArray[np.floating], y: NDArray[np.floating]
    ) -> tuple[NDArray[np.floating], NDArray[np.floating]]:
        bend = self.k1 * (x * x + y * y) / self._corner_px**2
        stretch = np.ones_like(bend)
        # Newton's method for stretch + bend * stretch^3 = 1, which undoes the distortion.
        for _ in range(_UNDISTORT_STEPS if self.k1 else 0):
            square = stretch * stretch
            stretch = stretch - (stretch * (1 + bend * square) - 1) / (1 + 3 * bend * square)
        b = self._back.astype(x.dtype)
        flat_x, flat_y = x * stretch / self._focal_px, y * stretch / self._focal_px
        depth = b[2, 0] * flat_x + b[2, 1] * flat_y + b[2, 2]
        table_x = (b[0, 0] * flat_x + b[0, 1] * flat_y + b[0, 2]) / depth
        table_y = (b[1, 0] * flat_x + b[1, 1] * flat_y + b[1, 2]) / depth
        return table_x, table_y

    def jacobian(self, at_mm: Point) -> Points:
        """How many px the picture of a point moves for a mm along x and along y: shape (2, 2)."""
        x, y = at_mm
        px = self.to_px([(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)])
        return np.column_stack([(px[1] - px[0]) / 2, (px[3] - px[2]) / 2])

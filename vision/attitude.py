"""How a camera hangs over a table: how high, how far it leans and to which side, how it is turned.

All of it follows from the homography and the lens's angle of view. With a wrong angle height and lean are too large or
too small, but the side to which it leans and the turn are right all the same.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from companion.core.table import Point
from vision.lens import Homography


@dataclass(frozen=True, slots=True)
class Attitude:
    """A camera's place and direction, in the table frame.

    Attributes:
        height_mm: of the lens above the table.
        foot_mm: the point of the table straight below the lens.
        tilt_deg: how far it leans away from looking straight down, 0 or more.
        looks: direction in which it leans, as a vector of length 1 along the table; (0, 0) if it doesn't lean.
        roll_deg: how far the table's x axis is turned in the picture, clockwise, in -180..180.
    """

    height_mm: float
    foot_mm: Point
    tilt_deg: float
    looks: Point
    roll_deg: float


def attitude(table: Homography, size_px: tuple[int, int], lens_deg: float) -> Attitude:
    """How the camera hangs.

    Args:
        table: between px and mm.
        size_px: width and height of the picture, whose middle the lens looks at.
        lens_deg: horizontal angle of view.

    Source: Z. Zhang, A flexible new technique for camera calibration, 2000, section 3.1: a homography is the camera's
    matrix times two columns of its rotation and its shift.
    """
    width, height = size_px
    focal_px = width / 2 / math.tan(math.radians(lens_deg / 2))
    camera = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]])
    columns = np.linalg.inv(camera) @ table.mm_to_px
    columns /= math.sqrt(float(np.linalg.norm(columns[:, 0]) * np.linalg.norm(columns[:, 1])))
    if columns[2, 2] < 0:  # the table lies before the camera, not behind it
        columns = -columns
    # The nearest rotation to what noise and a wrong angle of view have made of it.
    left, _, right = np.linalg.svd(np.column_stack([columns[:, :2], np.cross(columns[:, 0], columns[:, 1])]))
    turn = left @ right
    x, y, below = (float(at) for at in -turn.T @ columns[:, 2])
    across, down, straight = (float(at) for at in turn[2])
    lean = math.hypot(across, down)
    return Attitude(
        height_mm=-below,
        foot_mm=(x, y),
        tilt_deg=math.degrees(math.atan2(lean, straight)),
        looks=(across / lean, down / lean) if lean > 1e-9 else (0.0, 0.0),
        roll_deg=math.degrees(math.atan2(turn[1, 0], turn[0, 0])),
    )

"""From pixels to millimetres: a lens that bends a little, and a homography."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
"""float64 (n, 2), x and y."""


@dataclass(frozen=True, slots=True)
class Radial:
    """Radial distortion of first order, undone by p -> middle + (p - middle) (1 + k r^2).

    Source: D. Brown, Decentering distortion of lenses, 1966, with the even terms after the first left out.

    Attributes:
        middle_px: middle of the picture.
        radius_px: distance at which r is 1, the picture's corner.
        k: positive for a barrel.
    """

    middle_px: tuple[float, float] = (0.0, 0.0)
    radius_px: float = 1.0
    k: float = 0.0

    def straight(self, points_px: npt.ArrayLike) -> Points:
        """Where points would be seen through a perfect lens, (n, 2) in px."""
        away = np.asarray(points_px, np.float64).reshape(-1, 2) - self.middle_px
        return np.asarray(
            away * (1 + self.k * np.sum(away**2, axis=1, keepdims=True) / self.radius_px**2) + self.middle_px
        )

    def bent(self, points_px: npt.ArrayLike) -> Points:
        """The inverse of `straight`."""
        goal = np.asarray(points_px, np.float64).reshape(-1, 2) - self.middle_px
        away = goal
        for _ in range(8 if self.k else 0):
            away = goal / (1 + self.k * np.sum(away**2, axis=1, keepdims=True) / self.radius_px**2)
        return away + self.middle_px


class Homography:
    """A one-to-one map between camera px and table mm.

    Args:
        px_to_mm: float64 (3, 3), for px as a perfect lens would show them.
        lens: how the real one bends them.
    """

    def __init__(self, px_to_mm: npt.NDArray[np.float64], lens: Radial = Radial()) -> None:
        self.lens = lens
        self.px_to_mm = px_to_mm / px_to_mm[2, 2]
        self.mm_to_px = np.linalg.inv(self.px_to_mm)
        self.mm_to_px /= self.mm_to_px[2, 2]

    def to_mm(self, points_px: npt.ArrayLike) -> Points:
        """Millimetres of points in px, (n, 2)."""
        return transform(self.px_to_mm, self.lens.straight(points_px))

    def to_px(self, points_mm: npt.ArrayLike) -> Points:
        """Px of points in mm, (n, 2)."""
        return self.lens.bent(transform(self.mm_to_px, points_mm))

    def px_per_mm(self, point_mm: tuple[float, float]) -> float:
        """Scale of the picture at a point of the table: root of the area that a square millimetre has in px."""
        x, y = point_mm
        square = self.to_px([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])
        return float(np.sqrt(abs(area(square))))


def transform(matrix: npt.NDArray[np.float64], points: npt.ArrayLike) -> Points:
    """Points (n, 2) through a homography (3, 3)."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    full = flat @ matrix[:, :2].T + matrix[:, 2]
    return full[:, :2] / full[:, 2:]


def area(polygon: Points) -> float:
    """Signed area, positive for clockwise as seen in the picture."""
    x, y = polygon[:, 0], polygon[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)

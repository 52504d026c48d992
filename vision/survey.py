"""Measuring a table by its corner markers alone.

Nobody knows how far apart they were stuck, but each is a square of known side. Three or four small squares far apart
fix the homography; how the picture's corners squeeze them, narrower towards the middle than across, shows the lens'
barrel.
"""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.tags import CORNER_IDS
from vision.fiducials import Corners
from vision.lens import Homography, Points, Radial, area, transform

NEEDED = 3
"""Number of corner markers that fix the table."""
DOUBT_MM = 0.3
"""What a barrel of 10 % costs, so that noise is not explained by a bent lens."""

_Numbers = npt.NDArray[np.float64]


def survey(
    corners_px: Mapping[int, Corners], side_mm: float, size_px: tuple[int, int]
) -> tuple[Homography, float] | None:
    """The map to millimetres in which all corner markers are squares of the given side.

    Gauss-Newton over five numbers of a homography and one of the lens. The other three only turn and shift the table,
    which changes no marker's size. The start is a camera that looks straight down through a perfect lens.

    Args:
        corners_px: three or four of `CORNER_IDS`, each (4, 2).
        side_mm: side of each marker.
        size_px: width and height of the picture.

    Returns:
        The map into the table's frame, and by how many mm the worst corner misses its square; None if the markers
        can't be equal squares on a plane, such as when one is mirrored or they are not in clockwise order.
    """
    numbers = [number for number in CORNER_IDS if number in corners_px]
    if len(numbers) < NEEDED or any(area(corners_px[number]) <= 0 for number in numbers):
        return None
    centres = np.array([corners_px[number].mean(axis=0) for number in numbers])
    if not cv2.isContourConvex(centres.astype(np.float32)) or area(centres) <= 0:
        return None
    middle = np.array(size_px) / 2 - 0.5
    radius = float(np.hypot(*size_px)) / 2
    points = (np.concatenate([corners_px[number] for number in numbers]) - middle) / radius
    scale = side_mm / float(np.mean([np.sqrt(area(corners_px[number])) for number in numbers])) * radius
    best = _gauss_newton(np.array([scale, 0, scale, 0, 0, 0.0]), points, side_mm)
    if best is None:
        return None
    to_unit = np.array([[1 / radius, 0, -middle[0] / radius], [0, 1 / radius, -middle[1] / radius], [0, 0, 1]])
    lens = Radial((float(middle[0]), float(middle[1])), radius, float(best[5]))
    found = Homography(_matrix(best) @ to_unit, lens)
    origin, along = outer({number: found.to_mm(corners_px[number]) for number in numbers})[:2]
    angle = np.arctan2(*(along - origin)[::-1])
    move = np.eye(3)
    move[:2, :2] = [[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]]
    move[:2, 2] = -move[:2, :2] @ origin
    worst_mm = float(np.abs(_misfits(best, points, side_mm)).max())
    return Homography(move @ found.px_to_mm, lens), worst_mm


def outer(layout: Mapping[int, Corners]) -> Points:
    """Outer corners (4, 2) of the markers, clockwise from the first one's; of a rectangle where one is unknown.

    Printed with its own top edge along the table's top edge, marker k has the table's corner k at its own corner k.
    """
    known = {index: layout[number][index] for index, number in enumerate(CORNER_IDS) if number in layout}
    return np.array([known[index] if index in known else fourth(known, index) for index in range(4)])


def fourth(points: Mapping[int, Points], missing: int) -> Points:
    """The corner of a parallelogram that lies opposite to a known one, by the other three, numbered clockwise."""
    return points[(missing - 1) % 4] + points[(missing + 1) % 4] - points[(missing + 2) % 4]


def _gauss_newton(guess: _Numbers, points: Points, side_mm: float) -> _Numbers | None:
    now = guess
    steps = np.array([1e-4 * guess[0]] * 3 + [1e-5] * 3)
    for _ in range(30):
        misfit = _misfits(now, points, side_mm)
        columns = [_misfits(now + step, points, side_mm) - misfit for step in np.diag(steps)]
        step = np.linalg.lstsq(np.stack(columns, axis=1), -misfit, rcond=None)[0]
        now = now + step * steps
        if not np.isfinite(now).all():
            return None
        if np.abs(step).max() < 0.01:
            break
    return now


def _matrix(numbers: _Numbers) -> _Numbers:
    a, b, e, g, h = numbers[:5]
    return np.array([[a, b, 0], [0, e, 0], [g, h, 1]])


def _misfits(numbers: _Numbers, points: Points, side_mm: float) -> _Numbers:
    """How far each corner in mm lies from the best square of the given side through its marker; flat array."""
    straight = points * (1 + numbers[5] * np.sum(points**2, axis=1, keepdims=True))
    on_table = transform(_matrix(numbers), straight).reshape(-1, 4, 2)
    around = on_table - on_table.mean(axis=1, keepdims=True)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) @ np.array([1, 1j]) * side_mm / 2
    # The best turn in the plane is the phase of the sum of seen times conjugate of square.
    turned = (around @ np.array([1, 1j])) @ np.conj(square)
    turned = turned / np.maximum(np.abs(turned), 1e-12)
    apart = around @ np.array([1, 1j]) - turned[:, None] * square
    return np.concatenate([apart.real.ravel(), apart.imag.ravel(), [numbers[5] * DOUBT_MM / 0.1]])

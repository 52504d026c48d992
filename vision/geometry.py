"""Table geometry: from pixels to millimetres and back, by the four corner markers.

People stick the markers anywhere as a rough rectangle, so their distances are unknown. What is known is the size of
each marker: four small squares of the same side in four places fix the homography, and with it all distances.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.tags import CORNER_IDS
from vision.fiducials import Corners

Points = npt.NDArray[np.float64]
"""float64 (n, 2), x and y."""

NEEDED = 3
"""Corner markers that must be seen to place a table that is known."""
WORST_FIT_MM = 2.5
"""A homography whose corners miss their places by more, root mean square, is refused: a marker was moved or misread."""
SHARP_PX = 1.0
"""Corners that lie closer to their running mean than this are the same corners, seen again by an unmoved camera."""
MEAN_OF = 8


class Homography:
    """A one-to-one map between camera px and table mm.

    Args:
        px_to_mm: float64 (3, 3).
    """

    def __init__(self, px_to_mm: npt.NDArray[np.float64]) -> None:
        self.px_to_mm = px_to_mm / px_to_mm[2, 2]
        self.mm_to_px = np.linalg.inv(self.px_to_mm)
        self.mm_to_px /= self.mm_to_px[2, 2]

    def to_mm(self, points_px: npt.ArrayLike) -> Points:
        """Millimetres of points in px, (n, 2)."""
        return transform(self.px_to_mm, points_px)

    def to_px(self, points_mm: npt.ArrayLike) -> Points:
        """Px of points in mm, (n, 2)."""
        return transform(self.mm_to_px, points_mm)

    def px_per_mm(self, point_mm: tuple[float, float]) -> float:
        """Scale of the picture at a point of the table: root of the area that a square millimetre has in px."""
        x, y = point_mm
        square = self.to_px([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])
        return float(np.sqrt(abs(_area(square))))


@dataclass(frozen=True, slots=True)
class Refresh:
    """What new corners meant for the table.

    Attributes:
        accepted: the homography was renewed.
        moved_px: how far the known corners moved in the picture, median; 0 where nothing was known before.
        reason: why it was not accepted, in words.
    """

    accepted: bool
    moved_px: float = 0.0
    reason: str = ""


class Table:
    """The table frame: origin at the outer corner of marker 0, x towards the outer corner of marker 1.

    Args:
        corner_mm: side of the black square of each corner marker.
        size_mm: width and height between the outer corners of the markers, if somebody measured them; otherwise
            they are derived from `corner_mm`.

    Attributes:
        homography: the newest good one, None until all four markers were seen once.
        corners_seen: ids of the corner markers in the newest look.
    """

    def __init__(self, corner_mm: float = 50.0, size_mm: tuple[float, float] | None = None) -> None:
        self.homography: Homography | None = None
        self.corners_seen: tuple[int, ...] = ()
        self._corner_mm = corner_mm
        self._size_mm = size_mm
        self._layout_mm: dict[int, Corners] = {}
        self._mean_px: dict[int, tuple[int, Corners]] = {}
        self._misfits = 0
        self._looks = 1

    @property
    def outline_mm(self) -> Points | None:
        """Outer corners of the four markers, (4, 2), clockwise from the origin; None before they were all seen."""
        return _outer(self._layout_mm) if self._layout_mm else None

    def refresh(self, seen: Mapping[int, Corners]) -> Refresh:
        """Renews the homography from the markers of one look, corners in px by id; other ids are passed over.

        A marker hidden since the camera moved would drag the table along with where it was: only what is seen in
        this very look counts, corners of an unmoved camera being averaged over looks.
        """
        seen = {number: seen[number] for number in CORNER_IDS if number in seen}
        self.corners_seen = tuple(seen)
        if self._layout_mm and len(seen) < NEEDED:
            return Refresh(False, reason=f"only {len(seen)} of the table's corner markers can be seen")
        if not self._layout_mm and len(seen) < len(CORNER_IDS):
            missing = ", ".join(str(number) for number in CORNER_IDS if number not in seen)
            return Refresh(False, reason=f"corner marker {missing} was never seen")
        moved_px = self._moved_px(seen)
        mean = self._averaged(seen)
        found = self._placed(mean)
        looks = min(self._mean_px[number][0] for number in seen)
        if found is not None and len(seen) == len(CORNER_IDS) and self._looks < looks:
            # The first survey rests on one noisy look; each doubling of the mean makes a better one.
            self._looks = 2 * looks if looks < MEAN_OF else MEAN_OF
            found = self._surveyed(mean) or found
        if found is None and len(mean) == len(CORNER_IDS):
            # All four are seen and don't fit what is known: somebody stuck a marker elsewhere, or the first look
            # was bad. Believed when it is seen again.
            self._misfits += 1
            if not self._layout_mm or self._misfits >= 3:
                found = self._surveyed(mean)
        if found is None:
            return Refresh(False, moved_px, "the corner markers don't lie as they did")
        self._misfits = 0
        self.homography = found
        return Refresh(True, moved_px)

    def _moved_px(self, seen: Mapping[int, Corners]) -> float:
        if self.homography is None:
            return 0.0
        moves = [
            np.linalg.norm(self.homography.to_px(self._layout_mm[number]) - corners, axis=1).mean()
            for number, corners in seen.items()
        ]
        return float(np.median(moves))

    def _averaged(self, seen: Mapping[int, Corners]) -> dict[int, Corners]:
        for number, corners in seen.items():
            count, mean = self._mean_px.get(number, (0, corners))
            if np.abs(mean - corners).max() > SHARP_PX:
                count, mean = 0, corners
            count = min(count + 1, MEAN_OF)
            self._mean_px[number] = (count, mean + (corners - mean) / count)
        return {number: self._mean_px[number][1] for number in seen}

    def _placed(self, corners_px: Mapping[int, Corners]) -> Homography | None:
        """The homography from known places, or None if the corners don't fit them."""
        if not self._layout_mm:
            return None
        places = np.concatenate([self._layout_mm[number] for number in corners_px])
        return _fitted(np.concatenate(list(corners_px.values())), places)

    def _surveyed(self, corners_px: Mapping[int, Corners]) -> Homography | None:
        """Measures the layout of all four markers, and takes it for known if it makes sense."""
        found = survey(corners_px, self._corner_mm)
        if found is None:
            return None
        layout = {number: found.to_mm(corners) for number, corners in corners_px.items()}
        if self._size_mm is not None:
            width, height = self._size_mm
            frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
            fix = cv2.getPerspectiveTransform(_outer(layout).astype(np.float32), frame)
            found = Homography(np.asarray(fix, np.float64) @ found.px_to_mm)
            layout = {number: found.to_mm(corners) for number, corners in corners_px.items()}
        self._layout_mm = layout
        return found


def survey(corners_px: Mapping[int, Corners], side_mm: float) -> Homography | None:
    """The homography in which all four corner markers are squares of the given side.

    Gauss-Newton over the eight numbers of the homography and the poses of the markers. The start is the homography
    of a camera that looks straight down, which the largest tilt that people mount is near enough to.

    Args:
        corners_px: all of `CORNER_IDS`, each (4, 2).
        side_mm: side of each marker.

    Returns:
        The homography in the table's frame; None if the markers can't be four equal squares on a plane, such as when
        one is mirrored or they are not in clockwise order.
    """
    if any(_area(corners_px[number]) <= 0 for number in CORNER_IDS):
        return None
    centres = np.array([corners_px[number].mean(axis=0) for number in CORNER_IDS])
    if not cv2.isContourConvex(centres.astype(np.float32)) or _area(centres) <= 0:
        return None
    points = np.concatenate([corners_px[number] for number in CORNER_IDS])
    middle, spread = points.mean(axis=0), points.std()
    normal = np.array([[1 / spread, 0, -middle[0] / spread], [0, 1 / spread, -middle[1] / spread], [0, 0, 1]])
    flat = transform(normal, points)
    sides = [np.sqrt(_area(transform(normal, corners_px[number]))) for number in CORNER_IDS]
    guess = np.array([side_mm / float(np.mean(sides)), 0, 0, 0, side_mm / float(np.mean(sides)), 0, 0, 0])
    best = _gauss_newton(guess, flat, side_mm)
    if best is None:
        return None
    found = Homography(np.append(best, 1.0).reshape(3, 3) @ normal)
    layout = {number: found.to_mm(corners_px[number]) for number in CORNER_IDS}
    origin, along = _outer(layout)[:2]
    angle = np.arctan2(*(along - origin)[::-1])
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    move = np.eye(3)
    move[:2, :2] = turn
    move[:2, 2] = -turn @ origin
    return Homography(move @ found.px_to_mm)


def _gauss_newton(guess: npt.NDArray[np.float64], flat: Points, side_mm: float) -> npt.NDArray[np.float64] | None:
    """Eight numbers of a homography that makes each four points of `flat` a square of the given side."""
    now = guess
    steps = np.array([1e-4 * side_mm] * 6 + [1e-6] * 2)
    for _ in range(30):
        misfit = _misfits(now, flat, side_mm)
        columns = [(_misfits(now + np.eye(8)[i] * steps[i], flat, side_mm) - misfit) / steps[i] for i in range(8)]
        jacobian = np.stack(columns, axis=1)
        # Turning and shifting the table changes no misfit: the smallest step, which lstsq gives, leaves them alone.
        step = np.linalg.lstsq(jacobian, -misfit, rcond=1e-9)[0]
        now = now + step
        if not np.isfinite(now).all():
            return None
        if np.abs(step / (steps * 1e4)).max() < 1e-6:
            break
    rms = float(np.sqrt(np.mean(_misfits(now, flat, side_mm) ** 2)))
    return now if rms < WORST_FIT_MM else None


def _misfits(eight: npt.NDArray[np.float64], flat: Points, side_mm: float) -> npt.NDArray[np.float64]:
    """How far each corner in mm lies from the best square of the given side through its marker; flat array."""
    points = transform(np.append(eight, 1.0).reshape(3, 3), flat).reshape(-1, 4, 2)
    around = points - points.mean(axis=1, keepdims=True)
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * side_mm / 2
    # Best turn in the plane, as complex numbers: the phase of the sum of seen times conjugate of square.
    turned = (around[..., 0] + 1j * around[..., 1]) @ np.conj(square[:, 0] + 1j * square[:, 1])
    turned = turned / np.maximum(np.abs(turned), 1e-12)
    ideal = turned[:, None] * (square[:, 0] + 1j * square[:, 1])[None]
    return np.stack([around[..., 0] - ideal.real, around[..., 1] - ideal.imag], axis=-1).ravel()


def _fitted(points_px: Points, places_mm: Points) -> Homography | None:
    matrix, _ = cv2.findHomography(points_px, places_mm, 0)
    if matrix is None or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
        return None
    found = Homography(np.asarray(matrix, np.float64))
    misfit = np.linalg.norm(found.to_mm(points_px) - places_mm, axis=1)
    return found if float(np.sqrt(np.mean(misfit**2))) < WORST_FIT_MM else None


def transform(matrix: npt.NDArray[np.float64], points: npt.ArrayLike) -> Points:
    """Points (n, 2) through a homography (3, 3)."""
    flat = np.asarray(points, np.float64).reshape(-1, 2)
    full = flat @ matrix[:, :2].T + matrix[:, 2]
    return full[:, :2] / full[:, 2:]


def _outer(layout: Mapping[int, Corners]) -> Points:
    # Printed with its own top edge along the table's top edge, marker k has the table's corner k at its own corner k.
    return np.array([layout[number][index] for index, number in enumerate(CORNER_IDS)])


def _area(polygon: Points) -> float:
    """Signed area, positive for clockwise as seen in the picture."""
    x, y = polygon[:, 0], polygon[:, 1]
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) / 2)

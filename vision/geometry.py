"""Table geometry: from pixels to millimetres and back, by the four corner markers.

People stick the markers anywhere as a rough rectangle, so their distances are unknown. What is known is the size of
each marker: four small squares of the same side in four places fix the homography, and with it all distances.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.tags import CORNER_IDS
from vision.fiducials import Corners
from vision.lens import Homography, Points, Radial
from vision.survey import WORST_FIT_MM, outer, survey

NEEDED = 3
"""Corner markers that must be seen to place a table that is known."""
SHARP_PX = 1.0
"""Corners that lie closer to their running mean than this are the same corners, seen again by an unmoved camera."""
MEAN_OF = 8


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
        self._lens = Radial()
        self._misfits = 0
        self._looks = 1

    @property
    def outline_mm(self) -> Points | None:
        """Outer corners of the four markers, (4, 2), clockwise from the origin; None before they were all seen."""
        return outer(self._layout_mm) if self._layout_mm else None

    def refresh(self, seen: Mapping[int, Corners], size_px: tuple[int, int]) -> Refresh:
        """Renews the homography from the markers of one look.

        A marker hidden since the camera moved would drag the table along with where it was: only what is seen in
        this very look counts, corners of an unmoved camera being averaged over looks.

        Args:
            seen: corners in px by id; other ids are passed over.
            size_px: width and height of the picture.
        """
        seen = {number: seen[number] for number in CORNER_IDS if number in seen}
        self.corners_seen = tuple(seen)
        moved_px = self._moved_px(seen)
        if self._layout_mm and len(seen) < NEEDED:
            return Refresh(False, moved_px, f"only {len(seen)} of the table's corner markers can be seen")
        if not self._layout_mm and len(seen) < len(CORNER_IDS):
            missing = ", ".join(str(number) for number in CORNER_IDS if number not in seen)
            return Refresh(False, reason=f"corner marker {missing} was never seen")
        mean = self._averaged(seen)
        found = self._placed(mean)
        looks = min(self._mean_px[number][0] for number in seen)
        if found is not None and len(seen) == len(CORNER_IDS) and self._looks < looks:
            # The first survey rests on one noisy look; each doubling of the mean makes a better one.
            self._looks = 2 * looks if looks < MEAN_OF else MEAN_OF
            found = self._surveyed(mean, size_px) or found
        if found is None and len(mean) == len(CORNER_IDS):
            # All four are seen and don't fit what is known: somebody stuck a marker elsewhere, or the first look
            # was bad. Believed when it is seen again.
            self._misfits += 1
            if not self._layout_mm or self._misfits >= 3:
                found = self._surveyed(mean, size_px)
        if found is None:
            return Refresh(False, moved_px, "the corner markers don't lie as they did")
        self._misfits = 0
        self.homography = found
        return Refresh(True, moved_px)

    def _moved_px(self, seen: Mapping[int, Corners]) -> float:
        if self.homography is None or not seen:
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
        return _fitted(np.concatenate(list(corners_px.values())), places, self._lens)

    def _surveyed(self, corners_px: Mapping[int, Corners], size_px: tuple[int, int]) -> Homography | None:
        """Measures the layout of all four markers, and takes it for known if it makes sense."""
        found = survey(corners_px, self._corner_mm, size_px)
        if found is None:
            return None
        layout = {number: found.to_mm(corners) for number, corners in corners_px.items()}
        if self._size_mm is not None:
            width, height = self._size_mm
            frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
            fix = cv2.getPerspectiveTransform(outer(layout).astype(np.float32), frame)
            found = Homography(np.asarray(fix, np.float64) @ found.px_to_mm, found.lens)
            layout = {number: found.to_mm(corners) for number, corners in corners_px.items()}
        self._layout_mm, self._lens = layout, found.lens
        return found


def _fitted(points_px: Points, places_mm: Points, lens: Radial) -> Homography | None:
    matrix, _ = cv2.findHomography(lens.straight(points_px), places_mm, 0)
    if matrix is None or not np.isfinite(matrix).all() or abs(np.linalg.det(matrix)) < 1e-12:
        return None
    found = Homography(np.asarray(matrix, np.float64), lens)
    misfit = np.linalg.norm(found.to_mm(points_px) - places_mm, axis=1)
    return found if float(np.sqrt(np.mean(misfit**2))) < WORST_FIT_MM else None

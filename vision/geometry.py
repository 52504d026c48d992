"""Table geometry: from pixels to millimetres and back, by the four corner markers.

People stick the markers anywhere as a rough rectangle, so their distances are unknown. What is known is the size of
each marker: small squares of the same side in four places, or in three, fix the homography, and with it all distances.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.tags import CORNER_IDS
from vision.fiducials import Corners
from vision.lens import Homography, Points, Radial, transform
from vision.survey import NEEDED, fourth, outer, survey

PATIENT_FOR_FOURTH = 3
"""Number of looks after which three corner markers will do where the fourth can't be found."""
FIT_MM = 1.5
"""A corner that lies so far from its place was misread, or its marker has been moved."""
GOOD_SURVEY_MM = 0.8
POOR_SURVEY_MM = 3.0
PATIENT_LOOKS = 6
"""In a good survey every corner fits its square as well as this; after so many looks without one a poor one will do."""
ASTRAY_LOOKS = 3
"""A marker seen elsewhere in so many looks was stuck there by somebody."""
SHARP_PX = 1.0
"""Corners that lie closer to their running mean than this are the same corners, seen again by an unmoved camera."""
MEAN_OF = 8


@dataclass(frozen=True, slots=True)
class Refresh:
    """What new corners meant for the table.

    Attributes:
        accepted: the homography was renewed.
        moved_px: how far nearly all known corners moved in the picture at least; 0 where nothing was known before.
        surveyed: the table was measured anew, so that everything lies at slightly other millimetres.
        reason: why it was not accepted, in words.
    """

    accepted: bool
    moved_px: float = 0.0
    surveyed: bool = False
    reason: str = ""


class Table:
    """The table frame: origin at the outer corner of marker 0, x towards the outer corner of marker 1.

    Args:
        corner_mm: side of the black square of each corner marker.
        size_mm: width and height between the outer corners of the markers, if somebody measured them; otherwise
            they are derived from `corner_mm`.

    Attributes:
        homography: the newest good one, None until four markers were seen, or three for a while.
        corners_seen: ids of the corner markers in the newest look.
        looks_short: number of looks since all corner markers were seen.
    """

    def __init__(self, corner_mm: float = 50.0, size_mm: tuple[float, float] | None = None) -> None:
        self.homography: Homography | None = None
        self.corners_seen: tuple[int, ...] = ()
        self.looks_short = 0
        self._corner_mm = corner_mm
        self._size_mm = size_mm
        self._layout_mm: dict[int, Corners] = {}
        self._mean_px: dict[int, tuple[int, Corners]] = {}
        self._lens = Radial()
        self._misfits = 0
        self._looks = 1
        self._surveys = 0
        self._astray: Counter[int] = Counter()

    @property
    def outline_mm(self) -> Points | None:
        """Outer corners of the four markers, (4, 2), clockwise from the origin; None while they are unknown."""
        return outer(self._layout_mm) if self._layout_mm else None

    @property
    def corners_unknown(self) -> tuple[int, ...]:
        """Ids of corner markers without which the table had to be placed; empty while it isn't placed."""
        return tuple(number for number in CORNER_IDS if number not in self._layout_mm) if self._layout_mm else ()

    def missing_px(self, seen: Mapping[int, Corners]) -> dict[int, Corners | None]:
        """About where those corner markers must lie that were not seen, (4, 2) in px; None where nothing tells."""
        missing: dict[int, Corners | None] = {}
        others = {number: seen[number] for number in CORNER_IDS if number in seen}
        for number in (number for number in CORNER_IDS if number not in seen):
            missing[number] = None
            if self.homography is not None and number in self._layout_mm:
                missing[number] = self.homography.to_px(self._layout_mm[number])
            elif len(others) == NEEDED:
                missing[number] = fourth(others, number)
        return missing

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
        all_seen = len(seen) == len(CORNER_IDS)
        self.looks_short = 0 if all_seen else self.looks_short + 1
        moved_px = self._moved_px(seen)
        if len(seen) < NEEDED:
            return Refresh(False, moved_px, reason=f"only {len(seen)} of the table's corner markers can be seen")
        if not (self._layout_mm or all_seen or self.looks_short >= PATIENT_FOR_FOURTH):
            missing = ", ".join(str(number) for number in CORNER_IDS if number not in seen)
            return Refresh(False, reason=f"corner marker {missing} was never seen")
        mean = self._averaged(seen)
        looks = min(self._mean_px[number][0] for number in seen)
        found = self._placed(mean)
        self._misfits = 0 if found else self._misfits + 1
        # The first survey rests on one noisy look; each doubling of the mean makes a better one. If nothing fits any
        # longer, somebody has stuck the markers anew.
        better = found is not None and self._looks < looks
        lost = found is None and (not self._layout_mm or self._misfits >= ASTRAY_LOOKS)
        complete = all_seen and bool(self.corners_unknown)
        surveyed = None
        if complete or ((all_seen or not self._layout_mm or self.corners_unknown) and (better or lost)):
            surveyed = self._surveyed(mean, size_px)
            self._looks = min(2 * looks, MEAN_OF) if surveyed else self._looks
        self.homography = surveyed or found or self.homography
        if not surveyed and not found:
            return Refresh(False, moved_px, reason="the corner markers don't lie as they did, or are blurred")
        return Refresh(True, moved_px, surveyed is not None)

    def _moved_px(self, seen: Mapping[int, Corners]) -> float:
        known = {number: corners for number, corners in seen.items() if number in self._layout_mm}
        if self.homography is None or not known:
            return 0.0
        moves = [
            np.linalg.norm(self.homography.to_px(self._layout_mm[number]) - corners, axis=1)
            for number, corners in known.items()
        ]
        # Not the median: of four markers two may be misread, but a bump moves nearly all of them.
        return float(np.quantile(moves, 0.35))

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
        corners_px = {number: corners for number, corners in corners_px.items() if number in self._layout_mm}
        if len(corners_px) < NEEDED:
            return None
        points = self._lens.straight(np.concatenate(list(corners_px.values())))
        places = np.concatenate([self._layout_mm[number] for number in corners_px])
        matrix, _ = cv2.findHomography(points, places, cv2.RANSAC, FIT_MM)
        if matrix is None or not np.isfinite(matrix).all() or np.linalg.det(matrix) <= 1e-12:
            return None
        found = Homography(np.asarray(matrix, np.float64), self._lens)
        fits = np.linalg.norm(transform(found.px_to_mm, points) - places, axis=1) < FIT_MM
        in_place = fits.reshape(-1, 4).sum(axis=1) >= 3
        if in_place.sum() < NEEDED:
            return None
        for number, good in zip(corners_px, in_place, strict=True):
            self._astray[number] = 0 if good else self._astray[number] + 1
            if self._astray[number] >= ASTRAY_LOOKS:
                self._layout_mm[number] = found.to_mm(corners_px[number])
        return found

    def _surveyed(self, corners_px: Mapping[int, Corners], size_px: tuple[int, int]) -> Homography | None:
        """Measures the layout of the markers, and takes it for known if it makes sense."""
        self._surveys += 1
        result = survey(corners_px, self._corner_mm, size_px)
        limit_mm = GOOD_SURVEY_MM if self._surveys <= PATIENT_LOOKS else POOR_SURVEY_MM
        if result is None or result[1] > limit_mm:
            return None
        found, self._surveys = result[0], 0
        layout = {number: found.to_mm(corners) for number, corners in corners_px.items()}
        if self._size_mm is not None:
            width, height = self._size_mm
            frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
            fix = cv2.getPerspectiveTransform(outer(layout).astype(np.float32), frame)
            found = Homography(np.asarray(fix, np.float64) @ found.px_to_mm, found.lens)
            layout = {number: found.to_mm(corners) for number, corners in corners_px.items()}
        self._layout_mm, self._lens = layout, found.lens
        return found

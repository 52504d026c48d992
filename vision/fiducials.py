"""ArUco markers of the dictionary 5X5_250: table corners, anchors and tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.tags import ARUCO_CELLS
from vision.frame import Picture

Corners = npt.NDArray[np.float64]
"""Corners in px, float64 (4, 2), clockwise from the top left of the tag as printed."""

CELL_TO_WINDOW = 0.75
"""Larger cells than this share of the largest window are hollow after the threshold: the square found is then the one
inside the black border."""
WINDOWS_PX = {False: (13, 13), True: (3, 23)}
"""Smallest and largest window of the adaptive threshold, quick and thorough. One window finds as many large markers
in half the time; several find more of the small ones."""
APART = (0.09, 0.02, 0.2) if hasattr(cv2.aruco, "ArucoDetector") else (0.02, 0.09, 0.005)
"""How far two square outlines must lie apart, as a share of their length, by attempt.

A marker on a piece of paper has several square outlines close to one another: its own, the paper's, a cut line. OpenCV
before 4.7 drops the inner one, which is the marker, unless they need not be far apart; later versions group squares
before they choose, and choose wrongly now and then. Which paper on which table is lost depends on this number, and none
is right for all of them; of 1,200 corners on varied papers, tables and heights the three together lost one."""
ATTEMPTS = len(APART)


class Fiducials:
    """Finds markers in grey pictures. Works with the ArUco interfaces before and since OpenCV 4.7."""

    def __init__(self) -> None:
        self._detect = {
            (thorough, attempt): _detector(*windows, apart)
            for thorough, windows in WINDOWS_PX.items()
            for attempt, apart in enumerate(APART)
        }

    def find_all(self, grey: Picture, thorough: bool = True, attempt: int = 0) -> list[tuple[int, Corners]]:
        """All markers as pairs of id and corners; what lies on the table twice comes twice.

        Args:
            grey: uint8 (H, W), contiguous.
            thorough: try several windows of the adaptive threshold.
            attempt: number of looks that have missed a marker already; each of `ATTEMPTS` looks tries other settings.

        Returns:
            Markers up to 68 px a side, or up to 120 px if thorough; shrink the picture to find larger ones.
        """
        squares, ids, _ = self._detect[thorough, attempt % ATTEMPTS](grey)
        largest_px = CELL_TO_WINDOW * WINDOWS_PX[thorough][1]
        found: list[tuple[int, Corners]] = []
        for number, square in zip([] if ids is None else np.ravel(ids), squares, strict=True):
            corners = np.asarray(square, np.float64).reshape(4, 2)
            if _cell_px(corners) <= largest_px:
                found.append((int(number), refined(grey, corners)))
        return merged(found)

    def find(self, grey: Picture) -> dict[int, Corners]:
        """Corners by id; of an id that comes twice the first one found."""
        best: dict[int, Corners] = {}
        for number, corners in self.find_all(grey):
            best.setdefault(number, corners)
        return best


def merged(markers: list[tuple[int, Corners]]) -> list[tuple[int, Corners]]:
    """The markers without those found twice in one place."""
    once: list[tuple[int, Corners]] = []
    for number, corners in markers:
        if not any(number == other and _same_place(corners, place) for other, place in once):
            once.append((number, corners))
    return once


def refined(grey: Picture, corners_px: Corners) -> Corners:
    """The corners of a marker to a fraction of a pixel.

    OpenCV's detector can do so itself, but with one window for all: on small markers it reaches into the next cell.
    """
    reach = int(np.clip(_cell_px(corners_px) / 2, 2, 6))
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
    points = np.ascontiguousarray(corners_px.reshape(4, 1, 2), np.float32)
    moved = cv2.cornerSubPix(grey, points, (reach, reach), (-1, -1), stop).reshape(4, 2)
    # In noise it may run away; then the detector's own corner is better.
    apart = np.linalg.norm(moved - corners_px, axis=1, keepdims=True)
    return np.asarray(np.where(apart <= reach, moved, corners_px), np.float64)


def _cell_px(corners: npt.NDArray[Any]) -> float:
    return float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean()) / ARUCO_CELLS


def _same_place(one: Corners, other: Corners) -> bool:
    side = float(np.linalg.norm(one[0] - one[2]))
    return bool(np.linalg.norm(one.mean(axis=0) - other.mean(axis=0)) < side / 2)


def _detector(smallest_px: int, largest_px: int, apart: float) -> Callable[[Picture], Any]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    make = getattr(cv2.aruco, "DetectorParameters_create", None) or cv2.aruco.DetectorParameters
    settings = make()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = smallest_px, largest_px
    settings.minMarkerDistanceRate = apart
    # Wood grain bites notches into outlines; with the default of 0.03 such a square has five corners.
    settings.polygonalApproxAccuracyRate = 0.04
    if hasattr(cv2.aruco, "ArucoDetector"):
        return cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers
    return lambda grey: cv2.aruco.detectMarkers(  # type: ignore[attr-defined]
        grey, dictionary, parameters=settings
    )

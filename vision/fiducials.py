"""ArUco markers of the dictionary 5X5_250: table corners, anchors and tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Picture

Corners = npt.NDArray[np.float64]
"""Corners in px, float64 (4, 2), clockwise from the top left of the tag as printed."""


class Fiducials:
    """Finds markers in grey pictures. Works with the ArUco interfaces before and since OpenCV 4.7."""

    def __init__(self) -> None:
        dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
        settings = _settings()
        self._detect: Callable[[Picture], Any]
        if hasattr(cv2.aruco, "ArucoDetector"):
            self._detect = cv2.aruco.ArucoDetector(dictionary, settings).detectMarkers
        else:
            self._detect = lambda grey: cv2.aruco.detectMarkers(grey, dictionary, parameters=settings)

    def find_all(self, grey: Picture) -> list[tuple[int, Corners]]:
        """All markers as pairs of id and corners; an id can come twice.

        Args:
            grey: uint8 (H, W), contiguous.
        """
        found, ids, _ = self._detect(grey)
        if ids is None:
            return []
        # Rejected doubles of one marker are told apart by OpenCV itself; what comes twice lies twice on the table.
        return [
            (int(number), np.asarray(corners, np.float64).reshape(4, 2))
            for number, corners in zip(np.ravel(ids), found, strict=True)
        ]

    def find(self, grey: Picture) -> dict[int, Corners]:
        """Corners by id; of an id that comes twice the larger marker."""
        best: dict[int, Corners] = {}
        for number, corners in self.find_all(grey):
            if number not in best or _area(corners) > _area(best[number]):
                best[number] = corners
        return best


def _area(corners: Corners) -> float:
    return float(cv2.contourArea(corners.astype(np.float32)))


def _settings() -> Any:
    make = getattr(cv2.aruco, "DetectorParameters_create", None) or cv2.aruco.DetectorParameters
    settings = make()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # A sharp marker on white paper on a dark table has two square outlines close to one another; the default of
    # 0.05 then drops the inner one, which is the marker.
    settings.minMarkerDistanceRate = 0.02
    return settings

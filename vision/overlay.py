"""The camera's picture with what was understood drawn into it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame, Picture
from vision.watcher import Watcher

Colour = tuple[int, int, int]

# Blue, green, red.
ZONE: Colour = (220, 160, 40)
SEEN: Colour = (60, 200, 60)
COVERED: Colour = (60, 170, 240)
STRANGE: Colour = (60, 60, 230)
CORNER: Colour = (200, 60, 200)


def drawn(frame: Frame, watcher: Watcher) -> Picture:
    """A copy of a frame with zones, tags and table corners.

    Zones are outlined blue with their names; pieces green with theirs, orange where they are covered; strange tags
    red with what is wrong with them; the table's outline purple.

    Args:
        frame: the newest frame that the watcher looked at.
        watcher: knows what lies there.

    Returns:
        BGR (H, W, 3), uint8.
    """
    picture = cv2.cvtColor(frame.main, cv2.COLOR_GRAY2BGR) if frame.main.ndim == 2 else frame.main.copy()
    brush = _Brush(picture, max(1, round(frame.size[0] / 1200)))
    table, outline = watcher.table.homography, watcher.table.outline_mm
    if table is not None and outline is not None:
        brush.polygon(table.to_px(outline), CORNER)
        for zone, polygon in watcher.zones.placed:
            brush.polygon(table.to_px(polygon), ZONE)
            brush.text(table.to_px(polygon)[0], zone.id, ZONE)
    else:
        brush.text(np.array([20.0, 40.0]), "table corners not found", STRANGE)
    for track in watcher.tracks:
        if track.piece is not None and not track.kind:
            colour, label = SEEN if track.in_sight else COVERED, track.piece.id
        else:
            colour, label = STRANGE, track.kind
        brush.polygon(track.corners_px, colour)
        brush.line(track.corners_px[0], track.corners_px[1], colour)
        brush.text(track.corners_px[np.argmax(track.corners_px[:, 1])] + (0, 12 * brush.width), label, colour)
    return picture  # type: ignore[return-value]


class _Brush:
    def __init__(self, picture: npt.NDArray[Any], width: int) -> None:
        self.picture = picture
        self.width = width

    def polygon(self, points: npt.NDArray[np.float64], colour: Colour) -> None:
        cv2.polylines(self.picture, [np.round(points).astype(np.int32)], True, colour, self.width, cv2.LINE_AA)

    def line(self, start: npt.NDArray[np.float64], end: npt.NDArray[np.float64], colour: Colour) -> None:
        """The tag's top edge, so that one sees how it lies."""
        ends = np.round([start, end]).astype(int)
        cv2.line(self.picture, ends[0].tolist(), ends[1].tolist(), colour, 3 * self.width, cv2.LINE_AA)

    def text(self, at: npt.NDArray[np.float64], text: str, colour: Colour) -> None:
        place = (round(float(at[0])), round(float(at[1])))
        for tint, width in (((20, 20, 20), 3 * self.width), (colour, self.width)):
            # A dark rim keeps it readable on cards and wood alike.
            cv2.putText(
                self.picture, text, place, cv2.FONT_HERSHEY_SIMPLEX, 0.42 * self.width, tint, width, cv2.LINE_AA
            )

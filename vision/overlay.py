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
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def drawn(frame: Frame, watcher: Watcher) -> Picture:
    """A copy of a frame with zones, tags and table corners.

    Zones are outlined blue, with the last part of their names in their first corner; pieces green with their names,
    orange where they are covered; strange tags red with what is wrong with them; the table's outline purple. Pieces
    that are printed on a sheet have no name, since their zones have.

    Args:
        frame: the newest frame that the watcher looked at.
        watcher: knows what lies there.

    Returns:
        BGR (H, W, 3), uint8.
    """
    picture = cv2.cvtColor(frame.main, cv2.COLOR_GRAY2BGR) if frame.main.ndim == 2 else frame.main.copy()
    brush = Brush(picture, max(1, round(frame.size[0] / 1200)))
    table, outline = watcher.table.homography, watcher.table.outline_mm
    for track in watcher.tracks:
        if track.piece is not None and not track.kind:
            colour, label = SEEN if track.in_sight else COVERED, "" if track.piece.fixed else track.piece.id
        else:
            colour, label = STRANGE, track.kind
        brush.tag(track.corners_px, label, colour)
    if table is not None and outline is not None:
        brush.polygon(table.to_px(outline), CORNER)
        for zone, polygon in watcher.zones.placed:
            brush.zone(table.to_px(polygon), zone.id, ZONE)
    else:
        brush.text(np.array([200.0, 40.0]), "table corners not found", STRANGE)
    brush.write()
    return picture  # type: ignore[return-value]


class Brush:
    """Draws lines and names into a picture.

    Args:
        picture: BGR (H, W, 3), uint8; it is changed.
        width: of lines, in px; letters grow with it.
    """

    def __init__(self, picture: npt.NDArray[Any], width: int) -> None:
        self.picture = picture
        self.width = width
        self._texts: list[tuple[str, Colour, tuple[int, int, int, int]]] = []

    def tag(self, corners_px: npt.NDArray[np.float64], label: str, colour: Colour) -> None:
        """A tag with a thick top edge, and its name below it."""
        self.polygon(corners_px, colour)
        self.line(corners_px[0], corners_px[1], colour)
        self.text(np.array([corners_px[:, 0].mean(), corners_px[:, 1].max() + 8 * self.width]), label, colour)

    def zone(self, corners_px: npt.NDArray[np.float64], name: str, colour: Colour) -> None:
        """A zone with the last part of its name in its first corner."""
        self.polygon(corners_px, colour)
        inwards = corners_px.mean(axis=0) - corners_px[0]
        at = corners_px[0] + inwards * 16 * self.width / np.hypot(*inwards)
        self.text(at, name.split("/")[-1], colour)

    def polygon(self, points: npt.NDArray[np.float64], colour: Colour) -> None:
        """A closed line."""
        cv2.polylines(self.picture, [np.round(points).astype(np.int32)], True, colour, self.width, cv2.LINE_AA)

    def line(self, start: npt.NDArray[np.float64], end: npt.NDArray[np.float64], colour: Colour) -> None:
        """A thick line; a tag's top edge, so that one sees how it lies."""
        ends = np.round([start, end]).astype(int)
        cv2.line(self.picture, ends[0].tolist(), ends[1].tolist(), colour, 3 * self.width, cv2.LINE_AA)

    def text(self, middle: npt.NDArray[np.float64], text: str, colour: Colour) -> None:
        """Keeps a text for `write`; it goes below those that were there before and are in its way."""
        if not text:
            return
        size, base = cv2.getTextSize(text, _FONT, self._scale, self.width)
        width, height = size[0] + 2 * self.width, size[1] + base + self.width
        left, top = round(float(middle[0]) - width / 2), round(float(middle[1]) - height / 2)
        for _, _, (a, b, c, d) in sorted(self._texts, key=lambda other: other[2][1]):
            if left < c and left + width > a and top < d and top + height > b:
                top = d
        self._texts.append((text, colour, (left, top, left + width, top + height)))

    def write(self) -> None:
        """Writes the texts, above all lines, each on a dark ground: it is to be read on cards, paper and wood alike."""
        for _, _, (left, top, right, bottom) in self._texts:
            ground = self.picture[max(0, top) : max(0, bottom), max(0, left) : max(0, right)]
            ground[:] = ground // 4
        for text, colour, (left, _, _, bottom) in self._texts:
            _, base = cv2.getTextSize(text, _FONT, self._scale, self.width)
            foot = (left + self.width, bottom - base)
            cv2.putText(self.picture, text, foot, _FONT, self._scale, colour, self.width, cv2.LINE_AA)

    @property
    def _scale(self) -> float:
        return 0.3 * self.width

"""Scanning: all tags in a frame or in parts of it, whatever they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from companion.core.tags import CORNER_IDS, ArucoTag, QrTag, Tag
from vision.change import Box
from vision.fiducials import ATTEMPTS, Corners, Fiducials, merged, refined
from vision.frame import Frame, Picture
from vision.reading import Reader, oriented

COARSE_PX = 1100
"""About so wide a picture is enough to find table corners and anchors, at a fifth of the time."""

MIRRORED = 2
"""Number of corner markers in the mirrored picture that are no accident."""
CORNER_PX = 60.0
"""A corner marker of this side is found most surely."""
CORNER_SCALES = (1.0, 0.6, 2.0)
"""Scales at which it is looked for, as shares of that."""
AROUND = 3.0
"""How far round its place a missing corner marker is looked for, in lengths of its side."""

Stack = Sequence[Picture]
"""Grey pictures (H, W) uint8 of the same thing, whose mean has less noise."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """One tag in a frame.

    Attributes:
        tag: what it says.
        corners_px: float64 (4, 2), clockwise from its own top left.
    """

    tag: Tag
    corners_px: Corners


class Scanner:
    """Reads both kinds of tags.

    Args:
        reader: of QR codes.
        fiducials: of ArUco markers.
    """

    def __init__(self, reader: Reader, fiducials: Fiducials) -> None:
        self.reader = reader
        self.fiducials = fiducials

    def codes(self, frame: Frame, enlarge: int = 2, thorough: bool = False, stack: Stack = ()) -> list[Found]:
        """All QR codes in a whole frame, or in the sharpened mean of a stack of frames."""
        grey = _mean(stack) if stack else frame.grey
        readings = self.reader.read(grey, enlarge, thorough, sharpen=bool(stack))
        return [Found(QrTag(r.text), oriented(r, frame.grey).corners_px) for r in readings]

    def markers(self, frame: Frame, fine: bool, thorough: bool = False) -> list[Found]:
        """All markers in a whole frame.

        Args:
            frame: the picture.
            fine: also those of tokens; otherwise the large ones of corners and anchors alone.
            thorough: look for those of tokens in several ways.
        """
        factor = _coarse(frame)
        found = self._markers(frame.grey, factor)
        if fine and factor > 1:
            found = merged(found + self._markers(frame.grey, factor // 2, thorough))
        return [Found(ArucoTag(number), corners) for number, corners in found]

    def missing_corners(self, frame: Frame, missing: Mapping[int, Corners | None], attempt: int) -> list[Found]:
        """Table corners that a search of the whole frame has missed.

        Args:
            frame: the picture.
            missing: their numbers, with about where they must lie, (4, 2) in px; None: anywhere.
            attempt: number of looks that have missed one already.
        """
        found: list[tuple[int, Corners]] = []
        for number, place in missing.items():
            if place is not None:
                found += [one for one in self._corner_near(frame, place) if one[0] == number]
        if any(place is None for place in missing.values()):
            # Each look tries another setting and another scale, since one alone may miss it again and again.
            factor = max(1, _coarse(frame) * (2, 4, 1)[attempt % 3] // 2)
            wider = self._markers(frame.grey, factor, True, attempt + 1)
            found += [one for one in wider if one[0] in missing]
        return [Found(ArucoTag(number), corners) for number, corners in merged(found)]

    def mirrored(self, frame: Frame) -> bool:
        """Whether the picture shows the table's corner markers mirrored. QR codes are read all the same."""
        found = self._markers(np.ascontiguousarray(frame.grey[:, ::-1]), _coarse(frame))
        return len({number for number, _ in found} & set(CORNER_IDS)) >= MIRRORED

    def _corner_near(self, frame: Frame, place_px: Corners) -> list[tuple[int, Corners]]:
        """Markers round a place, looked for with each setting and at two scales until there is one."""
        side = float(np.linalg.norm(place_px - np.roll(place_px, 1, axis=0), axis=1).mean())
        low = np.maximum(place_px.min(axis=0) - AROUND * side, 0).astype(int)
        high = np.maximum(place_px.max(axis=0) + AROUND * side, 0).astype(int)
        crop = np.ascontiguousarray(frame.grey[low[1] : high[1], low[0] : high[0]])
        if min(crop.shape) < 8:
            return []
        for scale in CORNER_SCALES:
            shrink = CORNER_PX * scale / side
            how = cv2.INTER_AREA if shrink < 1 else cv2.INTER_CUBIC
            sized = cv2.resize(crop, None, fx=shrink, fy=shrink, interpolation=how)
            for attempt in range(ATTEMPTS):
                found = self.fiducials.find_all(sized, attempt=attempt)  # type: ignore[arg-type]
                if found:
                    return [(number, refined(crop, (corners + 0.5) / shrink - 0.5) + low) for number, corners in found]
        return []

    def parts(
        self, frame: Frame, boxes: Iterable[Box], enlarge: int = 2, thorough: bool = False, stack: Stack = ()
    ) -> list[Found]:
        """All tags of both kinds in parts of a frame.

        Args:
            frame: the picture.
            boxes: the parts.
            enlarge: factor before reading codes.
            thorough: where nothing is found, ask all decoders.
            stack: if given, look for markers in several ways, since one that is found may have a neighbour that isn't;
                and where nothing is found, try the sharpened mean of these pictures.
        """
        found = []
        factor = max(1, _coarse(frame) // 2)
        for left, top, right, bottom in boxes:
            crop = np.ascontiguousarray(frame.grey[top:bottom, left:right])
            if min(crop.shape) < 8 * factor:
                continue
            corner = np.array((left, top), np.float64)
            # Markers are found no better on an enlargement, but five times as slowly.
            readings, markers = self.reader.read(crop, enlarge), self._markers(crop, factor, bool(stack))
            if stack and not readings and not markers:
                mean = _mean([grey[top:bottom, left:right] for grey in stack])
                readings = self.reader.read(mean, enlarge, sharpen=True)
            if thorough and not readings and not markers:
                readings = self.reader.read(crop, enlarge, thorough=True)
            found += [Found(QrTag(r.text), oriented(r, crop).corners_px + corner) for r in readings]
            found += [Found(ArucoTag(number), corners + corner) for number, corners in markers]
        return found

    def _markers(
        self, grey: Picture, factor: int, thorough: bool = False, attempt: int = 0
    ) -> list[tuple[int, Corners]]:
        if min(grey.shape) < factor:
            return []
        if factor == 1:
            return self.fiducials.find_all(grey, thorough, attempt)
        small = cv2.resize(grey, (grey.shape[1] // factor, grey.shape[0] // factor), interpolation=cv2.INTER_AREA)
        return [
            (number, refined(grey, (corners + 0.5) * factor - 0.5))
            for number, corners in self.fiducials.find_all(small, thorough, attempt)  # type: ignore[arg-type]
        ]


def _coarse(frame: Frame) -> int:
    """By how much a frame is shrunk to search it for large markers."""
    factor = 1
    while frame.size[0] / factor > COARSE_PX * 1.25:
        factor *= 2
    return factor


def _mean(stack: Stack) -> Picture:
    total = np.zeros(stack[0].shape, np.float32)
    for grey in stack:
        cv2.accumulate(grey, total)
    return cv2.convertScaleAbs(total, alpha=1 / len(stack))  # type: ignore[return-value]

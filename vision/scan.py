"""Scanning: all tags in a frame or in parts of it, whatever they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.tags import ArucoTag, QrTag, Tag
from vision.change import Box
from vision.closed_world import NAME, ClosedWorld, MayLie
from vision.fiducials import Corners, Fiducials, merged, refined
from vision.frame import Frame, Picture
from vision.lens import Homography
from vision.reading import Reader, oriented

COARSE_PX = 1100
"""About so wide a picture is enough to find table corners and anchors, at a fifth of the time."""


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


@dataclass(frozen=True, slots=True, eq=False)
class World:
    """What can lie where.

    Attributes:
        closed: recognises the pieces of the game.
        table: of the frame.
        may_lie: whether a piece is expected where it seems to lie.
    """

    closed: ClosedWorld
    table: Homography
    may_lie: MayLie


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

    def parts(
        self,
        frame: Frame,
        boxes: Iterable[Box],
        enlarge: int = 2,
        thorough: bool = False,
        stack: Stack = (),
        world: World | None = None,
    ) -> list[Found]:
        """All tags of both kinds in parts of a frame.

        Args:
            frame: the picture.
            boxes: the parts.
            enlarge: factor before reading codes.
            thorough: where nothing is found, ask all decoders.
            stack: if given, look for markers in several ways, and try the sharpened mean of these pictures, enlarged
                three and four times: one tag that is found may have a neighbour that isn't.
            world: if given, with a stack, recognise what all this can't read.
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
            if stack:
                mean = _mean([grey[top:bottom, left:right] for grey in stack])
                readings += self.reader.retry(mean, readings)
            if thorough and not readings and not markers:
                readings = self.reader.read(crop, enlarge, thorough=True)
            here = [Found(QrTag(r.text), oriented(r, crop).corners_px) for r in readings]
            here += [Found(ArucoTag(number), corners) for number, corners in markers]
            if stack and world is not None:
                here += self._recognised(mean, corner, world, here)
            found += [Found(one.tag, one.corners_px + corner) for one in here]
        return found

    def _recognised(
        self, grey: Picture, corner_px: npt.NDArray[np.float64], world: World, known: Sequence[Found]
    ) -> list[Found]:
        places = [one.corners_px for one in known]
        found = world.closed.recognise(grey, corner_px, world.table, world.may_lie, places)
        self.reader.counts[NAME] += len(found)
        return [Found(tag, corners) for tag, corners in found]

    def _markers(self, grey: Picture, factor: int, thorough: bool = False) -> list[tuple[int, Corners]]:
        if factor == 1:
            return self.fiducials.find_all(grey, thorough)
        small = cv2.resize(grey, (grey.shape[1] // factor, grey.shape[0] // factor), interpolation=cv2.INTER_AREA)
        return [
            (number, refined(grey, (corners + 0.5) * factor - 0.5))
            for number, corners in self.fiducials.find_all(small, thorough)  # type: ignore[arg-type]
        ]


def _coarse(frame: Frame) -> int:
    """By how much a frame is shrunk to search it for large markers."""
    factor = 1
    while frame.size[0] / factor > COARSE_PX * 1.25:
        factor *= 2
    return factor


def _mean(stack: Stack) -> Picture:
    return np.asarray(np.mean(np.stack(stack), axis=0, dtype=np.float32).round(), np.uint8)

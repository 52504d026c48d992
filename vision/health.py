"""The health of a camera, told from its pictures alone: covered, dark, washed out, frozen, blurred, noise, too small.

Measured on the rendered table in all its rooms: what is called ill here can't be read any more, and what can be read
is not called ill. See `tests/vision/test_health.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame, Picture

EVERY_S = 0.4
"""Between two looks at light and detail; whether the picture is frozen is looked at in each frame."""
EDGES_EVERY_S = 1.2
"""Between two measurements of edges, which take longer."""
BEGINS_S: Mapping[str, float] = {
    "covered": 1.5, "frozen": 3.0, "dark": 3.0, "bright": 3.0, "blurred": 4.0, "noise": 3.0, "size": 0.0, "tiny": 0.0,
}  # fmt: skip
"""So long it must be so, all the time, before it is said: hands pass, exposure and focus need a moment to settle."""
ENDS_S = 0.8
"""And so long it must not be so before it is taken back."""

FLAT = (0.06, 2.0)
"""A covered lens shows no detail: differences of at most this share of the brightness and so many grey levels."""
DARK = (48.0, 60.0)
"""Where the brightest hundredth of the picture, paper and tags, lies below the first level it is too dark; above the
second it is not any more."""
BRIGHT = (192.0, 178.0)
"""The same of the mean, the other way round."""
BLUR_MODULES = (0.6, 0.54)
"""The same of the width of edges, as a share of a tag's module. Several frames together can be read up to 0.5."""
BLUR_PX = (2.6, 2.2)
"""The same in px, where the modules aren't known: nothing that small cards carry can be read then."""
STEEP = 12
"""Only where neighbours in the small picture differ by so many grey levels there is an edge that can be measured."""
GRAIN = 4.0
"""Neighbours in the small picture differ by so many grey levels at least, in the middle, where all is noise ..."""
ALIKE = (0.3, 0.5)
"""... and their differences are correlated by less than the first number with those of the frame before; by more than
the second it is no noise any more. Those of a rendered table are by 0.99 in good light, and by 0.7 in the worst."""
SIZE = 0.02
"""Sizes that differ by less than this share are the driver's rounding."""
_SMALL = 8
_REACH = 2
"""Detail is what stands out from what lies so many px beside it, in a picture that is reduced by so much."""
_CELL = 16
_CELLS = 12
"""Edges are measured in so many cells of so many small px, those with the steepest edges."""
_SHARPER = 3
"""And the mean of so many of them counts: shadows and sleeves have soft edges also where all is sharp."""


class Ailment(StrEnum):
    """What can be wrong with a camera's pictures."""

    COVERED = "covered"
    DARK = "dark"
    BRIGHT = "bright"
    FROZEN = "frozen"
    BLURRED = "blurred"
    NOISE = "noise"
    SIZE = "size"
    TINY = "tiny"


@dataclass(frozen=True, slots=True)
class Light:
    """How bright a frame is and how much there is to be seen, in grey levels of 255.

    Attributes:
        detail: how much the finer parts of the picture stand out.
        mean: mean brightness.
        white: brightness of the brightest hundredth.
    """

    detail: float
    mean: float
    white: float

    @property
    def flat(self) -> bool:
        """There is nothing to be seen in the picture."""
        return self.detail < FLAT[0] * self.mean + FLAT[1]


def light(lores: Picture) -> Light:
    """Measures a small picture."""
    height, width = lores.shape
    small = cv2.resize(lores, (max(1, width // _SMALL), max(1, height // _SMALL)), interpolation=cv2.INTER_AREA)
    bends = _bends(small.astype(np.float32))
    return Light(
        detail=float(np.percentile(bends, 99)) if bends.size else 0.0,
        mean=float(cv2.mean(lores)[0]),
        white=_level(lores, 0.99),
    )


def _bends(picture: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """How far each pixel differs from the mean of two beside it, across and down. An even slope gives nothing."""
    far, inner = 2 * _REACH, slice(_REACH, -_REACH)
    across = picture[inner, inner] - (picture[inner, :-far] + picture[inner, far:]) / 2
    down = picture[inner, inner] - (picture[:-far, inner] + picture[far:, inner]) / 2
    return np.maximum(np.abs(across), np.abs(down))


def edge_px(frame: Frame) -> float | None:
    """How wide the sharper edges of a frame are, in px of the full picture; None where there are none.

    A step that is blurred by a Gaussian of sigma s has the steepest slope height / (s * sqrt(2 pi)): so this is about
    the sigma of the blur. A lens that is in focus gives 0.8 to 1.2.
    """
    lores = frame.lores
    rows, columns = lores.shape[0] // _CELL, lores.shape[1] // _CELL
    if not rows or not columns:
        return None
    steep = np.maximum(
        cv2.absdiff(lores[2 : rows * _CELL, 2 : columns * _CELL], lores[2 : rows * _CELL, : columns * _CELL - 2]),
        cv2.absdiff(lores[2 : rows * _CELL, 2 : columns * _CELL], lores[: rows * _CELL - 2, 2 : columns * _CELL]),
    )
    whole = np.zeros((rows * _CELL, columns * _CELL), np.uint8)
    whole[1:-1, 1:-1] = steep
    steepest = whole.reshape(rows, _CELL, columns, _CELL).max(axis=3).max(axis=1)
    across, down = frame.shrink
    widths = []
    for index in np.argsort(steepest, axis=None)[::-1][:_CELLS]:
        row, column = divmod(int(index), columns)
        if steepest[row, column] < STEEP:
            break
        top, bottom = (round(edge * _CELL / down) for edge in (row, row + 1))
        left, right = (round(edge * _CELL / across) for edge in (column, column + 1))
        widths.append(_width_px(frame.main[top:bottom, left:right]))
    return float(np.mean(sorted(widths)[:_SHARPER])) if widths else None


class CameraHealth:
    """Watches the frames of one camera. Each ailment begins after a while and heals by itself.

    Args:
        asked_px: the size that was asked of the camera, None if none was.
        live: it is a sensor, which never gives the same picture twice. Not so a folder of pictures.

    Attributes:
        light: as measured last, None before the first frame.
        edge_px: the same, None also where there are no edges.
    """

    def __init__(self, asked_px: tuple[int, int] | None = None, live: bool = True) -> None:
        self._asked_px = asked_px
        self._live = live
        self._ills: frozenset[Ailment] = frozenset()
        self._since_s: dict[Ailment, float] = {}
        self._looked_s = self._measured_s = -math.inf
        self._before: Frame | None = None
        self.light: Light | None = None
        self.edge_px: float | None = None

    def look(self, frame: Frame, module_px: float | None = None) -> frozenset[Ailment]:
        """What is wrong at present.

        Args:
            frame: the newest one.
            module_px: px per module of the smallest tag in use, None if that isn't known.
        """
        now = frame.at_s
        if self._before is not None and now < self._before.at_s:
            self.forget()  # another camera, or another clock
        before, self._before = self._before, frame
        if self._live and self.light is not None and not self.light.flat:
            self._judge(Ailment.FROZEN, before is not None and _same(before, frame), now)
        if now - self._looked_s >= EVERY_S:
            self._looked_s = now
            self.light = light(frame.lores)
            if now - self._measured_s >= EDGES_EVERY_S:
                self._measured_s = now
                self.edge_px = edge_px(frame)
            found = self._found(self.light, frame, module_px)
            noise = before is not None and _alike(before, frame) < ALIKE[Ailment.NOISE in self._ills]
            found[Ailment.NOISE], found[Ailment.COVERED] = noise, found[Ailment.COVERED] and not noise
            found[Ailment.TINY] = not frame.legible
            for ailment, wrong in found.items():
                # Of a picture in which nothing can be read, nothing else can be told.
                self._judge(ailment, wrong and (frame.legible or ailment is Ailment.TINY), now)
        return self._ills

    def forget(self) -> None:
        """The camera is gone: nothing is known of it any more."""
        self._ills = frozenset()
        self._since_s = {}
        self._before = None
        self._looked_s = self._measured_s = -math.inf

    def _found(self, found: Light, frame: Frame, module_px: float | None) -> dict[Ailment, bool]:
        """What this frame says of each ailment. A covered lens says nothing of light and focus."""
        blur_px = [share * module_px for share in BLUR_MODULES] if module_px else list(BLUR_PX)
        return {
            Ailment.COVERED: found.flat,
            Ailment.DARK: not found.flat and found.white < DARK[Ailment.DARK in self._ills],
            Ailment.BRIGHT: not found.flat and found.mean > BRIGHT[Ailment.BRIGHT in self._ills],
            Ailment.BLURRED: not found.flat and (self.edge_px or 0.0) > blur_px[Ailment.BLURRED in self._ills],
            Ailment.SIZE: self._asked_px is not None and _differs(frame.size, self._asked_px),
        }

    def _judge(self, ailment: Ailment, wrong: bool, now: float) -> None:
        """Turns an ailment on or off once the opposite of what is said has been so for long enough."""
        if wrong == (ailment in self._ills):
            self._since_s.pop(ailment, None)
            return
        since_s = min(self._since_s.setdefault(ailment, now), now)
        if now - since_s >= (BEGINS_S[ailment] if wrong else ENDS_S):
            del self._since_s[ailment]
            self._ills ^= {ailment}


def _same(one: Frame, other: Frame) -> bool:
    """Whether two pictures are the same, bit by bit. The small ones tell mostly that they aren't."""
    return np.array_equal(one.lores, other.lores) and np.array_equal(one.main, other.main)


def _alike(one: Frame, other: Frame) -> float:
    """How far the grain of two pictures is correlated; as if it were the same where there is hardly any."""
    if one.lores.shape != other.lores.shape:
        return 1.0
    then, now = (np.diff(frame.lores.astype(np.float32), axis=1) for frame in (one, other))
    if not now.size or np.median(np.abs(now)) < GRAIN or not then.any():
        return 1.0
    return float(np.vdot(then, now) / (np.linalg.norm(then) * np.linalg.norm(now)))


def _differs(size_px: tuple[int, int], asked_px: tuple[int, int]) -> bool:
    return any(abs(got - asked) > SIZE * asked for got, asked in zip(size_px, asked_px, strict=True))


def _width_px(part: Picture) -> float:
    grey = np.ascontiguousarray(part if part.ndim == 2 else cv2.cvtColor(part, cv2.COLOR_BGR2GRAY))
    height = _level(grey, 0.98) - _level(grey, 0.02)
    over_two_px = (cv2.absdiff(grey[:, 2:], grey[:, :-2]), cv2.absdiff(grey[2:], grey[:-2]))
    slope = max(_level(difference, 0.995) for difference in over_two_px) / 2
    return height / (math.sqrt(2 * math.pi) * max(0.5, slope))


def _level(picture: npt.NDArray[Any], share: float) -> float:
    """The grey level below which this share of a picture (h, w) uint8 lies; percentiles by sorting take far longer."""
    counts = cv2.calcHist([picture], [0], None, [256], [0, 256])
    return float(np.searchsorted(np.cumsum(counts), share * picture.size))

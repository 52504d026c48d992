"""The change gate: which blocks of the picture changed, which are moving, by the small stream alone.

Everything here is counted in blocks of 4 x 4 small pixels. The mean absolute difference of a block keeps the contrast
of a swapped tag, which a difference of means would lose, and averages the noise.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.frame import Frame, Picture

BLOCK = 4
"""Side of a block in small px; a power of two, because only halving a picture is fast."""
FAINT = 5.0
"""Smallest difference, in grey levels, that counts as a change where the camera has no noise."""
NOISE_OF = 20
"""Number of frames from which the noise is measured."""
GLOBAL = 0.3
"""Share of blocks that change together when the light, and not something on the table, has changed."""

Blocks = npt.NDArray[np.bool_]
"""Mask over the blocks, bool (rows, columns)."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in px of the full picture; right and bottom are outside."""


@dataclass(frozen=True, slots=True)
class Grid:
    """How blocks lie over the full picture.

    Attributes:
        shape: rows and columns of blocks.
        block_px: width and height of a block in px of the full picture.
        size_px: width and height of the full picture.
    """

    shape: tuple[int, int]
    block_px: tuple[float, float]
    size_px: tuple[int, int]

    @classmethod
    def of(cls, frame: Frame) -> Grid:
        """The grid of a frame's two sizes."""
        rows, columns = frame.lores.shape[0] // BLOCK, frame.lores.shape[1] // BLOCK
        across, down = frame.shrink
        return cls((rows, columns), (BLOCK / across, BLOCK / down), frame.size)

    def draw(self, mask: npt.NDArray[np.uint8], polygon_px: npt.NDArray[np.float64]) -> None:
        """Sets the blocks of a mask that a convex polygon touches to 1."""
        cv2.fillConvexPoly(mask, np.floor((polygon_px + 0.5) / self.block_px).astype(np.int32), 1)

    def under(self, polygon_px: npt.NDArray[np.float64]) -> Blocks:
        """Blocks that a convex polygon touches."""
        mask = np.zeros(self.shape, np.uint8)
        self.draw(mask, polygon_px)
        return mask.astype(bool)

    def boxes(self, mask: Blocks, grow: int) -> list[Box]:
        """The connected parts of a mask as boxes of the full picture, grown by so many blocks on each side."""
        kernel = np.ones((2 * grow + 1, 2 * grow + 1), np.uint8)
        count, _, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(mask.astype(np.uint8), kernel))
        across, down = self.block_px
        width, height = self.size_px
        return [
            (
                max(0, int(x * across)),
                max(0, int(y * down)),
                min(width, int((x + w) * across) + 1),
                min(height, int((y + h) * down) + 1),
            )
            for x, y, w, h, _ in stats[1:count]
        ]


@dataclass(frozen=True, slots=True)
class Change:
    """How one frame differs from what has been dealt with.

    Attributes:
        quiet: nothing changed and nothing moves; the masks are then all False.
        moving: blocks that differ from the frame before.
        changed: blocks that differ from what they were when they were last settled.
        everywhere: most blocks changed in a way that is not just brighter or darker.
    """

    quiet: bool
    moving: Blocks
    changed: Blocks
    everywhere: bool = False


class ChangeGate:
    """Compares each frame with the last settled look of each block, and with the frame before.

    The gain of the whole picture is allowed for: exposure control and clouds are no changes.

    Attributes:
        still_since_s: since when each block has been still, float64 (rows, columns).
        reads: how often each changed block was read since it came to rest; kept by the caller.
        noise: mean absolute difference of two pictures of the same thing, in grey levels.
    """

    def __init__(self, grid: Grid, lores: Picture, at_s: float) -> None:
        self.grid = grid
        self.still_since_s = np.full(grid.shape, at_s)
        self.reads = np.zeros(grid.shape, np.uint8)
        self.noise = 1.0
        self._medians = deque([1.0], maxlen=NOISE_OF)
        self._settled = lores.copy()
        self._before = lores
        self._was_quiet = False
        self._nothing = np.zeros(grid.shape, bool)
        self._forced = np.ones(grid.shape, bool)  # at first nothing was dealt with yet

    def update(self, lores: Picture, at_s: float) -> Change:
        """What is new in this frame."""
        before, self._before = self._before, lores
        difference = self._blocks(cv2.absdiff(lores, self._settled))
        changed = _without_specks(difference > self._threshold)
        unforced = not self._forced.any()
        if unforced and not changed.any():
            if self._was_quiet:
                return Change(True, self._nothing, self._nothing)
        else:
            changed = self._apart_from_gain(lores, difference)
        everywhere = bool(changed.mean() > GLOBAL)
        since_before = self._blocks(cv2.absdiff(lores, before))
        moving = _without_specks(since_before > self._threshold)
        # The median doesn't care what moves, and the smallest of many not for a change of light. But a dimmer lamp's
        # noise may not look like motion for ever, so it is measured also while nothing is quiet.
        if lores is not before:
            self._medians.append(float(np.median(since_before)))
            self.noise = min(self._medians)
        self._was_quiet = unforced and not changed.any() and not moving.any()
        self.still_since_s[moving] = at_s
        self.reads[moving] = 0
        changed |= self._forced
        return Change(self._was_quiet, moving, changed, everywhere)

    def settle(self, lores: Picture, mask: Blocks) -> None:
        """Takes these blocks as dealt with: from now on they are compared with how they look in this frame."""
        if not mask.any():
            return
        self._forced &= ~mask
        self.reads[mask] = 0
        if mask.all():
            self._settled = lores.copy()
            return
        rows, columns = mask.shape[0] * BLOCK, mask.shape[1] * BLOCK
        fine = np.repeat(np.repeat(mask, BLOCK, axis=0), BLOCK, axis=1)
        np.copyto(self._settled[:rows, :columns], lores[:rows, :columns], where=fine)

    def force(self) -> None:
        """Takes every block as changed, whatever it looks like."""
        self._forced[:] = True
        self.reads[:] = 0

    @property
    def _threshold(self) -> float:
        return FAINT + 1.5 * self.noise

    def _apart_from_gain(self, lores: Picture, difference: npt.NDArray[np.uint8]) -> Blocks:
        now, then = self._blocks(lores).astype(np.float32) + 1.0, self._blocks(self._settled).astype(np.float32) + 1.0
        gain = float(np.median(now / then))
        if abs(gain - 1.0) > 0.015:
            self._settled = cv2.convertScaleAbs(self._settled, alpha=gain)  # type: ignore[assignment]
            difference = self._blocks(cv2.absdiff(lores, self._settled))
        return _without_specks(difference > self._threshold)

    def _blocks(self, lores: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        rows, columns = self.grid.shape
        part = lores[: rows * BLOCK, : columns * BLOCK]
        half = cv2.resize(part, (columns * 2, rows * 2), interpolation=cv2.INTER_AREA)
        return cv2.resize(half, (columns, rows), interpolation=cv2.INTER_AREA)  # type: ignore[return-value]


def _without_specks(mask: Blocks) -> Blocks:
    """The mask without lone blocks, which are noise: even a token covers several."""
    if not mask.any():
        return mask
    neighbours = cv2.boxFilter(mask.astype(np.uint8), -1, (3, 3), normalize=False, borderType=cv2.BORDER_CONSTANT)
    return np.asarray(mask & (neighbours > 1))

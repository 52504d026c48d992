"""Where tags seem to lie, though nothing can be read there: by what all of a kind have in common."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Plane = npt.NDArray[np.float64]
"""float64 (2, 2): px of the picture for a step of one cell across and one down, whatever way the tag is turned."""

COARSE_PX = 0.8
FINE_PX = 1.25
"""Width of a cell in the two pictures that are searched, or its own if that is smaller."""
LENS_PX = 0.9
"""Blur of a usual picture."""
TURNS = 48
"""A full turn, in so many steps; divisible by 4."""
SEARCH_PX = 2
PEAKS = 14
"""So many places of the coarse picture are looked at in the fine one."""
SHADINGS = (5.0, 2.5)
"""Light that changes over so many cells, and contrast too, is made even before the search: else a lamp's reflection or
a finger's edge is all that counts. The first is better for what is blurred, the second for what is partly covered."""
FAINT = 0.01
"""Contrast, in shares of white, that is not made any stronger."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A place that looks like a tag.

    Attributes:
        at_px: its middle, x and y.
        angle: its turn in the plane, radians.
        likeness: correlation with what all tags have in common.
    """

    at_px: npt.NDArray[np.float64]
    angle: float
    likeness: float


class Locator:
    """Finds tags of one kind and size.

    Args:
        common: mean of all of them, cell by cell with the quiet zone, white 1; float32 (n, n).
        px: width of a cell.
        shading: one of `SHADINGS`.
    """

    def __init__(self, common: Floats, px: float, shading: float = SHADINGS[0]) -> None:
        self._shading = shading
        self._side = len(common)
        self._px = px
        # Turned by quarters they are so much alike that the coarse search needn't tell them apart.
        quarters = np.asarray(np.mean([np.rot90(common, k) for k in range(4)], axis=0), np.float32)
        self._coarse_px, self._fine_px = min(px, COARSE_PX), min(px, FINE_PX)
        self._coarse, mask = _turned(quarters, self._coarse_px, LENS_PX / px, shading, TURNS // 4)
        self._mask = mask.mean(axis=0)
        self._fine, self._masks = _turned(common, self._fine_px, LENS_PX / px, shading, TURNS)

    def candidates(self, picture: Floats, plane: Plane, most: int = 12) -> list[Candidate]:
        """The places that look most like tags, the best first.

        Args:
            picture: float32 (H, W), linear light.
            plane: scale and lean of the table there; its scale is that of the locator.
            most: how many; a place may come in several turns.
        """
        coarse, from_coarse = _upright(picture, plane, self._coarse_px)
        fine, from_fine = _upright(picture, plane, self._fine_px)
        coarse, fine = even(coarse, self._shading * self._coarse_px), even(fine, self._shading * self._fine_px)
        found: list[Candidate] = []
        for at, turn in self._peaks(coarse):
            at_px = from_coarse[:, :2] @ at + from_coarse[:, 2]
            spot = np.linalg.inv(from_fine[:, :2]) @ (at_px - from_fine[:, 2])
            found += [
                Candidate(from_fine[:, :2] @ place + from_fine[:, 2], 2 * math.pi * step / TURNS, likeness)
                for likeness, step, place in self._best_turns(fine, np.rint(spot).astype(np.int64), turn)
            ]
        return sorted(found, key=lambda one: -one.likeness)[:most]

    def _peaks(self, coarse: Floats) -> list[tuple[npt.NDArray[np.float64], int]]:
        """Middles of the most likely places, and their turns but for quarters."""
        reach = self._coarse.shape[1] // 2
        padded = cv2.copyMakeBorder(coarse, reach, reach, reach, reach, cv2.BORDER_REFLECT)
        area = float(self._mask.sum())
        sums = cv2.filter2D(coarse, -1, self._mask, borderType=cv2.BORDER_REFLECT)
        squares = cv2.filter2D(coarse * coarse, -1, self._mask, borderType=cv2.BORDER_REFLECT)
        spread = np.sqrt(np.maximum(squares - sums * sums / area, area * 1e-5))
        likenesses = np.stack([cv2.matchTemplate(padded, view, cv2.TM_CCORR) for view in self._coarse]) / spread
        best = likenesses.max(axis=0)
        size = 2 * round(self._side * self._coarse_px * 0.3) + 1
        rows, columns = np.nonzero(best == cv2.dilate(best, np.ones((size, size), np.uint8)))
        order = np.argsort(best[rows, columns])[::-1][:PEAKS]
        return [
            (np.array((columns[i], rows[i]), np.float64), int(likenesses[:, rows[i], columns[i]].argmax()))
            for i in order
        ]

    def _best_turns(
        self, fine: Floats, spot: npt.NDArray[np.int64], turn: int
    ) -> list[tuple[float, int, npt.NDArray[np.float64]]]:
        """Likeness, turn and middle of the best poses near a spot, one for each quarter that is worth a look."""
        reach = self._fine.shape[1] // 2
        pad = reach + SEARCH_PX
        rows = np.clip(np.arange(-pad, pad + 1) + spot[1], 0, fine.shape[0] - 1)
        columns = np.clip(np.arange(-pad, pad + 1) + spot[0], 0, fine.shape[1] - 1)
        window = fine[np.ix_(rows, columns)]
        window = window - window.mean()
        size = 2 * reach + 1
        shifts = np.lib.stride_tricks.sliding_window_view(window, (size, size)).reshape(-1, size * size)
        steps = (turn + np.arange(-1, 2)[:, None] + TURNS // 4 * np.arange(4)) % TURNS  # (3, 4)
        mask = self._masks[steps[1, 0]].reshape(-1, 1)
        sums, squares, area = product(shifts, mask), product(shifts * shifts, mask), float(mask.sum())
        spread = np.sqrt(np.maximum(squares - sums * sums / area, area * 1e-5))
        views = self._fine[steps.ravel()].reshape(steps.size, -1)
        likeness = (product(shifts, views.T) / spread).reshape(-1, *steps.shape)
        found: list[tuple[float, int, npt.NDArray[np.float64]]] = []
        for quarter in range(4):
            shift, off = np.unravel_index(int(likeness[:, :, quarter].argmax()), likeness.shape[:2])
            row, column = divmod(int(shift), 2 * SEARCH_PX + 1)
            at = np.asarray(spot + np.array((column, row)) - SEARCH_PX, np.float64)
            found.append((float(likeness[shift, off, quarter]), int(steps[off, quarter]), at))
        found.sort(key=lambda one: -one[0])
        return [one for one in found if one[0] > 0.6 * found[0][0]]


def _turned(common: Floats, work: float, blur: float, shading: float, turns: int) -> tuple[Floats, Floats]:
    """What is common at each turn of the first few steps, zero in the mean and of length 1, and its masks."""
    reach = math.ceil(len(common) * work * 0.71)
    size = 2 * reach + 1
    fine = 4
    soft = math.hypot(blur, 0.4 / work) * fine
    sharp = np.kron(common, np.ones((fine, fine), np.float32))
    sharp = np.asarray(cv2.GaussianBlur(sharp, (0, 0), soft, borderType=cv2.BORDER_REPLICATE), np.float32)
    sharp -= cv2.GaussianBlur(sharp, (0, 0), shading * fine, borderType=cv2.BORDER_REPLICATE)
    views = np.empty((turns, size, size), np.float32)
    masks = np.empty_like(views)
    for i in range(turns):
        angle = 2 * math.pi * i / TURNS
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]]) * fine / work
        matrix = np.column_stack([turn, np.full(2, (len(sharp) - 1) / 2) - turn @ np.full(2, reach)])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        masks[i] = cv2.warpAffine(np.ones_like(sharp), matrix, (size, size), flags=flags)
        view = cv2.warpAffine(sharp, matrix, (size, size), flags=flags)
        view = view - masks[i] * (view.sum() / masks[i].sum())
        views[i] = view / np.linalg.norm(view)
    return views, masks


def even(picture: Floats, sigma: float) -> Floats:
    """The picture without the light's own changes, and with the same contrast everywhere."""
    flat = picture - cv2.GaussianBlur(picture, (0, 0), sigma)
    return np.asarray(flat / np.sqrt(cv2.GaussianBlur(flat * flat, (0, 0), sigma) + FAINT**2), np.float32)


def _upright(picture: Floats, plane: Plane, work: float) -> tuple[Floats, Plane]:
    """The picture at `work` px a cell as seen from straight above, and the map (2, 3) from there to its own px."""
    px = math.sqrt(abs(np.linalg.det(plane)))
    to_px = plane / work
    height, width = picture.shape
    corners = np.array([(-0.5, -0.5), (width - 0.5, -0.5), (width - 0.5, height - 0.5), (-0.5, height - 0.5)])
    seen = corners @ np.linalg.inv(to_px).T
    low = seen.min(axis=0)
    across, down = (max(1, math.ceil(side)) for side in seen.max(axis=0) - low)
    matrix = np.column_stack([to_px, to_px @ (low + 0.5)])
    smooth = cv2.GaussianBlur(picture, (0, 0), 0.4 * px / work) if px > 1.2 * work else picture
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    upright = cv2.warpAffine(smooth, matrix, (across, down), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    return upright, matrix  # type: ignore[return-value]


def product(one: Floats, other: Floats) -> Floats:
    """The product of matrices by OpenCV.

    numpy's library shares even small products out among threads that wait for one another by spinning: where all cores
    are busy that takes ten times as long.
    """
    return np.asarray(cv2.gemm(one, other, 1.0, None, 0.0), np.float32)  # type: ignore[call-overload]

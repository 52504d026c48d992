"""What the table looks like where no piece lies, and what stands out from it: hands, cups, pieces.

Works on the small grey stream, in the blocks of `vision.change`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from vision.change import BLOCK, Blocks, Grid
from vision.frame import Picture

STANDS_OUT = 9.0
"""Mean difference of a block, in grey levels, from which on it is foreground."""
LEARN_AFTER_S = 1.0
"""Plain table is learned when it has been still for so long."""
ABSORB_AFTER_S = 4.0
"""Something that lies about (a cup, a face-down deck) becomes part of the background when still for so long."""
ARM_FORGIVEN_S = 600.0
"""What reaches in from the edge is an arm for so long; after that it is a chair or a cloth."""
MARGIN = 10
"""Blocks along the edges of the picture where a part is looked at that reaches in from there."""
LEAST_OUTLINE = 8
"""So many blocks of outline tell enough."""
HAUNTED = 0.4
"""Share of the outline of something that has left along which the background has the stronger edges."""
SAME_GRAIN = 0.5
"""Correlation of a surface with itself in other light, its brightness taken out."""
OUTLINE_PX = 3
SHIFT_PX = 8
TURNS_DEG = (-10.0, -5.0, 0.0, 5.0, 10.0)
"""How far a tile that is turned over may shift, in small px, and turn; its outline is compared with it."""
MIN_SHAPE_PX = 20
"""What is smaller has no shape that a comparison could rest on."""
PLAIN = 8.0
"""A place whose grey levels vary less has no features to compare."""
LIKE = 0.8
"""Correlation of a place with itself after such a turn."""


@dataclass(frozen=True, slots=True)
class Foreground:
    """What stands out now.

    Attributes:
        mask: blocks that differ from the background, without pieces that are plainly seen.
        arms: those of them that belong to something that reaches in from the edge of the picture, grown by a block.
    """

    mask: Blocks
    arms: Blocks


class Background:
    """The background of the small stream.

    Args:
        grid: how blocks lie.
        lores: the first small picture; nothing of it is trusted until it has been still for a while.
    """

    def __init__(self, grid: Grid, lores: Picture) -> None:
        self.grid = grid
        self.known: Blocks = np.zeros(grid.shape, bool)
        self._model = lores.astype(np.float32)
        self._covered: Blocks = np.zeros(grid.shape, bool)
        """Blocks where something lies that was absorbed."""
        self._beneath = self._model.copy()
        """There: what they looked like before."""

    def stands_out(self, lores: Picture) -> Blocks:
        """Blocks that are known and look different now."""
        rows, columns = self.grid.shape
        part = slice(rows * BLOCK), slice(columns * BLOCK)
        apart = cv2.absdiff(lores[part].astype(np.float32), self._model[part])
        mean = cv2.resize(apart, (columns, rows), interpolation=cv2.INTER_AREA)
        return np.asarray(self.known & (mean > STANDS_OUT))

    def foreground(self, lores: Picture, explained: Blocks) -> Foreground:
        """What stands out, apart from blocks that are explained by pieces in plain sight."""
        mask = self.stands_out(lores) & ~explained
        return Foreground(mask, _grown(_joined_to_edge(mask)))

    def agrees(self, lores: Picture, polygon_px: npt.NDArray[np.float64]) -> bool:
        """Whether a place is known and looks like the background, in detail, or like what was below that.

        What lay about for long may leave together with the piece on it.

        Args:
            lores: the small picture now.
            polygon_px: the place, convex, in px of the full picture.
        """
        blocks = self.grid.under(polygon_px)
        if not blocks.any() or self.known[blocks].mean() < 0.9:
            return False
        small = self._small(polygon_px)
        return _alike(lores, self._model, small) or bool(
            self._covered[blocks].any() and _alike(lores, self._cleared(), small)
        )

    def shows_again(self, lores: Picture, polygon_px: npt.NDArray[np.float64]) -> bool:
        """Whether what lay here before has come back, a little shifted or turned: a tile that was turned over again.

        Args:
            lores: the small picture now.
            polygon_px: four corners of the piece, in px of the full picture.
        """
        blocks = self.grid.under(polygon_px)
        if not blocks.any() or self.known[blocks].mean() < 0.9:
            return False
        corners = self._small(polygon_px)
        width, height = (int(np.linalg.norm(corners[i] - corners[j])) + 2 * OUTLINE_PX for i, j in ((0, 1), (0, 3)))
        if min(width, height) < MIN_SHAPE_PX:
            return False
        before = _upright(self._model, corners, (width, height), 0.0)
        if before.std() < PLAIN:
            return False
        best = 0.0
        for turn_deg in TURNS_DEG:
            now = _upright(lores.astype(np.float32), corners, (width + 2 * SHIFT_PX, height + 2 * SHIFT_PX), turn_deg)
            best = max(best, float(cv2.matchTemplate(now, before, cv2.TM_CCOEFF_NORMED).max()))
        return best > LIKE

    def forget(self, blocks: Blocks) -> None:
        """Doesn't know any longer what these blocks look like without a piece."""
        self.known = self.known & ~blocks
        self._covered = self._covered & ~blocks

    def learn(
        self, lores: Picture, at_s: float, still_since_s: npt.NDArray[np.float64], front: Foreground, kept: Blocks
    ) -> None:
        """Follows the table.

        Args:
            lores: the small picture now.
            at_s: its time.
            still_since_s: since when each block has been still.
            front: the foreground now.
            kept: blocks where pieces lie, in sight or covered; there it stays as it was before them.
        """
        still_s = at_s - still_since_s
        plain = (still_s >= LEARN_AFTER_S) & ~front.mask & ~front.arms & ~kept
        self._relight(lores, plain & self.known)
        weight = np.where(plain, np.where(self.known, 0.3, 1.0), 0.0)
        for part, arm in self._parts(front.mask):
            patience_s = ARM_FORGIVEN_S if arm else ABSORB_AFTER_S
            if still_s[part].min() < LEARN_AFTER_S:
                continue
            if self._only_light(lores, part) or self._ghost(lores, part, arm):
                weight[part & ~kept] = 1.0
                self._covered = self._covered & ~(part & ~kept)
            elif not (kept & _grown(part)).any() and still_s[part].min() >= patience_s:
                weight[part] = 1.0
                self._beneath = self._cleared()
                self._covered = self._covered | part
        self.known = self.known | (weight > 0)
        rows, columns = self.grid.shape
        fine = _fine(weight.astype(np.float32))
        model = self._model[: rows * BLOCK, : columns * BLOCK]
        model += fine * (lores[: rows * BLOCK, : columns * BLOCK] - model)

    def relight(self, lores: Picture, kept: Blocks) -> None:
        """Follows a sudden change of light, also where something hides the table: by the light round about."""
        self._relight(lores, self.known & ~kept)
        if self.stands_out(lores).mean() > 0.45:
            self.known = np.zeros(self.grid.shape, bool)

    def shift(self, moved: npt.NDArray[np.float64], lores: Picture) -> None:
        """Follows a camera that was bumped.

        Args:
            moved: homography (3, 3) from px of the full picture before to px now.
            lores: the small picture now; stands in where the camera didn't look before.
        """
        across, down = self.grid.block_px
        scale = np.array([[BLOCK / across, 0, 0], [0, BLOCK / down, 0], [0, 0, 1]])
        small = scale @ moved @ np.linalg.inv(scale)
        size = lores.shape[1], lores.shape[0]
        warped: list[Any] = [
            cv2.warpPerspective(picture, small, size, dst=lores.astype(np.float32), borderMode=cv2.BORDER_TRANSPARENT)
            for picture in (self._model, self._beneath)
        ]
        self._model, self._beneath = warped
        to_blocks = np.diag([1 / BLOCK, 1 / BLOCK, 1.0])
        rows, columns = self.grid.shape
        matrix = to_blocks @ small @ np.linalg.inv(to_blocks)
        self.known, self._covered = (
            cv2.warpPerspective(blocks.astype(np.uint8) * 255, matrix, (columns, rows)) > 250
            for blocks in (self.known, self._covered)
        )

    def _cleared(self) -> npt.NDArray[np.float32]:
        """The background without what was absorbed."""
        rows, columns = self.grid.shape
        cleared = self._model.copy()
        part = np.s_[: rows * BLOCK, : columns * BLOCK]
        cleared[part] = np.where(_fine(self._covered), self._beneath[part], self._model[part])
        return cleared

    def _relight(self, lores: Picture, seen: Blocks) -> None:
        if seen.mean() < 0.05:
            return
        rows, columns = self.grid.shape
        now = cv2.resize(lores, (columns, rows), interpolation=cv2.INTER_AREA).astype(np.float32) + 1
        then = cv2.resize(self._model, (columns, rows), interpolation=cv2.INTER_AREA) + 1
        ratio = now / then
        middle = float(np.median(ratio[seen]))
        ratio[~seen] = middle
        # A median over a hand's breadth: hands and cups don't tint the light around them.
        # Never 0: of a table in complete darkness something must be left from which it can become bright again.
        local = cv2.medianBlur(np.clip(ratio * 64, 1, 255).astype(np.uint8), 31) / np.float32(64)
        if np.abs(local - 1).max() < 0.03:
            return
        fine = cv2.resize(local, (lores.shape[1], lores.shape[0]), interpolation=cv2.INTER_LINEAR)
        self._model = (self._model + 1) * fine - 1
        self._beneath = (self._beneath + 1) * fine - 1

    def _small(self, points_px: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        across, down = self.grid.block_px
        return (points_px + 0.5) * (BLOCK / across, BLOCK / down) - 0.5

    def _parts(self, mask: Blocks) -> list[tuple[Blocks, bool]]:
        count, labels = cv2.connectedComponents(_grown(mask).astype(np.uint8))
        edge = set(np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]])))
        return [((labels == number) & mask, number in edge) for number in range(1, count)]

    def _only_light(self, lores: Picture, part: Blocks) -> bool:
        """Whether a part shows the same grain as the background, brighter or darker: a shadow, not a thing."""
        fine = _fine(part)
        rows, columns = fine.shape
        now, then = _grain(lores[:rows, :columns].astype(np.float32)), _grain(self._model[:rows, :columns])
        # The rim of a shadow is not the shadow's doing.
        inside = cv2.erode(fine.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
        if inside.sum() < 200:
            return False
        now, then = now[inside], then[inside]
        even = min(now.std(), then.std()) == 0  # as in a picture that is all black: there is no grain
        return not even and bool(np.corrcoef(now, then)[0, 1] > SAME_GRAIN)

    def _ghost(self, lores: Picture, part: Blocks, arm: bool) -> bool:
        """Whether a part stands out only because something has left that was learned as background.

        What lies there has its outline in the picture now; what has left, has it in the background. An arm is judged
        by where it comes in, since farther on it may be joined to tiles that were turned and lie otherwise than before.
        """
        outline = _grown(part) & ~part | part & _grown(~part)
        rows, columns = outline.shape
        if arm:
            margin = np.ones_like(outline)
            margin[MARGIN:-MARGIN, MARGIN:-MARGIN] = False
            outline = outline & margin if (outline & margin).sum() >= LEAST_OUTLINE else outline

        def strongest(picture: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
            edges = _edges(picture[: rows * BLOCK, : columns * BLOCK])
            found: npt.NDArray[np.float32] = edges.reshape(rows, BLOCK, columns, BLOCK).max(axis=(1, 3))[outline]
            return found

        now, then = strongest(lores.astype(np.float32)), strongest(self._model)
        return bool(np.mean(then > 1.5 * now + 4) > HAUNTED)


def _alike(lores: Picture, model: npt.NDArray[np.float32], polygon: npt.NDArray[np.float64]) -> bool:
    """Whether a place in small px looks like a model of it, in detail."""
    left, top = np.maximum(0, np.floor(polygon.min(axis=0))).astype(int)
    right, bottom = np.ceil(polygon.max(axis=0)).astype(int) + 1
    part = np.s_[top:bottom, left:right]
    now, then = lores[part].astype(np.float32), model[part]
    inside = np.zeros(now.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(polygon - (left, top)).astype(np.int32), 1)
    if not inside.any():
        return False
    apart = np.abs(now - then)[inside > 0]
    return bool(apart.mean() < STANDS_OUT and np.mean(apart > 2 * STANDS_OUT) < 0.15)


def _fine(blocks: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A value for each small pixel, from values for blocks."""
    return np.repeat(np.repeat(blocks, BLOCK, axis=0), BLOCK, axis=1)


def _grown(mask: Blocks) -> Blocks:
    return np.asarray(cv2.dilate(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)


def _joined_to_edge(mask: Blocks) -> Blocks:
    # Grown first: an arm may be cut by a stripe that looks like the table.
    _, labels = cv2.connectedComponents(_grown(mask).astype(np.uint8))
    edge = np.unique(np.concatenate([labels[0], labels[-1], labels[:, 0], labels[:, -1]]))
    return np.isin(labels, edge[edge > 0]) & mask


def _edges(picture: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    along, down = cv2.Sobel(picture, cv2.CV_32F, 1, 0), cv2.Sobel(picture, cv2.CV_32F, 0, 1)
    return cv2.magnitude(along, down)  # type: ignore[return-value]


def _upright(
    picture: npt.NDArray[np.float32], corners: npt.NDArray[np.float64], size: tuple[int, int], turn_deg: float
) -> npt.NDArray[np.float32]:
    """A part of the picture around a rectangle, turned so that its top edge is level, and by so much more."""
    middle, along = corners.mean(axis=0), corners[1] - corners[0]
    angle_deg = float(np.degrees(np.arctan2(along[1], along[0]))) + turn_deg
    matrix = cv2.getRotationMatrix2D((float(middle[0]), float(middle[1])), angle_deg, 1.0)
    matrix[:, 2] += np.array(size) / 2 - 0.5 - middle
    return cv2.warpAffine(picture, matrix, size, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[return-value]


def _grain(picture: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    return picture - cv2.blur(picture, (7, 7))

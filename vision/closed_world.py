"""The closed world: a game knows its pieces, so what can't be decoded is recognised among those that can lie there."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Iterable

import numpy as np
import numpy.typing as npt

from companion.core.box import Box
from companion.core.tags import ARUCO_CELLS, QR_MODULES, QrTag, Tag
from vision.fiducials import Corners
from vision.frame import Picture
from vision.lens import Homography
from vision.locate import Plane
from vision.recognise import Deck, Likeness, Limits, Recogniser

NAME = "closed-world"
"""How it is counted among the decoders."""
CELL_PX = (0.9, 4.5)
"""Smaller cells tell too little, larger ones are read by any decoder."""
STEP = 1.1
"""Sizes that differ by less share their templates."""
KEPT = 6
"""Sizes whose templates are kept; each is some megabytes."""
IN_SLOT = {
    "still": Limits(score=6.5, lead=3.5, likeness=0.75),
    "moved": Limits(score=6.5, lead=3.5, likeness=0.80),
    "covered": Limits(score=8.0, lead=4.5, likeness=0.88),
}
"""What a piece must reach that is expected in its place, by how it was recognised."""
ANYWHERE = {
    "still": Limits(score=7.5, lead=4.5, likeness=0.80),
    "moved": Limits(score=8.0, lead=5.0, likeness=0.85),
    "covered": Limits(score=9.0, lead=5.0, likeness=0.90),
}
"""The same anywhere else. A code of ours with one letter changed reaches 7.0, 4.6 and 0.74 where nothing else is wrong
with it: half of its modules are those of ours, and if just these are in sight, a likeness of 0.85."""

MARKER = {way: Limits(score=8.0, lead=5.0, likeness=0.94) for way in IN_SLOT}
"""The same for markers, of which a few cells tell one from another; they are named in their places only."""

MayLie = Callable[[Tag, Corners], bool]
"""Whether the piece with this tag is expected where its corners were seen, in px."""


class ClosedWorld:
    """Recognises the tags of one game. Templates are made when they are first needed.

    Args:
        box: its pieces.
    """

    def __init__(self, box: Box) -> None:
        self._tags: dict[tuple[type[Tag], float], list[Tag]] = {}
        for piece in box.pieces.values():
            self._tags.setdefault((type(piece.tag), piece.tag_mm), []).append(piece.tag)
        self._decks: dict[tuple[type[Tag], float], Deck] = {}
        self._recognisers: OrderedDict[tuple[type[Tag], float, int], Recogniser] = OrderedDict()

    def recognise(
        self,
        grey: Picture,
        corner_px: npt.NDArray[np.float64],
        table: Homography,
        may_lie: MayLie,
        known: Iterable[Corners],
    ) -> list[tuple[Tag, Corners]]:
        """Tags that can be named though they can't be read.

        Args:
            grey: uint8 (H, W), a part of the picture at rest; the mean of several frames is better.
            corner_px: where its left top pixel lies in the picture.
            table: of the whole picture.
            may_lie: asked with corners in the whole picture.
            known: corners in this part of what was read there.

        Returns:
            Tags with their corners in px of `grey`.
        """
        px_per_mm = _scale(table, corner_px + (np.array(grey.shape[::-1]) - 1) / 2)
        middles = [corners.mean(axis=0) for corners in known]
        found: list[tuple[Tag, Corners]] = []
        for kind, tag_mm in self._tags:
            side = QR_MODULES if kind is QrTag else ARUCO_CELLS
            plane = px_per_mm * (tag_mm / side)
            cell_px = math.sqrt(abs(float(np.linalg.det(plane))))
            if not CELL_PX[0] <= cell_px <= CELL_PX[1] or min(grey.shape) < side * cell_px:
                continue
            recogniser = self._recogniser(kind, tag_mm, cell_px)
            for likeness in recogniser.likenesses(grey, plane, avoid=middles):
                tag, corners = recogniser.deck.tags[likeness.number], recogniser.corners_px(likeness)
                if tag is not None and self._believed(tag, likeness, corners + corner_px, may_lie):
                    found.append((tag, corners))
                    middles.append(corners.mean(axis=0))
        return found

    @staticmethod
    def _believed(tag: Tag, likeness: Likeness, corners_px: Corners, may_lie: MayLie) -> bool:
        if isinstance(tag, QrTag) and likeness.passes(ANYWHERE[likeness.way]):
            return True
        limits = IN_SLOT if isinstance(tag, QrTag) else MARKER
        return likeness.passes(limits[likeness.way]) and may_lie(tag, corners_px)

    def _recogniser(self, kind: type[Tag], tag_mm: float, cell_px: float) -> Recogniser:
        step = round(math.log(cell_px, STEP))
        key = (kind, tag_mm, step)
        if key not in self._recognisers:
            if (kind, tag_mm) not in self._decks:
                self._decks[kind, tag_mm] = Deck(self._tags[kind, tag_mm])
            self._recognisers[key] = Recogniser(self._decks[kind, tag_mm], STEP**step)
            if len(self._recognisers) > KEPT:
                self._recognisers.popitem(last=False)
        self._recognisers.move_to_end(key)
        return self._recognisers[key]


def _scale(table: Homography, at_px: npt.NDArray[np.float64]) -> Plane:
    """Px for a millimetre across and one down, around a point."""
    x, y = table.to_mm(at_px)[0]
    right, left, down, up = table.to_px([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)])
    return np.column_stack([right - left, down - up]) / 2

"""The closed world: a game knows its pieces, so what can't be decoded is recognised among those that can lie there."""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from companion.core.box import Box
from companion.core.tags import QR_MODULES, QrTag, Tag
from vision.fiducials import Corners
from vision.frame import Picture
from vision.lens import Homography
from vision.reading import Reading
from vision.recognise import Deck, Limits, Recogniser

NAME = "closed-world"
"""How it is counted among the decoders."""
MODULE_PX = (0.9, 4.5)
"""Smaller modules tell too little, larger ones are read by any decoder."""
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

MayLie = Callable[[Tag, Corners], bool]
"""Whether the piece with this tag is expected where its corners were seen, in px."""


class ClosedWorld:
    """Recognises the QR codes of one game. Templates are made when they are first needed.

    Args:
        box: its pieces.
    """

    def __init__(self, box: Box) -> None:
        self._box = box
        by_size: dict[float, list[Tag]] = {}
        for piece in box.pieces.values():
            if isinstance(piece.tag, QrTag):
                by_size.setdefault(piece.tag_mm, []).append(piece.tag)
        self._tags = by_size
        self._decks: dict[float, Deck] = {}
        self._recognisers: OrderedDict[tuple[float, int], Recogniser] = OrderedDict()

    def recognise(
        self,
        grey: Picture,
        corner_px: npt.NDArray[np.float64],
        table: Homography,
        may_lie: MayLie,
        known: Sequence[Reading],
    ) -> list[Reading]:
        """Codes that can be named though they can't be read.

        Args:
            grey: uint8 (H, W), a part of the picture at rest; the mean of several frames is better.
            corner_px: where its left top pixel lies in the picture.
            table: of the whole picture.
            may_lie: asked with corners in the whole picture.
            known: what was read in this part.

        Returns:
            Readings with corners in px of `grey`.
        """
        middle = corner_px + (np.array(grey.shape[::-1]) - 1) / 2
        x, y = table.to_mm(middle)[0]
        right_left_down_up = table.to_px([(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)])
        px_per_mm = (
            np.column_stack(
                [right_left_down_up[0] - right_left_down_up[1], right_left_down_up[2] - right_left_down_up[3]]
            )
            / 2
        )
        found: list[Reading] = []
        for tag_mm in self._tags:
            plane = px_per_mm * (tag_mm / QR_MODULES)
            module_px = math.sqrt(abs(float(np.linalg.det(plane))))
            if not MODULE_PX[0] <= module_px <= MODULE_PX[1] or min(grey.shape) < QR_MODULES * module_px:
                continue
            recogniser = self._recogniser(tag_mm, module_px)
            for likeness in recogniser.likenesses(grey, plane, avoid=[one.centre_px for one in [*known, *found]]):
                tag = recogniser.deck.tags[likeness.number]
                if not isinstance(tag, QrTag) or not likeness.passes(IN_SLOT[likeness.way]):
                    continue
                corners = recogniser.corners_px(likeness)
                if likeness.passes(ANYWHERE[likeness.way]) or may_lie(tag, corners + corner_px):
                    found.append(Reading(tag.payload, corners, NAME))
        return found

    def _recogniser(self, tag_mm: float, module_px: float) -> Recogniser:
        step = round(math.log(module_px, STEP))
        key = (tag_mm, step)
        if key not in self._recognisers:
            if tag_mm not in self._decks:
                self._decks[tag_mm] = Deck(self._tags[tag_mm])
            self._recognisers[key] = Recogniser(self._decks[tag_mm], STEP**step)
            if len(self._recognisers) > KEPT:
                self._recognisers.popitem(last=False)
        self._recognisers.move_to_end(key)
        return self._recognisers[key]

"""Fans on the virtual table: pieces that lie one over the other, so that the tag of each shows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.box import Piece, PieceId
from companion.core.table import Pose
from vision.scene.scene import Scene
from vision.zones import Pose as TagPose

Outline = NDArray[np.float32]
"""Corners in the table frame, (4, 2)."""
IN_PLACE_MM = 20.0
"""A piece so near to a spot of a fan lies there."""
QUIET_MM = 1.0
"""So much of a tag's white border has to show as well."""


class Fan:
    """One place for a fan.

    Args:
        scene: the table.
        spots: where pieces are laid, from the first to the last, in the table frame.
        holds: kinds of pieces that lie there.
    """

    def __init__(self, scene: Scene, spots: Sequence[Pose], holds: frozenset[str]) -> None:
        self.spots = spots
        self._scene = scene
        self._holds = holds

    def lying(self) -> list[tuple[int, PieceId]]:
        """What lies there, with the number of its spot, from the first to the last."""
        found = []
        for name, placed in self._scene.placed.items():
            if isinstance(placed.what, Piece) and placed.what.kind in self._holds:
                away_mm = [math.dist(spot[:2], placed.at_mm) for spot in self.spots]
                if min(away_mm) < IN_PLACE_MM:
                    found.append((away_mm.index(min(away_mm)), name))
        return sorted(found)

    def next_spot(self, piece: PieceId) -> Pose:
        """The spot behind all that lies there but this piece; the last one if there is none."""
        last = max((number for number, name in self.lying() if name != piece), default=-1)
        return self.spots[min(last + 1, len(self.spots) - 1)]

    def holds(self, piece: Piece, pose: Pose) -> bool:
        """Whether a piece that is laid like this lies there."""
        here = any(math.dist(spot[:2], pose[:2]) < IN_PLACE_MM for spot in self.spots)
        return here and piece.kind in self._holds

    def tags(self, but: PieceId) -> Iterator[Outline]:
        """The tags that lie face up there, without that of one piece."""
        for _, name in self.lying():
            placed = self._scene.placed[name]
            if name != but and placed.face_up and isinstance(placed.what, Piece):
                (x, y), half = placed.what.tag_at_mm, placed.what.tag_mm / 2 + QUIET_MM
                corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
                yield TagPose(placed.at_mm, placed.angle_deg).place(corners).astype(np.float32)


def hides(piece: Piece, pose: Pose, outlines: Iterable[Outline]) -> bool:
    """Whether a piece that lies like this covers a part of one of these."""
    body = outline_of(piece, pose)
    return any(cv2.intersectConvexConvex(body, other)[0] > 0 for other in outlines)


def outline_of(piece: Piece, pose: Pose) -> Outline:
    """What a piece covers that lies with its middle and angle like this."""
    (x, y, angle), (width, height) = pose, np.array(piece.size_mm) / 2
    corners = [(-width, -height), (width, -height), (width, height), (-width, height)]
    return TagPose((x, y), angle).place(corners).astype(np.float32)

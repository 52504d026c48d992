"""Fans on the virtual table: pieces that lie one over the other, so that the tag of each shows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.box import Piece, PieceId
from companion.core.table import Point, Pose
from vision.scene.scene import Scene
from vision.zones import Pose as TagPose

Outline = NDArray[np.float32]
"""Corners in the table frame, (4, 2)."""
IN_PLACE_MM = 20.0
"""A piece so near to a spot of a fan lies there."""
QUIET_MM = 1.0
"""So much of a tag's white border has to show as well."""
INSIDE_MM, STEP_MM, FAR_MM = 8.0, 8.0, 240.0
"""Where all spots are taken a piece is laid so far within the outline, by such steps, and so far from the last spot."""


class Fan:
    """One place for a fan.

    Args:
        scene: the table.
        spots: where pieces are laid, from the first to the last, in the table frame.
        holds: kinds of pieces that lie there.
        outline_mm: corners of the place in the table frame.
    """

    def __init__(self, scene: Scene, spots: Sequence[Pose], holds: frozenset[str], outline_mm: Sequence[Point]) -> None:
        self.spots = spots
        self._outline = np.array(outline_mm, np.float32)
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
        """The spot behind all that lies there but this piece; if there is none, a place where it hides no tag."""
        last = max((number for number, name in self.lying() if name != piece), default=-1)
        return self.spots[last + 1] if last + 1 < len(self.spots) else self._room(piece)

    def _room(self, piece: PieceId) -> Pose:
        """Where a piece can be laid though all spots are taken, as near to the last one as possible."""
        what, (x, y, angle) = self._scene.box.pieces.get(piece), self.spots[-1]
        tags = [tag for name in self._scene.placed if name != piece for tag in self._tag(name)]
        steps = np.arange(-FAR_MM, FAR_MM + 1, STEP_MM)
        around = sorted(((x + dx, y + dy) for dx in steps for dy in steps), key=lambda at: math.dist(at, (x, y)))
        inside = (at for at in around if cv2.pointPolygonTest(self._outline, at, True) > INSIDE_MM)
        free = ((*at, angle) for at in inside if what is None or not hides(what, (*at, angle), tags))
        return next(free, self.spots[-1])

    def holds(self, piece: Piece, pose: Pose) -> bool:
        """Whether a piece that is laid like this lies there."""
        here = any(math.dist(spot[:2], pose[:2]) < IN_PLACE_MM for spot in self.spots)
        return here and piece.kind in self._holds

    def tags(self, but: PieceId) -> Iterator[Outline]:
        """The tags that lie face up there, without that of one piece."""
        for _, name in self.lying():
            if name != but:
                yield from self._tag(name)

    def _tag(self, name: PieceId) -> Iterator[Outline]:
        """The tag of what lies on the table by this name, if it shows."""
        placed = self._scene.placed[name]
        if placed.face_up and isinstance(placed.what, Piece):
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

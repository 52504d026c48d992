"""Fans on the virtual table: pieces that lie one over the other, so that the tag of each shows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from companion.core.box import Piece, PieceId
from companion.core.table import Point, Pose
from vision.scene.scene import Scene
from vision.zones import Pose as TagPose

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

    def tags(self, but: PieceId) -> Iterator[Point]:
        """Corners of the tags that lie face up there, without those of one piece."""
        for _, name in self.lying():
            placed = self._scene.placed[name]
            if name != but and placed.face_up and isinstance(placed.what, Piece):
                (x, y), half = placed.what.tag_at_mm, placed.what.tag_mm / 2 + QUIET_MM
                corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
                for corner in TagPose(placed.at_mm, placed.angle_deg).place(corners):
                    yield float(corner[0]), float(corner[1])


def hides(piece: Piece, pose: Pose, points: Iterable[Point]) -> bool:
    """Whether a piece that lies like this covers one of these points."""
    (x, y, angle), (width, height) = pose, piece.size_mm
    seen = TagPose((0.0, 0.0), -angle).place([(at[0] - x, at[1] - y) for at in points])
    return any(abs(across) < width / 2 and abs(down) < height / 2 for across, down in seen.tolist())

"""Zones: where they lie on the table now, and which one a point is in."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.box import Box, Piece, PieceId
from companion.core.table import Point, Zone


@dataclass(frozen=True, slots=True)
class Pose:
    """How a tag lies on the table.

    Attributes:
        at_mm: its centre, in the table frame.
        angle_deg: direction of its top edge, 0 along x, clockwise as seen from above, in -180..180.
    """

    at_mm: Point
    angle_deg: float = 0.0

    def place(self, points_mm: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """Points (n, 2) of the tag's frame (origin in its centre, x along its top edge) in the table frame."""
        cos, sin = math.cos(math.radians(self.angle_deg)), math.sin(math.radians(self.angle_deg))
        points = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]) + np.array(self.at_mm))

    def near(self, other: Pose, within_mm: float, within_deg: float) -> bool:
        """Whether both say the same but for small errors."""
        far = math.dist(self.at_mm, other.at_mm) > within_mm
        return not far and abs(turn_deg(self.angle_deg, other.angle_deg)) <= within_deg


def turn_deg(start_deg: float, end_deg: float) -> float:
    """The shortest turn from one direction to another, in -180..180."""
    return (end_deg - start_deg + 180.0) % 360.0 - 180.0


def footprint_mm(piece: Piece, margin_mm: float = 0.0) -> npt.NDArray[np.float64]:
    """Corners (4, 2) of a whole piece in the frame of its tag, grown by a margin on each side."""
    width, height = piece.size_mm
    x, y = width / 2 + margin_mm, height / 2 + margin_mm
    return np.asarray(np.array([(-x, -y), (x, -y), (x, y), (-x, y)]) - np.array(piece.tag_at_mm))


class ZoneMap:
    """The zones that matter now, placed as far as their anchors have been seen.

    Args:
        box: pieces, among them the anchors.
        zones: the zones; an anchor may be given by id, or by name where there is one copy.
        poses: last known pose of each piece that was ever seen.

    Attributes:
        placed: the zones that can be placed, with their polygons in the table frame, (n, 2) float32.
        unplaced: anchors that were never seen, each once, in the order of the zones.
    """

    def __init__(self, box: Box, zones: Sequence[Zone], poses: Mapping[PieceId, Pose]) -> None:
        self.placed: list[tuple[Zone, npt.NDArray[np.float32]]] = []
        unplaced: dict[PieceId, None] = {}
        for zone in zones:
            polygon = np.asarray(zone.polygon_mm, np.float64)
            if zone.anchor is not None:
                anchor = box.find(zone.anchor)
                pose = poses.get(anchor.id if anchor else zone.anchor)
                if pose is None:
                    unplaced[zone.anchor] = None
                    continue
                polygon = pose.place(polygon)
            self.placed.append((zone, polygon.astype(np.float32)))
        self.unplaced = tuple(unplaced)
        self.ids = frozenset(zone.id for zone in zones)

    def zone_at(self, point_mm: Point, kind: str) -> Zone | None:
        """The zone for pieces of this kind at a point: highest priority first, then the one it is deepest inside.

        A point on the edge is inside.
        """
        best: tuple[int, float, Zone] | None = None
        for zone, polygon in self.placed:
            if kind not in zone.holds:
                continue
            depth_mm = cv2.pointPolygonTest(polygon, point_mm, True)
            if depth_mm >= 0 and (best is None or (zone.priority, depth_mm) > best[:2]):
                best = (zone.priority, depth_mm, zone)
        return best[2] if best else None

    def any_at(self, point_mm: Point) -> Zone | None:
        """The zone at a point, whatever it holds; for tags that are no pieces."""
        kinds = frozenset(kind for zone, _ in self.placed for kind in zone.holds)
        found = [zone for kind in sorted(kinds) if (zone := self.zone_at(point_mm, kind))]
        return max(found, key=lambda zone: zone.priority, default=None)

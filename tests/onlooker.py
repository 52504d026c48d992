"""Somebody who looks at a scene without a camera between: what a watcher would say of it, for much less work."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from companion.core.box import Box, Piece, PieceId
from companion.core.table import Observation, Point, Sighting, Stranger, Zone, ZoneId
from companion.core.tags import QrTag
from vision.scene.scene import Placed, Scene
from vision.zones import Pose, ZoneMap

PALM_MM, ARM_MM = 75.0, 55.0
"""A hand and its arm hide what lies so near to their middles."""
SAME_MM, SAME_DEG = 4.0, 10.0
EDGE_MM = 6.0
"""A piece hides a tag whose middle lies so near beside it."""

Points = NDArray[np.float64]


class Known(NamedTuple):
    """A piece as it was seen last.

    Attributes:
        placed: how it lay.
        pose: of its tag.
        zone: in which it lay.
        since_s: when it was put there.
    """

    placed: Placed
    pose: Pose
    zone: ZoneId | None
    since_s: float


class Onlooker:
    """Sees which tags lie in the open; what is covered is believed to lie there still, and an empty place is seen.

    Args:
        scene: the table.
        box: the pieces of the game.
    """

    def __init__(self, scene: Scene, box: Box) -> None:
        self._scene = scene
        self._box = box
        self._known: dict[PieceId, Known] = {}
        self._gone: dict[PieceId, ZoneId] = {}
        self._poses: dict[PieceId, Pose] = {}
        self._looked: tuple[object, ...] = ()
        self._said = Observation()

    def look(self, zones: Sequence[Zone], at_s: float) -> Observation:
        """What lies on the table now; what is in motion is not seen.

        Args:
            zones: those that matter.
            at_s: the time.
        """
        now = (self._scene.placed, self._scene.hands, zones)
        if all(one is other for one, other in zip(now, self._looked, strict=False)) and self._looked:
            return replace(self._said, at_s=at_s)
        self._looked = now
        self._said = self._read(zones, at_s)
        return self._said

    def _read(self, zones: Sequence[Zone], at_s: float) -> Observation:
        placed = [one for one in self._scene.placed.values() if isinstance(one.what, Piece)]
        up = [one for one in placed if one.face_up and not self._carried(one)]
        tags = [Pose(one.at_mm, one.angle_deg).place([_piece(one).tag_at_mm])[0] for one in up]
        hidden = self._hidden(np.array(tags), [one.order for one in up], placed)
        plain = [(one, _point(tag)) for one, tag, covered in zip(up, tags, hidden, strict=True) if not covered]
        ours = self._named([pair for pair in plain if _piece(pair[0]).id in self._box.pieces])
        self._poses |= {name: Pose(at_mm, one.angle_deg) for name, (one, at_mm) in ours.items()}
        zone_map = ZoneMap(self._box, zones, self._poses)
        unseen = [name for name in self._known if name not in ours]
        for name, (one, at_mm) in ours.items():
            zone = zone_map.zone_at(one.at_mm, _piece(one).kind)
            self._saw(name, Known(one, Pose(at_mm, one.angle_deg), zone.id if zone else None, at_s))
        for name in self._plainly_gone(unseen, placed):
            zone_id = self._known.pop(name).zone
            if zone_id is not None:
                self._gone[name] = zone_id
        sightings = [
            Sighting(name, one.zone, one.pose.at_mm, one.pose.angle_deg, name not in ours, one.since_s)
            for name, one in sorted(self._known.items())
        ]
        strangers = []
        for one, at_mm in plain:
            tag, zone = _piece(one).tag, zone_map.any_at(at_mm)
            if _piece(one).id not in self._box.pieces and isinstance(tag, QrTag):
                strangers.append(Stranger("foreign", tag.payload, zone.id if zone else None, at_mm))
        gone = {name: zone for name, zone in self._gone.items() if name not in ours}
        return Observation(
            tuple(sightings), gone, tuple(strangers), zone_map.unplaced, at_s, bool(self._scene.hands)
        )  # fmt: skip

    def _saw(self, name: PieceId, now: Known) -> None:
        before = self._known.get(name)
        if before is not None and before.pose.near(now.pose, SAME_MM, SAME_DEG):
            now = now._replace(since_s=before.since_s)
        self._known[name] = now
        self._gone.pop(name, None)
        if before is not None and before.zone is not None and now.zone is None:
            self._gone[name] = before.zone

    def _plainly_gone(self, names: list[PieceId], placed: list[Placed]) -> Iterable[PieceId]:
        """Of the pieces that aren't seen, those whose places are plainly visible."""
        known = [self._known[name] for name in names]
        points = np.array([one.pose.at_mm for one in known])
        # What lay below doesn't hide the place.
        here = {_piece(one).id: one for one in placed}
        # A piece that was turned over lies there itself.
        turned = [
            name in here and math.dist(here[name].at_mm, one.placed.at_mm) < SAME_MM + 8
            for name, one in zip(names, known, strict=True)
        ]
        orders = [
            here[name].order if back else one.placed.order for name, one, back in zip(names, known, turned, strict=True)
        ]
        hidden = self._hidden(points, orders, placed)
        carried = {_piece(one).id for one in placed if self._carried(one)}
        return [name for name, covered in zip(names, hidden, strict=True) if not covered and name not in carried]

    def _carried(self, placed: Placed) -> bool:
        """Whether a piece is in motion, or beyond the table in somebody's hand."""
        (x, y), (width, height) = placed.at_mm, self._scene.size_mm
        return placed.motion_mm != (0.0, 0.0) or not (0 < x < width and 0 < y < height)

    def _named(self, plain: list[tuple[Placed, Point]]) -> dict[PieceId, tuple[Placed, Point]]:
        """The pieces by name; of those that are alike each place keeps the name that it had."""
        found = {_piece(one).id: (one, at) for one, at in plain if not _piece(one).alike}
        later = []
        for one, at in plain:
            if _piece(one).alike:
                names = (copy.id for copy in self._box.copies[_piece(one).name] if copy.id in self._known)
                near = (n for n in names if math.dist(self._known[n].placed.at_mm, one.at_mm) < SAME_MM)
                old = next((name for name in near if name not in found), None)
                if old is None:
                    later.append((one, at))
                else:
                    found[old] = (one, at)
        for one, at in later:
            names = (copy.id for copy in self._box.copies[_piece(one).name])
            found[next(name for name in names if name not in found and name not in self._known)] = (one, at)
        return found

    def _hidden(self, points: Points, orders: list[int], placed: list[Placed]) -> list[bool]:
        """Which points are hidden under hands, or under pieces that came to lie later than what is there."""
        if not len(points):
            return []
        above = [one for one in placed if _piece(one).kind != "anchor" and not _piece(one).fixed]
        hidden = np.zeros(len(points), bool)
        if above:
            turns = np.radians([one.angle_deg for one in above])
            away = points[:, None] - np.array([one.at_mm for one in above])
            x = away[..., 0] * np.cos(turns) + away[..., 1] * np.sin(turns)
            y = away[..., 1] * np.cos(turns) - away[..., 0] * np.sin(turns)
            half = np.array([_piece(one).size_mm for one in above]) / 2 + EDGE_MM
            later = np.array(orders)[:, None] < np.array([one.order for one in above])
            hidden |= (later & (abs(x) < half[:, 0]) & (abs(y) < half[:, 1])).any(axis=1)
        for hand in self._scene.hands.values():
            palm = np.array(hand.at_mm)
            arm = np.array(hand.from_mm) - palm
            arm = arm / max(1.0, float(np.hypot(*arm)))
            from_palm = points - palm
            along, beside = from_palm @ arm, np.abs(from_palm @ np.array([-arm[1], arm[0]]))
            hidden |= (np.hypot(*from_palm.T) < PALM_MM) | ((along > 0) & (beside < ARM_MM))
        return [bool(one) for one in hidden]


def _piece(placed: Placed) -> Piece:
    assert isinstance(placed.what, Piece)
    return placed.what


def _point(at: Points) -> Point:
    return float(at[0]), float(at[1])

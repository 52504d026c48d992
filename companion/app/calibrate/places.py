"""The places of a game as it would be laid out, for as long as nobody has laid it out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from msgspec.structs import replace

from companion.app.doctor.sight import Wanted
from companion.app.opening import first_state
from companion.core.box import PieceId
from companion.core.game import Game
from companion.core.table import Pose, Zone, ZoneId
from vision.lens import Homography
from vision.zones import Pose as TagPose

LAID_OUT_MM = (1070.0, 600.0)
"""The table for which games are laid out."""


class Places:
    """The zones of a game with as many players as it may have.

    Args:
        game: the rules.

    Attributes:
        zones: as they are at the start of a game.
    """

    def __init__(self, game: Game[Any, Any]) -> None:
        self.game = game
        line = {"players": [f"P{number}" for number in range(1, game.players[1] + 1)]}
        dealer = game.dealer(1, line)
        self.zones: tuple[Zone, ...] = game.zones(first_state(game, dealer, line), {})
        self._arranged = {piece: self._tag_at(piece, pose) for piece, pose in game.arrangement(dealer.setup).items()}

    @property
    def anchors(self) -> tuple[PieceId, ...]:
        """The pieces that carry zones."""
        return tuple(dict.fromkeys(zone.anchor for zone in self.zones if zone.anchor))

    def wanted(
        self,
        seen: Mapping[PieceId, TagPose] = {},
        table_mm: tuple[float, float] = LAID_OUT_MM,
    ) -> Wanted:
        """What the game wants to have seen, with all zones in the table's frame.

        Args:
            seen: where anchors lie; the others are supposed to lie where the game would have them laid.
            table_mm: width and height of the table in which these find their place.
        """
        across, down = (side / usual for side, usual in zip(table_mm, LAID_OUT_MM, strict=True))
        supposed = {
            name: TagPose((pose.at_mm[0] * across, pose.at_mm[1] * down), pose.angle_deg)
            for name, pose in self._arranged.items()
        }
        places = {**supposed, **seen}
        return Wanted(self.game.id, self.game.box, tuple(_fixed(zone, places) for zone in self.zones))

    def _tag_at(self, piece: PieceId, pose: Pose) -> TagPose:
        x, y, angle_deg = pose
        middle = TagPose((x, y), angle_deg).place([self.game.box.pieces[piece].tag_at_mm])[0]
        return TagPose((float(middle[0]), float(middle[1])), angle_deg)


def _fixed(zone: Zone, fixed: Mapping[PieceId, TagPose]) -> Zone:
    """The zone in the table's own frame, if its anchor is one of these."""
    pose = fixed.get(zone.anchor or "")
    if pose is None:
        return zone
    polygon = tuple((float(x), float(y)) for x, y in pose.place(zone.polygon_mm))
    spots = [(*pose.place([spot[:2]])[0].tolist(), spot[2] + pose.angle_deg) for spot in zone.spots]
    return replace(zone, anchor=None, polygon_mm=polygon, spots=tuple(spots))


def outside(zones: Iterable[Zone], table: Homography, size_px: tuple[int, int]) -> tuple[ZoneId, ...]:
    """The zones, all in the table's own frame, in which pieces are laid outside of the picture.

    Zones are larger than what is laid there: that one reaches over the picture's edge does no harm.
    """
    found = []
    for zone in zones:
        points = [spot[:2] for spot in zone.spots] or [np.mean(zone.polygon_mm, axis=0)]
        px = table.to_px(points)
        if (px < 0).any() or (px > np.array(size_px) - 1).any():
            found.append(zone.id)
    return tuple(found)

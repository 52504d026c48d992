"""Votes over frames: a single reading is never believed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from vision.fiducials import Corners
from vision.zones import Pose

AGREE_MM = 4.0
AGREE_DEG = 12.0
PATIENCE_S = 1.6
"""A place that was not voted for again for so long was a misread, or a piece in passing."""


@dataclass(slots=True, eq=False)
class Spot:
    """A place where a tag was read.

    Attributes:
        key: what was read.
        pose: where, by the newest reading.
        corners_px: the same in the picture.
        votes: number of frames in which it was read there.
        first_s: time of the first vote.
        last_s: time of the newest vote.
    """

    key: Hashable
    pose: Pose
    corners_px: Corners
    votes: int
    first_s: float
    last_s: float


class Ballot:
    """Collects votes for places.

    Attributes:
        dropped: places that were forgotten before they had enough votes.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._spots: list[Spot] = []

    def vote(self, key: Hashable, pose: Pose, corners_px: Corners, at_s: float) -> Spot:
        """Counts a reading; two readings of one frame are one vote."""
        for spot in self._spots:
            if spot.key == key and spot.pose.near(pose, AGREE_MM, AGREE_DEG):
                spot.votes += spot.last_s != at_s
                spot.pose, spot.corners_px, spot.last_s = pose, corners_px, at_s
                return spot
        spot = Spot(key, pose, corners_px, 1, at_s, at_s)
        self._spots.append(spot)
        return spot

    def remove(self, spots: Iterable[Spot]) -> None:
        """Forgets places that were decided about."""
        gone = {id(spot) for spot in spots}
        self._spots = [spot for spot in self._spots if id(spot) not in gone]

    def expire(self, at_s: float) -> None:
        """Forgets places that got no vote for a while."""
        old = [spot for spot in self._spots if at_s - spot.last_s > PATIENCE_S]
        self.dropped += len(old)
        self.remove(old)

    @property
    def undecided(self) -> bool:
        """Whether any place may still get votes."""
        return bool(self._spots)

    def open(self, at_s: float, key: Hashable | None = None) -> bool:
        """Whether a place (of this key) got a vote just now, so that it is worth waiting for the next one."""
        return any(at_s - spot.last_s < 0.6 and key in (None, spot.key) for spot in self._spots)

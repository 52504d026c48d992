"""The judge: whether a piece that can't be found has left, or is only hidden."""

from __future__ import annotations

import cv2
import numpy as np

from companion.core.box import Piece
from vision.background import Background, Foreground
from vision.change import ChangeGate
from vision.evidence import View
from vision.frame import Frame
from vision.lens import Homography, Points
from vision.tracks import GRACE_S, Track, Tracks, touches
from vision.zones import footprint_mm

TURNED_S = 0.5
"""So long the tag of a piece with two sides can't be found before it counts as turned over."""
OTHER = 0.45
"""A patch that is less like what was there is something else."""
STILL_S = 0.25
"""A place must have been still for so long before anything is said about it."""
LAYING_S = 3.0
"""A tag that vanished so shortly before or after a piece was seen first was covered by that piece."""
SHARED = 0.25
"""A piece that hides so much of another one's area lies on it."""


class Judge:
    """Looks at places for evidence.

    Args:
        tracks: what is known of the pieces.
        gate: knows where the picture is still.
        background: knows the table without pieces.

    Attributes:
        anchors: pieces that carry zones; others lie on them, so that they belong to the table.
        epoch: number of the present light and camera pose. Views of another one prove nothing.
    """

    def __init__(self, tracks: Tracks, gate: ChangeGate, background: Background) -> None:
        self.anchors: frozenset[str] = frozenset()
        self.epoch = 0
        self._tracks = tracks
        self._gate = gate
        self._background = background

    def new_epoch(self) -> None:
        """The light has changed or the camera was bumped."""
        self.epoch += 1
        for track in self._tracks:
            track.view_due = True

    def still(self, track: Track, now: float) -> bool:
        """Whether a place with its surroundings has been still for a while."""
        since = self._gate.still_since_s[track.area]
        return bool(since.size and now - since.max() >= STILL_S)

    def empty(self, track: Track, frame: Frame, front: Foreground, table: Homography) -> bool:
        """Whether a place is visible, still, and shows no such piece."""
        if touches(front.arms, track.area):
            return False
        if track.piece is None or track.kind:
            return frame.at_s - (track.missing_s or 0.0) > GRACE_S
        above = self._above(track)
        if above is not None:
            return above.two_sided and track.piece.two_sided  # such pieces lie beside one another, never stacked
        if self._uncovered_another(track) or self._turned(track, frame):
            return True
        if track.piece.id not in self.anchors and (
            self._background.agrees(frame.lores, track.footprint_px)
            or self._background.shows_again(frame.lores, track.footprint_px)
        ):
            return True
        if track.view is None or track.view_epoch != self.epoch:
            return False
        return View.of(frame, table, track.piece, track.pose, self._others(track)).empty_since(track.view)

    def keep_views(self, frame: Frame, front: Foreground, table: Homography) -> None:
        """Remembers how pieces in plain sight look with their surroundings, where these have changed."""
        for track in self._tracks:
            if not track.view_due or track.piece is None or track.missing_s is not None or track.stirred:
                continue
            if self.still(track, frame.at_s) and not touches(front.arms, track.area):
                track.view = View.of(frame, table, track.piece, track.pose, self._others(track))
                track.view_epoch, track.view_due = self.epoch, False

    def _turned(self, track: Track, frame: Frame) -> bool:
        """Whether a piece with two sides lies there with the other one up, or has left: no arm hides the place."""
        assert track.piece is not None
        if not track.piece.two_sided or frame.at_s - (track.missing_s or frame.at_s) < TURNED_S:
            return False
        return track.patch is None or track.patch.likeness(frame.grey) < OTHER

    def _above(self, track: Track) -> Piece | None:
        """A piece that came later and lies over the place."""
        body = _outline(track)
        for other in self._tracks.pieces.values():
            if other is track or other.since_s < track.seen_s or other.missing_s is not None:
                continue
            above = _outline(other)
            shared, _ = cv2.intersectConvexConvex(body, above)
            if shared > SHARED * min(cv2.contourArea(body), cv2.contourArea(above)):
                return other.piece
        return None

    def _uncovered_another(self, track: Track) -> bool:
        """Whether a tag that vanished when this piece was laid, and below it, is seen again."""
        body = _outline(track)
        return any(
            other.hidden_s is not None
            and abs(other.hidden_s[0] - track.since_s) < LAYING_S
            and other.in_sight
            and other.seen_s >= (track.missing_s or 0.0)
            and cv2.pointPolygonTest(body, other.pose.at_mm, False) > 0
            for other in self._tracks.pieces.values()
            if other is not track
        )

    def _others(self, track: Track) -> list[Points]:
        """Footprints of the pieces nearby."""
        rows, columns = track.area
        return [
            other.pose.place(footprint_mm(other.piece))
            for other in self._tracks.pieces.values()
            if other is not track
            and other.piece is not None
            and other.piece.id not in self.anchors
            and rows.start < other.area[0].stop
            and other.area[0].start < rows.stop
            and columns.start < other.area[1].stop
            and other.area[1].start < columns.stop
        ]


def _outline(track: Track) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    assert track.piece is not None
    return track.pose.place(footprint_mm(track.piece)).astype(np.float32)

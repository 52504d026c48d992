"""What is known of each piece and of each strange tag on the table."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from companion.core.box import Box, Piece, PieceId
from companion.core.table import ZoneId
from companion.core.tags import CORNER_IDS, ArucoTag, QrTag, Tag, check
from vision.change import Blocks, Grid
from vision.evidence import RING_MM, UNCHANGED, Patch, View
from vision.fiducials import Corners
from vision.frame import Frame
from vision.lens import Homography
from vision.scan import Found
from vision.votes import Ballot
from vision.zones import Pose, footprint_mm

SAME_MM = 6.0
SAME_DEG = 15.0
SAME_PX = 3.0
"""A known piece read so near to its place still lies there; it may have been nudged."""
STEADY_MM = 1.5
STEADY_DEG = 3.0
"""Readings differ by so much while nothing moves; a pose that is known is kept as it is."""
NEEDED = {"": 2, "foreign": 3, "double": 3, "damaged": 5}
"""Votes by kind, `""` being a piece of the box. A damaged tag may be a misread: these don't agree with one another."""
SIZE_RATIO = (0.6, 1.6)
"""A marker of a piece that measures less or more than its piece's is a speck of dust or a picture of one."""
GRACE_S = 1.0
"""A strange tag that can't be read for so long in a place at rest has gone."""
_CORNERS = frozenset(map(ArucoTag, CORNER_IDS))
"""Tags of the table itself."""

Area = tuple[slice, slice]
"""Rows and columns of blocks around something."""


@dataclass(slots=True, eq=False)
class Track:
    """What is known of a tag that was seen often enough to be believed.

    Attributes:
        tag: what it says.
        piece: the piece that carries it, None for strange tags.
        kind: `""` for pieces, otherwise the kind of `companion.core.table.Stranger`.
        pose: where it was seen last.
        corners_px: the same in the picture.
        since_s: when it was put there.
        seen_s: when it was plainly there last.
        tag_area: blocks of the tag.
        area: blocks of the whole piece and its surroundings.
        patch: its tag in full resolution; None if that isn't known in the present view of the camera.
        view: the piece with its surroundings, when both were last seen.
        view_epoch: number of the light and camera pose in which the view was taken.
        view_due: the surroundings have changed since.
        stirred: something moved there and it was not looked at since.
        missing_s: since when it can't be found in its place, though nothing moves there.
        hidden_s: when it was last missing, from and to, before it was seen again in the same place.
        empty_looks: how many looks in a row found its place empty.
        judged_s: time of the newest such look.
        lay_in: the zone in which it lay last.
    """

    tag: Tag
    piece: Piece | None
    kind: str
    pose: Pose
    corners_px: Corners
    since_s: float
    seen_s: float
    tag_area: Area
    area: Area
    patch: Patch | None = None
    view: View | None = None
    view_epoch: int = -1
    view_due: bool = True
    stirred: bool = False
    missing_s: float | None = None
    hidden_s: tuple[float, float] | None = None
    empty_looks: int = 0
    judged_s: float = -math.inf
    lay_in: ZoneId | None = None
    footprint_px: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((0, 2)))

    @property
    def in_sight(self) -> bool:
        """Whether it is plainly seen now, or was and nothing has moved there since."""
        return self.missing_s is None and not self.stirred

    def saw(self, at_s: float) -> None:
        """It is plainly there."""
        if self.missing_s is not None:
            self.hidden_s = (self.missing_s, at_s)
        self.seen_s = at_s
        self.view_due |= self.stirred
        self.stirred = False
        self.missing_s = None
        self.empty_looks = 0

    def miss(self, at_s: float) -> None:
        """It can't be found in its place."""
        self.stirred = False
        if self.missing_s is None:
            self.missing_s = at_s


class Tracks:
    """All pieces and strange tags on the table, by votes over frames.

    Args:
        box: the pieces of the game.
        counters: gets `placed`, `moved`, `misread` and `double`.

    Attributes:
        pieces: pieces believed to lie on the table, covered ones included.
        strangers: strange tags believed to lie there.
        poses: last known pose of each piece that was ever seen.
        left: pieces that have left the table, with the zone in which they lay last.
        ballot: places still under vote.
    """

    def __init__(self, box: Box, counters: Counter[str]) -> None:
        self.box = box
        self.pieces: dict[PieceId, Track] = {}
        self.strangers: list[Track] = []
        self.poses: dict[PieceId, Pose] = {}
        self.left: dict[PieceId, ZoneId] = {}
        self.ballot = Ballot()
        self._counters = counters

    def __iter__(self) -> Iterator[Track]:
        yield from self.pieces.values()
        yield from self.strangers

    def take(self, found: Iterable[Found], frame: Frame, table: Homography, grid: Grid) -> list[Track]:
        """Counts what was found in a frame; returns the tracks that are new, or in a new place."""
        changed = []
        read = [_Seen(o.tag, *pose_of(o.corners_px, table), o.corners_px) for o in found if o.tag not in _CORNERS]
        self._forget_patches(read)
        for seen in read:
            piece = self.box.piece_of(seen.tag)
            if piece is not None and isinstance(seen.tag, ArucoTag):
                ratio = seen.side_mm / piece.tag_mm
                if not SIZE_RATIO[0] < ratio < SIZE_RATIO[1]:
                    self._counters["misread"] += 1
                    continue
            if piece is not None and piece.alike:
                piece = self._one_of(piece, seen)
            track = self._piece(seen, piece, frame, table, grid) if piece else self._stranger(seen, frame, table, grid)
            if track is not None:
                changed.append(track)
        before = self.ballot.dropped
        self.ballot.expire(frame.at_s)
        self._counters["misread"] += self.ballot.dropped - before
        return changed

    def remove(self, track: Track) -> Track | None:
        """Takes a piece or strange tag off the table; returns its double if one takes its place."""
        if track.piece is None or track.kind:
            self.strangers.remove(track)
            return None
        piece = track.piece
        del self.pieces[piece.id]
        if track.lay_in is not None:
            self.left[piece.id] = track.lay_in
        for other in self.strangers:
            if other.kind == "double" and other.tag == track.tag:
                self.strangers.remove(other)
                other.kind, other.lay_in = "", track.lay_in
                self.pieces[piece.id] = other
                self.poses[piece.id] = other.pose
                self.left.pop(piece.id, None)
                return other
        return None

    def remeasure(self, table: Homography) -> None:
        """After a better survey of the table: everything is seen where it was, but these are other millimetres."""
        for track in self:
            track.pose, _ = pose_of(track.corners_px, table)
            if track.piece and not track.kind:
                self.poses[track.piece.id] = track.pose

    def relocate(self, table: Homography, grid: Grid) -> None:
        """After a bump of the camera: everything lies where it lay, but elsewhere in the picture."""
        for track in self:
            half = (track.piece.tag_mm if track.piece else 20.0) / 2
            square = track.pose.place([(-half, -half), (half, -half), (half, half), (-half, half)])
            self._locate(track, table.to_px(square), table, grid)
            track.patch = None
            track.stirred, track.missing_s, track.empty_looks = True, None, 0

    def _forget_patches(self, read: Iterable[_Seen]) -> None:
        """Where another piece is read, the patch of a tag that lay just there proves nothing: codes are much alike."""
        for seen in read:
            for track in self if self.box.piece_of(seen.tag) else ():
                if track.tag != seen.tag and math.dist(track.pose.at_mm, seen.pose.at_mm) < SAME_MM:
                    track.patch = None

    def _one_of(self, piece: Piece, seen: _Seen) -> Piece:
        """Which of the copies that are alike was read: the one known there, one never seen, or the one missed longest.

        One that has left stays known by its place as long as there are others.
        """
        copies = self.box.copies[piece.name]
        tracks = [self.pieces.get(copy.id) for copy in copies]
        for copy, track in zip(copies, tracks, strict=True):
            if track is not None and _same_tag(track, seen):
                return copy
        off = [copy for copy, track in zip(copies, tracks, strict=True) if track is None]
        missed = [
            (track.missing_s, copy) for copy, track in zip(copies, tracks, strict=True) if track and track.missing_s
        ]
        if off:
            return next((copy for copy in off if copy.id not in self.left), off[0])
        return min(missed, key=lambda pair: pair[0])[1] if missed else piece

    def _piece(self, seen: _Seen, piece: Piece, frame: Frame, table: Homography, grid: Grid) -> Track | None:
        track = self.pieces.get(piece.id)
        if track and _same_tag(track, seen):
            self._see(track, seen, frame, table, grid)
            return None
        spot = self.ballot.vote(seen.tag, seen.pose, seen.corners_px, frame.at_s)
        double = bool(track and _plainly_there(track, frame))
        if double and any(self._again(s, seen, frame, table, grid) for s in self.strangers):
            self.ballot.remove([spot])
            return None
        if spot.votes < NEEDED["double" if double else ""]:
            return None
        self.ballot.remove([spot])
        if double:
            self._counters["double"] += 1
            return self._strange("double", seen, piece, frame, table, grid)
        self.strangers = [s for s in self.strangers if s.tag != seen.tag or not _same_tag(s, seen)]
        self._counters["moved" if track else "placed"] += 1
        new = self._track("", seen, piece, frame, table, grid)
        new.lay_in = track.lay_in if track else None
        self.pieces[piece.id] = new
        self.poses[piece.id] = new.pose
        return new

    def _stranger(self, seen: _Seen, frame: Frame, table: Homography, grid: Grid) -> Track | None:
        if any(self._again(stranger, seen, frame, table, grid) for stranger in self.strangers):
            return None
        here = [t for t in self.pieces.values() if math.dist(t.pose.at_mm, seen.pose.at_mm) < 2 * SAME_MM]
        if any(_plainly_there(track, frame) for track in here):
            self._counters["misread"] += 1
            return None
        kind = (check(seen.tag.payload) if isinstance(seen.tag, QrTag) else "") or "foreign"
        spot = self.ballot.vote(seen.tag, seen.pose, seen.corners_px, frame.at_s)
        if spot.votes < NEEDED[kind]:
            return None
        self.ballot.remove([spot])
        return self._strange(kind, seen, None, frame, table, grid)

    def _again(self, track: Track, seen: _Seen, frame: Frame, table: Homography, grid: Grid) -> bool:
        if track.tag != seen.tag or not _same_tag(track, seen):
            return False
        self._see(track, seen, frame, table, grid)
        return True

    def _strange(
        self, kind: str, seen: _Seen, piece: Piece | None, frame: Frame, table: Homography, grid: Grid
    ) -> Track:
        track = self._track(kind, seen, piece, frame, table, grid)
        self.strangers.append(track)
        return track

    def _track(self, kind: str, seen: _Seen, piece: Piece | None, frame: Frame, table: Homography, grid: Grid) -> Track:
        nowhere = (slice(0), slice(0))
        now = frame.at_s
        track = Track(seen.tag, piece, kind, seen.pose, seen.corners_px, now, now, nowhere, nowhere)
        self._locate(track, seen.corners_px, table, grid)
        track.patch = Patch.of(frame.grey, seen.corners_px)
        return track

    def _see(self, track: Track, seen: _Seen, frame: Frame, table: Homography, grid: Grid) -> None:
        if not track.pose.near(seen.pose, STEADY_MM, STEADY_DEG):
            track.pose = seen.pose
            track.view_due = True
            if track.piece and not track.kind:
                self.poses[track.piece.id] = seen.pose
            self._locate(track, seen.corners_px, table, grid)
        track.saw(frame.at_s)
        track.patch = Patch.of(frame.grey, seen.corners_px)

    def _locate(self, track: Track, corners_px: Corners, table: Homography, grid: Grid) -> None:
        half = 12.5
        body = (
            footprint_mm(track.piece)
            if track.piece
            else np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
        )
        around = footprint_mm(track.piece, RING_MM[1]) if track.piece else body
        track.corners_px = corners_px
        track.footprint_px = table.to_px(track.pose.place(body))
        track.tag_area = _area(grid, corners_px)
        track.area = _area(grid, table.to_px(track.pose.place(around)))


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    tag: Tag
    pose: Pose
    side_mm: float
    corners_px: Corners


def _same_tag(track: Track, seen: _Seen) -> bool:
    """Whether a reading is of the very tag that is known: near on the table, or where it was in the picture."""
    apart_px = np.linalg.norm(track.corners_px.mean(axis=0) - seen.corners_px.mean(axis=0))
    return track.pose.near(seen.pose, SAME_MM, SAME_DEG) or bool(apart_px < SAME_PX)


def _plainly_there(track: Track, frame: Frame) -> bool:
    if track.seen_s == frame.at_s:
        return True
    return track.patch is not None and track.patch.likeness(frame.grey) >= UNCHANGED


def pose_of(corners_px: Corners, table: Homography) -> tuple[Pose, float]:
    """Pose on the table and side in mm of a tag."""
    top_left, top_right, bottom_right, bottom_left = corners = table.to_mm(corners_px)
    along = top_right - top_left + bottom_right - bottom_left
    centre = corners.mean(axis=0)
    side_mm = float(np.linalg.norm(corners - np.roll(corners, 1, axis=0), axis=1).mean())
    return Pose((float(centre[0]), float(centre[1])), math.degrees(math.atan2(along[1], along[0]))), side_mm


def _area(grid: Grid, polygon_px: npt.NDArray[np.float64]) -> Area:
    """Blocks around a polygon; nothing if it lies outside the picture."""
    low = np.floor((polygon_px.min(axis=0) + 0.5) / grid.block_px).astype(int)
    high = np.floor((polygon_px.max(axis=0) + 0.5) / grid.block_px).astype(int) + 1
    rows, columns = grid.shape
    low, high = np.clip(low, 0, (columns, rows)), np.clip(high, 0, (columns, rows))
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))


def touches(mask: Blocks, area: Area) -> bool:
    """Whether any block of an area is set."""
    return bool(mask[area].any())

"""The watcher: frames in, observations out."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from msgspec.structs import replace

from companion.core.box import Box, PieceId
from companion.core.errors import CompanionError
from companion.core.table import Observation, Zone
from companion.core.tags import ARUCO_CELLS, QR_MODULES, ArucoTag, QrTag, Tag
from vision.background import Background, Foreground
from vision.change import Blocks, Change, ChangeGate, Grid
from vision.closed_world import ClosedWorld
from vision.evidence import UNCHANGED
from vision.fiducials import Corners, Fiducials
from vision.frame import Frame, Picture
from vision.geometry import Table
from vision.judge import Judge
from vision.lens import Homography
from vision.reading import Reader
from vision.report import middle_mm, report
from vision.scan import Found, Scanner, World
from vision.tracks import SAME_MM, Track, Tracks, pose_of, touches
from vision.zones import Pose, ZoneMap

REST_S = 0.12
"""A block that has been still for so long can be read."""
GLANCES = 2
"""So often a changed place is read before anything is said."""
LOOKS = 4
"""Each changed block is read in so many frames, in the second half of them with more effort where nothing was found."""
STACK = 4
"""So many frames are averaged for tags that can't be read in one."""
MOST_PARTS = 16
MOST_READ = 0.2
"""With more parts to read, or a larger share of the picture, reading the whole frame is cheaper."""
MOST_CHANGED = 0.3
"""Where more of the picture stands out, the light has changed."""
SMALL_PART = 0.05
"""Only parts of the picture that are so small are worth a second opinion, which takes ten times as long."""
WHOLE_S = (0.7, 4.0)
"""Seconds between reads of the whole frame while something is unsettled, and otherwise."""
MARKERS_S = (0.3, 1.5, 8.0)
"""Seconds between searches of the whole frame for markers: at least, while people keep moving, and otherwise."""
LEARN_S = (0.5, 3.0)
"""Seconds between updates of the background while something happens, and otherwise."""
CALM_S = 0.2
"""Nothing has moved for so long: the table is at rest."""
IMPATIENT_S = 1.0
"""Where people never rest, what is settled is reported after so long all the same."""
HEARTBEAT_S = 1.0
SETTLED_S = 2.0
"""After the last motion frames are looked at closely for so long."""
PUZZLED_S = 3.0
"""A missing piece is searched for at every turn for so long; after that a hand may rest on it for minutes."""
SAME_CAMERA_PX = 1.5
"""Corners that moved further in the picture mean that the camera was bumped."""
ARM_BLOCKS = 40
"""What reaches in from the edge of the picture and is larger than this is an arm, and no shadow."""
FINE_PX = 3.5
"""With so many px per module a code is read without enlargement."""


class FrameSizeError(CompanionError, ValueError):
    """The camera changed its picture size while watching."""


class Watcher:
    """Watches one table.

    Args:
        box: pieces of the game.
        corner_mm: side of the corner markers' black square.
        table_mm: distance of the corner markers' outer corners, across and down, if somebody measured them.
        reader: of QR codes; by default zxing with zbar as second opinion.

    Attributes:
        table: its geometry; `table.homography` is None until all four corner markers were seen.
        counters: `frames`, `parts_read`, `wholes_read`, `markers_read`, `placed`, `moved`, `gone`, `misread`
            (readings outvoted), `double`, `bumps` and `light_changes`.
    """

    def __init__(
        self,
        box: Box,
        *,
        corner_mm: float = 50.0,
        table_mm: tuple[float, float] | None = None,
        reader: Reader | None = None,
    ) -> None:
        self.box = box
        self.table = Table(corner_mm, table_mm)
        self.counters: Counter[str] = Counter()
        self._scanner = Scanner(reader or Reader.standard(), Fiducials())
        self._closed = ClosedWorld(box)
        self._tracks = Tracks(box, self.counters)
        self._zones: tuple[Zone, ...] = ()
        self._map: ZoneMap | None = None
        self._anchors: frozenset[PieceId] = frozenset()
        self._gate: ChangeGate | None = None
        self._background: Background
        self._judge: Judge
        self._light_changed = False
        self._moved_s = self._whole_s = self._markers_s = self._learned_s = -math.inf
        self._unmoved_s = -math.inf
        self._moved_since_markers = True
        self._pending = False
        self._reached_in = False
        self._stack: deque[Picture] = deque(maxlen=STACK)
        self._busy_since_s: float | None = None
        self._said: Observation | None = None

    @property
    def poses(self) -> Mapping[PieceId, Pose]:
        """Last known pose of each piece that was ever seen."""
        return self._tracks.poses

    @property
    def tracks(self) -> Sequence[Track]:
        """All tags believed to lie on the table, for drawing."""
        return list(self._tracks)

    @property
    def zones(self) -> ZoneMap:
        """The zones as they lie now."""
        if self._map is None:
            self._map = ZoneMap(self.box, self._zones, self._tracks.poses)
        return self._map

    def place(self, zones: Sequence[Zone]) -> None:
        """From now on these zones matter."""
        self._zones = tuple(zones)
        self._map = None
        anchors = (self.box.find(zone.anchor) for zone in zones if zone.anchor)
        fixed = (piece.id for piece in self.box.pieces.values() if piece.fixed)
        self._anchors = frozenset((*(anchor.id for anchor in anchors if anchor), *fixed))
        if self._gate is not None:
            self._judge.anchors = self._anchors

    def look(self, frame: Frame) -> Observation | None:
        """What is to be said after one more frame: an observation that is new, or the old one about once a second.

        None while the table is not known, something moves or is under vote, or there is nothing new.

        Raises:
            FrameSizeError: the camera delivers another size than before.
        """
        self.counters["frames"] += 1
        now = frame.at_s
        gate = self._gate or self._begin(frame)
        if gate.grid.size_px != frame.size:
            raise FrameSizeError(
                f"camera: frames of {gate.grid.size_px} px became {frame.size} px; restart the watcher"
            )
        change = gate.update(frame.lores, now)
        if not change.quiet and change.moving.any():
            self._moved_s = now
            self._moved_since_markers = True
            self._stack.clear()  # a mean over what was taken away would still show it
            for track in self._tracks:
                track.stirred |= touches(change.moving, track.area)
        self._light_changed |= change.everywhere
        if self._nothing_due(change, now):
            silent = self._map is not None and self._said is not None and now - self._said.at_s < HEARTBEAT_S
            self._stack.clear()  # greys of long ago are no look at what lies there now
            return None if silent else self._speak(now)
        self._stack.append(frame.grey)
        found = self._find_markers(frame, gate)
        table = self.table.homography
        if table is None:
            return None
        found += self._find_codes(frame, change, gate)
        self._take(found, frame, gate, table)
        self._verify(frame, change)
        front = self._background.foreground(frame.lores, self._blocks(t for t in self._tracks if t.in_sight))
        self._reached_in = int(front.arms.sum()) >= ARM_BLOCKS
        self._decide(frame, front, gate, table)
        self._judge.keep_views(frame, front, table)
        self._learn(frame, front, gate)
        return self._speak(now)

    def diagnose(self) -> dict[str, object]:
        """What a health report wants to know of reading, as plain values.

        `px_per_module` is that of the smallest QR code of the box in the middle of the table, `px_per_cell` that of
        the smallest marker; None while the table is unknown.
        """
        outline = self.table.outline_mm
        scale = self._px_per_mm
        marker = self._smallest_mm(ArucoTag)
        return {
            "corners_seen": list(self.table.corners_seen),
            "table_mm": None if outline is None else np.round(outline, 1).tolist(),
            "px_per_mm": scale,
            "px_per_module": self.px_per_module,
            "px_per_cell": scale * marker / ARUCO_CELLS if scale and marker else None,
            "noise": self._gate.noise if self._gate else None,
            "degradations": list(self._scanner.reader.degradations),
            "decoders": dict(self._scanner.reader.counts),
            "decoder_errors": dict(self._scanner.reader.errors),
            "counters": dict(self.counters),
        }

    @property
    def px_per_module(self) -> float | None:
        """Size of a module of the box's smallest QR code in the middle of the table; None while that is unknown."""
        scale, side = self._px_per_mm, self._smallest_mm(QrTag)
        return scale * side / QR_MODULES if scale and side else None

    def _begin(self, frame: Frame) -> ChangeGate:
        grid = Grid.of(frame)
        self._gate = ChangeGate(grid, frame.lores, frame.at_s)
        self._background = Background(grid, frame.lores)
        self._judge = Judge(self._tracks, self._gate, self._background)
        self._judge.anchors = self._anchors
        return self._gate

    def _nothing_due(self, change: Change, now: float) -> bool:
        """Whether nothing changed, nothing is open and no timer has run out."""
        if not change.quiet or self.table.homography is None or self._moved_since_markers:
            return False
        ages_s = (now - self._whole_s, now - self._markers_s, now - self._learned_s)
        timers = all(age < limit for age, limit in zip(ages_s, (WHOLE_S[1], MARKERS_S[2], LEARN_S[1]), strict=True))
        return timers and now - self._moved_s > SETTLED_S and not self._unsettled(change, now)

    def _unsettled(self, change: Change, now: float) -> bool:
        if change.changed.any() or self._tracks.ballot.undecided:
            return True
        return any(t.stirred or (t.missing_s is not None and now - t.missing_s < PUZZLED_S) for t in self._tracks)

    def _find_markers(self, frame: Frame, gate: ChangeGate) -> list[Found]:
        """Markers of the whole frame, if they are due; renews the table by them."""
        now, age_s = frame.at_s, frame.at_s - self._markers_s
        rested = now - self._moved_s >= REST_S
        due_s = MARKERS_S[2]
        if self._moved_since_markers:
            due_s = MARKERS_S[0] if rested or self.table.homography is None else MARKERS_S[1]
        if age_s < due_s:
            return []
        self._markers_s = now
        self._moved_since_markers &= not rested or self.table.homography is None
        self.counters["markers_read"] += 1
        # Tokens that come are found where the picture has changed; the fine search is for what was missed there.
        before = self.table.homography
        found = self._scanner.markers(frame, fine=before is None or self.counters["markers_read"] % 4 == 0)
        corners = {one.tag.number: one.corners_px for one in found if isinstance(one.tag, ArucoTag)}
        refresh = self.table.refresh(corners, frame.size)
        after = self.table.homography
        if self.table.corners_seen and refresh.moved_px < SAME_CAMERA_PX:
            self._unmoved_s = now
        if before is not None and after is not None and refresh.accepted and refresh.moved_px >= SAME_CAMERA_PX:
            self._bumped(frame, gate, before, after)
        elif after is not None and refresh.surveyed:
            self._tracks.remeasure(after)
            self._map = None
        if self._light_changed and rested and after is not None:
            self.counters["light_changes"] += 1
            self._light_changed = False
            self._background.relight(frame.lores, self._blocks(self._tracks))
            self._judge.new_epoch()
        return found

    def _bumped(self, frame: Frame, gate: ChangeGate, before: Homography, after: Homography) -> None:
        self.counters["bumps"] += 1
        self._light_changed = False
        self._background.shift(after.mm_to_px @ before.px_to_mm, frame.lores)
        self._tracks.relocate(after, gate.grid)
        self._judge.new_epoch()
        gate.force()
        self._whole_s = -math.inf
        self._unmoved_s = frame.at_s

    def _find_codes(self, frame: Frame, change: Change, gate: ChangeGate) -> list[Found]:
        """Codes of the whole frame, or tags of its changed parts, as far as they are due."""
        now = frame.at_s
        rested = change.changed & (now - gate.still_since_s >= REST_S)
        boxes = gate.grid.boxes(rested, 2) if rested.any() else []
        share = sum((right - left) * (bottom - top) for left, top, right, bottom in boxes) / math.prod(frame.size)
        many = len(boxes) > MOST_PARTS or share > MOST_READ
        found: list[Found] = []
        unsettled = self._unsettled(change, now)
        # While nobody waits, some frames are collected first: their mean shows what none of them does.
        collected = unsettled or len(self._stack) == STACK
        if many or (collected and now - self._whole_s >= WHOLE_S[0 if unsettled else 1]):
            self._whole_s = now
            self.counters["wholes_read"] += 1
            # All decoders on the whole frame take long: only while nobody waits.
            thorough = not change.changed.any() and self.counters["wholes_read"] % 15 == 0
            stack = tuple(self._stack) if len(self._stack) >= STACK - 1 else ()
            found += self._scanner.codes(frame, 1 if thorough or self._fine else 2, thorough, stack)
        later, last = (bool((gate.reads[rested] >= looks).any()) for looks in (LOOKS // 2, LOOKS - 1))
        if many:
            found += self._scanner.markers(frame, fine=True, thorough=later)
        elif boxes:
            self.counters["parts_read"] += len(boxes)
            stack = tuple(self._stack) if later else ()
            found += self._scanner.parts(frame, boxes, 2, last and share < SMALL_PART, stack, self._world)
        gate.reads[rested] += 1
        self._pending = bool((gate.reads[change.changed] < GLANCES).any())
        gate.settle(frame.lores, rested & (gate.reads >= LOOKS))
        return found

    @property
    def _world(self) -> World | None:
        table = self.table.homography
        return None if table is None else World(self._closed, table, self._may_lie)

    def _may_lie(self, tag: Tag, corners_px: Corners) -> bool:
        """Whether the zones expect a piece there, or it is known to lie there."""
        piece, table = self.box.piece_of(tag), self.table.homography
        if piece is None or table is None:
            return False
        pose, _ = pose_of(corners_px, table)
        track = self._tracks.pieces.get(piece.id)
        known = track is not None and math.dist(track.pose.at_mm, pose.at_mm) < SAME_MM
        return known or self.zones.zone_at(middle_mm(pose, piece.tag_at_mm), piece.kind) is not None

    def _take(self, found: list[Found], frame: Frame, gate: ChangeGate, table: Homography) -> None:
        """Counts what was found."""
        for track in self._tracks.take(found, frame, table, gate.grid):
            self._map = None
            blocks = gate.grid.under(track.footprint_px)
            if blocks.any() and self._background.stands_out(frame.lores)[blocks].mean() < 0.5:
                # It lay there before the background was learned, so nothing is known of the table below it.
                self._background.forget(blocks)

    def _verify(self, frame: Frame, change: Change) -> None:
        """Looks for each piece whose place has changed by its patch."""
        for track in self._tracks:
            if track.seen_s == frame.at_s or touches(change.moving, track.tag_area):
                continue
            if track.stirred or track.missing_s is not None or touches(change.changed, track.tag_area):
                if track.patch is not None and track.patch.likeness(frame.grey) >= UNCHANGED:
                    track.saw(frame.at_s)
                else:
                    track.miss(frame.at_s)

    def _decide(self, frame: Frame, front: Foreground, gate: ChangeGate, table: Homography) -> None:
        """Takes pieces off the table whose places are empty."""
        now = frame.at_s
        for track in list(self._tracks):
            if track.missing_s is None or now - track.judged_s < REST_S or not self._judge.still(track, now):
                continue
            track.judged_s = now
            track.empty_looks = track.empty_looks + 1 if self._judge.empty(track, frame, front, table) else 0
            if track.empty_looks >= 2 and self._certain(track, track.missing_s, now):
                self.counters["gone"] += not track.kind
                self._tracks.remove(track)
                self._map = None
                blocks = gate.grid.under(track.footprint_px)
                # Where other pieces lie, it is these that stand out.
                others = self._blocks(self._tracks)
                self._background.forget(blocks & self._background.stands_out(frame.lores) & ~others)

    def _certain(self, track: Track, missing_s: float, now: float) -> bool:
        """Whether all has been done to find the piece elsewhere, and the camera is known to stand as it stood."""
        if self._whole_s < missing_s:
            self._whole_s = -math.inf
            return False
        if self._tracks.ballot.open(now, track.tag):
            return False
        stayed = sum(t.seen_s >= missing_s for t in self._tracks.pieces.values())
        if self._unmoved_s < missing_s and stayed < 2:
            return False
        return now - self._moved_s >= CALM_S or now - missing_s >= IMPATIENT_S

    def _learn(self, frame: Frame, front: Foreground, gate: ChangeGate) -> None:
        if frame.at_s - self._learned_s < LEARN_S[0]:
            return
        self._learned_s = frame.at_s
        self._light_changed |= bool(front.mask.mean() > MOST_CHANGED)
        self._background.learn(frame.lores, frame.at_s, gate.still_since_s, front, self._blocks(self._tracks))

    def _blocks(self, tracks: Iterable[Track]) -> Blocks:
        """Blocks under pieces; anchors belong to the table."""
        assert self._gate is not None
        grid = self._gate.grid
        mask = np.zeros(grid.shape, np.uint8)
        for track in tracks:
            if not (track.piece and track.piece.id in self._anchors):
                grid.draw(mask, track.footprint_px)
        return mask.astype(bool)

    def _speak(self, now: float) -> Observation | None:
        """The observation, if there is one to be made now."""
        busy = now - self._moved_s < CALM_S or self._tracks.ballot.open(now) or self.counters["wholes_read"] < LOOKS
        busy |= self._pending  # of two things that came at the same time, both are told
        if not busy:
            self._busy_since_s = None
        elif self._busy_since_s is None:
            self._busy_since_s = now
        if busy and (self._busy_since_s is None or now - self._busy_since_s < IMPATIENT_S):
            return None
        said = self._said
        due = said is None or now - said.at_s >= HEARTBEAT_S
        seen = replace(report(self._tracks, self.zones, now), restless=busy or self._reached_in)
        if said is not None and _same(seen, said) and (busy or not due):
            return None
        if busy:
            self._busy_since_s = now
        self._said = seen
        return seen

    @property
    def _px_per_mm(self) -> float | None:
        """Scale in the middle of the table."""
        outline = self.table.outline_mm
        if self.table.homography is None or outline is None:
            return None
        x, y = outline.mean(axis=0)
        return self.table.homography.px_per_mm((float(x), float(y)))

    def _smallest_mm(self, kind: type[QrTag | ArucoTag]) -> float | None:
        return min((p.tag_mm for p in self.box.pieces.values() if isinstance(p.tag, kind)), default=None)

    @property
    def _fine(self) -> bool:
        """Whether codes are large enough to be read without enlargement."""
        module_px = self.px_per_module
        return module_px is not None and module_px >= FINE_PX


def _same(one: Observation, other: Observation) -> bool:
    return replace(one, at_s=0.0) == replace(other, at_s=0.0)

"""The watcher: frames in, observations out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from companion.core.box import Box, PieceId
from companion.core.errors import CompanionError
from companion.core.table import Observation, Sighting, Stranger, Zone
from companion.core.tags import QR_MODULES, ArucoTag, QrTag
from vision.background import Background, Foreground
from vision.change import Blocks, Change, ChangeGate, Grid
from vision.evidence import UNCHANGED, View
from vision.fiducials import Fiducials
from vision.frame import Frame
from vision.geometry import Table
from vision.reading import Reader
from vision.scan import Found, Scanner
from vision.tracks import GRACE_S, Track, Tracks, touches
from vision.zones import Pose, ZoneMap, footprint_mm

REST_S = 0.12
"""A block that has been still for so long can be read."""
LOOKS = 3
"""Each changed block is read in so many frames, enough for every vote but that on a damaged tag."""
WHOLE_S = (0.7, 4.0)
"""Seconds between reads of the whole frame while something is unsettled, and otherwise."""
MARKERS_S = (0.3, 1.5, 8.0)
"""Seconds between searches of the whole frame for markers: at least, while people keep moving, and otherwise."""
CALM_S = 0.2
"""Nothing has moved for so long: the table is at rest."""
IMPATIENT_S = 1.0
"""Where people never rest, what is settled is reported after so long all the same."""
HEARTBEAT_S = 1.0
SAME_CAMERA_PX = 1.0
"""Corners that moved further in the picture mean that the camera was bumped."""
FINE_PX = 3.5
"""With so many px per module a code is read without enlargement."""
LEARN_S = (0.5, 3.0)
"""Seconds between updates of the background while something happens, and otherwise."""


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
            (readings outvoted), `double`, `bumps`, `light_changes`, and each decoder's exceptions as
            `error: DECODER TYPE`.
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
        self._tracks = Tracks(box, self.counters)
        self._zones: tuple[Zone, ...] = ()
        self._map: ZoneMap | None = None
        self._anchors: frozenset[PieceId] = frozenset()
        self._gate: ChangeGate | None = None
        self._background: Background | None = None
        self._epoch = 0
        self._light_changed = False
        self._moved_s = self._whole_s = self._markers_s = self._learned_s = -math.inf
        self._unmoved_s = -math.inf
        self._motion_since_markers = True
        self._busy_since_s: float | None = None
        self._said: Observation | None = None
        self._looks = 0

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
        self._anchors = frozenset(anchor.id for anchor in anchors if anchor)

    def look(self, frame: Frame) -> Observation | None:
        """What is to be said after one more frame: an observation that is new, or the old one about once a second.

        None while the table is not known, something moves or is under vote, or there is nothing new.

        Raises:
            FrameSizeError: the camera delivers another size than before.
        """
        self.counters["frames"] += 1
        now = frame.at_s
        if self._gate is None or self._background is None:
            grid = Grid.of(frame)
            self._gate, self._background = ChangeGate(grid, frame.lores, now), Background(grid, frame.lores)
        gate = self._gate
        if gate.grid.size_px != frame.size:
            raise FrameSizeError(f"camera: frames of {gate.grid.size_px} px became {frame.size} px; restart the watcher")
        change = gate.update(frame.lores, now)
        if change.moving.any():
            self._moved_s = now
            self._motion_since_markers = True
        if change.everywhere:
            self._light_changed = True
        if self._idle(change, now):
            return self._speak(now)
        self._mark(change)
        found = self._find_markers(frame)
        if self.table.homography is None:
            return None
        front = self._background.foreground(frame.lores, self._explained())
        found += self._find_codes(frame, change)
        self._verify(frame, change, found)
        self._judge(frame, front)
        self._keep_views(frame, front)
        self._learn(frame, front)
        return self._speak(now)

    def diagnose(self) -> dict[str, object]:
        """What a health report wants to know of reading, as plain values.

        `px_per_module` is that of the smallest QR code of the box in the middle of the table, `px_per_cell` that of
        the smallest marker; None while the table is unknown.
        """
        scale = self._px_per_mm()
        qr = [p.tag_mm / QR_MODULES for p in self.box.pieces.values() if isinstance(p.tag, QrTag)]
        marker = [p.tag_mm / 7 for p in self.box.pieces.values() if isinstance(p.tag, ArucoTag)]
        outline = self.table.outline_mm
        return {
            "corners_seen": list(self.table.corners_seen),
            "table_mm": None if outline is None else np.round(outline, 1).tolist(),
            "px_per_mm": scale,
            "px_per_module": scale * min(qr) if scale and qr else None,
            "px_per_cell": scale * min(marker) if scale and marker else None,
            "noise": self._gate.noise if self._gate else None,
            "degradations": list(self._scanner.reader.degradations),
            "counters": dict(self.counters),
        }

    # -- what is due ---------------------------------------------------------------------------------------------

    def _idle(self, change: Change, now: float) -> bool:
        """Whether nothing changed, nothing is open and no timer has run out."""
        if not change.quiet or self.table.homography is None or self._motion_since_markers:
            return False
        timers = now - self._whole_s < WHOLE_S[1] and now - self._markers_s < MARKERS_S[2]
        timers &= now - self._learned_s < LEARN_S[1] and now - self._moved_s > 2.0
        return timers and not self._unsettled(change, now)

    def _unsettled(self, change: Change, now: float) -> bool:
        if change.changed.any() or self._tracks.ballot.open(now):
            return True
        return any(t.stirred or _puzzling(t, now) for t in self._tracks)

    def _mark(self, change: Change) -> None:
        for track in self._tracks:
            if touches(change.moving, track.area):
                track.stirred = True

    # -- looking -------------------------------------------------------------------------------------------------

    def _find_markers(self, frame: Frame) -> list[Found]:
        """Markers of the whole frame, if they are due; renews the table by them."""
        gate = self._gate
        now, age_s = frame.at_s, frame.at_s - self._markers_s
        rested = self._motion_since_markers and now - self._moved_s >= REST_S and age_s >= MARKERS_S[0]
        moving = self._motion_since_markers and age_s >= MARKERS_S[1]
        hidden = self.table.homography is None and age_s >= 0.5
        if not (rested or moving or hidden or age_s >= MARKERS_S[2]) or gate is None:
            return []
        self._markers_s = now
        if now - self._moved_s >= REST_S:
            self._motion_since_markers = False
        self.counters["markers_read"] += 1
        found = self._scanner.markers(frame)
        before = self.table.homography
        refresh = self.table.refresh({f.tag.number: f.corners_px for f in found if isinstance(f.tag, ArucoTag)})
        after = self.table.homography
        if self.table.corners_seen and refresh.moved_px < SAME_CAMERA_PX:
            self._unmoved_s = now
        if before is None or after is None:
            return found
        if refresh.accepted and refresh.moved_px >= SAME_CAMERA_PX and self._background is not None:
            self.counters["bumps"] += 1
            self._epoch += 1
            self._light_changed = False
            self._background.shift(after.mm_to_px @ before.px_to_mm, frame.lores)
            self._tracks.relocate(after, gate.grid)
            gate.force()
            self._whole_s = -math.inf
            self._unmoved_s = now
        elif self._light_changed and self._background is not None:
            self.counters["light_changes"] += 1
            self._light_changed = False
            self._epoch += 1
            self._background.relight(frame.lores, self._kept())
        return found

    def _find_codes(self, frame: Frame, change: Change) -> list[Found]:
        """Codes of the whole frame or tags of its changed parts, as far as they are due."""
        gate = self._gate
        assert gate is not None
        now = frame.at_s
        fine = (self._px_per_module() or 0.0) >= FINE_PX
        rested = change.changed & (now - gate.still_since_s >= REST_S)
        found: list[Found] = []
        due_s = WHOLE_S[0 if self._unsettled(change, now) else 1]
        if now - self._whole_s >= due_s or rested.mean() > 0.3:
            self._whole_s = now
            self.counters["wholes_read"] += 1
            idle = not change.changed.any()
            thorough = idle and self.counters["wholes_read"] % 10 == 0
            found += self._scanner.codes(frame, 1 if fine or thorough else 2, thorough)
            if rested.mean() > 0.3:
                found += self._scanner.markers(frame)
                gate.reads[rested] += 1
                rested &= False
        if rested.any():
            boxes = gate.grid.boxes(rested, 2)
            self.counters["parts_read"] += len(boxes)
            last = bool((gate.reads[rested] >= LOOKS - 1).any())
            found += self._scanner.parts(frame, boxes, 2, thorough=last and not found)
            gate.reads[rested] += 1
        done = gate.reads >= LOOKS
        gate.settle(frame.lores, done & change.changed)
        if change.quiet is False and not change.moving.any():
            self._looks += 1
        return found

    def _verify(self, frame: Frame, change: Change, found: list[Found]) -> None:
        """Counts what was found, then looks for each piece whose place has changed."""
        assert self._gate is not None and self._background is not None and self.table.homography is not None
        now = frame.at_s
        for track in self._tracks.take(found, frame, self.table.homography, self._gate.grid):
            self._map = None
            blocks = self._gate.grid.under(track.footprint_px)
            if blocks.any() and self._background.stands_out(frame.lores)[blocks].mean() < 0.5:
                # It lay there before the background was learned, so nothing is known of the table below it.
                self._background.forget(blocks)
        for track in self._tracks:
            if track.seen_s == now or touches(change.moving, track.tag_area):
                continue
            if track.stirred or track.missing_s is not None or touches(change.changed, track.tag_area):
                if track.patch is not None and track.patch.likeness(frame.grey) >= UNCHANGED:
                    track.view_due |= track.stirred
                    track.saw(now)
                else:
                    track.miss(now)

    # -- judging -------------------------------------------------------------------------------------------------

    def _judge(self, frame: Frame, front: Foreground) -> None:
        """Decides about pieces that can't be found in their places."""
        now = frame.at_s
        for track in list(self._tracks):
            if track.missing_s is None or now - track.judged_s < REST_S or not self._still(track, now, 0.25):
                continue
            track.judged_s = now
            track.empty_looks = track.empty_looks + 1 if self._empty(track, frame, front) else 0
            if track.empty_looks >= 2 and self._certain(track, now):
                self.counters["gone"] += not track.kind
                self._tracks.remove(track)
                self._background_forgets(track, frame)
                self._map = None

    def _empty(self, track: Track, frame: Frame, front: Foreground) -> bool:
        """Whether a place is visible, still, and shows no such piece."""
        if touches(front.arms, track.area):
            return False
        if track.piece is None or track.kind:
            return frame.at_s - (track.missing_s or 0.0) > GRACE_S
        if self._covered_by_piece(track):
            return False
        assert self._background is not None and self.table.homography is not None
        if track.piece.id not in self._anchors and self._background.agrees(frame.lores, track.footprint_px):
            return True
        if track.view is None or track.view_epoch != self._epoch:
            return False
        view = View.of(frame, self.table.homography, track.piece, track.pose, self._others(track))
        return view.empty_since(track.view)

    def _certain(self, track: Track, now: float) -> bool:
        """Whether all has been done to find the piece elsewhere, and the camera is known to stand as it stood."""
        missing_s = track.missing_s if track.missing_s is not None else now
        if self._whole_s < missing_s:
            self._whole_s = -math.inf
            return False
        if self._tracks.ballot.open(now, track.tag):
            return False
        if self._unmoved_s < missing_s and not self._neighbours_stayed(track, missing_s):
            return False
        return now - self._moved_s >= CALM_S or now - missing_s >= 0.8

    def _neighbours_stayed(self, track: Track, since_s: float) -> bool:
        return sum(other.seen_s >= since_s and other is not track for other in self._tracks.pieces.values()) >= 2

    def _covered_by_piece(self, track: Track) -> bool:
        """Whether a piece that came later lies over the place."""
        assert track.piece is not None
        body = track.pose.place(footprint_mm(track.piece)).astype(np.float32)
        import cv2

        for other in self._tracks.pieces.values():
            if other is track or other.piece is None or other.since_s < track.seen_s or other.missing_s is not None:
                continue
            above = other.pose.place(footprint_mm(other.piece)).astype(np.float32)
            shared, _ = cv2.intersectConvexConvex(body, above)
            if shared > 0.25 * min(cv2.contourArea(body), cv2.contourArea(above)):
                return True
        return False

    def _others(self, track: Track) -> list[np.ndarray]:
        rows, columns = track.area
        near = []
        for other in self._tracks.pieces.values():
            if other is track or other.piece is None or other.piece.id in self._anchors:
                continue
            their_rows, their_columns = other.area
            if rows.start < their_rows.stop and their_rows.start < rows.stop:
                if columns.start < their_columns.stop and their_columns.start < columns.stop:
                    near.append(other.pose.place(footprint_mm(other.piece)))
        return near

    def _still(self, track: Track, now: float, for_s: float) -> bool:
        assert self._gate is not None
        since = self._gate.still_since_s[track.area]
        return bool(since.size and now - since.max() >= for_s)

    # -- learning ------------------------------------------------------------------------------------------------

    def _keep_views(self, frame: Frame, front: Foreground) -> None:
        now = frame.at_s
        for track in self._tracks:
            if not track.view_due or track.piece is None or track.missing_s is not None or track.stirred:
                continue
            if self._still(track, now, 0.25) and not touches(front.arms, track.area):
                assert self.table.homography is not None
                track.view = View.of(frame, self.table.homography, track.piece, track.pose, self._others(track))
                track.view_epoch, track.view_due = self._epoch, False

    def _learn(self, frame: Frame, front: Foreground) -> None:
        assert self._gate is not None and self._background is not None
        if frame.at_s - self._learned_s < LEARN_S[0]:
            return
        self._learned_s = frame.at_s
        self._background.learn(frame.lores, frame.at_s, self._gate.still_since_s, front, self._kept())

    def _background_forgets(self, track: Track, frame: Frame) -> None:
        assert self._gate is not None and self._background is not None
        blocks = self._gate.grid.under(track.footprint_px)
        self._background.forget(blocks & self._background.stands_out(frame.lores))

    def _explained(self) -> Blocks:
        """Blocks of pieces in plain sight."""
        return self._union(t for t in self._tracks if t.missing_s is None and not t.stirred)

    def _kept(self) -> Blocks:
        return self._union(self._tracks)

    def _union(self, tracks: object) -> Blocks:
        assert self._gate is not None
        mask = np.zeros(self._gate.grid.shape, bool)
        for track in tracks:  # type: ignore[attr-defined]
            if not (track.piece and track.piece.id in self._anchors):
                mask |= self._gate.grid.under(track.footprint_px)
        return mask

    # -- speaking ------------------------------------------------------------------------------------------------

    def _speak(self, now: float) -> Observation | None:
        """The observation, if there is one to be made now."""
        busy = now - self._moved_s < CALM_S or self._tracks.ballot.open(now) or self._looks < LOOKS
        if not busy:
            self._busy_since_s = None
        elif self._busy_since_s is None:
            self._busy_since_s = now
        if busy and (self._busy_since_s is None or now - self._busy_since_s < IMPATIENT_S):
            return None
        seen = self._observation(now)
        said = self._said
        if said is not None and _same(seen, said) and (busy or now - said.at_s < HEARTBEAT_S):
            return None
        if busy:
            self._busy_since_s = now
        self._said = seen
        return seen

    def _observation(self, now: float) -> Observation:
        zones, tracks = self.zones, self._tracks
        sightings, gone = [], {p: z for p, z in tracks.left.items() if p not in tracks.pieces}
        for piece_id, track in tracks.pieces.items():
            assert track.piece is not None
            x, y = np.array(track.pose.place([(-track.piece.tag_at_mm[0], -track.piece.tag_at_mm[1])]))[0]
            zone = zones.zone_at((float(x), float(y)), track.piece.kind)
            if zone is not None:
                track.lay_in = zone.id
            elif track.lay_in in zones.ids:
                gone[piece_id] = track.lay_in
            x, y = track.pose.at_mm
            at_mm = (round(x, 1), round(y, 1))
            sightings.append(Sighting(piece_id, zone.id if zone else None, at_mm, round(track.pose.angle_deg, 1)))
        strangers = []
        for track in tracks.strangers:
            zone = zones.any_at(track.pose.at_mm)
            text = track.tag.payload if isinstance(track.tag, QrTag) else f"marker {track.tag.number}"
            at_mm = (round(track.pose.at_mm[0], 1), round(track.pose.at_mm[1], 1))
            strangers.append(Stranger(track.kind, text, zone.id if zone else None, at_mm))
        sightings.sort(key=lambda sighting: sighting.piece)
        strangers.sort(key=lambda stranger: (stranger.kind, stranger.text, stranger.at_mm))
        return Observation(tuple(sightings), dict(sorted(gone.items())), tuple(strangers), zones.unplaced, now)

    def _px_per_mm(self) -> float | None:
        outline = self.table.outline_mm
        if self.table.homography is None or outline is None:
            return None
        x, y = outline.mean(axis=0)
        return self.table.homography.px_per_mm((float(x), float(y)))

    def _px_per_module(self) -> float | None:
        scale = self._px_per_mm()
        sides = [p.tag_mm for p in self.box.pieces.values() if isinstance(p.tag, QrTag)]
        return scale * min(sides) / QR_MODULES if scale and sides else None


class FrameSizeError(CompanionError, ValueError):
    """The camera changed its picture size while watching."""


def _puzzling(track: Track, now: float) -> bool:
    """Whether a missing piece is still worth looking for at every turn; a hand may rest on it for long."""
    return track.missing_s is not None and now - track.missing_s < 3.0


def _same(one: Observation, other: Observation) -> bool:
    return (one.sightings, one.gone, one.strangers, one.unplaced) == (
        other.sightings,
        other.gone,
        other.strangers,
        other.unplaced,
    )

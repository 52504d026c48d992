"""What one look at the table gives, as plain numbers and names."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import cv2
import msgspec
import numpy as np

from companion.app.calibrate import corners
from companion.app.calibrate.corners import NAMES, SIDES, Laid, Lost
from companion.app.calibrate.places import LAID_OUT_MM, Places, outside
from companion.app.doctor.examine import DIM, IN_FOCUS_PX, UNEVEN, WASHED
from companion.app.doctor.sight import CORNER_MM, Sight, Wanted, measure
from companion.core.box import PieceId
from companion.core.tags import CORNER_IDS
from companion.service.mounting import LEAST_PX, finer_mode, lower_mm
from vision.attitude import Attitude, attitude
from vision.cameras import Camera, LiveCamera, PiCamera
from vision.fiducials import Corners, Fiducials
from vision.frame import Frame
from vision.health import BLUR_MODULES, BLUR_PX, BRIGHT, DARK, Light
from vision.lens import Homography, Points
from vision.reading import Reader
from vision.scan import Found, Scanner
from vision.zones import Pose as TagPose

SHARPEST_PX, BLUREST_PX = 0.8, 6.0
"""Widths of edges that mean a sharpness of 100 and of 0."""
SMOOTH = 3
"""Looks whose median counts for the sharpness."""
GRACE_S, STILL_PX = 1.0, 3.0
"""A mark that is missed for so long, while the others haven't moved by so much, is there: looks miss some."""
GLARE = 253
"""Grey level of what is as white as the camera knows; paper in good light is darker."""
GLARE_SHARE = 0.02
"""A patch of glare that matters is so wide at least, as a share of the picture."""


class Lens(msgspec.Struct, frozen=True):
    """How the camera focuses.

    Attributes:
        kind: `ring` (by hand, or nobody knows how), `auto` (again and again by itself) or `fixed` (by the settings).
        position: where it stands now, in dioptres; None if it doesn't say.
    """

    kind: str = "ring"
    position: float | None = None


class Readings(msgspec.Struct, frozen=True):
    """What is known of the camera and of what it sees. What nothing tells is None.

    Attributes:
        trouble: why nothing is to be seen: `waiting`, `camera`, `frozen`, `tiny`, `covered`, `dark` or `bright`;
            empty if all is well.
        size_px: width and height of the pictures.
        seen: names of the corners that are seen.
        lost: what becomes of the others, if some are seen.
        laid: what is wrong with four that are seen.
        placed: all four were seen and fit.
        blurred: so much that marks can't be found, or, once they are, that tags can't be read.
        sharpness: 0 to 100.
        lens: how the camera focuses.
        module_px: pixels of a module of the smallest tags.
        lower_mm: by how much the camera has to be lowered for tags to be large enough; 0 if they are.
        room: all corners stay in sight then.
        finer_px: the size of pictures in which tags are large enough, if the camera has one.
        tilt_deg: how far the camera leans.
        raised: the side of the table at which it has to be raised.
        roll_deg: how far the table is turned in the picture, clockwise.
        height_mm: of the lens above the table.
        dark, uneven, glaring: corners of the table where it is too dark, darker than elsewhere, or washed out.
        outside: zones in which pieces are laid outside of the picture.
        unseen: anchors that don't lie there, whose zones are supposed to be where the game has them laid.
    """

    trouble: str = ""
    size_px: tuple[int, int] = (0, 0)
    seen: tuple[str, ...] = ()
    lost: Lost | None = None
    laid: Laid | None = None
    placed: bool = False
    blurred: bool | None = None
    sharpness: int | None = None
    lens: Lens = Lens()
    module_px: float | None = None
    lower_mm: float = 0.0
    room: bool = True
    finer_px: tuple[int, int] | None = None
    tilt_deg: float | None = None
    raised: str = ""
    roll_deg: float = 0.0
    height_mm: float | None = None
    dark: tuple[str, ...] = ()
    uneven: tuple[str, ...] = ()
    glaring: tuple[str, ...] = ()
    outside: tuple[str, ...] | None = None
    unseen: tuple[str, ...] = ()


class Looker:
    """Looks at one table after another frame; remembers how the corners lay when all were seen.

    Args:
        places: of the game whose tags and zones matter.
        lens_deg: horizontal angle of view.
        finer: the camera has the sizes of `companion.service.mounting.MODES`.

    Attributes:
        sight: the newest measures, None before the first.
        found: the tags of the newest `scan`.
        poses: where each piece was seen last.
    """

    def __init__(self, places: Places, lens_deg: float, finer: bool) -> None:
        self.places = places
        self.sight: Sight | None = None
        self.found: list[Found] = []
        self.poses: dict[PieceId, TagPose] = {}
        self._scanner = Scanner(Reader.standard(), Fiducials())
        self._lens_deg = lens_deg
        self._finer = finer
        self._layout_mm: dict[int, Corners] | None = None
        self._last: tuple[float, dict[int, Corners], Sight, Readings] | None = None
        self._edges: deque[float] = deque(maxlen=SMOOTH)

    @property
    def wanted(self) -> Wanted:
        """The zones as they lie now, or are supposed to."""
        table_mm = self.sight.table_mm if self.sight else None
        return self.places.wanted(self.poses, table_mm or LAID_OUT_MM)

    @property
    def unseen(self) -> tuple[PieceId, ...]:
        """Anchors that were never seen."""
        return tuple(anchor for anchor in self.places.anchors if anchor not in self.poses)

    def scan(self, frame: Frame) -> None:
        """Looks for all tags in a frame, which takes longer than a look."""
        self.found = [*self._scanner.markers(frame, fine=True), *self._scanner.codes(frame)]
        table = self.sight.table if self.sight else None
        for one in self.found if table else ():
            piece = self.places.game.box.piece_of(one.tag)
            if piece is not None and table is not None:
                self.poses[piece.id] = _pose(table.to_mm(one.corners_px))

    def look(self, frame: Frame, lens: Lens) -> Readings:
        """What a frame shows."""
        if not frame.legible:
            self.sight = None
            return Readings("tiny", frame.size, lens=lens)
        self.sight = sight = measure([frame], [self.wanted])
        if trouble := _trouble(sight.light):
            return Readings(trouble, sight.size_px, lens=lens)
        marks = {
            number: quarter.marker_px
            for number, quarter in zip(CORNER_IDS, sight.quarters, strict=True)
            if quarter.marker_px is not None
        }
        self._edges.append(BLUREST_PX if sight.edge_px is None else sight.edge_px)
        edge_px = float(np.median(self._edges))
        found = Readings(
            size_px=sight.size_px,
            seen=tuple(NAMES[number] for number in sorted(marks)),
            blurred=edge_px > BLUR_PX[0],
            sharpness=_sharpness(edge_px),
            lens=lens,
        )
        if len(marks) < len(CORNER_IDS) and self._last and self._still(frame.at_s, marks):
            self.sight = self._last[2]
            return msgspec.structs.replace(self._last[3], sharpness=found.sharpness, lens=lens)
        if len(marks) < len(CORNER_IDS):
            gone = corners.lost(marks, sight.size_px, CORNER_MM, self._layout_mm) if marks else None
            return msgspec.structs.replace(found, lost=gone)
        laid = corners.laid(marks)
        if sight.table is None or sight.outline_px is None or laid != Laid():
            return msgspec.structs.replace(found, laid=laid)
        self._layout_mm = {number: sight.table.to_mm(mark) for number, mark in marks.items()}
        placed = self._placed(found, sight, frame, sight.table, sight.outline_px, edge_px)
        self._last = (frame.at_s, marks, sight, placed)
        return placed

    def _still(self, at_s: float, marks: Mapping[int, Corners]) -> bool:
        """Whether all four marks were seen a moment ago, and those that are seen now haven't moved."""
        if self._last is None or len(marks) < 2:
            return False
        before_s, before, _, _ = self._last
        moved = [float(np.abs(mark - before[number]).max()) for number, mark in marks.items()]
        return 0 <= at_s - before_s <= GRACE_S and max(moved) < STILL_PX

    def _placed(
        self,
        found: Readings,
        sight: Sight,
        frame: Frame,
        table: Homography,
        outline_px: Points,
        edge_px: float,
    ) -> Readings:
        """The same, with all that is known where the table is."""
        module_px = min(size.px for size in sight.sizes)
        hangs = attitude(table, sight.size_px, self._lens_deg)
        small = round(module_px, 1) < LEAST_PX
        return msgspec.structs.replace(
            found,
            laid=Laid(),
            placed=True,
            blurred=edge_px > max(IN_FOCUS_PX, BLUR_MODULES[1] * module_px),
            module_px=module_px,
            lower_mm=lower_mm(module_px, hangs.height_mm) if small else 0.0,
            room=not small or _stays(outline_px, LEAST_PX / module_px, sight.size_px),
            finer_px=finer_mode(module_px, sight.size_px[0]) if small and self._finer else None,
            tilt_deg=hangs.tilt_deg,
            raised=_raised(hangs),
            roll_deg=hangs.roll_deg,
            height_mm=hangs.height_mm,
            outside=outside(self.wanted.zones, table, sight.size_px),
            unseen=self.unseen,
            **_light(sight, frame, outline_px),
        )


def lens_of(camera: Camera) -> Lens:
    """How a camera focuses, as far as it says."""
    driver = camera.driver if isinstance(camera, LiveCamera) else camera
    if not isinstance(driver, PiCamera):
        return Lens()
    position = driver.metadata.get("LensPosition")
    if position is None:
        return Lens()
    return Lens("auto" if driver.options.lens_dioptres is None else "fixed", float(position))


def _trouble(light: Light) -> str:
    if light.flat:
        return "covered"
    if light.white < DARK[0]:
        return "dark"
    return "bright" if light.mean > BRIGHT[0] else ""


def _sharpness(edge_px: float) -> int:
    """0 to 100, in equal steps for equal ratios."""
    share = np.log(BLUREST_PX / edge_px) / np.log(BLUREST_PX / SHARPEST_PX)
    return round(100 * float(np.clip(share, 0, 1)))


def _stays(outline_px: Points, factor: float, size_px: tuple[int, int]) -> bool:
    """Whether the table stays in the picture when it is magnified."""
    middle = (np.array(size_px) - 1) / 2
    return bool((np.abs(outline_px - middle) * factor <= middle).all())


def _pose(tag_mm: Points) -> TagPose:
    along = tag_mm[1] - tag_mm[0] + tag_mm[2] - tag_mm[3]
    x, y = tag_mm.mean(axis=0)
    return TagPose((float(x), float(y)), float(np.degrees(np.arctan2(along[1], along[0]))))


def _raised(hangs: Attitude) -> str:
    """The camera leans to where the table is farther away: its other side has to go up."""
    looks = np.array(hangs.looks)
    return min(SIDES, key=lambda side: float(looks @ np.array(SIDES[side])))


def _light(sight: Sight, frame: Frame, outline_px: Points) -> Mapping[str, Any]:
    whites = dict(zip(NAMES, (quarter.white for quarter in sight.quarters), strict=True))
    most = max(whites.values())
    washed = [name for name, quarter in zip(NAMES, sight.quarters, strict=True) if (quarter.washed or 0.0) > WASHED]
    return {
        "dark": tuple(name for name, white in whites.items() if white < DIM),
        "uneven": tuple(name for name, white in whites.items() if white < UNEVEN * most),
        "glaring": tuple(dict.fromkeys((*washed, *_glare(frame, outline_px)))),
    }


def _glare(frame: Frame, outline_px: Points) -> Sequence[str]:
    """The corners of the table nearest to patches that mirror a lamp."""
    lores = frame.lores
    side = max(3, round(GLARE_SHARE * lores.shape[1]))
    burnt = cv2.morphologyEx((lores >= GLARE).astype(np.uint8), cv2.MORPH_OPEN, np.ones((side, side), np.uint8))
    outline = outline_px * frame.shrink
    inside = np.zeros(lores.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(outline).astype(np.int32), 1)
    count, _, _, middles = cv2.connectedComponentsWithStats(cv2.bitwise_and(burnt, inside))
    return [NAMES[int(np.argmin(np.linalg.norm(outline - middles[one], axis=1)))] for one in range(1, count)]

"""What people are told of the camera's pictures, and what is done about them."""

from __future__ import annotations

import math
from collections.abc import Callable

from companion.app.calibrate.corners import NAMES
from companion.core.messages import say
from companion.face.situation import Trouble
from vision.cameras import Camera, LiveCamera
from vision.frame import Frame
from vision.health import Ailment, CameraHealth

LOST_S = 8.0
"""How long the table's corners may be unknown before it is said; people lay them, or stand before the camera."""
REOPEN_S = 10.0
"""A camera that still freezes is opened anew as often as this."""
BLINDING = frozenset(Ailment) - {Ailment.SIZE}
"""With these the table can't be read."""

Report = Callable[[str, Trouble | None], None]
"""Is told the name of a trouble, and the trouble or, at its end, None."""


class Checkup:
    """Watches the pictures of one camera, and opens one that is frozen anew.

    Args:
        camera: the source of the frames.
        report: is told each trouble once, and its end.

    Attributes:
        ailments: what is wrong at present.
        health: the measures behind it.
    """

    def __init__(self, camera: Camera, report: Report) -> None:
        self._live = camera if isinstance(camera, LiveCamera) else None
        self.health = CameraHealth(self._live.asked_px if self._live else None, live=self._live is not None)
        self.ailments: frozenset[Ailment] = frozenset()
        self._report = report
        self._reopened_s = -math.inf
        self._placed_s: float | None = None
        self._table: Trouble | None = None

    def look(self, frame: Frame, module_px: float | None) -> None:
        """Takes the newest frame.

        Args:
            frame: it.
            module_px: px per module of the smallest tag in use, None if that isn't known.
        """
        self._tell(self.health.look(frame, module_px), frame)
        if self._live and Ailment.FROZEN in self.ailments and frame.at_s - self._reopened_s >= REOPEN_S:
            self._reopened_s = frame.at_s
            self._live.restart()

    def corners(self, at_s: float, unknown: tuple[int, ...] | None, mirrored: bool) -> None:
        """Takes what is known of the table's corners.

        Args:
            at_s: time of the frame.
            unknown: ids of the corner markers without which the table was placed; None while it isn't placed.
            mirrored: they were found, but in the mirrored picture.
        """
        if unknown is not None or self._placed_s is None or self.ailments & BLINDING:
            self._placed_s = at_s
        trouble = None
        if unknown:
            trouble = Trouble(say("trouble.corner", corner=say(f"calibrate.corner.{NAMES[unknown[0]]}")))
        elif mirrored:
            trouble = Trouble(say("trouble.camera-mirrored"), blind=True)
        elif at_s - self._placed_s >= LOST_S:
            trouble = Trouble(say("trouble.corners"), blind=True)
        if trouble != self._table:
            self._table = trouble
            self._report("corners", trouble)

    def lost(self) -> None:
        """The camera gives no frames at present: nothing is known of them."""
        self.health.forget()
        self._placed_s = None
        self._tell(frozenset())

    def _tell(self, ailments: frozenset[Ailment], frame: Frame | None = None) -> None:
        before, self.ailments = self.ailments, ailments
        for gone in sorted(before - ailments):
            self._report(f"camera-{gone}", None)
        for new in sorted(ailments - before):
            sizes = {"got": _size(frame.size)} if frame and new in (Ailment.SIZE, Ailment.TINY) else {}
            if new is Ailment.SIZE and self._live and self._live.asked_px:
                sizes["asked"] = _size(self._live.asked_px)
            self._report(f"camera-{new}", Trouble(say(f"trouble.camera-{new}", **sizes), blind=new in BLINDING))


def _size(px: tuple[int, int]) -> str:
    return f"{px[0]}x{px[1]}"

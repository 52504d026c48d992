"""A USB socket with a webcam in it, behind the interface of `cv2.VideoCapture` over V4L2."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from vision.frame import Picture

MJPG, YUYV = cv2.VideoWriter.fourcc(*"MJPG"), cv2.VideoWriter.fourcc(*"YUYV")
UNKNOWN = -1.0
"""What OpenCV gives for a property that a device doesn't have."""


class SimulatedPlug:
    """A socket for a webcam, as strict as V4L2: one owner, sizes rounded to modes, no reading after the end.

    To be called as `cv2.VideoCapture` is.

    Args:
        look: gives what is before the camera, BGR, uint8; called for each picture. Without it all is black.
        modes: width and height of what it delivers.
        exposures: the exposures that it can be fixed at, in units of 100 us; empty if it can't be.
        focusses: the positions of its lens; empty if it has no motor.
        compresses: it has MJPG.

    Attributes:
        plugged: whether it answers.
        owned: whether it is open.
        opened: how often it was opened.
        hiccups: so many reads fail next.
        frozen: it delivers the same picture again and again.
        hangs: while this event is there and not set, a read hangs.
        hung: is set once one does.
        waited: is called when a read has waited in vain, as it does for seconds in a device that is silent.
        memory: what it was set to last: a webcam keeps that from one program to the next.
    """

    def __init__(
        self,
        look: Callable[[], Picture] | None = None,
        modes: Sequence[tuple[int, int]] = ((1920, 1080), (1280, 720), (640, 480)),
        exposures: Sequence[int] = range(3, 2048),
        focusses: Sequence[int] = range(0, 256, 5),
        compresses: bool = True,
    ) -> None:
        self.look = look
        self.modes = modes
        self.exposures = exposures
        self.focusses = focusses
        self.compresses = compresses
        self.plugged = True
        self.owned = False
        self.opened = 0
        self.hiccups = 0
        self.frozen = False
        self.hangs: threading.Event | None = None
        self.hung = threading.Event()
        self.waited: Callable[[], None] = lambda: None
        self.memory = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 156.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_FOCUS: 0.0,
        }
        self.last: Picture | None = None

    def __call__(self, number: int, backend: int) -> SimulatedCapture:
        """Opens `/dev/videoN`; there is but number 0."""
        if backend != cv2.CAP_V4L2:
            raise ValueError(f"backend {backend}: V4L2 is {cv2.CAP_V4L2}")
        return SimulatedCapture(self, number)


class SimulatedCapture:
    """A stand-in for `cv2.VideoCapture`."""

    def __init__(self, plug: SimulatedPlug, number: int) -> None:
        self._plug = plug
        self._open = plug.plugged and not plug.owned and number == 0
        self._reading = False
        self._code = YUYV
        self._asked = [640, 480]
        if self._open:
            plug.owned = True
            plug.opened += 1

    def isOpened(self) -> bool:  # noqa: N802
        """Whether the device is open."""
        return self._open

    def set(self, key: int, value: float) -> bool:
        """Sets a property; False if the device doesn't do that."""
        self._must_be_open()
        plug, sides = self._plug, {cv2.CAP_PROP_FRAME_WIDTH: 0, cv2.CAP_PROP_FRAME_HEIGHT: 1}
        if key in sides:
            self._asked[sides[key]] = int(value)
            return True
        if key == cv2.CAP_PROP_FOURCC:
            self._code = int(value) if plug.compresses else YUYV
            return plug.compresses
        if key == cv2.CAP_PROP_BUFFERSIZE:
            return 1 <= value <= 10
        if key == cv2.CAP_PROP_AUTO_EXPOSURE:
            return self._keep(key, value, (1, 3) if plug.exposures else ())
        if key == cv2.CAP_PROP_EXPOSURE:
            manual = plug.memory[cv2.CAP_PROP_AUTO_EXPOSURE] == 1
            return self._keep(key, value, plug.exposures if manual else ())
        if key == cv2.CAP_PROP_AUTOFOCUS:
            return self._keep(key, value, (0, 1) if plug.focusses else ())
        if key == cv2.CAP_PROP_FOCUS:
            manual = plug.memory[cv2.CAP_PROP_AUTOFOCUS] == 0
            return self._keep(key, value, plug.focusses if manual else ())
        return False

    def get(self, key: int) -> float:
        """A property as it is; -1 if the device has none of that kind."""
        self._must_be_open()
        plug = self._plug
        if key == cv2.CAP_PROP_FOURCC:
            return float(self._code)
        if key in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT):
            return float(self._mode()[0 if key == cv2.CAP_PROP_FRAME_WIDTH else 1])
        lacking = key in (cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_AUTOFOCUS) and not plug.focusses
        lacking |= key in (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_AUTO_EXPOSURE) and not plug.exposures
        return UNKNOWN if lacking else plug.memory.get(key, UNKNOWN)

    def read(self) -> tuple[bool, Picture | None]:
        """The next picture, and whether there is one."""
        self._must_be_open()
        plug = self._plug
        if (hangs := plug.hangs) is not None and not hangs.is_set():
            self._reading = True
            plug.hung.set()
            hangs.wait()
            self._reading = False
        if plug.hiccups or not plug.plugged:
            plug.hiccups = max(0, plug.hiccups - 1)
            plug.waited()
            return False, None
        width, height = self._mode()
        seen = plug.look() if plug.look else np.zeros((height, width, 3), np.uint8)
        if not (plug.frozen and plug.last is not None):
            plug.last = np.asarray(cv2.resize(seen, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
        return True, plug.last.copy()

    def release(self) -> None:
        """Closes the device."""
        if self._reading:
            raise RuntimeError("released under a running read: OpenCV would crash")
        if self._open:
            self._plug.owned = False
        self._open = False

    def _keep(self, key: int, value: float, allowed: Sequence[int]) -> bool:
        if value not in allowed:
            return False
        self._plug.memory[key] = float(value)
        return True

    def _mode(self) -> tuple[int, int]:
        return min(self._plug.modes, key=lambda mode: abs(mode[0] - self._asked[0]) + abs(mode[1] - self._asked[1]))

    def _must_be_open(self) -> None:
        if not self._open:
            raise RuntimeError("used after its release")

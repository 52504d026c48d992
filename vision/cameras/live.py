"""A camera that is read by a thread of its own, so that one that hangs holds up nobody."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from vision.cameras.port import Camera, CameraError, NothingNewError
from vision.frame import Frame

WAIT_S = 0.04
"""A reader waits so long for a newer picture: people press buttons meanwhile."""
SILENCE_S = 5.0
"""Without a picture for so long, a camera hangs."""
OPENING_S = 20.0
"""But it may take so long to be opened: on a Raspberry Pi just switched on, loading the driver alone takes seconds."""
PAUSES_S = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Before it is opened anew after so many failures in a row; the last one from then on."""
MOST_HUNG = 3
"""So many threads may hang in the driver. Beyond that only a restart of the program can help."""
STOP_S = 1.0
"""A read that goes on is waited for at the end so long, and left behind then."""


@dataclass(slots=True, eq=False)
class _Stint:
    """One opening of the camera, with its reads.

    Attributes:
        began_s: when it began, by the clock of the `LiveCamera`.
        before: the camera of the stint before, which hung and still has to be given back.
        camera: the open camera, None until then.
        over: it is to end after the present read.
    """

    began_s: float
    before: Camera | None
    camera: Camera | None = None
    over: bool = False
    thread: threading.Thread | None = None


class LiveCamera:
    """Holds the newest picture of a camera. Opens it anew when it fails, hangs, or is told to.

    All methods are for one thread; the camera itself is opened, read and closed by others, one after another. They
    are daemons: what hangs in a driver ends with the program.

    Args:
        name: as in messages.
        open_camera: opens the camera, or raises CameraError. Is called again after each failure.
        clock: seconds, monotonic.
        asked_px: width and height that are asked of the camera, if any are.
        wait_s: how long `read` waits for a newer picture.
        silence_s: without a picture for so long, the camera hangs.
        stop_s: how long `close` waits for a read that goes on.

    Attributes:
        wait_s: as above.
    """

    def __init__(
        self,
        name: str,
        open_camera: Callable[[], Camera],
        clock: Callable[[], float] = time.monotonic,
        *,
        asked_px: tuple[int, int] | None = None,
        wait_s: float = WAIT_S,
        silence_s: float = SILENCE_S,
        stop_s: float = STOP_S,
    ) -> None:
        self.name = name
        self.asked_px = asked_px
        self._open_camera = open_camera
        self._clock = clock
        self.wait_s = wait_s
        self._silence_s = silence_s
        self._stop_s = stop_s
        self._news = threading.Condition()
        self._stint: _Stint | None = None
        self._hung: Camera | None = None
        self._alive: set[_Stint] = set()
        self._frame: Frame | None = None
        self._frame_s = -math.inf
        self._heard_s = clock()
        self._error = ""
        self._untold = False
        self._failures = 0
        self._again_s = -math.inf
        self._finished = False
        self._closed = False
        with self._news:
            self._begin()

    @property
    def age_s(self) -> float:
        """Seconds since the newest picture came; infinite before the first one."""
        return self._clock() - self._frame_s

    @property
    def driver(self) -> Camera | None:
        """The open camera, to be asked for its complaints but not read or closed; None while there is none."""
        stint = self._stint
        return stint.camera if stint else None

    @property
    def stuck(self) -> bool:
        """So many threads hang that no further one is begun: it takes a restart of the program."""
        with self._news:
            return self._stint is None and self._crowded

    def read(self) -> Frame | None:
        """The newest picture, each one once; None after `close` and after a camera's last picture.

        Raises:
            NothingNewError: none came since the last one, and all is well as far as is known.
            CameraError: it can't be opened, has failed, or hangs. It is tried anew by itself: read again.
        """
        with self._news:
            self._news.wait_for(self._has_news, self.wait_s)
            if self._closed:
                return None
            if self._frame is not None:
                frame, self._frame = self._frame, None
                return frame
            if self._finished:
                return None
            self._listen()
            if self._error:
                self._untold = False
                raise CameraError(self._error)
            raise NothingNewError(f"{self.name}: no newer picture yet; read again")

    def ready(self) -> None:
        """Waits until the camera gives its first picture; for those who would rather know at once that it can't.

        Raises:
            CameraError: it can't be opened, or takes too long.
        """
        with self._news:
            told = self._news.wait_for(lambda: self._frame is not None or self._error or self._closed, OPENING_S)
            self._untold = False
            if self._error or not told:
                late = f"{self.name}: no picture within {OPENING_S:.0f} s; check its cable"
                raise CameraError(self._error or late)

    def restart(self) -> None:
        """Closes the camera and opens it anew, as far as that goes without waiting."""
        with self._news:
            if self._stint is not None:
                self._stint.over = True

    def close(self) -> None:
        """Ends the thread; one that hangs is left behind after a second."""
        with self._news:
            self._closed = True
            self._frame = None
            threads = [stint.thread for stint in self._alive if stint.thread]
            self._news.notify_all()
        until_s = time.monotonic() + self._stop_s
        for thread in threads:
            thread.join(max(0.0, until_s - time.monotonic()))

    @property
    def _crowded(self) -> bool:
        """Whether so many threads hang that there may be no further one."""
        return len(self._alive - {self._stint}) >= MOST_HUNG

    def _has_news(self) -> bool:
        """Whether there is something to tell now. Sees to it that there can be some, too."""
        if self._stint is None and not (self._closed or self._finished) and self._clock() >= self._again_s:
            self._begin()
        return self._frame is not None or self._untold or self._finished or self._closed

    def _begin(self) -> None:
        """Begins a stint, unless too many hang already."""
        if self._crowded:
            return
        stint = _Stint(self._clock(), self._hung)
        self._hung = None
        self._stint = stint
        self._heard_s = stint.began_s
        self._alive.add(stint)
        stint.thread = threading.Thread(target=self._work, args=(stint,), name=f"camera {self.name}", daemon=True)
        stint.thread.start()

    def _listen(self) -> None:
        """Notices a camera that has been silent for too long, and gives it up."""
        stint, silent_s = self._stint, self._clock() - self._heard_s
        if stint is None or silent_s < self._silence_s:
            return
        self._error = self._error or (
            f"{self.name}: no picture for {silent_s:.0f} s; check its cable, it is opened anew by itself"
        )
        if stint.camera is None and silent_s < OPENING_S:
            return
        self._stint, self._hung = None, stint.camera
        self._fail()

    def _fail(self) -> None:
        self._again_s = self._clock() + PAUSES_S[min(self._failures, len(PAUSES_S) - 1)]
        self._failures += 1

    def _work(self, stint: _Stint) -> None:
        """What a thread does: opens the camera, and reads it until it fails or is not wanted any more."""
        error = ""
        try:
            if stint.before is not None:
                _give_back(stint.before)
            stint.camera = self._open_camera()
            going = self._wanted(stint)
            while going:
                going = self._post(stint, stint.camera.read())
        except CameraError as trouble:
            error = str(trouble)
        except Exception as trouble:  # drivers raise what they like, and a thread that dies unnoticed is a hung camera
            error = f"{self.name}: {trouble!r}; check its cable, it is opened anew by itself"
        finally:
            if stint.camera is not None:
                _give_back(stint.camera)
            self._end(stint, error)

    def _wanted(self, stint: _Stint) -> bool:
        with self._news:
            return self._stint is stint and not (stint.over or self._closed)

    def _post(self, stint: _Stint, frame: Frame | None) -> bool:
        """Hands over what was read; False if the stint is over."""
        with self._news:
            if self._stint is not stint or self._closed:
                return False
            self._finished = frame is None
            self._frame = frame
            self._frame_s = self._heard_s = self._clock()
            self._error, self._untold, self._failures = "", False, 0
            self._news.notify_all()
            return not (stint.over or self._finished)

    def _end(self, stint: _Stint, error: str) -> None:
        with self._news:
            self._alive.discard(stint)
            if self._stint is stint:
                self._stint = None
                self._again_s = self._clock()
                if error and not stint.over:
                    self._error, self._untold = error, True
                    self._fail()
            self._news.notify_all()


def _give_back(camera: Camera) -> None:
    """Closes a camera; one that is broken may not even let itself be closed."""
    with suppress(Exception):
        camera.close()

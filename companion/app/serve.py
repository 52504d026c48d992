"""`companion serve`: the box's daemon, from power-on to power-off."""

from __future__ import annotations

import time
from collections.abc import Callable

from companion.app.host import Host
from companion.service.notify import Notifier, Watchdog
from companion.service.starts import Starts
from vision.cameras import Camera

TURN_S = 0.02
"""Shortest time that a turn of the loop takes: a camera that fails at once must not keep a core busy."""


class Daemon:
    """The loop around a `Host`, watched by the service manager.

    The watchdog is fed by this loop and nothing else: if the session or a device hangs in it, or so many threads of
    the camera hang that only a new process helps, the feeding ends and the manager begins anew.

    Args:
        make: makes the host; what it raises counts as a failed start.
        camera: asked whether it is stuck.
        starts: the count of failed starts.
        notifier: the way to the service manager.
        watchdog: feeds the manager's watchdog.
        clock: seconds, monotonic.
        sleep: waits for so many seconds.
    """

    def __init__(
        self,
        make: Callable[[], Host],
        camera: Camera,
        starts: Starts,
        notifier: Notifier,
        watchdog: Watchdog,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._make = make
        self._camera = camera
        self._starts = starts
        self._notifier = notifier
        self._watchdog = watchdog
        self._clock = clock
        self._sleep = sleep
        self._stopping = False

    def stop(self) -> None:
        """Ends `run` after the present turn; may be called from a signal handler."""
        self._stopping = True

    def run(self) -> None:
        """Runs until `stop`.

        Raises:
            Exception: whatever the host stumbles over; it is written down as the reason of a failed start.
        """
        self._starts.begin(self._clock())
        host: Host | None = None
        try:
            host = self._make()
            self._loop(host)
        except Exception as error:
            self._starts.failed(f"{type(error).__name__}: {error}")
            raise
        else:
            self._starts.ended()
        finally:
            self._notifier.stopping()
            if host is not None:
                host.close()
            self._notifier.close()

    def _loop(self, host: Host) -> None:
        ready = False
        while not self._stopping:
            now_s = self._clock()
            host.step(now_s)
            if not ready:
                self._notifier.ready(host.doing)
                ready = True
            if not getattr(self._camera, "stuck", False):
                self._watchdog.alive(now_s)
            self._starts.settle(now_s)
            self._sleep(max(0.0, TURN_S - (self._clock() - now_s)))

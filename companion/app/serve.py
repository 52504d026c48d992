"""`companion serve`: the box's daemon, from power-on to power-off."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any

import numpy as np
from msgspec.structs import replace

from companion.app.console import ENDING, console
from companion.app.drawn import DrawnHost
from companion.app.hardware import has_display, real_box, ribbon_options, usb_options
from companion.app.host import Host
from companion.core.box import Box
from companion.core.game import Game
from companion.core.messages import Message, say
from companion.face.fonts import find_fonts
from companion.face.terminal import Entry
from companion.games import names
from companion.rights import give, strangers, user
from companion.service.config import Config
from companion.service.config_file import Loaded
from companion.service.content import load_equipped
from companion.service.kept import NAME, Kept
from companion.service.notify import Notifier, Watchdog, watchdog_limit_s
from companion.service.starts import Starts
from devices.pins import fitting
from vision.cameras import Camera, open_camera
from vision.cameras.virtual import VirtualCamera
from vision.scene.optics import preset
from vision.scene.scene import Scene

BARE = "no hardware is here (no Raspberry Pi, no display), so the box"
NO_DISPLAY = "no display is here, so the box"
DRAWN = "is drawn in this terminal, and the keys 1 to 4 are its buttons"
UNSEEN = "runs unseen and only writes this log"
INSTEAD = "to play at a virtual table, type: companion play (or ./go play where the program lies)"
EMPTY_TABLE = "virtual:"
EMPTY_RATE_HZ = 2.0
MOST_NAMED = 4
"""So many settings or files that can't be used are named on the screen; the log has all."""
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
        make: Callable[[], Host | DrawnHost],
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

    def leave_safe(self) -> None:
        """Ends `run` as well; the next start is an ordinary one."""
        self._starts.forget()
        self.stop()

    def stop(self) -> None:
        """Ends `run` after the present turn; may be called from a signal handler."""
        self._stopping = True

    def run(self) -> None:
        """Runs until `stop`.

        Raises:
            Exception: whatever the host stumbles over; it is written down as the reason of a failed start.
        """
        self._starts.begin(self._clock())
        host: Host | DrawnHost | None = None
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

    def _loop(self, host: Host | DrawnHost) -> None:
        ready = stuck = False
        while not self._stopping:
            now_s = self._clock()
            host.step(now_s)
            if not ready:
                self._starts.ready()
                self._notifier.ready(host.doing)
                ready = True
            if not getattr(self._camera, "stuck", False):
                self._watchdog.alive(now_s)
                self._starts.settle(now_s)
            elif not stuck:
                stuck = True
                self._starts.failed(f"{self._camera.name}: hangs again and again; check its cable")
            self._sleep(max(0.0, TURN_S - (self._clock() - now_s)))


def serve(loaded: Loaded, log: Callable[[str], None]) -> int:
    """Runs the box until it is told to stop by a signal or, where it is drawn in a terminal, by a key.

    Args:
        loaded: the configuration, with what is wrong in it.
        log: gets each line of the log.

    Returns:
        The exit status.
    """
    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    config, unseen = _without_hardware(loaded.config, at_terminal)
    entries: list[Entry] = []
    if unseen:
        log(unseen)
        entries.append(Entry(time.strftime("%H:%M"), unseen, "trouble"))
    drawn = at_terminal and bool(unseen)
    if drawn:
        log = _kept_in(entries, log)
    journals = config.paths.folder("journals")
    starts = Starts(journals / "starts.json")
    troubles: dict[str, Message] = {}
    if loaded.problems:
        troubles["settings"] = say("trouble.settings", reason=str(loaded.problems[0]))
    if others := strangers(journals):
        troubles["rights"] = say("trouble.rights", what=[path.name for path in others[:MOST_NAMED]])
        log(f"files of somebody else; type: {give(user(journals.stat().st_uid), others)}")
    source = config.camera.source
    kept = Kept(journals / NAME)
    if kept.problems:
        troubles["kept"] = say("trouble.kept", what=[problem.where for problem in kept.problems[:MOST_NAMED]])
        for line in kept.complaint():
            log(line)
    if starts.safe:
        reason = starts.before.reason
        troubles["safe-mode"] = say("trouble.safe-mode", reason=reason or say("lobby.cut-off"))
        why = reason or "each was cut off before it was ready"
        log(f"safe mode, after {starts.before.failed} failed starts: {why}; button A tries again, with the camera")
        source = EMPTY_TABLE
    camera = open_camera(
        source,
        time.monotonic,
        flip=config.camera.flip,
        picamera=ribbon_options(config.camera),
        usb=usb_options(config.camera),
        more={EMPTY_TABLE[:-1]: _empty_table},
    )
    notifier = Notifier(os.environ)
    watchdog = Watchdog(notifier, watchdog_limit_s(os.environ, os.getpid()))

    def load_game(name: str) -> Game[Any, Any]:
        game, warnings = load_equipped(name, config.paths.folder("content"))
        for warning in warnings:
            log(warning)
        return game

    def make() -> Host:
        return Host(
            names(), load_game, camera, lambda report: real_box(config, report), journals,
            kept, find_fonts(), config.box.language, config.play.setup, troubles, log, config.box.name,
            config.play.game, daemon.leave_safe if starts.safe else None,
        )  # fmt: skip

    with ExitStack() as ends:
        made: Callable[[], Host | DrawnHost] = make
        if drawn:
            terminal = ends.enter_context(console(whole=True))
            made = lambda: DrawnHost(make(), terminal, entries, lambda: daemon.stop())  # noqa: E731
        daemon = Daemon(made, camera, starts, notifier, watchdog)
        for number in ENDING:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, lambda _number, _frame: daemon.stop())
        daemon.run()
    return 0


def _without_hardware(config: Config, at_terminal: bool) -> tuple[Config, str]:
    """What is to be said of a box whose screen nobody sees, empty if one is there; and what of it can be used then."""
    without_pins = (fitting() if config.gpio.factory == "auto" else config.gpio.factory) == "mock"
    if not (without_pins or at_terminal) or has_display(config.display):
        return config, ""
    done = DRAWN if at_terminal else UNSEEN
    if not without_pins:  # a display may still be plugged in
        return config, f"{NO_DISPLAY} {done}"
    return replace(config, display=replace(config.display, driver="none")), f"{BARE} {done}; {INSTEAD}"


def _kept_in(entries: list[Entry], log: Callable[[str], None]) -> Callable[[str], None]:
    """A log whose lines are drawn with the box, and go where they went before unless that is the same terminal."""

    def kept(line: str) -> None:
        entries.append(Entry(time.strftime("%H:%M"), line))
        if not sys.stderr.isatty():
            log(line)

    return kept


def _empty_table(_rest: str) -> Camera:
    """The simulated camera of safe mode: it looks at a table with nothing on it."""
    rng = np.random.default_rng(1)
    return VirtualCamera(Scene(Box("LB", ())), preset("mild", rng), rng, EMPTY_RATE_HZ)

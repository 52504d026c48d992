"""`companion calibrate`: opens camera and devices, and runs a calibration in a terminal or as plain log lines."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from companion.app.calibrate import mount
from companion.app.calibrate.advice import Known
from companion.app.calibrate.calibration import Calibration
from companion.app.calibrate.desk import Desk
from companion.app.calibrate.marking import checked
from companion.app.calibrate.places import Places
from companion.app.calibrate.sighting import Looker
from companion.app.calibrate.steps import Step
from companion.app.console import Console, console
from companion.app.doctor.camera import opened
from companion.app.doctor.visit import unresting
from companion.app.hardware import SimulatedBox, real_box
from companion.core.game import Game
from companion.core.panel import Button
from companion.face.fonts import find_fonts
from companion.face.screen import picture
from companion.face.terminal import draw, plain_lines
from companion.face.words import load_words
from companion.service.config import Config
from companion.service.kept import NAME, Kept
from devices.box import Hardware, Report
from devices.pins import fitting
from vision.cameras import is_real
from vision.cameras.virtual import VirtualCamera

TURN_S = {True: 0.05, False: 0.1}
"""How long a turn of the loop takes with a real camera, and with another, whose pictures all count."""
DONE_S = 3.0
"""Without a terminal, where nobody can end it, it ends so long after all is done."""
BUTTONS = {"a": Button.A, "b": Button.B, "1": Button.A, "2": Button.B, "3": Button.UP, "4": Button.DOWN}
ARROWS = {"\x1b[A": "3", "\x1b[B": "4", "\x1bOA": "3", "\x1bOB": "4"}
QUIT = "q\x04"
PICTURE = "calibrate.jpg"


class Running:
    """A calibration with its camera and devices, and the loop around it.

    Args:
        config: of the box.
        game: whose tags and places matter.
        source: the camera; empty for that of the configuration.
        path: the picture file; None for `calibrate.jpg` in the folder of pictures.
        lens_deg: horizontal angle of view of the lens.
        live: the log tells numbers that change.
        clock: seconds, monotonic.
        sleep: waits for so many seconds.

    Raises:
        CompanionError: a camera or picture that can't be had; the text says what to do.
    """

    def __init__(
        self,
        config: Config,
        game: Game[Any, Any],
        source: str = "",
        path: Path | None = None,
        lens_deg: float = 66.0,
        live: bool = False,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        source = source or config.camera.source
        self.path = checked(path or config.paths.folder("pictures") / PICTURE)
        self.source, self.game = source, game
        self._clock, self._sleep = clock, sleep
        self._real = is_real(source)
        ribbon = source.startswith("picamera")
        fonts = find_fonts()
        kept = Kept(config.paths.folder("journals") / NAME).settings
        self.camera = opened(source, config.camera, game, clock)
        self.calibration = Calibration(
            self.camera,
            Looker(Places(game), lens_deg, finer=ribbon),
            Known(asked_px=config.camera.size if self._real else None, turns=ribbon),
            self._devices(unresting(config)),
            lambda language: load_words(language, game),
            fonts,
            Desk(kept.language or config.box.language, config.box.sound and kept.sound),
            self.path,
            live,
        )
        self._fonts = fonts

    def turn(self) -> bool:
        """One turn of the loop; False when it is over."""
        now_s = self._clock()
        going = self.calibration.step(now_s)
        self.calibration.refresh(now_s)
        return going and not self.calibration.ended

    def rest(self, began_s: float) -> None:
        """Waits until the turn that began then has taken long enough."""
        self._sleep(max(0.0, TURN_S[self._real] - (self._clock() - began_s)))

    def typed(self, keys: str) -> None:
        """Does what keys mean: `a`, `b` and the arrows are buttons, `q` ends; others move a virtual camera."""
        for sequence, key in ARROWS.items():
            keys = keys.replace(sequence, key)
        for key in keys.lower():
            if key in BUTTONS:
                self.calibration.press(BUTTONS[key])
            elif key in QUIT:
                self.calibration.ended = True
            elif key in mount.KEYS and isinstance(self.camera, VirtualCamera):
                self.camera.optics = mount.KEYS[key](self.camera.optics)

    def screen(self, columns: int, rows: int, rich: bool = True) -> list[str]:
        """The box as lines for a terminal; `rich` is one that shows all letters."""
        calibration = self.calibration
        panel, words = calibration.panel(), calibration.words
        glass = picture(panel, words, self._fonts, calibration.desk.page)
        hints = [str(self.path), "a, b, arrows: buttons · q: end"]
        if isinstance(self.camera, VirtualCamera):
            hints.append(f"The camera: {mount.HINT}")
        lines = draw([glass], panel, words, calibration.log, columns, rows - len(hints), rich=rich)
        return [*lines, *[""] * (rows - len(hints) - len(lines)), *(line[:columns] for line in hints)]

    def plain(self, out: TextIO, keys: Callable[[], str]) -> None:
        """Log lines as they come, until all is done, the frames are over or somebody ends it."""
        told, done_s = 0, None
        print(f"{self.source} · {self.game.id} · {self.path}", file=out, flush=True)
        going = True
        while going:
            began_s = self._clock()
            self.typed(keys())
            going = self.turn()
            for entry in self.calibration.log[told:]:
                print("\n".join(plain_lines(entry, 100)), file=out, flush=True)
            told = len(self.calibration.log)
            done_s = (began_s if done_s is None else done_s) if self.calibration.done else None
            going = going and (done_s is None or began_s - done_s < DONE_S)
            self.rest(began_s)

    def shown(self, terminal: Console) -> None:
        """The box in a terminal, until the frames are over or somebody ends it."""
        going = True
        while going:
            began_s = self._clock()
            self.typed(terminal.typed())
            going = self.turn()
            terminal.show(self.screen(*shutil.get_terminal_size(), rich=terminal.rich))
            self.rest(began_s)

    def _devices(self, config: Config) -> Callable[[Report], Hardware]:
        """The devices of the box where there are pins, otherwise simulated ones."""
        fits = fitting() if config.gpio.factory == "auto" else config.gpio.factory
        if fits == "mock":
            return SimulatedBox(self._clock, config=config).hardware
        return lambda report: real_box(config, report, self._clock)


def run(running: Running, plain: bool, out: TextIO | None = None) -> int:
    """Runs a calibration until its end, Ctrl-C or SIGTERM.

    Returns:
        The exit status: 0 if every step is fulfilled.
    """
    out = out or sys.stdout
    try:
        with console(whole=not plain, out=out) as terminal:
            if plain:
                running.plain(out, terminal.typed)
            else:
                running.shown(terminal)
    except KeyboardInterrupt:
        pass
    finally:
        running.calibration.close()
    print("\n".join(running.calibration.ending()), file=out, flush=True)
    return 0 if running.calibration.advice[Step.DONE].fine else 1

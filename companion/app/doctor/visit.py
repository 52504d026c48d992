"""The whole examination of one box, from the settings to the versions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.app.doctor import system
from companion.app.doctor.box import Rounds
from companion.app.doctor.camera import Film, eye, opened, wants, watched
from companion.app.doctor.checks import Check, Verdict
from companion.app.doctor.examine import examine
from companion.app.doctor.people import AtSimulatedBox, People
from companion.app.doctor.system import Computer
from companion.app.hardware import SimulatedBox, real_box
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.face.fonts import Fonts, find_fonts
from companion.face.words import load_words
from companion.service.config import Config
from companion.service.config_file import Loaded
from companion.service.kept import NAME, Kept
from companion.service.starts import Starts
from devices.box import Hardware, Report
from devices.pins import fitting
from vision.cameras import Camera, is_real
from vision.frame import Frame
from vision.reading import Reader

PICTURE_CHECKS = ("picture", "light", "focus", "corners", "tags", "places", "reading")
DEVICE_CHECKS = ("buttons", "display", "lamps", "buzzer")
IN_USE = "in use by another program"
PRESS_S = 0.05
"""How much longer than need be a simulated finger holds a button."""


class Visit:
    """Examines a box.

    Args:
        loaded: the configuration, with what is wrong in it.
        rules: the games that may be played, at least one; the first lies on a virtual table.
        source: another camera than that of the configuration; empty for that one.
        people: who is asked; None asks nobody.
        computer: the one that the box is.
        clock: seconds, monotonic.
        sleep: waits for so many seconds.
        camera: opens the camera.
        devices: makes the devices; real ones where there are pins, otherwise simulated ones, if it isn't given.

    Attributes:
        frames: what the camera saw last.
        simulated: the devices are simulated ones.
    """

    def __init__(
        self,
        loaded: Loaded,
        rules: Sequence[Game[Any, Any]],
        source: str = "",
        people: People | None = None,
        computer: Computer | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        camera: Callable[[str, Config, Game[Any, Any]], Camera] | None = None,
        devices: Callable[[Report], Hardware] | None = None,
    ) -> None:
        self._loaded = loaded
        self._config = unresting(loaded.config)
        self._rules = rules
        self._source = source or loaded.config.camera.source
        self._people = people
        self._computer = computer or Computer()
        self._clock = clock
        self._sleep = sleep
        self._camera = camera or (lambda source, config, game: opened(source, config.camera, game, clock))
        self._devices = devices
        factory = self._config.gpio.factory
        fits = fitting(self._computer.root / "proc/device-tree/model") if factory == "auto" else factory
        self.simulated = devices is None and fits == "mock"
        self.frames: tuple[Frame, ...] = ()

    def checks(self) -> Iterator[Check]:
        """Each finding as soon as it is known."""
        computer, journals = self._computer, self._config.paths.folder("journals")
        fonts = find_fonts()
        yield system.of_settings(self._loaded, Kept(journals / NAME))
        yield system.of_starts(Starts(journals / "starts.json"))
        service = system.of_service(computer, journals)
        yield service
        taken = system.in_use(service)
        reader = Reader.standard()
        if taken and is_real(self._source):
            yield from (Check(name, Verdict.SKIPPED, IN_USE) for name in ("camera", *PICTURE_CHECKS))
        else:
            yield from self._pictures(reader)
        if taken and not self.simulated:
            yield from (Check(name, Verdict.SKIPPED, IN_USE) for name in DEVICE_CHECKS)
        else:
            yield from self._box(journals, fonts)
        yield system.of_clock(computer, journals)
        yield system.of_disk(computer, journals)
        yield system.of_power(computer)
        yield system.of_heat(computer)
        yield system.of_versions(computer, (*reader.degradations, fonts.remedy or ""))

    def _pictures(self, reader: Reader) -> Iterator[Check]:
        try:
            camera = self._camera(self._source, self._config, self._rules[0])
        except CompanionError as error:
            film = Film((), Check("camera", Verdict.FAULT, str(error)))
        else:
            try:
                film = watched(camera, self._clock)
            finally:
                camera.close()
        self.frames = film.frames
        yield film.check
        if film.frames:
            wanted = wants(self._rules, self._config)
            yield from examine(film.frames, wanted, eye(self._source, self._config.camera), reader).checks
        else:
            yield from (Check(name, Verdict.UNKNOWN, "no picture") for name in PICTURE_CHECKS)

    def _box(self, journals: Path, fonts: Fonts) -> Iterator[Check]:
        config, clock = self._config, self._clock
        language = Kept(journals / NAME).settings.language or config.box.language
        make, people = self._devices, self._people
        if self.simulated:
            yield self._pins()
            box = SimulatedBox(clock, config.second_display.driver != "none", config)
            make, people = box.hardware, AtSimulatedBox(box, clock, config.buttons.debounce_ms / 1000 + PRESS_S)
        wired = make or (lambda report: real_box(config, report, clock))
        yield from Rounds(wired, config, people, load_words(language), fonts, clock, self._sleep).checks()

    def _pins(self) -> Check:
        """Why the devices are simulated ones."""
        what = "so display, buttons, lamps and buzzer are simulated"
        if self._computer.model:
            said = f'factory = "mock" in the settings, {what}'
            return Check("pins", Verdict.WARNING, said, remedy='Set factory = "auto" below [gpio].')
        return Check("pins", Verdict.UNKNOWN, f"this computer has none, {what}")


def unresting(config: Config) -> Config:
    """The configuration with displays that don't go dark while somebody thinks about an answer."""
    first, second = (
        replace(table, dim_after_min=0.0, dark_after_min=0.0) for table in (config.display, config.second_display)
    )
    return replace(config, display=first, second_display=second)

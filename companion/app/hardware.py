"""The devices of a box, as the configuration wants them: real ones, and simulated ones through the same drivers."""

from __future__ import annotations

import math
import os
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from companion.core.messages import say
from companion.core.panel import Button
from companion.face.situation import Trouble
from companion.service.config import CameraTable, Config, DisplayTable
from devices.box import Hardware, Report, reported
from devices.buttons import Buttons
from devices.buzzer import Buzzer
from devices.display import Display
from devices.lamps import Lamps
from devices.oled import Oled
from devices.pins import MODEL, pin_factory
from devices.rest import Rests
from devices.simulated.board import SimulatedBoard
from devices.simulated.panel import SimulatedPanel
from devices.wires import SECOND_ADDRESS, I2cBus, I2cWires, SpiBus, SpiWires, open_bus, spi_bus
from vision.cameras import PicameraOptions, UsbOptions

SHORTEST_US = 100
"""USB cameras count their exposure in steps of so many microseconds."""


def real_box(
    config: Config,
    report: Report,
    clock: Callable[[], float] = time.monotonic,
    work_dir: Path | None = None,
    model_file: Path = MODEL,
    i2c: Callable[[int], I2cBus] = open_bus,
    spi: Callable[[], SpiBus] = spi_bus,
) -> Hardware:
    """The devices that are wired to this computer. Nothing is imported or opened before it is needed.

    A device that is missing is reported when it is first used, tried again, and stops none of the others.

    Args:
        config: which devices there are, and on which pins.
        report: is told failures and their ends.
        clock: seconds, monotonic; of the buttons.
        work_dir: a folder for lgpio's pipes; the user's own among the temporary ones if it isn't
            said.
        model_file: tells which computer this is, see `devices.pins.fitting`.
        i2c: opens an I2C bus by its number.
        spi: makes an SPI bus.
    """

    @cache
    def factory() -> Any:
        folder = work_dir or Path(tempfile.gettempdir()) / f"companion-lgpio-{os.getuid()}"
        return pin_factory(config.gpio.factory, folder, model_file)

    shared_bus = cache(i2c)

    def display(table: DisplayTable) -> Callable[[], Display] | None:
        def made() -> Oled:
            wires = (
                I2cWires(shared_bus(table.bus_number), table.address)
                if table.bus == "i2c"
                else SpiWires(spi, factory, table.bus_number, table.chip_select, table.data_pin, table.reset_pin)
            )
            return Oled(wires, table.driver, table.rotate == 180, table.contrast)

        return made if table.driver != "none" else None

    first, second = config.display, config.second_display
    rests = [Rests(60 * table.dim_after_min, 60 * table.dark_after_min) for table in (first, second)]
    found = Hardware(display(first), *_pinned(config, clock, factory), report, display(second), *rests)
    found.muted = not config.box.sound
    return found


def has_display(
    table: DisplayTable, i2c: Callable[[int], I2cBus] = open_bus, spi: Callable[[], SpiBus] = spi_bus
) -> bool:
    """Whether a display is there now. Over SPI it can't answer, so a bus is enough.

    Args:
        table: how it is to be wired.
        i2c: opens an I2C bus by its number.
        spi: makes an SPI bus.
    """
    from luma.core.error import Error

    if table.driver == "none":
        return False
    try:
        if table.bus == "spi":
            bus = spi()
            bus.open(table.bus_number, table.chip_select)
            bus.close()
        else:
            I2cWires(i2c(table.bus_number), table.address).connect()
    except (Error, OSError):
        return False
    return True


def trouble_of(device: str) -> Trouble:
    """What people are told of a device that fails, by its name in reports (see `devices.box.Report`)."""
    stuck = next((button for button in Button if device == reported(button)), None)
    return Trouble(say("trouble.stuck", button=stuck) if stuck else say(f"trouble.{device}"))


def ribbon_options(camera: CameraTable) -> PicameraOptions:
    """How a camera on the ribbon cable is to be set."""
    turned = camera.rotate == 180
    return PicameraOptions(
        size_px=camera.size,
        # A picture can't be exposed for longer than the time between two.
        rate_hz=min(PicameraOptions().rate_hz, 1000 / camera.exposure_ms if camera.exposure_ms else math.inf),
        exposure_us=_exposure_us(camera),
        flicker_us=round(1e6 / (2 * camera.mains_hz)) if camera.mains_hz else 0,
        exposure_value=camera.exposure_stops,
        lens_dioptres=None if camera.autofocus else camera.lens_position,
        hflip=turned != camera.flip,
        vflip=turned,
    )


def usb_options(camera: CameraTable) -> UsbOptions:
    """How a USB camera is to be set. It can't be turned."""
    return UsbOptions(camera.size, _exposure_us(camera), None if camera.autofocus else camera.usb_focus, camera.flip)


def _exposure_us(camera: CameraTable) -> int:
    return max(SHORTEST_US, round(1000 * camera.exposure_ms)) if camera.exposure_ms else 0


class SimulatedBox:
    """A box without copper: luma.oled writes to a simulated glass, gpiozero moves simulated pins.

    Args:
        clock: seconds, monotonic.
        second: it has a second display.
        config: its wiring. Its displays don't rest: on a screen nothing burns in.

    Attributes:
        panel: the glass; its picture is decoded from the bytes that the driver sent.
        second: the glass of the second display, None if there is none.
        board: the pins, to be pressed and looked at.
    """

    def __init__(self, clock: Callable[[], float], second: bool = False, config: Config | None = None) -> None:
        self._clock = clock
        self._config = config or Config()
        self._factory = pin_factory("mock", Path(tempfile.gettempdir()))
        self.panel = SimulatedPanel()
        self.second = SimulatedPanel(address=SECOND_ADDRESS) if second else None
        self.board = SimulatedBoard(
            self._factory, self._config.buttons.pins, self._config.lamps.pins, self._config.buzzer.pin
        )
        self._held: Button | None = None
        self._waiting: list[Button] = []

    def hardware(self, report: Report) -> Hardware:
        """The devices, as the rest of the program knows them."""
        second = self.second
        return Hardware(
            lambda: Oled(I2cWires(self.panel)),
            *_pinned(self._config, self._clock, lambda: self._factory),
            report,
            (lambda: Oled(I2cWires(second, SECOND_ADDRESS))) if second else None,
        )

    def push(self, button: Button) -> None:
        """Presses a button and lets it go, in the course of the next calls of `fingers`."""
        self._waiting.append(button)

    def fingers(self) -> None:
        """Moves the fingers on; to be called before each tick of the devices, at least 30 ms apart."""
        # Beside a real clock nothing bounces: a busy computer might pause so long between two edges that both count.
        if self._held is not None:
            self.board.release(self._held, bounces_s=())
            self._held = None
        elif self._waiting:
            self._held = self._waiting.pop(0)
            self.board.press(self._held, bounces_s=())


def _pinned(
    config: Config, clock: Callable[[], float], factory: Callable[[], Any]
) -> tuple[Callable[[], Buttons], Callable[[], Lamps], Callable[[], Buzzer]]:
    """What makes buttons, lamps and buzzer."""
    buttons = config.buttons
    return (
        lambda: Buttons(buttons.pins, factory(), clock, buttons.debounce_ms / 1000, buttons.long_press_s),
        lambda: Lamps(config.lamps.pins, factory(), config.lamps.brightness),
        lambda: Buzzer(config.buzzer.pin, factory(), config.buzzer.volume),
    )

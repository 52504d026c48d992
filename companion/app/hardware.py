"""The devices of a box: simulated ones, through the same drivers as real ones."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

from companion.core.panel import Button
from devices.box import Hardware, Report
from devices.buttons import Buttons
from devices.buzzer import Buzzer
from devices.lamps import Lamps
from devices.oled import SECOND_ADDRESS, Oled
from devices.pins import Pins, pin_factory
from devices.simulated.board import SimulatedBoard
from devices.simulated.panel import SimulatedPanel


class SimulatedBox:
    """A box without copper: luma.oled writes to a simulated glass, gpiozero moves simulated pins.

    Args:
        clock: seconds, monotonic.
        second: it has a second display.

    Attributes:
        panel: the glass; its picture is decoded from the bytes that the driver sent.
        second: the glass of the second display, None if there is none.
        board: the pins, to be pressed and looked at.
    """

    def __init__(self, clock: Callable[[], float], second: bool = False) -> None:
        self._clock = clock
        self._pins = Pins()
        self._factory = pin_factory("mock", Path(tempfile.gettempdir()))
        self.panel = SimulatedPanel()
        self.second = SimulatedPanel(address=SECOND_ADDRESS) if second else None
        self.board = SimulatedBoard(self._factory, self._pins)
        self._held: Button | None = None
        self._waiting: list[Button] = []

    def hardware(self, report: Report) -> Hardware:
        """The devices, as the rest of the program knows them."""
        second = self.second
        return Hardware(
            lambda: Oled(self.panel),
            lambda: Buttons(self._pins.buttons, self._factory, self._clock),
            lambda: Lamps(self._pins.lamps, self._factory),
            lambda: Buzzer(self._pins.buzzer, self._factory),
            report,
            (lambda: Oled(second, address=SECOND_ADDRESS)) if second else None,
        )

    def push(self, button: Button) -> None:
        """Presses a button and lets it go, in the course of the next calls of `fingers`."""
        self._waiting.append(button)

    def fingers(self) -> None:
        """Moves the fingers on; to be called before each tick of the devices, at least 30 ms apart."""
        if self._held is not None:
            self.board.release(self._held)
            self._held = None
        elif self._waiting:
            self._held = self._waiting.pop(0)
            self.board.press(self._held)

"""Simulated pins: fingers that press real contacts, lamps to look at, and a buzzer to listen to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.core.panel import Button, Lamp

BOUNCES_S = (0.0004, 0.0011, 0.0007, 0.0015)
"""How long the contact stays in each state while it bounces; as measured on cheap tactile buttons, 1 to 5 ms in all."""


def simulated_pins() -> Any:
    """The mock factory of gpiozero, of pins with PWM; a closed contact stays so when its pin is opened."""
    from gpiozero.pins.mock import MockFactory, MockPWMPin

    class Pin(MockPWMPin):  # type: ignore[misc]
        """gpiozero's own one is lifted by its pull-up, whatever is connected to it."""

        closed = False

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            if self.closed:
                self.drive_low()

    return MockFactory(pin_class=Pin)


class SimulatedBoard:
    """The pins of a Raspberry Pi with everything soldered on.

    Args:
        factory: see `simulated_pins`.
        buttons, lamps, buzzer: the wiring, in BCM numbers.
        wait: lets the given seconds pass while a contact bounces. Tests move their clock; beside a real clock the
            default bounces in no time at all.
    """

    def __init__(
        self,
        factory: Any,
        buttons: Mapping[Button, int],
        lamps: Mapping[Lamp, int],
        buzzer: int,
        wait: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        self._factory = factory
        self._buttons, self._lamps, self._buzzer = buttons, lamps, buzzer
        self._wait = wait

    def press(self, button: Button, bounces_s: Sequence[float] = BOUNCES_S) -> None:
        """Pushes a button down and holds it; its contact bounces first."""
        self._settle(button, True, bounces_s)

    def release(self, button: Button, bounces_s: Sequence[float] = BOUNCES_S) -> None:
        """Lets a button go; its contact bounces first."""
        self._settle(button, False, bounces_s)

    def glitch(self, button: Button, length_s: float) -> None:
        """A spike on the line: the contact seems to change, and is back after `length_s`."""
        level = self._pin(self._buttons[button]).state
        self._drive(button, bool(level))
        self._wait(length_s)
        self._drive(button, not level)

    def lit(self) -> frozenset[Lamp]:
        """The lamps that shine."""
        return frozenset(lamp for lamp, number in self._lamps.items() if self._pin(number).state)

    def brightness(self, lamp: Lamp) -> float:
        """The share of time in which a lamp is fed."""
        return float(self._pin(self._lamps[lamp]).state)

    def tone_hz(self) -> float | None:
        """The tone that sounds, or None."""
        pin = self._pin(self._buzzer)
        return pin.frequency if pin.function == "output" and pin.state else None

    def volume(self) -> float:
        """The share of time in which the buzzer's pin is high: 0 silent, 0.5 loudest."""
        return float(self._pin(self._buzzer).state)

    def _settle(self, button: Button, down: bool, bounces_s: Sequence[float]) -> None:
        for i, length_s in enumerate(bounces_s):
            self._drive(button, down if i % 2 == 0 else not down)
            self._wait(length_s)
        self._drive(button, down)

    def _drive(self, button: Button, down: bool) -> None:
        pin = self._pin(self._buttons[button])
        # Pressed means connected to ground: the pin is pulled up.
        pin.closed = down
        if down:
            pin.drive_low()
        else:
            pin.drive_high()

    def _pin(self, number: int) -> Any:
        return self._factory.pin(number)

"""The three lamps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.panel import Lamp
from devices.errors import PinError
from devices.pins import claiming


class Lamps:
    """LEDs on pins, each with its resistor to ground. How bright they are is the share of time in which they are fed.

    Args:
        pins: the pin of each lamp.
        factory: gpiozero pin factory, of pins with PWM.
        brightness: 0 (dark) to 1.

    Raises:
        PinError: a pin can't be used.
        ValueError: the brightness is out of range.
    """

    def __init__(self, pins: Mapping[Lamp, int], factory: Any, brightness: float = 1.0) -> None:
        from gpiozero import PWMLED

        if not 0 <= brightness <= 1:
            raise ValueError(f"brightness {brightness:g}: choose 0 (dark) to 1 (brightest)")
        self._brightness = brightness
        self._lit: frozenset[Lamp] = frozenset()
        self._devices: dict[Lamp, Any] = {}
        try:
            for lamp, pin in pins.items():
                with claiming(f"lamp {lamp}", pin, factory):
                    self._devices[lamp] = PWMLED(pin, pin_factory=factory)
        except PinError:
            self.close()
            raise

    def light(self, lit: frozenset[Lamp]) -> None:
        """Lights these lamps, and no others.

        Raises:
            PinError: a pin can't be set any more.
        """
        # Only what changes is set: each setting restarts the pulses of lgpio, which would be seen as a flicker.
        for lamp, device in self._devices.items():
            if (lamp in lit) == (lamp in self._lit):
                continue
            try:
                device.value = self._brightness if lamp in lit else 0
            except Exception as error:  # the pin libraries raise their own kinds
                raise PinError(f"lamp {lamp}: {error}") from error
        self._lit = lit

    def close(self) -> None:
        """Puts all lamps out and gives the pins back."""
        for device in self._devices.values():
            device.close()
        self._devices.clear()

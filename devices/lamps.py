"""The three lamps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.panel import Lamp
from devices.errors import PinError


class Lamps:
    """LEDs on pins, each with its resistor to ground.

    Args:
        pins: the pin of each lamp.
        factory: gpiozero pin factory.

    Raises:
        PinError: a pin can't be used.
    """

    def __init__(self, pins: Mapping[Lamp, int], factory: Any) -> None:
        from gpiozero import LED

        self._devices: dict[Lamp, Any] = {}
        try:
            for lamp, pin in pins.items():
                self._devices[lamp] = LED(pin, pin_factory=factory)
        except Exception as error:  # the pin libraries raise their own kinds
            self.close()
            raise PinError(f"lamp {lamp} on pin {pin}: {error}; check the pin table") from error

    def light(self, lit: frozenset[Lamp]) -> None:
        """Lights these lamps, and no others.

        Raises:
            PinError: a pin can't be set any more.
        """
        for lamp, device in self._devices.items():
            try:
                device.value = lamp in lit
            except Exception as error:  # the pin libraries raise their own kinds
                raise PinError(f"lamp {lamp}: {error}") from error

    def close(self) -> None:
        """Puts all lamps out and gives the pins back."""
        for device in self._devices.values():
            device.close()
        self._devices.clear()

"""Which pin does what, and who moves the pins."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from companion.core.panel import Button, Lamp
from devices.errors import PinError

FACTORIES = ("lgpio", "rpigpio", "mock")
"""Ways to the pins: lgpio for every Pi up to the 5, RPi.GPIO for those up to the 4, and simulated ones."""

_I2C_PINS = (2, 3)


@dataclass(frozen=True)
class Pins:
    """The wiring, in BCM numbers (GPIO5 is 5). Buttons connect their pin to ground.

    Raises:
        PinError: a number is no GPIO of the header, the display needs it, or two things share it.
    """

    button_a: int = 5
    button_b: int = 6
    button_up: int = 13
    button_down: int = 19
    lamp_green: int = 17
    lamp_red: int = 27
    lamp_amber: int = 22
    buzzer: int = 18

    def __post_init__(self) -> None:
        numbers = {field.name: getattr(self, field.name) for field in fields(self)}
        for name, number in numbers.items():
            if number in _I2C_PINS:
                raise PinError(f"{name} = {number}: the display needs GPIO2 and GPIO3; choose another pin")
            if not 0 <= number <= 27:
                raise PinError(f"{name} = {number}: the header has GPIO0 to GPIO27, in BCM numbers")
        for number, count in Counter(numbers.values()).items():
            if count > 1:
                sharing = " and ".join(name for name, own in numbers.items() if own == number)
                raise PinError(f"{sharing} share pin {number}; give each its own")

    @property
    def buttons(self) -> dict[Button, int]:
        """The buttons' pins."""
        return {
            Button.A: self.button_a,
            Button.B: self.button_b,
            Button.UP: self.button_up,
            Button.DOWN: self.button_down,
        }

    @property
    def lamps(self) -> dict[Lamp, int]:
        """The lamps' pins."""
        return {Lamp.GREEN: self.lamp_green, Lamp.RED: self.lamp_red, Lamp.AMBER: self.lamp_amber}


def pin_factory(name: str, work_dir: Path) -> Any:
    """The gpiozero pin factory called `name`, one of `FACTORIES`; gpiozero's own search is never used.

    Args:
        name: which one.
        work_dir: a folder for the pipes of lgpio, which otherwise litters the current one.

    Raises:
        PinError: it isn't installed, or this computer has no such pins.
    """
    if name not in FACTORIES:
        raise PinError(f"pins {name!r}: there are {', '.join(FACTORIES)}")
    if name == "mock":
        from gpiozero.pins.mock import MockFactory, MockPWMPin

        return MockFactory(pin_class=MockPWMPin)
    package = {"lgpio": "python3-lgpio", "rpigpio": "python3-rpi.gpio"}[name]
    try:
        if name == "lgpio":
            os.environ.setdefault("LG_WD", str(work_dir))  # read by lgpio when it is imported
            from gpiozero.pins.lgpio import LGPIOFactory

            return LGPIOFactory()
        from gpiozero.pins.rpigpio import RPiGPIOFactory

        return RPiGPIOFactory()
    except ImportError as error:
        raise PinError(f"pins {name}: {error}; install the package {package}, or use the pins `mock`") from error
    except Exception as error:  # lgpio and RPi.GPIO raise their own kinds, which can't be imported here
        raise PinError(f"pins {name}: {error}; is this a Raspberry Pi, and the user in the group gpio?") from error

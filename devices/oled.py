"""The OLED display, through luma.oled's driver."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Protocol

from PIL import Image

from devices.display import HEIGHT_PX, WIDTH_PX, check_picture
from devices.errors import DisplayError

CHIPS = ("ssd1306", "sh1106", "ssd1309")
"""The controllers that can be on the display's back; shops often name the wrong one."""

ADDRESS = 0x3C
SECOND_ADDRESS = 0x3D
"""Of a second display on the same bus; a resistor on its back chooses it."""

_NOP = 0xE3
"""Does nothing; whether it is acknowledged tells whether a display is there. Source: SSD1306 datasheet, table 9-1."""


class Bus(Protocol):
    """The part of `smbus2.SMBus` that is used."""

    def write_i2c_block_data(self, address: int, register: int, data: list[int], /) -> None:
        """Writes up to 32 bytes; OSError if nothing answers at the address."""


def open_bus(port: int) -> Bus:
    """The I2C bus `/dev/i2c-PORT`.

    Raises:
        DisplayError: there is no such bus, or it may not be used.
    """
    from smbus2 import SMBus

    try:
        bus: Bus = SMBus(port)
    except FileNotFoundError as error:
        raise DisplayError(f"/dev/i2c-{port}: not there; switch it on: `sudo raspi-config nonint do_i2c 0`") from error
    except OSError as error:
        raise DisplayError(f"/dev/i2c-{port}: {error}; the user must be in the group i2c") from error
    return bus


class Oled:
    """An OLED of 128x64 pixels. It may be unplugged and plugged in again at any time.

    Args:
        bus: the I2C bus, already open; it stays open.
        chip: one of `CHIPS`.
        address: the display's address on the bus.
        upside_down: turn the picture by 180 degrees.

    Raises:
        ValueError: there is no such chip.
    """

    def __init__(self, bus: Bus, chip: str = CHIPS[0], address: int = ADDRESS, upside_down: bool = False) -> None:
        if chip not in CHIPS:
            raise ValueError(f"display chip {chip!r}: there are {', '.join(CHIPS)}")
        self._bus = bus
        self._chip = chip
        self._address = address
        self._upside_down = upside_down
        self._driver: Any = None
        self._shown: bytes | None = None

    def show(self, image: Image.Image) -> None:
        """See `devices.display.Display.show`.

        A picture that is shown already is not sent again: then the display is only asked whether it is still there.
        """
        from luma.core.error import DeviceNotFoundError

        check_picture(image)
        pixels = image.tobytes()

        try:
            if self._driver is None:
                self._driver = self._make()
            if pixels == self._shown:
                self._driver.command(_NOP)
            else:
                self._driver.display(image)
        except (DeviceNotFoundError, OSError) as error:
            self._driver = self._shown = None
            raise DisplayError(
                f"display {self._chip} at 0x{self._address:02x}: {error}; check its four wires and its address"
            ) from error
        self._shown = pixels

    def close(self) -> None:
        """See `devices.display.Display.close`."""
        from luma.core.error import DeviceNotFoundError

        driver, self._driver, self._shown = self._driver, None, None
        if driver is not None:
            with suppress(DeviceNotFoundError, OSError):
                driver.cleanup()

    def _make(self) -> Any:
        from luma.core.interface.serial import i2c
        from luma.oled import device

        serial = i2c(bus=self._bus, address=self._address)
        # Every driver that is made stays in memory until the program ends (luma registers an exit hook). So ask
        # first whether a display is there, and make none while it is unplugged.
        serial.command(_NOP)
        rotate = 2 if self._upside_down else 0
        return getattr(device, self._chip)(serial, width=WIDTH_PX, height=HEIGHT_PX, rotate=rotate)

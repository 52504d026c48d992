"""How a display is wired: over I2C, where it answers, or over SPI, where it doesn't."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from devices.access import barred
from devices.errors import DisplayError, PinError
from devices.pins import claiming

ADDRESS = 0x3C
SECOND_ADDRESS = 0x3D
"""Of a second display on the same bus; a resistor on its back chooses it."""

NOP = 0xE3
"""Does nothing; whether it is acknowledged tells whether a display is there. Source: SSD1306 datasheet, table 9-1."""


class Serial(Protocol):
    """The part of luma.core's serial interfaces that its drivers use."""

    def command(self, *command: int) -> None:
        """Sends commands and their arguments."""

    def data(self, data: list[int]) -> None:
        """Sends pixels."""

    def cleanup(self) -> None:
        """Gives back what it opened."""


class Wires(Protocol):
    """The way to one display.

    Attributes:
        place: where it is, as in messages.
        remedy: what to look at when it doesn't answer.
    """

    place: str
    remedy: str

    def connect(self) -> Serial:
        """Opens the way, and asks whether a display is there where that can be told.

        Raises:
            OSError, luma.core.error.Error: it isn't, or the bus can't be used.
        """

    def close(self) -> None:
        """Gives back what was opened."""


class I2cBus(Protocol):
    """The part of `smbus2.SMBus` that is used."""

    def write_i2c_block_data(self, address: int, register: int, data: list[int], /) -> None:
        """Writes up to 32 bytes; OSError if nothing answers at the address."""


def open_bus(port: int) -> I2cBus:
    """The I2C bus `/dev/i2c-PORT`.

    Raises:
        DisplayError: there is no such bus, or it may not be used.
    """
    from smbus2 import SMBus

    try:
        bus: I2cBus = SMBus(port)
    except FileNotFoundError as error:
        raise DisplayError(f"/dev/i2c-{port}: not there; switch it on: `sudo raspi-config nonint do_i2c 0`") from error
    except OSError as error:
        raise DisplayError(f"/dev/i2c-{port}: {barred(Path(f'/dev/i2c-{port}'), 'i2c') or error}") from error
    return bus


class I2cWires:
    """Four wires: power, ground, SDA and SCL.

    Args:
        bus: the bus, already open; it stays open.
        address: the display's address on it.
    """

    remedy = "check its four wires and its address"

    def __init__(self, bus: I2cBus, address: int = ADDRESS) -> None:
        self.place = f"0x{address:02x}"
        self._bus = bus
        self._address = address

    def connect(self) -> Serial:
        """See `Wires.connect`."""
        from luma.core.interface.serial import i2c

        serial: Serial = i2c(bus=self._bus, address=self._address)
        serial.command(NOP)
        return serial

    def close(self) -> None:
        """See `Wires.close`."""


class SpiBus(Protocol):
    """The part of `spidev.SpiDev` that is used."""

    max_speed_hz: int

    def open(self, bus: int, device: int, /) -> None:
        """Opens `/dev/spidevBUS.DEVICE`."""

    def writebytes(self, data: list[int], /) -> None:
        """Writes up to 4096 bytes. Nobody acknowledges them."""

    def close(self) -> None:
        """Gives the bus back."""


def spi_bus() -> SpiBus:
    """A bus that is still to be opened.

    Raises:
        DisplayError: the package for it isn't installed.
    """
    try:
        import spidev  # type: ignore[import-not-found]
    except ImportError as error:
        raise DisplayError(f"SPI: {error}; install the package python3-spidev, or use a display on I2C") from error
    found: SpiBus = spidev.SpiDev()
    return found


class SpiWires:
    """Seven wires: power, ground, SCLK, MOSI, CS, DC and RES. No answer comes back over them.

    Args:
        bus: makes the bus, not open yet.
        factory: gives the gpiozero pin factory for the two pins, or raises PinError.
        port, chip_select: of the bus, as in `/dev/spidevPORT.CHIP_SELECT`.
        data_pin: goes to DC, which tells pixels from commands.
        reset_pin: goes to RES.
    """

    remedy = "check its seven wires, and that SPI is on: `sudo raspi-config nonint do_spi 0`"

    def __init__(
        self,
        bus: Callable[[], SpiBus],
        factory: Callable[[], Any],
        port: int = 0,
        chip_select: int = 0,
        data_pin: int = 24,
        reset_pin: int = 25,
    ) -> None:
        self.place = f"SPI {port}.{chip_select}"
        self._bus = bus
        self._factory = factory
        self._port, self._chip_select = port, chip_select
        self._data_pin, self._reset_pin = data_pin, reset_pin
        self._pins: _Outputs | None = None

    def connect(self) -> Serial:
        """See `Wires.connect`. Whether a display is there can't be told."""
        from luma.core.interface.serial import spi

        bus = self._bus()
        self._pins = _Outputs(self._factory())
        try:
            serial: Serial = spi(
                spi=bus,
                gpio=self._pins,
                port=self._port,
                device=self._chip_select,
                gpio_DC=self._data_pin,
                gpio_RST=self._reset_pin,
            )
        except PermissionError as error:
            place = Path(f"/dev/spidev{self._port}.{self._chip_select}")
            raise DisplayError(f"{place}: {barred(place, 'spi') or error}") from error
        return serial

    def close(self) -> None:
        """See `Wires.close`."""
        if self._pins is not None:
            self._pins.close()
            self._pins = None


class _Outputs:
    """gpiozero's pins for luma.core, which otherwise takes RPi.GPIO: there is none for a Raspberry Pi 5."""

    LOW, HIGH, OUT = 0, 1, 1

    def __init__(self, factory: Any) -> None:
        self._factory = factory
        self._devices: dict[int, Any] = {}

    def setup(self, pin: int, _direction: int) -> None:
        """Makes a pin an output."""
        from gpiozero import DigitalOutputDevice

        with claiming("display", pin, self._factory):
            self._devices[pin] = DigitalOutputDevice(pin, pin_factory=self._factory)

    def output(self, pin: int, level: int) -> None:
        """Sets a pin."""
        try:
            self._devices[pin].value = level
        except Exception as error:  # the pin libraries raise their own kinds
            raise PinError(f"display on pin {pin}: {error}") from error

    def close(self) -> None:
        """Gives the pins back."""
        for device in self._devices.values():
            device.close()
        self._devices.clear()

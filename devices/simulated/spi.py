"""A simulated SPI bus with one display: it takes what `spidev.SpiDev` takes, and as that one gives no answer."""

from __future__ import annotations

from typing import Any

from devices.simulated.panel import PanelError, SimulatedPanel

MOST_BYTES = 4096
"""In one transfer; what Linux allows if nobody changes it. Source: spidev's module parameter bufsiz."""


class SimulatedSpi:
    """The bus. Whether bytes are pixels or commands, the level of a pin tells, as on the real wires.

    Args:
        panel: the glass; while it is unplugged the bytes go nowhere, and no error tells so.
        factory: gpiozero's mock factory, whose pins are looked at.
        data_pin, reset_pin: to which DC and RES are wired, in BCM numbers.
        place: port and chip select at which the display is.

    Attributes:
        max_speed_hz: set by the driver.
        mode: set by the driver.
    """

    def __init__(
        self,
        panel: SimulatedPanel,
        factory: Any,
        data_pin: int = 24,
        reset_pin: int = 25,
        place: tuple[int, int] = (0, 0),
    ) -> None:
        self.max_speed_hz = 0
        self.mode = 0
        self._panel = panel
        self._factory = factory
        self._data_pin, self._reset_pin = data_pin, reset_pin
        self._place = place
        self._open = False

    def open(self, bus: int, device: int, /) -> None:
        """Opens `/dev/spidevBUS.DEVICE`.

        Raises:
            FileNotFoundError: nothing is wired there.
        """
        if (bus, device) != self._place:
            raise FileNotFoundError(2, "No such file or directory", f"/dev/spidev{bus}.{device}")
        self._open = True

    def writebytes(self, data: list[int], /) -> None:
        """One transfer.

        Raises:
            OSError: the bus isn't open, or these are too many bytes.
            PanelError: the display would not understand it, or is held in reset.
        """
        if not self._open:
            raise OSError(9, "Bad file descriptor")
        if not 0 < len(data) <= MOST_BYTES:
            raise OSError(22, f"{len(data)} bytes in one transfer: 1 to {MOST_BYTES} are allowed")
        if not self.max_speed_hz:
            raise PanelError("no speed was set")
        if not self._level(self._reset_pin):
            raise PanelError("the display is held in reset")
        if self._panel.plugged:
            self._panel.take(data, pixels=self._level(self._data_pin))

    def close(self) -> None:
        """Gives the bus back."""
        self._open = False

    def _level(self, number: int) -> bool:
        pin = self._factory.pin(number)
        if pin.function != "output":
            raise PanelError(f"GPIO{number} is no output: DC and RES must be driven")
        return bool(pin.state)

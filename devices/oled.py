"""The OLED display, through luma.oled's driver."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from PIL import Image

from devices.display import HEIGHT_PX, WIDTH_PX, check_picture
from devices.errors import DisplayError
from devices.wires import NOP, Serial, Wires

CHIPS = ("ssd1306", "sh1106", "ssd1309")
"""The controllers that can be on the display's back; shops often name the wrong one."""

CONTRAST = 160
DIMMED = 1
"""Contrast of a dimmed display: as dark as it gets and can still be read."""

RENEW_LOOKS = 40
"""At each so many pictures, new or not, the display is set up anew. A loose contact may have reset it between two
looks; then it answers but is dark. Over SPI it never answers anyway."""

_OFF = 0xAE
"""Source: SSD1306 datasheet, table 9-1; the same in the others."""


class Oled:
    """An OLED of 128x64 pixels. It may be unplugged and plugged in again at any time.

    Args:
        wires: the way to it.
        chip: one of `CHIPS`.
        upside_down: turn the picture by 180 degrees.
        contrast: how bright it is, 0 to 255.

    Raises:
        ValueError: there is no such chip or contrast.
    """

    def __init__(self, wires: Wires, chip: str = CHIPS[0], upside_down: bool = False, contrast: int = CONTRAST) -> None:
        if chip not in CHIPS:
            raise ValueError(f"display chip {chip!r}: there are {', '.join(CHIPS)}")
        if not 0 <= contrast <= 255:
            raise ValueError(f"contrast {contrast}: choose 0 (dark) to 255 (brightest)")
        self._wires = wires
        self._chip = chip
        self._upside_down = upside_down
        self._contrast = contrast
        self._serial: _Recorder | None = None
        self._driver: Any = None
        self._looks = 0
        self._set: int | None = None
        self._shown: bytes | None = None

    def show(self, image: Image.Image, dimmed: bool = False) -> None:
        """See `devices.display.Display.show`.

        A picture that is shown already is not sent again: then the display is only asked whether it is still there.
        """
        from luma.core.error import Error

        check_picture(image)
        pixels = image.tobytes()
        contrast = min(DIMMED, self._contrast) if dimmed else self._contrast
        try:
            self._ready()
            if contrast != self._set:
                self._driver.contrast(contrast)
                self._set = contrast
            if pixels == self._shown:
                self._driver.command(NOP)
            else:
                self._driver.display(image)
                self._shown = pixels
        except (Error, OSError) as error:
            self._give_up()
            if isinstance(error, DisplayError):  # the bus: it says itself what helps
                raise
            raise DisplayError(f"display {self._chip} at {self._wires.place}: {error}; {self._wires.remedy}") from error

    def close(self) -> None:
        """See `devices.display.Display.close`."""
        from luma.core.error import Error

        driver, self._driver = self._driver, None
        if driver is not None:
            with suppress(Error, OSError):
                driver.cleanup()
        self._give_up()

    def _ready(self) -> None:
        """Connects, sets up what is new, and now and then sets up anew what may have forgotten it."""
        self._looks += 1
        if self._driver is None or self._serial is None:
            self._looks = 0
            # Every driver that is made stays in memory until the program ends (luma registers an exit hook). So the
            # way to the display is connected first, and none is made while it is unplugged.
            self._serial = _Recorder(self._wires.connect())
            self._driver = self._made(self._serial)
            self._serial.stop()
        elif self._looks >= RENEW_LOOKS:
            self._looks = 0
            self._serial.repeat()
            self._set = self._shown = None

    def _made(self, serial: Serial) -> Any:
        from luma.oled import device

        rotate = 2 if self._upside_down else 0
        return getattr(device, self._chip)(serial, width=WIDTH_PX, height=HEIGHT_PX, rotate=rotate)

    def _give_up(self) -> None:
        from luma.core.error import Error

        serial, self._serial = self._serial, None
        self._driver = self._set = self._shown = None
        if serial is not None:
            with suppress(Error, OSError):
                serial.cleanup()
        self._wires.close()


class _Recorder:
    """Passes on what a driver sends, and remembers how it set the display up."""

    def __init__(self, serial: Serial) -> None:
        self._serial = serial
        self._commands: list[tuple[int, ...]] = []
        self._recording = True

    def command(self, *command: int) -> None:
        """Sends commands."""
        if self._recording:
            self._commands.append(command)
        self._serial.command(*command)

    def data(self, data: list[int]) -> None:
        """Sends pixels."""
        self._serial.data(data)

    def cleanup(self) -> None:
        """Gives the way back."""
        self._serial.cleanup()

    def stop(self) -> None:
        """The display is set up; what follows is not remembered."""
        self._recording = False

    def repeat(self) -> None:
        """Sets the display up again, without switching it off for it: that would be seen."""
        for command in self._commands:
            self._serial.command(*(command[1:] if command[0] == _OFF else command))

"""The glass of a simulated display: a bus that is fed the very bytes of luma's driver, and what they make visible.

Source: datasheets SSD1306 (Solomon Systech, rev 1.1), SSD1309 (rev 1.1) and SH1106 (Sino Wealth, v2.3), sections on
commands and addressing.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from PIL import Image

from companion.core.errors import CompanionError
from devices.display import HEIGHT_PX, WIDTH_PX
from devices.wires import ADDRESS

_PAGES = HEIGHT_PX // 8
_COMMANDS, _DATA = 0x00, 0x40
_MOST_BYTES = 32
_HORIZONTAL, _PAGE_MODE = 0, 2
_ADDRESSING, _COLUMNS, _PAGE_RANGE, _CHARGE_PUMP, _CONTRAST = 0x20, 0x21, 0x22, 0x8D, 0x81


class PanelError(CompanionError, ValueError):
    """Bytes that the real controller would not understand, or a controller that isn't known."""


@dataclass(frozen=True)
class Chip:
    """What tells one controller from another.

    Attributes:
        columns: width of its memory.
        first_column: the memory's column at the glass's left edge.
        lengths: number of arguments of the commands that have any.
        plain: the commands without arguments.
        needs_pump: dark until its charge pump is switched on.
    """

    columns: int
    first_column: int
    lengths: Mapping[int, int]
    plain: frozenset[int]
    needs_pump: bool


_COMMON_LENGTHS = {_CONTRAST: 1, 0xA8: 1, 0xD3: 1, 0xD5: 1, 0xD9: 1, 0xDA: 1, 0xDB: 1}
_COMMON_PLAIN = frozenset(
    {*range(0x20), *range(0x40, 0x80), *range(0xB0, 0xB8), 0xE3}
    | {0xA0, 0xA1, 0xA4, 0xA5, 0xA6, 0xA7, 0xAE, 0xAF, 0xC0, 0xC8}
)
_SOLOMON_LENGTHS = {
    **_COMMON_LENGTHS,
    _ADDRESSING: 1,
    _COLUMNS: 2,
    _PAGE_RANGE: 2,
    0x26: 6,
    0x27: 6,
    0x29: 5,
    0x2A: 5,
    0xA3: 2,
    _CHARGE_PUMP: 1,
}

CHIPS = {
    "ssd1306": Chip(WIDTH_PX, 0, _SOLOMON_LENGTHS, _COMMON_PLAIN | {0x2E, 0x2F}, True),
    # It has no charge pump, but luma drives it as an SSD1306 and real ones take no notice of that command.
    "ssd1309": Chip(WIDTH_PX, 0, _SOLOMON_LENGTHS, _COMMON_PLAIN | {0x2E, 0x2F}, False),
    # 132 columns, of which the glass shows the middle; it takes no notice of luma's 0x20 and 0x8D.
    "sh1106": Chip(132, 2, {**_COMMON_LENGTHS, 0xAD: 1}, _COMMON_PLAIN | {0x20, 0x8D}, False),
}


class SimulatedPanel:
    """Stands where an I2C bus with one display stands, and shows what the bytes make visible.

    `devices.simulated.spi.SimulatedSpi` feeds it over SPI.

    Args:
        chip: the controller, one of `CHIPS`.
        address: where on the bus it answers.
        on_change: called after each transfer.

    Attributes:
        plugged: whether the display answers.
        contrast: how bright it is, 0 to 255.
        writes: how many transfers it has taken.

    Raises:
        PanelError: there is no such controller.
    """

    def __init__(
        self, chip: str = "ssd1306", address: int = ADDRESS, on_change: Callable[[], None] = lambda: None
    ) -> None:
        if chip not in CHIPS:
            raise PanelError(f"controller {chip!r}: there are {', '.join(CHIPS)}")
        self._chip = CHIPS[chip]
        self._address = address
        self.plugged = True
        self.writes = 0
        self._writes_left: int | None = None
        self._on_change = on_change
        self._power_on()

    def _power_on(self) -> None:
        self._memory = bytearray(self._chip.columns * _PAGES)
        self._addressing = _PAGE_MODE
        self._columns = (0, self._chip.columns - 1)
        self._page_range = (0, _PAGES - 1)
        self._column = self._page = 0
        self._on = self._pump = self._inverted = self._all_lit = False
        self._columns_turned = self._rows_turned = False
        self._start_line = 0
        self.contrast = 0x7F

    def unplug(self, after_writes: int = 0) -> None:
        """Pulls the display out, at once or after so many further transfers; it forgets everything."""
        self._writes_left = after_writes
        self._pull_if_due()

    def plug_in(self) -> None:
        """Plugs it in again: dark, until it is set up anew."""
        self.plugged = True
        self._power_on()

    def reset(self) -> None:
        """Its reset line is pulled down, or its contact was loose for a moment: it has forgotten everything."""
        self._power_on()

    def write_i2c_block_data(self, address: int, register: int, data: list[int], /) -> None:
        """One transfer: commands (register 0x00) or pixels (0x40).

        Raises:
            OSError: nothing answers at this address.
            PanelError: the controller would not understand it.
        """
        if not self.plugged or address != self._address:
            raise OSError(errno.EREMOTEIO, "Remote I/O error")
        if not 0 < len(data) <= _MOST_BYTES:
            raise PanelError(f"{len(data)} bytes in one transfer: an SMBus block has 1 to {_MOST_BYTES}")
        if register not in (_COMMANDS, _DATA):
            raise PanelError(f"control byte 0x{register:02x}: 0x00 is for commands, 0x40 for pixels")
        self.take(data, pixels=register == _DATA)

    def take(self, data: list[int], pixels: bool) -> None:
        """Takes a transfer of pixels, or of commands with their arguments, by whatever way they came.

        Raises:
            PanelError: the controller would not understand it.
        """
        if pixels:
            self._store(data)
        else:
            self._run(data)
        self.writes += 1
        if self._writes_left is not None:
            self._writes_left -= 1
            self._pull_if_due()
        self._on_change()

    def image(self) -> Image.Image:
        """What a person sees, mode `1`, 128x64 pixels."""
        image = Image.new("1", (WIDTH_PX, HEIGHT_PX))
        if not self._on or (self._chip.needs_pump and not self._pump):
            return image
        for y in range(HEIGHT_PX):
            row = (y if self._rows_turned else HEIGHT_PX - 1 - y) + self._start_line
            page, bit = divmod(row % HEIGHT_PX, 8)
            for x in range(WIDTH_PX):
                column = (x if self._columns_turned else WIDTH_PX - 1 - x) + self._chip.first_column
                lit = self._all_lit or bool(self._memory[page * self._chip.columns + column] >> bit & 1)
                image.putpixel((x, y), int(lit != self._inverted))
        return image

    def _pull_if_due(self) -> None:
        if self._writes_left is not None and self._writes_left <= 0:
            self._writes_left = None
            self.plugged = False
            self._power_on()

    def _run(self, data: list[int]) -> None:
        rest = list(data)
        while rest:
            command = rest.pop(0)
            length = self._chip.lengths.get(command, 0)
            if command not in self._chip.lengths and command not in self._chip.plain:
                raise PanelError(f"command 0x{command:02x} is unknown")
            arguments, rest = rest[:length], rest[length:]
            if len(arguments) < length:
                raise PanelError(f"command 0x{command:02x} has {len(arguments)} arguments; it needs {length}")
            if command in self._chip.lengths and command in (_COLUMNS, _PAGE_RANGE):
                self._set_range(command, *arguments)
            else:
                self._set(command, arguments)

    def _set_range(self, command: int, first: int, last: int) -> None:
        end = self._chip.columns if command == _COLUMNS else _PAGES
        if not 0 <= first <= last < end:
            raise PanelError(f"command 0x{command:02x}: range {first} to {last} is outside of 0 to {end - 1}")
        if command == _COLUMNS:
            self._columns, self._column = (first, last), first
        else:
            self._page_range, self._page = (first, last), first

    def _set(self, command: int, arguments: list[int]) -> None:
        if command < 0x10:
            self._column = self._column & 0xF0 | command
        elif command < 0x20:
            self._column = self._column & 0x0F | (command & 0x0F) << 4
        elif 0x40 <= command < 0x80:
            self._start_line = command & 0x3F
        elif 0xB0 <= command < 0xB8:
            self._page = command & 0x07
        elif command == _ADDRESSING and arguments:
            if arguments[0] not in (_HORIZONTAL, _PAGE_MODE):
                raise PanelError(f"addressing mode {arguments[0]}: horizontal (0) and page (2) are simulated")
            self._addressing = arguments[0]
        elif command == _CONTRAST:
            self.contrast = arguments[0]
        elif command == _CHARGE_PUMP and arguments:
            self._pump = arguments[0] == 0x14
        elif command in (0xA0, 0xA1):
            self._columns_turned = command == 0xA1
        elif command in (0xC0, 0xC8):
            self._rows_turned = command == 0xC8
        elif command in (0xA4, 0xA5):
            self._all_lit = command == 0xA5
        elif command in (0xA6, 0xA7):
            self._inverted = command == 0xA7
        elif command in (0xAE, 0xAF):
            self._on = command == 0xAF

    def _store(self, data: list[int]) -> None:
        for byte in data:
            if not 0 <= byte <= 0xFF:
                raise PanelError(f"{byte} is no byte")
            if self._column >= self._chip.columns:
                raise PanelError(f"column {self._column} is beyond the last one, {self._chip.columns - 1}")
            self._memory[self._page * self._chip.columns + self._column] = byte
            self._column += 1
            if self._addressing == _HORIZONTAL and self._column > self._columns[1]:
                self._column = self._columns[0]
                self._page += 1
                if self._page > self._page_range[1]:
                    self._page = self._page_range[0]

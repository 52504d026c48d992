"""What an owner can set, as frozen values: one struct for each table of the configuration file.

Each key says here what it means, what it may be and what it is if nobody sets it; the checks of
`companion.service.config_file`, the commented example and the messages are all made from that.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from companion.core.panel import Button, Lamp

PINS = "the number of a GPIO from 2 to 27 (BCM numbers: GPIO5 is 5)"


def _key(says: str, allowed: str = "", hexadecimal: bool = False, **limits: Any) -> Any:
    """What a key means, what it may be where its type doesn't tell that well enough, and its limits."""
    return msgspec.Meta(description=says, extra={"allowed": allowed, "hexadecimal": hexadecimal}, **limits)


_SHOWN = r"^[^\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]{1,20}\Z"
"""Letters, and none that breaks a line, turns the direction of reading round, or can't be seen."""


def _pin(says: str) -> Any:
    return _key(says, PINS, ge=2, le=27)


Share = {"ge": 0.0, "le": 1.0}


class BoxTable(msgspec.Struct, frozen=True):
    """The box as a whole."""

    name: Annotated[
        str,
        _key("What the box is called.", "a name of 1 to 20 letters in quotes", pattern=_SHOWN),
    ] = "Companion"
    language: Annotated[
        Literal["en", "de", "es", "ca"], _key("The language in which it starts; the menu changes it for an evening.")
    ] = "en"
    sound: Annotated[bool, _key("Whether the buzzer is to be heard at all.")] = True


class CameraTable(msgspec.Struct, frozen=True):
    """The camera above the table."""

    source: Annotated[
        str,
        _key(
            'Which one: "picamera:" is the camera on the ribbon cable ("picamera:1" the second), "usb:0" is '
            '/dev/video0, "frames:PATH" plays pictures or a video, "virtual:" is the virtual table.',
            '"picamera:", "picamera:N", "usb:N", "frames:PATH" or "virtual:"',
            pattern=r"^(picamera:[0-9]?|usb:[0-9]{1,3}|frames:[^\x00-\x1f]+|virtual:)\Z",
        ),
    ] = "picamera:"
    size: Annotated[
        tuple[
            Annotated[int, msgspec.Meta(ge=320, le=9152, multiple_of=2)],
            Annotated[int, msgspec.Meta(ge=240, le=6944, multiple_of=2)],
        ],
        _key(
            "Width and height of the pictures in pixels. hardware.md tells how fine is fine enough; "
            "[1920, 1080], [2304, 1296] and [4608, 2592] show the whole field of a Camera Module 3.",
            "an even width of 320 to 9152 and an even height of 240 to 6944 pixels, such as [2304, 1296]",
        ),
    ] = (2304, 1296)
    autofocus: Annotated[
        bool, _key("Whether the camera focuses by itself, again and again. A lens that can't is left as it is.")
    ] = True
    lens_position: Annotated[
        float,
        _key(
            "Where the lens stands with autofocus = false: 1 divided by the metres to the table; 1.2 is for 82 cm.",
            ge=0.0,
            le=32.0,
        ),
    ] = 1.2
    usb_focus: Annotated[
        int,
        _key("The same of a USB camera, in its own unit: commonly 0 is far and 250 near.", ge=0, le=1023),
    ] = 0
    exposure_ms: Annotated[
        float,
        _key(
            "For how long a picture is exposed, in milliseconds: shorter is sharper when something moves, but darker. "
            "0 leaves it to the camera.",
            ge=0.0,
            le=500.0,
        ),
    ] = 0.0
    exposure_stops: Annotated[
        float,
        _key(
            "How much brighter than usual the pictures are, in stops; negative is darker, against washed-out stickers. "
            "A USB camera takes no notice.",
            ge=-3.0,
            le=3.0,
        ),
    ] = 0.0
    mains_hz: Annotated[
        Literal[50, 60, 0],
        _key("With this frequency the lamps flicker, which the exposure then takes into account; 0 for no flicker."),
    ] = 50
    rotate: Annotated[
        Literal[0, 180],
        _key(
            "Degrees by which the picture is turned: reading doesn't need it, looking at it does. A USB camera takes "
            "no notice."
        ),
    ] = 0
    flip: Annotated[
        bool,
        _key(
            "Mirror the picture left to right, for a camera that shows everything mirrored: corner markers aren't "
            "found in a mirrored picture, and the box says so."
        ),
    ] = False


class DisplayTable(msgspec.Struct, frozen=True):
    """The display."""

    driver: Annotated[
        Literal["ssd1306", "sh1106", "ssd1309", "none"],
        _key('The chip on its back; shops often name the wrong one. "none": there is no such display.'),
    ] = "ssd1306"
    bus: Annotated[Literal["i2c", "spi"], _key('How it is wired: "i2c" with four wires, "spi" with seven.')] = "i2c"
    port: Annotated[
        int,
        _key(
            "The number of the bus; -1 is the usual one: 1 over I2C (/dev/i2c-1), 0 over SPI (/dev/spidev0.N).",
            ge=-1,
            le=22,
        ),
    ] = -1
    address: Annotated[
        Literal[0x3C, 0x3D],
        _key(
            "Over I2C: its address on the bus. Some boards have the doubled number printed on them: "
            "0x78 means 0x3C, 0x7A means 0x3D.",
            hexadecimal=True,
        ),
    ] = 0x3C
    chip_select: Annotated[Literal[0, 1], _key("Over SPI: 0 if its CS goes to CE0, 1 if it goes to CE1.")] = 0
    data_pin: Annotated[int, _pin("Over SPI: the pin that goes to DC.")] = 24
    reset_pin: Annotated[int, _pin("Over SPI: the pin that goes to RES.")] = 25
    contrast: Annotated[int, _key("How bright it is.", ge=1, le=255)] = 160
    rotate: Annotated[
        Literal[0, 180], _key("Degrees by which the picture is turned: 180 if it is built in upside down.")
    ] = 0
    dim_after_min: Annotated[
        float,
        _key(
            "Minutes without news and without a press after which it is dimmed, so that no text burns in; 0 for never.",
            ge=0.0,
            le=1440.0,
        ),
    ] = 10.0
    dark_after_min: Annotated[
        float,
        _key(
            "Minutes after which it goes dark but for a wandering dot; 0 for never. The press that wakes it does "
            "nothing else.",
            ge=0.0,
            le=1440.0,
        ),
    ] = 30.0

    @property
    def bus_number(self) -> int:
        """The number of its bus, also where the usual one is meant."""
        usual = {"i2c": 1, "spi": 0}[self.bus]
        return self.port if self.port >= 0 else usual


class SecondDisplayTable(DisplayTable, frozen=True):
    """A second display, which faces the active player. The same keys as those of [display]."""


class ButtonsTable(msgspec.Struct, frozen=True):
    """The four buttons. Each connects its pin to ground."""

    a: Annotated[int, _pin("The pin of button A.")] = 5
    b: Annotated[int, _pin("The pin of button B.")] = 6
    up: Annotated[int, _pin("The pin of the button up.")] = 13
    down: Annotated[int, _pin("The pin of the button down.")] = 19
    debounce_ms: Annotated[
        float,
        _key("So long a contact must be at rest to count. More if one press counts twice.", ge=1.0, le=200.0),
    ] = 20.0
    long_press_s: Annotated[float, _key("So long a button is held for a long press.", ge=0.3, le=5.0)] = 0.8

    @property
    def pins(self) -> dict[Button, int]:
        """The pin of each button."""
        return {Button.A: self.a, Button.B: self.b, Button.UP: self.up, Button.DOWN: self.down}


class LampsTable(msgspec.Struct, frozen=True):
    """The three lamps. Each pin feeds an LED through its resistor."""

    green: Annotated[int, _pin("The pin of the green lamp.")] = 17
    red: Annotated[int, _pin("The pin of the red lamp.")] = 27
    amber: Annotated[int, _pin("The pin of the amber lamp.")] = 22
    brightness: Annotated[float, _key("How bright they are: 0 is dark, 1 is full.", **Share)] = 1.0

    @property
    def pins(self) -> dict[Lamp, int]:
        """The pin of each lamp."""
        return {Lamp.GREEN: self.green, Lamp.RED: self.red, Lamp.AMBER: self.amber}


class BuzzerTable(msgspec.Struct, frozen=True):
    """The buzzer, a passive one. [box] sound silences it."""

    pin: Annotated[int, _pin("Its pin.")] = 18
    volume: Annotated[
        float, _key("How loud it is: 0 is silent, 1 is loudest. Many buzzers hardly know anything in between.", **Share)
    ] = 1.0


class GpioTable(msgspec.Struct, frozen=True):
    """The way to the pins."""

    factory: Annotated[
        Literal["auto", "lgpio", "rpigpio", "mock"],
        _key(
            '"auto": lgpio on a Raspberry Pi 4 or newer, RPi.GPIO on an older one, and on any other computer "mock", '
            "which is no pins at all."
        ),
    ] = "auto"


FOLDER = 'a folder whose path begins with / or ~, in quotes, or "" for the usual place'
_FOLDER = {"allowed": FOLDER, "pattern": r"^([/~][^\x00-\x1f]*)?\Z"}


class PathsTable(msgspec.Struct, frozen=True):
    """Folders. "" is the usual place: tabletop-companion in the user's data folder."""

    journals: Annotated[str, _key("Where games are kept.", **_FOLDER)] = ""
    content: Annotated[str, _key("Where your own stories lie, in storytelling/story.", **_FOLDER)] = ""
    pictures: Annotated[str, _key("Where pictures of the table are written.", **_FOLDER)] = ""

    def folder(self, name: str) -> Path:
        """One of these folders, by its key."""
        import platformdirs

        chosen: str = getattr(self, name)
        return Path(chosen).expanduser() if chosen else platformdirs.user_data_path("tabletop-companion")


class PlayTable(msgspec.Struct, frozen=True):
    """What is played. Below [play.setup.GAME] stands what is always so, as after --set of `companion play`."""

    game: Annotated[
        str,
        _key(
            'The game that begins when the box is switched on and no other is to be carried on; "" asks.',
            'the name of a game in quotes, or ""',
        ),
    ] = ""
    setup: Annotated[Mapping[str, Mapping[str, Any]], _key("By game, fields of its set-up.")] = {}


class Config(msgspec.Struct, frozen=True):
    """All settings of a box."""

    box: BoxTable = BoxTable()
    camera: CameraTable = CameraTable()
    display: DisplayTable = DisplayTable()
    second_display: SecondDisplayTable = SecondDisplayTable(
        "none", address=0x3D, chip_select=1, data_pin=23, reset_pin=26
    )
    buttons: ButtonsTable = ButtonsTable()
    lamps: LampsTable = LampsTable()
    buzzer: BuzzerTable = BuzzerTable()
    gpio: GpioTable = GpioTable()
    paths: PathsTable = PathsTable()
    play: PlayTable = PlayTable()

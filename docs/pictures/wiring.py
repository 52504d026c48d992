"""Draws `wiring.svg`, the wiring of a box with one display over I2C, from the defaults of its configuration.

    PYTHONPATH=. .venv/bin/python docs/pictures/wiring.py [FILE]

The header stands as it does on a Raspberry Pi whose USB sockets point down. Each part stands beside its pin, so that
no wire crosses another one.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from companion.service.config import Config
from companion.service.pin_use import I2C_LINES
from devices.header import HEADER, place_of, places_of

ROW, TOP = 38, 92
"""Between two rows of the header, and of the first one from the top, in the picture's units."""
LEFT, RIGHT = 560, 604
"""The two columns of the header."""
WIDTH, HEIGHT = 940, TOP + 20 * ROW + 50
PART, RAIL = 330, 190
"""Where parts stand at the left, and where their common ground runs down."""
INK, PAPER, SOFT = "#22262b", "#ffffff", "#6a727c"
GROUND, POWER, SDA, SCL = "#22262b", "#c8321f", "#1f6fc8", "#b8860b"
LAMPS = {"green": "#2a9d4a", "red": "#d6362b", "amber": "#e8a013"}
BUTTON, BUZZER = "#7a4fb0", "#0f8a8a"
COLOURS = {"3.3 V": "#f3c6bf", "5 V": "#f3c6bf", "ground": "#c9ced4"}


def drawing(config: Config) -> str:
    """The picture as SVG."""
    parts = [*_board(config), *_display(config), *_lamps(config), *_buttons(config), *_buzzer(config)]
    body = "\n".join(parts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        f'font-family="Helvetica, Arial, DejaVu Sans, sans-serif" font-size="15" fill="{INK}">\n'
        "<title>Wiring of the box</title>\n"
        "<desc>The 40-pin header of a Raspberry Pi; the display, three lamps, four buttons and the buzzer at their "
        "pins. The table in hardware.md says the same.</desc>\n"
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>\n{body}\n</svg>\n'
    )


def _board(config: Config) -> Iterator[str]:
    used = _used(config)
    yield _box(LEFT - 26, TOP - 26, RIGHT - LEFT + 52, 20 * ROW + 14, "#e9f2ea", "#5b8a66")
    yield _text((LEFT + RIGHT) / 2, TOP - 64, "Raspberry Pi, 40-pin header", "middle", bold=True)
    yield _text((LEFT + RIGHT) / 2, TOP - 42, "pin 1 at the corner of the board", "middle", SOFT, 13)
    yield _text((LEFT + RIGHT) / 2, TOP + 20 * ROW + 14, "USB sockets this way ↓", "middle", SOFT, 13)
    for place, name in enumerate(HEADER, 1):
        x, y = _at(place)
        wired = place in used
        fill = COLOURS.get(name, "#fff2b8" if wired else "#f4f5f6")
        edge = INK if wired else "#b9c0c7"
        shape = (
            f'<rect x="{x - 14}" y="{y - 14}" width="28" height="28" fill="{fill}" stroke="{edge}"/>'
            if place == 1
            else f'<circle cx="{x}" cy="{y}" r="14" fill="{fill}" stroke="{edge}"/>'
        )
        yield shape + _text(x, y + 5, str(place), "middle", INK if wired else "#8b939b", 13, bold=wired)
        if not wired:
            side, anchor = (LEFT - 38, "end") if place % 2 else (RIGHT + 38, "start")
            yield _text(side, y + 5, name, anchor, "#8b939b", 13)


def _display(config: Config) -> Iterator[str]:
    sda, scl = (place_of(I2C_LINES[config.display.bus_number][line]) for line in ("SDA", "SCL"))
    power, ground = places_of("3.3 V")[0], places_of("ground")[1]
    top, bottom = _at(power)[1], _at(ground)[1]
    wires = (
        ("VCC", power, POWER, "3.3 V"),
        ("SDA", sda, SDA, None),
        ("SCL", scl, SCL, None),
        ("GND", ground, GROUND, "ground"),
    )
    for name, place, colour, label in wires:
        y = _at(place)[1]
        yield _line(212, y, 246, y, colour, dashed=True)
        yield _line(436, y, LEFT - 14, y, colour)
        yield _label(place, label)
        yield _text(254, y + 5, name, size=13) + _text(428, y + 5, name, "end", size=13)
    yield _box(246, top - 24, 190, bottom - top + 40, "none", INK)
    yield _box(292, top - 8, 98, bottom - top + 6, "#101418", INK)
    for number, line in enumerate(("128 x 64", config.display.driver.upper(), f"0x{config.display.address:02X}")):
        yield _text(341, (top + bottom) / 2 - 18 + 20 * number, line, "middle", "#d8ecff", 13)
    yield _text(341, top - 34, "Display", "middle", bold=True)
    yield _box(40, top - 24, 172, bottom - top + 40, "none", SOFT, dashed=True)
    address = f"address 0x{config.second_display.address:02X}"
    for number, line in enumerate(("A second display", "if you like: on the", "same four wires,", address)):
        yield _text(54, (top + bottom) / 2 - 26 + 20 * number, line, colour=SOFT, size=13)


def _lamps(config: Config) -> Iterator[str]:
    places = {lamp.value: place_of(pin) for lamp, pin in config.lamps.pins.items()}
    for name, place in places.items():
        y, colour = _at(place)[1], LAMPS[name]
        yield _line(RAIL, y, LEFT - 14, y, colour)
        yield _box(PART + 62, y - 7, 44, 14, PAPER, INK, corner=0)
        yield _text(PART + 84, y + 4, "330 Ω", "middle", size=11)
        yield (
            f'<path d="M{PART + 22} {y - 11} L{PART + 22} {y + 11} L{PART} {y} Z" fill="{colour}" stroke="{INK}"/>'
            f'<path d="M{PART} {y - 11} V{y + 11}" stroke="{INK}" stroke-width="2"/>'
        )
        yield _text(PART - 12, y - 7, f"Lamp {name}", "end", size=14)
        yield _label(place)
    yield from _rail(places.values(), "Lamps")


def _buttons(config: Config) -> Iterator[str]:
    places = {button.value: place_of(pin) for button, pin in config.buttons.pins.items()}
    for name, place in places.items():
        y = _at(place)[1]
        yield _line(PART + 44, y, LEFT - 14, y, BUTTON)
        yield _line(RAIL, y, PART, y, GROUND)
        cap = f"M{PART - 2} {y - 12} H{PART + 46} M{PART + 22} {y - 12} V{y - 20} M{PART + 12} {y - 20} H{PART + 32}"
        yield f'<path d="{cap}" stroke="{INK}" stroke-width="2.5" fill="none"/>'
        yield _dot(PART, y) + _dot(PART + 44, y)
        yield _text(PART - 12, y - 7, f"Button {name}", "end", size=14)
        yield _label(place)
    yield from _rail(places.values(), "Buttons")


def _buzzer(config: Config) -> Iterator[str]:
    place = place_of(config.buzzer.pin)
    ground = next(one for one in places_of("ground") if one % 2 == 0 and one > place)
    y, below = _at(place)[1], _at(ground)[1]
    middle = (y + below) / 2
    for height, colour in ((y, BUZZER), (below, GROUND)):
        yield _line(RIGHT + 14, height, 790, height, colour)
    yield _dot(822, middle, 42, "#2c3138") + _dot(822, middle, 6, PAPER)
    yield _text(822, middle - 52, "Buzzer, passive", "middle", bold=True)
    yield _text(RIGHT + 38, y - 6, HEADER[place - 1], size=13)
    yield _text(RIGHT + 38, below - 6, "ground", size=13)


def _rail(places: Iterable[int], name: str) -> Iterator[str]:
    """The common ground of parts, down to the next free ground of the header."""
    rows = sorted(places)
    ground = _ground_below(rows[-1])
    first, last = _at(rows[0])[1], _at(ground)[1]
    yield f'<path d="M{RAIL} {first} V{last} H{LEFT - 14}" fill="none" stroke="{GROUND}" stroke-width="2.5"/>'
    for place in rows:
        yield _dot(RAIL, _at(place)[1])
    yield _label(ground, "ground")
    yield _text(RAIL - 18, (first + _at(rows[-1])[1]) / 2 + 5, name, "end", bold=True)


def _ground_below(place: int) -> int:
    return next(one for one in places_of("ground") if one % 2 == place % 2 and one > place)


def _used(config: Config) -> set[int]:
    """Places of the header with a wire."""
    pins = [*config.buttons.pins.values(), *config.lamps.pins.values(), config.buzzer.pin]
    places = [place_of(pin) for pin in [*pins, *I2C_LINES[config.display.bus_number].values()]]
    places += [places_of("3.3 V")[0], places_of("ground")[1]]
    rows = ([place_of(pin) for pin in table.pins.values()] for table in (config.lamps, config.buttons))
    places += [_ground_below(max(row)) for row in rows]
    places.append(next(one for one in places_of("ground") if one % 2 == 0 and one > place_of(config.buzzer.pin)))
    return set(places)


def _at(place: int) -> tuple[int, int]:
    return (LEFT if place % 2 else RIGHT), TOP + (place - 1) // 2 * ROW


def _label(place: int, name: str | None = None) -> str:
    """What a pin at the left is called, above its wire."""
    return _text(LEFT - 38, _at(place)[1] - 6, name or HEADER[place - 1], "end", size=13)


def _text(
    x: float, y: float, words: str, anchor: str = "start", colour: str = INK, size: int = 15, bold: bool = False
) -> str:
    weight = ' font-weight="bold"' if bold else ""
    style = f'text-anchor="{anchor}" fill="{colour}" font-size="{size}"{weight}'
    return f'<text x="{x:g}" y="{y:g}" {style}>{escape(words)}</text>'


def _dot(x: float, y: float, radius: float = 4, fill: str = INK) -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}"/>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, dashed: bool = False) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    return f'<path d="M{x1} {y1} L{x2} {y2}" stroke="{colour}" stroke-width="2.5" fill="none"{dash}/>'


def _box(
    x: float, y: float, width: float, height: float, fill: str, edge: str, corner: int = 6, dashed: bool = False
) -> str:
    dash = ' stroke-dasharray="5 4"' if dashed else ""
    style = f'rx="{corner}" fill="{fill}" stroke="{edge}" stroke-width="1.5"{dash}'
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" {style}/>'


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_suffix(".svg")
    target.write_text(drawing(Config()), "utf-8")

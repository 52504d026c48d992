"""Which pin of the header does what in a configuration, and where two things want the same one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.service.config import Config, DisplayTable

I2C_LINES: Mapping[int, Mapping[str, int]] = {0: {"SDA": 0, "SCL": 1}, 1: {"SDA": 2, "SCL": 3}}
"""GPIOs of the I2C buses on the header, by port; where others come out is up to whoever switched them on."""

SPI_LINES: Mapping[int, Mapping[str, int]] = {
    0: {"MOSI": 10, "SCLK": 11, "CE0": 8, "CE1": 7, "MISO": 9},
    1: {"MOSI": 20, "SCLK": 21, "CE0": 18, "CE1": 17, "MISO": 19},
}
"""GPIOs of the SPI buses. The kernel takes all of them, also those that a display doesn't need."""


class PinUse(msgspec.Struct, frozen=True):
    """One pin and what it is used for.

    Attributes:
        pin: BCM number.
        what: the key that chose it, such as `buttons.a`, or the line of a bus, such as `SDA of I2C 1`.
        keys: the keys that have to change if it is to be another pin.
        bus: several displays may share the lines of this bus; empty for a pin that can do one thing only.
    """

    pin: int
    what: str
    keys: tuple[str, ...]
    bus: str = ""


def displays(config: Config) -> dict[str, DisplayTable]:
    """The displays that there are, by the name of their table."""
    both = {"display": config.display, "second_display": config.second_display}
    return {name: table for name, table in both.items() if table.driver != "none"}


def uses(config: Config) -> list[PinUse]:
    """All pins in use, in the order of the configuration file."""
    found = [use for name, table in displays(config).items() for use in _of_display(name, table)]
    single = {f"buttons.{key}": getattr(config.buttons, key) for key in ("a", "b", "up", "down")}
    single |= {f"lamps.{key}": getattr(config.lamps, key) for key in ("green", "red", "amber")}
    single["buzzer.pin"] = config.buzzer.pin
    return [*found, *(PinUse(pin, key, (key,)) for key, pin in single.items())]


def clashes(config: Config) -> list[tuple[PinUse, ...]]:
    """Groups of uses that want the same pin and can't share it."""
    by_pin: dict[int, list[PinUse]] = {}
    for use in uses(config):
        by_pin.setdefault(use.pin, []).append(use)
    return [
        tuple(group)
        for group in by_pin.values()
        if len(group) > 1 and (not group[0].bus or len({use.bus for use in group}) > 1)
    ]


def same_place(config: Config) -> tuple[str, str] | None:
    """Where both displays would be written to at once: what it is called, and the key that tells them apart."""
    both = list(displays(config).values())
    if len(both) < 2 or len({(table.bus, table.bus_number) for table in both}) > 1:
        return None
    if both[0].bus == "i2c":
        return (
            (f"I2C {both[0].bus_number}, 0x{both[0].address:02x}", "address")
            if both[0].address == both[1].address
            else None
        )
    if both[0].chip_select == both[1].chip_select:
        return f"SPI {both[0].bus_number}, CE{both[0].chip_select}", "chip_select"
    return None


def _of_display(name: str, table: DisplayTable) -> Iterator[PinUse]:
    lines = (I2C_LINES if table.bus == "i2c" else SPI_LINES).get(table.bus_number, {})
    bus = f"{table.bus.upper()} {table.bus_number}"
    for line, pin in lines.items():
        yield PinUse(pin, f"{line} of {bus} ({name})", (f"{name}.bus", f"{name}.port"), bus)
    if table.bus == "spi":
        for key in ("data_pin", "reset_pin"):
            yield PinUse(getattr(table, key), f"{name}.{key}", (f"{name}.{key}",))

"""The 40-pin header of a Raspberry Pi: which GPIO comes out where.

Source: Raspberry Pi documentation, GPIO and the 40-pin header; the same since the Model B+.
"""

from __future__ import annotations

HEADER: tuple[str, ...] = (
    "3.3 V", "5 V",
    "GPIO2", "5 V",
    "GPIO3", "ground",
    "GPIO4", "GPIO14",
    "ground", "GPIO15",
    "GPIO17", "GPIO18",
    "GPIO27", "ground",
    "GPIO22", "GPIO23",
    "3.3 V", "GPIO24",
    "GPIO10", "ground",
    "GPIO9", "GPIO25",
    "GPIO11", "GPIO8",
    "ground", "GPIO7",
    "GPIO0", "GPIO1",
    "GPIO5", "ground",
    "GPIO6", "GPIO12",
    "GPIO13", "ground",
    "GPIO19", "GPIO16",
    "GPIO26", "GPIO20",
    "ground", "GPIO21",
)  # fmt: skip
"""What each place is, from place 1 on; odd ones are the row at the board's inner side."""


def place_of(gpio: int) -> int:
    """The place on the header, 1 to 40, of a GPIO by its BCM number.

    Raises:
        ValueError: the header has no such GPIO.
    """
    return HEADER.index(f"GPIO{gpio}") + 1


def places_of(what: str) -> tuple[int, ...]:
    """All places of a supply: `ground`, `3.3 V` or `5 V`."""
    return tuple(place for place, name in enumerate(HEADER, 1) if name == what)

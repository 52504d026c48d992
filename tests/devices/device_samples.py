"""What the tests of the devices work with: the usual wiring, and a board on which it is soldered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.service.config import Config
from devices.simulated.board import SimulatedBoard

CONFIG = Config()


def board_of(factory: Any, wait: Callable[[float], None] = lambda _seconds: None) -> SimulatedBoard:
    """A simulated board with the usual wiring."""
    return SimulatedBoard(factory, CONFIG.buttons.pins, CONFIG.lamps.pins, CONFIG.buzzer.pin, wait)

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

import pytest

from companion.core.panel import Button, Lamp
from devices.errors import PinError
from devices.lamps import Lamps
from devices.pins import Pins, pin_factory
from devices.simulated.board import SimulatedBoard


def test_lamps_shine_as_asked_and_no_others(factory: Any) -> None:
    lamps = Lamps(Pins().lamps, factory)
    board = SimulatedBoard(factory)
    for lit in (frozenset({Lamp.RED}), frozenset(Lamp), frozenset({Lamp.AMBER, Lamp.GREEN}), frozenset()):
        lamps.light(lit)
        assert board.lit() == lit
    lamps.light(frozenset(Lamp))
    lamps.close()
    assert board.lit() == frozenset()


def test_lamps_on_a_pin_in_use_name_it_and_give_the_others_back(factory: Any) -> None:
    first = Lamps({Lamp.RED: 27}, factory)
    with pytest.raises(PinError, match="lamp red on pin 27"):
        Lamps(Pins().lamps, factory)
    first.close()
    Lamps(Pins().lamps, factory).close()


def test_a_lamp_whose_pin_is_gone_is_an_error(factory: Any) -> None:
    lamps = Lamps(Pins().lamps, factory)
    factory.reset()
    for device in list(lamps._devices.values()):
        device.close()
    with pytest.raises(PinError, match="lamp green"):
        lamps.light(frozenset(Lamp))


def test_the_default_wiring_gives_everything_its_own_pin() -> None:
    pins = Pins()
    numbers = [*pins.buttons.values(), *pins.lamps.values(), pins.buzzer]
    assert set(pins.buttons) == set(Button)
    assert set(pins.lamps) == set(Lamp)
    assert len(set(numbers)) == len(numbers)


@pytest.mark.parametrize(
    ("wiring", "problem"),
    [
        ({"buzzer": 2}, "buzzer = 2: the display needs GPIO2 and GPIO3"),
        ({"button_a": 28}, "button_a = 28: the header has GPIO0 to GPIO27"),
        ({"lamp_red": -1}, "lamp_red = -1"),
        ({"lamp_red": 5}, "button_a and lamp_red share pin 5"),
    ],
)
def test_a_wiring_that_can_not_work_says_why(wiring: dict[str, int], problem: str) -> None:
    with pytest.raises(PinError, match=problem):
        Pins(**wiring)


def test_an_unknown_way_to_the_pins_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(PinError, match="'pigpio': there are lgpio, rpigpio, mock"):
        pin_factory("pigpio", tmp_path)


@pytest.mark.parametrize(
    ("name", "module", "package"), [("lgpio", "lgpio", "python3-lgpio"), ("rpigpio", "RPi", "python3-rpi.gpio")]
)
def test_a_library_that_is_not_installed_is_named(
    name: str, module: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if importlib.util.find_spec(module):
        pytest.skip(f"{module} is installed here")
    monkeypatch.delenv("LG_WD", raising=False)
    with pytest.raises(PinError, match=f"install the package {package}, or use the pins `mock`"):
        pin_factory(name, tmp_path)
    assert os.environ.get("LG_WD", str(tmp_path)) == str(tmp_path)

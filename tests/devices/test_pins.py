from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from device_samples import CONFIG, board_of

from companion.core.panel import Lamp
from devices.errors import PinError
from devices.lamps import Lamps
from devices.pins import fitting, installed, pin_factory, rivals
from tests.documents import ROOT


def test_lamps_shine_as_asked_and_no_others(factory: Any) -> None:
    lamps = Lamps(CONFIG.lamps.pins, factory)
    board = board_of(factory)
    for lit in (frozenset({Lamp.RED}), frozenset(Lamp), frozenset({Lamp.AMBER, Lamp.GREEN}), frozenset()):
        lamps.light(lit)
        assert board.lit() == lit
    lamps.light(frozenset(Lamp))
    lamps.close()
    assert board.lit() == frozenset()


def test_lamps_on_a_pin_in_use_name_it_and_give_the_others_back(factory: Any) -> None:
    first = Lamps({Lamp.RED: 27}, factory)
    with pytest.raises(PinError, match="lamp red on pin 27"):
        Lamps(CONFIG.lamps.pins, factory)
    first.close()
    Lamps(CONFIG.lamps.pins, factory).close()


def test_a_lamp_whose_pin_is_gone_is_an_error(factory: Any) -> None:
    lamps = Lamps(CONFIG.lamps.pins, factory)
    factory.reset()
    for device in list(lamps._devices.values()):
        device.close()
    with pytest.raises(PinError, match="lamp green"):
        lamps.light(frozenset(Lamp))


@pytest.mark.parametrize("brightness", [1.0, 0.25, 0.0])
def test_lamps_are_as_bright_as_wished(factory: Any, brightness: float) -> None:
    lamps = Lamps(CONFIG.lamps.pins, factory, brightness)
    lamps.light(frozenset({Lamp.RED}))
    board = board_of(factory)
    assert {lamp: board.brightness(lamp) for lamp in Lamp} == {Lamp.RED: brightness, Lamp.GREEN: 0, Lamp.AMBER: 0}
    lamps.close()


def test_a_brightness_out_of_range_is_refused(factory: Any) -> None:
    with pytest.raises(ValueError, match=r"brightness 1\.5: choose 0"):
        Lamps(CONFIG.lamps.pins, factory, 1.5)


def test_a_lamp_that_there_is_not_stops_none_of_the_others(factory: Any) -> None:
    lamps = Lamps({Lamp.RED: 27}, factory)
    lamps.light(frozenset({Lamp.RED, Lamp.GREEN}))
    assert board_of(factory).brightness(Lamp.RED) == 1
    lamps.close()


@pytest.mark.parametrize(
    ("model", "way"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", "lgpio"),
        ("Raspberry Pi 500 Rev 1.0", "lgpio"),
        ("Raspberry Pi Compute Module 5 Rev 1.0", "lgpio"),
        ("Raspberry Pi 4 Model B Rev 1.5", "lgpio"),
        ("Raspberry Pi 400 Rev 1.0", "lgpio"),
        ("Raspberry Pi Compute Module 4S Rev 1.0", "lgpio"),
        ("Raspberry Pi 3 Model B Plus Rev 1.3", "rpigpio"),
        ("Raspberry Pi Compute Module 3 Plus Rev 1.0", "rpigpio"),
        ("Raspberry Pi 2 Model B Rev 1.1", "rpigpio"),
        ("Raspberry Pi Zero 2 W Rev 1.0", "rpigpio"),
        ("Raspberry Pi Model B Rev 2", "rpigpio"),
        ("Raspberry Pi Compute Module Rev 1.0", "rpigpio"),
        ("Radxa ROCK Pi 4B", "mock"),
        ("", "mock"),
    ],
)
def test_the_way_to_the_pins_fits_the_computer(tmp_path: Path, model: str, way: str) -> None:
    (tmp_path / "model").write_bytes(model.encode() + b"\0")
    assert fitting(tmp_path / "model") == way


def test_where_nobody_tells_what_computer_it_is_there_are_no_pins(tmp_path: Path) -> None:
    assert fitting(tmp_path / "model") == "mock"
    assert type(pin_factory("auto", tmp_path, tmp_path / "model")).__name__ == "MockFactory"


def test_two_packages_that_overwrite_one_another_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [rivals(found) for found in ([], ["rpi-gpio"], ["rpi-lgpio", "lgpio"])] == ["", "", ""]
    both = {"rpi-gpio", "rpi-lgpio", "gpiozero"}
    monkeypatch.setattr("devices.pins.installed", lambda: both)
    with pytest.raises(PinError, match=r"pins rpigpio: RPi.GPIO and rpi-lgpio are both installed and overwrite one"):
        pin_factory("rpigpio", tmp_path)


def test_what_is_installed_is_told_by_its_plain_name() -> None:
    assert {"gpiozero", "luma-oled"} <= installed()


def test_gpiozero_never_searches_and_so_never_warns(tmp_path: Path) -> None:
    """A whole box on another computer than a Raspberry Pi: not a word on standard error."""
    program = (
        "from companion.app.hardware import real_box; from companion.core.panel import Lamp, Note\n"
        "from companion.service.config import Config\n"
        "box = real_box(Config(), lambda name, error: print(name, error))\n"
        "box.light(frozenset(Lamp)); box.play((Note(440, 1),)); box.tick(1.0); box.close()\n"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "always", "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(tmp_path)},
    )
    assert (ran.stdout, ran.stderr) == ("", "")


def test_an_unknown_way_to_the_pins_names_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(PinError, match="'pigpio': there are auto, lgpio, rpigpio, mock"):
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

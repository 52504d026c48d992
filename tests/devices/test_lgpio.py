"""The devices on gpiozero's own lgpio pins, over a module lgpio that is as strict as the real one."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import lgpio_fake
import pytest
from device_samples import CONFIG

from companion.core.panel import Button, Lamp, Note
from devices.access import Holder
from devices.box import RETRY_S, Hardware
from devices.buttons import Buttons
from devices.buzzer import Buzzer
from devices.errors import DeviceError, PinError
from devices.lamps import Lamps
from devices.pins import pin_factory

PI_4, PI_5 = 0xC03111, 0xD04171
"""Revision numbers."""


@pytest.fixture
def chip(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> lgpio_fake.Chip:
    monkeypatch.delenv("LG_WD", raising=False)
    return lgpio_fake.install(monkeypatch, tmp_path)


@pytest.fixture
def factory(chip: lgpio_fake.Chip, tmp_path: Path) -> Iterator[Any]:
    found = pin_factory("lgpio", tmp_path / "pipes")
    yield found
    found.close()


def test_the_fake_has_the_signatures_of_the_real_module() -> None:
    for name, wanted in lgpio_fake.SIGNATURES.items():
        parameters = inspect.signature(getattr(lgpio_fake, name)).parameters.values()
        told = [f"{one.name}={one.default}" if one.default is not one.empty else one.name for one in parameters]
        assert ", ".join(told) == wanted.replace("RISING_EDGE", "1"), name


@pytest.mark.pi
def test_the_real_module_has_the_signatures_of_the_fake() -> None:
    import lgpio  # type: ignore[import-not-found]

    for name, wanted in lgpio_fake.SIGNATURES.items():
        told = str(inspect.signature(getattr(lgpio, name)))[1:-1]
        assert told == wanted.replace("RISING_EDGE", str(lgpio.RISING_EDGE)), name


def test_the_pipe_lies_in_its_folder_and_the_program_stays_where_it_was(factory: Any, tmp_path: Path) -> None:
    assert (tmp_path / "pipes" / ".lgd-nfy0").exists()
    assert not Path(".lgd-nfy0").exists()
    assert Path.cwd() != tmp_path / "pipes"
    assert os.environ["LG_WD"] == str(tmp_path / "pipes")


def test_a_folder_that_somebody_chose_is_used(
    chip: lgpio_fake.Chip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path / "chosen"))
    pin_factory("lgpio", tmp_path / "pipes").close()
    assert (tmp_path / "chosen" / ".lgd-nfy0").exists()


def test_a_folder_that_cannot_be_written_is_named_before_lgpio_is_imported(
    chip: lgpio_fake.Chip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PinError, match=r"pipes for lgpio: Not a directory; set LG_WD to one that can be written"):
        pin_factory("lgpio", tmp_path / "file" / "pipes")
    monkeypatch.delenv("LG_WD")
    monkeypatch.setattr("devices.pins.os.access", lambda *_: False)  # root may write anywhere
    with pytest.raises(PinError, match=r"pipes for lgpio: can't be written; set LG_WD to one that can"):
        pin_factory("lgpio", tmp_path / "pipes")
    assert "lgpio" not in sys.modules


def test_an_ancient_lgpio_is_recognised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LG_WD", raising=False)
    lgpio_fake.install(monkeypatch, tmp_path, source="class error(Exception): pass")
    with pytest.raises(PinError, match="this lgpio is too old: use the package python3-lgpio"):
        pin_factory("lgpio", tmp_path / "pipes")


@pytest.mark.parametrize(
    ("revision", "labels", "chosen"),
    [
        (PI_4, {0: "pinctrl-bcm2711"}, 0),
        (PI_4, {0: "pinctrl-bcm2711", 4: "pcf8575"}, 0),  # somebody has added pins to it
        (PI_5, {0: "pinctrl-rp1"}, 0),
        (PI_5, {0: "pinctrl-rp1", 4: "pinctrl-rp1"}, 0),  # Raspberry Pi OS keeps a link for what knows only 4
        (PI_5, {0: "gpio-brcmstb@107d508500", 4: "pinctrl-rp1"}, 4),
        (PI_5, {4: "pinctrl-rp1"}, 4),
    ],
)
def test_the_chip_of_the_header_is_found_by_its_label(
    chip: lgpio_fake.Chip,
    tmp_path: Path,
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
    revision: int,
    labels: dict[int, str],
    chosen: int,
) -> None:
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: revision)
    chip.labels = labels
    factory = pin_factory("lgpio", tmp_path / "pipes")
    assert (factory.chip, list(chip.handles.values())) == (chosen, [chosen])
    Buttons(CONFIG.buttons.pins, factory, clock).close()
    factory.close()
    assert chip.handles == {}


def test_a_chip_without_a_label_that_we_know_is_better_than_none(chip: lgpio_fake.Chip, tmp_path: Path) -> None:
    chip.labels = {4: "header"}
    assert pin_factory("lgpio", tmp_path / "pipes").chip == 4


@pytest.mark.parametrize(
    ("there", "barred", "words"),
    [
        ((), "", "there is no /dev/gpiochip0; is this a Raspberry Pi?"),
        ((0, 4), "is for root", "/dev/gpiochip0 is for root; /dev/gpiochip4 is for root"),
        ((4,), "", "/dev/gpiochip4 can not be opened ('can not open gpiochip')"),
    ],
)
def test_a_chip_that_cannot_be_opened_is_an_error_that_says_why(
    chip: lgpio_fake.Chip,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    there: tuple[int, ...],
    barred: str,
    words: str,
) -> None:
    chip.labels = {}
    monkeypatch.setattr("devices.pins.Path.exists", lambda path: path.name in {f"gpiochip{n}" for n in there})
    monkeypatch.setattr("devices.pins.barred", lambda _path, _group: barred)
    with pytest.raises(PinError, match="pins lgpio: ") as caught:
        pin_factory("lgpio", tmp_path / "pipes")
    assert str(caught.value).removeprefix("pins lgpio: ") == words


@pytest.mark.parametrize(
    ("found", "root", "words"),
    [
        (
            [Holder(812, "pigpiod", "pigpiod")],
            False,
            "by process 812 (pigpiod, service pigpiod); sudo systemctl stop pigpiod",
        ),
        (
            [Holder(7, "python3"), Holder(9, "gpiomon")],
            False,
            "by process 7 (python3) and process 9 (gpiomon); sudo kill 7, sudo kill 9",
        ),
        ([], True, "by no program, so by the system itself; switch off in raspi-config what uses it"),
        (
            [],
            False,
            "by another program, commonly the box itself; sudo systemctl stop companion (sudo fuser -v /dev/gpiochip* "
            "tells which)",
        ),
    ],
)
def test_of_a_pin_that_is_in_use_is_said_by_whom(
    factory: Any,
    chip: lgpio_fake.Chip,
    clock: Any,
    monkeypatch: pytest.MonkeyPatch,
    found: list[Holder],
    root: bool,
    words: str,
) -> None:
    monkeypatch.setattr("devices.pins.holders", lambda _pattern: found)
    monkeypatch.setattr("devices.pins.os.geteuid", lambda: 0 if root else 1000)
    for line in chip.lines.values():
        line.user = "lg"
    makers = {
        "button A on pin 5": lambda: Buttons(CONFIG.buttons.pins, factory, clock),
        "lamp green on pin 17": lambda: Lamps(CONFIG.lamps.pins, factory),
        "buzzer on pin 18": lambda: Buzzer(CONFIG.buzzer.pin, factory),
    }
    for name, make in makers.items():
        with pytest.raises(PinError) as caught:
            make()
        assert str(caught.value) == f"{name}: in use as lg {words}, or choose another pin in the configuration"


def test_pins_that_were_in_use_are_had_as_soon_as_they_are_free(
    factory: Any, chip: lgpio_fake.Chip, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    chip.lines[CONFIG.lamps.red].user = "lg"
    chip.lines[CONFIG.buttons.up].user = "lg"
    chip.lines[CONFIG.buzzer.pin].user = "lg"
    reports: list[tuple[str, DeviceError | None]] = []
    hardware = Hardware(
        display=None,
        buttons=lambda: Buttons(CONFIG.buttons.pins, factory, clock),
        lamps=lambda: Lamps(CONFIG.lamps.pins, factory),
        buzzer=lambda: Buzzer(CONFIG.buzzer.pin, factory),
        report=lambda name, error: reports.append((name, error)),
    )
    for _ in range(3):
        hardware.tick(clock.now_s)
        clock.wait(RETRY_S)
        chip.let_time_pass()
    for line in chip.lines.values():
        line.user = ""
    hardware.tick(clock.now_s)
    names = [(name, error is None) for name, error in reports]
    assert names == [(name, healed) for healed in (False, True) for name in ("buttons", "lamps", "buzzer")]
    hardware.close()


def test_lamps_are_fed_in_pulses_as_bright_as_wished(factory: Any, chip: lgpio_fake.Chip) -> None:
    lamps = Lamps(CONFIG.lamps.pins, factory, brightness=0.4)
    for _ in range(100):  # and what stays as it is is not set again and again: there would be no room for it
        lamps.light(frozenset({Lamp.GREEN}))
    duties = {lamp: (chip.lines[pin].pwm or (0, 0))[1] for lamp, pin in CONFIG.lamps.pins.items()}
    assert duties == {Lamp.GREEN: 40, Lamp.RED: 0, Lamp.AMBER: 0}
    lamps.close()
    assert [chip.lines[pin].pwm for pin in CONFIG.lamps.pins.values()] == [None] * 3


def test_the_buzzer_sounds_at_its_tone_and_volume(factory: Any, chip: lgpio_fake.Chip) -> None:
    buzzer = Buzzer(CONFIG.buzzer.pin, factory, volume=0.5)
    line = chip.lines[CONFIG.buzzer.pin]
    buzzer.play((Note(440, 0.1), Note(0, 0.1), Note(880, 0.1)))
    heard = []
    for tick in range(16):
        buzzer.tick(tick * 0.02 + 0.001 * bool(tick))
        chip.let_time_pass()
        heard.append((round(line.pwm[0]), line.pwm[1]) if line.pwm else None)
    assert heard == [(440, 25)] * 5 + [None] * 5 + [(880, 25)] * 5 + [None]
    buzzer.close()


def test_buttons_are_pulled_up_and_tell_presses_of_bouncing_contacts(
    factory: Any, chip: lgpio_fake.Chip, clock: Any
) -> None:
    buttons = Buttons(CONFIG.buttons.pins, factory, clock)
    pin = CONFIG.buttons.up
    assert {chip.lines[pin].pull for pin in CONFIG.buttons.pins.values()} == {lgpio_fake.SET_PULL_UP}
    for level in (0, 1, 0, 1, 0):
        chip.drive(pin, level)
        clock.wait(0.001)
    clock.wait(0.03)
    assert [(press.button, press.long) for press in buttons.tick()] == [(Button.UP, False)]
    buttons.close()


def test_a_button_that_is_down_when_its_pin_is_opened_is_no_press(
    factory: Any, chip: lgpio_fake.Chip, clock: Any
) -> None:
    chip.drive(CONFIG.buttons.a, 0)
    buttons = Buttons(CONFIG.buttons.pins, factory, clock)
    told = []
    for level in (0, 1, 0):
        chip.drive(CONFIG.buttons.a, level)
        for _ in range(60):
            clock.wait(0.02)
            told.append([(press.button, press.long) for press in buttons.tick()])
    assert [news for news in told if news] == [[(Button.A, False)], [(Button.A, True)]]
    assert told.index([(Button.A, False)]) >= 120
    buttons.close()


def test_nothing_that_goes_wrong_in_a_callback_ends_the_thread_of_all_buttons(
    factory: Any, chip: lgpio_fake.Chip, clock: Any
) -> None:
    moods: list[Exception] = []

    def moody() -> float:
        if moods:
            raise moods.pop()
        clock.wait(0.02)
        return clock.now_s

    buttons = Buttons(CONFIG.buttons.pins, factory, moody)
    moods += [OverflowError("no time"), MemoryError("no room")]
    for level in (0, 1):
        chip.drive(CONFIG.buttons.up, level)
    assert chip.alive
    for _ in range(2):
        with pytest.raises(PinError, match="buttons: no"):
            buttons.tick()
    chip.drive(CONFIG.buttons.up, 0)
    assert [press.button for press in buttons.tick()] == [Button.UP]
    buttons.close()


def test_devices_that_were_closed_can_be_made_anew(factory: Any, chip: lgpio_fake.Chip, clock: Any) -> None:
    for _ in range(3):
        lamps, buzzer = Lamps(CONFIG.lamps.pins, factory), Buzzer(CONFIG.buzzer.pin, factory)
        buttons = Buttons(CONFIG.buttons.pins, factory, clock)
        lamps.light(frozenset(Lamp))
        for device in (lamps, buzzer, buttons):
            device.close()
        chip.let_time_pass()

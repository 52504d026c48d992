"""Every key of the configuration changes something that can be observed at the box itself."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.app import serve as served
from companion.app.calibrate.run import Running
from companion.app.hardware import real_box
from companion.core.panel import Note
from companion.games import load as load_game
from companion.service.config import Config
from companion.service.config_file import Loaded, check
from companion.service.config_text import shown
from devices.simulated.board import simulated_pins

KEYS = [f"{table}.{key}" for table in Config.__struct_fields__ for key in getattr(Config(), table).__struct_fields__]
TICK_S = 0.02
PRESSED = 13
"""The pin of the button up, unless somebody sets another."""


class Wires:
    """Takes whatever is written over I2C or SPI."""

    max_speed_hz = mode = 0

    def __init__(self, log: list[Any], port: int = -1) -> None:
        self._log, self._port = log, port

    def write_i2c_block_data(self, address: int, register: int, data: list[int], /) -> None:
        self._log.append((self._port, address, register, bytes(data)))

    def open(self, bus: int, device: int, /) -> None:
        self._log.append((bus, device))

    def writebytes(self, data: list[int], /) -> None:
        self._log.append(bytes(data))

    def close(self) -> None:
        pass


class Blind:
    """A camera without pictures."""

    name = "blind"

    def read(self) -> None:
        return None

    def close(self) -> None:
        pass


class Life:
    """An hour of a box with a configuration, and all that can be seen of it from outside.

    Attributes:
        told: the log, the camera that was opened and how, the pins and what went over the wires, by time.
    """

    def __init__(self, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
        config, problems = check(text)
        assert problems == []
        self.now_s = 0.0
        self.told: list[Any] = []
        self.pins = simulated_pins()
        monkeypatch.setattr(served, "names", lambda: ("phoenix", "storytelling", "wonderland"))
        monkeypatch.setattr(served, "open_camera", self._camera)
        monkeypatch.setattr(served, "has_display", lambda _display: True)
        monkeypatch.setattr("companion.app.hardware.pin_factory", self._factory)
        wired = partial(real_box, clock=lambda: self.now_s, i2c=partial(Wires, self.told), spi=lambda: Wires(self.told))
        monkeypatch.setattr(served, "real_box", wired)
        life = self

        class OneHour(served.Daemon):
            def _loop(self, host: Any) -> None:
                life.live(host)

        monkeypatch.setattr(served, "Daemon", OneHour)
        served.serve(Loaded(config), self.told.append)

    def live(self, host: Any) -> None:
        """A melody, a short press, a long one, and then nothing for an hour."""
        self._steps(host, 0.1)
        host._hardware.play((Note(880, 0.5),))
        self._steps(host, 0.1)
        for held_s in (0.06, 1.2):
            self.pins.pin(PRESSED).drive_low()
            self._steps(host, held_s)
            self.pins.pin(PRESSED).drive_high()
            self._steps(host, 0.5)
        for _ in range(60):
            self.now_s += 60
            host.step(self.now_s)
            self.told.append(self.now_s)
        self.told += [host.doing, dict(host.table.session.draft)]

    def _steps(self, host: Any, seconds: float) -> None:
        for _ in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            host.step(self.now_s)
        self.told.append({number: (pin.function, pin.state) for number, pin in sorted(self.pins.pins.items())})

    def _camera(self, source: str, _clock: object, *, more: object, **options: object) -> Blind:
        self.told.append((source, options))
        return Blind()

    def _factory(self, name: str, *_: object) -> Any:
        self.told.append(name)
        return self.pins


def _lived(text: str, _folder: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    return Life(text, monkeypatch).told


def _kept(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    Life(text, monkeypatch)
    return sorted(str(path) for path in folder.rglob("starts.json"))


def _calibrated(text: str, _folder: Path, _monkeypatch: pytest.MonkeyPatch) -> object:
    running = Running(check(text)[0], load_game("phoenix"), "virtual:")
    running.calibration.close()
    return running.path


Observer = Callable[[str, Path, pytest.MonkeyPatch], object]
SECOND = '[second_display]\ndriver = "ssd1306"\n'
FIXED = "[camera]\nautofocus = false\n"
SPI = '[display]\nbus = "spi"\n'
SECOND_SPI = f'{SECOND}bus = "spi"\n'
ROWS: dict[str, tuple[str, str] | tuple[str, str, Observer]] = {
    "box.name": ("", '"Kitchen"'),
    "box.language": ("", '"ca"'),
    "box.sound": ("", "false"),
    "camera.source": ("", '"usb:0"'),
    "camera.size": ("", "[1920, 1080]"),
    "camera.autofocus": ("", "false"),
    "camera.lens_position": (FIXED, "2.0"),
    "camera.usb_focus": (FIXED, "40"),
    "camera.exposure_ms": ("", "8.0"),
    "camera.exposure_stops": ("", "-1.0"),
    "camera.mains_hz": ("", "60"),
    "camera.rotate": ("", "180"),
    "camera.flip": ("", "true"),
    "display.driver": ("", '"sh1106"'),
    "display.bus": ("", '"spi"'),
    "display.port": ("", "3"),
    "display.address": ("", "0x3D"),
    "display.chip_select": (SPI, "1"),
    "display.data_pin": (SPI, "12"),
    "display.reset_pin": (SPI, "12"),
    "display.contrast": ("", "40"),
    "display.rotate": ("", "180"),
    "display.dim_after_min": ("", "5.0"),
    "display.dark_after_min": ("", "20.0"),
    "second_display.driver": ("", '"ssd1306"'),
    "second_display.bus": (SECOND, '"spi"'),
    "second_display.port": (SECOND, "3"),
    "second_display.address": (f"[display]\nport = 3\n{SECOND}", "0x3C"),
    "second_display.chip_select": (SECOND_SPI, "0"),
    "second_display.data_pin": (SECOND_SPI, "12"),
    "second_display.reset_pin": (SECOND_SPI, "12"),
    "second_display.contrast": (SECOND, "40"),
    "second_display.rotate": (SECOND, "180"),
    "second_display.dim_after_min": (SECOND, "5.0"),
    "second_display.dark_after_min": (SECOND, "20.0"),
    "buttons.a": ("", "12"),
    "buttons.b": ("", "12"),
    "buttons.up": ("", "12"),
    "buttons.down": ("", "12"),
    "buttons.debounce_ms": ("", "100.0"),
    "buttons.long_press_s": ("", "3.0"),
    "lamps.green": ("", "12"),
    "lamps.red": ("", "12"),
    "lamps.amber": ("", "12"),
    "lamps.brightness": ("", "0.5"),
    "buzzer.pin": ("", "12"),
    "buzzer.volume": ("", "0.5"),
    "gpio.factory": ("", '"mock"'),
    "paths.journals": ("", '"{folder}/elsewhere"', _kept),
    "paths.content": ("", '"{folder}/mine"'),
    "paths.pictures": ("", '"{folder}/elsewhere"', _calibrated),
    "play.game": ("", '"phoenix"'),
    "play.setup": ('[play]\ngame = "phoenix"\n', '{{ phoenix = {{ players = ["Ellie", "Sam"] }} }}'),
}
"""By key what has to be set besides it for it to matter, and another value; and where it is seen, if not at the box."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the box keeps all that it keeps, with a broken story where nobody looks unless it is told to."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "mine" / "storytelling" / "story").mkdir(parents=True)
    (tmp_path / "mine" / "storytelling" / "story" / "broken.toml").write_text("no TOML")
    return tmp_path


@pytest.mark.parametrize("name", KEYS)
def test_every_key_changes_something(name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    besides, value, *observer = ROWS[name]
    table, key = name.split(".")
    head = f"[{table}]\n"
    line = f"{key} = {value.format(folder=folder)}\n" if "{" in value else f"{key} = {value}\n"
    changed = besides.replace(head, head + line) if head in besides else f"{besides}{head}{line}"
    assert getattr(getattr(check(changed)[0], table), key) != getattr(getattr(check(besides)[0], table), key)
    observed = []
    for text in (besides, changed):
        with monkeypatch.context() as patch:
            observed.append((observer[0] if observer else _lived)(text, folder, patch))
        for kept in folder.rglob("*.json"):
            kept.unlink()
    assert observed[0] != observed[1]


def test_every_key_of_the_configuration_has_a_row_and_every_row_a_key() -> None:
    assert list(ROWS) == KEYS


def test_the_same_settings_look_the_same(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    observed = []
    for text in ("", shown(Config())):
        with monkeypatch.context() as patch:
            observed.append(Life(text, patch).told)
        for kept in folder.rglob("*.json"):
            kept.unlink()
    assert observed[0] == observed[1]

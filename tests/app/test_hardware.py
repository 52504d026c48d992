"""The devices as the configuration wants them."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from companion.app.hardware import SimulatedBox, has_display, real_box, ribbon_options, usb_options
from companion.core.panel import Button, Lamp, Note
from companion.service.config import Config
from companion.service.config_file import check
from devices.box import RETRY_S
from devices.errors import DisplayError
from devices.oled import CHIPS, DIMMED
from devices.pins import FACTORIES
from devices.simulated.board import SimulatedBoard
from devices.simulated.panel import SimulatedPanel
from devices.simulated.spi import SimulatedSpi
from devices.wires import ADDRESS, SECOND_ADDRESS
from vision.cameras import PicameraOptions, UsbOptions


class Workshop:
    """A computer with mock pins, to which displays can be wired."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        from devices.pins import pin_factory

        self.asked: list[str] = []
        self.pins = pin_factory("mock", tmp_path)
        self.panels: dict[int, Any] = {}
        self.reports: list[str] = []
        self.now_s = 100.0
        self.spi: Any = None
        monkeypatch.setattr("companion.app.hardware.pin_factory", self._factory)

    def _factory(self, name: str, work_dir: Path, _model: Path) -> Any:
        self.asked.append(f"{name} {work_dir.name}")
        return self.pins

    def box(self, text: str, **more: Any) -> Any:
        """The box that a configuration describes."""
        config, problems = check(text)
        assert problems == []
        return real_box(config, self._report, lambda: self.now_s, i2c=self._bus, spi=lambda: self.spi, **more)

    def _report(self, name: str, error: Any) -> None:
        self.reports.append(f"{name}: {error}")

    def _bus(self, port: int) -> Any:
        self.asked.append(f"i2c {port}")
        if port not in self.panels:
            raise DisplayError(f"/dev/i2c-{port}: not there")
        return self.panels[port]


class Shared:
    """Two displays on one bus."""

    def __init__(self, *panels: SimulatedPanel) -> None:
        self._panels = panels

    def write_i2c_block_data(self, address: int, register: int, data: list[int], /) -> None:
        panel = self._panels[0] if address == ADDRESS else self._panels[1]
        panel.write_i2c_block_data(address, register, data)


@pytest.fixture
def workshop(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Workshop:
    return Workshop(monkeypatch, tmp_path)


def _picture() -> Image.Image:
    picture = Image.new("1", (128, 64))
    picture.paste(1, (3, 5, 30, 9))
    return picture


def test_the_configuration_knows_the_chips_and_pins_that_the_devices_know() -> None:
    for driver in CHIPS:
        assert check(f'[display]\ndriver = "{driver}"')[1] == []
    for factory in FACTORIES:
        assert check(f'[gpio]\nfactory = "{factory}"')[1] == []
    assert f'"{CHIPS[0]}", "{CHIPS[1]}", "{CHIPS[2]}" or "none" is allowed' in str(check("[display]\ndriver = 1")[1])
    assert f'"{FACTORIES[0]}", "lgpio", "rpigpio" or "mock" is allowed' in str(check("[gpio]\nfactory = 1")[1])
    assert (Config().display.address, Config().second_display.address) == (ADDRESS, SECOND_ADDRESS)


def test_nothing_is_opened_before_it_is_needed(workshop: Workshop) -> None:
    box = workshop.box("")
    assert workshop.asked == []
    box.tick(1.0)
    assert workshop.asked == [f"auto companion-lgpio-{os.getuid()}"]  # no picture yet, so no display either


def test_everything_is_where_the_configuration_says(workshop: Workshop, tmp_path: Path) -> None:
    first, second = SimulatedPanel("sh1106"), SimulatedPanel("ssd1309", SECOND_ADDRESS)
    workshop.panels[4] = Shared(first, second)
    box = workshop.box(
        """
        [box]
        sound = true
        [display]
        driver = "sh1106"
        port = 4
        contrast = 33
        rotate = 180
        [second_display]
        driver = "ssd1309"
        port = 4
        contrast = 44
        [buttons]
        a = 12
        long_press_s = 0.5
        debounce_ms = 50
        [lamps]
        red = 16
        brightness = 0.25
        [buzzer]
        pin = 21
        volume = 0.5
        [gpio]
        factory = "lgpio"
        """,
        work_dir=tmp_path / "pipes",
    )
    board = SimulatedBoard(
        workshop.pins, {**Config().buttons.pins, Button.A: 12}, {**Config().lamps.pins, Lamp.RED: 16}, 21
    )
    box.show(_picture())
    box.show_second(_picture())
    box.light(frozenset({Lamp.RED}))
    box.play((Note(880, 9.0),))
    box.tick(workshop.now_s)
    assert workshop.asked == ["lgpio pipes", "i2c 4"]
    assert first.image().tobytes() == _picture().rotate(180).tobytes()
    assert second.image().tobytes() == _picture().tobytes()
    assert (first.contrast, second.contrast) == (33, 44)
    assert (board.brightness(Lamp.RED), board.tone_hz(), board.volume()) == (0.25, pytest.approx(880), 0.25)
    board.press(Button.A, bounces_s=())
    told = []
    for _ in range(50):
        workshop.now_s += 0.02
        told += [(press.button, press.long) for press in box.tick(workshop.now_s)]
    assert told == [(Button.A, False), (Button.A, True)]
    assert workshop.reports == []
    box.close()


def test_a_display_over_spi_shows_as_well(workshop: Workshop) -> None:
    panel = SimulatedPanel("ssd1309")
    workshop.spi = SimulatedSpi(panel, workshop.pins, data_pin=20, reset_pin=21, place=(0, 1))
    box = workshop.box(
        '[display]\ndriver = "ssd1309"\nbus = "spi"\nchip_select = 1\ndata_pin = 20\nreset_pin = 21', work_dir=None
    )
    box.show(_picture())
    box.tick(1.0)
    assert (panel.image().tobytes(), workshop.reports) == (_picture().tobytes(), [])
    box.close()


def test_a_bus_that_is_switched_off_is_reported_and_looked_at_again(workshop: Workshop) -> None:
    box = workshop.box("")
    box.show(_picture())
    box.tick(1.0)
    assert workshop.reports == ["display: /dev/i2c-1: not there"]
    workshop.panels[1] = panel = SimulatedPanel()
    box.tick(1.0 + RETRY_S)
    assert workshop.reports[1:] == ["display: None"]
    assert panel.image().tobytes() == _picture().tobytes()


def test_displays_rest_after_the_minutes_that_were_set(workshop: Workshop) -> None:
    workshop.panels[1] = panel = SimulatedPanel()
    box = workshop.box("[display]\ndim_after_min = 1\ndark_after_min = 2")
    box.show(_picture())
    seen = []
    for now_s in (100.0, 159.0, 161.0, 219.0, 221.0):
        box.tick(now_s)
        seen.append((panel.contrast == DIMMED, panel.image().tobytes() == _picture().tobytes()))
    assert seen == [(False, True), (False, True), (True, True), (True, True), (True, False)]


def test_a_box_without_display_and_sound_has_neither(workshop: Workshop) -> None:
    box = workshop.box('[box]\nsound = false\n[display]\ndriver = "none"')
    box.show(_picture())
    box.play((Note(440, 9.0),))
    box.tick(1.0)
    assert (box.has_second, box.muted, workshop.asked, workshop.reports) == (
        False,
        True,
        [f"auto companion-lgpio-{os.getuid()}"],
        [],
    )


def test_pins_that_cannot_be_had_stop_no_display(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setitem(sys.modules, "lgpio", None)
    panel, reports = SimulatedPanel(), []
    box = real_box(
        check('[gpio]\nfactory = "lgpio"')[0],
        lambda name, error: reports.append(f"{name}: {error}"),
        i2c=lambda _: panel,
    )
    box.show(_picture())
    box.tick(1.0)
    assert panel.image().tobytes() == _picture().tobytes()
    assert [report.partition(": pins lgpio")[0] for report in reports] == ["buttons", "lamps", "buzzer"]


def test_the_simulated_box_has_the_wiring_of_its_configuration() -> None:
    config = msgspec.structs.replace(Config(), buzzer=msgspec.structs.replace(Config().buzzer, pin=21))
    box = SimulatedBox(lambda: 1.0, config=config)
    hardware = box.hardware(lambda _name, _error: None)
    hardware.play((Note(440, 1.0),))
    hardware.tick(1.0)
    assert box.board.tone_hz() == pytest.approx(440)
    hardware.close()


def test_a_display_is_there_if_it_answers_or_if_over_spi_its_bus_is_there(workshop: Workshop) -> None:
    def there(text: str) -> bool:
        return has_display(check(f"[display]\n{text}")[0].display, workshop._bus, lambda: workshop.spi)

    assert not there("")
    workshop.panels[1] = panel = SimulatedPanel()
    assert there("")
    assert not there("address = 0x3D")
    assert not there('driver = "none"')
    panel.unplug()
    assert not there("")
    workshop.spi = SimulatedSpi(panel, workshop.pins, place=(0, 1))
    assert [there(f'bus = "spi"\nchip_select = {chip}') for chip in (0, 1)] == [False, True]


def test_cameras_are_set_as_the_configuration_says() -> None:
    ribbon, plug = (options(Config().camera) for options in (ribbon_options, usb_options))
    assert (ribbon, plug) == (PicameraOptions(flicker_us=10000), UsbOptions((2304, 1296)))
    camera = check(
        "[camera]\nsize = [1920, 1080]\nautofocus = false\nlens_position = 1.5\nusb_focus = 40\nexposure_ms = 50\n"
        "exposure_stops = -0.5\nmains_hz = 0\nrotate = 180"
    )[0].camera
    assert ribbon_options(camera) == PicameraOptions((1920, 1080), 20.0, 50_000, 0, -0.5, 1.5, hflip=True, vflip=True)
    assert usb_options(camera) == UsbOptions((1920, 1080), 50_000, 40)


@given(st.floats(0, 500), st.floats(0, 32), st.sampled_from([0, 50, 60]))
def test_whatever_the_configuration_allows_a_camera_can_be_asked_for(
    exposure_ms: float, lens_position: float, mains_hz: int
) -> None:
    text = f"exposure_ms = {exposure_ms!r}\nlens_position = {lens_position!r}\nmains_hz = {mains_hz}"
    config, problems = check(f"[camera]\nautofocus = false\n{text}")
    assert problems == []
    options = ribbon_options(config.camera)
    assert options.exposure_us <= 1e6 / options.rate_hz + 1
    assert usb_options(config.camera).exposure_us in (0, *range(100, 500_001))

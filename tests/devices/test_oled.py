from __future__ import annotations

import errno
import random
import sys
from collections.abc import Iterator
from typing import Any

import luma.core.device
import pytest
from gpiozero import DigitalOutputDevice
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from devices.display import Display
from devices.errors import DisplayError
from devices.oled import CHIPS, CONTRAST, DIMMED, RENEW_LOOKS, Oled
from devices.simulated.panel import PanelError, SimulatedPanel
from devices.simulated.spi import SimulatedSpi
from devices.wires import I2cWires, SpiWires, open_bus, spi_bus

# luma.oled asks Pillow for pixels in a way that Pillow 14 will not know; so the project pins pillow<14.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

FRAME_WRITES = 33
"""One command and 32 blocks of 32 bytes."""


def _noise(seed: int) -> Image.Image:
    return Image.frombytes("1", (128, 64), random.Random(seed).randbytes(128 * 64 // 8))


@pytest.fixture(params=["simulated", pytest.param("real", marks=pytest.mark.pi)])
def display(request: pytest.FixtureRequest) -> Iterator[Display]:
    oled = Oled(I2cWires(SimulatedPanel() if request.param == "simulated" else open_bus(1)))
    yield oled
    oled.close()


def test_a_display_takes_pictures_and_is_given_back(display: Display) -> None:
    for seed in range(3):
        display.show(_noise(seed))
    display.close()
    display.show(_noise(4))


@pytest.mark.parametrize("image", [Image.new("L", (128, 64)), Image.new("1", (64, 128))])
def test_a_picture_of_another_kind_is_refused(display: Display, image: Image.Image) -> None:
    with pytest.raises(ValueError, match="a display shows mode '1' and 128x64 px"):
        display.show(image)


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("upside_down", [False, True])
def test_the_bytes_that_are_written_decode_to_the_picture(chip: str, upside_down: bool) -> None:
    panel = SimulatedPanel(chip)
    oled = Oled(I2cWires(panel), chip, upside_down=upside_down)
    for seed in range(3):
        oled.show(_noise(seed))
        wanted = _noise(seed).rotate(180) if upside_down else _noise(seed)
        assert panel.image().tobytes() == wanted.tobytes()


@settings(max_examples=10, deadline=None)
@given(st.binary(min_size=1024, max_size=1024))
def test_any_picture_survives_the_bus(pixels: bytes) -> None:
    panel = SimulatedPanel()
    Oled(I2cWires(panel)).show(Image.frombytes("1", (128, 64), pixels))
    assert panel.image().tobytes() == pixels


def test_a_picture_that_is_shown_already_is_not_sent_again() -> None:
    panel = SimulatedPanel()
    oled = Oled(I2cWires(panel))
    oled.show(_noise(1))
    before = panel.writes
    oled.show(_noise(1))
    assert panel.writes == before + 1, "only asks whether it is there"
    oled.show(_noise(2))
    assert panel.writes == before + 1 + FRAME_WRITES


@pytest.mark.parametrize("after_writes", [0, 1, 2, 17, 32])
def test_an_unplugged_display_is_an_error_and_comes_back_when_plugged_in(after_writes: int) -> None:
    panel = SimulatedPanel()
    oled = Oled(I2cWires(panel))
    oled.show(_noise(1))
    panel.unplug(after_writes)
    for _ in range(2):
        with pytest.raises(DisplayError, match=r"ssd1306 at 0x3c: .*check its four wires"):
            oled.show(_noise(2))
    assert not panel.image().getbbox()
    panel.plug_in()
    oled.show(_noise(2))
    assert panel.image().tobytes() == _noise(2).tobytes()


def test_no_driver_is_made_while_no_display_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(luma.core.device.atexit, "register", lambda _hook: made.append(1))
    panel = SimulatedPanel()
    panel.unplug()
    oled = Oled(I2cWires(panel))
    for _ in range(5):
        with pytest.raises(DisplayError):
            oled.show(_noise(1))
    assert made == []
    panel.plug_in()
    oled.show(_noise(1))
    assert made == [1]


def test_a_display_that_was_away_for_a_moment_gets_the_same_picture_again() -> None:
    panel = SimulatedPanel()
    oled = Oled(I2cWires(panel))
    oled.show(_noise(1))
    panel.unplug()
    with pytest.raises(DisplayError):
        oled.show(_noise(1))
    panel.plug_in()
    oled.show(_noise(1))
    assert panel.image().tobytes() == _noise(1).tobytes()


def test_a_display_at_another_address_is_not_found() -> None:
    with pytest.raises(DisplayError, match="0x3c"):
        Oled(I2cWires(SimulatedPanel(address=0x3D))).show(_noise(1))


@pytest.mark.parametrize("chip", CHIPS)
def test_contrast_is_set_and_dimmed_and_comes_back(chip: str) -> None:
    panel = SimulatedPanel(chip)
    oled = Oled(I2cWires(panel), chip, contrast=200)
    contrasts = []
    for dimmed in (False, True, True, False):
        oled.show(_noise(1), dimmed)
        contrasts.append(panel.contrast)
        assert panel.image().tobytes() == _noise(1).tobytes()
    assert contrasts == [200, DIMMED, DIMMED, 200]


def test_dimming_sends_no_picture() -> None:
    panel = SimulatedPanel()
    oled = Oled(I2cWires(panel))
    oled.show(_noise(1))
    before = panel.writes
    oled.show(_noise(1), dimmed=True)
    assert panel.writes == before + 2


@pytest.mark.parametrize("dimmed", [False, True])
def test_a_display_that_is_plugged_in_again_is_as_bright_and_as_turned_as_before(dimmed: bool) -> None:
    panel = SimulatedPanel()
    oled = Oled(I2cWires(panel), upside_down=True, contrast=90)
    oled.show(_noise(1), dimmed)
    panel.unplug()
    with pytest.raises(DisplayError):
        oled.show(_noise(1), dimmed)
    panel.plug_in()
    oled.show(_noise(1), dimmed)
    assert panel.contrast == (DIMMED if dimmed else 90)
    assert panel.image().tobytes() == _noise(1).rotate(180).tobytes()


@pytest.mark.parametrize("chip", CHIPS)
def test_a_display_that_was_reset_between_two_looks_comes_back_by_itself(chip: str) -> None:
    panel = SimulatedPanel(chip)
    oled = Oled(I2cWires(panel), chip, upside_down=True, contrast=90)
    oled.show(_noise(1))
    panel.reset()
    oled.show(_noise(1))
    assert not panel.image().getbbox()
    for _ in range(RENEW_LOOKS):
        oled.show(_noise(1))
    assert (panel.image().tobytes(), panel.contrast) == (_noise(1).rotate(180).tobytes(), 90)


def test_setting_a_display_up_anew_never_switches_it_off() -> None:
    seen: list[bool] = []
    panel = SimulatedPanel(on_change=lambda: seen.append(panel.image().getbbox() is not None))
    oled = Oled(I2cWires(panel))
    oled.show(_noise(1))
    del seen[:]
    for _ in range(2 * RENEW_LOOKS):
        oled.show(_noise(1))
    assert set(seen) == {True}


def test_a_contrast_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="contrast 300: choose 0"):
        Oled(I2cWires(SimulatedPanel()), contrast=300)
    assert 0 < CONTRAST <= 255


@pytest.fixture
def wired(factory: Any) -> tuple[SimulatedPanel, SpiWires]:
    """A glass on SPI."""
    panel = SimulatedPanel("ssd1309")
    return panel, SpiWires(lambda: SimulatedSpi(panel, factory), lambda: factory)


@pytest.mark.parametrize("chip", CHIPS)
def test_over_spi_the_same_picture_is_seen(chip: str, factory: Any) -> None:
    panel = SimulatedPanel(chip)
    wires = SpiWires(lambda: SimulatedSpi(panel, factory, 16, 20, (1, 1)), lambda: factory, 1, 1, 16, 20)
    oled = Oled(wires, chip, contrast=70)
    for seed in range(3):
        oled.show(_noise(seed))
        assert panel.image().tobytes() == _noise(seed).tobytes()
    assert panel.contrast == 70
    oled.close()
    assert not panel.image().getbbox()


def test_over_spi_a_display_that_was_away_shows_again_by_itself(wired: tuple[SimulatedPanel, SpiWires]) -> None:
    panel, wires = wired
    oled = Oled(wires, "ssd1309")
    oled.show(_noise(1))
    panel.unplug()
    oled.show(_noise(2))  # no error: nobody answers over SPI
    panel.plug_in()
    for _ in range(RENEW_LOOKS):
        oled.show(_noise(2))
    assert panel.image().tobytes() == _noise(2).tobytes()


def test_spi_that_is_switched_off_says_how_to_switch_it_on(factory: Any) -> None:
    wires = SpiWires(lambda: SimulatedSpi(SimulatedPanel(), factory, place=(0, 1)), lambda: factory)
    oled = Oled(wires)
    for _ in range(2):  # the pins were given back, or the second time would tell of them
        with pytest.raises(DisplayError, match=r"SPI 0\.0: SPI device not found; .*raspi-config nonint do_spi 0"):
            oled.show(_noise(1))


def test_a_pin_of_the_display_that_is_in_use_is_named(wired: tuple[SimulatedPanel, SpiWires], factory: Any) -> None:
    panel, wires = wired
    told = r"SPI 0\.0: display on pin 24: .*check the pins in the configuration"
    with DigitalOutputDevice(24, pin_factory=factory), pytest.raises(DisplayError, match=told):
        Oled(wires, "ssd1309").show(_noise(1))
    Oled(wires, "ssd1309").show(_noise(1))
    assert panel.image().tobytes() == _noise(1).tobytes()


def test_a_missing_package_for_spi_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spidev", None)
    with pytest.raises(DisplayError, match="install the package python3-spidev, or use a display on I2C"):
        spi_bus()


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (lambda bus, _factory: bus.writebytes([0xE3]), "Bad file descriptor"),
        (lambda bus, _factory: (bus.open(0, 0), bus.writebytes([0] * 4097)), "4097 bytes in one transfer"),
        (lambda bus, _factory: (bus.open(0, 0), bus.writebytes([])), "0 bytes in one transfer"),
        (lambda bus, _factory: (bus.open(0, 0), bus.writebytes([0xE3])), "no speed was set"),
        (lambda bus, _factory: bus.open(0, 1), "No such file"),
    ],
)
def test_the_simulated_bus_refuses_what_the_real_one_would(factory: Any, wrong: Any, problem: str) -> None:
    with pytest.raises((OSError, PanelError), match=problem):
        wrong(SimulatedSpi(SimulatedPanel(), factory), factory)


def test_a_display_held_in_reset_or_with_a_loose_data_pin_understands_nothing(factory: Any) -> None:
    bus = SimulatedSpi(SimulatedPanel(), factory)
    bus.open(0, 0)
    bus.max_speed_hz = 8_000_000
    with pytest.raises(PanelError, match="GPIO25 is no output"):
        bus.writebytes([0xE3])
    with DigitalOutputDevice(25, pin_factory=factory) as reset:
        with pytest.raises(PanelError, match="held in reset"):
            bus.writebytes([0xE3])
        reset.on()
        with pytest.raises(PanelError, match="GPIO24 is no output"):
            bus.writebytes([0xE3])


def test_closing_makes_it_dark_even_where_it_is_gone() -> None:
    panel = SimulatedPanel()
    oled = Oled(I2cWires(panel))
    oled.close()
    oled.show(_noise(1))
    oled.close()
    assert not panel.image().getbbox()
    oled.show(_noise(1))
    panel.unplug()
    oled.close()


def test_an_unknown_chip_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="'ili9341': there are ssd1306, sh1106, ssd1309"):
        Oled(I2cWires(SimulatedPanel()), "ili9341")
    with pytest.raises(PanelError, match="there are ssd1306, ssd1309, sh1106"):
        SimulatedPanel("ili9341")


def test_a_bus_that_this_user_may_not_use_says_whose_it_is(monkeypatch: pytest.MonkeyPatch, factory: Any) -> None:
    def denied(*_: int) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("devices.wires.barred", lambda path, group: f"is for the group {group} ({path})")
    monkeypatch.setattr("smbus2.SMBus", denied)
    with pytest.raises(DisplayError, match=r"^/dev/i2c-1: is for the group i2c \(/dev/i2c-1\)$"):
        open_bus(1)
    bus = SimulatedSpi(SimulatedPanel(), factory)
    monkeypatch.setattr(bus, "open", denied)
    with pytest.raises(DisplayError, match=r"^/dev/spidev0.1: is for the group spi \(/dev/spidev0.1\)$"):
        Oled(SpiWires(lambda: bus, lambda: factory, chip_select=1)).show(_noise(1))


def test_a_missing_bus_says_how_to_switch_it_on() -> None:
    with pytest.raises(DisplayError, match="/dev/i2c-99: not there; switch it on"):
        open_bus(99)


@pytest.mark.parametrize(
    ("chip", "register", "data", "problem"),
    [
        ("ssd1306", 0x00, [0x30], "command 0x30 is unknown"),
        ("sh1106", 0x00, [0x21, 0, 127], "command 0x21 is unknown"),
        ("ssd1306", 0x00, [0x81], "command 0x81 has 0 arguments; it needs 1"),
        ("ssd1306", 0x00, [0x21, 0, 128], "range 0 to 128 is outside of 0 to 127"),
        ("ssd1306", 0x00, [0x22, 3, 2], "range 3 to 2 is outside"),
        ("ssd1306", 0x00, [0x20, 1], "addressing mode 1"),
        ("ssd1306", 0x40, [256], "256 is no byte"),
        ("ssd1306", 0x40, [0] * 33, "33 bytes in one transfer"),
        ("ssd1306", 0x00, [], "0 bytes in one transfer"),
        ("ssd1306", 0x80, [0xAF], "control byte 0x80"),
    ],
)
def test_the_simulated_glass_refuses_what_the_real_one_would_not_understand(
    chip: str, register: int, data: list[int], problem: str
) -> None:
    with pytest.raises(PanelError, match=problem):
        SimulatedPanel(chip).write_i2c_block_data(0x3C, register, data)


def test_pixels_beyond_the_last_column_are_refused() -> None:
    panel = SimulatedPanel()
    panel.write_i2c_block_data(0x3C, 0x00, [0x0F, 0x17])
    panel.write_i2c_block_data(0x3C, 0x40, [1])
    with pytest.raises(PanelError, match="column 128 is beyond the last one, 127"):
        panel.write_i2c_block_data(0x3C, 0x40, [1])


def test_the_glass_is_dark_until_it_is_switched_on_and_its_pump_runs() -> None:
    panel = SimulatedPanel()
    lit = []
    for commands in ([0xA5], [0xAF], [0x8D, 0x14], [0x8D, 0x10], [0x8D, 0x14, 0xAE]):
        panel.write_i2c_block_data(0x3C, 0x00, commands)
        lit.append(bool(panel.image().getbbox()))
    assert lit == [False, False, True, False, False]


def test_inverting_and_the_first_line_change_what_is_seen() -> None:
    panel = SimulatedPanel()
    panel.write_i2c_block_data(0x3C, 0x00, [0xAF, 0x8D, 0x14, 0xA1, 0xC8, 0x20, 0x00, 0x21, 0, 127, 0x22, 0, 7])
    panel.write_i2c_block_data(0x3C, 0x40, [0b1000_0000])
    assert panel.image().getbbox() == (0, 7, 1, 8)
    panel.write_i2c_block_data(0x3C, 0x00, [0x45])
    assert panel.image().getbbox() == (0, 2, 1, 3)
    panel.write_i2c_block_data(0x3C, 0x00, [0xA7])
    assert panel.image().getpixel((0, 2)) == 0


def test_nothing_answers_where_no_display_is() -> None:
    with pytest.raises(OSError, match="Remote") as caught:
        SimulatedPanel().write_i2c_block_data(0x10, 0x00, [0xE3])
    assert caught.value.errno == errno.EREMOTEIO


def test_each_transfer_is_told() -> None:
    told: list[int] = []
    Oled(I2cWires(SimulatedPanel(on_change=lambda: told.append(1)))).show(_noise(1))
    assert len(told) > FRAME_WRITES

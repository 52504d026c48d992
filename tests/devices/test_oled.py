from __future__ import annotations

import errno
import random
from collections.abc import Iterator

import luma.core.device
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from devices.display import Display
from devices.errors import DisplayError
from devices.oled import CHIPS, Oled, open_bus
from devices.simulated.panel import PanelError, SimulatedPanel

# luma.oled asks Pillow for pixels in a way that Pillow 14 will not know; so the project pins pillow<14.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

FRAME_WRITES = 33
"""One command and 32 blocks of 32 bytes."""


def _noise(seed: int) -> Image.Image:
    return Image.frombytes("1", (128, 64), random.Random(seed).randbytes(128 * 64 // 8))


@pytest.fixture(params=["simulated", pytest.param("real", marks=pytest.mark.pi)])
def display(request: pytest.FixtureRequest) -> Iterator[Display]:
    oled = Oled(SimulatedPanel() if request.param == "simulated" else open_bus(1))
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
    oled = Oled(panel, chip, upside_down=upside_down)
    for seed in range(3):
        oled.show(_noise(seed))
        wanted = _noise(seed).rotate(180) if upside_down else _noise(seed)
        assert panel.image().tobytes() == wanted.tobytes()


@settings(max_examples=10, deadline=None)
@given(st.binary(min_size=1024, max_size=1024))
def test_any_picture_survives_the_bus(pixels: bytes) -> None:
    panel = SimulatedPanel()
    Oled(panel).show(Image.frombytes("1", (128, 64), pixels))
    assert panel.image().tobytes() == pixels


def test_a_picture_that_is_shown_already_is_not_sent_again() -> None:
    panel = SimulatedPanel()
    oled = Oled(panel)
    oled.show(_noise(1))
    before = panel.writes
    oled.show(_noise(1))
    assert panel.writes == before + 1, "only asks whether it is there"
    oled.show(_noise(2))
    assert panel.writes == before + 1 + FRAME_WRITES


@pytest.mark.parametrize("after_writes", [0, 1, 2, 17, 32])
def test_an_unplugged_display_is_an_error_and_comes_back_when_plugged_in(after_writes: int) -> None:
    panel = SimulatedPanel()
    oled = Oled(panel)
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
    oled = Oled(panel)
    for _ in range(5):
        with pytest.raises(DisplayError):
            oled.show(_noise(1))
    assert made == []
    panel.plug_in()
    oled.show(_noise(1))
    assert made == [1]


def test_a_display_that_was_away_for_a_moment_gets_the_same_picture_again() -> None:
    panel = SimulatedPanel()
    oled = Oled(panel)
    oled.show(_noise(1))
    panel.unplug()
    with pytest.raises(DisplayError):
        oled.show(_noise(1))
    panel.plug_in()
    oled.show(_noise(1))
    assert panel.image().tobytes() == _noise(1).tobytes()


def test_a_display_at_another_address_is_not_found() -> None:
    with pytest.raises(DisplayError, match="0x3c"):
        Oled(SimulatedPanel(address=0x3D)).show(_noise(1))


def test_closing_makes_it_dark_even_where_it_is_gone() -> None:
    panel = SimulatedPanel()
    oled = Oled(panel)
    oled.close()
    oled.show(_noise(1))
    oled.close()
    assert not panel.image().getbbox()
    oled.show(_noise(1))
    panel.unplug()
    oled.close()


def test_an_unknown_chip_names_those_there_are() -> None:
    with pytest.raises(ValueError, match="'ili9341': there are ssd1306, sh1106, ssd1309"):
        Oled(SimulatedPanel(), "ili9341")
    with pytest.raises(PanelError, match="there are ssd1306, ssd1309, sh1106"):
        SimulatedPanel("ili9341")


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
    Oled(SimulatedPanel(on_change=lambda: told.append(1))).show(_noise(1))
    assert len(told) > FRAME_WRITES

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from device_samples import CONFIG, board_of
from PIL import Image, ImageDraw

from companion.core.panel import Button, Lamp, Note
from devices.box import LOOK_AGAIN_S, RETRY_S, Hardware
from devices.buttons import Buttons, Press
from devices.buzzer import Buzzer
from devices.errors import DeviceError, PinError, ToneError
from devices.lamps import Lamps
from devices.oled import Oled
from devices.simulated.panel import SimulatedPanel
from devices.wires import SECOND_ADDRESS, I2cWires

# luma.oled asks Pillow for pixels in a way that Pillow 14 will not know; so the project pins pillow<14.
pytestmark = pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated:DeprecationWarning")

TICK_S = 0.02


class Bench:
    """A box of simulated devices on a workbench, where things can be broken."""

    def __init__(self, factory: Any, clock: Any) -> None:
        self.clock = clock
        self.factory = factory
        self.panel = SimulatedPanel()
        self.board = board_of(factory, wait=clock.wait)
        self.broken: set[str] = set()
        self.reports: list[tuple[str, str | None]] = []
        self.hardware = Hardware(
            display=self._maker("display", lambda: Oled(I2cWires(self.panel))),
            buttons=self._maker("buttons", lambda: Buttons(CONFIG.buttons.pins, factory, clock)),
            lamps=self._maker("lamps", lambda: Lamps(CONFIG.lamps.pins, factory)),
            buzzer=self._maker("buzzer", lambda: Buzzer(CONFIG.buzzer.pin, factory)),
            report=lambda name, error: self.reports.append((name, type(error).__name__ if error else None)),
        )

    def _maker(self, name: str, make: Callable[[], Any]) -> Callable[[], Any]:
        def made() -> Any:
            if name in self.broken:
                raise PinError(f"{name}: broken")
            return make()

        return made

    def run(self, seconds: float) -> list[Button]:
        presses = []
        for _ in range(round(seconds / TICK_S)):
            self.clock.wait(TICK_S)
            presses += [press.button for press in self.hardware.tick(self.clock.now_s)]
        return presses


@pytest.fixture
def bench(factory: Any, clock: Any) -> Bench:
    return Bench(factory, clock)


def _picture(x: int = 0) -> Image.Image:
    image = Image.new("1", (128, 64))
    ImageDraw.Draw(image).rectangle((x, 10, x + 20, 30), fill=1)
    return image


def test_what_is_wanted_is_brought_about(bench: Bench) -> None:
    bench.hardware.show(_picture())
    bench.hardware.light(frozenset({Lamp.RED}))
    bench.hardware.play((Note(440, 1.0),))
    bench.run(TICK_S)
    bench.board.press(Button.A)
    assert bench.run(0.2) == [Button.A]
    assert bench.panel.image().tobytes() == _picture().tobytes()
    assert bench.board.lit() == {Lamp.RED}
    assert bench.board.tone_hz() == pytest.approx(440)
    assert bench.reports == []


def test_an_unplugged_display_is_reported_once_and_shows_again_by_itself(bench: Bench) -> None:
    bench.hardware.show(_picture())
    bench.run(0.1)
    bench.panel.unplug()
    bench.board.press(Button.B)
    assert bench.run(10.0) == [Button.B, Button.B]  # and held for long
    assert bench.reports == [("display", "DisplayError")]
    bench.panel.plug_in()
    bench.run(RETRY_S + 1)
    assert bench.reports == [("display", "DisplayError"), ("display", None)]
    assert bench.panel.image().tobytes() == _picture().tobytes()


def test_the_newest_picture_is_shown_after_an_outage(bench: Bench) -> None:
    bench.hardware.show(_picture())
    bench.run(0.1)
    bench.panel.unplug(after_writes=5)
    bench.hardware.show(_picture(50))
    bench.run(0.1)
    bench.hardware.show(_picture(90))
    bench.panel.plug_in()
    bench.run(RETRY_S + 1)
    assert bench.panel.image().tobytes() == _picture(90).tobytes()


def test_an_unchanged_picture_costs_the_bus_next_to_nothing(bench: Bench) -> None:
    bench.hardware.show(_picture())
    bench.run(0.1)
    before = bench.panel.writes
    bench.run(10.0)
    assert bench.panel.writes - before <= 21


@pytest.mark.parametrize("name", ["display", "buttons", "lamps", "buzzer"])
def test_a_device_that_is_missing_at_the_start_stops_no_other(bench: Bench, name: str) -> None:
    bench.broken.add(name)
    bench.hardware.show(_picture())
    bench.hardware.light(frozenset({Lamp.GREEN}))
    bench.hardware.play((Note(440, 60.0),))
    bench.run(TICK_S)
    if name != "buttons":
        bench.board.press(Button.UP)
    presses = bench.run(0.5)
    works = {
        "display": bench.panel.image().tobytes() == _picture().tobytes(),
        "buttons": presses == [Button.UP],
        "lamps": bench.board.lit() == {Lamp.GREEN},
        "buzzer": bench.board.tone_hz() is not None,
    }
    assert works == {device: device != name for device in works}
    assert bench.reports == [(name, "PinError")]
    bench.broken.clear()
    bench.run(RETRY_S + 1)
    assert bench.reports == [(name, "PinError"), (name, None)]


def test_a_button_that_is_down_at_the_start_is_reported_as_stuck_and_heals(bench: Bench) -> None:
    bench.board.press(Button.UP)
    assert bench.run(1.0) == []
    assert bench.reports == [("button-up", "PinError")]
    bench.board.press(Button.A)
    assert bench.run(0.2) == [Button.A]
    bench.board.release(Button.UP)
    assert bench.run(0.2) == []
    assert bench.reports == [("button-up", "PinError"), ("button-up", None)]
    bench.board.press(Button.UP)
    assert bench.run(0.2) == [Button.UP]


def test_a_button_that_is_held_while_the_pins_are_opened_anew_is_not_pressed_again(bench: Bench) -> None:
    class Pulled(Buttons):
        def tick(self) -> list[Press]:
            if "wire" in bench.broken:
                raise PinError("loose wire")
            return super().tick()

    hardware = Hardware(
        display=None,
        buttons=lambda: Pulled(CONFIG.buttons.pins, bench.factory, bench.clock),
        lamps=lambda: Lamps(CONFIG.lamps.pins, bench.factory),
        buzzer=lambda: Buzzer(CONFIG.buzzer.pin, bench.factory),
        report=lambda name, error: bench.reports.append((name, str(error) if error else None)),
    )
    bench.hardware = hardware
    bench.run(0.1)
    bench.board.press(Button.DOWN)
    assert bench.run(0.2) == [Button.DOWN]
    bench.broken.add("wire")
    assert bench.run(0.2) == []
    bench.broken.clear()
    assert bench.run(RETRY_S + 1.5) == []
    bench.board.release(Button.DOWN)
    bench.run(0.2)
    names = [(name, error is not None) for name, error in bench.reports]
    assert names == [("buttons", True), ("buttons", False), ("button-down", True), ("button-down", False)]
    bench.board.press(Button.DOWN)
    assert bench.run(0.2) == [Button.DOWN]
    hardware.close()


def test_a_stuck_button_whose_pins_fail_is_no_longer_called_stuck(bench: Bench) -> None:
    bench.board.press(Button.UP)
    bench.run(1.0)
    for device in bench.hardware._buttons._device._devices.values():
        device.close()
    bench.broken.add("buttons")
    bench.run(0.1)
    assert bench.reports == [("button-up", "PinError"), ("buttons", "PinError"), ("button-up", None)]


def test_a_second_display_shows_its_own_picture_and_fails_and_heals_alone(bench: Bench, factory: Any) -> None:
    second = SimulatedPanel(address=SECOND_ADDRESS)
    hardware = Hardware(
        display=lambda: Oled(I2cWires(bench.panel)),
        buttons=lambda: Buttons(CONFIG.buttons.pins, factory, bench.clock),
        lamps=lambda: Lamps(CONFIG.lamps.pins, factory),
        buzzer=lambda: Buzzer(CONFIG.buzzer.pin, factory),
        report=lambda name, error: bench.reports.append((name, str(error) if error else None)),
        second=lambda: Oled(I2cWires(second, SECOND_ADDRESS)),
    )
    hardware.show(_picture())
    hardware.show_second(_picture(90))
    hardware.tick(1.0)
    shown = [panel.image().tobytes() for panel in (bench.panel, second)]
    assert shown == [_picture().tobytes(), _picture(90).tobytes()]
    second.unplug()
    hardware.show(_picture(20))
    hardware.tick(1.0 + LOOK_AGAIN_S)
    assert bench.panel.image().tobytes() == _picture(20).tobytes()
    second.plug_in()
    hardware.tick(1.0 + LOOK_AGAIN_S + RETRY_S)
    assert second.image().tobytes() == _picture(90).tobytes()
    assert [(name, error and "0x3d" in error) for name, error in bench.reports] == [
        ("second-display", True),
        ("second-display", None),
    ]
    hardware.close()
    assert not second.image().getbbox()


def test_a_box_with_one_display_has_no_second(bench: Bench) -> None:
    assert not bench.hardware.has_second
    bench.hardware.show_second(_picture())
    bench.run(TICK_S)
    assert not bench.panel.image().getbbox()


def test_lamps_that_come_back_shine_as_they_should_now(bench: Bench) -> None:
    bench.broken.add("lamps")
    bench.hardware.light(frozenset({Lamp.GREEN}))
    bench.run(0.1)
    bench.hardware.light(frozenset({Lamp.RED, Lamp.AMBER}))
    bench.broken.clear()
    bench.run(RETRY_S + 1)
    assert bench.board.lit() == {Lamp.RED, Lamp.AMBER}


def test_a_device_that_fails_gives_its_pins_back_and_is_made_anew(bench: Bench, factory: Any) -> None:
    class LooseWire(Lamps):
        def light(self, lit: frozenset[Lamp]) -> None:
            if "wire" in bench.broken:
                raise PinError("loose wire")
            super().light(lit)

    hardware = Hardware(
        display=lambda: Oled(I2cWires(bench.panel)),
        buttons=lambda: Buttons(CONFIG.buttons.pins, factory, bench.clock),
        lamps=lambda: LooseWire(CONFIG.lamps.pins, factory),
        buzzer=lambda: Buzzer(CONFIG.buzzer.pin, factory),
        report=lambda name, error: bench.reports.append((name, str(error) if error else None)),
    )
    hardware.light(frozenset({Lamp.GREEN}))
    hardware.tick(1.0)
    bench.broken.add("wire")
    hardware.tick(1.1)
    bench.broken.clear()
    hardware.tick(1.1 + RETRY_S)
    assert bench.reports == [("lamps", "loose wire"), ("lamps", None)]
    assert bench.board.lit() == {Lamp.GREEN}


def test_a_melody_is_not_played_long_after_its_moment(bench: Bench) -> None:
    bench.broken.add("buzzer")
    bench.hardware.play((Note(440, 60.0),))
    bench.run(0.1)
    bench.broken.clear()
    bench.run(RETRY_S + 1)
    assert bench.board.tone_hz() is None


def test_muting_silences_at_once(bench: Bench) -> None:
    bench.hardware.play((Note(440, 60.0),))
    bench.run(0.1)
    bench.hardware.muted = True
    bench.run(0.1)
    assert bench.board.tone_hz() is None


def test_what_no_device_could_do_is_refused_where_it_is_asked_for(bench: Bench) -> None:
    with pytest.raises(ToneError):
        bench.hardware.play((Note(10, 1.0),))
    with pytest.raises(ValueError, match="a display shows"):
        bench.hardware.show(Image.new("L", (128, 64)))


def test_a_device_that_can_not_even_be_closed_is_given_up(bench: Bench) -> None:
    class Stubborn(Lamps):
        def __init__(self) -> None:
            pass

        def light(self, lit: frozenset[Lamp]) -> None:
            raise DeviceError("stuck")

        def close(self) -> None:
            raise RuntimeError("stuck for good")

    never = Hardware(
        display=lambda: Oled(I2cWires(bench.panel)),
        buttons=bench._maker("buttons", lambda: None),
        lamps=Stubborn,
        buzzer=bench._maker("buzzer", lambda: None),
        report=lambda name, error: bench.reports.append((name, str(error))),
    )
    bench.broken |= {"buttons", "buzzer"}
    never.tick(1.0)
    assert ("lamps", "stuck") in bench.reports
    never.close()


def test_closing_leaves_the_box_dark_and_silent(bench: Bench) -> None:
    bench.hardware.show(_picture())
    bench.hardware.light(frozenset(Lamp))
    bench.hardware.play((Note(440, 60.0),))
    bench.run(0.1)
    bench.hardware.close()
    assert not bench.panel.image().getbbox()
    assert (bench.board.lit(), bench.board.tone_hz()) == (frozenset(), None)

"""A box whose displays rest: dimmed, dark, woken; and one without a display."""

from __future__ import annotations

from typing import Any

import pytest
from device_samples import CONFIG, board_of
from PIL import Image, ImageDraw

from companion.core.panel import Button, Lamp, Note
from devices.box import Hardware
from devices.buttons import Buttons
from devices.buzzer import Buzzer
from devices.lamps import Lamps
from devices.oled import CONTRAST, DIMMED, Oled
from devices.rest import DOT_PX, DOT_STAYS_S, Rests
from devices.simulated.panel import SimulatedPanel
from devices.wires import SECOND_ADDRESS, I2cWires

TICK_S = 0.02
RESTS = Rests(10.0, 30.0)


class Room:
    """A box that stands in a room, and what people do there."""

    def __init__(self, factory: Any, clock: Any, display: bool = True) -> None:
        self.clock = clock
        self.panel = SimulatedPanel()
        self.second = SimulatedPanel(address=SECOND_ADDRESS)
        self.board = board_of(factory, wait=clock.wait)
        self.reports: list[str] = []
        self.hardware = Hardware(
            display=(lambda: Oled(I2cWires(self.panel))) if display else None,
            buttons=lambda: Buttons(CONFIG.buttons.pins, factory, clock),
            lamps=lambda: Lamps(CONFIG.lamps.pins, factory),
            buzzer=lambda: Buzzer(CONFIG.buzzer.pin, factory),
            report=lambda name, error: self.reports.append(f"{name}: {error}"),
            second=lambda: Oled(I2cWires(self.second, SECOND_ADDRESS)),
            rests=RESTS,
            second_rests=RESTS,
        )
        self.hardware.show(_picture(0))
        self.hardware.show_second(_picture(60))
        self.run(TICK_S)

    def run(self, seconds: float) -> list[tuple[Button, bool]]:
        presses = []
        for _ in range(round(seconds / TICK_S)):
            self.clock.wait(TICK_S)
            presses += [(press.button, press.long) for press in self.hardware.tick(self.clock.now_s)]
        return presses

    def press(self, button: Button, seconds: float = 0.2) -> list[tuple[Button, bool]]:
        """Pushes a button for so long; what the box made of it."""
        self.board.press(button)
        presses = self.run(seconds)
        self.board.release(button)
        return presses + self.run(0.2)

    def look(self) -> list[str]:
        """What the two displays do."""
        return [self._state(panel, x) for panel, x in ((self.panel, 0), (self.second, 60))]

    @staticmethod
    def _state(panel: SimulatedPanel, x: int) -> str:
        if panel.image().tobytes() != _picture(x).tobytes():
            lit = sum(panel.image().convert("L").histogram()[1:])
            return "dot" if lit == DOT_PX**2 and panel.contrast == DIMMED else f"{lit} pixels at {panel.contrast}"
        return {CONTRAST: "awake", DIMMED: "dim"}[panel.contrast]


def _picture(x: int) -> Image.Image:
    image = Image.new("1", (128, 64))
    ImageDraw.Draw(image).rectangle((x, 10, x + 20, 30), fill=1)
    return image


@pytest.fixture
def room(factory: Any, clock: Any) -> Room:
    return Room(factory, clock)


def test_without_news_displays_are_dimmed_and_later_go_dark_but_for_a_dot(room: Room) -> None:
    states = []
    for seconds in (9.0, 2.0, 18.0, 3.0):
        room.run(seconds)
        states.append(room.look())
    assert states == [["awake"] * 2, ["dim"] * 2, ["dim"] * 2, ["dot"] * 2]
    places = set()
    for _ in range(5):
        room.run(DOT_STAYS_S)
        places.add(room.panel.image().getbbox())
    assert len(places) == 5
    assert room.reports == []


def test_the_press_that_wakes_a_dark_display_does_nothing_else(room: Room) -> None:
    room.run(31.0)
    assert room.press(Button.A) == []
    assert room.look() == ["awake"] * 2
    assert room.press(Button.A) == [(Button.A, False)]


def test_holding_the_press_that_wakes_does_nothing_either_but_the_next_one_may_be_long(room: Room) -> None:
    room.run(31.0)
    assert room.press(Button.UP, 2.0) == []
    assert room.press(Button.UP, 2.0) == [(Button.UP, False), (Button.UP, True)]


def test_another_button_works_while_the_one_that_woke_is_still_held(room: Room) -> None:
    room.run(31.0)
    room.board.press(Button.UP)
    room.run(0.2)
    assert room.press(Button.DOWN) == [(Button.DOWN, False)]
    assert room.run(2.0) == []


def test_two_buttons_at_once_wake_as_one(room: Room) -> None:
    room.run(31.0)
    room.board.press(Button.A)
    room.board.press(Button.B)
    assert room.run(2.0) == []
    assert room.look() == ["awake"] * 2


def test_a_dimmed_display_can_be_read_so_a_press_wakes_it_and_counts(room: Room) -> None:
    room.run(12.0)
    assert room.look() == ["dim"] * 2
    assert room.press(Button.B) == [(Button.B, False)]
    assert room.look() == ["awake"] * 2


def test_another_picture_wakes_both_displays(room: Room) -> None:
    room.run(31.0)
    room.hardware.show(_picture(5))
    room.run(TICK_S)
    room.hardware.show(_picture(0))
    room.run(TICK_S)
    assert room.look() == ["awake"] * 2
    room.run(9.0)
    assert room.look() == ["awake"] * 2


def test_a_melody_wakes_and_silence_does_not(room: Room) -> None:
    room.run(31.0)
    room.hardware.play(())
    room.run(TICK_S)
    assert room.look() == ["dot"] * 2
    room.hardware.play((Note(440, 0.1),))
    room.run(TICK_S)
    assert room.look() == ["awake"] * 2


def test_the_same_picture_again_lamps_and_turning_pages_of_the_second_display_are_no_news(room: Room) -> None:
    for second in range(31):
        room.hardware.show(_picture(0))
        room.hardware.show_second(_picture(60 + second % 2))
        room.hardware.light(frozenset({Lamp.GREEN}) if second % 2 else frozenset())
        room.run(1.0)
    assert room.look() == ["dot"] * 2


def test_what_comes_while_it_is_dark_is_seen_at_once(room: Room) -> None:
    room.run(40.0)
    room.hardware.show_second(_picture(80))
    room.hardware.show(_picture(20))
    room.run(TICK_S)
    shown = [panel.image().tobytes() for panel in (room.panel, room.second)]
    assert shown == [_picture(20).tobytes(), _picture(80).tobytes()]


def test_a_display_that_is_plugged_in_while_it_rests_rests(room: Room) -> None:
    room.run(12.0)
    room.panel.unplug()
    room.run(1.0)
    room.panel.plug_in()
    room.run(4.0)
    assert room.look() == ["dim"] * 2
    assert [report.partition(":")[0] for report in room.reports] == ["display", "display"]


def test_the_first_press_of_all_counts(factory: Any, clock: Any) -> None:
    room = Room(factory, clock)
    assert room.press(Button.A) == [(Button.A, False)]


def test_a_box_without_a_display_takes_pictures_and_presses(factory: Any, clock: Any) -> None:
    room = Room(factory, clock, display=False)
    room.hardware.show(_picture(20))
    assert room.press(Button.UP) == [(Button.UP, False)]
    assert not room.panel.image().getbbox()
    assert room.reports == []
    room.hardware.close()

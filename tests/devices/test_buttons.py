from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from device_samples import CONFIG, board_of
from hypothesis import given
from hypothesis import strategies as st

from companion.core.panel import Button
from devices.buttons import LONG_S, STEADY_S, Buttons, Debouncer, Edge, Press
from devices.errors import PinError
from devices.simulated.board import SimulatedBoard

TICK_S = 0.02


@pytest.fixture
def board(factory: Any, clock: Any) -> SimulatedBoard:
    return board_of(factory, wait=clock.wait)


@pytest.fixture
def buttons(factory: Any, clock: Any) -> Iterator[Buttons]:
    found = Buttons(CONFIG.buttons.pins, factory, clock)
    yield found
    found.close()


def _presses(buttons: Buttons, clock: Any, seconds: float) -> list[Press]:
    presses = []
    for _ in range(round(seconds / TICK_S)):
        clock.wait(TICK_S)
        presses += buttons.tick(clock.now_s)
    return presses


def _run(buttons: Buttons, clock: Any, seconds: float) -> list[tuple[Button, bool]]:
    return [(press.button, press.long) for press in _presses(buttons, clock, seconds)]


def test_a_bouncing_press_counts_once(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    for button in Button:
        board.press(button)
        board.release(button)
        assert _run(buttons, clock, 0.2) == []  # down for no longer than it bounced
        board.press(button)
        assert _run(buttons, clock, 0.2) == [(button, False)]
        board.release(button)
        assert _run(buttons, clock, 0.2) == []


def test_a_press_between_two_ticks_is_not_lost(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.press(Button.A)
    clock.wait(STEADY_S * 1.1)
    board.release(Button.A)
    clock.wait(1.0)
    assert [press.button for press in buttons.tick(clock.now_s)] == [Button.A]


def test_a_phantom_release_is_no_second_press(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.press(Button.B)
    assert _run(buttons, clock, 0.2) == [(Button.B, False)]
    board.glitch(Button.B, 0.003)
    assert _run(buttons, clock, 0.2) == []


def test_a_phantom_press_is_none(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.glitch(Button.UP, 0.003)
    assert _run(buttons, clock, 0.2) == []


def test_a_long_press_is_told_once_after_the_press(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.press(Button.DOWN)
    assert _run(buttons, clock, LONG_S - 0.1) == [(Button.DOWN, False)]
    assert _run(buttons, clock, 2.0) == [(Button.DOWN, True)]
    board.release(Button.DOWN)
    assert _run(buttons, clock, 0.2) == []
    board.press(Button.DOWN)
    assert _run(buttons, clock, 2.0) == [(Button.DOWN, False), (Button.DOWN, True)]


def test_two_buttons_at_once_are_two_presses(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.press(Button.A)
    board.press(Button.UP)
    assert sorted(_run(buttons, clock, 0.2)) == [(Button.A, False), (Button.UP, False)]


def test_a_and_b_at_once_are_a_press_of_their_own(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.press(Button.B)
    clock.wait(0.05)
    board.press(Button.A)
    second_s = clock.now_s
    presses = _presses(buttons, clock, 0.5)
    board.release(Button.A)
    board.release(Button.B)
    presses += _presses(buttons, clock, 0.5)
    assert presses == [Press(Button.A, pytest.approx(second_s), together=Button.B)]


def test_a_and_b_held_long_are_told_once_as_one(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.press(Button.A)
    board.press(Button.B)
    presses = _presses(buttons, clock, 3.0)
    assert [(press.button, press.long, press.together) for press in presses] == [
        (Button.A, False, Button.B),
        (Button.A, True, Button.B),
    ]


@pytest.mark.parametrize("left", [Button.A, Button.B])
def test_of_two_that_were_pressed_at_once_the_one_held_on_means_nothing(
    board: SimulatedBoard, buttons: Buttons, clock: Any, left: Button
) -> None:
    board.press(Button.A)
    board.press(Button.B)
    gone = Button.B if left is Button.A else Button.A
    assert [press.together for press in _presses(buttons, clock, 0.3)] == [Button.B]
    board.release(gone)
    assert _run(buttons, clock, 2.0) == []
    board.press(gone)
    assert _run(buttons, clock, 0.3) == [(gone, False)]


def test_a_nervous_finger_of_two_does_not_make_them_two_chords() -> None:
    debouncer = Debouncer()
    edges = ((Button.A, True, 1.0), (Button.B, True, 1.0), (Button.B, False, 1.025), (Button.B, True, 1.05))
    told = [press for button, down, at_s in edges for press in debouncer.feed(Edge(button, down, at_s))]
    assert told + debouncer.tick(1.5) == [Press(Button.A, 1.0, together=Button.B), Press(Button.B, 1.05)]


def test_a_then_b_are_two_presses(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.press(Button.A)
    first = _run(buttons, clock, 0.16)
    board.press(Button.B)
    assert (first, _run(buttons, clock, 0.2)) == ([(Button.A, False)], [(Button.B, False)])


def test_a_tap_is_told_even_if_the_other_follows_at_once() -> None:
    debouncer = Debouncer()
    edges = ((Button.A, True, 1.0), (Button.A, False, 1.03), (Button.B, True, 1.06))
    told = [press for button, down, at_s in edges for press in debouncer.feed(Edge(button, down, at_s))]
    assert told + debouncer.tick(1.5) == [Press(Button.A, 1.0), Press(Button.B, 1.06)]


def test_what_two_fingers_meant_is_told_in_order_also_after_a_long_stall() -> None:
    debouncer = Debouncer()
    told = [
        debouncer.feed(Edge(button, down, at_s))
        for button, down, at_s in ((Button.A, True, 1.0), (Button.B, True, 1.05), (Button.B, False, 3.0))
    ]
    assert [press for presses in [*told, debouncer.tick(9.0)] for press in presses] == [
        Press(Button.A, 1.05, together=Button.B),
        Press(Button.A, 1.05 + LONG_S, long=True, together=Button.B),
    ]


def test_how_long_a_contact_rests_and_a_long_press_lasts_can_be_set(factory: Any, clock: Any) -> None:
    board = board_of(factory, wait=clock.wait)
    buttons = Buttons(CONFIG.buttons.pins, factory, clock, steady_s=0.1, long_s=2.0)
    board.press(Button.UP)
    told = [_run(buttons, clock, seconds) for seconds in (0.08, 0.06, 1.7, 0.3)]
    assert told == [[], [(Button.UP, False)], [], [(Button.UP, True)]]
    buttons.close()


def test_a_lost_edge_is_put_right_by_looking_at_the_pin(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.press(Button.A)
    assert _run(buttons, clock, 0.2) == [(Button.A, False)]
    for device in buttons._devices.values():
        device.when_activated = device.when_deactivated = None
    board.release(Button.A)
    assert _run(buttons, clock, 0.2) == []
    board.press(Button.A)
    assert _run(buttons, clock, 0.2) == [(Button.A, False)]


def test_an_error_in_a_callback_stays_out_of_the_pin_library(factory: Any) -> None:
    def broken() -> float:
        raise OverflowError("no time")

    buttons = Buttons(CONFIG.buttons.pins, factory, broken)
    board_of(factory).press(Button.A, bounces_s=())
    with pytest.raises(PinError, match="buttons: no time"):
        buttons.tick(1.0)
    buttons.close()


def test_a_pin_in_use_is_named(factory: Any, clock: Any, buttons: Buttons) -> None:
    with pytest.raises(PinError, match=r"button A on pin 5: .*check the pins in the configuration"):
        Buttons(CONFIG.buttons.pins, factory, clock)
    assert buttons.tick(clock.now_s) == []


def test_the_time_of_a_press_is_when_its_contact_came_to_rest() -> None:
    debouncer = Debouncer()
    for down, at_s in ((False, 0.0), (True, 1.0), (False, 1.001), (True, 1.002)):
        debouncer.feed(Edge(Button.A, down, at_s))
    assert debouncer.tick(1.0 + STEADY_S) == []
    assert debouncer.tick(2.0) == [Press(Button.A, 1.002), Press(Button.A, 1.002 + LONG_S, long=True)]


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0001, 0.1)), max_size=60))
def test_presses_are_as_many_as_steady_downs_after_steady_ups(stays: list[tuple[bool, float]]) -> None:
    """Whatever the contact does: each press is one stay of `STEADY_S` down, with one up between any two."""
    debouncer = Debouncer()
    now_s, presses = 0.0, 0
    merged: list[tuple[bool, float]] = []
    for down, length_s in [*stays, (False, 1.0)]:
        presses += sum(not press.long for press in debouncer.feed(Edge(Button.A, down, now_s)))
        now_s += length_s
        if merged and merged[-1][0] == down:
            merged[-1] = (down, merged[-1][1] + length_s)
        else:
            merged.append((down, length_s))
    presses += len(debouncer.tick(now_s))
    steady = [down for down, length_s in merged if length_s >= STEADY_S * 1.000001]
    unsure = [length_s for _, length_s in merged if abs(length_s - STEADY_S) < 1e-6]
    wanted = sum(down and (i == 0 or not steady[i - 1]) for i, down in enumerate(steady))
    assert presses == wanted or unsure

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from device_samples import CONFIG, board_of
from hypothesis import assume, given
from hypothesis import strategies as st

from companion.core.panel import Button
from devices.buttons import LONG_S, STEADY_S, STUCK_S, TOGETHER, TOGETHER_S, Buttons, Debouncer, Edge, Press
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
        presses += buttons.tick()
    return presses


def _run(buttons: Buttons, clock: Any, seconds: float) -> list[tuple[Button, bool]]:
    return [(press.button, press.long) for press in _presses(buttons, clock, seconds)]


def _at_rest(steady_s: float = STEADY_S, long_s: float = LONG_S) -> Debouncer:
    """It has seen all buttons up."""
    debouncer = Debouncer(steady_s, long_s)
    for button in Button:
        debouncer.feed(Edge(button, False, 0.0))
    return debouncer


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
    assert [press.button for press in buttons.tick()] == [Button.A]


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
    second_s = clock.now_s
    board.press(Button.A)
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
    debouncer = _at_rest()
    edges = ((Button.A, True, 1.0), (Button.B, True, 1.0), (Button.B, False, 1.025), (Button.B, True, 1.05))
    told = [press for button, down, at_s in edges for press in debouncer.feed(Edge(button, down, at_s))]
    assert told + debouncer.tick(1.5) == [Press(Button.A, 1.0, together=Button.B), Press(Button.B, 1.05)]


def test_a_then_b_are_two_presses(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    board.press(Button.A)
    first = _run(buttons, clock, 0.16)
    board.press(Button.B)
    assert (first, _run(buttons, clock, 0.2)) == ([(Button.A, False)], [(Button.B, False)])


def test_a_tap_is_told_even_if_the_other_follows_at_once() -> None:
    debouncer = _at_rest()
    edges = ((Button.A, True, 1.0), (Button.A, False, 1.03), (Button.B, True, 1.06))
    told = [press for button, down, at_s in edges for press in debouncer.feed(Edge(button, down, at_s))]
    assert told + debouncer.tick(1.5) == [Press(Button.A, 1.0), Press(Button.B, 1.06)]


def test_what_two_fingers_meant_is_told_in_order_also_after_a_long_stall() -> None:
    debouncer = _at_rest()
    told = [
        debouncer.feed(Edge(button, down, at_s))
        for button, down, at_s in ((Button.A, True, 1.0), (Button.B, True, 1.05), (Button.B, False, 3.0))
    ]
    assert [press for presses in [*told, debouncer.tick(9.0)] for press in presses] == [
        Press(Button.A, 1.05, together=Button.B),
        Press(Button.A, 1.05 + LONG_S, long=True, together=Button.B),
    ]


def test_after_a_stall_presses_are_told_in_the_order_in_which_they_came() -> None:
    debouncer = _at_rest()
    edges = (Edge(Button.A, True, 1.0), Edge(Button.UP, True, 1.001))
    told = [press for edge in edges for press in debouncer.feed(edge)]
    assert told + debouncer.tick(9.0) == [
        Press(Button.A, 1.0),
        Press(Button.UP, 1.001),
        Press(Button.A, 1.0 + LONG_S, long=True),
        Press(Button.UP, 1.001 + LONG_S, long=True),
    ]


def test_after_a_stall_a_tap_that_ended_before_the_other_button_came_down_is_no_chord() -> None:
    debouncer = _at_rest(0.005)
    edges = ((Button.B, True, 1.0), (Button.B, False, 1.03), (Button.A, True, 1.034), (Button.A, False, 1.1))
    told = [press for button, down, at_s in edges for press in debouncer.feed(Edge(button, down, at_s))]
    assert told + debouncer.tick(9.0) == [Press(Button.B, 1.0), Press(Button.A, 1.034)]


def test_two_are_held_long_only_if_neither_was_let_go_before() -> None:
    debouncer = _at_rest()
    edges = ((Button.A, True, 1.0), (Button.B, True, 1.0), (Button.B, False, 1.79), (Button.A, True, 1.8))
    told = [press for button, down, at_s in edges for press in debouncer.feed(Edge(button, down, at_s))]
    assert told + debouncer.tick(9.0) == [Press(Button.A, 1.0, together=Button.B)]


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
    times = iter([0.0] * len(Button))

    def broken() -> float:
        for at_s in times:
            return at_s
        raise OverflowError("no time")

    buttons = Buttons(CONFIG.buttons.pins, factory, broken)
    board_of(factory).press(Button.A, bounces_s=())
    with pytest.raises(PinError, match="buttons: no time"):
        buttons.tick()
    buttons.close()


def test_a_pin_in_use_is_named(factory: Any, clock: Any, buttons: Buttons) -> None:
    with pytest.raises(PinError, match=r"button A on pin 5: .*check the pins in the configuration"):
        Buttons(CONFIG.buttons.pins, factory, clock)
    assert buttons.tick() == []


def test_the_time_of_a_press_is_when_its_contact_began_to_bounce() -> None:
    debouncer = _at_rest()
    for down, at_s in ((True, 1.0), (False, 1.001), (True, 1.002)):
        debouncer.feed(Edge(Button.A, down, at_s))
    assert debouncer.tick(1.0 + STEADY_S) == []
    assert debouncer.tick(2.0) == [Press(Button.A, 1.0), Press(Button.A, 1.0 + LONG_S, long=True)]


@pytest.mark.parametrize("steady_s", [0.001, 0.02, 0.2])
def test_what_is_shorter_than_a_long_press_is_none_however_long_a_contact_must_rest(steady_s: float) -> None:
    debouncer = _at_rest(steady_s)
    told = []
    for tick in range(5, 100):
        told += debouncer.feed(Edge(Button.UP, 0.1 <= tick * TICK_S < 0.75, tick * TICK_S))
    assert told == [Press(Button.UP, 0.1)]


def test_a_press_that_may_have_ended_before_it_was_long_is_not_told_as_long_meanwhile() -> None:
    debouncer = _at_rest()
    edges = ((True, 1.0), (False, 1.799), (True, 1.8005), (False, 1.803))
    told = [press for down, at_s in edges for press in debouncer.feed(Edge(Button.UP, down, at_s))]
    assert told + debouncer.tick(9.0) == [Press(Button.UP, 1.0)]


@pytest.mark.parametrize("begun_s", [0.05, 0.1, 0.199])
def test_a_tap_too_short_to_count_makes_the_press_after_it_no_longer(begun_s: float) -> None:
    debouncer = _at_rest(0.2)
    edges = ((True, 1.0), (False, 1.0 + begun_s), (True, 1.1 + begun_s), (False, 1.75 + begun_s))
    told = [press for down, at_s in edges for press in debouncer.feed(Edge(Button.UP, down, at_s))]
    assert told + debouncer.tick(9.0) == [Press(Button.UP, pytest.approx(1.1 + begun_s))]


def test_a_button_that_is_down_when_its_pin_is_opened_counts_once_it_was_let_go(
    board: SimulatedBoard, factory: Any, clock: Any
) -> None:
    board.press(Button.A)
    buttons = Buttons(CONFIG.buttons.pins, factory, clock)
    assert (_run(buttons, clock, 5.0), set(buttons.stuck())) == ([], {Button.A})
    board.glitch(Button.A, 0.003)
    assert (_run(buttons, clock, 5.0), set(buttons.stuck())) == ([], {Button.A})
    board.press(Button.B)  # and the other one of the two is no chord with it
    assert _run(buttons, clock, 0.2) == [(Button.B, False)]
    board.release(Button.A)
    board.release(Button.B)
    assert (_run(buttons, clock, 0.2), buttons.stuck()) == ([], {})
    board.press(Button.A)
    assert _run(buttons, clock, 0.2) == [(Button.A, False)]
    buttons.close()


def test_a_button_that_is_held_for_ever_is_stuck_until_it_is_let_go(
    board: SimulatedBoard, buttons: Buttons, clock: Any
) -> None:
    board.press(Button.DOWN)
    assert _run(buttons, clock, STUCK_S - 1) == [(Button.DOWN, False), (Button.DOWN, True)]
    assert buttons.stuck() == {}
    assert _run(buttons, clock, 2.0) == []
    assert [str(error) for error in buttons.stuck().values()] == [
        "button down on pin 19: is down all the time, so it means nothing until it is let go; does it stick, or is "
        "GPIO19 wired to ground without it?"
    ]
    board.release(Button.DOWN)
    assert (_run(buttons, clock, 0.2), buttons.stuck()) == ([], {})


def test_a_look_that_is_late_makes_no_press_longer(board: SimulatedBoard, buttons: Buttons, clock: Any) -> None:
    """The table may take longer to look at than a press lasts; then the edges tell when it was."""
    clock.wait(0.5)
    began_s = clock.now_s
    board.press(Button.UP)
    clock.wait(0.7)
    board.release(Button.UP)
    clock.wait(3.0)
    board.press(Button.DOWN)
    clock.wait(0.1)
    down_s = clock.now_s
    presses = buttons.tick() + _presses(buttons, clock, 0.5)
    assert presses == [Press(Button.UP, began_s), Press(Button.DOWN, pytest.approx(down_s - 0.1, abs=0.01))]


STEADY = st.sampled_from([0.001, 0.005, STEADY_S, 0.2]) | st.floats(0.001, 0.2)
"""Whatever the configuration allows for a contact's rest."""
LONG = st.sampled_from([0.3, LONG_S]) | st.floats(0.3, 5.0)
"""And for a long press."""
LENGTH = st.tuples(st.booleans(), st.sampled_from([-0.2, -0.01, -0.001, 0.001, 0.01]) | st.floats(-0.3, 5.0))
"""For how long a finger is down: beyond the time of a long press, or beyond the least that counts."""
BOUNCES = st.lists(st.floats(0.01, 1.0), max_size=6)
"""How the bouncing of a contact is parted."""
LOOKS_S = st.sampled_from([0.005, 0.02, 0.11, 0.7, 30.0])
"""How often the pins are looked at."""


def _length_s(length: tuple[bool, float], steady_s: float, long_s: float) -> float:
    beyond, more_s = length
    least_s = steady_s + STEADY_S
    length_s = max(least_s, more_s + (long_s if beyond else least_s))
    assume(abs(length_s - long_s) > 1e-6)
    return length_s


class Finger:
    """A finger on a contact that bounces, on a time line.

    Attributes:
        edges: what the pin does, in order of time.
    """

    def __init__(self, button: Button, steady_s: float, at_s: float = 0.0) -> None:
        self.edges = [Edge(button, False, at_s)]
        self._button = button
        self._most_s = 0.9 * min(steady_s, STEADY_S)

    def move(self, down: bool, at_s: float, bounces: list[float]) -> None:
        """Comes down, or goes up; what follows must be later by the rest of a contact and 20 ms."""
        parts = bounces if len(bounces) % 2 == 0 else bounces[:-1]
        whole = max(1.0, sum(parts))
        for i, part in enumerate([*parts, 0.0]):
            self.edges.append(Edge(self._button, down if i % 2 == 0 else not down, at_s))
            at_s += self._most_s * part / whole


def _told(debouncer: Debouncer, fingers: list[Finger], looks_s: float, until_s: float) -> list[Press]:
    """What is told while the pins tell of their edges and are looked at as well; in order of time."""
    edges = sorted((edge for finger in fingers for edge in finger.edges), key=lambda edge: edge.at_s)
    levels: dict[Button, bool] = {}
    told, look_s = [], looks_s
    for edge in [*edges, None]:
        while look_s < (edge.at_s if edge else until_s):
            for button, down in levels.items():
                told += debouncer.feed(Edge(button, down, look_s))
            look_s += looks_s
        if edge:
            levels[edge.button] = edge.down
            told += debouncer.feed(edge)
    return sorted(told + debouncer.tick(until_s), key=lambda press: (press.at_s, press.button))


@given(
    STEADY,
    LONG,
    LOOKS_S,
    st.floats(0, 8) | st.none(),
    st.lists(st.tuples(LENGTH, BOUNCES, st.floats(0.0, 1.0), BOUNCES), max_size=4),
)
def test_a_press_is_long_if_and_only_if_the_finger_was_down_for_so_long(
    steady_s: float,
    long_s: float,
    looks_s: float,
    held_s: float | None,
    presses: list[tuple[tuple[bool, float], list[float], float, list[float]]],
) -> None:
    """Whatever bounces, however long a contact must rest, and also if the finger was there before the pin."""
    finger = Finger(Button.UP, steady_s)
    least_s = steady_s + STEADY_S
    now_s, wanted = 1.0, []
    if held_s is not None:
        finger.edges = [Edge(Button.UP, True, 0.0)]
        now_s = held_s + least_s
        finger.move(False, now_s, [0.3, 0.4])
        now_s += 2 * least_s
    for length, coming, up_s, going in presses:
        length_s = _length_s(length, steady_s, long_s)
        finger.move(True, now_s, coming)
        finger.move(False, now_s + length_s, going)
        wanted.append(Press(Button.UP, now_s))
        wanted += [Press(Button.UP, now_s + long_s, long=True)] if length_s > long_s else []
        now_s += length_s + least_s + up_s
    assert _told(Debouncer(steady_s, long_s), [finger], looks_s, now_s + 9.0) == wanted


@given(
    STEADY,
    LONG,
    LOOKS_S,
    st.permutations(TOGETHER),
    st.sampled_from([0.0, 0.03, 0.05]) | st.floats(0.0, 0.3),
    st.tuples(LENGTH, LENGTH),
    st.lists(BOUNCES, min_size=4, max_size=4),
)
def test_two_fingers_mean_one_thing_if_and_only_if_they_came_down_at_once(
    steady_s: float,
    long_s: float,
    looks_s: float,
    order: list[Button],
    apart_s: float,
    lengths: tuple[tuple[bool, float], tuple[bool, float]],
    bounces: list[list[float]],
) -> None:
    fingers = {button: Finger(button, steady_s) for button in TOGETHER}
    starts = [1.0, 1.0 + apart_s]
    ends = [start + _length_s(length, steady_s, long_s) for start, length in zip(starts, lengths, strict=True)]
    # Bounces blur what comes before what.
    assume(min(abs(apart_s - TOGETHER_S), abs(ends[0] - starts[1]), abs(ends[0] - ends[1])) > STEADY_S)
    for button, start, end, coming, going in zip(order, starts, ends, bounces[:2], bounces[2:], strict=True):
        fingers[button].move(True, start, coming)
        fingers[button].move(False, end, going)
    if apart_s < TOGETHER_S and ends[0] > starts[1]:
        spans, ends = [(TOGETHER[0], starts[1], TOGETHER[1])], [min(ends)]
    else:
        spans = [(button, start, None) for button, start in zip(order, starts, strict=True)]
    assume(all(abs(end - start - long_s) > 1e-6 for (_, start, _), end in zip(spans, ends, strict=True)))
    wanted = [Press(button, start, together=other) for button, start, other in spans]
    wanted += [
        Press(button, start + long_s, long=True, together=other)
        for (button, start, other), end in zip(spans, ends, strict=True)
        if end - start > long_s
    ]
    told = _told(Debouncer(steady_s, long_s), list(fingers.values()), looks_s, 30.0)
    assert told == sorted(wanted, key=lambda press: (press.at_s, press.button))


@given(STEADY, LONG, st.lists(st.tuples(st.booleans(), st.floats(0.0001, 0.5)), max_size=60))
def test_presses_are_as_many_as_steady_downs_after_steady_ups(
    steady_s: float, long_s: float, stays: list[tuple[bool, float]]
) -> None:
    """Whatever the contact does: each press is one stay of `steady_s` down, with one up between any two.

    And a long press is told of no time in which the contact rested up.
    """
    debouncer = Debouncer(steady_s, long_s)
    now_s, told = 0.0, []
    merged: list[tuple[bool, float]] = []
    rested: list[tuple[float, float]] = []
    for down, length_s in [(False, 1.0), *stays, (False, 1.0)]:
        told += debouncer.feed(Edge(Button.A, down, now_s))
        now_s += length_s
        if merged and merged[-1][0] == down:
            merged[-1] = (down, merged[-1][1] + length_s)
        else:
            merged.append((down, length_s))
        if not down and merged[-1][1] >= steady_s:
            rested.append((now_s - merged[-1][1], now_s))
    told += debouncer.tick(now_s)
    unsure = [length_s for _, length_s in merged if abs(length_s - steady_s) < 1e-6]
    assume(not unsure)
    steady = [down for down, length_s in merged if length_s >= steady_s]
    assert sum(not press.long for press in told) == sum(down and not steady[i - 1] for i, down in enumerate(steady))
    for press in told:
        if press.long:
            assert not any(up < press.at_s - 1e-6 and until > press.at_s - long_s + 1e-6 for up, until in rested)

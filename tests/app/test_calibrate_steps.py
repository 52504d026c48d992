"""Which step of a calibration has its turn, told by nothing but what is fulfilled and the time."""

from __future__ import annotations

from msgspec.structs import replace

from companion.app.calibrate.steps import BACK_S, ORDER, STEADY_S, Found, State, Step, advance, back, skip

ALL: Found = dict.fromkeys(ORDER, True)
LOOK_S = 0.5


def _but(**wrong: bool | None) -> Found:
    return {**ALL, **{Step(name): fine for name, fine in wrong.items()}}


class Course:
    """A calibration, look by look."""

    def __init__(self, step: Step = Step.PICTURE, passed: frozenset[Step] = frozenset()) -> None:
        self.state = State(step, passed)
        self.now_s = 10.0

    def run(self, found: Found, seconds: float) -> list[Step]:
        """The steps that have their turn meanwhile, each once."""
        steps = [self.state.step]
        for _ in range(round(seconds / LOOK_S)):
            self.now_s += LOOK_S
            self.state = advance(self.state, found, self.now_s)
            if self.state.step is not steps[-1]:
                steps.append(self.state.step)
        return steps


def test_what_is_fulfilled_is_left_after_a_moment_one_step_after_another() -> None:
    course = Course()
    assert course.run(ALL, STEADY_S) == [Step.PICTURE]
    assert course.run(ALL, LOOK_S) == [Step.PICTURE, Step.CORNERS]
    assert course.run(ALL, 60.0) == list(ORDER[1:])


def test_what_is_not_fulfilled_is_waited_for() -> None:
    course = Course(Step.HEIGHT)
    assert course.run(_but(height=False), 60.0) == [Step.HEIGHT]


def test_a_step_that_is_fulfilled_only_now_and_then_is_not_left() -> None:
    course = Course(Step.FOCUS)
    for _ in range(10):
        assert course.run(ALL, STEADY_S) == [Step.FOCUS]
        assert course.run(_but(focus=False), LOOK_S) == [Step.FOCUS]


def test_an_earlier_step_that_breaks_has_its_turn_again_and_then_the_one_that_was_left() -> None:
    course = Course(Step.LIGHT, frozenset(ORDER[:5]))
    dark = _but(light=False)
    hidden = {**dark, Step.CORNERS: False, Step.HEIGHT: None, Step.LEVEL: None, Step.FOCUS: None, Step.LIGHT: None}
    assert course.run(hidden, BACK_S + LOOK_S) == [Step.LIGHT, Step.CORNERS]
    assert course.run(dark, 10.0) == [Step.CORNERS, Step.LIGHT]


def test_a_hand_that_passes_calls_nobody_back() -> None:
    course = Course(Step.LIGHT, frozenset(ORDER[:5]))
    for _ in range(10):
        assert course.run(_but(corners=False, light=False), BACK_S) == [Step.LIGHT]
        assert course.run(_but(light=False), LOOK_S) == [Step.LIGHT]


def test_what_nothing_is_known_of_is_neither_left_nor_broken() -> None:
    assert Course(Step.LEVEL).run(_but(level=None), 60.0) == [Step.LEVEL]
    assert Course(Step.LIGHT).run(_but(level=None, light=False), 60.0) == [Step.LIGHT]


def test_a_step_that_somebody_skips_calls_nobody_back() -> None:
    course = Course(Step.HEIGHT, frozenset(ORDER[:2]))
    course.state = skip(course.state, _but(height=False))
    assert course.state.step is Step.LEVEL
    assert course.run(_but(height=False), 60.0) == [Step.LEVEL, Step.FOCUS, Step.LIGHT, Step.ZONES, Step.DONE]
    assert course.run(_but(height=False), 60.0) == [Step.DONE]


def test_skipping_what_is_fulfilled_is_going_on_at_once() -> None:
    state = skip(State(Step.CORNERS), ALL)
    assert (state.step, state.passed, state.skipped) == (Step.HEIGHT, {Step.CORNERS}, frozenset())


def test_after_the_last_step_there_is_none_to_skip_to() -> None:
    assert skip(State(Step.DONE), ALL) == State(Step.DONE)


def test_whoever_goes_back_stays_there_until_it_was_broken_once() -> None:
    course = Course(Step.FOCUS, frozenset(ORDER[:4]))
    course.state = back(course.state)
    assert course.run(ALL, 60.0) == [Step.LEVEL]
    assert course.run(_but(level=False), LOOK_S) == [Step.LEVEL]
    assert course.run(ALL, STEADY_S + LOOK_S) == [Step.LEVEL, Step.FOCUS]


def test_whoever_goes_back_to_a_skipped_step_is_asked_for_it_again() -> None:
    state = back(State(Step.LEVEL, skipped=frozenset({Step.HEIGHT})))
    assert state == State(Step.HEIGHT, held=True)
    assert back(State()).step is Step.PICTURE


def test_what_breaks_at_the_end_is_told_as_well() -> None:
    course = Course(Step.DONE, frozenset(ORDER[:-1]))
    assert course.run(_but(focus=False, done=False), BACK_S + LOOK_S) == [Step.DONE, Step.FOCUS]
    assert course.run(ALL, STEADY_S + LOOK_S) == [Step.FOCUS, Step.DONE]
    assert replace(course.state, broken_s=None) == State(Step.DONE, frozenset(ORDER[:-1]))

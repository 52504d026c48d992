"""Which step has its turn: on by itself when it is fulfilled for a while, back when an earlier one breaks. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec
from msgspec.structs import replace

STEADY_S = 1.5
"""A step that is fulfilled for so long is done."""
BACK_S = 1.5
"""An earlier one that is broken for so long has its turn again: hands pass through the picture."""


class Step(StrEnum):
    """What is looked at, in this order."""

    PICTURE = "picture"
    CORNERS = "corners"
    HEIGHT = "height"
    LEVEL = "level"
    FOCUS = "focus"
    LIGHT = "light"
    ZONES = "zones"
    DONE = "done"


ORDER = tuple(Step)


class State(msgspec.Struct, frozen=True):
    """How far one has come.

    Attributes:
        step: which one has its turn.
        passed: steps that were fulfilled once; they are not waited for again while they stay so.
        skipped: steps that somebody has gone on from as they were; they call nobody back.
        held: somebody came back to this step, which is not left by itself until it was broken.
        since_s: since when the step is fulfilled, None while it isn't.
        broken_s: since when an earlier one is broken, None while none is.
    """

    step: Step = Step.PICTURE
    passed: frozenset[Step] = frozenset()
    skipped: frozenset[Step] = frozenset()
    held: bool = False
    since_s: float | None = None
    broken_s: float | None = None


Found = Mapping[Step, bool | None]
"""Which steps are fulfilled; None where nothing tells."""


def advance(state: State, found: Found, now_s: float) -> State:
    """The state after one more look.

    Args:
        state: before it.
        found: what the look gave.
        now_s: seconds of a clock that never goes back.
    """
    earlier = ORDER[: ORDER.index(state.step)]
    broken = next((step for step in earlier if found.get(step) is False and step not in state.skipped), None)
    if broken is not None:
        since_s = now_s if state.broken_s is None else state.broken_s
        if now_s - since_s >= BACK_S:
            return _at(state, broken)
        return replace(state, broken_s=since_s, since_s=None)
    if state.step is Step.DONE:
        return replace(state, broken_s=None)
    if found.get(state.step) is not True:
        held = state.held and found.get(state.step) is None
        return replace(state, since_s=None, broken_s=None, held=held)
    since_s = now_s if state.since_s is None else state.since_s
    if now_s - since_s < STEADY_S or state.held:
        return replace(state, since_s=since_s, broken_s=None)
    return _on(replace(state, passed=state.passed | {state.step}), found)


def skip(state: State, found: Found) -> State:
    """Goes on from a step as it is."""
    if state.step is Step.DONE:
        return state
    fulfilled = found.get(state.step) is True
    passed = state.passed | ({state.step} if fulfilled else set())
    skipped = state.skipped | (set() if fulfilled else {state.step})
    return _on(replace(state, passed=passed, skipped=skipped), found)


def back(state: State) -> State:
    """Goes back by one step, and stays there."""
    before = ORDER[max(0, ORDER.index(state.step) - 1)]
    return replace(_at(state, before), held=True)


def _on(state: State, found: Found) -> State:
    """At the next step that isn't done already."""
    later = ORDER[ORDER.index(state.step) + 1 :]
    done = {step for step in state.passed if found.get(step) is True} | state.skipped
    return replace(
        state, step=next(step for step in later if step not in done), held=False, since_s=None, broken_s=None
    )


def _at(state: State, step: Step) -> State:
    return replace(state, step=step, skipped=state.skipped - {step}, held=False, since_s=None, broken_s=None)

"""What the readings mean for each step: whether it is fulfilled, and what is to be done. Pure."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping

import msgspec

from companion.app.calibrate.corners import NAMES
from companion.app.calibrate.drawings import gauge, plan
from companion.app.calibrate.sighting import Readings
from companion.app.calibrate.steps import Step
from companion.core.messages import Message, say
from companion.core.panel import Sketch
from companion.service.config_values import toml
from companion.service.mounting import GOOD_PX, LEAST_PX, lens_position

TILT_DEG, ROLL_DEG = (6.0, 8.0), (6.0, 9.0)
"""A camera may lean and be turned by the first; one that was straight is so up to the second."""
SLACK_PX = 0.15
"""What was large enough once may seem so much smaller."""
NEAR_BEST = 8
"""A lens that is turned by hand has to come so near to the best sharpness that there was."""


class Advice(msgspec.Struct, frozen=True):
    """What a step says.

    Attributes:
        fine: it is fulfilled; None if nothing tells.
        says: what is to be done, or that all is well; a paragraph each, the first matters most.
        sketch: what is drawn beside it.
        where: the corners that are meant, for those who don't see the sketch.
        written: lines for the configuration file.
    """

    fine: bool | None
    says: tuple[Message, ...]
    sketch: Sketch | None = None
    where: tuple[Message, ...] = ()
    written: tuple[str, ...] = ()


class Known(msgspec.Struct, frozen=True):
    """What was learned before.

    Attributes:
        passed: steps that were fulfilled once.
        best: the best sharpness that there was since the lens or the camera was moved.
        asked_px: the size of pictures that was asked of the camera; None if none was.
        turns: the camera's picture can be turned by the settings.
    """

    passed: frozenset[Step] = frozenset()
    best: int = 0
    asked_px: tuple[int, int] | None = None
    turns: bool = False


def advise(readings: Readings, known: Known) -> Mapping[Step, Advice]:
    """What each step says, in their order; the last one is `Step.DONE`."""
    found = {step: of(readings, known) for step, of in _STEPS.items()}
    return {**found, Step.DONE: _done(readings, known, found)}


def _picture(readings: Readings, known: Known) -> Advice:
    if readings.trouble == "waiting":
        return Advice(False, (say("calibrate.picture.waiting"),))
    if readings.trouble:
        name = "camera" if readings.trouble == "camera" else f"camera-{readings.trouble}"
        size = {"got": _size(readings.size_px)} if readings.trouble == "tiny" else {}
        return Advice(False, (say(f"trouble.{name}", **size),))
    got, asked = _size(readings.size_px), known.asked_px
    if asked and any(abs(one - other) > 0.02 * other for one, other in zip(readings.size_px, asked, strict=True)):
        return Advice(True, (say("trouble.camera-size", got=got, asked=_size(asked)),))
    return Advice(True, (say("calibrate.picture.fine", size=got),))


def _corners(readings: Readings, known: Known) -> Advice:
    if readings.trouble:
        return _nothing()
    if not readings.seen or (readings.blurred and readings.laid is None):
        if readings.blurred:
            return Advice(False, (say(_BLURRED[readings.lens.kind]),), _gauge(readings, known))
        return Advice(False, (say("calibrate.corners.none"),))
    lost, laid = readings.lost, readings.laid
    if lost is not None:
        return _find(readings, lost.covered, lost.side, lost.by_mm, lost.higher)
    if laid is not None and laid.order:
        return Advice(False, (say("calibrate.corners.order"),))
    if laid is not None and laid.turned:
        right = [name for name in readings.seen if name not in laid.turned]
        return Advice(False, (say("calibrate.corners.turned"),), plan(right), _where(laid.turned))
    if not readings.placed:
        return Advice(False, (say("calibrate.corners.misfit"),))
    return Advice(True, (say("calibrate.corners.fine"),), plan(readings.seen))


def _find(readings: Readings, covered: Collection[str], side: str, by_mm: float | None, higher: bool) -> Advice:
    missing = [name for name in NAMES if name not in readings.seen]
    if covered:
        text = say("calibrate.corners.covered", n=len(covered))
    elif higher:
        text = say("calibrate.corners.higher")
    elif by_mm is None:
        text = say("calibrate.corners.move", to=say(f"calibrate.to.{side}"))
    else:
        text = say("calibrate.corners.outside", cm=_cm(by_mm), to=say(f"calibrate.to.{side}"))
    return Advice(False, (text,), plan(readings.seen, arrow=side), _where(missing))


def _height(readings: Readings, known: Known) -> Advice:
    if readings.module_px is None:
        return _nothing()
    pixels = f"{readings.module_px:.1f}"
    if round(readings.module_px, 1) >= GOOD_PX:
        return Advice(True, (say("calibrate.height.good", px=pixels),))
    enough = round(readings.module_px, 1) >= LEAST_PX
    if enough or (Step.HEIGHT in known.passed and readings.module_px >= LEAST_PX - SLACK_PX):
        return Advice(True, (say("calibrate.height.enough", px=pixels),))
    finer = readings.finer_px
    size = {"width": finer[0], "height": finer[1]} if finer else {}
    written = (f"size = {toml(finer)}",) if finer else ()
    level = _level(readings, known)
    if not readings.room and not level.fine:  # a camera that leans or is turned wastes the picture's corners
        return level
    if readings.room:
        lower = say("calibrate.height.lower", px=pixels, cm=_cm(readings.lower_mm))
        return Advice(False, (lower, *((say("calibrate.height.or", **size),) if finer else ())), written=written)
    if finer:
        return Advice(False, (say("calibrate.height.finer", px=pixels, **size),), written=written)
    return Advice(False, (say("calibrate.height.closer", px=pixels),))


def _level(readings: Readings, known: Known) -> Advice:
    if readings.tilt_deg is None:
        return _nothing()
    passed = Step.LEVEL in known.passed
    turned = (readings.roll_deg + 90) % 180 - 90  # one that hangs upside down is straight
    degrees = round(abs(turned))
    if degrees > 45:
        return Advice(False, (say("calibrate.level.quarter"),))
    if abs(turned) > ROLL_DEG[passed]:
        way = "clockwise" if turned > 0 else "anticlockwise"
        return Advice(False, (say(f"calibrate.level.{way}", deg=degrees),))
    lean = say("calibrate.level.lean", deg=round(readings.tilt_deg), at=say(f"calibrate.at.{readings.raised}"))
    if readings.tilt_deg > TILT_DEG[passed]:
        return Advice(False, (lean,), plan(bar=readings.raised, marks=False))
    return Advice(True, (say("calibrate.level.fine", deg=round(readings.tilt_deg)),))


def _focus(readings: Readings, known: Known) -> Advice:
    if not readings.placed or readings.sharpness is None:
        return _nothing()
    lens, sketch = readings.lens, _gauge(readings, known)
    now = say("calibrate.focus.now", now=readings.sharpness, best=max(known.best, readings.sharpness))
    if lens.kind == "fixed" and readings.blurred and readings.height_mm:
        line = f"lens_position = {lens_position(readings.height_mm):.1f}"
        return Advice(False, (say("calibrate.focus.fixed", line=line),), written=(line,))
    if lens.kind == "auto":
        if readings.blurred:
            return Advice(False, (now, say("calibrate.focus.auto")), sketch)
        found = f"{lens.position:.2f}"
        return Advice(
            True, (now, say("calibrate.focus.found", position=found)), sketch,
            written=("autofocus = false", f"lens_position = {found}"),
        )  # fmt: skip
    # Only while the lens is turned the best one can be told from the one before; later a hand may cast a shadow.
    if lens.kind == "ring" and Step.FOCUS not in known.passed and readings.sharpness < known.best - NEAR_BEST:
        return Advice(False, (now, say("calibrate.focus.back")), sketch)
    if readings.blurred:
        return Advice(False, (now, say("calibrate.focus.ring")), sketch)
    return Advice(True, (now, say("calibrate.focus.fine")), sketch)


def _light(readings: Readings, known: Known) -> Advice:  # noqa: ARG001
    if not readings.placed:
        return _nothing()
    for text, names in (("dark", readings.dark), ("uneven", readings.uneven), ("glare", readings.glaring)):
        if names:
            return Advice(False, (say(f"calibrate.light.{text}"),), plan(shaded=names, marks=False), _where(names))
    return Advice(True, (say("calibrate.light.fine"),))


def _zones(readings: Readings, known: Known) -> Advice:  # noqa: ARG001
    if readings.outside is None:
        return _nothing()
    if readings.outside:
        return Advice(False, (say("calibrate.zones.outside", zone=readings.outside[0]),))
    if readings.unseen:
        return Advice(True, (say("calibrate.zones.supposed"),))
    return Advice(True, (say("calibrate.zones.fine"),))


def _done(readings: Readings, known: Known, found: Mapping[Step, Advice]) -> Advice:
    left = [step for step, advice in found.items() if advice.fine is not True]
    lines = [line for advice in found.values() for line in advice.written]
    if known.turns and abs(readings.roll_deg) > 90:
        lines.append("rotate = 180")
    says = [
        say("calibrate.done.open", steps=[say(f"calibrate.step.{step}") for step in left])
        if left
        else say("calibrate.done.fine")
    ]
    if lines:
        says.append(say("calibrate.done.write"))
    return Advice(not left, tuple(says), written=tuple(lines))


_STEPS: Mapping[Step, Callable[[Readings, Known], Advice]] = {
    Step.PICTURE: _picture,
    Step.CORNERS: _corners,
    Step.HEIGHT: _height,
    Step.LEVEL: _level,
    Step.FOCUS: _focus,
    Step.LIGHT: _light,
    Step.ZONES: _zones,
}
_BLURRED = {
    "ring": "calibrate.corners.blurred",
    "auto": "calibrate.focus.auto",
    "fixed": "calibrate.corners.blurred-fixed",
}


def _nothing() -> Advice:
    return Advice(None, (say("calibrate.unknown"),))


def _gauge(readings: Readings, known: Known) -> Sketch:
    now = readings.sharpness or 0
    return gauge(now, max(now, known.best))


def _where(names: Collection[str]) -> tuple[Message, ...]:
    return tuple(say(f"calibrate.corner.{name}") for name in names)


def _cm(mm: float) -> int:
    return max(1, math.ceil(mm / 10))


def _size(px: tuple[int, int]) -> str:
    return f"{px[0]}x{px[1]}"

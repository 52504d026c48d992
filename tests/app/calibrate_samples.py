"""Readings of a camera that is being mounted: one for each thing that a step can say."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.app.calibrate.advice import Advice, Known, advise
from companion.app.calibrate.corners import NAMES, Laid, Lost
from companion.app.calibrate.sighting import Lens, Readings
from companion.app.calibrate.steps import Step

GOOD = Readings(
    size_px=(2304, 1296), seen=NAMES, laid=Laid(), placed=True, blurred=False, sharpness=92, module_px=2.1,
    tilt_deg=2.0, raised="left", roll_deg=1.0, height_mm=820.0, outside=(),
)  # fmt: skip
"""All is well."""


def but(**changed: Any) -> Readings:
    """All is well but for this."""
    return replace(GOOD, **changed)


def unplaced(*missing: str, lost: Lost | None = None) -> Readings:
    """Some corners aren't seen."""
    seen = tuple(name for name in NAMES if name not in missing)
    return Readings(size_px=(2304, 1296), seen=seen, lost=lost, blurred=False, sharpness=90)


SMALL = but(module_px=1.6, lower_mm=118.0, finer_px=(4608, 2592))
AUTO, FIXED = Lens("auto", 1.24), Lens("fixed", 3.0)

SAID: dict[str, tuple[Step, Readings]] = {
    "picture-waiting": (Step.PICTURE, Readings("waiting")),
    "picture-camera": (Step.PICTURE, Readings("camera")),
    "picture-dark": (Step.PICTURE, Readings("dark", (2304, 1296))),
    "picture-fine": (Step.PICTURE, GOOD),
    "corners-none": (Step.CORNERS, unplaced(*NAMES)),
    "corners-blurred": (Step.CORNERS, replace(unplaced(*NAMES), blurred=True, sharpness=21)),
    "corners-blurred-fixed": (Step.CORNERS, replace(unplaced(*NAMES), blurred=True, sharpness=21, lens=FIXED)),
    "corners-covered": (Step.CORNERS, unplaced("top-left", lost=Lost(covered=("top-left",)))),
    "corners-two-covered": (Step.CORNERS, unplaced(*NAMES[:2], lost=Lost(covered=NAMES[:2]))),
    "corners-outside": (Step.CORNERS, unplaced("bottom-right", lost=Lost(side="bottom", by_mm=112.0))),
    "corners-outside-left": (Step.CORNERS, unplaced("top-left", lost=Lost(side="left", by_mm=41.0))),
    "corners-move": (Step.CORNERS, unplaced("top-left", "top-right", lost=Lost(side="top"))),
    "corners-higher": (Step.CORNERS, unplaced("top-right", "bottom-right", lost=Lost(higher=True))),
    "corners-order": (Step.CORNERS, replace(unplaced(), laid=Laid(order=True))),
    "corners-turned": (Step.CORNERS, replace(unplaced(), laid=Laid(turned=("top-right",)))),
    "corners-misfit": (Step.CORNERS, replace(unplaced(), laid=Laid())),
    "corners-fine": (Step.CORNERS, GOOD),
    "height-lower": (Step.HEIGHT, replace(SMALL, finer_px=None)),
    "height-lower-or-finer": (Step.HEIGHT, SMALL),
    "height-finer": (Step.HEIGHT, replace(SMALL, room=False)),
    "height-closer": (Step.HEIGHT, replace(SMALL, room=False, finer_px=None)),
    "height-enough": (Step.HEIGHT, GOOD),
    "height-good": (Step.HEIGHT, but(module_px=3.4)),
    "level-quarter": (Step.LEVEL, but(roll_deg=-88.0)),
    "level-clockwise": (Step.LEVEL, but(roll_deg=12.0)),
    "level-anticlockwise": (Step.LEVEL, but(roll_deg=-12.0)),
    "level-lean-bottom": (Step.LEVEL, but(tilt_deg=12.4, raised="bottom")),
    "level-lean-left": (Step.LEVEL, but(tilt_deg=7.0, raised="left")),
    "level-fine": (Step.LEVEL, GOOD),
    "focus-ring": (Step.FOCUS, but(blurred=True, sharpness=43)),
    "focus-back": (Step.FOCUS, but(sharpness=70)),
    "focus-fine": (Step.FOCUS, but(sharpness=92)),
    "focus-auto": (Step.FOCUS, but(blurred=True, sharpness=40, lens=AUTO)),
    "focus-found": (Step.FOCUS, but(sharpness=96, lens=AUTO)),
    "focus-fixed": (Step.FOCUS, but(blurred=True, sharpness=30, lens=FIXED)),
    "light-dark": (Step.LIGHT, but(dark=("top-left", "bottom-left"))),
    "light-uneven": (Step.LIGHT, but(uneven=("bottom-right",))),
    "light-glare": (Step.LIGHT, but(glaring=("top-right",))),
    "light-fine": (Step.LIGHT, GOOD),
    "zones-outside": (Step.ZONES, but(outside=("big/moon",))),
    "zones-supposed": (Step.ZONES, but(unseen=("nest-big",))),
    "zones-fine": (Step.ZONES, GOOD),
    "done-fine": (Step.DONE, GOOD),
    "done-write": (Step.DONE, but(lens=AUTO, roll_deg=178.0)),
    "done-open": (Step.DONE, but(module_px=1.6, finer_px=(4608, 2592), lens=AUTO, dark=("top-left",))),
}
"""What a step says, by a name for it: which step, and of what."""


def said(name: str) -> tuple[Step, Advice]:
    """A step, and what it says."""
    step, readings = SAID[name]
    best = 0 if name == "focus-ring" else 80
    return step, advise(readings, Known(best=best, turns=True))[step]

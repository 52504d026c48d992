"""Hanging the virtual camera elsewhere, by keys: for those who have no real one to move."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from vision.scene.optics import Optics

KEYS: Mapping[str, Callable[[Optics], Optics]] = {
    "+": lambda o: replace(o, margin_mm=o.margin_mm + 40),
    "-": lambda o: replace(o, margin_mm=max(-80.0, o.margin_mm - 40)),
    "<": lambda o: replace(o, tilt_deg=max(-20.0, o.tilt_deg - 3)),
    ">": lambda o: replace(o, tilt_deg=min(20.0, o.tilt_deg + 3)),
    "(": lambda o: replace(o, roll_deg=o.roll_deg - 5),
    ")": lambda o: replace(o, roll_deg=o.roll_deg + 5),
    "f": lambda o: replace(o, blur_px=min(10.0, o.blur_px * 1.5)),
    "s": lambda o: replace(o, blur_px=max(0.5, o.blur_px / 1.5)),
    "d": lambda o: replace(o, exposure=max(0.05, o.exposure * 0.7)),
    "l": lambda o: replace(o, exposure=min(3.0, o.exposure / 0.7)),
}
"""What a key does: higher and lower, lean, turn, out of focus and sharper, darker and lighter."""

HINT = "+- height, <> lean, () turn, fs focus, dl light"

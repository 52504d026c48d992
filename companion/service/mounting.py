"""How high a camera hangs, what it then sees, and how fine: plain geometry of a camera that looks straight down.

Source of the lenses' angles: Raspberry Pi documentation, camera hardware, horizontal field of view.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

LENSES_DEG: Mapping[str, float] = {"Camera Module 3": 66.0, "Camera Module 3 Wide": 102.0}
"""Horizontal angle of view of each lens, by its name."""

MODES: tuple[tuple[int, int], ...] = ((1920, 1080), (2304, 1296), (4608, 2592))
"""Sizes of pictures, in pixels, that show the whole field of a Camera Module 3."""

GOOD_PX, LEAST_PX = 3.0, 2.0
"""Pixels a module of a tag should have, and must have. Source: measured on rendered pictures, `./go bench reading`."""


def height_mm(field_mm: float, lens_deg: float) -> float:
    """How high the lens is above the table when it sees a field of this width.

    Args:
        field_mm: width of what is seen, more than 0.
        lens_deg: horizontal angle of view, between 0 and 180.

    Raises:
        ValueError: no lens sees so.
    """
    return field_mm / 2 / _half(lens_deg)


def field_mm(height_mm: float, lens_deg: float) -> float:
    """How wide a field a lens sees from this height; see `height_mm`."""
    return 2 * height_mm * _half(lens_deg)


def module_px(tag_mm: float, modules: int, field_mm: float, width_px: int) -> float:
    """How many pixels a module of a tag has.

    Args:
        tag_mm: side of the tag's black square.
        modules: modules along that side.
        field_mm: width of the field that is seen.
        width_px: width of the picture.
    """
    return tag_mm / modules * width_px / field_mm


def tag_mm(pixels: float, modules: int, field_mm: float, width_px: int) -> float:
    """How large the side of a tag has to be for a module to have so many pixels; see `module_px`."""
    return pixels * modules * field_mm / width_px


def lens_position(height_mm: float) -> float:
    """Where a lens that is fixed has to stand for this height, in dioptres."""
    return 1000 / height_mm


def lower_mm(pixels: float, height_mm: float, wanted_px: float = LEAST_PX) -> float:
    """By how much the camera has to be lowered for a module that has `pixels` to have `wanted_px`; 0 if it has."""
    return max(0.0, height_mm * (1 - pixels / wanted_px))


def finer_mode(pixels: float, width_px: int, wanted_px: float = LEAST_PX) -> tuple[int, int] | None:
    """The coarsest of `MODES` in which a module that has `pixels` now has `wanted_px`; None if none is fine enough.

    Args:
        pixels: what a module has now.
        width_px: width of the picture now.
        wanted_px: what it is to have.
    """
    return next((mode for mode in MODES if pixels * mode[0] / width_px >= wanted_px), None)


def _half(lens_deg: float) -> float:
    if not 0 < lens_deg < 180:
        raise ValueError(f"angle of view {lens_deg:g} degrees: a lens has more than 0 and less than 180")
    return math.tan(math.radians(lens_deg / 2))

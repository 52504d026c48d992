"""What a camera and the light in a room do to a picture, as numbers; and four typical rooms."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import numpy as np
from numpy.random import Generator

from companion.core.errors import CompanionError
from companion.core.table import Point
from vision.scene.lens import Lens

PICTURE_PX = (2304, 1296)


class OpticsError(CompanionError, ValueError):
    """No such preset."""


class Glare(msgspec.Struct, frozen=True):
    """A lamp's reflection: a soft ellipse that washes out what lies under it.

    Attributes:
        at_mm: its middle on the table.
        radii_mm: half its width and height, where it has faded to 14 %.
        strength: 1 is pure white in the middle.
    """

    at_mm: Point
    radii_mm: tuple[float, float]
    strength: float


class Shade(msgspec.Struct, frozen=True):
    """A band of shadow across the table, such as a window frame's.

    Attributes:
        at_mm: a point on its middle line.
        angle_deg: direction of that line, 0 along x, clockwise.
        width_mm: from edge to edge.
        strength: share of the light that it takes away.
        soft_mm: over how far its edges fade.
    """

    at_mm: Point
    angle_deg: float
    width_mm: float
    strength: float
    soft_mm: float = 30.0


class Optics(msgspec.Struct, frozen=True):
    """Camera and light.

    Attributes:
        picture_px: width and height.
        margin_mm: how much more than the table frame is seen at the tightest side.
        tilt_deg: lean of the camera around the table's x axis.
        roll_deg: turn of the picture.
        shift_mm: the point at which it looks, from the table's middle.
        k1: radial distortion, the picture's corner at radius 1; negative is a barrel.
        blur_px: sigma of the point spread of lens, focus and pixel together; 0.4 is the sharpest there is.
        motion_px: movement of the whole picture while the shutter is open, along x and y.
        noise: sigma per channel, in levels of 255.
        exposure: 1 renders the table's colours as they are; more washes out the whites.
        white_balance: gains of blue, green and red.
        vignette: share of the light that is missing in the corners.
        glares: reflections.
        shades: shadows.
    """

    picture_px: tuple[int, int] = PICTURE_PX
    margin_mm: float = 22.0
    tilt_deg: float = 0.0
    roll_deg: float = 0.0
    shift_mm: Point = (0.0, 0.0)
    k1: float = 0.0
    blur_px: float = 0.5
    motion_px: tuple[float, float] = (0.0, 0.0)
    noise: float = 1.0
    exposure: float = 1.0
    white_balance: tuple[float, float, float] = (1.0, 1.0, 1.0)
    vignette: float = 0.0
    glares: tuple[Glare, ...] = ()
    shades: tuple[Shade, ...] = ()

    def lens(self, size_mm: tuple[float, float]) -> Lens:
        """The geometry of this camera above a table of this size."""
        return Lens(size_mm, self.picture_px, self.margin_mm, self.tilt_deg, self.roll_deg, self.shift_mm, self.k1)


def sharp(_rng: Generator, picture_px: tuple[int, int] = PICTURE_PX) -> Optics:
    """A good lens, straight above, in even light."""
    return Optics(picture_px, blur_px=_scaled(0.5, picture_px), noise=1.0)


def mild(rng: Generator, picture_px: tuple[int, int] = PICTURE_PX) -> Optics:
    """A little blur, noise and shadow, a camera that hangs nearly straight."""
    return Optics(
        picture_px,
        tilt_deg=rng.uniform(-4, 4),
        roll_deg=rng.uniform(-1, 1),
        k1=rng.uniform(-0.03, 0.0),
        blur_px=_scaled(rng.uniform(0.6, 0.8), picture_px),
        noise=rng.uniform(1.5, 3.0),
        white_balance=_warmth(rng, 0.05),
        vignette=0.12,
        shades=(_shade(rng, 0.2),),
    )


def everyday(rng: Generator, picture_px: tuple[int, int] = PICTURE_PX) -> Optics:
    """A living room in the evening: a leaning camera, lamps, a reflection."""
    return Optics(
        picture_px,
        tilt_deg=rng.uniform(-8, 8),
        roll_deg=rng.uniform(-2, 2),
        k1=rng.uniform(-0.08, -0.02),
        blur_px=_scaled(rng.uniform(0.6, 0.85), picture_px),
        motion_px=_push(rng, _scaled(0.6, picture_px)),
        noise=rng.uniform(3.0, 5.0),
        exposure=rng.uniform(0.75, 1.1),
        white_balance=_warmth(rng, 0.12),
        vignette=0.22,
        glares=(_glare(rng, 0.5),),
        shades=(_shade(rng, 0.35), _shade(rng, 0.2)),
    )


def hard(rng: Generator, picture_px: tuple[int, int] = PICTURE_PX) -> Optics:
    """Everything at once: unfocused, shaken, dim or washed out, with strong reflections."""
    return Optics(
        picture_px,
        tilt_deg=rng.uniform(-14, 14),
        roll_deg=rng.uniform(-4, 4),
        k1=rng.uniform(-0.14, -0.06),
        blur_px=_scaled(rng.uniform(0.8, 1.1), picture_px),
        motion_px=_push(rng, _scaled(rng.uniform(1.0, 2.0), picture_px)),
        noise=rng.uniform(5.0, 8.0),
        exposure=float(rng.choice([0.45, 1.35])),
        white_balance=_warmth(rng, 0.25),
        vignette=0.35,
        glares=(_glare(rng, 0.95), _glare(rng, 0.7)),
        shades=(_shade(rng, 0.5), _shade(rng, 0.3)),
    )


PRESETS: dict[str, Callable[[Generator, tuple[int, int]], Optics]] = {
    "sharp": sharp,
    "mild": mild,
    "everyday": everyday,
    "hard": hard,
}


def preset(name: str, rng: Generator, picture_px: tuple[int, int] = PICTURE_PX) -> Optics:
    """One camera and room of this kind.

    Args:
        name: `sharp`, `mild`, `everyday` or `hard`.
        rng: draws the values that vary from room to room.
        picture_px: width and height; blurs are given for 2304 px width and grow with it.

    Raises:
        OpticsError: there is no such preset.
    """
    if name not in PRESETS:
        raise OpticsError(f"optics {name!r}: unknown; choose one of {', '.join(PRESETS)}")
    return PRESETS[name](rng, picture_px)


def _scaled(px: float, picture_px: tuple[int, int]) -> float:
    return px * picture_px[0] / PICTURE_PX[0]


def _warmth(rng: Generator, spread: float) -> tuple[float, float, float]:
    warm = rng.uniform(-spread / 3, spread)
    return (1 - warm, 1.0, 1 + warm * 0.5)


def _push(rng: Generator, length_px: float) -> tuple[float, float]:
    angle = rng.uniform(0, np.pi)
    return (length_px * float(np.cos(angle)), length_px * float(np.sin(angle)))


def _glare(rng: Generator, strength: float) -> Glare:
    at = (rng.uniform(100, 970), rng.uniform(80, 520))
    return Glare(at, (rng.uniform(60, 140), rng.uniform(25, 60)), strength * rng.uniform(0.7, 1.0))


def _shade(rng: Generator, strength: float) -> Shade:
    at = (rng.uniform(0, 1070), rng.uniform(0, 600))
    return Shade(at, rng.uniform(-90, 90), rng.uniform(60, 260), strength * rng.uniform(0.6, 1.0), rng.uniform(20, 60))

"""Pictures of one tag, by a model of what happens between paper and pixel; for benchmarks and for the corpus of tests.

It shares no code with `vision/scene` and none with the readers. In this order, in linear light:

1. Paper and ink reflect 80 % and 4 %. A sticker lies on a card with some print, and that on a grained table, turned by
   any angle, seen with up to 14 degrees of tilt, at any fraction of a pixel; drawn with 6 samples a pixel or more.
2. The lens: a Gaussian of 0.7 px (diffraction, aberration and the sensor's own low-pass together), a disc where it is
   out of focus (geometric optics), and a straight, even movement while the shutter is open.
3. The pixel: a mean over its square.
4. Light: exposure, and where there is glare a soft, bright spot over a part of the tag, added as reflections are.
5. The sensor: photons arrive by Poisson's law, reading adds a Gaussian of 4 electrons; it saturates.
6. Encoding: sRGB's curve (IEC 61966-2-1), to whole numbers of 0 to 255.

All frames of a shot are of the same still table: only their noise differs.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
from numpy.random import Generator

from companion.core.tags import QR_QUIET, Tag, cells

Floats = npt.NDArray[np.float32]
Picture = npt.NDArray[np.uint8]

PAPER, INK = 0.80, 0.04
LENS_PX = 0.7
READ_ELECTRONS = 4.0
QR_MM = 21.0
TAG_FROM_MIDDLE_MM = (-14.0, -24.0)


@dataclass(frozen=True, slots=True)
class Condition:
    """What goes wrong.

    Attributes:
        name: how it is called in tables and plots.
        electrons: what a white pixel collects at full exposure; the fewer, the more noise.
        exposure: share of the full scale that white paper reaches, over its reflectance.
        lens_px: sigma of the lens's blur.
        disc_px: radius of the disc of defocus.
        motion_px: length of the movement.
        glare: light added in the middle of the spot, in shares of the full scale.
        covered: share of the tag's area that is hidden from one side or corner.
    """

    name: str
    electrons: float = 3000.0
    exposure: float = 0.9
    lens_px: float = LENS_PX
    disc_px: float = 0.0
    motion_px: float = 0.0
    glare: float = 0.0
    covered: float = 0.0


NOMINAL = Condition("nominal")
CONDITIONS = (
    NOMINAL,
    Condition("low light", electrons=80.0),
    Condition("glare", glare=0.5),
    Condition("defocus disc 2.5 px", disc_px=2.5),
    Condition("motion 4 px", motion_px=4.0),
    Condition("motion 8 px", motion_px=8.0),
    Condition("a quarter covered", covered=0.25),
)


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """Frames of one still tag.

    Attributes:
        frames: grey pictures (H, W) uint8.
        corners_px: float64 (4, 2), clockwise from the tag's own top left; whole numbers are centres of pixels.
        to_px: float64 (2, 2), from mm of the table to px around the tag.
    """

    frames: list[Picture]
    corners_px: npt.NDArray[np.float64]
    to_px: npt.NDArray[np.float64]


def take(
    tag: Tag | npt.NDArray[np.bool_],
    px_per_cell: float,
    condition: Condition,
    rng: Generator,
    *,
    frames: int = 6,
    mirrored: bool = False,
    cell_mm: float = 1.0,
    around_mm: float = 110.0,
    quiet: int = QR_QUIET,
    over: npt.NDArray[np.bool_] | None = None,
) -> Shot:
    """A shot of a tag.

    Args:
        tag: what is printed, or its black cells (n, n); with none of them a card without a tag.
        px_per_cell: scale where the tag lies.
        condition: what goes wrong.
        rng: draws place, angle, tilt, surroundings and noise.
        frames: how many to take.
        mirrored: as if seen in a mirror.
        cell_mm: side of a cell.
        around_mm: width and height of what is seen.
        quiet: white cells around.
        over: black cells of a second sticker that lies over a half of the first.
    """
    black = np.array(tag if isinstance(tag, np.ndarray) else cells(tag), bool)
    if mirrored:
        black = black[:, ::-1]
    scale = px_per_cell / cell_mm
    size = math.ceil(around_mm * scale)
    fine = max(3, math.ceil(6 / max(1.0, scale * 0.75)))
    to_px = _leaning(rng) * scale
    angle = rng.uniform(0, 2 * math.pi)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    middle = np.full(2, (size - 1) / 2) + rng.uniform(-0.1, 0.1, 2) * size
    card_mm = -np.array(TAG_FROM_MIDDLE_MM) if len(black) in (0, 21) else np.zeros(2)

    linear = _table(size * fine, scale * fine, rng)
    _lay(linear, _card(rng), to_px @ turn, card_mm, (63.0, 88.0), middle, fine)
    side_mm = (len(black) + 2 * quiet) * cell_mm
    if black.size:
        _lay(linear, _sticker(black, quiet), to_px @ turn, np.zeros(2), (side_mm, side_mm), middle, fine)
    if over is not None:
        away = rng.uniform(0.45, 0.65) * side_mm * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])[rng.integers(4)]
        _lay(linear, _sticker(over, quiet), to_px @ turn, away, (side_mm, side_mm), middle, fine)
    if condition.covered:
        _cover(linear, to_px @ turn, len(black) * cell_mm, condition.covered, middle, fine, rng)
    light = _seen(linear, condition, fine, rng)
    if condition.glare:
        light = light + _spot(size, middle, side_mm * scale, condition.glare, rng)
    half = len(black) * cell_mm / 2
    square = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return Shot([_developed(light, condition, rng) for _ in range(frames)], square @ (to_px @ turn).T + middle, to_px)


def _leaning(rng: Generator) -> npt.NDArray[np.float64]:
    """A plane leaning away, to first order: shorter along one direction; its area is kept."""
    lean, way = math.cos(math.radians(rng.uniform(0, 14))), rng.uniform(0, math.pi)
    axes = np.array([[math.cos(way), -math.sin(way)], [math.sin(way), math.cos(way)]])
    return np.asarray(axes @ np.diag([lean**-0.5, lean**0.5]) @ axes.T)


def _table(side: int, px_per_mm: float, rng: Generator) -> Floats:
    """Grain: noise drawn out along one direction, over a tone."""
    tone, contrast = rng.uniform(0.05, 0.5), rng.uniform(0.02, 0.25)
    coarse = rng.standard_normal((max(8, int(side / px_per_mm / 1.5)), max(8, int(side / px_per_mm / 12))))
    grain = cv2.resize(coarse.astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(tone * (1 + contrast * grain), 0.01, 0.9), np.float32)


def _card(rng: Generator) -> Floats:
    """A card's face, 4 samples a mm: a border, blots, strokes and letters."""
    face = np.full((352, 252), rng.uniform(0.3, 0.85) * 255, np.uint8)
    picture = np.full((324, 224), rng.uniform(0.1, 0.8) * 255, np.uint8)
    for _ in range(rng.integers(2, 9)):
        at = (int(rng.integers(0, 224)), int(rng.integers(0, 324)))
        cv2.circle(picture, at, int(rng.integers(8, 70)), int(rng.integers(12, 217)), -1, cv2.LINE_AA)
    for _ in range(rng.integers(0, 12)):
        ends = [int(end) for end in rng.integers(0, 320, 4)]
        tone, wide = int(rng.integers(8, 217)), int(rng.integers(1, 9))
        cv2.line(picture, (ends[0], ends[1]), (ends[2], ends[3]), tone, wide, cv2.LINE_AA)
    for _ in range(rng.integers(0, 6)):
        text = "".join(chr(int(c)) for c in rng.integers(65, 91, 8))
        at = (int(rng.integers(0, 160)), int(rng.integers(20, 320)))
        cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, rng.uniform(0.4, 1.6), 10, 2, cv2.LINE_AA)
    face[14:338, 14:238] = picture
    return np.asarray(face / np.float32(255), np.float32)


def _sticker(black: npt.NDArray[np.bool_], quiet: int) -> Floats:
    return np.pad(np.where(black, INK, PAPER).astype(np.float32), quiet, constant_values=PAPER)


def _lay(
    linear: Floats,
    print_: Floats,
    to_px: npt.NDArray[np.float64],
    at_mm: npt.NDArray[np.float64],
    size_mm: tuple[float, float],
    middle: npt.NDArray[np.float64],
    fine: int,
) -> None:
    """Draws a print over the finely sampled picture."""
    height, width = print_.shape
    mm = np.diag([size_mm[0] / width, size_mm[1] / height])
    # From samples of the print, whose centres are whole numbers, to samples of the picture.
    linear_map = fine * to_px @ mm
    start = fine * (to_px @ (at_mm - np.array(size_mm) / 2) + middle + 0.5) - 0.5 + linear_map @ [0.5, 0.5]
    matrix = np.column_stack([linear_map, start])
    size = linear.shape[::-1]
    cv2.warpAffine(print_, matrix, size, dst=linear, flags=cv2.INTER_NEAREST, borderMode=cv2.BORDER_TRANSPARENT)


def _cover(
    linear: Floats,
    to_px: npt.NDArray[np.float64],
    side_mm: float,
    share: float,
    middle: npt.NDArray[np.float64],
    fine: int,
    rng: Generator,
) -> None:
    """Something of one tone - a finger, another card's edge - that hides a share of the tag from a side or a corner."""
    half = side_mm / 2
    if rng.random() < 0.5:
        reach = side_mm * share
        polygon = np.array(
            [(-3 * half, -half + reach), (3 * half, -half + reach), (3 * half, -3 * half), (-3 * half,) * 2]
        )
    else:
        reach = side_mm * math.sqrt(2 * share)
        polygon = np.array([(-half - side_mm, -half + reach + side_mm), (-half + reach + side_mm, -half - side_mm)])
        polygon = np.vstack([polygon, [(-half - side_mm, -half - side_mm)]])
    quarter = np.array([[0, -1], [1, 0]])
    polygon = polygon @ np.linalg.matrix_power(quarter, int(rng.integers(4)))
    points = np.rint(fine * (polygon @ to_px.T + middle + 0.5)).astype(np.int32)
    cv2.fillPoly(linear, [points], float(rng.uniform(0.05, 0.7)))


def _seen(linear: Floats, condition: Condition, fine: int, rng: Generator) -> Floats:
    """Lens and pixel."""
    blurred = cv2.GaussianBlur(linear, (0, 0), condition.lens_px * fine)
    if condition.disc_px:
        blurred = cv2.filter2D(blurred, -1, disc(condition.disc_px * fine), borderType=cv2.BORDER_REFLECT_101)
    if condition.motion_px:
        streak = line(condition.motion_px * fine, rng.uniform(0, math.pi))
        blurred = cv2.filter2D(blurred, -1, streak, borderType=cv2.BORDER_REFLECT_101)
    size = len(linear) // fine
    return np.asarray(cv2.resize(blurred, (size, size), interpolation=cv2.INTER_AREA), np.float32)


def disc(radius: float) -> Floats:
    """A disc that sums to one, with soft edges, radius in samples."""
    reach = math.ceil(radius) + 1
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    kernel = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return np.asarray(kernel / kernel.sum(), np.float32)


def line(length: float, angle: float) -> Floats:
    """A line that sums to one, length in samples, angle in radians."""
    reach = math.ceil(length / 2) + 1
    kernel = np.zeros((2 * reach + 1,) * 2)
    for share in np.linspace(-0.5, 0.5, 8 * reach):
        x, y = reach + length * share * math.cos(angle), reach + length * share * math.sin(angle)
        left, top = int(x), int(y)
        for row, column in ((top, left), (top, left + 1), (top + 1, left), (top + 1, left + 1)):
            kernel[row, column] += (1 - abs(x - column)) * (1 - abs(y - row))
    return np.asarray(kernel / kernel.sum(), np.float32)


def _spot(size: int, middle: npt.NDArray[np.float64], side_px: float, strength: float, rng: Generator) -> Floats:
    """A lamp's reflection that meets the tag off its middle."""
    at = middle + rng.uniform(-0.5, 0.5, 2) * side_px
    y, x = np.mgrid[:size, :size]
    wide, high = rng.uniform(0.5, 1.2, 2) * side_px
    return np.asarray(strength * np.exp(-(((x - at[0]) / wide) ** 2) - ((y - at[1]) / high) ** 2), np.float32)


def _developed(light: Floats, condition: Condition, rng: Generator) -> Picture:
    """The sensor and its encoding."""
    electrons = rng.poisson(light * condition.exposure * condition.electrons)
    level = (electrons + rng.normal(0, READ_ELECTRONS, light.shape)) / condition.electrons
    level = np.clip(level, 0, 1)
    encoded = np.where(level <= 0.0031308, 12.92 * level, 1.055 * level ** (1 / 2.4) - 0.055)
    return np.asarray(np.rint(255 * encoded), np.uint8)


def montage(pictures: Sequence[Picture], columns: int, enlarge: int = 3) -> Picture:
    """Pictures side by side, to be looked at."""
    high, wide = (max(p.shape[i] for p in pictures) for i in (0, 1))
    padded = [np.pad(p, ((0, high - p.shape[0]), (0, wide - p.shape[1]))) for p in pictures]
    padded += [np.zeros((high, wide), np.uint8)] * (-len(padded) % columns)
    rows = [np.hstack(padded[i : i + columns]) for i in range(0, len(padded), columns)]
    return np.asarray(cv2.resize(np.vstack(rows), None, fx=enlarge, fy=enlarge, interpolation=cv2.INTER_NEAREST))

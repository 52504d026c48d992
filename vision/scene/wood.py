"""The table's wood: planks with grain, made from seeded noise."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

_PLANK_MM = 105.0
_DARK, _LIGHT = (
    np.array([42, 70, 104], np.float32),
    np.array([86, 128, 172], np.float32),
)  # BGR of late and early wood


@lru_cache(maxsize=4)
def wood(size_mm: tuple[int, int], px_per_mm: int, seed: int) -> NDArray[np.uint8]:
    """Boards running along x.

    Returns:
        BGR, uint8, shape (height, width, 3), read-only: it is kept for the next caller.
    """
    width, height = (side * px_per_mm for side in size_mm)
    rng = np.random.default_rng(seed)
    y = np.arange(height, dtype=np.float32)[:, None] / px_per_mm
    plank = np.floor(y / _PLANK_MM).astype(int)
    count = int(plank.max()) + 1
    across = y - plank * _PLANK_MM
    bend = _smooth(rng, (height, width), (26 * px_per_mm, 240 * px_per_mm)) * 16
    shift = rng.uniform(0, 60, count).astype(np.float32)[plank]
    spacing = rng.uniform(6, 11, count).astype(np.float32)[plank]
    phase = (across + shift + bend) / spacing
    rings = 0.5 + 0.5 * np.sin(2 * np.pi * (phase + 0.25 * np.sin(2 * np.pi * phase)))
    fibre = _smooth(rng, (height, width), (1, 22 * px_per_mm))
    pores = _smooth(rng, (height, width), (1, 4 * px_per_mm))
    tone = 0.52 + 0.16 * rings + 0.10 * fibre - 0.10 * np.clip(pores - 1.1, 0, 1)
    tone += rng.uniform(-0.09, 0.09, count).astype(np.float32)[plank]
    gap = np.clip(1 - np.abs(across - 0.6) / 0.9, 0, 1)
    tone = np.clip(tone * (1 - 0.55 * gap) * 255, 0, 255).astype(np.uint8)
    colours = _DARK + (_LIGHT - _DARK) * np.linspace(0, 1, 256)[:, None]
    picture = np.asarray(cv2.LUT(cv2.merge([tone, tone, tone]), colours.astype(np.uint8).reshape(256, 1, 3)), np.uint8)
    picture.setflags(write=False)
    return picture


def _smooth(rng: np.random.Generator, shape: tuple[int, int], grain_px: tuple[int, int]) -> NDArray[np.float32]:
    """Noise of mean 0 and deviation 1 that varies over `grain_px` (down, across)."""
    rough = (max(2, shape[0] // grain_px[0]), max(2, shape[1] // grain_px[1]))
    noise = rng.standard_normal(rough).astype(np.float32)
    smooth = cv2.resize(noise, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray((smooth - smooth.mean()) / smooth.std(), np.float32)

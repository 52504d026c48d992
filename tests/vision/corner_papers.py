"""Pictures of a table with four corner papers, varied in everything that hides a marker's outline from a detector.

Drawn apart from the product's renderer: size of the paper and place of the marker on it, cut lines and words, colour
and grain of the table, height, tilt, blur, noise, light and JPEG.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.tags import ArucoTag, cells

CELL_PX = 24
SIDE_PX = 7 * CELL_PX
PX_PER_MM = SIDE_PX / 50
TABLES = (235, 205, 120, 60, 25)
"""Grey levels: white, light wood, wood, dark wood, black."""

Grey = npt.NDArray[Any]


def paper(rng: np.random.Generator, number: int) -> tuple[Grey, npt.NDArray[np.float32]]:
    """A corner marker on its paper, with borders of 3 to 30 mm; and the marker's corners on it."""
    top, right, bottom, left = (int(border) for border in rng.uniform(3, 30, 4) * PX_PER_MM)
    sheet = np.full((SIDE_PX + top + bottom, SIDE_PX + left + right), 245, np.uint8)
    black = np.kron(np.array(cells(ArucoTag(number)), np.uint8), np.ones((CELL_PX, CELL_PX), np.uint8))
    sheet[top : top + SIDE_PX, left : left + SIDE_PX] = np.where(black, 0, 255)
    style = int(rng.integers(4))
    if style & 1:
        gap = int(rng.uniform(3, 8) * PX_PER_MM)
        ends = (left - gap, top - gap), (left + SIDE_PX + gap, top + SIDE_PX + gap)
        cv2.rectangle(sheet, *ends, int(rng.integers(0, 160)), max(1, int(rng.uniform(0.2, 0.8) * PX_PER_MM)))
    if style & 2:
        cv2.putText(sheet, "top left", (left, max(12, top - 7)), cv2.FONT_HERSHEY_SIMPLEX, 0.4, 40, 2)
    square = np.array([(0, 0), (SIDE_PX, 0), (SIDE_PX, SIDE_PX), (0, SIDE_PX)], np.float32)
    return sheet, square + np.array((left, top), np.float32)


def picture(rng: np.random.Generator, size: tuple[int, int] = (2304, 1296)) -> tuple[Grey, dict[int, Grey], float]:
    """A whole frame uint8 (H, W), the corners (4, 2) in px of its markers, 40 to 160 px a side, and its noise."""
    width, height = size
    ground = np.full((height, width), TABLES[rng.integers(len(TABLES))] + rng.normal(0, 8), np.float32)
    grain = rng.normal(0, 1, (height // 16, width // 4)).astype(np.float32)
    ground += cv2.resize(grain, size, interpolation=cv2.INTER_CUBIC) * rng.choice([0, 3, 10])
    scale = rng.uniform(0.8, 3.2) * width / 2304 / PX_PER_MM
    inset, tilt = (rng.uniform(0.1, 0.5), rng.uniform(0.15, 0.5)), rng.normal(0, 0.05, 2)
    truth = {}
    for number, side in enumerate([(-1, -1), (1, -1), (1, 1), (-1, 1)]):
        sheet, marker = paper(rng, number)
        high, wide = sheet.shape
        outline = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
        room = np.array((wide, high)) * scale * 0.75 + 10
        place = np.array(size) / 2 * (1 + np.array(side) * (1 - np.array(inset))) + rng.uniform(-0.06, 0.06, 2) * width
        place = np.clip(place, room, np.array(size) - room)
        angle = rng.normal(0, 0.1)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        seen = (outline - np.array((wide, high)) / 2) * scale @ turn
        seen = seen * (1 + (seen @ tilt)[:, None] / 600) + place
        matrix = cv2.getPerspectiveTransform(outline, seen.astype(np.float32))
        cover = cv2.warpPerspective(np.ones_like(sheet, np.float32), matrix, size, flags=cv2.INTER_AREA)
        print_ = cv2.warpPerspective(sheet, matrix, size, flags=cv2.INTER_AREA)
        shadow = np.roll(cv2.GaussianBlur(cover, (0, 0), 3), (3, 3), (0, 1)) * (1 - cover)
        ground = ground * (1 - 0.25 * shadow) * (1 - cover) + print_ * cover
        truth[number] = cv2.perspectiveTransform(marker[None], matrix)[0]
    across, down = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    light = 1 + rng.normal(0, 0.15) * across + rng.normal(0, 0.15) * down - 0.12 * (across**2 + down**2)
    ground = cv2.GaussianBlur(
        ground * (light * rng.uniform(0.55, 1.05)).astype(np.float32), (0, 0), rng.uniform(0.5, 1.6)
    )
    noise = rng.uniform(1, 6)
    grey = np.clip(ground + rng.normal(0, noise, ground.shape), 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        grey = cv2.imdecode(cv2.imencode(".jpg", grey, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(60, 95))])[1], 0)
    return grey, truth, float(noise)

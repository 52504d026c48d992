"""Where the corner marks are that aren't seen, and what is wrong with those that are. Pure."""

from __future__ import annotations

import math
from collections.abc import Mapping

import cv2
import msgspec
import numpy as np

from companion.core.tags import CORNER_IDS
from vision.fiducials import Corners
from vision.lens import Points, area

NAMES = ("top-left", "top-right", "bottom-right", "bottom-left")
"""Of the corners, in the order of their marks."""
SIDES: Mapping[str, tuple[int, int]] = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}
"""Of the table, each with its direction along the table."""
ROOM = 0.08
"""Marks that can't be moved by this share of the picture's width before they leave it have no room."""
EDGE_PX = 4.0
"""A mark is seen only with a little of the paper around it."""
_UNIT = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


class Lost(msgspec.Struct, frozen=True):
    """What has to be done to see all corner marks.

    Attributes:
        covered: corners that must be in the picture, but aren't seen.
        side: of the table, towards which the camera has to be moved; empty if that doesn't help.
        by_mm: how far; None if nothing tells.
        higher: the camera hangs too low to see them all.
    """

    covered: tuple[str, ...] = ()
    side: str = ""
    by_mm: float | None = None
    higher: bool = False


class Laid(msgspec.Struct, frozen=True):
    """What is wrong with four marks that are all seen.

    Attributes:
        order: they don't follow one another clockwise.
        turned: corners whose mark's own top edge isn't at the table's top edge.
    """

    order: bool = False
    turned: tuple[str, ...] = ()


def lost(
    seen_px: Mapping[int, Corners], size_px: tuple[int, int], mark_mm: float, layout_mm: Mapping[int, Corners] | None
) -> Lost:
    """What becomes of the marks that aren't seen.

    Args:
        seen_px: those that are, one to three.
        size_px: width and height of the picture.
        mark_mm: side of a mark.
        layout_mm: all four marks in the table's frame, if they were ever seen together.
    """
    across = _mean([(mark[1] - mark[0] + mark[2] - mark[3]) / 2 for mark in seen_px.values()])
    down = _mean([(mark[3] - mark[0] + mark[2] - mark[1]) / 2 for mark in seen_px.values()])
    axes = np.array([across, down]) / np.array([[np.hypot(*across)], [np.hypot(*down)]])
    px_per_mm = float(np.hypot(*across) + np.hypot(*down)) / 2 / mark_mm
    half_px = mark_mm * px_per_mm * math.sqrt(0.5) + EDGE_PX
    expected = _expected(seen_px, axes[0], layout_mm)
    out = {number: _overflow(centre, size_px, half_px) for number, centre in expected.items()}
    seen = np.concatenate(list(seen_px.values()))
    if away := [overflow for overflow in out.values() if overflow.any()]:
        return _moved(max(away, key=lambda one: float(np.hypot(*one))), axes, seen, size_px, px_per_mm)
    if expected:
        return Lost(covered=tuple(NAMES[number] for number in sorted(out)))
    missing = [number for number in CORNER_IDS if number not in seen_px]
    wanted = _UNIT[missing].mean(axis=0) - _UNIT[list(seen_px)].mean(axis=0)
    rooms = {side: _room_px(seen, -(np.array(way) @ axes), size_px) for side, way in SIDES.items() if wanted @ way > 0}
    side = max(rooms, key=lambda one: rooms[one])
    return Lost(side=side) if rooms[side] > ROOM * size_px[0] else Lost(higher=True)


def laid(seen_px: Mapping[int, Corners]) -> Laid:
    """Whether four marks lie as they are printed."""
    centres = np.array([seen_px[number].mean(axis=0) for number in CORNER_IDS])
    if not cv2.isContourConvex(centres.astype(np.float32)) or area(centres) <= 0:
        return Laid(order=True)
    along = centres[1] - centres[0] + centres[2] - centres[3]
    tops = {number: mark[1] - mark[0] + mark[2] - mark[3] for number, mark in seen_px.items()}
    return Laid(turned=tuple(NAMES[number] for number in CORNER_IDS if not _same_way(tops[number], along)))


def _expected(
    seen_px: Mapping[int, Corners], across: Points, layout_mm: Mapping[int, Corners] | None
) -> dict[int, Points]:
    """The middles in px of those that aren't seen, as far as those that are tell."""
    missing = [number for number in CORNER_IDS if number not in seen_px]
    middles = {number: mark.mean(axis=0) for number, mark in seen_px.items()}
    if layout_mm:
        there = np.concatenate([layout_mm[number] for number in seen_px])
        matrix, _ = cv2.estimateAffinePartial2D(there, np.concatenate(list(seen_px.values())))
        if matrix is not None:
            return {number: matrix @ np.append(layout_mm[number].mean(axis=0), 1.0) for number in missing}
    if len(middles) == 3:
        number = missing[0]
        return {number: middles[(number + 1) % 4] + middles[(number + 3) % 4] - middles[(number + 2) % 4]}
    if len(middles) == 2 and (missing[0] + missing[1]) % 2 == 0:  # a diagonal, and its rectangle
        one, other = sorted(middles)
        step = across * float((middles[other] - middles[one]) @ across)
        first, second = middles[one] + step, middles[other] - step
        return {1: first, 3: second} if one == 0 else {0: first, 2: second}
    return {}


def _moved(overflow: Points, axes: Points, seen: Points, size_px: tuple[int, int], px_per_mm: float) -> Lost:
    """By how much the camera has to be moved so that what is so far outside comes in; higher, if others then go out."""
    ways = {side: float(overflow @ (np.array(way) @ axes)) for side, way in SIDES.items()}
    side = max(ways, key=lambda one: ways[one])
    if _room_px(seen, -(np.array(SIDES[side]) @ axes), size_px) < ways[side]:
        return Lost(higher=True)
    return Lost(side=side, by_mm=ways[side] / px_per_mm)


def _room_px(points: Points, way: Points, size_px: tuple[int, int]) -> float:
    """How far points can be moved in a direction until one of them leaves the picture."""
    rooms = []
    for axis in (0, 1):
        if abs(way[axis]) > 1e-6:
            edge = size_px[axis] - 1 if way[axis] > 0 else 0.0
            rooms.append(float(((edge - points[:, axis]) / way[axis]).min()))
    return max(0.0, min(rooms))


def _overflow(middle: Points, size_px: tuple[int, int], half_px: float) -> Points:
    """How far a mark is outside of the picture, in px along x and y."""
    inside = np.clip(middle, half_px, np.array(size_px) - 1 - half_px)
    return np.asarray(middle - inside)


def _mean(vectors: list[Points]) -> Points:
    return np.asarray(np.mean(vectors, axis=0))


def _same_way(one: Points, other: Points) -> bool:
    return float(one @ other) > math.sqrt(0.5) * float(np.hypot(*one) * np.hypot(*other))

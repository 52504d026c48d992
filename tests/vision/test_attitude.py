"""How a camera hangs, told from its picture, against the scene's own lens, which shares no code with it."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from vision.attitude import attitude
from vision.lens import Homography
from vision.scene.lens import Lens

TABLE_MM = (1070.0, 600.0)
SIZE_PX = (2304, 1296)


def _seen(**more: float) -> tuple[Homography, float]:
    """The map of a lens above the table, and its true angle of view."""
    lens = Lens(TABLE_MM, SIZE_PX, **more)  # type: ignore[arg-type]
    corners = np.array([(0, 0), (TABLE_MM[0], 0), TABLE_MM, (0, TABLE_MM[1])], np.float32)
    matrix = cv2.getPerspectiveTransform(lens.to_px(corners).astype(np.float32), corners)
    return Homography(np.asarray(matrix, np.float64)), math.degrees(2 * math.atan(SIZE_PX[0] / 2 / lens._focal_px))


def test_a_camera_that_looks_straight_down_stands_upright_above_the_middle() -> None:
    found = attitude(*_with(_seen(margin_mm=20.0)))
    assert (found.tilt_deg, found.roll_deg) == (pytest.approx(0, abs=0.05), pytest.approx(0, abs=0.05))
    assert found.foot_mm == (pytest.approx(535, abs=1), pytest.approx(300, abs=1))
    assert found.height_mm == pytest.approx((1070 + 40) / 2 / math.tan(math.radians(33)), rel=0.01)


@pytest.mark.parametrize(("tilt_deg", "looks"), [(8.0, (0.0, -1.0)), (-8.0, (0.0, 1.0))])
def test_a_leaning_camera_leans_by_so_much_to_where_the_table_looks_smaller(
    tilt_deg: float, looks: tuple[float, float]
) -> None:
    table, lens_deg = _seen(tilt_deg=tilt_deg)
    found = attitude(table, SIZE_PX, lens_deg)
    assert found.tilt_deg == pytest.approx(8.0, abs=0.1)
    assert found.looks == (pytest.approx(0, abs=0.01), pytest.approx(looks[1], abs=0.01))
    top, bottom = (table.px_per_mm((535, y)) for y in (10.0, 590.0))
    assert (bottom < top) == (looks[1] > 0)


@pytest.mark.parametrize("roll_deg", [-170.0, -12.0, 5.0, 90.0])
def test_a_turned_camera_is_turned_by_so_much(roll_deg: float) -> None:
    found = attitude(*_with(_seen(roll_deg=roll_deg)))
    assert found.roll_deg == pytest.approx(roll_deg, abs=0.05)
    assert found.tilt_deg == pytest.approx(0, abs=0.05)


def test_with_a_wider_lens_than_supposed_it_seems_to_hang_higher_but_to_lean_to_the_same_side() -> None:
    table, lens_deg = _seen(tilt_deg=10.0)
    right, wrong = (attitude(table, SIZE_PX, angle) for angle in (lens_deg, lens_deg * 0.7))
    assert wrong.height_mm > 1.3 * right.height_mm
    assert wrong.tilt_deg > right.tilt_deg
    assert wrong.looks == (pytest.approx(right.looks[0], abs=0.01), pytest.approx(right.looks[1], abs=0.01))


def _with(seen: tuple[Homography, float]) -> tuple[Homography, tuple[int, int], float]:
    return seen[0], SIZE_PX, seen[1]

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.scene.lens import Lens, border

SIZE = (1070.0, 600.0)
lenses = st.builds(
    Lens,
    st.just(SIZE),
    st.sampled_from([(2304, 1296), (1152, 648), (640, 480)]),
    margin_mm=st.floats(5, 60),
    tilt_deg=st.floats(-15, 15),
    roll_deg=st.floats(-5, 5),
    shift_mm=st.tuples(st.floats(-30, 30), st.floats(-30, 30)),
    k1=st.floats(-0.15, 0.1),
)


@given(lenses, st.floats(-20, 1090), st.floats(-20, 620))
def test_back_from_px_to_mm_leads_to_the_same_point(lens: Lens, x: float, y: float) -> None:
    assert lens.to_mm(lens.to_px([(x, y)]))[0] == pytest.approx((x, y), abs=0.05)


@given(lenses)
def test_the_whole_table_is_in_the_picture_and_fills_it_one_way(lens: Lens) -> None:
    px = lens.to_px(border((0, 0), SIZE))
    width, height = lens.picture_px
    assert (px >= -0.5).all()
    assert (px <= (width - 0.5, height - 0.5)).all()
    assert max(np.ptp(px[:, 0]) / width, np.ptp(px[:, 1]) / height) > 0.55


def test_a_straight_camera_shows_squares_as_squares_and_its_middle_in_the_middle() -> None:
    lens = Lens(SIZE, (2304, 1296), margin_mm=20)
    assert lens.to_px([(535, 300)])[0] == pytest.approx((1151.5, 647.5))
    assert lens.jacobian((100, 100)) == pytest.approx(np.eye(2) * lens.px_per_mm)
    # The picture is a little flatter than the table with its margin, so its height decides.
    assert lens.px_per_mm == pytest.approx(1295 / 640, rel=1e-4)


def test_the_map_says_for_each_pixel_what_to_mm_says() -> None:
    lens = Lens(SIZE, (320, 180), tilt_deg=8, roll_deg=2, k1=-0.08)
    x, y = lens.map_mm()
    points = [(0, 0), (319, 0), (100, 70), (319, 179)]
    assert np.array([(x[v, u], y[v, u]) for u, v in points]) == pytest.approx(lens.to_mm(points), abs=0.02)


def test_a_barrel_pulls_the_corners_inwards() -> None:
    straight, barrel = (Lens(SIZE, (2304, 1296), k1=k1) for k1 in (0.0, -0.1))
    # The barrel is zoomed in until its corners are where the straight lens has them: so its middle is larger.
    assert barrel.px_per_mm > straight.px_per_mm


def test_roll_turns_the_picture_clockwise() -> None:
    lens = Lens(SIZE, (2304, 1296), roll_deg=3)
    (left, right) = lens.to_px([(100, 300), (900, 300)])
    assert np.degrees(np.arctan2(right[1] - left[1], right[0] - left[0])) == pytest.approx(3)

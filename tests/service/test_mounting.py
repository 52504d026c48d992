from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.tags import ARUCO_CELLS, QR_MODULES
from companion.service.mounting import (
    GOOD_PX,
    LEAST_PX,
    LENSES_DEG,
    MODES,
    field_mm,
    finer_mode,
    height_mm,
    lens_position,
    lower_mm,
    module_px,
    tag_mm,
)


def test_a_lens_of_a_right_angle_sees_twice_its_height() -> None:
    assert height_mm(1000, 90) == pytest.approx(500)
    assert field_mm(500, 90) == pytest.approx(1000)


def test_the_table_is_seen_from_the_heights_that_a_drawing_gives() -> None:
    """66 and 102 degrees, drawn to scale and measured: a field of 107 cm."""
    heights = {name: round(height_mm(1070, angle) / 10) for name, angle in LENSES_DEG.items()}
    assert heights == {"Camera Module 3": 82, "Camera Module 3 Wide": 43}


@given(st.floats(1, 5000), st.floats(5, 170))
def test_height_and_field_belong_together(field: float, angle: float) -> None:
    assert field_mm(height_mm(field, angle), angle) == pytest.approx(field)


def test_a_card_at_the_usual_table_has_little_more_than_the_least() -> None:
    assert module_px(21, QR_MODULES, 1070, 2304) == pytest.approx(2.153, abs=0.001)
    assert module_px(14, ARUCO_CELLS, 1070, 2304) == pytest.approx(4.307, abs=0.001)


@given(st.floats(1, 10), st.floats(100, 2000), st.sampled_from(MODES))
def test_tag_and_pixels_belong_together(pixels: float, field: float, mode: tuple[int, int]) -> None:
    side = tag_mm(pixels, QR_MODULES, field, mode[0])
    assert module_px(side, QR_MODULES, field, mode[0]) == pytest.approx(pixels)


@given(st.floats(0.2, 1.99), st.floats(200, 1500), st.sampled_from(sorted(LENSES_DEG.values())))
def test_a_camera_lowered_as_advised_sees_finely_enough(pixels: float, height: float, angle: float) -> None:
    """What was too coarse by a factor is seen in a field that is narrower by it."""
    lowered = height - lower_mm(pixels, height)
    assert pixels * field_mm(height, angle) / field_mm(lowered, angle) == pytest.approx(LEAST_PX)


def test_a_camera_that_sees_finely_enough_stays_where_it_is() -> None:
    assert [lower_mm(pixels, 820) for pixels in (LEAST_PX, GOOD_PX)] == [0, 0]
    assert lower_mm(GOOD_PX, 820, wanted_px=6) == pytest.approx(410)


@pytest.mark.parametrize(
    ("pixels", "width_px", "mode"),
    [(2.5, 1920, (1920, 1080)), (1.7, 1920, (2304, 1296)), (1.0, 2304, (4608, 2592)), (0.9, 2304, None)],
)
def test_a_finer_mode_is_named_if_there_is_one(pixels: float, width_px: int, mode: tuple[int, int] | None) -> None:
    assert finer_mode(pixels, width_px) == mode


def test_a_fixed_lens_stands_at_one_over_the_metres() -> None:
    assert [round(lens_position(height), 2) for height in (820, 500, 1000)] == [1.22, 2.0, 1.0]


@pytest.mark.parametrize("angle", [0, -5, 180, 200])
def test_no_lens_sees_everything_or_nothing(angle: float) -> None:
    with pytest.raises(ValueError, match="angle of view"):
        height_mm(1000, angle)

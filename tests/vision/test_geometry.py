from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.fiducials import Corners
from vision.geometry import Table
from vision.lens import Homography, Points, Radial, transform
from vision.survey import survey

SIZE_PX = (2304, 1296)
SIDE_MM = 50.0


def stuck(rng: np.random.Generator, width: float = 900.0, height: float = 520.0) -> dict[int, Corners]:
    """Four markers stuck as a rough rectangle, by corner in table mm; the table frame is that of the first two."""
    places = [(0.0, 0.0), (width, 0.0), (width + rng.uniform(-20, 20), height), (rng.uniform(-20, 20), height + 15.0)]
    markers = {}
    for number, place in enumerate(places):
        angle = rng.normal(0, 0.06)
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float64) * SIDE_MM
        markers[number] = (square - square[number]) @ turn + place
    return markers


def camera(
    tilt_deg: float = 0.0, roll_deg: float = 0.0, shift_px: tuple[float, float] = (0, 0), k: float = 0.0
) -> Homography:
    """The true map of a camera 800 mm above the middle of that table."""
    tilt, roll = np.radians(tilt_deg), np.radians(roll_deg)
    turn_x = np.array([[1, 0, 0], [0, np.cos(tilt), -np.sin(tilt)], [0, np.sin(tilt), np.cos(tilt)]])
    turn_z = np.array([[np.cos(roll), -np.sin(roll), 0], [np.sin(roll), np.cos(roll), 0], [0, 0, 1]])
    turn = turn_x @ turn_z
    focal = SIZE_PX[0] / 1070 * 800
    inner = np.array([[focal, 0, SIZE_PX[0] / 2 + shift_px[0]], [0, focal, SIZE_PX[1] / 2 + shift_px[1]], [0, 0, 1]])
    move = np.array([0, 0, 800]) - turn @ np.array([450, 260, 0])
    to_px = inner @ np.column_stack([turn[:, 0], turn[:, 1], move])
    middle = (SIZE_PX[0] / 2 - 0.5, SIZE_PX[1] / 2 - 0.5)
    return Homography(np.linalg.inv(to_px), Radial(middle, float(np.hypot(*SIZE_PX)) / 2, k))


def seen(
    markers: dict[int, Corners], true: Homography, rng: np.random.Generator, noise_px: float = 0.0
) -> dict[int, Corners]:
    return {number: true.to_px(corners) + rng.normal(0, noise_px, (4, 2)) for number, corners in markers.items()}


GRID: Points = np.array([(x, y) for x in np.linspace(30, 870, 7) for y in np.linspace(30, 490, 5)])


def worst_mm(found: Homography | None, true: Homography) -> float:
    assert found is not None
    return float(np.linalg.norm(found.to_mm(true.to_px(GRID)) - GRID, axis=1).max())


@settings(max_examples=40, deadline=None)
@given(
    tilt=st.floats(-35, 35),
    roll=st.floats(-12, 12),
    k=st.floats(-0.02, 0.1),
    seed=st.integers(0, 1000),
)
def test_the_size_of_the_markers_alone_measures_the_table(tilt: float, roll: float, k: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    true = camera(tilt, roll, k=k)
    result = survey(seen(stuck(rng), true, rng), SIDE_MM, SIZE_PX)
    assert result is not None
    assert worst_mm(result[0], true) < 1.0
    assert result[1] < 0.3


@settings(max_examples=20, deadline=None)
@given(
    points=st.lists(st.tuples(st.floats(0, 2303), st.floats(0, 1295)), min_size=1, max_size=5), k=st.floats(-0.1, 0.15)
)
def test_there_and_back_is_where_one_was(points: list[tuple[float, float]], k: float) -> None:
    true = camera(20, 5, k=k)
    assert np.allclose(true.to_px(true.to_mm(points)), points, atol=0.05)


def test_noise_of_a_tenth_of_a_pixel_costs_about_a_millimetre() -> None:
    rng = np.random.default_rng(4)
    markers, true = stuck(rng), camera(6, 2, k=0.04)
    table = Table(SIDE_MM)
    for _ in range(8):
        assert table.refresh(seen(markers, true, rng, 0.1), SIZE_PX).accepted
    assert worst_mm(table.homography, true) < 1.5


def test_measured_distances_override_what_the_markers_say() -> None:
    rng = np.random.default_rng(4)
    true = camera(6, 2)
    table = Table(SIDE_MM, (450.0, 260.0))
    table.refresh(seen(stuck(rng), true, rng), SIZE_PX)
    assert table.outline_mm is not None
    assert np.allclose(table.outline_mm, [(0, 0), (450, 0), (450, 260), (0, 260)], atol=0.01)


def test_there_is_no_table_before_all_four_corners_were_seen() -> None:
    rng = np.random.default_rng(4)
    looks = seen(stuck(rng), camera(), rng)
    table = Table(SIDE_MM)
    refresh = table.refresh({number: looks[number] for number in (0, 1, 3)}, SIZE_PX)
    assert (refresh.accepted, refresh.reason) == (False, "corner marker 2 was never seen")
    assert (table.homography, table.corners_seen) == (None, (0, 1, 3))


def test_three_corners_follow_a_bumped_camera() -> None:
    rng = np.random.default_rng(4)
    markers = stuck(rng)
    table = Table(SIDE_MM)
    table.refresh(seen(markers, camera(), rng), SIZE_PX)
    bumped = camera(2, 3, (40, -25))
    looks = seen(markers, bumped, rng)
    del looks[1]
    refresh = table.refresh(looks, SIZE_PX)
    assert refresh.accepted
    assert refresh.moved_px > 20
    assert worst_mm(table.homography, bumped) < 1.0


def test_two_corners_change_nothing_but_tell_that_the_camera_stands_still() -> None:
    rng = np.random.default_rng(4)
    markers, true = stuck(rng), camera()
    table = Table(SIDE_MM)
    table.refresh(seen(markers, true, rng), SIZE_PX)
    before = table.homography
    looks = seen(markers, true, rng)
    refresh = table.refresh({0: looks[0], 2: looks[2]}, SIZE_PX)
    assert not refresh.accepted
    assert refresh.moved_px < 0.5
    assert table.homography is before


@pytest.mark.parametrize(
    "spoil",
    [
        lambda looks: looks | {1: looks[1][[1, 0, 3, 2]]},  # mirrored
        lambda looks: {0: looks[1], 1: looks[0], 2: looks[2], 3: looks[3]},  # in another order
        lambda looks: looks | {0: looks[0] + 60, 1: looks[1] - 60},  # two were misread
    ],
)
def test_a_nonsense_look_replaces_no_good_table(spoil) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(4)
    markers, true = stuck(rng), camera()
    table = Table(SIDE_MM)
    table.refresh(seen(markers, true, rng), SIZE_PX)
    table.refresh(spoil(seen(markers, true, rng)), SIZE_PX)
    assert worst_mm(table.homography, true) < 1.0


def test_a_marker_stuck_elsewhere_is_believed_after_some_looks() -> None:
    rng = np.random.default_rng(4)
    markers, true = stuck(rng), camera()
    table = Table(SIDE_MM)
    table.refresh(seen(markers, true, rng), SIZE_PX)
    markers[2] = markers[2] + (-30, 12)
    for _ in range(5):
        table.refresh(seen(markers, true, rng), SIZE_PX)
    assert worst_mm(table.homography, true) < 1.0
    assert table.outline_mm is not None
    assert np.allclose(table.outline_mm[2], markers[2][2], atol=1.0)


def test_markers_all_stuck_anew_make_a_new_table() -> None:
    rng = np.random.default_rng(4)
    table = Table(SIDE_MM)
    table.refresh(seen(stuck(rng), camera(), rng), SIZE_PX)
    wider, true = stuck(rng, 950.0, 480.0), camera()
    for _ in range(6):
        table.refresh(seen(wider, true, rng), SIZE_PX)
    assert worst_mm(table.homography, true) < 1.0


def test_scale_is_that_of_the_place() -> None:
    true = camera(30)
    step = np.linalg.norm(np.diff(true.to_px([(449.5, 100.0), (450.5, 100.0)]), axis=0))
    assert true.px_per_mm((450, 400)) != pytest.approx(true.px_per_mm((450, 100)), rel=0.05)
    assert true.px_per_mm((450, 100)) == pytest.approx(float(step), rel=0.2)


def test_transform_divides_by_the_third_coordinate() -> None:
    matrix = np.array([[2.0, 0, 1], [0, 2, 0], [0, 0.1, 1]])
    assert np.allclose(transform(matrix, [(1, 10)]), [(1.5, 10.0)])

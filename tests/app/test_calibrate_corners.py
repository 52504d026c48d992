"""Where corner marks are that aren't seen, told from those that are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from companion.app.calibrate.corners import NAMES, Laid, Lost, laid, lost
from companion.core.tags import CORNER_IDS
from vision.fiducials import Corners
from vision.scene.lens import Lens

TABLE_MM = (1070.0, 600.0)
MARK_MM = 50.0
SIZE_PX = (1600, 900)
_HALF = MARK_MM / 2
MIDDLES = dict(
    zip(
        CORNER_IDS,
        [(_HALF, _HALF), (1070 - _HALF, _HALF), (1070 - _HALF, 600 - _HALF), (_HALF, 600 - _HALF)],
        strict=True,
    )
)
SQUARE = np.array([(-_HALF, -_HALF), (_HALF, -_HALF), (_HALF, _HALF), (-_HALF, _HALF)])
LAYOUT: dict[int, Corners] = {number: SQUARE + middle for number, middle in MIDDLES.items()}
LENS = Lens(TABLE_MM, (2000, 1200), margin_mm=80.0, tilt_deg=3.0, roll_deg=2.0)
"""Sees the whole table; what a camera sees that hangs elsewhere is a part of that."""


def _without(numbers: Iterable[int], left: int = 200, top: int = 150) -> dict[int, Corners]:
    whole = {number: LENS.to_px(corners) - (left, top) for number, corners in LAYOUT.items()}
    return {number: mark for number, mark in whole.items() if number not in numbers}


def _names(marks: Iterable[int]) -> list[str]:
    return [NAMES[number] for number in marks]


def test_a_mark_that_must_be_in_the_picture_is_covered() -> None:
    marks = {number: mark * 0.75 for number, mark in _without([1], 0, 0).items()}
    assert lost(marks, SIZE_PX, MARK_MM, None) == Lost(covered=("top-right",))
    assert lost(marks, SIZE_PX, MARK_MM, LAYOUT) == Lost(covered=("top-right",))


def test_two_marks_of_a_diagonal_tell_where_the_others_are() -> None:
    for gone in ([1, 3], [0, 2]):
        marks = {number: mark * 0.75 for number, mark in _without(gone, 0, 0).items()}
        assert lost(marks, SIZE_PX, MARK_MM, None) == Lost(covered=tuple(_names(gone)))


@pytest.mark.parametrize("known", [None, LAYOUT], ids=["at first", "known"])
@pytest.mark.parametrize(("cut", "side"), [("left", "left"), ("right", "right"), ("top", "top"), ("bottom", "bottom")])
def test_a_camera_that_hangs_too_far_to_one_side_is_to_be_moved_to_the_other(
    cut: str, side: str, known: dict[int, Corners] | None
) -> None:
    shrunk = {number: LENS.to_px(corners) * 0.7 for number, corners in LAYOUT.items()}
    points = np.concatenate(list(shrunk.values()))
    beyond = 60.0
    move = {
        "left": (-points[:, 0].min() - beyond, 0.0),
        "right": (SIZE_PX[0] - points[:, 0].max() + beyond, 0.0),
        "top": (0.0, -points[:, 1].min() - beyond),
        "bottom": (0.0, SIZE_PX[1] - points[:, 1].max() + beyond),
    }[cut]
    moved = {number: mark + move for number, mark in shrunk.items()}
    seen = {n: mark for n, mark in moved.items() if ((mark > 0) & (mark < SIZE_PX)).all()}
    assert 0 < len(seen) < 4
    found = lost(seen, SIZE_PX, MARK_MM, known)
    assert (found.covered, found.side, found.higher) == ((), side, False)
    if known:  # with the paper around it; and the lean makes it a rough guess
        assert found.by_mm == pytest.approx(beyond / (LENS.px_per_mm * 0.7) + 10.0, abs=25.0)


def test_in_a_picture_that_hangs_upside_down_the_sides_are_still_those_of_the_table() -> None:
    shrunk = {number: np.array(SIZE_PX) - LENS.to_px(corners) * 0.7 for number, corners in LAYOUT.items()}
    seen = {number: shrunk[number] for number in (1, 2)}  # right of the table, left in the picture
    points = np.concatenate(list(shrunk.values()))
    push = SIZE_PX[0] - points[:, 0].max() + 60.0
    seen = {number: mark + np.array((push, 0.0)) for number, mark in seen.items()}
    assert lost(seen, SIZE_PX, MARK_MM, LAYOUT).side == "left"
    assert lost(seen, SIZE_PX, MARK_MM, None).side == "left"


def test_where_moving_would_lose_others_the_camera_has_to_hang_higher() -> None:
    wide = {number: (LENS.to_px(corners) - (190, 0)) * 1.1 for number, corners in LAYOUT.items()}
    seen = {number: wide[number] for number in (1, 2)}
    push = SIZE_PX[0] - 5.0 - np.concatenate(list(seen.values()))[:, 0].max()
    seen = {number: mark + np.array((push, 0.0)) for number, mark in seen.items()}
    assert lost(seen, SIZE_PX, MARK_MM, LAYOUT) == Lost(higher=True)
    assert lost(seen, SIZE_PX, MARK_MM, None) == Lost(higher=True)


def test_one_mark_alone_tells_to_which_side_there_is_room() -> None:
    marks = {number: LENS.to_px(corners) for number, corners in LAYOUT.items()}
    only = {0: marks[0] - marks[0].mean(axis=0) + (1200, 100)}
    assert lost(only, SIZE_PX, MARK_MM, None) == Lost(side="right")
    near = {0: marks[0] - marks[0].mean(axis=0) + (60, 60)}
    assert lost(near, SIZE_PX, MARK_MM, None) == Lost(higher=True)


def test_four_marks_as_they_are_printed_lie_right() -> None:
    assert laid(_without([])) == Laid()
    assert laid({number: np.array(SIZE_PX) - mark for number, mark in _without([]).items()}) == Laid()


def test_marks_that_were_swapped_are_noticed() -> None:
    marks = _without([])
    shift = marks[1].mean(axis=0) - marks[0].mean(axis=0)
    assert laid({**marks, 0: marks[0] + shift, 1: marks[1] - shift}) == Laid(order=True)
    across = marks[2].mean(axis=0) - marks[0].mean(axis=0)
    assert laid({**marks, 0: marks[0] + across, 2: marks[2] - across}).order


def test_a_mark_that_lies_turned_is_named() -> None:
    marks = _without([])
    assert laid({**marks, 2: np.roll(marks[2], 1, axis=0)}) == Laid(turned=("bottom-right",))
    assert laid({**marks, 0: np.roll(marks[0], 2, axis=0), 3: np.roll(marks[3], -1, axis=0)}) == Laid(
        turned=("top-left", "bottom-left")
    )

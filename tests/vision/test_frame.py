from __future__ import annotations

import numpy as np
import pytest

from vision.frame import Frame, FrameError, Picture


@pytest.mark.parametrize(
    ("size", "small"),
    [((1920, 1080), (480, 270)), ((2304, 1296), (576, 324)), ((4608, 2592), (576, 324)), ((640, 480), (640, 480))],
)
def test_the_small_picture_is_halved_until_it_is_small_enough(size: tuple[int, int], small: tuple[int, int]) -> None:
    frame = Frame.of(np.zeros((size[1], size[0], 3), np.uint8), 1.5)
    assert (frame.lores.shape[1], frame.lores.shape[0]) == small
    assert (frame.size, frame.at_s) == (size, 1.5)


def test_the_small_picture_is_the_mean_of_its_pixels() -> None:
    picture = np.zeros((8, 1280), np.uint8)
    picture[:, ::2] = 200
    frame = Frame.of(picture, 0.0)
    assert np.array_equal(frame.lores, np.full((4, 640), 100, np.uint8))


def test_grey_is_made_once_and_contiguous() -> None:
    frame = Frame.of(np.full((40, 60, 3), 77, np.uint8)[:, ::2], 0.0)
    assert frame.grey is frame.grey
    assert frame.grey.flags.c_contiguous
    assert np.array_equal(frame.grey, np.full((40, 30), 77, np.uint8))


def test_a_camera_with_two_streams_hands_in_both() -> None:
    main, lores = np.zeros((1296, 2304, 3), np.uint8), np.zeros((360, 640), np.uint8)
    frame = Frame(main, lores, 0.0)
    assert frame.shrink == (640 / 2304, 360 / 1296)


@pytest.mark.parametrize(
    "picture",
    [
        np.full((70, 90), 77, np.uint8),
        np.full((70, 90, 1), 77, np.uint8),
        np.full((70, 90, 3), 77, np.uint8),
        np.full((70, 90, 4), 77, np.uint8),
        np.full((140, 90, 3), 77, np.uint8)[::-2, ::-1],
    ],
)
def test_whatever_its_channels_and_its_layout_a_picture_becomes_grey_or_bgr(picture: Picture) -> None:
    frame = Frame.of(picture, 0.0)
    assert frame.main.shape in ((70, 90), (70, 90, 3))
    assert np.array_equal(frame.grey, np.full((70, 90), 77, np.uint8))
    assert frame.legible


@pytest.mark.parametrize(
    "picture",
    [
        np.zeros((0, 0, 3), np.uint8),
        np.zeros((70, 90, 2), np.uint8),
        np.zeros((70, 90, 3), np.uint16),
        np.zeros(90, np.uint8),
        np.zeros((1, 70, 90, 3), np.uint8),
    ],
)
def test_what_is_no_picture_is_refused(picture: Picture) -> None:
    with pytest.raises(FrameError, match=r"no picture came but \("):
        Frame.of(picture, 0.0)


@pytest.mark.parametrize("size", [(1, 1), (1, 1080), (1920, 1), (3, 2), (63, 63), (4000, 70)])
def test_in_a_picture_that_is_too_small_nothing_can_be_read(size: tuple[int, int]) -> None:
    assert not Frame.of(np.zeros((size[1], size[0], 3), np.uint8), 0.0).legible

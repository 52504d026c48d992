from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.background import Background
from vision.change import ChangeGate, Grid

GRID = Grid((81, 144), (16.0, 16.0), (2304, 1296))
Grey = np.ndarray[Any, np.dtype[np.uint8]]


def wood(seed: int = 0, noise: float = 1.5) -> Grey:
    """A small picture of a table: the same grain for ever, new noise for each seed."""
    grain = np.random.default_rng(99).normal(110, 9, (324, 576))
    return (grain + np.random.default_rng(seed).normal(0, noise, grain.shape)).clip(0, 255).astype(np.uint8)


def with_thing(picture: Grey, left: int, top: int, width: int, height: int, level: int = 220) -> Grey:
    picture = picture.copy()
    picture[top : top + height, left : left + width] = level
    return picture


def quiet_gate() -> ChangeGate:
    gate = ChangeGate(GRID, wood(0), 0.0)
    gate.settle(wood(0), np.ones(GRID.shape, bool))
    for k in range(1, 25):
        gate.update(wood(k), k / 10)
    return gate


def test_at_first_everything_has_changed() -> None:
    gate = ChangeGate(GRID, wood(), 0.0)
    assert gate.update(wood(), 0.0).changed.all()


@pytest.mark.parametrize("noise", [0.5, 1.5, 4.0, 8.0])
def test_noise_is_no_change(noise: float) -> None:
    gate = ChangeGate(GRID, wood(0, noise), 0.0)
    gate.settle(wood(0, noise), np.ones(GRID.shape, bool))
    quiet = [gate.update(wood(k, noise), k / 10).quiet for k in range(1, 60)]
    assert sum(quiet[25:]) >= 33


def test_a_token_that_comes_is_a_change_where_it_lies() -> None:
    gate = quiet_gate()
    change = gate.update(with_thing(wood(50), 200, 100, 10, 10), 3.0)
    rows, columns = np.nonzero(change.changed)
    assert (rows.min(), rows.max(), columns.min(), columns.max()) == (25, 27, 50, 52)
    assert np.array_equal(change.changed, change.moving)
    change = gate.update(with_thing(wood(51), 200, 100, 10, 10), 3.1)
    assert not change.moving.any()
    assert change.changed.sum() == len(rows)


def test_what_was_dealt_with_is_no_change_any_more_and_its_leaving_is_one() -> None:
    gate = quiet_gate()
    laid = with_thing(wood(50), 200, 100, 10, 10)
    gate.settle(laid, gate.update(laid, 3.0).changed)
    gate.update(laid, 3.1)
    assert gate.update(laid, 3.2).quiet
    assert gate.update(wood(52), 3.3).changed.any()


@pytest.mark.parametrize("gain", [0.7, 0.9, 1.2])
def test_exposure_control_is_no_change(gain: float) -> None:
    gate = quiet_gate()
    change = gate.update((wood(50) * gain).clip(0, 255).astype(np.uint8), 3.0)
    assert not change.changed.any()
    assert not change.everywhere


def test_a_bumped_camera_changes_everything() -> None:
    gate = quiet_gate()
    assert gate.update(np.roll(wood(50), 5, axis=1), 3.0).everywhere


def test_boxes_surround_the_parts_in_pixels_of_the_full_picture() -> None:
    mask = np.zeros(GRID.shape, bool)
    mask[10:12, 20:23] = True
    mask[80, 143] = True
    assert GRID.boxes(mask, 1) == [(304, 144, 385, 209), (2272, 1264, 2304, 1296)]


class Desk:
    """A background that has learned the empty table."""

    def __init__(self) -> None:
        self.background = Background(GRID, wood(0))
        self.nothing = np.zeros(GRID.shape, bool)
        self.now = 0.0
        self.look(wood(1), 3.0)

    def look(self, picture: Grey, for_s: float, kept: Any = None) -> None:
        """The same still picture for a while."""
        since = np.full(GRID.shape, self.now)
        for _ in range(int(for_s * 2)):
            self.now += 0.5
            front = self.background.foreground(picture, self.nothing)
            self.background.learn(picture, self.now, since, front, self.nothing if kept is None else kept)


def test_an_arm_is_foreground_and_is_never_learned() -> None:
    desk = Desk()
    picture = with_thing(wood(2), 280, 150, 40, 174, 150)
    desk.look(picture, 120)
    front = desk.background.foreground(picture, desk.nothing)
    assert front.mask[40:, 70:80].all()
    assert front.arms[40:, 70:80].all()


def test_a_thing_that_lies_about_is_no_arm_and_is_learned() -> None:
    desk = Desk()
    picture = with_thing(wood(2), 280, 150, 40, 40)
    front = desk.background.foreground(picture, desk.nothing)
    assert front.mask.any()
    assert not front.arms.any()
    desk.look(picture, 6)
    assert not desk.background.foreground(picture, desk.nothing).mask.any()


def test_a_thing_on_a_piece_is_not_learned() -> None:
    desk = Desk()
    kept = desk.nothing.copy()
    kept[40:45, 72:78] = True
    picture = with_thing(wood(2), 280, 150, 40, 40)
    desk.look(picture, 60, kept)
    assert desk.background.foreground(picture, desk.nothing).mask.any()


def test_what_was_learned_with_a_hand_in_it_heals_when_the_hand_leaves() -> None:
    background = Background(GRID, wood(0))
    desk = Desk()
    desk.background = background
    desk.look(with_thing(wood(1), 280, 150, 40, 174, 170), 3)
    picture = wood(2)
    assert background.foreground(picture, desk.nothing).arms.any()
    desk.look(picture, 2)
    assert not background.foreground(picture, desk.nothing).mask.any()


def test_a_shadow_is_learned_though_it_reaches_in_from_the_edge() -> None:
    desk = Desk()
    shaded = wood(2).astype(np.float64)
    shaded[150:, 280:340] *= 0.75
    picture = shaded.astype(np.uint8)
    assert desk.background.foreground(picture, desk.nothing).arms.any()
    desk.look(picture, 3)
    assert not desk.background.foreground(picture, desk.nothing).mask.any()


def test_a_place_agrees_with_the_table_below_it_or_not() -> None:
    desk = Desk()
    place = np.array([(1120, 600), (1200, 600), (1200, 700), (1120, 700)], np.float64)
    assert desk.background.agrees(wood(3), place)
    assert not desk.background.agrees(with_thing(wood(3), 280, 150, 20, 25), place)
    desk.background.forget(GRID.under(place))
    assert not desk.background.agrees(wood(3), place)


def test_a_place_also_agrees_with_what_was_below_a_thing_that_was_learned() -> None:
    desk = Desk()
    place = np.array([(1120, 600), (1200, 600), (1200, 700), (1120, 700)], np.float64)
    desk.look(with_thing(wood(2), 275, 145, 30, 30), 6)
    desk.look(with_thing(with_thing(wood(2), 275, 145, 30, 30), 278, 148, 30, 30, 60), 6)
    assert desk.background.agrees(wood(3), place), "both have left"
    assert not desk.background.agrees(with_thing(wood(3), 280, 150, 20, 25), place)
    desk.background.forget(GRID.under(place))
    desk.look(with_thing(wood(2), 275, 145, 30, 30), 3)
    assert not desk.background.agrees(wood(3), place), "it was never seen what is below"


def test_a_tile_turned_over_again_is_recognised_a_little_aside() -> None:
    desk = Desk()
    desk.look(with_thing(wood(2), 280, 150, 30, 40, 60), 6)
    place = np.array([(1120, 600), (1240, 600), (1240, 760), (1120, 760)], np.float64)
    assert desk.background.shows_again(with_thing(wood(3), 285, 147, 30, 40, 60), place)
    assert not desk.background.shows_again(with_thing(wood(3), 283, 152, 30, 40, 220), place)
    assert not desk.background.shows_again(wood(3), place)

"""What a calibration makes of a camera that hangs too high, leans, is blurred, in the dark, or misses a corner."""

from __future__ import annotations

from functools import lru_cache
from typing import Any
from unittest.mock import ANY

import numpy as np
import pytest
from msgspec.structs import replace

from companion.app.calibrate.corners import NAMES, Laid, Lost
from companion.app.calibrate.places import Places
from companion.app.calibrate.sighting import GRACE_S, Lens, Looker, Readings, lens_of
from companion.app.virtual import VirtualGame
from companion.games import load
from companion.service.mounting import LEAST_PX
from vision.cameras import LiveCamera, PiCamera, PicameraOptions
from vision.cameras.simulated.pi import SimulatedPi, SimulatedSensor
from vision.cameras.virtual import VirtualCamera
from vision.frame import Frame
from vision.scene.lens import Lens as SceneLens
from vision.scene.optics import Glare, Optics, Shade

GAME = load("phoenix")
GOOD = Optics(blur_px=0.6, noise=2.0)
ANGLE_DEG = 66.0


@lru_cache(maxsize=1)
def _table() -> VirtualGame:
    return VirtualGame(GAME, 1, {"players": ["Ellie", "Sam", "Ezio"]})


@lru_cache(maxsize=20)
def _frame(optics: Optics) -> Frame:
    camera = VirtualCamera(_table().scene, optics, np.random.default_rng(1))
    frame = camera.read()
    assert frame is not None
    return frame


def _looker(finer: bool = True) -> Looker:
    return Looker(Places(GAME), ANGLE_DEG, finer)


def _seen(looker: Looker | None = None, **optics: Any) -> Readings:
    return (looker or _looker()).look(_frame(replace(GOOD, **optics)), Lens())


def _part(optics: Optics, left: int, top: int, size_px: tuple[int, int]) -> Frame:
    """What a camera sees that hangs elsewhere: a part of a larger picture."""
    return Frame.of(np.ascontiguousarray(_frame(optics).main[top : top + size_px[1], left : left + size_px[0]]), 0.0)


def test_a_camera_that_hangs_right_has_nothing_to_be_told() -> None:
    found = _seen()
    assert (found.trouble, found.seen, found.lost, found.laid, found.placed) == ("", NAMES, None, Laid(), True)
    assert (found.blurred, found.dark, found.uneven, found.glaring, found.outside) == (False, (), (), (), ())
    assert found.module_px == pytest.approx(2.0, abs=0.06)
    assert found.tilt_deg == pytest.approx(0.0, abs=0.5)
    assert (found.lower_mm, found.room, found.finer_px) == (0.0, True, None)
    assert found.sharpness is not None
    assert found.sharpness > 80


def test_a_camera_that_hangs_too_high_is_to_be_lowered_by_what_it_lacks() -> None:
    found = _seen(margin_mm=140.0)
    assert found.module_px is not None
    assert found.height_mm is not None
    lens = SceneLens(_table().scene.size_mm, GOOD.picture_px, margin_mm=140.0)
    assert found.module_px == pytest.approx(lens.px_per_mm, rel=0.02)  # the smallest modules have 1 mm
    wanted_mm = found.height_mm * (1 - found.module_px / LEAST_PX)
    assert (found.lower_mm, found.room) == (pytest.approx(wanted_mm), True)
    assert (found.finer_px, _seen(_looker(finer=False), margin_mm=140.0).finer_px) == ((4608, 2592), None)


def test_where_the_table_fills_the_picture_lowering_would_lose_its_corners() -> None:
    found = _looker().look(_frame(replace(GOOD, picture_px=(1920, 1080))), Lens())
    assert (found.placed, found.room, found.finer_px) == (True, False, (2304, 1296))


@pytest.mark.parametrize(("tilt_deg", "raised"), [(12.0, "bottom"), (-12.0, "top")])
def test_a_leaning_camera_is_to_be_raised_at_the_side_to_which_the_table_looks_larger(
    tilt_deg: float, raised: str
) -> None:
    found = _seen(tilt_deg=tilt_deg)
    assert (found.tilt_deg, found.raised) == (pytest.approx(12.0, abs=1.5), raised)


def test_a_turned_camera_sees_the_table_turned() -> None:
    assert _seen(roll_deg=12.0, margin_mm=60.0).roll_deg == pytest.approx(12.0, abs=0.3)


def test_the_sharper_the_picture_the_higher_its_sharpness() -> None:
    sharpness = [_seen(blur_px=blur).sharpness for blur in (9.0, 4.0, 2.0, 0.6)]
    assert sharpness == sorted(sharpness)  # type: ignore[type-var]
    assert [_seen(blur_px=blur).blurred for blur in (9.0, 4.0, 2.0, 0.6)] == [True, True, True, False]


def test_a_lens_far_out_of_focus_is_told_before_corners_are_looked_for() -> None:
    found = _seen(blur_px=9.0)
    assert (found.seen, found.blurred, found.trouble) == ((), True, "")


def test_in_the_dark_and_under_a_lid_nothing_else_is_told() -> None:
    size = GOOD.picture_px
    assert _seen(exposure=0.12) == Readings("dark", size)
    assert _seen(exposure=3.0) == Readings("bright", size)
    assert _looker().look(Frame.of(np.full((1296, 2304, 3), 90, np.uint8), 0.0), Lens()) == Readings("covered", size)
    assert _looker().look(Frame.of(np.zeros((2, 3, 3), np.uint8), 0.0), Lens()) == Readings("tiny", (3, 2))


def test_light_is_looked_at_corner_by_corner() -> None:
    assert _seen(exposure=0.33).dark == NAMES
    shade = Shade((1070.0, 300.0), 90.0, 500.0, 0.55)
    assert _seen(shades=(shade,)).uneven == ("top-right", "bottom-right")
    assert _seen(exposure=1.4).glaring == NAMES


def test_a_mirrored_lamp_is_found_wherever_it_is_on_the_table() -> None:
    assert _seen(glares=(Glare((400.0, 400.0), (320.0, 240.0), 1.0),)).glaring == ("bottom-left",)


def test_a_corner_outside_of_the_picture_tells_to_which_side_the_camera_has_to_go() -> None:
    wide = replace(GOOD, margin_mm=120.0)
    looker = _looker()
    middle = _part(wide, 192, 108, (1920, 1080))
    assert looker.look(middle, Lens()).seen == NAMES
    for left, side in ((480, "left"), (0, "right")):
        lost = looker.look(_part(wide, left, 108, (1824, 1080)), Lens()).lost
        assert lost is not None
        assert (lost.side, lost.higher, lost.covered) == (side, False, ())


def test_a_mark_that_one_look_misses_is_still_there_but_not_for_long() -> None:
    looker = _looker()
    whole = _frame(GOOD)
    covered = whole.main.copy()
    covered[:200, :200] = 90
    first = looker.look(Frame(whole.main, whole.lores, 5.0), Lens())
    assert looker.look(Frame.of(covered, 5.0 + GRACE_S), Lens()) == replace(first, sharpness=ANY)
    assert looker.sight is not None
    assert looker.sight.table is not None
    assert looker.look(Frame.of(covered, 5.1 + GRACE_S), Lens()).lost == Lost(covered=("top-left",))


def test_places_are_where_their_anchors_lie_and_else_where_the_game_would_lay_them() -> None:
    looker = _looker()
    before = _seen(looker)
    looker.scan(_frame(GOOD))
    after = _seen(looker)
    assert {"nest-big", "nest-small-1", "nest-small-2"} <= set(before.unseen)
    assert not {"nest-big", "nest-small-1", "nest-small-2"} & set(after.unseen)
    assert (before.outside, after.outside) == ((), ())


def test_a_place_whose_anchor_lies_at_the_edge_is_outside() -> None:
    looker = _looker()
    _seen(looker)
    looker.scan(_frame(GOOD))
    pose = looker.poses["nest-big"]
    looker.poses["nest-big"] = type(pose)((pose.at_mm[0], 580.0), pose.angle_deg)
    outside = _seen(looker).outside
    assert outside is not None
    assert {place.partition("/")[0] for place in outside} == {"big"}
    assert "big/moon" in outside


@pytest.mark.parametrize(
    ("dioptres", "lens"), [(None, Lens("auto", 1.0)), (1.25, Lens("fixed", 1.25))], ids=["autofocus", "fixed"]
)
def test_a_ribbon_camera_says_where_its_lens_stands(dioptres: float | None, lens: Lens) -> None:
    sensor = SimulatedSensor(lambda: np.zeros((360, 640, 3), np.uint8))
    options = PicameraOptions(size_px=(640, 360), lens_dioptres=dioptres)
    pi = SimulatedPi(sensor, clock=lambda: 0.0)
    camera = LiveCamera("picamera:", lambda: PiCamera(0, lambda: 0.0, options, pi.load), wait_s=20.0)
    try:
        assert camera.read() is not None
        assert lens_of(camera) == lens
    finally:
        camera.close()


def test_any_other_camera_is_focused_by_hand_as_far_as_anybody_knows() -> None:
    assert lens_of(VirtualCamera(_table().scene, GOOD, np.random.default_rng(1))) == Lens("ring")

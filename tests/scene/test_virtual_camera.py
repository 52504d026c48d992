"""The virtual camera keeps the port of all cameras."""

from __future__ import annotations

import numpy as np
import pytest

from vision.cameras.port import Camera, CameraError
from vision.cameras.virtual import VirtualCamera
from vision.scene import Optics, Scene
from vision.scene.acting import Actor, Stage

SMALL = Optics((768, 432))


def camera(scene: Scene, **more: object) -> VirtualCamera:
    return VirtualCamera(scene, SMALL, np.random.default_rng(0), **more)  # type: ignore[arg-type]


def test_it_is_a_camera_whose_clock_goes_on_by_one_frame_at_each_reading(scene: Scene) -> None:
    virtual = camera(scene, rate_hz=5.0, frames=3)
    assert isinstance(virtual, Camera)
    frames = [virtual.read() for _ in range(4)]
    assert [frame and frame.at_s for frame in frames] == [0.0, 0.2, 0.4, None]
    first = frames[0]
    assert first is not None
    assert (first.main.shape, first.main.dtype, first.lores.shape) == ((432, 768, 3), np.uint8, (216, 384))


def test_the_hook_changes_the_scene_before_each_frame(scene: Scene) -> None:
    stage = Stage()
    virtual = camera(scene, before=stage)
    stage.play(Actor(scene, (535, 900)).lay("card-1", (400, 250)))
    while not stage.idle:
        assert virtual.read() is not None
    assert virtual.truth()["card-1"].covered == 0


def test_frames_that_were_handed_out_are_never_drawn_over(scene: Scene) -> None:
    virtual = camera(scene)
    first = virtual.read()
    assert first is not None
    kept = first.main.copy()
    scene.put("card-1", (400, 250))
    second = virtual.read()
    assert second is not None
    assert (first.main == kept).all()
    assert (second.main != first.main).any()


def test_unplugged_it_fails_until_it_is_plugged_in_and_time_goes_on(scene: Scene) -> None:
    virtual = camera(scene)
    virtual.unplugged = True
    with pytest.raises(CameraError, match=r"virtual: unplugged; plug it in again"):
        virtual.read()
    virtual.unplugged = False
    frame = virtual.read()
    assert frame is not None
    assert frame.at_s == 0.1


def test_a_bump_moves_the_picture(scene: Scene) -> None:
    scene.put("card-1", (400, 250))
    virtual = camera(scene)
    before = virtual.truth()["card-1"].corners_px
    virtual.optics = Optics((768, 432), shift_mm=(8.0, 3.0), roll_deg=2.0)
    assert virtual.read() is not None
    assert np.abs(np.array(before) - virtual.truth()["card-1"].corners_px).max() > 2


def test_closed_it_has_no_more_frames_and_an_impossible_rate_is_refused(scene: Scene) -> None:
    virtual = camera(scene)
    virtual.close()
    virtual.close()
    assert virtual.read() is None
    with pytest.raises(CameraError, match=r"frame rate of 0 Hz is impossible"):
        camera(scene, rate_hz=0)

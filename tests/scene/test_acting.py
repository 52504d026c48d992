"""Actors move things as people do, one frame at a time."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest

from vision.scene import Prop, Scene, SceneError
from vision.scene.acting import Actor, Script, Stage, together, wait


@pytest.fixture
def actor(scene: Scene) -> Actor:
    return Actor(scene, (535, 900))


def played(script: Script) -> int:
    return sum(1 for _ in script)


def test_a_laid_piece_ends_at_its_place_unsmeared_and_the_hand_is_away(scene: Scene, actor: Actor) -> None:
    frames = played(actor.lay("card-1", (400, 250), 30))
    lying = scene.placed["card-1"]
    assert (lying.at_mm, lying.angle_deg, lying.motion_mm, lying.face_up) == ((400, 250), 30, (0, 0), True)
    assert scene.hands == {}
    assert 5 < frames < 40


def test_on_its_way_a_piece_comes_from_outside_under_a_hand_without_jumps(scene: Scene, actor: Actor) -> None:
    at = []
    for _ in actor.lay("card-1", (400, 250), 30):
        place = scene.placed["card-1"].at_mm
        if not at or place != at[-1]:
            at.append(place)
            assert math.dist(scene.hands["hand"].at_mm, place) == pytest.approx(88)
    assert at[0][1] > scene.size_mm[1] + 80
    assert max(math.dist(a, b) for a, b in pairwise(at)) < 120


def test_a_piece_that_lies_there_is_moved_not_doubled(scene: Scene, actor: Actor) -> None:
    scene.put("card-1", (200, 200), 170)
    angles = []
    for _ in actor.lay("card-1", (700, 350), -170):
        angles.append(scene.placed["card-1"].angle_deg)
    assert scene.placed["card-1"].at_mm == (700, 350)
    assert all(math.cos(math.radians(angle)) < -0.9 for angle in angles)  # turned by 20 degrees, not by 340


def test_take_nudge_turn_over_and_rest(scene: Scene, actor: Actor) -> None:
    scene.put("card-1", (400, 250), 10)
    played(actor.nudge("card-1", (25, -10), 15))
    assert (scene.placed["card-1"].at_mm, scene.placed["card-1"].angle_deg) == ((425, 240), 25)
    played(actor.turn_over("card-1", face_up=False))
    assert not scene.placed["card-1"].face_up
    resting = [scene.hands["hand"].motion_mm for _ in actor.rest_hand((400, 250), 20) if "hand" in scene.hands]
    assert resting.count(resting[len(resting) // 2]) >= 20
    played(actor.take("card-1"))
    assert (dict(scene.placed), dict(scene.hands)) == ({}, {})


def test_hands_are_out_of_the_picture_when_they_start_and_end(scene: Scene) -> None:
    for seat in ((535, 900), (535, -300), (-300, 300), (1370, 300), (-200, 800)):
        actor = Actor(scene, seat)
        palms = [scene.hands["hand"].at_mm for _ in actor.rest_hand((300, 200), 1) if "hand" in scene.hands]
        for x, y in (palms[0], palms[-1]):
            assert not (-130 < x < 1200 and -130 < y < 730), (seat, x, y)


def test_a_stage_plays_one_script_after_the_other_and_then_idles(scene: Scene, actor: Actor) -> None:
    stage = Stage()
    assert stage.idle
    stage.play(wait(2), actor.lay("card-1", (400, 250)))
    stage.play(actor.take("card-1"))
    seen = []
    for frame in range(200):
        stage(frame / 10)
        seen.append("card-1" in scene.placed)
        if stage.idle:
            break
    assert seen[:3] == [False, False, True]
    assert seen[-1] is False
    assert stage.idle


def test_together_two_people_move_in_the_same_frames(scene: Scene, actor: Actor) -> None:
    other = Actor(scene, (535, -300), name="other", left=True)
    both = 0
    for _ in together(actor.lay("card-1", (300, 250)), other.lay("card-2", (700, 250))):
        both += len(scene.hands) == 2
    assert both > 5
    assert set(scene.placed) == {"card-1", "card-2"}


def test_what_is_not_there_can_not_be_reached_and_props_are_not_carried(scene: Scene, actor: Actor) -> None:
    with pytest.raises(SceneError, match=r"'card-1' does not lie on the virtual table"):
        next(actor.take("card-1"))
    scene.put_prop("cup", Prop(), (500, 300))
    with pytest.raises(SceneError, match=r"'cup' is a prop"):
        played(actor.nudge("cup", (5, 5)))

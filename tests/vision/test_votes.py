from __future__ import annotations

import numpy as np

from vision.evidence import UNCHANGED, Patch
from vision.votes import Ballot
from vision.zones import Pose

CORNERS = np.zeros((4, 2))


def test_readings_of_one_frame_are_one_vote() -> None:
    ballot = Ballot()
    assert ballot.vote("a", Pose((10, 10)), CORNERS, 0.0).votes == 1
    assert ballot.vote("a", Pose((11, 10)), CORNERS, 0.0).votes == 1
    assert ballot.vote("a", Pose((11, 9)), CORNERS, 0.1).votes == 2


def test_only_readings_that_agree_count_together() -> None:
    ballot = Ballot()
    ballot.vote("a", Pose((10, 10)), CORNERS, 0.0)
    assert ballot.vote("b", Pose((10, 10)), CORNERS, 0.1).votes == 1
    assert ballot.vote("a", Pose((16, 10)), CORNERS, 0.1).votes == 1
    assert ballot.vote("a", Pose((10, 10), 40.0), CORNERS, 0.1).votes == 1


def test_a_reading_that_nothing_confirms_is_dropped_and_counted() -> None:
    ballot = Ballot()
    ballot.vote("a", Pose((10, 10)), CORNERS, 0.0)
    assert ballot.open(0.5, "a")
    assert not ballot.open(0.5, "b")
    ballot.expire(2.0)
    assert ballot.dropped == 1
    assert ballot.vote("a", Pose((10, 10)), CORNERS, 2.1).votes == 1


def test_a_patch_knows_itself_in_other_light_and_a_pixel_aside_but_no_other_patch() -> None:
    rng = np.random.default_rng(1)
    grey = np.kron(rng.integers(0, 2, (40, 40)) * 180 + 30, np.ones((3, 3))).astype(np.uint8)
    corners = np.array([(30, 30), (80, 30), (80, 80), (30, 80)], np.float64)
    patch = Patch.of(grey, corners)
    assert patch is not None
    dimmer = (grey * 0.5 + 20 + rng.normal(0, 3, grey.shape)).astype(np.uint8)
    assert patch.likeness(dimmer) > UNCHANGED
    assert patch.likeness(np.roll(grey, (1, -1), (0, 1))) > UNCHANGED
    assert patch.likeness(np.roll(grey, 40, 1)) < 0.4


def test_there_is_no_patch_at_the_very_edge() -> None:
    grey = np.zeros((100, 100), np.uint8)
    assert Patch.of(grey, np.array([(0, 0), (20, 0), (20, 20), (0, 20)], np.float64)) is None
    patch = Patch.of(grey, np.array([(20, 20), (40, 20), (40, 40), (20, 40)], np.float64))
    assert patch is not None
    assert patch.likeness(np.zeros((30, 30), np.uint8)) == -1.0

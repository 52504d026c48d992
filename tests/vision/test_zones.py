from __future__ import annotations

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from vision_samples import small_box, small_zones, square

from companion.core.table import Zone
from vision.zones import Pose, ZoneMap, footprint_mm, turn_deg

BOX = small_box()


def zone_at(zones: list[Zone], point: tuple[float, float], kind: str = "card") -> str | None:
    found = ZoneMap(BOX, zones, {}).zone_at(point, kind)
    return found.id if found else None


def test_a_zone_holds_only_its_kinds() -> None:
    zones = [Zone("pit", square(0, 0, 50), holds=frozenset({"token"}))]
    assert zone_at(zones, (0, 0), "token") == "pit"
    assert zone_at(zones, (0, 0), "card") is None


def test_the_edge_belongs_to_the_zone_and_what_is_beyond_does_not() -> None:
    zones = [Zone("a", square(0, 0, 50))]
    assert zone_at(zones, (50, 0)) == "a"
    assert zone_at(zones, (50.5, 0)) is None


def test_of_overlapping_zones_the_one_it_lies_deepest_in_wins() -> None:
    zones = [Zone("left", square(0, 0, 50)), Zone("right", square(60, 0, 50))]
    assert zone_at(zones, (29, 0)) == "left"
    assert zone_at(zones, (31, 0)) == "right"


def test_priority_wins_over_depth() -> None:
    zones = [Zone("wide", square(0, 0, 100)), Zone("small", square(90, 0, 12), priority=1)]
    assert zone_at(zones, (80, 0)) == "small"


@given(
    x=st.floats(0, 1000),
    y=st.floats(0, 600),
    angle=st.floats(-180, 180),
    inside=st.tuples(st.floats(-55, 55), st.floats(-190, -80)),
)
def test_anchored_zones_lie_as_their_anchor_lies(x: float, y: float, angle: float, inside: tuple[float, float]) -> None:
    pose = Pose((x, y), angle)
    zones = ZoneMap(BOX, small_zones(), {"nest-1": pose})
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    point = (x + inside[0] * cos - inside[1] * sin, y + inside[0] * sin + inside[1] * cos)
    found = zones.zone_at(point, "card")
    assert found is not None
    assert found.id == "nest-1/north"
    assert zones.unplaced == ("nest-2",)


def test_anything_at_all_is_in_the_most_important_zone_there() -> None:
    zones = ZoneMap(BOX, [Zone("a", square(0, 0, 50)), Zone("b", square(0, 0, 9), None, frozenset({"token"}), 2)], {})
    found = zones.any_at((0, 0))
    assert found is not None
    assert found.id == "b"
    assert zones.any_at((400, 0)) is None


def test_a_footprint_is_the_whole_piece_around_its_tag() -> None:
    card = BOX.pieces["red2a"]
    assert footprint_mm(card).tolist() == [[-17.5, -20.0], [45.5, -20.0], [45.5, 68.0], [-17.5, 68.0]]
    assert np.allclose(Pose((100, 200), 90).place(footprint_mm(card, 1.0))[0], (100 + 21.0, 200 - 18.5))


def test_turns_take_the_short_way() -> None:
    assert [turn_deg(170, -170), turn_deg(-170, 170), turn_deg(10, 30)] == [20, -20, 20]

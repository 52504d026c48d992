from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from devices.display import HEIGHT_PX, WIDTH_PX, check_picture
from devices.rest import DOT_PX, DOT_STAYS_S, Rest, Rests, dot, dot_at


@pytest.mark.parametrize(
    ("rests", "steps"),
    [
        (Rests(10, 30), {0: Rest.AWAKE, 9.9: Rest.AWAKE, 10: Rest.DIM, 29.9: Rest.DIM, 30: Rest.DARK, 1e9: Rest.DARK}),
        (Rests(0, 30), {0: Rest.AWAKE, 29.9: Rest.AWAKE, 30: Rest.DARK}),
        (Rests(10, 0), {9.9: Rest.AWAKE, 10: Rest.DIM, 1e9: Rest.DIM}),
        (Rests(0, 0), {0: Rest.AWAKE, 1e9: Rest.AWAKE}),
    ],
)
def test_a_display_rests_the_further_the_longer_nothing_happens(rests: Rests, steps: dict[float, Rest]) -> None:
    assert {idle_s: rests.at(idle_s) for idle_s in steps} == steps


@given(st.floats(0, 1e7))
def test_the_dot_is_always_on_the_glass_and_all_else_is_dark(idle_s: float) -> None:
    picture = dot(idle_s)
    check_picture(picture)
    x, y = dot_at(idle_s)
    assert picture.getbbox() == (x, y, x + DOT_PX, y + DOT_PX)
    assert 0 <= x <= WIDTH_PX - DOT_PX
    assert 0 <= y <= HEIGHT_PX - DOT_PX


def test_the_dot_wanders_over_the_whole_glass_and_burns_in_nowhere() -> None:
    hours = 24
    places = [dot_at(number * DOT_STAYS_S) for number in range(int(hours * 3600 / DOT_STAYS_S))]
    assert all(one != other for one, other in pairwise(places))
    visits = Counter(places)
    assert max(visits.values()) <= 6, "of 17,280 in a day"
    corners = {(x > WIDTH_PX // 2, y > HEIGHT_PX // 2) for x, y in places[:20]}
    assert len(corners) == 4
    assert len({x for x, _ in places}) == WIDTH_PX - DOT_PX + 1
    assert len({y for _, y in places}) == HEIGHT_PX - DOT_PX + 1


def test_the_dot_stays_for_a_moment() -> None:
    assert dot_at(0) == dot_at(DOT_STAYS_S * 0.99) != dot_at(DOT_STAYS_S)

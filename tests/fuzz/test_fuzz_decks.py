"""Whatever stands in a deck file: all that is wrong is told, and one with nothing wrong can be loaded and played."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.core.game import Refusal
from companion.games.three_kings import setup
from companion.games.three_kings.checking import check
from companion.games.three_kings.deck import load, shipped
from companion.games.three_kings.template import TEMPLATE
from tests.fuzz.mutations import garbled, hostile, large, long, no_hang, short, told_whole

GOOD = (TEMPLATE, *shipped().values())
SPICE = (
    "= ",
    "[[cards]]\n",
    "[cards.text]\n",
    "rank = -1\n",
    "rank = nan\n",
    "mark = 5\n",
    "effect = []\n",
    "effect = [[]]\n",
    '{ do = "close" }',
    '{ do = "score", faction = "owl", n = 1e9 }',
    "up_to = 99999999999999999999\n",
    "zones = [1]\n",
    "true",
    "'''",
    "1979-05-27T07:32:00Z",
    "inf",
    "{",
    "cards.x = 1\n",
)
TEXTS = st.builds(garbled, st.sampled_from(GOOD), st.integers(0, 10**9), st.just(SPICE)) | st.text(max_size=200)


def _holds(text: str) -> None:
    with no_hang():
        problems = check(text)
        told_whole(problems)
        if problems:
            return
        state = setup.start({"players": ["A", "B", "C"], "actions": "fuzzed"}, {"fuzzed": load(text)})
        assert not isinstance(state, Refusal), state
        assert len(state.actions.cards) == 33


@given(TEXTS)
@hostile
@example("[[cards]]\neffect = [{ do" + ".a" * 3000 + " = 1 }]")
@example("[[cards]]\nid" + ".a" * 3000 + " = 1")
@short(60)
def test_any_text_is_checked(text: str) -> None:
    _holds(text)


@large
def test_the_largest_files_are_checked_in_bounded_time(text: str) -> None:
    with no_hang():
        assert check(text)


@pytest.mark.soak
@given(TEXTS)
@long(4000)
def test_very_many_texts_are_checked(text: str) -> None:
    _holds(text)

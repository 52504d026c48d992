"""Whatever stands in a story file: all that is wrong is told, and one with nothing wrong can be loaded and played."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.core.game import Refusal
from companion.games.storytelling import GAME
from companion.games.storytelling.tales import check, load, shipped
from companion.games.storytelling.template import TEMPLATE
from tests.fuzz.mutations import garbled, hostile, large, long, no_hang, short, told_whole

GOOD = (TEMPLATE, *shipped().values())
SPICE = (
    "= ",
    "[[tiles]]\n",
    "[[cards]]\n",
    "name = 5\n",
    "points = -1\n",
    "points = nan\n",
    "number = 1e999\n",
    "true",
    "'''",
    'path = "M0 0 A',
    'path = "M1e400 0 L9 9"\n',
    "1979-05-27T07:32:00Z",
    "inf",
    "0x",
    "{",
    "tiles.x = 1\n",
)
TEXTS = st.builds(garbled, st.sampled_from(GOOD), st.integers(0, 10**9), st.just(SPICE)) | st.text(max_size=200)


def _holds(text: str) -> None:
    with no_hang():
        problems = check(text)
        told_whole(problems)
        if problems:
            return
        story = load(text)
        game = GAME.equipped({"fuzzed": text})
        state = game.setup(game.dealer(1, {"players": ["A", "B"], "mode": "basic", "story": "fuzzed"}).setup)
        assert not isinstance(state, Refusal), state
        assert len(story.tiles) == 16


@given(TEXTS)
@hostile
@example("tale" + ".a" * 3000 + " = 1")
@example("[[tiles]]\ncolour" + ".a" * 3000 + " = 1")
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

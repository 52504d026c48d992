"""Whatever stands in a configuration file: it gives a configuration, and what is wrong is told."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.service.config import Config
from companion.service.config_file import check
from companion.service.config_text import example as commented
from companion.service.config_text import shown
from tests.fuzz.mutations import garbled, large, long, no_hang, short

GOOD = (shown(Config()), commented().replace("\n#", "\n"), '[play.setup.storytelling]\nmode = "midnight"\n')
SPICE = (
    "= ",
    "[buttons]\n",
    "[buttons.a]\n",
    "[[camera]]\n",
    "a = 17\n",
    "b = 17\n",
    "size = [1]\n",
    "size = [2304, 1296, 5]\n",
    "lens_position = nan\n",
    "contrast = inf\n",
    "rotate = 1e400\n",
    "debounce_ms = -0.0\n",
    "sound = 1\n",
    "colour = 5\n",
    "\ufeff",
    "1979-05-27T07:32:00Z",
    "0x3C",
    "'''",
    '"""',
)
TEXTS = st.builds(garbled, st.sampled_from(GOOD), st.integers(0, 10**9), st.just(SPICE)) | st.text(max_size=200)


def _holds(text: str) -> None:
    with no_hang():
        config, problems = check(text)
        assert all(problem.where and problem.what for problem in problems)
        assert all(str(problem).isprintable() for problem in problems), problems
        assert check(shown(config)) == (config, [])


@given(TEXTS)
@example("a = " + "[" * 3000)
@example("a = " + "9" * 5000)
@example("[camera]\nsize = " + "[" * 300 + "]" * 300)
@example("[play.setup.storytelling]\nstory = " + "[" * 300 + "]" * 300)
@example("[camera]\nsize = " + "{b = " * 2000)
@example("[camera]\nsize" + ".a" * 3000 + " = 1")
@example("[camera]\nsource = '" + "x" * 60_000 + "'")
@example("[play.setup.storytelling]\nstory" + ".a" * 3000 + " = 1")
@example('[play.setup."\\u0000"]\n"\\n" = "\\u0007"')
@example("[play.setup.a]\nb = nan")
@short(60)
def test_any_text_gives_a_configuration(text: str) -> None:
    _holds(text)


@large
def test_the_largest_files_are_checked_in_bounded_time(text: str) -> None:
    with no_hang():
        assert check(text)[1]


@pytest.mark.soak
@given(TEXTS)
@long(4000)
def test_very_many_texts_give_a_configuration(text: str) -> None:
    _holds(text)

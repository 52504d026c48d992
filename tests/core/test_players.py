from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.game import Refusal
from companion.core.messages import LANGUAGES
from companion.core.players import LONGEST, mended, named, renamed, trimmed
from companion.face.words import load_words

NAMES = st.lists(st.text(st.characters(), max_size=40), max_size=8)


def _line(*names: Any, **more: Any) -> dict[str, Any]:
    return {"players": list(names), **more}


@pytest.mark.parametrize(
    ("line", "how", "told"),
    [
        (_line("Ellie", ""), "empty", "2"),
        (_line("\u3000 ", "Sam"), "empty", "1"),
        (_line({"name": " ", "guild": "crown"}), "empty", "1"),
        (_line("a" * 25), "long", "a" * 25),
        (_line("a" * 100_000), "long", "a" * 40 + "... +99960"),
        (_line("\U0001f468" + "\u200d\U0001f468" * 200), "long", "401"),
        (_line("a" + "\u0301\u0323" * 100_000), "hidden", "a"),
        (_line("Sam", "Ell\x1b[2Jie"), "hidden", "Ell\\x1b[2Jie"),
        (_line("\u202eEllie"), "hidden", "\\u202eEllie"),
        (_line("Ellie\n"), "hidden", "Ellie\\n"),
        (_line("a\0", "b"), "hidden", "a\\x00"),
        (_line("\u3164"), "hidden", "\\u3164"),
        (_line("\ud800"), "hidden", "\\ud800"),
        (_line("a" + "\u0301" * 40), "hidden", "a"),
        (_line("Ellie", "Sam", "ELLIE "), "twice", "ELLIE"),
        (_line("Straße", "STRASSE"), "twice", "STRASSE"),
        (_line("Jose\u0301", "José"), "twice", "José"),
        (_line("Ellie", "Sam", storyteller="a\u2029b"), "hidden", "a\\u2029b"),
    ],
)
def test_a_name_that_cannot_be_is_told_in_every_language(line: dict[str, Any], how: str, told: str) -> None:
    refusal = named(line)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.wording) == ("bad-setup", f"name-{how}")
    for language in LANGUAGES:
        said = load_words(language, strict=True).say(refusal.message)
        assert told in said
        assert len(said) < 200


def test_names_are_trimmed_wherever_the_line_has_them() -> None:
    line = _line(
        " Ellie ", {"name": "Jose\u0301", "guild": "x"}, turn="Jose\u0301", hands={" Ellie ": 3}, note=[" Ellie "]
    )
    assert named(line) == _line(
        "Ellie", {"name": "José", "guild": "x"}, turn="José", hands={"Ellie": 3}, note=["Ellie"]
    )
    assert trimmed("  a \u00a0 b\u3000") == "a b"


@pytest.mark.parametrize(
    "name",
    [
        "a" * LONGEST,
        "é" * LONGEST,
        "👨‍👩‍👧" * LONGEST,
        "Nguyễn Thị",
        "李明",
        "שָׁלוֹם",
        "O’Neill-Smith 2",
        "e\u0301" * LONGEST,
    ],
)
def test_a_name_is_counted_as_people_count(name: str) -> None:
    assert not isinstance(named(_line(name, "Sam")), Refusal)


@pytest.mark.parametrize("players", [None, 3, "Ellie", {"name": "\x1b"}, [3, None, ["\x1b"], {"name": 4}]])
def test_what_is_no_list_of_names_is_left_to_the_game(players: Any) -> None:
    line = {"players": players, "storyteller": 4}
    assert named(line) == line


@given(NAMES)
def test_to_trim_twice_changes_nothing(names: list[str]) -> None:
    line = named(_line(*names))
    assert isinstance(line, Refusal) or named(line) == line


@given(st.lists(st.text(st.characters(), min_size=1, max_size=40), min_size=1, max_size=8, unique=True), st.text())
def test_whoever_is_called_otherwise_has_a_name_that_can_be(names: list[str], reader: str) -> None:
    line = _line(*names, storyteller=reader)
    assert not isinstance(named(renamed(line, mended(line))), Refusal)


def test_who_has_a_good_name_keeps_it() -> None:
    assert mended(_line("Ellie", {"name": "Sam"}, "", storyteller="")) == {}
    assert mended(_line("Ellie", "ellie", "\x1b[31mSam", " ", "b" * 30)) == {
        "ellie": "ellie 2",
        "\x1b[31mSam": "?[31mSam",
        " ": "4",
        "b" * 30: "b" * 24,
    }


def test_a_name_is_looked_for_only_as_deep_as_lines_go() -> None:
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    assert renamed({"players": ["x"], "story": deep}, {"x": "y"})["players"] == ["y"]

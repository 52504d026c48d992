"""The referee protocol, as another program would speak it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Game
from companion.face.words import load_words
from companion.games import load
from companion.service.referee import Referee

SETUP = {
    "setup": {
        "players": [{"name": "A", "guild": "guild-6"}, {"name": "B", "guild": "bell"}],
        "holder": "A",
        "open": "blue-3a",
        "tokens": {"small-1": [2], "small-2": [3], "big": [4]},
    }
}
PLACE = {"do": "place", "card": "red-3a", "nest": "big", "side": "guild-6"}


@pytest.fixture
def referee(phoenix: Game[Any, Any]) -> Referee:
    return Referee(phoenix, load_words("en", phoenix).say)


def _ask(referee: Referee, *lines: Any) -> dict[str, Any]:
    """The answer to the last of the lines."""
    return [referee.answer(line if isinstance(line, str) else json.dumps(line)) for line in lines][-1]


@pytest.mark.parametrize(
    "line",
    [
        "x",
        "[1]",
        "3",
        "null",
        '"do"',
        "{}",
        '{"move": 1}',
        '{"do": 5}',
        '{"do": "jump"}',
        '{"do": {}}',
        '{"do": "place"}',
        '{"do": "place", "card": 5, "nest": "big"}',
        '{"do": "place", "card": "red-3a", "nest": "attic", "side": "bell"}',
        '{"do": "place", "card": "red-3a", "nest": "big"}',
        '{"do": "place", "card": "red-3a", "nest": "big", "by": "Zoe"}',
        '{"do": "place-many", "items": []}',
        '{"do": "pick", "nest": "attic", "token": 3}',
        '{"do": "draw-deck", "by": "Zoe"}',
        '{"ask": "the way"}',
        '{"ask": ["facts"]}',
        '{"table": [1]}',
        '{"table": {"red-3a": 4}}',
        "[" * 5000,
        '{"ask": "facts"',
        "\ud800",
    ],
)
def test_a_line_that_is_no_move_is_refused_and_the_game_goes_on(referee: Referee, line: str) -> None:
    before = _ask(referee, SETUP)["facts"]
    answer = referee.answer(line.encode("utf-8", "surrogatepass"))
    assert (answer["ok"], answer["refusal"]["code"], answer["facts"]) == (False, "bad-line", before)
    assert len(answer["refusal"]["text"]) > 20
    assert _ask(referee, PLACE)["ok"]


@pytest.mark.parametrize("line", [{"ask": "facts"}, PLACE, {"undo": True}, {"table": {}}])
def test_before_a_setup_nothing_goes(referee: Referee, line: dict[str, Any]) -> None:
    answer = _ask(referee, line)
    assert (answer["ok"], answer["refusal"]["code"]) == (False, "not-now")


@pytest.mark.parametrize("line", [{"setup": 5}, {"setup": {}}, {"setup": {**SETUP["setup"], "game": "chess"}}])
def test_a_setup_that_cannot_be_is_refused_and_the_game_before_goes_on(referee: Referee, line: dict[str, Any]) -> None:
    answer = _ask(referee, SETUP, PLACE, line)
    assert (answer["ok"], answer["refusal"]["code"], answer["facts"]["turn"]) == (False, "bad-setup", "B")


def test_another_setup_starts_another_game(referee: Referee) -> None:
    assert _ask(referee, SETUP, PLACE, SETUP)["facts"]["turn"] == "A"


def test_the_side_tells_the_player(referee: Referee) -> None:
    assert _ask(referee, SETUP, PLACE)["facts"]["nests"]["big"] == {"A": ["red-3"], "B": []}


def test_undo_and_redo_walk_through_all_moves(referee: Referee) -> None:
    facts = [_ask(referee, SETUP)["facts"], _ask(referee, PLACE)["facts"]]
    facts.append(_ask(referee, {"do": "take-open", "new": "blue-3b"})["facts"])
    back = [_ask(referee, {"undo": True})["facts"] for _ in range(2)]
    assert back == [facts[1], facts[0]]
    assert _ask(referee, {"undo": True})["refusal"]["code"] == "not-now"
    assert [_ask(referee, {"redo": True})["facts"] for _ in range(2)] == facts[1:]
    assert _ask(referee, {"redo": True})["refusal"]["code"] == "not-now"


def test_a_new_move_ends_what_could_be_redone(referee: Referee) -> None:
    other = {**PLACE, "card": "red-4a"}
    assert _ask(referee, SETUP, PLACE, {"undo": True}, other, {"redo": True})["refusal"]["code"] == "not-now"


def test_the_layout_given_back_as_a_table_changes_nothing(referee: Referee) -> None:
    layout = _ask(referee, SETUP, PLACE, {"ask": "layout"})["layout"]
    answer = _ask(referee, {"table": layout})
    assert (answer["moves"], answer["disputes"]) == ([], [])


def test_a_table_makes_all_legal_moves_and_disputes_the_rest(referee: Referee) -> None:
    layout = _ask(referee, SETUP, {"ask": "layout"})["layout"]
    table = {**layout, "red-3a": "big/guild-6", "red-4a": "small-1/bell", "red-5a": "big/key"}
    answer = _ask(referee, {"table": table})
    assert [(m["do"], m["by"], m["card"]) for m in answer["moves"]] == [
        ("place", "A", "red-3a"),
        ("place", "B", "red-4a"),
    ]
    assert [(d["piece"], d["seen"], d["refusal"]["code"]) for d in answer["disputes"]] == [
        ("red-5a", "big/key", "wrong-side")
    ]


def test_a_piece_seen_nowhere_any_more_is_null(referee: Referee) -> None:
    layout = _ask(referee, SETUP, PLACE, {"ask": "layout"})["layout"]
    answer = _ask(referee, {"table": {**layout, "red-3a": None}})
    assert [(d["piece"], d["expected"], d["refusal"]["code"]) for d in answer["disputes"]] == [
        ("red-3a", "big/guild-6", "not-now")
    ]


def test_legal_moves_are_answered_and_help_is_in_words(referee: Referee) -> None:
    legal = _ask(referee, SETUP, {"ask": "legal"})["legal"]
    assert len(legal) == 68 * 3
    assert _ask(referee, legal[5])["ok"]
    assert "card" in _ask(referee, {"ask": "help"})["help"]


@settings(max_examples=150, deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["do", "setup", "table", "ask", "card", "nest", "side", "tokens", "players", "items", "by"]
                ),
                inner
                | st.sampled_from(["place", "pick", "new-round", "place-many", "take-open", "big", "A", "red-3a"]),
                max_size=5,
            )
        ),
        max_leaves=12,
    )
)
def test_no_line_makes_the_referee_fall(value: Any) -> None:
    game = load("phoenix")
    referee = Referee(game, load_words("en", game).say)
    _ask(referee, SETUP, PLACE)
    assert isinstance(_ask(referee, json.dumps(value))["ok"], bool)


def test_the_command_answers_line_by_line_with_clean_streams() -> None:
    lines = "\n".join(json.dumps(line) for line in (SETUP, PLACE, {"ask": "facts"})) + "\n\nrubbish\n"
    done = subprocess.run(
        [sys.executable, "-m", "companion", "referee", "phoenix", "--language", "de"],
        input=lines,
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert ([answer["ok"] for answer in answers], done.stderr) == ([True, True, True, False], "")
    assert answers[3]["refusal"]["text"].startswith("Das verstehe ich nicht")


def _fill(referee: Referee) -> None:
    """Plays until the treasure is shared out: A has the better pair everywhere."""
    for number, nest in enumerate(["small-1", "small-1", "small-2", "small-2", "big", "big"]):
        for side, colour in (("guild-6", "red"), ("bell", "blue")):
            card = f"{colour}-{number // 2 + 4}{'ab'[number % 2]}"
            assert _ask(referee, {"do": "place", "card": card, "nest": nest, "side": side})["ok"]


@pytest.mark.parametrize(
    ("table", "disputes"),
    [
        ({"red-3": "big/guild-6"}, []),
        ({"red-3": None}, [("red-3a", "not-now")]),
        ({"red-3": "small-1/guild-6"}, [("red-3b", "not-your-turn")]),
        ({"red-4a": "small-1"}, [("red-4a", "wrong-place")]),
        ({"red-4a": "seat/bell"}, [("red-4a", "wrong-place")]),
        ({"guild-crown": "big/bell"}, [("guild-crown", "wrong-place")]),
        ({"token-5a": "small-1/bell"}, [("token-5a", "wrong-place")]),
        ({"blue-3a": "small-1/bell"}, [("blue-3a", "card-elsewhere")]),
    ],
)
def test_a_table_line_may_name_pieces_with_or_without_letters(
    referee: Referee, table: dict[str, str | None], disputes: list[tuple[str, str]]
) -> None:
    before = _ask(referee, SETUP, PLACE)["facts"]
    answer = _ask(referee, {"table": table})
    assert [(d["piece"], d["refusal"]["code"]) for d in answer["disputes"]] == disputes
    assert (answer["moves"], answer["facts"]) == ([], before)


def test_a_card_beside_the_open_one_is_disputed_while_nobody_draws(referee: Referee) -> None:
    answer = _ask(referee, SETUP, {"table": {"red-3a": "open"}})
    assert [(d["piece"], d["refusal"]["code"]) for d in answer["disputes"]] == [("red-3a", "not-now")]


@pytest.mark.parametrize("token", ["token-2", "token-2a"])
def test_a_token_that_is_gone_is_a_pick(referee: Referee, token: str) -> None:
    _ask(referee, SETUP)
    _fill(referee)
    answer = _ask(referee, {"table": {token: None}})
    assert [(move["do"], move["nest"], move["token"]) for move in answer["moves"]] == [("pick", "small-1", 2)]


def test_equal_tokens_gone_from_two_nests_are_told_apart(referee: Referee) -> None:
    _ask(referee, {"setup": {**SETUP["setup"], "tokens": {"small-1": [2], "small-2": [2], "big": [4]}}})
    _fill(referee)
    answer = _ask(referee, {"table": {"token-2a": None, "token-2b": None}})
    assert [(move["do"], move["nest"]) for move in answer["moves"]] == [("pick", "small-1"), ("pick", "small-2")]


@pytest.mark.parametrize("line", [{"undo": False}, {"redo": 1}])
def test_undo_and_redo_must_be_true(referee: Referee, line: dict[str, Any]) -> None:
    assert _ask(referee, SETUP, PLACE, line)["refusal"]["code"] == "bad-line"

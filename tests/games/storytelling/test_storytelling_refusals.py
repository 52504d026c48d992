"""Every refusal of the rules and of the set-up line: its code, its rule, its words and the values in them."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.game import Refusal
from companion.core.messages import say, verbatim
from companion.games.storytelling import GAME
from tests.games.storytelling.smalltale import (
    TILES,
    Evening,
    blow,
    breath,
    failed,
    flipping,
    over,
    remembering,
    retiring,
    tale,
    wind,
)

WORDING = Path(__file__).resolve().parents[3] / "companion" / "games" / "storytelling" / "wording" / "en.toml"
OF_THE_TABLE = {
    "empty-cell", "other-tale", "turned-back", "blew-down", "slipped", "figure",
    "moved-turn-down", "moved-shuffle-back", "moved-blow",
}  # fmt: skip
"""Words of disputes that no move leads to; `test_storytelling_reading` and `test_storytelling_tidying` meet them."""
BLEW = verbatim("BLEW")
SAINT_GEORGE = {"story": "saint-george", "players": ["Ellie", "Sam"]}


def _after_breath() -> Evening:
    """T01 and BREATH were shuffled; now Sam looks for T03."""
    evening = breath()
    evening.do({"do": "shuffle-back"})
    evening.card()
    return evening


def _flip(tile: str, *cell: int, **by: str) -> dict[str, Any]:
    return {"do": "flip", "tile": tile, "cell": list(cell), **by}


def _both(*cells: Sequence[int]) -> dict[str, Any]:
    return {"do": "flip-many", "flips": [{"tile": f"T{i:02}", "cell": list(cell)} for i, cell in enumerate(cells, 1)]}


CARD, DOWN, SHUFFLE = {"do": "card"}, {"do": "turn-down"}, {"do": "shuffle-back"}
RETIRE = {"do": "retire", "yes": True}
T01 = {"tile": verbatim("T01"), "cell": "A1", "turn": "Ellie"}
ELLIE = {"turn": "Ellie"}
LYING_T03 = {"cells": ["C1"], "n": 1, "blew": BLEW, "turn": "Ellie"}
LYING_BREATH = {"cells": ["A1", "C4"], "n": 2, "blew": BLEW, "turn": "Ellie"}
LYING_BLEW = {"cells": ["A1", "D4"], "n": 2, "blew": BLEW, "turn": "Ellie"}
NOBODY = {"reason": "player 'Zoe': there are Ellie, Sam"}
AROUND_BLEW = ["D3", "D1", "C4", "A4"]


def _elsewhere(tile: str, cell: str, turn: str = "Ellie", **there: Any) -> dict[str, Any]:
    (key,) = {"swapped", "other", "seen", "set"} & set(there)
    values = there.pop(key)
    return {"tile": verbatim(tile), "cell": cell, "there": say(f"there.{key}", cell=cell, **values), "turn": turn}


def _no_cell(cell: str, rows: int, columns: int) -> Refusal:
    return Refusal("wrong-place", "components", {"cell": cell, "rows": rows, "columns": columns}, "no-such-cell")


Case = tuple[Callable[[], Evening], Mapping[str, Any], Refusal]
CASES: dict[str, Case] = {
    "card while tiles lie open": (failed, CARD, Refusal("must-do", "tidying", LYING_T03, "card-turn-down")),
    "card before the shuffle": (breath, CARD, Refusal("must-do", "tidying", LYING_BREATH, "card-shuffle-back")),
    "card before the wind": (wind, CARD, Refusal("must-do", "tidying", LYING_BLEW, "card-blow")),
    "card after the card": (flipping, CARD, Refusal("not-now", "cards", ELLIE, "card-flip")),
    "card before the answer": (retiring, CARD, Refusal("not-now", "cards", ELLIE, "card-retire")),
    "card after the end": (over, CARD, Refusal("not-now", "cards", ELLIE, "card-over")),
    "another card": (
        Evening,
        {"do": "card", "number": 13},
        Refusal("wrong-card", "cards", {"card": 13, "next": 1}),
    ),
    "flip below the grid": (
        flipping,
        _flip("T01", 4, 0),
        _no_cell("4,0", 4, 4),
    ),
    "flip beside the long grid": (
        partial(flipping, "race"),
        _flip("T01", 0, -1),
        _no_cell("0,-1", 2, 8),
    ),
    "flip of no tile": (
        flipping,
        _flip("T20", 0, 0),
        Refusal("unknown-card", "components", {"card": "T20"}, "no-such-tile"),
    ),
    "flip by nobody": (flipping, _flip("T01", 0, 0, by="Zoe"), Refusal("bad-line", "protocol", NOBODY)),
    "flip by another": (
        flipping,
        _flip("T01", 0, 0, by="Sam"),
        Refusal("not-your-turn", "flipping", T01 | {"by": "Sam"}),
    ),
    "flip before the card": (Evening, _flip("T01", 0, 0), Refusal("not-now", "flipping", T01, "flip-card")),
    "flip after the turn": (failed, _flip("T01", 0, 0), Refusal("not-now", "flipping", T01, "flip-tidy")),
    "flip before the answer": (retiring, _flip("T01", 0, 0), Refusal("not-now", "flipping", T01, "flip-retire")),
    "flip after the end": (over, _flip("T01", 0, 0, by="Sam"), Refusal("not-now", "flipping", T01, "flip-over")),
    "flip of a tile that is up": (
        partial(flipping, "basic", "T01"),
        _flip("T01", 0, 0),
        Refusal("already-up", "flipping", T01),
    ),
    "flip of a tile known elsewhere": (
        remembering,
        _flip("T03", 3, 3),
        Refusal("card-elsewhere", "memory", _elsewhere("T03", "D4", seen={"cells": ["C1"]})),
    ),
    "flip in the cell of another tile": (
        remembering,
        _flip("T01", 0, 2),
        Refusal("card-elsewhere", "memory", _elsewhere("T01", "C1", other={"here": verbatim("T03")})),
    ),
    "flip of a swapped tile": (
        remembering,
        _flip("T09", 0, 2),
        Refusal(
            "card-elsewhere",
            "memory",
            _elsewhere("T09", "C1", swapped={"here": verbatim("T03"), "cells": ["A3"]}),
        ),
    ),
    "flip of a tile that was not shuffled": (
        _after_breath,
        _flip("T05", 0, 0),
        Refusal(
            "card-elsewhere",
            "memory",
            _elsewhere("T05", "A1", "Sam", set={"tiles": [verbatim("T01"), verbatim("BREATH")]}),
        ),
    ),
    "flip of a shuffled tile elsewhere": (
        _after_breath,
        _flip("BREATH", 3, 3),
        Refusal("card-elsewhere", "memory", _elsewhere("BREATH", "D4", "Sam", seen={"cells": ["A1", "C4"]})),
    ),
    "two tiles at once": (
        flipping,
        _both((0, 0), (1, 2)),
        Refusal("two-at-once", "one-at-a-time", {"cells": ["A1", "C2"]}),
    ),
    "no tiles at once": (
        flipping,
        _both(),
        Refusal("bad-line", "protocol", {"reason": "flips is empty; name the tiles that were seen"}),
    ),
    "two tiles, one beside the grid": (
        flipping,
        _both((0, 0), (0, 4)),
        _no_cell("0,4", 4, 4),
    ),
    "one tile as if there were many": (
        flipping,
        {"do": "flip-many", "flips": [{"tile": "T01", "cell": [0, 0], "by": "Sam"}]},
        Refusal("not-your-turn", "flipping", T01 | {"by": "Sam"}),
    ),
    "tiles down before the card": (Evening, DOWN, Refusal("not-now", "tidying", ELLIE, "tidy-card")),
    "tiles down in the turn": (flipping, DOWN, Refusal("not-now", "tidying", ELLIE, "tidy-flip")),
    "tiles down before the answer": (retiring, DOWN, Refusal("not-now", "tidying", ELLIE, "tidy-retire")),
    "tiles down after the end": (over, DOWN, Refusal("not-now", "tidying", ELLIE, "tidy-over")),
    "tiles down unshuffled": (breath, DOWN, Refusal("must-do", "tidying", LYING_BREATH, "card-shuffle-back")),
    "tiles down without a wind": (wind, DOWN, Refusal("must-do", "tidying", LYING_BLEW, "card-blow")),
    "shuffle without breath": (failed, SHUFFLE, Refusal("not-now", "tidying", LYING_T03, "card-turn-down")),
    "shuffle in the wind": (wind, SHUFFLE, Refusal("not-now", "tidying", LYING_BLEW, "card-blow")),
    "shuffle in the turn": (flipping, SHUFFLE, Refusal("not-now", "tidying", ELLIE, "tidy-flip")),
    "wind without the wolf": (failed, blow(0, 1), Refusal("not-now", "tidying", LYING_T03, "card-turn-down")),
    "wind and breath": (breath, blow(2, 2), Refusal("not-now", "tidying", LYING_BREATH, "card-shuffle-back")),
    "wind before the card": (Evening, blow(2, 3), Refusal("not-now", "tidying", ELLIE, "tidy-card")),
    "wind out of the grid": (
        wind,
        blow(4, 3),
        _no_cell("4,3", 4, 4),
    ),
    **{
        f"wind to {name}": (
            wind,
            blow(*to),
            Refusal(
                "wrong-place",
                "blow",
                {"blew": BLEW, "cell": name, "cells": AROUND_BLEW},
                "blow-too-far",
            ),
        )
        for name, to in {"D4": (3, 3), "B4": (3, 1), "D2": (1, 3), "C3": (2, 2), "A1": (0, 0)}.items()
    },
    "answer of nobody": (retiring, RETIRE | {"by": "Zoe"}, Refusal("bad-line", "protocol", NOBODY)),
    "answer of another": (
        retiring,
        RETIRE | {"by": "Sam"},
        Refusal("not-your-turn", "retiring", {"by": "Sam", "turn": "Ellie"}, "retire-not-your-turn"),
    ),
    **{
        f"answer in {phase}": (
            begin,
            RETIRE,
            Refusal("not-now", "retiring", {"by": "Ellie", "turn": "Ellie"}, f"retire-{phase}"),
        )
        for phase, begin in {
            "card": partial(Evening, "midnight"),
            "flip": partial(flipping, "midnight"),
            "tidy": partial(failed, "midnight"),
            "over": over,
        }.items()
    },
    "answer where there is no ball": (
        Evening,
        RETIRE,
        Refusal("not-now", "retiring", {}, "retire-elsewhere"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_refused_move_names_its_rule_and_what_is_wrong(name: str) -> None:
    begin, move, refusal = CASES[name]
    evening = begin()
    before = msgspec.json.encode(evening.state)
    assert evening.refused(move) == refusal
    assert msgspec.json.encode(evening.state) == before


def test_every_code_of_the_rules_and_every_wording_is_met() -> None:
    refusals = [refusal for _, _, refusal in CASES.values()]
    assert {refusal.code for refusal in refusals} == {
        "not-your-turn", "not-now", "two-at-once", "card-elsewhere", "unknown-card", "wrong-card", "wrong-place",
        "already-up", "must-do", "bad-line",
    }  # fmt: skip
    met = {refusal.wording or refusal.code for refusal in refusals} | OF_THE_TABLE | {"bad-setup"}
    ours = set(tomllib.loads(WORDING.read_text("utf-8"))["refusal"])
    accepting = {wording for wording in ours if wording.startswith("accept-")}  # see test_storytelling_correcting.py
    assert (ours - met - accepting, met - ours) == (set(), {"bad-line"})


def _story(**change: Any) -> dict[str, Any]:
    return {"story": tale() | change}


def _cards(**first: Any) -> dict[str, Any]:
    cards = tale()["cards"]
    return _story(cards=[cards[0] | first, *cards[1:]])


MODES = "basic, stinky-breath, wolf-blew, midnight, race"
PICTURES = "story, card 1: one to 6 different tiles of this story are needed"
SETUPS: dict[str, tuple[dict[str, Any], str]] = {
    "no such story": (
        {"story": "snow-white"},
        "story: 'snow-white'; there are cinderella, hare-and-tortoise, saint-george, three-little-pigs",
    ),
    "no such mode": ({"mode": "fast"}, f"mode: 'fast'; there are {MODES}"),
    "one player": ({"players": ["Ellie"]}, "players: 1 named; basic is for 2 to 4"),
    "five players": ({"players": list("ABCDE")}, "players: 5 named; basic is for 2 to 4"),
    "no player": ({"mode": "race", "players": []}, "players: 0 named; race is for 1 to 4"),
    "five racers": ({"mode": "race", "players": list("ABCDE")}, "players: 5 named; race is for 1 to 4"),
    "first is nobody": ({"first": "Zoe"}, "first: 'Zoe' is no player"),
    "no position": ({"clock_positions": 0}, "clock_positions: 0; 1 to 24"),
    "too many positions": ({"clock_positions": 25}, "clock_positions: 25; 1 to 24"),
    "finish on the start": (
        {"mode": "race", "finish": 0, "hare_start": -1},
        "finish: 0; 1 to 19, of 20 squares; hare_start: -1; 0 to -1, before the finish",
    ),
    "finish beyond the track": ({"mode": "race", "finish": 20}, "finish: 20; 1 to 19, of 20 squares"),
    "Hare at the finish": (
        {"mode": "race", "finish": 7, "hare_start": 7},
        "hare_start: 7; 0 to 6, before the finish",
    ),
    "Hare before the start": ({"mode": "race", "hare_start": -1}, "hare_start: -1; 0 to 18, before the finish"),
    "Hare at the finish by the number of players": (
        {"mode": "race", "finish": 2},
        "hare_start: 2; 0 to 1, before the finish",
    ),
    "no breath": (
        {"story": "cinderella", "mode": "stinky-breath"},
        "mode: 'stinky-breath' needs a story with the tile BREATH",
    ),
    "no wind": (
        {"story": "saint-george", "mode": "wolf-blew"},
        "mode: 'wolf-blew' needs a story with the tile BLEW",
    ),
    "15 tiles": (
        {"story": tale(cards={13: ["T01"]}) | {"tiles": [one for one in tale()["tiles"] if one["name"] != "T14"]}},
        "story, tiles: 15, 15 of them different; 16 all different are needed",
    ),
    "same tile twice": (
        _story(tiles=[*tale()["tiles"], {"name": "T01", "colour": "red"}]),
        "story, tiles: 17, 16 of them different; 16 all different are needed",
    ),
    "12 cards": (_story(cards=tale()["cards"][:12]), "story, cards: they must be numbered 1 to 13, each once"),
    "card number twice": (_cards(number=2), "story, cards: they must be numbered 1 to 13, each once"),
    "no such tale": (_story(tale="wolf"), "story, tale: 'wolf'; there are george, pigs, cinderella, hare, own"),
    "unknown picture": (_cards(pictures=["T20"]), PICTURES),
    "no picture": (_cards(pictures=[]), PICTURES),
    "seven pictures": (_cards(pictures=list(TILES[:7])), PICTURES),
    "same picture twice": (_cards(pictures=["T01", "T01"]), PICTURES),
    "several at once": (
        {"mode": "fast", "players": ["A"], "first": "B", "clock_positions": 0},
        f"mode: 'fast'; there are {MODES}; players: 1 named; fast is for 2 to 4; first: 'B' is no player; "
        "clock_positions: 0; 1 to 24",
    ),
}


@pytest.mark.parametrize("name", SETUPS)
def test_a_set_up_that_cannot_be_says_what_is_wrong(name: str) -> None:
    change, reason = SETUPS[name]
    refusal = GAME.setup({**SAINT_GEORGE, **change})
    assert refusal == Refusal("bad-setup", "setup", {"reason": reason})


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"players": ["A", "B"]}, "`story`"),
        ({"story": "saint-george"}, "`players`"),
        ({**SAINT_GEORGE, "players": 2}, "array"),
        ({**SAINT_GEORGE, "colour": "red"}, "colour"),
        ({**SAINT_GEORGE, "colour": "red"}, "there are story, players, mode, first, storyteller, clock_positions"),
        ({**SAINT_GEORGE, "story": {"name": "x"}}, "story: "),
        ({**SAINT_GEORGE, "clock_positions": "12"}, "clock_positions"),
    ],
)
def test_a_set_up_line_of_another_shape_names_the_field(line: dict[str, Any], words: str) -> None:
    refusal = GAME.setup(line)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, words in refusal.params["reason"]) == ("bad-setup", True)

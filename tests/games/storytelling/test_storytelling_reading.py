"""What the table shows in each phase: the move that it means, or what is wrong and how to put it right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Dispute, Refusal, encode
from companion.core.messages import say, verbatim
from companion.core.settle import settle
from companion.core.table import Observation
from companion.games.storytelling import GAME
from tests.games.storytelling.smalltale import Evening, look, piece

BLEW = verbatim("BLEW")
FIGURES = {"clock": "dial/0", "hare": "track/2", "tortoise": "track/0"}
OF_MODE: Mapping[str, tuple[str, ...]] = {"midnight": ("clock",), "race": ("hare", "tortoise")}


def see(evening: Evening, seen: Observation) -> tuple[list[dict[str, Any]], tuple[Dispute, ...]]:
    """The moves that a look leads to, and the disputes that are left."""
    settled = settle(GAME, evening.state, seen)
    evening.state = settled.state
    return [encode(move) for move, _ in settled.moves], settled.disputes


def flipped(tile: str, *cell: int, by: str = "Ellie") -> dict[str, Any]:
    return {"do": "flip", "tile": tile, "cell": cell, "by": by}


def _flipping(mode: str = "basic", *tiles: str) -> Evening:
    evening = Evening(mode)
    evening.card()
    evening.flip(*tiles)
    return evening


def _failed(mode: str, *tiles: str) -> Evening:
    evening = Evening(mode)
    evening.fail(*tiles)
    return evening


def _retiring() -> Evening:
    evening = _failed("midnight", "T03")
    evening.back()
    return evening


def _over() -> Evening:
    evening = Evening("midnight", clock_positions=1)
    evening.fail("T02")
    return evening


def _remembering() -> Evening:
    """Ellie has turned T03 at C1, Sam T09 at A3; now Ellie looks for T04."""
    evening = _failed("basic", "T03")
    evening.back()
    evening.fail("T09")
    evening.back()
    evening.card()
    return evening


_breath = partial(_failed, "stinky-breath", "T01", "BREATH")
_wind = partial(_failed, "wolf-blew", "T01", "BLEW")


def _after_wind() -> Evening:
    evening = _wind()
    evening.do({"do": "blow", "to": [2, 3]})
    return evening


# Turning tiles up


def test_a_tile_that_was_turned_up_is_the_active_players_flip() -> None:
    evening = _flipping()
    assert see(evening, look({"T01": "grid/A1"})) == ([flipped("T01", 0, 0)], ())
    assert see(evening, look({"T01": "grid/A1", "T03": "grid/C1"})) == ([flipped("T03", 0, 2)], ())
    assert evening.facts["outcome"] == "failed"


def _two(*cells: str) -> Refusal:
    return Refusal("two-at-once", "one-at-a-time", {"cells": list(cells)})


def test_of_two_tiles_turned_at_once_neither_counts() -> None:
    """The camera may even see a little later which came first: less than a look's length tells nothing."""
    for since in ({}, {"T01": 5.0, "T02": 5.2}, {"T01": 5.2, "T02": 5.0}):
        evening = _flipping()
        seen = look({"T01": "grid/A1", "T02": "grid/B1"}, **since)
        disputes = tuple(
            Dispute(piece(tile), zone, None, _two("A1", "B1"))
            for tile, zone in (("T01", "grid/A1"), ("T02", "grid/B1"))
        )
        assert see(evening, seen) == ([], disputes)
        assert see(evening, look({"T02": "grid/B1"}, {"T01": "grid/A1"})) == ([flipped("T02", 0, 1)], ())


def test_a_tile_that_plainly_came_earlier_is_taken_and_the_later_one_comes_too_late_for_a_lost_turn() -> None:
    evening = _flipping()
    moves, disputes = see(evening, look({"T01": "grid/A1", "T05": "grid/A2"}, T01=5.6, T05=5.2))
    refusal = Refusal("not-now", "flipping", {"tile": verbatim("T01"), "cell": "A1", "turn": "Ellie"}, "flip-tidy")
    assert (moves, disputes) == ([flipped("T05", 1, 0)], (Dispute("george-01", "grid/A1", None, refusal),))
    assert (evening.facts["up"], evening.facts["outcome"]) == ([[[1, 0], "T05"]], "failed")


def test_the_earlier_of_two_tiles_counts_first() -> None:
    moves, _ = see(_flipping(), look({"T02": "grid/B1", "T01": "grid/A1"}, T01=5.0, T02=6.0))
    assert moves[0] == flipped("T01", 0, 0)


def test_of_three_tiles_only_one_that_came_before_both_others_is_taken() -> None:
    seen = {"T01": "grid/A1", "T02": "grid/B1", "T03": "grid/C1"}
    moves, disputes = see(_flipping("basic"), look(seen, T01=5.0, T02=6.0, T03=6.1))
    assert moves == [flipped("T01", 0, 0)]
    assert [(dispute.piece, dispute.refusal) for dispute in disputes] == [
        (piece(tile), _two("B1", "C1")) for tile in ("T02", "T03")
    ]
    moves, disputes = see(_flipping("basic"), look(seen, T01=5.0, T02=5.1, T03=6.1))
    assert (moves, [dispute.refusal for dispute in disputes]) == ([], [_two("A1", "B1", "C1")] * 3)


def test_a_tile_under_a_hand_is_no_news() -> None:
    seen = look({"T01": "grid/A1"})
    hidden = replace(seen, sightings=tuple(replace(one, hidden=True) for one in seen.sightings))
    assert see(_flipping(), hidden) == ([], ())


# Disputes


def _not_now(phase: str, turn: str = "Ellie") -> Refusal:
    return Refusal("not-now", "flipping", {"tile": verbatim("T05"), "cell": "A2", "turn": turn}, f"flip-{phase}")


def _where(tile: str, cell: str) -> dict[str, Any]:
    return {"tile": verbatim(tile), "blew": BLEW, "cell": cell}


def _elsewhere(tile: str, cell: str, key: str, **there: Any) -> Refusal:
    params = {"tile": verbatim(tile), "cell": cell, "there": say(key, cell=cell, **there), "turn": "Ellie"}
    return Refusal("card-elsewhere", "memory", params)


def _other_tale(name: str) -> Refusal:
    return Refusal("unknown-card", "components", {"card": name}, "other-tale")


SLIPPED = Refusal("wrong-place", "tidying", _where("T01", "A1"), "slipped")
Case = tuple[Callable[[], Evening], Observation, tuple[Dispute, ...]]
CASES: dict[str, Case] = {
    "a tile of another tale in a turn": (
        _flipping,
        look({"pigs-03": "grid/B1"}),
        (Dispute("pigs-03", "grid/B1", None, _other_tale("pigs-03")),),
    ),
    "a tile of another tale beside two at once": (
        _flipping,
        look({"T01": "grid/A1", "T02": "grid/B1", "own-01": "grid/C1"}),
        (
            Dispute("george-01", "grid/A1", None, _two("A1", "B1")),
            Dispute("george-02", "grid/B1", None, _two("A1", "B1")),
            Dispute("own-01", "grid/C1", None, _other_tale("own-01")),
        ),
    ),
    "a tile of another tale between turns": (
        Evening,
        look({"hare-16": "grid/D4"}),
        (Dispute("hare-16", "grid/D4", None, _other_tale("hare-16")),),
    ),
    "a tile before the card": (
        Evening,
        look({"T05": "grid/A2"}),
        (Dispute("george-05", "grid/A2", None, _not_now("card")),),
    ),
    "a further tile after the turn": (
        partial(_failed, "basic", "T03"),
        look({"T03": "grid/C1", "T05": "grid/A2"}),
        (Dispute("george-05", "grid/A2", None, _not_now("tidy")),),
    ),
    "a tile while somebody is asked": (
        _retiring,
        look({"T05": "grid/A2"}),
        (Dispute("george-05", "grid/A2", None, _not_now("retire")),),
    ),
    "two tiles before the card": (
        Evening,
        look({"T05": "grid/A2", "T01": "grid/A1"}),
        (
            Dispute("george-05", "grid/A2", None, _not_now("card")),
            Dispute(
                "george-01",
                "grid/A1",
                None,
                Refusal("not-now", "flipping", {"tile": verbatim("T01"), "cell": "A1", "turn": "Ellie"}, "flip-card"),
            ),
        ),
    ),
    "turned back too early": (
        partial(_flipping, "basic", "T01"),
        look({}, {"T01": "grid/A1"}),
        (Dispute("george-01", None, "grid/A1", Refusal("not-now", "tidying", _where("T01", "A1"), "turned-back")),),
    ),
    "slipped to another cell": (
        partial(_flipping, "basic", "T01"),
        look({"T01": "grid/B1"}),
        (Dispute("george-01", "grid/B1", "grid/A1", SLIPPED),),
    ),
    "slipped off the grid": (
        partial(_flipping, "basic", "T01"),
        look({"T01": None}),
        (Dispute("george-01", None, "grid/A1", SLIPPED),),
    ),
    "two tiles swapped": (
        _remembering,
        look({"T09": "grid/C1"}),
        (
            Dispute(
                "george-09", "grid/C1", None,
                _elsewhere("T09", "C1", "there.swapped", here=verbatim("T03"), cells=["A3"]),
            ),
        ),
    ),
    "a tile that was seen elsewhere": (
        _remembering,
        look({"T09": "grid/D4"}),
        (Dispute("george-09", "grid/D4", None, _elsewhere("T09", "D4", "there.seen", cells=["A3"])),),
    ),
    "a tile where another was seen": (
        _remembering,
        look({"T01": "grid/A3"}),
        (Dispute("george-01", "grid/A3", None, _elsewhere("T01", "A3", "there.other", here=verbatim("T09"))),),
    ),
    "an empty cell": (
        partial(_flipping, "basic", "T01"),
        look({"T01": "grid/A1", "cell-06": "grid/B2"}),
        (Dispute("cell-06", "grid/B2", None, Refusal("wrong-place", "flipping", {"cell": "B2"}, "empty-cell")),),
    ),
    "a tile put back open in another cell": (
        partial(_failed, "basic", "T03"),
        look({"T03": "grid/D1"}),
        (
            Dispute(
                "george-03", "grid/D1", "grid/C1",
                Refusal("wrong-place", "tidying", _where("T03", "C1") | {"seen": "grid/D1"}, "moved-turn-down"),
            ),
        ),
    ),
    "a tile laid back open after the breath": (
        _breath,
        look({"T01": "grid/C4"}, {"BREATH": "grid/C4"}),
        (
            Dispute(
                "george-01", "grid/C4", "grid/A1",
                Refusal("wrong-place", "tidying", _where("T01", "A1") | {"seen": "grid/C4"}, "moved-shuffle-back"),
            ),
        ),
    ),
    "BLEW down too early": (
        _wind,
        look({"T01": "grid/A1"}, {"BLEW": "grid/D4"}),
        (Dispute("george-16", None, "grid/D4", Refusal("must-do", "blow", _where("BLEW", "D4"), "blew-down")),),
    ),
    "BLEW down too early, after the others": (
        _wind,
        look({}, {"T01": "grid/A1", "BLEW": "grid/D4"}),
        (Dispute("george-16", None, "grid/D4", Refusal("must-do", "blow", _where("BLEW", "D4"), "blew-down")),),
    ),
    "another tile moved instead of BLEW": (
        _wind,
        look({"T01": "grid/A2", "BLEW": "grid/D4"}),
        (
            Dispute(
                "george-01", "grid/A2", "grid/A1",
                Refusal("wrong-place", "tidying", _where("T01", "A1") | {"seen": "grid/A2"}, "moved-blow"),
            ),
        ),
    ),
    **{
        f"BLEW blown to {cell}": (
            _wind,
            look({"BLEW": f"grid/{cell}"}, {"T01": "grid/A1"}),
            (
                Dispute(
                    "george-16", f"grid/{cell}", "grid/D4",
                    Refusal(
                        "wrong-place", "blow", {"blew": BLEW, "cell": cell, "cells": ["D3", "D1", "C4", "A4"]},
                        "blow-too-far",
                    ),
                ),
            ),
        )
        for cell in ("D2", "B4", "C3")
    },
    "BLEW turned up elsewhere after the wind": (
        _after_wind,
        look({"BLEW": "grid/C3"}),
        (
            Dispute(
                "george-16", "grid/C3", None,
                Refusal("not-now", "flipping", {"tile": BLEW, "cell": "C3", "turn": "Sam"}, "flip-card"),
            ),
        ),
    ),
    "anything after the end": (_over, look({"T05": "grid/A2", "pigs-01": "grid/A1", "clock": "dial/0"}), ()),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_a_table_that_no_move_explains_is_disputed_piece_by_piece(name: str) -> None:
    begin, seen, disputes = CASES[name]
    evening = begin()
    before = evening.facts
    assert see(evening, seen) == ([], disputes)
    assert evening.facts == before


@pytest.mark.parametrize("name", CASES)
def test_a_dispute_ends_when_the_table_is_as_expected_again(name: str) -> None:
    begin, seen, _ = CASES[name]
    evening = begin()
    see(evening, seen)
    layout = dict(GAME.layout(evening.state).expected)
    assert see(evening, look(layout)) == ([], ())


def test_swapped_tiles_are_put_right_and_then_the_turn_goes_on() -> None:
    evening = _remembering()
    see(evening, look({"T09": "grid/C1"}))
    assert see(evening, look({}, {"T09": "grid/C1"})) == ([], ())
    assert see(evening, look({"T04": "grid/D1"})) == ([flipped("T04", 0, 3)], ())


# Figures


def _figure(name: str, home: str) -> Refusal:
    return Refusal("wrong-place", "figures", {"figure": name, "zone": home}, "figure")


@pytest.mark.parametrize(("mode", "name"), [(mode, name) for mode, names in OF_MODE.items() for name in names])
def test_a_figure_is_minded_only_while_a_turn_runs(mode: str, name: str) -> None:
    home = FIGURES[name]
    away = home.replace("0", "3").replace("2", "3")
    others = {other: FIGURES[other] for other in OF_MODE[mode] if other != name}
    tables = [look({name: away, **others}), look({name: None, **others}), look(others, {name: home})]
    evening = Evening(mode)
    for begin in ((lambda: None), evening.card):
        begin()
        minded = evening.facts["phase"] == "flip"
        for seen, zone in zip(tables, (away, None, None), strict=True):
            disputes = (Dispute(name, zone, home, _figure(name, home)),) if minded else ()
            assert see(evening, seen) == ([], disputes)
        assert see(evening, look({name: home, **others})) == ([], ())


@pytest.mark.parametrize("mode", OF_MODE)
def test_a_figure_that_stands_wrong_does_not_keep_a_tile_from_counting(mode: str) -> None:
    evening = _flipping(mode)
    names = OF_MODE[mode]
    moves, disputes = see(evening, look({"T01": "grid/A1", **dict.fromkeys(names)}))
    assert moves == [flipped("T01", 0, 0)]
    assert [dispute.refusal for dispute in disputes] == [_figure(name, FIGURES[name]) for name in names]


@pytest.mark.parametrize(("mode", "name", "now"), [("midnight", "clock", "dial/1"), ("race", "hare", "track/3")])
def test_after_a_failure_a_figure_may_be_moved_before_or_after_the_tiles_go_back(
    mode: str, name: str, now: str
) -> None:
    """It is where it was, or on its way, or where it belongs: none of it is wrong until the next turn runs."""
    for zone in (FIGURES[name], None, now):
        evening = _failed(mode, "T02")
        others = {"tortoise": "track/0"} if mode == "race" else {}
        assert see(evening, look({"T02": "grid/B1", name: zone, **others})) == ([], ())
        assert see(evening, look({name: zone, **others}, {"T02": "grid/B1"})) == ([{"do": "turn-down"}], ())
        assert dict(GAME.layout(evening.state).expected)[name] == now
        assert see(evening, look({name: zone, **others})) == ([], ())


# Tiles go back


def test_tiles_go_back_one_by_one_and_the_last_of_them_ends_the_turn() -> None:
    evening = Evening(cards={1: ("T01", "T02", "T03")})
    evening.fail("T01", "T02", "T07")
    lying = {tile: evening.zone(tile) for tile in ("T02", "T07", "T01")}
    for gone in ("T02", "T07"):
        down = {name: zone for name, zone in lying.items() if list(lying).index(name) <= list(lying).index(gone)}
        assert see(evening, look({name: zone for name, zone in lying.items() if name not in down}, down)) == ([], ())
        assert evening.facts["phase"] == "tidy"
    assert see(evening, look({}, lying)) == ([{"do": "turn-down"}], ())
    assert (evening.facts["phase"], evening.facts["active"]) == ("card", "Sam")
    assert see(evening, look({}, lying)) == ([], ())


def test_tiles_that_nobody_sees_have_not_gone_back() -> None:
    evening = _failed("basic", "T03")
    assert see(evening, look({})) == ([], ())
    assert evening.facts["phase"] == "tidy"


def test_a_tile_turned_up_as_the_last_one_goes_back_is_wrong_in_the_next_turn_already() -> None:
    evening = _failed("basic", "T03")
    moves, disputes = see(evening, look({"T05": "grid/A2"}, {"T03": "grid/C1"}))
    assert moves == [{"do": "turn-down"}]
    assert disputes == (Dispute("george-05", "grid/A2", None, _not_now("card", "Sam")),)


def test_at_the_ball_the_question_of_retiring_comes_when_the_tiles_are_back() -> None:
    evening = _failed("midnight", "T03")
    clock = {"clock": "dial/0"}
    assert see(evening, look(clock, {"T03": "grid/C1"})) == ([{"do": "turn-down"}], ())
    assert evening.facts["phase"] == "retire"


def test_a_shuffle_waits_while_tiles_are_lifted_from_their_cells() -> None:
    """Markers of the sheet show where no tile lies; they are no dispute while the tiles are in somebody's hands."""
    evening = _breath()
    down = {"T01": "grid/A1", "BREATH": "grid/C4"}
    for seen in (
        look(down),
        look({"BREATH": "grid/C4", "cell-01": "grid/A1"}, {"T01": "grid/A1"}),
        look({"BREATH": None, "cell-01": "grid/A1", "cell-15": "grid/C4"}, {"T01": "grid/A1"}),
        look({"cell-01": "grid/A1", "cell-15": "grid/C4"}, down),
        look({"cell-15": "grid/C4"}, down),
    ):
        assert see(evening, seen) == ([], ())
        assert evening.facts["phase"] == "tidy"
    assert see(evening, look({}, down)) == ([{"do": "shuffle-back"}], ())
    assert (evening.facts["known"], evening.facts["active"]) == ({}, "Sam")


def test_after_other_turns_a_lifted_tile_is_told_only_when_the_next_turn_runs() -> None:
    evening = _failed("basic", "T03")
    assert see(evening, look({"cell-03": "grid/C1"}, {"T03": "grid/C1"})) == ([{"do": "turn-down"}], ())
    evening.card()
    _, disputes = see(evening, look({"cell-03": "grid/C1"}))
    assert [dispute.refusal.wording for dispute in disputes] == ["empty-cell"]


@pytest.mark.parametrize(
    ("cell", "known"),
    [
        ("D3", {"0,0": "T01", "2,3": "BLEW"}),
        ("D1", {"0,0": "T01", "0,3": "BLEW"}),
        ("C4", {"0,0": "T01", "3,2": "BLEW"}),
        ("A4", {"0,0": "T01", "3,0": "BLEW"}),
    ],
)
def test_where_blew_is_seen_tells_how_the_wind_blew(cell: str, known: Mapping[str, str]) -> None:
    evening = _wind()
    (move,), disputes = see(evening, look({"BLEW": f"grid/{cell}"}, {"T01": "grid/A1"}))
    assert (move["do"], disputes, evening.facts["known"]) == ("blow", (), known)


def test_the_wind_waits_until_all_others_are_down() -> None:
    evening = _wind()
    assert see(evening, look({"T01": "grid/A1", "BLEW": "grid/D3"})) == ([], ())
    assert see(evening, look({"BLEW": "grid/D3"})) == ([], ())
    assert evening.facts["tidy"] == "blow"
    blown = [{"do": "blow", "to": (2, 3)}]
    assert see(evening, look({"BLEW": "grid/D3"}, {"T01": "grid/A1"})) == (blown, ())


def test_blew_may_be_carried_to_its_new_cell() -> None:
    evening = _wind()
    down = {"T01": "grid/A1"}
    assert see(evening, look({"BLEW": "grid/D4"}, down)) == ([], ())
    assert see(evening, look({"BLEW": None}, down)) == ([], ())
    assert see(evening, look({"BLEW": "grid/D1"}, down)) == ([{"do": "blow", "to": (0, 3)}], ())


def test_after_the_wind_blew_may_lie_open_until_the_next_card_and_then_goes_down() -> None:
    evening = _after_wind()
    for seen in (look({"BLEW": "grid/D3"}), look({}, {"BLEW": "grid/D3"})):
        assert see(evening, seen) == ([], ())
    assert (evening.facts["phase"], evening.facts["active"]) == ("card", "Sam")

"""Tiles that go back at the end of a turn, each way, and figures that are moved meanwhile."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from companion.core.game import Dispute, Refusal
from companion.core.messages import verbatim
from companion.games.storytelling import GAME
from tests.games.storytelling.smalltale import Evening, blow, breath, failed, flipped, flipping, look, see, wind

FIGURES = {"clock": "dial/0", "hare": "track/2", "tortoise": "track/0"}
OF_MODE: Mapping[str, tuple[str, ...]] = {"midnight": ("clock",), "race": ("hare", "tortoise")}


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
    evening = flipping(mode)
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
        evening = failed(mode, "T02")
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
    evening = failed("basic", "T03")
    assert see(evening, look({})) == ([], ())
    assert evening.facts["phase"] == "tidy"


def test_a_tile_turned_up_as_the_last_one_goes_back_is_wrong_in_the_next_turn_already() -> None:
    evening = failed("basic", "T03")
    moves, disputes = see(evening, look({"T05": "grid/A2"}, {"T03": "grid/C1"}))
    assert moves == [{"do": "turn-down"}]
    params = {"tile": verbatim("T05"), "cell": "A2", "turn": "Sam"}
    assert disputes == (Dispute("george-05", "grid/A2", None, Refusal("not-now", "flipping", params, "flip-card")),)


def test_at_the_ball_the_question_of_retiring_comes_when_the_tiles_are_back() -> None:
    evening = failed("midnight", "T03")
    clock = {"clock": "dial/0"}
    assert see(evening, look(clock, {"T03": "grid/C1"})) == ([{"do": "turn-down"}], ())
    assert evening.facts["phase"] == "retire"


def test_a_shuffle_waits_while_tiles_are_lifted_from_their_cells() -> None:
    """Markers of the sheet show where no tile lies; they are no dispute while the tiles are in somebody's hands."""
    evening = breath()
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
    evening = failed("basic", "T03")
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
    evening = wind()
    (move,), disputes = see(evening, look({"BLEW": f"grid/{cell}"}, {"T01": "grid/A1"}))
    assert (move["do"], disputes, evening.facts["known"]) == ("blow", (), known)


def test_the_wind_waits_until_all_others_are_down() -> None:
    evening = wind()
    assert see(evening, look({"T01": "grid/A1", "BLEW": "grid/D3"})) == ([], ())
    assert evening.facts["tidy"] == "blow"
    blown = [{"do": "blow", "to": (2, 3)}]
    assert see(evening, look({"BLEW": "grid/D3"}, {"T01": "grid/A1"})) == (blown, ())


def test_blew_may_be_carried_to_its_new_cell() -> None:
    evening = wind()
    down = {"T01": "grid/A1"}
    assert see(evening, look({"BLEW": "grid/D4"}, down)) == ([], ())
    assert see(evening, look({"BLEW": None}, down)) == ([], ())
    assert see(evening, look({"BLEW": "grid/D1"}, down)) == ([{"do": "blow", "to": (0, 3)}], ())


def test_after_the_wind_blew_may_lie_open_until_the_next_card_and_then_goes_down() -> None:
    evening = wind()
    evening.do(blow(2, 3))
    for seen in (look({"BLEW": "grid/D3"}), look({}, {"BLEW": "grid/D3"})):
        assert see(evening, seen) == ([], ())
    assert (evening.facts["phase"], evening.facts["active"]) == ("card", "Sam")

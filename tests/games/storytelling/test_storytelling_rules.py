"""The rules beyond the golden playthroughs: piles, ends, retiring, taking back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import pytest

from companion.core.game import Outcome
from companion.games.storytelling import GAME
from companion.games.storytelling.state import MODES
from companion.service.referee import Referee
from tests.games.storytelling.smalltale import CARDS, TILES, Evening, blow

WRONG = "T14"
"""A tile that is the next picture of no card but the last one."""
DOWN = {"do": "turn-down"}
RETIRE = {"do": "retire", "yes": True}


# The pile


def test_the_pile_is_turned_over_when_the_last_unread_card_is_won() -> None:
    evening = Evening()
    for _ in range(5):
        evening.fail(WRONG)
        evening.back()
    for _ in range(7):
        assert evening.win() == ["won"]
        evening.back()
    assert (evening.facts["unread"], evening.facts["read"]) == ([13], [1, 2, 3, 4, 5])
    assert evening.win() == ["won", "pile-turned-over"]
    facts = evening.facts
    assert (facts["unread"], facts["read"], facts["phase"]) == ([1, 2, 3, 4, 5], [], "tidy")
    assert facts["won"] == {"Ellie": [7, 9, 11, 13], "Sam": [6, 8, 10, 12]}
    evening.back()
    evening.card()
    assert evening.facts["card"] == 1


def test_won_cards_are_not_read_again_and_the_pile_goes_round_as_often_as_it_must() -> None:
    evening = Evening()
    for unread in range(13, 3, -1):
        for card in range(unread - 1):
            evening.fail("BREATH")
            evening.back()
            assert len(evening.facts["read"]) == card + 1
        events = evening.win()
        left = [number for number in range(1, 14) if number < unread]
        assert evening.facts["unread"] == ([] if unread == 4 else left)
        assert events == (["won", "over"] if unread == 4 else ["won", "pile-turned-over"])
        if unread > 4:
            evening.back()


def test_the_tenth_card_ends_the_game_at_once_and_no_pile_is_turned_over() -> None:
    evening = Evening()
    for _ in range(3):
        evening.fail(WRONG)
        evening.back()
    for _ in range(9):
        evening.win()
        evening.back()
    assert evening.win() == ["won", "over"]
    facts = evening.facts
    assert (facts["phase"], facts["active"], facts["unread"], facts["read"]) == ("over", None, [], [1, 2, 3])
    assert (facts["completed"], facts["tidy"], facts["winners"]) == (10, None, ["Sam"])


# Winning


def _ten_cards(evening: Evening, failed: Sequence[int] = ()) -> list[str]:
    """Plays until ten cards are won; these are failed."""
    events: list[str] = []
    while evening.facts["phase"] != "over":
        if evening.facts["unread"][0] in failed:
            evening.fail("BREATH" if evening.facts["unread"][0] == 13 else WRONG)
        else:
            events = evening.win()
        if evening.facts["phase"] != "over":
            evening.back()
    return events


def test_most_points_win_also_with_fewer_cards() -> None:
    worth = {number: 5 if number % 2 == 0 else 2 for number in range(1, 14)}
    evening = Evening(points=worth)
    assert _ten_cards(evening, failed=[2, 12]) == ["won", "over"]
    assert evening.facts["won"] == {"Ellie": [1, 3, 5, 7, 9, 11], "Sam": [4, 6, 8, 10]}
    assert GAME.outcome(evening.state) == Outcome(("Sam",), {"Ellie": 12, "Sam": 20})


def test_with_equal_points_most_cards_win() -> None:
    worth = {number: 3 if number % 2 == 0 else 2 for number in range(1, 14)}
    evening = Evening(points=worth)
    assert _ten_cards(evening, failed=[2, 12]) == ["won", "over-by-cards"]
    assert GAME.outcome(evening.state) == Outcome(("Ellie",), {"Ellie": 12, "Sam": 12})


def test_with_equal_points_and_cards_both_share_the_victory() -> None:
    evening = Evening(points=dict.fromkeys(range(1, 14), 2))
    assert _ten_cards(evening) == ["won", "over-shared"]
    assert GAME.outcome(evening.state) == Outcome(("Ellie", "Sam"), {"Ellie": 10, "Sam": 10})


def test_only_those_who_have_most_share_the_victory() -> None:
    worth = {1: 9, 2: 4, 3: 9, **dict.fromkeys(range(4, 14), 1)}
    evening = Evening(players=("Ellie", "Sam", "Ezio"), points=worth)
    assert _ten_cards(evening, failed=[10]) == ["won", "over-shared"]
    assert evening.facts["won"] == {"Ellie": [1, 4, 7], "Sam": [2, 5, 8, 11], "Ezio": [3, 6, 9]}
    assert GAME.outcome(evening.state) == Outcome(("Ellie", "Ezio"), {"Ellie": 11, "Sam": 7, "Ezio": 11})


# Before the midnight bells


@pytest.mark.parametrize(
    ("card", "turned", "strikes"),
    [
        (("T01", "T02"), ["T02"], True),
        (("T01", "T02"), ["T06"], True),
        (("T01", "T02"), ["T01", "T05"], True),
        (("T01", "T02"), ["T03"], False),
        (("T01", "T02"), ["T01", "T04"], False),
        (("T03",), ["T01"], False),
        (("T03", "T04", "T07"), ["T03", "T07"], True),
        (("T03", "T04", "T07"), ["T03", "T01"], False),
    ],
)
def test_the_clock_strikes_only_for_a_wrong_frame_whose_colour_is_on_the_card(
    card: Sequence[str], turned: Sequence[str], strikes: bool
) -> None:
    """Tiles are red, blue, green, gold in turn. A picture of the card itself, out of order, has its own frame."""
    evening = Evening("midnight", cards={1: card})
    assert evening.fail(*turned) == (["failed", "stroke"] if strikes else ["failed"])
    assert (evening.facts["clock"], evening.facts["read"]) == (int(strikes), [1])


@pytest.mark.parametrize("mode", ["basic", "stinky-breath", "wolf-blew", "race"])
def test_only_at_the_ball_there_are_a_clock_and_a_question_of_retiring(mode: str) -> None:
    evening = Evening(mode)
    assert "stroke" not in evening.fail("T02")
    assert ("clock" in evening.facts, "retired" in evening.facts) == (False, False)
    evening.do(DOWN)
    assert (evening.facts["phase"], evening.state.clock) == ("card", 0)


def test_after_a_won_turn_too_the_active_player_is_asked_whether_he_retires() -> None:
    evening = Evening("midnight")
    evening.win()
    assert evening.back() == []
    assert (evening.facts["phase"], evening.facts["active"], evening.facts["card"]) == ("retire", "Ellie", 1)
    assert evening.do(RETIRE) == ["retired", "next"]
    assert (evening.facts["retired"], evening.facts["active"]) == (["Ellie"], "Sam")
    assert evening.facts["points"] == {"Ellie": 2, "Sam": 0}


def test_after_the_tenth_card_nobody_is_asked() -> None:
    evening = Evening("midnight")
    for _ in range(9):
        evening.win()
        evening.back(yes=False)
    assert evening.win() == ["won", "over"]
    assert (evening.facts["phase"], evening.state.asked) == ("over", False)
    assert evening.refused(RETIRE).wording == "retire-over"


def test_who_has_retired_takes_no_more_turns_and_the_last_one_plays_on_alone() -> None:
    evening = Evening("midnight", players=("Ellie", "Sam", "Ezio"), first="Sam")
    turns = []
    for yes in (True, False, False, True, False, False):
        turns.append(evening.facts["active"])
        evening.fail("T04" if evening.facts["unread"][0] != 3 else "T05")
        evening.back(yes=yes)
    assert turns == ["Sam", "Ezio", "Ellie", "Ezio", "Ellie", "Ellie"]
    assert (evening.facts["active"], evening.facts["retired"]) == ("Ellie", ["Sam", "Ezio"])


def test_when_all_have_retired_the_game_ends_and_what_they_hold_counts() -> None:
    evening = Evening("midnight", points={1: 2, 2: 3})
    evening.win()
    evening.back(yes=True)
    evening.win()
    assert evening.back(yes=True) == ["retired", "over"]
    facts = evening.facts
    assert (facts["phase"], facts["winners"], facts["retired"]) == ("over", ["Sam"], ["Ellie", "Sam"])
    assert (facts["won"], facts["clock"]) == ({"Ellie": [1], "Sam": [2]}, 0)


def test_at_midnight_the_retired_keep_their_cards_and_all_others_lose_theirs_with_their_points() -> None:
    evening = Evening("midnight", players=("Ellie", "Sam", "Ezio"), clock_positions=2, points={1: 1, 2: 9, 3: 9})
    for yes in (True, False, False):
        evening.win()
        evening.back(yes=yes)
    assert evening.facts["points"] == {"Ellie": 1, "Sam": 9, "Ezio": 9}
    assert evening.fail("T05") == ["failed", "stroke", "last-stroke"]
    evening.back(yes=False)
    assert evening.fail("T10") == ["failed", "stroke", "midnight", "over"]
    facts = evening.facts
    assert (facts["won"], facts["points"]) == (
        {"Ellie": [1], "Sam": [], "Ezio": []},
        {"Ellie": 1, "Sam": 0, "Ezio": 0},
    )
    assert (facts["winners"], facts["clock"], facts["phase"], facts["tidy"]) == (["Ellie"], 2, "over", None)


def test_when_the_clock_strikes_midnight_it_is_too_late_to_retire() -> None:
    evening = Evening("midnight", clock_positions=1)
    assert evening.fail("T02") == ["failed", "stroke", "midnight", "over-nobody"]
    assert evening.refused(RETIRE).wording == "retire-over"


def test_without_a_card_nobody_wins() -> None:
    evening = Evening("midnight", clock_positions=2)
    evening.win()
    evening.back(yes=False)
    evening.fail("T07")
    evening.back(yes=True)
    assert evening.fail("T08") == ["failed", "stroke", "midnight", "over-nobody"]
    assert GAME.outcome(evening.state) == Outcome((), {"Ellie": 0, "Sam": 0})
    assert evening.facts["winners"] == []


def test_a_card_without_points_is_still_a_card() -> None:
    evening = Evening("midnight", points={1: 0})
    evening.win()
    evening.back(yes=True)
    evening.fail("T05")
    assert evening.back(yes=True) == ["retired", "over-by-cards"]
    assert evening.facts["winners"] == ["Ellie"]


@pytest.mark.parametrize("positions", [1, 3, 12, 24])
def test_the_clock_has_as_many_positions_as_the_set_up_says(positions: int) -> None:
    evening = Evening("midnight", clock_positions=positions)
    where = []
    while evening.facts["phase"] != "over":
        where.append(dict(GAME.layout(evening.state).expected)["clock"])
        shown = CARDS[evening.facts["unread"][0]]
        evening.fail("T09" if shown[-1] == "T05" else next(tile for tile in _alike(shown[-1]) if tile != shown[0]))
        if evening.facts["phase"] != "over":
            evening.back(yes=False)
    printed = {1: ["0"], 3: ["0", "4", "8"], 12: [str(number) for number in range(12)]}
    printed[24] = [str(number // 2) if number % 2 == 0 else f"{number}-24" for number in range(24)]
    assert where == [f"dial/{number}" for number in printed[positions]]
    assert evening.facts["clock"] == positions


def _alike(tile: str) -> list[str]:
    """Tiles with the same frame."""
    return list(TILES[TILES.index(tile) % 4 :: 4])


# The race


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_in_the_race_the_hare_starts_on_the_square_of_the_number_of_players_and_may_win(players: int) -> None:
    evening = Evening("race", players=tuple("ABCD"[:players]))
    squares = []
    while evening.facts["phase"] != "over":
        squares.append(dict(GAME.layout(evening.state).expected))
        events = evening.fail("BREATH")
        if evening.facts["phase"] != "over":
            assert events[:2] == ["failed", "hare"]
            assert evening.back() == ([] if players == 1 else ["next"])
    assert events == ["failed", "hare", "race-lost"]
    assert squares == [{"hare": f"track/{square}", "tortoise": "track/0"} for square in range(players, 19)]
    assert (evening.facts["hare"], evening.facts["tortoise"]) == (19, 0)
    assert GAME.outcome(evening.state) == Outcome((), dict.fromkeys("ABCD"[:players], 0))


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_the_tenth_card_brings_the_tortoise_home_and_all_have_won(players: int) -> None:
    evening = Evening("race", players=tuple("ABCD"[:players]))
    for number in range(9):
        assert dict(GAME.layout(evening.state).expected)["tortoise"] == f"track/{2 * number}"
        assert evening.facts["active"] == "ABCD"[number % players]
        assert evening.win() == ["completed", "tortoise"]
        evening.back()
    assert evening.win() == ["completed", "tortoise", "race-won"]
    facts = evening.facts
    assert (facts["phase"], facts["completed"], facts["winners"]) == ("over", 10, list("ABCD"[:players]))
    assert (facts["won"], facts["unread"]) == ({name: [] for name in "ABCD"[:players]}, [11, 12, 13])
    assert (facts["hare"], facts["tortoise"]) == (players, 20)


@pytest.mark.parametrize(("finish", "cards"), [(1, 1), (2, 1), (3, 2), (12, 6), (18, 9), (19, 10)])
def test_start_of_the_hare_and_finish_are_data(finish: int, cards: int) -> None:
    won = Evening("race", finish=finish, hare_start=0)
    lost = Evening("race", finish=finish, hare_start=finish - 1)
    assert (won.facts["hare"], lost.facts["hare"]) == (0, finish - 1)
    for _ in range(cards - 1):
        won.win()
        won.back()
    assert won.win() == ["completed", "tortoise", "race-won"]
    assert lost.fail("BREATH") == ["failed", "hare", "race-lost"]


def test_a_card_that_was_failed_in_the_race_goes_to_the_read_pile_and_comes_again() -> None:
    evening = Evening("race", hare_start=0)
    for number in range(1, 13):
        evening.fail("BREATH")
        assert evening.facts["read"] == list(range(1, number + 1))
        evening.back()
    assert evening.win() == ["completed", "tortoise", "pile-turned-over"]
    assert (evening.facts["unread"], evening.facts["read"]) == (list(range(1, 13)), [])


# Taking back


@pytest.mark.parametrize("mode", MODES)
def test_what_was_taken_back_move_by_move_can_be_done_again_with_all_that_was_remembered(mode: str) -> None:
    dealer = GAME.dealer(3, {"players": ["Ellie", "Sam", "Ezio"], "mode": mode})
    referee = Referee(GAME, lambda message: message.key)
    facts = [_answer(referee, {"setup": dealer.setup})]
    legal = [_answer(referee, {"ask": "legal"}, "legal")]
    while dealer.choices():
        move = dealer.think()
        dealer.do(move)
        facts.append(_answer(referee, move))
        legal.append(_answer(referee, {"ask": "legal"}, "legal"))
    for way, order in (("undo", range(len(facts) - 2, -1, -1)), ("redo", range(1, len(facts)))):
        for number in order:
            assert _answer(referee, {way: True}) == facts[number]
            assert _answer(referee, {"ask": "legal"}, "legal") == legal[number]


def test_after_a_wind_was_taken_back_it_can_blow_another_way() -> None:
    evening = Evening("wolf-blew")
    evening.fail("T01", "BLEW")
    before = evening.state
    evening.do(blow(3, 0))
    assert evening.facts["known"] == {"0,0": "T01", "3,0": "BLEW"}
    evening.state = before
    evening.do(blow(2, 3))
    assert evening.facts["known"] == {"0,0": "T01", "2,3": "BLEW"}
    assert GAME.facts(before)["known"] == {"0,0": "T01", "3,3": "BLEW"}


def _answer(referee: Referee, line: Mapping[str, Any], part: str = "facts") -> Any:
    answer = referee.answer(msgspec.json.encode(line))
    assert answer["ok"], answer
    return answer[part]

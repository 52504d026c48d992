"""The six Characters at values I to III, and what they may not do."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.three_kings.piles import transfer
from companion.games.three_kings.unseen import DECK, hand
from tests.games.three_kings.court import Court, acting, at_counsel, legal

SWAPS = [{"throne": 1, "card": "spy-1"}, {"throne": 3, "card": "spy-2"}, {"throne": 2, "card": "priest-3"}]


def _with(kind: str, value: int, **line: Any) -> Court:
    return acting(f"{kind}-{value}", **line)


def _acts(court: Court) -> list[dict[str, Any]]:
    """What the active player may do, without whose move it is and without only showing."""
    moves = [{key: value for key, value in move.items() if key not in ("do", "by")} for move in legal(court)]
    return [move for move in moves if "perform" not in move]


class TestNoble:
    @pytest.mark.parametrize("value", [1, 2, 3])
    def test_he_swaps_up_to_his_value_of_thrones_and_takes_the_first_player_card(self, value: int) -> None:
        court = acting("guard-1", f"noble-{value}", counselors={"Cleo": 1, "Ann": 2})
        court.do("act", perform=False)
        assert court.do("act", by="Ben", swaps=SWAPS[:value])[:value] == ["swapped"] * value
        thrones = [
            ["spy-1", "merchant-1", "priest-1"],
            ["spy-1", "merchant-1", "spy-2"],
            ["spy-1", "priest-3", "spy-2"],
        ]
        assert court.now("thrones", "first", "hands") == [thrones[value - 1], "Ben", court.hands(5, 5, 6)]
        assert court.facts["counselors"] == {"Ann": None if value == 3 else 2, "Ben": None, "Cleo": None}

    @pytest.mark.parametrize("value", [1, 2])
    def test_he_swaps_no_more_than_that(self, value: int) -> None:
        assert _with("noble", value).refused("act", swaps=SWAPS[: value + 1]) == ("too-many", "too-many")

    def test_he_takes_the_card_also_without_a_swap_but_not_when_he_is_only_shown(self) -> None:
        court = acting("guard-1", "noble-1", "noble-2")
        court.do("act", perform=False)
        assert court.do("act", by="Ben", swaps=[]) == ["first-player"]
        assert court.do("act", by="Cleo", perform=False) == ["only-shown", "next-round"]
        assert court.facts["first"] == "Ben"

    @pytest.mark.parametrize(
        ("swaps", "why"),
        [
            ([("purge", 1)], ("wrong-card", "no-character")),
            ([("corruption", 1)], ("wrong-card", "no-character")),
            ([("spy-1", 4)], ("wrong-target", "no-such-throne")),
            ([("spy-1", 1), ("spy-2", 1)], ("wrong-target", "throne-twice")),
            ([("king-1", 1)], ("unknown-card", "unknown-card")),
            ([("noble-3a", 1)], ("card-elsewhere", "card-elsewhere")),
            ([("merchant-1a", 1)], ("card-elsewhere", "card-elsewhere")),
        ],
    )
    def test_what_he_may_not_put_on_a_throne(self, swaps: list[tuple[str, int]], why: tuple[str, str]) -> None:
        court = acting("noble-3a", thrones=["noble-1a", "merchant-1a", "priest-1a"])
        assert court.refused("act", swaps=[{"throne": t, "card": card} for card, t in swaps]) == why

    def test_he_swaps_cards_of_the_hand_not_those_that_he_takes_up(self) -> None:
        court = Court(3, hands={"Ann": 1, "Ben": 6, "Cleo": 58}).recruit().plan("x..")
        assert court.facts["hands"] == court.hands(0, 6, 6)
        court.reveal("noble-3")
        assert court.refused("act", swaps=SWAPS[:1]) == ("no-card", "too-few-there")

    def test_the_card_that_he_takes_up_is_known_to_be_in_his_hand(self) -> None:
        court = Court(3, thrones=["noble-1a", "merchant-1a", "priest-1a"]).recruit()
        court.plan("xx.", "xx.").reveal("noble-1b", "spy-1a")
        court.do("act", by="Ann", swaps=[{"throne": 2, "card": "spy-2a"}])
        court.do("act", by="Ben", perform=False)
        assert court.refused("reveal", cards={"Ann": "spy-3a", "Ben": "merchant-1a"}) == (
            "card-elsewhere", "card-elsewhere"
        )  # fmt: skip
        assert court.refused("reveal", cards={"Ann": "merchant-1a", "Ben": "spy-3a"}) == (
            "card-elsewhere", "card-elsewhere"
        )  # fmt: skip


class TestRoyalGuard:
    @pytest.mark.parametrize("value", [1, 2, 3])
    def test_he_puts_up_to_his_value_of_discards_into_the_infirmary_or_to_the_bottom(self, value: int) -> None:
        court = _with("guard", value, discards=9)
        splits = [(i, b) for i in range(value + 1) for b in range(value + 1 - i)]
        assert sorted((act["infirmary"], act["bottom"]) for act in _acts(court)) == sorted(splits)
        assert court.refused("act", infirmary=value, bottom=1) == ("too-many", "too-many")
        assert court.do("act", infirmary=value, bottom=0) == ["guard", "next-round"]
        assert court.now("infirmary", "discards") == [value, 9 - value + 1]

    def test_he_takes_no_more_than_there_is_and_his_own_card_is_not_there_yet(self) -> None:
        court = _with("guard", 3, discards=1)
        assert court.refused("act", infirmary=1, bottom=1) == ("empty-deck", "too-few-there")
        assert court.refused("act", infirmary=-1, bottom=1) == ("bad-line", "bad-line")
        court.do("act", infirmary=0, bottom=1)
        assert court.now("infirmary", "discards") == [0, 2]


class TestMerchant:
    @pytest.mark.parametrize("value", [1, 2, 3])
    def test_he_draws_up_to_his_value_from_deck_and_discards(self, value: int) -> None:
        court = _with("merchant", value, discards=9)
        deck = court.facts["deck"]
        splits = [(i, d) for i in range(value + 1) for d in range(value + 1 - i)]
        assert sorted((act["discards"], act["deck"]) for act in _acts(court)) == sorted(splits)
        assert court.refused("act", deck=value, discards=1) == ("too-many", "too-many")
        court.do("act", deck=value - 1, discards=1)
        assert court.now("hands", "deck", "discards") == [court.hands(5 + value, 6, 6), deck - value + 1, 9]

    def test_an_empty_deck_is_counted_in_the_middle_without_the_acting_card(self) -> None:
        court = _with("merchant", 3, discards=46, infirmary=1)
        assert court.do("act", deck=2, discards=1) == ["merchant", "count-of-the-fallen"]
        assert court.now("phase", "active", "pending_draw", "discards", "hands") == [
            "action", "Ann", 2, 45, court.hands(6, 6, 6)
        ]  # fmt: skip
        assert court.refused("act", by="Ben", perform=False) == ("must-do", "count-first")
        assert court.do("fallen", cards=["merchant-2"]) == ["counted", "reshuffled", "next-round"]
        assert court.now("deck", "discards", "hands", "infirmary") == [44, 1, court.hands(8, 6, 6), 0]

    def test_with_nothing_left_at_all_the_draw_ends(self) -> None:
        court = _with("merchant", 3)
        court.state = transfer(court.state, DECK, hand(2), court.state.deck)
        assert court.do("act", deck=3, discards=0) == ["merchant", "next-round"]
        assert court.now("hands", "deck", "discards", "pending_draw") == [court.hands(5, 6, 53), 0, 1, 0]

    def test_he_takes_no_more_discards_than_there_are(self) -> None:
        assert _with("merchant", 3).refused("act", deck=0, discards=1) == ("empty-deck", "too-few-there")


class TestMercenary:
    @pytest.mark.parametrize("value", [1, 2, 3])
    def test_he_draws_up_to_his_value_of_action_cards(self, value: int) -> None:
        court = _with("mercenary", value)
        splits = [(c, x) for c in range(value + 1) for x in range(value + 1 - c)]
        assert sorted((act["c"], act["x"]) for act in _acts(court)) == sorted(splits)
        assert court.refused("act", c=value, x=1) == ("too-many", "too-many")
        court.do("act", c=value - 1, x=1)
        assert court.now("past", "action_deck") == [court.hands(value - 1, 0, 0), 33 - value]

    def test_an_empty_action_deck_gives_fewer(self) -> None:
        court = _with("mercenary", 3, action_deck=1)
        assert court.refused("act", c=2, x=0) == ("empty-deck", "too-few-there")
        court.do("act", c=1, x=0)

    def test_cards_are_counted_or_named_not_both(self) -> None:
        assert _with("mercenary", 3).refused("act", c=1, actions=["bodyguards"]) == ("bad-line", "bad-line")


class TestPriest:
    @pytest.mark.parametrize("value", [1, 2, 3])
    def test_he_steals_up_to_his_value_of_cards_from_one_player(self, value: int) -> None:
        court = _with("priest", value)
        wanted = [(name, count) for name in ("Ben", "Cleo") for count in range(value + 1)]
        assert sorted((act["from"], act["count"]) for act in _acts(court)) == wanted
        assert court.refused("act", count=value + 1, **{"from": "Ben"}) == ("too-many", "too-many")
        court.do("act", count=value, **{"from": "Cleo"})
        assert court.facts["hands"] == court.hands(5 + value, 6, 6 - value)

    def test_whom_he_cannot_steal_from(self) -> None:
        court = acting("priest-3")
        court.do("bodyguards", by="Cleo", on=True)
        assert court.refused("act", count=1, **{"from": "Ann"}) == ("wrong-target", "own-cards")
        assert court.refused("act", count=1, **{"from": "Cleo"}) == ("wrong-target", "protected")
        assert court.refused("act", count=1, **{"from": "Zoe"}) == ("bad-line", "bad-line")
        assert court.refused("act", count=1) == ("bad-line", "bad-line")
        assert {act["from"] for act in _acts(court)} == {"Ben"}

    def test_he_steals_no_more_than_there_is(self) -> None:
        court = acting("priest-3", hands={"Ann": 6, "Ben": 2, "Cleo": 57})
        assert court.facts["hands"] == court.hands(5, 2, 6)
        assert court.refused("act", count=3, **{"from": "Ben"}) == ("no-card", "too-few-there")
        court.do("act", count=2, **{"from": "Ben"})

    def test_he_may_steal_nothing_from_nobody(self) -> None:
        assert _with("priest", 1).do("act") == ["priest", "next-round"]


class TestSpy:
    @pytest.mark.parametrize("value", [1, 2, 3])
    def test_he_takes_up_to_his_value_of_past_actions_from_one_player(self, value: int) -> None:
        court = _with("spy", value, past={"Ben": 3, "Cleo": 1})
        assert court.refused("act", count=value + 1, **{"from": "Ben"}) == ("too-many", "too-many")
        assert {(act["from"], act["count"]) for act in _acts(court)} == {
            *(("Ben", count) for count in range(value + 1)), ("Cleo", 0), ("Cleo", 1)
        }  # fmt: skip
        court.do("act", count=value, **{"from": "Ben"})
        assert court.facts["past"] == court.hands(value, 3 - value, 1)

    def test_he_takes_no_more_than_there_is_and_none_that_bodyguards_protect(self) -> None:
        court = _with("spy", 3, past={"Ben": 1, "Cleo": 1})
        assert court.refused("act", count=2, **{"from": "Ben"}) == ("no-card", "too-few-there")
        assert court.refused("act", count=1, **{"from": "Ann"}) == ("wrong-target", "own-cards")
        court.do("bodyguards", by="Cleo", on=True)
        assert court.refused("act", count=1, **{"from": "Cleo"}) == ("wrong-target", "protected")


def test_a_character_does_only_what_he_can() -> None:
    assert acting("spy-1").refused("act", deck=1) == ("bad-line", "bad-line")
    assert acting("guard-1").refused("act", swaps=[]) == ("bad-line", "bad-line")
    assert acting("noble-1").refused("act", count=0, **{"from": "Ben"}) == ("bad-line", "bad-line")
    assert acting("priest-1").refused("act", actions=[], **{"from": "Ben"}) == ("bad-line", "bad-line")


def test_bodyguards_are_told_taken_back_and_gone_with_the_turn() -> None:
    court = at_counsel(Court(3))
    assert court.do("bodyguards", by="Ben", on=True) == ["bodyguards"]
    assert court.refused("bodyguards", by="Ben", on=True) == ("not-now", "bodyguards-on")
    assert court.refused("bodyguards", by="Ann", on=False) == ("not-now", "bodyguards-off")
    assert court.refused("bodyguards", by="", on=True) == ("bad-line", "bad-line")
    assert court.refused("bodyguards", by="Zoe", on=True) == ("bad-line", "bad-line")
    assert court.refused("counsel", throne=3, count=1, **{"from": "Ben"}) == ("wrong-target", "protected")
    assert court.do("bodyguards", by="Ben", on=False) == ["unguarded"]
    court.do("bodyguards", by="Ben", on=True)
    court.counsels().lay()
    for throne in (1, 2, 3):
        court.do("award", throne=throne, cards=[])
    assert court.state.protected == ()

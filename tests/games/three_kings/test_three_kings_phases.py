"""Recruitment, the Count of the Fallen, Secret Planning, the Rounds, Counselors and Intrigue: who moves when."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from companion.games.three_kings.recruiting import points_for
from companion.games.three_kings.unseen import Unseen, hand
from tests.games.three_kings.court import NAMES, Court, acting, at_award, at_counsel, at_intrigue, legal


class TestRecruitment:
    def test_everybody_draws_up_to_six_clockwise_from_the_first_player(self) -> None:
        court = Court(3, first="Ben", turn=2, hands={"Ann": 5, "Ben": 2})
        assert court.now("active", "deck") == ["Ben", 58]
        assert court.do("recruit", by="Ben") == ["recruits"]
        assert court.now("active", "deck", "hands") == ["Cleo", 54, court.hands(5, 6, 0)]
        court.do("recruit")
        assert court.do("recruit", by="Ann") == ["recruits", "planning"]
        assert court.now("phase", "active", "hands", "deck") == ["plan", None, court.hands(6, 6, 6), 47]

    def test_who_has_six_is_passed_over_and_who_has_more_discards_down_to_six(self) -> None:
        court = Court(3, turn=2, hands={"Ann": 6, "Ben": 9})
        assert court.facts["active"] == "Ben"
        assert court.do("recruit", by="Ben") == ["recruit-discards"]
        assert court.now("active", "hands", "discards") == ["Cleo", court.hands(6, 6, 0), 3]

    def test_a_turn_in_which_all_have_six_begins_with_the_planning(self) -> None:
        assert Court(3, turn=3, hands=dict.fromkeys(NAMES[:3], 6)).facts["phase"] == "plan"

    @pytest.mark.parametrize(("discards", "drawn"), [(0, 0), (2, 2), (5, 4)])
    def test_no_more_are_said_to_be_drawn_than_there_are(self, discards: int, drawn: int) -> None:
        court = Court(8, turn=2, hands={"Ann": 2, "Ben": 63 - discards}, discards=discards, deck=0)
        told = court.step("recruit", by="Ann")
        assert (told[0].name, told[0].params["n"]) == ("recruits", drawn)
        if discards:
            court.do("fallen", cards=[])
        assert court.facts["hands"]["Ann"] == 2 + drawn

    def test_nobody_recruits_out_of_turn_or_later(self) -> None:
        court = Court(3)
        assert court.refused("recruit", by="Ben") == ("not-your-turn", "not-your-turn")
        assert court.refused("recruit", by="Zoe") == ("bad-line", "bad-line")
        assert legal(court) == [{"do": "recruit", "by": "Ann"}]
        court.recruit()
        assert court.refused("recruit", by="Ann") == ("not-now", "not-now")


class TestCountOfTheFallen:
    def test_each_kind_gives_and_costs_what_the_rulebook_says(self) -> None:
        assert points_for(("noble-3",)) == (-1, 1, 0, 0)
        assert points_for(("guard-1",)) == (0, 0, 1, 0)
        assert points_for(("merchant-2",)) == (0, -1, 1, 0)
        assert points_for(("mercenary-1",)) == (1, 0, 0, 0)
        assert points_for(("priest-1",)) == (1, 0, -1, 0)
        assert points_for(("spy-2",)) == (0, 1, 0, 0)
        assert points_for(("corruption", "corruption")) == (0, 0, 0, -2)
        assert points_for(("purge",)) == (0, 0, 0, 0)
        assert points_for(()) == (0, 0, 0, 0)

    def test_it_interrupts_the_draw_at_the_moment_when_no_card_is_left(self) -> None:
        court = Court(3, deck=8, discards=54, infirmary=3)
        court.do("recruit")
        assert court.do("recruit", by="Ben") == ["recruits", "count-of-the-fallen"]
        assert court.now("phase", "active", "pending_draw", "deck", "hands") == [
            "recruit", "Ben", 4, 0, court.hands(6, 2, 0)
        ]  # fmt: skip
        assert court.refused("recruit", by="Ben") == ("must-do", "count-first")
        assert court.refused("fallen", cards=["purge"]) == ("wrong-count", "count-of-fallen")
        assert court.refused("fallen", cards=["purge", "noble-1", "joker"]) == ("unknown-card", "unknown-card")
        assert court.do("fallen", cards=["corruption", "noble-1", "spy-3"]) == ["counted", "reshuffled"]
        assert court.now("vp", "active", "deck", "discards", "infirmary", "pending_draw") == [
            {"owl": -1, "wyvern": 2, "serpent": 0, "eye": -1}, "Cleo", 53, 0, 0, 0
        ]  # fmt: skip
        assert list(court.state.left) == [(card, "infirmary") for card in ("corruption", "noble-1", "spy-3")]

    def test_an_exactly_empty_deck_is_counted_only_when_somebody_draws(self) -> None:
        court = Court(3, deck=6, discards=59)
        court.do("recruit")
        assert court.now("deck", "pending_draw", "active") == [0, 0, "Ben"]
        court.do("recruit")
        assert court.facts["pending_draw"] == 6
        assert court.do("fallen", cards=[]) == ["counted", "reshuffled"]

    def test_it_can_come_more_than_once_for_one_draw_until_nothing_is_left(self) -> None:
        court = Court(3, hands={"Cleo": 63}, deck=0, discards=2)
        court.do("recruit")
        court.do("fallen", cards=[])
        assert court.now("deck", "discards", "hands", "active", "phase") == [
            0, 0, court.hands(2, 0, 63), "Ben", "recruit"
        ]  # fmt: skip
        assert court.do("recruit", by="Ben") == ["recruits"]
        assert court.now("active", "pending_draw") == ["Cleo", 0]
        court.do("recruit")
        assert court.now("phase", "hands", "discards") == ["plan", court.hands(2, 0, 6), 57]

    def test_it_is_no_move_while_cards_are_left(self) -> None:
        assert Court(3, infirmary=1).refused("fallen", cards=["spy-1"]) == ("not-now", "count-not-now")


class TestPlanning:
    def test_everybody_plans_in_any_order_as_many_spaces_as_he_likes(self) -> None:
        court = Court(3).recruit()
        court.do("plan", by="Cleo", spaces=[False, True, True])
        court.do("plan", by="Ann", spaces=[False, False, False])
        assert court.now("phase", "active", "hands", "round") == ["plan", None, court.hands(6, 6, 4), 0]
        assert court.do("plan", by="Ben", spaces=[True, True, True]) == ["planned", "all-planned"]
        assert court.now("phase", "hands", "round") == ["reveal", court.hands(6, 3, 4), 1]

    def test_nobody_plans_twice_or_more_cards_than_he_has(self) -> None:
        court = Court(3, hands={"Ann": 63}, deck=0, discards=2).recruit()
        court.do("fallen", cards=[])
        court.recruit()
        assert court.facts["hands"] == court.hands(6, 6, 6)
        court.do("plan", by="Ben", spaces=[True, False, False])
        assert court.refused("plan", by="Ben", spaces=[True, False, False]) == ("not-now", "planned-already")
        assert court.refused("plan", spaces=[True, False, False]) == ("bad-line", "bad-line")
        assert court.refused("plan", by="Zoe", spaces=[True, False, False]) == ("bad-line", "bad-line")
        few = Court(3, hands={"Cleo": 64}, discards=1)
        few.do("recruit")
        few.do("fallen", cards=[])
        few.recruit()
        assert few.facts["hands"] == few.hands(1, 0, 6)
        assert few.refused("plan", by="Ann", spaces=[True, True, False]) == ("no-card", "hand-too-small")
        assert {"do": "plan", "by": "Ben", "spaces": [False, False, False]} in legal(few)
        assert sum(move["by"] == "Ben" for move in legal(few)) == 1
        assert sum(move["by"] == "Ann" for move in legal(few)) == 4

    def test_purge_and_corruption_cannot_be_planned(self) -> None:
        court = Court(3).recruit().plan("x..")
        assert court.refused("reveal", cards={"Ann": "purge"}) == ("wrong-card", "no-character")
        assert court.refused("reveal", cards={"Ann": "corruption"}) == ("wrong-card", "no-character")

    def test_who_can_only_have_purge_and_corruption_plans_nothing(self) -> None:
        court = Court(3).recruit()
        ann = 1 << hand(0)
        pool = tuple(Unseen(u.card, ann if u.card.startswith("purge") else u.places & ~ann) for u in court.state.unseen)
        court.state = replace(court.state, unseen=pool)
        assert court.refused("plan", by="Ann", spaces=[False, True, False]) == ("wrong-card", "too-few-characters")
        assert [move["spaces"] for move in legal(court) if move["by"] == "Ann"] == [[False, False, False]]
        court.do("plan", by="Ann", spaces=[False, False, False])


class TestRounds:
    def test_all_reveal_what_they_have_planned_and_nothing_else(self) -> None:
        court = Court(3, first="Ben").recruit().plan("x.x", "...", "xx.")
        assert court.refused("reveal", cards={"Ann": "spy-1"}) == ("must-do", "reveal-first")
        assert court.refused("reveal", cards={"Ann": "spy-1", "Ben": "spy-1", "Cleo": "spy-1"}) == (
            "wrong-place", "space-empty"
        )  # fmt: skip
        assert court.refused("reveal", cards={"Zoe": "spy-1"}) == ("bad-line", "bad-line")
        assert court.refused("reveal", cards={"": "spy-1"}) == ("bad-line", "bad-line")
        assert court.refused("reveal", cards={"Ann": "king-1", "Cleo": "spy-1"}) == ("unknown-card", "unknown-card")
        assert court.refused("act", by="Ann") == ("not-now", "not-now")
        assert court.step("reveal", cards={"Ann": "spy-1", "Ben": None, "Cleo": "guard-1"})[0].params == {
            "round": 1, "turn": "Cleo"
        }  # fmt: skip
        assert court.now("phase", "active", "round") == ["action", "Cleo", 1]

    def test_the_first_player_begins_and_each_card_goes_to_the_discards(self) -> None:
        court = acting("merchant-1", "merchant-1", "merchant-2", first="Cleo")
        for number, name in enumerate(("Cleo", "Ann", "Ben")):
            assert court.now("active", "discards") == [name, number]
            assert court.refused("act", by=NAMES[(NAMES.index(name) + 1) % 3]) == ("not-your-turn", "not-your-turn")
            court.do("act", by=name, deck=1, discards=0)
        assert court.now("phase", "round", "discards") == ["reveal", 2, 3]

    def test_a_round_in_which_nobody_has_a_card_is_revealed_all_the_same(self) -> None:
        court = Court(3).recruit().plan("..x")
        assert court.do("reveal", cards={}) == ["revealed-none", "next-round"]
        assert court.do("reveal", cards=dict.fromkeys(NAMES[:3])) == ["revealed-none", "next-round"]
        court.reveal("noble-1")
        assert court.do("act", perform=False) == ["only-shown", "counselors"]
        assert court.now("phase", "round", "active") == ["counsel", 3, "Ann"]

    def test_the_next_round_begins_with_the_player_who_has_the_first_player_card_then(self) -> None:
        court = Court(3).recruit().plan("xx.", "xx.", "xx.").reveal("spy-1", "noble-1", "guard-1")
        court.do("act", perform=False)
        court.do("act", by="Ben", swaps=[])
        assert court.now("first", "active") == ["Ben", "Cleo"]
        court.do("act", perform=False)
        court.reveal("spy-1", "spy-1", "spy-2")
        assert court.facts["active"] == "Ben"

    def test_a_card_that_is_only_shown_goes_to_the_discards_too(self) -> None:
        court = acting("noble-2")
        assert court.refused("act", perform=False, swaps=[]) == ("bad-line", "bad-line")
        assert court.do("act", perform=False) == ["only-shown", "next-round"]
        assert court.now("discards", "first") == [1, "Ann"]


class TestCounselors:
    def test_a_counselor_is_sent_performs_and_stays(self) -> None:
        court = at_counsel(Court(3))
        assert court.do("counsel", by="Ann", throne=2, deck=1, discards=0) == ["counselor", "merchant"]
        assert court.now("counselors", "hands", "active") == [
            {"Ann": 2, "Ben": None, "Cleo": None}, court.hands(7, 6, 6), "Ben"
        ]  # fmt: skip
        court.counsels().lay()
        for throne in (1, 2, 3):
            court.do("award", throne=throne, cards=[])
        at_counsel(court)
        assert court.refused("counsel", throne=1, swaps=[]) == ("not-allowed", "counselor-stays")
        assert court.do("counsel", deck=0, discards=0) == ["merchant"]
        assert court.facts["counselors"]["Ann"] == 2

    def test_each_throne_may_host_several_and_everybody_may_skip(self) -> None:
        court = at_counsel(Court(3))
        court.do("counsel", throne=1, swaps=[])
        assert court.do("counsel", skip=True) == ["skips"]
        court.do("counsel", throne=1, swaps=[])
        assert court.now("counselors", "phase", "active") == [
            {"Ann": 1, "Ben": None, "Cleo": 1}, "intrigue", "Cleo"
        ]  # fmt: skip

    def test_a_noble_on_the_throne_makes_the_first_player_of_the_intrigue_but_not_of_this_phase(self) -> None:
        court = at_counsel(Court(4))
        court.do("counsel", skip=True)
        court.do("counsel", by="Ben", throne=1, swaps=[{"throne": 1, "card": "guard-2"}])
        assert court.now("first", "active", "counselors", "thrones") == [
            "Ben", "Cleo", dict.fromkeys(NAMES[:4]), ["guard-2", "merchant-1", "priest-1"]
        ]  # fmt: skip
        court.counsels()
        assert court.now("phase", "active") == ["intrigue", "Ben"]

    def test_a_counselor_may_be_sent_for_his_point_alone(self) -> None:
        court = at_counsel(Court(3))
        assert court.do("counsel", throne=1, perform=False) == ["counselor"]
        assert court.now("counselors", "first") == [{"Ann": 1, "Ben": None, "Cleo": None}, "Ann"]

    def test_what_makes_no_sense_is_told(self) -> None:
        court = at_counsel(Court(3))
        assert court.refused("counsel", throne=4) == ("wrong-target", "no-such-throne")
        assert court.refused("counsel", by="Ann") == ("bad-line", "bad-line")
        assert court.refused("counsel", throne=1, skip=True) == ("bad-line", "bad-line")
        assert court.refused("counsel", skip=True, deck=1) == ("bad-line", "bad-line")
        assert court.refused("counsel", by="Cleo", skip=True) == ("not-your-turn", "not-your-turn")
        assert court.refused("counsel", throne=1, deck=1) == ("bad-line", "bad-line")


class TestIntrigue:
    def test_one_card_after_the_other_until_all_have_passed_or_laid_everything(self) -> None:
        court = at_intrigue(Court(3, first="Ben"))
        assert court.do("intrigue", by="Ben", throne=3) == ["lays"]
        court.do("intrigue", **{"pass": True})
        court.do("intrigue", by="Ann", throne=3)
        assert court.now("active", "hands", "intrigue") == ["Ben", court.hands(5, 5, 6), [0, 0, 2]]
        assert court.refused("intrigue", by="Cleo", throne=1) == ("passed", "passed")
        assert court.refused("intrigue", by="Ann", throne=1) == ("not-your-turn", "not-your-turn")
        assert court.refused("intrigue", throne=0) == ("bad-line", "bad-line")
        assert court.refused("intrigue", throne=4) == ("wrong-target", "no-such-throne")
        assert court.refused("intrigue", throne=1, **{"pass": True}) == ("bad-line", "bad-line")
        for _ in range(5):
            court.do("intrigue", by="Ben", throne=1)
            court.do("intrigue", by="Ann", throne=2)
        assert court.now("phase", "hands", "intrigue") == ["award", court.hands(0, 0, 6), [5, 5, 2]]

    def test_who_has_no_card_left_is_out_by_himself(self) -> None:
        court = at_intrigue(Court(3))
        for _ in range(5):
            for name in NAMES[:3]:
                court.do("intrigue", by=name, throne=1)
        court.do("intrigue", by="Ann", throne=1)
        assert court.refused("intrigue", by="Ann", throne=1) == ("no-card", "no-card-left")
        assert court.facts["active"] == "Ben"

    def test_cards_that_are_kept_are_there_in_the_next_turn(self) -> None:
        court = at_award(2, 0, 0)
        court.do("award", throne=1, cards=["spy-1", "spy-1"])
        court.do("award", throne=2, cards=[])
        court.do("award", throne=3, cards=[])
        assert court.now("phase", "active", "hands") == ["recruit", "Ann", court.hands(5, 5, 6)]

    @pytest.mark.parametrize("players", range(3, 9))
    def test_a_whole_quiet_game_of_each_number_of_players(self, players: int) -> None:
        court = Court(players, thrones=["noble-1", "guard-1", "spy-1"])
        for _ in range(4):
            court.quiet_turn()
        court.do("fallen", cards=[])
        assert court.now("turn", "winners") == [4, ["owl"]]

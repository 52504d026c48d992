"""Action cards: drawn, ordered by rank, performed step by step, put away; every verb of the vocabulary."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.games.three_kings.deck import Step
from companion.games.three_kings.vocabulary import VERBS
from tests.games.three_kings.court import DECKS, NAMES, Court, acting, at_counsel, cards_of, effects, legal

DRAW = {"do": "move", "from": "deck", "to": "hand", "n": 1}
PROTECT = {"do": "protect"}
GAIN = {"do": "score", "faction": "owl", "n": 2}
DONE = ["next-round"]
"""What is announced last when the only Character of a Round is done."""


def move(source: str, goal: str, **number: int) -> dict[str, Any]:
    return {"do": "move", "from": source, "to": goal, **number}


def options(court: Court) -> list[Any]:
    """What can be chosen for the step that waits."""
    return [one["steps"][0] for one in legal(court)]


class TestDrawing:
    def test_drawn_cards_lie_open_lowest_rank_first_and_wait(self) -> None:
        court = acting("mercenary-3", actions=cards_of([GAIN], [DRAW], [PROTECT], ranks=[3, 1, 2]))
        assert court.do("act", actions=["card-1", "card-3", "card-2"]) == ["mercenary", "drawn"]
        assert court.state.drawn == ("card-2", "card-3", "card-1")
        assert court.now("action_deck", "past", "active", "discards") == [0, court.hands(0, 0, 0), "Ann", 0]
        assert court.refused("act", by="Ann", perform=False) == ("must-do", "action-first")
        assert court.refused("action", card="card-3") == ("wrong-card", "action-order")
        assert court.refused("action", card="card-9") == ("unknown-card", "no-such-action")
        assert court.refused("action", by="Ben") == ("not-your-turn", "not-your-turn")
        assert [(one["card"], one.get("perform", True)) for one in legal(court)] == [
            ("card-2", True),
            ("card-2", False),
        ]
        court.do("action")
        court.do("action", card="card-3", perform=False)
        assert court.do("action", by="Ann") == ["performs", "gains", *DONE]
        assert court.now("past", "hands", "discards") == [court.hands(3, 0, 0), court.hands(6, 6, 6), 1]
        assert court.state.past[0] == ("card-2", "card-3", "card-1")

    def test_of_equal_ranks_the_player_chooses(self) -> None:
        court = acting("mercenary-2", actions=cards_of([GAIN], [DRAW]))
        court.do("act", actions=["card-1", "card-2"])
        assert {one["card"] for one in legal(court)} == {"card-1", "card-2"}
        court.do("action", card="card-2")
        assert court.state.drawn == ("card-1",)

    def test_x_goes_back_into_the_box_and_c_to_the_past_actions_performed_or_not(self) -> None:
        for perform in (True, False):
            court = acting("mercenary-1", actions=cards_of([GAIN], mark="X"))
            court.do("act", actions=["card-1"])
            court.do("action", perform=perform)
            assert court.now("past", "action_deck") == [court.hands(0, 0, 0), 0]
            assert court.state.boxed == ("card-1",)
            assert court.facts["vp"]["owl"] == 2 * perform

    def test_a_card_that_was_seen_elsewhere_cannot_be_drawn(self) -> None:
        court = acting("mercenary-1", "mercenary-1", "mercenary-1", actions=cards_of([GAIN], [DRAW]))
        court.do("act", by="Ann", actions=["card-1"])
        court.do("action", perform=False)
        assert court.refused("act", by="Ben", actions=["card-1"]) == ("card-elsewhere", "action-elsewhere")
        assert court.refused("act", by="Ben", actions=["card-2", "card-2"]) == ("bad-line", "bad-line")
        assert court.refused("act", by="Ben", actions=["card-3"]) == ("unknown-card", "no-such-action")
        court.do("act", by="Ben", actions=["action-02"])
        assert court.state.drawn == ("card-2",)

    def test_nothing_is_performed_where_nothing_was_drawn(self) -> None:
        assert Court(3).refused("action") == ("not-now", "not-now")
        court = acting("mercenary-1")
        assert court.do("act", actions=[]) == ["mercenary", *DONE]

    def test_a_mercenary_on_a_throne_draws_too(self) -> None:
        court = at_counsel(Court(3, thrones=["mercenary-2", "noble-1", "spy-1"]))
        assert court.do("counsel", throne=1, actions=["bodyguards"]) == ["counselor", "mercenary", "drawn"]
        assert court.do("action") == ["performs", "bodyguards"]
        assert court.now("active", "counselors") == ["Ben", {"Ann": 1, "Ben": None, "Cleo": None}]
        assert court.state.protected == (0,)


class TestSpies:
    def _court(self) -> Court:
        court = acting("mercenary-3", "spy-2", actions=cards_of([GAIN], [DRAW], [PROTECT], [GAIN], ranks=[1, 2, 3, 1]))
        court.do("act", by="Ann", actions=["card-1", "card-2", "card-3"])
        for _ in range(3):
            court.do("action", perform=False)
        return court

    def test_a_spy_takes_the_top_ones_performs_them_and_keeps_them(self) -> None:
        court = self._court()
        assert court.do("act", by="Ben", actions=["card-2", "card-3"], **{"from": "Ann"}) == ["spy", "drawn"]
        assert court.facts["past"] == court.hands(1, 0, 0)
        court.do("action")
        court.do("action", perform=False)
        assert court.now("past", "hands") == [court.hands(1, 2, 0), court.hands(5, 6, 6)]
        assert court.state.past == (("card-1",), ("card-2", "card-3"), ())

    def test_a_spy_takes_no_others(self) -> None:
        court = self._court()
        why = ("card-elsewhere", "action-not-there")
        assert court.refused("act", by="Ben", actions=["card-1"], **{"from": "Ann"}) == why
        assert court.refused("act", by="Ben", actions=["card-4"], **{"from": "Ann"}) == why
        assert court.refused("act", by="Ben", count=2, actions=["card-3"], **{"from": "Ann"}) == (
            "bad-line",
            "bad-line",
        )

    def test_counted_only_the_top_ones_change_their_owner_as_they_are_known(self) -> None:
        court = self._court()
        court.do("act", by="Ben", count=2, **{"from": "Ann"})
        assert court.state.past == (("card-1",), ("card-2", "card-3"), ())

    def test_counted_only_they_lie_in_the_order_of_their_ranks_as_far_as_that_tells_it(self) -> None:
        deck = cards_of([GAIN], [DRAW], [PROTECT], [GAIN], ranks=[3, 1, 2, 2])
        court = acting(None, None, "spy-2", "spy-1", players=4, actions=deck)
        court.state = replace(court.state, past=(("card-1", "card-2"), (), ("",), ()))
        court.do("act", by="Cleo", count=2, **{"from": "Ann"})
        assert court.state.past[2] == ("", "card-2", "card-1")
        assert court.refused("act", by="Dora", actions=["card-2"], **{"from": "Cleo"})[1] == "action-not-there"
        court.do("act", by="Dora", actions=["card-1"], **{"from": "Cleo"})

    @pytest.mark.parametrize(
        ("past", "after"),
        [(("card-3", "card-4"), ("", "")), (("", "card-1"), ("", "")), (("card-4", "card-2"), ("card-2", "card-4"))],
    )
    def test_counted_only_nobody_knows_an_order_that_ranks_leave_open(
        self, past: tuple[str, ...], after: tuple[str, ...]
    ) -> None:
        court = acting(None, "spy-2", actions=cards_of([GAIN], [DRAW], [PROTECT], [GAIN], ranks=[3, 1, 2, 2]))
        court.state = replace(court.state, past=(past, (), ()))
        court.do("act", by="Ben", count=2, **{"from": "Ann"})
        assert court.state.past == ((), after, ())

    def test_no_card_with_an_x_comes_from_past_actions_unless_one_may_be_put_there_by_hand(self) -> None:
        deck = cards_of([GAIN], [DRAW], mark="X")
        court = acting(None, "spy-1", actions=deck, past={"Ann": 1})
        why = ("card-elsewhere", "action-elsewhere")
        assert court.refused("act", by="Ben", actions=["card-1"], **{"from": "Ann"}) == why
        deck = cards_of([GAIN], [{"do": "by-hand", "zones": ["past"]}], mark="X")
        court = acting(None, "spy-1", actions=deck, past={"Ann": 1})
        court.do("act", by="Ben", actions=["card-1"], **{"from": "Ann"})

    def test_of_unnamed_past_actions_any_card_may_turn_up_that_was_not_seen(self) -> None:
        court = acting("mercenary-2", "spy-2", actions=cards_of([GAIN], [DRAW], [PROTECT]))
        court.do("act", by="Ann", c=2, x=0)
        court.do("act", by="Ben", actions=["card-2"], **{"from": "Ann"})
        assert court.state.past[0] == ("",)


class TestAllAtOnce:
    def test_a_move_may_say_what_becomes_of_each_card(self) -> None:
        deck = cards_of([move("hand", "target", up_to=1), {**DRAW, "if_done": True}], [GAIN], ranks=[2, 1])
        court = acting("mercenary-2", actions=deck)
        drawn = [
            {"card": "card-1", "perform": True, "steps": [{"count": 1, "target": "Ben"}]},
            {"card": "card-2", "perform": False},
        ]
        assert court.do("act", actions=drawn) == [
            "mercenary", "drawn", "put-away", "performs", "moved", "moved", *DONE
        ]  # fmt: skip
        assert court.now("hands", "past") == [court.hands(5, 7, 6), court.hands(2, 0, 0)]

    def test_what_cannot_be_done_refuses_it_all(self) -> None:
        court = acting("mercenary-1", actions=cards_of([move("target", "hand", n=1)]))
        for steps, why in (
            ([{"target": "Zoe"}], ("wrong-target", "no-such-choice")),
            ([{"target": "Ann"}], ("wrong-target", "no-such-choice")),
            ([{"target": "Ben"}, {}], ("bad-line", "bad-line")),
        ):
            drawn = [{"card": "card-1", "perform": True, "steps": steps}]
            assert court.refused("act", actions=drawn) == why
        drawn = [{"card": "card-1", "perform": False, "steps": [{}]}]
        assert court.refused("act", actions=drawn) == ("bad-line", "bad-line")

    def test_after_a_count_in_between_the_rest_is_told_then(self) -> None:
        deck = cards_of([move("deck", "hand", n=3)], [GAIN], ranks=[1, 2])
        court = acting("mercenary-2", actions=deck, discards=46)
        drawn = [{"card": "card-1", "perform": True}, {"card": "card-2", "perform": True}]
        assert court.do("act", actions=drawn)[-1] == "count-of-the-fallen"
        assert court.refused("action") == ("must-do", "count-first")
        court.do("fallen", cards=[])
        assert court.state.drawn == ("card-2",)
        assert court.do("action") == ["performs", "gains", *DONE]


class TestMove:
    @pytest.mark.parametrize(
        ("source", "goal", "more"),
        [
            ("deck", "hand", (-2, 0, 0, 2, 0)),
            ("deck", "discards", (-2, 2, 0, 0, 0)),
            ("discards", "hand", (0, -2, 0, 2, 0)),
            ("discards", "infirmary", (0, -2, 2, 0, 0)),
            ("infirmary", "discards", (0, 2, -2, 0, 0)),
            ("hand", "infirmary", (0, 0, 2, -2, 0)),
            ("hand", "deck", (2, 0, 0, -2, 0)),
            ("others", "discards", (0, 4, 0, 0, -2)),
            ("others", "hand", (0, 0, 0, 4, -2)),
            ("hand", "others", (0, 0, 0, -4, 2)),
            ("deck", "others", (-4, 0, 0, 0, 2)),
        ],
    )
    def test_cards_go_from_pile_to_pile(self, source: str, goal: str, more: tuple[int, int, int, int, int]) -> None:
        court = effects(move(source, goal, n=2), discards=4, infirmary=2)
        before = court.facts
        assert court.do("action") == ["performs", "moved", *DONE]
        piles = ("deck", "discards", "infirmary")
        changes = [court.facts[pile] - before[pile] for pile in piles]
        hands = [court.facts["hands"][name] - before["hands"][name] for name in court.names]
        *wanted, own, others = more
        acting_card = [0, 1, 0]
        assert changes == [number + acted for number, acted in zip(wanted, acting_card, strict=True)]
        assert hands == [own, others, others]

    def test_a_number_is_as_many_as_there_are(self) -> None:
        court = effects(move("infirmary", "hand", n=3), infirmary=1)
        court.do("action")
        assert court.now("infirmary", "hands") == [0, court.hands(6, 6, 6)]

    def test_up_to_a_number_may_be_less_or_none(self) -> None:
        court = effects(move("discards", "hand", up_to=2), discards=1)
        assert court.do("action") == ["performs"]
        assert options(court) == [{"count": 0}, {"count": 1}]
        assert court.refused("action", steps=[{"count": 2}]) == ("wrong-target", "no-such-choice")
        assert court.refused("action", perform=False) == ("not-now", "action-begun")
        assert court.do("action", steps=[{"count": 1}]) == ["moved", *DONE]
        assert court.now("hands", "discards") == [court.hands(6, 6, 6), 1]

    def test_a_hand_is_chosen_among_those_that_bodyguards_do_not_protect(self) -> None:
        court = effects(move("target", "discards", n=2), players=4)
        court.do("bodyguards", by="Cleo", on=True)
        court.do("action")
        assert options(court) == [{"target": "Ben"}, {"target": "Dora"}]
        assert court.refused("action", steps=[{"target": "Cleo"}]) == ("wrong-target", "no-such-choice")
        court.do("action", steps=[{"target": "Dora"}])
        assert court.facts["hands"] == court.hands(5, 6, 6, 4)

    def test_all_others_are_those_that_bodyguards_do_not_protect(self) -> None:
        court = effects(move("others", "hand", n=1), players=4)
        court.do("bodyguards", by="Cleo", on=True)
        court.do("action")
        assert court.facts["hands"] == court.hands(7, 5, 6, 5)

    def test_a_count_of_the_fallen_may_come_in_the_middle_of_many_draws(self) -> None:
        court = effects(move("deck", "others", n=1), GAIN, discards=46)
        assert court.facts["deck"] == 1
        assert court.do("action") == ["performs", "moved", "count-of-the-fallen"]
        assert court.now("hands", "pending_draw") == [court.hands(5, 7, 6), 1]
        assert court.do("fallen", cards=[]) == ["counted", "reshuffled", "gains", *DONE]
        assert court.facts["hands"] == court.hands(5, 7, 7)

    def test_if_done_depends_on_the_step_before(self) -> None:
        court = effects(move("hand", "infirmary", up_to=1), {**DRAW, "if_done": True})
        court.do("action", steps=[{"count": 0}])
        assert court.facts["hands"] == court.hands(5, 6, 6)
        court = effects(move("hand", "infirmary", up_to=1), {**DRAW, "if_done": True})
        court.do("action", steps=[{"count": 1}])
        assert court.now("hands", "infirmary") == [court.hands(5, 6, 6), 1]

    def test_a_step_that_nothing_can_be_chosen_for_is_passed_over(self) -> None:
        court = effects(move("infirmary", "hand", up_to=2), GAIN)
        assert court.do("action") == ["performs", "nothing-to-do", "gains", *DONE]


class TestOtherVerbs:
    def test_exchange_some_or_all(self) -> None:
        court = effects({"do": "exchange", "n": 2})
        court.do("action", steps=[{"target": "Cleo"}])
        assert court.facts["hands"] == court.hands(5, 6, 6)
        court = effects({"do": "exchange"})
        assert court.do("action", steps=[{"target": "Cleo"}]) == ["performs", "hands-exchanged", *DONE]
        assert court.facts["hands"] == court.hands(6, 6, 5)

    def test_protect_keeps_all_effects_off_until_the_turn_ends(self) -> None:
        court = effects(PROTECT)
        assert court.do("action") == ["performs", "bodyguards", *DONE]
        court.reveal().reveal()
        court.do("counsel", by="Ann", skip=True)
        assert court.refused("counsel", by="Ben", throne=3, count=1, **{"from": "Ann"}) == ("wrong-target", "protected")

    def test_close_deactivates_a_throne_for_this_turn(self) -> None:
        court = effects({"do": "close"})
        court.do("action")
        assert options(court) == [{"throne": 1}, {"throne": 2}, {"throne": 3}]
        court.do("action", steps=[{"throne": 2}])
        court.reveal().reveal().counsels().lay(1, 2, 1)
        discards = court.facts["discards"]
        assert court.do("award", throne=1, cards=["purge"]) == ["safe", "throne-passed-over"]
        assert court.now("intrigue", "discards") == [[0, 0, 1], discards + 3]
        assert court.refused("award", throne=2, cards=[]) == ("not-now", "throne-closed")
        assert court.do("award", throne=3, cards=["purge"])[:2] == ["safe", "no-majority"]
        assert court.facts["vp"] == {"owl": 2, "wyvern": 0, "serpent": 2, "eye": 3}
        assert court.state.closed == ()

    def _closed(self, thrones: tuple[int, ...]) -> Court:
        """After a Turn's Intrigue, with these Thrones deactivated."""
        court = acting("mercenary-3", actions=cards_of(*[[{"do": "close"}]] * len(thrones)))
        steps = [{"card": f"card-{i}", "perform": True, "steps": [{"throne": t}]} for i, t in enumerate(thrones, 1)]
        court.do("act", actions=steps)
        return court.reveal().reveal().counsels()

    def test_with_two_closed_the_last_throne_is_always_a_majority(self) -> None:
        court = self._closed((3, 2)).lay()
        told = court.do("award", throne=1, cards=[])
        assert told[:4] == ["safe", "throne-passed-over", "throne-passed-over", "majority"]
        assert court.facts["vp"] == {"owl": 2, "wyvern": 0, "serpent": 0, "eye": 0}

    def test_with_all_closed_there_is_no_award_for_the_majority_either(self) -> None:
        court = self._closed((1, 2, 3)).lay()
        assert court.now("turn", "vp") == [2, {"owl": 0, "wyvern": 0, "serpent": 0, "eye": 0}]

    def test_lead_takes_or_gives_the_first_player_card(self) -> None:
        court = effects({"do": "lead", "who": "self"}, first="Ben")
        assert court.do("action") == ["performs", "first-player", *DONE]
        assert court.facts["first"] == "Ann"
        court = effects({"do": "lead", "who": "target"})
        court.do("action", steps=[{"target": "Cleo"}])
        assert court.facts["first"] == "Cleo"

    def test_recall_takes_a_counselor_back_if_one_is_out(self) -> None:
        court = effects({"do": "recall", "who": "self"}, {**DRAW, "if_done": True}, counselors={"Ann": 2, "Ben": 1})
        court.do("action")
        assert court.now("counselors", "hands") == [{"Ann": None, "Ben": 1, "Cleo": None}, court.hands(6, 6, 6)]
        court = effects({"do": "recall", "who": "self"}, {**DRAW, "if_done": True}, counselors={"Ben": 1})
        assert court.do("action") == ["performs", "nothing-to-do", *DONE]
        court = effects({"do": "recall", "who": "target"}, counselors={"Ann": 2, "Ben": 1})
        court.do("action")
        assert options(court) == [{"target": "Ben"}]
        court.do("action", steps=[{"target": "Ben"}])
        assert court.facts["counselors"] == {"Ann": 2, "Ben": None, "Cleo": None}

    def test_trade_exchanges_two_thrones_and_the_counselors_go_along(self) -> None:
        court = effects({"do": "trade"}, counselors={"Ann": 1, "Ben": 3, "Cleo": 2})
        court.do("action")
        assert options(court) == [{"throne": 1, "other": 2}, {"throne": 1, "other": 3}, {"throne": 2, "other": 3}]
        court.do("action", steps=[{"throne": 1, "other": 3}])
        assert court.now("thrones", "counselors") == [
            ["priest-1", "merchant-1", "noble-1"], {"Ann": 3, "Ben": 1, "Cleo": 2}
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("goal", "sizes"), [("hand", (0, 1, 5)), ("infirmary", (1, 1, 4)), ("discards", (0, 2, 4))]
    )
    def test_crown_puts_a_character_of_the_hand_on_a_throne(self, goal: str, sizes: tuple[int, int, int]) -> None:
        court = effects({"do": "crown", "to": goal}, counselors={"Ben": 2})
        court.do("action")
        for choice, why in (
            ({"throne": 2, "card": "purge"}, ("wrong-card", "no-character")),
            ({"throne": 5, "card": "spy-1"}, ("wrong-target", "no-such-throne")),
            ({"throne": 2, "card": "king-1"}, ("unknown-card", "unknown-card")),
        ):
            assert court.refused("action", steps=[choice]) == why
        assert court.do("action", steps=[{"throne": 2, "card": "spy-3"}]) == ["crowned", *DONE]
        infirmary, discards, held = sizes
        assert court.now("thrones", "counselors", "infirmary", "discards", "hands") == [
            ["noble-1", "spy-3", "priest-1"], dict.fromkeys(NAMES[:3]), infirmary, discards, court.hands(held, 6, 6)
        ]  # fmt: skip

    def test_nobody_need_be_crowned(self) -> None:
        court = effects({"do": "crown", "to": "hand"}, {**DRAW, "if_done": True})
        court.do("action")
        assert options(court)[0] == {}
        assert court.do("action", steps=[{}]) == ["crowned-nobody", *DONE]
        assert court.facts["hands"] == court.hands(5, 6, 6)

    def test_score_gives_and_takes_points_and_the_eye_may_reach_fifteen_by_it(self) -> None:
        court = effects(GAIN, {"do": "score", "faction": "eye", "n": -1}, vp={"eye": 3})
        assert court.do("action") == ["performs", "gains", "loses", *DONE]
        assert court.facts["vp"] == {"owl": 2, "wyvern": 0, "serpent": 0, "eye": 2}
        court = effects(
            {"do": "score", "faction": "eye", "n": 1}, {"do": "score", "faction": "eye", "n": -5}, vp={"eye": 14}
        )
        court.do("action")
        assert court.state.eye_reached

    def test_every_verb_says_what_can_be_chosen_and_takes_each_of_it(self) -> None:
        steps = {
            "move": move("target", "hand", up_to=2), "exchange": {"do": "exchange", "n": 1}, "protect": PROTECT,
            "close": {"do": "close"}, "lead": {"do": "lead", "who": "target"}, "score": GAIN,
            "recall": {"do": "recall", "who": "target"}, "trade": {"do": "trade"},
            "crown": {"do": "crown", "to": "hand"}, "by-hand": {"do": "by-hand", "zones": ["hands", "vp"]},
        }  # fmt: skip
        assert steps.keys() == VERBS.keys()
        for step in steps.values():
            court = effects(step, counselors={"Ben": 1})
            court.do("action")
            before = court.state
            for choice in options(court) if court.state.drawn else []:
                court.state = before
                court.do("action", steps=[choice])


class TestByHand:
    def test_the_players_do_it_and_tell_what_is_otherwise(self) -> None:
        court = effects(
            {"do": "by-hand", "zones": ["hands", "discards", "thrones", "counselors"]}, counselors={"Ann": 1}
        )
        assert court.do("action") == ["performs"]
        assert court.do("action", steps=[{"table": {"hands": {"Ben": 4, "Cleo": 7}, "discards": 1}}]) == []
        court.do("action", steps=[{"table": {"thrones": ["spy-3", "merchant-1", "priest-1"]}}])
        court.do("action", steps=[{"table": {"counselors": {"Ann": None, "Ben": 3}}}])
        assert court.do("action", steps=[{}]) == ["done-by-hand", *DONE]
        assert court.now("hands", "discards", "thrones", "counselors") == [
            court.hands(5, 4, 7), 2, ["spy-3", "merchant-1", "priest-1"], {"Ann": None, "Ben": 3, "Cleo": None}
        ]  # fmt: skip

    @pytest.mark.parametrize(
        ("told", "counselors", "sits"),
        [
            (["noble-1", "merchant-1", "priest-1"], (2, 3), ("noble-1a", "merchant-1", "priest-1b")),
            (["noble-1", "merchant-1c", "priest-1b"], (2, 3), ("noble-1a", "merchant-1", "priest-1b")),
            (["merchant-1", "noble-1", "priest-1"], (None, 3), ("merchant-1", "noble-1a", "priest-1b")),
        ],
    )
    def test_thrones_told_without_copies_are_the_cards_that_sat_there(
        self, told: list[str], counselors: tuple[int | None, int | None], sits: tuple[str, ...]
    ) -> None:
        thrones = ["noble-1a", "merchant-1", "priest-1b"]
        court = effects({"do": "by-hand", "zones": ["thrones"]}, thrones=thrones, counselors={"Ben": 2, "Cleo": 3})
        court.do("action", steps=[{"table": {"thrones": told}}, {}])
        assert court.facts["counselors"] == {"Ann": None, "Ben": counselors[0], "Cleo": counselors[1]}
        assert court.state.thrones == sits

    def test_it_can_be_told_all_at_once(self) -> None:
        court = effects(
            {"do": "by-hand", "zones": ["first", "vp", "infirmary", "deck", "intrigue", "past", "action_deck"]}
        )
        deck = court.facts["deck"]
        table = {"first": "Cleo", "vp": {"eye": 3}, "infirmary": 2, "deck": deck - 3, "intrigue": [0, 1, 0]}
        court.do("action", steps=[{"table": table}, {}])
        assert court.now("first", "infirmary", "deck", "intrigue") == ["Cleo", 2, deck - 3, [0, 1, 0]]
        assert court.facts["vp"]["eye"] == 3

    def test_past_actions_may_change_hands(self) -> None:
        deck = cards_of([{"do": "by-hand", "zones": ["past", "action_deck"]}], [GAIN], [GAIN])
        court = acting("mercenary-1", actions=deck, past={"Ben": 1})
        court.do("act", actions=["card-1"])
        assert court.refused("action", steps=[{"table": {"past": {"Ben": 3}}}]) == ("wrong-count", "actions-by-hand")
        court.do("action", steps=[{"table": {"past": {"Ben": 0, "Cleo": 2}, "action_deck": 0}}, {}])
        assert court.now("past", "action_deck") == [court.hands(1, 0, 2), 0]

    @pytest.mark.parametrize(
        ("table", "why"),
        [
            ({"deck": 3}, ("not-allowed", "not-named")),
            ({"hands": {"Ben": 5}}, ("wrong-count", "cards-by-hand")),
            ({"hands": {"Ben": -1, "Cleo": 13}}, ("bad-line", "bad-line")),
            ({"hands": {"Zoe": 1}}, ("bad-line", "bad-line")),
            ({"hands": 3}, ("bad-line", "bad-line")),
            ({"vp": {"sun": 3}}, ("bad-line", "bad-line")),
            ({"vp": {"owl": 1000}}, ("bad-line", "bad-line")),
            ({"first": "Zoe"}, ("bad-line", "bad-line")),
            ({"counselors": {"Ben": 4}}, ("wrong-target", "no-such-throne")),
            ({"thrones": ["purge", "noble-1", "spy-1"]}, ("wrong-card", "no-character")),
            ({"thrones": ["king-1", "noble-1", "spy-1"]}, ("unknown-card", "unknown-card")),
            ({"thrones": ["spy-1", "noble-1"]}, ("bad-line", "bad-line")),
        ],
    )
    def test_what_cannot_be_so_is_refused(self, table: dict[str, Any], why: tuple[str, str]) -> None:
        court = effects({"do": "by-hand", "zones": ["hands", "vp", "first", "counselors", "thrones"]})
        court.do("action")
        assert court.refused("action", steps=[{"table": table}]) == why

    def test_a_throne_gets_no_card_from_a_place_that_is_not_named(self) -> None:
        court = effects({"do": "by-hand", "zones": ["thrones"]})
        court.do("action")
        wrong = {"table": {"thrones": ["spy-3", "merchant-1", "priest-1"]}}
        assert court.refused("action", steps=[wrong]) == ("card-elsewhere", "card-elsewhere")
        court.do("action", steps=[{"table": {"thrones": ["priest-1", "noble-1", "merchant-1"]}}, {}])
        assert court.facts["thrones"] == ["priest-1", "noble-1", "merchant-1"]


class TestTheThreeNamedCards:
    def test_bodyguards_protect(self) -> None:
        assert DECKS["three-kings"].known("bodyguards").effect == (Step("protect"),)

    def test_kidnapping_deactivates_a_throne(self) -> None:
        assert DECKS["three-kings"].known("kidnapping").effect == (Step("close"),)

    def test_the_death_of_the_traitor_has_rank_two_and_its_effect(self) -> None:
        card = DECKS["three-kings"].known("the-death-of-the-traitor")
        first, then = Step("move", "hand", "infirmary", up_to=1), Step("move", "deck", "hand", n=1, if_done=True)
        assert (card.rank, card.effect) == (2, (first, then))
        court = acting("mercenary-1")
        court.do("act", actions=["the-death-of-the-traitor"])
        court.do("action", steps=[{"count": 1}])
        assert court.now("hands", "infirmary") == [court.hands(5, 6, 6), 1]


class TestPiecesOnTheTable:
    def test_what_somebody_deals_with_may_lie_or_not_and_all_else_must(self) -> None:
        court = acting("mercenary-1", "spy-1", counselors={"Ben": 2})
        assert dict(court.state.lying()) == {
            "noble-1": "throne/1", "merchant-1": "throne/2", "priest-1": "throne/3", "counselor-blue": "throne/2",
            "first-player": "seat/red", "spy-1": "space/blue/1",
        }  # fmt: skip
        court.do("act", actions=["bodyguards"])
        assert dict(court.state.loose()) == {
            "counselor-red": "seat/red", "counselor-purple": "seat/purple",
            "mercenary-1": "space/red/1", "action-01": "drawn/red",
        }  # fmt: skip

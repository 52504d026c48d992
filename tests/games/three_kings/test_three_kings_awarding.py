"""Awarding: the fight for a Throne with every tie, corruption, the Majority, and who wins in the end."""

from __future__ import annotations

import pytest

from companion.games.three_kings.awarding import fight
from companion.games.three_kings.cards import EYE, OWL, SERPENT, WYVERN
from companion.games.three_kings.unseen import DISCARDS
from tests.games.three_kings.court import Court, at_award, at_counsel, at_intrigue


def test_the_three_examples_of_the_rulebook() -> None:
    first = fight("merchant-1", 1, ["mercenary-2", "noble-1", "spy-1"])
    assert (first.defence, first.attack, first.occupant, first.winner) == (4, 2, "merchant-1", WYVERN)
    second = fight("noble-1", 1, ["guard-1", "priest-1", "spy-1"])
    assert (second.defence, second.attack, second.occupant, second.winner) == (3, 2, "noble-1", OWL)
    third = fight("priest-1", 0, ["priest-1", "guard-2", "noble-3"])
    assert (third.defence, third.attack, third.occupant, third.winner) == (2, 5, "noble-3", OWL)


def test_an_equal_attack_wins_and_one_point_less_does_not() -> None:
    assert not fight("noble-2", 1, ["spy-3"]).safe
    assert fight("noble-2", 2, ["spy-3"]).safe
    assert fight("noble-1", 0, []).safe


@pytest.mark.parametrize(
    ("sits", "shown", "reigns"),
    [
        ("priest-1", ["noble-2", "merchant-2"], "noble-2"),  # Owl beats Wyvern
        ("noble-1", ["merchant-2", "priest-2"], "merchant-2"),  # Wyvern beats Serpent
        ("merchant-1", ["priest-2", "noble-2"], "priest-2"),  # Serpent beats Owl
        ("merchant-1", ["noble-2", "guard-1", "priest-3"], "priest-3"),
        ("merchant-1", ["noble-2", "guard-2", "priest-3"], "noble-2"),  # 4 against 3
    ],
)
def test_of_equal_factions_each_beats_the_next(sits: str, shown: list[str], reigns: str) -> None:
    assert fight(sits, 0, shown).occupant == reigns
    assert fight(sits, 0, shown[::-1]).occupant == reigns


@pytest.mark.parametrize(
    ("shown", "reigns"),
    [
        (["guard-2", "noble-2"], "noble-2"),
        (["guard-3", "noble-2"], "guard-3"),
        (["mercenary-3", "merchant-3", "mercenary-3"], "merchant-3"),
        (["spy-1", "priest-1"], "priest-1"),
        (["noble-2a", "noble-2b"], "noble-2a"),
    ],
)
def test_within_a_faction_the_highest_takes_the_throne_and_of_equal_ones_the_leader(
    shown: list[str], reigns: str
) -> None:
    sits = "merchant-1" if "noble" in reigns or "guard" in reigns else "noble-1"
    assert fight(sits, 0, shown).occupant == reigns


def test_more_corruption_than_purge_gives_the_points_to_the_eye() -> None:
    assert fight("noble-1", 0, ["corruption"]).winner == EYE
    assert fight("noble-1", 0, ["corruption", "purge"]).winner == OWL
    assert fight("noble-1", 0, ["corruption", "corruption", "purge"]).winner == EYE
    fallen = fight("noble-1", 0, ["corruption", "spy-3"])
    assert (fallen.occupant, fallen.corrupt, fallen.winner) == ("spy-3", True, EYE)
    saved = fight("noble-1", 0, ["purge", "spy-3"])
    assert (saved.occupant, saved.corrupt, saved.winner) == ("spy-3", False, SERPENT)


def test_a_lost_throne_goes_to_the_infirmary_and_the_winner_stays_out_of_the_discards() -> None:
    court = at_award(3, counselors={"Ann": 1, "Ben": 2})
    (told, *_) = court.step("award", throne=1, cards=["spy-3", "corruption", "purge"])
    assert told.name == "falls"
    wanted = {"throne": 1, "defence": 2, "attack": 3, "safe": False, "occupant": "spy-3", "infirmary": "noble-1"}
    assert wanted.items() <= told.params.items()
    assert told.params["vp"] == {"serpent": 2}
    assert court.now("thrones", "infirmary", "discards", "intrigue") == [
        ["spy-3", "merchant-1", "priest-1"], 1, 2, [0, 0, 0]
    ]  # fmt: skip
    assert court.facts["counselors"] == {"Ann": None, "Ben": 2, "Cleo": None}
    assert list(court.state.left) == [("corruption", "intrigue/1"), ("purge", "intrigue/1")]


def test_of_cards_that_are_the_same_any_may_take_the_throne() -> None:
    court = at_award(3)
    (told, *_) = court.step("award", throne=1, cards=["spy-3a", "spy-1b", "spy-3b"])
    assert (told.params["occupant"], court.state.thrones[0]) == ("spy-3", "spy-3")
    assert court.now("infirmary", "discards") == [1, 2]
    assert [card for card, _ in court.state.left] == ["spy-3a", "spy-1b", "spy-3b"]
    assert {one.card for one in court.state.unseen if one.places == 1 << DISCARDS} == {"spy-3", "spy-1b"}


def test_the_thrones_come_in_order_and_each_with_all_its_cards() -> None:
    court = at_award(1, 2)
    assert court.refused("award", throne=2, cards=["spy-1", "spy-2"]) == ("not-now", "other-throne")
    assert court.refused("award", throne=4, cards=[]) == ("wrong-target", "no-such-throne")
    assert court.refused("award", throne=1, cards=[]) == ("wrong-count", "intrigue-count")
    assert court.refused("award", throne=1, cards=["spy-1", "spy-1"]) == ("wrong-count", "intrigue-count")
    assert court.refused("award", throne=1, cards=["king-1"]) == ("unknown-card", "unknown-card")
    court.do("award", throne=1, cards=["spy-1"])
    assert court.refused("award", throne=1, cards=["spy-1"]) == ("not-now", "other-throne")
    assert court.refused("intrigue", throne=1) == ("not-now", "not-now")
    court.do("award", throne=2, cards=["spy-1", "spy-2"])
    assert court.refused("award", throne=3, cards=["spy-1"]) == ("wrong-count", "intrigue-count")
    assert court.do("award", throne=3, cards=[])[:2] == ["safe", "majority"]


def test_without_a_majority_the_eye_gets_three_points() -> None:
    court = at_award()
    for throne in (1, 2):
        court.do("award", throne=throne, cards=[])
    assert court.do("award", throne=3, cards=[])[:3] == ["safe", "no-majority", "new-turn"]
    assert court.now("vp", "turn", "phase") == [{"owl": 2, "wyvern": 2, "serpent": 2, "eye": 3}, 2, "plan"]


def test_two_of_three_thrones_are_a_majority_whatever_their_value_and_though_corrupt() -> None:
    court = at_award(0, 1, thrones=["noble-1", "guard-1", "priest-2"])
    court.do("award", throne=1, cards=[])
    assert court.do("award", throne=2, cards=["corruption"]) == ["safe-corrupt"]
    assert court.do("award", throne=3, cards=[]) == ["safe", "majority", "new-turn"]
    assert court.facts["vp"] == {"owl": 2, "wyvern": 0, "serpent": 2, "eye": 2}


def test_a_throne_of_its_own_faction_counts_its_cards_as_defence() -> None:
    court = at_award(2, thrones=["spy-2", "noble-1", "merchant-1"])
    (told, *_) = court.step("award", throne=1, cards=["priest-3", "guard-3"])
    assert (told.name, told.params["defence"], told.params["attack"]) == ("safe", 5, 3)


def test_after_turn_four_comes_one_last_count_and_then_the_highest_wins() -> None:
    court = at_award(1, turn=4, infirmary=1, vp={"wyvern": 3})
    court.do("award", throne=1, cards=["purge"])
    court.do("award", throne=2, cards=[])
    assert court.do("award", throne=3, cards=[]) == ["safe", "no-majority", "final-count"]
    assert court.now("phase", "active", "turn", "winners") == ["final-count", None, 4, None]
    assert court.refused("recruit") == ("must-do", "count-first")
    assert court.refused("bodyguards", by="Ann", on=True) == ("must-do", "count-first")
    assert court.do("fallen", cards=["merchant-2"]) == ["counted", "reshuffled", "over"]
    assert court.now("phase", "vp", "winners") == [
        "over", {"owl": 2, "wyvern": 4, "serpent": 3, "eye": 3}, ["wyvern"]
    ]  # fmt: skip
    assert court.now("deck", "discards", "infirmary") == [65 - 18 + 1, 0, 0]
    assert court.refused("fallen", cards=[]) == ("not-now", "count-not-now")
    assert court.refused("recruit") == ("not-now", "not-now")
    assert court.refused("bodyguards", by="Ann", on=True) == ("not-now", "not-now")


def test_the_last_count_comes_also_where_nobody_has_fallen_and_equal_factions_share() -> None:
    court = at_intrigue(Court(turn=4, vp={"owl": 1, "wyvern": 1})).lay()
    for throne in (1, 2, 3):
        court.do("award", throne=throne, cards=[])
    assert court.refused("fallen", cards=["spy-1"]) == ("wrong-count", "count-of-fallen")
    counted, reshuffled, over = court.step("fallen", cards=[])
    assert (counted.name, reshuffled.name, over.name) == ("counted", "reshuffled", "over-shared")
    # The deck was not empty, so that the new one is more than the Discards.
    assert reshuffled.params["n"] == court.facts["deck"] > 0
    assert court.facts["winners"] == ["owl", "wyvern", "eye"]


def test_fifteen_points_of_the_eye_end_the_game_with_the_turn_whoever_leads() -> None:
    court = Court(vp={"eye": 12, "owl": 30})
    court.quiet_turn()
    assert court.now("phase", "turn", "winners", "vp") == [
        "over", 1, ["eye"], {"owl": 32, "wyvern": 2, "serpent": 2, "eye": 15}
    ]  # fmt: skip


def test_fifteen_points_count_though_a_count_of_the_fallen_has_taken_some_again() -> None:
    court = at_counsel(Court(vp={"eye": 15}, thrones=["noble-1", "noble-2", "merchant-3"], infirmary=1, discards=46))
    court.do("counsel", throne=3, deck=3)
    court.do("fallen", cards=["corruption"])
    assert court.facts["vp"]["eye"] == 14
    court.counsels().lay()
    for throne in (1, 2):
        court.do("award", throne=throne, cards=[])
    assert court.do("award", throne=3, cards=[]) == ["safe", "majority", "eye-wins"]
    assert court.now("phase", "winners") == ["over", ["eye"]]


def test_fourteen_points_of_the_eye_are_not_enough() -> None:
    court = Court(vp={"eye": 11}).quiet_turn()
    assert court.now("phase", "turn") == ["plan", 2]

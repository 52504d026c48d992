"""The rules of Wonderland XIII, one by one, in small positions."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from wonder import at, move, played, told, tried

from companion.core.game import Outcome, Refusal
from companion.face.words import Words, read_game_wording, read_shared_wording
from companion.games.wonderland import rules
from companion.games.wonderland.guide import help_now
from companion.games.wonderland.setup import shares
from companion.games.wonderland.spirits import character, score
from companion.games.wonderland.state import Deck, State, facts

THREE = ("Alice Cat Queen", "Alice Cat Queen", "Alice Cat Queen")


def _found(state: State, *names: str) -> list[object]:
    """Some facts."""
    found = facts(state)
    return [found[name] for name in names]


# The Hall and its Keys


def test_decks_are_as_equal_as_can_be_and_the_larger_ones_come_first() -> None:
    assert [shares(68 - 3 * players) for players in (2, 3, 4)] == [
        (13, 13, 12, 12, 12),
        (12, 12, 12, 12, 11),
        (12, 11, 11, 11, 11),
    ]


def test_neighbours_are_the_decks_beside_it_round_the_ring() -> None:
    state = at("1, 1, 1, 1, 1")
    assert [state.neighbours(deck) for deck in range(5)] == [(4, 1), (0, 2), (1, 3), (2, 4), (3, 0)]


def test_an_empty_deck_is_skipped_as_if_it_were_not_there() -> None:
    state = at("5, 0, 5, 5, 5", THREE)
    assert [state.neighbours(deck) for deck in (0, 2, 3)] == [(4, 2), (0, 3), (2, 4)]
    after = played(state, "unlock 0", "cover 0 Cat", "take 4:Queen 2:Hatter")
    assert _found(after, "phase", "sizes", "tunnel") == ["skill", [6, 0, 4, 5, 4], ["Hatter", "Queen"]]


def test_two_keys_are_taken_at_the_start_of_a_turn_and_all_go_back_at_its_end() -> None:
    keys = ("keys_middle", "keys_hand", "unlocked")
    state = at()
    assert _found(state, *keys) == [2, 2, []]
    state = played(state, "unlock 3")
    assert _found(state, *keys) == [2, 1, [3]]
    state = played(state, "cover 3 Cat", "take 2:Alice 4:Cat", "skill Alice")
    assert _found(state, *keys) == [1, 2, [3]]
    state = played(state, "unlock 1", "cover 1 Queen", "take 0:Rabbit 2:Hatter")
    assert _found(state, *keys) == [1, 1, [1, 3]]
    state = played(state, "skill Hatter deck=4 reveals=Cat target=Bea", "stop")
    assert _found(state, *keys, "turn") == [2, 2, [], "Bea"]


def test_alice_can_bring_two_keys_and_no_more_since_there_are_four() -> None:
    state = at(notebooks=("Cat Cat Queen Queen", "Alice Cat Queen"))
    state = played(state, "unlock 0", "cover 0 Cat", "take 4:Alice 1:Rabbit", "skill Alice")
    state = played(state, "cover 0 Cat", "take 4:Alice 1:Hatter", "skill Alice")
    assert _found(state, "keys_middle", "keys_hand") == [0, 3]
    state = played(state, "cover 0 Queen", "take 4:Bundle 1:Queen")
    assert _found(state, "phase", "keys_middle") == ["refill", 4]  # two Alices and a Bundle
    late = replace(at(), keys=3, unlocked=(0,), phase="decide", tunnel=("Rabbit",))
    late = played(late, "cover 0 Cat", "take 4:Alice 1:Bundle")
    assert [move("no-skill")] == [replace(one, by="") for one in rules.legal_moves(late)]
    assert told(late, "no-skill") == ["no-skill"]


# Explore


def test_a_turn_begins_with_an_unlocked_deck_that_stays_unlocked_for_more_explores() -> None:
    state = played(at(), "unlock 2", "cover 2 Cat", "take 1:Cat 3:Rabbit", "skill Cat deck=0")
    assert _found(state, "phase", "can_continue") == ["decide", True]
    state = played(state, "cover 2 Queen", "take 1:Hatter 3:Alice", "skill Alice")
    assert _found(state, "phase", "sizes", "unlocked") == ["decide", [9, 7, 11, 7, 9], [2]]


def test_a_card_that_covered_a_deck_is_the_one_that_is_taken_there_next() -> None:
    state = at("9, 9 Bundle Queen, 9, 9, 9")
    after = played(state, "unlock 0", "cover 0 Cat", "take 4:Hatter 1:Queen")
    assert _found(after, "tunnel", "decks") == [
        ["Hatter", "Queen"],
        [
            {"down": 9, "up": ["Cat"]},
            {"down": 9, "up": ["Bundle"]},
            *({"down": size, "up": []} for size in (9, 9, 8)),
        ],
    ]


def test_a_card_that_lies_elsewhere_in_all_its_copies_cant_come_from_a_deck() -> None:
    bundles = "Bundle " * 7
    state = played(at(discards=bundles), "unlock 0", "cover 0 Cat")
    refusal = tried(state, "take 4:Bundle 1:Bundle")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "card-elsewhere"
    pairs = [tuple(taken.cards.values()) for taken in rules.legal_moves(state)]
    assert (("Bundle", "Bundle") in pairs, ("Bundle", "Cat") in pairs, ("Cat", "Cat") in pairs) == (False, True, True)
    assert played(state, "take 4:Bundle 1:Hatter").unseen["Bundle"] == 0


def test_a_copy_stands_for_its_character() -> None:
    after = played(at(), "unlock 0", "cover 0 Catc", "take 4:Alicel 1:Bundleh", "skill Alicea")
    assert _found(after, "tunnel", "keys_hand") == [["Alice", "Bundle"], 2]
    assert [character(name) for name in ("Catl", "Catm", "Bundleh", "Bundlei", "Dodo", "", "Alice-a")] == [
        "Cat", "", "Bundle", "", "", "", "",
    ]  # fmt: skip


# Check


def test_three_of_a_character_make_the_tunnel_collapse_and_end_the_turn() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Cat 1:Rabbit", "skill Rabbit deck=2 reveals=Cat")
    state = played(state, "unlock 3", "cover 3 Queen")
    assert told(state, "take 2:Hatter 4:Cat") == ["took", "collapse", "refill"]
    after = played(state, "take 2:Hatter 4:Cat")
    assert _found(after, "phase", "turn", "tunnel", "discards", "keys_middle", "notebooks") == [
        "refill", "Ann", [], ["Cat", "Cat", "Cat", "Hatter", "Rabbit"], 4,
        {"Ann": ["Alice"], "Bea": ["Alice", "Cat", "Queen"]},
    ]  # fmt: skip


def test_a_bundle_counts_as_one_of_each_character() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Cat 1:Bundle", "skill Cat deck=2", "cover 0 Queen")
    assert "collapse" in told(state, "take 4:Cat 1:Rabbit")
    assert "collapse" not in told(state, "take 4:Alice 1:Rabbit")


def test_a_collapse_says_of_whom_there_were_too_many() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Cat 1:Bundle", "skill Cat deck=2", "cover 0 Queen")
    step = tried(state, "take 4:Cat 1:Rabbit")
    assert not isinstance(step, Refusal)
    words = Words("en", read_shared_wording(), read_game_wording("wonderland"), strict=True)
    assert words.say(step.events[1].message) == (
        "Ann's Tunnel collapses: too many Cheshire Cats! All its cards are discarded, all Keys go back."
    )


def test_a_card_under_a_queen_does_not_count_but_the_queen_does() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Hatter 1:Queen", "skill Queen covers=Hatter")
    assert _found(state, "tunnel", "covered") == [["Hatter", "Queen"], ["Hatter"]]
    state = played(state, "cover 0 Queen", "take 4:Hatter 1:Hatter")
    assert _found(state, "phase", "tunnel") == ["skill", ["Hatter", "Hatter", "Hatter", "Queen"]]
    state = played(state, "skill Hatter deck=2 reveals=Alice target=Bea", "cover 0 Alice")
    assert "collapse" in told(state, "take 4:Hatter 1:Cat")
    assert "collapse" in told(state, "take 4:Queen 1:Queen")
    assert "collapse" not in told(state, "take 4:Queen 1:Cat")


def test_a_queen_may_cover_a_queen_which_then_does_not_count() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Queen 1:Queen", "skill Queen covers=Queen", "cover 0 Queen")
    assert _found(state, "covered") == [["Queen"]]
    assert "collapse" not in told(state, "take 4:Queen 1:Cat")
    assert "collapse" in told(state, "take 4:Queen 1:Queen")


def test_covered_cards_come_into_the_notebook_at_the_end_of_the_turn() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Bundle 1:Queen", "skill Queen covers=Bundle", "stop")
    assert _found(state, "notebooks", "covered", "discards") == [
        {"Ann": ["Alice", "Bundle", "Queen", "Queen"], "Bea": ["Alice", "Cat", "Queen"]}, [], [],
    ]  # fmt: skip


def test_covered_cards_are_discarded_with_a_tunnel_that_collapses() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Bundle 1:Queen", "skill Queen covers=Bundle")
    state = played(state, "cover 0 Alice", "take 4:Queen 1:Queen")
    assert _found(state, "discards", "covered") == [["Bundle", "Queen", "Queen", "Queen"], []]


# Skills


def test_a_skill_is_a_duty_and_only_of_one_of_the_two_cards_of_this_explore() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Cat 1:Hatter")
    for words in ("no-skill", "stop", "unlock 2", "cover 0 Queen"):
        refusal = tried(state, words)
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.params["cards"]) == ("must-do", ["Cat", "Hatter"]), words
    state = played(state, "skill Cat deck=2", "cover 0 Queen")
    state = played(state, "take 4:Alice 1:Rabbit")
    assert {one.card for one in rules.legal_moves(state)} == {"Alice", "Rabbit"}


def test_help_tells_what_the_skills_do_that_can_be_used() -> None:
    words = Words("en", read_shared_wording(), read_game_wording("wonderland"), strict=True)
    covered = played(at(), "unlock 0", "cover 0 Cat")
    assert words.say(help_now(played(covered, "take 4:Bundle 1:Alice"))) == (
        "Ann has to use this skill. Alice: take one more Key from the middle of the Hall."
    )
    assert words.say(help_now(played(covered, "take 4:Cat 1:Alice"))) == (
        "Ann has to use one of these two skills. Alice: take one more Key from the middle of the Hall. "
        "Cheshire Cat: look at a face-down top card in secret, and put it back."
    )


def test_two_bundles_have_no_skill_and_only_then_it_is_skipped() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Bundle 1:Bundle")
    assert help_now(state).key == "help.no-skill"
    assert [replace(one, by="") for one in rules.legal_moves(state)] == [move("no-skill")]
    assert _found(played(state, "no-skill"), "phase", "can_continue") == ["decide", True]


def test_without_a_face_down_top_card_rabbit_cat_and_hatter_have_nothing_to_do() -> None:
    state = played(at("1 Cat, 1 Queen, 1 Cat, 1 Queen, 1 Cat"), "unlock 0", "cover 0 Cat")
    state = replace(
        state, decks=(*state.decks[:1], Deck(1, ("Cat", "Rabbit")), *state.decks[2:4], Deck(1, ("Cat", "Hatter")))
    )
    state = played(state, "take 4:Hatter 1:Rabbit")
    assert [replace(one, by="") for one in rules.legal_moves(state)] == [move("no-skill")]


def test_the_rabbits_card_comes_into_the_tunnel_which_is_checked_and_its_skill_is_not_used() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Cat 1:Rabbit")
    assert _found(played(state, "skill Rabbit deck=2 reveals=Alice"), "phase", "tunnel", "sizes", "keys_hand") == [
        "decide", ["Alice", "Cat", "Rabbit"], [10, 8, 8, 9, 8], 1,
    ]  # fmt: skip
    state = played(state, "skill Rabbit deck=2 reveals=Rabbit", "cover 0 Queen", "take 4:Rabbit 1:Bundle")
    assert state.turn == 0 and state.phase == "refill"


def test_a_rabbit_that_brings_the_third_of_a_character_loses_the_tunnel() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Rabbit 1:Rabbit")
    assert told(state, "skill Rabbit deck=2 reveals=Rabbit") == ["rabbit", "collapse", "refill"]
    assert "collapse" in told(state, "skill Rabbit deck=2 reveals=Bundle")
    assert told(state, "skill Rabbit deck=2 reveals=Bundle")[0] == "rabbit"


def test_the_cat_leaves_everything_as_it_was_and_its_card_stands_nowhere() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Cat 1:Hatter")
    after = played(state, "skill Cat deck=2")
    assert after == replace(state, phase="decide", deck=None, gained=())
    refusal = tried(state, "skill Cat deck=2 reveals=Queen")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "bad-line"


def test_the_hatters_card_counts_in_the_targets_turn_and_is_discarded_after_it() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Hatter 1:Rabbit")
    state = played(state, "skill Hatter deck=2 reveals=Queen target=Bea")
    assert _found(state, "phase", "hatter", "tunnel", "sizes") == [
        "decide", {"Ann": [], "Bea": ["Queen"]}, ["Hatter", "Rabbit"], [10, 8, 8, 9, 8],
    ]  # fmt: skip
    state = played(state, "stop", "unlock 3", "cover 3 Alice")
    lost = played(state, "take 2:Queen 4:Queen")
    assert _found(lost, "phase", "discards", "hatter") == [
        "refill", ["Queen", "Queen", "Queen"], {"Ann": [], "Bea": []},
    ]  # fmt: skip
    state = played(state, "take 2:Queen 4:Cat", "skill Cat deck=1")
    assert told(state, "stop") == ["stopped", "hatter-leaves", "next"]
    kept = played(state, "stop")
    assert _found(kept, "turn", "discards", "hatter") == ["Ann", ["Queen"], {"Ann": [], "Bea": []}]
    assert facts(kept)["notebooks"]["Bea"] == ["Cat", "Cat", "Queen", "Queen"]  # type: ignore[index]


def test_the_hatters_card_counts_in_the_check_of_the_targets_rabbit_too() -> None:
    state = played(at(Ann="Queen"), "unlock 0", "cover 0 Cat", "take 4:Queen 1:Rabbit")
    assert "collapse" in told(state, "skill Rabbit deck=2 reveals=Queen")


def test_no_announcement_tells_what_the_hatter_brought() -> None:
    state = played(at(), "unlock 0", "cover 0 Cat", "take 4:Hatter 1:Rabbit")
    step = tried(state, "skill Hatter deck=2 reveals=Queen target=Bea")
    assert not isinstance(step, Refusal)
    assert [dict(event.params) for event in step.events] == [{"by": "Ann", "deck": 2, "target": "Bea"}]


def test_face_down_cards_that_collapse_before_the_turn_are_discarded_and_the_target_plays_as_usual() -> None:
    state = at("9, 9, 9, 9, 9", THREE, Bea="Bundle Queen", Cid="Cat")
    state = played(state, "unlock 0", "cover 0 Cat", "take 4:Hatter 1:Rabbit")
    assert told(state, "skill Hatter deck=2 reveals=Queen target=Bea") == ["hatter", "hatter-collapse"]
    after = played(state, "skill Hatter deck=2 reveals=Queen target=Bea")
    assert _found(after, "hatter", "discards", "phase") == [
        {"Ann": [], "Bea": [], "Cid": ["Cat"]}, ["Bundle", "Queen", "Queen"], "decide",
    ]  # fmt: skip
    after = played(after, "stop", "unlock 3", "cover 3 Queen", "take 2:Queen 4:Queen")
    assert (after.turn, after.phase) == (1, "skill")


# Going on or not


def test_a_player_stops_only_after_an_explore_if_he_can_make_one() -> None:
    refusal = tried(at(), "stop")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "must-do"
    state = at(notebooks=("", "Cat Cat Cat"), discards="Alice Queen")
    assert (help_now(state).key, facts(state)["can_continue"]) == ("help.stop", False)
    assert _found(played(state, "stop"), "phase", "turn") == ["refill", "Ann"]


def test_without_a_card_in_the_notebook_or_a_deck_to_explore_he_cannot_go_on() -> None:
    state = played(at(notebooks=("Cat", "Cat Cat Cat")), "unlock 0", "cover 0 Cat", "take 4:Cat 1:Alice", "skill Alice")
    assert _found(state, "phase", "can_continue", "keys_hand") == ["decide", False, 2]
    assert [replace(one, by="") for one in rules.legal_moves(state)] == [move("stop")]
    dry = replace(at("5 Cat, 0, 5, 5, 5", THREE), phase="decide", keys=0, unlocked=(1,), tunnel=("Alice", "Cat"))
    assert [replace(one, by="") for one in rules.legal_moves(dry)] == [move("stop")]
    assert (facts(dry)["can_continue"], help_now(dry).key) == (False, "help.stop")


def test_one_key_opens_one_deck_in_each_explore_and_that_deck_is_the_one_covered() -> None:
    state = played(at(), "unlock 0")
    assert {type(one).__name__ for one in rules.legal_moves(state)} == {"Cover"}
    state = played(state, "cover 0 Cat", "take 4:Cat 1:Rabbit", "skill Cat deck=2", "unlock 2")
    assert {one.deck for one in rules.legal_moves(state)} == {2}


# Refill


def test_below_three_cards_the_notebook_is_filled_from_the_discards_as_far_as_they_go() -> None:
    state = played(at(notebooks=("Cat", "Cat Cat Cat")), "unlock 0", "cover 0 Cat", "take 4:Cat 1:Alice", "skill Alice")
    assert _found(played(state, "stop"), "turn", "phase") == ["Bea", "explore"]  # no discards, nothing to draw
    state = replace(state, discards=("Hatter", "Queen", "Rabbit"))
    state = played(state, "stop")
    assert _found(state, "turn", "phase", "keys_hand", "keys_middle") == ["Ann", "refill", 0, 4]
    assert [one.cards for one in rules.legal_moves(state)] == [("Hatter",), ("Queen",), ("Rabbit",)]
    after = played(state, "refill Queen")
    assert _found(after, "turn", "notebooks", "discards") == [
        "Bea", {"Ann": ["Alice", "Cat", "Queen"], "Bea": ["Cat", "Cat", "Cat"]}, ["Hatter", "Rabbit"],
    ]  # fmt: skip


def test_what_was_just_lost_or_came_from_the_hatter_can_be_drawn_again() -> None:
    state = at(notebooks=("Cat", "Cat Cat Cat"), Ann="Bundle")
    state = played(state, "unlock 0", "cover 0 Cat", "take 4:Alice 1:Alice")
    assert _found(state, "phase", "discards") == ["refill", ["Alice", "Alice", "Bundle"]]
    assert facts(played(state, "refill Bundle Alice Alice"))["notebooks"]["Ann"] == ["Alice", "Alice", "Bundle"]  # type: ignore[index]


# The end


def test_for_two_the_first_empty_deck_ends_the_game_after_check_and_skill() -> None:
    state = played(at("9, 1, 9, 9, 9"), "unlock 0", "cover 0 Cat")
    assert told(state, "take 4:Bundle 1:Alice") == ["took", "deck-empty", "last-explore"]
    state = played(state, "take 4:Bundle 1:Alice")
    assert (state.phase, rules.outcome(state)) == ("skill", None)
    assert told(state, "skill Alice") == ["alice", "over"]
    over = played(state, "skill Alice")
    assert _found(over, "phase", "turn", "tunnel", "keys_middle", "notebooks", "winners") == [
        "over", None, [], 4, {"Ann": ["Alice", "Alice", "Bundle", "Queen"], "Bea": ["Alice", "Cat", "Queen"]}, ["Ann"],
    ]  # fmt: skip
    assert rules.outcome(over) == Outcome(("Ann",), {"Ann": 9, "Bea": 3})


def test_the_game_ends_without_a_skill_too_if_none_can_be_used() -> None:
    state = played(at("9, 1, 9, 9, 9"), "unlock 0", "cover 0 Cat", "take 4:Bundle 1:Bundle")
    assert told(state, "no-skill") == ["no-skill", "over"]


def test_a_deck_that_a_skill_empties_ends_the_game_at_once() -> None:
    state = played(at("9, 9, 1, 9, 9"), "unlock 0", "cover 0 Cat", "take 4:Rabbit 1:Hatter")
    assert told(state, "skill Rabbit deck=2 reveals=Cat") == ["rabbit", "deck-empty", "over"]
    assert told(state, "skill Hatter deck=2 reveals=Cat target=Bea") == ["hatter", "deck-empty", "over"]
    over = played(state, "skill Rabbit deck=2 reveals=Cat")
    assert facts(over)["notebooks"]["Ann"] == ["Alice", "Cat", "Hatter", "Queen", "Rabbit"]  # type: ignore[index]


def test_a_rabbit_that_loses_the_tunnel_does_so_before_the_game_ends_and_nothing_is_drawn() -> None:
    state = played(at("9, 9, 1, 9, 9"), "unlock 0", "cover 0 Cat", "take 4:Rabbit 1:Rabbit")
    assert told(state, "skill Rabbit deck=2 reveals=Bundle") == ["rabbit", "deck-empty", "collapse", "over"]
    over = played(state, "skill Rabbit deck=2 reveals=Bundle")
    assert _found(over, "discards", "notebooks", "winners") == [
        ["Bundle", "Rabbit", "Rabbit"], {"Ann": ["Alice", "Queen"], "Bea": ["Alice", "Cat", "Queen"]}, ["Bea"],
    ]  # fmt: skip


def test_a_tunnel_that_collapses_with_the_last_card_ends_turn_and_game() -> None:
    state = played(at("9, 1, 9, 9, 9", Ann="Cat"), "unlock 0", "cover 0 Cat")
    assert told(state, "take 4:Cat 1:Bundle") == ["took", "deck-empty", "collapse", "over"]
    over = played(state, "take 4:Cat 1:Bundle")
    assert _found(over, "discards", "hatter", "winners") == [
        ["Bundle", "Cat", "Cat"], {"Ann": [], "Bea": []}, ["Bea"],
    ]  # fmt: skip


def test_the_hatters_cards_of_the_others_stay_where_they_are_when_the_game_ends() -> None:
    state = played(at("9, 1, 9, 9, 9", Ann="Cat", Bea="Queen"), "unlock 0", "cover 0 Cat", "take 4:Alice 1:Hatter")
    over = played(state, "skill Alice")
    assert _found(over, "hatter", "discards") == [{"Ann": [], "Bea": ["Queen"]}, ["Cat"]]


@pytest.mark.parametrize("players", [3, 4])
def test_for_three_or_four_the_second_empty_deck_ends_the_game(players: int) -> None:
    notebooks = (THREE[0],) * players
    state = played(at("9, 1, 9, 9, 9", notebooks), "unlock 0", "cover 0 Cat")
    assert told(state, "take 4:Bundle 1:Alice") == ["took", "deck-empty"]
    state = played(state, "take 4:Bundle 1:Alice", "skill Alice")
    assert (state.phase, state.neighbours(0)) == ("decide", (4, 2))
    assert 1 not in {one.deck for one in rules.legal_moves(state) if hasattr(one, "deck")}
    state = replace(state, decks=(*state.decks[:2], Deck(1), *state.decks[3:]))
    state = played(state, "cover 0 Alice")
    assert told(state, "take 4:Cat 2:Hatter") == ["took", "deck-empty", "last-explore"]
    assert played(state, "take 4:Cat 2:Hatter", "skill Cat deck=3").phase == "over"


def test_two_decks_that_run_empty_in_one_explore_end_the_game_for_three() -> None:
    state = played(at("9, 1, 9, 9, 1", THREE), "unlock 0", "cover 0 Cat")
    assert told(state, "take 4:Cat 1:Hatter") == ["took", "deck-empty", "deck-empty", "last-explore"]


def test_an_unlocked_deck_that_ran_empty_cannot_be_explored_again() -> None:
    state = at("9, 9, 9, 9, 9", THREE)
    state = replace(state, decks=(Deck(0), *state.decks[1:]), phase="decide", unlocked=(0,), tunnel=("Cat", "Queen"))
    refusal = tried(state, "cover 0 Cat")
    assert isinstance(refusal, Refusal)
    assert refusal.code == "empty-deck"


# Scores


@pytest.mark.parametrize(
    ("cards", "points"),
    [
        # The rulebook's example: two sets, a Bundle, two single cards, three of a kind.
        ("Alice Rabbit Cat Hatter Queen " * 2 + "Bundle Rabbit Queen Cat Cat Cat", 43),
        ("", 0),
        ("Bundle Bundle", 10),
        ("Alice Rabbit Cat Hatter Bundle", 9),
        ("Alice Rabbit Cat Hatter Queen", 15),
        ("Alice Alice Alice Alice", 10),
        ("Queen Queen Cat", 4),
    ],
)
def test_scores(cards: str, points: int) -> None:
    assert score(cards.split()) == points


def test_equal_best_notebooks_share_the_victory() -> None:
    state = at("9, 1, 9, 9, 9", ("Cat Cat Alice", "Queen Queen Rabbit Alice Alice"))
    over = played(state, "unlock 0", "cover 0 Alice", "take 4:Cat 1:Hatter", "skill Cat deck=2")
    assert (facts(over)["scores"], facts(over)["winners"]) == ({"Ann": 7, "Bea": 7}, ["Ann", "Bea"])
    before = played(state, "unlock 0", "cover 0 Alice", "take 4:Cat 1:Hatter")
    assert told(before, "skill Cat deck=2") == ["cat", "over-shared"]


def test_nothing_can_be_done_any_more_when_the_game_is_over() -> None:
    over = played(at("9, 1, 9, 9, 9"), "unlock 0", "cover 0 Cat", "take 4:Alice 1:Hatter", "skill Alice")
    assert list(rules.legal_moves(over)) == []
    assert help_now(over).key == "help.over"
    assert tried(over, "unlock 0") == Refusal("not-now", "end-of-game", {}, "over")

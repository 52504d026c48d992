"""Each refusal of the rules: its code, the rule it rests on, and words that say how to put it right."""

from __future__ import annotations

import random

import pytest
from msgspec.structs import replace
from wonder import at, move, played, tried

from companion.core.game import CODES, Refusal
from companion.core.messages import LANGUAGES
from companion.face.words import Words, read_game_wording, read_shared_wording
from companion.games.wonderland import rules
from companion.games.wonderland.state import Deck, State

START = at()
UNLOCKED = played(START, "unlock 0")
COVERED = played(UNLOCKED, "cover 0 Cat")
TAKEN = played(COVERED, "take 4:Hatter 1:Queen")
BUNDLED = played(COVERED, "take 4:Bundle 1:Alice")
PLAIN = played(COVERED, "take 4:Bundle 1:Bundle")
DECIDING = played(TAKEN, "skill Queen covers=Hatter")
SECOND = played(DECIDING, "unlock 2")
REFILLING = played(at(notebooks=("Cat", "Cat")), "unlock 0", "cover 0 Cat", "take 4:Alice 1:Rabbit", "skill Alice")
REFILLING = played(replace(REFILLING, discards=("Cat", "Hatter", "Queen")), "stop")
SEARCHED = played(at(discards="Bundle " * 8), "unlock 0", "cover 0 Cat")
OPEN = played(at("9 Cat, 9 Queen, 9 Hatter, 9, 9"), "unlock 0", "cover 0 Cat")
THREE = replace(at(notebooks=("Cat Cat",) * 3), decks=(Deck(9), Deck(0), *START.decks[2:]))
DRY = replace(THREE, decks=(Deck(0), *START.decks[1:]), phase="decide", unlocked=(0,), tunnel=("Cat", "Queen"))
KEYLESS = replace(DECIDING, keys=0)
BARE = replace(DECIDING, notebooks=((), START.notebooks[1]))
ALICE = replace(BUNDLED, keys=3)
RABBIT = played(OPEN, "take 4:Rabbit 1:Queen")
ALL_OPEN = played(at("9 Cat, 9 Queen Queen, 9 Hatter, 9 Alice, 9 Alice Cat"), "unlock 0", "cover 0 Cat")
ALL_OPEN = played(ALL_OPEN, "take 4:Cat 1:Queen")
OVER = played(at("9, 1, 9, 9, 9"), "unlock 0", "cover 0 Cat", "take 4:Alice 1:Hatter", "skill Alice")

REFUSED = [
    (OVER, "stop", "not-now", "end-of-game", "over"),
    (START, "unlock 0 by=Bea", "not-your-turn", "turn-order", "not-your-turn"),
    (START, "unlock 0 by=Zoe", "bad-line", "protocol", "bad-line"),
    # exploring
    (START, "unlock 5", "bad-line", "protocol", "bad-line"),
    (COVERED, "unlock 2", "not-now", "exploring", "explore-take"),
    (REFILLING, "cover 0 Cat", "not-now", "exploring", "explore-refill"),
    (at(notebooks=("", "Cat")), "unlock 0", "no-card", "exploring", "notebook-empty"),
    (UNLOCKED, "unlock 1", "must-do", "exploring", "cover-first"),
    (THREE, "unlock 1", "empty-deck", "empty-decks", "empty-deck"),
    (DECIDING, "unlock 0", "already-unlocked", "exploring", "already-unlocked"),
    (KEYLESS, "unlock 2", "no-key", "exploring", "no-key"),
    (START, "cover -1 Cat", "bad-line", "protocol", "bad-line"),
    (UNLOCKED, "cover 0 Dodo", "unknown-card", "components", "unknown-card"),
    (BARE, "cover 0 Cat", "no-card", "exploring", "cover-notebook-empty"),
    (DRY, "cover 0 Cat", "empty-deck", "empty-decks", "cover-empty-deck"),
    (START, "cover 0 Cat", "locked", "exploring", "locked"),
    (UNLOCKED, "cover 2 Cat", "locked", "exploring", "locked-cover-first"),
    (KEYLESS, "cover 2 Alice", "locked", "exploring", "locked-no-key"),
    (SECOND, "cover 0 Alice", "must-do", "exploring", "cover-first"),
    (UNLOCKED, "cover 0 Bundle", "no-card", "exploring", "no-card"),
    # taking
    (START, "take 4:Cat 1:Cat", "not-now", "exploring", "take-explore"),
    (TAKEN, "take 4:Cat 1:Cat", "not-now", "exploring", "take-skill"),
    (DECIDING, "take 4:Cat 1:Cat", "not-now", "exploring", "take-decide"),
    (REFILLING, "take 4:Cat 1:Cat", "not-now", "exploring", "take-refill"),
    (COVERED, "take 7:Cat 1:Cat", "bad-line", "protocol", "bad-line"),
    (COVERED, "take 4:Cat 1:Dodo", "unknown-card", "components", "unknown-card"),
    (COVERED, "take 4:Cat 2:Cat", "wrong-place", "exploring", "not-beside"),
    (COVERED, "take 4:Cat", "wrong-count", "exploring", "take-both"),
    (OPEN, "take 4:Cat 1:Cat", "wrong-card", "exploring", "other-card-on-top"),
    (SEARCHED, "take 4:Cat 1:Bundle", "card-elsewhere", "exploring", "card-elsewhere"),
    # skills
    (START, "skill Cat deck=0", "not-now", "using-a-skill", "skill-explore"),
    (COVERED, "skill Cat deck=0", "not-now", "using-a-skill", "skill-take"),
    (DECIDING, "no-skill", "not-now", "using-a-skill", "skill-decide"),
    (REFILLING, "skill Cat deck=0", "not-now", "using-a-skill", "skill-refill"),
    (TAKEN, "skill Dodo", "unknown-card", "components", "unknown-card"),
    (TAKEN, "skill Cat deck=2", "wrong-card", "using-a-skill", "wrong-card"),
    (BUNDLED, "skill Bundle", "not-allowed", "using-a-skill", "bundle-has-no-skill"),
    (BUNDLED, "skill Alice deck=2", "bad-line", "protocol", "bad-line"),
    (TAKEN, "skill Hatter deck=2 reveals=Cat", "bad-line", "protocol", "bad-line"),
    (TAKEN, "no-skill", "must-do", "using-a-skill", "skill-first"),
    (TAKEN, "unlock 2", "must-do", "using-a-skill", "skill-first"),
    (TAKEN, "stop", "must-do", "using-a-skill", "skill-first"),
    (PLAIN, "stop", "not-now", "using-a-skill", "no-skill-first"),
    (ALICE, "skill Alice", "no-key", "alice", "no-key-in-the-middle"),
    (RABBIT, "skill Rabbit deck=9 reveals=Cat", "bad-line", "protocol", "bad-line"),
    (RABBIT, "skill Rabbit deck=2 reveals=Cat", "wrong-target", "white-rabbit", "top-lies-open"),
    (ALL_OPEN, "skill Cat deck=2", "wrong-target", "cheshire-cat", "all-tops-lie-open"),
    (RABBIT, "skill Rabbit deck=3 reveals=Dodo", "unknown-card", "components", "unknown-card"),
    (TAKEN, "skill Hatter deck=0 reveals=Cat target=Bea", "wrong-target", "hatter", "top-lies-open"),
    (TAKEN, "skill Hatter deck=2 reveals=Cat target=Ann", "wrong-target", "hatter", "wrong-target"),
    (TAKEN, "skill Hatter deck=2 reveals=Cat target=Zoe", "wrong-target", "hatter", "wrong-target"),
    (TAKEN, "skill Queen covers=Cat", "wrong-target", "queen-of-hearts", "queen-covers"),
    (TAKEN, "skill Queen covers=Queen", "wrong-target", "queen-of-hearts", "queen-covers"),
    # going on or not, refilling
    (START, "stop", "must-do", "going-on-or-not", "explore-first"),
    (COVERED, "stop", "not-now", "going-on-or-not", "stop-take"),
    (REFILLING, "stop", "not-now", "going-on-or-not", "stop-refill"),
    (SECOND, "stop", "must-do", "going-on-or-not", "stop-cover-first"),
    (START, "refill Cat", "not-now", "refilling", "refill-not-now"),
    (REFILLING, "refill Cat Hatter", "wrong-count", "refilling", "refill-count"),
    (REFILLING, "refill Alice", "card-elsewhere", "refilling", "not-discarded"),
    (REFILLING, "refill Dodo", "unknown-card", "components", "unknown-card"),
]
"""A position, a move, and the refusal's code, rule and key of its words."""


def _id(case: tuple[State, str, str, str, str]) -> str:
    return f"{case[4]}: {case[1]}"


@pytest.mark.parametrize("case", REFUSED, ids=_id)
def test_refused_with_code_rule_and_words(case: tuple[State, str, str, str, str]) -> None:
    state, words, code, rule, wording = case
    refusal = tried(state, words)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.rule, refusal.wording or refusal.code) == (code, rule, wording)
    assert code in CODES


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_can_be_said(language: str) -> None:
    words = Words(language, read_shared_wording(), read_game_wording("wonderland"), strict=True)
    said = {
        words.say(refusal.message) for state, act, *_ in REFUSED if isinstance(refusal := tried(state, act), Refusal)
    }
    assert len(said) > 45
    assert not [text for text in said if "{" in text or "  " in text]


def _told(state: State, words: str) -> str:
    """A refusal's words in English."""
    refusal = tried(state, words)
    assert isinstance(refusal, Refusal)
    return Words("en", read_shared_wording(), read_game_wording("wonderland"), strict=True).say(refusal.message)


def test_a_refused_skill_names_those_that_can_be_used_instead_each_once() -> None:
    rabbits = played(COVERED, "take 4:Rabbit 1:Rabbit")
    strange = "The Cheshire Cat has not come in this Explore"
    assert [_told(state, "skill Cat deck=2") for state in (TAKEN, rabbits, BUNDLED, PLAIN)] == [
        f"{strange}. Use the skill of the Hatter or of the Queen of Hearts.",
        f"{strange}. Use the skill of the White Rabbit.",
        f"{strange}. Use the skill of Alice.",
        f"{strange}, and neither card that has come has a skill that can be used now. Say so.",
    ]
    assert [_told(state, "no-skill") for state in (TAKEN, rabbits, BUNDLED)] == [
        "First a skill has to be used: Hatter or Queen of Hearts.",
        "First a skill has to be used: White Rabbit.",
        "First a skill has to be used: Alice.",
    ]
    assert [_told(state, "skill Bundle") for state in (BUNDLED, PLAIN)] == [
        "A Spirit Bundle has no skill. Use that of Alice.",
        "A Spirit Bundle has no skill, and the other card has none either that can be used now. Say so.",
    ]


def test_a_skill_that_cant_be_done_sends_to_the_other_card_only_if_that_has_one() -> None:
    none = "and the other card has no skill either that can be used now. Say so."
    beside_cat = replace(played(COVERED, "take 4:Alice 1:Cat"), keys=3)
    assert [_told(state, "skill Alice") for state in (beside_cat, ALICE)] == [
        "The middle of the Hall has no Key left for Alice. Use the skill of the Cheshire Cat.",
        f"The middle of the Hall has no Key left for Alice, {none}",
    ]
    beside_bundle = replace(ALL_OPEN, gained=("Bundle", "Cat"))
    assert [_told(state, "skill Cat deck=2") for state in (ALL_OPEN, beside_bundle)] == [
        "No deck has a face-down top card for the Cheshire Cat. Use the skill of the Queen of Hearts.",
        f"No deck has a face-down top card for the Cheshire Cat, {none}",
    ]


def test_who_covers_a_locked_deck_is_told_what_he_can_do_now() -> None:
    assert [_told(START, "cover 2 Cat"), _told(UNLOCKED, "cover 2 Cat"), _told(KEYLESS, "cover 2 Alice")] == [
        "Deck 3 is locked. Lay a Key beside it first, or take the Cheshire Cat back.",
        "Deck 3 is locked. Take the Cheshire Cat back, and cover deck 1: that was unlocked just now.",
        "Deck 3 is locked, and Ann has no Key left. Take Alice back; cover an unlocked deck, or stop.",
    ]


def test_the_hatters_card_goes_to_one_of_the_others() -> None:
    more = replace(TAKEN, players=("Ann", "Bea", "Cid"), notebooks=(*TAKEN.notebooks, ()), hatter=((), (), ()))
    assert [_told(state, "skill Hatter deck=2 reveals=Cat target=Ann") for state in (TAKEN, more)] == [
        "The Hatter's card goes to another player: Bea.",
        "The Hatter's card goes to one of the other players: Bea and Cid.",
    ]


def test_the_empty_hall_of_a_skill_names_the_deck() -> None:
    state = replace(played(COVERED, "take 4:Cat 1:Rabbit"), players=("Ann", "Bea", "Cid"), hatter=((), (), ()))
    state = replace(state, notebooks=(*state.notebooks, ()), decks=(*state.decks[:2], Deck(0), *state.decks[3:]))
    refusal = tried(state, "skill Cat deck=2")
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.rule, refusal.params["deck"]) == ("empty-deck", "cheshire-cat", 2)


def test_a_card_that_lies_elsewhere_cant_be_revealed_either() -> None:
    state = played(at(discards="Bundle " * 8), "unlock 0", "cover 0 Cat", "take 4:Rabbit 1:Hatter")
    for words in ("skill Rabbit deck=2 reveals=Bundle", "skill Hatter deck=2 reveals=Bundle target=Bea"):
        refusal = tried(state, words)
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.rule) == ("card-elsewhere", "white-rabbit" if "Rabbit" in words else "hatter")


def test_whatever_is_tried_in_whatever_moment_is_legal_or_refused_with_known_words() -> None:
    """Moves of other moments, by chance, in the positions above: no crash, no wording that has no test."""
    known = {wording for *_, wording in REFUSED}
    acts = [act for _, act, *_ in REFUSED] + ["refill Cat", "cover 0 Cat", "take 4:Cat 1:Cat", "no-skill"]
    chance = random.Random(1)
    for state, *_ in REFUSED:
        for words in chance.sample(acts, 30):
            result = rules.apply(state, move(words))
            if isinstance(result, Refusal):
                assert (result.wording or result.code) in known, words
            else:
                assert not isinstance(result.state, Refusal)

"""Deck files: the shipped one is whole, each mistake gives its problem, and an owner's deck goes first."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.content import Problem
from companion.core.messages import LANGUAGES
from companion.games.three_kings import deck
from companion.games.three_kings.by_hand import ZONES
from companion.games.three_kings.checking import LONGEST_NAME, LONGEST_TEXT, check
from companion.games.three_kings.deck import ACTION_CARDS
from companion.games.three_kings.template import TEMPLATE
from companion.games.three_kings.vocabulary import VERBS

FIRST = (
    'id = "card-1"\nrank = 1\nmark = "C"\nname = { en = "Card 1" }\n'
    'text = { en = "Draw 1 card from the Character deck." }\n'
    'effect = [{ do = "move", from = "deck", to = "hand", n = 1 }]\n'
)
LAST = (
    '\n[[cards]]\nid = "card-33"\nrank = 6\nmark = "C"\nname = { en = "Card 33" }\n'
    'text = { en = "Draw 1 card from the Character deck." }\n'
    'effect = [{ do = "move", from = "deck", to = "hand", n = 1 }]\n'
)
EFFECT = '[{ do = "move", from = "deck", to = "hand", n = 1 }]'
PILES = "hand, deck, discards, infirmary, target, others"


def changed(old: str, new: str) -> str:
    """The template with one place changed."""
    assert TEMPLATE.count(old) == 1, old
    return TEMPLATE.replace(old, new)


def in_card(old: str, new: str) -> str:
    assert FIRST.count(old) == 1, old
    return changed(FIRST, FIRST.replace(old, new))


def with_step(step: str) -> str:
    """The template whose first card has this step."""
    return in_card(EFFECT, f"[{step}]")


class TestShipped:
    def test_it_passes_the_check_and_says_that_it_stands_in(self) -> None:
        (text,) = deck.shipped().values()
        assert check(text) == []
        assert (deck.load(text).stand_in, len(deck.load(text).cards)) == (True, ACTION_CARDS)

    def test_names_and_texts_are_there_in_all_languages_and_tell_the_cards_apart(self) -> None:
        cards = deck.decks({})["three-kings"].cards
        for language in LANGUAGES:
            for texts in ([card.name for card in cards], [card.text for card in cards]):
                said = [text[language] for text in texts]
                assert [text for text, number in Counter(said).items() if number > 1] == []

    def test_it_uses_the_whole_vocabulary_and_both_marks(self) -> None:
        cards = deck.decks({})["three-kings"].cards
        assert {step.do for card in cards for step in card.effect} == set(VERBS)
        assert {card.mark for card in cards} == {"X", "C"}
        assert {card.rank for card in cards} == {1, 2, 3, 4, 5, 6}

    def test_cards_are_found_by_their_id_and_by_their_piece(self) -> None:
        court = deck.decks({})["three-kings"]
        assert court.card("action-01") == court.card("bodyguards") == court.cards[0]
        assert court.piece(court.cards[32].id) == "action-33"
        assert court.card("no-such-card") is None

    def test_an_owners_deck_goes_first_and_one_of_the_same_name_takes_its_place(self) -> None:
        own = deck.load(TEMPLATE)
        assert list(deck.decks({"ours": own})) == ["ours", "three-kings"]
        assert deck.decks({"three-kings": own}) == {"three-kings": own}


class TestCheck:
    def test_the_template_is_fit_for_use_and_names_every_verb_and_zone(self) -> None:
        assert check(TEMPLATE) == []
        assert len(deck.load(TEMPLATE).cards) == ACTION_CARDS
        comments = " ".join(line for line in TEMPLATE.splitlines() if line.startswith("#"))
        assert [verb for verb in VERBS if f'do = "{verb}"' not in comments] == []
        assert [zone for zone in ZONES if zone not in comments] == []

    @pytest.mark.parametrize(
        ("text", "problem"),
        [
            (
                changed('name = { en = "My Action cards" }', ""),
                Problem("name", "missing", "a text in one or more of en, de, es, ca"),
            ),
            (
                changed('{ en = "My Action cards" }', '{ fr = "Cartes" }'),
                Problem("name, fr", "no such language", "there are en, de, es, ca"),
            ),
            (
                changed('{ en = "My Action cards" }', '{ en = "" }'),
                Problem("name, en", "''", "a text in quotes"),
            ),
            (
                changed('name = { en = "My Action cards" }', 'name = { en = "Mine" }\nstand_in = 1'),
                Problem("stand_in", "1", "true or false"),
            ),
            (
                changed('name = { en = "My Action cards" }', 'name = { en = "Mine" }\ncolour = 1'),
                Problem("colour", "no such key", "there are name, stand_in, cards"),
            ),
            (changed(LAST, ""), Problem("cards", "32 of them", "33 tables [[cards]]")),
            ('name = { en = "Mine" }\n', Problem("cards", "missing", "33 tables [[cards]]")),
            (
                in_card('"card-1"', '"Card 1"'),
                Problem("cards 1, id", "'Card 1'", "small letters, figures and - between them, such as bodyguards"),
            ),
            (
                in_card('id = "card-1"\n', ""),
                Problem("cards 1, id", "missing", "small letters, figures and - between them, such as bodyguards"),
            ),
            (in_card("rank = 1", "rank = 0"), Problem("cards 1, rank", "0", "1 to 99, as printed on the card")),
            (in_card("rank = 1", "rank = true"), Problem("cards 1, rank", "True", "1 to 99, as printed on the card")),
            (in_card("rank = 1\n", ""), Problem("cards 1, rank", "missing", "1 to 99, as printed on the card")),
            (
                in_card('mark = "C"', 'mark = "c"'),
                Problem("cards 1, mark", "'c'", '"X" (back into the box) or "C" (kept)'),
            ),
            (
                in_card('mark = "C"', 'mark = "C"\nvalue = 3'),
                Problem("cards 1, value", "no such key", "there are id, rank, mark, name, text, effect"),
            ),
            (
                in_card('name = { en = "Card 1" }\n', ""),
                Problem("cards 1, name", "missing", "a text in one or more of en, de, es, ca"),
            ),
            (
                in_card('"Card 1"', '"' + "x" * 41 + '"'),
                Problem("cards 1, name, en", "41 letters", f"at most {LONGEST_NAME}"),
            ),
            (
                in_card('"Draw 1 card from the Character deck."', '"' + "x" * 401 + '"'),
                Problem("cards 1, text, en", "401 letters", f"at most {LONGEST_TEXT}"),
            ),
            (
                in_card('"Card 1"', r'"a\nb"'),
                Problem("cards 1, name, en", "line breaks or signs that can't be shown", "plain letters and signs"),
            ),
            (
                in_card(EFFECT, "3"),
                Problem("cards 1, effect", "3", 'a list of 1 to 6 steps, such as [{ do = "protect" }]'),
            ),
            (
                in_card(f"effect = {EFFECT}\n", ""),
                Problem("cards 1, effect", "missing", 'a list of 1 to 6 steps, such as [{ do = "protect" }]'),
            ),
            (with_step("4"), Problem("cards 1, effect 1", "4", 'a step, such as { do = "protect" }')),
            (with_step('{ do = "fly" }'), Problem("cards 1, effect 1, do", "'fly'", f"one of {', '.join(VERBS)}")),
            (with_step("{ n = 1 }"), Problem("cards 1, effect 1, do", "missing", f"one of {', '.join(VERBS)}")),
            (
                with_step('{ do = "protect", who = "self" }'),
                Problem("cards 1, effect 1, who", "protect doesn't use it", "protect has if_done"),
            ),
            (
                with_step('{ do = "protect", speed = 1 }'),
                Problem(
                    "cards 1, effect 1, speed",
                    "no such key",
                    "there are do, from, to, n, up_to, who, faction, zones, if_done",
                ),
            ),
            (
                with_step('{ do = "move", from = "sky", to = "hand", n = 1 }'),
                Problem("cards 1, effect 1, from", "'sky'", f"one of {PILES}"),
            ),
            (
                with_step('{ do = "move", from = "deck", n = 1 }'),
                Problem("cards 1, effect 1, to", "missing", f"one of {PILES}"),
            ),
            (
                with_step('{ do = "move", from = "deck", to = "hand" }'),
                Problem(
                    "cards 1, effect 1",
                    "neither n nor up_to",
                    "n is how many cards go, up_to how many the player may choose at most",
                ),
            ),
            (
                with_step('{ do = "move", from = "deck", to = "hand", n = 1, up_to = 2 }'),
                Problem(
                    "cards 1, effect 1",
                    "both n and up_to",
                    "n is how many cards go, up_to how many the player may choose at most",
                ),
            ),
            (
                with_step('{ do = "move", from = "deck", to = "hand", n = 10 }'),
                Problem("cards 1, effect 1, n", "10", "1 to 9"),
            ),
            (
                with_step('{ do = "move", from = "hand", to = "hand", n = 1 }'),
                Problem("cards 1, effect 1", "from 'hand' to 'hand'", "two different piles"),
            ),
            (
                with_step('{ do = "move", from = "target", to = "others", n = 1 }'),
                Problem(
                    "cards 1, effect 1",
                    "from target to others, or the other way",
                    "one end must be a pile or the own hand",
                ),
            ),
            (
                with_step('{ do = "move", from = "others", to = "hand", up_to = 1 }'),
                Problem("cards 1, effect 1, up_to", "can't be chosen for all others", "n"),
            ),
            (
                with_step('{ do = "exchange", n = -1 }'),
                Problem("cards 1, effect 1, n", "-1", "0 to 9 cards; 0 is all of both hands"),
            ),
            (with_step('{ do = "lead" }'), Problem("cards 1, effect 1, who", "missing", "one of self, target")),
            (
                with_step('{ do = "crown", to = "deck" }'),
                Problem("cards 1, effect 1, to", "'deck'", "one of hand, discards, infirmary"),
            ),
            (
                with_step('{ do = "score", faction = "sun", n = 1 }'),
                Problem("cards 1, effect 1, faction", "'sun'", "one of owl, wyvern, serpent, eye"),
            ),
            (
                with_step('{ do = "score", faction = "owl", n = 0 }'),
                Problem("cards 1, effect 1, n", "0", "points, -9 to 9, but not 0"),
            ),
            (
                with_step('{ do = "by-hand", zones = ["sky"] }'),
                Problem("cards 1, effect 1, zones", "['sky']", f"a list of one or more of {', '.join(ZONES)}"),
            ),
            (
                with_step('{ do = "by-hand" }'),
                Problem("cards 1, effect 1, zones", "missing", f"a list of one or more of {', '.join(ZONES)}"),
            ),
            (
                with_step('{ do = "protect", if_done = true }'),
                Problem("cards 1, effect 1, if_done", "there is no step before it", "leave it out"),
            ),
            (
                with_step('{ do = "protect" }, { do = "protect", if_done = 1 }'),
                Problem("cards 1, effect 2, if_done", "1", "true or false"),
            ),
        ],
    )
    def test_each_mistake_gives_its_problem(self, text: str, problem: Problem) -> None:
        assert check(text) == [problem]

    def test_a_file_that_is_no_toml_is_told_with_its_line(self) -> None:
        (problem,) = check("name = { en = 'Mine' }\nname = 3\n")
        assert (problem.where, problem.allowed) == ("the file", "quotes and brackets must be closed; see `deck new`")
        assert problem.what.startswith("no TOML: ")
        assert "line 2" in problem.what

    def test_a_card_that_comes_twice_is_told_of_both(self) -> None:
        twice = "'card-2' comes 2 times"
        assert check(in_card('"card-1"', '"card-2"')) == [
            Problem("cards 1, id", twice, "an id of its own"),
            Problem("cards 2, id", twice, "an id of its own"),
        ]

    def test_all_problems_are_told_in_the_order_of_the_file(self) -> None:
        text = in_card("rank = 1", "rank = 0").replace('mark = "C"\nname = { en = "Card 2" }', 'name = { en = "" }')
        assert [problem.where for problem in check(text)] == ["cards 1, rank", "cards 2, mark", "cards 2, name, en"]

    @pytest.mark.parametrize("text", ["", "cards = 3", "cards = [1]", "[[cards]]\neffect = [[1]]", "name = 1979-05-27"])
    def test_whatever_a_file_holds_is_a_problem_and_no_exception(self, text: str) -> None:
        assert check(text)
        assert all(str(problem) for problem in check(text))

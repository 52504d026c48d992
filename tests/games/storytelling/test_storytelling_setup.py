"""The whole set-up by questions: tale, game, players, reader, who begins; then the grid, and the figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from companion.core.game import Choice, Preparation, Question
from companion.core.messages import Message, say, told
from companion.core.panel import Element, Row, Text
from companion.core.table import Observation
from companion.games.storytelling import GAME
from companion.games.storytelling.state import State
from tests.games.storytelling.smalltale import Evening, look, tale

NOTHING_SEEN = Observation()
CLEAR = look({})
GAMES = [
    ("saint-george", "george", "basic"),
    ("saint-george", "george", "stinky-breath"),
    ("three-little-pigs", "pigs", "basic"),
    ("three-little-pigs", "pigs", "wolf-blew"),
    ("cinderella", "cinderella", "basic"),
    ("cinderella", "cinderella", "midnight"),
    ("hare-and-tortoise", "hare", "basic"),
    ("hare-and-tortoise", "hare", "race"),
]
FIGURES = {"midnight": {"clock": "dial/0"}, "race": {"hare": "track/3", "tortoise": "track/0"}}
NAMED = [{"name": "Ellie"}, {"name": "Sam"}, {"name": "Ezio"}]
KNOWN = {"mode": "basic", "players": NAMED, "storyteller": "", "first": "Sam"}


def ask(draft: Mapping[str, Any], seen: Observation = NOTHING_SEEN) -> Question:
    """What is asked; nothing that is known already is changed by it."""
    preparation = GAME.prepare(draft, seen)
    assert (preparation.draft, preparation.setup) == (draft, None)
    assert preparation.question is not None
    return preparation.question


def offered(question: Question) -> list[Any]:
    """What the answers add to the draft."""
    assert all(choice.move is None for choice in question.choices)
    return [dict(choice.draft or {}) for choice in question.choices]


def shown(preparation: Preparation) -> list[Element]:
    """What the one page says."""
    (page,) = preparation.pages
    assert page.title == say("page.prepare.title")
    return list(page.elements)


def numbered(count: int) -> dict[str, Any]:
    return {"players": [{"name": str(number + 1)} for number in range(count)]}


@pytest.mark.parametrize(("story", "named", "mode"), GAMES)
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_a_set_up_by_the_buttons_leads_to_a_game(story: str, named: str, mode: str, seat: int) -> None:
    """Nobody has given a name; the one in this seat reads and plays too, and the next one begins."""
    draft: dict[str, Any] = {}
    answers = {
        "question.story": {"story": story},
        "question.mode": {"mode": mode},
        "question.players": numbered(3),
        "question.storyteller": {"storyteller": str(seat + 1)},
        "question.first": {"first": str((seat + 1) % 3 + 1)},
    }
    for key, answer in answers.items():
        question = ask(draft)
        assert (question.message, question.urgent, question.direct) == (Message(key), True, False)
        assert answer in offered(question)
        draft |= answer
    assert GAME.prepare(draft, NOTHING_SEEN).question is None
    preparation = GAME.prepare(draft, look(FIGURES.get(mode, {})))
    assert (preparation.setup, preparation.question) == ({**draft, "game": "storytelling"}, None)
    assert shown(preparation) == [Text(say("prepare.ready"))]
    state = GAME.setup(preparation.setup)
    assert isinstance(state, State)
    assert (state.story.tale, state.mode, state.players) == (named, mode, ("1", "2", "3"))
    assert (state.storyteller, state.players[state.active]) == (str(seat + 1), str((seat + 1) % 3 + 1))


@pytest.mark.parametrize(("story", "named", "mode"), GAMES)
def test_named_players_are_asked_for_neither_number_nor_names(story: str, named: str, mode: str) -> None:
    for players in (NAMED, ["Ellie", "Sam", "Ezio"]):
        draft: dict[str, Any] = {"players": players, "story": story, "mode": mode}
        reader = ask(draft)
        assert reader == Question(
            say("question.storyteller"),
            (
                Choice(say("choice.nobody"), draft={"storyteller": ""}),
                *(Choice(say("choice.player", by=n), draft={"storyteller": n}) for n in ("Ellie", "Sam", "Ezio")),
            ),
        )
        draft["storyteller"] = ""
        first = ask(draft)
        assert first == Question(
            say("question.first"),
            tuple(Choice(say("choice.player", by=n), draft={"first": n}) for n in ("Ellie", "Sam", "Ezio")),
        )
        preparation = GAME.prepare({**draft, "first": "Ezio"}, look(FIGURES.get(mode, {})))
        assert preparation.setup == {**draft, "first": "Ezio", "game": "storytelling"}
        state = GAME.setup(preparation.setup)
        assert isinstance(state, State)
        assert (state.players, state.active, state.storyteller) == (("Ellie", "Sam", "Ezio"), 2, "")


def test_the_tales_are_offered_by_their_titles_the_owners_first() -> None:
    text = (
        'name = { en = "Mine", de = "Meine" }\ntale = "own"\n'
        + "".join(f'[[tiles]]\nname = "T{number}"\ncolour = "red"\n' for number in range(16))
        + "".join(
            f'[[cards]]\nnumber = {number}\npictures = ["T{number}"]\npoints = 1\ntext = {{ de = "x" }}\n'
            for number in range(1, 14)
        )
    )
    game = GAME.equipped({"mine": text})
    question = game.prepare({}, NOTHING_SEEN).question
    assert question is not None
    assert offered(question) == [
        {"story": name} for name in ("mine", "cinderella", "hare-and-tortoise", "saint-george", "three-little-pigs")
    ]
    assert question.choices[0].label == told({"en": "Mine", "de": "Meine"})
    asked = game.prepare({"story": "mine"}, NOTHING_SEEN).question
    assert asked is not None
    assert offered(asked) == [{"mode": "basic"}, {"mode": "midnight"}, {"mode": "race"}]


@pytest.mark.parametrize(
    ("story", "advanced"),
    [
        ("saint-george", "stinky-breath"),
        ("three-little-pigs", "wolf-blew"),
        ("cinderella", "midnight"),
        ("hare-and-tortoise", "race"),
    ],
)
def test_with_each_tale_the_basic_game_and_its_own_can_be_played(story: str, advanced: str) -> None:
    assert ask({"story": story}) == Question(
        say("question.mode"),
        tuple(Choice(say("choice.mode", mode=mode), draft={"mode": mode}) for mode in ("basic", advanced)),
    )


@pytest.mark.parametrize(("mode", "numbers"), [("basic", [2, 3, 4]), ("midnight", [2, 3, 4]), ("race", [1, 2, 3, 4])])
def test_as_many_players_as_the_game_is_for_are_offered(mode: str, numbers: list[int]) -> None:
    draft = {"story": "cinderella" if mode != "race" else "hare-and-tortoise", "mode": mode}
    for players in ({}, {"players": []}):
        assert ask(draft | players) == Question(
            say("question.players"),
            tuple(Choice(say("choice.players", n=n), draft=numbered(n)) for n in numbers),
        )


def test_a_single_player_is_not_asked_who_begins() -> None:
    draft = {"story": "hare-and-tortoise", "mode": "race", **numbered(1), "storyteller": ""}
    preparation = GAME.prepare(draft, look({"hare": "track/1", "tortoise": "track/0"}))
    assert preparation.setup == {**draft, "game": "storytelling"}
    state = GAME.setup(preparation.setup)
    assert isinstance(state, State)
    assert (state.players, state.hare) == (("1",), 1)


def test_questions_come_before_the_table_whatever_lies_on_it() -> None:
    assert ask({}, look({"saint-george": None, "george-01": "grid/A1"})).message == say("question.story")


# The table


@pytest.mark.parametrize("seen", [NOTHING_SEEN, Observation(unplaced=("sheet-4x4-a",), at_s=9.0)])
def test_without_the_sheet_in_sight_it_is_asked_for(seen: Observation) -> None:
    for mode in ("basic", "race"):
        preparation = GAME.prepare({"story": "saint-george", **KNOWN, "mode": mode}, seen)
        assert (preparation.setup, preparation.question) == (None, None)
        assert shown(preparation) == [Text(say("prepare.sheet", mode=mode))]


def test_empty_cells_and_open_tiles_are_named_until_all_lie_face_down() -> None:
    draft = {"story": "saint-george", **KNOWN}
    cells = {"cell-01": "grid/A1", "cell-06": "grid/B2", "cell-15": "grid/C4"}
    empty = Text(say("prepare.lay-tiles", cells=["A1", "B2", "C4"], n=3))
    up = Text(say("prepare.turn-down", cells=["B1", "D4"]))
    one = Text(say("prepare.lay-tiles", cells=["C4"], n=1))
    for seen, words in (
        (look(cells), [empty]),
        (look(cells | {"george-03": "grid/D4", "pigs-02": "grid/B1"}), [empty, up]),
        (look({"george-03": "grid/D4", "pigs-02": "grid/B1"}), [up]),
        (look({"cell-15": "grid/C4", "george-07": None}), [one]),
    ):
        preparation = GAME.prepare(draft, seen)
        assert (preparation.setup, preparation.question, shown(preparation)) == (None, None, words)
    assert GAME.prepare(draft, CLEAR).setup == {**draft, "game": "storytelling"}


def test_all_cells_are_empty_before_the_tiles_are_laid() -> None:
    cells = {f"cell-{index + 1:02}": f"grid/{'ABCD'[index % 4]}{index // 4 + 1}" for index in range(16)}
    names = [f"{letter}{row}" for row in range(1, 5) for letter in "ABCD"]
    preparation = GAME.prepare({"story": "saint-george", **KNOWN}, look(cells))
    assert shown(preparation) == [Text(say("prepare.lay-tiles", cells=names, n=16))]


START = Question(say("question.figures"), (Choice(say("choice.start"), draft={"ready": True}),), False, True)


def _row(piece: str, zone: str) -> Row:
    return Row(say("name.piece", piece=piece), say("name.zone", zone=zone))


@pytest.mark.parametrize("mode", FIGURES)
def test_figures_that_are_not_in_place_are_named_and_start_does_without_them(mode: str) -> None:
    draft = {"story": "cinderella" if mode == "midnight" else "hare-and-tortoise", **KNOWN, "mode": mode}
    homes = FIGURES[mode]
    for seen in (CLEAR, look({name: f"{zone}5" for name, zone in homes.items()}), look(dict.fromkeys(homes))):
        preparation = GAME.prepare(draft, seen)
        assert (preparation.setup, preparation.question) == (None, START)
        assert shown(preparation) == [_row(name, zone) for name, zone in homes.items()]
    for name, zone in homes.items():
        preparation = GAME.prepare(draft, look({name: zone}))
        left = [_row(other, home) for other, home in homes.items() if other != name]
        assert shown(preparation) == (left or [Text(say("prepare.ready"))])
    line = {**draft, "game": "storytelling"}
    assert GAME.prepare(draft, look(homes)).setup == line
    assert GAME.prepare({**draft, "ready": True}, CLEAR).setup == line


@pytest.mark.parametrize("mode", FIGURES)
def test_start_does_not_do_without_tiles(mode: str) -> None:
    draft = {"story": "cinderella" if mode == "midnight" else "hare-and-tortoise", **KNOWN, "mode": mode}
    empty = Text(say("prepare.lay-tiles", cells=["A1"], n=1))
    rows = [_row(name, zone) for name, zone in FIGURES[mode].items()]
    preparation = GAME.prepare(draft, look({"cell-01": "grid/A1"}))
    assert (preparation.question, shown(preparation)) == (None, [empty, *rows])
    preparation = GAME.prepare({**draft, "ready": True}, look({"cell-01": "grid/A1"}))
    assert (preparation.setup, preparation.question, shown(preparation)) == (None, None, [empty])


@pytest.mark.parametrize(
    ("more", "homes"),
    [
        ({"mode": "race", "players": NAMED[:2]}, {"hare": "track/2", "tortoise": "track/0"}),
        ({"mode": "race", "hare_start": 0}, {"hare": "track/0", "tortoise": "track/0"}),
        ({"mode": "race", "hare_start": 7}, {"hare": "track/7", "tortoise": "track/0"}),
        ({"mode": "midnight", "clock_positions": 5}, {"clock": "dial/0"}),
    ],
)
def test_where_figures_start_follows_the_set_up(more: dict[str, Any], homes: Mapping[str, str]) -> None:
    draft = {"story": "cinderella", **KNOWN, **more}
    assert shown(GAME.prepare(draft, CLEAR)) == [_row(name, zone) for name, zone in homes.items()]
    preparation = GAME.prepare(draft, look(homes))
    assert preparation.setup == {**draft, "game": "storytelling"}
    state = GAME.setup(preparation.setup)
    assert isinstance(state, State)
    assert dict(GAME.layout(state).expected) == homes
    zones = {zone.id for zone in GAME.zones(None, draft)}
    assert (set(homes.values()) <= zones, zones) == (True, {zone.id for zone in GAME.zones(state, {})})


# A story that stands in the line itself


@pytest.mark.parametrize("mode", ["basic", "stinky-breath", "wolf-blew", "midnight", "race"])
def test_a_story_inline_is_set_up_and_played_like_a_named_one(mode: str) -> None:
    draft: dict[str, Any] = {"story": tale()}
    assert {"mode": mode} in offered(ask(draft))
    for answer in ({"mode": mode}, numbered(3), {"storyteller": "2"}, {"first": "3"}):
        assert answer in offered(ask(draft))
        draft |= answer
    preparation = GAME.prepare(draft, look(FIGURES.get(mode, {})))
    assert preparation.setup == {**draft, "game": "storytelling"}
    state = GAME.setup(preparation.setup)
    assert state == Evening(mode, ("1", "2", "3"), storyteller="2", first="3").state


def test_only_tales_and_games_are_offered_that_go_with_what_is_known() -> None:
    tales = ask({"mode": "wolf-blew"})
    assert tales is not None
    assert [choice.draft for choice in tales.choices] == [{"story": "three-little-pigs"}]
    modes = ask({"story": "hare-and-tortoise", "players": ["Ellie"]})
    assert modes is not None
    assert [choice.draft for choice in modes.choices] == [{"mode": "race"}]


def test_nonsense_in_the_draft_is_named_and_stops_nothing() -> None:
    for wrong in ({"clock_positions": "abc"}, {"clock_positions": 0}, {"hare_start": "x"}, {"finish": 99}):
        draft = {"story": "cinderella", "mode": "midnight", **wrong}
        preparation = GAME.prepare(draft, NOTHING_SEEN)
        assert (preparation.setup, preparation.question) == (None, None)
        assert preparation.pages
        assert GAME.zones(None, draft)


def test_who_begins_is_asked_anew_where_no_such_player_sits() -> None:
    draft = {"story": "cinderella", "mode": "basic", **numbered(2), "storyteller": "", "first": "Ellie"}
    asked = ask(draft)
    assert asked is not None
    assert asked.message == say("question.first")

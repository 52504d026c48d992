"""Story files: the shipped ones are whole, each mistake gives its problem, and an owner's stories go first."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from statistics import mean

import pytest

from companion.core.content import ContentError, Problem
from companion.core.messages import LANGUAGES, say, told
from companion.games.storytelling import GAME
from companion.games.storytelling.preparing import modes_for
from companion.games.storytelling.tales import Story, check, load, shipped
from companion.games.storytelling.template import TEMPLATE

TALE_OF = {
    "cinderella": "cinderella",
    "hare-and-tortoise": "hare",
    "saint-george": "george",
    "three-little-pigs": "pigs",
}
ADVANCED = {
    "cinderella": "midnight",
    "hare-and-tortoise": "race",
    "saint-george": "stinky-breath",
    "three-little-pigs": "wolf-blew",
}
FIRST_TILE = 'name = "TILE-1"\nlabel = { en = "tile 1" }\ncolour = "red"\n'
LAST_TILE = '\n[[tiles]]\nname = "TILE-16"\nlabel = { en = "tile 16" }\ncolour = "gold"\n'
FIRST_CARD = 'number = 1\npictures = ["TILE-1", "TILE-2"]\npoints = 2\ntext = { en = "Once upon a time ..." }\n'
LAST_CARD = FIRST_CARD.replace("1", "13", 1).replace("TILE-2", "TILE-14").replace('"TILE-1"', '"TILE-13"')
TILE_NAMES = ", ".join(sorted(f"TILE-{number}" for number in range(1, 17)))
COLOURS = "red, blue, green, gold, purple, orange, white, black"
SIX = ", ".join(f'"TILE-{number}"' for number in range(1, 7))


def changed(old: str, new: str) -> str:
    """The template with one place changed."""
    assert TEMPLATE.count(old) == 1, old
    return TEMPLATE.replace(old, new)


def in_tile(old: str, new: str) -> str:
    assert FIRST_TILE.count(old) == 1, old
    return changed(FIRST_TILE, FIRST_TILE.replace(old, new))


def in_card(old: str, new: str) -> str:
    assert FIRST_CARD.count(old) == 1, old
    return changed(FIRST_CARD, FIRST_CARD.replace(old, new))


def drawn(layer: str) -> str:
    """The template with a first layer that is right and this one."""
    return in_tile('colour = "red"', f'colour = "red"\npicture = [{{ path = "M0 0 L9 9" }}, {layer}]')


@pytest.mark.parametrize("name", TALE_OF)
class TestShipped:
    def test_it_passes_the_check_and_says_that_it_stands_in(self, name: str) -> None:
        assert check(shipped()[name]) == []
        story = GAME.stories[name]
        assert (story.tale, story.stand_in) == (TALE_OF[name], True)

    def test_each_tile_is_on_a_card_and_four_are_of_each_colour(self, name: str) -> None:
        story = GAME.stories[name]
        assert {tile.name for tile in story.tiles} == {tile for card in story.cards for tile in card.pictures}
        assert Counter(tile.colour for tile in story.tiles) == {"red": 4, "blue": 4, "green": 4, "gold": 4}

    def test_everything_is_there_in_all_four_languages_and_every_tile_is_drawn(self, name: str) -> None:
        story = GAME.stories[name]
        assert not isinstance(story.name, str)
        texts = [story.name, *(tile.label for tile in story.tiles), *(card.text for card in story.cards)]
        assert [set(text) for text in texts if set(text) != set(LANGUAGES)] == []
        assert [tile.name for tile in story.tiles if not tile.picture] == []

    def test_labels_and_texts_tell_tiles_and_cards_apart_in_each_language(self, name: str) -> None:
        story = GAME.stories[name]
        for language in LANGUAGES:
            assert len({tile.label[language] for tile in story.tiles}) == 16
            assert len({card.text[language] for card in story.cards}) == 13

    def test_harder_cards_are_longer_and_worth_more(self, name: str) -> None:
        cards = sorted(GAME.stories[name].cards, key=lambda card: card.number)
        sizes = [len(card.pictures) for card in cards]
        assert (sizes, min(sizes), max(sizes)) == (sorted(sizes), 1, 6)
        worth = {size: {card.points for card in cards if len(card.pictures) == size} for size in set(sizes)}
        assert all(len(points) == 1 for points in worth.values())
        assert all(min(worth[more]) > max(worth[less]) for less, more in pairwise(sorted(worth)))
        lengths = [mean(len(text) for text in card.text.values()) for card in cards]
        assert max(lengths[:4]) < min(lengths[4:]) < max(lengths[4:10]) < min(lengths[10:])

    def test_its_own_advanced_game_can_be_played_with_it(self, name: str) -> None:
        assert modes_for(GAME.stories[name]) == ("basic", ADVANCED[name])


def test_four_tales_are_shipped() -> None:
    assert set(shipped()) == set(TALE_OF)


def test_no_two_shipped_texts_are_the_same() -> None:
    texts = [text for story in GAME.stories.values() for card in story.cards for text in card.text.values()]
    assert len(set(texts)) == 4 * 13 * 4


def test_the_template_passes_as_it_is() -> None:
    assert check(TEMPLATE) == []


MISTAKES = {
    "unknown key": (f'titel = "x"\n{TEMPLATE}', ["titel: no such key; there are cards, name, stand_in, tale, tiles"]),
    "unknown key in a tile": (
        in_tile("colour", "color = 1\ncolour"),
        ["tiles 1, color: no such key; there are name, colour, label, picture"],
    ),
    "unknown key in a card": (
        in_card("points", "worth = 2\npoints"),
        ["cards 1, worth: no such key; there are number, pictures, points, text"],
    ),
    "no title": (
        changed('name = { en = "My story" }\n', ""),
        ["name: missing; a text in one or more of en, de, es, ca"],
    ),
    "title without a language": (
        changed('{ en = "My story" }', '"My story"'),
        ["name: 'My story'; a text in one or more of en, de, es, ca"],
    ),
    "title too long": (changed("My story", "x" * 41), ["name, en: 41 letters; at most 40"]),
    "no such tale": (
        changed('"own"', '"snow-white"'),
        ["tale: 'snow-white'; one of george, pigs, cinderella, hare, own: whose tile tags it uses"],
    ),
    "stand-in is neither true nor false": (f"stand_in = 1\n{TEMPLATE}", ["stand_in: 1; true or false"]),
    "15 tiles": (changed(LAST_TILE, ""), ["tiles: 15 of them; 16 tables [[tiles]]"]),
    "17 tiles": (
        changed(LAST_TILE, LAST_TILE + LAST_TILE.replace("16", "17")),
        ["tiles: 17 of them; 16 tables [[tiles]]"],
    ),
    "no name": (
        changed('name = "TILE-16"\n', ""),
        ["tiles 16, name: None; a word by which cards name this tile"],
    ),
    "double name": (
        changed('"TILE-16"', '"TILE-15"'),
        [f"tiles {number}, name: 'TILE-15' comes 2 times; a name of its own" for number in (15, 16)],
    ),
    "bad colour": (in_tile("red", "pink"), [f"tiles 1, colour: 'pink'; one of {COLOURS}"]),
    "no colour": (in_tile('colour = "red"\n', ""), [f"tiles 1, colour: None; one of {COLOURS}"]),
    "label too long": (in_tile("tile 1", "x" * 19), ["tiles 1, label, en: 19 letters; at most 18"]),
    "empty label": (in_tile("tile 1", " "), ["tiles 1, label, en: ' '; a text in quotes"]),
    "label in a language that there is not": (
        in_tile("en =", "fr ="),
        ["tiles 1, label, fr: no such language; there are en, de, es, ca"],
    ),
    "path out of range": (
        drawn('{ path = "M0 0 L0 106" }'),
        ["tiles 1, picture 2, path: reaches out of the picture; 0 to 100 across and down"],
    ),
    "path out of range to the left": (
        drawn('{ path = "M-6 0 L9 9" }'),
        ["tiles 1, picture 2, path: reaches out of the picture; 0 to 100 across and down"],
    ),
    "bad fill": (
        drawn('{ path = "M0 0 L9 9", fill = "#ggg" }'),
        ["tiles 1, picture 2, fill: '#ggg'; #rrggbb, or nothing"],
    ),
    "fill without its mark": (
        drawn('{ path = "M0 0 L9 9", fill = "c8403a" }'),
        ["tiles 1, picture 2, fill: 'c8403a'; #rrggbb, or nothing"],
    ),
    "negative line": (
        drawn('{ path = "M0 0 L9 9", line = -1 }'),
        ["tiles 1, picture 2, line: -1.0; a width of 0 to 100"],
    ),
    "line that is no number": (
        drawn('{ path = "M0 0 L9 9", line = nan }'),
        ["tiles 1, picture 2, line: nan; a width of 0 to 100"],
    ),
    "12 cards": (changed(f"\n[[cards]]\n{LAST_CARD}", ""), ["cards: 12 of them; 13 tables [[cards]]"]),
    "wrong number": (changed("number = 13\n", "number = 14\n"), ["cards 13, number: 14; 1 to 13, each once"]),
    "same number twice": (
        changed("number = 13\n", "number = 12\n"),
        [f"cards {index}, number: 12; 1 to 13, each once" for index in (12, 13)],
    ),
    "no number": (changed("number = 13\n", ""), ["cards 13, number: None; 1 to 13, each once"]),
    "true for a number": (in_card("number = 1", "number = true"), ["cards 1, number: True; 1 to 13, each once"]),
    "points in quotes": (in_card("points = 2", 'points = "2"'), ["cards 1, points: '2'; 0 to 20"]),
    "points no whole number": (in_card("points = 2", "points = 2.5"), ["cards 1, points: 2.5; 0 to 20"]),
    "true for points": (in_card("points = 2", "points = true"), ["cards 1, points: True; 0 to 20"]),
    "points too high": (in_card("points = 2", "points = 21"), ["cards 1, points: 21; 0 to 20"]),
    "points below 0": (in_card("points = 2", "points = -1"), ["cards 1, points: -1; 0 to 20"]),
    "no points": (in_card("points = 2\n", ""), ["cards 1, points: None; 0 to 20"]),
    "unknown picture": (
        in_card('"TILE-2"', '"TILE-20"'),
        [f"cards 1, pictures: 'TILE-20' is no tile; one of {TILE_NAMES}"],
    ),
    "same picture twice": (
        in_card('"TILE-2"', '"TILE-1"'),
        ["cards 1, pictures: 'TILE-1' comes 2 times; each tile once on a card"],
    ),
    "no pictures": (in_card('"TILE-1", "TILE-2"', ""), ["cards 1, pictures: []; a list of 1 to 6 tiles"]),
    "7 pictures": (
        in_card('"TILE-1", "TILE-2"', f'{SIX}, "TILE-7"'),
        [f"cards 1, pictures: {[f'TILE-{number}' for number in range(1, 8)]}; a list of 1 to 6 tiles"],
    ),
    "no text": (
        in_card('text = { en = "Once upon a time ..." }\n', ""),
        ["cards 1, text: missing; a text in one or more of en, de, es, ca"],
    ),
    "text without a language": (
        in_card('{ en = "Once upon a time ..." }', "{}"),
        ["cards 1, text: {}; a text in one or more of en, de, es, ca"],
    ),
    "text in a language that there is not": (
        in_card("en =", 'en = "Once", fr ='),
        ["cards 1, text, fr: no such language; there are en, de, es, ca"],
    ),
    "empty text": (in_card("Once upon a time ...", ""), ["cards 1, text, en: ''; a text in quotes"]),
    "text too long": (in_card("Once upon a time ...", "x" * 901), ["cards 1, text, en: 901 letters; at most 900"]),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_each_mistake_gives_just_its_problem(mistake: str) -> None:
    text, problems = MISTAKES[mistake]
    assert [str(problem) for problem in check(text)] == problems


def test_a_bad_path_is_told_with_its_beginning() -> None:
    (problem,) = check(drawn('{ path = "L1 2" }'))
    assert (problem.where, problem.allowed) == ("tiles 1, picture 2, path", "SVG path data")
    assert problem.what.startswith("path 'L1 2': no SVG path data")


def test_what_is_just_within_the_limits_passes() -> None:
    text = TEMPLATE
    for old, new in (
        ("My story", "x" * 40),
        ('en = "tile 1" }', f'ca = "{"x" * 18}", de = "x" }}'),
        ('"TILE-1", "TILE-2"', SIX),
        ("points = 2\n", "points = 20\n"),
        ("Once upon a time ...", "x" * 900),
        ('colour = "red"', 'colour = "black"\npicture = [{ path = "M-5 105 L0 0", fill = "#Fa0", line = 0 }]'),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    assert check(text) == []


def test_languages_may_be_left_out_but_not_all() -> None:
    assert check(TEMPLATE.replace("{ en =", "{ ca =")) == []


def test_a_file_that_is_no_toml_says_so() -> None:
    for text in ('name = "x', "[[tiles]\n", "\x00"):
        (problem,) = check(text)
        assert problem.where == "the file"
        assert problem.what.startswith("no TOML: ")


@pytest.mark.parametrize("text", ['name = { en = "x" }', 'tiles = 3\ncards = "x"\nname = { en = "x" }'])
def test_a_file_without_tiles_and_cards_lacks_both(text: str) -> None:
    assert check(text) == [
        Problem("tiles", "missing", "16 tables [[tiles]]"),
        Problem("cards", "missing", "13 tables [[cards]]"),
    ]


def test_several_mistakes_are_told_at_once_in_the_order_of_the_file() -> None:
    text = f"z = 1\na = 1\n{TEMPLATE}"
    for old, new in (
        ("My story", ""),
        ('label = { en = "tile 2" }\ncolour = "blue"', 'zz = 1\naa = 1\ncolour = "grey"'),
        ('label = { en = "tile 3" }', 'label = { fr = "tuile", en = "" }'),
        (LAST_TILE, ""),
        ("number = 4\n", "number = 3\n"),
        ('"TILE-5", "TILE-6"]\npoints = 2', '"TILE-99", "TILE-98"]\npoints = 99'),
        (f"\n[[cards]]\n{LAST_CARD}", "\n[[cards]]\n"),
    ):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    assert [problem.where for problem in check(text)] == [
        "z", "a", "name, en",
        "tiles", "tiles 2, zz", "tiles 2, aa", "tiles 2, colour", "tiles 3, label, fr", "tiles 3, label, en",
        "cards 3, number", "cards 4, number", "cards 5, points", "cards 5, pictures", "cards 5, pictures",
        "cards 13, number", "cards 13, points", "cards 13, pictures", "cards 13, text",
    ]  # fmt: skip


PLACES = {
    "title": (changed, '{ en = "My story" }', "name"),
    "tale": (changed, '"own"', "tale"),
    "name of a tile": (in_tile, '"TILE-1"', "tiles 1, name"),
    "label": (in_tile, '{ en = "tile 1" }', "tiles 1, label"),
    "colour": (in_tile, '"red"', "tiles 1, colour"),
    "number": (in_card, "1\n", "cards 1, number"),
    "pictures": (in_card, '["TILE-1", "TILE-2"]', "cards 1, pictures"),
    "a picture": (in_card, '"TILE-2"', "cards 1, pictures"),
    "points": (in_card, "2\n", "cards 1, points"),
    "text": (in_card, '{ en = "Once upon a time ..." }', "cards 1, text"),
}
ODD = ("-1", "2.5", "nan", "true", '""', "[[]]", "[{ a = [1] }]", "{ en = [] }", "1979-05-27", "[[[1, 2]], { b = 3 }]")


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("place", PLACES)
def test_whatever_stands_where_something_else_belongs_is_a_problem_and_no_crash(place: str, odd: str) -> None:
    change, value, where = PLACES[place]
    problems = check(change(value, value.replace(value.strip(), odd)))
    assert any(problem.where.startswith(where) for problem in problems)
    allowed = (where, "cards 1, pictures") if place == "name of a tile" else (where,)
    assert [str(problem) for problem in problems if not problem.where.startswith(allowed)] == []


@pytest.mark.parametrize(
    "odd", ['"M0 0"', "1", "true", '[""]', "[[]]", "[{}]", "[{ path = 1 }]", '[{ path = "", x = 1 }]']
)
def test_a_picture_that_is_none_is_a_problem_of_that_tile(odd: str) -> None:
    problems = check(in_tile('colour = "red"', f'colour = "red"\npicture = {odd}'))
    assert [problem.where for problem in problems] == ["tiles 1, picture"]


def _mine(tale: str = "own") -> str:
    return TEMPLATE.replace('tale = "own"', f'tale = "{tale}"')


def test_an_owners_story_goes_before_the_shipped_ones_and_names_its_tiles_in_the_box() -> None:
    assert GAME.box.pieces["own-01"].label == say("label.tile", tale="own", number=1)
    game = GAME.equipped({"mine": _mine()})
    assert list(game.stories) == ["mine", *GAME.stories]
    name = told({"en": "tile 1"})
    assert game.box.pieces["own-01"].label == say("label.named-tile", name=name, tale="own", number=1)
    assert game.box.pieces["own-01"].tag == GAME.box.pieces["own-01"].tag
    assert game.box.pieces["pigs-01"].label == GAME.box.pieces["pigs-01"].label


@pytest.mark.parametrize("name", ["mine", "saint-george"])
def test_an_owners_story_names_the_tiles_of_a_tale_that_a_shipped_one_uses_too(name: str) -> None:
    game = GAME.equipped({name: _mine("george")})
    label = say("label.named-tile", name=told({"en": "tile 4"}), tale="george", number=4)
    assert game.box.pieces["george-04"].label == label


def test_an_owners_file_of_a_shipped_name_replaces_the_shipped_story() -> None:
    game = GAME.equipped({"saint-george": _mine("george")})
    assert list(game.stories) == ["saint-george", "cinderella", "hare-and-tortoise", "three-little-pigs"]
    assert game.stories["saint-george"] == load(_mine("george"))
    state = game.setup({"story": "saint-george", "players": ["Ellie", "Sam"]})
    assert state.story == load(_mine("george"))


def test_a_broken_file_is_not_taken_and_all_its_problems_are_named_with_it() -> None:
    with pytest.raises(ContentError) as raised:
        GAME.equipped({"mine": _mine(), "odd": in_card("points = 2", "points = 21"), "bad": in_tile("red", "pink")})
    assert str(raised.value).splitlines() == [
        "odd: cards 1, points: 21; 0 to 20",
        f"bad: tiles 1, colour: 'pink'; one of {COLOURS}",
    ]


def test_advanced_games_need_their_tile_and_the_cards_of_their_tale() -> None:
    names = {"TILE-16": "BREATH", "TILE-15": "BLEW"}
    every = _mine()
    for old, new in names.items():
        every = every.replace(f'"{old}"', f'"{new}"')

    def modes(text: str, tale: str) -> tuple[str, ...]:
        story: Story = load(text.replace('tale = "own"', f'tale = "{tale}"'))
        return modes_for(story)

    assert modes(_mine(), "own") == ("basic", "midnight", "race")
    assert modes(every, "own") == ("basic", "stinky-breath", "wolf-blew", "midnight", "race")
    assert modes(_mine(), "george") == modes(_mine(), "pigs") == ("basic",)
    assert modes(every, "george") == ("basic", "stinky-breath")
    assert modes(every, "pigs") == ("basic", "wolf-blew")
    assert modes(_mine(), "cinderella") == ("basic", "midnight")
    assert modes(_mine(), "hare") == ("basic", "race")

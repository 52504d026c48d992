"""Stories as data: sixteen tiles and thirteen cards, from a file or from a set-up line."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from companion.core.art import SIDE, ArtError, Layer, Picture, strokes
from companion.core.content import ContentError, Problem, is_whole, read_toml, shown, shown_key, wrong_keys, wrong_texts
from companion.core.messages import Message, told, verbatim

TALES = ("george", "pigs", "cinderella", "hare", "own")
"""The sets of sixteen tile tags that are printed: one for each tale of the box, and one for a tale of one's own."""
COLOURS = ("red", "blue", "green", "gold", "purple", "orange", "white", "black")
TILES, CARDS, MOST_PICTURES, MOST_POINTS = 16, 13, 6, 20
BREATH, BLEW = "BREATH", "BLEW"
"""Tiles on which the advanced rules of two tales rest. Source: rulebook, Advanced Storytellers."""
LONGEST_LABEL, LONGEST_TEXT, MOST_BREAKS = 18, 900, 8


class Tile(msgspec.Struct, frozen=True, omit_defaults=True):
    """A picture tile.

    Attributes:
        name: by which cards name it.
        colour: of its frame, one of `COLOURS`.
        label: what people call it, by language; the name itself where that is missing.
        picture: its drawing.
    """

    name: str
    colour: str
    label: Mapping[str, str] = msgspec.field(default_factory=dict)
    picture: Picture = ()


class Card(msgspec.Struct, frozen=True, omit_defaults=True):
    """A story card.

    Attributes:
        number: its place in the tale, from 1.
        pictures: tiles to be found, in order.
        points: what it is worth.
        text: what the Storyteller reads, by language.
    """

    number: int
    pictures: tuple[str, ...]
    points: int
    text: Mapping[str, str] = msgspec.field(default_factory=dict)


class Story(msgspec.Struct, frozen=True, omit_defaults=True):
    """A tale.

    Attributes:
        name: its title, in one text or by language.
        tiles: all sixteen.
        cards: all thirteen, by number.
        tale: whose tile tags it uses, one of `TALES`.
        stand_in: it stands in for the texts of the box.
    """

    name: str | Mapping[str, str]
    tiles: tuple[Tile, ...]
    cards: tuple[Card, ...]
    tale: str = TALES[0]
    stand_in: bool = False

    @property
    def title(self) -> Message:
        """What it is called."""
        return verbatim(self.name) if isinstance(self.name, str) else told(self.name)

    def tile(self, name: str) -> Tile | None:
        """The tile of this name."""
        return next((tile for tile in self.tiles if tile.name == name), None)

    def card(self, number: int) -> Card:
        """The card of this number."""
        return next(card for card in self.cards if card.number == number)

    def label(self, name: str) -> Message:
        """What people call a tile."""
        tile = self.tile(name)
        return told(tile.label) if tile and tile.label else verbatim(name)

    def piece(self, name: str) -> str:
        """The piece of the box that bears a tile's tag."""
        number = next(i for i, tile in enumerate(self.tiles, 1) if tile.name == name)
        return f"{self.tale}-{number:02}"

    def tile_of(self, piece: str) -> str | None:
        """The tile with this piece's tag, or None if the piece is of another tale."""
        tale, _, number = piece.rpartition("-")
        return self.tiles[int(number) - 1].name if tale == self.tale else None


@cache
def shipped() -> Mapping[str, str]:
    """The text of each story file that comes with the game, by name."""
    folder = files(__package__) / "content" / "story"
    found = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return {file.name.removesuffix(".toml"): file.read_text("utf-8") for file in found}


def load(text: str) -> Story:
    """The story in a file's text, which has passed `check`."""
    return msgspec.convert(tomllib.loads(text), Story)


def check(text: str) -> list[Problem]:
    """All that is wrong with a story file, in the order of the file."""
    try:
        raw = read_toml(text)
    except ContentError as error:
        return [Problem("the file", str(error), "quotes and brackets must be closed; see `story new`")]
    return [*_wrong_head(raw), *_wrong_tiles(raw.get("tiles")), *_wrong_cards(raw)]


def wrong_story(raw: Any) -> list[str]:
    """What is wrong with a story that was given inline: only what the rules need is asked for."""
    try:
        story = msgspec.convert(raw, Story)
    except msgspec.ValidationError as error:
        return [f"story: {error}"]
    names = [tile.name for tile in story.tiles]
    wrong = []
    if len(set(names)) != TILES or len(names) != TILES:
        wrong.append(
            f"story, tiles: {len(names)}, {len(set(names))} of them different; {TILES} all different are needed"
        )
    if sorted(card.number for card in story.cards) != list(range(1, CARDS + 1)):
        wrong.append(f"story, cards: they must be numbered 1 to {CARDS}, each once")
    if story.tale not in TALES:
        wrong.append(f"story, tale: {story.tale!r}; there are {', '.join(TALES)}")
    for card in story.cards:
        lacking = [name for name in card.pictures if name not in names]
        if lacking or len(set(card.pictures)) != len(card.pictures) or not 1 <= len(card.pictures) <= MOST_PICTURES:
            wrong.append(f"story, card {card.number}: one to {MOST_PICTURES} different tiles of this story are needed")
    return wrong


def _wrong_head(raw: Mapping[str, Any]) -> Iterator[Problem]:
    yield from wrong_keys("", raw, ("cards", "name", "stand_in", "tale", "tiles"))
    yield from wrong_texts("name", raw.get("name"), 40)
    if raw.get("tale", TALES[0]) not in TALES:
        yield Problem("tale", shown(raw["tale"]), f"one of {', '.join(TALES)}: whose tile tags it uses")
    if not isinstance(raw.get("stand_in", False), bool):
        yield Problem("stand_in", shown(raw["stand_in"]), "true or false")


def _wrong_tiles(tiles: Any) -> Iterator[Problem]:
    if not isinstance(tiles, list):
        yield Problem("tiles", "missing", f"{TILES} tables [[tiles]]")
        return
    if len(tiles) != TILES:
        yield Problem("tiles", f"{len(tiles)} of them", f"{TILES} tables [[tiles]]")
    names = Counter(_names(tiles))
    for number, tile in enumerate(tiles[: 2 * TILES], 1):
        where = f"tiles {number}"
        if not isinstance(tile, dict):
            yield Problem(where, shown(tile), "a table [[tiles]]")
            continue
        name = tile.get("name")
        if not isinstance(name, str) or not name.strip():
            yield Problem(f"{where}, name", shown(name), "a word by which cards name this tile")
        elif names[name] > 1:
            yield Problem(f"{where}, name", f"{shown(name)} comes {names[name]} times", "a name of its own")
        yield from wrong_keys(where, tile, ("name", "colour", "label", "picture"))
        if tile.get("colour") not in COLOURS:
            yield Problem(f"{where}, colour", shown(tile.get("colour")), f"one of {', '.join(COLOURS)}")
        if "label" in tile:
            yield from wrong_texts(f"{where}, label", tile["label"], LONGEST_LABEL)
        yield from _wrong_picture(f"{where}, picture", tile.get("picture", []))


def _wrong_picture(where: str, picture: Any) -> Iterator[Problem]:
    try:
        layers = msgspec.convert(picture, tuple[Layer, ...])
    except msgspec.ValidationError as error:
        yield Problem(where, str(error), "tables with path, fill, line, ink; or no picture at all")
        return
    for number, layer in enumerate(layers, 1):
        if layer.fill and not re.fullmatch("#([0-9a-fA-F]{3}){1,2}", layer.fill):
            yield Problem(f"{where} {number}, fill", shown(layer.fill), "#rrggbb, or nothing")
        if not 0 <= layer.line <= SIDE:
            yield Problem(f"{where} {number}, line", f"{layer.line}", f"a width of 0 to {SIDE:.0f}")
        try:
            points = [point for stroke in strokes(layer.path) for point in stroke.points]
        except ArtError as error:
            yield Problem(f"{where} {number}, path", str(error), "SVG path data")
            continue
        if any(not -5 <= value <= SIDE + 5 for point in points for value in point):
            yield Problem(f"{where} {number}, path", "reaches out of the picture", "0 to 100 across and down")


def _wrong_cards(raw: Mapping[str, Any]) -> Iterator[Problem]:
    cards = raw.get("cards")
    if not isinstance(cards, list):
        yield Problem("cards", "missing", f"{CARDS} tables [[cards]]")
        return
    if len(cards) != CARDS:
        yield Problem("cards", f"{len(cards)} of them", f"{CARDS} tables [[cards]]")
    names = _names(raw.get("tiles"))
    there = f"one of {', '.join(sorted(map(shown_key, names[:TILES])))}"
    given = (card.get("number") for card in cards if isinstance(card, dict))
    numbers = Counter(number for number in given if is_whole(number, 1, CARDS))
    for index, card in enumerate(cards[: 2 * CARDS], 1):
        where = f"cards {index}"
        if not isinstance(card, dict):
            yield Problem(where, shown(card), "a table [[cards]]")
            continue
        yield from wrong_keys(where, card, ("number", "pictures", "points", "text"))
        number = card.get("number")
        if not is_whole(number, 1, CARDS) or numbers[number] > 1:
            yield Problem(f"{where}, number", shown(number), f"1 to {CARDS}, each once")
        if not is_whole(card.get("points"), 0, MOST_POINTS):
            yield Problem(f"{where}, points", shown(card.get("points")), f"0 to {MOST_POINTS}")
        yield from _wrong_pictures(f"{where}, pictures", card.get("pictures"), set(names), there)
        yield from wrong_texts(f"{where}, text", card.get("text"), LONGEST_TEXT, MOST_BREAKS)


def _wrong_pictures(where: str, pictures: Any, names: set[str], there: str) -> Iterator[Problem]:
    if not isinstance(pictures, list) or not 1 <= len(pictures) <= MOST_PICTURES:
        yield Problem(where, shown(pictures), f"a list of 1 to {MOST_PICTURES} tiles")
        return
    for name in pictures:
        if not isinstance(name, str) or name not in names:
            yield Problem(where, f"{shown(name)} is no tile", there)
    for name, times in Counter(str(name) for name in pictures).items():
        if times > 1:
            yield Problem(where, f"{shown(name)} comes {times} times", "each tile once on a card")


def _names(tiles: Any) -> list[str]:
    """The names of those tiles that have one; whatever else a file may hold is left out."""
    named = [tile.get("name") for tile in tiles if isinstance(tile, dict)] if isinstance(tiles, list) else []
    return [name for name in named if isinstance(name, str)]

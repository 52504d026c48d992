"""The pieces of Storytelling: picture tiles of four tales and one's own, the grid sheets, clock, Hare and Tortoise."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from companion.core.box import Box, Face, Piece
from companion.core.messages import say
from companion.core.tags import ArucoTag, QrTag, encode
from companion.games.storytelling.tales import TALES, TILES, Story

CODE = "ST"
TILE_MM = 70.0
TILE_TAG_MM = 21.0
TILE_TAG_AT_MM = (17.5, 17.5)
"""The sticker's middle on a tile: its lower right corner."""
CELLS = tuple(f"cell-{number:02}" for number in range(1, TILES + 1))
"""Markers printed on the grid sheet, row by row; one is seen where no tile lies."""
CELL_TAG_MM = 24.0
SHEETS = {4: ("sheet-4x4-a", "sheet-4x4-b"), 8: ("sheet-2x8-a", "sheet-2x8-b")}
"""By number of columns: the markers in the upper left and the lower right corner of a grid sheet."""
DIAL = "dial"
SHEET_TAG_MM = 30.0
CLOCK, HARE, TORTOISE = "clock", "hare", "tortoise"
FIGURE_MM = 26.0
FIGURE_TAG_MM = 15.0

_FRAMES = {
    "red": "#c8403a", "blue": "#3b6fb5", "green": "#4d9a4a", "gold": "#d9a520",
    "purple": "#8a5aa8", "orange": "#dd7a2a", "white": "#e9e4d8", "black": "#3a3634",
}  # fmt: skip
_BACKS = {"george": "#54405f", "pigs": "#63403a", "cinderella": "#2f4a63", "hare": "#345640", "own": "#4b4a45"}
_FIRST_SHEET_TAG, _FIRST_FIGURE_TAG, _FIRST_CELL_TAG = 4, 10, 20


def frame_colour(colour: str) -> str:
    """A frame colour as `#rrggbb`."""
    return _FRAMES[colour]


def tile(tale: str, number: int) -> str:
    """The piece that bears the tag of a tile, from 1."""
    return f"{tale}-{number:02}"


def make_box(stories: Mapping[str, Story], owned: Collection[str] = ()) -> Box:
    """All pieces with their tags.

    Args:
        stories: tiles are named and drawn by the story of their tale; by none where there are several to choose from.
        owned: names of an owner's stories, which go before the shipped ones.
    """
    by_tale: dict[str, list[Story]] = {}
    for name, story in stories.items():
        if name in owned or not any(stories[other].tale == story.tale for other in owned):
            by_tale.setdefault(story.tale, []).append(story)
    one = {tale: found[0] for tale, found in by_tale.items() if len(found) == 1}
    tiles = (piece for tale in TALES for piece in _tiles(tale, one.get(tale)))
    return Box(CODE, (*tiles, *_cells(), *_sheets(), *_figures()))


def _tiles(tale: str, story: Story | None) -> Iterator[Piece]:
    for number in range(1, TILES + 1):
        own = story.tiles[number - 1] if story else None
        label = say("label.tile", tale=tale, number=number)
        if story and own:
            label = say("label.named-tile", name=story.label(own.name), tale=tale, number=number)
        yield Piece(
            name=tile(tale, number),
            copy="",
            kind="tile",
            label=label,
            tag=QrTag(encode(CODE, f"{tale[:4].upper()}{number:02}")),
            tag_mm=TILE_TAG_MM,
            size_mm=(TILE_MM, TILE_MM),
            tag_at_mm=TILE_TAG_AT_MM,
            face=Face(_FRAMES[own.colour] if own else "#8f8a80", picture=own.picture if own else (), back=_BACKS[tale]),
            two_sided=True,
        )


def _cells() -> Iterator[Piece]:
    for index, name in enumerate(CELLS):
        yield Piece(
            name, "", "cell", say("label.cell", number=index + 1), ArucoTag(_FIRST_CELL_TAG + index),
            CELL_TAG_MM, (TILE_MM, TILE_MM), face=Face("#f4f1e8"), fixed=True,
        )  # fmt: skip


def _sheets() -> Iterator[Piece]:
    names = [name for pair in SHEETS.values() for name in pair] + [DIAL]
    for index, name in enumerate(names):
        tag = ArucoTag(_FIRST_SHEET_TAG + index)
        size = (44.0, 44.0) if name != DIAL else (60.0, 60.0)
        face = Face("#f4f1e8", round=name == DIAL)
        yield Piece(name, "", "anchor", say(f"label.{name}"), tag, SHEET_TAG_MM, size, face=face, fixed=True)


def _figures() -> Iterator[Piece]:
    looks = {CLOCK: ("clock", "#f2d16b"), HARE: ("runner", "#d8b48a"), TORTOISE: ("runner", "#7fae6a")}
    for index, (name, (kind, colour)) in enumerate(looks.items()):
        tag = ArucoTag(_FIRST_FIGURE_TAG + index)
        face = Face(colour, round=True)
        yield Piece(name, "", kind, say(f"label.{name}"), tag, FIGURE_TAG_MM, (FIGURE_MM, FIGURE_MM), face=face)

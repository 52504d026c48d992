"""What is printed for Storytelling: two grid sheets, the clock's dial, picture tiles and story cards."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from companion.core.messages import say, told, verbatim
from companion.core.printing import Disc, Drawn, Frame, Label, Line, Printable, Shape, TagMark
from companion.games.storytelling.box import (
    CELL_TAG_MM,
    CELLS,
    DIAL,
    FIGURE_MM,
    SHEET_TAG_MM,
    SHEETS,
    TILE_MM,
    TILE_TAG_AT_MM,
    TILE_TAG_MM,
    frame_colour,
    make_box,
)
from companion.games.storytelling.grid import LETTERS
from companion.games.storytelling.setup import SQUARES
from companion.games.storytelling.state import grid_of
from companion.games.storytelling.tales import Card, Story, Tile
from companion.games.storytelling.zones import PITCH_MM, RING_MM, cell_mm, position_mm, sheet_mm, square_mm

CARD_MM = (88.0, 118.0)
DIAL_SIDE_MM = 184.0
POSITIONS = 12
GREY = "#8f8a80"


def printables(stories: Mapping[str, Story]) -> tuple[Printable, ...]:
    """Everything, sheets first."""
    tags = {name: piece.tag for name, piece in make_box(stories).pieces.items()}
    return (
        *(_sheet(mode, tags) for mode in ("basic", "race")),
        _dial(tags),
        *(_tile(story, tile, tags[story.piece(tile.name)]) for story in stories.values() for tile in story.tiles),
        *(_card(story, card) for story in stories.values() for card in story.cards),
    )


def _sheet(mode: str, tags: Mapping[str, object]) -> Printable:
    size = sheet_mm(mode)
    columns = grid_of(mode)[1]
    shapes: list[Shape] = [Frame((0.0, 0.0), size, colour=GREY)]
    for index, name in enumerate(CELLS):
        x, y = cell_mm(mode, index)
        half = PITCH_MM / 2
        row, column = divmod(index, columns)
        shapes.append(
            Frame((x - half + 1, y - half + 1), (PITCH_MM - 2, PITCH_MM - 2), colour=GREY, corner=3.0, dashed=True)
        )
        shapes.append(TagMark(tags[name], (x, y), CELL_TAG_MM))  # type: ignore[arg-type]
        label = verbatim(f"{LETTERS[column]}{row + 1}")
        shapes.append(Label(label, (x - half + 4, y - half + 4), (14.0, 10.0), 16.0, bold=True, colour=GREY))
    if mode == "race":
        shapes += _track()
    else:
        shapes += _borders(columns)
    first, second = SHEETS[columns]
    inner = RING_MM / 2
    for name, (x, y) in ((first, (inner, inner)), (second, (size[0] - inner, size[1] - inner))):
        shapes.append(TagMark(tags[name], (x, y), SHEET_TAG_MM))  # type: ignore[arg-type]
    return Printable("grid", size, tuple(shapes), title=say(f"print.sheet.{mode}"))


def _borders(columns: int) -> Iterator[Shape]:
    """Letters above the columns, numbers beside the rows."""
    for i in range(columns):
        middle = RING_MM + (i + 0.5) * PITCH_MM
        yield Label(verbatim(LETTERS[i]), (middle - 10, RING_MM - 18), (20.0, 16.0), 28.0, bold=True)
        yield Label(verbatim(str(i + 1)), (RING_MM - 20, middle - 8), (16.0, 16.0), 28.0, bold=True)


def _track() -> Iterator[Shape]:
    for number in range(SQUARES):
        (left, top), (width, height) = square_mm(number)
        end = number in (0, SQUARES - 1)
        yield Frame((left + 1, top + 1), (width - 2, height - 2), fill="#f4ecd8" if end else "", corner=4.0)
        label = say("print.start") if number == 0 else say("print.finish") if end else verbatim(str(number))
        yield Label(label, (left + 3, top + 3), (width - 6, 12.0 if width > height else 14.0), 13.0, bold=end)


def _dial(tags: Mapping[str, object]) -> Printable:
    middle = DIAL_SIDE_MM / 2
    shapes: list[Shape] = [Disc((middle, middle), middle - 2, 0.8)]
    for number in range(POSITIONS):
        x, y = position_mm(number, POSITIONS)
        shapes.append(Disc((middle + x, middle + y), FIGURE_MM / 2 + 1, 0.4, fill="#f4ecd8" if number == 0 else ""))
        label = verbatim(str(number or 12))
        shapes.append(Label(label, (middle + x - 9, middle + y - 6), (18.0, 12.0), 20.0, bold=True, colour=GREY))
        turn = 2 * math.pi * number / POSITIONS
        ends = [(middle + r * math.sin(turn), middle - r * math.cos(turn)) for r in (44.0, 49.0)]
        shapes.append(Line(ends[0], ends[1], 0.8))
    shapes.append(TagMark(tags[DIAL], (middle, middle), SHEET_TAG_MM))  # type: ignore[arg-type]
    return Printable("dial", (DIAL_SIDE_MM, DIAL_SIDE_MM), tuple(shapes))


def _tile(story: Story, tile: Tile, tag: object) -> Printable:
    """Frame, picture, name, the colour's name for a print in grey, and the tag in the lower right corner."""
    middle = (TILE_MM / 2 + TILE_TAG_AT_MM[0], TILE_MM / 2 + TILE_TAG_AT_MM[1])
    shapes: tuple[Shape, ...] = (
        Frame((0.0, 0.0), (TILE_MM, TILE_MM), fill=frame_colour(tile.colour), corner=3.0),
        Frame((4.0, 4.0), (TILE_MM - 8, TILE_MM - 8), fill="#ffffff", corner=2.0),
        Drawn(tile.picture, (6.0, 6.0), 34.0),
        Label(story.label(tile.name), (6.0, 44.0), (34.0, 13.0), 13.0, bold=True),
        Label(say("print.colour", colour=tile.colour), (6.0, 58.0), (34.0, 6.0), 7.5, colour=GREY),
        TagMark(tag, middle, TILE_TAG_MM),  # type: ignore[arg-type]
    )
    return Printable("tiles", (TILE_MM, TILE_MM), shapes)


def _card(story: Story, card: Card) -> Printable:
    """The text; behind it the pictures in order and the points. Source: rulebook, The story cards."""
    width, height = CARD_MM
    front: tuple[Shape, ...] = (
        Frame((0.0, 0.0), CARD_MM, corner=4.0),
        Disc((13.0, 13.0), 8.0, 0.8),
        Label(verbatim(str(card.number)), (5.0, 6.0), (16.0, 14.0), 18.0, bold=True),
        Label(story.title, (25.0, 6.0), (width - 32, 14.0), 11.0, bold=True),
        Label(told(card.text), (8.0, 26.0), (width - 16, height - 34), 12.0, centred=False),
    )
    across = 3 if len(card.pictures) > 4 else 2 if len(card.pictures) > 1 else 1
    side = {1: 50.0, 2: 32.0, 3: 22.0}[across]
    down = math.ceil(len(card.pictures) / across)
    back: list[Shape] = [Frame((0.0, 0.0), CARD_MM, corner=4.0)]
    back.append(Label(say("print.points", n=card.points), (25.0, 6.0), (width - 32, 14.0), 12.0, bold=True))
    back.append(Label(verbatim(str(card.number)), (5.0, 6.0), (16.0, 14.0), 18.0, bold=True, colour=GREY))
    cell = ((width - 10) / across, (height - 30) / down)
    for index, name in enumerate(card.pictures):
        left, top = 5 + cell[0] * (index % across), 24 + cell[1] * (index // across)
        tile = story.tile(name)
        back.append(Drawn(tile.picture if tile else (), (left + (cell[0] - side) / 2, top), side))
        label = say("print.picture", number=index + 1, tile=story.label(name))
        back.append(
            Label(label, (left + 1, top + side + 1), (cell[0] - 2, min(10.0, cell[1] - side - 2)), 10.0, bold=True)
        )
    return Printable("cards", CARD_MM, front, tuple(back))

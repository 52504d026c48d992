"""What is printed for Wonderland XIII: the Hall, a Tunnel and a Notebook for each player, a place for the discards."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.messages import say, verbatim
from companion.core.printing import Disc, Drawn, Frame, Label, Line, Printable, Shape, TagMark
from companion.core.table import Point
from companion.games.wonderland.box import (
    CARD_MM,
    CARD_TAG_AT_MM,
    DISCARDS,
    HALL,
    HALL_TAG_MM,
    KEY_MM,
    SEATS,
    SHEET_TAG_MM,
    box,
    notebook_sheet,
    tunnel_sheet,
)
from companion.games.wonderland.drawings import key, portrait
from companion.games.wonderland.state import DECKS
from companion.games.wonderland.zones import (
    DISCARDS_CARD_MM,
    DISCARDS_MM,
    DISCARDS_TAG_MM,
    HALL_MIDDLE_MM,
    HALL_MM,
    HALL_TAGS_MM,
    KEYS_MM,
    MIDDLE_MM,
    QUEEN_AT,
    SHEET_TAGS_MM,
    beside_mm,
    card_mm,
    cards_mm,
    deck_mm,
    sheet_mm,
    turned,
)

GREY, FAINT = "#8f8a80", "#c9c4b8"
STICKER_MM = 25.0
NUMBER_MM = (-46.0, -12.0)
"""Where a deck's number stands, from its middle: at the side that has no Key."""


def printables() -> tuple[Printable, ...]:
    """All sheets."""
    sheets = [_hall(), _discards()]
    for seat in range(SEATS):
        sheets += [_player("tunnel", tunnel_sheet(seat), seat), _player("notebook", notebook_sheet(seat), seat)]
    return tuple(sheets)


def _hall() -> Printable:
    shapes: list[Shape] = [Frame((0.0, 0.0), HALL_MM, colour=GREY)]
    for deck in range(DECKS):
        x, y, angle = deck_mm(deck)
        shapes += _outline((x, y), angle)
        at = beside_mm(deck)
        shapes += [Disc(at, KEY_MM / 2 + 1, 0.4, colour=GREY), _key(at)]
        across, out = turned(NUMBER_MM, angle)
        shapes.append(Label(verbatim(str(deck + 1)), (x + across - 9, y + out - 8), (18.0, 16.0), 26.0, bold=True))
    edge = Label(say("print.edge"), (4.0, 238.0), (44.0, 17.0), 7.0, colour=GREY, centred=False)
    shapes.append(edge)
    middle = HALL_MIDDLE_MM
    shapes.append(Disc(middle, MIDDLE_MM, 0.4, colour=GREY))
    shapes += [_key((middle[0] + x, middle[1] + y)) for x in (-15.0, 15.0) for y in (-15.0, 15.0)]
    for name, at in zip(HALL, HALL_TAGS_MM, strict=True):
        shapes.append(TagMark(box().pieces[name].tag, at, HALL_TAG_MM))
    return Printable("hall", HALL_MM, tuple(shapes), title=say("print.hall"))


def _player(kind: str, sheet: str, seat: int) -> Printable:
    """Rows for cards with squares where stickers show; on the Tunnel also the Queen's place, and places for Keys."""
    size = sheet_mm(kind)
    shapes: list[Shape] = [Frame((0.0, 0.0), size, colour=GREY)]
    for x, y in cards_mm(kind):
        corner = (x + CARD_TAG_AT_MM[0] - STICKER_MM / 2, y + CARD_TAG_AT_MM[1] - STICKER_MM / 2)
        shapes.append(Frame(corner, (STICKER_MM, STICKER_MM), colour=FAINT, corner=2.0, dashed=True))
    title = say(f"print.{kind}", player=seat + 1)
    shapes.append(Label(title, (8.0, size[1] - 22), (110.0, 18.0), 28.0, bold=True, centred=False, colour=FAINT))
    if kind == "tunnel":
        shapes += _card(card_mm(*QUEEN_AT))
        x, y = card_mm(*QUEEN_AT)
        shapes.append(Drawn(portrait("Queen"), (x - 12, y + 12), 24.0))
        for at in KEYS_MM:
            shapes += [Disc(at, KEY_MM / 2, 0.3, colour=GREY), _key(at)]
    else:
        x, y = cards_mm(kind)[-1]
        shapes += _card((x, y))
        shapes.append(Label(say("print.last"), (x - 27, y + 2), (54.0, 30.0), 10.0, colour=GREY))
        shapes.append(Label(say("print.fan"), (8.0, size[1] - 46), (140.0, 20.0), 10.0, colour=GREY, centred=False))
    shapes.append(TagMark(box().pieces[sheet].tag, SHEET_TAGS_MM[kind], SHEET_TAG_MM))
    return Printable("sheets", size, tuple(shapes), title=title)


def _card(middle: Point) -> Iterator[Frame]:
    """A card's outline."""
    corner = (middle[0] - CARD_MM[0] / 2, middle[1] - CARD_MM[1] / 2)
    yield Frame(corner, CARD_MM, colour=FAINT, corner=3.0, dashed=True)


def _discards() -> Printable:
    x, y = DISCARDS_CARD_MM
    shapes: tuple[Shape, ...] = (
        Frame((0.0, 0.0), DISCARDS_MM, colour=GREY),
        *_card((x, y)),
        Label(say("print.discards"), (x - 28, y - 10), (56.0, 20.0), 14.0, bold=True, colour=GREY),
        TagMark(box().pieces[DISCARDS].tag, DISCARDS_TAG_MM, SHEET_TAG_MM),
    )
    return Printable("discards", DISCARDS_MM, shapes)


def _key(middle: Point) -> Drawn:
    return Drawn(key(), (middle[0] - 8, middle[1] - 8), 16.0)


def _outline(middle: Point, angle: float) -> Iterator[Line]:
    """A card's outline, turned."""
    half = (CARD_MM[0] / 2 + 1, CARD_MM[1] / 2 + 1)
    corners = [turned((x * half[0], y * half[1]), angle) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = [(middle[0] + x, middle[1] + y) for x, y in corners]
    for start, end in zip(points, [*points[1:], points[0]], strict=True):
        yield Line(start, end, 0.4, GREY)

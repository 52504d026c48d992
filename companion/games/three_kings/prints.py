"""What is printed for 3 Kings: Thrones, stage, piles, score, boards, tokens, and cards with their backs."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.box import Box, Piece
from companion.core.messages import say, verbatim
from companion.core.printing import LEGEND_MM, Disc, Drawn, Frame, Label, Line, Printable, Shape, Size, TagMark
from companion.core.table import Point
from companion.core.tags import Tag
from companion.games.three_kings import cards, marks, zones
from companion.games.three_kings.box import (
    ACTION_BACK,
    BACK,
    BACK_TAG_AT_MM,
    BACK_TAG_MM,
    CARD_MM,
    CARD_TAG_AT_MM,
    CARD_TAG_MM,
    COUNSELOR_MM,
    FACTION_COLOURS,
    FIRST_MM,
    GUILD_COLOURS,
    MARKER_MM,
    PILES,
    SCORE,
    SHEET_TAG_MM,
    STAGE,
    TURN,
    board,
    marker,
    throne_sheet,
)
from companion.games.three_kings.cards import EYE, FACTIONS, Card
from companion.games.three_kings.deck import ActionCard, Deck
from companion.games.three_kings.drawings import emblem
from companion.games.three_kings.state import EYE_WINS_AT, FIRST_CARD, GUILDS, ROUNDS, THRONES, TURNS

GREY, FAINT, INK = "#8f8a80", "#c9c4b8", "#1c1a18"
STICKER_MM = 25.0
BACK_STICKER_MM = 16.0
MARK_MM = (56.0, 40.0)
SCORE_EYE_MM = 420.0
"""From where on the score sheet tells about the Eye, close above the place where it wins."""


def printables(box: Box, deck: Deck) -> tuple[Printable, ...]:
    """Everything, sheets first."""
    return (
        *(_throne(box, number) for number in range(1, THRONES + 1)),
        _stage(box),
        _piles(box),
        _score(box),
        *(_board(box, guild) for guild in GUILDS),
        *_tokens(box),
        *(_character(box, card, one) for card in cards.deck().values() for one in card.ids),
        *(_action(box, deck, card) for card in deck.cards),
        *_marks(),
    )


def _throne(box: Box, number: int) -> Printable:
    """Place of the Character, of Counselors, and of the Intrigue, where the stickers of all cards show."""
    size = zones.THRONE_SHEET_MM
    shapes: list[Shape] = [Frame((0.0, 0.0), size, colour=GREY), _place(zones.THRONE_CARD_MM)]
    x, y = zones.THRONE_CARD_MM
    shapes.append(Label(say("name.numeral", n=number), (x - 20, y - 20), (40.0, 36.0), 60.0, bold=True, colour=FAINT))
    for index in range(len(GUILDS)):
        shapes.append(Disc(zones.counselor_mm(index), COUNSELOR_MM / 2, 0.3, colour=FAINT))
    shapes.append(TagMark(_tag(box, throne_sheet(number)), zones.THRONE_TAG_MM, SHEET_TAG_MM))
    label = say("print.throne", throne=number)
    shapes.append(Label(label, (92.0, 66.0), (78.0, 12.0), 15.0, bold=True, centred=False))
    shapes.append(Label(say("print.intrigue"), (92.0, 79.0), (78.0, 14.0), 8.0, centred=False, colour=GREY))
    shapes.append(Line((0.0, zones.INTRIGUE_TOP_MM - 1), (size[0], zones.INTRIGUE_TOP_MM - 1), 0.4, GREY))
    shapes += _fan(map(zones.back_mm, range(zones.BACKS_IN_ROW * zones.BACK_ROWS)), BACK_TAG_AT_MM, BACK_STICKER_MM)
    return Printable("thrones", size, tuple(shapes), title=label)


def _stage(box: Box) -> Printable:
    """Where cards are laid open, each over the one before."""
    size = zones.STAGE_SHEET_MM
    shapes: list[Shape] = [Frame((0.0, 0.0), size, colour=GREY)]
    shapes += _fan(map(zones.face_mm, range(zones.FACES_IN_ROW * zones.FACE_ROWS)), CARD_TAG_AT_MM, STICKER_MM)
    shapes.append(_place(zones.face_mm(zones.FACES_IN_ROW * zones.FACE_ROWS - 1)))
    shapes.append(TagMark(_tag(box, STAGE), zones.STAGE_TAG_MM, SHEET_TAG_MM))
    shapes.append(Label(say("print.stage"), (335.0, 30.0), (34.0, 9.0), 11.0, bold=True))
    shapes.append(Label(say("print.fan"), (335.0, 42.0), (34.0, 40.0), 7.0, colour=GREY))
    return Printable("sheets", size, tuple(shapes), title=say("print.stage"))


def _piles(box: Box) -> Printable:
    size = zones.PILES_SHEET_MM
    shapes: list[Shape] = [Frame((0.0, 0.0), size, colour=GREY)]
    for index, name in enumerate(zones.PILE_NAMES):
        x, y = zones.pile_mm(index)
        shapes += [
            _place((x, y)),
            Label(say(f"print.{name}"), (x - 26, y + 4), (52.0, 18.0), 12.0, bold=True, colour=GREY),
        ]
    for number in range(1, TURNS + 1):
        x, y = zones.turn_mm(number)
        shapes.append(Disc((x, y), MARKER_MM / 2 + 1, 0.4, colour=GREY))
        numeral = say("name.numeral", n=number)
        shapes.append(Label(numeral, (x + MARKER_MM / 2 + 2, y - 6), (14.0, 12.0), 20.0, bold=True, colour=GREY))
    shapes.append(TagMark(_tag(box, PILES), zones.PILES_TAG_MM, SHEET_TAG_MM))
    return Printable("sheets", size, tuple(shapes), title=say("print.piles"))


def _score(box: Box) -> Printable:
    """A lane for each faction; whoever has more points than there are places stays at the end."""
    size = zones.SCORE_SHEET_MM
    shapes: list[Shape] = [Frame((0.0, 0.0), size, colour=GREY)]
    for index, faction in enumerate(FACTIONS):
        _, y = zones.vp_mm(index, 0)
        half = zones.LANE_MM / 2
        left = zones.SCORE_LEFT_MM
        shapes.append(Drawn(emblem(faction), (3.0, y - 8), 16.0))
        shapes.append(Label(say("name.faction", faction=faction), (20.0, y - 6), (left - 21, 12.0), 9.0, bold=True))
        for vp in range(zones.LEAST_VP, zones.MOST_VP + 1):
            x, _ = zones.vp_mm(index, vp)
            corner = (x - zones.VP_PITCH_MM / 2 + 0.5, y - half + 0.5)
            wins = faction == FACTIONS[EYE] and vp == EYE_WINS_AT
            fill = FACTION_COLOURS[faction] if vp == 0 or wins else ""
            box_size = (zones.VP_PITCH_MM - 1, zones.LANE_MM - 1)
            shapes.append(Frame(corner, box_size, 0.3, fill, FAINT, corner=2.0))
            colour = INK if fill else GREY
            shapes.append(Label(verbatim(str(vp)), (x - 8, y - 6), (16.0, 12.0), 13.0, bool(fill), colour=colour))
    for name, at in zip(SCORE, zones.score_tags_mm(), strict=True):
        shapes.append(TagMark(_tag(box, name), at, SHEET_TAG_MM))
    shapes.append(Label(say("print.score"), (40.0, 6.0), (90.0, 16.0), 20.0, bold=True, centred=False, colour=GREY))
    shapes.append(Label(say("print.score-ends"), (150.0, 8.0), (110.0, 14.0), 10.0, centred=False, colour=GREY))
    eye = say("print.score-eye", n=EYE_WINS_AT)
    shapes.append(Label(eye, (SCORE_EYE_MM, 8.0), (110.0, 14.0), 10.0, centred=False, colour=GREY))
    return Printable("sheets", size, tuple(shapes), title=say("print.score"))


def _board(box: Box, guild: str) -> Printable:
    """Three spaces for planned cards, the Counselor's place, and that of the First Player card."""
    size = zones.BOARD_MM
    shapes: list[Shape] = [Frame((0.0, 0.0), size, 1.2, colour=GUILD_COLOURS[guild])]
    for number in range(1, ROUNDS + 1):
        x, y = zones.space_mm(number)
        shapes.append(_place((x, y)))
        numeral = say("name.numeral", n=number)
        shapes.append(Label(numeral, (x - 20, y - 10), (40.0, 30.0), 44.0, bold=True, colour=FAINT))
    x, y = zones.HOME_MM
    shapes.append(Disc((x, y), COUNSELOR_MM / 2 + 1, 0.8, fill="", colour=GUILD_COLOURS[guild]))
    x, y = zones.FIRST_AT_MM
    shapes.append(Frame((x - FIRST_MM[0] / 2, y - FIRST_MM[1] / 2), FIRST_MM, colour=FAINT, corner=3.0, dashed=True))
    shapes.append(Label(say("label.first-player"), (x - 27, y - 9), (54.0, 18.0), 11.0, bold=True, colour=FAINT))
    shapes.append(Label(say("name.player", by=guild), (175.0, 31.0), (60.0, 10.0), 11.0, bold=True, colour=GREY))
    shapes.append(TagMark(_tag(box, board(guild)), zones.BOARD_TAG_MM, SHEET_TAG_MM))
    return Printable("boards", size, tuple(shapes), title=say("label.board", guild=guild))


def _tokens(box: Box) -> Iterator[Printable]:
    for name in (*(f"counselor-{guild}" for guild in GUILDS), *(marker(faction) for faction in FACTIONS), TURN):
        piece = box.pieces[name]
        radius = piece.size_mm[0] / 2
        shapes = (Disc((radius, radius), radius - 0.3, 0.6, piece.face.colour), _mark(piece))
        yield Printable("tokens", piece.size_mm, shapes, legend=tuple(_legend(piece)))
    piece = box.pieces[FIRST_CARD]
    width, height = FIRST_MM
    card: tuple[Shape, ...] = (
        Frame((0.0, 0.0), FIRST_MM, fill=piece.face.colour, corner=3.0),
        _white(piece),
        _mark(piece),
        Label(piece.label, (width / 2 - 4, 6.0), (width / 2, height - 12), 12.0, bold=True),
    )
    yield Printable("tokens", FIRST_MM, card)


def _legend(piece: Piece) -> Iterator[Shape]:
    """What a token is called, behind the emblem of its faction, or a disc of its colour."""
    width, height = LEGEND_MM
    faction = next((faction for faction in FACTIONS if piece.name == marker(faction)), None)
    if faction:
        yield Drawn(emblem(faction), (0.0, 0.0), height)
    else:
        yield Disc((height / 2, height / 2), height / 2 - 1, 0.3, piece.face.colour)
    yield Label(piece.label, (height + 1, 0.0), (width - height - 1, height), 8.0)


def _character(box: Box, card: Card, one: str) -> Printable:
    piece = box.pieces[one]
    rule = Label(say(f"page.do.{card.kind}", n=card.value), (4.0, 60.0), (CARD_MM[0] - 8, 24.0), 8.0)
    shapes = (*_face(piece, card.kind, card.value), Label(piece.label, (3.0, 50.0), (50.0, 9.0), 11.0, bold=True), rule)
    return Printable("cards", CARD_MM, shapes, _back(box, BACK))


def _action(box: Box, deck: Deck, card: ActionCard) -> Printable:
    piece = box.pieces[deck.piece(card.id)]
    corner = say("print.rank", rank=card.rank, mark=card.mark)
    shapes = (
        *_face(piece, ACTION_BACK, 0, small=True),
        Label(corner, (31.0, 5.0), (22.0, 8.0), 10.0, bold=True),
        Label(card.title, (3.0, 31.0), (CARD_MM[0] - 6, 13.0), 10.0, bold=True),
        Label(card.words, (4.0, 45.0), (CARD_MM[0] - 8, 38.0), 8.0),
    )
    return Printable("actions", CARD_MM, shapes, _back(box, ACTION_BACK))


def _marks() -> Iterator[Printable]:
    """The Faction Marks, without tags: nobody but their holders ever sees them."""
    back: tuple[Shape, ...] = (Frame((0.0, 0.0), MARK_MM, fill="#3a3634", corner=3.0),)
    for faction in FACTIONS:
        shapes: tuple[Shape, ...] = (
            Frame((0.0, 0.0), MARK_MM, fill=FACTION_COLOURS[faction], corner=3.0),
            Drawn(emblem(faction), (5.0, 7.0), 26.0),
            Label(say("name.faction", faction=faction), (32.0, 10.0), (22.0, 20.0), 12.0, bold=True),
        )
        yield from [Printable("marks", MARK_MM, shapes, back)] * marks.PER_DECK


def _face(piece: Piece, what: str, value: int, small: bool = False) -> Iterator[Shape]:
    yield Frame((0.0, 0.0), CARD_MM, fill=piece.face.colour, corner=3.0)
    yield _white(piece)
    yield _mark(piece)
    at, side = ((34.0, 13.0), 16.0) if small else ((29.0, 6.0), 24.0)
    yield Drawn(emblem(what, value), at, side)


def _back(box: Box, name: str) -> tuple[Shape, ...]:
    piece = next(iter(box.copies[name]))
    white = BACK_STICKER_MM / 2
    middle = _middle(BACK_TAG_AT_MM)
    return (
        Frame((0.0, 0.0), CARD_MM, fill=piece.face.colour, corner=3.0),
        Drawn(emblem(name), (10.0, 26.0), 36.0),
        Frame((middle[0] - white, middle[1] - white), (2 * white, 2 * white), 0.0, "#ffffff", corner=1.0),
        TagMark(piece.tag, middle, BACK_TAG_MM),
    )


def _white(piece: Piece) -> Frame:
    """The paper around a card's tag."""
    x, y = _at(piece)
    half = piece.tag_mm / 2 * (STICKER_MM / CARD_TAG_MM)
    return Frame((x - half, y - half), (2 * half, 2 * half), 0.0, "#ffffff", corner=1.0)


def _mark(piece: Piece) -> TagMark:
    return TagMark(piece.tag, _at(piece), piece.tag_mm)


def _at(piece: Piece) -> Point:
    (width, height), (x, y) = piece.size_mm, piece.tag_at_mm
    return width / 2 + x, height / 2 + y


def _middle(at: Point) -> Point:
    return CARD_MM[0] / 2 + at[0], CARD_MM[1] / 2 + at[1]


def _place(middle: Point, size: Size = CARD_MM) -> Frame:
    """The outline of a card's place."""
    return Frame((middle[0] - size[0] / 2, middle[1] - size[1] / 2), size, colour=FAINT, corner=3.0, dashed=True)


def _fan(middles: Iterator[Point] | map[Point], tag_at: Point, side: float) -> Iterator[Frame]:
    """Squares where the stickers of a fan show."""
    for x, y in middles:
        corner = (x + tag_at[0] - side / 2, y + tag_at[1] - side / 2)
        yield Frame(corner, (side, side), colour=FAINT, corner=1.5, dashed=True)


def _tag(box: Box, name: str) -> Tag:
    return box.pieces[name].tag

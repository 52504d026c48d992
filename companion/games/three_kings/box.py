"""The pieces of 3 Kings: cards with tags on both sides, Counselors, markers, and the markers of printed sheets.

A card's face bears a tag of its own. The tag on its back says only which deck it belongs to, so that cards that lie
face down can be counted and nobody, the camera included, can tell one from the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.box import Box, Face, Piece
from companion.core.messages import say
from companion.core.tags import ArucoTag, QrTag, encode
from companion.games.three_kings import cards
from companion.games.three_kings.cards import CORRUPTION, FACTIONS, PURGE, Card
from companion.games.three_kings.deck import ACTION_CARDS, Deck
from companion.games.three_kings.drawings import emblem
from companion.games.three_kings.state import FACE_DOWN, FIRST_CARD, GUILDS, THRONES

CODE = "TK"
CARD_MM = (56.0, 87.0)
CARD_TAG_MM = 21.0
CARD_TAG_AT_MM = (-14.0, -29.5)
"""The sticker's middle on a face: its upper left corner, which shows in a fan of cards."""
BACK_TAG_MM = 12.0
BACK_TAG_AT_MM = (-19.0, -34.5)
BACK, ACTION_BACK = FACE_DOWN, "action-back"
COUNSELOR_MM, COUNSELOR_TAG_MM = 22.0, 13.0
MARKER_MM, MARKER_TAG_MM = 18.0, 12.0
FIRST_MM, FIRST_TAG_MM = (60.0, 42.0), 20.0
FIRST_TAG_AT_MM = (-17.0, 0.0)
"""The sticker is flush with the left edge."""
TURN = "turn-token"
STAGE, PILES = "stage-sheet", "piles-sheet"
SCORE = ("score-sheet-a", "score-sheet-b")
"""The markers at the left and the right end of the score sheet."""
SHEET_TAG_MM = 22.0

GUILD_COLOURS = {
    "red": "#c8403a", "blue": "#3b6fb5", "purple": "#8a5aa8", "green": "#4d9a4a",
    "yellow": "#e0bb34", "orange": "#dd7a2a", "white": "#efe9dc", "black": "#4a4643",
}  # fmt: skip
FACTION_COLOURS = {"owl": "#7fa3cf", "wyvern": "#d9b04a", "serpent": "#86b36b", "eye": "#a78fb5"}
_SHORT = {
    "noble": "NB", "guard": "RG", "merchant": "MT", "mercenary": "MC", "priest": "PR", "spy": "SP",
    CORRUPTION: "CO", PURGE: "PU",
}  # fmt: skip
_BACKS = {BACK: "#5a2f3c", ACTION_BACK: "#2f4a3c"}
_FIRST_SHEET_TAG, _FIRST_COUNSELOR_TAG, _FIRST_MARKER_TAG = 4, 20, 30
_TURN_TAG, _FIRST_CARD_TAG, _BACK_TAGS = 34, 35, {BACK: 40, ACTION_BACK: 41}


def throne_sheet(throne: int) -> str:
    """The marker of a Throne's sheet, from 1."""
    return f"throne-sheet-{throne}"


def board(guild: str) -> str:
    """The marker of a player's board."""
    return f"board-{guild}"


def marker(faction: str) -> str:
    """The piece that shows a faction's points."""
    return f"marker-{faction}"


def make_box(deck: Deck) -> Box:
    """All pieces with their tags; the Action cards are called as in this deck."""
    character_cards = [piece for card in cards.deck().values() for piece in _cards(card)]
    return Box(
        CODE,
        (
            *character_cards,
            *_actions(deck),
            *_backs(BACK, len(character_cards)),
            *_backs(ACTION_BACK, ACTION_CARDS),
            *_counselors(),
            *_markers(),
            *_sheets(),
        ),
    )


def card_face(card: Card) -> Face:
    """How a card of the Character deck looks."""
    colour = FACTION_COLOURS[FACTIONS[card.faction]] if card.faction is not None else "#d8d2c6"
    return Face(colour, picture=emblem(card.kind, card.value), back=_BACKS[BACK])


def _cards(card: Card) -> Iterator[Piece]:
    for one in card.ids:
        letter = one.removeprefix(card.name)
        yield Piece(
            name=card.name,
            copy=letter,
            kind="card",
            label=say("label.card" if card.value else "label.other", kind=card.kind, value=card.value),
            tag=QrTag(encode(CODE, f"{_SHORT[card.kind]}{card.value or ''}{letter}".upper())),
            tag_mm=CARD_TAG_MM,
            size_mm=CARD_MM,
            tag_at_mm=CARD_TAG_AT_MM,
            face=card_face(card),
            two_sided=True,
        )


def _actions(deck: Deck) -> Iterator[Piece]:
    for number, card in enumerate(deck.cards, 1):
        yield Piece(
            name=deck.piece(card.id),
            copy="",
            kind="action",
            label=say("label.action", number=number, title=card.title),
            tag=QrTag(encode(CODE, f"AC{number:02}")),
            tag_mm=CARD_TAG_MM,
            size_mm=CARD_MM,
            tag_at_mm=CARD_TAG_AT_MM,
            face=Face("#e8dfc8", str(number), back=_BACKS[ACTION_BACK]),
            two_sided=True,
            number=deck.piece(card.id),
        )


def _backs(name: str, number: int) -> Iterator[Piece]:
    face = Face(_BACKS[name], picture=emblem(name))
    for copy in range(1, number + 1):
        yield Piece(
            name, f"#{copy:02}", name, say(f"label.{name}"), ArucoTag(_BACK_TAGS[name]),
            BACK_TAG_MM, CARD_MM, BACK_TAG_AT_MM, face, two_sided=True, alike=True,
        )  # fmt: skip


def _counselors() -> Iterator[Piece]:
    for index, guild in enumerate(GUILDS):
        tag, face = ArucoTag(_FIRST_COUNSELOR_TAG + index), Face(GUILD_COLOURS[guild], round=True)
        size = (COUNSELOR_MM, COUNSELOR_MM)
        label = say("label.counselor", guild=guild)
        yield Piece(f"counselor-{guild}", "", "counselor", label, tag, COUNSELOR_TAG_MM, size, face=face)


def _markers() -> Iterator[Piece]:
    size = (MARKER_MM, MARKER_MM)
    for index, faction in enumerate(FACTIONS):
        tag, face = ArucoTag(_FIRST_MARKER_TAG + index), Face(FACTION_COLOURS[faction], round=True)
        label = say("label.marker", faction=faction)
        yield Piece(marker(faction), "", f"{faction}-marker", label, tag, MARKER_TAG_MM, size, face=face)
    face = Face("#d9cdb0", round=True)
    yield Piece(TURN, "", "turn", say("label.turn-token"), ArucoTag(_TURN_TAG), MARKER_TAG_MM, size, face=face)
    first = Face("#e3c46a", "1")
    label = say("label.first-player")
    tag = ArucoTag(_FIRST_CARD_TAG)
    yield Piece(FIRST_CARD, "", "first", label, tag, FIRST_TAG_MM, FIRST_MM, FIRST_TAG_AT_MM, first)


def _sheets() -> Iterator[Piece]:
    names = [(throne_sheet(throne), say("label.throne-sheet", throne=throne)) for throne in range(1, THRONES + 1)]
    names += [(name, say(f"label.{name}")) for name in (STAGE, PILES, *SCORE)]
    names += [(board(guild), say("label.board", guild=guild)) for guild in GUILDS]
    side = SHEET_TAG_MM + 6
    for index, (name, label) in enumerate(names):
        tag = ArucoTag(_FIRST_SHEET_TAG + index)
        yield Piece(
            name, "", "anchor", label, tag, SHEET_TAG_MM, (side, side), face=Face("#f4f1e8"), fixed=True
        )  # fmt: skip

"""The pieces of Wonderland XIII: 68 Spirit cards, four Keys, and the markers of the printed sheets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from companion.core.box import Box, Face, Piece
from companion.core.messages import say
from companion.core.tags import ArucoTag, QrTag, encode
from companion.games.wonderland.drawings import portrait
from companion.games.wonderland.spirits import CARDS, copies
from companion.games.wonderland.state import EMPTY_AT_END, KEYS

CODE = "WX"
SEATS = max(EMPTY_AT_END)
CARD_MM = (63.0, 88.0)
CARD_TAG_MM = 21.0
CARD_TAG_AT_MM = (-18.0, -30.5)
"""The sticker's middle on a card: its upper left corner, which shows in a fan of cards."""
KEY_MM = 26.0
KEY_TAG_MM = 15.0
KEY = "key"
HALL = ("hall-a", "hall-b")
"""The markers in the upper corners of the Hall's sheet."""
DISCARDS = "discards"
HALL_TAG_MM = 28.0
SHEET_TAG_MM = 22.0

CARD_COLOURS = {
    "Alice": "#5f93c8",
    "Rabbit": "#b08f66",
    "Cat": "#9c68ad",
    "Hatter": "#5f9a58",
    "Queen": "#c9544c",
    "Bundle": "#c9a53a",
}
PAPERS = {
    "Alice": "#b5cfe8",
    "Rabbit": "#d8c4a4",
    "Cat": "#dcbfe4",
    "Hatter": "#b9d8b4",
    "Queen": "#eebab4",
    "Bundle": "#efdb97",
}
"""What their faces are drawn on: cards of a real box are no white paper either."""
BACK = "#2d4a5e"
_FIRST_SHEET_TAG, _FIRST_KEY_TAG = 4, 20


def tunnel_sheet(seat: int) -> str:
    """The marker of a player's Tunnel, by his seat from 0."""
    return f"tunnel-{seat + 1}"


def notebook_sheet(seat: int) -> str:
    """The marker of a player's Notebook, by his seat from 0."""
    return f"notebook-{seat + 1}"


@cache
def box() -> Box:
    """All pieces with their tags."""
    return Box(CODE, (*_cards(), *_keys(), *_sheets()))


def is_card(piece: str) -> bool:
    """Whether a piece is a Spirit card."""
    return box().pieces[piece].kind == "card"


def _cards() -> Iterator[Piece]:
    for card in CARDS:
        face = Face(CARD_COLOURS[card], picture=portrait(card), back=BACK, paper=PAPERS[card])
        for copy in copies(card):
            yield Piece(
                name=card,
                copy=copy,
                kind="card",
                label=say("label.card", card=card),
                tag=QrTag(encode(CODE, f"{card[:5]}{copy}".upper())),
                tag_mm=CARD_TAG_MM,
                size_mm=CARD_MM,
                tag_at_mm=CARD_TAG_AT_MM,
                face=face,
            )


def _keys() -> Iterator[Piece]:
    for number, copy in enumerate("abcd"[:KEYS]):
        face = Face("#d9b23c", round=True)
        tag = ArucoTag(_FIRST_KEY_TAG + number)
        yield Piece(KEY, copy, KEY, say("label.key"), tag, KEY_TAG_MM, (KEY_MM, KEY_MM), face=face)


def _sheets() -> Iterator[Piece]:
    names = [*HALL, DISCARDS]
    names += [sheet(seat) for seat in range(SEATS) for sheet in (tunnel_sheet, notebook_sheet)]
    for index, name in enumerate(names):
        side = HALL_TAG_MM if name in HALL else SHEET_TAG_MM
        tag, face = ArucoTag(_FIRST_SHEET_TAG + index), Face("#f4f1e8")
        yield Piece(name, "", "anchor", say(f"label.{name}"), tag, side, (side + 10, side + 10), face=face, fixed=True)

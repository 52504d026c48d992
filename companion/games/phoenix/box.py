"""The pieces of Schatz des Phönix: 69 cards, 6 guild cards, 39 treasure tokens, the start token and 3 nests."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from companion.core.box import Box, Face, Piece
from companion.core.errors import BoxError
from companion.core.messages import say
from companion.core.tags import ArucoTag, QrTag, encode

CODE = "PH"
NESTS = ("small-1", "small-2", "big")
"""The nests in the order in which their treasure is shared out. Source: rulebook, Distributing Treasures."""
COLOURS = ("red", "blue", "yellow", "green", "purple")
DOUBLE = "2x"
LARGE_TOKEN = "large-10"
LARGE_VALUE = 10
START_TOKEN = "start"
SMALL_TOKENS = 36

CARD_MM = (56.0, 87.0)
CARD_TAG_MM = 21.0
CARD_TAG_AT_MM = (0.0, -29.0)
"""The sticker's middle on a card: 14.5 mm below the top edge, so that a card laid 30 mm lower leaves it free."""
TOKEN_MM = 24.0
TOKEN_TAG_MM = 14.0
NEST_MM = 104.0
"""Width of a nest over its flat sides."""
NEST_TAG_MM = 28.0

_FACES = {
    "red": "#d8524a",
    "blue": "#4f7fc4",
    "yellow": "#e6bf3d",
    "green": "#5fa45a",
    "purple": "#9366b0",
    "wild": "#efe6d2",
}
_SHORT = {"red": "RED", "blue": "BLU", "yellow": "YEL", "green": "GRE", "purple": "PUR", "wild": "WIL"}
_FIRST_NEST_TAG = 4
_START_TAG = 7
_FIRST_TOKEN_TAG = 10
_FIRST_LARGE_TAG = 46


@cache
def data() -> Mapping[str, Any]:
    """The contents of `box.toml`, checked.

    Raises:
        BoxError: not six different guilds, or not 36 small tokens of values 2 to 10.
    """
    text = files(__package__).joinpath("box.toml").read_text("utf-8")
    found = tomllib.loads(text)
    if len(set(found["guilds"])) != 6:
        raise BoxError(f"box.toml, guilds: {found['guilds']!r}; name six different guilds")
    tokens = {int(value): number for value, number in found["tokens"].items()}
    if sum(tokens.values()) != SMALL_TOKENS or not set(tokens) <= set(range(2, 11)):
        raise BoxError(
            f"box.toml, tokens: {sum(tokens.values())} tokens of values {sorted(tokens)}; 36 of 2..10 are needed"
        )
    return {"guilds": tuple(found["guilds"]), "tokens": tokens}


def guilds() -> tuple[str, ...]:
    """The guilds, clockwise around a nest."""
    return tuple(data()["guilds"])


def stock() -> Mapping[int, int]:
    """How many small tokens of each value the box holds."""
    return dict(data()["tokens"])


def values(colour: str) -> tuple[tuple[str, int], ...]:
    """Values of the cards of a colour with their number of copies. Source: rulebook, Components."""
    if colour == "wild":
        return (("2", 2), ("3", 2))
    return (("2", 2), ("3", 2), ("4", 2), ("5", 2), ("6", 2), (DOUBLE, 2), ("7", 1))


@cache
def box() -> Box:
    """All pieces with their tags."""
    return Box(CODE, (*_cards(), *_guild_cards(), *_tokens(), *_nests(), _start_token()))


def _cards() -> Iterator[Piece]:
    for colour in (*COLOURS, "wild"):
        for value, copies in values(colour):
            for copy in "ab"[:copies] if copies > 1 else ("",):
                short = f"{_SHORT[colour]}{value}{copy}".upper()
                yield Piece(
                    name=f"{colour}-{value}",
                    copy=copy,
                    kind="card",
                    label=say("label.card", colour=colour, value=value),
                    tag=QrTag(encode(CODE, short)),
                    tag_mm=CARD_TAG_MM,
                    size_mm=CARD_MM,
                    tag_at_mm=CARD_TAG_AT_MM,
                    face=Face(_FACES[colour], value),
                )


def _guild_cards() -> Iterator[Piece]:
    for guild in guilds():
        yield Piece(
            name=f"guild-{guild}",
            copy="",
            kind="guild",
            label=say("label.guild", guild=guild),
            tag=QrTag(encode(CODE, f"G{guild[:5].upper()}")),
            tag_mm=CARD_TAG_MM,
            size_mm=CARD_MM,
            tag_at_mm=CARD_TAG_AT_MM,
            face=Face("#c9b48a", guild[:2].upper()),
        )


def _tokens() -> Iterator[Piece]:
    tag = _FIRST_TOKEN_TAG
    for value, number in sorted(stock().items()):
        for copy in "abcdefghijklmnopqrstuvwxyz"[:number]:
            yield _token(f"token-{value}", copy, tag, Face("#e8c766", str(value), round=True), value)
            tag += 1
    for index, copy in enumerate("abc"):
        yield _token(LARGE_TOKEN, copy, _FIRST_LARGE_TAG + index, Face("#f0a830", "10", round=True), LARGE_VALUE)


def _token(name: str, copy: str, tag: int, face: Face, value: int) -> Piece:
    label = say("label.large" if name == LARGE_TOKEN else "label.token", value=value)
    return Piece(name, copy, "token", label, ArucoTag(tag), TOKEN_TAG_MM, (TOKEN_MM, TOKEN_MM), face=face)


def _nests() -> Iterator[Piece]:
    for index, nest in enumerate(NESTS):
        label = say("label.nest", nest=nest)
        face = Face("#7a5a3a", round=True)
        tag = ArucoTag(_FIRST_NEST_TAG + index)
        yield Piece(f"nest-{nest}", "", "anchor", label, tag, NEST_TAG_MM, (NEST_MM, NEST_MM), face=face)


def _start_token() -> Piece:
    face = Face("#3f8f8a", round=True)
    return Piece(START_TOKEN, "", "figure", say("label.start"), ArucoTag(_START_TAG), 16.0, (26.0, 26.0), face=face)

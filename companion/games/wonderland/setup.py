"""From a set-up line to the first state: at the start of a game, or at the start of a turn in the middle of one.

Beside what a plain line has, a position names the `decks` of the Hall, the `discards` and the `hatter`'s face-down
cards. Cards that it puts nowhere are out of the game; without `decks` they are divided as equally as can be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion.core.content import shown
from companion.core.game import Refusal
from companion.core.players import named
from companion.games.wonderland.collapse import collapses
from companion.games.wonderland.spirits import COUNTS, character, in_order
from companion.games.wonderland.state import DECKS, EMPTY_AT_END, NOTEBOOK, Deck, State

PLAYERS = (min(EMPTY_AT_END), max(EMPTY_AT_END))
POSITION = ("decks", "discards", "hatter")


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player of the set-up line."""

    name: str
    guild: str = ""


class Pile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A deck of the set-up line."""

    down: int
    up: tuple[str, ...] = ()


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up line. The last three fields are for positions in the middle of a game."""

    players: tuple[Player | str, ...]
    turn: str
    notebooks: Mapping[str, tuple[str, ...]]
    decks: tuple[Pile, ...] | None = None
    discards: tuple[str, ...] | None = None
    hatter: Mapping[str, tuple[str, ...]] | None = None
    game: str = "wonderland"


def start(raw: Mapping[str, Any]) -> State | Refusal:
    """The state that a set-up line describes, or `bad-setup` with everything that is wrong with it."""
    people = named(raw)
    if isinstance(people, Refusal):
        return people
    raw = people
    try:
        line = msgspec.convert(raw, Line)
    except msgspec.ValidationError as error:
        known = ", ".join(field for field in Line.__struct_fields__ if field != "game")
        return _bad([f"{error}; there are {known}" if "unknown field" in str(error) else str(error)])
    names = tuple(player if isinstance(player, str) else player.name for player in line.players)
    wrong = [*_wrong_players(line, names), *_wrong_cards(line), *_wrong_notebooks(line, names), *_wrong_decks(line)]
    if wrong:
        return _bad(wrong)
    state = _state(line, names)
    wrong = list(_wrong_position(line, state))
    return _bad(wrong) if wrong else state


def shares(cards: int) -> tuple[int, ...]:
    """The sizes of the five decks, as equal as can be, the larger ones first.

    Source: rulebook, Setting; rulings, Hall.
    """
    return tuple(cards // DECKS + (number < cards % DECKS) for number in range(DECKS))


def _wrong_players(line: Line, names: tuple[str, ...]) -> Iterator[str]:
    least, most = PLAYERS
    if not least <= len(names) <= most:
        yield f"players: {len(names)} named; Wonderland XIII is for {least} to {most}"
    named = [("turn", line.turn), *(("notebooks", name) for name in line.notebooks)]
    named += [("hatter", name) for name in line.hatter or {}]
    yield from (f"{key}: {shown(name)} is no player" for key, name in named if name not in names)


def _wrong_cards(line: Line) -> Iterator[str]:
    strange = dict.fromkeys((key, card) for key, card in _cards(line) if not character(card))
    if strange:
        yield from (f"{key}: {card!r} is no card; there are {', '.join(COUNTS)}" for key, card in strange)
        return
    for card, number in sorted(Counter(character(card) for _, card in _cards(line)).items()):
        if number > COUNTS[card]:
            yield f"cards: {number} of {card}; the box holds {COUNTS[card]}"


def _wrong_notebooks(line: Line, names: tuple[str, ...]) -> Iterator[str]:
    if any(getattr(line, field) is not None for field in POSITION):
        return
    for name in names:
        number = len(line.notebooks.get(name, ()))
        if number != NOTEBOOK:
            yield f"notebooks: {number} cards for {name!r}; each player is dealt {NOTEBOOK}"


def _wrong_decks(line: Line) -> Iterator[str]:
    if line.decks is None:
        return
    if len(line.decks) != DECKS:
        yield f"decks: {len(line.decks)} named; the Hall has {DECKS}"
    if any(pile.down < 0 for pile in line.decks):
        yield "decks: a number below 0"


def _wrong_position(line: Line, state: State) -> Iterator[str]:
    down, left = sum(deck.down for deck in state.decks), sum(state.unseen.values())
    if down > left:
        yield f"decks: {down} cards lie face down; of the box {left} lie nowhere else"
    if state.ending:
        yield "decks: so many are empty that this game has ended"
    for name, cards in (line.hatter or {}).items():
        if collapses(character(card) for card in cards):
            yield f"hatter: the cards of {name!r} collapse; they belong to the discards"


def _state(line: Line, names: tuple[str, ...]) -> State:
    known = sum(1 for _ in _cards(line))
    sizes = shares(sum(COUNTS.values()) - known)
    piles = line.decks if line.decks is not None else tuple(Pile(size) for size in sizes)
    return State(
        players=names,
        turn=names.index(line.turn),
        notebooks=tuple(_pile(line.notebooks.get(name, ())) for name in names),
        decks=tuple(Deck(pile.down, tuple(map(character, pile.up))) for pile in piles),
        hatter=tuple(_pile((line.hatter or {}).get(name, ())) for name in names),
        discards=_pile(line.discards or ()),
    )


def _cards(line: Line) -> Iterator[tuple[str, str]]:
    """All cards of a line, each with the field that names it."""
    for field in ("notebooks", "hatter"):
        yield from ((field, card) for cards in (getattr(line, field) or {}).values() for card in cards)
    yield from (("discards", card) for card in line.discards or ())
    yield from (("decks", card) for pile in line.decks or () for card in pile.up)


def _pile(cards: tuple[str, ...]) -> tuple[str, ...]:
    return in_order(map(character, cards))


def _bad(wrong: list[str]) -> Refusal:
    return Refusal("bad-setup", "setup", {"reason": "; ".join(wrong)})

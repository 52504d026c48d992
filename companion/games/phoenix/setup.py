"""From a set-up line to the first state: at the start of a game, or in the middle of one.

A line for the middle of a game holds the same fields as the facts of the referee protocol (`round`, `turn`, `nests`,
`hands`, `deck`, ...) beside those of a plain set-up. What is left out is as at the start of round one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.content import shown
from companion.core.game import Refusal
from companion.core.letters import cleaned
from companion.core.players import LONGEST, named
from companion.games.phoenix.box import NESTS, box, guilds, stock
from companion.games.phoenix.state import HAND, PER_SIDE, ROUNDS, Seat, State, small_tokens
from companion.games.phoenix.unseen import all_but, anywhere, fits

RULE = "setup"
DERIVED = frozenset({"game", "phase", "picking", "winners"})
"""What a line may hold beside its fields: the game's id, and facts that follow from the others."""


class Player(msgspec.Struct, frozen=True):
    """A player of the set-up line."""

    name: str
    guild: str = ""


class Line(msgspec.Struct, frozen=True):
    """The set-up line. The second half is for positions in the middle of a game."""

    players: tuple[Player | str, ...]
    holder: str
    open: str | None
    tokens: Mapping[str, tuple[int, ...]]
    round: int = 1
    turn: str | None = None
    to_draw: str | None = None
    deck: int | None = None
    discards: int = 0
    hands: Mapping[str, int] | None = None
    nests: Mapping[str, Mapping[str, tuple[str, ...]]] | None = None
    large_there: bool = True
    large_to: str | None = None
    scores: Mapping[str, int] | None = None


def start(raw: Mapping[str, Any]) -> State | Refusal:
    """The state that a set-up line describes, or `bad-setup` with everything that is wrong with it."""
    people = named(raw)
    if isinstance(people, Refusal):
        return people
    raw = people
    try:
        line = msgspec.convert(raw, Line)
    except msgspec.ValidationError as error:
        return _bad([str(error)])
    seats = _seats(line)
    wrong = [*_wrong_fields(raw), *_wrong_seats(seats), *_wrong_names(line, seats), *_wrong_counts(line, len(seats))]
    if wrong:
        return _bad(wrong)
    state = _state(line, seats)
    wrong = [*_wrong_cards(state), *_wrong_turn(state)] if isinstance(state, State) else [state]
    return _bad(wrong) if wrong or isinstance(state, str) else _with_large(state)


def _seats(line: Line) -> tuple[Seat, ...]:
    players = [Player(p) if isinstance(p, str) else p for p in line.players]
    free = [guild for guild in guilds() if guild not in {p.guild for p in players}]
    return tuple(Seat(p.name, p.guild or (free.pop(0) if free else "")) for p in players)


def _wrong_fields(raw: Mapping[str, Any]) -> list[str]:
    known = Line.__struct_fields__
    strange = [key for key in raw if key not in {*known, *DERIVED}]
    return [f"{', '.join(strange)}: no such field; there are {', '.join(known)}"] if strange else []


def _wrong_seats(seats: tuple[Seat, ...]) -> list[str]:
    wrong = []
    if not 2 <= len(seats) <= 6:
        wrong.append(f"players: {len(seats)} named; Phoenix is for 2 to 6")
    for guild, number in Counter(seat.guild for seat in seats).items():
        if not guild or cleaned(guild, LONGEST) != guild:
            wrong.append(f"players: {shown(guild)} is no guild that can be shown; 1 to {LONGEST} letters")
        elif number > 1:
            wrong.append(f"players: guild {guild!r} comes twice; each player needs one of their own")
    return wrong


def _wrong_names(line: Line, seats: tuple[Seat, ...]) -> list[str]:
    known = {seat.name for seat in seats}
    named = [
        ("holder", line.holder),
        ("turn", line.turn),
        ("to_draw", line.to_draw),
        ("large_to", line.large_to),
    ]
    named += [("hands", name) for name in line.hands or {}] + [("scores", name) for name in line.scores or {}]
    named += [(f"nests.{nest}", name) for nest, row in (line.nests or {}).items() for name in row]
    return [f"{key}: {shown(name)} is no player" for key, name in named if name is not None and name not in known]


def _wrong_counts(line: Line, players: int) -> list[str]:
    wrong = []
    if set(line.tokens) != set(NESTS) or not set(line.nests or {}) <= set(NESTS):
        wrong.append(f"tokens, nests: name the nests {', '.join(NESTS)}")
    if not 1 <= line.round <= ROUNDS:
        wrong.append(f"round: {line.round}; there are rounds 1 to {ROUNDS}")
    at_start, wanted = line.nests is None, small_tokens(players)
    for nest, values in line.tokens.items():
        if len(values) > wanted or (at_start and len(values) != wanted):
            wrong.append(f"tokens.{nest}: {len(values)} small tokens; {players} players need {wanted}")
    left = stock()
    for value, number in Counter(value for values in line.tokens.values() for value in values).items():
        if number > left.get(value, 0):
            wrong.append(f"tokens: {number} of value {value}; the box holds {left.get(value, 0)}")
    for nest, row in (line.nests or {}).items():
        wrong += [f"nests.{nest}.{name}: more than two cards" for name, cards in row.items() if len(cards) > PER_SIDE]
    named = [("open", line.open)] if line.open else []
    named += [(f"nests.{nest}", c) for nest, row in (line.nests or {}).items() for cards in row.values() for c in cards]
    for key, card in named:
        piece = box().find(card)
        if piece is None or piece.kind != "card":
            wrong.append(f"{key}: {card!r} is no card of this box")
    numbers = [line.discards, line.deck or 0, *(line.hands or {}).values(), *(line.scores or {}).values()]
    if min(numbers, default=0) < 0:
        wrong.append("deck, discards, hands, scores: a number below 0")
    return wrong


def _state(line: Line, seats: tuple[Seat, ...]) -> State | str:
    index = {seat.name: i for i, seat in enumerate(seats)}
    nests = tuple(tuple((line.nests or {}).get(nest, {}).get(s.name, ()) for s in seats) for nest in NESTS)
    lying = [card for nest in nests for cards in nest for card in cards] + ([line.open] if line.open else [])
    hands = tuple((line.hands or {}).get(seat.name, HAND - (seat.name == line.to_draw)) for seat in seats)
    cards = sum(piece.kind == "card" for piece in box().pieces.values())
    deck = line.deck if line.deck is not None else cards - sum(hands) - len(lying) - line.discards
    if deck < 0 or len(lying) + sum(hands) + deck + line.discards != cards:
        found = f"{len(lying)} lie open, {sum(hands)} in hands, {deck} in the deck, {line.discards} discarded"
        return f"cards: {found}; the box has {cards}"
    unseen = all_but(lying, anywhere((deck, *hands, line.discards)))
    if isinstance(unseen, str):
        return f"cards: {unseen!r} lies open more often than the box holds it"
    left = stock()
    for value in (value for values in line.tokens.values() for value in values):
        left[value] -= 1  # type: ignore[index]
    holder = index[line.holder]
    placed = sum(len(side) for nest in nests for side in nest)
    return State(
        seats=seats,
        round=line.round,
        turn=(holder + placed) % len(seats) if line.turn is None else index[line.turn],
        to_draw=None if line.to_draw is None else index[line.to_draw],
        holder=holder,
        large_to=None if line.large_to is None else index[line.large_to],
        deck=deck,
        hands=hands,
        open=line.open or "",
        discards=(),
        buried=line.discards,
        nests=nests,
        tokens=tuple(tuple(sorted(line.tokens[nest])) for nest in NESTS),
        large_there=line.large_there,
        stock=tuple(value for value, number in sorted(left.items()) for _ in range(number)),
        scores=tuple((line.scores or {}).get(seat.name, 0) for seat in seats),
        unseen=unseen,
    )


def _with_large(state: State) -> State | Refusal:
    """The state with who took the large 10, where that follows from who has picked at the big nest."""
    picking = state.picking
    if state.large_there or state.large_to is not None or not picking or NESTS[picking[0]] != "big":
        return state
    picks = small_tokens(len(state.seats)) + 1 - len(picking[1])
    if picks != 1:
        return _bad(["large_to: name who took the large 10; the starting player token goes to him"])
    return replace(state, large_to=state.ranking(picking[0])[0])


def _wrong_cards(state: State) -> list[str]:
    return [] if fits(state.unseen, state.sizes) else ["cards: they can't be spread over deck and hands like this"]


def _wrong_turn(state: State) -> list[str]:
    free = any(len(row[state.turn]) < PER_SIDE for row in state.nests)
    if state.phase == "play" and not free:
        return [f"turn: {state.seats[state.turn].name} has played two cards at every nest already"]
    return []


def _bad(wrong: list[str]) -> Refusal:
    return Refusal("bad-setup", RULE, {"reason": "; ".join(wrong)})

"""Taking the table as it lies, because people say that it is right."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.box import PieceId
from companion.core.game import Event, Refusal, Step
from companion.core.table import Difference, ZoneId
from companion.games.phoenix.box import NESTS, box
from companion.games.phoenix.rules import ranked
from companion.games.phoenix.state import HAND, PER_SIDE, State
from companion.games.phoenix.unseen import all_but, anywhere
from companion.games.phoenix.zones import OPEN

CORRECTIONS = "corrections"

Lying = dict[tuple[int, int], tuple[str, ...]]
"""By nest and seat, the cards there."""


def accept(state: State, difference: Difference) -> Step | Refusal:
    """The state in which the rules expect the table as it lies.

    Cards count where they lie, at whoever's side, and whoever has fewest of this round is next. How many cards hands
    and deck hold follows from that. Tokens aren't taken as they lie: who took one only people know.
    """
    if state.phase not in ("play", "treasure"):
        return _not(next(iter((*difference.extra, *difference.missing, *difference.moved)), ""), "accept-not-now")
    lying: Lying = {
        (nest, seat): cards for nest, row in enumerate(state.nests) for seat, cards in enumerate(row)
    }  # fmt: skip
    shown, events = state.open, []
    for piece, home, where in _changes(difference):
        if box().pieces[piece].kind != "card":
            return _not(piece, "accept-no-token")
        if OPEN in (home, where):
            if home != OPEN and state.open and OPEN not in difference.missing.values():
                return _not(piece, "accept-open")
            shown = piece if where == OPEN else "" if shown == state.open else shown
        if home not in (None, OPEN):
            place = _place(state, home)
            lying[place] = _without(lying[place], piece)
        if where not in (None, OPEN):
            place = _place(state, where)
            if place not in lying:
                return _not(piece, "accept-nobodys-side")
            lying[place] = (*lying[place], piece)
        elif where is None and piece in difference.moved:
            return _not(piece, "accept-beside")
    if crowded := next((cards[-1] for cards in lying.values() if len(cards) > PER_SIDE), None):
        return _not(crowded, "accept-full")
    after = _counted(state, lying, shown)
    if isinstance(after, Refusal):
        return after
    cards = [piece for piece, _, _ in _changes(difference)]
    events.append(Event("corrected", {"cards": cards, "turn": after.seats[after.turn].name}))
    if after.phase == "treasure" and state.phase == "play":
        events += [Event("all-placed"), ranked(after)]
    return Step(after, tuple(events))


def _changes(difference: Difference) -> Iterator[tuple[PieceId, ZoneId | None, ZoneId | None]]:
    """Piece by piece, where the rules expect it and where it lies."""
    yield from ((piece, home, None) for piece, home in difference.missing.items())
    yield from ((piece, home, where) for piece, (home, where) in difference.moved.items())
    yield from ((piece, None, where) for piece, where in difference.extra.items())


def _place(state: State, zone: ZoneId) -> tuple[int, int]:
    """Nest and seat of a side; the seat is -1 where nobody plays."""
    nest, _, guild = zone.partition("/")
    seat = state.seat_at(guild)
    return NESTS.index(nest), -1 if seat is None else seat


def _counted(state: State, lying: Lying, shown: str) -> State | Refusal:
    """The state with these cards. Turn, draw and counts follow from them; what was concluded of others is forgotten."""
    seats = range(len(state.seats))
    nests = tuple(tuple(lying[nest, seat] for seat in seats) for nest in range(len(NESTS)))
    turn, to_draw, hands = state.turn, state.to_draw, state.hands
    if nests != state.nests:
        played = [sum(len(row[seat]) for row in nests) for seat in seats]
        order = [(state.holder + step) % len(seats) for step in seats]
        turn = min(order, key=lambda seat: played[seat])
        to_draw = (turn - 1) % len(seats) if any(played) else None
        hands = tuple(HAND - (seat == to_draw) for seat in seats)
    cards = [card for row in nests for side in row for card in side] + [shown] * bool(shown)
    names = {box().name_of(card) for card in cards} | set(cards)
    discards = tuple(card for card in state.discards if card not in names)
    buried = state.buried
    deck = sum(p.kind == "card" for p in box().pieces.values()) - len(cards) - sum(hands) - len(discards) - buried
    if deck < 0:
        deck, discards, buried = deck + len(discards) + buried, (), 0
    unseen = all_but((*cards, *discards), anywhere((deck, *hands, buried)))
    if isinstance(unseen, str):
        return _not(unseen, "accept-twice")
    return replace(
        state,
        turn=turn,
        to_draw=to_draw,
        hands=hands,
        deck=deck,
        open=shown,
        discards=discards,
        buried=buried,
        nests=nests,
        unseen=unseen,
    )


def _without(cards: tuple[str, ...], piece: PieceId) -> tuple[str, ...]:
    """The cards without this one, or without the copy that stands for it."""
    gone = next((card for card in cards if card == piece), None)
    gone = gone or next(card for card in cards if box().name_of(piece) in (card, box().name_of(card)))
    index = cards.index(gone)
    return cards[:index] + cards[index + 1 :]


def _not(piece: PieceId, wording: str) -> Refusal:
    return Refusal("not-allowed", CORRECTIONS, {"card": piece}, wording)

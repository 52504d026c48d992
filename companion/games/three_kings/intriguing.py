"""Intrigue of the Throne: one card face down at a time, round and round, until all have passed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.games.three_kings import unseen
from companion.games.three_kings.guards import bad_line, unless_active
from companion.games.three_kings.moves import Intrigue
from companion.games.three_kings.piles import transfer
from companion.games.three_kings.state import THRONES, State
from companion.games.three_kings.turning import moved_on
from companion.games.three_kings.unseen import hand

RULE = "intrigue"


def intrigue(move: Intrigue, state: State) -> Step | Refusal:
    """A player lays a card, or passes for the rest of the phase; who has no card left is out by himself."""
    seat = state.seat_of(move.by)
    if state.phase == RULE and not state.counting and seat is not None and seat not in state.waiting:
        wording = "passed" if state.hands[seat] else "no-card-left"
        return Refusal("passed" if state.hands[seat] else "no-card", RULE, {"by": move.by}, wording)
    refusal = unless_active(state, move.by, RULE, RULE)
    if refusal:
        return refusal
    if move.pass_ == bool(move.throne):
        return bad_line("intrigue: throne or pass; one of them")
    seat, *others = state.waiting
    by = state.seats[seat].name
    if move.pass_:
        return moved_on(replace(state, waiting=tuple(others)), (Event("passes", {"by": by}),))
    if not 1 <= move.throne <= THRONES:
        return Refusal("wrong-target", RULE, {"throne": move.throne, "n": THRONES}, "no-such-throne")
    after = transfer(state, hand(seat), unseen.intrigue(move.throne), 1)
    waiting = (*others, seat) if after.hands[seat] else tuple(others)
    return moved_on(replace(after, waiting=waiting), (Event("lays", {"by": by, "throne": move.throne}),))


def intrigues(state: State) -> Iterator[Intrigue]:
    """A card for each of the Thrones, or passing."""
    by = state.seats[state.waiting[0]].name
    yield from (Intrigue(by, throne) for throne in range(1, THRONES + 1))
    yield Intrigue(by, pass_=True)

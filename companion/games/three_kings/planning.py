"""Secret Planning, and turning a Round's cards up."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.games.three_kings import cards, unseen
from companion.games.three_kings.guards import (
    bad_line,
    elsewhere,
    not_a_card,
    not_a_character,
    unless_now,
    unless_player,
)
from companion.games.three_kings.moves import Plan, Reveal
from companion.games.three_kings.piles import added, lies_open, possible, put
from companion.games.three_kings.state import State
from companion.games.three_kings.turning import moved_on
from companion.games.three_kings.unseen import board, hand

PLANNING, REVEALING = "secret-planning", "character-action"


def plan(move: Plan, state: State) -> Step | Refusal:
    """A player has laid his cards face down; in any order of the players, each once."""
    if not move.by:
        return bad_line("plan: by is missing; name who has planned")
    refusal = unless_player(state, move.by) or unless_now(state, "plan", PLANNING)
    if refusal:
        return refusal
    seat = state.seat_of(move.by)
    assert seat is not None
    if seat not in state.waiting:
        return Refusal("not-now", PLANNING, {"by": move.by}, "planned-already")
    number, held = sum(move.spaces), state.hands[seat]
    if number > held:
        return Refusal("no-card", PLANNING, {"by": move.by, "n": held, "count": number}, "hand-too-small")
    after = replace(
        state,
        waiting=tuple(one for one in state.waiting if one != seat),
        hands=added(state.hands, seat, -number),
        spaces=put(state.spaces, seat, move.spaces),
        unseen=unseen.moved(state.unseen, hand(seat), board(seat), held - number) if number else state.unseen,
    )
    if number and not possible(after):
        return Refusal("wrong-card", PLANNING, {"by": move.by, "n": number}, "too-few-characters")
    return moved_on(after, (Event("planned", {"by": move.by, "n": number}),))


def reveal(move: Reveal, state: State) -> Step | Refusal:
    """All turn up the card in one space: whoever has laid one there, and nobody else."""
    for name in move.cards:
        refusal = unless_player(state, name) or (None if name else bad_line("reveal: a player without name"))
        if refusal:
            return refusal
    refusal = unless_now(state, "reveal", REVEALING)
    if refusal:
        return refusal
    space = state.round - 1
    after = state
    for seat, player in enumerate(state.seats):
        card, there = move.cards.get(player.name) or "", state.spaces[seat][space]
        what = {"by": player.name, "round": state.round, "card": card}
        if card and not there:
            return Refusal("wrong-place", REVEALING, what, "space-empty")
        if there and not card:
            return Refusal("must-do", REVEALING, what, "reveal-first")
        if not card:
            continue
        found = cards.find(card)
        if found is None:
            return not_a_card(card)
        if not found.is_character:
            return not_a_character(card, PLANNING)
        pool = None if lies_open(after, card) else unseen.take(after.unseen, card, board(seat))
        if pool is None:
            return elsewhere(state, card, REVEALING, "board", player.name)
        spaces = put(after.spaces, seat, put(after.spaces[seat], space, value=False))
        left = any(spaces[seat])
        after = replace(
            after,
            unseen=pool if left else unseen.emptied(pool, board(seat)),
            spaces=spaces,
            shown=put(after.shown, seat, card),
        )
    if not possible(after):
        shown = [card for card in move.cards.values() if card]
        return Refusal("card-elsewhere", REVEALING, {"cards": shown}, "cards-elsewhere")
    waiting = tuple(seat for seat in after.clockwise(after.first) if after.shown[seat])
    after = replace(after, phase="action", waiting=waiting)
    turn = {"turn": after.seats[waiting[0]].name} if waiting else {}
    return moved_on(after, (Event("revealed" if waiting else "revealed-none", {"round": state.round, **turn}),))

"""The rules of 3 Kings: what each move needs and what it leads to, and which moves are legal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.games.three_kings import acting, awarding, intriguing, performing, planning, recruiting
from companion.games.three_kings.guards import bad_line, now, unless_player
from companion.games.three_kings.moves import (
    Act,
    Action,
    Award,
    Bodyguards,
    Counsel,
    Fallen,
    Intrigue,
    Move,
    Plan,
    Recruit,
    Reveal,
)
from companion.games.three_kings.piles import sizes
from companion.games.three_kings.state import State
from companion.games.three_kings.unseen import INFIRMARY, board, example, intrigue
from companion.games.three_kings.zones import followers

CHANCE_MOVES = frozenset({"fallen", "reveal", "act", "counsel", "action", "award"})
"""Moves that show cards, or of which there are too many: `legal_moves` gives examples."""
_RULES = {
    Recruit: recruiting.recruit,
    Fallen: recruiting.fallen,
    Plan: planning.plan,
    Reveal: planning.reveal,
    Act: acting.act,
    Counsel: acting.counsel,
    Action: performing.action,
    Intrigue: intriguing.intrigue,
    Award: awarding.award,
}


def apply(state: State, move: Move) -> Step | Refusal:
    """What a move leads to, or the first rule that forbids it."""
    # What was revealed for one Throne may still lie there while the next one is fought for.
    before = replace(state, left=state.left if isinstance(move, Award) else (), fought=None)
    if isinstance(move, Bodyguards):
        return _bodyguards(move, before)
    step: Step | Refusal = _RULES[type(move)](move, before)  # type: ignore[operator]
    return step if isinstance(step, Refusal) else replace(step, state=_followed(before, step.state))


def _followed(before: State, after: State) -> State:
    """The state that remembers which pieces have to follow; whoever plans, reveals, plots or is at court goes on."""
    new = followers(after)
    late = () if before.phase in ("plan", "reveal", "counsel", "intrigue") else before.late
    late += tuple((piece, zone) for piece, zone in followers(before).items() if new.get(piece) != zone)
    return replace(after, late=late)


def legal_moves(state: State) -> Iterator[Move]:
    """All legal moves; of `CHANCE_MOVES` examples."""
    if state.phase == "over":
        return
    if state.counting:
        yield Fallen(_lying(state)[INFIRMARY])
        return
    if state.drawn:
        yield from _actions(state)
    elif state.phase == "recruit":
        yield Recruit(state.seats[state.waiting[0]].name)
    elif state.phase == "plan":
        yield from _plans(state)
    elif state.phase == "reveal":
        yield Reveal(_revealed(state))
    elif state.phase == "action":
        yield from acting.acts(state)
    elif state.phase == "counsel":
        yield from acting.counsels(state)
    elif state.phase == "intrigue":
        yield from intriguing.intrigues(state)
    else:
        yield Award(state.awarding, _lying(state)[intrigue(state.awarding)])
    yield from (Bodyguards(seat.name, number not in state.protected) for number, seat in enumerate(state.seats))


def _bodyguards(move: Bodyguards, state: State) -> Step | Refusal:
    if not move.by:
        return bad_line("bodyguards: by is missing; name whom they protect")
    refusal = unless_player(state, move.by)
    if refusal:
        return refusal
    if state.counting:
        return Refusal("must-do", recruiting.COUNT, {"n": state.infirmary}, "count-first")
    if state.phase == "over":
        return Refusal("not-now", "bodyguards", {"now": now(state)})
    seat = state.seat_of(move.by)
    assert seat is not None
    if (seat in state.protected) == move.on:
        return Refusal("not-now", "bodyguards", {"by": move.by}, "bodyguards-on" if move.on else "bodyguards-off")
    others = tuple(one for one in state.protected if one != seat)
    protected = tuple(sorted((*others, seat))) if move.on else others
    return Step(
        replace(state, protected=protected), (Event("bodyguards" if move.on else "unguarded", {"by": move.by}),)
    )


def _plans(state: State) -> Iterator[Plan]:
    """For each player who hasn't planned, how many cards he can lay, and where."""
    for seat in state.waiting:
        by = state.seats[seat].name
        fitting = [number for number in range(4) if isinstance(apply(state, Plan(_first(number), by)), Step)]
        for one, two, three in product((True, False), repeat=3):
            if one + two + three in fitting:
                yield Plan((one, two, three), by)


def _first(number: int) -> tuple[bool, bool, bool]:
    return number > 0, number > 1, number > 2


def _revealed(state: State) -> dict[str, str | None]:
    lying, space = _lying(state), state.round - 1
    return {
        player.name: lying[board(seat)][0] if state.spaces[seat][space] else None
        for seat, player in enumerate(state.seats)
    }


def _lying(state: State) -> tuple[tuple[str, ...], ...]:
    """By place, cards that may lie there: all of them go together."""
    return example(state.unseen, sizes(state))


def _actions(state: State) -> Iterator[Action]:
    """What may become of the Action card that comes next; of cards with equal ranks any may be that."""
    by = state.seats[state.waiting[0]].name
    if state.at is None:
        for card in performing.next_cards(state):
            yield from (Action(card, by), Action(card, by, perform=False))
        return
    yield from (Action(state.drawn[0], by, steps=(choice,)) for choice in performing.options(state))

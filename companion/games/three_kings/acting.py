"""Character Action and Counselors at Court: whose turn it is to perform which Character."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.games.three_kings import cards
from companion.games.three_kings.characters import perform, unfilled
from companion.games.three_kings.guards import bad_line, unless_active
from companion.games.three_kings.moves import Act, Counsel, Swap
from companion.games.three_kings.performing import finished
from companion.games.three_kings.piles import put
from companion.games.three_kings.state import THRONES, State
from companion.games.three_kings.vocabulary import crownings

ACTING, COUNSELING = "character-action", "counselors"


def act(move: Act, state: State) -> Step | Refusal:
    """A player performs the Character that he has revealed, or only shows it."""
    refusal = unless_active(state, move.by, "action", ACTING)
    if refusal:
        return refusal
    seat = state.waiting[0]
    by, card = state.seats[seat].name, state.shown[seat]
    if not move.perform:
        return unfilled(move) or finished(state, (Event("only-shown", {"by": by, "card": card}),))
    return perform(move, state, card, ())


def counsel(move: Counsel, state: State) -> Step | Refusal:
    """A player performs the Character before whom his Counselor stands, or has just been sent; or skips."""
    refusal = unless_active(state, move.by, "counsel", COUNSELING)
    if refusal:
        return refusal
    seat = state.waiting[0]
    by, stands = state.seats[seat].name, state.counselors[seat]
    if move.skip:
        if move.throne:
            return bad_line("counsel: throne and skip; one or the other")
        return unfilled(move) or finished(state, (Event("skips", {"by": by}),))
    throne = move.throne or stands
    if not throne:
        return bad_line("counsel: throne is missing; name it, or skip")
    if not 1 <= throne <= THRONES:
        return Refusal("wrong-target", COUNSELING, {"throne": throne, "n": THRONES}, "no-such-throne")
    if stands and throne != stands:
        return Refusal("not-allowed", COUNSELING, {"by": by, "throne": throne, "stands": stands}, "counselor-stays")
    events = () if stands else (Event("counselor", {"by": by, "throne": throne}),)
    after = replace(state, counselors=put(state.counselors, seat, throne))
    if not move.perform:
        return unfilled(move) or finished(after, events or (Event("skips", {"by": by}),))
    return perform(move, after, state.thrones[throne - 1], events)


def acts(state: State) -> Iterator[Act]:
    """What the active player may do with the Character that he has revealed; of a Noble's swaps one example."""
    seat = state.waiting[0]
    by = state.seats[seat].name
    yield Act(by=by, perform=False)
    yield from (Act(by=by, **fields) for fields in deeds(state, state.shown[seat]))


def counsels(state: State) -> Iterator[Counsel]:
    """What the active player may do with his Counselor; of a Noble's swaps one example."""
    seat = state.waiting[0]
    by, stands = state.seats[seat].name, state.counselors[seat]
    yield Counsel(by=by, skip=True)
    for throne in (stands,) if stands else range(1, THRONES + 1):
        yield from (Counsel(by=by, throne=throne, **fields) for fields in deeds(state, state.thrones[throne - 1]))


def deeds(state: State, card: str) -> Iterator[dict[str, Any]]:
    """The fields with which the active player may perform a Character; Action cards are counted, not named."""
    seat, character = state.waiting[0], cards.known(card)
    kind, upto = character.kind, range(character.value + 1)
    others = [other for other in state.clockwise(seat)[1:] if other not in state.protected]
    pairs = [(one, other) for one in upto for other in upto if one + other <= character.value]
    if kind == "noble":
        yield {"swaps": ()}
        example = next(crownings(state, seat), None)
        yield from [] if example is None else [{"swaps": (Swap(example.throne, example.card),)}]
    elif kind == "guard":
        yield from ({"infirmary": i, "bottom": b} for i, b in pairs if i + b <= state.discards)
    elif kind == "merchant":
        yield from ({"discards": i, "deck": d} for i, d in pairs if i <= state.discards)
    elif kind == "mercenary":
        yield from ({"c": c, "x": x} for c, x in pairs if c + x <= state.action_deck)
    else:
        held = {other: state.hands[other] if kind == "priest" else len(state.past[other]) for other in others}
        yield from ({"from_": state.seats[o].name, "count": n} for o in others for n in upto if n <= held[o])

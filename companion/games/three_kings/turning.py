"""How a Turn goes on: from player to player, from phase to phase, from Turn to Turn, and to the end."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.game import Event, Step
from companion.games.three_kings import cards
from companion.games.three_kings.cards import EYE, FACTIONS
from companion.games.three_kings.piles import scored, size, transfer
from companion.games.three_kings.state import FACE_DOWN, HAND, ROUNDS, THRONES, TURNS, State
from companion.games.three_kings.unseen import DISCARDS, intrigue

Events = tuple[Event, ...]
THRONE_POINTS, NO_MAJORITY_POINTS = 2, 3
"""What a Throne is worth, and what the Eye gets where no faction has the Majority. Source: rulebook, Awarding of VP."""


def moved_on(state: State, events: Events = ()) -> Step:
    """The next player of the phase, or the next phase where the phase is done; `state.waiting` is who is left."""
    if state.phase == "recruit":
        waiting = tuple(seat for seat in state.waiting if state.hands[seat] != HAND)
        if waiting:
            return Step(replace(state, waiting=waiting), events)
        return Step(replace(state, phase="plan", waiting=state.clockwise(state.first)), (*events, Event("planning")))
    if state.waiting:
        return Step(state, events)
    if state.phase == "plan":
        return Step(replace(state, phase="reveal", round=1), (*events, Event("all-planned", {"round": 1})))
    if state.phase == "action" and state.round < ROUNDS:
        number = state.round + 1
        return Step(replace(state, phase="reveal", round=number), (*events, Event("next-round", {"round": number})))
    if state.phase == "action":
        after = replace(state, phase="counsel", waiting=state.clockwise(state.first))
        return Step(after, (*events, _begun("counselors", after)))
    if state.phase == "counsel":
        waiting = tuple(seat for seat in state.clockwise(state.first) if state.hands[seat])
        after = replace(state, phase="intrigue", waiting=waiting)
        return moved_on(after, (*events, _begun("intrigue-begins", after)) if waiting else events)
    if state.phase == "intrigue":
        return next_throne(replace(state, phase="award"), (*events, Event("awarding")))
    return Step(state, events)


def turn_begun(state: State, events: Events = ()) -> Step:
    """The first phase of a Turn, for those who don't hold six cards."""
    after = replace(state, phase="recruit", round=0, awarding=0, waiting=state.clockwise(state.first))
    return moved_on(after, events)


def next_throne(state: State, events: Events) -> Step:
    """The next Throne to be awarded, or the end of the Turn. A deactivated one is passed over unseen."""
    throne = state.awarding + 1
    if throne > THRONES:
        return _turn_over(state, events)
    after = replace(state, awarding=throne)
    if throne not in state.closed:
        return Step(after, events)
    number = size(state, intrigue(throne))
    after = transfer(after, intrigue(throne), DISCARDS, number)
    after = replace(after, left=(*after.left, *((FACE_DOWN, f"intrigue/{throne}"),) * number))
    return next_throne(after, (*events, Event("throne-passed-over", {"throne": throne, "n": number})))


def majority(state: State) -> int | None:
    """The faction that holds more than half of the active Thrones. Source: rulebook, Awarding of VP and F.A.Q."""
    factions = [cards.known(state.thrones[throne - 1]).faction for throne in state.open_thrones]
    return next((one for one in factions if factions.count(one) * 2 > len(factions)), None)


def _turn_over(state: State, events: Events) -> Step:
    holder = majority(state)
    if holder is not None:
        events = (*events, Event("majority", {"faction": FACTIONS[holder]}))
    elif state.open_thrones:
        state = scored(state, (0, 0, 0, NO_MAJORITY_POINTS))
        events = (*events, Event("no-majority", {"points": NO_MAJORITY_POINTS}))
    state = replace(state, protected=(), closed=(), awarding=0)
    if state.eye_reached:
        return Step(replace(state, phase="over"), (*events, Event("eye-wins", {"points": state.vp[EYE]})))
    if state.turn == TURNS:
        return Step(replace(state, phase="final-count"), (*events, Event("final-count", {"n": state.infirmary})))
    after = replace(state, turn=state.turn + 1)
    return turn_begun(after, (*events, Event("new-turn", {"turn": after.turn, "first": state.seats[state.first].name})))


def _begun(name: str, state: State) -> Event:
    return Event(name, {"first": state.seats[state.first].name})

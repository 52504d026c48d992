"""What a difference on the table means: the next legal move, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.core.game import Dispute, Refusal
from companion.core.table import Difference, Observation
from companion.games.three_kings import cards, zones
from companion.games.three_kings.asking import step_now
from companion.games.three_kings.disputes import disputes
from companion.games.three_kings.look import Look
from companion.games.three_kings.moves import (
    Act,
    Action,
    Award,
    Choice,
    Counsel,
    Deed,
    Fallen,
    Intrigue,
    Move,
    Plan,
    Reveal,
    Swap,
)
from companion.games.three_kings.rules import apply
from companion.games.three_kings.state import FIRST_CARD, THRONES, State

APART_S = 1.0
"""Cards that came to lie so long after one another were laid by different players."""


def interpret(state: State, difference: Difference, seen: Observation) -> Move | tuple[Dispute, ...]:
    """The next legal move that explains a part of the difference, or all its disputes."""
    if state.phase == "over":
        return ()
    look = Look(state, difference, seen)
    move = _reading(look)
    if move is None:
        return tuple(disputes(look, None, ()))
    result = apply(state, move)
    return tuple(disputes(look, result, _shown_by(move))) if isinstance(result, Refusal) else move


def _reading(look: Look) -> Move | None:
    """What seems to have been done, legal or not."""
    state = look.state
    if state.counting:
        fallen = look.revealed()
        return Fallen(tuple(fallen)) if fallen and len(fallen) >= state.infirmary else None
    if state.drawn:
        return _step(look)
    reader = _READERS.get(state.phase)
    return reader(look) if reader else None


def _planned(look: Look) -> Plan | None:
    """Who turns up the first card says that all have planned; and nobody can lay more than three."""
    state = look.state
    opened = any(look.turned_up(seat, 1) for seat in range(len(state.seats)))
    spaces = {seat: look.filled(seat) for seat in state.waiting}
    if not opened and not all(all(lying) for lying in spaces.values()):
        return None
    seat = state.waiting[0]
    return Plan(spaces[seat], state.seats[seat].name)


def _turned(look: Look) -> Reveal | None:
    """All have turned up their card of this Round."""
    state, space = look.state, look.state.round - 1
    shown = {seat: look.turned_up(seat, state.round) for seat in range(len(state.seats))}
    waiting = [seat for seat, spaces in enumerate(state.spaces) if spaces[space] and not shown[seat]]
    if waiting or not any(shown.values()):
        return None
    return Reveal({state.seats[seat].name: card for seat, card in shown.items()})


def _acted(look: Look) -> Act | None:
    state = look.state
    assert state.active is not None
    by, character = state.seats[state.active].name, cards.known(state.character)
    if character.kind == "noble":
        swaps = look.swaps()
        done = swaps is not None and look.put_away() and (swaps or look.takes_lead())
        return Act(by, swaps=swaps) if done else None
    deed = drawn_by(look, character.kind, character.value, look.put_away())
    return Act(by, **deed) if deed else None


def _counseled(look: Look) -> Counsel | None:
    state = look.state
    assert state.active is not None
    by, stands, swaps = state.seats[state.active].name, look.stands(), look.swaps()
    if not stands:
        return _came_back(look, by, swaps or ())
    character = cards.known(state.thrones[stands - 1])
    if character.kind == "noble":
        done = swaps and (look.takes_lead() or len(swaps) >= character.value)
        return Counsel(by, swaps=swaps, throne=stands) if done else None
    deed = drawn_by(look, character.kind, character.value, False)
    return Counsel(by, throne=stands, **deed) if deed else None


def _came_back(look: Look, by: str, swaps: tuple[Swap, ...]) -> Counsel | None:
    """A Counselor who was sent to a Noble that was exchanged at once, and is home again.

    Where another Noble can have done it as well, the Counselor may still be on his way there; people have to tell.
    """
    able = [throne for throne in range(1, THRONES + 1) if exchanges(look.state, throne, len(swaps))]
    if len(able) != 1 or able[0] not in [swap.throne for swap in swaps]:
        return None
    full = len(swaps) >= cards.known(look.state.thrones[able[0] - 1]).value
    return Counsel(by, swaps=swaps, throne=able[0]) if full or look.takes_lead() else None


def exchanges(state: State, throne: int, number: int) -> bool:
    """Whether the Character of a Throne may exchange so many."""
    card = cards.known(state.thrones[throne - 1])
    return card.kind == "noble" and card.value >= number


def drawn_by(look: Look, kind: str, value: int, put_away: bool) -> dict[str, Any] | None:
    """What a Mercenary or Spy has drawn, if the table alone tells whose cards they are, and that these are all."""
    state, shown = look.state, look.drawn_actions()
    if not shown:
        return None
    if kind == "mercenary":
        full = len(shown) >= min(value, state.action_deck)
        return {"actions": tuple(shown)} if full or put_away else None
    if kind == "spy":
        names = list(spied_on(state, shown))
        if len(names) == 1:
            seat = state.seat_of(names[0])
            full = len(shown) >= min(value, len(state.past[seat or 0]))
            return {"actions": tuple(shown), "from_": names[0]} if full or put_away else None
    return None


def spied_on(state: State, shown: list[str]) -> Iterator[str]:
    """The players from whose Past Actions these cards can have come."""
    for seat in state.clockwise(state.waiting[0])[1:]:
        top = state.past[seat][-len(shown) :]
        unknown = top.count("")
        strange = [card for card in shown if card not in top]
        if seat not in state.protected and len(top) == len(shown) and len(strange) == unknown:
            yield state.seats[seat].name


def _laid(look: Look) -> Intrigue | None:
    """One card more before a Throne; of several only if they were plainly laid one after the other."""
    state, laid = look.state, look.laid()
    assert state.active is not None
    since = {sighting.piece: sighting.since_s for sighting in look.seen.sightings}
    if not laid or (len(laid) > 1 and since[laid[1][0]] - since[laid[0][0]] < APART_S):
        return None
    return Intrigue(state.seats[state.active].name, laid[0][1])


def _awarded(look: Look) -> Award | None:
    """As many cards lie open as lay before the Throne."""
    state, shown = look.state, look.awarded()
    return Award(state.awarding, tuple(shown)) if shown and len(shown) >= state.intrigue[state.awarding - 1] else None


def _step(look: Look) -> Action | None:
    """A step of an Action card that the table shows: a Character on a Throne, or what was done by hand."""
    state, step = look.state, step_now(look.state)
    if step is None:
        return None
    by = state.seats[state.waiting[0]].name
    if step.do == "crown":
        swaps = look.swaps() or ()
        if len(swaps) != 1:
            return None
        return Action(by=by, steps=(Choice(throne=swaps[0].throne, card=swaps[0].card),))
    table = by_hand(look, step.zones) if step.do == "by-hand" else {}
    return Action(by=by, steps=(Choice(table=table),)) if table else None


def by_hand(look: Look, named: tuple[str, ...]) -> dict[str, Any]:
    """Facts that lie otherwise on the table than before, as far as a card has named them."""
    state = look.state
    found: dict[str, Any] = {}
    where = {piece: zone for piece, (_, zone) in look.difference.moved.items() if zone}
    sent: dict[str, int | None] = {}
    vp: dict[str, int] = {}
    for piece, zone in where.items():
        place, _, rest = zone.partition("/")
        seat = next((seat for seat in state.seats if seat.counselor == piece), None)
        if seat:
            sent[seat.name] = int(rest) if place == "counselors" else None
        elif piece == FIRST_CARD and "first" in named:
            found["first"] = next(seat.name for seat in state.seats if zones.first(seat.guild) == zone)
        elif place == "vp":
            faction, _, number = rest.rpartition("/")
            vp[faction] = int(number)
    swaps = look.swaps()
    found |= {"counselors": sent} if sent and "counselors" in named else {}
    found |= {"vp": vp} if vp and "vp" in named else {}
    if swaps and "thrones" in named:
        new = {swap.throne: swap.card for swap in swaps}
        found["thrones"] = tuple(new.get(t, state.thrones[t - 1]) for t in range(1, THRONES + 1))
    return found


def _shown_by(move: Move) -> tuple[str, ...]:
    """The pieces that a refused move is about."""
    if isinstance(move, (Fallen, Award)):
        return move.cards
    if isinstance(move, Reveal):
        return tuple(card for card in move.cards.values() if card)
    if isinstance(move, Deed):
        return tuple(swap.card for swap in move.swaps or ())
    if isinstance(move, Action):
        return tuple(choice.card for choice in move.steps if choice.card)
    return ()


_READERS = {
    "plan": _planned,
    "reveal": _turned,
    "action": _acted,
    "counsel": _counseled,
    "intrigue": _laid,
    "award": _awarded,
}

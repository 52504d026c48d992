"""Refusals that several rules share: whose turn it is, what is due first, where a card is known to be."""

from __future__ import annotations

from companion.core.game import Refusal
from companion.core.messages import Message, say
from companion.games.three_kings import cards, unseen
from companion.games.three_kings.piles import sizes
from companion.games.three_kings.state import State

COUNT, ACTION_CARDS = "count-of-the-fallen", "action-cards"


def unless_now(state: State, phase: str, rule: str) -> Refusal | None:
    """Why a move of this phase can't be made now, whoever makes it; None if it can."""
    if state.counting:
        return Refusal("must-do", COUNT, {"n": state.infirmary}, "count-first")
    if state.phase != phase:
        return Refusal("not-now", rule, {"now": now(state)})
    if state.drawn:
        return Refusal("must-do", ACTION_CARDS, {"turn": _turn(state), "card": _head(state)}, "action-first")
    return None


def unless_active(state: State, by: str, phase: str, rule: str) -> Refusal | None:
    """Why a player can't make a move of this phase now; None if he can. Nobody named stands for whose turn it is."""
    refusal = unless_player(state, by) or unless_now(state, phase, rule)
    if refusal or not by or by == _turn(state):
        return refusal
    return Refusal("not-your-turn", rule, {"by": by, "turn": _turn(state)})


def unless_player(state: State, name: str) -> Refusal | None:
    """Why this is no player's name; an empty one is nobody's and goes through."""
    if not name or state.seat_of(name) is not None:
        return None
    players = ", ".join(seat.name for seat in state.seats)
    return bad_line(f"player {name!r}: there are {players}")


def now(state: State) -> Message:
    """What is to be done now."""
    if state.counting:
        return say("now.count")
    return say(f"now.{state.phase}", turn=_turn(state))


def bad_line(reason: str) -> Refusal:
    """A move that makes no sense, whatever the state of the game."""
    return Refusal("bad-line", "protocol", {"reason": reason})


def not_a_card(card: str) -> Refusal:
    """A card that the box doesn't hold."""
    return Refusal("unknown-card", "components", {"card": card})


def not_a_character(card: str, rule: str) -> Refusal:
    """Purge and Corruption are for the Intrigue only."""
    return Refusal("wrong-card", rule, {"card": card}, "no-character")


def elsewhere(state: State, card: str, rule: str, place: str, by: str = "") -> Refusal:
    """A card that can't have lain where it was shown.

    Args:
        state: what the table has told.
        card: the card.
        rule: the section that the refusal rests on.
        place: key below `from.` for where it was shown: `hand`, `board`, `infirmary`, `intrigue`.
        by: whose hand or board it is.
    """
    return Refusal(
        "card-elsewhere",
        rule,
        {"card": card, "from": say(f"from.{place}", by=by), "there": _there(state, card)},
    )


def _there(state: State, card: str) -> Message:
    """Where the card (or all its copies) is known to be."""
    name = cards.name_of(card)
    same = {card} if card != name else {name, *cards.known(card).ids}
    for throne, sitting in enumerate(state.thrones, 1):
        if sitting in same and (card != name or cards.known(card).copies == 1):
            return say("there.throne", throne=throne)
    copies = [one for one in state.unseen if one.card in same]
    held = sizes(state)
    places = {place for one in copies for place, number in enumerate(held) if number and one.places >> place & 1}
    if len(places) != 1:
        return say("there.hidden")
    (place,) = places
    seat = unseen.seat_of_hand(place)
    if seat is not None:
        return say("there.hand", by=state.seats[seat].name)
    if place in _PILES:
        return say(f"there.{_PILES[place]}")
    return say("there.hidden")


def _turn(state: State) -> str:
    return "" if state.active is None else state.seats[state.active].name


def _head(state: State) -> Message:
    assert state.head is not None
    return state.head.title


_PILES = {unseen.DECK: "deck", unseen.DISCARDS: "discards", unseen.INFIRMARY: "infirmary"}

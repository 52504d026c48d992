"""Recruitment, and the Count of the Fallen that may interrupt it and any other draw."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.games.three_kings import cards, performing
from companion.games.three_kings.cards import EYE, FACTIONS, OWL, SERPENT, WYVERN
from companion.games.three_kings.guards import elsewhere, not_a_card, unless_active
from companion.games.three_kings.moves import Fallen, Recruit
from companion.games.three_kings.piles import drawn, laid_down, possible, scored, shown_from, transfer
from companion.games.three_kings.state import HAND, State
from companion.games.three_kings.turning import moved_on
from companion.games.three_kings.unseen import DECK, DISCARDS, INFIRMARY, hand

RECRUITMENT, COUNT = "recruitment", "count-of-the-fallen"
_GAINS = {
    "mercenary": OWL,
    "priest": OWL,
    "noble": WYVERN,
    "spy": WYVERN,
    "merchant": SERPENT,
    "guard": SERPENT,
}
"""By kind the faction that a fallen card gives a point. Source: rulebook, Count of the Fallen."""
_LOSSES = {"noble": OWL, "merchant": WYVERN, "priest": SERPENT, "corruption": EYE}
"""By kind the faction that a fallen card costs a point."""


def recruit(move: Recruit, state: State) -> Step | Refusal:
    """A player brings his hand to six."""
    refusal = unless_active(state, move.by, "recruit", RECRUITMENT)
    if refusal:
        return refusal
    seat = state.waiting[0]
    by, held = state.seats[seat].name, state.hands[seat]
    if held > HAND:
        after = transfer(state, hand(seat), DISCARDS, held - HAND)
        return recruited(after, (Event("recruit-discards", {"by": by, "n": held - HAND}),))
    after = drawn(state, ((hand(seat), HAND - held),))
    number = min(HAND - held, state.deck + state.discards + state.infirmary)
    events: tuple[Event, ...] = (Event("recruits", {"by": by, "n": number}),)
    return recruited(after, events) if not after.pending else Step(after, (*events, performing.count_due(after)))


def recruited(state: State, events: tuple[Event, ...]) -> Step:
    """The next player, once one has recruited."""
    return moved_on(replace(state, waiting=state.waiting[1:]), events)


def fallen(move: Fallen, state: State) -> Step | Refusal:
    """The Infirmary was revealed: points, a new deck, and what the Count had interrupted."""
    if not state.counting:
        return Refusal("not-now", COUNT, {"n": state.infirmary}, "count-not-now")
    if len(move.cards) != state.infirmary:
        return Refusal("wrong-count", COUNT, {"n": state.infirmary, "count": len(move.cards)}, "count-of-fallen")
    after = state
    for card in move.cards:
        if cards.find(card) is None:
            return not_a_card(card)
        shown = shown_from(after, card, INFIRMARY)
        if shown is None:
            return elsewhere(state, card, COUNT, "infirmary")
        after = shown
    if not possible(after):
        return Refusal("card-elsewhere", COUNT, {"cards": list(move.cards)}, "cards-elsewhere")
    points = points_for(move.cards)
    after = transfer(after, DISCARDS, DECK, state.discards)
    for card in move.cards:
        after = laid_down(after, card, DECK)
    after = replace(scored(after, points), left=tuple((card, "infirmary") for card in move.cards))
    counted = Event("counted", dict(zip(FACTIONS, points, strict=True)))
    return _resumed(after, (counted, Event("reshuffled", {"n": after.deck})))


def points_for(fallen_cards: tuple[str, ...]) -> tuple[int, ...]:
    """What the cards of the Infirmary give and cost each faction."""
    kinds = Counter(cards.known(card).kind for card in fallen_cards)
    points = [0] * len(FACTIONS)
    for kind, number in kinds.items():
        if kind in _GAINS:
            points[_GAINS[kind]] += number
        if kind in _LOSSES:
            points[_LOSSES[kind]] -= number
    return tuple(points)


def _resumed(state: State, events: tuple[Event, ...]) -> Step | Refusal:
    if state.phase == "final-count":
        after = replace(state, phase="over")
        winners = [FACTIONS[faction] for faction in after.winners]
        name = "over" if len(winners) == 1 else "over-shared"
        return Step(after, (*events, Event(name, {"winners": winners, "points": max(after.vp)})))
    after = drawn(replace(state, pending=()), state.pending)
    if after.pending:
        return Step(after, (*events, performing.count_due(after)))
    if after.phase == "recruit":
        return recruited(after, events)
    return performing.went_on(after, events)

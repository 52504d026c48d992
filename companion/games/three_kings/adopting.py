"""The dealer's world in a state of the rules to which no move of its own has led: hidden cards are dealt anew."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from companion.core.dealing import Copies, spread
from companion.games.three_kings import unseen, zones
from companion.games.three_kings.cards import FACTIONS
from companion.games.three_kings.deck import ELIMINATED
from companion.games.three_kings.piles import sizes
from companion.games.three_kings.state import EYE_WINS_AT, ROUNDS, THRONES, State
from companion.games.three_kings.unseen import DECK, DISCARDS, INFIRMARY
from companion.games.three_kings.world import World

Task = tuple[Any, ...]
PILES = {DECK: "deck", DISCARDS: "discards", INFIRMARY: "infirmary"}
TAIL: tuple[Task, ...] = (("counsels",), ("intrigues",), ("awards",), ("evening",))
"""The phases after the last Round's Characters, as tasks of the agenda."""


def adopt(world: World, state: State, copies: Copies, chance: Random) -> None:
    """Brings a world to a state of the rules.

    Args:
        world: its names and its Action cards are given new ones.
        state: all that is public, and what is known of the rest.
        copies: of the cards that lie open.
        chance: deals what is hidden.
    """
    names = [seat.name for seat in state.seats]
    world.names, world.first = names, names[state.first]
    world.thrones = [copies.take(card, zones.throne(number)) for number, card in enumerate(state.thrones, 1)]
    shown = zip(state.seats, state.shown, strict=True)
    world.shown = {
        seat.name: copies.take(card, zones.space(seat.guild, state.round)) for seat, card in shown if card
    }  # fmt: skip
    _deal(world, state, copies, chance)
    world.sent = {name: throne or None for name, throne in zip(names, state.counselors, strict=True)}
    world.vp = dict(zip(FACTIONS, state.vp, strict=True))
    world.eye_peak = max(world.vp["eye"], EYE_WINS_AT if state.eye_reached else 0)
    world.guarded, world.kidnapped = {names[seat] for seat in state.protected}, set(state.closed)
    world.turn, world.round = state.turn, state.round
    world.phase = "award" if state.phase in ("final-count", "over") else state.phase
    world.active = None if state.active is None else names[state.active]
    world.actions, world.open_actions = state.actions, list(state.drawn)
    world.lately, world.swept, world.last_step = [], [], state.done
    world.over = [FACTIONS[faction] for faction in state.winners] if state.phase == "over" else None
    world.agenda = list(_agenda(state, names))


def _deal(world: World, state: State, copies: Copies, chance: Random) -> None:
    """Deals all Character cards that lie face down or in hands, and the Action cards that nobody has seen."""
    hidden = spread([(card.card, card.places) for card in state.unseen], sizes(state), chance)
    hidden = [copies.take_all(cards) for cards in hidden]
    world.deck, world.discards, world.infirmary = hidden[DECK], hidden[DISCARDS], hidden[INFIRMARY]
    world.intrigue = [hidden[unseen.intrigue(throne)] for throne in range(1, THRONES + 1)]
    world.hands, world.spaces = {}, {}
    for seat, name in enumerate(world.names):
        world.hands[name] = hidden[unseen.hand(seat)]
        laid = iter(hidden[unseen.board(seat)])
        world.spaces[name] = [next(laid) if there else "" for there in state.spaces[seat]]
    left = _nobody_knows(state, chance)
    world.past = {
        name: [card or left.pop() for card in past] for name, past in zip(world.names, state.past, strict=True)
    }  # fmt: skip
    world.action_deck = left[len(left) - state.action_deck :]
    chance.shuffle(world.action_deck)


def _nobody_knows(state: State, chance: Random) -> list[str]:
    """The Action cards that nobody has seen; first those that can be back in the box, last those that are kept."""
    known = {*state.boxed, *state.drawn, *(card for past in state.past for card in past)}
    left = [card for card in state.actions.cards if card.id not in known]
    chance.shuffle(left)
    return [card.id for card in sorted(left, key=lambda card: card.mark != ELIMINATED)]


def _agenda(state: State, names: list[str]) -> Iterator[Task]:
    """What is still to be done, in the order of the world's tasks."""
    if state.phase == "over":
        return
    for place, number in state.pending:
        seat = unseen.seat_of_hand(place)
        yield ("draw", PILES[place] if seat is None else names[seat], number)
    if state.phase == "final-count":
        yield ("final",)
        return
    yield from _phase(
        state, [names[seat] for seat in state.waiting], [names[seat] for seat in state.clockwise(state.first)]
    )


def _phase(state: State, waiting: list[str], everybody: list[str]) -> Iterator[Task]:
    """The rest of the phase, and the phases after it."""
    phase = state.phase
    if phase == "recruit":
        # Whose draw waits for a Count has recruited.
        yield from (("recruit", name) for name in waiting[bool(state.pending) :])
        yield ("phase", "plan")
        waiting, phase = everybody, "plan"
    if phase == "plan":
        yield ("plan", waiting)
    if phase in ("action", "counsel"):
        yield from _performing(state, waiting)
    if phase in ("plan", "reveal", "action"):
        first = {"plan": 1, "reveal": state.round, "action": state.round + 1}[phase]
        for number in range(first, ROUNDS + 1):
            yield from (("reveal", number), ("acts",))
        yield from TAIL
    elif phase == "counsel":
        yield from TAIL[1:]
    elif phase == "intrigue":
        yield from (("intrigue", name) for name in waiting)
        yield from TAIL[2:]
    else:
        yield from (("award", throne) for throne in range(state.awarding, THRONES + 1))
        yield from TAIL[3:]


def _performing(state: State, waiting: list[str]) -> Iterator[Task]:
    """What the active player has begun, and who performs after him."""
    task = "act" if state.phase == "action" else "counsel"
    if state.drawn or state.pending:
        name, *waiting = waiting
        yield from _drawn(state, name)
        if task == "act":
            yield ("bury", name)
    yield from ((task, name) for name in waiting)


def _drawn(state: State, name: str) -> Iterator[Task]:
    """What becomes of the Action cards that lie open."""
    if state.at is not None:
        card = state.drawn[0]
        steps = len(state.actions.known(card).effect)
        yield from (("step", name, card, number, None) for number in range(state.at, steps))
        yield ("away", name, card)
    if state.drawn:
        yield ("cards", name)

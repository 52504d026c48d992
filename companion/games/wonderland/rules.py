"""The rules of Wonderland XIII: what each move needs and what it leads to. Guards stand in rulebook order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch
from itertools import combinations
from typing import Any

from msgspec.structs import replace

from companion.core.game import Event, Outcome, Refusal, Step
from companion.games.wonderland import skills
from companion.games.wonderland.collapse import collapses, crowds
from companion.games.wonderland.moves import Cover, Move, NoSkill, Refill, Skill, Stop, Take, Unlock
from companion.games.wonderland.skills import no_such_deck, put
from companion.games.wonderland.spirits import character, in_order
from companion.games.wonderland.state import DECKS, TURN_KEYS, Cards, Deck, State

EXPLORE, SKILL, STOP = "exploring", skills.SKILL, "going-on-or-not"
REFILL, END, EMPTY = "refilling", "end-of-game", "empty-decks"


def apply(state: State, move: Move) -> Step | Refusal:
    """What a move leads to, or the first rule that forbids it."""
    if state.phase == "over":
        return Refusal("not-now", END, {}, "over")
    if move.by and state.seat_of(move.by) is None:
        players = ", ".join(state.players)
        return Refusal("bad-line", "protocol", {"reason": f"player {move.by!r}: there are {players}"})
    turn = state.players[state.turn]
    if move.by and move.by != turn:
        return Refusal("not-your-turn", "turn-order", {"turn": turn, "by": move.by})
    return _apply(move, state, turn)


def legal_moves(state: State) -> Iterator[Move]:
    """All legal moves. Piles whose order means nothing are named in the order of their cards' names."""
    by = state.players[state.turn]
    if state.phase in ("explore", "decide"):
        yield from _explores(state, by)
        if state.phase == "decide" or not state.can_explore:
            yield Stop(by)
    elif state.phase == "take":
        yield from _takes(state, by)
    elif state.phase == "skill":
        yield from skills.moves(state) if skills.possible(state) else (NoSkill(by),)
    elif state.phase == "refill":
        yield from (Refill(cards, by) for cards in dict.fromkeys(combinations(state.discards, state.missing)))


def outcome(state: State) -> Outcome | None:
    """The best Notebook wins; equal ones share the victory."""
    if state.phase != "over":
        return None
    scores = dict(zip(state.players, state.scores, strict=True))
    return Outcome(tuple(state.players[seat] for seat in state.winners), scores)


@singledispatch
def _apply(move: Move, _state: State, _turn: str) -> Step | Refusal:
    raise TypeError(f"{move!r} is no move of Wonderland XIII")


@_apply.register
def _unlock(move: Unlock, state: State, turn: str) -> Step | Refusal:
    params = {"turn": turn, "deck": move.deck}
    late = _too_late_to_explore(state, turn)
    if late:
        return late
    if not 0 <= move.deck < DECKS:
        return no_such_deck(move.deck)
    if not state.notebook:
        return Refusal("no-card", EXPLORE, params, "notebook-empty")
    if state.deck is not None:
        return Refusal("must-do", EXPLORE, params | {"first": state.deck}, "cover-first")
    if not state.decks[move.deck].size:
        return Refusal("empty-deck", EMPTY, params)
    if move.deck in state.unlocked:
        return Refusal("already-unlocked", EXPLORE, params)
    if not state.keys:
        return Refusal("no-key", EXPLORE, params)
    unlocked = (*state.unlocked, move.deck)
    after = replace(state, phase="explore", keys=state.keys - 1, unlocked=unlocked, deck=move.deck)
    return Step(after, (Event("unlocked", {"by": turn, "deck": move.deck}),))


@_apply.register
def _cover(move: Cover, state: State, turn: str) -> Step | Refusal:
    late = _too_late_to_explore(state, turn)
    if late:
        return late
    if not 0 <= move.deck < DECKS:
        return no_such_deck(move.deck)
    card = character(move.card)
    if not card:
        return _unknown(move.card)
    params = {"turn": turn, "deck": move.deck, "card": card}
    if not state.notebook:
        return Refusal("no-card", EXPLORE, params, "cover-notebook-empty")
    deck = state.decks[move.deck]
    if not deck.size:
        return Refusal("empty-deck", EMPTY, params, "cover-empty-deck")
    if move.deck not in state.unlocked:
        return _locked(state, params)
    if state.deck not in (None, move.deck):
        return Refusal("must-do", EXPLORE, params | {"first": state.deck}, "cover-first")
    if card not in state.notebook:
        return Refusal("no-card", EXPLORE, params)
    after = replace(
        state,
        phase="take",
        deck=move.deck,
        decks=put(state.decks, move.deck, Deck(deck.down, (*deck.up, card))),
        notebooks=put(state.notebooks, state.turn, without(state.notebook, card)),
        turned=None,
    )
    return Step(after, (Event("covered", {"by": turn, "deck": move.deck, "card": card}),))


@_apply.register
def _take(move: Take, state: State, turn: str) -> Step | Refusal:
    if state.phase != "take" or state.deck is None:
        return Refusal("not-now", EXPLORE, {"turn": turn}, f"take-{state.phase}")
    beside = state.neighbours(state.deck)
    taken: dict[int, str] = {}
    for deck, name in move.cards.items():
        if deck not in map(str, range(DECKS)):
            return no_such_deck(deck)
        if not character(name):
            return _unknown(name)
        taken[int(deck)] = character(name)
    params = {"turn": turn, "deck": state.deck, "beside": list(beside)}
    strange = next((number for number in taken if number not in beside), None)
    if strange is not None:
        return Refusal("wrong-place", EXPLORE, params | {"other": strange, "card": taken[strange]}, "not-beside")
    if set(taken) != set(beside):
        return Refusal("wrong-count", EXPLORE, params | {"n": len(taken)}, "take-both")
    after = state
    for number in beside:
        step = _lifted(after, number, taken[number])
        if isinstance(step, Refusal):
            return step
        after = step
    cards = tuple(taken[number] for number in beside)
    after = replace(after, phase="skill", gained=in_order(cards))
    emptied = tuple(Event("deck-empty", {"deck": number}) for number in beside if not after.decks[number].size)
    took = Event("took", {"by": turn, "cards": list(cards), "decks": list(beside)})
    if collapses(after.counting):
        return _collapse(after, (took, *emptied))
    return Step(after, (took, *emptied, *((Event("last-explore"),) if after.ending else ())))


@_apply.register
def _skill(move: Skill, state: State, turn: str) -> Step | Refusal:
    if state.phase != "skill":
        return Refusal("not-now", SKILL, {"turn": turn}, f"skill-{state.phase}")
    used = skills.use(state, move)
    if isinstance(used, Refusal):
        return used
    after, events = used
    if move.deck is not None and not after.decks[move.deck].size:
        events = (*events, Event("deck-empty", {"deck": move.deck}))
    # Only the White Rabbit's skill can do this. His check is a part of it, so it comes before the end of the game.
    return _collapse(after, events) if collapses(after.counting) else _used(after, events)


@_apply.register
def _no_skill(_move: NoSkill, state: State, turn: str) -> Step | Refusal:
    if state.phase != "skill":
        return Refusal("not-now", SKILL, {"turn": turn}, f"skill-{state.phase}")
    if skills.possible(state):
        return Refusal("must-do", SKILL, skills.choice(state), "skill-first")
    return _used(state, (Event("no-skill", {"by": turn}),))


@_apply.register
def _stop(_move: Stop, state: State, turn: str) -> Step | Refusal:
    if state.phase == "skill":
        return _skill_first(state, turn)
    if state.phase in ("take", "refill"):
        return Refusal("not-now", STOP, {"turn": turn}, f"stop-{state.phase}")
    if state.phase == "explore" and state.deck is not None:
        return Refusal("must-do", STOP, {"turn": turn, "first": state.deck}, "stop-cover-first")
    if state.phase == "explore" and state.can_explore:
        return Refusal("must-do", STOP, {"turn": turn}, "explore-first")
    return _end_turn(state, (_stopped(state, turn),), stands=True)


@_apply.register
def _refill(move: Refill, state: State, turn: str) -> Step | Refusal:
    if state.phase != "refill":
        return Refusal("not-now", REFILL, {"turn": turn}, "refill-not-now")
    cards = tuple(character(name) for name in move.cards)
    if "" in cards:
        return _unknown(move.cards[cards.index("")])
    if len(cards) != state.missing:
        return Refusal("wrong-count", REFILL, {"turn": turn, "count": len(cards), "n": state.missing}, "refill-count")
    discards = state.discards
    for card in cards:
        if card not in discards:
            return Refusal("card-elsewhere", REFILL, {"turn": turn, "card": card}, "not-discarded")
        discards = without(discards, card)
    notebook = in_order((*state.notebook, *cards))
    after = replace(state, discards=discards, notebooks=put(state.notebooks, state.turn, notebook))
    return _next_turn(after, (Event("refilled", {"by": turn, "cards": list(cards)}),))


def _explores(state: State, by: str) -> Iterator[Move]:
    if not state.notebook:
        return
    there = [number for number, deck in enumerate(state.decks) if deck.size]
    if state.deck is None and state.keys:
        yield from (Unlock(deck, by) for deck in there if deck not in state.unlocked)
    decks = sorted(state.unlocked) if state.deck is None else [state.deck]
    yield from (Cover(d, card, by) for d in decks if d in there for card in dict.fromkeys(state.notebook))


def _takes(state: State, by: str) -> Iterator[Take]:
    left, right = state.neighbours(state.deck or 0)
    unseen = [card for card, number in state.unseen.items() if number]
    firsts, seconds = ([state.decks[number].top] if state.decks[number].top else unseen for number in (left, right))
    for first in firsts:
        for second in seconds:
            move = Take({str(left): first, str(right): second}, by)
            if not isinstance(apply(state, move), Refusal):
                yield move


def _too_late_to_explore(state: State, turn: str) -> Refusal | None:
    if state.phase == "skill":
        return _skill_first(state, turn)
    if state.phase in ("take", "refill"):
        return Refusal("not-now", EXPLORE, {"turn": turn, "deck": state.deck}, f"explore-{state.phase}")
    return None


def _locked(state: State, params: dict[str, Any]) -> Refusal:
    """A locked deck is covered: what to do depends on whether it can be unlocked now."""
    if state.deck is not None:
        return Refusal("locked", EXPLORE, params | {"first": state.deck}, "locked-cover-first")
    return Refusal("locked", EXPLORE, params, "" if state.keys else "locked-no-key")


def _skill_first(state: State, turn: str) -> Refusal:
    if skills.possible(state):
        return Refusal("must-do", SKILL, skills.choice(state), "skill-first")
    return Refusal("not-now", SKILL, {"turn": turn}, "no-skill-first")


def _lifted(state: State, number: int, card: str) -> State | Refusal:
    """The state after the top card of a deck came into the Tunnel, if that can be it."""
    deck = state.decks[number]
    params = {"deck": number, "card": card}
    if deck.top and card != deck.top:
        return Refusal("wrong-card", EXPLORE, params | {"top": deck.top}, "other-card-on-top")
    if not deck.top and not state.unseen[card]:
        return Refusal("card-elsewhere", EXPLORE, params)
    left = Deck(deck.down, deck.up[:-1]) if deck.top else Deck(deck.down - 1)
    return replace(state, decks=put(state.decks, number, left), tunnel=in_order((*state.tunnel, card)))


def _collapse(state: State, events: tuple[Event, ...]) -> Step:
    """Step 2 has found too many of a character: the turn ends without the Tunnel."""
    cards = [*state.tunnel, *state.hatter[state.turn]]
    params = {"by": state.players[state.turn], "crowds": list(crowds(state.counting)), "cards": cards}
    return _end_turn(state, (*events, Event("collapse", params)), stands=False)


def _used(state: State, events: tuple[Event, ...]) -> Step:
    """After Step 3: the game ends, or the player goes on or not."""
    if state.ending:
        return _end_turn(state, events, stands=True)
    return Step(replace(state, phase="decide", deck=None, gained=()), events)


def _end_turn(state: State, events: tuple[Event, ...], *, stands: bool) -> Step:
    """The Tunnel goes where it belongs and all Keys go back. Source: rulebook, Step 2 and Step 4; rulings, Game end."""
    hatter = state.hatter[state.turn]
    after = replace(
        state,
        keys=0,
        unlocked=(),
        deck=None,
        gained=(),
        tunnel=(),
        covered=(),
        hatter=put(state.hatter, state.turn, ()),
        discards=in_order((*state.discards, *hatter, *(() if stands else state.tunnel))),
    )
    if stands:
        notebook = in_order((*state.notebook, *state.tunnel))
        after = replace(after, notebooks=put(state.notebooks, state.turn, notebook))
    if stands and hatter:
        events = (*events, Event("hatter-leaves", {"turn": state.players[state.turn], "cards": list(hatter)}))
    if state.ending:
        return _over(after, events)
    if after.missing:
        due = Event("refill", {"turn": state.players[state.turn], "n": after.missing})
        return Step(replace(after, phase="refill"), (*events, due))
    return _next_turn(after, events)


def _next_turn(state: State, events: tuple[Event, ...]) -> Step:
    seat = (state.turn + 1) % len(state.players)
    after = replace(state, phase="explore", turn=seat, keys=TURN_KEYS)
    return Step(after, (*events, Event("next", {"turn": state.players[seat]})))


def _over(state: State, events: tuple[Event, ...]) -> Step:
    after = replace(state, phase="over")
    winners = [state.players[seat] for seat in after.winners]
    name = "over" if len(winners) == 1 else "over-shared"
    return Step(after, (*events, Event(name, {"winners": winners, "score": max(after.scores)})))


def _unknown(card: str) -> Refusal:
    return Refusal("unknown-card", "components", {"card": card})


def without(cards: Cards, card: str) -> Cards:
    """Cards without one of a kind."""
    index = cards.index(card)
    return cards[:index] + cards[index + 1 :]


def _stopped(state: State, turn: str) -> Event:
    return Event("stopped", {"by": turn, "cards": list(state.tunnel), "n": len(state.tunnel)})

"""Action cards: drawn and shown, dealt with in the order of their ranks, step by step, and put away."""

from __future__ import annotations

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.games.three_kings.deck import ELIMINATED, ActionCard
from companion.games.three_kings.guards import ACTION_CARDS, bad_line, now, unless_player
from companion.games.three_kings.moves import Action, Choice, Drawn
from companion.games.three_kings.piles import laid_down, put
from companion.games.three_kings.state import State
from companion.games.three_kings.turning import Events, moved_on
from companion.games.three_kings.unseen import DISCARDS
from companion.games.three_kings.vocabulary import VERBS

COUNT = "count-of-the-fallen"


def action(move: Action, state: State) -> Step | Refusal:
    """The first of the drawn cards is performed or put away, or goes on."""
    refusal = unless_player(state, move.by)
    if refusal:
        return refusal
    if state.pending:
        return Refusal("must-do", COUNT, {"n": state.infirmary}, "count-first")
    card = state.head
    if card is None:
        return Refusal("not-now", ACTION_CARDS, {"now": now(state)})
    seat = state.waiting[0]
    turn = state.seats[seat].name
    if move.by and move.by != turn:
        return Refusal("not-your-turn", ACTION_CARDS, {"by": move.by, "turn": turn})
    if move.card:
        named = state.actions.card(move.card)
        if named is None:
            return no_such_action(move.card)
        if named.id not in next_cards(state):
            return Refusal("wrong-card", ACTION_CARDS, {"card": named.title, "next": card.title}, "action-order")
        card = named
        state = replace(state, drawn=(card.id, *(one for one in state.drawn if one != card.id)))
    if state.at is not None:
        if not move.perform:
            return Refusal("not-now", ACTION_CARDS, {"card": card.title}, "action-begun")
        return _stepped(state, (), move.steps)
    if not move.perform:
        if move.steps:
            return bad_line("steps: the card isn't performed, so it has none")
        return went_on(_put_away(state), (Event("put-away", {"by": turn, "card": card.title}),))
    return _stepped(replace(state, at=0, done=0), (_performed(turn, card),), move.steps)


def lay_open(state: State, drawn: tuple[Drawn, ...], events: Events) -> Step | Refusal:
    """Action cards were drawn and lie open: those that say what becomes of them are dealt with at once."""
    rank = {one.card: state.actions.known(one.card).rank for one in drawn}
    order = sorted(drawn, key=lambda one: rank[one.card])
    by = state.seats[state.waiting[0]].name
    state = replace(state, drawn=tuple(one.card for one in order))
    if order:
        titles = [state.actions.known(one.card).title for one in order]
        events = (*events, Event("drawn", {"by": by, "n": len(order), "cards": titles}))
    step: Step | Refusal = went_on(state, events) if not order else Step(state, events)
    for one in order:
        if (
            isinstance(step, Refusal)
            or one.perform is None
            or step.state.pending
            or step.state.drawn[:1] != (one.card,)
        ):
            break
        done = action(Action(one.card, by, one.perform, one.steps), step.state)
        step = done if isinstance(done, Refusal) else Step(done.state, (*step.events, *done.events))
    return step


def went_on(state: State, events: Events) -> Step:
    """What comes next when something is done: the next steps of a card, the next card, or the next player."""
    if state.pending or (state.drawn and state.at is None):
        return Step(state, events)
    if state.drawn:
        step = _stepped(state, events, ())
        assert isinstance(step, Step)
        return step
    return finished(state, events)


def finished(state: State, events: Events) -> Step:
    """The player is done with his Character: the card goes to the Discards, and the next player's turn comes."""
    seat = state.waiting[0]
    if state.phase == "action":
        card = state.shown[seat]
        state = laid_down(replace(state, shown=put(state.shown, seat, "")), card, DISCARDS)
    return moved_on(replace(state, waiting=state.waiting[1:]), events)


def no_such_action(card: str) -> Refusal:
    """An Action card that the deck doesn't hold."""
    return Refusal("unknown-card", ACTION_CARDS, {"card": card}, "no-such-action")


def options(state: State) -> tuple[Choice, ...]:
    """What can be chosen for the step that the first drawn card waits at."""
    card = state.head
    assert card is not None
    assert state.at is not None
    step = card.effect[state.at]
    return VERBS[step.do].options(state, state.waiting[0], step) or ()


def next_cards(state: State) -> tuple[str, ...]:
    """The cards that may come next: those of the lowest rank, or the one that has begun."""
    if state.at is not None:
        return state.drawn[:1]
    ranks = [state.actions.known(one).rank for one in state.drawn]
    return tuple(one for one, rank in zip(state.drawn, ranks, strict=True) if rank == ranks[0])


def _stepped(state: State, events: Events, choices: tuple[Choice, ...]) -> Step | Refusal:
    """The card's next steps, as far as they need no choice, or the choices say."""
    seat, card = state.waiting[0], state.head
    assert card is not None
    left = list(choices)
    while not state.pending:
        at = state.at
        assert at is not None
        if at == len(card.effect):
            if left:
                return bad_line(f"steps: {len(left)} more than the card has")
            return went_on(_put_away(state), events)
        step = card.effect[at]
        verb = VERBS[step.do]
        options = () if step.if_done and not state.done else verb.options(state, seat, step)
        if options == ():
            passed = () if step.if_done else (Event("nothing-to-do", {"card": card.title}),)
            state, events = replace(state, at=at + 1, done=0), (*events, *passed)
            continue
        if options is not None and not left:
            return Step(state, events)
        choice = left.pop(0) if options is not None else Choice()
        if options is not None and verb.listed and choice not in options:
            return Refusal("wrong-target", ACTION_CARDS, {"card": card.title, "n": at + 1}, "no-such-choice")
        done = verb.do(state, seat, step, choice)
        if isinstance(done, Refusal):
            return done
        state = replace(done.state, at=at + (not done.again), done=done.number)
        events = (*events, *done.events)
    if left:
        return bad_line(f"steps: {len(left)} are left over; the Count of the Fallen comes first")
    return Step(state, (*events, count_due(state)))


def _put_away(state: State) -> State:
    """The first drawn card is dealt with: back into the box, or face down among the Past Actions."""
    card, seat = state.head, state.waiting[0]
    assert card is not None
    state = replace(state, drawn=state.drawn[1:], at=None, done=0)
    if card.mark == ELIMINATED:
        return replace(state, boxed=(*state.boxed, card.id))
    return replace(state, past=put(state.past, seat, (*state.past[seat], card.id)))


def _performed(by: str, card: ActionCard) -> Event:
    return Event("performs", {"by": by, "card": card.title, "text": card.words})


def count_due(state: State) -> Event:
    """The Character deck is empty: the First Player counts the Infirmary."""
    return Event("count-of-the-fallen", {"n": state.infirmary, "first": state.seats[state.first].name})

"""What only people can tell of 3 Kings, asked with the buttons: how many cards, whose, and that somebody is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion.core.game import Choice, Question
from companion.core.messages import say, verbatim
from companion.core.table import Difference, Observation
from companion.games.three_kings import cards
from companion.games.three_kings.acting import deeds
from companion.games.three_kings.asking import choice_name, step_now
from companion.games.three_kings.look import Look
from companion.games.three_kings.performing import next_cards, options
from companion.games.three_kings.reading import exchanges, spied_on
from companion.games.three_kings.state import HAND, THRONES, State

Line = Mapping[str, Any]


def question(state: State, difference: Difference, seen: Observation) -> Question | None:
    """The question of this moment."""
    look = Look(state, difference, seen)
    if state.phase == "over":
        return None
    if state.counting:
        return None if state.infirmary else _single("fallen-none", {"do": "fallen", "cards": ()})
    if state.drawn:
        return _action(state)
    asked = _ASKED.get(state.phase)
    return asked(look) if asked else None


def _single(name: str, move: Line, **params: Any) -> Question:
    return Question(
        say(f"question.{name}", **params), (Choice(say(f"choice.{name}", **params), move=move),), False, True
    )


def _recruit(look: Look) -> Question:
    state = look.state
    seat = state.waiting[0]
    by, lacking = state.seats[seat].name, HAND - state.hands[seat]
    name = "recruit" if lacking > 0 else "discard"
    return _single(name, {"do": "recruit", "by": by}, by=by, n=abs(lacking))


def _plan(look: Look) -> Question:
    """Who has planned, with the spaces as they lie: asked where nobody turns up a first card."""
    state = look.state
    choices = tuple(
        Choice(
            say("choice.planned", by=state.seats[seat].name, n=sum(look.filled(seat))),
            move={"do": "plan", "spaces": look.filled(seat), "by": state.seats[seat].name},
        )
        for seat in state.waiting
    )
    return Question(say("question.plan"), choices, urgent=False)


def _reveal(look: Look) -> Question | None:
    """Where nobody has a card to turn up the table shows nothing."""
    state = look.state
    if any(spaces[state.round - 1] for spaces in state.spaces):
        return None
    nobody: dict[str, None] = dict.fromkeys(seat.name for seat in state.seats)
    return _single("reveal-none", {"do": "reveal", "cards": nobody}, round=state.round)


def _act(look: Look) -> Question:
    state = look.state
    seat = state.waiting[0]
    by, card = state.seats[seat].name, state.shown[seat]
    base = {"do": "act", "by": by}
    shown = Choice(say("choice.only-shown"), move={**base, "perform": False})
    choices = (*_deeds(look, card, base, {}), shown)
    asked = say("question.act", by=by, card=card)
    return Question(asked, choices, urgent=look.put_away() and cards.known(card).kind != "noble")


def _counsel(look: Look) -> Question:
    state = look.state
    by, stands = state.seats[state.waiting[0]].name, look.stands()
    base = {"do": "counsel", "by": by}
    skip = Choice(say("choice.skip"), move={**base, "skip": True})
    if stands:
        card = state.thrones[stands - 1]
        asked = say("question.counsel", by=by, card=card)
        return Question(asked, (*_deeds(look, card, base, {"throne": stands}), skip), urgent=False)
    # The Counselor may have come back from a Noble who was exchanged at once: then only people know where he was.
    swaps = look.swaps() or ()
    sent = tuple(
        Choice(
            say("choice.throne", throne=throne),
            then=Question(
                say("question.counsel", by=by, card=state.thrones[throne - 1]),
                tuple(_deeds(look, state.thrones[throne - 1], base, {"throne": throne})),
            ),
        )
        for throne in range(1, THRONES + 1)
        if not swaps or exchanges(state, throne, len(swaps))
    )
    return Question(say("question.send", by=by), (skip, *sent), urgent=False, direct=not swaps)


def _deeds(look: Look, card: str, base: Line, rest: Line) -> Iterator[Choice]:
    """All that a Character may do, with what the table shows of it."""
    character, state = cards.known(card), look.state
    kind = character.kind
    if kind == "noble":
        exchanged = look.swaps()
        if exchanged is not None:
            swaps = tuple({"throne": swap.throne, "card": swap.card} for swap in exchanged)
            yield Choice(say("choice.swaps", n=len(swaps)), move={**base, "swaps": swaps, **rest})
        return
    every = list(deeds(state, card))
    if kind in ("guard", "merchant"):
        first, second = ("infirmary", "bottom") if kind == "guard" else ("deck", "discards")
        every.sort(key=lambda deed: -deed[first] - deed[second])
        for deed in every:
            label = say(f"choice.{kind}", one=deed[first], other=deed[second])
            yield Choice(label, move={**base, **deed, **rest})
    elif kind == "mercenary":
        shown = look.drawn_actions()
        if shown:
            label = say("choice.these", n=len(shown))
            yield Choice(label, move={**base, "actions": tuple(shown), **rest})
        for deed in every:
            label = say("choice.counted", c=deed["c"], x=deed["x"])
            yield Choice(label, move={**base, **deed, **rest})
    else:
        yield from _targets(look, kind, every, base, rest)


def _targets(look: Look, kind: str, every: list[dict[str, Any]], base: Line, rest: Line) -> Iterator[Choice]:
    """Whose cards a Priest steals or a Spy draws, then how many; nobody's where it is none."""
    shown = look.drawn_actions() if kind == "spy" else []
    if shown:
        for name in spied_on(look.state, shown):
            yield Choice(
                say("choice.these-of", n=len(shown), by=name),
                move={**base, "actions": tuple(shown), "from": name, **rest},
            )
    for name in dict.fromkeys(deed["from_"] for deed in every):
        counts = sorted((deed["count"] for deed in every if deed["from_"] == name), reverse=True)
        choices = tuple(
            Choice(verbatim(str(count)), move={**base, "from": name, "count": count, **rest}) for count in counts
        )
        yield Choice(say("name.player", by=name), then=Question(say(f"question.{kind}", by=name), choices))


def _intrigue(look: Look) -> Question:
    state = look.state
    by = state.seats[state.waiting[0]].name
    return _single("pass", {"do": "intrigue", "by": by, "pass": True}, by=by)


def _award(look: Look) -> Question | None:
    state = look.state
    throne = state.awarding
    if state.intrigue[throne - 1]:
        return None
    return _single("award-none", {"do": "award", "throne": throne, "cards": ()}, throne=throne)


def _action(state: State) -> Question | None:
    """What becomes of the Action card that comes next, or what is chosen for its step."""
    by = state.seats[state.waiting[0]].name
    step = step_now(state)
    if step is None or state.head is None:
        cards_now = next_cards(state)
        single = "-it" if len(cards_now) == 1 else ""
        choices = [
            Choice(say(f"choice.{name}{single}", title=state.actions.known(card).title), move=_line(card, by, **how))
            for card in cards_now
            for name, how in (("perform", {}), ("put-away", {"perform": False}))
        ]
        title = state.head.title if single and state.head else ""
        return Question(say(f"question.action{single}", by=by, title=title), tuple(choices), urgent=False)
    told = (
        Choice(choice_name(step, choice), move=_line(state.drawn[0], by, steps=(msgspec.to_builtins(choice),)))
        for choice in options(state)
    )
    return Question(say("question.step", title=state.head.title), tuple(told), urgent=False)


def _line(card: str, by: str, **more: Any) -> dict[str, Any]:
    return {"do": "action", "card": card, "by": by, **more}


_ASKED = {
    "recruit": _recruit,
    "plan": _plan,
    "reveal": _reveal,
    "action": _act,
    "counsel": _counsel,
    "intrigue": _intrigue,
    "award": _award,
}

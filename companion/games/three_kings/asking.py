"""What to call that which is to be done now: the section of the rules, and the choices of an Action card."""

from __future__ import annotations

from companion.core.messages import Message, say, verbatim
from companion.games.three_kings import cards
from companion.games.three_kings.characters import RULES
from companion.games.three_kings.deck import Step
from companion.games.three_kings.moves import Choice
from companion.games.three_kings.state import State
from companion.games.three_kings.vocabulary import pile_name

_SECTIONS = {
    "recruit": "recruitment",
    "plan": "secret-planning",
    "reveal": "character-action",
    "counsel": "counselors",
    "intrigue": "intrigue",
    "award": "awarding",
    "over": "end",
}


def section(state: State) -> str:
    """The section of the rules that applies now."""
    if state.counting:
        return "count-of-the-fallen"
    if state.drawn:
        return "action-cards"
    if state.phase == "action":
        return RULES[cards.known(state.character).kind]
    return _SECTIONS[state.phase]


def help_now(state: State) -> Message:
    """The rule that applies now."""
    return say(f"help.{section(state)}")


def step_now(state: State) -> Step | None:
    """The step of an Action card that somebody has to choose something for."""
    card = state.head
    return None if card is None or state.at is None or state.pending else card.effect[state.at]


def choice_name(step: Step, choice: Choice) -> Message:
    """What one of the options of a step is called."""
    if choice.table is not None:
        return say("option.table", changes=[_change(fact, value) for fact, value in choice.table.items()])
    if step.do == "by-hand":
        return say("option.done")
    if choice.count == 0 or choice == Choice():
        return say("option.nothing")
    if choice.card:
        return say("option.crown", card=choice.card, throne=choice.throne)
    if choice.other:
        return say("option.trade", throne=choice.throne, other=choice.other)
    if choice.throne:
        return say("option.throne", throne=choice.throne)
    if choice.count is None:
        return say("option.target", by=choice.target)
    if choice.target:
        return say("option.count-target", n=choice.count, by=choice.target)
    return say("option.count", n=choice.count, source=pile_name(step.source), goal=pile_name(step.to))


def _change(fact: str, value: object) -> Message:
    """One fact as it would stand; of those by player or faction what is new."""
    if isinstance(value, dict):
        wording = "option.points" if fact == "vp" else "option.of"
        return say("option.fact", fact=fact, what=[say(wording, name=n, value=_plain(to)) for n, to in value.items()])
    if isinstance(value, (list, tuple)):
        return say("option.fact", fact=fact, what=[_plain(one) for one in value])
    return say("option.fact", fact=fact, what=_plain(value))


def _plain(value: object) -> Message:
    return verbatim("-" if value is None else str(value))

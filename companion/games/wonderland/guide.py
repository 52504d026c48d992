"""Which rule applies now, in words."""

from __future__ import annotations

from companion.core.messages import Message, say
from companion.games.wonderland import skills
from companion.games.wonderland.state import State


def help_now(state: State) -> Message:
    """What the turn player has to do or may do, and why."""
    turn = state.players[state.turn]
    if state.phase == "over":
        return say("help.over")
    if state.phase == "refill":
        return say("help.refill", turn=turn, n=state.missing)
    if state.phase == "skill":
        return say("help.skill", **skills.choice(state)) if skills.possible(state) else say("help.no-skill", turn=turn)
    if state.phase == "take":
        return say("help.take", turn=turn, beside=list(state.neighbours(state.deck or 0)))
    if state.deck is not None:
        return say("help.cover", turn=turn, deck=state.deck)
    if not state.can_explore:
        return say("help.stop", turn=turn)
    return say(f"help.{state.phase}", turn=turn)

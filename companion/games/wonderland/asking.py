"""What only people can tell of Wonderland XIII, asked with the buttons.

What shows on the table is never asked, but nearly all of it may be told. Of the Hatter's card it is first asked to turn
the box away from the player who must not see it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.core.game import Choice, Question, encode
from companion.core.messages import Message, say
from companion.core.table import Difference, Observation
from companion.games.wonderland import skills
from companion.games.wonderland.look import Look, ways_of_drawing
from companion.games.wonderland.state import State


def question(state: State, difference: Difference, seen: Observation) -> Question | None:
    """The question of this moment."""
    turn = state.players[state.turn]
    if state.phase == "decide" or (state.phase == "explore" and state.deck is None and not state.can_explore):
        return _single("stop", {"do": "stop", "by": turn})
    if state.phase == "take":
        return _taken(state, turn)
    if state.phase != "skill":
        return None
    if not skills.possible(state):
        return _single("no-skill", {"do": "no-skill", "by": turn})
    return _drawn(Look(state, difference, seen)) or _skill(state, turn)


def _single(name: str, move: Mapping[str, Any]) -> Question:
    return Question(say(f"question.{name}"), (Choice(say(f"choice.{name}"), move=move),), urgent=False, direct=True)


def _taken(state: State, turn: str) -> Question:
    """Which cards were taken, deck by deck, where a sticker can't be read."""
    left, right = state.neighbours(state.deck or 0)

    def right_card(first: str) -> Question:
        choices = (
            Choice(_spirit(card), move={"do": "take", "cards": {str(left): first, str(right): card}, "by": turn})
            for card in _tops(state, right, (first,) if not state.decks[left].top else ())
        )
        return Question(say("question.card-of", deck=right), tuple(choices))

    firsts = tuple(Choice(_spirit(card), then=right_card(card)) for card in _tops(state, left, ()))
    return Question(say("question.card-of", deck=left), firsts, urgent=False)


def _tops(state: State, deck: int, taken: tuple[str, ...]) -> tuple[str, ...]:
    """What can be the top card of a deck."""
    if state.decks[deck].top:
        return (state.decks[deck].top,)
    left = Counter(state.unseen) - Counter(taken)
    return tuple(card for card in state.unseen if left[card] > 0)


def _drawn(look: Look) -> Question | None:
    """What a card is for that was turned up on its deck, or from which deck the White Rabbit has brought one."""
    ways = list(ways_of_drawing(look))
    if len(ways) < 2:
        return None
    if look.revealed():
        labels = [
            say("choice.for", by=way.target) if way.target else say("choice.for-rabbit", card=way.card) for way in ways
        ]
        asked = say("question.for-whom")
    else:
        labels = [say("name.deck", deck=way.deck) for way in ways]
        asked = say("question.from-deck")
    pairs = zip(labels, ways, strict=True)
    return Question(asked, tuple(Choice(label, move=encode(way)) for label, way in pairs))


def _skill(state: State, turn: str) -> Question:
    """All skills that can be used, each with what the camera can't see of it."""
    choices = tuple(_use(state, turn, card) for card in skills.possible(state))
    return Question(say("question.skill"), choices, urgent=False, direct=len(choices) == 1)


def _use(state: State, turn: str, card: str) -> Choice:
    move = {"do": "skill", "card": card}
    if card == "Alice":
        return Choice(_spirit(card), move={**move, "by": turn})
    if card == "Queen":
        other = next((Counter(state.gained) - Counter([card])).elements())
        return Choice(say("choice.covers", other=other), move={**move, "covers": other, "by": turn})
    if card == "Cat":
        return Choice(_spirit(card), then=_which_deck(state, move, {"by": turn}))
    if card == "Rabbit":
        return Choice(_spirit(card), then=_which_deck(state, move, {"by": turn}, reveals=True))
    others = [name for name in state.players if name != turn]
    decks = {name: _which_deck(state, move, {"target": name, "by": turn}, True, name) for name in others}
    if len(others) == 1:
        return Choice(_spirit(card), then=decks[others[0]])
    choices = tuple(Choice(say("name.player", by=name), then=decks[name]) for name in others)
    return Choice(_spirit(card), then=Question(say("question.target"), choices))


def _which_deck(
    state: State, move: dict[str, Any], rest: Mapping[str, str], reveals: bool = False, target: str = ""
) -> Question:
    """The deck whose face-down top card it is about, and then perhaps that card; a target must not see this."""
    choices = []
    for number, deck in enumerate(state.decks):
        if not deck.veiled:
            continue
        label = say("name.deck", deck=number)
        if not reveals:
            choices.append(Choice(label, move={**move, "deck": number, **rest}))
            continue
        cards = tuple(
            Choice(_spirit(card), move={**move, "deck": number, "reveals": card, **rest})
            for card, left in state.unseen.items()
            if left
        )
        which = Question(say("question.which-card"), cards)
        if target:
            ready = Choice(say("choice.ready"), then=which)
            which = Question(say("question.turn-away", target=target), (ready,))
        choices.append(Choice(label, then=which))
    return Question(say("question.which-deck"), tuple(choices))


def _spirit(card: str) -> Message:
    return say("name.spirit", card=card)

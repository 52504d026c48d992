"""The five skills: what each needs, and what it does. Guards stand in the order of the rulebook, Spirit's Skill.

A skill gives the state after it and what is announced; the rules then check the Tunnel and go on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.game import Event, Refusal
from companion.games.wonderland.collapse import collapses
from companion.games.wonderland.moves import Skill
from companion.games.wonderland.spirits import BUNDLE, character, in_order
from companion.games.wonderland.state import DECKS, Deck, State, Turned

ALICE, RABBIT, CAT, HATTER, QUEEN = "alice", "white-rabbit", "cheshire-cat", "hatter", "queen-of-hearts"
SKILL = "using-a-skill"

NEEDS: Mapping[str, tuple[str, ...]] = {
    "Alice": (),
    "Rabbit": ("deck", "reveals"),
    "Cat": ("deck",),
    "Hatter": ("deck", "reveals", "target"),
    "Queen": ("covers",),
}
"""The fields of the move that each skill needs; it has no others."""

Used = tuple[State, tuple[Event, ...]]


def use(state: State, move: Skill) -> Used | Refusal:
    """What the skill of one of the two cards of this Explore leads to, or what it lacks."""
    card = character(move.card)
    if not card:
        return Refusal("unknown-card", "components", {"card": move.card})
    if card not in state.gained:
        return Refusal("wrong-card", SKILL, choice(state) | {"card": card})
    if card == BUNDLE:
        return Refusal("not-allowed", SKILL, choice(state), "bundle-has-no-skill")
    given = {name for name in ("deck", "reveals", "target", "covers") if getattr(move, name) not in (None, "")}
    if given != set(NEEDS[card]):
        fields = ", ".join(NEEDS[card]) or "no further field"
        return Refusal("bad-line", "protocol", {"reason": f"skill of {card}: needs {fields}"})
    return _USES[card](state, move)


def possible(state: State) -> tuple[str, ...]:
    """The cards of this Explore with a skill that can be done now, each once."""
    return tuple(card for card in dict.fromkeys(state.gained) if card != BUNDLE and _can(state, card))


def choice(state: State) -> dict[str, Any]:
    """The skills that can be used now, as texts name them: how many (`n`), and each by itself, since one is enough."""
    able = possible(state)
    return {"turn": _turn(state), "cards": list(able), "n": len(able), **dict(zip(("one", "two"), able, strict=False))}


def moves(state: State) -> Iterator[Skill]:
    """All ways of using a skill now."""
    by = _turn(state)
    decks = [number for number, deck in enumerate(state.decks) if deck.veiled]
    unseen = [card for card, number in state.unseen.items() if number]
    for card in possible(state):
        if card == "Alice":
            yield Skill(card, by=by)
        elif card == "Queen":
            yield Skill(card, covers=_other(state, card), by=by)
        elif card == "Cat":
            yield from (Skill(card, deck, by=by) for deck in decks)
        elif card == "Rabbit":
            yield from (Skill(card, deck, found, by=by) for deck in decks for found in unseen)
        else:
            others = [name for name in state.players if name != by]
            yield from (Skill(card, d, found, name, by=by) for d in decks for found in unseen for name in others)


def _can(state: State, card: str) -> bool:
    if card == "Alice":
        return state.keys_middle > 0
    return card == "Queen" or any(deck.veiled for deck in state.decks)


def _alice(state: State, _move: Skill) -> Used | Refusal:
    by = _turn(state)
    if not state.keys_middle:
        return Refusal("no-key", ALICE, choice(state), "no-key-in-the-middle")
    return replace(state, keys=state.keys + 1), (Event("alice", {"by": by}),)


def _rabbit(state: State, move: Skill) -> Used | Refusal:
    drawn = _draw(state, move, RABBIT)
    if isinstance(drawn, Refusal):
        return drawn
    card = character(move.reveals)
    revealed = Event("rabbit", {"by": _turn(state), "deck": move.deck, "card": card})
    return replace(drawn, tunnel=in_order((*state.tunnel, card))), (revealed,)


def _cat(state: State, move: Skill) -> Used | Refusal:
    deck = _veiled(state, move, CAT)
    if isinstance(deck, Refusal):
        return deck
    return state, (Event("cat", {"by": _turn(state), "deck": move.deck}),)


def _hatter(state: State, move: Skill) -> Used | Refusal:
    seat = state.seat_of(move.target)
    if seat is None or seat == state.turn:
        others = [name for name in state.players if name != _turn(state)]
        params = {"turn": _turn(state), "target": move.target, "others": others, "n": len(others)}
        return Refusal("wrong-target", HATTER, params)
    drawn = _draw(state, move, HATTER)
    if isinstance(drawn, Refusal):
        return drawn
    cards = in_order((*state.hatter[seat], character(move.reveals)))
    # What came up is shown to everybody but the target, who may read the screen: so no announcement names it.
    sent = Event("hatter", {"by": _turn(state), "deck": move.deck, "target": move.target})
    if not collapses(cards):
        return replace(drawn, hatter=put(state.hatter, seat, cards)), (sent,)
    after = replace(drawn, hatter=put(state.hatter, seat, ()), discards=in_order((*state.discards, *cards)))
    return after, (sent, Event("hatter-collapse", {"target": move.target, "cards": list(cards)}))


def _queen(state: State, move: Skill) -> Used | Refusal:
    other = _other(state, "Queen")
    if character(move.covers) != other:
        params = {"turn": _turn(state), "card": move.covers, "other": other}
        return Refusal("wrong-target", QUEEN, params, "queen-covers")
    covered = Event("queen", {"by": _turn(state), "card": other})
    return replace(state, covered=in_order((*state.covered, other))), (covered,)


_USES: Mapping[str, Callable[[State, Skill], Used | Refusal]] = {
    "Alice": _alice,
    "Rabbit": _rabbit,
    "Cat": _cat,
    "Hatter": _hatter,
    "Queen": _queen,
}


def _veiled(state: State, move: Skill, rule: str) -> int | Refusal:
    """The deck of a skill, whose top card has to lie face down."""
    number = move.deck
    if number is None or not 0 <= number < DECKS:
        return no_such_deck(number)
    params = {"turn": _turn(state), "card": character(move.card), "deck": number}
    if not state.decks[number].size:
        return Refusal("empty-deck", rule, params)
    if not any(deck.veiled for deck in state.decks):
        return Refusal("wrong-target", rule, params | choice(state), "all-tops-lie-open")
    if not state.decks[number].veiled:
        return Refusal("wrong-target", rule, params | {"top": state.decks[number].top}, "top-lies-open")
    return number


def _draw(state: State, move: Skill, rule: str) -> State | Refusal:
    """The state after the face-down top card of a deck was drawn, which the move tells."""
    number = _veiled(state, move, rule)
    if isinstance(number, Refusal):
        return number
    card = character(move.reveals)
    if not card:
        return Refusal("unknown-card", "components", {"card": move.reveals})
    if not state.unseen[card]:
        return Refusal("card-elsewhere", rule, {"card": card, "deck": number})
    decks = put(state.decks, number, Deck(state.decks[number].down - 1))
    return replace(state, decks=decks, turned=Turned(number, card, move.target))


def _other(state: State, card: str) -> str:
    """The other card of this Explore."""
    return next((Counter(state.gained) - Counter([card])).elements(), "")


def _turn(state: State) -> str:
    return state.players[state.turn]


def no_such_deck(number: Any) -> Refusal:
    """A deck that the Hall doesn't have."""
    return Refusal("bad-line", "protocol", {"reason": f"deck {number!r}: there are 0 to {DECKS - 1}"})


def put(row: tuple, index: int, value: object) -> tuple:  # type: ignore[type-arg]
    """A row with another value at one place."""
    return (*row[:index], value, *row[index + 1 :])

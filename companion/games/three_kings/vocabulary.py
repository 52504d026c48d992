"""The small vocabulary of which the effects of Action cards are made.

A card's `effect` is a list of steps:

| verb | does | fields |
| --- | --- | --- |
| `move` | cards go, unseen, from one pile to another | `from`, `to`, and `n` or `up_to` |
| `exchange` | the player and another give each other cards | `n`; 0 is all of both hands |
| `protect` | nobody can make the player a target until the Turn ends | |
| `close` | a Throne is deactivated until the Turn ends | |
| `lead` | the First Player card goes to somebody | `who` |
| `recall` | a Counselor goes back to his player | `who` |
| `trade` | two Thrones exchange their Characters; Counselors go along | |
| `crown` | a Character of the hand takes a Throne; the old one goes to a pile | `to` |
| `score` | a faction wins or loses points | `faction`, `n` |
| `by-hand` | the players do what the card says, and the table is taken as it then is | `zones` |

A step says by itself which choices it has: `options`. One without options that needs some is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from companion.core.game import Event, Refusal
from companion.core.messages import Message, say
from companion.games.three_kings import by_hand, cards, unseen
from companion.games.three_kings.cards import FACTIONS
from companion.games.three_kings.deck import Step
from companion.games.three_kings.guards import ACTION_CARDS, elsewhere, not_a_card, not_a_character
from companion.games.three_kings.moves import Choice
from companion.games.three_kings.piles import drawn, freed, laid_down, possible, put, scored, shown_from, size, transfer
from companion.games.three_kings.state import THRONES, State
from companion.games.three_kings.unseen import DECK, DISCARDS, INFIRMARY, hand

TARGET, OTHERS, HAND = "target", "others", "hand"
PILES = {"deck": DECK, "discards": DISCARDS, "infirmary": INFIRMARY}
"""Piles that belong to nobody, by their names in files."""
WHO = ("self", TARGET)


class Done(NamedTuple):
    """What a step led to.

    Attributes:
        state: the state after it.
        events: what is announced.
        number: how many cards it moved, for a step after it with `if_done`.
        again: the same step has to be told more.
    """

    state: State
    events: tuple[Event, ...] = ()
    number: int = 1
    again: bool = False


Options = tuple[Choice, ...] | None
"""What can be chosen; None if nothing needs to be."""


class Verb(NamedTuple):
    """A word of the vocabulary.

    Attributes:
        options: what can be chosen by a seat for a step.
        do: makes the step with a choice that is one of the options (or the empty one where none is needed).
        fields: the step's fields that it uses, as files call them.
        listed: whether the options are all there are; else `do` refuses what can't be.
    """

    options: Callable[[State, int, Step], Options]
    do: Callable[[State, int, Step, Choice], Done | Refusal]
    fields: tuple[str, ...] = ()
    listed: bool = True


def targets(state: State, seat: int) -> Iterator[int]:
    """The other players whom something may concern, clockwise. Source: rulebook, F.A.Q. on the Bodyguards."""
    return (other for other in state.clockwise(seat)[1:] if other not in state.protected)


def _name(state: State, seat: int) -> str:
    return state.seats[seat].name


def _seat(state: State, choice: Choice) -> int:
    seat = state.seat_of(choice.target)
    assert seat is not None
    return seat


def _move_options(state: State, seat: int, step: Step) -> Options:
    concerned: tuple[int | None, ...] = (None,)
    if TARGET in (step.source, step.to):
        concerned = tuple(t for t in targets(state, seat) if step.source != TARGET or state.hands[t])
    elif not step.up_to:
        return None
    if not step.up_to:
        return tuple(Choice(target=_name(state, target)) for target in concerned if target is not None)
    found = [Choice(count=0)]
    for target in concerned:
        there = step.up_to if step.source == "deck" else size(state, _place(step.source, seat, target))
        name = "" if target is None else _name(state, target)
        found += [Choice(count=count, target=name) for count in range(1, min(step.up_to, there) + 1)]
    return tuple(found) if len(found) > 1 else ()


def _move(state: State, seat: int, step: Step, choice: Choice) -> Done:
    number = step.n if choice.count is None else choice.count
    target = _seat(state, choice) if choice.target else None
    many = tuple(targets(state, seat))
    ends = [[hand(s) for s in many] if end == OTHERS else [_place(end, seat, target)] for end in (step.source, step.to)]
    pairs = list(product(*ends)) if number else []
    source, goal = pile_name(step.source, choice.target), pile_name(step.to, choice.target)
    told = {"by": _name(state, seat), "source": source, "goal": goal}
    if step.source == "deck":
        after = drawn(state, tuple((goal, number) for _, goal in pairs))
        return Done(after, (Event("moved", {**told, "n": number * len(pairs)}),), number * len(pairs))
    moved = 0
    for start, end in pairs:
        going = min(number, size(state, start))
        state = transfer(state, start, end, going)
        moved += going
    return Done(state, (Event("moved", {**told, "n": moved}),), moved)


def pile_name(pile: str, target: str = "") -> Message:
    """What a pile of an effect is called, for an announcement or a question."""
    return say(f"pile.{pile}", by=target)


def _place(pile: str, seat: int, target: int | None) -> int:
    if pile == TARGET:  # nobody is named where no card goes
        return hand(seat if target is None else target)
    return hand(seat) if pile == HAND else PILES[pile]


def _exchange_options(state: State, seat: int, step: Step) -> Options:
    able = (t for t in targets(state, seat) if not step.n or (state.hands[t] and state.hands[seat]))
    return tuple(Choice(target=_name(state, target)) for target in able)


def _exchange(state: State, seat: int, step: Step, choice: Choice) -> Done:
    target = _seat(state, choice)
    own, theirs = state.hands[seat], state.hands[target]
    told = {"by": _name(state, seat), "target": choice.target}
    if not step.n:
        pool = unseen.swapped(state.unseen, hand(seat), hand(target))
        after = replace(state, unseen=pool, hands=put(put(state.hands, seat, theirs), target, own))
        return Done(after, (Event("hands-exchanged", told),), own + theirs)
    number = min(step.n, own, theirs)
    after = replace(state, unseen=unseen.mixed(state.unseen, (hand(seat), hand(target))))
    return Done(after, (Event("exchanged", {**told, "n": number}),), number)


def _protect(state: State, seat: int, _step: Step, _choice: Choice) -> Done:
    protected = tuple(sorted({*state.protected, seat}))
    return Done(replace(state, protected=protected), (Event("bodyguards", {"by": _name(state, seat)}),))


def _close_options(state: State, _seat: int, _step: Step) -> Options:
    return tuple(Choice(throne=throne) for throne in state.open_thrones)


def _close(state: State, seat: int, _step: Step, choice: Choice) -> Done:
    after = replace(state, closed=tuple(sorted((*state.closed, choice.throne))))
    return Done(after, (Event("closed", {"by": _name(state, seat), "throne": choice.throne}),))


def _lead_options(state: State, seat: int, step: Step) -> Options:
    return None if step.who == WHO[0] else tuple(Choice(target=_name(state, one)) for one in targets(state, seat))


def _lead(state: State, seat: int, step: Step, choice: Choice) -> Done:
    first = seat if step.who == WHO[0] else _seat(state, choice)
    return Done(replace(state, first=first), (Event("first-player", {"by": _name(state, first)}),))


def _recall_options(state: State, seat: int, step: Step) -> Options:
    if step.who == WHO[0]:
        return None if state.counselors[seat] else ()
    return tuple(Choice(target=_name(state, one)) for one in targets(state, seat) if state.counselors[one])


def _recall(state: State, seat: int, step: Step, choice: Choice) -> Done:
    one = seat if step.who == WHO[0] else _seat(state, choice)
    after = replace(state, counselors=put(state.counselors, one, 0))
    return Done(after, (Event("recalled", {"by": _name(state, one)}),))


def _trade_options(_state: State, _seat: int, _step: Step) -> Options:
    thrones = range(1, THRONES + 1)
    return tuple(Choice(throne=one, other=other) for one in thrones for other in thrones if one < other)


def _trade(state: State, seat: int, _step: Step, choice: Choice) -> Done:
    one, other = choice.throne, choice.other
    goes = {one: other, other: one}
    thrones = tuple(state.thrones[goes.get(throne, throne) - 1] for throne in range(1, THRONES + 1))
    after = replace(state, thrones=thrones, counselors=tuple(goes.get(at, at) for at in state.counselors))
    return Done(after, (Event("traded", {"by": _name(state, seat), "throne": one, "other": other}),))


def crownings(state: State, seat: int) -> Iterator[Choice]:
    """Which Character that may be in a hand can take which Throne."""
    bit = 1 << hand(seat)
    held = (u.card for u in state.unseen if u.places & bit and cards.known(u.card).is_character)
    for card in dict.fromkeys(map(cards.name_of, held if state.hands[seat] else ())):
        for throne in range(1, THRONES + 1):
            choice = Choice(throne=throne, card=card)
            if isinstance(_crown(state, seat, Step("crown", to=HAND), choice), Done):
                yield choice


def _crown_options(state: State, seat: int, _step: Step) -> Options:
    # Nobody can tell from outside whether a hand holds a Character at all, so it can always be none.
    return (Choice(), *crownings(state, seat)) if state.hands[seat] else ()


def _crown(state: State, seat: int, step: Step, choice: Choice) -> Done | Refusal:
    if choice == Choice():
        return Done(state, (Event("crowned-nobody", {"by": _name(state, seat)}),), 0)
    after = crowned(state, seat, choice.throne, choice.card, ACTION_CARDS)
    if isinstance(after, Refusal):
        return after
    old = state.thrones[choice.throne - 1]
    after = laid_down(after, old, _place(step.to, seat, None))
    if not possible(after):
        return elsewhere(state, choice.card, ACTION_CARDS, "hand", _name(state, seat))
    told = {
        "by": _name(state, seat),
        "throne": choice.throne,
        "card": choice.card,
        "old": old,
        "goal": pile_name(step.to),
    }
    return Done(after, (Event("crowned", told),))


def crowned(state: State, seat: int, throne: int, card: str, rule: str) -> State | Refusal:
    """The state after a Character of a hand was put onto a Throne; the old one is nowhere yet."""
    if not 1 <= throne <= THRONES:
        return Refusal("wrong-target", rule, {"throne": throne, "n": THRONES}, "no-such-throne")
    found = cards.find(card)
    if found is None:
        return not_a_card(card)
    if not found.is_character:
        return not_a_character(card, rule)
    shown = shown_from(state, card, hand(seat))
    if shown is None:
        return elsewhere(state, card, rule, "hand", _name(state, seat))
    return replace(freed(shown, throne), thrones=put(state.thrones, throne - 1, card))


def _score(state: State, _seat: int, step: Step, _choice: Choice) -> Done:
    points = tuple(step.n if faction == step.faction else 0 for faction in FACTIONS)
    name = "gains" if step.n > 0 else "loses"
    return Done(scored(state, points), (Event(name, {"faction": step.faction, "n": abs(step.n)}),))


def _by_hand(state: State, seat: int, step: Step, choice: Choice) -> Done | Refusal:
    if choice.table is None:
        return Done(by_hand.finished(state, step.zones), (Event("done-by-hand", {"by": _name(state, seat)}),))
    after = by_hand.taken(state, step.zones, choice.table)
    return after if isinstance(after, Refusal) else Done(after, again=True)


def _by_hand_options(state: State, _seat: int, step: Step) -> Options:
    return (Choice(), *(Choice(table=table) for table in by_hand.changes(state, step.zones)))


def _nothing_to_choose(_state: State, _seat: int, _step: Step) -> Options:
    return None


VERBS = {
    "move": Verb(_move_options, _move, ("from", "to", "n", "up_to")),
    "exchange": Verb(_exchange_options, _exchange, ("n",)),
    "protect": Verb(_nothing_to_choose, _protect),
    "close": Verb(_close_options, _close),
    "lead": Verb(_lead_options, _lead, ("who",)),
    "recall": Verb(_recall_options, _recall, ("who",)),
    "trade": Verb(_trade_options, _trade),
    "crown": Verb(_crown_options, _crown, ("to",), listed=False),
    "score": Verb(_nothing_to_choose, _score, ("faction", "n")),
    "by-hand": Verb(_by_hand_options, _by_hand, ("zones",), listed=False),
}

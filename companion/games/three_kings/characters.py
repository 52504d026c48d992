"""The six Characters: what each may do when he is performed, from a board or from a Throne."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.games.three_kings import cards
from companion.games.three_kings.deck import ELIMINATED
from companion.games.three_kings.guards import bad_line, elsewhere
from companion.games.three_kings.moves import Deed, Drawn
from companion.games.three_kings.performing import count_due, finished, lay_open, no_such_action
from companion.games.three_kings.piles import drawn, into_hand, possible, put, transfer
from companion.games.three_kings.state import State
from companion.games.three_kings.turning import Events
from companion.games.three_kings.unseen import DISCARDS, INFIRMARY, hand
from companion.games.three_kings.vocabulary import crowned, pile_name

FIELDS = {
    "noble": ("swaps",),
    "guard": ("infirmary", "bottom"),
    "merchant": ("deck", "discards"),
    "mercenary": ("c", "x", "actions"),
    "priest": ("from", "count"),
    "spy": ("from", "count", "actions"),
}
"""By kind the fields of a `Deed` that are his."""
RULES = {kind: "royal-guard" if kind == "guard" else kind for kind in FIELDS}
"""By kind the section of the rules about him."""


def perform(deed: Deed, state: State, card: str, events: Events) -> Step | Refusal:
    """What the active player's Character does, and all that follows from it."""
    character = cards.known(card)
    strange = [name for name in _given(deed) if name not in FIELDS[character.kind]]
    if strange:
        return bad_line(f"{', '.join(strange)}: {character.kind} has {', '.join(FIELDS[character.kind])}")
    negative = [name for name in _NUMBERS if (getattr(deed, name) or 0) < 0]
    if negative:
        return bad_line(f"{', '.join(negative)}: less than 0")
    return _DEEDS[character.kind](deed, state, character.value, events)


def unfilled(deed: Deed) -> Refusal | None:
    """What is wrong with a Character that isn't performed: it can't say what he did."""
    given = _given(deed)
    return bad_line(f"{', '.join(given)}: nothing is performed, so it can't be told") if given else None


def _noble(deed: Deed, state: State, value: int, events: Events) -> Step | Refusal:
    seat, swaps = state.waiting[0], deed.swaps or ()
    by, rule = state.seats[seat].name, RULES["noble"]
    if len(swaps) > value:
        return _too_many(rule, len(swaps), value)
    if len({swap.throne for swap in swaps}) < len(swaps):
        return Refusal("wrong-target", rule, {}, "throne-twice")
    if len(swaps) > state.hands[seat]:
        return _no_cards(rule, len(swaps), state.hands[seat])
    after = state
    for swap in swaps:
        crown = crowned(after, seat, swap.throne, swap.card, rule)
        if isinstance(crown, Refusal):
            return crown
        after = crown
        old = state.thrones[swap.throne - 1]
        events = (*events, Event("swapped", {"by": by, "throne": swap.throne, "card": swap.card, "old": old}))
    for swap in swaps:
        after = into_hand(after, state.thrones[swap.throne - 1], seat)
    if swaps and not possible(after):
        return elsewhere(state, swaps[-1].card, rule, "hand", by)
    return finished(replace(after, first=seat), (*events, Event("first-player", {"by": by})))


def _guard(deed: Deed, state: State, value: int, events: Events) -> Step | Refusal:
    to_infirmary, to_bottom = deed.infirmary or 0, deed.bottom or 0
    number = to_infirmary + to_bottom
    refusal = _unless_there("royal-guard", number, value, state.discards, "discards")
    if refusal:
        return refusal
    told = {"by": state.seats[state.waiting[0]].name, "infirmary": to_infirmary, "bottom": to_bottom}
    return finished(transfer(state, DISCARDS, INFIRMARY, to_infirmary), (*events, Event("guard", told)))


def _merchant(deed: Deed, state: State, value: int, events: Events) -> Step | Refusal:
    from_deck, from_discards = deed.deck or 0, deed.discards or 0
    if from_deck + from_discards > value:
        return _too_many("merchant", from_deck + from_discards, value)
    refusal = _unless_there("merchant", from_discards, value, state.discards, "discards")
    if refusal:
        return refusal
    seat = state.waiting[0]
    # The Discards come first: a Count of the Fallen would turn them into the deck.
    after = drawn(transfer(state, DISCARDS, hand(seat), from_discards), ((hand(seat), from_deck),))
    told = {"by": state.seats[seat].name, "deck": from_deck, "discards": from_discards}
    events = (*events, Event("merchant", told))
    return Step(after, (*events, count_due(after))) if after.pending else finished(after, events)


def _mercenary(deed: Deed, state: State, value: int, events: Events) -> Step | Refusal:
    if deed.actions is not None and (deed.c is not None or deed.x is not None):
        return bad_line("actions stands in place of c and x; give one or the other")
    kept, eliminated = deed.c or 0, deed.x or 0
    shown = _shown(deed, state)
    if isinstance(shown, Refusal):
        return shown
    number = kept + eliminated + len(shown)
    refusal = _unless_there("mercenary", number, value, state.action_deck, "action-deck")
    if refusal:
        return refusal
    seat = state.waiting[0]
    events = (*events, Event("mercenary", {"by": state.seats[seat].name, "n": number}))
    after = replace(state, action_deck=state.action_deck - number)
    if not shown:
        past = (*state.past[seat], *("",) * kept)
        return finished(replace(after, past=put(state.past, seat, past)), events)
    return _seen_before(state, shown) or lay_open(after, shown, events)


def _priest(deed: Deed, state: State, value: int, events: Events) -> Step | Refusal:
    seat, number = state.waiting[0], deed.count or 0
    target = _victim(deed, state, "priest", number)
    if isinstance(target, Refusal):
        return target
    held = state.hands[target] if target is not None else 0
    refusal = _unless_there("priest", number, value, held, "hand")
    if refusal:
        return refusal
    told = {"by": state.seats[seat].name, "target": deed.from_, "n": number}
    after = state if target is None else transfer(state, hand(target), hand(seat), number)
    return finished(after, (*events, Event("priest", told)))


def _spy(deed: Deed, state: State, value: int, events: Events) -> Step | Refusal:
    shown = _shown(deed, state)
    if isinstance(shown, Refusal):
        return shown
    if shown and deed.count not in (None, len(shown)):
        return bad_line(f"count: {deed.count}, and {len(shown)} in actions")
    seat, number = state.waiting[0], len(shown) or deed.count or 0
    target = _victim(deed, state, "spy", number)
    if isinstance(target, Refusal):
        return target
    pile = () if target is None else state.past[target]
    refusal = _unless_there("spy", number, value, len(pile), "past")
    if refusal:
        return refusal
    events = (*events, Event("spy", {"by": state.seats[seat].name, "target": deed.from_, "n": number}))
    if target is None or not number:
        return finished(state, events)
    top = pile[len(pile) - number :]
    past = put(state.past, target, pile[: len(pile) - number])
    if not shown:
        kept = (*past[seat], *_by_rank(state, top))
        return finished(replace(state, past=put(past, seat, kept)), events)
    strange = [one for one in shown if one.card not in top]
    if len(strange) > top.count(""):
        what = {"card": state.actions.known(strange[0].card).title, "by": deed.from_}
        return Refusal("card-elsewhere", "spy", what, "action-not-there")
    return _seen_before(state, tuple(strange), kept=True) or lay_open(replace(state, past=past), shown, events)


def _by_rank(state: State, drawn_cards: tuple[str, ...]) -> tuple[str, ...]:
    """Action cards that were dealt with by hand, as they were put down: the lowest rank first.

    Where the ranks don't tell their order, nobody knows which of them lies where.
    """
    if len(drawn_cards) == 1:
        return drawn_cards
    if "" in drawn_cards:
        return ("",) * len(drawn_cards)
    ranks = [state.actions.known(card).rank for card in drawn_cards]
    pairs = sorted(zip(ranks, drawn_cards, strict=True))
    return tuple(card if ranks.count(rank) == 1 else "" for rank, card in pairs)


def _given(deed: Deed) -> list[str]:
    return [*(name for name in _OPTIONAL if getattr(deed, name) is not None), *(["from"] * bool(deed.from_))]


def _shown(deed: Deed, state: State) -> tuple[Drawn, ...] | Refusal:
    """The Action cards that were drawn, each by its id; what the deck doesn't hold, or a card that comes twice."""
    shown = []
    for one in deed.actions or ():
        drawn_card = Drawn(one) if isinstance(one, str) else one
        card = state.actions.card(drawn_card.card)
        if card is None:
            return no_such_action(drawn_card.card)
        shown.append(replace(drawn_card, card=card.id))
    twice = [card for card, number in Counter(one.card for one in shown).items() if number > 1]
    return bad_line(f"actions: {', '.join(twice)} comes twice") if twice else tuple(shown)


def _victim(deed: Deed, state: State, rule: str, number: int) -> int | Refusal | None:
    """Whose cards a Priest or a Spy takes; None only where he takes none and names nobody."""
    seat = state.waiting[0]
    if not deed.from_:
        return bad_line(f"from is missing: whose cards does the {rule} take?") if number else None
    target = state.seat_of(deed.from_)
    if target is None:
        return bad_line(f"from {deed.from_!r}: there are {', '.join(one.name for one in state.seats)}")
    if target == seat:
        return Refusal("wrong-target", rule, {"by": deed.from_}, "own-cards")
    if target in state.protected:
        return Refusal("wrong-target", "bodyguards", {"by": deed.from_}, "protected")
    return target


def _seen_before(state: State, shown: tuple[Drawn, ...], *, kept: bool = False) -> Refusal | None:
    """Action cards that the table has shown, and that can't have come from where nobody knew them.

    Args:
        state: what the table has told.
        shown: the cards.
        kept: they lay among Past Actions, where no card with an X is put; only by hand it may come there.
    """
    known = {*state.boxed, *(card for pile in state.past for card in pile)}
    freely = any("past" in step.zones for card in state.actions.cards for step in card.effect)
    for one in shown:
        card = state.actions.known(one.card)
        if one.card in known:
            where = "box" if one.card in state.boxed else "past"
        elif kept and not freely and card.mark == ELIMINATED:
            where = "eliminated"
        else:
            continue
        return Refusal("card-elsewhere", "action-cards", {"card": card.title, "where": where}, "action-elsewhere")
    return None


def _unless_there(rule: str, number: int, value: int, there: int, pile: str) -> Refusal | None:
    if number > value:
        return _too_many(rule, number, value)
    return _no_cards(rule, number, there, pile) if number > there else None


def _too_many(rule: str, number: int, value: int) -> Refusal:
    return Refusal("too-many", rule, {"count": number, "n": value})


def _no_cards(rule: str, number: int, there: int, pile: str = "hand") -> Refusal:
    code = "no-card" if pile in _PLAYERS else "empty-deck"
    return Refusal(code, rule, {"count": number, "n": there, "pile": pile_name(pile)}, "too-few-there")


_PLAYERS = ("hand", "past")
"""Piles that belong to a player."""
_NUMBERS = ("infirmary", "bottom", "deck", "discards", "c", "x", "count")
_OPTIONAL = ("swaps", *_NUMBERS, "actions")
_DEEDS: dict[str, Callable[[Deed, State, int, Events], Step | Refusal]] = {
    "noble": _noble,
    "guard": _guard,
    "merchant": _merchant,
    "mercenary": _mercenary,
    "priest": _priest,
    "spy": _spy,
}

"""Effects by hand: the players have done what a card says, and the table is taken as it then is.

Such a step names the facts that may be otherwise afterwards (`zones`). What is told of them must go together: no
card is lost, none comes from a place that isn't named.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.game import Refusal
from companion.games.three_kings import cards, unseen
from companion.games.three_kings.cards import FACTIONS
from companion.games.three_kings.guards import ACTION_CARDS, bad_line, elsewhere, not_a_card, not_a_character
from companion.games.three_kings.piles import freed, lies_open, possible, scored
from companion.games.three_kings.state import THRONES, State
from companion.games.three_kings.unseen import DECK, DISCARDS, INFIRMARY, hand, intrigue

MOST_POINTS = 999


class Table(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How facts stand after an effect by hand, in their shape; of those by player or faction only what is new."""

    thrones: tuple[str, str, str] | None = None
    counselors: dict[str, int | None] | None = None
    first: str | None = None
    vp: dict[str, int] | None = None
    hands: dict[str, int] | None = None
    deck: int | None = None
    discards: int | None = None
    infirmary: int | None = None
    intrigue: tuple[int, int, int] | None = None
    past: dict[str, int] | None = None
    action_deck: int | None = None


ZONES = Table.__struct_fields__
"""What a step by hand may name."""
_PILES = ("hands", "deck", "discards", "infirmary", "intrigue")


def taken(state: State, zones: tuple[str, ...], told: Mapping[str, Any]) -> State | Refusal:
    """The state with what was told of the table, or what can't be so."""
    strange = [key for key in told if key not in zones]
    if strange:
        return Refusal("not-allowed", ACTION_CARDS, {"strange": strange, "zones": list(zones)}, "not-named")
    try:
        table = msgspec.convert(told, Table)
    except msgspec.ValidationError as error:
        return bad_line(f"table: {error}")
    return (
        _wrong_names(state, table)
        or _wrong_numbers(state, table)
        or _seated(_counted(state, table), state, _named(state, zones), table)
    )


def finished(state: State, zones: tuple[str, ...]) -> State:
    """The state when all is done: cards may have gone to and fro between the named piles, whatever was told."""
    return replace(state, unseen=unseen.mixed(state.unseen, _named(state, zones)))


def changes(state: State, zones: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """What may have been done, one thing at a time: a card from pile to pile, a point, a Counselor, the lead."""
    piles = [pile for pile in _each_pile(state) if pile[0] in zones]
    for source in piles:
        for goal in piles:
            if source != goal and _held(state, source):
                yield _joined(_with(state, source, -1), _with(state, goal, 1), state)
    names = [seat.name for seat in state.seats]
    if "counselors" in zones:
        yield from ({"counselors": {name: None}} for name, at in zip(names, state.counselors, strict=True) if at)
    if "first" in zones:
        yield from ({"first": name} for seat, name in enumerate(names) if seat != state.first)
    if "vp" in zones:
        for faction, points in zip(FACTIONS, state.vp, strict=True):
            yield from ({"vp": {faction: points + more}} for more in (1, -1))


def _wrong_names(state: State, table: Table) -> Refusal | None:
    names = [seat.name for seat in state.seats]
    told = [*(table.counselors or {}), *(table.hands or {}), *(table.past or {})]
    nobody = [name for name in told + [table.first or ""] * (table.first is not None) if name not in names]
    if nobody:
        return bad_line(f"table: {', '.join(nobody)}: there are {', '.join(names)}")
    strange = [faction for faction in table.vp or {} if faction not in FACTIONS]
    if strange:
        return bad_line(f"table, vp: {', '.join(strange)}: there are {', '.join(FACTIONS)}")
    for throne in (table.counselors or {}).values():
        if throne is not None and not 1 <= throne <= THRONES:
            return Refusal("wrong-target", ACTION_CARDS, {"throne": throne, "n": THRONES}, "no-such-throne")
    for card in table.thrones or ():
        found = cards.find(card)
        if found is None:
            return not_a_card(card)
        if not found.is_character:
            return not_a_character(card, ACTION_CARDS)
    return None


def _wrong_numbers(state: State, table: Table) -> Refusal | None:
    after = _counted(state, table)
    numbers = [*after.hands, after.deck, after.discards, after.infirmary, *after.intrigue, after.action_deck]
    numbers += (table.past or {}).values()
    if min(numbers) < 0 or any(abs(points) > MOST_POINTS for points in after.vp):
        return bad_line(f"table: a number below 0, or more than {MOST_POINTS} points")
    there, then = _characters(state), _characters(after)
    if there != then:
        return Refusal("wrong-count", ACTION_CARDS, {"n": there, "count": then}, "cards-by-hand")
    there, then = _action_cards(state), _action_cards(after)
    if then > there:
        return Refusal("wrong-count", ACTION_CARDS, {"n": there, "count": then}, "actions-by-hand")
    return None


def _characters(state: State) -> int:
    return sum(state.hands) + state.deck + state.discards + state.infirmary + sum(state.intrigue)


def _action_cards(state: State) -> int:
    return sum(map(len, state.past)) + state.action_deck


def _counted(state: State, table: Table) -> State:
    """The state with all that is only counted."""
    names = [seat.name for seat in state.seats]
    hands, past, vp = table.hands or {}, table.past or {}, table.vp or {}
    more = tuple(vp.get(faction, points) - points for faction, points in zip(FACTIONS, state.vp, strict=True))
    return replace(
        scored(state, more),
        first=state.first if table.first is None else names.index(table.first),
        hands=tuple(hands.get(name, number) for name, number in zip(names, state.hands, strict=True)),
        deck=state.deck if table.deck is None else table.deck,
        discards=state.discards if table.discards is None else table.discards,
        infirmary=state.infirmary if table.infirmary is None else table.infirmary,
        intrigue=table.intrigue or state.intrigue,
        past=tuple(_pile(past.get(name), pile) for name, pile in zip(names, state.past, strict=True)),
        action_deck=state.action_deck if table.action_deck is None else table.action_deck,
    )


def _pile(number: int | None, pile: tuple[str, ...]) -> tuple[str, ...]:
    """Past Actions of so many cards; nobody knows which, unless nothing is told of them."""
    return pile if number is None else ("",) * number


def _seated(state: State, before: State, places: tuple[int, ...], table: Table) -> State | Refusal:
    """The state with who sits on the Thrones, and where the Counselors stand."""
    pool = unseen.mixed(state.unseen, places)
    thrones = _sitting(table.thrones or before.thrones, before.thrones)
    gone, came = list(before.thrones), []
    for card in thrones:
        if card in gone:
            gone.remove(card)
        else:
            came.append(card)
    for card in gone:
        pool = unseen.put_anywhere(pool, card, places)
    for card in came:
        left = None if lies_open(before, card) and card not in gone else unseen.take_anywhere(pool, card, places)
        if left is None:
            return elsewhere(before, card, ACTION_CARDS, "by-hand")
        pool = left
    after = replace(state, unseen=pool, thrones=thrones)
    for throne, (old, new) in enumerate(zip(before.thrones, thrones, strict=True), 1):
        after = after if old == new else freed(after, throne)
    told = table.counselors or {}
    names = [seat.name for seat in state.seats]
    counselors = tuple(told.get(name, at) or 0 for name, at in zip(names, after.counselors, strict=True))
    after = replace(after, counselors=counselors)
    if not possible(after):
        return Refusal("card-elsewhere", ACTION_CARDS, {"cards": came}, "cards-elsewhere")
    return after


def _sitting(told: tuple[str, ...], before: tuple[str, ...]) -> tuple[str, ...]:
    """The cards told for the Thrones, where one sat there before by the name that it had: facts tell no copies."""
    found, left = list(told), list(before)
    for index, card in sorted(enumerate(told), key=lambda one: cards.name_of(one[1]) != cards.name_of(before[one[0]])):
        same = [old for old in (before[index], *left) if old in left and (old == card or _bare(old, card))]
        if same:
            found[index] = same[0]
            left.remove(same[0])
    return tuple(found)


def _bare(one: str, other: str) -> bool:
    """Whether one of two cards is named without its copy, and may be the other."""
    return cards.name_of(one) == other or one == cards.name_of(other)


def _named(state: State, zones: tuple[str, ...]) -> tuple[int, ...]:
    return tuple(place for name, place in _each_place(state) if name in zones)


def _each_place(state: State) -> Iterator[tuple[str, int]]:
    yield from (("hands", hand(seat)) for seat in range(len(state.seats)))
    yield from (("deck", DECK), ("discards", DISCARDS), ("infirmary", INFIRMARY))
    yield from (("intrigue", intrigue(throne)) for throne in range(1, THRONES + 1))


def _each_pile(state: State) -> Iterator[tuple[str, int]]:
    """Each pile of Characters: its fact, and which one of several."""
    for name in _PILES:
        yield from ((name, index) for index in range({"hands": len(state.seats), "intrigue": THRONES}.get(name, 1)))


def _held(state: State, pile: tuple[str, int]) -> int:
    name, index = pile
    found = getattr(state, name)
    return int(found[index] if isinstance(found, tuple) else found)


def _with(state: State, pile: tuple[str, int], more: int) -> dict[str, Any]:
    name, index = pile
    number = _held(state, pile) + more
    if name == "hands":
        return {name: {state.seats[index].name: number}}
    return (
        {name: (*state.intrigue[:index], number, *state.intrigue[index + 1 :])}
        if name == "intrigue"
        else {name: number}
    )


def _joined(one: dict[str, Any], other: dict[str, Any], state: State) -> dict[str, Any]:
    """Both changes of a table; two of the same fact go together."""
    for name in one.keys() & other.keys():
        if name == "hands":
            return {name: {**one[name], **other[name]}}
        return {name: tuple(a + b - now for a, b, now in zip(one[name], other[name], state.intrigue, strict=True))}
    return {**one, **other}

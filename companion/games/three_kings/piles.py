"""Cards that go from pile to pile, seen or unseen, and the counts that go with them."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.three_kings import cards, unseen
from companion.games.three_kings.cards import EYE
from companion.games.three_kings.state import EYE_WINS_AT, State
from companion.games.three_kings.unseen import DECK, DISCARDS, INFIRMARY, hand

Draws = tuple[tuple[int, int], ...]
"""Draws from the Character deck: the place that cards go to, and how many."""


def sizes(state: State) -> tuple[int, ...]:
    """How many cards lie at each place, in the order of `unseen.py`."""
    none = (0,) * (unseen.SEATS - len(state.seats))
    boards = tuple(sum(spaces) for spaces in state.spaces)
    return (state.deck, state.discards, state.infirmary, *state.intrigue, *state.hands, *none, *boards, *none)


def size(state: State, place: int) -> int:
    """How many cards lie at a place."""
    return sizes(state)[place]


def resized(state: State, place: int, more: int) -> State:
    """The state with more (or fewer) cards at a place that is no board; the spaces of those are set one by one."""
    if place == DECK:
        return replace(state, deck=state.deck + more)
    if place == DISCARDS:
        return replace(state, discards=state.discards + more)
    if place == INFIRMARY:
        return replace(state, infirmary=state.infirmary + more)
    seat = unseen.seat_of_hand(place)
    if seat is None:
        return replace(state, intrigue=added(state.intrigue, place - unseen.intrigue(1), more))
    return replace(state, hands=added(state.hands, seat, more))


def transfer(state: State, source: int, goal: int, number: int) -> State:
    """The state after so many cards went from one place to another, and nobody saw which."""
    if not number or source == goal:
        return state
    after = resized(resized(state, source, -number), goal, number)
    return replace(after, unseen=unseen.moved(state.unseen, source, goal, size(after, source)))


def laid_down(state: State, card: str, place: int) -> State:
    """The state after an open card was laid face down, or taken into a hand."""
    return replace(resized(state, place, 1), unseen=unseen.put(state.unseen, card, place))


def lies_open(state: State, card: str) -> bool:
    """Whether this very copy lies on a Throne or before a player; a bare name is no very copy."""
    return card != cards.name_of(card) and card in (*state.thrones, *state.shown)


def shown_from(state: State, card: str, place: int) -> State | None:
    """The state after a card of a place was shown and lies open now; None if it can't be the place's."""
    pool = None if lies_open(state, card) else unseen.take(state.unseen, card, place)
    if pool is None:
        return None
    after = resized(state, place, -1)
    return replace(after, unseen=pool if size(after, place) else unseen.emptied(pool, place))


def possible(state: State) -> bool:
    """Whether all that the table has shown goes together."""
    return unseen.fits(state.unseen, sizes(state))


def drawn(state: State, draws: Draws) -> State:
    """The state after draws from the Character deck; what waits for a Count of the Fallen is `pending`.

    With nothing left to draw at all the draws end.
    """
    left = list(draws)
    while left:
        goal, number = left[0]
        now = min(number, state.deck)
        state = transfer(state, DECK, goal, now)
        if now < number:
            if not state.infirmary + state.discards:
                return replace(state, pending=())
            return replace(state, pending=((goal, number - now), *left[1:]))
        left.pop(0)
    return replace(state, pending=())


def scored(state: State, points: tuple[int, ...]) -> State:
    """The state after factions won or lost points; there is no floor."""
    vp = tuple(old + more for old, more in zip(state.vp, points, strict=True))
    return replace(state, vp=vp, eye_reached=state.eye_reached or vp[EYE] >= EYE_WINS_AT)


def freed(state: State, throne: int) -> State:
    """The state after the card of a Throne was removed: the Counselors on it go back to their players."""
    return replace(state, counselors=tuple(0 if at == throne else at for at in state.counselors))


def into_hand(state: State, card: str, seat: int) -> State:
    """The state after an open card was taken into a hand."""
    return laid_down(state, card, hand(seat))


def put(row: tuple, index: int, value: object) -> tuple:  # type: ignore[type-arg]
    """A row with one value replaced."""
    return (*row[:index], value, *row[index + 1 :])


def added(row: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    """A row with one number increased."""
    return (*row[:index], row[index] + more, *row[index + 1 :])

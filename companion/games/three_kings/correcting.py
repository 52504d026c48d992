"""Taking the table as it lies, because people say that it is right."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.box import PieceId
from companion.core.game import Event, Refusal, Step
from companion.core.table import Difference, ZoneId
from companion.games.three_kings import cards, unseen, zones
from companion.games.three_kings.box import BACK, TURN
from companion.games.three_kings.cards import EYE, FACTIONS
from companion.games.three_kings.piles import put, scored, sizes
from companion.games.three_kings.state import EYE_WINS_AT, FIRST_CARD, State

CORRECTIONS = "corrections"


def accept(state: State, difference: Difference) -> Step | Refusal:
    """The state in which the rules expect the table as it lies.

    Markers, the First Player card and Counselors count where they are, and a Throne has the card that lies on it. Cards
    that lie face down aren't taken as they lie: whose they were only people know.
    """
    changes = list(_changes(difference))
    if state.phase == "over" or state.counting:
        return _not(changes[0][0] if changes else "", "accept-not-now")
    after = state
    for piece, home, where in changes:
        if piece.startswith(BACK):
            return _not(piece, "accept-face-down")
        if where is None:
            return _not(piece, "accept-beside")
        if home is None:
            continue
        changed = _put(after, piece, where)
        if isinstance(changed, Refusal):
            return changed
        after = changed
    crowned = _crowned(after, difference)
    if isinstance(crowned, Refusal):
        return crowned
    return Step(crowned, (Event("corrected", {"what": [piece for piece, _, _ in changes]}),))


def _changes(difference: Difference) -> Iterator[tuple[PieceId, ZoneId | None, ZoneId | None]]:
    """Piece by piece, where the rules expect it and where it lies; an exchanged Throne is told by its new card."""
    crowned = set(difference.extra.values())
    yield from (
        (piece, home, None)
        for piece, home in difference.missing.items()
        if not (home.startswith("throne/") and home in crowned)
    )
    yield from (
        (piece, home, where)
        for piece, (home, where) in difference.moved.items()
        if not (home.startswith("throne/") and home in crowned and where is None)
    )
    yield from ((piece, None, where) for piece, where in difference.extra.items())


def _put(state: State, piece: PieceId, where: ZoneId) -> State | Refusal:
    """The state with one thing in another place than expected."""
    place, _, rest = where.partition("/")
    if piece == FIRST_CARD:
        seat = next((n for n, seat in enumerate(state.seats) if zones.first(seat.guild) == where), None)
        return _not(piece, "accept-beside") if seat is None else replace(state, first=seat)
    if piece == TURN:
        return _not(piece, "accept-turn")
    if piece.startswith("counselor-"):
        seat = next(n for n, seat in enumerate(state.seats) if seat.counselor == piece)
        if place != "counselors" and where != zones.home(state.seats[seat].guild):
            return _not(piece, "accept-beside")
        throne = int(rest) if place == "counselors" else 0
        return replace(state, counselors=put(state.counselors, seat, throne))
    if place == "vp":
        faction, _, number = rest.rpartition("/")
        index = FACTIONS.index(faction)
        more = tuple((int(number) - state.vp[index]) * (one == index) for one in range(len(FACTIONS)))
        after = scored(state, more)
        # Fifteen points that were never there haven't been reached.
        wrong = state.vp[EYE] >= EYE_WINS_AT > after.vp[EYE]
        return replace(after, eye_reached=after.eye_reached and not wrong)
    return _not(piece, "accept-card")


def _crowned(state: State, difference: Difference) -> State | Refusal:
    """The state with the cards that lie on Thrones now; what was concluded of hidden ones is forgotten."""
    thrones = list(state.thrones)
    left = {**difference.missing, **{piece: home for piece, (home, _) in difference.moved.items()}}
    for piece, zone in difference.extra.items():
        if not zone.startswith("throne/") or zone not in left.values() or not cards.known(piece).is_character:
            return _not(piece, "accept-card")
        thrones[int(zone.rpartition("/")[2]) - 1] = piece
    if tuple(thrones) == state.thrones:
        return state
    open_cards = (*thrones, *(card for card in state.shown if card))
    pool = unseen.all_but(open_cards, [place for place, number in enumerate(sizes(state)) if number])
    if isinstance(pool, str):
        return _not(pool, "accept-twice")
    after = replace(state, thrones=tuple(thrones), unseen=pool)
    return after if unseen.fits(pool, sizes(after)) else _not(thrones[0], "accept-twice")


def _not(piece: PieceId, wording: str) -> Refusal:
    return Refusal("not-allowed", CORRECTIONS, {"card": piece}, wording)

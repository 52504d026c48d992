"""Settling: from a table that was seen to moves and disputes.

Levels are compared, never edges: what counts is only how the table lies now against what the rules expect now. So
missed frames, hands, restarts and bumped cameras heal by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec

from companion.core.box import Box, PieceId
from companion.core.game import Dispute, Event, Game, Refusal
from companion.core.table import Difference, Layout, Observation, Stranger, ZoneId, compare

S = TypeVar("S")
M = TypeVar("M")

MOST_MOVES = 200
"""More moves than this in one look are a bug of a game, not haste of its players."""

TakenBack = Mapping[PieceId, ZoneId | None]
"""Pieces whose move was undone, with the zone in which they must not count again (None: being away)."""


class Settled(msgspec.Struct, frozen=True):
    """What one look at the table led to.

    Attributes:
        state: the state after all legal changes.
        moves: the moves made, each with what it announced, in order.
        states: the state after each of these moves.
        disputes: what is left over and breaks a rule.
        difference: what is left over.
    """

    state: Any
    moves: tuple[tuple[Any, tuple[Event, ...]], ...]
    states: tuple[Any, ...]
    disputes: tuple[Dispute, ...]
    difference: Difference


def settle(
    game: Game[S, M],
    state: S,
    seen: Observation,
    taken_back: TakenBack | None = None,
) -> Settled:
    """Applies all legal changes that the table shows; the rest becomes disputes.

    Args:
        game: the rules.
        state: the state before the look.
        seen: the table at rest.
        taken_back: pieces whose place was undone; there they are disputed until they leave it.

    Raises:
        RuntimeError: the game explains the same difference for ever.
    """
    moves: list[tuple[Any, tuple[Event, ...]]] = []
    states: list[Any] = []
    for _ in range(MOST_MOVES):
        layout = game.layout(state)
        whole = compare(layout, seen, game.box)
        difference, returned = _without(whole, taken_back or {}, layout, game.box)
        reading = game.interpret(state, difference, seen) if difference else ()
        if isinstance(reading, tuple):
            strange = tuple(_strange(stranger) for stranger in difference.strangers)
            return Settled(state, tuple(moves), tuple(states), (*returned, *reading, *strange), difference)
        step = game.apply(state, reading)
        if isinstance(step, Refusal):
            raise RuntimeError(f"{game.id}: interpreted {reading!r}, which its own rules refuse: {step!r}")
        moves.append((reading, step.events))
        state = step.state
        states.append(state)
    raise RuntimeError(f"{game.id}: {MOST_MOVES} moves in one look: {[move for move, _ in moves[-3:]]!r} ...")


def still_taken_back(game: Game[S, M], state: S, taken_back: TakenBack, seen: Observation) -> TakenBack:
    """The undone places that the table still shows, or may show under a hand.

    A piece is free again once it was seen to leave its place or to come back, or once the rules expect it there. One
    that nobody has seen since, as after a restart, has not come back.
    """
    where = {sighting.piece: sighting.zone for sighting in seen.sightings}
    plain = seen.in_sight
    layout = game.layout(state)
    whole = compare(layout, seen, game.box)
    left: dict[PieceId, ZoneId | None] = {}
    for piece, zone in taken_back.items():
        if zone is None:
            free = piece not in whole.missing and (piece in where or not _lacking(layout, where, piece, game.box))
        else:
            away = (piece in where and where[piece] != zone) or seen.gone.get(piece) == zone
            # One of several copies is expected by its name only.
            right = piece in plain and piece not in whole.extra and piece not in whole.moved
            free = away or right or (piece, zone) in layout.expected
        if not free:
            left[piece] = zone
    return left


def _lacking(layout: Layout, where: Mapping[PieceId, ZoneId | None], piece: PieceId, box: Box) -> bool:
    """Whether a piece of its name is expected somewhere and none lies there."""
    names = (piece, box.name_of(piece))
    wanted = Counter(zone for name, zone in layout.expected if name in names)
    return bool(wanted - Counter(zone for one, zone in where.items() if zone and box.name_of(one) == names[1]))


def redone_places(game: Game[S, M], state: S, taken_back: TakenBack, seen: Observation) -> TakenBack:
    """What is still taken back in the state after a move was made again: all that would be a move, or is wrong."""
    settled = settle(game, state, seen)
    if settled.moves:
        return taken_back
    wrong = {dispute.piece for dispute in settled.disputes}
    plain = seen.in_sight
    return {piece: zone for piece, zone in taken_back.items() if piece in wrong or piece not in plain}


def undone_places(
    game: Game[S, M], undone: S, kept: S, seen: Observation, taken_back: TakenBack
) -> dict[PieceId, ZoneId | None]:
    """What is taken back from now on: with what is so already, all that lies on the table because of an undone move.

    Args:
        game: the rules.
        undone: the state that the move had led to.
        kept: the state before it, which is in force again.
        seen: the table.
        taken_back: what is taken back already.
    """
    before, after = game.layout(kept).expected, game.layout(undone).expected
    places: dict[PieceId, ZoneId | None] = {
        piece: zone for piece, zone in after if (piece, zone) not in before and piece in game.box.pieces
    }
    then, now = (compare(game.layout(state), seen, game.box) for state in (undone, kept))
    places |= {piece: zone for piece, zone in now.extra.items() if piece not in then.extra}
    places |= {piece: where for piece, (_, where) in now.moved.items() if where and piece not in then.moved}
    places |= {piece: None for piece in now.missing if piece not in then.missing}
    places = {**taken_back, **places}
    if settle(game, kept, seen, places).states[:1] == (undone,):
        # What told of the move isn't where it is expected after it either, as a card that was turned up on its deck.
        places |= now.extra
        places |= {piece: where for piece, (_, where) in now.moved.items() if where}
        places |= dict.fromkeys(now.missing)
    return places


def _without(
    whole: Difference, taken_back: TakenBack, layout: Layout, box: Box
) -> tuple[Difference, tuple[Dispute, ...]]:
    extra, missing, moved = dict(whole.extra), dict(whole.missing), dict(whole.moved)
    disputes = []
    for piece, zone in taken_back.items():
        if zone is not None and extra.get(piece) == zone:
            del extra[piece]
            refusal = _refusal("taken-back", piece, zone, layout.expected, box)
            disputes.append(Dispute(piece, zone, None, refusal))
        elif zone is None and piece in missing:
            home = missing.pop(piece)
            refusal = _refusal("put-back", piece, home, whole.extra.items(), box)
            disputes.append(Dispute(piece, None, home, refusal))
        elif zone is not None and piece in moved and moved[piece][1] == zone:
            home, _ = moved.pop(piece)
            refusal = _refusal("put-back", piece, home, whole.extra.items(), box)
            disputes.append(Dispute(piece, zone, home, refusal))
    return Difference(extra, missing, moved, whole.strangers), tuple(disputes)


def _refusal(wording: str, piece: PieceId, zone: ZoneId, backs_in: Iterable[tuple[str, ZoneId]], box: Box) -> Refusal:
    """What to do with a piece whose move was undone.

    Args:
        wording: of a piece that is laid and taken up.
        piece: which one.
        zone: where it lies, or belongs.
        backs_in: names of pieces with zones, among them that of its back if it was, or is to be, turned over there.
        box: the pieces.
    """
    known = box.pieces.get(piece)
    if known and known.two_sided and not known.alike:
        backs = {name for one in box.pieces.values() if one.alike and one.two_sided for name in (one.id, one.name)}
        # Backs without tags are in no layout; pieces that have such are always turned over where they lie.
        if not backs or any(name in backs and where == zone for name, where in backs_in):
            wording += "-turned"
    return Refusal("not-now", "takeback", {"card": piece, "zone": zone}, wording)


def _strange(stranger: Stranger) -> Dispute:
    refusal = Refusal("unknown-card", "tags", {"text": stranger.text, "zone": stranger.zone}, f"tag-{stranger.kind}")
    return Dispute(stranger.text, stranger.zone, None, refusal)

"""What a difference on the table means: the next legal move, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.box import PieceId
from companion.core.game import Dispute, Refusal
from companion.core.table import Difference, Observation, ZoneId
from companion.games.storytelling.box import CELLS, CLOCK, HARE, TORTOISE
from companion.games.storytelling.grid import cell_in, name_of
from companion.games.storytelling.moves import Blow, Cell, Flip, Move, ShuffleBack, TurnDown, Turned
from companion.games.storytelling.rules import FLIPPING, TIDYING, TWO, apply, two_at_once
from companion.games.storytelling.state import BLOW, SHUFFLE_BACK, State
from companion.games.storytelling.tales import BLEW
from companion.games.storytelling.zones import layout

FIGURES = (CLOCK, HARE, TORTOISE)
HEAD_START_S = 1.5
"""A tile that is seen so much earlier than another was turned first. What is nearer may have come together: a hand
that draws back uncovers the one before the other. So while the table is restless a tile is waited with for as long."""
TOGETHER_S = 0.4
"""A tile that is seen within so short a time of one that counts already was turned at the same time."""

Reading = Move | tuple[Dispute, ...]


def interpret(state: State, difference: Difference, seen: Observation) -> Reading:
    """The next legal move that explains a part of the difference, or all its disputes."""
    phase = state.phase
    if phase == "over":
        return ()
    move: Move | None = None
    if phase == "flip":
        move = _flip(state, difference, seen)
    elif phase == "tidy":
        move = _tidied(state, difference, seen)
    return move or tuple(_disputes(state, difference, seen))


def empty_cells(seen: Observation) -> tuple[str, ...]:
    """Names of the cells in which no tile lies: their markers show."""
    found = {cell_in(s.zone) for s in seen.sightings if s.piece in CELLS and not s.hidden}
    return tuple(name_of(cell) for cell in sorted(cell for cell in found if cell))


def tiles_up(seen: Observation) -> tuple[Cell, ...]:
    """Cells in which a tile lies face up, or is believed to."""
    found = {cell_in(s.zone) for s in seen.sightings if s.piece not in CELLS}
    return tuple(sorted(cell for cell in found if cell))


def still_up(state: State, difference: Difference) -> tuple[str, ...]:
    """Names of the cells whose tiles have not gone back yet."""
    return tuple(name_of(cell) for cell, tile in state.up if state.story.piece(tile) not in difference.missing)


def displaced(state: State, seen: Observation) -> Mapping[PieceId, ZoneId]:
    """The figures that are seen elsewhere than they belong, or nowhere, with their places."""
    homes = {piece: zone for piece, zone in layout(state).expected if piece in FIGURES}
    return {piece: zone for piece, zone in homes.items() if seen.zone_of(piece) != zone}


def _flip(state: State, difference: Difference, seen: Observation) -> Flip | None:
    """The tile that was turned up, if it was one, or if one came plainly before the others."""
    turned = _turned(state, difference)
    if not turned:
        return None
    since = {sighting.piece: sighting.since_s for sighting in seen.sightings}
    order = sorted(turned, key=lambda piece: since[piece])
    first = order[0]
    if len(order) > 1 and since[order[1]] - since[first] < HEAD_START_S:
        return None
    if _together_with_last(state, first, seen):
        return None
    if seen.restless and seen.at_s - since[first] < HEAD_START_S:
        return None
    one = turned[first]
    move = Flip(one.cell, one.tile, state.players[state.active])
    return None if isinstance(apply(move, state), Refusal) else move


def _together_with_last(state: State, piece: PieceId, seen: Observation) -> bool:
    """Whether a tile was turned together with one that counts already: then it is the later of two at once."""
    since = {sighting.piece: sighting.since_s for sighting in seen.sightings if sighting.since_s}
    up = [since[name] for _, tile in state.up if (name := state.story.piece(tile)) in since]
    return piece in since and any(abs(since[piece] - at_s) < TOGETHER_S for at_s in up)


def _turned(state: State, difference: Difference) -> dict[PieceId, Turned]:
    """The tiles of this tale that lie face up and were face down before."""
    found = {}
    for piece, zone in difference.extra.items():
        cell, tile = cell_in(zone), None if piece in (*CELLS, *FIGURES) else state.story.tile_of(piece)
        if cell and tile:
            found[piece] = Turned(cell, tile)
    return found


def _tidied(state: State, difference: Difference, seen: Observation) -> Move | None:
    """All tiles have gone back as they have to."""
    left = still_up(state, difference)
    if state.tidy == BLOW:
        return _blown(state, difference, seen)
    if left:
        return None
    if state.tidy == SHUFFLE_BACK:
        lifted = any(piece in CELLS for piece in difference.extra)
        return None if lifted else ShuffleBack()
    return TurnDown()


def _blown(state: State, difference: Difference, seen: Observation) -> Blow | None:
    """BLEW lies face up in another cell, and none of the others face up."""
    piece = state.story.piece(BLEW)
    others = {state.story.piece(tile) for _, tile in state.up if tile != BLEW}
    # That the others were seen to go is not asked: after a cut nobody has seen them lie there.
    if piece not in difference.moved or others & {sighting.piece for sighting in seen.sightings}:
        return None
    cell = cell_in(difference.moved[piece][1])
    move = Blow(cell) if cell else None
    return move if move and not isinstance(apply(move, state), Refusal) else None


def _disputes(state: State, difference: Difference, seen: Observation) -> Iterator[Dispute]:
    turned = _turned(state, difference)
    crowd = len(turned) > 1 or any(_together_with_last(state, piece, seen) for piece in turned)
    together = two_at_once(tuple(turned.values())) if state.phase == "flip" and crowd else None
    for piece, zone in difference.extra.items():
        refusal = _extra(state, piece, zone, turned, together)
        if refusal:
            yield Dispute(piece, zone, None, refusal)
    for piece, zone in difference.missing.items():
        refusal = _missing(state, piece, zone)
        if refusal:
            yield Dispute(piece, None, zone, refusal)
    for piece, (home, where) in difference.moved.items():
        refusal = _moved(state, piece, home, where)
        if refusal:
            yield Dispute(piece, where, home, refusal)


def _extra(
    state: State, piece: PieceId, zone: ZoneId, turned: Mapping[PieceId, Turned], together: dict[str, object] | None
) -> Refusal | None:
    if piece in CELLS:
        empty = {"cell": zone.partition("/")[2]}
        return Refusal("wrong-place", FLIPPING, empty, "empty-cell") if state.phase == "flip" else None
    if piece not in turned:
        return Refusal("unknown-card", "components", {"card": piece}, "other-tale")
    if together:
        return Refusal("two-at-once", TWO, together)
    one = turned[piece]
    result = apply(Flip(one.cell, one.tile), state)
    return result if isinstance(result, Refusal) else None


def _missing(state: State, piece: PieceId, zone: ZoneId) -> Refusal | None:
    if piece in FIGURES:
        return _figure(state, piece, zone)
    if state.phase == "flip":
        return Refusal("not-now", TIDYING, _where(state, piece, zone), "turned-back")
    if state.tidy == BLOW and state.story.tile_of(piece) == BLEW:
        return Refusal("must-do", BLOW, _where(state, piece, zone), "blew-down")
    return None


def _moved(state: State, piece: PieceId, home: ZoneId, where: ZoneId | None) -> Refusal | None:
    if piece in FIGURES:
        return _figure(state, piece, home)
    if state.phase == "flip":
        return Refusal("wrong-place", TIDYING, _where(state, piece, home), "slipped")
    cell = cell_in(where)
    if cell is None:
        return None  # it is being carried
    if state.tidy == BLOW and state.story.tile_of(piece) == BLEW:
        result = apply(Blow(cell), state)
        return result if isinstance(result, Refusal) else None
    return Refusal("wrong-place", TIDYING, _where(state, piece, home) | {"seen": where}, f"moved-{state.tidy}")


def _figure(state: State, piece: PieceId, home: ZoneId) -> Refusal | None:
    """A figure's place is minded while a turn runs; before, the page says where it belongs."""
    if state.phase != "flip":
        return None
    return Refusal("wrong-place", "figures", {"figure": piece, "zone": home}, "figure")


def _where(state: State, piece: PieceId, zone: ZoneId) -> dict[str, object]:
    tile = state.story.tile_of(piece) or piece
    return {"tile": state.story.label(tile), "blew": state.story.label(BLEW), "cell": zone.partition("/")[2]}

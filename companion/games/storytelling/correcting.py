"""Taking the table as it lies, because people say that it is right."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.core.box import PieceId
from companion.core.game import Event, Refusal, Step
from companion.core.messages import Message
from companion.core.table import Difference, ZoneId
from companion.games.storytelling.box import CELLS, CLOCK, HARE, TORTOISE
from companion.games.storytelling.grid import cell_in
from companion.games.storytelling.moves import Cell, Flip
from companion.games.storytelling.rules import apply
from companion.games.storytelling.setup import SQUARES
from companion.games.storytelling.state import TURN_DOWN, State
from companion.games.storytelling.zones import square, stroke

CORRECTIONS = "corrections"
FIGURES = {CLOCK: "clock", HARE: "hare", TORTOISE: "tortoise"}
"""Pieces that count something, with the field of the state that says how much."""


def accept(state: State, difference: Difference) -> Step | Refusal:
    """The state in which the rules expect the table as it lies.

    Figures count where they stand. Tiles that moved have changed places with what lay there; those that were turned
    back are down; those that were turned up count one after the other, the ones that the card asks for first. What is
    remembered of them gives way.
    """
    if state.phase == "over":
        return _not("", "accept-not-now")
    after = state
    for piece, home, where in _changes(difference):
        changed: State | Refusal = after
        if piece in FIGURES:
            changed = _figure(after, piece, where)
        elif home is not None and state.phase in ("flip", "tidy"):
            changed = _moved(after, piece, home, where, piece in difference.missing)
        if isinstance(changed, Refusal):
            return changed
        after = changed
    turned = _turned(after, difference)
    if isinstance(turned, Refusal):
        return turned
    what = [_label(state, piece) for piece, _, _ in _changes(difference)]
    corrected = Event("corrected", {"by": state.players[state.active], "what": what})
    return _flipped(after, turned, (corrected,))


def _changes(difference: Difference) -> Iterator[tuple[PieceId, ZoneId | None, ZoneId | None]]:
    """Piece by piece, where the rules expect it and where it lies."""
    yield from ((piece, home, None) for piece, home in difference.missing.items())
    yield from ((piece, home, where) for piece, (home, where) in difference.moved.items())
    yield from ((piece, None, where) for piece, where in difference.extra.items())


def _figure(state: State, piece: PieceId, where: ZoneId | None) -> State | Refusal:
    zone_of = (lambda n: stroke(n, state.clock_positions)) if piece == CLOCK else square
    number = next((n for n in range(max(state.clock_positions, SQUARES)) if zone_of(n) == where), None)
    if number is None:
        return _not(piece, "accept-beside")
    if piece != CLOCK and number >= state.finish:
        return _not(piece, "accept-figure-end")
    return replace(state, **{FIGURES[piece]: number})


def _moved(state: State, piece: PieceId, home: ZoneId, where: ZoneId | None, missing: bool) -> State | Refusal:
    """After a face-up tile was turned back, or lies in another cell."""
    tile, cell, goal = state.story.tile_of(piece), cell_in(home), cell_in(where)
    if state.tidy and state.tidy != TURN_DOWN:
        return _not(piece, "accept-tidy")
    if missing:
        return replace(state, up=tuple(pair for pair in state.up if pair != (cell, tile)))
    if cell is None or goal is None:
        return _not(piece, "accept-beside")
    if state.is_up(goal):
        return _not(piece, "accept-full")
    up = tuple((goal, name) if where == cell else (where, name) for where, name in state.up)
    return replace(state, up=up, memory=state.memory.moved({cell: goal, goal: cell}))


def _turned(state: State, difference: Difference) -> list[tuple[Cell, str]] | Refusal:
    """The tiles that were turned up, the ones that the card asks for first."""
    turned: list[tuple[Cell, str]] = []
    for piece, zone in difference.extra.items():
        tile, cell = state.story.tile_of(piece), cell_in(zone)
        if piece in FIGURES:
            continue
        if piece in CELLS:
            return _not(piece, "accept-empty")
        if tile is None or cell is None:
            return _not(piece, "accept-other-tale")
        if state.phase not in ("flip", "tidy"):
            return _not(piece, "accept-not-now")
        if state.is_up(cell) or cell in dict(turned):
            return _not(piece, "accept-full")
        turned.append((cell, tile))
    wanted = state.shown.pictures[state.found :] if state.shown else ()
    return sorted(turned, key=lambda one: wanted.index(one[1]) if one[1] in wanted else len(wanted))


def _flipped(state: State, turned: list[tuple[Cell, str]], events: tuple[Event, ...]) -> Step | Refusal:
    """After these tiles were turned; once the turn is decided, those that are left only lie face up."""
    for cell, tile in turned:
        state = replace(state, memory=state.memory.corrected(cell, tile))
        if state.phase == "tidy":
            state = replace(state, up=(*state.up, (cell, tile)), memory=state.memory.seen(cell, tile))
        elif state.phase == "flip":
            step = apply(Flip(cell, tile), state)
            if isinstance(step, Refusal):
                return step
            state, events = step.state, (*events, *step.events)
    return Step(state, events)


def _label(state: State, piece: PieceId) -> Message | PieceId:
    tile = state.story.tile_of(piece)
    return state.story.label(tile) if tile else piece


def _not(piece: PieceId, wording: str) -> Refusal:
    return Refusal("not-allowed", CORRECTIONS, {"card": piece}, wording)

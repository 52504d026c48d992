"""The rules of Storytelling: what each move needs and what it leads to. Guards stand in rulebook order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import singledispatch

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.core.messages import Message, say
from companion.games.storytelling.grid import name_of
from companion.games.storytelling.moves import (
    Blow,
    Cell,
    Flip,
    FlipMany,
    Move,
    Retire,
    ShowCard,
    ShuffleBack,
    TurnDown,
    Turned,
)
from companion.games.storytelling.state import (
    BLOW,
    ENDS_AT,
    NEEDED,
    SHUFFLE_BACK,
    TORTOISE_STEP,
    TURN_DOWN,
    State,
)
from companion.games.storytelling.tales import BLEW

CARDS, FLIPPING, TIDYING, RETIRING = "cards", "flipping", "tidying", "retiring"
MEMORY, TWO = "memory", "one-at-a-time"


@singledispatch
def apply(move: Move, _state: State) -> Step | Refusal:
    """What a move leads to, or the first rule that forbids it."""
    raise TypeError(f"{move!r} is no move of Storytelling")


@apply.register
def _card(move: ShowCard, state: State) -> Step | Refusal:
    phase = state.phase
    if phase == "tidy":
        return Refusal("must-do", TIDYING, _tiles_up(state), f"card-{state.tidy}")
    if phase != "card":
        return Refusal("not-now", CARDS, _now(state), f"card-{phase}")
    number = state.unread[0]
    if move.number not in (0, number):
        return Refusal("wrong-card", CARDS, {"card": move.number, "next": number})
    after = replace(state, card=number, found=0, outcome=None, blown=None)
    return Step(after, (Event("card", {"card": number, "turn": state.players[state.active]}),))


@apply.register
def _flip(move: Flip, state: State) -> Step | Refusal:
    wrong = _wrong_cell(state, move.cell)
    if wrong:
        return wrong
    if state.story.tile(move.tile) is None:
        return Refusal("unknown-card", "components", {"card": move.tile}, "no-such-tile")
    if move.by and move.by not in state.players:
        return _nobody(state, move.by)
    what = {"tile": state.story.label(move.tile), "cell": name_of(move.cell)} | _now(state)
    if state.phase != "over" and move.by and move.by != state.players[state.active]:
        return Refusal("not-your-turn", FLIPPING, what | {"by": move.by})
    if state.phase != "flip":
        return Refusal("not-now", FLIPPING, what, f"flip-{state.phase}")
    if state.is_up(move.cell):
        return Refusal("already-up", FLIPPING, what)
    if move.tile not in state.memory.possible(move.cell):
        return Refusal("card-elsewhere", MEMORY, what | {"there": _remembered(state, move.cell, move.tile)})
    card = state.shown
    assert card is not None
    after = replace(state, up=(*state.up, (move.cell, move.tile)), memory=state.memory.seen(move.cell, move.tile))
    told = {"by": state.players[state.active], "tile": state.story.label(move.tile), "card": card.number}
    if move.tile != card.pictures[state.found]:
        return _failed(after, move.tile, told)
    after = replace(after, found=state.found + 1)
    if after.found < len(card.pictures):
        return Step(after, (Event("found", told | {"n": len(card.pictures) - after.found}),))
    return _won(after, told)


@apply.register
def _flip_many(move: FlipMany, state: State) -> Step | Refusal:
    if not move.flips:
        return Refusal("bad-line", "protocol", {"reason": "flips is empty; name the tiles that were seen"})
    if len(move.flips) == 1:
        only = move.flips[0]
        return apply(Flip(only.cell, only.tile, only.by), state)
    for one in move.flips:
        if wrong := _wrong_cell(state, one.cell):
            return wrong
    return Refusal("two-at-once", TWO, two_at_once(move.flips))


def two_at_once(flips: tuple[Turned, ...]) -> dict[str, object]:
    """Values for the words about tiles that were turned together."""
    return {"cells": [name_of(one.cell) for one in flips]}


@apply.register
def _turn_down(_move: TurnDown, state: State) -> Step | Refusal:
    refusal = _tidies(state, TURN_DOWN)
    return refusal or _next_turn(replace(state, up=(), tidy=None), ())


@apply.register
def _shuffle_back(_move: ShuffleBack, state: State) -> Step | Refusal:
    refusal = _tidies(state, SHUFFLE_BACK)
    if refusal:
        return refusal
    cells = tuple(cell for cell, _ in state.up)
    after = replace(state, up=(), tidy=None, memory=state.memory.mixed(cells))
    return _next_turn(after, (Event("shuffled", {"n": len(cells), "cells": [name_of(cell) for cell in cells]}),))


@apply.register
def _blow(move: Blow, state: State) -> Step | Refusal:
    refusal = _tidies(state, BLOW) or _wrong_cell(state, move.to)
    if refusal:
        return refusal
    found = next(((way, goals) for way, goal, goals in state.blows() if goal == move.to), None)
    if found is None:
        goals = [name_of(goal) for _, goal, _ in state.blows()]
        what = {"blew": state.story.label(BLEW), "cell": name_of(move.to), "cells": goals}
        return Refusal("wrong-place", BLOW, what, "blow-too-far")
    way, moved = found
    after = replace(state, up=(), tidy=None, memory=state.memory.moved(moved), blown=move.to)
    return _next_turn(after, (Event("blown", {"blew": state.story.label(BLEW), "way": way, "cell": name_of(move.to)}),))


@apply.register
def _retire(move: Retire, state: State) -> Step | Refusal:
    if move.by and move.by not in state.players:
        return _nobody(state, move.by)
    name = state.players[state.active]
    if state.mode != "midnight":
        return Refusal("not-now", RETIRING, {}, "retire-elsewhere")
    if state.phase != "over" and move.by and move.by != name:
        return Refusal("not-your-turn", RETIRING, {"by": move.by} | _now(state), "retire-not-your-turn")
    if state.phase != "retire":
        return Refusal("not-now", RETIRING, {"by": move.by or name} | _now(state), f"retire-{state.phase}")
    after = replace(state, asked=False)
    if not move.yes:
        return _pass_on(after, (Event("stays", {"by": name}),))
    after = replace(after, retired=(*state.retired, state.active))
    events = (Event("retired", {"by": name, "points": state.points(state.active)}),)
    if len(after.retired) == len(after.players):
        return _over(replace(after, ended=True), events)
    return _pass_on(after, events)


def legal_moves(state: State) -> Iterator[Move]:
    """All legal moves."""
    phase = state.phase
    by = state.players[state.active]
    if phase == "card":
        yield ShowCard(state.unread[0])
    elif phase == "flip":
        for cell in state.cells:
            if not state.is_up(cell):
                yield from (Flip(cell, tile, by) for tile in state.memory.possible(cell))
    elif phase == "retire":
        yield from (Retire(yes, by) for yes in (False, True))
    elif phase == "tidy" and state.tidy == TURN_DOWN:
        yield TurnDown()
    elif phase == "tidy" and state.tidy == SHUFFLE_BACK:
        yield ShuffleBack()
    elif phase == "tidy":
        yield from (Blow(to) for to in dict.fromkeys(goal for _, goal, _ in state.blows()))


def _won(state: State, told: dict[str, object]) -> Step:
    card, player = state.shown, state.active
    assert card is not None
    unread = tuple(number for number in state.unread if number != card.number)
    won, tortoise = state.won, state.tortoise
    if state.mode == "race":
        tortoise += TORTOISE_STEP
        events: tuple[Event, ...] = (
            Event("completed", told),
            Event("tortoise", {"square": min(tortoise, state.finish)}),
        )
    else:
        won = tuple((*cards, card.number) if seat == player else cards for seat, cards in enumerate(state.won))
        events = (Event("won", told | {"points": card.points, "n": card.points}),)
    after = replace(
        state, unread=unread, won=won, tortoise=tortoise, completed=state.completed + 1, outcome="won", tidy=TURN_DOWN
    )
    if after.tortoise >= after.finish if state.mode == "race" else after.completed >= ENDS_AT:
        return _over(after, events)
    return _turned_over(after, events)


def _failed(state: State, tile: str, told: dict[str, object]) -> Step:
    card = state.shown
    assert card is not None
    wanted = state.story.label(card.pictures[state.found])
    events: tuple[Event, ...] = (Event("failed", told | {"wanted": wanted, "n": len(state.up)}),)
    need = NEEDED.get(state.mode)
    tidy = TURN_DOWN
    if need and any(up == need for _, up in state.up):
        tidy = SHUFFLE_BACK if state.mode == "stinky-breath" else BLOW
    after = replace(
        state,
        unread=tuple(number for number in state.unread if number != card.number),
        read=(*state.read, card.number),
        outcome="failed",
        tidy=tidy,
    )
    if state.mode == "race":
        after = replace(after, hare=state.hare + 1)
        events = (*events, Event("hare", {"square": min(after.hare, state.finish)}))
        if after.hare >= after.finish:
            return _over(after, events)
    if state.mode == "midnight" and _same_frame(state, tile):
        after = replace(after, clock=state.clock + 1)
        left = state.clock_positions - after.clock
        events = (*events, Event("stroke", {"strokes": after.clock, "n": left, "colour": _colour(state, tile)}))
        if left == 1:
            events = (*events, Event("last-stroke"))
        if left <= 0:
            kept = tuple(c if seat in state.retired else () for seat, c in enumerate(state.won))
            return _over(replace(after, won=kept), (*events, Event("midnight")))
    return _turned_over(after, events)


def _turned_over(state: State, events: tuple[Event, ...]) -> Step:
    """When the last unread card was decided, the pile of read cards is turned over. Source: rulebook, note."""
    if state.unread or not state.read:
        return Step(state, events)
    pile = tuple(sorted(state.read))
    return Step(replace(state, unread=pile, read=()), (*events, Event("pile-turned-over", {"n": len(pile)})))


def _next_turn(state: State, events: tuple[Event, ...]) -> Step:
    if state.mode == "midnight":
        return Step(replace(state, asked=True), events)
    return _pass_on(state, events)


def _pass_on(state: State, events: tuple[Event, ...]) -> Step:
    after = replace(state, card=None, active=state.next_player())
    alone = len(after.players) == 1
    return Step(after, events if alone else (*events, Event("next", {"turn": after.players[after.active]})))


def _over(state: State, events: tuple[Event, ...]) -> Step:
    after = replace(state, ended=True, tidy=None, asked=False)
    names = [after.players[player] for player in after.winners]
    if after.mode == "race":
        return Step(after, (*events, Event("race-won" if names else "race-lost")))
    if not names:
        return Step(after, (*events, Event("over-nobody")))
    best = after.winners[0]
    told = {"winners": names, "n": after.points(best), "cards": len(after.won[best])}
    if len(names) > 1:
        return Step(after, (*events, Event("over-shared", told)))
    tied = [p for p in range(len(after.players)) if after.points(p) == after.points(best)]
    return Step(after, (*events, Event("over-by-cards" if len(tied) > 1 else "over", told)))


def _tidies(state: State, how: str) -> Refusal | None:
    """Why the tiles can't go back like this now."""
    if state.phase != "tidy":
        return Refusal("not-now", TIDYING, _now(state), f"tidy-{state.phase}")
    if state.tidy != how:
        code = "must-do" if how == TURN_DOWN else "not-now"
        return Refusal(code, TIDYING, _tiles_up(state), f"card-{state.tidy}")
    return None


def _wrong_cell(state: State, cell: Cell) -> Refusal | None:
    if cell in state.cells:
        return None
    what = {"cell": f"{cell[0]},{cell[1]}", "rows": state.rows, "columns": state.columns}
    return Refusal("wrong-place", "components", what, "no-such-cell")


def _now(state: State) -> dict[str, object]:
    return {"turn": state.players[state.active]}


def _tiles_up(state: State) -> dict[str, object]:
    cells = [name_of(cell) for cell, _ in state.up]
    return {"cells": cells, "n": len(cells), "blew": state.story.label(BLEW)} | _now(state)


def _remembered(state: State, cell: Cell, tile: str) -> Message:
    """What the table has shown that contradicts a tile in a cell: both cells are named."""
    here = state.memory.tile_at(cell)
    there = [name_of(one) for one in state.memory.cells_of(tile)]
    if here and there:
        return say("there.swapped", cell=name_of(cell), here=state.story.label(here), cells=there)
    if here:
        return say("there.other", cell=name_of(cell), here=state.story.label(here))
    if there:
        return say("there.seen", cell=name_of(cell), cells=there)
    tiles = [state.story.label(name) for name in state.memory.possible(cell)]
    return say("there.set", cell=name_of(cell), tiles=tiles)


def _nobody(state: State, name: str) -> Refusal:
    return Refusal("bad-line", "protocol", {"reason": f"player {name!r}: there are {', '.join(state.players)}"})


def _same_frame(state: State, tile: str) -> bool:
    card = state.shown
    assert card is not None
    return any(_colour(state, picture) == _colour(state, tile) for picture in card.pictures)


def _colour(state: State, tile: str) -> str:
    found = state.story.tile(tile)
    assert found is not None
    return found.colour

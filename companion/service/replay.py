"""Replaying: from the entries of one game to the states that it went through."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.game import Event, Game, Refusal, Step, decode
from companion.core.players import mended, renamed
from companion.core.table import Difference
from companion.service.entries import ACCEPTED, ENDED, FREED, MOVE, REDO, SETUP, UNDO, Entry, JournalError, to_json


class ReplayError(JournalError):
    """A game doesn't follow today's rules; the text says from which entry on, and how it differs."""


class Replay(msgspec.Struct, frozen=True):
    """What the entries of one game lead to.

    Attributes:
        line: the set-up line.
        past: the state at the start and after each move that stands.
        moves: the moves that stand, as JSON objects; of an accepted table how it differed.
        told: what each of these moves announced.
        future: moves that were taken back and could be made again, the next one last, with their states and events.
        taken_back: what undone moves left on the table.
        differs: the first entry whose move is still allowed, but announces something else than then, and how; or empty.
        differs_at: which move of the game that is, counted from 1; 0 for none.
    """

    line: Mapping[str, Any]
    past: tuple[Any, ...]
    moves: tuple[Mapping[str, Any], ...]
    told: tuple[tuple[Event, ...], ...]
    future: tuple[tuple[Any, tuple[Event, ...]], ...]
    taken_back: Mapping[str, str | None]
    differs: str = ""
    differs_at: int = 0


def replay(game: Game[Any, Any], entries: Iterable[Entry]) -> Replay:
    """The states that a game went through. Who has a name that today's rule refuses has another from the start on.

    Raises:
        ReplayError: an entry doesn't follow from those before it under today's rules; the text says which and how.
    """
    past: list[Any] = []
    told: list[tuple[Event, ...]] = []
    moves: list[Mapping[str, Any]] = []
    future: list[tuple[Any, Mapping[str, Any], tuple[Event, ...]]] = []
    taken_back: Mapping[str, str | None] = {}
    line: Mapping[str, Any] = {}
    differs, differs_at, made = "", 0, 0
    names: dict[str, str] = {}
    for entry in entries:
        names = mended(entry.body) if entry.kind == SETUP else names
        entry = _renamed(entry, names) if names else entry
        if entry.kind == SETUP:
            line, past, moves, told, future = entry.body, [_checked(entry, game.setup(entry.body))], [], [], []
            taken_back, made = {}, 0
        elif entry.kind == UNDO and len(past) > 1:
            future.append((past.pop(), moves.pop(), told.pop()))
            taken_back = _places(entry)
        elif entry.kind == REDO and future:
            state, again, events = future.pop()
            past.append(state)
            moves.append(again)
            told.append(events)
        elif entry.kind == FREED and past:
            taken_back = _places(entry)
        elif entry.kind in (MOVE, ACCEPTED) and past:
            step: Step = _checked(entry, _again(game, past[-1], entry))
            made += 1
            if not differs and (how := _other_words(step.events, entry.events)):
                differs, differs_at = str(_differs(entry, how)), made
            past.append(step.state)
            moves.append(entry.body)
            told.append(step.events)
            future = future[: left_to_redo([undone for undone, *_ in future], step.state)]
        elif entry.kind != ENDED or not past:
            raise _differs(entry, "nothing stands before it that it could apply to")
    undone = tuple((state, events) for state, _, events in future)
    return Replay(line, tuple(past), tuple(moves), tuple(told), undone, taken_back, differs, differs_at)


def _renamed(entry: Entry, names: Mapping[str, str]) -> Entry:
    events = tuple(replace(event, params=renamed(event.params, names)) for event in entry.events)
    return replace(entry, body=renamed(entry.body, names), events=events)


def _again(game: Game[Any, Any], state: Any, entry: Entry) -> Step | Refusal:
    if entry.kind == MOVE:
        return game.apply(state, _checked(entry, decode(game, entry.body)))
    try:
        return game.accept(state, msgspec.convert(entry.body, Difference))
    except msgspec.ValidationError as error:
        raise _differs(entry, str(error)) from error


def left_to_redo(undone: Sequence[Any], state: Any) -> int:
    """How many undone moves can still be played again after a move that led to this state.

    If it is the one that would have been played again next, the others follow on it as before; else none does.

    Args:
        undone: the states that they led to, the next one last.
        state: the state now.
    """
    return len(undone) - 1 if undone and undone[-1] == state else 0


def _other_words(now: tuple[Event, ...], then: tuple[Event, ...]) -> str:
    """How what is announced differs from what was announced; empty if it doesn't."""
    # As JSON, since that is what the journal keeps: there a list is no longer a tuple, and a message an object.
    ours, theirs = ([to_json(_without_texts(msgspec.to_builtins(event))) for event in told] for told in (now, then))
    if ours == theirs:
        return ""
    fresh = [event for event, other in zip_longest(ours, theirs) if event != other and event]
    stale = [event for event, other in zip_longest(theirs, ours) if event != other and event]
    return f"it announces {' '.join(fresh) or 'nothing'} instead of {' '.join(stale) or 'nothing'}"


def _without_texts(value: Any) -> Any:
    """A value without what an owner's file says in each language: to mend a word there is no change of the rules."""
    if isinstance(value, Mapping):
        return {key: _without_texts(one) for key, one in value.items() if key != "texts"}
    return [_without_texts(one) for one in value] if isinstance(value, list | tuple) else value


def _checked(entry: Entry, result: Any) -> Any:
    if isinstance(result, Refusal):
        raise _differs(entry, f"today's rules refuse it: {result.code} {dict(result.params)}")
    return result


def _places(entry: Entry) -> Mapping[str, str | None]:
    try:
        return msgspec.convert(entry.body.get("taken_back", {}), dict[str, str | None])
    except msgspec.ValidationError as error:
        raise _differs(entry, f"taken_back: {error}") from error


def _differs(entry: Entry, how: str) -> ReplayError:
    where = f"journal entry {entry.number} ({entry.game}, rules version {entry.rules}), {entry.kind}"
    return ReplayError(f"{where} {to_json(entry.body)}: {how}; start a new game, and send this journal with a report")

"""Replaying: from the entries of one game to all that happened in it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import zip_longest
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.game import Event, Game, Refusal, Step, decode
from companion.core.players import mended, renamed
from companion.core.settle import TakenBack
from companion.core.table import Difference
from companion.service.entries import (
    ACCEPTED,
    ENDED,
    FREED,
    LEFT_OUT,
    MOVE,
    REDO,
    SETUP,
    UNDO,
    Entry,
    JournalError,
    to_json,
)
from companion.service.history import History, Made
from companion.service.journal import Journal


class ReplayError(JournalError):
    """A game doesn't follow today's rules; the text says from which entry on, and how it differs.

    Attributes:
        refusal: why today's rules refuse the move or the set-up; None if something else is wrong.
        events: what the move announced then.
        holds: how many moves hold.
        moves: how many stand in the journal.
        entries: how many of the last entries are to be left out so that the game can be carried on with what holds;
            0 if nothing does.
    """

    def __init__(self, text: str, refusal: Refusal | None = None) -> None:
        super().__init__(text)
        self.refusal = refusal
        self.events: tuple[Event, ...] = ()
        self.holds = self.moves = self.entries = 0


class Replay(msgspec.Struct, frozen=True):
    """What the entries of one game lead to.

    Attributes:
        line: the set-up line.
        history: the moves that stand, and what was taken back.
        differs: the first entry whose move is still allowed, but announces something else than then, and how; or empty.
        differs_at: which move of the game that is, counted from 1; 0 for none.
    """

    line: Mapping[str, Any]
    history: History
    differs: str = ""
    differs_at: int = 0


def unfinished(game: Game[Any, Any], entries: Iterable[Entry]) -> Replay | None:
    """What happened in a game that can be carried on; None if there are no entries, or it is over.

    Raises:
        ReplayError: an entry doesn't follow from those before it under today's rules.
    """
    found = replay(game, entries) if (entries := tuple(entries)) else None
    return found if found and game.outcome(found.history.state) is None else None


def replay(game: Game[Any, Any], entries: Iterable[Entry]) -> Replay:
    """What happened in a game. Who has a name that today's rule refuses has another one from the start on.

    A move that was taken back needn't follow today's rules; it just can't be made again then.

    Args:
        game: the rules.
        entries: those of one game, from its set-up on.

    Raises:
        ReplayError: an entry doesn't follow from those before it under today's rules; the text says which and how.
    """
    kept = standing(entries)
    line: Mapping[str, Any] = {}
    history: History | None = None
    differs, differs_at, made = "", 0, 0
    names: dict[str, str] = {}
    for number, entry in enumerate(kept):
        names = mended(entry.body) if entry.kind == SETUP else names
        entry = _renamed(entry, names) if names else entry
        try:
            if entry.kind == SETUP:
                history, line, made = History(game.box, _checked(entry, game.setup(entry.body))), entry.body, 0
            elif history is None:
                raise _misplaced(entry)
            elif entry.kind in (MOVE, ACCEPTED):
                move = _made(game, history.state, entry)
                made += 1
                if not differs and (how := _other_words(move.events, entry.events)):
                    differs, differs_at = str(_differs(entry, how)), made
                history.do(move)
            else:
                _go(history, entry)
        except ReplayError as error:
            if history is not None:
                error.holds = error.moves = len(history.past) - 1
                error.entries, error.events = len(kept) - number, entry.events
            if history is None or entry.kind not in (MOVE, ACCEPTED):
                raise
            history.do(Made(error, entry.body, entry.events))
    assert history is not None, "a game has entries"
    if isinstance(history.state, ReplayError):
        history.state.moves = len(history.past) - 1
        raise history.state
    history.future = [undone for undone in history.future if not isinstance(undone.made.state, ReplayError)]
    return Replay(line, history, differs, differs_at)


def leave_out(game: Game[Any, Any], journal: Journal, error: ReplayError) -> None:
    """Carries a game on without what doesn't follow today's rules: that stays in the journal, and counts no more.

    Raises:
        JournalError: it can't be written.
    """
    journal.append([(LEFT_OUT, game, {"entries": error.entries}, ())])


def standing(entries: Iterable[Entry]) -> list[Entry]:
    """The entries without those that were left out so that the game could be carried on.

    Raises:
        ReplayError: more were left out than there are.
    """
    kept: list[Entry] = []
    for entry in entries:
        if entry.kind != LEFT_OUT:
            kept.append(entry)
            continue
        count = entry.body.get("entries")
        if not isinstance(count, int) or not 0 < count < len(kept):
            raise _misplaced(entry)
        del kept[-count:]
    return kept


def _renamed(entry: Entry, names: Mapping[str, str]) -> Entry:
    events = tuple(replace(event, params=renamed(event.params, names)) for event in entry.events)
    return replace(entry, body=renamed(entry.body, names), events=events)


def _made(game: Game[Any, Any], state: Any, entry: Entry) -> Made:
    """A move once more. What follows on one that doesn't hold doesn't hold either."""
    if isinstance(state, ReplayError):
        return Made(state, entry.body, entry.events)
    if entry.kind == MOVE:
        step: Step = _checked(entry, game.apply(state, _checked(entry, decode(game, entry.body))))
    else:
        try:
            step = _checked(entry, game.accept(state, msgspec.convert(entry.body, Difference)))
        except msgspec.ValidationError as error:
            raise _differs(entry, str(error)) from error
    return Made(step.state, entry.body, step.events)


def _go(history: History, entry: Entry) -> None:
    """Goes back or forth."""
    if entry.kind == UNDO and len(history.past) > 1:
        history.undo(_places(entry), "unseen" in entry.body)
    elif entry.kind == REDO and history.future:
        history.redo(_places(entry) if entry.body else history.left(), "unseen" in entry.body)
    elif entry.kind == FREED:
        history.look(_places(entry))
    elif entry.kind != ENDED:
        raise _misplaced(entry)


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
        reason = f", {result.params['reason']}" if "reason" in result.params else ""
        raise _differs(entry, f"today's rules refuse it: {result.code}{reason}", result)
    return result


def _places(entry: Entry) -> TakenBack:
    try:
        return msgspec.convert(entry.body.get("taken_back", {}), dict[str, str | None])
    except msgspec.ValidationError as error:
        raise _differs(entry, f"taken_back: {error}") from error


def _differs(entry: Entry, how: str, refusal: Refusal | None = None) -> ReplayError:
    what = f"{entry.kind} {to_json(entry.body['do'])}" if "do" in entry.body else entry.kind
    where = f"journal entry {entry.number} ({entry.game}, rules version {entry.rules})"
    return ReplayError(f"{where}, {what}: {how}", refusal)


def _misplaced(entry: Entry) -> ReplayError:
    return _differs(entry, "nothing stands before it that it could apply to")

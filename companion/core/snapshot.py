"""What a session publishes, and what it can be told. Plain frozen values: they cross threads and folders freely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.box import PieceId
from companion.core.game import Dispute, Event, Outcome, Question, Way
from companion.core.messages import Message
from companion.core.panel import Page
from companion.core.table import Zone


class Snapshot(msgspec.Struct, frozen=True):
    """One moment of a session, complete in itself.

    Attributes:
        serial: counts the snapshots of a session, from 1.
        game: the game's id.
        facts: the public facts, None while the game is being set up.
        pages: what the screen shows while nothing is wrong.
        aside: what faces the active player, on a second screen or for a moment on the only one.
        disputes: what on the table breaks a rule.
        question: what only people can tell now.
        help: the rule that applies now, None while the game is being set up.
        events: what this snapshot announces; each event is in one snapshot only.
        notices: what people should be told once beside the game, such as that it is carried on after a cut.
        last_move: the events of the move that `Undo` would take back, empty if there is none.
        can_redo: a move was taken back that could be made again.
        unplaced: anchors that were never seen, so that their zones can't be placed.
        zones: the places that matter now.
        arranging: people have to lay out, clear or fetch something before the game goes on.
        outcome: how the game ended, None while it is running.
        unsaved: why what lies on the table doesn't count yet: it can't be saved. It counts by itself as soon as it can.
    """

    serial: int
    game: str
    facts: Mapping[str, Any] | None = None
    pages: tuple[Page, ...] = ()
    aside: tuple[Page, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    question: Question | None = None
    help: Message | None = None
    events: tuple[Event, ...] = ()
    notices: tuple[Message, ...] = ()
    last_move: tuple[Event, ...] = ()
    can_redo: bool = False
    unplaced: tuple[PieceId, ...] = ()
    zones: tuple[Zone, ...] = ()
    arranging: bool = False
    outcome: Outcome | None = None
    unsaved: Message | None = None


class Undo(msgspec.Struct, frozen=True):
    """Takes the last move back."""


class Redo(msgspec.Struct, frozen=True):
    """Makes the move again that was taken back last."""


class Answer(msgspec.Struct, frozen=True):
    """Answers a question with one of its choices, counted from 0; nothing happens if it isn't asked any more.

    Attributes:
        choice: of the question.
        question: which one it was.
        further: the choices of what was asked next, where one answer has several parts.
    """

    choice: int
    question: Question
    further: Way = ()


class Restart(msgspec.Struct, frozen=True):
    """Gives the game up that runs now, and begins the set-up of a new one."""


class Leave(msgspec.Struct, frozen=True):
    """Goes back to the choice of games; the game that runs now can be carried on later."""


Command = Undo | Redo | Answer | Restart | Leave

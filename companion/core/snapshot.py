"""What a session publishes, and what it can be told. Plain frozen values: they cross threads and folders freely."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.box import PieceId
from companion.core.game import Dispute, Event, Outcome, Question, Way
from companion.core.messages import Message
from companion.core.panel import Page
from companion.core.table import Zone, ZoneId


class Nameable(msgspec.Struct, frozen=True):
    """What people can tell of pieces whose tags can't be read.

    Attributes:
        laid: by zone, the names of pieces that the rules would allow there.
        gone: expected pieces that the camera doesn't see, and that may have been taken away or turned face down.
    """

    laid: Mapping[ZoneId, tuple[str, ...]] = {}
    gone: tuple[PieceId, ...] = ()


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
        acceptable: what `Accept` would announce, None if the table can't be taken as it lies.
        to_put_right: what is to be done so that the table lies as the rules expect it, one thing after the other; told
            while something is disputed or put right.
        putting_right: nothing that lies on the table counts until it lies as the rules expect it.
        nameable: what people can tell of pieces that no tag tells; only after `AskNameable`, until something happens.
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
    acceptable: Message | None = None
    to_put_right: tuple[Message, ...] = ()
    putting_right: bool = False
    nameable: Nameable | None = None

    @property
    def standing(self) -> Snapshot:
        """How things stand, without the count and what is said once: it is published again when this differs."""
        return replace(self, serial=0, events=(), notices=())


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


class Accept(msgspec.Struct, frozen=True):
    """The table is right: takes it as it lies."""


class PutRight(msgspec.Struct, frozen=True):
    """The box is right: nothing on the table counts until it lies as the rules expect it; `on` False ends that."""

    on: bool = True


class AskNameable(msgspec.Struct, frozen=True):
    """Asks for what can be told of pieces that no tag tells."""


class Name(msgspec.Struct, frozen=True):
    """Tells of a piece that no tag tells.

    Attributes:
        piece: its name, or its id.
        zone: where it lies; None if it has been taken away or turned face down.
    """

    piece: str
    zone: ZoneId | None


Command = Undo | Redo | Answer | Restart | Leave | Accept | PutRight | AskNameable | Name

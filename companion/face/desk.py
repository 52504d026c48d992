"""The desk: what a person at the box has opened, marked and paged to, and what his presses mean.

It joins a session's snapshots with the troubles of the devices to the panel that is shown. One thread owns it.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import deed
from companion.core.messages import Message, say
from companion.core.panel import Button, Melody, Note, Panel
from companion.core.snapshot import Answer, Command, Snapshot, Undo
from companion.face.presenter import Action, Situation, Trouble, actions, present

DISPUTE: Melody = (Note(262, 0.35),)
"""The one low tone of a new dispute."""


class Desk:
    """One box's buttons and screen.

    Args:
        melodies: of the game, by the name of the event that sounds them.
    """

    def __init__(self, melodies: Mapping[str, Melody]) -> None:
        self._melodies = melodies
        self._snapshot = Snapshot(0, "")
        self._troubles: dict[str, Trouble] = {}
        self._notices: tuple[Message, ...] = ()
        self._asking = False
        self._chosen = 0
        self._undoing = False
        self._helping = False
        self._page = 0

    @property
    def page(self) -> int:
        """The screen to show, counting round."""
        return self._page

    def show(self, snapshot: Snapshot) -> Melody:
        """Takes a new snapshot, and gives what is to be heard of it; often nothing."""
        before, self._snapshot = self._snapshot, snapshot
        if snapshot.question != before.question:
            self._asking, self._chosen = bool(snapshot.question and snapshot.question.urgent), 0
        if snapshot.last_move != before.last_move:
            self._undoing = False
        if snapshot.facts != before.facts or snapshot.disputes != before.disputes:
            self._page, self._helping = 0, False
        if snapshot.events:
            self._notices = ()
        self._notices = (*self._notices, *(n for n in snapshot.notices if n not in self._notices))
        if set(_keys(snapshot)) - set(_keys(before)):
            return DISPUTE
        heard = [self._melodies[event.name] for event in snapshot.events if event.name in self._melodies]
        return heard[-1] if heard else ()

    def trouble(self, name: str, trouble: Trouble | None) -> None:
        """Takes a trouble of a device or the camera, or (None) its end."""
        self._troubles.pop(name, None)
        if trouble is not None:
            self._troubles[name] = trouble

    def press(self, button: Button) -> Command | None:
        """What a press does; a command for the session is given back."""
        situation = self._situation()
        action = actions(situation).get(button)
        if action is Action.YES:
            self._undoing = False
            return Undo()
        if action is Action.CHOOSE and situation.question:
            self._asking = False
            return Answer(self._chosen % len(situation.question.choices), situation.question)
        self._react(action)
        return None

    def panel(self) -> Panel:
        """What the box shows now."""
        return present(self._situation())

    def _react(self, action: Action | None) -> None:
        if action is Action.NO:
            self._undoing = False
        elif action is Action.LATER:
            self._asking = False
        elif action in (Action.NEXT, Action.PREVIOUS):
            self._chosen += 1 if action is Action.NEXT else -1
        elif action in (Action.PAGE_ON, Action.PAGE_BACK):
            self._page += 1 if action is Action.PAGE_ON else -1
        elif action is Action.OK:
            self._helping, self._notices, self._page = False, (), 0
        elif action is Action.ANSWER:
            self._asking = True
        elif action is Action.HELP:
            self._helping, self._page = True, 0
        elif action is Action.UNDO:
            self._undoing, self._page = True, 0

    def _situation(self) -> Situation:
        snapshot = self._snapshot
        return Situation(
            pages=snapshot.pages,
            disputes=snapshot.disputes,
            question=snapshot.question,
            asking=self._asking and snapshot.question is not None,
            chosen=self._chosen,
            undoing=_what(snapshot) if self._undoing else None,
            notices=self._notices,
            troubles=tuple(self._troubles.values()),
            unplaced=snapshot.unplaced,
            help=snapshot.help,
            helping=self._helping,
            arranging=snapshot.arranging,
            waiting=snapshot.facts is not None and not snapshot.disputes,
            can_undo=bool(snapshot.last_move),
            page=self._page,
        )


def _what(snapshot: Snapshot) -> Message:
    """What would be taken back."""
    return deed(snapshot.last_move) if snapshot.last_move else say("notice.nothing-to-undo")


def _keys(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(dispute.piece, dispute.refusal.wording or dispute.refusal.code) for dispute in snapshot.disputes]

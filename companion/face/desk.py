"""The desk: what a person at the box has opened, marked, paged to and set, and what his presses mean.

It joins a session's snapshots with the troubles of the devices to the panel that is shown. One thread owns it.
"""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.game import Way, deed
from companion.core.messages import LANGUAGES, Message
from companion.core.panel import Button, Melody, Note, Panel
from companion.core.snapshot import (
    Accept,
    Answer,
    AskNameable,
    Command,
    Leave,
    Name,
    Nameable,
    PutRight,
    Redo,
    Restart,
    Snapshot,
    Undo,
)
from companion.core.table import ZoneId
from companion.face.menu import Item, Place, marked
from companion.face.presenter import Action, actions, present
from companion.face.situation import Opened, Situation, Trouble, opens_itself
from companion.face.tables import next_language

DISPUTE: Melody = (Note(262, 0.35),)
"""The one low tone of a new dispute."""

ENDS: Mapping[Opened | None, tuple[str, ...]] = {
    None: ("question",),
    Opened.QUESTION: ("question",),
    Opened.UNDO: ("last_move",),
    Opened.HELP: ("facts", "disputes", "question"),
    Opened.MENU: ("facts", "disputes", "question", "last_move", "can_redo"),
    Opened.ASIDE: ("disputes", "question"),
    Opened.RESTART: (),
    Opened.LEAVE: (),
    Opened.PAUSE: (),
    Opened.ACCEPT: ("acceptable",),
    Opened.PUT_RIGHT: (),
    Opened.NAME: ("facts", "disputes"),
    Opened.NAME_PIECE: ("facts", "disputes"),
}
"""What in a snapshot puts away what is open as soon as it changes; then a question that is urgent takes the screen."""


SURELY: Mapping[Opened | None, type[Restart | Leave | Undo | Accept]] = {
    Opened.RESTART: Restart,
    Opened.LEAVE: Leave,
    Opened.UNDO: Undo,
    Opened.ACCEPT: Accept,
}
"""What a yes does."""
SCREENFUL = 3
"""A button that is held marks what is so many lines further on."""


class Desk:
    """One box's buttons and screen.

    Args:
        melodies: of the game, by the name of the event that sounds them.
        language: in which the box speaks at first.
        hosted: there are other games to go to.

    Attributes:
        language: in which the box is to speak now, as people have chosen.
        large: what is read aloud stands in large type.
        sound: melodies are to be heard.
    """

    def __init__(self, melodies: Mapping[str, Melody], language: str = LANGUAGES[0], hosted: bool = False) -> None:
        self.language = language
        self.large = True
        self.sound = True
        self._hosted = hosted
        self._melodies = melodies
        self._snapshot = Snapshot(0, "")
        self._troubles: dict[str, Trouble] = {}
        self._notices: tuple[Message, ...] = ()
        self._opened: Opened | None = None
        self._chosen = 0
        self._within: Way = ()
        self._page = 0
        self._opened_page = 0
        self._naming: ZoneId | None = None
        self._nameable: Nameable | None = None

    @property
    def paused(self) -> bool:
        """The table is not to be looked at."""
        return self._opened is Opened.PAUSE

    @property
    def page(self) -> int:
        """The screen to show, counting round; closing what was opened leads back to where one was."""
        return self._opened_page if self._opened else self._page

    def show(self, snapshot: Snapshot) -> Melody:
        """Takes a new snapshot, and gives what is to be heard of it; often nothing."""
        before, self._snapshot = self._snapshot, snapshot
        self._nameable = snapshot.nameable or self._nameable
        if _differ(snapshot, before, ENDS[self._opened]) or (self._opened is Opened.ASIDE and not snapshot.aside):
            self._put_away()
        if snapshot.putting_right and not before.putting_right:
            self._open(Opened.PUT_RIGHT)
        elif self._opened is Opened.PUT_RIGHT and not snapshot.putting_right:
            self._put_away()
        if _differ(snapshot, before, ("facts", "disputes")):
            self._page = self._opened_page = 0
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
            asked = self._opened
            self._put_away()
            return SURELY[asked]()
        if action is Action.STOP:
            return PutRight(False)
        if action is Action.DIRECT and situation.direct:
            return Answer(0, situation.direct)
        if action is Action.CHOOSE:
            return self._choose(situation)
        self._react(action)
        return None

    def hold(self, button: Button) -> None:
        """What it does, beyond its press, to hold a button: up and down go on by a whole screen of a list."""
        action = actions(self._situation()).get(button)
        if action in (Action.NEXT, Action.PREVIOUS):
            self._chosen += (SCREENFUL - 1) * (1 if action is Action.NEXT else -1)

    def press_both(self) -> None:
        """What A and B together do: the game is paused, or goes on."""
        if self._opened is Opened.PAUSE:
            self._put_away()
        elif self._snapshot.facts is not None:
            self._open(Opened.PAUSE)

    def towards(self, answer: Way) -> Button | None:
        """The next press on the way to giving this answer to the question; None if none leads on."""
        situation = self._situation()
        meanings = {action: button for button, action in actions(situation).items()}
        if situation.open_question:
            taken = len(self._within)
            if self._within != answer[:taken]:
                return meanings[Action.BACK]
            return meanings[Action.CHOOSE if marked(situation) == answer[taken] else Action.NEXT]
        if answer == (0,) and Action.DIRECT in meanings:
            return meanings[Action.DIRECT]
        return meanings.get(Action.OK) or meanings.get(Action.ANSWER)

    def panel(self) -> Panel:
        """What the box shows now."""
        return present(self._situation())

    def _choose(self, situation: Situation) -> Command | None:
        """Takes what is marked in the list that is open."""
        pick = marked(situation)
        if pick is Item.LANGUAGE:
            self.language = next_language(self.language)
        elif pick is Item.TYPE:
            self.large, self._page = not self.large, 0
        elif pick is Item.SOUND:
            self.sound = not self.sound
        elif pick is Item.REDO:
            self._put_away()
            return Redo()
        elif pick is Item.NAME:
            self._open(Opened.NAME)
            self._nameable = self._snapshot.nameable
            return AskNameable()
        elif pick is Item.PUT_RIGHT:
            self._put_away()
            return PutRight()
        elif isinstance(pick, Name):
            self._put_away()
            return pick
        elif isinstance(pick, Place):
            self._open(Opened.NAME_PIECE)
            self._naming = pick.zone
        elif isinstance(pick, Item):
            self._open(Opened(pick))
        elif pick is not None and situation.question and situation.open_question:
            way = (*self._within, pick)
            if situation.open_question.choices[pick].then:
                self._within, self._chosen = way, 0
                return None
            self._opened, self._within = None, ()
            return Answer(way[0], situation.question, way[1:])
        return None

    def _react(self, action: Action | None) -> None:
        if action is Action.CLOSE and self._opened is Opened.NAME_PIECE:
            self._open(Opened.NAME)
        elif action in (Action.NO, Action.CLOSE):
            self._put_away()
        elif action is Action.LATER:
            self._opened = None
        elif action is Action.BACK:
            *within, self._chosen = self._within
            self._within = tuple(within)
        elif action in (Action.NEXT, Action.PREVIOUS):
            self._chosen += 1 if action is Action.NEXT else -1
        elif action in (Action.PAGE_ON, Action.PAGE_BACK):
            self._turn(1 if action is Action.PAGE_ON else -1)
        elif action is Action.OK:
            self._read()
        elif action is Action.ANSWER:
            self._open(Opened.QUESTION)
        elif action is Action.MENU:
            self._open(Opened.MENU)
        elif action is Action.UNDO:
            self._open(Opened.UNDO)

    def _read(self) -> None:
        """What is shown has been read."""
        if self._opened:
            self._put_away()
        else:
            self._notices, self._page = (), 0

    def _turn(self, pages: int) -> None:
        if self._opened:
            self._opened_page += pages
        else:
            self._page += pages

    def _open(self, opened: Opened) -> None:
        self._opened, self._chosen, self._within, self._opened_page = opened, 0, (), 0

    def _put_away(self) -> None:
        """Closes what is open; an urgent question takes its place."""
        question = self._snapshot.question
        self._opened = Opened.QUESTION if question and opens_itself(question) else None
        self._chosen, self._within = 0, ()

    def _situation(self) -> Situation:
        snapshot = self._snapshot
        unsaved = (Trouble(snapshot.unsaved, blind=True),) if snapshot.unsaved else ()
        return Situation(
            pages=snapshot.pages,
            aside=snapshot.aside,
            disputes=snapshot.disputes,
            question=snapshot.question,
            opened=self._opened,
            chosen=self._chosen,
            within=self._within,
            last_deed=deed(snapshot.last_move) if snapshot.last_move else None,
            can_redo=snapshot.can_redo,
            notices=self._notices,
            troubles=(*self._troubles.values(), *unsaved),
            unplaced=snapshot.unplaced,
            help=snapshot.help,
            arranging=snapshot.arranging or snapshot.putting_right,
            waiting=snapshot.facts is not None and not snapshot.disputes and not snapshot.putting_right,
            page=self.page,
            language=self.language,
            large=self.large,
            playing=snapshot.facts is not None,
            hosted=self._hosted,
            sound=self.sound,
            acceptable=snapshot.acceptable,
            to_put_right=snapshot.to_put_right,
            nameable=self._nameable,
            naming=self._naming if self._opened is Opened.NAME_PIECE else None,
            over=snapshot.outcome is not None,
        )


def _differ(snapshot: Snapshot, before: Snapshot, names: tuple[str, ...]) -> bool:
    return any(getattr(snapshot, name) != getattr(before, name) for name in names)


def _keys(snapshot: Snapshot) -> list[tuple[str, str]]:
    return [(dispute.piece, dispute.refusal.wording or dispute.refusal.code) for dispute in snapshot.disputes]

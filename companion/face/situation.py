"""All that decides what a box shows: the situation."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from companion.core.box import PieceId
from companion.core.game import Dispute, Question, Way
from companion.core.messages import Message
from companion.core.panel import Page
from companion.core.snapshot import Nameable
from companion.core.table import ZoneId


class Opened(StrEnum):
    """What has the screen instead of the game's pages, because somebody opened it or it is urgent."""

    QUESTION = "question"
    """The choices of the question."""
    MENU = "menu"
    """Everything that has no button of its own."""
    HELP = "help"
    """The rule that applies now."""
    UNDO = "undo"
    """Whether the last move is to be taken back."""
    ASIDE = "aside"
    """What otherwise a second screen shows."""
    RESTART = "restart"
    """Whether the game is to be given up for a new one."""
    LEAVE = "leave"
    """Whether another game is to be chosen."""
    ACCEPT = "accept"
    """Whether the table is to count as it lies."""
    PUT_RIGHT = "put-right"
    """What to do so that the table lies as the box expects it, one thing after the other."""
    NAME = "name"
    """The places where a piece lies that no tag tells, and the pieces that may be gone."""
    NAME_PIECE = "name-piece"
    """The pieces that may lie in the place that was chosen."""
    PAUSE = "pause"
    """Nothing: the table is not looked at until somebody goes on."""


SURE = (Opened.UNDO, Opened.RESTART, Opened.LEAVE, Opened.ACCEPT)
"""What asks for a yes or a no."""
NAMING = (Opened.NAME, Opened.NAME_PIECE)
"""What is told by hand."""


class Trouble(msgspec.Struct, frozen=True):
    """Something about the box itself that isn't well.

    Attributes:
        message: what it is and what helps.
        blind: the table can't be read because of it, so the game waits; it is shown before the game's pages.
    """

    message: Message
    blind: bool = False


class Situation(msgspec.Struct, frozen=True):
    """How things stand at the table, in the box and at its screen.

    Attributes:
        pages: what the game shows while nothing is wrong, or how far the set-up has come.
        aside: what faces the active player.
        disputes: what on the table breaks a rule.
        question: what only people can tell now.
        opened: what has the screen instead of all this, None if nothing has.
        chosen: index of what is marked in an open question or menu; any whole number, it counts round.
        within: the choices that were taken on the way to what the open question asks now.
        last_deed: what would be taken back, None if there is nothing.
        can_redo: something was taken back that could be made again.
        notices: what people should know once, such as that a game is carried on; shown until they are closed.
        troubles: what is wrong with the box.
        unplaced: anchors that were never seen, so that their zones can't be placed.
        help: the rule that applies now.
        arranging: people have to lay out, clear or fetch something before the game goes on.
        waiting: all is well, and the next move is awaited.
        page: the screen that is shown; any whole number, it counts round.
        language: in which the box speaks.
        large: what is read aloud stands in large type.
        playing: a game runs, or has ended and is still shown.
        hosted: there are other games to go to.
        sound: melodies are heard.
        acceptable: what would be announced if the table counted as it lies, None if it can't.
        to_put_right: what is to be done so that the table lies as the box expects it.
        nameable: what people can tell of pieces that no tag tells.
        naming: the zone in which they tell one.
        over: the game has ended.
    """

    pages: tuple[Page, ...] = ()
    aside: tuple[Page, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    question: Question | None = None
    opened: Opened | None = None
    chosen: int = 0
    within: Way = ()
    last_deed: Message | None = None
    can_redo: bool = False
    notices: tuple[Message, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    unplaced: tuple[PieceId, ...] = ()
    help: Message | None = None
    arranging: bool = False
    waiting: bool = False
    page: int = 0
    language: str = "en"
    large: bool = True
    playing: bool = False
    hosted: bool = False
    sound: bool = True
    acceptable: Message | None = None
    to_put_right: tuple[Message, ...] = ()
    nameable: Nameable | None = None
    naming: ZoneId | None = None
    over: bool = False

    @property
    def open_question(self) -> Question | None:
        """The question that has the whole screen now, or what it asks after the choices that were taken."""
        found = self.question if self.opened is Opened.QUESTION else None
        for number in self.within:
            found = found.choices[number].then if found else None
        return found

    @property
    def direct(self) -> Question | None:
        """The question whose first choice has a button of its own now."""
        covered = self.opened or self.disputes or self.notices
        return self.question if self.question and presses(self.question) and not covered else None


def presses(question: Question) -> bool:
    """Whether one press of a button can answer it."""
    return question.direct and bool(question.choices) and question.choices[0].then is None


def opens_itself(question: Question) -> bool:
    """Whether it takes the screen as soon as it is asked."""
    return question.urgent and not presses(question)

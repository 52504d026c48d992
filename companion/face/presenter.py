"""From the situation at the table to what the box shows, and what its buttons mean."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

import msgspec

from companion.core.box import PieceId
from companion.core.game import Dispute, Question
from companion.core.messages import Message, say, verbatim
from companion.core.panel import Button, Lamp, Page, Panel, Row, Text


class Action(StrEnum):
    """What a button does now; `button.<action>` in the wording is what the screen calls it."""

    YES = "yes"
    """Takes the last move back, as asked."""
    NO = "no"
    """Leaves the last move as it is."""
    CHOOSE = "choose"
    """Answers the question with the choice that is marked."""
    LATER = "later"
    """Closes the question; it can be opened again."""
    PREVIOUS = "previous"
    """Marks the choice above."""
    NEXT = "next"
    """Marks the choice below."""
    OK = "ok"
    """Notices have been read, or the help has."""
    ANSWER = "answer"
    """Opens the question."""
    HELP = "help"
    """Shows the rule that applies now."""
    UNDO = "undo"
    """Asks whether the last move is to be taken back."""
    PAGE_BACK = "page-back"
    """Shows the page before."""
    PAGE_ON = "page-on"
    """Shows the next page."""


class Trouble(msgspec.Struct, frozen=True):
    """Something about the box itself that isn't well.

    Attributes:
        message: what it is and what helps.
        blind: the table can't be read because of it, so the game waits; it is shown before the game's pages.
    """

    message: Message
    blind: bool = False


class Situation(msgspec.Struct, frozen=True):
    """All that decides what is shown.

    Attributes:
        pages: what the game shows while nothing is wrong, or how far the set-up has come.
        disputes: what on the table breaks a rule.
        question: what only people can tell now.
        asking: the question is open: it is urgent, or somebody pressed the button for it.
        chosen: index of the choice that is marked; any whole number, it counts round.
        undoing: what would be taken back, while it is asked whether it is to be.
        notices: what people should know once, such as that a game is carried on; shown until they are closed.
        troubles: what is wrong with the box.
        unplaced: anchors that were never seen, so that their zones can't be placed.
        help: the rule that applies now.
        helping: the help is open.
        arranging: people have to lay out, clear or fetch something before the game goes on.
        waiting: all is well, and the next move is awaited.
        can_undo: there is a move to take back.
        page: the screen that is shown; any whole number, it counts round.
    """

    pages: tuple[Page, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    question: Question | None = None
    asking: bool = False
    chosen: int = 0
    undoing: Message | None = None
    notices: tuple[Message, ...] = ()
    troubles: tuple[Trouble, ...] = ()
    unplaced: tuple[PieceId, ...] = ()
    help: Message | None = None
    helping: bool = False
    arranging: bool = False
    waiting: bool = False
    can_undo: bool = False
    page: int = 0

    @property
    def open_question(self) -> Question | None:
        """The question that has the whole screen now."""
        return self.question if self.asking and self.undoing is None else None


def actions(situation: Situation) -> Mapping[Button, Action]:
    """What each button does now; a button without an entry does nothing."""
    if situation.undoing is not None:
        return {Button.A: Action.YES, Button.B: Action.NO, **_PAGING}
    if situation.open_question:
        later = {} if situation.open_question.urgent else {Button.B: Action.LATER}
        choosing = {Button.UP: Action.PREVIOUS, Button.DOWN: Action.NEXT}
        return {Button.A: Action.CHOOSE, **later, **choosing}
    undo = {Button.B: Action.UNDO} if situation.can_undo else {}
    return {**_confirm(situation), **undo, **_PAGING}


_PAGING = {Button.UP: Action.PAGE_BACK, Button.DOWN: Action.PAGE_ON}


def _confirm(situation: Situation) -> Mapping[Button, Action]:
    if situation.helping and situation.help:
        return {Button.A: Action.OK}
    if situation.notices and not situation.disputes:
        return {Button.A: Action.OK}
    if situation.question:
        return {Button.A: Action.ANSWER}
    return {Button.A: Action.HELP} if situation.help else {}


def present(situation: Situation) -> Panel:
    """What the box shows in a situation; the same situation always gives the same panel."""
    buttons = tuple((button, say(f"button.{action}")) for button, action in actions(situation).items())
    return Panel(_pages(situation), buttons, lamps(situation))


def lamps(situation: Situation) -> frozenset[Lamp]:
    """Red: something breaks a rule. Amber: people are asked, or the table can't be read. Green: go on."""
    blind = bool(situation.unplaced) or any(trouble.blind for trouble in situation.troubles)
    asked = bool(situation.open_question) or situation.undoing is not None or situation.arranging
    lit = set()
    if situation.disputes:
        lit.add(Lamp.RED)
    if blind or asked:
        lit.add(Lamp.AMBER)
    if situation.waiting and not lit:
        lit.add(Lamp.GREEN)
    return frozenset(lit)


def _pages(situation: Situation) -> tuple[Page, ...]:
    if situation.undoing is not None:
        return (Page(say("title.undo"), (Text(situation.undoing),)),)
    if situation.open_question:
        return (_question(situation.open_question, situation.chosen),)
    if situation.helping and situation.help:
        return (Page(say("title.help"), (Text(situation.help),)),)
    blind = tuple(_trouble(trouble) for trouble in situation.troubles if trouble.blind)
    blind += tuple(_trouble(Trouble(say("trouble.unplaced", piece=piece), True)) for piece in situation.unplaced)
    other = tuple(_trouble(trouble) for trouble in situation.troubles if not trouble.blind)
    said: list[Message] = []  # several pieces may be disputed for one and the same reason
    for dispute in situation.disputes:
        said += [dispute.refusal.message] if dispute.refusal.message not in said else []
    disputes = tuple(Page(say("title.dispute"), (Text(message),)) for message in said)
    notices = tuple(Page(say("title.notice"), (Text(notice),)) for notice in situation.notices)
    return (*disputes, *blind, *notices, *situation.pages, *other) or _WELCOME


_WELCOME = (Page(say("title.welcome"), (Text(say("notice.waking")),)),)


def _trouble(trouble: Trouble) -> Page:
    return Page(say("title.trouble"), (Text(trouble.message),))


def _question(question: Question, chosen: int) -> Page:
    """The question is the title, so that it stays in sight on every screen of the choices."""
    marked = chosen % len(question.choices) if question.choices else 0
    rows = (Row(choice.label, verbatim(""), i == marked) for i, choice in enumerate(question.choices))
    return Page(question.message, tuple(rows))

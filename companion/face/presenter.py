"""From the situation at the table to what the box shows, and what its buttons mean."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from msgspec.structs import replace

from companion.core.game import Question
from companion.core.messages import Message, say
from companion.core.panel import Button, Element, Lamp, Page, Panel, Text
from companion.face.menu import listed, offered
from companion.face.situation import NAMING, SURE, Opened, Situation, Trouble, opens_itself, presses


class Action(StrEnum):
    """What a button does now; `button.<action>` in the wording is what the screen calls it."""

    YES = "yes"
    """Does what is asked: takes the last move back, begins a new game, goes to the other games."""
    NO = "no"
    """Leaves everything as it is."""
    CHOOSE = "choose"
    """Takes what is marked in the list."""
    LATER = "later"
    """Closes the question; it can be opened again."""
    BACK = "back"
    """Goes back to the choice before, where an answer has several parts."""
    CLOSE = "close"
    """Closes the menu."""
    PREVIOUS = "previous"
    """Marks what is above."""
    NEXT = "next"
    """Marks what is below."""
    OK = "ok"
    """Has been read: a notice, the help, what faces the active player."""
    DIRECT = "direct"
    """Gives the first answer to the question, and is called by it."""
    ANSWER = "answer"
    """Opens the question."""
    MENU = "menu"
    """Opens the menu."""
    STOP = "stop"
    """Ends putting the table right, whether it is or not."""
    UNDO = "undo"
    """Asks whether the last move is to be taken back."""
    PAGE_BACK = "page-back"
    """Shows the page before."""
    PAGE_ON = "page-on"
    """Shows the next page."""


def actions(situation: Situation) -> Mapping[Button, Action]:
    """What each button does now; a button without an entry does nothing."""
    question = situation.open_question
    if situation.opened in SURE:
        return {Button.A: Action.YES, Button.B: Action.NO, **_PAGING}
    if situation.opened is Opened.MENU or situation.opened in NAMING:
        taking = {Button.A: Action.CHOOSE} if offered(situation) else {}
        return {**taking, Button.B: Action.CLOSE, **_CHOOSING}
    if situation.opened is Opened.PUT_RIGHT:
        return {Button.A: Action.STOP, **_PAGING}
    if question:
        return {Button.A: Action.CHOOSE, Button.B: _leaves(question, situation), **_CHOOSING}
    confirm = _confirm(situation)
    return {Button.A: confirm, **_other(situation, confirm), **_PAGING}


_PAGING = {Button.UP: Action.PAGE_BACK, Button.DOWN: Action.PAGE_ON}
_CHOOSING = {Button.UP: Action.PREVIOUS, Button.DOWN: Action.NEXT}


def _leaves(question: Question, situation: Situation) -> Action:
    """What B means while a question is open."""
    if situation.within:
        return Action.BACK
    return Action.MENU if opens_itself(question) else Action.LATER


def _confirm(situation: Situation) -> Action:
    if situation.opened or (situation.notices and not situation.disputes):
        return Action.OK
    if situation.direct:
        return Action.DIRECT
    return Action.ANSWER if situation.question and not presses(situation.question) else Action.MENU


def _other(situation: Situation, confirm: Action) -> Mapping[Button, Action]:
    """What B means: taking back, as long as the menu can be reached otherwise."""
    direct = situation.question is not None and presses(situation.question)
    if situation.last_deed and not (direct and confirm is not Action.MENU):
        return {Button.B: Action.UNDO}
    return {} if confirm is Action.MENU else {Button.B: Action.MENU}


def present(situation: Situation) -> Panel:
    """What the box shows in a situation; the same situation always gives the same panel."""
    buttons = tuple((button, _meaning(action, situation)) for button, action in actions(situation).items())
    pages, aside = (_sized(found, situation.large) for found in (_pages(situation), situation.aside))
    return Panel(pages, buttons, lamps(situation), aside)


def lamps(situation: Situation) -> frozenset[Lamp]:
    """Red: something breaks a rule. Amber: people are asked or warned, or the table can't be read. Green: go on."""
    blind = bool(situation.unplaced) or any(trouble.blind for trouble in situation.troubles)
    direct = situation.question and situation.question.urgent and presses(situation.question)
    asked = situation.open_question or situation.opened in SURE or situation.arranging
    lit = set()
    if situation.disputes:
        lit.add(Lamp.RED)
    warned = any(page.warns for page in situation.pages)
    if blind or asked or warned or (direct and not situation.disputes):
        lit.add(Lamp.AMBER)
    if situation.waiting and not lit:
        lit.add(Lamp.GREEN)
    return frozenset(lit)


def _meaning(action: Action, situation: Situation) -> Message:
    question = situation.direct
    return question.choices[0].label if action is Action.DIRECT and question else say(f"button.{action}")


def _sized(pages: tuple[Page, ...], large: bool) -> tuple[Page, ...]:
    """The pages with what is read aloud in the size that people have set."""
    return pages if large else tuple(replace(page, elements=tuple(map(_small, page.elements))) for page in pages)


def _small(element: Element) -> Element:
    return replace(element, reading=False) if isinstance(element, Text) else element


def _pages(situation: Situation) -> tuple[Page, ...]:
    question = situation.open_question
    if situation.opened is Opened.UNDO and situation.last_deed:
        return (Page(say("title.undo"), (Text(situation.last_deed),)),)
    if situation.opened is Opened.ACCEPT and situation.acceptable:
        return (Page(say("title.accept"), (Text(situation.acceptable),)),)
    if situation.opened is Opened.PUT_RIGHT:
        return _to_put_right(situation)
    if situation.opened in NAMING:
        return (_naming(situation),)
    if situation.opened in (Opened.RESTART, Opened.LEAVE, Opened.PAUSE):
        return (Page(say(f"title.{situation.opened}"), (Text(say(f"notice.{situation.opened}")),)),)
    if situation.opened is Opened.MENU:
        return (listed(say("button.menu"), situation),)
    if question:
        return (listed(question.message, situation),)
    if situation.opened is Opened.HELP and situation.help:
        return (Page(say("title.help"), (Text(situation.help),)),)
    if situation.opened is Opened.ASIDE and situation.aside:
        return situation.aside
    blind = tuple(_trouble(trouble) for trouble in situation.troubles if trouble.blind)
    blind += tuple(_trouble(Trouble(say("trouble.unplaced", piece=piece), True)) for piece in situation.unplaced)
    other = tuple(_trouble(trouble) for trouble in situation.troubles if not trouble.blind)
    said: list[Message] = []  # several pieces may be disputed for one and the same reason
    for dispute in situation.disputes:
        said += [dispute.refusal.message] if dispute.refusal.message not in said else []
    disputes = tuple(Page(say("title.dispute"), (Text(message),)) for message in said)
    notices = tuple(Page(say("title.notice"), (Text(notice),)) for notice in situation.notices)
    return (*disputes, *blind, *notices, *situation.pages, *other) or _WELCOME


def _to_put_right(situation: Situation) -> tuple[Page, ...]:
    """The next thing to do; the others can be paged to, as one may be done before the other."""
    left = len(situation.to_put_right)
    title = say("title.put-right", n=left)
    return tuple(Page(title, (Text(message),)) for message in situation.to_put_right)


def _naming(situation: Situation) -> Page:
    if not offered(situation):
        return Page(say("title.name"), (Text(say("notice.nothing-to-name")),))
    place = situation.naming
    return listed(say("title.name") if place is None else say("named.at", zone=place), situation)


_WELCOME = (Page(say("title.welcome"), (Text(say("notice.waking")),)),)


def _trouble(trouble: Trouble) -> Page:
    return Page(say("title.trouble"), (Text(trouble.message),))

"""Lists to choose from: the choices of a question, and the menu with all that has no button of its own."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

import msgspec

from companion.core.messages import Message, say, verbatim
from companion.core.panel import Page, Row, Text
from companion.core.snapshot import Name, Nameable
from companion.core.table import ZoneId
from companion.face.situation import NAMING, Opened, Situation, opens_itself, presses
from companion.face.tables import LANGUAGE_NAMES, next_language


class Place(msgspec.Struct, frozen=True):
    """A place in which a piece lies that no tag tells."""

    zone: ZoneId


class Item(StrEnum):
    """What the menu can hold, in its order."""

    HELP = "help"
    """Shows the rule that applies now."""
    ACCEPT = "accept"
    """Asks whether the table is to count as it lies."""
    PUT_RIGHT = "put-right"
    """Tells what to do so that the table lies as the box expects it, one thing after the other."""
    QUESTION = "question"
    """Opens the question."""
    UNDO = "undo"
    """Asks whether the last move is to be taken back."""
    REDO = "redo"
    """Makes the move again that was taken back."""
    NAME = "name"
    """Opens what people can tell of pieces that no tag tells."""
    ASIDE = "aside"
    """Shows what faces the active player on this screen."""
    TYPE = "type"
    """Changes between large and small type for what is read aloud."""
    LANGUAGE = "language"
    """Goes on in the next language."""
    SOUND = "sound"
    """Switches the sound off or on."""
    PAUSE = "pause"
    """Doesn't look at the table until somebody goes on."""
    RESTART = "restart"
    """Asks whether a new game is to begin."""
    LEAVE = "leave"
    """Asks whether another game is to be chosen."""
    MENU = "menu"
    """Opens the menu itself, from a question."""


Pick = int | Item | Name | Place
"""What can be chosen: a choice of the question, by its number; an item; what is told of a piece; a place to name it."""


def offered(situation: Situation) -> tuple[tuple[Pick, Message], ...]:
    """What can be chosen in the list that is open, and how it is called; empty if none is."""
    question = situation.open_question
    if question:
        choices: list[tuple[Pick, Message]] = [(number, choice.label) for number, choice in enumerate(question.choices)]
        # The button of a question that waits is the menu's, so the menu is reached through the question.
        waits = not situation.within and not opens_itself(question) and not presses(question)
        return (*choices, (Item.MENU, say("button.menu"))) if waits else tuple(choices)
    if situation.opened in NAMING:
        return tuple(_names(situation))
    return tuple(_items(situation)) if situation.opened is Opened.MENU else ()


def marked(situation: Situation) -> Pick | None:
    """What is marked in the list that is open."""
    found = offered(situation)
    return found[situation.chosen % len(found)][0] if found else None


def listed(title: Message, situation: Situation) -> Page:
    """The list as a page. What it is about is the title, so that it stays in sight on every screen of the list."""
    mark = marked(situation)
    rows = (Row(label, verbatim(""), pick == mark) for pick, label in offered(situation))
    return Page(title, tuple(rows))


def _names(situation: Situation) -> Iterator[tuple[Pick, Message]]:
    """Where a piece lies that no tag tells, and which may have gone; or, in a place, which it is."""
    found = situation.nameable or Nameable()
    if situation.naming is not None:
        yield from ((Name(p, situation.naming), say("named.piece", piece=p)) for p in found.laid[situation.naming])
        return
    yield from ((Place(zone), say("named.at", zone=zone)) for zone in found.laid)
    yield from ((Name(piece, None), say("named.gone", piece=piece)) for piece in found.gone)


def _items(situation: Situation) -> Iterator[tuple[Item, Message]]:
    if situation.help:
        yield Item.HELP, say("title.help")
    if situation.acceptable:
        yield Item.ACCEPT, say("menu.accept")
    if situation.to_put_right:
        yield Item.PUT_RIGHT, say("menu.put-right")
    question = situation.question
    # A question that a button answers is here for its further choices, or while the button has another meaning.
    needed = question and (not presses(question) or situation.disputes or len(question.choices) > 1)
    if question and needed and not opens_itself(question):
        yield Item.QUESTION, question.message
    if situation.last_deed:
        yield Item.UNDO, say("button.undo")
    if situation.can_redo:
        yield Item.REDO, say("menu.redo")
    if situation.playing and not situation.over:
        yield Item.NAME, say("menu.name")
    if situation.aside:
        yield Item.ASIDE, say("menu.aside")
    if any(isinstance(e, Text) and e.reading for page in situation.pages for e in page.elements):
        yield Item.TYPE, say("menu.small" if situation.large else "menu.large")
    yield Item.LANGUAGE, verbatim(LANGUAGE_NAMES[next_language(situation.language)])
    yield Item.SOUND, say("menu.sound-off" if situation.sound else "menu.sound-on")
    if situation.playing:
        yield Item.PAUSE, say("menu.pause")
        yield Item.RESTART, say("menu.restart")
    if situation.hosted:
        yield Item.LEAVE, say("menu.leave")

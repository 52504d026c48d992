"""What the box shows while one calibrates, and what its buttons mean."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from companion.app.calibrate.advice import Advice
from companion.app.calibrate.steps import ORDER, Step
from companion.core.messages import LANGUAGES, Message, say, verbatim
from companion.core.panel import Art, Button, Element, Lamp, Melody, Note, Page, Panel, Row, Text
from companion.face.tables import LANGUAGE_NAMES, next_language

ONWARDS: Melody = (Note(880, 0.12),)
"""A step is done."""
BACKWARDS: Melody = (Note(262, 0.25),)
"""An earlier one has its turn again."""
ALL_DONE: Melody = (Note(659, 0.12), Note(784, 0.12), Note(1047, 0.25))


class Wish(StrEnum):
    """What somebody wants by a press."""

    SKIP = "skip"
    """To go on from this step as it is."""
    BACK = "back"
    """To go back by one step."""
    END = "end"
    """To end."""


class Item(StrEnum):
    """What the menu holds, in its order."""

    BACK = "back"
    LANGUAGE = "language"
    SOUND = "sound"
    END = "end"


class Desk:
    """One box's screen and buttons.

    Args:
        language: in which the box speaks at first.
        sound: melodies are to be heard.

    Attributes:
        language, sound: as people have chosen.
        page: the screen to show, counting round.
        menu: it is open; meanwhile no other step has its turn.
    """

    def __init__(self, language: str = LANGUAGES[0], sound: bool = True) -> None:
        self.language = language
        self.sound = sound
        self.page = 0
        self.menu = False
        self._chosen = 0

    def panel(self, step: Step, advice: Advice) -> Panel:
        """What the box shows now."""
        if self.menu:
            rows = (Row(label, verbatim(""), item is self._marked) for item, label in self._items())
            meanings = {Button.A: "choose", Button.B: "close", Button.UP: "previous", Button.DOWN: "next"}
            return Panel((Page(say("button.menu"), tuple(rows)),), _buttons(meanings), lamps(step, advice))
        meanings = {Button.B: "menu", Button.UP: "page-back", Button.DOWN: "page-on"}
        first = (Button.A, say("calibrate.button.end" if step is Step.DONE else "calibrate.button.skip"))
        return Panel((page(step, advice),), (first, *_buttons(meanings)), lamps(step, advice))

    def press(self, button: Button, step: Step) -> Wish | None:
        """What a press does; what the desk can't do itself is given back."""
        if self.menu:
            return self._in_menu(button)
        if button is Button.A:
            return Wish.END if step is Step.DONE else Wish.SKIP
        if button is Button.B:
            self.menu, self._chosen = True, 0
        else:
            self.page += 1 if button is Button.DOWN else -1
        return None

    def _in_menu(self, button: Button) -> Wish | None:
        if button in (Button.UP, Button.DOWN):
            self._chosen += 1 if button is Button.DOWN else -1
            return None
        marked = self._marked
        self.menu = button is Button.A and marked in (Item.LANGUAGE, Item.SOUND)
        if button is Button.A and marked is Item.LANGUAGE:
            self.language = next_language(self.language)
        elif button is Button.A and marked is Item.SOUND:
            self.sound = not self.sound
        elif button is Button.A:
            return Wish.BACK if marked is Item.BACK else Wish.END
        return None

    @property
    def _marked(self) -> Item:
        return tuple(Item)[self._chosen % len(Item)]

    def _items(self) -> Iterator[tuple[Item, Message]]:
        yield Item.BACK, say("calibrate.menu.back")
        yield Item.LANGUAGE, verbatim(LANGUAGE_NAMES[next_language(self.language)])
        yield Item.SOUND, say("menu.sound-off" if self.sound else "menu.sound-on")
        yield Item.END, say("calibrate.menu.end")


def page(step: Step, advice: Advice) -> Page:
    """One step as a page."""
    body: list[Element] = []
    if advice.sketch:
        body.append(Art((advice.sketch,), advice.says))
    else:
        body += [Text(message) for message in advice.says]
    if step is Step.DONE:
        body += [Text(verbatim(line)) for line in advice.written]
    return Page(title(step), tuple(body))


def title(step: Step) -> Message:
    """Its number and name."""
    name = say(f"calibrate.step.{step}")
    return say("calibrate.title", number=ORDER.index(step) + 1, count=len(ORDER), step=name)


def lamps(step: Step, advice: Advice) -> frozenset[Lamp]:
    """Green: it is fulfilled. Red: there is no picture. Amber: something is to be done."""
    if advice.fine:
        return frozenset({Lamp.GREEN})
    return frozenset({Lamp.RED if step is Step.PICTURE else Lamp.AMBER})


def melody(before: Step, after: Step) -> Melody:
    """What is heard when another step has its turn, so that nobody need look up from the camera."""
    if before is after:
        return ()
    if after is Step.DONE:
        return ALL_DONE
    return ONWARDS if ORDER.index(after) > ORDER.index(before) else BACKWARDS


def _buttons(meanings: dict[Button, str]) -> tuple[tuple[Button, Message], ...]:
    return tuple((button, say(f"button.{meaning}")) for button, meaning in meanings.items())

"""Who is asked what no program can tell: whether a lamp shines, a tone is heard, a button was pressed."""

from __future__ import annotations

import math
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol, TextIO

import msgspec

from companion.app.hardware import SimulatedBox
from companion.core.messages import Message
from companion.core.panel import Button, Lamp


class Answer(StrEnum):
    """What somebody says to a question."""

    YES = "yes"
    NO = "no"
    SKIP = "skip"


class Question(msgspec.Struct, frozen=True):
    """Something that is asked.

    Attributes:
        about: the name of the finding, such as `lamp-red`.
        message: what is asked.
        button: the one that is to be pressed; None for a question of yes and no.
        lamp: the one that is lit meanwhile.
    """

    about: str
    message: Message
    button: Button | None = None
    lamp: Lamp | None = None


class People(Protocol):
    """Somebody who can be asked, besides by the buttons of the box."""

    def told(self, message: Message, /) -> None:
        """What is only to be known."""

    def asked(self, question: Question, /) -> None:
        """A question is put now, also on the display."""

    def answer(self) -> Answer | None:
        """What was said since the last time; called again and again, also while nothing is asked."""

    def heard(self, said: str, /) -> None:
        """What became of the question."""


KEYS = {"y": Answer.YES, "\r": Answer.YES, "\n": Answer.YES, "n": Answer.NO, "s": Answer.SKIP, " ": Answer.SKIP}


class AtTerminal:
    """Somebody at a terminal, or at the box with a terminal that shows what is asked.

    Args:
        out: where questions are printed.
        say: says them.
        keys: what was typed since the last time.
    """

    def __init__(self, out: TextIO, say: Callable[[Message], str], keys: Callable[[], str]) -> None:
        self._out = out
        self._say = say
        self._keys = keys

    def told(self, message: Message) -> None:
        """Prints it."""
        print(f"  {self._say(message)}", file=self._out, flush=True)

    def asked(self, question: Question) -> None:
        """Prints it, with the answers there are."""
        self._keys()  # what was typed too early is no answer
        answers = "n: nothing happens, s: skip" if question.button else "y or button A: yes, n or button B: no, s: skip"
        print(f"  {self._say(question.message)} [{answers}] ", end="", file=self._out, flush=True)

    def answer(self) -> Answer | None:
        """The last key that means something."""
        return next((KEYS[key] for key in reversed(self._keys().lower()) if key in KEYS), None)

    def heard(self, said: str) -> None:
        """Ends the line."""
        print(f"... {said}", file=self._out, flush=True)


class AtSimulatedBox:
    """Presses the buttons of a simulated box, and looks at its glass, lamps and buzzer.

    Args:
        box: it.
        clock: seconds.
        press_s: for how long it holds a button down.
    """

    def __init__(self, box: SimulatedBox, clock: Callable[[], float], press_s: float) -> None:
        self._box = box
        self._clock = clock
        self._press_s = press_s
        self._move_s = -math.inf
        self._question: Question | None = None

    def told(self, _message: Message) -> None:
        """Knows it already."""

    def asked(self, question: Question) -> None:
        """Presses the button that is asked for."""
        self._question = question
        if question.button:
            self._box.push(question.button)

    def answer(self) -> Answer | None:
        """Moves the fingers, and says what is to be seen and heard."""
        if self._clock() >= self._move_s:
            self._move_s = self._clock() + self._press_s
            self._box.fingers()
        if self._question is None or self._question.button:
            return None
        return Answer.YES if self._perceives(self._question) else None

    def heard(self, _said: str) -> None:
        """The question is over."""
        self._question = None

    def _perceives(self, question: Question) -> bool:
        if question.lamp:
            return self._box.board.lit() == {question.lamp}
        if question.about == "buzzer":
            return self._box.board.tone_hz() is not None
        glass = self._box.second if question.about == "second-display" else self._box.panel
        return glass is not None and glass.image().getbbox() is not None

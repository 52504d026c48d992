"""The devices of a box, one after another: whether each answers, and what people say of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from companion.app.doctor.checks import Check, Measure, Verdict
from companion.app.doctor.people import Answer, People, Question
from companion.core.messages import Message, say
from companion.core.panel import Button, Note, Page, Panel, Text
from companion.face.fonts import Fonts
from companion.face.screen import blank, picture
from companion.face.words import Words
from companion.service.config import Config
from devices.box import Hardware, Report, reported
from devices.buttons import Press
from devices.errors import DeviceError

TICK_S = 0.02
ANSWER_S = 20.0
"""So long an answer or a press is waited for."""
GRACE_S = 0.5
"""A button that is held down at the start is told that much after the time of a long press."""
AT_ONCE_S = 0.5
"""Another button that came so shortly before the right one is joined to it; one that came earlier was a slip."""
SECOND_THOUGHT_S = 5.0
"""After a wrong button the right one is waited for so long."""
SIGNAL = (Note(523.25, 0.25), Note(659.26, 0.25), Note(783.99, 0.5), Note(0, 1.0))
"""Three tones that rise, and a pause; again and again until somebody answers."""


class Rounds:
    """Goes from device to device.

    Args:
        make: makes the devices; it gets a function that is told their failures.
        config: how they are wired.
        people: who is asked; None asks nobody.
        words: the voice of the display.
        fonts: its letters.
        clock: seconds, the one that the devices use.
        sleep: waits for so many seconds.
        answer_s: how long an answer is waited for.
    """

    def __init__(
        self,
        make: Callable[[Report], Hardware],
        config: Config,
        people: People | None,
        words: Words,
        fonts: Fonts,
        clock: Callable[[], float],
        sleep: Callable[[float], None],
        answer_s: float = ANSWER_S,
    ) -> None:
        self._failures: dict[str, DeviceError] = {}
        self._hardware = make(self._failed)
        self._config = config
        self._people = people
        self._words, self._fonts = words, fonts
        self._clock, self._sleep = clock, sleep
        self._answer_s = answer_s
        self._there = False
        """Somebody has answered or pressed before: silence means something then."""

    def checks(self) -> Iterator[Check]:
        """Each finding as soon as it is known. The devices are given back at the end, whatever happens."""
        try:
            self._show(say("doctor.rest"))
            if self._people:
                self._people.told(say("doctor.rest"))
            held = self._held()
            yield from self._buttons(held)
            for name in self._displays():
                yield self._display(name)
            yield from self._lamps()
            yield self._buzzer()
            self._show(say("doctor.done"))
            self._tick()
        finally:
            self._hardware.close()

    def _displays(self) -> list[str]:
        tables = {"display": self._config.display, "second-display": self._config.second_display}
        return [name for name, table in tables.items() if table.driver != "none"]

    def _held(self) -> set[Button]:
        """The buttons that are down while nobody touches them. By the way every device is made and used once."""
        self._hardware.light(frozenset())
        held: set[Button] = set()
        until_s = self._clock() + self._config.buttons.long_press_s + GRACE_S
        while self._clock() < until_s:
            for press in self._tick():
                if press.long:
                    held |= {press.button} | ({press.together} if press.together else set())
        return held | {button for button in Button if reported(button) in self._failures}

    def _buttons(self, held: set[Button]) -> Iterator[Check]:
        if error := self._failures.get("buttons"):
            yield Check("buttons", Verdict.FAULT, str(error))
            return
        for button, pin in self._config.buttons.pins.items():
            name, measured = reported(button), (Measure("pin", pin),)
            if button in held:
                remedy = f"Does the button stick? Is GPIO{pin} wired to ground without it?"
                yield Check(name, Verdict.FAULT, "held down though nobody touches it", measured, remedy)
            elif self._people is None:
                yield Check(name, Verdict.SKIPPED, "not held down; nobody was asked to press it", measured)
            else:
                question = Question(name, say("doctor.press", button=button.value), button)
                yield self._pressed(name, question, pin)

    def _pressed(self, name: str, question: Question, pin: int) -> Check:
        answer, others = self._ask(question)
        measured = (Measure("pin", pin), Measure("pressed", answer is Answer.YES), Measure("others", others))
        remedy = f"Does it connect GPIO{pin} to ground?"
        if answer is Answer.YES and not others:
            return Check(name, Verdict.OK, "", measured)
        if others:
            said = f"{' and '.join(others)} came" + (" as well" if answer is Answer.YES else " instead")
            swapped = "Are the wires swapped? companion config show tells the pins."
            return Check(name, Verdict.FAULT, said, measured, swapped)
        if answer is Answer.SKIP:
            return Check(name, Verdict.SKIPPED, "", measured)
        if answer is Answer.NO or self._there:
            return Check(name, Verdict.FAULT, "no press came", measured, remedy)
        return Check(name, Verdict.UNKNOWN, f"nobody pressed it within {self._answer_s:.0f} s", measured, remedy)

    def _display(self, name: str) -> Check:
        table = self._config.display if name == "display" else self._config.second_display
        place = f"0x{table.address:02x}" if table.bus == "i2c" else f"CE{table.chip_select}"
        measured = (Measure("driver", table.driver), Measure("place", f"{table.bus} {table.bus_number}, {place}"))
        if name not in self._failures:
            self._show(say("doctor.readable"), second=name == "second-display")
            self._tick()
        if error := self._failures.get(name):
            shown = f"i2cdetect -y {table.bus_number} shows 3c or 3d where it is." if table.bus == "i2c" else ""
            return Check(name, Verdict.FAULT, str(error), measured, shown)
        dark = 'Is driver the chip that it has: "ssd1306", "sh1106" or "ssd1309"? Shops often name the wrong one.'
        answers = "answers" if table.bus == "i2c" else "over SPI it can't answer"
        if self._people is None:
            verdict = Verdict.OK if table.bus == "i2c" else Verdict.UNKNOWN
            return Check(name, verdict, f"{answers}; nobody was asked to read it", measured)
        return self._seen(Question(name, say(f"doctor.{name}")), "nothing can be read", measured, dark)

    def _lamps(self) -> Iterator[Check]:
        for lamp, pin in self._config.lamps.pins.items():
            name, measured = f"lamp-{lamp.value}", (Measure("pin", pin),)
            self._hardware.light(frozenset({lamp}))
            self._tick()
            if error := self._failures.get("lamps"):
                yield Check("lamps", Verdict.FAULT, str(error), measured)
                return
            remedy = f"Its long leg belongs towards GPIO{pin}, its resistor of 330 ohms to ground."
            if self._config.lamps.brightness == 0:
                yield Check(name, Verdict.SKIPPED, "brightness = 0 in the settings", measured)
            elif self._people is None:
                yield Check(name, Verdict.SKIPPED, "lit; nobody was asked to look at it", measured)
            else:
                question = Question(name, say(f"doctor.{name}"), lamp=lamp)
                yield self._seen(question, "dark", measured, remedy)
        self._hardware.light(frozenset())

    def _buzzer(self) -> Check:
        table = self._config.buzzer
        measured = (Measure("pin", table.pin),)
        self._hardware.play(SIGNAL)
        self._tick()
        if error := self._failures.get("buzzer"):
            return Check("buzzer", Verdict.FAULT, str(error), measured)
        if self._hardware.muted or table.volume == 0:
            why = "sound = false" if self._hardware.muted else "volume = 0"
            return Check("buzzer", Verdict.SKIPPED, f"{why} in the settings", measured)
        if self._people is None:
            return Check("buzzer", Verdict.SKIPPED, "played; nobody was asked to listen", measured)
        remedy = "It must be a passive one; an active one clicks. Behind a hole of 2 mm it is heard best."
        found = self._seen(Question("buzzer", say("doctor.buzzer")), "not heard", measured, remedy)
        self._hardware.play(())
        return found

    def _seen(self, question: Question, otherwise: str, measured: tuple[Measure, ...], remedy: str) -> Check:
        """Asks what people see or hear, and judges their answer."""
        answer, _ = self._ask(question)
        name = question.about
        if error := self._failures.get(name):  # it went away meanwhile
            return Check(name, Verdict.FAULT, str(error), measured)
        if answer is Answer.YES:
            return Check(name, Verdict.OK, "", measured)
        if answer is Answer.NO:
            return Check(name, Verdict.FAULT, otherwise, measured, remedy)
        if answer is Answer.SKIP:
            return Check(name, Verdict.SKIPPED, "", measured)
        return Check(name, Verdict.UNKNOWN, f"nobody answered within {self._answer_s:.0f} s", measured)

    def _ask(self, question: Question) -> tuple[Answer | None, list[str]]:
        """Puts a question, and waits for its answer; of a button also which others came with it, or instead."""
        assert self._people is not None
        asked = question.message if question.about not in ("display", "second-display") else say("doctor.readable")
        self._show(asked, second=question.about == "second-display", answers=question.button is None)
        self._people.asked(question)
        until_s, again_s = self._clock() + self._answer_s, -math.inf
        answer: Answer | None = None
        others: dict[str, float] = {}
        while answer is None and self._clock() < until_s:
            if question.about == "buzzer" and self._clock() >= again_s:
                again_s = self._clock() + sum(note.length_s for note in SIGNAL)
                self._hardware.play(SIGNAL)
            for press in self._tick():
                down = {press.button, press.together or press.button}
                if press.long:  # a finger that still rests there since the last question
                    continue
                self._there = True
                if question.button is None:
                    answer = {Button.A: Answer.YES, Button.B: Answer.NO}.get(press.button, answer)
                    continue
                others |= {button.value: press.at_s for button in down - {question.button}}
                if question.button in down:
                    answer = Answer.YES
                    others = {name: at_s for name, at_s in others.items() if press.at_s - at_s < AT_ONCE_S}
                else:
                    until_s = min(until_s, press.at_s + SECOND_THOUGHT_S)
            spoken = self._people.answer()
            if spoken is not None:
                self._there = True
                answer = answer or spoken
        self._people.heard("ok" if question.button and answer is Answer.YES else answer or "no answer")
        return answer, list(others)

    def _show(self, message: Message, second: bool = False, answers: bool = False) -> None:
        """What the display shows from now on; the other one is dark."""
        buttons = ((Button.A, say("button.yes")), (Button.B, say("button.no"))) if answers else ()
        page = picture(Panel((Page(say("doctor.title"), (Text(message),)),), buttons), self._words, self._fonts)
        self._hardware.show(blank() if second else page)
        self._hardware.show_second(page if second else blank())

    def _tick(self) -> list[Press]:
        self._sleep(TICK_S)
        return self._hardware.tick(self._clock())

    def _failed(self, name: str, error: DeviceError | None) -> None:
        self._failures.pop(name, None)
        if error:
            self._failures[name] = error

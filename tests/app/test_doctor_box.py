"""The doctor goes from device to device: simulated ones, through the drivers of the real ones."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.console import console
from companion.app.doctor.box import ANSWER_S, Rounds
from companion.app.doctor.checks import Check
from companion.app.doctor.people import Answer, AtSimulatedBox, AtTerminal, People, Question
from companion.app.hardware import SimulatedBox
from companion.core.messages import Message, say
from companion.core.panel import Button, Lamp, Page, Panel, Text
from companion.face.fonts import find_fonts
from companion.face.screen import picture
from companion.face.words import load_words
from companion.service.config import Config
from devices.box import Hardware, Report
from devices.errors import PinError
from devices.oled import Oled
from devices.wires import I2cWires

FONTS = find_fonts([])
YES, NO, SKIP = Answer.YES, Answer.NO, Answer.SKIP
NAMES = [
    "button-a", "button-b", "button-up", "button-down", "display", "lamp-green", "lamp-red", "lamp-amber", "buzzer",
]  # fmt: skip
SECOND = replace(Config(), second_display=replace(Config().second_display, driver="ssd1306"))


class Folk:
    """People who press what they are asked to press, and say yes, unless it is said otherwise.

    Args:
        clinic: the box that they sit at.
        answers: what they type to a question; None for nothing.
        fingers: the buttons that they press together at a question, by its name.
    """

    def __init__(
        self,
        clinic: Clinic,
        answers: Mapping[str, Answer | None] | None = None,
        fingers: Mapping[str, tuple[Button, ...]] | None = None,
    ) -> None:
        self._clinic = clinic
        self._answers = answers or {}
        self._fingers = fingers or {}
        self._question: Question | None = None
        self._down: tuple[Button, ...] = ()
        self.heard_all: list[tuple[str, str]] = []
        self.glass: dict[str, bytes] = {}
        self.lit: dict[str, list[str]] = {}
        self.on_question: Callable[[str], None] = lambda _about: None

    def told(self, _message: Message) -> None:
        pass

    def asked(self, question: Question) -> None:
        self._question = question
        pressed = (question.button,) if question.button and question.about not in self._answers else ()
        self._down = self._fingers.get(question.about, pressed)
        for button in self._down:
            self._clinic.box.board.press(button)
        self.on_question(question.about)

    def answer(self) -> Answer | None:
        if self._question is None:
            return None
        about = self._question.about
        usual = YES if self._question.button is None and about not in self._fingers else None
        return self._answers.get(about, usual)

    def heard(self, said: str) -> None:
        assert self._question is not None
        about = self._question.about
        self.heard_all.append((about, said))
        self.glass[about] = self._clinic.box.panel.image().tobytes()
        self.lit[about] = sorted(self._clinic.box.board.lit())
        self._question = None
        for button in self._down:
            self._clinic.box.board.release(button)


class Clinic:
    """A simulated box on which time passes only while somebody waits."""

    def __init__(self, config: Config | None = None, language: str = "en") -> None:
        self.now_s = 100.0
        self.config = config or Config()
        second = self.config.second_display.driver != "none"
        self.box = SimulatedBox(lambda: self.now_s, second, self.config)
        self.words = load_words(language, strict=True)
        self.make: Callable[[Report], Hardware] = self.box.hardware
        self.due: list[tuple[float, Button]] = []
        """Buttons that are pressed, and held, when their time has come."""

    def rounds(self, people: People | None) -> Rounds:
        return Rounds(self.make, self.config, people, self.words, FONTS, lambda: self.now_s, self._sleep)

    def found(self, people: People | None) -> dict[str, str]:
        """What is said of each device, with its verdict."""
        return {check.name: _short(check) for check in self.rounds(people).checks()}

    def _sleep(self, seconds: float) -> None:
        self.now_s += seconds
        for at_s, button in [one for one in self.due if self.now_s >= one[0]]:
            self.due.remove((at_s, button))
            self.box.board.press(button)


def _short(check: Check) -> str:
    return f"{check.verdict}: {check.says}" if check.says else str(check.verdict)


def test_a_box_on_which_all_is_well_asks_for_everything_once() -> None:
    clinic = Clinic(SECOND)
    folk = Folk(clinic)
    assert clinic.found(folk) == dict.fromkeys([*NAMES[:5], "second-display", *NAMES[5:]], "ok")
    assert folk.heard_all == [
        ("button-a", "ok"), ("button-b", "ok"), ("button-up", "ok"), ("button-down", "ok"),
        ("display", "yes"), ("second-display", "yes"),
        ("lamp-green", "yes"), ("lamp-red", "yes"), ("lamp-amber", "yes"), ("buzzer", "yes"),
    ]  # fmt: skip
    lamps = {"lamp-green": ["green"], "lamp-red": ["red"], "lamp-amber": ["amber"]}
    assert {about: lit for about, lit in folk.lit.items() if lit} == lamps


@pytest.mark.parametrize("language", ["en", "de", "es", "ca"])
def test_the_display_says_in_the_language_of_the_box_what_is_asked(language: str) -> None:
    clinic = Clinic(language=language)
    folk = Folk(clinic)
    clinic.found(folk)

    def shown(message: Message, *buttons: tuple[Button, Message]) -> bytes:
        panel = Panel((Page(say("doctor.title"), (Text(message),)),), buttons)
        return picture(panel, clinic.words, FONTS).tobytes()

    answers = ((Button.A, say("button.yes")), (Button.B, say("button.no")))
    assert folk.glass["button-up"] == shown(say("doctor.press", button="up"))
    assert folk.glass["display"] == shown(say("doctor.readable"), *answers)
    assert folk.glass["lamp-red"] == shown(say("doctor.lamp-red"), *answers)
    assert folk.glass["buzzer"] == shown(say("doctor.buzzer"), *answers)


def test_the_boxs_own_buttons_answer_as_well() -> None:
    clinic = Clinic()
    folk = Folk(clinic, fingers={"display": (Button.A,), "lamp-green": (Button.B,), "buzzer": (Button.B,)})
    found = clinic.found(folk)
    assert found == {**dict.fromkeys(NAMES, "ok"), "lamp-green": "fault: dark", "buzzer": "fault: not heard"}


def test_the_melody_sounds_again_until_somebody_answers() -> None:
    clinic = Clinic()
    tones: list[float] = []

    class Listening(Folk):
        def answer(self) -> Answer | None:
            tone = self._clinic.box.board.tone_hz()
            if tone is not None and (not tones or round(tone) != tones[-1]):
                tones.append(round(tone))
            return super().answer()

    clinic.found(Listening(clinic, {"buzzer": None}))
    assert tones[:6] == [523, 659, 784, 523, 659, 784]


def test_a_button_that_is_held_down_by_nobody_is_a_fault_and_answers_nothing() -> None:
    clinic = Clinic()
    clinic.due = [(clinic.now_s + 0.1, Button.A)]
    found = clinic.found(Folk(clinic))
    assert found == {**dict.fromkeys(NAMES, "ok"), "button-a": "fault: held down though nobody touches it"}


def test_both_answering_buttons_held_down_are_two_faults() -> None:
    clinic = Clinic()
    clinic.due = [(clinic.now_s + 0.1, Button.A), (clinic.now_s + 0.1, Button.B)]
    found = clinic.found(None)
    assert {name for name, said in found.items() if said.startswith("fault")} == {"button-a", "button-b"}


def test_a_button_that_is_wired_to_the_wrong_pin_is_told_by_the_one_that_came() -> None:
    clinic = Clinic()
    found = clinic.found(Folk(clinic, fingers={"button-up": (Button.DOWN,), "button-down": (Button.UP,)}))
    swapped = {"button-up": "fault: down came instead", "button-down": "fault: up came instead"}
    assert found == {**dict.fromkeys(NAMES, "ok"), **swapped}


def test_two_buttons_that_touch_one_another_come_both() -> None:
    clinic = Clinic()
    both = {"button-a": (Button.A, Button.B), "button-up": (Button.DOWN, Button.UP)}
    found = clinic.found(Folk(clinic, fingers=both))
    assert (found["button-a"], found["button-up"]) == ("fault: B came as well", "fault: down came as well")


def test_a_wrong_button_that_is_put_right_was_a_slip() -> None:
    clinic = Clinic()
    folk = Folk(clinic, fingers={"button-b": (Button.UP,)})

    def then(about: str) -> None:
        if about == "button-b":
            clinic.due = [(clinic.now_s + 1.5, Button.B)]

    folk.on_question = then
    found = clinic.found(folk)
    assert found["button-b"] == "ok"


def test_a_finger_that_rests_on_a_button_answers_no_further_question() -> None:
    clinic = Clinic()
    folk = Folk(clinic, {"lamp-green": None}, fingers={"display": ()})

    def rest(about: str) -> None:
        if about == "display":
            clinic.due = [(clinic.now_s + 0.5, Button.A)]

    folk.on_question = rest
    found = clinic.found(folk)
    assert (found["display"], found["lamp-green"]) == ("ok", "not known: nobody answered within 20 s")


def test_silence_means_that_nobody_is_there_until_somebody_was() -> None:
    clinic = Clinic()
    began_s = clinic.now_s
    found = clinic.found(Folk(clinic, dict.fromkeys(NAMES)))
    asked = [name for name in NAMES if not name.startswith("button")]
    pressed = dict.fromkeys(NAMES[:4], "not known: nobody pressed it within 20 s")
    assert found == {**pressed, **dict.fromkeys(asked, "not known: nobody answered within 20 s")}
    assert clinic.now_s - began_s == pytest.approx(len(NAMES) * ANSWER_S, abs=3.0)
    again = Clinic()
    assert again.found(Folk(again, {"button-down": None}))["button-down"] == "fault: no press came"


def test_what_people_say_is_what_counts() -> None:
    clinic = Clinic()
    answers = {"button-up": NO, "button-down": SKIP, "display": NO, "lamp-red": SKIP, "buzzer": NO}
    checks = {check.name: check for check in clinic.rounds(Folk(clinic, answers)).checks()}
    assert {name: _short(checks[name]) for name in answers} == {
        "button-up": "fault: no press came",
        "button-down": "skipped",
        "display": "fault: nothing can be read",
        "lamp-red": "skipped",
        "buzzer": "fault: not heard",
    }
    assert checks["button-up"].remedy == "Does it connect GPIO13 to ground?"
    assert "driver" in checks["display"].remedy


def test_where_nobody_is_asked_what_only_people_know_is_skipped() -> None:
    clinic = Clinic()
    found = clinic.found(None)
    assert [name for name, said in found.items() if said.startswith("skipped: ")] == [*NAMES[:4], *NAMES[5:]]
    assert found["display"] == "ok: answers; nobody was asked to read it"


def test_a_display_that_was_pulled_out_stops_no_other_device() -> None:
    clinic = Clinic()
    clinic.box.panel.unplug()
    checks = {check.name: check for check in clinic.rounds(Folk(clinic)).checks()}
    assert checks["display"].verdict.value == "fault"
    assert checks["display"].says.startswith("display ssd1306 at 0x3c: ")
    assert [name for name, check in checks.items() if check.verdict != "ok"] == ["display"]


def test_a_display_that_is_pulled_out_while_it_is_asked_for_is_a_fault() -> None:
    clinic = Clinic()
    folk = Folk(clinic, {"display": None})
    folk.on_question = lambda about: clinic.box.panel.unplug() if about == "display" else None
    assert clinic.found(folk)["display"].startswith("fault: display ssd1306")


def test_a_display_over_spi_that_nobody_looks_at_is_not_known() -> None:
    clinic = Clinic(replace(Config(), display=replace(Config().display, bus="spi")))
    assert clinic.found(None)["display"] == "not known: over SPI it can't answer; nobody was asked to read it"


def test_pins_that_cannot_be_had_are_one_fault_for_each_sort_of_device() -> None:
    def taken() -> Any:
        raise PinError("pins lgpio: can't open gpiochip; is this a Raspberry Pi, and the user in the group gpio?")

    clinic = Clinic()
    panel = clinic.box.panel
    clinic.make = lambda report: Hardware(lambda: Oled(I2cWires(panel)), taken, taken, taken, report)
    said = "fault: pins lgpio: can't open gpiochip; is this a Raspberry Pi, and the user in the group gpio?"
    assert clinic.found(Folk(clinic)) == {"buttons": said, "display": "ok", "lamps": said, "buzzer": said}


def test_devices_without_sound_and_light_are_not_asked_for() -> None:
    quiet = replace(
        Config(), buzzer=replace(Config().buzzer, volume=0.0), lamps=replace(Config().lamps, brightness=0.0)
    )
    clinic = Clinic(quiet)
    folk = Folk(clinic)
    found = clinic.found(folk)
    assert found["buzzer"] == "skipped: volume = 0 in the settings"
    assert found["lamp-red"] == "skipped: brightness = 0 in the settings"
    assert [about for about, _ in folk.heard_all] == NAMES[:5]


def test_the_devices_are_given_back_also_when_somebody_has_had_enough() -> None:
    clinic = Clinic()
    folk = Folk(clinic)

    def enough(about: str) -> None:
        if about == "lamp-red":
            raise KeyboardInterrupt

    folk.on_question = enough
    with pytest.raises(KeyboardInterrupt):
        clinic.found(folk)
    assert clinic.box.panel.image().getbbox() is None
    assert clinic.box.board.lit() == frozenset()


def test_a_simulated_box_examines_itself() -> None:
    clinic = Clinic(replace(SECOND, buttons=replace(SECOND.buttons, debounce_ms=200.0)))
    itself = AtSimulatedBox(clinic.box, lambda: clinic.now_s, 0.25)
    assert clinic.found(itself) == dict.fromkeys([*NAMES[:5], "second-display", *NAMES[5:]], "ok")


@pytest.mark.parametrize(
    "question",
    [
        Question("display", say("doctor.display")),
        Question("second-display", say("doctor.second-display")),
        Question("lamp-red", say("doctor.lamp-red"), lamp=Lamp.RED),
        Question("buzzer", say("doctor.buzzer")),
    ],
    ids=lambda question: question.about,
)
def test_a_simulated_box_that_is_dark_and_silent_does_not_say_anything_else(question: Question) -> None:
    clinic = Clinic()
    itself = AtSimulatedBox(clinic.box, lambda: clinic.now_s, 0.05)
    itself.asked(question)
    assert itself.answer() is None


def test_at_a_terminal_each_question_is_a_line_with_its_answers() -> None:
    out, typed = io.StringIO(), ["y", "", "x", "", "S", "", "\n", "Nq"]
    terminal = AtTerminal(out, load_words("en", strict=True).say, lambda: typed.pop(0))
    terminal.told(say("doctor.rest"))
    terminal.asked(Question("lamp-red", say("doctor.lamp-red")))
    answers = [terminal.answer() for _ in range(4)]
    terminal.heard("yes")
    terminal.asked(Question("button-up", say("doctor.press", button="up"), Button.UP))
    answers += [terminal.answer() for _ in range(2)]
    terminal.heard("ok")
    assert answers == [None, None, None, SKIP, YES, NO]
    assert out.getvalue() == (
        "  Please touch no button.\n"
        "  Does the red lamp shine? [y or button A: yes, n or button B: no, s: skip] ... yes\n"
        "  Please press the button up. [n: nothing happens, s: skip] ... ok\n"
    )


def test_without_a_terminal_nobody_types() -> None:
    with console(source=io.StringIO("yyy")) as terminal:
        assert terminal.typed() == ""

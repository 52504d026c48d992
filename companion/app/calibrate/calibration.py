"""One calibration: camera, looks, steps, screen, buttons and picture file, joined and stepped frame by frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from msgspec.structs import replace

from companion.app.calibrate import steps
from companion.app.calibrate.advice import Advice, Known, advise
from companion.app.calibrate.desk import Desk, Wish, melody, title
from companion.app.calibrate.marking import PictureError, marked, write
from companion.app.calibrate.sighting import Looker, Readings, lens_of
from companion.app.calibrate.steps import State, Step
from companion.app.checkup import Checkup
from companion.core.messages import Message, say
from companion.core.panel import Button, Melody, Panel
from companion.face.fonts import Fonts
from companion.face.screen import picture
from companion.face.situation import Trouble
from companion.face.terminal import Entry
from companion.face.words import Words
from devices.box import Hardware, Report
from devices.errors import DeviceError
from vision.cameras import Camera, CameraError, NothingNewError
from vision.frame import Frame

LOOK_S = 0.3
"""Between two looks."""
PICTURE_S = 1.0
"""Between two pictures."""
TOLD_S = 3.0
"""In the log, where nothing but a number has changed, between two lines."""


class Calibration:
    """Everything that one calibration needs, in one thread.

    Args:
        camera: the source of frames.
        looker: looks at them.
        known: what is known of the camera beforehand.
        hardware: makes the devices; it gets a function to which their failures are reported.
        voice: makes the voice in a language.
        fonts: of screen and picture.
        desk: screen and buttons.
        path: the picture file; None for none.
        live: the log also tells numbers that change.

    Attributes:
        readings: the newest ones.
        advice: what each step says of them.
        state: how far one has come.
        log: what has happened.
        frame: the newest one, None before the first.
        ended: somebody wants to end.
    """

    def __init__(
        self,
        camera: Camera,
        looker: Looker,
        known: Known,
        hardware: Callable[[Report], Hardware],
        voice: Callable[[str], Words],
        fonts: Fonts,
        desk: Desk,
        path: Path | None = None,
        live: bool = False,
    ) -> None:
        self.camera = camera
        self.looker = looker
        self.desk = desk
        self.words = voice(desk.language)
        self.readings = Readings("waiting")
        self.state = State()
        self.log: list[Entry] = []
        self.frame: Frame | None = None
        self.ended = False
        self._known = known
        self.advice = advise(self.readings, known)
        self._voice = voice
        self._fonts = fonts
        self._path = path
        self._live = live
        self._started_s = self._now_s = -math.inf
        self._looked_s = self._written_s = self._told_s = -math.inf
        self._told: tuple[Step, tuple[Message, ...]] | None = None
        self._blind = ""
        self._unwritten = ""
        self._troubles: dict[str, Trouble] = {}
        self._checkup = Checkup(camera, self._camera_trouble)
        self._hardware = hardware(self._device_failed)
        if fonts.remedy:
            self._note(fonts.remedy, "trouble")

    def step(self, now_s: float) -> bool:
        """Takes one frame, if there is one, and does what follows from it; False once the camera has no more.

        Args:
            now_s: seconds of a clock that never goes back, the one that the devices use.
        """
        self._started_s = now_s if math.isinf(self._started_s) else self._started_s
        self._now_s = now_s
        try:
            frame = self.camera.read()
        except NothingNewError:
            return True
        except CameraError as error:
            self._lost(str(error))
            return True
        if frame is None:
            return False
        self._blind = ""
        self.frame = frame
        self._checkup.look(frame, None)
        if now_s - self._looked_s >= LOOK_S:
            self._looked_s = now_s
            readings = self.looker.look(frame, lens_of(self.camera))
            frozen = "camera-frozen" in self._troubles
            self._think(Readings("frozen", readings.size_px) if frozen else readings)
            self._draw(frame)
        return True

    def press(self, button: Button) -> None:
        """Does what a press of a button means now."""
        wish = self.desk.press(button, self.state.step)
        if self.desk.language != self.words.language:
            self.words = self._voice(self.desk.language)
        if wish is Wish.END:
            self.ended = True
        elif wish is not None:
            self._turn(steps.back(self.state) if wish is Wish.BACK else steps.skip(self.state, self._found))

    def refresh(self, now_s: float) -> None:
        """Brings screen, lamps and buzzer up to date, and takes the presses since the last time."""
        panel = self.panel()
        self._hardware.show(picture(panel, self.words, self._fonts, self.desk.page))
        self._hardware.light(panel.lamps)
        for press in self._hardware.tick(now_s):
            if not (press.long or press.together):
                self.press(press.button)

    def panel(self) -> Panel:
        """What the box shows now."""
        return self.desk.panel(self.state.step, self.advice[self.state.step])

    @property
    def done(self) -> bool:
        """All steps are fulfilled."""
        return self.state.step is Step.DONE and self.advice[Step.DONE].fine is True

    def ending(self) -> list[str]:
        """What is left to be done when the calibration stops."""
        advice = self.advice[Step.DONE]
        lines = [" ".join(map(self.words.say, advice.says)), *advice.written]
        if self._path and not math.isinf(self._written_s) and not self._unwritten:
            lines.append(self.words.say(say("calibrate.ending.picture", path=str(self._path))))
        return lines

    def close(self) -> None:
        """Gives camera and devices back."""
        self.camera.close()
        self._hardware.close()

    @property
    def _found(self) -> Mapping[Step, bool | None]:
        return {step: advice.fine for step, advice in self.advice.items()}

    def _lost(self, why: str) -> None:
        """The camera gives no frames at present."""
        if why != self._blind:
            self._note(why, "trouble")
        self._blind = why
        self._checkup.lost()
        self._think(Readings("camera"))

    def _think(self, readings: Readings) -> None:
        """Takes new readings."""
        self.readings = readings
        best = max(self._known.best, readings.sharpness or 0)
        self._known = replace(self._known, passed=self.state.passed, best=best)
        self.advice = advise(readings, self._known)
        if self.desk.menu:
            self.state = replace(self.state, since_s=None, broken_s=None)
        else:
            self._turn(steps.advance(self.state, self._found, self._now_s))
        self._tell(self.advice[self.state.step])

    def _turn(self, state: State) -> None:
        """Another step may have its turn."""
        before, self.state = self.state, state
        if before.step is state.step:
            return
        self.desk.page = 0
        self._known = replace(self._known, best=0)
        heard: Melody = melody(before.step, state.step)
        if self.desk.sound:
            self._hardware.play(heard)

    def _tell(self, advice: Advice) -> None:
        """Writes into the log what the step says, if that is new."""
        telling = (self.state.step, advice.says)
        if self._told is not None:
            same = (self._told[0], [one.key for one in self._told[1]]) == (telling[0], [one.key for one in advice.says])
            if telling == self._told or (same and not (self._live and self._now_s - self._told_s >= TOLD_S)):
                return
        self._told, self._told_s = telling, self._now_s
        level = "event" if advice.fine else "trouble" if self.state.step is Step.PICTURE else "dispute"
        says = " ".join(map(self.words.say, advice.says))
        where = {"where": list(advice.where)} if advice.where else {}
        key = "calibrate.line-where" if where else "calibrate.line"
        self._note(self.words.say(say(key, step=say(f"calibrate.step.{self.state.step}"), says=says, **where)), level)
        if self.state.step is Step.DONE:
            for line in advice.written:
                self._note(line)

    def _draw(self, frame: Frame) -> None:
        """Writes the picture, if it is due, and looks where the pieces lie."""
        if self._now_s - self._written_s < PICTURE_S:
            return
        self._written_s = self._now_s
        self.looker.scan(frame)
        if self._path is None:
            return
        try:
            write(self._path, marked(frame, self.looker, self._captions(), self._fonts))
        except PictureError as error:
            if str(error) != self._unwritten:
                self._note(str(error), "trouble")
            self._unwritten = str(error)
        else:
            self._unwritten = ""

    def _captions(self) -> Sequence[str]:
        advice, readings = self.advice[self.state.step], self.readings
        numbers = [
            (readings.module_px, "{:.1f} px"),
            (readings.height_mm and readings.height_mm / 10, "{:.0f} cm"),
            (readings.tilt_deg, "{:.0f}°"),
            (readings.sharpness, "{}/100"),
        ]
        told = " · ".join(text.format(number) for number, text in numbers if number is not None)
        return [self.words.say(title(self.state.step)), *map(self.words.say, advice.says), *([told] if told else [])]

    def _note(self, text: str, level: str = "event") -> None:
        passed = int(self._now_s - self._started_s) if not math.isinf(self._started_s) else 0
        self.log.append(Entry(f"{passed // 60:02}:{passed % 60:02}", text, level))

    def _camera_trouble(self, name: str, trouble: Trouble | None) -> None:
        self._troubles.pop(name, None)
        if trouble is not None:
            self._troubles[name] = trouble

    def _device_failed(self, _name: str, error: DeviceError | None) -> None:
        if error:
            self._note(str(error), "trouble")

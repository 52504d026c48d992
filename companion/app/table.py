"""One table in action: camera, eyes, session, desk and devices, joined and stepped frame by frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.app.checkup import Checkup
from companion.app.hardware import trouble_of
from companion.core.game import Game
from companion.core.messages import say
from companion.core.panel import Button, Panel
from companion.core.snapshot import Leave, Snapshot
from companion.core.table import Observation
from companion.face.desk import Desk
from companion.face.fonts import Fonts
from companion.face.screen import blank, picture
from companion.face.situation import Trouble
from companion.face.words import Words, load_words
from companion.service.journal import Journal
from companion.service.replay import Replay
from companion.service.session import Session
from devices.box import Hardware
from devices.errors import DeviceError
from vision.cameras import Camera, CameraError, NothingNewError
from vision.frame import Frame
from vision.watcher import FrameSizeError, Watcher

Listener = Callable[[Snapshot, Words], None]

ASIDE_S = 5.0
"""So long each screen is shown on the second display, which has no buttons, if there are several."""


class Table:
    """Everything that one game needs, in one thread.

    Args:
        game: the rules.
        camera: the source of frames.
        watcher: reads them.
        journal: where moves are kept.
        words: the voice at first.
        fonts: of the screen.
        hardware: makes the devices; it gets a function to which their failures are reported.
        draft: what is known of the set-up beforehand.
        resume: carry on with the journal's last game, which may have been replayed already.
        listen: gets each snapshot, after it was journaled and shown, and the voice that is used now.
        hosted: there are other games to go to.
        voice: makes the voice in another language; the game's, if it isn't given.

    Attributes:
        words: the voice; people choose its language with the buttons.
        frame: the newest one, None before the first.
        blind: why the camera gives no frames at present; empty while it does.
        checkup: what is wrong with the frames that it gives.
        snapshot: the newest one.
        left: somebody wants another game.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        camera: Camera,
        watcher: Watcher,
        journal: Journal,
        words: Words,
        fonts: Fonts,
        hardware: Callable[[Callable[[str, DeviceError | None], None]], Hardware],
        draft: dict[str, Any] | None = None,
        resume: bool | Replay = True,
        listen: Listener = lambda _snapshot, _words: None,
        hosted: bool = False,
        voice: Callable[[str], Words] | None = None,
    ) -> None:
        self.game = game
        self.camera = camera
        self.watcher = watcher
        self.words = words
        self.fonts = fonts
        self.desk = Desk(game.melodies, words.language, hosted)
        self.hardware = hardware(self._device_failed)
        self.frame: Frame | None = None
        self.blind = ""
        self.checkup = Checkup(camera, self.desk.trouble)
        self.left = False
        self._voice = voice or (lambda language: load_words(language, game))
        self.snapshot = Snapshot(0, game.id)
        self._listen = listen
        self.session = Session(game, journal, self._published, draft, resume)

    def step(self) -> bool:
        """Takes one frame, if there is one, and does what follows from it; False once the camera has no more."""
        try:
            frame = self.camera.read()
        except NothingNewError:
            return True
        except CameraError as error:
            self.blind = str(error)
            self.checkup.lost()
            self.desk.trouble("camera", Trouble(say("trouble.camera"), blind=True))
            return True
        if self.blind:
            self.blind = ""
            self.desk.trouble("camera", None)
        if frame is None:
            return False
        self.frame = frame
        self.checkup.look(frame, self.watcher.px_per_module)
        try:
            seen = self.watcher.look(frame)
        except FrameSizeError:  # the camera was set to another mode, or replaced: everything is looked at anew
            self.watcher = Watcher(self.game.box)
            self.watcher.place(self.snapshot.zones)
            return True
        table = self.watcher.table
        placed = table.homography is not None
        self.checkup.corners(frame.at_s, table.corners_unknown if placed else None, self.watcher.mirrored)
        if seen is not None:
            self.see(seen)
        return True

    def see(self, seen: Observation) -> None:
        """Hands an observation to the session, unless the game is paused."""
        if not self.desk.paused:
            self.session.see(seen)

    def press(self, button: Button) -> None:
        """Does what a press of a button means now."""
        command = self.desk.press(button)
        if isinstance(command, Leave):
            self.left = True
        elif command is not None:
            self.session.tell(command)
        if self.desk.language != self.words.language:
            self.speak(self.desk.language)

    def speak(self, language: str) -> None:
        """Goes on in another language."""
        self.words = self._voice(language)
        self.desk.language = language

    def refresh(self, now_s: float) -> None:
        """Brings screens, lamps and buzzer up to date, and takes the presses since the last time.

        Args:
            now_s: seconds of the clock that the devices use.
        """
        panel = self.desk.panel()
        self.hardware.show(picture(panel, self.words, self.fonts, self.desk.page))
        if self.hardware.has_second:
            turned = int(now_s // ASIDE_S)
            aside = picture(Panel(panel.aside), self.words, self.fonts, turned) if panel.aside else blank()
            self.hardware.show_second(aside)
        self.hardware.light(panel.lamps)
        for press in self.hardware.tick(now_s):
            if press.together:
                if not press.long:
                    self.desk.press_both()
            elif press.long:
                self.desk.hold(press.button)
            else:
                self.press(press.button)

    def close(self) -> None:
        """Gives camera and devices back."""
        self.camera.close()
        self.hardware.close()

    def _published(self, snapshot: Snapshot) -> None:
        if snapshot.zones != self.snapshot.zones:
            self.watcher.place(snapshot.zones)
        self.snapshot = snapshot
        melody = self.desk.show(snapshot)
        if melody and self.desk.sound:
            self.hardware.play(melody)
        self._listen(snapshot, self.words)

    def _device_failed(self, name: str, error: DeviceError | None) -> None:
        self.desk.trouble(name, trouble_of(name) if error else None)

"""A calibration from its first picture to its end: steps, screen, buttons, log and picture file."""

from __future__ import annotations

import dataclasses
import io
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from calibrate_samples import AUTO, GOOD, SMALL, but, unplaced
from click.testing import CliRunner
from msgspec.structs import replace

from companion.app.calibrate.advice import Known
from companion.app.calibrate.calibration import LOOK_S, TOLD_S, Calibration
from companion.app.calibrate.corners import Lost
from companion.app.calibrate.desk import ALL_DONE, BACKWARDS, ONWARDS, Desk
from companion.app.calibrate.marking import PictureError, write
from companion.app.calibrate.mount import KEYS
from companion.app.calibrate.places import Places
from companion.app.calibrate.run import Running, run
from companion.app.calibrate.sighting import Lens, Readings
from companion.app.calibrate.steps import ORDER, Step
from companion.app.hardware import SimulatedBox
from companion.cli import main
from companion.core.panel import Button, Lamp, Melody
from companion.face.fonts import find_fonts
from companion.face.words import load_words
from companion.games import load
from companion.service.config import Config
from companion.service.config_file import check
from vision.cameras import CameraError, NothingNewError
from vision.frame import Frame
from vision.scene.optics import Optics

GAME = load("phoenix")
STEP_S = 0.5


class Eye:
    """A camera and what is seen in its pictures, both as the test wants them."""

    name = "eye"

    def __init__(self) -> None:
        self.readings = GOOD
        self.fails = ""
        self.silent = False
        self.frames: int | None = None
        self.scans = 0
        self.closed = False
        self.sight = None
        self.found: list[Any] = []
        self.places = Places(GAME)
        self._rng = np.random.default_rng(1)
        self._at_s = 0.0

    def read(self) -> Frame | None:
        if self.frames is not None:
            self.frames -= 1
            if self.frames < 0:
                return None
        if self.fails:
            raise CameraError(self.fails)
        if self.silent:
            raise NothingNewError("none")
        self._at_s += STEP_S
        return Frame.of(self._rng.integers(0, 255, (270, 480, 3), np.uint8), self._at_s)

    def close(self) -> None:
        self.closed = True

    def look(self, _frame: Frame, lens: Lens) -> Readings:
        assert lens == Lens()
        return self.readings

    def scan(self, _frame: Frame) -> None:
        self.scans += 1


class Bench:
    """A calibration on a simulated box."""

    def __init__(self, path: Path | None = None, live: bool = False, language: str = "en") -> None:
        self.now_s = 0.0
        self.eye = Eye()
        self.box = SimulatedBox(lambda: self.now_s)
        self.heard: list[Melody] = []
        self.calibration = Calibration(
            self.eye, self.eye, Known(turns=True), self._hardware, lambda tongue: load_words(tongue, GAME),
            dataclasses.replace(find_fonts(), remedy=None), Desk(language), path, live,
        )  # fmt: skip

    def _hardware(self, report: Any) -> Any:
        made = self.box.hardware(report)
        play = made.play
        made.play = lambda melody: (self.heard.append(melody), play(melody))  # type: ignore[method-assign]
        return made

    def run(self, seconds: float, readings: Readings | None = None, step_s: float = STEP_S) -> list[Step]:
        """The steps that have their turn meanwhile, each once."""
        self.eye.readings = readings or self.eye.readings
        steps = [self.calibration.state.step]
        for _ in range(round(seconds / step_s)):
            self.now_s += step_s
            assert self.calibration.step(self.now_s)
            self.box.fingers()
            self.calibration.refresh(self.now_s)
            if self.calibration.state.step is not steps[-1]:
                steps.append(self.calibration.state.step)
        return steps

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.box.push(button)
            self.run(0.4, step_s=0.1)

    @property
    def log(self) -> list[str]:
        return [entry.text for entry in self.calibration.log]


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_where_all_is_well_it_goes_through_by_itself_and_says_each_thing_once(bench: Bench) -> None:
    assert bench.run(30.0) == list(ORDER)
    assert bench.log == [
        "Picture: There is a picture of 2304x1296 pixels.",
        "Corners: All four corners in sight.",
        "Height: 2.1 pixels a module: just enough.",
        "Level: Straight enough: it leans 2°.",
        "Focus: 92 (best 92) Sharp.",
        "Light: Even light, no glare.",
        "Places: All places are in the picture.",
        "Ready: All is well.",
    ]
    assert bench.calibration.done
    assert bench.heard[-2:] == [ONWARDS, ALL_DONE]


def test_it_stays_with_what_is_wrong_and_goes_back_to_what_breaks(bench: Bench) -> None:
    assert bench.run(30.0, SMALL) == [Step.PICTURE, Step.CORNERS, Step.HEIGHT]
    assert bench.run(3.0, unplaced("top-left", lost=Lost(side="left", by_mm=41.0))) == [Step.HEIGHT, Step.CORNERS]
    assert bench.heard[-1] == BACKWARDS
    assert bench.log[-3:] == [
        "Height: 1.6 pixels a module: lower the camera by 12\u00a0cm. Or set size = [4608, 2592].",
        "Height: Nothing can be told yet.",
        "Corners, top left: Camera 5\u00a0cm to the left.",
    ]
    assert bench.run(30.0, GOOD) == [Step.CORNERS, *ORDER[2:]]


def test_lamps_say_whether_there_is_something_to_be_done(bench: Bench) -> None:
    bench.run(1.0)
    assert bench.box.board.lit() == {Lamp.GREEN}
    bench.run(8.0, SMALL)
    assert bench.box.board.lit() == {Lamp.AMBER}
    bench.eye.fails = "eye: gone; check its cable"
    bench.run(4.0)
    assert bench.box.board.lit() == {Lamp.RED}


def test_a_camera_that_is_lost_is_said_with_its_reason_and_healed(bench: Bench) -> None:
    bench.run(6.0, SMALL)
    bench.eye.fails = "eye: gone; check its cable"
    assert bench.run(3.0) == [Step.HEIGHT, Step.PICTURE]
    assert bench.log[-3:] == [
        "eye: gone; check its cable",
        "Height: Nothing can be told yet.",
        "Picture: The camera does not answer. Check its cable; I keep trying.",
    ]
    bench.eye.fails = ""
    assert bench.run(3.0) == [Step.PICTURE, Step.HEIGHT]


def test_a_camera_that_has_nothing_new_is_waited_for(bench: Bench) -> None:
    bench.eye.silent = True
    assert bench.run(5.0) == [Step.PICTURE]
    assert bench.calibration.readings == Readings("waiting")


def test_a_camera_that_shows_the_same_picture_for_ever_is_no_news_where_every_picture_counts(bench: Bench) -> None:
    frame = bench.eye.read()
    bench.eye.read = lambda: frame  # type: ignore[method-assign]
    assert Step.CORNERS in bench.run(5.0)


def test_buttons_go_on_open_the_menu_and_go_back(bench: Bench) -> None:
    bench.run(6.0, SMALL)
    bench.press(Button.A)
    assert bench.calibration.state.step is Step.LEVEL
    bench.press(Button.B, Button.A)
    assert bench.calibration.state.step is Step.HEIGHT
    bench.press(Button.B, Button.DOWN, Button.A, Button.B)
    assert bench.calibration.words.language == "de"
    says = bench.calibration.words.say(bench.calibration.advice[Step.HEIGHT].says[0])
    assert says == "1.6 Pixel je Modul: Hängt die Kamera 12\u00a0cm tiefer."


def test_while_the_menu_is_open_no_other_step_has_its_turn(bench: Bench) -> None:
    bench.run(1.0)
    bench.press(Button.B)
    assert bench.run(10.0) == [Step.PICTURE]
    bench.press(Button.B)
    assert bench.run(2.0) == [Step.PICTURE, Step.CORNERS]


def test_it_ends_by_a_button_at_the_end_or_from_the_menu(bench: Bench) -> None:
    bench.run(3.0)
    bench.press(Button.B, Button.UP, Button.A)
    assert bench.calibration.ended
    other = Bench()
    other.run(30.0)
    other.press(Button.A)
    assert other.calibration.ended


def test_what_somebody_went_on_from_is_still_open_at_the_end(bench: Bench) -> None:
    bench.run(6.0, replace(SMALL, lens=AUTO))
    bench.press(Button.A)
    assert bench.run(20.0)[-1] is Step.DONE
    assert not bench.calibration.done
    assert bench.calibration.ending() == [
        "Still open: Height. Set below [camera]:",
        "size = [4608, 2592]",
        "autofocus = false",
        "lens_position = 1.24",
    ]


def test_the_best_sharpness_is_remembered_while_the_lens_is_turned(bench: Bench) -> None:
    bench.run(12.0, but(blurred=True, sharpness=30))
    assert bench.calibration.state.step is Step.FOCUS
    bench.run(1.0, but(sharpness=94))
    bench.run(3.0, but(blurred=True, sharpness=50))
    assert "Focus: 50 (best 94) Turn back a little." in bench.log
    assert bench.run(3.0, but(sharpness=90)) == [Step.FOCUS, Step.LIGHT]


def test_numbers_that_change_are_told_now_and_then_where_nobody_sees_the_screen() -> None:
    quiet, live = Bench(), Bench(live=True)
    for bench in (quiet, live):
        bench.run(8.0, but(tilt_deg=20.0))
        for lean in range(19, 7, -1):
            bench.run(STEP_S, but(tilt_deg=float(lean)))
    assert [line for line in quiet.log if "Leans" in line] == ["Level: Leans 20°. Raise it at the left."]
    assert len([line for line in live.log if "Leans" in line]) == 1 + 12 * STEP_S // TOLD_S


def test_looks_are_taken_no_more_often_than_a_slow_computer_can_bear() -> None:
    bench = Bench()
    looks = 0

    def look(_frame: Frame, _lens: Lens) -> Readings:
        nonlocal looks
        looks += 1
        return GOOD

    bench.eye.look = look  # type: ignore[method-assign]
    for number in range(100):
        bench.calibration.step(number * LOOK_S / 10)
    assert looks == 10


def test_the_picture_is_kept_up_to_date_and_is_never_half(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "see.jpg"
    bench = Bench(path)
    bench.run(1.0)
    first = path.stat().st_ino
    assert cv2.imread(str(path)).shape == (270, 480, 3)
    bench.run(1.0)
    assert path.stat().st_ino != first  # another file was put in its place
    assert [one.name for one in path.parent.iterdir()] == ["see.jpg"]
    assert bench.calibration.ending()[-1] == f"The picture is {path}."


def test_a_picture_that_cannot_be_written_is_told_once_and_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    bench = Bench(tmp_path / "file" / "see.jpg")
    assert bench.run(30.0)[-1] is Step.DONE
    told = [line for line in bench.log if "see.jpg" in line]
    assert told == [f"picture {tmp_path / 'file' / 'see.jpg'}: can't be written (File exists); name another file"]
    assert "picture" not in bench.calibration.ending()[-1]


def test_a_device_that_fails_is_told_in_the_log(bench: Bench) -> None:
    bench.box.panel.plugged = False
    bench.run(1.0)
    assert any("display" in line or "panel" in line or "I2C" in line for line in bench.log)


def test_closing_gives_camera_and_devices_back(bench: Bench) -> None:
    bench.run(1.0)
    bench.calibration.close()
    assert bench.eye.closed
    assert bench.box.board.lit() == set()


class Clock:
    """Time that passes only while somebody waits."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, _seconds: float) -> None:
        self.now_s += STEP_S


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Running]:
    clock = Clock()
    config = check(f'[gpio]\nfactory = "mock"\n[paths]\njournals = "{tmp_path}"\npictures = "{tmp_path}"')[0]
    made = Running(config, GAME, "virtual:", live=True, clock=clock, sleep=clock.sleep)
    yield made
    made.calibration.close()


def test_a_virtual_camera_is_led_from_a_bad_place_to_a_good_one(running: Running, tmp_path: Path) -> None:
    """By real pictures: too high, leaning, out of focus, and each put right as it is said."""
    good = running.camera.optics  # type: ignore[attr-defined]
    ways = {
        "lower the camera": replace(good, blur_px=2.0),
        "Turn the lens ring": good,
        "Ready": replace(good, tilt_deg=9.0),
        "Leans ": good,
    }
    running.camera.optics = replace(good, margin_mm=150.0, blur_px=2.0)  # type: ignore[attr-defined]

    def keys() -> str:
        log = running.calibration.log
        if log and ways and next(iter(ways)) in log[-1].text:
            running.camera.optics = ways.pop(next(iter(ways)))  # type: ignore[attr-defined]
        assert running._clock() < 120.0, [entry.text for entry in log]
        return ""

    out = io.StringIO()
    running.plain(out, keys)
    assert out.getvalue().startswith(f"virtual: · phoenix · {tmp_path / 'calibrate.jpg'}\n00:00 · Picture: ")
    assert "Ready: All is well." in out.getvalue()
    assert ways == {}
    picture = cv2.imread(str(tmp_path / "calibrate.jpg"))
    assert picture.shape == (1296, 2304, 3)
    assert _share(picture, (220, 160, 40)) > 0.002  # zones
    assert _share(picture, (60, 200, 60)) > 0.001  # pieces
    assert _share(picture, (200, 60, 200)) > 0.001  # corners and outline


def test_keys_are_buttons_end_it_or_move_the_virtual_camera(running: Running) -> None:
    before = running.camera.optics  # type: ignore[attr-defined]
    running.typed("b\x1b[Ba")
    assert running.calibration.desk.language == "de"
    running.typed("2b")
    running.typed(">")
    assert running.camera.optics == KEYS[">"](before)  # type: ignore[attr-defined]
    assert not running.calibration.ended
    running.typed("q")
    assert running.calibration.ended


def test_every_key_that_moves_the_camera_leaves_it_possible() -> None:
    for move in KEYS.values():
        optics = Optics()
        for _ in range(30):
            optics = move(optics)
        assert optics.lens((1070.0, 600.0)).px_per_mm > 0


@pytest.mark.parametrize(("columns", "rows"), [(140, 60), (80, 24), (66, 40)])
def test_the_terminal_shows_the_screen_the_buttons_and_the_log(running: Running, columns: int, rows: int) -> None:
    running.turn()
    lines = running.screen(columns, rows)
    assert len(lines) == rows
    text = "\n".join(lines)
    assert "[1] Go on" in text
    assert "There is a picture of 2304x1296 pixels." in text
    assert lines[-3:-1] == [str(running.path)[:columns], "a, b, arrows: buttons · q: end"]


@pytest.mark.parametrize("plain", [True, False])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_and_sigterm_end_it_cleanly(running: Running, number: int, plain: bool) -> None:
    running._sleep = lambda _seconds: os.kill(os.getpid(), number)
    before = signal.getsignal(signal.SIGTERM)
    out = io.StringIO()
    ours = signal.signal(signal.SIGINT, signal.default_int_handler)  # workers that run tests side by side ignore Ctrl-C
    try:
        assert run(running, plain, out) == 0
    finally:
        signal.signal(signal.SIGINT, ours)
    assert out.getvalue().endswith(f"All is well.\nThe picture is {running.path}.\n")
    assert running.camera.read() is None
    assert signal.getsignal(signal.SIGTERM) is before


def test_pictures_that_end_before_all_is_well_give_another_exit_status(running: Running) -> None:
    running.camera.close()
    out = io.StringIO()
    assert run(running, True, out) == 1
    last = out.getvalue().splitlines()[-1]
    assert last == "Still open: Picture, Corners, Height, Level, Focus, Light and Places."


def test_the_camera_of_the_settings_is_asked_for_its_size(tmp_path: Path) -> None:
    config = check(f'[gpio]\nfactory = "mock"\n[camera]\nsource = "usb:99"\n[paths]\njournals = "{tmp_path}"')[0]
    made = Running(config, GAME, path=tmp_path / "see.png")
    try:
        assert (made.source, made.calibration._known) == ("usb:99", Known(asked_px=Config().camera.size))
    finally:
        made.calibration.close()


def test_a_picture_of_an_unknown_kind_is_refused_before_anything_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "see.gif"
    with pytest.raises(PictureError, match=r"see\.gif: name a \.jpg or \.png file"):
        Running(Config(), GAME, "nonsense:", path)


def test_png_files_can_be_had_as_well(tmp_path: Path) -> None:
    picture = np.random.default_rng(1).integers(0, 255, (40, 60, 3), np.uint8)
    write(tmp_path / "see.png", picture)
    assert (cv2.imread(str(tmp_path / "see.png")) == picture).all()


def test_the_command_says_what_is_wrong_in_one_line(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(f'[paths]\njournals = "{tmp_path}"\npictures = "{tmp_path}"\n')
    for options, text in (
        (["--camera", "nonsense:"], "camera 'nonsense:' is unknown"),
        (["--camera", "virtual:", "--picture", str(tmp_path / "x.gif")], "name a .jpg or .png file"),
        (["--angle", "5"], "5.0 is not in the range 20<=x<=160"),
    ):
        result = CliRunner().invoke(main, ["calibrate", "--config", str(config), *options])
        assert (result.exit_code != 0, text in result.output) == (True, True), result.output


def _share(picture: np.ndarray[Any, Any], colour: tuple[int, int, int]) -> float:
    """How much of a picture has about this colour; JPEG doesn't keep it exactly."""
    return float((np.abs(picture.astype(int) - colour).max(axis=2) < 60).mean())

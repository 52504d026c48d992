"""What people at the table are told of the camera: a real driver and a real thread above a simulated sensor."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from companion.app.checkup import REOPEN_S, Checkup
from companion.app.hardware import SimulatedBox
from companion.app.table import Table
from companion.core.game import Game
from companion.core.messages import say
from companion.core.panel import Lamp, Text
from companion.face.fonts import find_fonts
from companion.face.situation import Trouble
from companion.face.words import load_words
from companion.service.journal import Journal
from tests.waiting import PATIENCE_S
from vision.cameras import LiveCamera, PiCamera, PicameraOptions
from vision.cameras.live import PAUSES_S, SILENCE_S
from vision.cameras.simulated.pi import SimulatedPi, SimulatedSensor
from vision.frame import Picture
from vision.watcher import Watcher

SIZE_PX = (640, 360)
STEP_S = 0.25


class Bench:
    """A table without a game, and a sensor that takes a picture when it is told to."""

    def __init__(self, game: Game[Any, Any], delivers_px: tuple[int, int] | None = None) -> None:
        self.now_s = 10.0
        self.brightness = 1.0
        self._shutter = threading.Semaphore(0)
        self._knots: list[threading.Event] = []
        self._pictures = [self._picture(seed) for seed in (1, 2)]
        self.sensor = SimulatedSensor(self._look)
        self.sensor.delivers_px = delivers_px
        self.pi = SimulatedPi(self.sensor, clock=lambda: self.now_s, waited=self._wait)
        options = PicameraOptions(size_px=SIZE_PX)
        self.camera = LiveCamera(
            "picamera:",
            lambda: PiCamera(0, lambda: self.now_s, options, self.pi.load),
            lambda: self.now_s,
            asked_px=SIZE_PX,
            wait_s=PATIENCE_S,
        )
        self.box = SimulatedBox(lambda: self.now_s)
        self.table = Table(
            game, self.camera, Watcher(game.box), Journal(":memory:"), load_words("en", game), find_fonts([]),
            self.box.hardware,
        )  # fmt: skip

    def run(self, seconds: float) -> list[str]:
        """Lets time pass with a picture each quarter of a second. What the screen says first, each text once."""
        said: list[str] = []
        for _ in range(round(seconds / STEP_S)):
            self.now_s += STEP_S
            self._shutter.release()
            self.step(said)
        return said

    def step(self, said: list[str]) -> None:
        assert self.table.step()
        self.table.refresh(self.now_s)
        page = self.table.desk.panel().pages[0]
        text = ""
        if page.title == say("title.trouble"):
            assert Lamp.AMBER in self.box.board.lit()
            text = " ".join(self.table.words.say(one.message) for one in page.elements if isinstance(one, Text))
        if not said or said[-1] != text:
            said.append(text)

    def tangle(self) -> None:
        """From now on the driver hangs."""
        self._knots.append(threading.Event())
        self.sensor.hangs = self._knots[-1]

    def close(self) -> None:
        for knot in self._knots:
            knot.set()
        self._shutter.release(1000)
        self.table.close()

    def _wait(self, seconds: float) -> None:
        self.now_s += seconds

    def _look(self) -> Picture:
        assert self._shutter.acquire(timeout=PATIENCE_S)
        self._pictures.reverse()
        return np.asarray(self._pictures[0] * self.brightness, np.uint8)

    def _picture(self, seed: int) -> Picture:
        """Squares of a hand's size on a table, each time with other noise."""
        squares = np.random.default_rng(7).integers(40, 200, (9, 16, 1)).astype(np.float32)
        large = np.repeat(np.repeat(squares, 40, axis=0), 40, axis=1)
        return np.asarray(large + np.random.default_rng(seed).integers(0, 9, (360, 640, 3)), np.uint8)


@pytest.fixture
def bench(phoenix: Game[Any, Any]) -> Iterator[Bench]:
    made = Bench(phoenix)
    yield made
    made.close()


def test_a_camera_that_sees_the_table_is_no_trouble(bench: Bench) -> None:
    assert bench.run(5.0) == [""]


@pytest.mark.parametrize(
    ("ill", "text"),
    [
        ({"brightness": 0.0}, "I can't see the table. Is something in front of the camera?"),
        ({"brightness": 0.2}, "It is too dark to read the tags. Please add some light."),
    ],
)
def test_what_hinders_seeing_is_named_on_the_display_and_heals(bench: Bench, ill: dict[str, float], text: str) -> None:
    assert bench.run(2.0) == [""]
    bench.brightness = ill["brightness"]
    assert bench.run(5.0) == ["", text]
    bench.brightness = 1.0
    assert bench.run(3.0) == [text, ""]


def test_a_frozen_camera_is_named_and_opened_anew_again_and_again_until_it_lives(bench: Bench) -> None:
    text = "The camera shows the same picture again and again. I am starting it anew."
    assert bench.run(2.0) == [""]
    first = bench.pi.held[0]
    bench.sensor.frozen = True
    assert bench.run(4.0) == ["", text]
    bench.run(1.0)
    second = bench.pi.held[0]
    assert second is not first
    bench.run(REOPEN_S)
    assert bench.pi.held[0] is not second
    bench.sensor.frozen = False
    assert bench.run(3.0)[-1] == ""


def test_another_size_than_asked_is_named_after_the_game_with_both_sizes(phoenix: Game[Any, Any]) -> None:
    bench = Bench(phoenix, (320, 180))
    assert bench.run(2.0) == [""]
    bench.close()
    *_, last = bench.table.desk.panel().pages
    assert last.elements == (Text(say("trouble.camera-size", got="320x180", asked="640x360")),)
    said = bench.table.words.say(say("trouble.camera-size", got="320x180", asked="640x360"))
    assert said == "The camera gives 320x180 pixels instead of 640x360. It may not read small tags."


def test_a_camera_that_is_pulled_out_is_the_only_trouble_and_heals_when_it_is_back(bench: Bench) -> None:
    text = "The camera does not answer. Check its cable; I keep trying."
    bench.brightness = 0.0
    assert bench.run(5.0)[-1].startswith("I can't see the table.")
    bench.brightness = 1.0
    bench.sensor.plugged = False
    bench.run(STEP_S)  # the picture that was under way
    said: list[str] = []
    bench.step(said)
    assert said == [text]
    assert "picamera:0: delivers no more pictures" in bench.table.blind
    bench.sensor.plugged = True
    bench.now_s += PAUSES_S[-1]
    assert bench.run(3.0) == [""]
    assert bench.table.blind == ""


def test_a_driver_that_hangs_stops_neither_the_screen_nor_the_buttons_and_heals(bench: Bench) -> None:
    assert bench.run(2.0) == [""]
    bench.tangle()
    bench.run(STEP_S)  # the picture that was under way
    bench.camera.wait_s = 0.0
    said: list[str] = []
    bench.step(said)
    assert said == [""]
    bench.now_s += SILENCE_S
    bench.step(said)
    assert said == ["", "The camera does not answer. Check its cable; I keep trying."]
    assert bench.table.blind.startswith("picamera:: no picture for 5 s")
    bench.sensor.hangs = None
    bench.camera.wait_s = PATIENCE_S
    bench.now_s += PAUSES_S[0]
    assert bench.run(3.0) == [""]


def test_a_table_whose_corners_stay_unseen_is_told_and_so_is_a_mirrored_picture(bench: Bench) -> None:
    corners = "I can't see the corner marks of the table. Please uncover them."
    assert bench.run(12.0) == ["", corners]
    said: list[tuple[str, Trouble | None]] = []
    checkup = Checkup(bench.camera, lambda name, trouble: said.append((name, trouble)))
    for at_s, unknown, mirrored in [(0.0, None, False), (7.0, None, False), (7.1, None, True), (9.0, (2,), False)]:
        checkup.corners(at_s, unknown, mirrored)
    checkup.corners(9.5, (2,), False)
    checkup.corners(10.0, (), False)
    checkup.corners(17.0, None, False)
    assert [trouble and (bench.table.words.say(trouble.message), trouble.blind) for _, trouble in said] == [
        ("The camera's picture is mirrored. Set flip = true below [camera] in companion.toml.", True),
        ("I can't see the corner mark bottom right. I go on with the other three.", False),
        None,
    ]

"""The thread around a camera: no test sleeps, and a camera hangs for as long as a test wants it to."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from tests.waiting import PATIENCE_S
from vision.cameras import Camera, CameraError, LiveCamera, NothingNewError
from vision.cameras.live import MOST_HUNG, OPENING_S, PAUSES_S, SILENCE_S, STOP_S
from vision.frame import Frame

UNPLUGGED = CameraError("script: unplugged; plug it in again")


def frame(number: int) -> Frame:
    picture = np.full((4, 4), number, np.uint8)
    return Frame(picture, picture, float(number))


class Script:
    """A camera that does at each read and each opening what a test tells it, and waits until it is told."""

    name = "script"

    def __init__(self) -> None:
        self.reads: queue.Queue[Frame | Exception | threading.Event | None] = queue.Queue()
        self.openings: queue.Queue[Exception | threading.Event | None] = queue.Queue()
        self.closed = threading.Semaphore(0)
        self.waiting = threading.Semaphore(0)
        self.over = False

    def open(self) -> Camera:
        self._do(self.openings.get())
        return self

    def read(self) -> Frame | None:
        self.waiting.release()
        return self._do(self.reads.get())

    def close(self) -> None:
        self.closed.release()

    def _do(self, act: Frame | Exception | threading.Event | None) -> Frame | None:
        if isinstance(act, threading.Event):
            act.wait()
            return None if self.over else frame(0)
        if isinstance(act, Exception):
            raise act
        return act


class Bench:
    """A live camera with a clock that stands still until a test moves it."""

    def __init__(self) -> None:
        self.now_s = 100.0
        self.script = Script()
        self.knots: list[threading.Event] = []
        self.made: list[LiveCamera] = []

    def camera(self, wait_s: float = PATIENCE_S, stop_s: float = PATIENCE_S) -> LiveCamera:
        made = LiveCamera("script", self.script.open, lambda: self.now_s, wait_s=wait_s, stop_s=stop_s)
        self.made.append(made)
        return made

    def opens(self, act: Exception | threading.Event | None = None) -> None:
        self.script.openings.put(act)

    def gives(self, *acts: Frame | Exception | threading.Event | None) -> None:
        for act in acts:
            self.script.reads.put(act)

    def knot(self) -> threading.Event:
        """Something to hang on."""
        self.knots.append(threading.Event())
        return self.knots[-1]

    def happens(self, what: threading.Semaphore) -> bool:
        return what.acquire(timeout=PATIENCE_S)

    @property
    def threads(self) -> list[threading.Thread]:
        return [thread for thread in threading.enumerate() if thread.name == "camera script"]

    def ended(self) -> bool:
        """Whether all threads end that are about to."""
        for thread in self.threads:
            thread.join(PATIENCE_S)
        return not self.threads


@pytest.fixture
def bench() -> Iterator[Bench]:
    made = Bench()
    yield made
    made.script.over = True
    for knot in made.knots:
        knot.set()
    for _ in range(9):
        made.opens(UNPLUGGED)
        made.gives(UNPLUGGED)
    for camera in made.made:
        camera.close()


def error_of(act: Callable[[], object]) -> str:
    with pytest.raises(CameraError) as caught:
        act()
    return str(caught.value)


def number_of(camera: LiveCamera) -> float | None:
    """The number of the next picture, waiting for it; None after the last one."""
    camera.wait_s = PATIENCE_S
    picture = camera.read()
    return None if picture is None else picture.at_s


def test_each_picture_is_given_once_and_none_is_waited_for_longer_than_allowed(bench: Bench) -> None:
    camera = bench.camera()
    bench.opens()
    bench.gives(frame(1))
    assert (number_of(camera), camera.age_s) == (1.0, 0.0)
    bench.now_s += 3.0
    camera.wait_s = 0.0
    with pytest.raises(NothingNewError):
        camera.read()
    assert camera.age_s == 3.0


def test_a_slow_reader_gets_the_newest_picture_and_not_those_before(bench: Bench) -> None:
    camera = bench.camera()
    bench.opens()
    bench.gives(frame(1), frame(2), frame(3))
    for _ in range(4):  # the fourth read has begun, so three pictures have been handed over
        assert bench.happens(bench.script.waiting)
    assert number_of(camera) == 3.0


def test_before_the_first_picture_nothing_is_known(bench: Bench) -> None:
    camera = bench.camera(wait_s=0.0)
    with pytest.raises(NothingNewError):
        camera.read()
    assert (camera.age_s, camera.driver) == (math.inf, None)
    bench.opens()
    bench.gives(frame(1))
    assert number_of(camera) == 1.0
    assert camera.driver is bench.script


def test_an_error_lasts_until_the_next_picture_and_pauses_grow_before_the_camera_is_opened_anew(bench: Bench) -> None:
    camera = bench.camera()
    for pause_s in (*PAUSES_S, PAUSES_S[-1]):
        bench.opens(UNPLUGGED)
        camera.wait_s = PATIENCE_S
        assert error_of(camera.read) == str(UNPLUGGED)
        assert bench.ended()
        camera.wait_s = 0.0
        bench.now_s += pause_s - 0.01
        assert error_of(camera.read) == str(UNPLUGGED)
        assert bench.threads == []
        bench.now_s += 0.02
        assert error_of(camera.read) == str(UNPLUGGED)
        assert len(bench.threads) == 1
    bench.opens()
    bench.gives(frame(7))
    assert number_of(camera) == 7.0
    bench.gives(UNPLUGGED)
    assert error_of(camera.read) == str(UNPLUGGED)
    bench.now_s += PAUSES_S[0] + 0.01  # the pauses are short again
    bench.opens()
    bench.gives(frame(8))
    assert number_of(camera) == 8.0


def test_a_read_that_hangs_is_noticed_by_time_and_the_camera_is_closed_and_opened_anew(bench: Bench) -> None:
    camera = bench.camera()
    bench.opens()
    bench.gives(frame(1), bench.knot())
    assert number_of(camera) == 1.0
    camera.wait_s = 0.0
    bench.now_s += SILENCE_S - 0.1
    with pytest.raises(NothingNewError):
        camera.read()
    bench.now_s += 0.1
    assert error_of(camera.read) == "script: no picture for 5 s; check its cable, it is opened anew by itself"
    bench.now_s += PAUSES_S[0]
    bench.opens()
    bench.gives(frame(2))
    assert number_of(camera) == 2.0
    assert bench.happens(bench.script.closed)
    assert not camera.stuck


def test_what_a_read_that_hung_brings_in_the_end_is_thrown_away_and_its_thread_ends(bench: Bench) -> None:
    camera = bench.camera()
    bench.opens()
    knot = bench.knot()
    bench.gives(knot)
    assert bench.happens(bench.script.waiting)
    camera.wait_s = 0.0
    bench.now_s += SILENCE_S
    assert "no picture for 5 s" in error_of(camera.read)
    (hung,) = bench.threads
    knot.set()
    hung.join(PATIENCE_S)
    assert not hung.is_alive()
    assert "no picture for 5 s" in error_of(camera.read)
    assert camera.age_s == math.inf


def test_opening_may_take_longer_than_a_picture_but_is_told_of_and_given_up_in_the_end(bench: Bench) -> None:
    camera = bench.camera(wait_s=0.0)
    bench.opens(bench.knot())
    with pytest.raises(NothingNewError):
        camera.read()
    bench.now_s += SILENCE_S
    assert "no picture for 5 s" in error_of(camera.read)
    bench.now_s += PAUSES_S[-1]
    assert "no picture for 5 s" in error_of(camera.read)
    assert len(bench.threads) == 1
    bench.now_s += OPENING_S
    assert "no picture for 5 s" in error_of(camera.read)
    bench.now_s += PAUSES_S[0]
    assert "no picture for 5 s" in error_of(camera.read)
    assert len(bench.threads) == 2


def test_a_camera_that_opens_after_it_was_given_up_is_given_back_unread(bench: Bench) -> None:
    camera = bench.camera(wait_s=0.0)
    knot = bench.knot()
    bench.opens(knot)
    bench.now_s += OPENING_S
    assert "no picture for 20 s" in error_of(camera.read)
    knot.set()
    assert bench.ended()
    assert bench.happens(bench.script.closed)
    assert not bench.script.waiting.acquire(blocking=False)


def test_a_driver_that_hangs_again_and_again_gets_no_end_of_threads(bench: Bench) -> None:
    camera = bench.camera(wait_s=0.0)
    for _ in range(MOST_HUNG):
        assert not camera.stuck
        bench.opens()
        bench.gives(bench.knot())
        assert bench.happens(bench.script.waiting)
        for seconds in (SILENCE_S, PAUSES_S[-1], PAUSES_S[-1]):
            bench.now_s += seconds
            assert "no picture for" in error_of(camera.read)
    assert (len(bench.threads), camera.stuck) == (MOST_HUNG, True)
    first = bench.threads[0]
    bench.knots[0].set()
    first.join(PATIENCE_S)
    bench.opens()
    bench.gives(frame(5))
    assert number_of(camera) == 5.0
    assert not camera.stuck


def test_a_restart_closes_the_camera_and_opens_it_anew(bench: Bench) -> None:
    camera = bench.camera()
    bench.opens()
    bench.gives(frame(1))
    assert number_of(camera) == 1.0
    camera.restart()
    bench.gives(frame(2))
    assert number_of(camera) == 2.0
    assert bench.happens(bench.script.closed)
    bench.opens()
    bench.gives(frame(3))
    assert number_of(camera) == 3.0


def test_a_driver_may_raise_what_it_likes(bench: Bench) -> None:
    camera = bench.camera()
    bench.opens()
    bench.gives(ValueError("what"))
    assert error_of(camera.read) == "script: ValueError('what'); check its cable, it is opened anew by itself"


def test_after_its_last_picture_a_camera_is_not_opened_anew(bench: Bench) -> None:
    camera = bench.camera()
    bench.opens()
    bench.gives(None)
    assert number_of(camera) is None
    assert bench.ended()
    bench.now_s += 60.0
    assert number_of(camera) is None
    assert bench.threads == []


def test_closing_ends_the_thread_and_gives_the_camera_back(bench: Bench) -> None:
    camera = bench.camera()
    bench.opens()
    bench.gives(frame(1))
    assert number_of(camera) == 1.0
    bench.gives(frame(2))
    camera.close()
    assert (bench.threads, camera.read()) == ([], None)
    assert bench.happens(bench.script.closed)
    camera.close()


def test_closing_does_not_wait_for_a_read_that_hangs(bench: Bench) -> None:
    camera = bench.camera(stop_s=0.01)
    bench.opens()
    bench.gives(frame(1), bench.knot())
    assert number_of(camera) == 1.0
    camera.close()
    assert len(bench.threads) == 1
    assert bench.threads[0].daemon
    assert camera.read() is None
    bench.knots[0].set()
    assert bench.ended()
    assert bench.happens(bench.script.closed)
    assert STOP_S < 2.0


def test_one_who_asks_whether_it_is_ready_gets_the_reason_why_it_is_not(bench: Bench) -> None:
    camera = bench.camera()
    bench.opens(UNPLUGGED)
    assert error_of(camera.ready) == str(UNPLUGGED)
    bench.now_s += 1.0
    bench.opens()
    bench.gives(frame(4))
    assert number_of(camera) == 4.0
    bench.gives(frame(5))
    camera.ready()
    assert number_of(camera) == 5.0

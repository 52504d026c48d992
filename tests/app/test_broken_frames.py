"""Whatever pictures a broken camera delivers in mid-game: no move is made of them, it is said, and it heals."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.app.play import Options, Play
from companion.app.table import Table
from companion.core.game import Game
from companion.games import load
from tests.fuzz.mutations import long, short
from vision.frame import Frame, Picture

STEP_S = 0.25
HEALED = 40
"""After so many good frames at most nothing is wrong any more."""
Burst = tuple[str, int, int]
"""A kind of picture, a number that varies it, and in how many frames it comes."""


class Film:
    """A camera that shows what a test wants: good pictures of a table, or whatever else."""

    name = "film"

    def __init__(self, good: list[Picture], at_s: float) -> None:
        self.good = itertools.cycle(good)
        self.at_s = at_s
        self.picture: Picture | None = None

    def read(self) -> Frame:
        self.at_s += STEP_S
        return Frame.of(next(self.good) if self.picture is None else self.picture, self.at_s)

    def close(self) -> None:
        pass


class Bench:
    """A table in mid-game, a few moves from its start, at which nobody moves any more."""

    def __init__(self, game: Game) -> None:
        self.play = Play(game, Options(players=("Ellie", "Sam")))
        while not (self.play.virtual and self.play.virtual.made > 1 and self._agrees()):
            assert self.play.step()
        self.table: Table = self.play.table
        frames = [self.table.camera.read() for _ in range(3)]
        at_s = max(frame.at_s for frame in frames if frame)
        self.film = self.table.camera = Film([frame.main for frame in frames if frame], at_s)
        self.run(HEALED // 4)
        self.facts = self.table.snapshot.facts
        self.history = self.table.session.history
        self.moves = len(self.history.past) if self.history else 0

    def _agrees(self) -> bool:
        snapshot = self.play.table.snapshot
        assert self.play.virtual
        return snapshot.facts is not None and self.play.virtual.stage.idle and self.play._understood()

    def run(self, frames: int, picture: Picture | None = None) -> set[str]:
        """Takes so many frames; the names of all troubles that were told meanwhile."""
        self.film.picture = picture
        told: set[str] = set()
        for _ in range(frames):
            assert self.table.step()
            self.table.refresh(self.film.at_s)
            told |= set(self.table.desk._troubles)
        return told

    def holds(self) -> None:
        """The game is where it was, and after a while with good pictures nothing is wrong."""
        assert (self.table.snapshot.facts, len(self.history.past) if self.history else 0) == (self.facts, self.moves)
        self.run(HEALED // 4)
        for _ in range(HEALED):
            if self.table.desk._troubles:
                self.run(1)
        assert (self.table.snapshot.facts, len(self.history.past) if self.history else 0) == (self.facts, self.moves)
        assert (self.table.snapshot.disputes, dict(self.table.desk._troubles)) == ((), {})


@pytest.fixture(scope="module")
def bench() -> Iterator[Bench]:
    found = Bench(load("phoenix"))
    yield found
    found.play.close()


def _noise(shape: tuple[int, ...], seed: int) -> Picture:
    return np.random.default_rng(seed).integers(0, 256, shape).astype(np.uint8)


def _broken(kind: str, number: int, good: Picture) -> Picture:
    height, width = good.shape[:2]
    return {
        "dot": lambda: _noise((1, 1, 3), number),
        "tiny": lambda: _noise((1 + number % 70, 1 + number // 70 % 70, 3), number),
        "line": lambda: _noise((1, width), number),
        "column": lambda: _noise((height, 1, 3), number),
        "stripe": lambda: _noise((8 + number % 90, 4000), number),
        "black": lambda: np.zeros_like(good),
        "white": lambda: np.full_like(good, 255),
        "level": lambda: np.full_like(good, number % 256),
        "noise": lambda: _noise((height, width, 3), number),
        "small noise": lambda: _noise((480, 640, 3), number),
        "grey": lambda: good[..., 0],
        "one channel": lambda: good[..., :1],
        "four channels": lambda: np.dstack([good, _noise((height, width), number)]),
        "mirrored": lambda: good[:, ::-1],
        "upside down": lambda: good[::-1, ::-1],
        "half": lambda: good[::2, ::2],
        "cut": lambda: good[: height - 1 - number % (height - 1)],
        "torn": lambda: np.roll(good, number, axis=0),
    }[kind]()


KINDS = (
    "dot", "tiny", "line", "column", "stripe", "black", "white", "level", "noise", "small noise", "grey", "one channel",
    "four channels", "half", "cut", "torn", "mirrored", "upside down",
)  # fmt: skip
BURSTS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 10**6), st.integers(1, 9)), min_size=1, max_size=3)


def _holds(bench: Bench, bursts: list[Burst]) -> None:
    good = next(bench.film.good)
    for kind, number, frames in bursts:
        bench.run(frames, _broken(kind, number, good))
    bench.holds()


@given(BURSTS)
@short(8)
def test_no_picture_stops_the_table_or_makes_a_move(bench: Bench, bursts: list[Burst]) -> None:
    _holds(bench, bursts)


@pytest.mark.soak
@given(BURSTS)
@long(1000)
def test_very_many_pictures_make_no_move(bench: Bench, bursts: list[Burst]) -> None:
    _holds(bench, bursts)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("dot", {"camera-tiny"}),
        ("line", {"camera-tiny"}),
        ("black", {"camera-covered"}),
        ("white", {"camera-covered"}),
        ("grey", set()),
        ("one channel", set()),
        ("four channels", set()),
    ],
)
def test_what_can_not_be_read_is_said_of_the_camera_and_what_can_is_no_trouble(
    bench: Bench, kind: str, told: set[str]
) -> None:
    assert bench.run(16, _broken(kind, 1, next(bench.film.good))) == told
    bench.holds()


def test_a_camera_that_changes_its_size_with_each_picture_makes_no_move(bench: Bench) -> None:
    good = next(bench.film.good)
    for number in range(12):
        bench.run(1, good[:: 1 + number % 2, :: 1 + number % 2])
    bench.holds()


@pytest.mark.parametrize("shape", [(480, 640, 3), (480, 640)])
def test_noise_is_said_to_be_noise(bench: Bench, shape: tuple[int, ...]) -> None:
    told: set[str] = set()
    for number in range(20):
        told |= bench.run(1, _noise(shape, number))
    assert told == {"camera-noise"}
    bench.holds()

"""How long reading takes, as ratios to a plain zbar read of the same full frame in the same run.

Run with `./go bench`, or `python tests/bench/bench_reading.py`. Times are those of the processor, so that a busy
machine counts alike; absolute times are of this machine.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator

import numpy as np

from companion.core.box import Box, Piece
from companion.core.messages import verbatim
from companion.core.table import Zone
from companion.core.tags import QrTag, encode
from vision.fiducials import Fiducials
from vision.frame import Frame
from vision.reading import Reader, Zbar, Zxing
from vision.scan import Scanner
from vision.scene import Renderer, Scene, preset
from vision.watcher import Watcher

RATE_HZ = 10.0
SIZES = {"1080p": (1920, 1080), "2304x1296": (2304, 1296), "12 megapixels": (4608, 2592)}


def cards() -> Box:
    """36 cards with tags of 25 mm, quiet zone included."""
    return Box(
        "PH",
        [
            Piece(f"c{n}", "", "card", verbatim("card"), QrTag(encode("PH", f"C{n}")), 21.0, (63.0, 88.0))
            for n in range(36)
        ],
    )


class Bench:
    """A full table under one camera."""

    def __init__(self, size: tuple[int, int]) -> None:
        rng = np.random.default_rng(7)
        self.scene = Scene(cards())
        for n, piece in enumerate(self.scene.box.pieces):
            self.scene.put(piece, (120.0 + 103 * (n % 9), 105.0 + 130 * (n // 9)), 5.0 * (n % 7 - 3))
        self.renderer = Renderer(self.scene, preset("mild", rng, size), rng)
        self.watcher = Watcher(self.scene.box)
        self.watcher.place([Zone("all", ((0.0, 0.0), (1070.0, 0.0), (1070.0, 600.0), (0.0, 600.0)))])
        self.at_s = 0.0

    def frames(self, count: int) -> Iterator[Frame]:
        for _ in range(count):
            yield Frame.of(self.renderer.picture(), self.at_s)
            self.at_s += 1 / RATE_HZ

    def looks(self, count: int) -> list[float]:
        """Processor seconds of each look at new frames."""
        return [timed(lambda frame=frame: self.watcher.look(frame)) for frame in self.frames(count)]  # type: ignore[misc]


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def best(work: Callable[[], object], rounds: int = 5) -> float:
    """The median of some rounds, in seconds, after one to warm up."""
    work()
    return statistics.median(timed(work) for _ in range(rounds))


def row(name: str, seconds: float, base: float) -> None:
    ratio = base / seconds
    print(f"  {name:<46} {1000 * seconds:9.2f} ms   {ratio:8.1f} times as fast as plain zbar")


def measure(name: str, size: tuple[int, int]) -> None:
    bench = Bench(size)
    (frame,) = bench.frames(1)
    scanner = Scanner(Reader.standard(), Fiducials())
    base = best(lambda: Reader(Zbar()).read(frame.grey, enlarge=1), 3)
    print(f"{name}: 36 tags, plain zbar {1000 * base:.1f} ms, finds {len(Reader(Zbar()).read(frame.grey, 1))}")
    fast = Reader(Zxing())
    for enlarge in (1, 2):
        seconds = best(lambda e=enlarge: fast.read(frame.grey, e), 3)  # type: ignore[misc]
        row(f"zxing on {enlarge}x, finds {len(fast.read(frame.grey, enlarge))}", seconds, base)
    row("corner and anchor markers, whole frame", best(lambda: scanner.markers(frame, False), 3), base)
    row("all markers, whole frame", best(lambda: scanner.markers(frame, True), 3), base)
    row("small picture from the full one", best(lambda: Frame.of(frame.main, 0.0)), base)
    start = bench.looks(25)
    seen = len(bench.watcher.poses)
    row(f"full table: the dearest look of the first {len(start)}, sees {seen}", max(start), base)
    gc.collect()
    bench.looks(30)
    quiet = bench.looks(60)
    row("unchanged table: median look", statistics.median(quiet), base)
    row("unchanged table: mean look, with its timers", statistics.mean(quiet), base)
    bench.scene.remove("c20")
    bench.looks(30)
    bench.scene.put("c20", (500.0, 300.0), 20.0)
    changed = bench.looks(10)
    row("one changed card: dearest look", max(changed), base)
    row("one changed card: all looks until it is quiet", sum(changed), base)


def main() -> None:
    """Prints all ratios."""
    for name, size in SIZES.items():
        measure(name, size)


if __name__ == "__main__":
    main()

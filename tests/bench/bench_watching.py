"""What watching a table costs, in plain zxing-cpp reads of the same full frame in the same run.

Run with `./go bench watching`, or `python tests/bench/bench_watching.py [GAME ...]`. Each game lies there in
mid-game, as its dealer plays it; the frames are rendered beforehand, each with noise of its own. Times are those of the
processor, so that a busy machine counts alike.
"""

from __future__ import annotations

import gc
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import zxingcpp

from companion.app.virtual import VirtualGame, lying
from companion.core.game import Game, Refusal, decode
from companion.core.table import Observation
from companion.games import load, names
from vision.cameras.virtual import VirtualCamera
from vision.fiducials import Fiducials
from vision.frame import Frame
from vision.reading import Zbar
from vision.scene.optics import preset
from vision.watcher import Watcher

RATE_HZ = 6.0
SIZES = ((2304, 1296), (4608, 2592))
WARM_FRAMES = 30
"""Looks at the table before what is measured."""
STILL_S = 20.0
"""Length of time for which a table that doesn't change is watched: all timers run out in it."""
NOISES = 6
"""Number of frames of a table at rest that differ by their noise; they come in turn."""
MOVES = 12
"""Number of the dealer's moves before the measurement."""


@dataclass
class Reels:
    """Frames of one game in mid-game, at one size.

    Attributes:
        still: of the table at rest.
        hand: a hand moves over it.
        rested: the same table at rest after a piece was laid.
        told: whether an observation tells of that piece.
    """

    watch: Callable[[], Watcher]
    still: list[Frame]
    hand: list[Frame]
    rested: list[Frame]
    told: Callable[[Observation], bool]


def main(arguments: Sequence[str]) -> None:
    """Prints a table for each size."""
    for size in SIZES:
        print(f"{size[0]}x{size[1]}, in plain zxing-cpp reads of the full frame")
        for name in arguments or names():
            report(load(name), size)


def report(game: Game[Any, Any], size: tuple[int, int]) -> None:
    """Prints one game's figures."""
    reels = film(game, size)
    unit_s = cost(lambda: zxingcpp.read_barcodes(reels.still[0].grey, formats=zxingcpp.BarcodeFormat.QRCode), 7)
    zbar, aruco = Zbar(), Fiducials()
    others = [cost(lambda: zbar.decode(reels.still[0].grey), 3), cost(lambda: aruco.find_all(reels.still[0].grey), 3)]
    first = costs(reels.watch(), reels.still, 0.0, lambda seen: seen.at_s >= 0)[0]
    watcher = reels.watch()
    costs(watcher, cycle(reels.still, WARM_FRAMES), 0.0)
    start_s = WARM_FRAMES / RATE_HZ
    still, _ = costs(watcher, cycle(reels.still, int(STILL_S * RATE_HZ)), start_s)
    start_s += STILL_S
    moving, _ = costs(watcher, reels.hand, start_s)
    start_s += len(reels.hand) / RATE_HZ
    laid, looks = costs(watcher, reels.rested, start_s, reels.told)
    figures = {
        "first sight, all looks": sum(first),
        "unchanged, mean": statistics.mean(still),
        "unchanged, dearest": max(still),
        "hand, mean": statistics.mean(moving),
        "hand, dearest": max(moving),
        "card laid, dearest": max(laid),
        "card laid, all looks": sum(laid),
    }
    print(f"  {game.id}: {len(watcher.tracks)} tags; announced after {looks} still frames; unit {unit_s * 1000:.1f} ms")
    print("    " + "; ".join(f"{name} {value / unit_s:.2f}" for name, value in figures.items()))
    print(f"    zbar {others[0] / unit_s:.1f}; ArUco {others[1] / unit_s:.1f}; peak memory {_peak_mb():.0f} MB")


def film(game: Game[Any, Any], size: tuple[int, int]) -> Reels:
    """Plays to mid-game, and renders what is to be watched."""
    players = [f"P{number}" for number in range(1, game.players[1] + 1)]
    virtual = VirtualGame(game, 1, {"players": players}, RATE_HZ, speed_mm_s=900.0)
    state = game.setup(virtual.dealer.setup)
    for _ in range(MOVES):
        state = _moved(game, state, virtual.dealer.think(), virtual)
    for piece in list(virtual.scene.placed):
        if not piece.startswith("sheet "):
            virtual.scene.remove(piece)
    virtual.arrange()
    rng = np.random.default_rng(1)
    camera = VirtualCamera(virtual.scene, preset("everyday", rng, size), rng, RATE_HZ, virtual.stage)
    zones = game.zones(state, {})
    still = [_frame(camera) for _ in range(NOISES)]
    before = set(lying(virtual.dealer).items())
    while not set(lying(virtual.dealer).items()) - before:
        virtual.move(state)
        state = _moved(game, state, None, virtual)
    new = {piece: zone for piece, (zone, up) in set(lying(virtual.dealer).items()) - before if up}
    hand = []
    while not hand or not virtual.stage.idle:
        hand.append(_frame(camera))
    rested = [_frame(camera) for _ in range(int(3 * RATE_HZ))]

    def watch() -> Watcher:
        watcher = Watcher(game.box)
        watcher.place(zones)
        return watcher

    def told(seen: Observation) -> bool:
        sighted = {sighting.piece: sighting.zone for sighting in seen.sightings if not sighting.hidden}
        return all(sighted.get(piece) == zone for piece, zone in new.items())

    return Reels(watch, still, hand, rested, told)


def costs(
    watcher: Watcher,
    frames: Sequence[Frame],
    start_s: float,
    enough: Callable[[Observation], bool] = lambda seen: False,
) -> tuple[list[float], int]:
    """Seconds of the processor by look, up to the observation that is enough; and how many looks these were."""
    taken: list[float] = []
    gc.disable()
    for number, frame in enumerate(frames):
        fresh = Frame(frame.main, frame.lores, start_s + number / RATE_HZ)
        before = time.process_time()
        seen = watcher.look(fresh)
        taken.append(time.process_time() - before)
        if seen is not None and enough(seen):
            break
    gc.enable()
    return taken, len(taken)


def cost(work: Callable[[], object], times: int) -> float:
    """The median of several runs, in seconds of the processor."""
    taken = []
    for _ in range(times):
        before = time.process_time()
        work()
        taken.append(time.process_time() - before)
    return statistics.median(taken)


def cycle(frames: Sequence[Frame], count: int) -> list[Frame]:
    """So many frames, taken in turn."""
    return [frames[number % len(frames)] for number in range(count)]


def _moved(game: Game[Any, Any], state: Any, move: Any, virtual: VirtualGame) -> Any:
    if move is not None:
        virtual.dealer.do(move)
        step = game.apply(state, decode(game, move))
        assert not isinstance(step, Refusal)
        return step.state
    return state


def _frame(camera: VirtualCamera) -> Frame:
    frame = camera.read()
    assert frame is not None
    return frame


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    cv2.setNumThreads(1)
    main(sys.argv[1:])

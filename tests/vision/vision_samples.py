"""A small box, its zones, and a table that is rendered, read and watched frame by frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from companion.core.box import Box, Face, Piece
from companion.core.messages import verbatim
from companion.core.table import Observation, Point, Zone
from companion.core.tags import ArucoTag, QrTag, encode
from vision.frame import Frame
from vision.scene import Optics, Renderer, Scene, preset
from vision.watcher import Watcher

RATE_HZ = 10.0


def card(short: str, copy: str = "a", kind: str = "card") -> Piece:
    payload = encode("PH", f"{short.upper()}{copy.upper()}")
    return Piece(short, copy, kind, verbatim(short), QrTag(payload), 21.0, (63.0, 88.0), (-14.0, -24.0))


def token(number: int) -> Piece:
    face = Face("#e8d9a0", round=True)
    return Piece(f"token-{number}", "", "token", verbatim("t"), ArucoTag(number), 15.0, (23.0, 23.0), face=face)


def nest(name: str, number: int) -> Piece:
    return Piece(name, "", "anchor", verbatim(name), ArucoTag(number), 30.0, (150.0, 150.0))


def small_box() -> Box:
    cards = [card(f"red{n}", c) for n in range(2, 7) for c in "ab"]
    return Box("PH", [*cards, *(token(n) for n in range(20, 32)), nest("nest-1", 10), nest("nest-2", 11)])


def square(x: float, y: float, half: float) -> tuple[Point, ...]:
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def small_zones() -> tuple[Zone, ...]:
    zones = []
    for name in ("nest-1", "nest-2"):
        zones.append(Zone(f"{name}/pit", square(0, 0, 70), name, frozenset({"token"})))
        zones += [
            Zone(f"{name}/{side}", square(x, y, 60), name)
            for side, x, y in (("north", 0, -135), ("east", 135, 0), ("south", 0, 135), ("west", -135, 0))
        ]
    return tuple(zones)


Place = tuple[str, Point, float]

LAID: tuple[Place, ...] = (
    ("nest-1", (300.0, 300.0), 0.0),
    ("nest-2", (750.0, 310.0), 12.0),
    ("token-20", (260.0, 255.0), 30.0),
    ("token-21", (345.0, 260.0), -110.0),
    ("token-22", (710.0, 270.0), 75.0),
    ("red2a", (300.0, 165.0), 8.0),
    ("red3a", (300.0, 435.0), -15.0),
    ("red4a", (890.0, 330.0), 20.0),
)


class Table:
    """A rendered table with a watcher above it."""

    def __init__(
        self,
        laid: Sequence[Place] = LAID,
        optics: Optics | str = "mild",
        seed: int = 1,
        zones: Sequence[Zone] | None = None,
    ) -> None:
        self.rng = np.random.default_rng(seed)
        self.optics = preset(optics, self.rng) if isinstance(optics, str) else optics
        self.scene = Scene(small_box())
        for piece, at_mm, angle_deg in laid:
            self.scene.put(piece, at_mm, angle_deg)
        self.watcher = Watcher(self.scene.box)
        self.watcher.place(small_zones() if zones is None else zones)
        self.at_s = 0.0
        self.seen: Observation | None = None
        self.heard: list[Observation] = []
        self.see_through(self.optics)

    def see_through(self, optics: Optics) -> None:
        """From now on the camera or the light is another one."""
        self.optics = optics
        self.renderer = Renderer(self.scene, optics, self.rng)

    def frame(self) -> Frame:
        return Frame.of(self.renderer.picture(), self.at_s)

    def step(self, step_s: float = 1 / RATE_HZ) -> Observation | None:
        seen = self.watcher.look(self.frame())
        self.at_s += step_s
        if seen is not None:
            self.seen = seen
            self.heard.append(seen)
        return seen

    def run(self, frames: int, step_s: float = 1 / RATE_HZ) -> list[Observation]:
        return [seen for _ in range(frames) if (seen := self.step(step_s)) is not None]

    def play(self, script: Iterable[None]) -> list[Observation]:
        return [seen for _ in script if (seen := self.step()) is not None]

    def zones_seen(self) -> dict[str, str | None]:
        assert self.seen is not None
        return {sighting.piece: sighting.zone for sighting in self.seen.sightings}

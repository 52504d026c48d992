"""Pictures of a scene as a camera takes them, drawn anew only where something has changed."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.random import Generator

from companion.core.table import Point
from vision.scene.canvas import Canvas, reach_mm
from vision.scene.hands import Hands
from vision.scene.lens import border
from vision.scene.light import Light
from vision.scene.optics import Optics
from vision.scene.regions import Region, merged
from vision.scene.scene import Hand, Placed, Scene
from vision.scene.sprites import Picture

_TILE_PX = 640


class Renderer:
    """One camera above one scene.

    Two pictures are kept: the table in the camera's pixels, and the same with hands, lens and light. A change
    redraws only its own part of them. Noise comes over the second for each frame.

    Args:
        scene: what it looks at.
        optics: the camera and the light.
        rng: draws the noise.
    """

    def __init__(self, scene: Scene, optics: Optics, rng: Generator) -> None:
        self.scene = scene
        self.optics = optics
        self.lens = optics.lens(scene.size_mm)
        width, height = optics.picture_px
        self._whole = Region(0, 0, width, height)
        self._map_x, self._map_y = self.lens.map_mm()
        self._canvas = Canvas(scene.size_mm, scene.seed, max(2, round(2 * self.lens.px_per_mm)))
        self._painter = Hands(self.lens)
        self._light = Light(optics, self._map_x, self._map_y, rng)
        self._placed: Mapping[str, Placed] = {}
        self._hands: Mapping[str, Hand] = {}
        self._table: Picture = np.zeros((height, width, 3), np.uint8)
        self._lit: Picture = np.zeros((height, width, 3), np.uint8)
        self._drawn = False

    def picture(self) -> Picture:
        """The next frame: BGR, uint8, shape (height, width, 3). Its noise is always new."""
        self._update()
        return self._light.noisy(self._lit)

    def _update(self) -> None:
        placed, hands = self.scene.placed, self.scene.hands
        on_table = self._changes(placed)
        over_table = self._hand_changes(hands)
        self._placed, self._hands = placed, hands
        for region in on_table:
            self._draw_table(region)
        for region in merged([*on_table, *over_table]):
            self._expose(region.grown(self._light.spread_px).within(self._whole))

    def _changes(self, placed: Mapping[str, Placed]) -> list[Region]:
        """Where the table itself looks different than when it was last drawn."""
        if not self._drawn:
            self._drawn = True
            return self._tiles()
        changed = [self._placed[name] for name in self._placed if placed.get(name) is not self._placed[name]]
        changed += [placed[name] for name in placed if placed[name] is not self._placed.get(name)]
        return merged(self._region(thing) for thing in changed)

    def _tiles(self) -> list[Region]:
        return [
            Region(x, y, x + _TILE_PX, y + _TILE_PX).within(self._whole)
            for y in range(0, self._whole.bottom, _TILE_PX)
            for x in range(0, self._whole.right, _TILE_PX)
        ]

    def _region(self, placed: Placed) -> Region:
        return Region.around(self.lens.to_px(border(*reach_mm(placed), steps=5)), 2).within(self._whole)

    def _draw_table(self, region: Region) -> None:
        x, y = self._map_x[region.slices], self._map_y[region.slices]
        edge = np.concatenate(
            [np.stack([x[i], y[i]], -1) for i in (0, -1)] + [np.stack([x[:, i], y[:, i]], -1) for i in (0, -1)]
        )
        box_mm = Region.around(edge, 2)
        things = [p for p in self._placed.values() if _meets(reach_mm(p), box_mm)]
        drawing = self._canvas.draw(box_mm, sorted(things, key=lambda placed: placed.order))
        drawing = np.asarray(cv2.GaussianBlur(drawing, (3, 3), 0.5), np.uint8)
        scale = self._canvas.px_per_mm
        at_x, at_y = x * scale - (box_mm.left * scale + 0.5), y * scale - (box_mm.top * scale + 0.5)
        self._table[region.slices] = cv2.remap(drawing, at_x, at_y, cv2.INTER_LINEAR)

    def _hand_changes(self, hands: Mapping[str, Hand]) -> list[Region]:
        changed = [self._hands[name] for name in self._hands if hands.get(name) is not self._hands[name]]
        changed += [hands[name] for name in hands if hands[name] is not self._hands.get(name)]
        return [self._painter.region(hand) for hand in changed]

    def _expose(self, region: Region) -> None:
        """Hands, lens and light for one part of the picture."""
        source = region.grown(self._light.spread_px).within(self._whole)
        seen = self._table[source.slices]
        over = [hand for hand in self._hands.values() if not self._painter.region(hand).within(source).empty]
        if over:
            seen = seen.copy()
            for hand in over:
                self._painter.draw(seen, source, hand)
        inner = region.moved(-source.left, -source.top)
        self._lit[region.slices] = self._light.developed(seen, inner, region)


def _meets(reach: tuple[Point, Point], box_mm: Region) -> bool:
    (left, top), (right, bottom) = reach
    return left < box_mm.right and right > box_mm.left and top < box_mm.bottom and bottom > box_mm.top

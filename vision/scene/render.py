"""Pictures of a scene as a camera takes them, drawn anew only where something has changed."""

from __future__ import annotations

import math
from collections.abc import Mapping

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from companion.core.table import Point
from vision.scene.arm import HALF_WIDTH_MM, LENGTH_MM, TOP_MM, Arm, arm, facing
from vision.scene.canvas import LIGHT, Canvas, cover, darken, reach_mm, warped
from vision.scene.lens import border
from vision.scene.light import Light
from vision.scene.optics import Optics
from vision.scene.regions import Region, merged
from vision.scene.scene import Hand, Placed, Scene
from vision.scene.sprites import Picture

_TILE_PX = 640
_HAND_HEIGHT_MM = 40.0
_HAND_SHADE_MM = 9.0
_COARSE = 4


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
        return [self._hand_region(hand) for hand in changed]

    def _hand_matrix(self, hand: Hand) -> NDArray[np.float64]:
        """From mm of the model (palm in the origin, fingers up) to px: shape (2, 3).

        The arm is taken as flat; that it is nearer to the camera than the table can't be seen.
        """
        linear = self.lens.jacobian(hand.at_mm) @ facing(hand)
        return np.column_stack([linear, self.lens.to_px([hand.at_mm])[0]])

    def _smear_px(self, hand: Hand) -> Point:
        smear = self.lens.jacobian(hand.at_mm) @ np.array(hand.motion_mm)
        return (float(smear[0]), float(smear[1]))

    def _hand_region(self, hand: Hand) -> Region:
        matrix = self._hand_matrix(hand)
        corners = np.array([(x, y, 1) for x in (-HALF_WIDTH_MM, HALF_WIDTH_MM) for y in (TOP_MM, LENGTH_MM)]) @ matrix.T
        cast = _HAND_HEIGHT_MM * self.lens.px_per_mm
        pad = math.ceil(2 * _HAND_SHADE_MM * self.lens.px_per_mm + max(map(abs, self._smear_px(hand))))
        shadowed = np.concatenate([corners, corners + cast * np.array(LIGHT)])
        return Region.around(shadowed, pad).within(self._whole)

    def _expose(self, region: Region) -> None:
        """Hands, lens and light for one part of the picture."""
        source = region.grown(self._light.spread_px).within(self._whole)
        seen = self._table[source.slices]
        over = [hand for hand in self._hands.values() if not self._hand_region(hand).within(source).empty]
        if over:
            seen = seen.copy()
            for hand in over:
                self._draw_hand(seen, source, hand)
        inner = region.moved(-source.left, -source.top)
        self._lit[region.slices] = self._light.developed(seen, inner, region)

    def _draw_hand(self, picture: Picture, region: Region, hand: Hand) -> None:
        part = self._hand_region(hand).within(region)
        model = arm(hand.skin, hand.sleeve, hand.left, max(1, round(self.lens.px_per_mm)))
        matrix = self._hand_matrix(hand)
        matrix[:, 2] -= (part.left, part.top)
        to_px = matrix[:, :2] / model.px_per_mm
        shift = matrix[:, 2] - to_px @ (np.array(model.palm_px) - 0.5)
        layer = warped(
            model.sprite.bgra,
            np.column_stack([to_px, shift]),
            (part.right - part.left, part.bottom - part.top),
            self._smear_px(hand),
        )
        target = picture[part.moved(-region.left, -region.top).slices]
        darken(target, self._hand_shadow(model, to_px, shift, part), 0.45)
        cover(target, layer)

    def _hand_shadow(
        self, model: Arm, to_px: NDArray[np.float64], shift: NDArray[np.float64], part: Region
    ) -> NDArray[np.uint8]:
        """Where a hand's shadow falls in a part of the picture: uint8 (height, width).

        It is soft, so a quarter of the resolution does, at a sixteenth of the time. The coarse pixels are those of
        the whole picture: whichever part is drawn, the shadow is the same.
        """
        sigma = max(0.5, _HAND_SHADE_MM * self.lens.px_per_mm / 2 / _COARSE)
        pad = math.ceil(3 * sigma) + 1
        coarse = Region(
            part.left // _COARSE - pad,
            part.top // _COARSE - pad,
            -(-part.right // _COARSE) + pad,
            -(-part.bottom // _COARSE) + pad,
        )
        cast = _HAND_HEIGHT_MM * self.lens.px_per_mm * np.array(LIGHT)
        in_picture = shift + cast + (part.left, part.top)
        offset = (in_picture + 0.5) / _COARSE - 0.5 - (coarse.left, coarse.top)
        size = (coarse.right - coarse.left, coarse.bottom - coarse.top)
        alpha = np.ascontiguousarray(model.sprite.bgra[..., 3])
        shadow = cv2.warpAffine(alpha, np.column_stack([to_px / _COARSE, offset]), size, flags=cv2.INTER_LINEAR)
        shadow = cv2.GaussianBlur(shadow, (2 * pad - 1, 2 * pad - 1), sigma)
        shadow = cv2.resize(shadow, (size[0] * _COARSE, size[1] * _COARSE), interpolation=cv2.INTER_LINEAR)
        inner = part.moved(-coarse.left * _COARSE, -coarse.top * _COARSE)
        return np.ascontiguousarray(np.asarray(shadow, np.uint8)[inner.slices])


def _meets(reach: tuple[Point, Point], box_mm: Region) -> bool:
    (left, top), (right, bottom) = reach
    return left < box_mm.right and right > box_mm.left and top < box_mm.bottom and bottom > box_mm.top

"""What a perfect reader would find in a scene's picture; for tests and benchmarks."""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.core.box import Piece
from companion.core.table import Point
from companion.core.tags import Tag, cells
from vision.scene import arm
from vision.scene.lens import Lens
from vision.scene.scene import Hand, Placed, Scene
from vision.scene.shapes import inside_mm

_SAMPLES = 15


class TagTruth(msgspec.Struct, frozen=True):
    """One tag that lies face up.

    Attributes:
        name: the piece's id.
        tag: what is printed on it.
        at_mm: its centre in the table frame.
        angle_deg: direction of its top edge, clockwise.
        corners_px: top left, top right, bottom right, bottom left of its black square.
        px_per_cell: size of a module or cell in the picture.
        covered: share of the black square that other things or hands hide, 0 to 1.
        in_picture: it lies within the picture, whole.
    """

    name: str
    tag: Tag
    at_mm: Point
    angle_deg: float
    corners_px: tuple[Point, Point, Point, Point]
    px_per_cell: float
    covered: float
    in_picture: bool


def truth(scene: Scene, lens: Lens) -> dict[str, TagTruth]:
    """All tags that lie face up, by piece id; covered ones too."""
    placed, hands = scene.placed, scene.hands
    found = {}
    for name, thing in placed.items():
        if isinstance(thing.what, Piece) and thing.face_up:
            above = [other for other in placed.values() if other.order > thing.order]
            found[name] = _tag(name, thing, thing.what, above, hands.values(), lens)
    return found


def _tag(name: str, thing: Placed, piece: Piece, above: list[Placed], hands: Iterable[Hand], lens: Lens) -> TagTruth:
    half = piece.tag_mm / 2
    turn = _turn(thing.angle_deg)
    middle = np.array(thing.at_mm) + turn @ np.array(piece.tag_at_mm)
    corners = middle + np.array([(-half, -half), (half, -half), (half, half), (-half, half)]) @ turn.T
    steps = (np.arange(_SAMPLES) + 0.5) / _SAMPLES * piece.tag_mm - half
    spots = middle + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2) @ turn.T
    hidden = np.zeros(len(spots), bool)
    for other in above:
        local = (spots - np.array(other.at_mm)) @ _turn(other.angle_deg)
        hidden |= inside_mm(other.what, local[:, 0], local[:, 1]) > 0
    for hand in hands:
        local = (spots - np.array(hand.at_mm)) @ arm.facing(hand)
        hidden |= arm.inside_mm(local[:, 0], local[:, 1], hand.left) > 0
    px = lens.to_px(corners)
    side_px = float(np.hypot(*(px - np.roll(px, 1, axis=0)).T).mean())
    width, height = lens.picture_px
    return TagTruth(
        name,
        piece.tag,
        (float(middle[0]), float(middle[1])),
        (thing.angle_deg + 180) % 360 - 180,
        tuple((float(x), float(y)) for x, y in px),  # type: ignore[arg-type]
        side_px / len(cells(piece.tag)),
        float(hidden.mean()),
        bool((px >= 0).all() and (px[:, 0] <= width - 1).all() and (px[:, 1] <= height - 1).all()),
    )


def _turn(angle_deg: float) -> NDArray[np.float64]:
    angle = math.radians(angle_deg)
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])

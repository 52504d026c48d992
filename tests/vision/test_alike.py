"""Pieces that bear one and the same tag: they are counted, wherever they lie."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from companion.core.box import Box, Face, Piece
from companion.core.errors import BoxError
from companion.core.messages import verbatim
from companion.core.table import Observation, Zone
from companion.core.tags import ArucoTag
from vision.cameras.virtual import VirtualCamera
from vision.scene.acting import Stage
from vision.scene.optics import preset
from vision.scene.scene import Scene
from vision.watcher import Watcher

LEFT = Zone("left", ((0.0, 0.0), (500.0, 0.0), (500.0, 600.0), (0.0, 600.0)), holds=frozenset({"back"}))
RIGHT = Zone("right", ((500.0, 0.0), (1070.0, 0.0), (1070.0, 600.0), (500.0, 600.0)), holds=frozenset({"back"}))


def _back(copy: str, name: str = "back", alike: bool = True) -> Piece:
    tag_at = (-19.0, -34.5)
    return Piece(
        name, copy, "back", verbatim("back"), ArucoTag(40), 12.0, (56.0, 87.0), tag_at, Face("#5a2f3c"), alike=alike
    )


def test_a_tag_is_shared_only_by_copies_that_are_alike() -> None:
    box = Box("XX", [_back("a"), _back("b")])
    assert [piece.id for piece in box.copies["back"]] == ["backa", "backb"]
    for other in (_back("b", alike=False), _back("a", "other")):
        with pytest.raises(BoxError, match="carry the same tag"):
            Box("XX", [_back("a"), other])


class Eyes:
    """A rendered table, watched until it has come to rest."""

    def __init__(self) -> None:
        rng = np.random.default_rng(1)
        self.scene = Scene(Box("XX", [_back(copy) for copy in "abcd"]), seed=1)
        self._camera = VirtualCamera(self.scene, preset("sharp", rng), rng, 6.0, Stage())
        self._watcher = Watcher(self.scene.box)
        self._watcher.place((LEFT, RIGHT))

    def counted(self, frames: int = 14) -> Counter[str]:
        """By zone, how many are seen."""
        seen = Observation()
        for _ in range(frames):
            frame = self._camera.read()
            assert frame is not None
            seen = self._watcher.look(frame) or seen
        return Counter(sighting.zone for sighting in seen.sightings if sighting.zone and not sighting.hidden)


def test_pieces_that_are_alike_are_counted_by_place_also_in_a_fan() -> None:
    eyes = Eyes()
    eyes.scene.put("backa", (200.0, 300.0))
    eyes.scene.put("backb", (219.0, 300.0))
    eyes.scene.put("backc", (800.0, 300.0), 180.0)
    assert eyes.counted() == {"left": 2, "right": 1}
    eyes.scene.remove("backb")
    assert eyes.counted(20) == {"left": 1, "right": 1}
    eyes.scene.put("backd", (700.0, 200.0))
    assert eyes.counted() == {"left": 1, "right": 2}

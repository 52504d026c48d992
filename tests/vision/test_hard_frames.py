"""Small frames in which decoders read little: some of our own, and crops that another renderer made."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.tags import QR_MODULES, QrTag
from companion.games import load
from vision.cameras.frames import decode
from vision.closed_world import ClosedWorld
from vision.fiducials import Fiducials
from vision.frame import Frame, Picture
from vision.lens import Homography
from vision.reading import Reader, Zxing
from vision.scan import Found, Scanner, World

HARD = Path(__file__).parent / "data" / "hard"
EXPECTED: list[dict[str, Any]] = json.loads((HARD / "expected.json").read_text())
GAMES = {"PH": "phoenix", "ST": "storytelling"}


def seen_from(px_per_mm: np.ndarray[Any, Any]) -> Homography:
    """A table of which a mm is so many px."""
    to_px = np.eye(3)
    to_px[:2, :2] = px_per_mm
    return Homography(np.linalg.inv(to_px))


def looked_at(frames: list[Picture], game: str, table: Homography, expected: bool = True) -> list[Found]:
    """What the watcher's third look at a changed part finds."""
    scanner = Scanner(Reader(Zxing()), Fiducials())
    world = World(ClosedWorld(load(game).box), table, lambda *_: expected)
    frame = Frame.of(frames[-1], 0.0)
    stack = [Frame.of(picture, 0.0).grey for picture in frames]
    return scanner.parts(frame, [(0, 0, *frame.size)], stack=stack, world=world)


@pytest.mark.parametrize("hard", EXPECTED, ids=lambda hard: hard["file"])
def test_a_hard_frame_is_read_and_a_stranger_is_not_named(hard: dict[str, Any]) -> None:
    picture = decode((HARD / hard["file"]).read_bytes())
    assert picture is not None
    frames = np.split(picture, 3, axis=1)
    found = looked_at(frames, "phoenix", seen_from(np.array(hard["plane"])))
    own = load("phoenix").box
    named = [one for one in found if own.piece_of(one.tag) is not None]
    assert [one.tag for one in named] == ([QrTag(hard["payload"])] if hard["payload"] else [])
    for one in named:
        assert np.abs(one.corners_px - hard["corners_px"]).max() < 1.5 * hard["px_per_module"]


def crops(shared: Path) -> list[dict[str, Any]]:
    if not (shared / "sight" / "truth.json").exists():
        pytest.skip("the pictures of another renderer are not beside the project")
    tags: list[dict[str, Any]] = json.loads((shared / "sight" / "truth.json").read_text())["tags"]
    return tags


def test_tags_of_two_pixels_a_module_are_read_on_pictures_that_others_made(shared: Path) -> None:
    read = {}
    for crop in crops(shared):
        picture = cv2.imread(str(shared / "sight" / crop["file"]))
        px_per_mm = np.eye(2) * crop["px_per_module"] * QR_MODULES / 21.0
        game = GAMES[crop["payload"][2:4]]
        read[crop["file"]] = [one.tag for one in looked_at([picture] * 3, game, seen_from(px_per_mm), expected=False)]
    assert read == {crop["file"]: [QrTag(crop["payload"])] for crop in crops(shared)}


def test_most_of_them_are_read_by_decoders_alone_once_they_are_enlarged_and_sharpened(shared: Path) -> None:
    reader, scanner = Reader(Zxing()), Scanner(Reader(Zxing()), Fiducials())
    right = before = 0
    for crop in crops(shared):
        frame = Frame.of(cv2.imread(str(shared / "sight" / crop["file"])), 0.0)
        before += crop["payload"] in [r.text for r in reader.read(frame.grey)]
        found = scanner.parts(frame, [(0, 0, *frame.size)], stack=(frame.grey, frame.grey))
        right += [one.tag for one in found] == [QrTag(crop["payload"])]
    assert (before, right >= 10) == (0, True)

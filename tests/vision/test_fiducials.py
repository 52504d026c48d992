from __future__ import annotations

import cv2
import numpy as np
import pytest
from vision_samples import token

from companion.core.box import Box
from companion.core.tags import ArucoTag
from vision.fiducials import Corners, Fiducials
from vision.frame import Frame, Picture
from vision.reading import Reader
from vision.scan import Scanner
from vision.scene import Renderer, Scene, preset
from vision.scene.truth import truth


@pytest.mark.parametrize("optics", ["sharp", "mild", "everyday"])
def test_tokens_of_fifteen_millimetres_are_found_where_they_lie(optics: str) -> None:
    rng = np.random.default_rng(5)
    scene = Scene(Box("PH", [token(number) for number in range(4, 44)]))
    for index, piece in enumerate(scene.box.pieces):
        scene.put(piece, (120.0 + 92 * (index % 10), 120.0 + 115 * (index // 10)), 37.0 * index)
    renderer = Renderer(scene, preset(optics, rng), rng)
    frame = Frame.of(renderer.picture(), 0.0)
    found = {one.tag: one.corners_px for one in Scanner(Reader.standard(), Fiducials()).markers(frame, fine=True)}
    true = {tag.tag: np.array(tag.corners_px) for tag in truth(scene, renderer.lens).values()}
    seen = [tag for tag in true if tag in found]
    assert len(seen) >= 0.93 * len(true)
    assert max(np.abs(found[tag] - true[tag]).max() for tag in seen) < 4


def test_large_markers_are_told_from_the_square_inside_their_border() -> None:
    rng = np.random.default_rng(3)
    scene = Scene(Box("PH", []))
    renderer = Renderer(scene, preset("mild", rng), rng)
    scanner = Scanner(Reader.standard(), Fiducials())
    looks = [
        {one.tag: one.corners_px for one in scanner.markers(Frame.of(renderer.picture(), 0.0), fine)}
        for fine in (False, True)
    ]
    assert len(looks[0]) == len(looks[1]) == 4
    assert max(np.abs(looks[0][tag] - looks[1][tag]).max() for tag in looks[0]) < 0.3


def test_a_marker_that_lies_there_twice_is_found_twice() -> None:
    marker = np.pad(np.kron(np.array(_cells(77)), np.ones((6, 6), np.uint8)), 20, constant_values=230)
    found = Fiducials().find_all(np.ascontiguousarray(np.hstack([marker, marker]).astype(np.uint8)))
    assert sorted(number for number, _ in found) == [77, 77]
    assert list(Fiducials().find(np.ascontiguousarray(marker.astype(np.uint8)))) == [77]


class Shy(Fiducials):
    """Markers of which the second is found only by a thorough search, whatever the picture."""

    def find_all(self, grey: Picture, thorough: bool = True, attempt: int = 0) -> list[tuple[int, Corners]]:
        """One of them, or both."""
        square = np.array([(10.0, 10.0), (30.0, 10.0), (30.0, 30.0), (10.0, 30.0)])
        return [(30, square), (33, square + 40.0)][: 2 if thorough else 1]


def test_a_marker_is_looked_for_closely_though_its_neighbour_was_found() -> None:
    frame = Frame.of(np.full((100, 100), 128, np.uint8), 0.0)
    scanner = Scanner(Reader.standard(), Shy())
    box = (0, 0, 100, 100)
    glance, closely = scanner.parts(frame, [box]), scanner.parts(frame, [box], stack=(frame.grey,))
    assert [[one.tag for one in found] for found in (glance, closely)] == [
        [ArucoTag(30)], [ArucoTag(30), ArucoTag(33)]
    ]  # fmt: skip
    whole = Frame.of(np.full((720, 1400), 128, np.uint8), 0.0)
    assert ArucoTag(33) in {one.tag for one in scanner.markers(whole, fine=True, thorough=True)}
    assert ArucoTag(33) not in {one.tag for one in scanner.markers(whole, fine=True)}


def test_a_blank_picture_has_no_markers() -> None:
    assert Fiducials().find_all(np.full((200, 200), 128, np.uint8)) == []


def test_the_interface_before_opencv_4_7_does_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(cv2.aruco, "ArucoDetector"):
        pytest.skip("this OpenCV has the old interface itself")
    new = cv2.aruco.ArucoDetector

    def detect(grey: object, dictionary: object, parameters: object) -> object:
        return new(dictionary, parameters).detectMarkers(grey)  # type: ignore[call-overload]

    monkeypatch.setattr(cv2.aruco, "DetectorParameters_create", cv2.aruco.DetectorParameters, raising=False)
    monkeypatch.setattr(cv2.aruco, "detectMarkers", detect, raising=False)
    monkeypatch.delattr(cv2.aruco, "ArucoDetector")
    marker = np.pad(np.kron(np.array(_cells(9)), np.ones((6, 6), np.uint8)), 20, constant_values=230)
    assert list(Fiducials().find(np.ascontiguousarray(marker.astype(np.uint8)))) == [9]


def _cells(number: int) -> list[list[int]]:
    from companion.core.tags import ArucoTag, cells

    return [[20 if black else 230 for black in row] for row in cells(ArucoTag(number))]

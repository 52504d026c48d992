"""A small box, and a table laid with it."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from companion.core.box import Box, Face, Piece
from companion.core.messages import verbatim
from companion.core.tags import ArucoTag, QrTag, Tag, encode
from vision.scene import Scene


def small_box() -> Box:
    cards = [
        _piece(
            f"card-{n}", "card", QrTag(encode("TT", f"C{n}")), 21.0, (56.0, 87.0), Face("#d8524a", str(n)), (0.0, -29.0)
        )
        for n in range(12)
    ]
    disc = Face("#e8c766", round=True)
    tokens = [_piece(f"token{c}", "token", ArucoTag(20 + n), 14.0, (24.0, 24.0), disc) for n, c in enumerate("abcd")]
    nest = _piece("nest", "anchor", ArucoTag(4), 28.0, (104.0, 104.0), Face("#7a5a3a", round=True))
    comb = _piece("comb", "anchor", ArucoTag(5), 28.0, (104.0, 104.0 * 3**0.5 / 2), Face("#7a5a3a"))
    return Box("TT", [*cards, *tokens, nest, comb])


def _piece(
    name: str,
    kind: str,
    tag: Tag,
    tag_mm: float,
    size_mm: tuple[float, float],
    face: Face,
    tag_at_mm: tuple[float, float] = (0.0, 0.0),
) -> Piece:
    return Piece(name, "", kind, verbatim(name), tag, tag_mm, size_mm, tag_at_mm, face)


def lay_table(scene: Scene, seed: int = 0) -> None:
    """All pieces side by side, each turned by chance."""
    rng = np.random.default_rng(seed)
    for n in range(12):
        scene.put(f"card-{n}", (130 + 160 * (n % 6), 170 + 250 * (n // 6)), rng.uniform(-180, 180))
    for n, copy in enumerate("abcd"):
        scene.put(f"token{copy}", (400 + 90 * n, 295), rng.uniform(-180, 180))
    scene.put("nest", (200, 295), rng.uniform(-180, 180))
    scene.put("comb", (880, 295), rng.uniform(-180, 180))


def find_markers(grey: Any) -> dict[int, Any]:
    """Corners in px, (4, 2), by marker number: an eye of the tests' own, so that none of ours judges itself."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    new = hasattr(cv2.aruco, "ArucoDetector")  # since OpenCV 4.7
    parameters = cv2.aruco.DetectorParameters() if new else cv2.aruco.DetectorParameters_create()
    # Newer versions lose large markers among many pieces at 0.05 or less, older ones markers on white paper above.
    parameters.minMarkerDistanceRate = 0.125 if new else 0.02
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.cornerRefinementWinSize = 2
    if new:
        quads, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(grey)
    else:
        quads, ids, _ = cv2.aruco.detectMarkers(grey, dictionary, parameters=parameters)
    return {} if ids is None else {int(n): quad.reshape(4, 2) for n, quad in zip(np.ravel(ids), quads, strict=True)}

"""A small box, and a table laid with it."""

from __future__ import annotations

import numpy as np
import pytest

from companion.core.box import Box, Face, Piece
from companion.core.messages import verbatim
from companion.core.tags import ArucoTag, QrTag, encode
from vision.scene import Scene


def small_box() -> Box:
    cards = [
        Piece(
            f"card-{n}", "", "card", verbatim(f"card {n}"), QrTag(encode("TT", f"C{n}")), 21.0, (56.0, 87.0), (0.0, -29.0),
            Face("#d8524a", str(n)),
        )
        for n in range(12)
    ]  # fmt: skip
    tokens = [
        Piece("token", "abcd"[n], "token", verbatim("token"), ArucoTag(20 + n), 14.0, (24.0, 24.0), face=Face("#e8c766", round=True))
        for n in range(4)
    ]  # fmt: skip
    nest = Piece(
        "nest", "", "anchor", verbatim("nest"), ArucoTag(4), 28.0, (104.0, 104.0), face=Face("#7a5a3a", round=True)
    )
    comb = Piece(
        "comb", "", "anchor", verbatim("comb"), ArucoTag(5), 28.0, (104.0, 104.0 * 3**0.5 / 2), face=Face("#7a5a3a")
    )
    return Box("TT", [*cards, *tokens, nest, comb])


@pytest.fixture
def scene() -> Scene:
    return Scene(small_box())


def lay_table(scene: Scene, seed: int = 0) -> None:
    """All pieces side by side, each turned by chance."""
    rng = np.random.default_rng(seed)
    for n in range(12):
        scene.put(f"card-{n}", (130 + 160 * (n % 6), 170 + 250 * (n // 6)), rng.uniform(-180, 180))
    for n, copy in enumerate("abcd"):
        scene.put(f"token{copy}", (400 + 90 * n, 295), rng.uniform(-180, 180))
    scene.put("nest", (200, 295), rng.uniform(-180, 180))
    scene.put("comb", (880, 295), rng.uniform(-180, 180))

"""Every kind of screen, as a picture. `GOLDEN=write` draws them anew: look at each before it is kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from face_samples import SITUATIONS, tiny_words
from PIL import Image, ImageChops

from companion.face.fonts import Fonts
from companion.face.presenter import present
from companion.face.screen import render

GOLDEN = Path(__file__).parent / "golden"
ZOOM = 4


def _strip(pictures: list[Image.Image]) -> Image.Image:
    """The screens below one another, with a grey line between them."""
    strip = Image.new("L", (128, 65 * len(pictures) - 1), 128)
    for i, picture in enumerate(pictures):
        strip.paste(picture.convert("L"), (0, 65 * i))
    return strip


def _differences(wanted: Image.Image, got: Image.Image) -> Image.Image:
    """Wanted, got, and what differs, side by side and enlarged."""
    height = max(wanted.height, got.height)
    sides = [Image.new("L", (128, height), 64) for _ in range(2)]
    for side, picture in zip(sides, (wanted, got), strict=True):
        side.paste(picture, (0, 0))
    sheet = Image.new("L", (3 * 130, height), 128)
    for i, side in enumerate((*sides, ImageChops.difference(*sides))):
        sheet.paste(side, (130 * i, 0))
    return sheet.resize((sheet.width * ZOOM, sheet.height * ZOOM), Image.Resampling.NEAREST)


@pytest.mark.parametrize("name", SITUATIONS)
def test_each_screen_looks_like_its_golden_picture(name: str, fonts: Fonts, tmp_path: Path) -> None:
    language, situation = SITUATIONS[name]
    got = _strip(render(present(situation), tiny_words(language), fonts))
    path = GOLDEN / f"{name}.png"
    if os.environ.get("GOLDEN") == "write":
        got.save(path, optimize=True)
    with Image.open(path) as file:
        wanted = file.convert("L")
    if wanted.size != got.size or ImageChops.difference(wanted, got).getbbox():
        shown = tmp_path / f"{name}-wanted-got-difference.png"
        _differences(wanted, got).save(shown)
        pytest.fail(f"screen {name} differs from {path}: see {shown}; GOLDEN=write keeps the new one", pytrace=False)


def test_every_golden_picture_belongs_to_a_situation() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(SITUATIONS)

"""Golden pictures: what a person looked at and kept. `GOLDEN=write` draws them anew: look at each before it is kept."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image, ImageChops

ZOOM = 4


def sheet(columns: Sequence[Sequence[Image.Image]]) -> Image.Image:
    """Screens in columns, with grey lines between them."""
    width, height = 129 * len(columns) - 1, 65 * max(len(column) for column in columns) - 1
    picture = Image.new("L", (width, height), 128)
    for x, column in enumerate(columns):
        for y, screen in enumerate(column):
            picture.paste(screen.convert("L"), (129 * x, 65 * y))
    return picture


def check(got: Image.Image, path: Path, tmp_path: Path) -> None:
    """Fails with a picture of wanted, got and difference if `got` isn't the golden picture in `path`."""
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(exist_ok=True)
        got.save(path, optimize=True)
    with Image.open(path) as file:
        wanted = file.convert("L")
    if wanted.size != got.size or ImageChops.difference(wanted, got).getbbox():
        shown = tmp_path / f"{path.stem}-wanted-got-difference.png"
        _differences(wanted, got).save(shown)
        pytest.fail(f"screen differs from {path}: see {shown}; GOLDEN=write keeps the new one", pytrace=False)


def _differences(wanted: Image.Image, got: Image.Image) -> Image.Image:
    """Wanted, got, and what differs, side by side and enlarged."""
    width, height = (max(sizes) for sizes in zip(wanted.size, got.size, strict=True))
    sides = [Image.new("L", (width, height), 64) for _ in range(2)]
    for side, picture in zip(sides, (wanted, got), strict=True):
        side.paste(picture, (0, 0))
    joined = Image.new("L", (3 * (width + 2), height), 128)
    for i, side in enumerate((*sides, ImageChops.difference(*sides))):
        joined.paste(side, ((width + 2) * i, 0))
    return joined.resize((joined.width * ZOOM, joined.height * ZOOM), Image.Resampling.NEAREST)

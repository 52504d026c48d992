"""Every kind of screen, as a picture."""

from __future__ import annotations

from pathlib import Path

import pytest
from face_samples import ASIDES, SITUATIONS, tiny_words

from companion.core.panel import Panel
from companion.face.fonts import Fonts
from companion.face.presenter import present
from companion.face.screen import render
from tests import goldens

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", SITUATIONS)
def test_each_screen_looks_like_its_golden_picture(name: str, fonts: Fonts, tmp_path: Path) -> None:
    language, situation = SITUATIONS[name]
    screens = render(present(situation), tiny_words(language), fonts)
    goldens.check(goldens.sheet([screens]), GOLDEN / f"{name}.png", tmp_path)


@pytest.mark.parametrize("name", ASIDES)
def test_each_second_screen_looks_like_its_golden_picture(name: str, fonts: Fonts, tmp_path: Path) -> None:
    goldens.check(
        goldens.sheet([render(Panel(ASIDES[name]), tiny_words("de"), fonts)]), GOLDEN / f"{name}.png", tmp_path
    )


def test_every_golden_picture_belongs_to_a_situation() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {*SITUATIONS, *ASIDES}

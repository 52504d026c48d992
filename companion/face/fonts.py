"""Fonts for a display with few pixels: found on the system, measured, drawn, and never without a letter."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from PIL import ImageDraw, ImageFont

from companion.core.letters import count, replaced

SPLEEN_FOLDERS = (
    Path("/usr/share/fonts/opentype/spleen"),
    Path("/usr/local/share/fonts/spleen"),
    Path("/usr/share/fonts/spleen"),
    Path("/usr/share/fonts/misc"),
)
"""Where distributions put the Spleen fonts; on Debian they are in the package fonts-spleen."""

HEIGHTS_PX = (12, 16, 24)

_NO_LETTER = "\uffff"


class Font:
    """One size of a font, without anti-aliasing and kerning: a text is as wide as its letters are together.

    Attributes:
        height_px: height of a line.
    """

    def __init__(self, font: Any, height_px: int) -> None:
        self.height_px = height_px
        # Raqm, the other engine, fails at letters that end a paragraph, and asks each text for its scripts.
        self._font = font.font_variant(layout_engine=ImageFont.Layout.BASIC)
        self._box = bytes(self._font.getmask(_NO_LETTER, mode="1"))
        self._letter_px = lru_cache(maxsize=2000)(self._font.getlength)
        self.clean = lru_cache(maxsize=500)(self._clean)
        self.has = lru_cache(maxsize=2000)(self._has)

    def width_px(self, text: str) -> int:
        """Width of a text as it is drawn."""
        return int(sum(map(self._letter_px, self.clean(text))) + 0.5)

    def draw(self, canvas: ImageDraw.ImageDraw, at_px: tuple[int, int], text: str, fill: int) -> None:
        """Draws a text with its top left corner at `at_px`; `fill` is 1 for lit and 0 for dark."""
        canvas.fontmode = "1"
        canvas.text(at_px, self.clean(text), font=self._font, fill=fill)

    def _clean(self, text: str) -> str:
        return replaced(text, self.has)

    def _has(self, letter: str) -> bool:
        """Whether the font can draw this letter itself."""
        if letter == " ":
            return True
        drawn = letter.isprintable() and count(letter) > 0
        return drawn and bytes(self._font.getmask(letter, mode="1")) != self._box


@dataclass(frozen=True)
class Fonts:
    """The sizes in use.

    Attributes:
        body: 12 px high.
        big: 16 px high.
        huge: 24 px high.
        remedy: what to install for better letters, or None where all is well; to be said once, at the start.
    """

    body: Font
    big: Font
    huge: Font
    remedy: str | None = None


def find_fonts(folders: Iterable[Path] = SPLEEN_FOLDERS) -> Fonts:
    """The Spleen fonts from the first folder that has them, else the font inside Pillow.

    Source: Spleen by Frederic Cambus, github.com/fcambus/spleen, BSD 2-Clause.
    """
    for folder in folders:
        files = [folder / f"spleen-{size}.otf" for size in ("6x12", "8x16", "12x24")]
        if all(file.is_file() for file in files):
            return _fonts([ImageFont.truetype(str(file), px) for file, px in zip(files, HEIGHTS_PX, strict=True)])
    remedy = "The Spleen fonts are missing, so accents do not show: install the package fonts-spleen"
    # Smaller than the line, since their accents and descenders reach beyond the nominal size.
    return _fonts([ImageFont.load_default(size) for size in (10, 13, 20)], remedy)


def _fonts(found: list[Any], remedy: str | None = None) -> Fonts:
    body, big, huge = (Font(font, px) for font, px in zip(found, HEIGHTS_PX, strict=True))
    return Fonts(body, big, huge, remedy)

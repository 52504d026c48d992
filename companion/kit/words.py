"""The kit's own words."""

from __future__ import annotations

import tomllib
import unicodedata
from importlib.resources import files
from typing import Any

from companion.core.messages import LANGUAGES
from companion.kit.paper import KitError

_FOLDED = str.maketrans(
    {
        "\u00ad": None, "\u2009": "\u00a0", "\u202f": "\u00a0", "\u2010": "-", "\u2011": "-", "\u2012": "\u2013",
        "\u2015": "\u2014", "\u2212": "\u2013", "\u2192": "->", "\u02bc": "\u2019", "\u0140": "l\u00b7",
        "\u013f": "L\u00b7", "\u1e9e": "SS",
    }
)  # fmt: skip
"""Signs that Windows-1252 lacks, by what stands for them."""


class KitWords:
    """Texts below `kit.` in one language.

    Raises:
        KitError: there is no such language.
    """

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            raise KitError(f"language {language!r}: the kit speaks {', '.join(LANGUAGES)}")
        text = files(__package__).joinpath("wording", f"{language}.toml").read_text("utf-8")
        self._texts: dict[str, Any] = tomllib.loads(text)["kit"]

    def __call__(self, key: str, **values: object) -> str:
        """The text `kit.<key>` with its placeholders filled in."""
        found: Any = self._texts
        for part in key.split("."):
            found = found[part]
        return str(found).format(**values)


def number(words: KitWords, value: float) -> str:
    """A length to a tenth, without a needless nought."""
    return f"{value:.1f}".removesuffix(".0").replace(".", words("decimal"))


def latin(text: str) -> str:
    """The text in the letters that a PDF's built-in fonts have, those of Windows-1252.

    Each stands as the character whose number is its byte, which is how fpdf passes text on to such a font. So an
    ellipsis, for one, is a control character here that `str.split` takes for a space: lines must be broken before.
    """
    return unicodedata.normalize("NFC", text).translate(_FOLDED).encode("cp1252", "replace").decode("latin-1")

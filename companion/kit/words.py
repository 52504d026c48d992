"""The kit's own words."""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any

from companion.kit.paper import KitError

LANGUAGES = ("en", "de", "es", "ca")

_FOLDED = str.maketrans(
    {
        "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u2018": "'", "\u2019": "'", "\u2013": "-", "\u2014": "-",
        "\u2026": "...", "\u00ad": None, "\u202f": " ", "\u2212": "-", "\u2192": "->",
    }
)  # fmt: skip


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


def latin(text: str) -> str:
    """The text in the letters that a PDF's built-in fonts have; typographic signs become plain ones."""
    return text.translate(_FOLDED).encode("latin-1", "replace").decode("latin-1")

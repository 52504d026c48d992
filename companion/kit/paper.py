"""Paper sizes."""

from __future__ import annotations

import msgspec

from companion.core.errors import CompanionError

MARGIN_MM = 12.0
"""Left white on each side; printers reach within 5 mm of the edge or so."""


class KitError(CompanionError, ValueError):
    """A kit was asked for that can't be printed."""


class Paper(msgspec.Struct, frozen=True):
    """A sheet, upright.

    Attributes:
        name: as it is sold.
        width_mm: its width.
        height_mm: its height.
    """

    name: str
    width_mm: float
    height_mm: float

    @property
    def inner_mm(self) -> tuple[float, float]:
        """Width and height within the margins."""
        return self.width_mm - 2 * MARGIN_MM, self.height_mm - 2 * MARGIN_MM


PAPERS = {"A4": Paper("A4", 210.0, 297.0), "Letter": Paper("Letter", 215.9, 279.4)}
"""Source: ISO 216 and ANSI/ASME Y14.1."""


def paper_named(name: str) -> Paper:
    """The paper of this name.

    Raises:
        KitError: there is none.
    """
    if name not in PAPERS:
        raise KitError(f"paper {name!r}: unknown; choose one of {', '.join(PAPERS)}")
    return PAPERS[name]

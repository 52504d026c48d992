"""One page of a kit, not yet drawn."""

from __future__ import annotations

from collections.abc import Callable

import msgspec


class KitPage(msgspec.Struct, frozen=True):
    """A page.

    Attributes:
        part: by which it can be asked for.
        name: what this part is called on the foot of the page.
        heading: its first line.
        draw: draws what is below the heading.
        hint: what to do with it.
        plan_mm: width at the right of the heading that `draw` needs for itself.
    """

    part: str
    name: str
    heading: str
    draw: Callable[[], None]
    hint: str = ""
    plan_mm: float = 0.0

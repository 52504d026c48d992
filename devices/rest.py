"""When a display rests, so that nothing burns in: dimmed first, later dark but for a dot that wanders.

Pure functions of how long nothing has happened.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from PIL import Image

from devices.display import HEIGHT_PX, WIDTH_PX

DOT_PX = 2
DOT_STAYS_S = 5.0
"""So long the dot stays at one place."""

_STEPS = (0.7548776662466927, 0.5698402909980532)
"""With steps of these shares of width and height the dot soon has been everywhere about equally often.
Source: the R2 sequence, powers of the inverse plastic number."""


class Rest(StrEnum):
    """How far a display has gone to rest."""

    AWAKE = "awake"
    DIM = "dim"
    DARK = "dark"


@dataclass(frozen=True)
class Rests:
    """After how long a display rests.

    Attributes:
        dim_after_s: without news and presses for so long, it is dimmed; 0 for never.
        dark_after_s: for so long, it goes dark; 0 for never.
    """

    dim_after_s: float = 600.0
    dark_after_s: float = 1800.0

    def at(self, idle_s: float) -> Rest:
        """How far it has gone, when nothing has happened for so long."""
        if self.dark_after_s and idle_s >= self.dark_after_s:
            return Rest.DARK
        if self.dim_after_s and idle_s >= self.dim_after_s:
            return Rest.DIM
        return Rest.AWAKE


def dot_at(idle_s: float) -> tuple[int, int]:
    """Where the dot's upper left pixel is, when nothing has happened for so long."""
    number = int(idle_s // DOT_STAYS_S)
    room = (WIDTH_PX - DOT_PX + 1, HEIGHT_PX - DOT_PX + 1)
    x, y = (int((0.5 + number * step) % 1.0 * size) for step, size in zip(_STEPS, room, strict=True))
    return x, y


def dot(idle_s: float) -> Image.Image:
    """What a dark display shows, mode `1`, 128x64 pixels: that the box is on."""
    picture = Image.new("1", (WIDTH_PX, HEIGHT_PX))
    picture.paste(Image.new("1", (DOT_PX, DOT_PX), 1), dot_at(idle_s))
    return picture

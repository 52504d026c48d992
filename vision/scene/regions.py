"""Rectangles of a picture, in whole pixels."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
import numpy as np

from vision.scene.lens import Points


class Region(msgspec.Struct, frozen=True, order=True):
    """Left and top are inside, right and bottom outside."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def around(cls, points: Points, pad: int) -> Region:
        """The smallest region that holds these points, and `pad` pixels more on each side."""
        low, high = np.floor(points.min(axis=0)).astype(int), np.ceil(points.max(axis=0)).astype(int)
        return cls(int(low[0]) - pad, int(low[1]) - pad, int(high[0]) + pad + 1, int(high[1]) + pad + 1)

    @property
    def empty(self) -> bool:
        """Whether it holds no pixel."""
        return self.right <= self.left or self.bottom <= self.top

    @property
    def area(self) -> int:
        """How many pixels it holds."""
        return 0 if self.empty else (self.right - self.left) * (self.bottom - self.top)

    @property
    def slices(self) -> tuple[slice, slice]:
        """Rows and columns, to index a picture with."""
        return slice(self.top, self.bottom), slice(self.left, self.right)

    def grown(self, by: int) -> Region:
        """With so many pixels more on each side."""
        return Region(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def within(self, other: Region) -> Region:
        """What both share."""
        return Region(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def joined(self, other: Region) -> Region:
        """The smallest region that holds both."""
        return Region(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )

    def moved(self, left: int, top: int) -> Region:
        """Shifted to the right and down."""
        return Region(self.left + left, self.top + top, self.right + left, self.bottom + top)


def merged(regions: Iterable[Region]) -> list[Region]:
    """Fewer regions that cover the same: two are joined where that adds no area."""
    found: list[Region] = []
    for region in regions:
        if region.empty:
            continue
        for other in [o for o in found if region.joined(o).area <= region.area + o.area]:
            found.remove(other)
            region = region.joined(other)
        found.append(region)
    return found

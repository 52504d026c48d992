"""From a tag's cells to the outlines of its black parts."""

from __future__ import annotations

from collections.abc import Sequence

Corner = tuple[int, int]
"""Column and row of a point of the grid."""


def outlines(cells: Sequence[Sequence[bool]]) -> list[list[Corner]]:
    """Closed outlines of all black parts and of their holes, corners only, black always on the right hand.

    Filled together they give exactly the cells: unlike single squares, which leave hairlines between them or are
    widened one by one by programs that draw them.
    """
    black = {(x, y) for y, row in enumerate(cells) for x, cell in enumerate(row) if cell}
    ahead: dict[Corner, list[Corner]] = {}
    for x, y in sorted(black):
        square = ((x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1))
        beside = ((x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y))
        for index, neighbour in enumerate(beside):
            if neighbour not in black:
                ahead.setdefault(square[index], []).append(square[(index + 1) % 4])
    found = []
    while ahead:
        start = min(ahead)
        loop, here = [start], start
        while True:
            following = ahead[here]
            step = following.pop()
            if not following:
                del ahead[here]
            here = step
            if here == start:
                break
            loop.append(here)
        found.append(_corners(loop))
    return found


def _corners(loop: list[Corner]) -> list[Corner]:
    """Without the points along straight edges."""
    count = len(loop)
    return [
        point
        for i, point in enumerate(loop)
        if not (
            loop[i - 1][0] == point[0] == loop[(i + 1) % count][0]
            or loop[i - 1][1] == point[1] == loop[(i + 1) % count][1]
        )
    ]

"""`companion read`: what is to be read on pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from companion.core.box import Box
from companion.core.errors import CompanionError
from vision.still import read_still


def read_pictures(paths: Sequence[Path], boxes: Sequence[Box], large: bool = False) -> Iterator[tuple[str, str]]:
    """One pair for each picture: its JSON line, or (then the line is empty) what is wrong with the file.

    Args:
        paths: of the pictures.
        boxes: of the games whose pieces are known.
        large: also pictures of more than a hundred megapixels.
    """
    for path in paths:
        try:
            yield msgspec.json.encode(read_still(path, boxes, large=large)).decode(), ""
        except CompanionError as error:
            yield "", str(error)

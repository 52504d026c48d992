"""One picture from disk, read as thoroughly as it can be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from companion.core.box import Box, Piece
from companion.core.errors import CompanionError
from companion.core.tags import ArucoTag, QrTag, Tag, check
from vision.cameras.frames import decode
from vision.fiducials import Corners, Fiducials
from vision.frame import Frame
from vision.geometry import Table
from vision.lens import Homography
from vision.reading import Reader, oriented, unseen

ENLARGE_BELOW_PX = 6000
"""A wider picture is large enough to be read as it is."""
TABLE_LOOKS = 8
"""Looks after which a table whose corner markers fit badly is taken all the same."""


class PictureError(CompanionError, OSError):
    """A file that is missing, can't be read, or is no picture."""


def read_still(
    path: Path, boxes: Sequence[Box], *, corner_mm: float = 50.0, reader: Reader | None = None
) -> dict[str, Any]:
    """All tags in a picture, as plain values for JSON.

    Args:
        path: PNG, JPEG or another format that OpenCV reads.
        boxes: games whose pieces may lie there.
        corner_mm: side of the table's corner markers.
        reader: of QR codes; by default zxing with zbar as second opinion.

    Returns:
        `file`; `size_px`; `table`: whether the table's four corners were seen; `tags`: QR codes with `payload`,
        `piece` and `game` (or None), `check` (`ok`, `damaged` or `foreign`), `decoder`, `corners_px`, `centre_px`,
        `centre_mm` (None without a table) and `angle_deg` (clockwise, in the picture); `fiducials`: markers with
        `id`, `piece`, `game`, `corners_px`, `centre_px`, `centre_mm` and `angle_deg`. Both from top to bottom.

    Raises:
        PictureError: no such file, or not a picture.
    """
    frame = Frame.of(load(path), 0.0)
    markers = Fiducials().find_all(frame.grey)
    table = Table(corner_mm)
    for _ in range(TABLE_LOOKS):
        table.refresh(dict(reversed(markers)), frame.size)
    homography = table.homography
    enlarge = 2 if frame.size[0] < ENLARGE_BELOW_PX else 1
    reader = reader or Reader.standard()
    # Enlarging helps small codes and hurts very large ones, so both are tried.
    readings = reader.read(frame.grey, enlarge, thorough=True)
    if enlarge > 1:
        readings += unseen(reader.read(frame.grey, 1, thorough=True), readings)
    readings += reader.exhaust(frame.grey, readings)
    tags = []
    for reading in readings:
        tag = QrTag(reading.text)
        place = _place(oriented(reading, frame.grey).corners_px, homography)
        state = {"payload": reading.text, "check": check(reading.text) or "ok", "decoder": reading.decoder}
        tags.append({**state, **_owner(tag, boxes), **place})
    fiducials = [
        {"id": number, **_owner(ArucoTag(number), boxes), **_place(corners, homography)} for number, corners in markers
    ]
    return {
        "file": str(path),
        "size_px": list(frame.size),
        "table": homography is not None,
        "tags": sorted(tags, key=_from_top),
        "fiducials": sorted(fiducials, key=_from_top),
    }


def load(path: Path) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The BGR picture (H, W, 3) uint8 in a file.

    Raises:
        PictureError: no such file, or not a picture.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise PictureError(f"{path}: can't be read ({error.strerror}); give the path of a PNG or JPEG file") from error
    picture = decode(data)
    if picture is None:
        raise PictureError(f"{path}: not a picture ({len(data)} bytes); give a PNG or JPEG file")
    return picture  # type: ignore[no-any-return]


def _owner(tag: Tag, boxes: Sequence[Box]) -> dict[str, str | None]:
    owners: list[tuple[Box, Piece]] = [(box, piece) for box in boxes if (piece := box.piece_of(tag)) is not None]
    box, piece = owners[0] if owners else (None, None)
    return {"piece": piece.id if piece else None, "game": box.code if box else None}


def _place(corners_px: Corners, table: Homography | None) -> dict[str, Any]:
    centre = corners_px.mean(axis=0)
    along = corners_px[1] - corners_px[0] + corners_px[2] - corners_px[3]
    return {
        "corners_px": np.round(corners_px, 1).tolist(),
        "centre_px": np.round(centre, 1).tolist(),
        "centre_mm": np.round(table.to_mm(centre)[0], 1).tolist() if table else None,
        "angle_deg": round(float(np.degrees(np.arctan2(along[1], along[0]))), 1),
    }


def _from_top(entry: dict[str, Any]) -> tuple[float, float]:
    x, y = entry["centre_px"]
    return y, x

"""The camera's picture with all that was understood drawn in, as a file that is kept up to date."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw

from companion.app.calibrate.sighting import Looker
from companion.core.errors import CompanionError
from companion.core.tags import CORNER_IDS, ArucoTag
from companion.face.fonts import Fonts
from companion.face.wrapping import wrap
from companion.rights import mend
from vision.frame import Frame, Picture
from vision.lens import Points
from vision.overlay import CORNER, SEEN, STRANGE, ZONE, Brush
from vision.zones import ZoneMap

GRID_MM = 100
SUFFIXES = (".jpg", ".png")
GRID = (150, 150, 150)
SUPPOSED = (190, 170, 120)
"""Colour of zones whose anchor isn't on the table: they are where the game would have them."""
_MARGIN_PX = 6
_QUALITY = 85


class PictureError(CompanionError, OSError):
    """A picture that can't be written."""


def marked(frame: Frame, looker: Looker, lines: Sequence[str], fonts: Fonts) -> Picture:
    """A copy of a frame with a grid, the table's outline, its corners, zones, tags, and words at the top.

    The grid is one of 10 cm. Zones are blue, paler where their anchor isn't seen; corner marks and outline purple,
    pieces green with their names, strange tags red.

    Args:
        frame: the newest one that the looker looked at.
        looker: knows what was seen.
        lines: of the words.
        fonts: for these.

    Returns:
        BGR (H, W, 3), uint8.
    """
    grey = frame.main.ndim == 2
    picture: Picture = np.asarray(cv2.cvtColor(frame.main, cv2.COLOR_GRAY2BGR) if grey else frame.main.copy(), np.uint8)
    brush = Brush(picture, max(1, round(frame.size[0] / 1200)))
    sight = looker.sight
    if sight and sight.table and sight.outline_px is not None and sight.table_mm:
        _draw_grid(picture, sight.table.to_px, sight.table_mm)
        wanted, unseen = looker.wanted, set(looker.unseen)
        anchors = {zone.id: zone.anchor for zone in looker.places.zones}
        for zone, polygon in ZoneMap(wanted.box, wanted.zones, {}).placed:
            brush.zone(sight.table.to_px(polygon), zone.id, SUPPOSED if anchors[zone.id] in unseen else ZONE)
        brush.polygon(sight.outline_px, CORNER)
    for one in looker.found:
        piece = looker.places.game.box.piece_of(one.tag)
        if isinstance(one.tag, ArucoTag) and one.tag.number in CORNER_IDS:
            continue
        label = piece.id if piece and not piece.fixed else "" if piece or isinstance(one.tag, ArucoTag) else "?"
        brush.tag(one.corners_px, label, SEEN if piece else STRANGE)
    for quarter in sight.quarters if sight else ():
        if quarter.marker_px is not None:
            brush.tag(quarter.marker_px, quarter.name, CORNER)
    brush.write()
    _write_words(picture, lines, fonts)
    return picture


def write(path: Path, picture: Picture) -> None:
    """Writes a picture so that whoever looks at the file sees the old or the new one, never half of one.

    Raises:
        PictureError: it can't be written there.
    """
    options = [cv2.IMWRITE_JPEG_QUALITY, _QUALITY] if path.suffix.lower() == ".jpg" else []
    done, data = cv2.imencode(path.suffix.lower(), picture, options)
    fresh = path.with_name(f".{path.name}.new")
    try:
        # Not flushed to the disk, as what must survive a cut is: it comes anew each second, and a card wears out.
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.unlink(missing_ok=True)  # a pipe of this name would be waited for
        fresh.write_bytes(data.tobytes() if done else b"")
        fresh.replace(path)
    except OSError as error:
        remedy = mend(path, error, "name another file")
        raise PictureError(f"picture {path}: can't be written ({error.strerror}); {remedy}") from error


def checked(path: Path) -> Path:
    """The path, if it names a picture.

    Raises:
        PictureError: it has another suffix than `SUFFIXES`.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise PictureError(f"picture {path}: name a {' or '.join(SUFFIXES)} file")
    return path


def _draw_grid(picture: Picture, to_px: Callable[[Points], Points], size_mm: tuple[float, float]) -> None:
    """Lines on the table, mixed into the picture so that what lies below is still seen."""
    layer = picture.copy()
    width, height = size_mm
    for axis, (length, other) in enumerate(((width, height), (height, width))):
        for at in np.arange(GRID_MM, length, GRID_MM):
            line = np.array([(at, along) if axis == 0 else (along, at) for along in np.linspace(0, other, 9)])
            cv2.polylines(layer, [np.round(to_px(line)).astype(np.int32)], False, GRID, 1, cv2.LINE_AA)
    cv2.addWeighted(layer, 0.5, picture, 0.5, 0, dst=picture)


def _write_words(picture: Picture, lines: Sequence[str], fonts: Fonts) -> None:
    """Words at the top, between the corners, light on dark: the display's letters, since OpenCV's know no accents."""
    times = max(1, round(picture.shape[1] / 1600))
    room = picture.shape[1] * 2 // 3 // times - 2 * _MARGIN_PX
    broken = [part for line in lines for part in wrap(line, fonts.huge, room)]
    width = max((fonts.huge.width_px(line) for line in broken), default=0) + 2 * _MARGIN_PX
    image = Image.new("L", (width, fonts.huge.height_px * len(broken) + 2 * _MARGIN_PX))
    canvas = ImageDraw.Draw(image)
    for number, line in enumerate(broken):
        fonts.huge.draw(canvas, (_MARGIN_PX, _MARGIN_PX + number * fonts.huge.height_px), line, 255)
    letters = np.kron(np.asarray(image), np.ones((times, times), np.uint8))
    left = max(0, (picture.shape[1] - letters.shape[1]) // 2)
    part = picture[: letters.shape[0], left : left + letters.shape[1]]
    part //= 4
    part[letters[: part.shape[0], : part.shape[1]] > 0] = 255

"""Pictures from disk, decoded once their header has told that they are no larger than can be borne."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any, BinaryIO

import cv2
import numpy as np

from companion import files
from companion.core.errors import CompanionError
from vision.frame import Picture

MOST_PX = 100_000_000
"""A larger picture takes minutes to read, and more memory than a Raspberry Pi has."""
MOST_BYTES = 512 * 2**20
FORMATS = ("BMP", "GIF", "JPEG", "JPEG2000", "PNG", "PPM", "TIFF", "WEBP")
"""Those whose headers are understood; nothing else is decoded."""


class PictureError(CompanionError, OSError):
    """A file that is missing, can't be read, is no picture, or a picture that is too large."""


def load(path: Path, large: bool = False) -> Picture:
    """The picture (H, W, 3) in a file, BGR, of an animation the first one.

    Args:
        path: PNG, JPEG or another of `FORMATS`.
        large: also one of more than `MOST_PX`, as far as OpenCV goes.

    Raises:
        PictureError: no such file, not a picture, a damaged one, or one that is too large.
    """
    try:
        with files.opened(path) as file:
            if _too_large(path, file) and not large:
                most = f"{MOST_PX // 10**6} megapixels"
                raise PictureError(
                    f"{path}: has more than {most}; shrink it; companion read --large takes it all the same"
                )
        data = files.read(path, MOST_BYTES)
    except files.FileError as error:
        raise PictureError(str(error)) from error
    try:
        picture: Any = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        picture = None
    if picture is None:
        raise PictureError(f"{path}: a damaged picture ({len(data):,} bytes), or too large a one; save it anew")
    return np.asarray(picture, np.uint8)


def _too_large(path: Path, file: BinaryIO) -> bool:
    """Whether a picture has more pixels than are decoded without being asked, by its header alone."""
    from PIL import Image

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            with Image.open(file, formats=FORMATS) as image:
                return image.width * image.height > MOST_PX
    except Image.DecompressionBombError:  # of nearly twice as many pixels
        return True
    except Exception as error:  # parsers of many hands, which raise whatever a damaged header makes of them
        size = path.stat().st_size
        raise PictureError(f"{path}: not a picture ({size:,} bytes); give a PNG or JPEG file") from error

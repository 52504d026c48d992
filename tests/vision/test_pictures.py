"""Pictures from disk, whatever they are: in bounded time they are decoded, or refused in words."""

from __future__ import annotations

import os
import socket
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.fuzz.mutations import no_hang
from vision.pictures import PictureError, load
from vision.still import read_still

PICTURE = np.random.default_rng(1).integers(0, 256, (30, 40, 3)).astype(np.uint8)
GOOD = Image.fromarray(PICTURE)


def _header(width: int, height: int) -> bytes:
    """All of a PNG but its pixels."""
    chunk = b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    data = b"IDAT" + zlib.compress(bytes(1000))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(one) - 4) + one + struct.pack(">I", zlib.crc32(one)) for one in (chunk, data, b"IEND")
    )


def _deep(path: Path) -> None:
    grey = (PICTURE[..., 0].astype(np.uint16) * 257).astype("<u2")
    Image.frombytes("I;16", (40, 30), grey.tobytes()).save(path)


SORTS: dict[str, Callable[[Path], None]] = {
    "true.png": GOOD.save,
    "grey.png": lambda path: GOOD.convert("L").save(path),
    "see-through.png": lambda path: GOOD.convert("RGBA").save(path),
    "palette.png": lambda path: GOOD.convert("P").save(path),
    "black and white.png": lambda path: GOOD.convert("1").save(path),
    "sixteen bits.png": _deep,
    "photo.jpg": GOOD.save,
    "ink.jpg": lambda path: GOOD.convert("CMYK").save(path),
    "ink.tif": lambda path: GOOD.convert("CMYK").save(path),
    "moving.png": lambda path: GOOD.save(path, save_all=True, append_images=[GOOD.convert("L").convert("RGB")]),
    "moving.webp": lambda path: GOOD.save(path, save_all=True, append_images=[GOOD.transpose(0)]),
}


@pytest.mark.parametrize("name", SORTS)
def test_every_sort_of_picture_becomes_one_in_three_colours_of_eight_bits(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    SORTS[name](path)
    picture = load(path)
    assert (picture.shape, picture.dtype) == ((30, 40, 3), np.uint8)
    assert 90 < picture.mean() < 160


@pytest.mark.parametrize("size", [(1, 1), (1, 40), (40, 1), (3, 2)])
def test_in_the_smallest_pictures_nothing_is_read(tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "tiny.png"
    GOOD.crop((0, 0, *size)).save(path)
    found = read_still(path, [])
    assert (found["size_px"], found["table"], found["tags"], found["fiducials"]) == (list(size), False, [], [])


def _cut(suffix: str, path: Path) -> None:
    whole = path.with_suffix(suffix)
    GOOD.save(whole)
    path.write_bytes(whole.read_bytes()[: whole.stat().st_size // 2])


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


WRONG: dict[str, tuple[Callable[[Path], object], str]] = {
    "nothing": (lambda path: None, "can't be read (No such file or directory); name a file that can"),
    "empty": (Path.touch, "not a picture (0 bytes); give a PNG or JPEG file"),
    "text": (lambda path: path.write_text("hello"), "not a picture (5 bytes); give a PNG or JPEG file"),
    "head": (lambda path: path.write_bytes(_header(9, 9)[:20]), "not a picture (20 bytes); give a PNG or JPEG file"),
    "cut png": (lambda path: _cut(".png", path), "a damaged picture"),
    "folder": (Path.mkdir, "is a folder; name a file"),
    "pipe": (os.mkfifo, "is a pipe; name a file"),
    "socket": (_socket, "is a socket; name a file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "is a device; name a file"),
    "101 megapixels": (
        lambda path: path.write_bytes(_header(10_100, 10_000)),
        "has more than 100 megapixels; shrink it",
    ),
    "400 megapixels": (
        lambda path: path.write_bytes(_header(20_000, 20_000)),
        "has more than 100 megapixels; shrink it",
    ),
    "10^18 pixels": (lambda path: path.write_bytes(_header(2**30, 2**30)), "has more than 100 megapixels; shrink it"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_picture_or_too_large_is_refused_at_once(tmp_path: Path, name: str) -> None:
    make, words = WRONG[name]
    path = tmp_path / "a"
    make(path)
    with no_hang(), pytest.raises(PictureError) as refused:
        load(path)
    assert str(refused.value).startswith(f"{path}: {words}")


def test_a_large_picture_is_decoded_if_that_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "large.png"
    Image.new("1", (11_000, 10_000)).save(path)
    with pytest.raises(PictureError, match="has more than 100 megapixels; shrink it; companion read --large takes it"):
        load(path)
    assert load(path, large=True).shape == (10_000, 11_000, 3)

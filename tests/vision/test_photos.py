"""Real photographs, where they lie beside the project."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from vision.frame import Frame
from vision.pictures import PictureError, load
from vision.reading import Reader
from vision.still import read_still

SUFFIXES = {".png", ".jpg", ".jpeg"}
COMPARED = 18


@pytest.fixture
def photos(shared: Path) -> Path:
    folder = shared / "photos"
    if not folder.is_dir():
        pytest.skip("the photographs are not beside the project")
    return folder


def texts_of(path: Path, reader: Reader) -> set[str]:
    return {letters_of(tag["payload"]) for tag in read_still(path, [], reader=reader)["tags"]}


def truth_of(path: Path) -> str:
    return letters_of(path.with_suffix(".txt").read_text("utf-8", errors="replace"))


def letters_of(text: str) -> str:
    """The first letters and digits: of a stranger's long text no more is passed on, and signs stand for line ends."""
    return "".join(letter for letter in text if letter.isalnum())[:COMPARED]


def test_most_codes_of_the_decoders_own_test_pictures_are_read(photos: Path) -> None:
    reader = Reader.standard()
    right = total = 0
    for path in sorted((photos / "zxing").rglob("*")):
        if path.suffix in SUFFIXES and path.with_suffix(".txt").exists():
            total += 1
            right += truth_of(path) in texts_of(path, reader)
    assert total > 40
    assert right >= 0.9 * total


def test_nothing_is_read_where_nothing_is(photos: Path) -> None:
    folder = next((photos / "zxing-cpp").rglob("falsepositives-1"), None)
    if folder is None:
        pytest.skip("no pictures without codes there")
    reader = Reader.standard()
    read = {path.name: texts_of(path, reader) for path in sorted(folder.iterdir()) if path.suffix in SUFFIXES}
    assert {name: texts for name, texts in read.items() if texts} == {}


@pytest.mark.soak
def test_no_photograph_breaks_the_reader(photos: Path) -> None:
    reader = Reader.standard()
    files = [path for path in sorted(photos.rglob("*")) if path.suffix.lower() in SUFFIXES]
    for path in files:
        with suppress(PictureError):
            reader.read(Frame.of(load(path), 0.0).grey, 2, thorough=True)
    assert len(files) > 250
    assert sum(reader.counts.values()) > 0.5 * len(files)

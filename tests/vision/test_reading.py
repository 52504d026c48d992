from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
import pytest
import segno
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.tags import QrTag, cells, encode
from vision.fiducials import Corners
from vision.frame import Picture
from vision.reading import Reader, Reading, Zbar, Zxing, oriented

TEXT = encode("PH", "RED3A")


def sticker(
    text: str = TEXT, angle_deg: float = 0.0, module_px: float = 3.0, blur_px: float = 0.5
) -> tuple[Picture, Corners]:
    """A grey picture of a code on a card, and its true corners."""
    black = np.array(cells(QrTag(text)))
    print_ = np.pad(np.where(black, 25, 230).astype(np.uint8), 3, constant_values=230)
    big = cv2.resize(print_, None, fx=16, fy=16, interpolation=cv2.INTER_NEAREST)
    size = 200
    turn = cv2.getRotationMatrix2D((0, 0), -angle_deg, module_px / 4)
    middle = (big.shape[1] - 1) / 2
    scale = np.array([[0.25, 0, -middle / 4], [0, 0.25, -middle / 4], [0, 0, 1]])
    matrix = turn @ scale
    matrix[:, 2] += size / 2
    # Drawn four times as large and shrunk, so that edges are smooth at any angle.
    grow = np.array([[4, 0, 1.5], [0, 4, 1.5]])
    large = cv2.warpAffine(big, grow[:, :2] @ matrix + [[0, 0, 1.5]] * 2, (4 * size, 4 * size), borderValue=120)
    picture = cv2.GaussianBlur(cv2.resize(large, (size, size), interpolation=cv2.INTER_AREA), (0, 0), blur_px)
    edge = np.array([(3, 3), (24, 3), (24, 24), (3, 24)]) * 16 - 0.5
    return picture, edge @ matrix[:, :2].T + matrix[:, 2]  # type: ignore[return-value]


class Says:
    """A decoder that says what it is told, or raises it."""

    def __init__(self, name: str, *answers: str | Exception) -> None:
        self.name = name
        self._answers = list(answers)

    def decode(self, grey: Picture) -> list[Reading]:
        answer = self._answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        square = np.array([(10, 10), (30, 10), (30, 30), (10, 30)], np.float64)
        texts: Iterable[str] = answer.split()
        return [Reading(text, square + 100 * int(text[-1]), self.name) for text in texts]


GREY = np.zeros((50, 50), np.uint8)


@settings(max_examples=25, deadline=None)
@given(angle=st.floats(-180, 180), module=st.floats(2.2, 4.5))
def test_a_code_is_read_at_any_angle_with_its_own_top_left_first(angle: float, module: float) -> None:
    picture, corners = sticker(angle_deg=angle, module_px=module)
    (reading,) = Reader(Zxing()).read(picture)
    assert (reading.text, reading.decoder, reading.oriented) == (TEXT, "zxing", True)
    # There is no finder pattern at the bottom right: that corner is known to a module only.
    assert np.abs(reading.corners_px - corners)[[0, 1, 3]].max() < 1.5
    assert np.abs(reading.corners_px - corners).max() < 1.2 * module


@pytest.mark.parametrize("angle", [0, 45, 120, 200, 290])
def test_zbar_knows_no_top_left_corner_but_the_cells_do(angle: float) -> None:
    picture, corners = sticker(angle_deg=angle, module_px=4)
    try:
        zbar = Zbar()
    except ImportError:
        pytest.skip("this system has no zbar")
    (reading,) = Reader(zbar).read(picture)
    assert (reading.text, reading.oriented) == (TEXT, False)
    for turns in range(4):
        turned = Reading(reading.text, np.roll(reading.corners_px, turns, axis=0), "zbar", oriented=False)
        assert np.abs(oriented(turned, picture).corners_px - corners).max() < 3


def test_codes_of_two_pixels_a_module_are_read_on_an_enlargement_only() -> None:
    picture, _ = sticker(module_px=1.8, angle_deg=17, blur_px=0.6)
    assert [r.text for r in Reader(Zxing()).read(picture, enlarge=2)] == [TEXT]


def test_a_second_opinion_is_asked_in_thorough_reads_and_adds_what_was_missed() -> None:
    reader = Reader(Says("first", "A1", "A1"), [Says("second", "A1 B2")])
    assert [r.text for r in reader.read(GREY)] == ["A1"]
    found = reader.read(GREY, thorough=True)
    assert [(r.text, r.decoder) for r in found] == [("A1", "first"), ("B2", "second")]
    assert dict(reader.counts) == {"first": 2, "second": 1}


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("BEGIN:VCARD\r\nN:Doe\r\nEND:VCARD", "BEGIN:VCARD??N:Doe??END:VCARD"),
        ("a\u2029b\u202ec\x85", "a?b?c?"),
        ("x" * 2900, "x" * 40 + "... +2860"),
        ("Z" + "\u0301" * 300, "Z" + "\u0301" * 3 + "... +261"),
    ],
)
def test_the_text_of_any_code_is_cleaned_as_it_is_read(text: str, read: str) -> None:
    code = np.array(segno.make(text, micro=False, error="l").matrix, bool)
    picture = np.kron(
        np.pad(np.where(code, 0, 255).astype(np.uint8), 4, constant_values=255), np.ones((4, 4), np.uint8)
    )
    assert {reading.text for reading in Reader(Zxing(thorough=True)).read(picture, enlarge=1)} == {read}


def test_what_decoders_raise_is_counted_and_reading_goes_on() -> None:
    broken = Says("zbar", ValueError("17 is not a valid ZBarOrientation"), ZeroDivisionError())
    reader = Reader(Says("zxing", "A1", RuntimeError("bad")), [broken])
    assert [r.text for r in reader.read(GREY, thorough=True)] == ["A1"]
    assert reader.read(GREY, thorough=True) == []
    assert dict(reader.errors) == {"zbar ValueError": 1, "zxing RuntimeError": 1, "zbar ZeroDivisionError": 1}


def test_without_libzbar_reading_goes_on_with_zxing_and_says_so() -> None:
    def missing() -> Any:
        raise ImportError("Unable to find zbar shared library")

    reader = Reader.standard(missing)
    assert reader.degradations == (
        "no second opinion on tags: zbar can't be loaded (Unable to find zbar shared library); install libzbar0",
    )
    assert [r.text for r in reader.read(sticker()[0], thorough=True)] == [TEXT]


def test_an_empty_picture_holds_no_codes() -> None:
    reader = Reader.standard()
    assert reader.read(np.zeros((0, 10), np.uint8), thorough=True) == []
    assert dict(reader.errors) == {}

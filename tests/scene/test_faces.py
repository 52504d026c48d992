"""Pictures on tiles, their backs, and sheets that are printed."""

from __future__ import annotations

from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
import zxingcpp
from scene_samples import find_markers, small_box

from companion.core.art import Layer
from companion.core.box import Box, Face, Piece
from companion.core.messages import say, verbatim
from companion.core.printing import Disc, Drawn, Frame, Label, Line, Shape, TagMark
from companion.core.tags import ArucoTag, QrTag, encode
from vision.scene import Optics, Prop, Renderer, Scene
from vision.scene.printed import Print
from vision.scene.sprites import sprite
from vision.scene.truth import truth

SCALE = 4
RED, BLUE, PAPER = "#c8403a", "#3b6fb5", "#f5f3ec"
SQUARE = (Layer("M0 0 H100 V100 H0 Z", fill=BLUE, line=0.0),)


def tile(number: int = 1, **face: Any) -> Piece:
    tag = QrTag(encode("TT", f"T{number}"))
    looks = Face(RED, **{"picture": SQUARE, **face})
    return Piece(f"tile-{number}", "", "tile", verbatim("t"), tag, 21.0, (70.0, 70.0), (19.0, 19.0), looks)


def mark(number: int = 30, at_mm: tuple[float, float] = (0.0, 0.0)) -> Piece:
    return Piece(f"mark-{number}", "", "cell", verbatim("m"), ArucoTag(number), 24.0, (70.0, 70.0), at_mm, fixed=True)


def bgr(colour: str) -> list[int]:
    return [int(colour[i : i + 2], 16) for i in (5, 3, 1)]


def at(piece: Piece, x_mm: float, y_mm: float, face_up: bool = True) -> Any:
    """Colour of a piece's sprite so far from its upper left corner, BGR."""
    picture = sprite(piece, face_up, SCALE).bgra
    return picture[round(y_mm * SCALE) + 1, round(x_mm * SCALE) + 1, :3].astype(int)


def printed(*shapes: Shape, size_mm: tuple[float, float] = (40.0, 20.0)) -> Any:
    picture = np.full((round(size_mm[1] * SCALE), round(size_mm[0] * SCALE), 3), 255, np.uint8)
    Print(picture, size_mm, SCALE).shapes(shapes)
    return picture.astype(int)


def test_a_picture_lies_on_white_in_a_frame_of_the_colour_in_the_corner_opposite_the_tag() -> None:
    piece = tile()
    for x, y in ((2, 35), (68, 35), (35, 2), (35, 68)):
        assert np.abs(at(piece, x, y) - bgr(RED)).max() < 20, (x, y)
    for x, y in ((5, 35), (20, 50), (50, 20), (35, 5)):
        assert np.abs(at(piece, x, y) - bgr(PAPER)).max() < 8, (x, y)
    for x, y in ((7, 7), (40, 7), (7, 40), (40, 40), (23, 23)):
        assert np.abs(at(piece, x, y) - bgr(BLUE)).max() < 4, (x, y)
    elsewhere = msgspec.structs.replace(piece, tag_at_mm=(-19.0, -19.0))
    assert np.abs(at(elsewhere, 60, 60) - bgr(BLUE)).max() < 4


def test_the_tag_of_a_pictured_tile_is_read() -> None:
    scene = Scene(Box("TT", [tile()]))
    scene.put("tile-1", (500, 300), 33)
    picture = Renderer(scene, Optics(noise=0.0), np.random.default_rng()).picture()
    found = zxingcpp.read_barcodes(cv2.resize(picture, None, fx=2, fy=2), formats=zxingcpp.BarcodeFormat.QRCode)
    assert [code.text for code in found] == [tile().tag.payload]  # type: ignore[union-attr]


def test_backs_have_the_colour_of_their_set_and_tell_nothing_of_the_face() -> None:
    one, other = (sprite(tile(n, picture=p, back="#345640"), False, SCALE) for n, p in ((1, SQUARE), (2, ())))
    assert (one.bgra == other.bgra).all()
    plain, named = (sprite(tile(back=back), False, SCALE).bgra for back in ("", "#2f4a63"))
    assert (plain == named).all()
    assert (plain != one.bgra).any()


def test_of_a_piece_on_a_sheet_only_the_tag_with_its_quiet_zone_is_there() -> None:
    picture = sprite(mark(at_mm=(10.0, 0.0)), True, SCALE)
    rows, columns = np.nonzero(picture.bgra[..., 3] > 127)
    side = 24 * 9 / 7 * SCALE
    assert (np.ptp(rows) + 1, np.ptp(columns) + 1) == (pytest.approx(side, abs=1), pytest.approx(side, abs=1))
    assert columns.mean() - rows.mean() == pytest.approx(10 * SCALE, abs=0.5)
    assert picture.height_mm == 0
    scene = Scene(Box("TT", [*small_box().pieces.values(), mark()]))
    lens = Optics(noise=0.0).lens(scene.size_mm)
    scene.put("card-1", (500, 300))
    scene.put("mark-30", (500, 300))
    assert truth(scene, lens)["card-1"].covered == pytest.approx(0, abs=0.15)
    scene.put("mark-30", (500, 271))
    assert truth(scene, lens)["card-1"].covered == 1


def test_frames_discs_lines_and_drawings_are_where_they_are_said_to_be() -> None:
    drawing = (Layer("M0 0 L100 0 L100 100 Z", fill=BLUE, line=0.0), Layer("M0 100 L100 100", line=20.0))
    picture = printed(
        Frame((2, 2), (10, 6), 0.5, RED, BLUE),
        Disc((20, 5), 3, 0.0, RED),
        Line((2, 15), (12, 15), 1.0, BLUE),
        Drawn(drawing, (26, 4), 10),
    )
    red, blue, ink, white = bgr(RED), bgr(BLUE), bgr("#2a2420"), [255, 255, 255]
    expected = {
        (5, 5): red, (5, 2): blue, (12, 5): blue, (1, 5): white, (13, 5): white,
        (20, 5): red, (22.5, 5): red, (20, 9): white, (22.6, 7.6): white,
        (7, 15): blue, (7, 16): white, (14, 15): white,
        (34, 6): blue, (28, 12): white, (30, 14): ink,
    }  # fmt: skip
    for (x, y), colour in expected.items():
        assert picture[round(y * SCALE), round(x * SCALE)].tolist() == colour, (x, y)


def test_edges_between_pixels_are_shared_by_them() -> None:
    picture = printed(Frame((1.1, 1.0), (10.0, 6.0), 0.0, "#000000"))
    # The frame begins 4.4 px from the left: of the fifth pixel it covers six tenths, to a quarter.
    assert picture[12, 3:6, 0].tolist() == [255, pytest.approx(255 * 0.4, abs=255 / 4), 0]


def test_a_dashed_line_has_gaps() -> None:
    row = printed(Line((0, 10), (40, 10), 0.5, "#000000", dashed=True))[40, :, 0]
    assert np.count_nonzero(np.diff((row < 128).astype(int)) == -1) == pytest.approx(40 / 2.1, abs=1)


@pytest.mark.parametrize("line", [0.0, 0.5])
def test_what_is_larger_than_a_part_is_drawn_without_a_seam(line: float) -> None:
    picture = printed(Frame((0, 0), (400, 200), line, RED, RED, corner=20), size_mm=(400.0, 200.0))
    assert (picture[100:700, 100:1500] == bgr(RED)).all()


def test_labels_are_printed_in_their_room_and_only_where_they_need_no_language() -> None:
    inked = printed(Label(verbatim("Ä12"), (10, 5), (20, 10), 30.0)).min(axis=-1) < 128
    rows, columns = np.nonzero(inked)
    assert 10 * SCALE <= columns.min() < columns.max() < 30 * SCALE
    assert 5 * SCALE <= rows.min() < rows.max() < 15 * SCALE
    assert (columns.mean(), rows.mean()) == (pytest.approx(20 * SCALE, abs=5), pytest.approx(10 * SCALE, abs=5))
    _, columns = np.nonzero(printed(Label(verbatim("il"), (10, 5), (20, 10), centred=False)).min(axis=-1) < 128)
    assert 10 * SCALE <= columns.min() < columns.max() < 12 * SCALE
    left_out = (Label(say("print.start"), (10, 5), (20, 10)), Label(verbatim(""), (10, 5), (20, 10)))
    assert (printed(*left_out, TagMark(ArucoTag(30), (20, 10), 10.0)) == 255).all()


def test_a_long_label_is_broken_into_lines_that_fill_its_room() -> None:
    prose = Label(verbatim("lay each card so far over the one before that its sticker shows"), (10, 5), (40, 20), 12.0)
    rows, columns = np.nonzero(printed(prose, size_mm=(60.0, 30.0)).min(axis=-1) < 128)
    assert 5 * SCALE <= rows.min() < 9 * SCALE and 21 * SCALE < rows.max() <= 25 * SCALE
    assert 10 * SCALE <= columns.min() < 15 * SCALE and 45 * SCALE < columns.max() <= 50 * SCALE


def test_a_sheet_lies_below_the_pieces_and_its_marks_are_read_on_it() -> None:
    scene = Scene(Box("TT", [tile(), mark(30), mark(31)]))
    ground = Frame((0, 0), (200, 100), 0.0, BLUE)
    scene.put_prop("sheet", Prop("paper", (200.0, 100.0), PAPER, (ground,)), (500, 300), 20)
    scene.put("mark-30", (500, 300), 20)
    scene.put("mark-31", (570, 325), 20)
    scene.put("tile-1", (430, 275))
    optics = Optics(noise=0.0)
    picture = Renderer(scene, optics, np.random.default_rng()).picture()
    assert {30, 31} <= set(find_markers(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)))
    lens = optics.lens(scene.size_mm)

    def seen(x_mm: float, y_mm: float) -> Any:
        u, v = np.rint(lens.to_px([(x_mm, y_mm)])[0]).astype(int)
        return picture[v, u].astype(int)

    turn = np.radians(20)
    for x, y in ((0, 30), (90, 40), (-90, 45), (40, 0)):
        place = (500 + x * np.cos(turn) - y * np.sin(turn), 300 + x * np.sin(turn) + y * np.cos(turn))
        assert np.abs(seen(*place) - bgr(BLUE)).max() < 12, (x, y)
    assert np.abs(seen(430 - 35 + 10, 275 + 10) - bgr(PAPER)).max() < 12
    assert np.abs(seen(500, 300 + 110) - bgr(BLUE)).max() > 40


def test_a_sheet_is_drawn_once_also_if_it_is_put_anew() -> None:
    def sheet(text: str) -> Prop:
        return Prop("paper", (60.0, 40.0), PAPER, (Label(verbatim(text), (5, 5), (50, 30), 40.0),))

    assert sprite(sheet("A"), True, SCALE) is sprite(sheet("A"), True, SCALE)
    assert (sprite(sheet("A"), True, SCALE).bgra != sprite(sheet("B"), True, SCALE).bgra).any()

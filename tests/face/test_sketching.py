"""Drawings: how many there are, how large, and that they look as on the display."""

from __future__ import annotations

import pytest
from art_samples import HOUSE, SIX, STAR, TRACK, found
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from companion.core.art import Layer
from companion.core.panel import Art, Sketch
from companion.face.fonts import find_fonts
from companion.face.sketching import Drawing, arrange, draw, sketched

FONT = find_fonts([]).body
TITLE_AND_FOOTER_PX, TITLE_PX, NOTHING_PX = 37, 50, 64


def _arranged(art: Art, height_px: int, *said: str) -> Drawing:
    drawing, rest = arrange(art, said, FONT, 128, height_px)
    assert rest == ()
    return drawing


def _grid(drawing: Drawing) -> tuple[int, int, int]:
    """Columns, rows, and the height of the pictures."""
    cells = drawing.cells
    return len({cell.left_px for cell in cells}), len({cell.top_px for cell in cells}), cells[0].height_px


def _square(side: float = 100) -> Layer:
    return Layer(f"M0 0 L{side} 0 L{side} {side} L0 {side} Z")


@pytest.mark.parametrize(
    ("count", "height_px", "grid"),
    [
        (1, TITLE_AND_FOOTER_PX, (1, 1, 30)),
        (4, TITLE_AND_FOOTER_PX, (4, 1, 30)),
        (5, TITLE_AND_FOOTER_PX, (4, 1, 28)),
        (6, TITLE_PX, (4, 1, 28)),
        (1, NOTHING_PX, (1, 1, 57)),
        (2, NOTHING_PX, (2, 1, 57)),
        (3, NOTHING_PX, (3, 1, 41)),
        (4, NOTHING_PX, (4, 1, 30)),
        (5, NOTHING_PX, (3, 2, 27)),
        (6, NOTHING_PX, (3, 2, 27)),
    ],
)
def test_pictures_are_as_large_as_the_room_lets_them(count: int, height_px: int, grid: tuple[int, int, int]) -> None:
    assert _grid(_arranged(Art(found(0, count)), height_px)) == grid


def test_without_marks_no_room_is_kept_for_them() -> None:
    drawing = _arranged(Art((Sketch(HOUSE), Sketch(STAR))), TITLE_AND_FOOTER_PX)
    assert (_grid(drawing), drawing.mark_px) == ((2, 1, TITLE_AND_FOOTER_PX), 0)


@pytest.mark.parametrize(
    ("done", "shown", "before", "after"),
    [
        (0, slice(0, 4), False, True),
        (1, slice(0, 4), False, True),
        (2, slice(1, 5), True, True),
        (3, slice(2, 6), True, False),
        (5, slice(2, 6), True, False),
        (6, slice(2, 6), True, False),
    ],
)
def test_of_too_many_those_around_the_next_one_are_shown(done: int, shown: slice, before: bool, after: bool) -> None:
    drawing = _arranged(Art(found(done, 6)), TITLE_AND_FOOTER_PX)
    assert tuple(cell.sketch.picture for cell in drawing.cells) == SIX[shown]
    assert (drawing.before, drawing.after) == (before, after)


def test_a_wide_picture_reaches_from_edge_to_edge() -> None:
    low, high = (_arranged(Art((Sketch(TRACK, 300),)), height).cells[0] for height in (TITLE_AND_FOOTER_PX, NOTHING_PX))
    assert (low.width_px, low.height_px) == (128, 37)
    assert (high.width_px, high.height_px) == (128, 42)


def test_text_stands_beside_a_single_square_picture_and_goes_on_below() -> None:
    art = Art((Sketch(STAR),))
    drawing, rest = arrange(art, ["one", "two", "three", "four"], FONT, 128, TITLE_AND_FOOTER_PX)
    assert (drawing.beside, rest) == (("one", "two", "three"), ("four",))
    assert drawing.beside_px > drawing.cells[0].width_px
    assert all(drawing.beside_px + FONT.width_px(line) <= 128 for line in drawing.beside)


def test_text_that_has_no_room_beside_goes_below() -> None:
    for art in (Art(found(0, 2)), Art((Sketch(TRACK, 300),))):
        drawing, rest = arrange(art, ["one", "two"], FONT, 128, TITLE_AND_FOOTER_PX)
        assert (drawing.beside, rest) == ((), ("one", "two"))


@given(
    st.lists(st.tuples(st.sampled_from(["", "done", "next"]), st.sampled_from([60.0, 100.0, 250.0])), max_size=9),
    st.integers(1, 64),
)
def test_nothing_overlaps_or_leaves_the_room(kinds: list[tuple[str, float]], height_px: int) -> None:
    drawing = _arranged(Art(tuple(Sketch((_square(),), width, mark) for mark, width in kinds)), height_px)
    boxes = [(c.left_px, c.top_px, c.left_px + c.width_px, c.top_px + c.height_px) for c in drawing.cells]
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert 0 <= left < right <= 128
        assert 0 <= top < bottom
        assert bottom + drawing.mark_px <= max(height_px, 8)
        for other in boxes[number + 1 :]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top
    if len(boxes) < len(kinds):
        assert drawing.before or drawing.after


def test_filled_shapes_hide_what_is_below_them_and_ink_is_white() -> None:
    below = Layer("M0 50 L100 50")
    image = sketched(Sketch((below, Layer("M20 20 L80 20 L80 80 L20 80 Z", "#fff"))), 101, 101)
    assert [image.getpixel((x, 50)) for x in (10, 20, 50, 80, 90)] == [1, 1, 0, 1, 1]
    image = sketched(Sketch((Layer("M20 20 L80 20 L80 80 L20 80 Z", "#000", line=0, ink=True),)), 101, 101)
    assert [image.getpixel((x, 50)) for x in (10, 20, 50, 80, 90)] == [0, 1, 1, 1, 0]


def test_lines_hide_nothing() -> None:
    image = sketched(Sketch((Layer("M0 50 L100 50"), Layer("M20 20 L80 20 L80 80 L20 80 Z"))), 101, 101)
    assert [image.getpixel((x, 50)) for x in (20, 50, 80)] == [1, 1, 1]


def test_a_fill_without_an_outline_only_hides() -> None:
    image = sketched(Sketch((Layer("M0 50 L100 50"), Layer("M40 0 L60 0 L60 100 L40 100 Z", "#fff", line=0))), 101, 101)
    assert [image.getpixel((x, 50)) for x in (39, 40, 50, 60, 61)] == [1, 0, 0, 0, 1]


def test_the_next_one_has_an_arrow_and_those_that_are_done_a_tick() -> None:
    lit = []
    for mark in ("", "done", "next"):
        drawing = _arranged(Art((Sketch((), mark=mark), Sketch((), mark="x"))), TITLE_AND_FOOTER_PX)
        image = Image.new("1", (128, 64))
        draw(image, drawing, 0, FONT)
        lit.append(image.getbbox())
    cell = drawing.cells[0]
    band = (cell.top_px + cell.height_px, cell.top_px + cell.height_px + drawing.mark_px)
    assert lit[0] is None
    assert all(box and band[0] <= box[1] < box[3] <= band[1] for box in lit[1:])
    assert lit[1] != lit[2]


def test_small_rooms_still_show_something() -> None:
    drawing = _arranged(Art(found(2, 6)), 25)
    assert (_grid(drawing), drawing.before or drawing.after) == ((5, 1, 20), True)

"""What a game has printed beside its tags: sheets over several pages, cards with backs, pictures, and single parts."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.cli import main
from companion.core.art import Layer
from companion.core.box import Box
from companion.core.lettering import fitted
from companion.core.messages import LANGUAGES, verbatim
from companion.core.printing import LEGEND_MM, Disc, Drawn, Frame, Label, Line, Printable, Shape, TagMark
from companion.core.tags import CORNER_IDS, ArucoTag, QrTag, encode
from companion.kit import PAPERS, KitError, kit_pdf
from companion.kit.parting import sections
from companion.kit.words import KitWords
from tests.printed import WORDS, Game, pictures, piece, read_aruco, read_qr, texts
from tests.printed import say as say_plainly

PROSE = (
    "„Wohin so früh?“ – „Zur Großmutter …“ «¿Adónde vas?», ¡qué pregunta! L’àvia, la col·lecció i l’estel: "
    "‘never mind’ — “off you go”, sagte der Fuchs."
)
SHEET = "a sheet of cells"
CELLS = tuple(ArucoTag(20 + number) for number in range(16))
ANCHORS = (ArucoTag(4), ArucoTag(5))
PARTS = ["where", "corners", "anchors", "stickers", "sheets", "tiles", "cards"]


def say(message: object) -> str:
    words = {f"part.{part}": f"all the {part}" for part in ("sheets", "tiles", "cards")}
    return words.get(message.key) or say_plainly(message)  # type: ignore[attr-defined,arg-type]


def sheet(columns: int, rows: int, size: tuple[float, float], pitch: float = 80.0) -> Printable:
    """Cells with a marker in each, and an anchor in two corners."""
    shapes: list[Shape] = [Frame((0, 0), size, fill="#f4efe4")]
    left, top = (size[0] - columns * pitch) / 2, (size[1] - rows * pitch) / 2
    for index, tag in enumerate(CELLS):
        row, column = divmod(index, columns)
        x, y = left + column * pitch, top + row * pitch
        shapes.append(Frame((x + 4, y + 4), (pitch - 8, pitch - 8), fill="#ffffff", corner=3))
        shapes.append(Label(verbatim(f"cell {index}"), (x + 6, y + 6), (14, 8), bold=True, centred=False))
        shapes.append(TagMark(tag, (x + pitch / 2, y + pitch / 2), 24.0))
    shapes += [TagMark(ANCHORS[0], (20, 20), 24.0), TagMark(ANCHORS[1], (size[0] - 20, size[1] - 20), 24.0)]
    return Printable("sheets", size, tuple(shapes), title=verbatim(SHEET))


def tile(number: int) -> Printable:
    sun = (Layer("M10 50 A40 40 0 1 1 90 50 A40 40 0 1 1 10 50 Z", fill="#d9a520", ink=True), Layer("M30 70 L70 70"))
    tag = TagMark(QrTag(encode("TT", f"T{number}")), (54, 54), 21.0)
    ground = Frame((0, 0), (70, 70), 0, "#3b6fb5")
    return Printable("tiles", (70, 70), (ground, Drawn(sun, (5, 5), 38), tag))


def card(number: int) -> Printable:
    front = (Label(verbatim(f"front {number}. {PROSE}"), (6, 6), (76, 80), 12, centred=False),)
    back = (
        Disc((44, 60), 20, fill="#4d9a4a"),
        Line((4, 4), (84, 4)),
        Label(verbatim(f"back {number}"), (4, 90), (80, 20)),
    )
    return Printable("cards", (88, 125), front, back)


def game(*printed: Printable) -> Game:
    cells = [piece(f"cell-{t.number}", "cell", t, 24.0, (70.0, 70.0), fixed=True) for t in CELLS]
    anchors = [piece(f"mat-{t.number}", "anchor", t, 24.0, (40.0, 40.0)) for t in (*ANCHORS, ArucoTag(6))]
    tiles = [piece(f"tile-{n}", "tile", QrTag(encode("TT", f"T{n}")), 21.0, (70.0, 70.0)) for n in range(7)]
    return Game(Box("TT", [*cells, *anchors, *tiles]), printed=printed)


@cache
def document(paper: str = "A4", language: str = "en", parts: tuple[str, ...] | None = None) -> bytes:
    printed = (sheet(4, 4, (390.0, 390.0)), *map(tile, range(7)), *map(card, range(3)))
    return kit_pdf(game(*printed), say, language, paper, parts=parts)


def coloured(pdf: bytes, number: int, dpi: int = 150) -> np.ndarray:
    """A page as an array of shape (height, width, 3), RGB."""
    return np.asarray(pypdfium2.PdfDocument(pdf)[number].render(scale=dpi / 72).to_pil().convert("RGB"))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(("columns", "rows", "size"), [(4, 4, (390.0, 390.0)), (8, 2, (690.0, 240.0))])
def test_each_tag_of_a_large_sheet_is_read_whole_on_one_page(
    paper: str, columns: int, rows: int, size: tuple[float, float]
) -> None:
    pdf = kit_pdf(game(sheet(columns, rows, size)), say, "en", paper, parts=["sheets"])
    found: dict[int, float] = {}
    for page in pictures(pdf, 150):
        sides = read_aruco(page, 150)
        assert not set(sides) & set(found)
        found |= sides
    assert found == pytest.approx({tag.number: 24.0 for tag in (*CELLS, *ANCHORS)}, rel=0.02)


def test_sections_glued_together_are_the_sheet_and_cut_no_cell() -> None:
    room = (186.0, 259.0)
    parted = sections(sheet(4, 4, (390.0, 390.0)), room)
    assert [(one.number, one.row, one.column) for one in parted] == [
        (1, 0, 0), (2, 0, 1), (3, 0, 2), (4, 1, 0), (5, 1, 1), (6, 1, 2),
    ]  # fmt: skip
    assert [one.left_top for one in parted] == [(x, y) for y in (0.0, 195.0) for x in (0.0, 115.0, 275.0)]
    assert [one.size for one in parted] == [(x, 195.0) for _ in range(2) for x in (115.0, 160.0, 115.0)]
    assert [one.glue for one in parted] == [(x, y) for y in (10.0, 0.0) for x in (10.0, 10.0, 0.0)]


@settings(deadline=None)
@given(st.lists(st.tuples(st.floats(0, 1), st.floats(15, 40)), max_size=12), st.floats(400, 900))
def test_a_cut_keeps_clear_of_every_tag_and_sections_fit_on_pages(
    tags: list[tuple[float, float]], width: float
) -> None:
    marks = tuple(TagMark(ArucoTag(4 + i), (40 + at * (width - 80), 60.0), side) for i, (at, side) in enumerate(tags))
    try:
        parted = sections(Printable("sheets", (width, 120.0), marks), (186.0, 259.0))
    except KitError:
        return
    ends = [*(one.left_top[0] for one in parted[1:]), width]
    assert [one.left_top[0] + one.size[0] for one in parted] == pytest.approx(ends)
    assert all(one.size[0] + one.glue[0] <= 186.0 + 1e-9 for one in parted)
    for one in parted[1:]:
        for mark in marks:  # a marker's quiet zone is one of its seven cells
            assert abs(one.left_top[0] - mark.middle[0]) > mark.side * 9 / 14


def test_a_sheet_whose_tags_leave_no_gap_says_where_one_is_needed() -> None:
    tags = tuple(TagMark(ArucoTag(4 + i), (14.0 + 15 * i, 30.0 + 28 * (i % 2)), 20.0) for i in range(25))
    with pytest.raises(KitError, match=r"sheets: .* 400 x 100 mm .* leave 2 mm free .* every 176 mm"):
        kit_pdf(game(Printable("sheets", (400.0, 100.0), tags)), say, "en")


def test_pages_of_a_sheet_say_which_part_they_are_and_what_is_glued_on() -> None:
    pages = texts(document(parts=("sheets",)))
    assert [page.splitlines()[0].strip() for page in pages] == [f"{SHEET}: part {n} of 6" for n in range(1, 7)]
    glued = [{n for n in range(1, 7) if f"glue part {n} here" in " ".join(page.split())} for page in pages]
    assert glued == [{2, 4}, {3, 5}, {6}, {5}, {6}, set()]


def test_beyond_a_cut_lies_a_strip_of_paper_and_beyond_it_nothing() -> None:
    page = coloured(document(parts=("sheets",)), 0, 254)  # ten pixels are a millimetre
    ground = np.all(np.abs(page.astype(int) - (0xF4, 0xEF, 0xE4)) < 3, axis=2)
    column = np.flatnonzero(ground.sum(axis=0) > 500)
    rows = np.flatnonzero(ground.sum(axis=1) > 200)
    assert (column[-1] - column[0] + 1, rows[-1] - rows[0] + 1) == pytest.approx((1160, 1960), abs=4)
    assert (page[rows[0] : rows[-1], column[-1] + 130 :].min() == 255).all()


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_it_is_printed_within_8_mm_of_an_edge(paper: str, language: str) -> None:
    edge = round(8 / 25.4 * 100)
    for number, page in enumerate(pictures(document(paper, language), 100), 1):
        inked = page < 250
        inked[edge:-edge, edge:-edge] = False
        assert not inked.any(), f"page {number}"


def test_parts_come_in_order_under_the_words_of_the_game() -> None:
    pages = texts(document())
    heads = [page.splitlines()[0].strip() for page in pages]
    sheets = [f"{SHEET}: part {n} of 6" for n in range(1, 7)]
    title = KitWords("en")("title", game=WORDS["name.game"])
    assert heads == [
        title, "Table corners", "Anchors", "Stickers", *sheets, *["all the tiles"] * 2, *["all the cards"] * 2,
    ]  # fmt: skip
    assert "page 5 of 14" in pages[4]


def test_a_card_has_its_back_beside_it_with_all_its_words() -> None:
    pages = [" ".join(page.split()) for page in texts(document(parts=("cards",)))]
    assert [(page.count("front"), page.count("back")) for page in pages] == [(2, 2), (1, 1)]
    for number in range(3):
        assert f"front {number}. {PROSE}" in pages[number // 2]
    page = coloured(document(parts=("cards",)), 1, 254)
    green = np.argwhere(np.all(np.abs(page.astype(int) - (0x4D, 0x9A, 0x4A)) < 3, axis=2))
    middle = np.array([260 + 600, 1050 + 440])  # the card is in the middle of the page, its back in the right half
    assert green.mean(axis=0) == pytest.approx(middle, abs=3)
    dashes = (page[300:1500, 1050 - 1 : 1050 + 2].min(axis=(1, 2)) < 200).astype(int)
    assert 40 < np.abs(np.diff(dashes)).sum() < 160


def test_a_picture_is_filled_and_outlined_dark() -> None:
    page = coloured(document(parts=("tiles",)), 0, 254)
    blue = np.argwhere(np.all(page == (0x3B, 0x6F, 0xB5), axis=2))
    top, left = blue.min(axis=0)
    x, y = left + 50 + 190, top + 50 + 190
    assert page[y, x].tolist() == [0xD9, 0xA5, 0x20]
    assert page[y, left + 50 + 38].tolist() == [0x2A, 0x24, 0x20]
    assert page[top + 50 + 266, x].tolist() == [0x2A, 0x24, 0x20]
    assert page[top + 50 + 8, left + 50 + 8].tolist() == [0x3B, 0x6F, 0xB5]
    thick = [tuple(pixel) == (0x2A, 0x24, 0x20) for pixel in page[y, left + 50 + 20 : left + 50 + 60]]
    assert sum(thick) * 0.1 == pytest.approx(3 * 38 / 100, abs=0.25)


def test_tags_on_a_coloured_ground_have_their_white_border() -> None:
    pages = document(parts=("tiles",))
    found = [payload for page in pictures(pages, 150) for payload in read_qr(page)]
    assert sorted(found) == sorted(encode("TT", f"T{n}") for n in range(7))
    page = coloured(pages, 0, 254)
    top, left = np.argwhere(np.all(page == (0x3B, 0x6F, 0xB5), axis=2)).min(axis=0)
    first, last = 540 - 105 - 20, 540 + 105 + 20  # two modules of a millimetre around the tag's 21 mm
    border = page[top + first + 2 : top + last - 2, left + first + 2 : left + first + 18]
    assert (border == 255).all()
    assert page[top + first + 50, left + first - 4].tolist() == [0x3B, 0x6F, 0xB5]
    assert page[top + last + 4, left + first + 50].tolist() == [0x3B, 0x6F, 0xB5]


def test_what_is_too_wide_upright_is_turned() -> None:
    long = Printable("tiles", (250.0, 60.0), (Frame((0, 0), (250, 60)), TagMark(ArucoTag(9), (220, 30), 40.0)))
    (page,) = pictures(kit_pdf(game(long), say, "en", parts=["tiles"]), 150)
    assert read_aruco(page, 150) == pytest.approx({9: 40.0}, rel=0.02)


def test_a_card_too_large_with_its_back_says_what_to_choose() -> None:
    with pytest.raises(KitError, match=r"cards: needs 400 x 200 mm; choose"):
        kit_pdf(game(Printable("cards", (200.0, 200.0), (), (Disc((5, 5), 2),))), say, "en")


def test_what_is_printed_on_a_sheet_gets_neither_sticker_nor_anchor() -> None:
    pages = pictures(document(parts=("anchors", "stickers")), 150)
    markers = [set(read_aruco(page, 150)) for page in pages]
    assert markers == [{6}, set()]
    assert set(read_qr(pages[1])) == {encode("TT", f"T{n}") for n in range(7)}


def test_only_the_parts_that_were_asked_for_are_printed() -> None:
    heads = [page.splitlines()[0].strip() for page in texts(document(parts=("cards", "corners")))]
    assert heads == ["Table corners", "all the cards", "all the cards"]
    assert set(read_aruco(pictures(document(parts=("cards", "corners")))[0], 150)) == set(CORNER_IDS)


def test_a_part_that_is_not_there_names_all_that_are() -> None:
    with pytest.raises(KitError, match=rf"part 'stones': .* {', '.join(PARTS)}$"):
        document(parts=("cards", "stones"))


def test_the_command_prints_parts_and_names_them_where_one_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "kit.pdf"
    said = CliRunner().invoke(main, ["print", "phoenix", "-o", str(file), "--part", "corners", "--part", "anchors"])
    assert said.output == f"{file}: written for A4. Print at 100 %.\n"
    assert [page.splitlines()[0].strip() for page in texts(file.read_bytes())] == [
        "Table corners",
        "Anchors",
        "Anchors",
    ]
    wrong = CliRunner().invoke(main, ["print", "phoenix", "-o", str(file), "--part", "cards"])
    assert (wrong.exit_code, wrong.stderr) == (
        1,
        "Error: part 'cards': this kit has none; choose of where, corners, anchors, stickers\n",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_first_page_has_only_the_steps_that_there_is_something_for(language: str) -> None:
    words = KitWords(language)

    def steps(*printed: Printable) -> set[str]:
        page = " ".join(texts(kit_pdf(game(*printed), say, language, parts=["where"]))[0].split())
        told = {"sheets": words("step.sheets"), "instead": words("step.instead", parts="all the tiles, all the cards")}
        return {step for step, text in told.items() if text in page}

    assert steps() == set()
    assert steps(sheet(4, 4, (390.0, 390.0))) == {"sheets"}
    assert steps(tile(0), card(0)) == {"instead"}
    assert steps(tile(0), card(0), sheet(4, 4, (390.0, 390.0))) == {"sheets", "instead"}


def test_what_takes_fewer_pages_when_it_is_turned_is_turned() -> None:
    narrow = Printable("cards", (56.0, 87.0), (Label(verbatim("front"), (4, 4), (40, 20)),), (Disc((20, 20), 5),))
    pages = [page.count("front") for page in texts(kit_pdf(game(*[narrow] * 6), say, "en", parts=["cards"]))]
    assert pages == [4, 2]
    page = coloured(kit_pdf(game(*[narrow] * 2), say, "en", parts=["cards"]), 0, 254)
    across = np.flatnonzero((page.min(axis=2) < 200)[260:1600].any(axis=0))
    assert across[-1] - across[0] == pytest.approx(1120, abs=8)  # two of them fit upright as well


def test_a_legend_stands_below_what_is_cut_out_and_not_on_it() -> None:
    legend = (Frame((0, 0), LEGEND_MM, 0, "#00ff00"), Label(verbatim("the blue one"), (0, 0), LEGEND_MM))
    token = Printable("tiles", (20, 20), (Frame((0, 0), (20, 20), 0, "#0000ff"),), legend=legend)
    pdf = kit_pdf(game(token), say, "en", parts=["tiles"])
    assert "the blue one" in texts(pdf)[0]
    page = coloured(pdf, 0, 254)
    blue, green = (
        np.argwhere(np.all(np.abs(page.astype(int) - colour) < 3, axis=2)) for colour in ((0, 0, 255), (0, 255, 0))
    )
    assert (blue.max(axis=0) - blue.min(axis=0)).tolist() == pytest.approx([200, 200], abs=6)
    assert (green.max(axis=0) - green.min(axis=0)).tolist() == pytest.approx([80, 340], abs=2)
    assert green[:, 0].min() > blue[:, 0].max() + 10
    assert blue.mean(axis=0)[1] == pytest.approx((green[:, 1].min() + green[:, 1].max()) / 2, abs=3)


def _wide(text: str) -> float:
    """A made-up type: every sign half as wide as it is high."""
    return len(text) * 0.5 * 25.4 / 72


@given(
    st.lists(st.text("abcdefgh", min_size=1, max_size=12), min_size=1, max_size=60),
    st.tuples(st.floats(20, 120), st.floats(8, 120)),
    st.floats(5, 30),
)
def test_a_label_keeps_all_words_and_its_room(words: Sequence[str], room: tuple[float, float], size: float) -> None:
    text = " ".join(words)
    block = fitted(text, room, size, _wide)
    assert " ".join(block.lines).split() == list(words)
    assert block.size_pt <= size
    if block.size_pt > 1:
        assert block.height_mm <= room[1] + 1e-6
    if block.size_pt > 4.75:
        assert max(map(_wide, block.lines)) * block.size_pt <= room[0] + 1e-6
    if block.size_pt < size - 0.25:
        larger = fitted(text, (room[0], 1e6), block.size_pt + 0.25, _wide)
        too_wide = max(map(_wide, larger.lines)) * larger.size_pt > room[0]
        assert larger.size_pt < block.size_pt + 0.25 or larger.height_mm > room[1] or too_wide


def test_a_label_breaks_where_its_text_does_and_at_no_other_space() -> None:
    assert fitted("one two\nthree 5\u00a0mm", (100, 100), 10, _wide).lines == ("one two", "three 5\u00a0mm")
    assert all(a != b for a, b in pairwise(fitted("ab " * 40, (30, 100), 9, _wide).lines[-2:]))

"""The printed kit, read back from its pages as a camera and a ruler would."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

import numpy as np
import pypdfium2
import pytest
import zxingcpp
from hypothesis import given
from hypothesis import strategies as st

from companion.core.box import Box, Face
from companion.core.messages import LANGUAGES
from companion.core.table import Zone
from companion.core.tags import CORNER_IDS, ArucoTag, QrTag, encode
from companion.kit import PAPERS, KitError, kit_pdf, print_kit
from companion.kit.outlines import outlines
from companion.kit.words import KitWords, latin
from tests.printed import WORDS, Game, pictures, piece, read_aruco, read_qr, say, texts


def small_box() -> Box:
    cards = [
        piece(f"card-{n}", "card", QrTag(encode("TT", f"C{n}")), 21.0, (56.0, 87.0), tag_at_mm=(0.0, -29.0))
        for n in range(45)
    ]
    tokens = [
        piece(
            "token", "token", ArucoTag(20 + n), 12.0, (20.0, 20.0), copy="abcdefgh"[n], face=Face("#ffffff", round=True)
        )
        for n in range(8)
    ]
    return Box(
        "TT",
        [
            *cards,
            *tokens,
            piece("nest", "anchor", ArucoTag(4), 28.0, (104.0, 104.0), face=Face("#ffffff", round=True)),
            piece("comb", "anchor", ArucoTag(5), 30.0, (104.0, 104.0 * 3**0.5 / 2)),
            piece("mat", "anchor", ArucoTag(6), 30.0, (420.0, 300.0), label="a mat that no page can hold"),
            piece("bar", "anchor", ArucoTag(7), 20.0, (60.0, 30.0), tag_at_mm=(-15.0, 0.0)),
            piece("long", "tile", QrTag(encode("TT", "LONG")), 17.0, (60.0, 60.0), label="Donaudampfschiffahrts " * 3),
        ],
    )


@cache
def document(paper: str = "A4", language: str = "en") -> bytes:
    sides = (Zone("nest/north", ((-20, -80), (20, -80), (20, -60), (-20, -60)), "nest"),)
    return kit_pdf(Game(small_box(), sides), say, language, paper)


@pytest.mark.parametrize("paper", PAPERS)
def test_every_tag_reads_back_at_its_size_from_pages_at_150_dpi(paper: str) -> None:
    qr: dict[str, float] = {}
    aruco: dict[int, float] = {}
    for coarse, fine in zip(pictures(document(paper)), pictures(document(paper), 300), strict=True):
        sides, numbers = read_qr(fine, 300), read_aruco(fine, 300)
        assert (set(read_qr(coarse)), set(read_aruco(coarse, 150))) == (set(sides), set(numbers))
        qr |= sides
        aruco |= numbers
    pieces = small_box().pieces.values()
    assert qr == pytest.approx({p.tag.payload: p.tag_mm for p in pieces if isinstance(p.tag, QrTag)}, rel=0.01)
    expected = {p.tag.number: p.tag_mm for p in pieces if isinstance(p.tag, ArucoTag)} | dict.fromkeys(CORNER_IDS, 50.0)
    assert aruco == pytest.approx(expected, rel=0.01)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_printed_within_8_mm_of_an_edge(paper: str, language: str) -> None:
    edge = round(8 / 25.4 * 150)
    for number, page in enumerate(pictures(document(paper, language)), 1):
        inked = page < 250
        inked[edge:-edge, edge:-edge] = False
        assert not inked.any(), f"page {number}"
        assert (page < 250).any(), f"page {number} is empty"


@pytest.mark.parametrize("paper", PAPERS)
def test_pages_have_the_size_of_the_paper(paper: str) -> None:
    for page in pypdfium2.PdfDocument(document(paper)):
        size = tuple(side * 25.4 / 72 for side in page.get_size())
        assert size == pytest.approx((PAPERS[paper].width_mm, PAPERS[paper].height_mm), abs=0.01)


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_names_and_own_words_are_printed_with_their_accents(language: str) -> None:
    pages = texts(document("A4", language))
    words = KitWords(language)
    assert pages[0].startswith(words("title", game=WORDS["name.game"]))
    assert " ".join(words("step.paper").split()) in " ".join(pages[0].split())
    everything = " ".join(" ".join(pages).split())
    for one in small_box().pieces.values():
        name = " ".join(str(one.label.params["text"]).split())
        assert (f"{name} ({one.copy})" if one.copy else name) in everything
    assert "north side" in pages[2]
    assert "?" not in everything


def test_the_explanation_comes_first_then_corners_then_anchors_then_stickers() -> None:
    kinds = []
    for page in pictures(document()):
        numbers = set(read_aruco(page, 150))
        kinds.append(
            "corners"
            if numbers & set(CORNER_IDS)
            else "anchors"
            if numbers & {4, 5, 6, 7}
            else "stickers"
            if numbers or read_qr(page)
            else "words"
        )
    assert list(dict.fromkeys(kinds)) == ["words", "corners", "anchors", "stickers"]


def test_the_ruler_is_100_mm_long() -> None:
    page = pictures(document(), 300)[0]
    foot = page[-round(24 / 25.4 * 300) :] < 128
    longest = 0
    for row in foot:
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(int), [0]])))
        longest = max(longest, *(edges[1::2] - edges[::2]), 0)
    assert longest * 25.4 / 300 == pytest.approx(100, abs=0.5)


@pytest.mark.parametrize(
    ("at", "round_", "told"),
    [
        ((-14.0, -29.5), False, "sticker 25 mm, 1.5 mm from the top and left edges"),
        ((-15.5, -29.5), False, "sticker 25 mm, 1.5 mm below the top edge, flush with the left edge"),
        ((0.0, -31.0), False, "sticker 25 mm, flush with the top edge"),
        ((0.0, 0.0), False, "sticker 25 mm, in the middle"),
        ((0.0, 0.0), True, "round sticker 55 mm, in the middle"),
    ],
)
def test_the_first_page_says_how_large_a_sticker_is_cut_and_where_its_edges_lie(
    at: tuple[float, float], round_: bool, told: str
) -> None:
    face = Face("#ffffff", round=round_)
    card = piece("card", "card", QrTag(encode("TT", "C1")), 21.0, (56.0, 87.0), tag_at_mm=at, face=face)
    page = texts(kit_pdf(Game(Box("TT", [card])), say, "en", parts=["where"]))[0]
    assert told in " ".join(page.split())


def test_many_sorts_of_pieces_stand_in_two_rows_in_legible_type() -> None:
    pieces = [piece(f"sort-{n}", f"kind-{n}", ArucoTag(20 + n), 12.0, (56.0, 87.0)) for n in range(11)]
    pdf = kit_pdf(Game(Box("TT", pieces)), say, "en", parts=["where"])
    words = pypdfium2.PdfDocument(pdf)[0].get_textpage()
    heights = []
    for n in range(11):
        found = words.search(f"sort-{n}", match_whole_word=True).get_next()
        assert found
        heights.append(round(words.get_charbox(found[0])[1]))
    assert len(set(heights)) == 2
    sizes = [pypdfium2.raw.FPDFText_GetFontSize(words, index) for index in range(words.count_chars())]
    assert min(size for size in sizes if size > 1) >= 7.0  # line breaks have the size 1


def test_the_label_of_a_sticker_says_its_number_too() -> None:
    one = piece("action-07", "action", ArucoTag(20), 12.0, (56.0, 87.0), label="Bodyguards", number="action-07")
    (page,) = texts(kit_pdf(Game(Box("TT", [one])), say, "en", parts=["stickers"]))
    assert "action-07: Bodyguards" in " ".join(page.split())


def test_crop_marks_stay_out_of_the_quiet_zone() -> None:
    page = pictures(document(), 300)[-2]
    mm = 300 / 25.4
    codes = zxingcpp.read_barcodes(page, formats=zxingcpp.BarcodeFormat.QRCode)
    assert len(codes) > 10
    for code in codes:
        p = code.position
        side = p.top_right.x - p.top_left.x
        quiet = round(2 * side / 21 - 0.1 * mm)
        left, right = p.top_left.x, p.top_right.x
        assert (page[p.top_left.y - quiet : p.top_left.y - 3, left - quiet : right + quiet] == 255).all()
        assert (page[p.bottom_left.y + 3 : p.bottom_left.y + quiet, left - quiet : right + quiet] == 255).all()


def test_the_same_input_gives_the_same_bytes_and_a_date_shows() -> None:
    game = Game(small_box())
    assert kit_pdf(game, say, "en") == kit_pdf(game, say, "en")
    dated = kit_pdf(game, say, "en", created=datetime(2026, 3, 4, tzinfo=UTC))
    assert pypdfium2.PdfDocument(dated).get_metadata_dict()["CreationDate"].startswith("D:20260304")


def test_print_kit_writes_the_file(tmp_path: Any) -> None:
    print_kit(Game(small_box()), tmp_path / "kit.pdf", say, "ca", "Letter")
    assert (tmp_path / "kit.pdf").read_bytes() == kit_pdf(Game(small_box()), say, "ca", "Letter")


def test_unknown_paper_language_or_a_tag_too_large_say_what_to_choose() -> None:
    game = Game(small_box())
    with pytest.raises(KitError, match=r"'A5'.*A4, Letter"):
        kit_pdf(game, say, "en", "A5")
    with pytest.raises(KitError, match=r"'fr'.*en, de, es, ca"):
        kit_pdf(game, say, "fr")
    poster = piece("poster", "tile", ArucoTag(9), 300.0, (400.0, 400.0))
    with pytest.raises(KitError, match=r"poster: needs .* smaller tag"):
        kit_pdf(Game(Box("TT", [poster])), say, "en")


def test_languages_have_the_same_keys_and_placeholders() -> None:
    import re

    def shape(table: Mapping[str, Any]) -> dict[str, Any]:
        return {
            key: shape(value) if isinstance(value, Mapping) else sorted(re.findall(r"\{\w+\}", value))
            for key, value in table.items()
        }

    shapes = {language: shape(KitWords(language)._texts) for language in LANGUAGES}
    assert all(one == shapes["en"] for one in shapes.values())


def test_typographic_signs_stay_what_they_are() -> None:
    for text in ("„Schön“ – ‚ß‘…", "“It’s—late”", "«¿Qué?» ¡Ñandú!", "col·lecció ç, l’àvia", "10 € ×½"):
        assert latin(text).encode("latin-1").decode("cp1252") == text


def test_signs_that_the_font_lacks_become_ones_that_it_has() -> None:
    said = latin("Ça\u0300\u00adva: co\u0140lecció 5\u202fmm, \u22123 \u2192 x\u2011y ★")
    assert said.encode("latin-1").decode("cp1252") == "Çàva: col·lecció 5\u00a0mm, –3 -> x-y ?"


@given(st.lists(st.lists(st.booleans(), min_size=6, max_size=6), min_size=5, max_size=5))
def test_outlines_filled_together_are_the_cells(rows: list[list[bool]]) -> None:
    loops = outlines(rows)
    assert [[_winding(loops, x + 0.5, y + 0.5) for x in range(6)] for y in range(5)] == [
        [int(c) for c in row] for row in rows
    ]


def _winding(loops: list[list[tuple[int, int]]], x: float, y: float) -> int:
    """How often the loops run around a point, clockwise on a page: its crossings with a ray to the right."""
    total = 0
    for loop in loops:
        for (ax, ay), (bx, by) in zip(loop, loop[1:] + loop[:1], strict=True):
            if ax == bx and ax > x and min(ay, by) < y < max(ay, by):
                total += 1 if by > ay else -1
    return total

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.box import Box, Piece
from companion.core.errors import BoxError, TagError
from companion.core.messages import verbatim
from companion.core.tags import ArucoTag, QrTag, cells, check, encode

SHORTS = st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", min_size=1, max_size=6)


@given(SHORTS)
def test_a_payload_fills_sixteen_characters_and_checks(short: str) -> None:
    payload = encode("PH", short)
    assert (len(payload), payload[:4], check(payload)) == (16, "TCPH", "")


@given(SHORTS, st.integers(0, 15), st.sampled_from("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-"))
def test_one_changed_character_is_noticed(short: str, place: int, letter: str) -> None:
    payload = encode("PH", short)
    changed = payload[:place] + letter + payload[place + 1 :]
    assert check(changed) == ("" if changed == payload else "foreign" if place < 2 else "damaged")


def test_the_scheme_stays_as_it_was_printed() -> None:
    assert encode("PH", "RED3A") == "TCPHRED3A-JGLN6N"


@pytest.mark.parametrize("text", ["", "https://example.org", "TCPH", "tcphred3a-jgln6n"])
def test_other_codes_are_foreign(text: str) -> None:
    assert check(text) == "foreign"


@pytest.mark.parametrize(
    ("code", "short"), [("P", "RED3A"), ("PHX", "RED3A"), ("PH", ""), ("PH", "TOOLONG"), ("PH", "red3a")]
)
def test_names_that_do_not_fit_are_refused(code: str, short: str) -> None:
    with pytest.raises(TagError, match="use "):
        encode(code, short)


def test_a_qr_tag_has_21_modules_with_its_three_finders() -> None:
    rows = cells(QrTag(encode("PH", "RED3A")))
    assert (len(rows), {len(row) for row in rows}) == (21, {21})
    finder = tuple(rows[0][:7])
    assert finder == tuple(rows[0][14:]) == tuple(rows[20][:7]) == (True,) * 7


def test_an_aruco_tag_has_7_cells_with_a_black_border() -> None:
    rows = cells(ArucoTag(4))
    assert (len(rows), rows[0], rows[6]) == (7, (True,) * 7, (True,) * 7)


def test_markers_outside_the_dictionary_are_refused() -> None:
    with pytest.raises(TagError, match="0 to 249"):
        cells(ArucoTag(250))


def _piece(name: str, tag: QrTag | ArucoTag) -> Piece:
    return Piece(name, "", "card", verbatim(name), tag, 20.0, (50.0, 80.0))


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ([_piece("a", ArucoTag(9)), _piece("b", ArucoTag(9))], "same tag"),
        ([_piece("a", ArucoTag(9)), _piece("a", ArucoTag(8))], "two pieces"),
        ([_piece("a", ArucoTag(2))], "marker 2"),
        ([_piece("a", ArucoTag(250))], "marker 250"),
    ],
)
def test_a_box_that_contradicts_itself_says_where(pieces: list[Piece], words: str) -> None:
    with pytest.raises(BoxError, match=words):
        Box("XX", pieces)

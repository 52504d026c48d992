from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.letters import MOST_MARKS, cleaned, count, escaped, printable, replaced

LETTERS = st.text(st.characters())
"""Any letters, lone surrogates among them."""
HIDDEN = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("BEGIN:VCARD\r\nN:Doe", "BEGIN:VCARD??N:Doe"),
        ("a\x00b\x1b[2Jc\x7f\x85\x9bd", "a?b?[2Jc???d"),
        ("a\u2028b\u2029c", "a?b?c"),
        ("\u202eevil\u2066\u200f", "?evil??"),
        ("a\ud800b\ue000\U000f0000\ufdd0", "a?b???"),
        ("a\u200bb\ufeffc\u00add\u3164\u115f\u2800", "a?b?c?d???"),
        ("Núria Íñigo ‘l·l’ 日本 א", "Núria Íñigo ‘l·l’ 日本 א"),
        ("a\u00a0b\u3000c", "a\u00a0b\u3000c"),
        ("👨‍👩‍👧 👍🏽 ❤️", "👨‍👩‍👧 👍🏽 ❤️"),
        ("a\u200db \ufe0f 👨\u200d", "a?b ? 👨?"),
        ("\u0301a" + "\u0301" * 500 + "b", "?a" + "\u0301" * MOST_MARKS + "b"),
    ],
)
def test_what_cannot_be_shown_is_a_sign_for_each_letter(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(LETTERS)
def test_nothing_hidden_is_left_and_nothing_more_is_to_be_done(text: str) -> None:
    shown = printable(text)
    joined = shown.replace("\u200d", "")
    assert [letter for letter in joined if unicodedata.category(letter) in HIDDEN] == []
    assert printable(shown) == shown
    assert printable(text, keep="\n").count("\n") == text.count("\n")


@given(LETTERS, st.integers(1, 60))
def test_a_long_text_is_cut_and_the_rest_is_counted(text: str, most: int) -> None:
    shown = cleaned(text, most)
    if len(text) <= most:
        assert shown == printable(text)
    else:
        assert shown == f"{printable(text[:most])}... +{len(text) - most}"


def test_a_code_of_many_letters_is_shown_by_its_beginning() -> None:
    assert cleaned("x" * 2953) == "x" * 40 + "... +2913"


@given(LETTERS)
def test_letters_that_are_not_there_have_the_nearest_in_their_place(text: str) -> None:
    assert replaced(text, str.isascii).isascii()


def test_the_nearest_letters_are_those_that_people_would_take() -> None:
    said = "„Großes“ Nest · l’Íñigo → Ŀŀ æ œ Łódź – … ▸ ●▲○ ✓ ╭─╮ │ \u00adaé 日"
    told = replaced(said, str.isascii)
    assert told == '"Grosses" Nest . l\'Inigo -> L.l. ae oe Lodz - ... > *^o ok +-+ | ae ?'


def test_people_count_letters_and_not_their_marks() -> None:
    texts = ("Íñigo", unicodedata.normalize("NFD", "Íñigo"), "👨‍👩‍👧👍🏽", "a" + "\u0301" * 9, "", "日本")
    assert [count(text) for text in texts] == [5, 5, 2, 1, 0, 2]


def test_an_escape_tells_which_letter_it_is() -> None:
    assert escaped("a\x1bé\u202e\ud800\n") == "a\\x1bé\\u202e\\ud800\\n"

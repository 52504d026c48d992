from __future__ import annotations

import pytest
from art_samples import BELLS, row
from face_samples import SITUATIONS, tiny_words
from PIL import Image, ImageDraw

from companion.core.messages import verbatim
from companion.core.panel import Button, Lamp, Page, Panel, Row, Text
from companion.face.fonts import find_fonts
from companion.face.presenter import present
from companion.face.screen import picture
from companion.face.terminal import (
    Entry,
    braille,
    button_lines,
    draw,
    half_blocks,
    lamp_line,
    plain_lines,
    score_lines,
)

WORDS = tiny_words("de", strict=True)
PANEL = Panel(
    (Page(verbatim("T"), (Row(verbatim("Ana"), verbatim("41"), True), Row(verbatim("Jürgen"), verbatim("7")))),),
    ((Button.A, verbatim("Hilfe")), (Button.B, verbatim("Zug zurück"))),
    frozenset({Lamp.RED}),
)
LOG = [Entry("20:15", f"event {i}") for i in range(60)] + [Entry("20:16", "not so", "dispute")]


def _slope() -> Image.Image:
    image = Image.new("1", (128, 64))
    ImageDraw.Draw(image).rectangle((0, 0, 2, 4), fill=1)
    return image


def test_half_blocks_show_two_pixels_a_letter() -> None:
    lines = half_blocks(_slope())
    assert [line.rstrip() for line in lines[:4]] == ["███", "███", "▀▀▀", ""]
    assert {len(line) for line in lines} == {128}
    assert len(lines) == 32


def test_braille_shows_eight_pixels_a_letter() -> None:
    lines = braille(_slope())
    assert [line.rstrip("⠀") for line in lines[:3]] == ["⣿⡇", "⠉⠁", ""]
    assert ({len(line) for line in lines}, len(lines)) == ({64}, 16)


@pytest.mark.parametrize("name", SITUATIONS)
def test_without_colour_there_are_no_escape_codes(name: str) -> None:
    language, situation = SITUATIONS[name]
    words, panel = tiny_words(language), present(situation)
    image = picture(panel, words, find_fonts([]))
    for columns, rows in ((80, 24), (140, 60)):
        lines = draw([image, image], panel, words, LOG, columns, rows, colour=False)
        assert "\x1b" not in "".join(lines)
        assert len(lines) < rows
        assert max(len(line) for line in lines) <= columns


def test_the_newest_entries_of_the_log_are_in_sight() -> None:
    lines = draw([_slope()], PANEL, WORDS, LOG, 80, 30, colour=True)
    assert lines[-1] == "\x1b[31m20:16 ! not so\x1b[0m"
    assert len(lines) == 29


def test_lamps_are_dots_in_colour_or_names() -> None:
    assert lamp_line(PANEL, colour=False) == "[     ] [red] [     ]"
    assert lamp_line(PANEL) == "\x1b[90m○\x1b[0m \x1b[31m●\x1b[0m \x1b[90m○\x1b[0m"


def test_buttons_and_scores_are_told_in_words() -> None:
    assert button_lines(PANEL, WORDS, 66) == ["[1] Hilfe  [2] Zug zurück"]
    assert button_lines(PANEL, WORDS, 16) == ["[1] Hilfe", "[2] Zug zurück"]
    assert score_lines(PANEL, WORDS, 14) == ["▸ Ana       41", "  Jürgen     7"]


def test_a_log_entry_is_broken_at_words() -> None:
    assert plain_lines(Entry("20:15", "Ana lays the red 3", "event"), 18) == ["20:15 · Ana lays", "        the red 3"]


def test_a_second_display_stands_beside_or_below_the_first_or_is_left_out() -> None:
    log = [Entry("00:01", f"entry {number}") for number in range(60)]
    sizes = []
    for columns, rows in ((262, 60), (140, 95), (140, 60), (80, 56), (80, 50), (80, 30)):
        lines = draw([_slope(), _slope()], PANEL, WORDS, log, columns, rows, colour=False)
        assert (len(lines) < rows, max(map(len, lines)) <= columns) == (True, True)
        assert sum("entry" in line for line in lines) >= 8
        tops = [line for line in lines if "╭" in line]
        sizes.append((len(tops), tops[0].count("╭") if tops else 0, len(tops[0]) if tops else 0))
    half, dots = 130, 66
    assert sizes == [(1, 2, 2 * half + 1), (2, 1, half), (1, 2, 2 * dots + 1), (2, 1, dots), (1, 1, dots), (0, 0, 0)]


def test_a_low_terminal_tells_how_far_the_pictures_are_and_what_is_marked() -> None:
    panel = Panel((row(1, 4, "Ellie"),))
    assert draw([_slope()], panel, WORDS, (), 80, 24, colour=False)[0].endswith("  Ellie · ●▲○○")
    panel = Panel((BELLS,))
    assert "○ 10 Uhr noch zwei Schläge" in draw([_slope()], panel, WORDS, (), 80, 24, colour=False)[0]
    assert "T · ▸Ana 41 · Jürgen 7" in draw([_slope()], PANEL, WORDS, (), 80, 24, colour=False)[0]


def test_a_low_terminal_shows_a_long_text_in_as_many_lines_as_it_takes() -> None:
    text = "word " * 60
    lines = draw([_slope()], Panel((Page(verbatim("T"), (Text(verbatim(text)),)),)), WORDS, LOG, 60, 24, colour=True)
    assert sum(line.count("word") for line in lines) == 60
    assert lines[0].startswith(lamp_line(Panel(())) + "  T · word")


def test_a_low_terminal_shows_the_page_as_text_and_leaves_room_for_the_log() -> None:
    log = [Entry("00:01", f"entry {number}") for number in range(30)]
    lines = draw([_slope()], PANEL, WORDS, log, columns=80, rows=24, colour=False)
    assert len(lines) <= 23
    assert WORDS.say(PANEL.pages[0].title) in lines[0]
    assert sum("entry" in line for line in lines) >= 15

from __future__ import annotations

from pathlib import Path

import pytest
from art_samples import row
from face_samples import SITUATIONS, tiny_words
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.messages import say, verbatim
from companion.core.panel import Button, Page, Panel, Row, Text
from companion.face.fonts import Font, Fonts, find_fonts
from companion.face.presenter import present
from companion.face.screen import HEIGHT_PX, WIDTH_PX, Line, Screen, choose, lay_out, paginate, render
from companion.face.sketching import Drawing
from companion.face.words import LANGUAGES, load_words
from companion.face.wrapping import shorten, wrap

WORDS = load_words("en", strict=True)
ROOM_PX = 124
BUILT_IN = find_fonts([])
TEXTS = st.text(st.sampled_from("abc xyzÄñ- \u00adW.|"), max_size=120)


def _panel(*pages: Page, **buttons: str) -> Panel:
    return Panel(pages, tuple((Button[name], verbatim(text)) for name, text in buttons.items()))


@given(TEXTS, st.integers(30, 130), st.sampled_from([BUILT_IN.body, BUILT_IN.big]))
def test_wrapped_lines_fit_and_lose_no_letter(text: str, room_px: int, font: Font) -> None:
    lines = wrap(text, font, room_px)
    assert all(font.width_px(line) <= room_px for line in lines)

    def letters(of: str) -> str:
        return "".join(letter for letter in of if letter not in " -\u00ad")

    assert letters("".join(lines)) == letters(text)


def test_text_is_broken_at_spaces_then_hyphens_then_anywhere(fonts: Fonts) -> None:
    room_px = 10 * 6
    assert wrap("the red 3 belongs here", fonts.body, room_px) == ("the red 3", "belongs", "here")
    assert wrap("Wolfgang-Amadeus", fonts.body, room_px) == ("Wolfgang-", "Amadeus")
    assert wrap("Rechts\u00adschutz\u00adamt", fonts.body, room_px) == ("Rechts-", "schutzamt")
    assert wrap("Rechtsschutz", fonts.body, room_px) == ("Rechtssch-", "utz")
    assert wrap("abcdefghijk", fonts.body, room_px) == ("abcdefgh-", "ijk")
    assert wrap("one\ntwo", fonts.body, room_px) == ("one", "two")
    assert wrap("", fonts.body, room_px) == ("",)


def test_shortened_text_ends_in_an_ellipsis_and_fits(fonts: Fonts) -> None:
    assert shorten(("whole",), 1, fonts.body, 60) == ("whole",)
    assert shorten(("much too long",), 1, fonts.body, 60) == ("much to...",)
    assert shorten(("one", "two", "three"), 2, fonts.body, 60) == ("one", "two...")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(TEXTS, st.booleans()), max_size=5), st.booleans(), st.booleans())
def test_all_text_is_on_some_screen_and_nothing_overlaps(
    texts: list[tuple[str, bool]], footer: bool, long_footer: bool
) -> None:
    page = Page(verbatim("Title"), tuple(Text(verbatim(text), big) for text, big in texts))
    buttons = {"A": "a meaning", "B": "another meaning" if long_footer else "b"} if footer else {}
    screens = lay_out(_panel(page, **buttons), WORDS, BUILT_IN)
    told = "".join(line.left for screen in screens for line in screen.lines)
    wanted = "".join(line for text, big in texts for line in _wrapped(text, big))
    assert told == wanted
    for screen in screens:
        body_px = sum(getattr(BUILT_IN, line.size).height_px for line in screen.lines)
        footer_px = 12 * len(screen.footer) + bool(screen.footer)
        assert 12 * len(screen.title) + 2 + body_px + footer_px <= HEIGHT_PX


def _wrapped(text: str, big: bool) -> tuple[str, ...]:
    if not big:
        return wrap(text, BUILT_IN.body, ROOM_PX)
    font = BUILT_IN.huge if BUILT_IN.huge.width_px(text) <= ROOM_PX else BUILT_IN.big
    return wrap(text, font, ROOM_PX)


def test_lines_are_paged_in_order_and_a_portion_is_never_overfull(fonts: Fonts) -> None:
    lines = [Line(str(i), size=size) for i, size in enumerate(("body", "huge", "body", "big", "big"))]
    assert paginate(lines, 36, fonts) == [(lines[0], lines[1]), (lines[2], lines[3]), (lines[4],)]
    assert paginate([], 36, fonts) == [()]


def test_screens_are_numbered_over_all_pages(fonts: Fonts) -> None:
    pages = [Page(verbatim("T"), (Text(verbatim("word " * 12)),)) for _ in range(6)]
    screens = lay_out(_panel(*pages, A="OK"), WORDS, fonts)
    assert [screen.number for screen in screens] == [f"{i}/{len(screens)}" for i in range(1, len(screens) + 1)]
    assert all(screen.arrows for screen in screens)


def test_a_single_screen_has_no_number_and_no_arrows(fonts: Fonts) -> None:
    panel = Panel((Page(verbatim("T")),), ((Button.UP, say("button.page-back")), (Button.DOWN, say("button.page-on"))))
    assert lay_out(panel, WORDS, fonts) == (Screen(("T",), ()),)


def test_pages_are_chosen_round_and_round(fonts: Fonts) -> None:
    screens = lay_out(_panel(*(Page(verbatim(title)) for title in "ABC")), WORDS, fonts)
    assert [choose(screens, page).title for page in (-1, 0, 1, 2, 3)] == [("C",), ("A",), ("B",), ("C",), ("A",)]


def test_above_drawings_the_title_has_one_line_and_an_empty_title_takes_no_room(fonts: Fonts) -> None:
    title = "The princess and the very long title of her page"
    (screen,) = lay_out(_panel(row(0, 3, title), A="OK"), WORDS, fonts)
    assert screen.title == ("The princess and...",)
    heights = []
    for text in ("Title", ""):
        (screen,) = lay_out(_panel(row(0, 3, text), A="OK"), WORDS, fonts)
        heights += [line.height_px for line in screen.lines if isinstance(line, Drawing)]
    assert heights == [37, 51]


def test_drawings_share_a_screen_with_text_where_both_have_room(fonts: Fonts) -> None:
    page = Page(verbatim(""), (*row(0, 3).elements, Text(verbatim("one line"))))
    (screen,) = lay_out(_panel(page, A="OK"), WORDS, fonts)
    assert [type(line) for line in screen.lines] == [Drawing, Line]
    page = Page(verbatim("Title"), page.elements)
    screens = lay_out(_panel(page, A="OK"), WORDS, fonts)
    assert [[type(line) for line in screen.lines] for screen in screens] == [[Drawing], [Line]]


def test_text_to_read_is_16_px_high_and_never_24(fonts: Fonts) -> None:
    page = Page(verbatim("T"), (Text(verbatim("short"), reading=True), Text(verbatim("short"))))
    (screen,) = lay_out(_panel(page), WORDS, fonts)
    assert screen.lines == (Line("short", size="big"), Line("short"))


def test_the_marked_choice_is_always_in_sight(fonts: Fonts) -> None:
    for marked in range(7):
        rows = tuple(Row(verbatim(f"choice {i}"), verbatim(""), i == marked) for i in range(7))
        panel = _panel(Page(verbatim("A question of some length?"), rows), A="OK", UP="Up", DOWN="Down")
        screen = choose(lay_out(panel, WORDS, fonts), page=0)
        assert Line(f"choice {marked}", inverted=True) in screen.lines


def test_a_row_keeps_its_right_side_whole(fonts: Fonts) -> None:
    rows = (
        Row(verbatim("Wolfgang-Amadeus von der Heide"), verbatim("41")),
        Row(verbatim("name"), verbatim("a very long right side indeed")),
    )
    (screen,) = lay_out(_panel(Page(verbatim("T"), rows)), WORDS, fonts)
    assert screen.lines == (
        Line("Wolfgang-Amadeu...", "41"),
        Line("name"),
        Line("", "a very long right"),
        Line("", "side indeed"),
    )


def test_meanings_that_do_not_fit_side_by_side_stand_below_one_another(fonts: Fonts) -> None:
    page = Page(verbatim("T"))
    footers = [
        lay_out(_panel(page, **buttons), WORDS, fonts)[0].footer
        for buttons in ({"A": "Help", "B": "Undo"}, {"A": "Take that", "B": "Leave that"}, {"B": "Undo"}, {})
    ]
    assert footers == [(("Help", "Undo"),), (("Take that", ""), ("", "Leave that")), (("", "Undo"),), ()]


@pytest.mark.parametrize("name", SITUATIONS)
def test_pictures_have_the_size_of_the_display_and_ink_within_it(name: str) -> None:
    language, situation = SITUATIONS[name]
    for image in render(present(situation), tiny_words(language), BUILT_IN):
        assert (image.mode, image.size) == ("1", (WIDTH_PX, HEIGHT_PX))


@pytest.mark.parametrize("language", LANGUAGES)
def test_button_meanings_fit_side_by_side_with_arrows(language: str, fonts: Fonts) -> None:
    words = load_words(language, strict=True)
    for a in ("ok", "answer", "menu", "choose", "yes"):
        for b in ("undo", "later", "no", "menu", "close"):
            pages = (Page(verbatim("T")), Page(verbatim("T")))
            panel = Panel(pages, ((Button.A, say(f"button.{a}")), (Button.B, say(f"button.{b}"))))
            assert len(lay_out(panel, words, fonts)[0].footer) == 1, (a, b)


@pytest.mark.parametrize("language", LANGUAGES)
def test_titles_fit_on_one_line_beside_a_number(language: str, fonts: Fonts) -> None:
    words = load_words(language, strict=True)
    for title in ("welcome", "dispute", "question", "undo", "notice", "trouble", "help"):
        panel = Panel((Page(say(f"title.{title}")),) * 9)
        assert len(lay_out(panel, words, fonts)[0].title) == 1, title


def test_every_letter_of_the_four_languages_shows(fonts: Fonts) -> None:
    letters = "äöüßÄÖÜñÑ¿¡çÇàèéíòóúïüÀÈÉÍÒÓÚÏ·«»ªº"
    for font in (fonts.body, fonts.big, fonts.huge):
        assert [letter for letter in letters if not font.has(letter)] == []
        assert font.clean(letters) == letters


def test_letters_that_a_font_lacks_get_a_stand_in(fonts: Fonts) -> None:
    assert fonts.body.clean("l’hora … ✓ Łódź Шах") == "l'hora ... ok Lódz ???"
    assert fonts.body.clean("Rechts\u00adschutz") == "Rechtsschutz"


def test_every_letter_of_all_wording_has_a_stand_in_even_without_spleen() -> None:
    assert BUILT_IN.remedy is not None
    assert BUILT_IN.body.clean("Grüße: ¿qué? l·l") == "Grusse: que? l·l"


def test_fonts_are_found_in_the_folder_that_has_all_three(tmp_path: Path, fonts: Fonts) -> None:
    assert find_fonts([tmp_path]).remedy is not None
    assert find_fonts([tmp_path, Path("/usr/share/fonts/opentype/spleen")]).remedy is None

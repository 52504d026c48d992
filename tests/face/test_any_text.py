"""Whatever people lay on the table, call themselves or write: every screen shows it, and the work stays in bounds."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from art_samples import READING
from face_samples import TURN, tiny_words
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.core.game import Dispute, Game, Refusal
from companion.core.messages import LANGUAGES, told, verbatim
from companion.core.panel import Art, Button, Page, Panel, Row, Text
from companion.core.players import named, renamed
from companion.core.settle import settle
from companion.core.table import Observation, Stranger
from companion.face.fonts import Font, Fonts, find_fonts
from companion.face.presenter import present
from companion.face.screen import choose, draw, lay_out
from companion.face.situation import Situation
from companion.face.terminal import Entry, plain_lines
from companion.face.terminal import draw as draw_terminal
from companion.face.words import Words, load_words
from companion.face.wrapping import shorten, wrap
from companion.games import load, names

VCARD = "BEGIN:VCARD\r\nN:Doe\r\nEND:VCARD"
LONGEST = 3000
AWKWARD = (
    "\n\r\t\0\x1b\x1c\x1d\x1e\x85\x9b\u00a0\u00ad\u0301\u200b\u200d\u202e\u2028\u2029\u3164\ufe0f\ufeff\ud800\uffff"
)
LETTERS = st.characters() | st.sampled_from(AWKWARD + " -W")
TEXTS = st.text(LETTERS, max_size=LONGEST) | st.builds(
    lambda part, times: (part * times)[:LONGEST], st.text(LETTERS, min_size=1, max_size=4), st.integers(1, LONGEST)
)
UGLY = tuple(
    (part * LONGEST)[:LONGEST]
    for part in (
        "x",
        "-",
        " ",
        "\u00ad",
        "a\u00ad",
        "\u0301",
        "\n",
        "\u200d",
        "\u2029",
        "W ",
        "\ufdfa",
        "\u00ad\u00ad ",
        "日",
    )
)
SIZES = ((140, 60), (80, 40), (80, 24), (20, 8))


class CountingFont(Font):
    """A font that counts the letters which it is asked to measure."""

    measured = 0

    def width_px(self, text: str) -> int:
        CountingFont.measured += len(text)
        return super().width_px(text)


@pytest.fixture(params=["real", "built in"], scope="module")
def fonts(request: pytest.FixtureRequest) -> Fonts:
    found = find_fonts() if request.param == "real" else find_fonts([])
    return Fonts(*(CountingFont(font._font, font.height_px) for font in (found.body, found.big, found.huge)))


def _work(act: Callable[[str], object], text: str) -> int:
    """The letters that are measured meanwhile."""
    before = CountingFont.measured
    act(text)
    return CountingFont.measured - before


def _pages(text: str) -> Panel:
    """A text wherever one may stand on a screen."""
    said = told(dict.fromkeys(LANGUAGES, text))
    row = (Row(said, verbatim("1")), Row(said, said, True), Row(said, verbatim("")), Row(verbatim("a"), said))
    texts = (Text(said), Text(said, big=True), Text(said, reading=True))
    art = tuple(replace(one, beside=(said,)) for one in READING.elements if isinstance(one, Art))
    pages = (Page(said, (*row, *texts)), Page(said, art), Page(verbatim("t"), art), Page(verbatim(text)))
    return Panel(pages, ((Button.A, said), (Button.B, verbatim(text))))


def _show(panel: Panel, words: Words, fonts: Fonts) -> None:
    """Draws it on every screen, and checks that a terminal gets nothing but letters and colours."""
    screens = lay_out(panel, words, fonts)
    for screen in (*screens[:3], *screens[-3:]):
        draw(screen, fonts)
    glass = draw(choose(screens, 0), fonts)
    log = [Entry("00:00", words.say(page.title)) for page in panel.pages]
    for columns, rows in SIZES:
        for rich in (True, False):
            lines = draw_terminal([glass], panel, words, log, columns, rows, colour=False, rich=rich)
            assert [line for line in lines if not _is_plain(line)] == []
    assert [line for entry in log for line in plain_lines(entry, 100) if not _is_plain(line)] == []


def _is_plain(line: str) -> bool:
    return not any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp", "Co", "Cn") for letter in line)


@settings(max_examples=25)
@given(TEXTS)
@example(VCARD)
@example(AWKWARD)
def test_any_text_is_drawn_wherever_one_may_stand(fonts: Fonts, text: str) -> None:
    words = load_words("ca")
    assert _work(lambda some: _show(_pages(some), words, fonts), text) < 2500 * len(text) + 50_000


@pytest.mark.parametrize("text", UGLY, ids=lambda text: f"{text[:3]!a}")
def test_twice_the_letters_are_twice_the_work(fonts: Fonts, text: str) -> None:
    acts: tuple[tuple[Callable[[str], object], int], ...] = (
        (lambda some: wrap(some, fonts.body, 124), 150),
        (lambda some: shorten((some,), 1, fonts.body, 60), 5),
        (lambda some: lay_out(_pages(some), tiny_words("en"), fonts), 2500),  # it stands there many times
    )
    for act, times in acts:
        half, whole = _work(act, text[: LONGEST // 2]), _work(act, text)
        assert whole <= 2.2 * half + 500
        assert whole <= times * LONGEST


def _line(game: Game[Any, Any]) -> Mapping[str, Any]:
    return game.dealer(1, {"players": ["Ann", "Ben", "Cid"][: max(2, game.players[0])]}).setup


def _strangers(game: Game[Any, Any], text: str) -> tuple[Dispute, ...]:
    """What is wrong with a table on which a stranger's code lies in some zone."""
    state = game.setup(_line(game))
    zone = game.zones(state, {})[0].id
    seen = Observation(strangers=(Stranger("foreign", text, zone),))
    return settle(game, state, seen).disputes


@pytest.mark.parametrize("name", names())
@settings(max_examples=8)
@given(text=TEXTS)
@example(text=VCARD)
def test_a_strangers_code_of_any_text_is_shown_in_every_game(name: str, fonts: Fonts, text: str) -> None:
    game = load(name)
    disputes = _strangers(game, text)
    assert [dispute.refusal.wording for dispute in disputes] == ["tag-foreign"]
    language = LANGUAGES[names().index(name) % len(LANGUAGES)]
    _show(present(Situation(pages=(TURN,), disputes=disputes)), load_words(language, game), fonts)


@pytest.mark.parametrize("name", names())
@settings(max_examples=15)
@given(text=TEXTS)
@example(text=VCARD)
@example(text="Ez\u00edo \U0001f44d\U0001f3fd")
def test_a_player_of_any_name_is_refused_in_words_or_shown(name: str, fonts: Fonts, text: str) -> None:
    game = load(name)
    line = renamed(_line(game), {"Ann": text})
    state = game.setup(line)
    words = load_words("de", game, strict=True)
    if isinstance(state, Refusal):
        assert named(line) == state
        _show(Panel((Page(verbatim("x"), (Text(state.message),)),)), words, fonts)
    else:
        _show(Panel(game.pages(state, settle(game, state, Observation()).difference, Observation())), words, fonts)

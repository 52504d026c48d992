"""One table without a camera: what its two displays show, and what its buttons set."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec.structs import replace

from companion.app.hardware import SimulatedBox
from companion.app.table import ASIDE_S, Table
from companion.core.game import Game
from companion.core.messages import say, verbatim
from companion.core.panel import Button, Page, Panel, Text
from companion.core.snapshot import Redo, Snapshot
from companion.core.table import Observation, Zone
from companion.face.fonts import find_fonts
from companion.face.screen import blank, picture
from companion.face.words import Words, load_words
from companion.service.journal import Journal
from devices.box import RETRY_S
from devices.buttons import STUCK_S
from vision.frame import Frame
from vision.watcher import Watcher

PLAYERS = [{"name": "Ellie", "guild": "crown"}, {"name": "Sam", "guild": "bell"}]
TOKENS: dict[str, list[int]] = {"small-1": [2], "small-2": [3], "big": [4]}
FACING = (Page(verbatim(""), (Text(verbatim("left")),)), Page(verbatim(""), (Text(verbatim("right")),)))
TICK_S = 0.05
FONTS = find_fonts([])


class NoCamera:
    """Has no frames; nothing has to be seen here."""

    name = "none"

    def read(self) -> Frame | None:
        return None

    def close(self) -> None:
        pass


TO_LANGUAGE = (Button.A, Button.UP, Button.UP, Button.UP, Button.UP)
"""Opens the menu and marks the language: behind it are sound, pause and a new game."""


class Bench:
    """A table in the middle of a game, whose time goes on when it is told to."""

    def __init__(self, game: Game[Any, Any], second: bool) -> None:
        self.now_s = 0.0
        self.heard: list[str] = []
        self.box = SimulatedBox(lambda: self.now_s, second)
        journal = Journal(":memory:")
        line = {"game": "phoenix", "players": PLAYERS, "holder": "Ellie", "open": "blue-3a", "tokens": TOKENS}
        journal.append([("setup", game, line, ())])
        self.table = Table(
            game,
            NoCamera(),
            Watcher(game.box),
            journal,
            load_words("en", game),
            FONTS,
            self.box.hardware,
            listen=self._listen,
        )
        self.run(TICK_S)
        self.press(Button.A)  # that the game is carried on has been read

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            self.box.fingers()
            self.table.refresh(self.now_s)

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.box.push(button)
            self.run(4 * TICK_S)

    def title(self) -> str:
        return self.table.words.say(self.table.desk.panel().pages[0].title)

    def _listen(self, snapshot: Snapshot, words: Words) -> None:
        self.heard += [words.say(notice) for notice in snapshot.notices]


@pytest.fixture
def make(phoenix: Game[Any, Any]) -> Iterator[Callable[..., Bench]]:
    made: list[Bench] = []

    def bench(second: bool = True, aside: tuple[Page, ...] = FACING) -> Bench:
        facing = type("Facing", (type(phoenix),), {"aside": lambda _self, _state: aside})
        made.append(Bench(facing(), second))
        return made[-1]

    yield bench
    for one in made:
        one.table.close()


def test_places_that_alone_have_changed_reach_the_watcher(
    make: Callable[..., Bench], monkeypatch: pytest.MonkeyPatch
) -> None:
    table = make().table
    placed: list[tuple[Zone, ...]] = []
    monkeypatch.setattr(table.watcher, "place", placed.append)
    moved = tuple(replace(zone, priority=zone.priority + 1) for zone in table.snapshot.zones)
    table.see(Observation((), at_s=8.0))
    serial = table.snapshot.serial
    monkeypatch.setattr(table.game, "zones", lambda _state, _draft: moved)
    table.see(Observation((), at_s=9.0))
    table.see(Observation((), at_s=10.0))
    assert (placed, table.snapshot.serial) == ([moved], serial + 1)


def _picture(bench: Bench, page: int) -> bytes:
    return picture(Panel(FACING), bench.table.words, FONTS, page).tobytes()


def test_the_second_display_shows_what_faces_the_active_player_and_turns_its_pages_by_itself(
    make: Callable[..., Bench],
) -> None:
    bench = make()
    assert bench.box.second is not None
    assert bench.box.second.image().tobytes() == _picture(bench, 0)
    bench.run(ASIDE_S)
    assert bench.box.second.image().tobytes() == _picture(bench, 1)
    bench.run(ASIDE_S)
    assert bench.box.second.image().tobytes() == _picture(bench, 0)


def test_the_second_display_is_dark_where_the_game_has_nothing_for_it(make: Callable[..., Bench]) -> None:
    bench = make(aside=())
    assert bench.box.second is not None
    assert bench.box.second.image().tobytes() == blank().tobytes()
    assert bench.box.panel.image().getbbox()


def test_without_a_second_display_all_is_on_the_first(make: Callable[..., Bench]) -> None:
    bench = make(second=False)
    assert bench.box.second is None
    bench.press(Button.A, Button.DOWN, Button.DOWN, Button.A)
    assert bench.table.desk.panel().pages == FACING


def test_a_second_display_that_fails_is_named_on_the_first_and_heals(make: Callable[..., Bench]) -> None:
    bench = make()
    assert bench.box.second is not None
    bench.box.second.unplug()
    pages = bench.table.desk.panel().pages
    bench.run(1.0)
    *others, trouble = bench.table.desk.panel().pages
    assert (tuple(others), trouble) == (
        pages,
        Page(say("title.trouble"), (Text(say("trouble.second-display")),)),
    )
    bench.box.second.plug_in()
    bench.run(RETRY_S + 1)
    assert bench.box.second.image().tobytes() in (_picture(bench, 0), _picture(bench, 1))
    assert bench.table.desk.panel().pages == pages


def test_a_button_that_is_stuck_is_named_on_the_display_until_it_is_let_go(make: Callable[..., Bench]) -> None:
    bench = make()
    pages = bench.table.desk.panel().pages
    bench.box.board.press(Button.UP)
    bench.run(STUCK_S + 1.0)
    trouble = Text(say("trouble.stuck", button=Button.UP))
    assert bench.table.desk.panel().pages == (*pages, Page(say("title.trouble"), (trouble,)))
    said = bench.table.words.say(trouble.message)
    assert said == "Button up is stuck or held down. It means nothing until it is let go."
    bench.box.board.release(Button.UP)
    bench.run(0.2)
    assert bench.table.desk.panel().pages == pages


def test_the_language_that_is_chosen_in_the_menu_is_that_of_the_screen_and_the_log(
    make: Callable[..., Bench],
) -> None:
    bench = make()
    bench.press(*TO_LANGUAGE, Button.A)
    assert (bench.table.words.language, bench.title()) == ("de", "Menü")
    bench.press(Button.B)
    bench.table.session.tell(Redo())
    assert bench.heard[-1] == "Es gibt nichts, was sich wiederholen ließe."


def test_a_language_that_is_set_elsewhere_is_the_menus_as_well(make: Callable[..., Bench]) -> None:
    bench = make()
    bench.table.speak("es")
    bench.press(*TO_LANGUAGE, Button.A)
    assert bench.table.words.language == "ca"


def test_a_paused_table_is_not_looked_at_until_somebody_goes_on(make: Callable[..., Bench]) -> None:
    bench = make()
    bench.press(Button.A, Button.UP, Button.UP, Button.A)
    assert (bench.table.desk.paused, bench.title()) == (True, "Pause")
    before = bench.table.snapshot
    bench.table.see(Observation((), at_s=9.0))
    assert bench.table.snapshot is before
    bench.press(Button.A)
    assert not bench.table.desk.paused


def test_a_sound_that_is_switched_off_is_not_heard(make: Callable[..., Bench]) -> None:
    bench = make()
    bench.press(*TO_LANGUAGE, Button.DOWN, Button.A)
    assert not bench.table.desk.sound


def _hold(bench: Bench, seconds: float, *buttons: Button) -> None:
    for button in buttons:
        bench.box.board.press(button)
    bench.run(seconds)
    for button in buttons:
        bench.box.board.release(button)
    bench.run(4 * TICK_S)


def test_a_and_b_together_pause_the_game_and_do_nothing_else(make: Callable[..., Bench]) -> None:
    bench = make()
    _hold(bench, 0.2, Button.A, Button.B)
    assert (bench.title(), bench.table.desk.paused) == ("Pause", True)
    _hold(bench, 2.0, Button.B, Button.A)
    assert (bench.title(), bench.table.desk.paused) == ("Round 1 of 3", False)


def test_a_button_that_is_held_goes_on_by_a_screen_of_the_list(make: Callable[..., Bench]) -> None:
    bench = make()
    bench.press(Button.A)
    _hold(bench, 1.0, Button.DOWN)
    bench.press(Button.A)
    assert bench.table.desk.language == "de", "the fourth entry was marked"

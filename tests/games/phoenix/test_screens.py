"""Every page of Phoenix as the screen shows it, in all languages side by side: en, de, es, ca."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Game
from companion.core.panel import Button
from companion.core.snapshot import Snapshot
from companion.core.table import Observation, Sighting, Stranger
from companion.face.desk import Desk
from companion.face.fonts import find_fonts
from companion.face.screen import render
from companion.face.words import LANGUAGES, load_words
from companion.service.journal import Journal
from companion.service.session import Session
from tests import goldens

GOLDEN = Path(__file__).parent / "golden"
PLAYERS = [{"name": "Ellie", "guild": "crown"}, {"name": "Sam", "guild": "bell"}, {"name": "Ezio", "guild": "key"}]
TOKENS = {
    "token-2a": "small-1",
    "token-6a": "small-1",
    "token-3a": "small-2",
    "token-8a": "small-2",
    "token-4a": "big",
    "token-9a": "big",
    "large-10a": "big",
}
START = {**TOKENS, "blue-3a": "open", "start": "seat/crown"}
FULL = {
    "small-1": {"Ellie": ["green-3a", "wild-3a"], "Sam": ["green-5a", "red-5a"], "Ezio": ["yellow-3a", "yellow-7"]},
    "small-2": {"Ellie": ["wild-2a", "red-2a"], "Sam": ["purple-7", "purple-6a"], "Ezio": ["red-6a", "blue-6a"]},
    "big": {"Ellie": ["red-7", "red-2xa"], "Sam": ["blue-4a", "green-2xa"], "Ezio": ["yellow-2xa", "purple-2xa"]},
}


class Scene:
    """A session and its desk, and a table to look at."""

    def __init__(
        self, game: Game[Any, Any], draft: dict[str, Any] | None = None, line: dict[str, Any] | None = None
    ) -> None:
        self.desk = Desk(game.melodies)
        self.lying: dict[str, str | None] = {}
        journal = Journal(":memory:")
        if line:
            journal.append([("setup", game, line, ())])
        self.session = Session(game, journal, self._take, draft, resume=line is not None)
        if line:
            self.press(Button.A)

    def _take(self, snapshot: Snapshot) -> None:
        self.desk.show(snapshot)

    def look(
        self, lying: dict[str, Any], gone: dict[str, str] | None = None, strangers: tuple[Stranger, ...] = ()
    ) -> None:
        places = {"guild-crown": (100.0, 500.0), "guild-bell": (100.0, 50.0), "guild-key": (900.0, 50.0)}
        sightings = tuple(Sighting(piece, zone, places.get(piece, (0.0, 0.0))) for piece, zone in lying.items())
        self.session.see(Observation(sightings, gone or {}, strangers))

    def press(self, button: Button) -> None:
        command = self.desk.press(button)
        if command:
            self.session.tell(command)


def _line(**more: Any) -> dict[str, Any]:
    tokens = {"small-1": [2, 6], "small-2": [3, 8], "big": [4, 9]}
    return {"game": "phoenix", "players": PLAYERS, "holder": "Ellie", "open": "blue-3a", "tokens": tokens, **more}


def _lay_guilds(game: Game[Any, Any]) -> Scene:
    scene = Scene(game)
    scene.look({"guild-crown": None})
    return scene


def _players(game: Game[Any, Any]) -> Scene:
    scene = Scene(game)
    scene.look({"guild-crown": None, "guild-bell": None, "guild-key": None})
    return scene


def _who_has(game: Game[Any, Any]) -> Scene:
    scene = Scene(game, {"players": ["Ellie", "Sam", "Ezio"]})
    scene.look({"guild-crown": None, "guild-bell": None, "guild-key": None})
    return scene


def _waiting_for_cards(game: Game[Any, Any]) -> Scene:
    scene = Scene(game, {"players": ["Ellie", "Sam", "Ezio"]})
    scene.look({"guild-crown": None})
    return scene


def _tokens(game: Game[Any, Any]) -> Scene:
    scene = Scene(game, {"players": PLAYERS})
    scene.look(
        {
            "token-2a": "small-1",
            "token-3a": "small-2",
            "token-8a": "small-2",
            "token-5a": "small-2",
            "token-4a": "big",
            "token-9a": "big",
        }
    )
    return scene


def _open_card(game: Game[Any, Any]) -> Scene:
    scene = Scene(game, {"players": PLAYERS})
    scene.look({**TOKENS, "start": "seat/crown"})
    return scene


def _two_open_cards(game: Game[Any, Any]) -> Scene:
    scene = Scene(game, {"players": PLAYERS})
    scene.look({**START, "red-7": "open"})
    return scene


def _holder(game: Game[Any, Any]) -> Scene:
    scene = Scene(game, {"players": PLAYERS})
    scene.look({**TOKENS, "blue-3a": "open"})
    scene.press(Button.DOWN)
    return scene


def _begin(game: Game[Any, Any]) -> Scene:
    scene = Scene(game, {"players": PLAYERS})
    scene.look(START)
    return scene


def _after(game: Game[Any, Any], **put: str) -> Scene:
    scene = _begin(game)
    scene.look({**START, **{name.replace("_", "-"): zone for name, zone in put.items()}})
    return scene


def _menu(game: Game[Any, Any]) -> Scene:
    scene = _taken_back(game)
    scene.look(START)
    scene.press(Button.A)  # what was taken back has been read
    scene.press(Button.A)
    return scene


def _help(game: Game[Any, Any]) -> Scene:
    scene = _begin(game)
    scene.press(Button.A)
    scene.press(Button.A)
    return scene


def _undo_asked(game: Game[Any, Any]) -> Scene:
    scene = _after(game, red_3a="big/crown")
    scene.press(Button.B)
    return scene


def _taken_back(game: Game[Any, Any]) -> Scene:
    scene = _undo_asked(game)
    scene.press(Button.A)
    return scene


def _gone(game: Game[Any, Any]) -> Scene:
    scene = _after(game, red_3a="big/crown")
    scene.look(START, {"red-3a": "big/crown"})
    return scene


def _foreign(game: Game[Any, Any]) -> Scene:
    scene = _begin(game)
    scene.look(START, strangers=(Stranger("foreign", "WINE 1999", "big/crown"),))
    return scene


def _treasure(game: Game[Any, Any], **more: Any) -> Scene:
    return Scene(game, line=_line(nests=FULL, deck=35) | more)


def _which_token(game: Game[Any, Any]) -> Scene:
    scene = Scene(game, line=_line(nests=FULL, deck=35) | {"tokens": {"small-1": [], "small-2": [], "big": [4, 9]}})
    lying = {"blue-3a": "open", "start": "seat/crown", "token-4a": "big"}
    scene.look(lying, {"large-10a": "big", "token-9a": "big"})
    return scene


def _between(game: Game[Any, Any], lying: dict[str, Any]) -> Scene:
    tokens: dict[str, list[int]] = {"small-1": [], "small-2": [], "big": []}
    more = {"tokens": tokens, "large_there": False, "holder": "Sam", "scores": {"Sam": 20}}
    scene = Scene(game, line=_line(nests=FULL, deck=35) | more)
    scene.look({"blue-3a": "open", "start": "seat/crown", **lying})
    return scene


def _over(game: Game[Any, Any], scores: dict[str, int]) -> Scene:
    tokens: dict[str, list[int]] = {"small-1": [], "small-2": [], "big": []}
    more = {"round": 3, "tokens": tokens | {"big": [4]}, "large_there": False, "large_to": "Ellie", "scores": scores}
    scene = Scene(game, line=_line(nests=FULL, deck=35) | more)
    scene.look({"blue-3a": "open", "start": "seat/crown"}, {"token-4a": "big"})
    return scene


SCENES: dict[str, Callable[[Game[Any, Any]], Scene]] = {
    "prepare-guild-cards": _lay_guilds,
    "prepare-how-many-players": _players,
    "prepare-who-has-which": _who_has,
    "prepare-waiting-for-cards": _waiting_for_cards,
    "prepare-tokens": _tokens,
    "prepare-open-card": _open_card,
    "prepare-two-open-cards": _two_open_cards,
    "prepare-holder": _holder,
    "play-begin": _begin,
    "play-after-a-card": lambda game: _after(game, red_3a="big/crown"),
    "play-menu": _menu,
    "play-help": _help,
    "undo-asked": _undo_asked,
    "undo-done": _taken_back,
    "dispute-not-your-turn": lambda game: _after(game, red_3a="big/bell"),
    "dispute-nobodys-side": lambda game: _after(game, red_3a="small-1/leaf"),
    "dispute-two-at-once": lambda game: _after(game, red_3a="big/crown", red_4a="small-1/crown"),
    "dispute-slipped": lambda game: _after(game, blue_3a="big/crown"),
    "dispute-must-stay": _gone,
    "dispute-foreign": _foreign,
    "dispute-token": lambda game: _after(game, token_9b="big"),
    "treasure": _treasure,
    "treasure-big-nest": lambda game: _treasure(game, tokens={"small-1": [], "small-2": [], "big": [4, 9]}),
    "treasure-which-token": _which_token,
    "between-clear": lambda game: _between(game, {"green-3a": "small-1/crown"}),
    "between-tokens": lambda game: _between(game, {"token-3b": "small-1", "large-10b": "big", "token-5a": "big"}),
    "over-one-winner": lambda game: _over(game, {"Ellie": 30, "Sam": 24, "Ezio": 20}),
    "over-shared": lambda game: _over(game, {"Ellie": 20, "Sam": 24, "Ezio": 20}),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_page_looks_like_its_golden_picture(name: str, phoenix: Game[Any, Any], tmp_path: Path) -> None:
    fonts = find_fonts()
    if fonts.remedy:
        pytest.skip(fonts.remedy)
    panel = SCENES[name](phoenix).desk.panel()
    columns = [render(panel, load_words(language, phoenix), fonts) for language in LANGUAGES]
    goldens.check(goldens.sheet(columns), GOLDEN / f"{name}.png", tmp_path)


def test_every_golden_picture_belongs_to_a_scene() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == set(SCENES)

"""Every page of Storytelling as the screens show it, in all languages side by side: en, de, es, ca."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.game import Game, Refusal, decode
from companion.core.panel import Button, Panel
from companion.core.snapshot import Snapshot
from companion.core.table import Observation, Sighting
from companion.face.desk import Desk
from companion.face.fonts import find_fonts
from companion.face.screen import render
from companion.face.words import LANGUAGES, load_words
from companion.games import load
from companion.service.history import Made
from companion.service.journal import Journal
from companion.service.session import Session
from tests import goldens

GOLDEN = Path(__file__).parent / "golden"
ELLIE, SAM, EZIO = "Ellie", "Sam", "Ezio"
NUMBERED = [{"name": "1"}, {"name": "2"}]
SMALL: dict[str, Any] = {
    "name": "A small tale",
    "tiles": [{"name": f"T{i:02}", "colour": ("red", "blue", "green", "gold")[i % 4]} for i in range(1, 17)],
    "cards": [{"number": i, "pictures": [f"T{i:02}"], "points": 1 + (i == 1)} for i in range(1, 14)],
}
"""Cards of one picture each: a game with it is soon over."""


class Scene:
    """A session and its desk, and a table to look at."""

    def __init__(self, draft: dict[str, Any] | None = None, **line: Any) -> None:
        self.game: Game[Any, Any] = load("storytelling")
        self.desk = Desk(self.game.melodies)
        self.at_s = 1.0
        journal = Journal(":memory:")
        whole = {"game": "storytelling", "players": [ELLIE, SAM, EZIO], "first": ELLIE, "storyteller": "", **line}
        if draft is None:
            journal.append([("setup", self.game, whole, ())])
        self.session = Session(self.game, journal, self._take, draft, resume=draft is None)
        if draft is None:
            self.press(Button.A)

    def _take(self, snapshot: Snapshot) -> None:
        self.desk.show(snapshot)

    def look(self, lying: dict[str, str] | None = None, gone: dict[str, str] | None = None) -> None:
        self.at_s += 1.0
        sightings = tuple(Sighting(piece, zone) for piece, zone in (lying or {}).items())
        self.session.see(Observation(sightings, gone or {}, at_s=self.at_s))

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            command = self.desk.press(button)
            if command:
                self.session.tell(command)

    def play(self, *moves: dict[str, Any]) -> Scene:
        """Makes moves as if the table and the buttons had told them."""
        for line in moves:
            move = decode(self.game, line)
            step = self.game.apply(self.session.state, move)
            assert not isinstance(step, Refusal), step
            assert self.session.history
            self.session.history.do(Made(step.state, line, step.events))
        self.look()
        return self

    def change(self, **fields: Any) -> None:
        """Another state, as moves alone would hardly reach it."""
        assert self.session.history
        *_, last = self.session.history.past
        self.session.history.past[-1] = replace(last, state=replace(last.state, **fields))

    def turn(self, tile: str, cell: str) -> dict[str, str]:
        """Where the table shows a tile."""
        return {self.session.state.story.piece(tile): f"grid/{cell}"}


def _card(number: int) -> dict[str, Any]:
    return {"do": "card", "number": number}


def _flip(tile: str, cell: str) -> dict[str, Any]:
    return {"do": "flip", "cell": [int(cell[1]) - 1, "ABCDEFGH".index(cell[0])], "tile": tile}


DOWN: dict[str, Any] = {"do": "turn-down"}


def _asked(**draft: Any) -> Scene:
    scene = Scene(draft)
    scene.look()
    return scene


def _cinderella(mode: str = "basic", **more: Any) -> Scene:
    return Scene(story="cinderella", mode=mode, **more)


def _shown(scene: Scene, number: int = 1) -> Scene:
    """With this card shown; the cards before were read without luck."""
    state = scene.session.state
    unread = tuple(n for n in state.unread if n >= number)
    scene.change(unread=unread, read=tuple(range(1, number)))
    return scene.play(_card(number))


def _found(scene: Scene, number: int, found: int) -> Scene:
    """With the first pictures of a card found, and lying face up."""
    _shown(scene, number)
    pairs = tuple(zip(scene.session.state.shown.pictures[:found], ("A1", "B1", "C1", "D1"), strict=False))
    scene.play(*(_flip(tile, cell) for tile, cell in pairs))
    return _lying(scene, *pairs)


def _with(scene: Scene, act: Callable[[Scene], None]) -> Scene:
    act(scene)
    return scene


def _lying(scene: Scene, *pairs: tuple[str, str]) -> Scene:
    """With these tiles seen face up in these cells."""
    scene.look({piece: zone for tile, cell in pairs for piece, zone in scene.turn(tile, cell).items()})
    return scene


def _failed(scene: Scene, *extra: tuple[str, str]) -> Scene:
    """Card 1 was shown, and a wrong tile turned."""
    scene.play(_card(1))
    return scene.play(*(_flip(tile, cell) for tile, cell in extra))


def _swapped() -> Scene:
    scene = _failed(_cinderella(), ("CLOCK", "B2")).play(DOWN, _card(2))
    return _lying(scene, ("CLOCK", "C3"))


def _breath() -> Scene:
    return Scene(story="saint-george", mode="stinky-breath")


def _blew() -> Scene:
    """BLEW was turned up wrongly."""
    scene = Scene(story="three-little-pigs", mode="wolf-blew").play(_card(1), _flip("BLEW", "C3"))
    return _lying(scene, ("BLEW", "C3"))


def _midnight(strokes: int, **more: Any) -> Scene:
    scene = _cinderella("midnight")
    scene.change(clock=strokes, won=((1, 3), (2,), ()), unread=tuple(range(4, 14)), **more)
    scene.look({"clock": f"dial/{strokes % 12}"})
    return scene


def _race(hare: int, tortoise: int) -> Scene:
    scene = Scene(story="hare-and-tortoise", mode="race")
    scene.change(hare=hare, tortoise=tortoise, completed=tortoise // 2)
    scene.look({"hare": f"track/{hare}", "tortoise": f"track/{tortoise}"})
    return scene


def _over(won: tuple[tuple[int, ...], ...]) -> Scene:
    scene = Scene(story=SMALL, mode="basic")
    state = scene.session.state
    taken = {number for cards in won for number in cards}
    left = tuple(number for number in state.unread if number not in taken)
    scene.change(won=won, unread=left, completed=len(taken))
    return scene.play(_card(left[0]), _flip(f"T{left[0]:02}", "A1"))


def _page(scene: Scene, *buttons: Button) -> Scene:
    scene.press(*buttons)
    return scene


SCENES: dict[str, Callable[[], Scene]] = {
    "prepare-story": lambda: _asked(),
    "prepare-mode": lambda: _asked(story="cinderella"),
    "prepare-players": lambda: _asked(story="hare-and-tortoise", mode="race"),
    "prepare-storyteller": lambda: _asked(story="cinderella", mode="basic", players=[ELLIE, SAM]),
    "prepare-first": lambda: _asked(
        story="cinderella", mode="basic", players=[{"name": "1"}, {"name": "2"}], storyteller=""
    ),
    "prepare-tiles": lambda: _with(
        Scene({"story": "cinderella", "mode": "basic", "players": [ELLIE, SAM], "storyteller": "", "first": SAM}),
        lambda scene: scene.look({"cell-01": "grid/A1", "cell-06": "grid/B2", "cinderella-03": "grid/D4"}),
    ),
    "prepare-figures": lambda: _with(
        Scene({"story": "hare-and-tortoise", "mode": "race", "players": [ELLIE, SAM], "storyteller": "", "first": SAM}),
        lambda scene: scene.look({"hare": "track/5"}),
    ),
    "card-next": lambda: _with(_cinderella(), lambda scene: scene.look()),
    "card-reader-plays": lambda: _with(_cinderella(storyteller=SAM), lambda scene: scene.look()),
    "card-tile-up": lambda: _lying(_cinderella(), ("SHOE", "C2")),
    "card-tile-missing": lambda: _with(_cinderella(), lambda scene: scene.look({"cell-11": "grid/C3"})),
    "flip-text-large": lambda: _shown(_cinderella()),
    "flip-text-small": lambda: _with(_shown(_cinderella(), 5), lambda s: setattr(s.desk, "large", False)),
    "flip-found-one": lambda: _found(_cinderella(), 6, 1),
    "flip-found-three-of-six": lambda: _found(_cinderella(), 13, 3),
    "flip-menu": lambda: _page(_shown(_cinderella()), Button.A),
    "flip-help": lambda: _page(_shown(_cinderella()), Button.A, Button.A),
    "dispute-two-at-once": lambda: _lying(_shown(_cinderella()), ("SHOE", "A1"), ("FAIRY", "C2")),
    "dispute-swapped": _swapped,
    "dispute-turned-back": lambda: _with(
        _found(_cinderella(), 6, 1),
        lambda s: s.look({}, {s.session.state.story.piece(s.session.state.up[0][1]): "grid/A1"}),
    ),
    "dispute-tile-missing": lambda: _with(_shown(_cinderella()), lambda scene: scene.look({"cell-11": "grid/C3"})),
    "dispute-not-now": lambda: _lying(_failed(_cinderella(), ("PALACE", "A4")), ("PALACE", "A4"), ("SHOE", "B4")),
    "dispute-figure": lambda: _with(_midnight(3).play(_card(4)), lambda s: s.look({"clock": "dial/2"})),
    "tidy-won": lambda: _lying(_failed(_cinderella(), ("CINDERELLA", "B2")), ("CINDERELLA", "B2")),
    "tidy-failed": lambda: _lying(_failed(_cinderella(), ("PALACE", "A4")), ("PALACE", "A4")),
    "tidy-shuffle": lambda: _lying(_failed(_breath(), ("BREATH", "D2")), ("BREATH", "D2")),
    "tidy-shuffle-lifted": lambda: _with(
        _failed(_breath(), ("BREATH", "D2")), lambda s: s.look({"cell-08": "grid/D2"}, s.turn("BREATH", "D2"))
    ),
    "tidy-blow": _blew,
    "tidy-blow-asked": lambda: _page(_blew(), Button.A),
    "midnight-three-strokes": lambda: _page(_midnight(3), Button.DOWN, Button.DOWN),
    "midnight-clock-to-be-moved": lambda: _with(_midnight(3), lambda s: s.look({"clock": "dial/2"})),
    "midnight-last-stroke": lambda: _page(_midnight(11), Button.DOWN, Button.DOWN),
    "midnight-retire": lambda: _failed(_cinderella("midnight"), ("SHOE", "A1")).play(DOWN),
    "midnight-strikes": lambda: _midnight(11, retired=(1,)).play(_card(4), _flip("FIRE", "A1")),
    "midnight-nobody": lambda: _midnight(11).play(_card(4), _flip("FIRE", "A1")),
    "race-track": lambda: _page(_race(7, 4), Button.DOWN),
    "race-same-square": lambda: _page(_race(6, 6), Button.DOWN),
    "race-won": lambda: _race(9, 18).play(_card(1), _flip("HARE", "A1")),
    "race-lost": lambda: _race(18, 12).play(_card(1), _flip("CUP", "A1")),
    "over-one-winner": lambda: _over(((1, 2, 3, 4, 5), (6, 7), (8, 9))),
    "over-by-cards": lambda: _over(((1, 2), (3, 4, 5), (6, 7, 8, 9))),
    "over-shared": lambda: _over(((2, 3, 4), (5, 6, 7, 8), (1, 9))),
}


ASIDES: dict[str, Callable[[], Scene]] = {
    "aside-waiting": lambda: _with(_cinderella(), lambda scene: scene.look()),
    "aside-one": lambda: _shown(_cinderella()),
    "aside-three": lambda: _found(_cinderella(), 6, 1),
    "aside-six": lambda: _found(_cinderella(), 13, 3),
    "aside-tidy": lambda: _failed(_cinderella(), ("PALACE", "A4")),
    "aside-tidy-shuffle": lambda: _failed(_breath(), ("BREATH", "D2")),
    "aside-retire": lambda: _failed(_cinderella("midnight"), ("SHOE", "A1")).play(DOWN),
}


@pytest.mark.parametrize("name", SCENES)
def test_each_page_looks_like_its_golden_picture(name: str, tmp_path: Path) -> None:
    fonts = find_fonts()
    if fonts.remedy:
        pytest.skip(fonts.remedy)
    scene = SCENES[name]()
    panel = scene.desk.panel()
    columns = [render(panel, load_words(language, scene.game), fonts) for language in LANGUAGES]
    goldens.check(goldens.sheet(columns), GOLDEN / f"{name}.png", tmp_path)


@pytest.mark.parametrize("name", ASIDES)
def test_each_second_screen_looks_like_its_golden_picture(name: str, tmp_path: Path) -> None:
    fonts = find_fonts()
    if fonts.remedy:
        pytest.skip(fonts.remedy)
    scene = ASIDES[name]()
    panel = Panel(scene.game.aside(scene.session.state))
    columns = [render(panel, load_words(language, scene.game), fonts) for language in LANGUAGES]
    goldens.check(goldens.sheet(columns), GOLDEN / f"{name}.png", tmp_path)


def test_every_golden_picture_belongs_to_a_scene() -> None:
    assert {path.stem for path in GOLDEN.glob("*.png")} == {*SCENES, *ASIDES}

"""The box from power-on to power-off, worked by its four buttons alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.app.hardware import SimulatedBox
from companion.app.host import Host, Load
from companion.core.messages import LANGUAGES, Message, say
from companion.core.panel import Button, Lamp, Text
from companion.core.table import Observation, Sighting
from companion.face.fonts import find_fonts
from companion.face.screen import render
from companion.games import load
from companion.service.kept import Kept, Settings
from tests import goldens
from tests.service.poor_disk import read_only
from vision.frame import Frame

GOLDEN = Path(__file__).parent / "golden"
TICK_S = 0.05
CARDS = {"guild-crown": (100.0, 500.0), "guild-bell": (900.0, 500.0)}
LAID = {
    "token-2a": "small-1", "token-3a": "small-2", "token-4a": "big", "large-10a": "big", "blue-3a": "open",
    "start": "seat/crown",
}  # fmt: skip


class NoCamera:
    """Has no frames; what is seen is handed in."""

    name = "none"
    closed = False

    def read(self) -> Frame | None:
        return None

    def close(self) -> None:
        self.closed = True


class Bench:
    """A box on a bench, whose plug can be pulled."""

    def __init__(self, folder: Path, names: tuple[str, ...] = ("phoenix", "storytelling"), **more: Any) -> None:
        self.folder, self.names, self.more = folder, names, more
        self.load: Load = load
        self.now_s = 0.0
        self.lines: list[str] = []
        self.plug_in()

    def plug_in(self) -> None:
        if hasattr(self, "host"):
            self.host._close_journal()  # a process that is killed loses its lock on it
        self.box = SimulatedBox(lambda: self.now_s)
        self.camera = NoCamera()
        self.host = Host(
            self.names, self.load, self.camera, self.box.hardware, self.folder, Kept(self.folder / "kept.json"),
            find_fonts([]), log=self.lines.append, **self.more,
        )  # fmt: skip
        self.run(TICK_S)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            self.box.fingers()
            self.host.step(self.now_s)

    def press(self, *buttons: Button) -> None:
        for button in buttons:
            self.box.push(button)
            self.run(4 * TICK_S)

    def see(self, lying: dict[str, str]) -> None:
        seats = tuple(Sighting(card, None, at) for card, at in CARDS.items())
        things = tuple(Sighting(piece, zone) for piece, zone in lying.items())
        self.host.table.see(Observation((*seats, *things), at_s=1.0))
        self.run(TICK_S)

    def choose(self, label: str) -> None:
        """Marks a line of the open list with the button down, and takes it with A."""
        for _ in range(20):
            marked = [
                e for page in self.host.table.desk.panel().pages for e in page.elements if getattr(e, "marked", 0)
            ]
            if marked and self.host.table.words.say(marked[0].left) == label:
                self.press(Button.A)
                return
            self.press(Button.DOWN)
        raise AssertionError(f"{label!r} is not in the list")

    def title(self) -> str:
        return self.host.table.words.say(self.host.table.desk.panel().pages[0].title)

    def said(self) -> list[str]:
        """All texts of all pages."""
        pages = self.host.table.desk.panel().pages
        return [self.host.table.words.say(e.message) for page in pages for e in page.elements if isinstance(e, Text)]

    @property
    def game(self) -> str:
        return str(self.host.table.game.id)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def _begin_phoenix(bench: Bench) -> None:
    bench.choose("Schatz des Phönix")
    bench.see({})
    bench.press(Button.A)  # all players are here
    bench.see(LAID)


def test_it_begins_with_the_choice_of_games(bench: Bench) -> None:
    assert (bench.game, bench.title()) == ("lobby", "Which game?")


def test_a_game_is_chosen_and_set_up_with_the_buttons(bench: Bench) -> None:
    _begin_phoenix(bench)
    assert bench.game == "phoenix"
    assert bench.host.table.snapshot.facts is not None


def test_after_a_cut_the_game_goes_on_where_it_was(bench: Bench) -> None:
    _begin_phoenix(bench)
    bench.see({**LAID, "red-3a": "big/crown"})
    facts = bench.host.table.snapshot.facts
    bench.plug_in()
    assert (bench.game, bench.host.table.snapshot.facts) == ("phoenix", facts)


def test_one_can_go_to_another_game_and_come_back(bench: Bench) -> None:
    _begin_phoenix(bench)
    facts = bench.host.table.snapshot.facts
    bench.press(Button.A)
    bench.choose("Other games")
    bench.press(Button.A)
    assert bench.game == "lobby"
    bench.choose("Storytelling")
    assert (bench.game, bench.title()) == ("storytelling", "Which tale?")
    bench.press(Button.B)
    bench.choose("Other games")
    bench.press(Button.A)
    bench.choose("Schatz des Phönix")
    bench.choose("Carry on")
    assert (bench.game, bench.host.table.snapshot.facts) == ("phoenix", facts)


def test_a_game_that_was_given_up_is_not_carried_on(bench: Bench) -> None:
    _begin_phoenix(bench)
    bench.press(Button.A)
    bench.choose("New game")
    bench.press(Button.A)
    assert bench.host.table.snapshot.facts is None
    bench.plug_in()
    assert bench.game == "lobby"


def test_language_and_sound_are_kept_for_the_next_evening(bench: Bench) -> None:
    bench.press(Button.B)
    bench.choose("Deutsch")
    bench.choose("Ton aus")
    bench.plug_in()
    assert bench.host.table.words.language == "de"
    assert not bench.host.table.desk.sound


def test_a_game_that_cannot_be_opened_is_named_and_the_others_are_offered(bench: Bench) -> None:
    (bench.folder / "storytelling.journal").mkdir()
    bench.choose("Storytelling")
    assert bench.game == "lobby"
    first = bench.said()[0]
    assert first.startswith("This game can not be opened: journal ")
    assert "storytelling.journal" in first
    assert any("storytelling.journal" in line for line in bench.lines)
    bench.press(Button.A)
    bench.choose("Schatz des Phönix")
    assert bench.game == "phoenix"
    assert first not in bench.said()


@pytest.mark.parametrize("name", ["phoenix.journal", "phoenix.journal-2"])
@pytest.mark.parametrize("gone", [False, True])
def test_after_a_journals_file_was_damaged_the_box_carries_on_and_says_so(bench: Bench, name: str, gone: bool) -> None:
    _begin_phoenix(bench)
    bench.see({**LAID, "red-3a": "big/crown", "red-4a": "big/bell"})
    facts = bench.host.table.snapshot.facts
    bench.host._close_journal()
    path = bench.folder / name
    if gone:
        path.unlink()
    else:
        path.write_bytes(path.read_bytes().replace(b'"card":"red-4a"', b'"card":"red-5a"'))
    bench.plug_in()
    assert (bench.game, bench.host.table.snapshot.facts) == ("phoenix", facts)
    kept = [aside.name for aside in bench.folder.glob("*.damaged-*")]
    said = f"A file with the saved games was gone. Nothing is lost: it is made anew as {name}."
    if not gone:
        (aside,) = kept
        assert aside.startswith(f"{name}.damaged-")
        said = "A file with the saved games was damaged. Nothing is lost: the other one had it all. "
        said += f"It is kept as {aside}."
    assert said in bench.lines


def test_after_a_whole_journal_was_damaged_the_box_carries_on_with_what_can_be_read_and_says_so(bench: Bench) -> None:
    _begin_phoenix(bench)
    bench.see({**LAID, "red-3a": "big/crown"})
    facts = bench.host.table.snapshot.facts
    bench.see({**LAID, "red-3a": "big/crown", "red-4a": "big/bell"})
    bench.host._close_journal()
    for path in bench.folder.glob("phoenix.journal*"):
        path.write_bytes(path.read_bytes().replace(b'"card":"red-4a"', b'"card":"red-5a"'))
    bench.plug_in()
    assert (bench.game, bench.host.table.snapshot.facts) == ("phoenix", facts)
    said = [
        f"A file with the saved games was damaged. It is kept as {path.name}."
        for path in bench.folder.glob("*.damaged-*")
    ]
    assert len(said) == 2
    assert {*said, "Of the saved games all is missing from entry 3 on."} <= {*bench.lines}


def test_what_cannot_be_saved_is_said_and_counts_once_it_can(bench: Bench) -> None:
    _begin_phoenix(bench)
    with read_only():
        bench.see({**LAID, "red-3a": "big/crown"})
    text = "The disk can't be written, so the game waits. I keep trying."
    assert bench.said()[0] == text
    assert text in bench.lines
    bench.see({**LAID, "red-3a": "big/crown"})
    facts = bench.host.table.snapshot.facts
    assert facts
    assert facts["turn"] == "bell"


def test_the_game_of_the_settings_begins_by_itself(tmp_path: Path) -> None:
    bench = Bench(tmp_path, first="phoenix")
    assert (bench.game, bench.host.doing) == ("phoenix", "phoenix")


def test_a_game_that_is_to_be_carried_on_goes_before_that_of_the_settings(tmp_path: Path) -> None:
    bench = Bench(tmp_path, first="storytelling")
    bench.press(Button.B)
    bench.choose("Other games")
    bench.press(Button.A)
    _begin_phoenix(bench)
    bench.plug_in()
    assert bench.game == "phoenix"


def test_the_game_of_the_settings_asks_whether_its_last_one_goes_on(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    _begin_phoenix(bench)
    facts = bench.host.table.snapshot.facts
    (tmp_path / "kept.json").unlink()
    bench.more = {"first": "phoenix"}
    bench.plug_in()
    assert (bench.game, bench.title()) == ("lobby", "Carry on?")
    bench.choose("Carry on")
    assert (bench.game, bench.host.table.snapshot.facts) == ("phoenix", facts)


def test_the_box_says_what_it_is_called(tmp_path: Path) -> None:
    assert Bench(tmp_path, name="Kitchen").host.doing == "Kitchen: lobby"


class SafeMode:
    """Safe mode for a reason, and how often it was left."""

    def __init__(self, reason: str | Message) -> None:
        self.left = 0
        message = say("trouble.safe-mode", reason=reason)
        self.more = {"leave_safe": self.leave, "troubles": {"safe-mode": message}}

    def leave(self) -> None:
        self.left += 1


def test_safe_mode_says_why_and_is_left_by_one_press(tmp_path: Path) -> None:
    mode = SafeMode("OSError: no such bus")
    bench = Bench(tmp_path, **mode.more)
    assert bench.said() == [
        "Safe mode, no camera: three starts failed. OSError: no such bus",
        "A starts me with camera. Without: in the menu.",
    ]
    assert Lamp.AMBER in bench.box.board.lit()
    bench.press(Button.A)
    assert mode.left


def test_one_can_play_on_in_safe_mode(tmp_path: Path) -> None:
    mode = SafeMode("OSError: no such bus")
    bench = Bench(tmp_path, **mode.more)
    bench.press(Button.B)
    bench.choose("Safe mode")
    bench.choose("Go on without camera")
    assert (bench.title(), mode.left) == ("Which game?", 0)
    bench.choose("Schatz des Phönix")
    assert bench.said()[0] == "Safe mode, no camera: three starts failed. OSError: no such bus"


def test_in_safe_mode_no_game_is_carried_on_by_itself(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    _begin_phoenix(bench)
    bench.more = SafeMode("").more
    bench.plug_in()
    assert bench.game == "lobby"


@pytest.mark.parametrize("language", LANGUAGES)
def test_safe_mode_looks_like_its_golden_picture(tmp_path: Path, language: str) -> None:
    mode = SafeMode(say("lobby.cut-off"))
    table = Bench(tmp_path, language=language, **mode.more).host.table
    screens = render(table.desk.panel(), table.words, find_fonts())
    goldens.check(goldens.sheet([screens]), GOLDEN / f"safe-mode-{language}.png", tmp_path)


def test_what_can_not_be_used_of_the_settings_is_said_until_they_are_set_anew(tmp_path: Path) -> None:
    (tmp_path / "kept.json").write_text('{"language": "fr", "game": "chess"}')
    bench = Bench(tmp_path, troubles={"kept": say("trouble.kept", what=["language", "game"])})
    bench.choose("Schatz des Phönix")
    text = "Of what was set by the buttons, this is lost: the language and the last game. Please set it again."
    assert text in bench.said()
    bench.press(Button.A)
    bench.choose("Deutsch")
    bench.press(Button.B)
    assert not any("Tasten" in line for line in bench.said())
    assert Kept(tmp_path / "kept.json").settings == Settings("de", game="phoenix")


def test_everything_is_given_back_at_the_end(bench: Bench) -> None:
    _begin_phoenix(bench)
    bench.host.close()
    assert bench.camera.closed


def test_what_is_kept_is_always_whole(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "kept.json")
    assert kept.keep(Settings("ca", False, True, "phoenix"))
    assert Kept(tmp_path / "kept.json").settings == Settings("ca", False, True, "phoenix")
    (tmp_path / "kept.json").write_text("{")
    assert Kept(tmp_path / "kept.json").settings == Settings()


def test_settings_that_cannot_be_written_stop_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_path: Path, _content: bytes) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("companion.service.kept.write_whole", full)
    assert not Kept(tmp_path / "kept.json").keep(Settings("ca"))

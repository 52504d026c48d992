"""The box from power-on to power-off, worked by its four buttons alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.app.hardware import SimulatedBox
from companion.app.host import Host
from companion.core.panel import Button
from companion.core.table import Observation, Sighting
from companion.face.fonts import find_fonts
from companion.games import load
from companion.service.kept import Kept, Settings
from tests.service.poor_disk import read_only
from vision.frame import Frame

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

    def __init__(self, folder: Path, names: tuple[str, ...] = ("phoenix", "storytelling")) -> None:
        self.folder, self.names = folder, names
        self.now_s = 0.0
        self.lines: list[str] = []
        self.plug_in()

    def plug_in(self) -> None:
        if hasattr(self, "host"):
            self.host._close_journal()  # a process that is killed loses its lock on it
        self.box = SimulatedBox(lambda: self.now_s)
        self.camera = NoCamera()
        self.host = Host(
            self.names, load, self.camera, self.box.hardware, self.folder, Kept(self.folder / "kept.json"),
            find_fonts([]), log=self.lines.append,
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
    said = [
        bench.host.table.words.say(e.message)
        for p in bench.host.table.desk.panel().pages
        for e in p.elements
        if hasattr(e, "message")
    ]
    bench.press(Button.B, Button.B)
    assert any("storytelling.journal" in line for line in bench.lines), said
    bench.choose("Schatz des Phönix")
    assert bench.game == "phoenix"


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
    page = bench.host.table.desk.panel().pages[0]
    assert [bench.host.table.words.say(e.message) for e in page.elements] == [text]  # type: ignore[union-attr]
    assert text in bench.lines
    bench.see({**LAID, "red-3a": "big/crown"})
    facts = bench.host.table.snapshot.facts
    assert facts
    assert facts["turn"] == "bell"


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

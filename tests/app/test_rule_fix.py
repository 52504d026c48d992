"""A saved game that newer rules forbid: that is said in plain words, and the game is carried on all the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from test_host import LAID, Bench, _begin_phoenix

from companion.app.play import Options, Play
from companion.core.errors import CompanionError
from companion.core.game import Game, Refusal
from companion.core.messages import LANGUAGES
from companion.core.panel import Button, Lamp
from companion.face.fonts import find_fonts
from companion.face.screen import render
from companion.games import load
from companion.games.phoenix import Phoenix
from companion.service.archive import entries_of
from companion.service.entries import LEFT_OUT, MOVE, SETUP, Entry
from tests import goldens

GOLDEN = Path(__file__).parent / "golden"
FOUR = {"red-3a": "big/crown", "green-4a": "big/bell", "yellow-2a": "small-1/crown", "wild-2a": "small-2/bell"}
REFUSED = "yellow-2a"


class Stricter(Phoenix):
    """A rule was mended: this card may not be laid."""

    def apply(self, state: Any, move: Any) -> Any:
        if getattr(move, "card", "") == REFUSED:
            return Refusal("not-allowed", "playing-a-card", {"card": REFUSED})
        return super().apply(state, move)


class NeverSetUp(Phoenix):
    """A rule of the set-up was mended."""

    def setup(self, line: Any) -> Any:
        return Refusal("bad-setup", "setup", {"reason": "the moon is not full"})


def _with(game: Game[Any, Any]) -> Any:
    return lambda name: game if name == "phoenix" else load(name)


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A box in which a game of four moves was played, and that is switched off."""
    return _played(Bench(tmp_path))


def _played(bench: Bench) -> Bench:
    _begin_phoenix(bench)
    for count in range(1, len(FOUR) + 1):
        bench.see({**LAID, **dict(list(FOUR.items())[:count])})
    assert _kinds(bench)[-4:] == [MOVE] * 4
    return bench


def _updated(bench: Bench, game: Game[Any, Any]) -> Bench:
    """The box starts again with another version of the program."""
    bench.load = _with(game)
    bench.plug_in()
    return bench


def _entries(bench: Bench) -> list[Entry]:
    return [entry for entry in entries_of(bench.folder / "phoenix.journal") if isinstance(entry, Entry)]


def _kinds(bench: Bench) -> list[str]:
    return [entry.kind for entry in _entries(bench)]


def _labels(bench: Bench) -> list[str]:
    rows = [e for page in bench.host.table.desk.panel().pages for e in page.elements if hasattr(e, "left")]
    return [bench.host.table.words.say(row.left) for row in rows]


def test_the_box_says_first_of_all_what_has_happened_and_why(bench: Bench) -> None:
    _updated(bench, Stricter())
    assert (bench.game, bench.title()) == ("lobby", "Schatz des Phönix")
    assert bench.said() == [
        "Rules have changed. This game holds to move 2 of 4.",
        "No longer allowed: Crown: yellow 2 at nest 1",
        "The rules don't allow that. Please put it back as it was.",
    ]
    assert Lamp.AMBER in bench.box.board.lit()
    assert not any("{" in line for line in (*bench.said(), *bench.lines))


def test_it_is_carried_on_from_the_last_move_that_holds_and_so_it_is_after_the_next_start(bench: Bench) -> None:
    before = _entries(bench)
    _updated(bench, Stricter())
    bench.press(Button.A)
    assert _labels(bench) == ["After move 2", "Version before", "A new game", "Other games", "Menu"]
    bench.choose("After move 2")
    facts = bench.host.table.snapshot.facts
    assert facts
    assert (bench.game, facts["turn"], facts["nests"]["small-1"]["crown"]) == ("phoenix", "crown", [])
    added = _entries(bench)[len(before) :]
    assert (_entries(bench)[: len(before)], [(e.kind, e.body) for e in added]) == (before, [(LEFT_OUT, {"entries": 2})])
    bench.see({**LAID, "red-3a": "big/crown", "green-4a": "big/bell", "red-5a": "small-1/crown"})
    facts = bench.host.table.snapshot.facts
    bench.plug_in()
    assert (bench.game, bench.host.table.snapshot.facts) == ("phoenix", facts)
    _updated(bench, Phoenix())
    assert (bench.game, bench.host.table.snapshot.facts) == ("phoenix", facts)


def test_what_was_left_out_and_still_lies_there_is_in_dispute(bench: Bench) -> None:
    _updated(bench, Stricter())
    bench.press(Button.A)
    bench.choose("After move 2")
    taken = {**LAID, "red-3a": "big/crown", "green-4a": "big/bell", "wild-2a": "small-2/bell"}
    bench.see(taken)
    assert [dispute.piece for dispute in bench.host.table.snapshot.disputes] == ["wild-2a"]


def test_the_way_back_to_the_version_before_is_told_and_there_the_game_goes_on(bench: Bench) -> None:
    facts, kinds = bench.host.table.snapshot.facts, _kinds(bench)
    _updated(bench, Stricter())
    bench.press(Button.A)
    bench.choose("Version before")
    assert bench.game == "lobby"
    _, folder, further, command = bench.said()
    way = [line.removeprefix("cd ").removeprefix("sudo ./") for line in (folder, further, command)]
    assert f"sudo {'/'.join(way)}" in (Path("systemd") / "README.md").read_text()
    _updated(bench, Phoenix())
    assert (bench.game, bench.host.table.snapshot.facts, _kinds(bench)) == ("phoenix", facts, kinds)


def test_a_new_game_can_be_begun_and_the_saved_one_stays_in_the_journal(bench: Bench) -> None:
    before = _entries(bench)
    _updated(bench, Stricter())
    bench.press(Button.A)
    bench.choose("A new game")
    assert (bench.game, bench.host.table.snapshot.facts) == ("phoenix", None)
    bench.see({})
    bench.press(Button.A)
    bench.see(LAID)
    after = _entries(bench)
    assert (after[: len(before)], [entry.kind for entry in after[len(before) :]]) == (before, [SETUP])


def test_other_games_can_be_played_meanwhile_and_this_one_is_asked_about_again(bench: Bench) -> None:
    _updated(bench, Stricter())
    bench.press(Button.A)
    bench.choose("Other games")
    assert bench.title() == "Which game?"
    bench.choose("Storytelling")
    assert bench.game == "storytelling"
    bench.plug_in()
    assert bench.title() == "Which game?"
    bench.choose("Schatz des Phönix")
    assert bench.title() == "Schatz des Phönix"
    bench.press(Button.A)
    bench.choose("After move 2")
    assert bench.game == "phoenix"


def test_a_game_whose_very_start_does_not_hold_can_only_be_begun_anew_or_played_with_the_version_before(
    bench: Bench,
) -> None:
    _updated(bench, NeverSetUp())
    assert bench.said() == [
        "Rules have changed. This game can't even begin by them.",
        "This set-up doesn't work: the moon is not full",
    ]
    bench.press(Button.A)
    assert _labels(bench) == ["Version before", "A new game", "Other games", "Menu"]


def test_in_a_terminal_it_is_said_as_well_and_an_option_carries_on(bench: Bench) -> None:
    bench.host._close_journal()
    options = Options(journal=bench.folder / "phoenix.journal")
    with pytest.raises(CompanionError) as raised:
        Play(Stricter(), options)
    assert str(raised.value) == (
        f"journal {options.journal}: Rules have changed. This game holds to move 2 of 4. "
        "No longer allowed: Crown: yellow 2 at nest 1. The rules don't allow that. Please put it back as it was. "
        "With --from-last-valid it goes on from there, with --new another one begins; "
        "the version before can play it as it is."
    )
    for more in ({"from_last_valid": True}, {}):
        play = Play(Stricter(), replace(options, **more))
        facts = play.table.snapshot.facts
        play.close()
        assert facts
        assert (facts["nests"]["big"], facts["turn"]) == ({"crown": ["red-3"], "bell": ["green-4"]}, "crown")
    assert _kinds(bench)[-3:] == [MOVE, MOVE, LEFT_OUT]


def test_a_move_that_was_taken_back_need_not_be_allowed_any_more(tmp_path: Path) -> None:
    """The box let something count by mistake, people took it back, and a newer version has mended the mistake."""
    bench = Bench(tmp_path)
    _begin_phoenix(bench)
    bench.see({**LAID, REFUSED: "big/crown"})
    bench.press(Button.B, Button.A)
    facts = bench.host.table.snapshot.facts
    _updated(bench, Stricter())
    assert (bench.game, bench.host.table.snapshot.facts) == ("phoenix", facts)
    assert not bench.host.table.snapshot.can_redo


def test_at_a_start_a_game_is_replayed_once(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    laid: list[str] = []

    class Counting(Phoenix):
        def apply(self, state: Any, move: Any) -> Any:
            laid.append(move.card)
            return super().apply(state, move)

    _updated(bench, Counting())
    assert (bench.game, laid) == ("phoenix", list(FOUR))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_people_see_looks_like_its_golden_picture(tmp_path: Path, language: str) -> None:
    bench = _updated(_played(Bench(tmp_path)), Stricter())
    bench.host.table.speak(language)
    shown = [_screens(bench)]
    bench.press(Button.A)
    shown.append(_screens(bench))
    bench.press(Button.DOWN, Button.A)
    shown.append(_screens(bench))
    goldens.check(goldens.sheet(shown), GOLDEN / f"rule-fix-{language}.png", tmp_path)


def _screens(bench: Bench) -> Any:
    table = bench.host.table
    return render(table.desk.panel(), table.words, find_fonts())

"""Playing, end to end: rendered frames in; log lines, lamps and the screen's true pixels out."""

from __future__ import annotations

import copy
import io
import json
import math
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
import segno
from click.testing import CliRunner

from companion.app.play import Options, Play, run_plain
from companion.app.virtual import VirtualGame
from companion.cli import main
from companion.core import tags
from companion.core.box import Piece
from companion.core.errors import CompanionError
from companion.core.game import Game, Refusal, decode
from companion.core.letters import cleaned
from companion.core.messages import verbatim
from companion.core.panel import Button, Lamp, Row
from companion.core.tags import QrTag
from companion.face.fonts import find_fonts
from companion.face.screen import picture
from companion.service.entries import SETUP
from companion.service.journal import Journal
from vision.cameras.virtual import VirtualCamera

TWO = ("Ellie", "Sam")


class Clock:
    """Goes on by a twentieth of a second with each look."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        self.now_s += 0.05
        return self.now_s


def _play(game: Game[Any, Any], **more: Any) -> Play:
    return Play(game, Options(**({"players": TWO} | more)), Clock())


def _steps(play: Play, until: Callable[[], bool], most: int = 250) -> None:
    """Steps until something is so; fails if it never is."""
    for _ in range(most):
        play.step()
        if until():
            return
    pytest.fail(f"not within {most} frames; the log: {[entry.text for entry in play.log]}")


def _texts(play: Play) -> str:
    return "\n".join(entry.text for entry in play.log)


@pytest.fixture(scope="module")
def begun(request: pytest.FixtureRequest) -> Play:
    """A virtual game whose set-up has been read; the bots are paused."""
    from companion.games import load

    play = _play(load("phoenix"))
    play.paused = True
    _steps(play, lambda: play.table.session.state is not None)
    request.addfinalizer(play.table.close)
    return play


def test_a_key_is_tapped_and_not_held_however_slow_the_computer_is(phoenix: Game[Any, Any]) -> None:
    clock = Clock()
    play = Play(phoenix, Options(players=TWO), clock)
    play.paused = True
    _steps(play, lambda: play.table.session.state is not None)

    def marked() -> list[int]:
        rows = [element for element in play.table.desk.panel().pages[0].elements if isinstance(element, Row)]
        return [number for number, row in enumerate(rows) if row.marked]

    for button in (Button.A, Button.DOWN):  # the menu, and its second line
        play.press(button)
        for _ in range(4):
            clock.now_s += 2.0
            play.step()
    assert marked() == [1]
    play.close()


def test_the_set_up_is_read_from_the_first_frames(begun: Play) -> None:
    assert begun.virtual is not None
    assert begun.game.facts(begun.table.session.state) == begun.virtual.dealer.facts()


def test_a_bots_move_is_read_shown_and_lit(begun: Play) -> None:
    assert begun.virtual is not None
    begun.bot_move()
    _steps(begun, lambda: begun.virtual is not None and begun.virtual.agrees(begun.table.session.state))
    begun.step()
    assert begun.box.board.lit() == {Lamp.GREEN}
    assert np.asarray(begun.box.panel.image()).any()
    assert any("big nest" in line or "nest" in line for line in _texts(begun).splitlines())


def test_a_wrong_act_is_disputed_until_it_is_put_right(begun: Play) -> None:
    _steps(begun, lambda: begun.virtual is not None and begun.virtual.stage.idle)
    facts = begun.game.facts(begun.table.session.state)
    begun.do_wrong()
    assert begun.mischief is not None
    _steps(begun, lambda: bool(begun.table.snapshot.disputes))
    begun.step()
    assert (begun.box.board.lit(), begun.game.facts(begun.table.session.state)) == ({Lamp.RED}, facts)
    begun.put_right()
    _steps(begun, lambda: not begun.table.snapshot.disputes)
    assert _texts(begun).endswith("The table is right again.")


@pytest.mark.parametrize("text", ["BEGIN:VCARD\r\nN:Doe\r\nEND:VCARD", "a\u2029b\u202ec\n"])
def test_a_strangers_code_is_read_from_frames_and_shown_without_what_it_could_do(
    begun: Play, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    assert begun.virtual is not None
    _steps(begun, lambda: begun.virtual is not None and begun.virtual.stage.idle)
    tag = QrTag(text)
    code = segno.make(text, micro=False, error="l").matrix
    known = tags.cells
    for module in ("shapes", "sprites", "truth"):
        monkeypatch.setattr(f"vision.scene.{module}.cells", lambda one: code if one == tag else known(one))
    stranger = Piece("stranger", "", "card", verbatim("?"), tag, 30.0, (63.0, 88.0))
    begun.virtual.scene.put(stranger, begun.virtual.pose_in("big/bell")[:2])
    _steps(begun, lambda: bool(begun.table.snapshot.disputes))
    (dispute,) = begun.table.snapshot.disputes
    assert (dispute.piece, dispute.refusal.wording) == (cleaned(text), "tag-foreign")
    begun.step()
    assert begun.box.board.lit() == {Lamp.RED}
    shown = picture(begun.table.desk.panel(), begun.words, find_fonts(), begun.table.desk.page)
    assert begun.box.panel.image().tobytes() == shown.tobytes()
    assert begun.log[-1].text.startswith("Not from this game: please take it away")
    assert begun.log[-1].text.isprintable()
    begun.virtual.scene.remove("stranger")
    _steps(begun, lambda: not begun.table.snapshot.disputes)


def test_a_seat_can_be_taken_and_its_choices_are_in_words(begun: Play) -> None:
    assert begun.virtual is not None
    _steps(begun, lambda: begun.virtual is not None and begun.virtual.stage.idle)
    begun.seat = begun.virtual.dealer.choices()[0]["by"]
    choices = begun.choices()
    text, move = choices[0]
    assert begun.seat in text
    begun.do(move)
    _steps(begun, lambda: begun.virtual is not None and begun.virtual.stage.idle)
    begun.seat = ""


def test_the_keys_are_the_boxes_buttons(begun: Play) -> None:
    begun.press(Button.B)
    _steps(begun, lambda: begun.table.desk.panel().pages[0].title.key == "title.undo", 12)
    begun.press(Button.B)
    _steps(begun, lambda: begun.table.desk.panel().pages[0].title.key != "title.undo", 12)


def test_the_language_changes_during_a_game(begun: Play) -> None:
    english = begun.screen(80, 40, colour=False)
    begun.table.speak("de")
    begun.step()
    german = begun.screen(80, 40, colour=False)
    begun.table.speak("en")
    assert english != german
    assert any("Menü" in line for line in german)


def test_a_picture_shows_zones_and_tags(begun: Play, tmp_path: Path) -> None:
    begun.write_picture(tmp_path / "table.png")
    picture = cv2.imread(str(tmp_path / "table.png"))
    assert picture is not None
    assert begun.table.frame is not None
    assert picture.shape == begun.table.frame.main.shape
    assert (picture != begun.table.frame.main).any()
    with pytest.raises(CompanionError, match="can't be written"):
        begun.write_picture(tmp_path / "nowhere" / "table.png")


def test_a_camera_that_is_unplugged_is_said_and_heals(begun: Play) -> None:
    camera = begun.table.camera
    assert isinstance(camera, VirtualCamera)
    camera.unplugged = True
    begun.step()
    begun.step()
    assert begun.table.desk.panel().pages[0].title.key == "title.trouble"
    assert Lamp.AMBER in begun.box.board.lit()
    assert sum(entry.level == "trouble" for entry in begun.log) == 1
    camera.unplugged = False
    begun.step()
    assert begun.log[-1].text == "I can see the table again."
    assert begun.table.desk.panel().pages[0].title.key != "title.trouble"


def test_a_virtual_game_carries_on_from_its_journal(phoenix: Game[Any, Any], tmp_path: Path) -> None:
    first = _play(phoenix, journal=tmp_path / "j", seed=4)
    _steps(first, lambda: first.virtual is not None and sum("nest" in e.text for e in first.log) >= 3)
    facts = first.game.facts(first.table.session.state)
    first.close()
    again = _play(phoenix, journal=tmp_path / "j", seed=4)
    assert again.game.facts(again.table.session.state) == facts
    assert "Carrying on" in _texts(again)
    count = len(again.log)
    _steps(again, lambda: sum("nest" in e.text for e in again.log[count:]) >= 1)
    assert [entry.text for entry in again.log if entry.level != "event"] == []
    again.close()


def test_a_game_stopped_at_any_move_is_laid_out_as_it_lay(phoenix: Game[Any, Any]) -> None:
    line = {"players": [{"name": "Ellie"}, {"name": "Sam"}]}
    first = VirtualGame(phoenix, 5, line)
    made: list[Any] = []
    states = [phoenix.setup(first.setup)]
    while not first.over and len(made) < 40:
        move = first.dealer.think()
        first.dealer.do(move)
        if move["do"] == "draw-deck":  # it leaves no trace, and stands in no journal
            continue
        made.append(move)
        step = phoenix.apply(states[-1], decode(phoenix, move))
        assert not isinstance(step, Refusal)
        states.append(step.state)
        if len(made) % 3:
            continue
        again = VirtualGame(phoenix, 5, line)
        again.carry_on(states, made)
        assert again.dealer.facts() == phoenix.facts(states[-1])
        for piece, zone in again.dealer.table().items():
            spots = [again._in_table(again.zones[zone], spot)[:2] for spot in again.zones[zone].spots]
            at_mm = again.scene.placed[piece].at_mm
            assert min(math.dist(at_mm, spot) for spot in spots) < 1, (len(made), piece, zone)


def test_a_game_is_carried_on_whatever_the_seed_and_nobody_needs_to_name_its_players(
    phoenix: Game[Any, Any], tmp_path: Path
) -> None:
    first = _play(phoenix, journal=tmp_path / "j", seed=4)
    _steps(first, lambda: sum("nest" in e.text for e in first.log) >= 3)
    facts = first.game.facts(first.table.session.state)
    first.close()
    with closing(_play(phoenix, journal=tmp_path / "j", seed=5, players=())) as again:
        assert again.virtual is not None
        assert (again.virtual.players, again.game.facts(again.table.session.state)) == (list(TWO), facts)
        assert again.virtual.dealer.facts() == facts
        _steps(again, lambda: sum("nest" in e.text for e in again.log) >= 1)
        assert [entry.text for entry in again.log if entry.level != "event"] == []


@pytest.mark.parametrize(
    "options", [{"players": ("Sam", "Ellie")}, {"guilds": ("moon", "leaf")}, {"more": {"round": 2}}]
)
@pytest.mark.parametrize(
    ("language", "words"), [("en", "holds a game of Ellie and Sam"), ("de", "Partie von Ellie und Sam")]
)
def test_a_journal_of_a_game_that_was_set_up_otherwise_is_refused_in_the_players_language(
    phoenix: Game[Any, Any], tmp_path: Path, options: dict[str, Any], language: str, words: str
) -> None:
    line = phoenix.dealer(4, {"players": TWO}).setup
    with closing(Journal(tmp_path / "j")) as journal:
        journal.append([(SETUP, phoenix, line, ())])
    with pytest.raises(CompanionError, match=words):
        _play(phoenix, journal=tmp_path / "j", language=language, **options)


class Stubborn:
    """A game whose dealers go only where their own moves lead."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def dealer(self, seed: int, line: Any) -> Any:
        dealer = self._game.dealer(seed, line)
        dealer.adopt = lambda _state, _lying: False  # type: ignore[method-assign]
        return dealer


@pytest.mark.parametrize(("language", "words"), [("en", "Bots can't carry on"), ("ca", "Els bots no poden continuar")])
def test_a_game_that_a_dealer_cannot_carry_on_is_refused_in_the_players_language(
    phoenix: Game[Any, Any], tmp_path: Path, language: str, words: str
) -> None:
    line = phoenix.dealer(4, {"players": TWO}).setup
    with closing(Journal(tmp_path / "j")) as journal:
        journal.append([(SETUP, phoenix, line, ())])
    stubborn: Any = Stubborn(phoenix)
    with closing(_play(stubborn, journal=tmp_path / "j", seed=4, language=language)):
        pass
    with pytest.raises(CompanionError, match=words) as refused:
        _play(stubborn, journal=tmp_path / "j", seed=5, language=language)
    assert "{" not in str(refused.value)


def test_a_folder_of_frames_is_played_as_plain_lines(phoenix: Game[Any, Any], tmp_path: Path) -> None:
    play = _play(phoenix, seed=6)
    number = 0

    def keep() -> bool:
        nonlocal number
        assert play.table.frame is not None
        cv2.imwrite(str(tmp_path / f"{number:04}.jpg"), play.table.frame.main, [cv2.IMWRITE_JPEG_QUALITY, 95])
        number += 1
        return any("nest" in entry.text for entry in play.log)

    _steps(play, keep)
    assert play.virtual is not None
    guilds = tuple(player["guild"] for player in play.virtual.dealer.setup["players"])
    out = io.StringIO()
    again = _play(phoenix, camera=f"frames:{tmp_path}", guilds=guilds)
    assert run_plain(again, out) == 0
    assert play.log[-1].text in out.getvalue()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"players": ("A",)}, "2 to 6"),
        ({"players": ("A", "B"), "guilds": ("crown",)}, "1 named for 2"),
        ({"players": ("Ann", "ann")}, "^players: Two players are called “ann”, whether in capitals or not. [^;]*$"),
        ({"players": ("",)}, "^players: Player 1 needs a name: 1 to 24 letters.$"),
        ({"players": ("A", " \u3000"), "language": "de"}, "^players: Spieler 2 braucht einen Namen"),
        ({"players": ("A\x1b[2J", "B"), "language": "ca"}, r"^players: Al nom «A\\x1b\[2J» hi ha signes"),
        ({"players": ("A", "B"), "guilds": ("bell", "bell")}, "comes twice"),
        ({"camera": "virtual:attic"}, "one virtual table"),
        ({"picture": Path("table.gif")}, ".png or .jpg"),
        ({"camera": "film:"}, "unknown"),
        ({"camera": "frames:/no/such/folder"}, "no/such/folder"),
        ({"camera": "frames:", "players": ("A",)}, "2 to 6"),
        ({"more": {"players": ["A", "B"]}}, "--players"),
        ({"more": {"colour": "red"}}, "colour: no such field; there are players, holder"),
        ({"more": {"holder": "Nobody"}}, "holder: 'Nobody' is no player"),
        ({"more": {"round": 1, "holder": "Sam"}, "seed": 1}, "^holder: the virtual table decides this by itself"),
        ({"more": {"colour": "red"}, "camera": "frames:"}, "colour: no such field"),
    ],
)
def test_what_cannot_be_played_is_said_with_its_remedy(
    phoenix: Game[Any, Any], options: dict[str, Any], words: str
) -> None:
    with pytest.raises(CompanionError, match=words):
        _play(phoenix, **options)


def test_further_fields_of_the_set_up_reach_the_real_table_and_the_virtual_one(
    phoenix: Game[Any, Any], tmp_path: Path
) -> None:
    cv2.imwrite(str(tmp_path / "0.png"), np.zeros((480, 640, 3), np.uint8))
    real = Play(phoenix, Options(camera=f"frames:{tmp_path}", more={"holder": "Sam"}), Clock())
    assert real.table.session._draft == {"holder": "Sam"}
    virtual = _play(phoenix, more={"round": 1})
    assert virtual.virtual is not None
    assert virtual.table.session._draft == {"round": 1, "players": virtual.virtual.dealer.setup["players"]}


def test_a_journal_whose_line_says_more_is_of_the_same_deal(phoenix: Game[Any, Any], tmp_path: Path) -> None:
    line = phoenix.dealer(4, {"players": TWO}).setup
    with closing(Journal(tmp_path / "j")) as journal:
        journal.append([(SETUP, phoenix, {**line, "round": 1}, ())])
    with closing(_play(phoenix, journal=tmp_path / "j", seed=4, more={"round": 1})) as again:
        assert again.game.facts(again.table.session.state) == phoenix.facts(phoenix.setup(line))


def test_two_that_play_with_one_journal_are_kept_apart(phoenix: Game[Any, Any], tmp_path: Path) -> None:
    with closing(_play(phoenix, journal=tmp_path / "j")), pytest.raises(CompanionError, match=f"process {os.getpid()}"):
        _play(phoenix, journal=tmp_path / "j")


def test_three_play_at_the_virtual_table_if_nobody_is_named_or_as_many_as_can(phoenix: Game[Any, Any]) -> None:
    for most, named in ((6, "Ellie, Sam, Ezio"), (2, "Ellie, Sam")):
        game = copy.copy(phoenix)
        game.players = (2, most)
        assert _play(game, players=()).heading() == f"Schatz des Phönix · virtual: · {named} · seed 1"


def _companion(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "companion", *arguments], capture_output=True, text=True, check=False)


def test_pictures_are_read_and_a_broken_one_is_named(begun: Play, tmp_path: Path) -> None:
    assert begun.table.frame is not None
    good, bad = tmp_path / "good.png", tmp_path / "bad.png"
    cv2.imwrite(str(good), begun.table.frame.main)
    bad.write_text("no picture")
    done = _companion("read", str(bad), str(good), str(tmp_path / "missing.png"), "--game", "phoenix")
    assert done.returncode == 1
    (line,) = [json.loads(text) for text in done.stdout.splitlines()]
    assert (line["file"], line["table"]) == (str(good), True)
    pieces = {tag["piece"] for tag in line["tags"]} | {marker["piece"] for marker in line["fiducials"]}
    assert {"guild-crown", "guild-bell", "nest-big", "start"} <= pieces
    assert [str(path) in done.stderr for path in (bad, tmp_path / "missing.png")] == [True, True]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "chess"], "phoenix"),
        (["play", "phoenix", "--camera", "usb:99"], "usb"),
        (["play", "phoenix", "--players", "A"], "2 to 6"),
        (["play", "phoenix", "--plain", "--set", "colour=red"], "colour: no such field"),
        (["play", "phoenix", "--set", "mode"], "'mode': KEY=VALUE is needed"),
        (["play", "storytelling", "--plain", "--set", "story=iliad"], "story: 'iliad'; there are cinderella"),
        (["play", "storytelling", "--plain", "--set", "moed=race"], "`moed`; there are story, players, mode"),
        (["print", "phoenix", "-o", "/no/such/folder/kit.pdf"], "/no/such/folder/kit.pdf"),
        (["referee", "phoenix", "--language", "it"], "en"),
    ],
)
def test_wrong_options_end_in_one_clear_line(arguments: list[str], words: str) -> None:
    done = _companion(*arguments)
    assert done.returncode != 0
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_a_value_is_json_if_it_is_a_number_a_truth_value_a_list_or_an_object(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Options] = []

    def keep(_game: Any, options: Options) -> None:
        given.append(options)
        raise CompanionError("enough")

    monkeypatch.setattr("companion.app.play.Play", keep)
    pairs = ["a=midnight", "b=3", "c=true", "d=[1, 2]", 'e={"x": 1}', "f=", "g=null", 'h="2"', "i=x=y", "a=basic"]
    CliRunner().invoke(main, ["play", "phoenix", *(part for pair in pairs for part in ("--set", pair))])
    assert [options.more for options in given] == [
        {
            "a": "basic",
            "b": 3,
            "c": True,
            "d": [1, 2],
            "e": {"x": 1},
            "f": "",
            "g": "null",
            "h": '"2"',
            "i": "x=y",
        }
    ]


def test_a_game_is_loaded_with_its_owners_files_and_a_broken_one_is_told_on_standard_error(
    phoenix: Game[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def load_equipped(name: str, _content: Path) -> tuple[Game[Any, Any], tuple[str, ...]]:
        asked.append(name)
        return phoenix, ("rhyme: broken",)

    monkeypatch.setattr("companion.service.content.load_equipped", load_equipped)
    commands = (
        ["referee", "phoenix"],
        ["print", "phoenix", "-o", "/no/such/folder/kit.pdf"],
        ["read", "missing.png", "--game", "phoenix"],
        ["play", "phoenix", "--players", "A"],
    )
    for command in commands:
        assert CliRunner().invoke(main, command).stderr.startswith("rhyme: broken\n"), command
    assert asked == ["phoenix"] * len(commands)

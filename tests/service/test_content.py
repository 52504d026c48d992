"""Owners' content files: found, checked, played with; a broken one stops nothing."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.games import load, names
from companion.service.content import examine, load_equipped, nouns, owned, owners_folder, shipped, title

GOOD = 'name = "Mine"\n'
BAD = "bad\nbad\n"


def test_the_names_of_folders_tell_the_nouns_and_no_game_is_loaded(games: Path) -> None:
    assert nouns() == {"rhyme": "toy"}


def test_shipped_files_are_found_by_name(games: Path) -> None:
    assert shipped("toy", "rhyme") == {"old": 'name = "Old"'}


def test_the_owners_folder_is_in_his_data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("platformdirs.user_data_path", lambda app: tmp_path / app)
    assert owners_folder("toy", "rhyme") == tmp_path / "tabletop-companion" / "toy" / "rhyme"


def test_a_game_without_content_is_loaded_as_it_is(own: Path) -> None:
    (own / "new.toml").write_text(BAD)
    assert load_equipped("phoenix", own.parents[1]) == (load("phoenix"), ())


def test_without_an_owners_folder_the_game_is_as_it_was_shipped(toy: Any, tmp_path: Path) -> None:
    assert load_equipped("toy", tmp_path / "nowhere") == (toy, ())


def test_owners_files_go_into_the_game_by_name(toy: Any, own: Path) -> None:
    (own / "new.toml").write_text(GOOD)
    (own / "old.toml").write_text(GOOD + "\n")
    (own / "readme.txt").write_text(BAD)
    game: Any
    game, warnings = load_equipped("toy", own.parents[1])
    assert (game.files, warnings) == ({"new": GOOD, "old": GOOD + "\n"}, ())


def test_a_broken_file_is_told_whole_and_the_game_goes_on_without_it(toy: Any, own: Path) -> None:
    (own / "new.toml").write_text(BAD)
    (own / "old.toml").write_text("bad")
    (own / "right.toml").write_text(GOOD)
    game: Any
    game, warnings = load_equipped("toy", own.parents[1])
    assert game.files == {"right": GOOD}
    new, old = own / "new.toml", own / "old.toml"
    remedy = "mend it (`companion rhyme check` lists what is wrong) or move it away"
    assert warnings == (
        f"{new}: line 1: 'bad'; anything else\n{new}: line 2: 'bad'; anything else\n{new}: it is left out; {remedy}",
        f"{old}: line 1: 'bad'; anything else\n{old}: the shipped one is used instead; {remedy}",
    )


def test_of_very_many_problems_the_first_ones_are_told_and_how_many_there_are(toy: Any, own: Path) -> None:
    path = own / "new.toml"
    path.write_text("bad\n" * 12_345)
    lines = [f"{path}: line {number}: 'bad'; anything else" for number in range(1, 51)]
    told = [*lines, f"{path}: and 12,295 more"]
    assert examine(toy.content, path).complaint() == told
    _, (warning,) = load_equipped("toy", own.parents[1])
    assert warning.splitlines()[:-1] == told


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("/dev/zero")])
def test_what_is_no_file_is_named_and_not_waited_for(toy: Any, own: Path, make: Callable[[Path], None]) -> None:
    make(own / "a.toml")
    (own / "right.toml").write_text(GOOD)
    game: Any
    game, (warning,) = load_equipped("toy", own.parents[1])
    assert game.files == {"right": GOOD}
    assert re.match(rf"{own}/a.toml: file: is a (pipe|folder|device); name a file\n", warning)


def test_of_very_many_files_the_first_ones_are_read_and_it_is_said(
    toy: Any, own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.service.content.MOST_FILES", 2)
    for name in "abcde":
        (own / f"{name}.toml").write_text(GOOD)
    game: Any
    game, warnings = load_equipped("toy", own.parents[1])
    assert game.files == {"a": GOOD, "b": GOOD}
    assert warnings == (f"{own}: the first 2 files are read, 3 are not; move some away",)


def test_files_that_do_not_go_together_leave_the_game_as_it_was_shipped(toy: Any, own: Path) -> None:
    for name in ("a", "b", "c"):
        (own / f"{name}.toml").write_text(GOOD)
    warning = "rhymes: three of them; two at most\nno rhyme of your own is used; mend it or move it away"
    assert load_equipped("toy", own.parents[1]) == (toy, (warning,))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (None, "file: can't be read (No such file or directory); name a file that can"),
        (b"name = 'x'\nname = '\xe4'\n", "line 2: letters in another encoding; save the file as UTF-8"),
    ],
)
def test_a_file_that_cannot_be_read_has_a_problem_too(toy: Any, own: Path, data: bytes | None, problem: str) -> None:
    path = own / "odd.toml"
    if data is not None:
        path.write_bytes(data)
    file = examine(toy.content, path)
    assert (file.text, file.complaint()) == ("", [f"{path}: {problem}"])


def test_a_byte_order_mark_does_no_harm(toy: Any, own: Path) -> None:
    (own / "notepad.toml").write_bytes(b"\xef\xbb\xbf" + GOOD.encode())
    assert [(file.name, file.text, file.problems) for file in owned(toy.content, own)] == [("notepad", GOOD, ())]


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ('name = "Plain"', "Plain"),
        ('name = { ca = "Ventafocs", en = "Cinderella" }', "Cinderella"),
        ('name = { ca = "Ventafocs", es = "Cenicienta" }', "Ventafocs"),
        ("name = {}", ""),
        ("no TOML", ""),
        ("x = 1", ""),
    ],
)
def test_a_title_is_english_if_it_can_be(text: str, called: str) -> None:
    assert title(text) == called


@pytest.mark.parametrize("name", names())
def test_a_games_folders_hold_what_it_knows_and_all_of_it_is_right(name: str) -> None:
    kind = load(name).content
    assert [noun for noun, game in nouns().items() if game == name] == ([kind.noun] if kind else [])
    if kind:
        assert [problem for text in shipped(name, kind.noun).values() for problem in kind.check(text)] == []

"""`companion rhyme`: the commands for what owners write, with a made-up sort of files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.commands import content_group


@pytest.fixture
def rhyme(toy: Any, own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> click.Group:
    """The group in a program of its own, run in an empty folder by an owner whose files lie in `own`."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("companion.service.content.owners_folder", lambda *_: own)
    group = type(main)("companion")
    group.add_command(content_group("rhyme", "toy"))
    return group


def _run(group: click.Group, *arguments: str) -> Result:
    return CliRunner().invoke(group, ["rhyme", *arguments])


def test_check_tells_all_that_is_wrong_with_every_file(rhyme: click.Group) -> None:
    Path("good.toml").write_text("fine")
    Path("bad.toml").write_text("bad\nfine\nbad")
    result = _run(rhyme, "check", "bad.toml", "good.toml", "missing.toml")
    assert (result.exit_code, result.stdout.splitlines()) == (
        1,
        [
            "bad.toml: line 1: 'bad'; anything else",
            "bad.toml: line 3: 'bad'; anything else",
            "good.toml: all right",
            "missing.toml: file: can't be read (No such file or directory); name a file that can",
        ],
    )


def test_check_is_content_with_what_is_right(rhyme: click.Group) -> None:
    Path("good.toml").write_text("fine")
    result = _run(rhyme, "check", "good.toml")
    assert (result.exit_code, result.stdout) == (0, "good.toml: all right\n")


def test_new_writes_the_template_and_says_where_it_goes(rhyme: click.Group, toy: Any, own: Path) -> None:
    result = _run(rhyme, "new")
    assert (result.exit_code, Path("rhyme.toml").read_text()) == (0, toy.content.template)
    assert result.stdout.splitlines() == [
        "rhyme.toml: written. Fill it in and check it with `companion rhyme check rhyme.toml`.",
        f"To play with it, put it into {own}",
    ]


def test_new_overwrites_nothing(rhyme: click.Group) -> None:
    Path("mine.toml").write_text("hours of work")
    result = _run(rhyme, "new", "-o", "mine.toml")
    assert (result.exit_code, Path("mine.toml").read_text()) == (1, "hours of work")
    assert result.stderr == "Error: mine.toml: is there already and stays as it is; name another file with -o\n"


def test_new_names_a_place_that_cannot_be_written(rhyme: click.Group) -> None:
    result = _run(rhyme, "new", "-o", "no/such/folder.toml")
    assert (result.exit_code, result.stderr) == (
        1,
        "Error: no/such/folder.toml: can't be written (No such file or directory); name another file with -o\n",
    )


def test_list_tells_names_titles_and_whose_they_are(rhyme: click.Group, own: Path) -> None:
    (own / "longer-name.toml").write_text('name = { en = "New", ca = "Nova" }')
    assert _run(rhyme, "list").stdout.splitlines() == [
        "longer-name  New  your own",
        "old          Old  shipped",
        f"Your own lie in {own}",
    ]


def test_list_shows_the_owners_file_in_the_place_of_a_shipped_one(rhyme: click.Group, own: Path) -> None:
    (own / "old.toml").write_text('name = "Mine"')
    assert _run(rhyme, "list").stdout.splitlines() == ["old  Mine  your own", f"Your own lie in {own}"]


def test_list_shows_the_shipped_file_beside_a_broken_one(rhyme: click.Group, own: Path) -> None:
    (own / "old.toml").write_text("bad")
    assert _run(rhyme, "list").stdout.splitlines() == [
        "old  Old  shipped",
        f"old       your own, not used: companion rhyme check {own / 'old.toml'}",
        f"Your own lie in {own}",
    ]

"""`companion config`."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.service.config import Config
from companion.service.config_file import check
from companion.service.config_text import example


@pytest.fixture(autouse=True)
def at_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An owner with an empty folder for configurations, on a machine without one of its own."""
    own = tmp_path / "own.toml"
    monkeypatch.setattr("companion.service.config_file.places", lambda: (own, tmp_path / "machine.toml"))
    return own


def _run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["config", *arguments])


def test_show_prints_what_is_in_force_and_where_it_comes_from(at_home: Path) -> None:
    bare = _run("show")
    assert bare.stdout.startswith("# There is no file; these are the defaults.\n[box]\n")
    assert (bare.exit_code, check(bare.stdout)) == (0, (Config(), []))
    at_home.write_text("[box]\nname = 'Den'\n[lamps]\nred = 99")
    result = _run("show")
    assert result.stdout.startswith(f'# From {at_home}\n[box]\nname = "Den"\n')
    assert (result.exit_code, result.stderr) == (
        1,
        f"{at_home}: line 4, lamps.red: 99; the number of a GPIO from 2 to 27 (BCM numbers: GPIO5 is 5) is allowed; "
        "27 is taken\n",
    )


def test_a_named_file_goes_before_all_others(at_home: Path, tmp_path: Path) -> None:
    at_home.write_text("[box]\nname = 'Den'")
    named = tmp_path / "named.toml"
    named.write_text("[box]\nname = 'Hall'")
    assert 'name = "Hall"' in _run("show", "--config", str(named)).stdout


def test_check_tells_all_that_is_wrong_with_every_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("good.toml").write_text("[box]")
    Path("bad.toml").write_text("[bix]\n[buzzer]\nvolume = 9")
    result = _run("check", "bad.toml", "good.toml")
    assert (result.exit_code, result.stdout.splitlines()) == (
        1,
        [
            "bad.toml: line 1, bix: there is no such table; did you mean box?",
            "bad.toml: line 3, buzzer.volume: 9; a number from 0 to 1 is allowed; 1.0 is taken",
            "good.toml: all right",
        ],
    )
    assert _run("check", "good.toml").exit_code == 0


def test_check_without_a_name_takes_the_file_that_is_used(at_home: Path) -> None:
    none = _run("check")
    assert none.stdout == f"There is no file at {at_home} or {at_home.parent}/machine.toml; the defaults are used.\n"
    assert none.exit_code == 0
    at_home.write_text("[box]")
    assert _run("check").stdout == f"{at_home}: all right\n"


def test_check_tells_also_what_can_not_be_used_of_what_was_set_by_the_buttons(tmp_path: Path, at_home: Path) -> None:
    at_home.write_text(f'[paths]\njournals = "{tmp_path}"')
    (tmp_path / "settings.json").write_text('{"language": "fr"}')
    result = _run("check")
    told = f"{tmp_path}/settings.json: language: 'fr'; it is left out; set it again in the menu of the box"
    assert (result.exit_code, result.stdout.splitlines()) == (1, [f"{at_home}: all right", told])


def test_example_prints_a_file_to_begin_with() -> None:
    assert _run("example").stdout == example()

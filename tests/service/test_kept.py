"""What people have set by the buttons: whatever stands in its file, the box starts, and what can't be used is told."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core.messages import LANGUAGES
from companion.games import names
from companion.service.kept import FORGOTTEN, Kept, Settings
from tests.fuzz.mutations import VALUES, short

GOOD = Settings("ca", False, False, "phoenix")


@pytest.mark.parametrize(
    ("content", "settings", "told"),
    [
        ('{"language": "fr"}', Settings(), ["language: 'fr'"]),
        ('{"language": "fr", "sound": false}', Settings(sound=False), ["language: 'fr'"]),
        ('{"language": 5, "large": 0, "sound": null, "game": ["phoenix"]}', Settings(),
         ["language: 5", "large: 0", "sound: None", "game: ['phoenix']"]),
        ('{"language": "ca", "game": "chess"}', Settings("ca"), ["game: 'chess'"]),
        ('{"language": "ca", "brightness": 5}', Settings("ca"), ["brightness: no such key"]),
        ("{}", Settings(), []),
        ("[]", Settings(), ["file: [] is no JSON object"]),
        ("{", Settings(), ["file: no JSON: Input data was truncated"]),
        ("", Settings(), ["file: no JSON: Input data was truncated"]),
        ("[" * 100_000, Settings(), ["file: no JSON: "]),
        ('{"language":' + "[" * 100_000, Settings(), ["file: no JSON: "]),
        (" " * 300_000, Settings(), ["file: has more than 256 KiB"]),
    ],
)  # fmt: skip
def test_what_can_be_used_is_used_and_the_rest_is_told(
    tmp_path: Path, content: str, settings: Settings, told: list[str]
) -> None:
    path = tmp_path / "settings.json"
    path.write_text(content)
    kept = Kept(path)
    assert kept.settings == settings
    lines = kept.complaint()
    assert len(lines) == len(told)
    for line, one in zip(lines, told, strict=True):
        assert line.startswith(f"{path}: {one}")
        assert line.endswith(f"; {FORGOTTEN}")


def test_a_file_that_is_not_there_is_no_problem(tmp_path: Path) -> None:
    assert (Kept(tmp_path / "none" / "settings.json").problems) == ()


def test_a_pipe_is_not_waited_for_and_makes_room_for_what_is_kept(tmp_path: Path) -> None:
    for name in ("settings.json", ".settings.json.new"):
        os.mkfifo(tmp_path / name)
    kept = Kept(tmp_path / "settings.json")
    assert kept.complaint() == [f"{tmp_path / 'settings.json'}: file: is a pipe; {FORGOTTEN}"]
    assert kept.keep(GOOD)
    assert (Kept(tmp_path / "settings.json").settings, kept.problems) == (GOOD, ())


def test_what_could_not_be_used_is_gone_once_something_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    path.write_text('{"language": "fr"}')
    assert Kept(path).keep(Settings())
    assert Kept(path).problems == ()


@given(st.dictionaries(st.sampled_from([*Settings.__struct_fields__, "x"]), VALUES, max_size=5))
@short(60)
def test_whatever_stands_there_gives_settings_that_can_be_used(
    tmp_path_factory: pytest.TempPathFactory, raw: dict[str, Any]
) -> None:
    path = tmp_path_factory.mktemp("kept") / "settings.json"
    path.write_bytes(msgspec.json.encode(raw))
    found = Kept(path).settings
    assert found.language in ("", *LANGUAGES)
    assert found.game in ("", *names())
    assert (type(found.large), type(found.sound)) == (bool, bool)

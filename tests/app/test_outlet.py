"""Whatever a file, a journal, a code or a name holds: every command tells it, and passes on no control code of it."""

from __future__ import annotations

import io
import json
import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np
import pytest
import segno
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from companion.app.outlet import Outlet, as_json, outlets
from companion.cli import main

EVIL = "a\x1b[2J\x07\x9b31m\u202eb\u2028c\x85d\r\ne\u200b"
NAME = EVIL.replace("\r\n", "\n")
"""Also of files: all but a slash and NUL may stand there."""
GAMES = ("phoenix", "storytelling", "wonderland", "three_kings")
HIDDEN = ("Cc", "Cf", "Cs", "Zl", "Zp")


def _journal(path: Path) -> None:
    players = [{"name": NAME, "guild": "crown"}, {"name": "x" * 5000, "guild": "bell"}]
    line = {"players": players, "game": "phoenix", "holder": NAME, "open": "blue-5b", "mode": EVIL}
    line["tokens"] = {"small-1": [6], "small-2": [2], "big": [3]}
    move = {"do": "place", "card": EVIL, "nest": "big", "side": "bell", "by": NAME}
    with path.open("wb") as file:
        for number, (kind, body) in enumerate((("setup", line), ("move", move)), 1):
            entry = {"number": number, "kind": kind, "game": "phoenix", "rules": 1, "body": body}
            file.write(json.dumps(entry).encode() + b"\n")


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of what strangers have made."""
    folder = tmp_path_factory.mktemp("strange")
    for ending in (".toml", ".jsonl", ".png"):
        (folder / f"{NAME}{ending}").write_text("x")
    (folder / f"{NAME}.toml").write_text(f"{json.dumps(EVIL)} = {json.dumps(EVIL)}\n[box]\nname = {json.dumps(EVIL)}\n")
    (folder / f"{NAME}-broken.toml").write_bytes(f'name = "{EVIL}'.encode())
    code = segno.make(EVIL, micro=False, error="l")
    cells = np.kron(np.pad(~np.array(code.matrix, bool), 4, constant_values=True), np.ones((8, 8))) * 255
    cv2.imwrite(str(folder / "code.png"), cells.astype(np.uint8))
    _journal(folder / f"{NAME}.jsonl")
    lines, journal = (str(folder / f"{NAME}{ending}") for ending in (".jsonl", ".journal"))
    assert CliRunner().invoke(main, ["journal", "import", lines, "-o", journal]).exit_code == 0
    return folder


@pytest.fixture(autouse=True)
def _place(room: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Commands run there, and whoever would run for long tells at once what it has heard."""
    monkeypatch.chdir(room)
    monkeypatch.setattr("companion.service.journal.default_path", lambda game: Path(f"{NAME}-{game}.journal"))
    monkeypatch.setattr("companion.service.content.owners_folder", lambda *_: room)
    monkeypatch.setattr("companion.app.serve.serve", lambda loaded, tell: tell(f"{loaded.path} {EVIL}"))
    monkeypatch.setattr("companion.app.calibrate.run.run", lambda running, plain: print(running.path, running.source))
    monkeypatch.setattr("companion.app.calibrate.run.Running", _Calibration)
    yield


class _Calibration:
    """As much of one as is told."""

    def __init__(self, _config: Any, _game: Any, source: str, path: Path, *_: Any, **__: Any) -> None:
        self.source, self.path = source, path


SETUP = {"setup": {"players": [EVIL, "Sam"], "holder": EVIL}}
TABLE = {"table": {EVIL: "big", "red-3a": EVIL}}
ARGUMENTS: dict[str, list[list[str]]] = {
    "calibrate": [["--camera", EVIL, "--picture", f"{NAME}.png"], ["--config", f"{NAME}.toml"]],
    "config check": [[f"{NAME}.toml"], [f"{NAME}-broken.toml"], [f"{NAME}/missing"]],
    "config example": [[]],
    "config show": [["--config", f"{NAME}.toml"]],
    "deck check": [[f"{NAME}.toml", f"{NAME}-broken.toml", f"{NAME}.none"]],
    "deck list": [[]],
    "deck new": [["-o", f"{NAME}.toml"], ["-o", f"{NAME}-new.toml"]],
    "doctor": [["--config", f"{NAME}.toml", "--no-questions", "--camera", f"frames:{NAME}", "--bundle", f"{NAME}.png"]],
    "journal check": [[f"{NAME}.journal", f"{NAME}.jsonl", f"{NAME}.none"]],
    "journal export": [[f"{NAME}.journal"], [f"{NAME}.none"]],
    "journal import": [[f"{NAME}.jsonl", "-o", f"{NAME}.toml"], [f"{NAME}.toml", "-o", f"{NAME}.x"]],
    "journal list": [["--all", f"{NAME}.journal"], [f"{NAME}.jsonl"], []],
    "play": [
        ["phoenix", "--plain", "--players", f"{EVIL},Sam"],
        ["phoenix", "--plain", "--players", "Ellie,Sam", "--guilds", f"{EVIL},{EVIL}"],
        ["phoenix", "--plain", "--camera", EVIL],
        ["phoenix", "--plain", "--set", EVIL],
        ["phoenix", "--plain", "--set", f"{EVIL}={EVIL}"],
        ["phoenix", "--plain", "--journal", f"{NAME}.toml"],
        ["storytelling", "--plain", "--set", f"story={EVIL}"],
        [EVIL],
    ],
    "print": [["phoenix", "-o", f"{NAME}/x.pdf"], ["phoenix", "--part", EVIL]],
    "read": [["code.png", f"{NAME}.png", f"{NAME}.none"]],
    "referee": [[game] for game in GAMES],
    "schema": [["phoenix"], [EVIL]],
    "serve": [["--config", f"{NAME}.toml"], [EVIL]],
    "story check": [[f"{NAME}.toml", f"{NAME}-broken.toml", f"{NAME}.none"]],
    "story list": [[]],
    "story new": [["-o", f"{NAME}.toml"], ["--" + EVIL]],
}  # fmt: skip
"""What each command is called with: whatever it tells has come from outside."""


def _commands(group: click.Group, before: tuple[str, ...] = ()) -> Iterator[str]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(command, (*before, name))
        else:
            yield " ".join((*before, name))


def test_every_command_is_tried() -> None:
    assert sorted(_commands(main)) == sorted(ARGUMENTS)


@pytest.mark.parametrize("charset", ["utf-8", "ascii", "latin-1", "shift_jis"])
@pytest.mark.parametrize("command", ARGUMENTS)
def test_no_command_passes_on_what_it_was_given(command: str, charset: str) -> None:
    asked = "".join(f"{json.dumps(line)}\n" for line in (SETUP, TABLE))
    for arguments in ARGUMENTS[command]:
        done = CliRunner(charset=charset).invoke(main, [*command.split(), *arguments], input=asked.encode())
        assert isinstance(done.exception, SystemExit | None), done.exception
        told = done.output_bytes.decode(charset)
        assert told
        assert [letter for letter in told if unicodedata.category(letter) in HIDDEN and letter != "\n"] == []


class _Stream(io.StringIO):
    """A terminal, as far as it is asked for."""

    def __init__(self, encoding: str | None, terminal: bool = True) -> None:
        super().__init__()
        self._encoding, self._terminal = encoding, terminal

    @property
    def encoding(self) -> Any:
        return self._encoding

    def isatty(self) -> bool:
        return self._terminal


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "Ellie’s „große“ 日本 · ▸ ●○ Я ╭─╮ ⣿?"),
        ("ascii", 'Ellie\'s "grosse" ?? . > *o ? +-+ ??'),
        ("iso8859-1", 'Ellie\'s "große" ?? · > *o ? +-+ ??'),
        ("shift_jis", 'Ellie\'s "grosse" 日本 . > *o Я +-+ ??'),
    ],
)
def test_a_terminal_is_given_the_nearest_letters_that_it_has(encoding: str, shown: str) -> None:
    stream = _Stream(encoding)
    Outlet(stream, encoding).write("Ellie’s „große“ 日本 · ▸ ●○ Я ╭─╮ ⣿\x1b\n")
    assert stream.getvalue() == f"{shown}\n"
    stream.getvalue().encode(encoding)


@given(st.text(st.characters()), st.sampled_from(["utf-8", "ascii", "iso8859-1", "shift_jis", "gb18030", "euc-kr"]))
def test_any_text_can_be_written_to_any_terminal(text: str, encoding: str) -> None:
    stream = _Stream(encoding)
    assert Outlet(stream, encoding).write(text) == len(text)
    stream.getvalue().encode(encoding)
    assert stream.getvalue().count("\n") == text.count("\n")


@pytest.mark.parametrize(
    ("environ", "stream", "rich"),
    [
        ({}, _Stream("utf-8"), True),
        ({"LANG": "C"}, _Stream("utf-8"), False),
        ({"LANG": "POSIX"}, _Stream("utf-8"), False),
        ({"LANG": "C", "LC_CTYPE": "C.UTF-8"}, _Stream("utf-8"), False),  # as Python sets it
        ({"LC_CTYPE": "C.UTF-8"}, _Stream("utf-8"), True),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "C"}, _Stream("utf-8"), False),
        ({"LANG": "C", "LC_ALL": "C.UTF-8"}, _Stream("utf-8"), True),
        ({"LANG": "C", "PYTHONIOENCODING": "utf-8"}, _Stream("utf-8"), True),
        ({"LANG": "C"}, _Stream("utf-8", terminal=False), True),
        ({"LANG": "de_DE"}, _Stream("iso8859-1"), False),
        ({}, _Stream(None, terminal=False), True),
    ],
)
def test_the_locale_c_is_believed_of_a_terminal(
    environ: dict[str, str], stream: _Stream, rich: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdout", stream)
    with outlets(environ):
        assert isinstance(sys.stdout, Outlet)
        assert sys.stdout.rich == rich
    assert sys.stdout is stream


def test_the_interpreter_tells_of_an_exception_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = _Stream("ascii")
    monkeypatch.setattr(sys, "stderr", stream)
    with pytest.raises(ValueError, match="ä"), outlets({}):
        raise ValueError("ä\x1b[2J")
    sys.stderr.write("ä\x1b[2J")
    assert stream.getvalue() == "a?[2J"


@given(st.text(st.characters(exclude_categories=("Cs",))), st.sampled_from(["utf-8", "ascii"]))
def test_json_loses_nothing_where_escapes_stand_for_letters(text: str, encoding: str) -> None:
    stream, before = _Stream(encoding), sys.stdout
    sys.stdout = Outlet(stream, encoding)  # type: ignore[assignment]
    try:
        print(as_json(json.dumps({text: text}, ensure_ascii=False)))
    finally:
        sys.stdout = before
    assert json.loads(stream.getvalue()) == {text: text}
    assert [letter for letter in stream.getvalue() if unicodedata.category(letter) in HIDDEN] == ["\n"]

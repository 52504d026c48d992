"""`companion journal`: what stands in journals, and how they are sent, taken in and played again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from companion.cli import main
from companion.core.snapshot import Restart
from companion.games import load
from companion.service.archive import Played, entries_of, line_of, parse
from companion.service.entries import MOVE, Entry
from companion.service.journal import Journal
from companion.service.replay import replay
from tests.dealt import Deal, Dealt

RECORDED = sorted((Path(__file__).resolve().parents[1] / "journals").glob("*.jsonl"))
PHOENIX, OTHER, TALE = Deal("phoenix", 2, 5), Deal("phoenix", 3, 6), Deal("storytelling", 2, 3, "midnight")


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An empty folder, in a place where it is half past six in the evening."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setattr("companion.service.journal.default_path", lambda game: Path(f"own-{game}"))
    yield


def _played(path: Path, *deals: Deal, moves: int = 1000) -> None:
    """Games one after the other; those before the last are given up if they aren't over."""
    minutes = count()
    with closing(Journal(path, lambda: datetime(2026, 11, 3, 18, next(minutes) % 60, tzinfo=UTC))) as journal:
        for number, deal in enumerate(deals, 1):
            dealt = Dealt(deal, journal)
            dealt.look()
            for _ in range(moves):
                dealt.move()
                dealt.look()
            if number < len(deals) and dealt.snapshot.outcome is None:
                dealt.session.tell(Restart())


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["journal", *map(str, arguments)])


def test_list_tells_number_time_game_players_and_how_far_it_is() -> None:
    _played(Path("j"), PHOENIX, TALE)
    _played(Path("j"), PHOENIX, TALE, moves=9)
    result = _run("list", "j")
    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        [
            "j: 4 games",
            "  1  2026-11-03 18:00  phoenix                P1, P2  over, P1 won: P1 55, P2 33",
            "  2  2026-11-03 18:11  storytelling midnight  P1, P2  over, P2 won: P2 14, P1 4",
            "  3  2026-11-03 18:00  phoenix                P1, P2  given up, 7 moves",
            "  4  2026-11-03 18:09  storytelling midnight  P1, P2  not over, 9 moves",
        ],
    )


def test_list_shows_the_last_games_or_all_and_those_in_ones_own_journals() -> None:
    assert _run("list").stdout == "No journal is kept yet.\n"
    with closing(Journal(Path("own-phoenix"))) as journal:
        game = load("phoenix")
        for seed in range(23):
            journal.append([("setup", game, game.dealer(seed, {"players": ["A", "B"]}).setup, ())])
    lines = _run("list").stdout.splitlines()
    assert (lines[:2], len(lines)) == (["own-phoenix: 23 games", "  the last 20; --all lists all"], 22)
    assert len(_run("list", "--all").stdout.splitlines()) == 24


def test_what_was_exported_is_imported_and_is_the_same_game() -> None:
    _played(Path("j"), PHOENIX, TALE)
    _played(Path("j"), PHOENIX, moves=12)
    assert _run("export", "j", "-o", "j.jsonl").stdout == f"j.jsonl: {len(list(entries_of(Path('j'))))} entries\n"
    assert _run("import", "j.jsonl", "-o", "k").exit_code == 0
    assert list(entries_of(Path("k"))) == list(entries_of(Path("j")))
    with closing(Journal(Path("j"))) as one, closing(Journal(Path("k"))) as other:
        assert Dealt(PHOENIX, one).facts == Dealt(PHOENIX, other).facts
    assert not list(Path.cwd().glob("*.new*"))


def test_one_game_is_exported_alone_and_keeps_its_numbers() -> None:
    _played(Path("j"), PHOENIX, TALE, moves=9)
    entries = [json.loads(line) for line in _run("export", "j", "--game", 2).stdout.splitlines()]
    assert {entry["game"] for entry in entries} == {"storytelling"}
    assert entries[0]["kind"] == "setup"
    numbers = [entry["number"] for entry in entries]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    assert numbers[0] > 1
    Path("one.jsonl").write_text(_run("export", "j", "--game", 2).stdout)
    assert _run("import", "one.jsonl", "-o", "k").exit_code == 0
    assert [entry.number for entry in entries_of(Path("k")) if isinstance(entry, Entry)] == numbers
    assert _run("export", "j", "--game", 3).stderr.endswith("it has no game 3; see `companion journal list`\n")


def test_files_that_are_there_stay_as_they_are() -> None:
    _played(Path("j"), PHOENIX, moves=3)
    Path("k").write_text("mine")
    Path("j.jsonl").write_text(_run("export", "j").stdout)
    for result in (_run("export", "j", "-o", "k"), _run("import", "j.jsonl", "-o", "k")):
        assert (result.exit_code, result.stderr) == (
            1,
            "Error: k: is there already and stays as it is; name another file with -o\n",
        )
    assert Path("k").read_text() == "mine"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("no JSON", "line 3: no entry of a journal: JSON is malformed"),
        ('{"number": 3}', "line 3: no entry of a journal: Object missing required field `kind`"),
        ('{"number":3,"kind":"jump","game":"phoenix","rules":1,"body":{}}', "line 3, kind: 'jump'; there are setup"),
        ('{"number":4,"kind":"undo","game":"phoenix","rules":1,"body":{}}', "line 3: entry 4 after entry 2; export"),
        ('{"number":2,"kind":"setup","game":"phoenix","rules":1,"body":{}}', "line 3: entry 2 after entry 2; export"),
        ('{"number":99999999999999999999,"kind":"setup","game":"p","rules":1,"body":{}}', "line 3"),
        ("[" * 100_000, "line 3: no entry of a journal"),
    ],
)
def test_a_line_that_is_no_entry_is_named_and_nothing_is_made(line: str, words: str) -> None:
    _played(Path("j"), PHOENIX, moves=3)
    lines = _run("export", "j").stdout.splitlines()[:2]
    Path("bad.jsonl").write_text("\n".join([*lines, line]))
    result = _run("import", "bad.jsonl", "-o", "k")
    assert (result.exit_code, words in result.stderr) == (1, True), result.stderr
    assert not list(Path.cwd().glob("k*"))


def test_a_journal_is_read_while_a_box_plays_with_it() -> None:
    with closing(Journal(Path("j"))) as journal:
        dealt = Dealt(PHOENIX, journal)
        dealt.look()
        assert _run("list", "j").stdout.splitlines()[1].endswith("not over, 0 moves")


def test_a_closed_journal_is_read_without_a_trace() -> None:
    _played(Path("j"), PHOENIX, moves=3)
    before = {path.name: path.read_bytes() for path in Path.cwd().iterdir()}
    assert _run("check", "j").stdout == "j: 1 game, all right\n"
    assert {path.name: path.read_bytes() for path in Path.cwd().iterdir()} == before


def _change(number: int, *names: str) -> None:
    """Another letter in an entry."""
    for name in names:
        content = Path(name).read_bytes()
        at = content.index(b'{"number":%d,' % number)
        Path(name).write_bytes(content[:at] + content[at:].replace(b"phoenix", b"phoenxi", 1))


def test_damage_to_both_files_is_told_and_what_follows_it_is_left_out_up_to_the_next_game() -> None:
    _played(Path("j"), PHOENIX, OTHER, PHOENIX, moves=9)
    _change(3, "j", "j-2")
    _change(13, "j", "j-2")
    for result in (_run("check", "j"), _run("list", "j"), _run("export", "j", "-o", "j.jsonl")):
        assert (result.exit_code, result.stderr.splitlines()) == (
            1,
            [
                "j: damaged: entries 3 to 9 are missing",
                "j: damaged: entries 13 to 18 are missing",
                "j: damaged: one of its two files is damaged or missing; who plays with it mends it",
            ],
        )
    lines = Path("j.jsonl").read_bytes().splitlines()
    numbers = [entry.number for entry in parse(lines, "j.jsonl")]
    assert numbers == [1, 2, *range(10, 13), *range(19, 27)]
    Journal(Path("j")).close()
    assert _run("check", "j").stderr.splitlines()[:2] == [
        "j: damaged: entries 3 to 9 are missing",
        "j: damaged: entries 13 to 18 are missing",
    ]


@pytest.mark.parametrize("number", [0, 1])
def test_damage_to_one_file_is_told_and_nothing_is_left_out(number: int) -> None:
    _played(Path("j"), PHOENIX, OTHER, moves=9)
    whole = _run("export", "j").stdout
    _change(3, ("j", "j-2")[number])
    for change in (lambda: None, Path(("j", "j-2")[number]).unlink):
        change()
        result = _run("export", "j")
        assert (result.exit_code, result.stdout) == (1, whole)
        assert result.stderr.startswith("j: damaged: one of its two files is damaged or missing")


def test_nothing_in_a_journal_reaches_the_terminal_as_a_command() -> None:
    game = load("phoenix")
    names = ["\x1b[2J\x07El\u202elie", "Sam\r\n\u2029\x85\x9b"]
    with closing(Journal(Path("j"))) as journal:
        journal.append([("setup", game, {"players": [{"name": name} for name in names], "mode": "\x1b]0;"}, ())])
    shown = _run("list", "j").output
    assert "?[2J?El?lie, Sam?????" in shown
    assert all(letter.isprintable() for line in shown.split("\n") for letter in line)


def test_what_is_imported_is_a_regular_file_of_a_sane_size() -> None:
    os.mkfifo("pipe")
    with Path("large").open("wb") as file:
        file.truncate(2**28 + 1)
    result = _run("import", "large", "-o", "k")
    assert (result.exit_code, result.stderr.startswith("Error: large, line 1: has more than")) == (1, True)
    for name in ("pipe", "/dev/zero"):
        assert (
            _run("list", name).stderr
            == f"Error: journal {name}: can't be read (this is no regular file); name a file that can\n"
        )


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_journal_on_a_read_only_disk_is_read(tmp_path: Path) -> None:
    _played(Path("j"), PHOENIX, moves=3)
    tmp_path.chmod(0o500)
    try:
        assert _run("check", "j").stdout == "j: 1 game, all right\n"
    finally:
        tmp_path.chmod(0o700)


def test_a_game_that_follows_no_rules_of_today_is_named_with_the_entry_and_the_difference() -> None:
    _played(Path("j"), PHOENIX, TALE, moves=9)
    with closing(Journal(Path("j"))) as journal:
        game = load("storytelling")
        journal.append([(MOVE, game, {"do": "card", "number": 13}, ())])
    result = _run("check", "j")
    assert result.exit_code == 1
    assert result.stdout.startswith("j: game 2: journal entry 20 (storytelling, rules version ")
    assert 'move "card": today\'s rules refuse it: ' in result.stdout
    assert "not by today's rules: companion journal check tells" in _run("list", "j").stdout


def test_play_ends_with_words_where_the_journals_game_follows_no_rules_of_today() -> None:
    with closing(Journal(Path("j"))) as journal:
        dealt = Dealt(PHOENIX, journal)
        dealt.look()
        journal.append([(MOVE, load("phoenix"), {"do": "new-round", "tokens": {}}, ())])
    played = CliRunner().invoke(main, ["play", "phoenix", "--journal", "j", "--plain"])
    assert (played.exit_code, played.stdout) == (1, "")
    assert played.stderr.startswith("Error: journal j: Rules have changed. Only the start holds, and no move of 1. ")
    assert "With --from-last-valid it goes on from there, with --new another one begins" in played.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("list", "nowhere"), "journal nowhere: there is no such file; name one that is there"),
        (("check", "text"), "journal text: this is another sort of file; name another file"),
        (("import", "pipe", "-o", "k"), "pipe: is a pipe; name a file"),
        (("import", "zeros", "-o", "k"), "zeros: is a device; name a file"),
        (("import", "nowhere", "-o", "k"), "nowhere: can't be read (No such file or directory); name a file that can"),
    ],
)
def test_files_that_cannot_be_are_told_in_words(arguments: tuple[str, ...], words: str) -> None:
    Path("text").write_text("a shopping list")
    os.mkfifo("pipe")
    Path("zeros").symlink_to("/dev/zero")
    result = _run(*arguments)
    assert (result.exit_code, result.stderr) == (1, f"Error: {words}\n")
    assert not Path("k").exists()


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_a_recorded_journal_is_taken_in_played_again_and_given_out_as_it_was(path: Path) -> None:
    """A report becomes a test: its journal, exported, is laid into the folder `tests/journals`."""
    assert _run("import", path, "-o", "j").exit_code == 0
    with closing(Journal(Path("j"))) as journal:
        entries = tuple(journal.entries())
        game = load(entries[0].game)
        found = replay(game, journal.last_game(game.id))
    assert found.differs == ""
    assert len(found.history.past) == Played(1, entries).moves + 1
    assert b"".join(map(line_of, entries)) == path.read_bytes()

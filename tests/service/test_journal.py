"""The journal keeps what was announced, whatever happens."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Event, Game, decode
from companion.service.journal import MOVE, REDO, SETUP, UNDO, Journal, JournalError, replay

LINE = {
    "players": [{"name": "A", "guild": "crown"}, {"name": "B", "guild": "bell"}],
    "holder": "A",
    "open": "blue-3a",
    "tokens": {"small-1": [2], "small-2": [3], "big": [4]},
}
FIRST = {"do": "place", "card": "red-3a", "nest": "big", "side": "crown", "by": "A"}
SECOND = {"do": "place", "card": "red-4a", "nest": "big", "side": "bell", "by": "B"}


def _events(game: Game[Any, Any], *moves: dict[str, Any]) -> list[tuple[Event, ...]]:
    state, told = game.setup(LINE), []
    for move in moves:
        step = game.apply(state, decode(game, move))
        state = step.state
        told.append(step.events)
    return told


def _filled(path: Path, game: Game[Any, Any]) -> Journal:
    journal = Journal(path)
    first, second = _events(game, FIRST, SECOND)
    journal.append([(SETUP, game, LINE, ())])
    journal.append([(MOVE, game, FIRST, first), (MOVE, game, SECOND, second)])
    return journal


def test_entries_come_back_as_they_were_written(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    _filled(tmp_path / "deep" / "j", phoenix).close()
    entries = Journal(tmp_path / "deep" / "j").last_game("phoenix")
    assert [(e.number, e.kind, e.game, dict(e.body)) for e in entries] == [
        (1, SETUP, "phoenix", LINE),
        (2, MOVE, "phoenix", FIRST),
        (3, MOVE, "phoenix", SECOND),
    ]
    assert [e.events for e in entries[1:]] == _events(phoenix, FIRST, SECOND)


def test_the_last_game_begins_at_the_last_setup(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    journal = _filled(tmp_path / "j", phoenix)
    journal.append([(SETUP, phoenix, LINE, ())])
    assert [entry.number for entry in journal.last_game("phoenix")] == [4]


def test_an_empty_journal_holds_no_game(tmp_path: Path) -> None:
    assert Journal(tmp_path / "j").last_game("phoenix") == ()


def test_undo_and_redo_are_replayed(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    journal = _filled(tmp_path / "j", phoenix)
    journal.append([(UNDO, phoenix, {"taken_back": {"red-4a": "big/bell"}}, ())])
    found = replay(phoenix, journal.last_game("phoenix"))
    assert phoenix.facts(found.past[-1])["turn"] == "B"
    assert (len(found.future), found.taken_back) == (1, {"red-4a": "big/bell"})
    journal.append([(REDO, phoenix, {}, ())])
    again = replay(phoenix, journal.last_game("phoenix"))
    assert (phoenix.facts(again.past[-1])["turn"], again.future) == ("A", ())


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        (MOVE, {"do": "place", "card": "red-5a", "nest": "big", "side": "bell", "by": "B"}, "not-your-turn"),
        (MOVE, {"do": "jump"}, "bad-line"),
        (MOVE, {"do": "place", "card": "red-5a", "nest": "big", "side": "crown", "by": "A"}, "announces placed"),
        (SETUP, {"players": []}, "bad-setup"),
        (REDO, {}, "nothing stands before it"),
    ],
)
def test_a_replay_that_differs_says_where(
    tmp_path: Path, phoenix: Game[Any, Any], kind: str, body: dict[str, Any], words: str
) -> None:
    journal = _filled(tmp_path / "j", phoenix)
    journal.append([(kind, phoenix, body, ())])
    with pytest.raises(JournalError, match="journal entry 4") as raised:
        replay(phoenix, list(journal.entries()))
    assert words in str(raised.value)


def test_a_journal_cut_at_any_byte_holds_a_clean_beginning(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    journal = _filled(tmp_path / "j", phoenix)
    main, wal = (tmp_path / "j").read_bytes(), (tmp_path / "j-wal").read_bytes()
    journal.close()
    seen = set()
    for number, cut in enumerate([*range(0, len(wal), 997), len(wal)]):
        path = tmp_path / str(number)
        path.write_bytes(main)
        (tmp_path / f"{number}-wal").write_bytes(wal[:cut])
        numbers = [entry.number for entry in Journal(path).entries()]
        assert numbers == list(range(1, len(numbers) + 1))
        seen.add(len(numbers))
    assert seen == {0, 1, 3}, "what was written together is there together"


def test_a_file_that_is_no_journal_is_refused(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("a shopping list " * 100)
    with pytest.raises(JournalError, match="name another file"):
        Journal(tmp_path / "j")


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="name a folder that can be written"):
        Journal(tmp_path / "file" / "j")


def test_a_journal_whose_disk_is_gone_adds_nothing_and_says_so(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    journal = _filled(tmp_path / "j", phoenix)
    journal._db.execute("pragma query_only = on")  # what a read-only file system does to a write
    with pytest.raises(JournalError, match="the move was not made"):
        journal.append([(UNDO, phoenix, {}, ())])
    shutil.copy(tmp_path / "j", tmp_path / "copy")
    assert len(journal.last_game("phoenix")) == 3

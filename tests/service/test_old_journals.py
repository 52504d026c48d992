"""Journals of earlier versions, which were SQLite databases, are taken over: all that can be read, with a word."""

from __future__ import annotations

import random
import shutil
import sqlite3
import zlib
from collections.abc import Callable, Iterable
from contextlib import closing, nullcontext
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.service.archive import entries_of
from companion.service.entries import SETUP, DamagedError, Entry, JournalError
from companion.service.journal import Journal
from tests.dealt import Dealt
from tests.service.damage import DEALS, KINDS, Recorder, keys, spoil

NOW = datetime(2026, 11, 3, 18, 30, tzinfo=UTC)
FIRST_DAYS = (
    "create table entries (number integer primary key, kind text not null, game text not null, "
    "rules integer not null, body text not null, events text not null) strict"
)
SEALED = FIRST_DAYS.replace(") strict", ", at text not null default '', seal integer) strict")


@pytest.fixture(scope="module")
def played() -> list[Entry]:
    recorder = Recorder()
    for deal in DEALS[:2]:
        Dealt(deal, recorder).play()
    return list(recorder.entries())


def _old(path: Path, entries: Iterable[Entry], table: str = SEALED, in_wal: bool = False) -> None:
    """An old journal, as it was closed, or as a cut left it."""
    made = path.with_name("made")
    with closing(sqlite3.connect(made, isolation_level=None)) as db:
        db.execute("pragma journal_mode=wal")
        db.execute("pragma synchronous=off")
        db.execute(table)
        for entry in entries:
            body, events = (msgspec.json.encode(value).decode() for value in (entry.body, entry.events))
            row = (entry.number, entry.kind, entry.game, entry.rules, body, events, entry.at)
            row = (*row, zlib.crc32(msgspec.json.encode(row))) if table == SEALED else row[:6]
            db.execute(f"insert into entries values ({', '.join('?' * len(row))})", row)
        for ending in ("", "-wal", "-shm") if in_wal else ():
            shutil.copyfile(f"{made}{ending}", f"{path}{ending}")
    if not in_wal:
        made.rename(path)
    for left in path.parent.glob("made*"):
        left.unlink()
    path.with_name(f"{path.name}.lock").write_text("1\n")


def _contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("in_wal", [False, True])
@pytest.mark.parametrize("table", [FIRST_DAYS, SEALED])
def test_an_old_journal_is_taken_over_once_and_kept(
    tmp_path: Path, played: list[Entry], table: str, in_wal: bool
) -> None:
    _old(tmp_path / "j", played, table, in_wal)
    before = _contents(tmp_path)
    wanted = [msgspec.structs.replace(entry, at="") for entry in played] if table == FIRST_DAYS else played
    assert list(entries_of(tmp_path / "j")) == wanted
    assert _contents(tmp_path) == before
    with closing(Journal(tmp_path / "j", lambda: NOW)) as journal:
        assert list(journal.entries()) == wanted
        assert keys(journal.news()) == ["journal-taken-over"]
        facts = Dealt(DEALS[1], journal).facts
    kept = _contents(tmp_path)
    assert {f"j{name.removeprefix('j.old-2026-11-03')}": kept[name] for name in kept if "old" in name} == before
    assert kept["j"] == kept["j-2"]
    with closing(Journal(tmp_path / "j")) as journal:
        assert (journal.news(), Dealt(DEALS[1], journal).facts) == ((), facts)


def test_what_stands_in_the_wal_alone_is_taken_over_too(tmp_path: Path, played: list[Entry]) -> None:
    _old(tmp_path / "j", played, in_wal=True)
    (tmp_path / "j").unlink()
    assert [entry for entry in entries_of(tmp_path / "j") if isinstance(entry, Entry)] == played
    with closing(Journal(tmp_path / "j", lambda: NOW)) as journal:
        assert list(journal.entries()) == played
        assert keys(journal.news()) == ["journal-taken-over"]
    assert (tmp_path / "j.old-2026-11-03-wal").exists()


def test_a_bit_in_the_wal_is_told(tmp_path: Path, played: list[Entry]) -> None:
    """SQLite leaves out all that stands there after it, and says nothing."""
    _old(tmp_path / "j", played, in_wal=True)
    wal = bytearray((tmp_path / "j-wal").read_bytes())
    wal[32 + 9 * 4120 + 2000] ^= 1
    (tmp_path / "j-wal").write_bytes(wal)
    with closing(Journal(tmp_path / "j", lambda: NOW)) as journal:
        found = list(journal.entries())
        assert keys(journal.news()) == ["journal-taken-over", "journal-cut"]
    assert 0 < len(found) < len(played)
    assert found == played[: len(found)]


def _spoilt(folder: Path, played: list[Entry], seed: int) -> None:
    """Old journals had one copy: what comes out of a damaged one are beginnings of games."""
    chance = random.Random(seed)
    path = folder / "j"
    in_wal = chance.random() < 0.5
    _old(path, played, in_wal=in_wal)
    spoil(path, chance.choice([kind for kind in KINDS if kind != "removed"]), chance)
    before = _contents(folder)
    with closing(Journal(path, lambda: NOW)) as journal:
        found = list(journal.entries())
        told = keys(journal.news())
        by_number = {entry.number: entry for entry in played}
        assert all(by_number[entry.number] == entry for entry in found)
        assert all(b.number == a.number + 1 or b.kind == SETUP for a, b in pairwise(found))
        assert found == played or len(told) > 1
    kept = _contents(folder).values()
    assert all(content in kept for content in before.values())


def test_a_damaged_old_journal_is_taken_over_as_far_as_it_can_be_read(tmp_path: Path, played: list[Entry]) -> None:
    for seed in range(30):
        (tmp_path / str(seed)).mkdir()
        _spoilt(tmp_path / str(seed), played, seed)


@pytest.mark.soak
def test_very_many_damaged_old_journals_are_taken_over_as_far_as_they_can_be_read(
    tmp_path: Path, played: list[Entry]
) -> None:
    for seed in range(1000, 1500):
        (tmp_path / str(seed)).mkdir()
        _spoilt(tmp_path / str(seed), played, seed)


@pytest.mark.parametrize("step", range(7))
def test_a_cut_at_any_step_of_taking_over_loses_nothing(
    tmp_path: Path, played: list[Entry], monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    _old(tmp_path / "j", played, in_wal=True)
    steps = iter(range(step))

    def until_the_cut(act: Callable[..., Any]) -> Callable[..., Any]:
        def acting(*arguments: Any) -> Any:
            if next(steps, None) is None:
                raise KeyboardInterrupt
            return act(*arguments)

        return acting

    for name in ("rename", "replace", "hardlink_to"):
        monkeypatch.setattr(Path, name, until_the_cut(getattr(Path, name)))
    with pytest.raises(KeyboardInterrupt) if step < 6 else nullcontext():
        Journal(tmp_path / "j", lambda: NOW).close()
    monkeypatch.undo()
    with closing(Journal(tmp_path / "j", lambda: NOW)) as journal:
        assert list(journal.entries()) == played


def test_another_programs_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "j")) as photos:
        photos.execute("create table photos (name text)")
    before = _contents(tmp_path)
    with pytest.raises(JournalError, match="another sort of file; name another file"):
        Journal(tmp_path / "j")
    with pytest.raises(JournalError, match="another sort of file; name another file"):
        list(entries_of(tmp_path / "j"))
    assert _contents(tmp_path) == before


def test_an_old_journal_that_an_earlier_version_plays_with_is_left_alone(tmp_path: Path, played: list[Entry]) -> None:
    import fcntl

    _old(tmp_path / "j", played)
    before = _contents(tmp_path)
    with (tmp_path / "j.lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(JournalError, match=r"process \d+ is playing with it"):
            Journal(tmp_path / "j")
    assert _contents(tmp_path) == before


def test_looking_into_a_damaged_old_journal_tells_what_is_missing(tmp_path: Path, played: list[Entry]) -> None:
    _old(tmp_path / "j", played)
    with closing(sqlite3.connect(tmp_path / "j")) as db:
        db.execute("update entries set game = 'phoenxi' where number = 3")
        db.commit()
    second = next(entry.number for entry in played[1:] if entry.kind == SETUP)
    found = list(entries_of(tmp_path / "j"))
    assert [str(one) for one in found if isinstance(one, DamagedError)] == [f"entries 3 to {second - 1} are missing"]
    assert [one for one in found if isinstance(one, Entry)] == [*played[:2], *played[second - 1 :]]

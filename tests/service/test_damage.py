"""Journal files that were changed, cut or lost: what was announced is there, and what happened is told."""

from __future__ import annotations

import errno
import os
import random
import shutil
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import cycle, islice, pairwise
from pathlib import Path

import pytest

from companion.service.archive import entries_of, last_game
from companion.service.entries import SETUP, JournalError
from companion.service.journal import Journal
from companion.service.lines import HEAD, SEAL, START
from tests.dealt import Dealt
from tests.service.damage import (
    DEALS,
    KINDS,
    LOST,
    Played,
    asides,
    cases,
    content,
    contents,
    files,
    fill,
    keys,
    spoil,
)

NOW = datetime(2026, 11, 3, 18, 30, tzinfo=UTC)
IN_MEMORY = Path("/dev/shm")
FEW, MANY, PARTS = 200, 5000, 4


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return Played.at(tmp_path_factory.mktemp("played") / "j")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """In memory where that can be had: damage is the same there, and nobody waits for a disk."""
    if not IN_MEMORY.is_dir():
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as found:
        yield Path(found)


def _one_damaged(folder: Path, played: Played, kind: str, number: int, running: bool, chance: random.Random) -> None:
    """Nothing is lost, the damage is told once, and what was damaged is kept."""
    path, done = folder / "j", chance.randrange(1, len(played.batches) - 8)
    played.lay(path, done)
    told: list[str] = []
    if running:
        with closing(Journal(path, lambda: NOW)) as journal:
            spoilt = spoil(files(path)[number], kind, chance)
            more = chance.randrange(6)
            fill(journal, played.batches[done : done + more])
            done += more
            if chance.random() < 0.5:
                game = played.batches[done][0][1].id
                assert journal.last_game(game) == last_game(path, game)
            told = keys(journal.news())
    else:
        spoilt = spoil(files(path)[number], kind, chance)
    with closing(Journal(path, lambda: NOW)) as journal:
        assert contents(journal) == played.announced[: played.ends[done]]
        told += keys(journal.news())
        fill(journal, played.batches[done : done + 2])
        assert journal.news() == ()
    with closing(Journal(path)) as journal:
        assert contents(journal) == played.announced[: played.ends[done + 2]]
        assert journal.news() == ()
    assert files(path)[0].read_bytes() == files(path)[1].read_bytes()
    if spoilt is None:
        assert (told, asides(path)) == (["journal-restored"], [])
    elif told == ["journal-cut-short"]:  # as if a plug had been pulled while the last move was being written
        assert asides(path) == []
        assert path.read_bytes()[: len(spoilt)] == spoilt
    else:
        assert told == ["journal-damaged" if kind == "grown" else "journal-mended"]
        (aside,) = asides(path)
        # What was noticed only when it was opened again has later moves after what was damaged.
        assert aside == spoilt or (running and aside.startswith(spoilt))


def _both_damaged(folder: Path, played: Played, chance: random.Random) -> None:
    """What comes out are beginnings of games that were played; what is missing is told, what was damaged is kept."""
    path, done = folder / "j.journal", chance.randrange(1, len(played.batches))
    played.lay(path, done)
    announced = {entry[0]: entry for entry in played.announced[: played.ends[done]]}
    spoilt = [spoil(file, chance.choice(sorted(KINDS)), chance) for file in files(path)]
    if not any(isinstance(content, bytes) for content in spoilt):
        return  # nothing is left that could tell
    with closing(Journal(path, lambda: NOW)) as journal:
        found, news = contents(journal), journal.news()
        told = keys(news)
        assert all(announced[entry[0]] == entry for entry in found)
        for before, after in pairwise(found):
            assert after[0] == before[0] + 1 or after[1] == SETUP
        assert told
        if LOST.isdisjoint(told):  # one was cut between two lines, so that it looked whole
            assert len(found) == len(announced) or sorted(told) == ["journal-damaged", "journal-mended"]
        counts = [message.params["count"] for message in news if message.key == "notice.journal-missing"]
        if found[-1:] == played.announced[: played.ends[done]][-1:]:
            assert sum(counts) == len(announced) - len(found)
        if "journal-cut-short" not in told:
            assert sorted(asides(path)) == sorted(content for content in spoilt if content is not None)
        fill(journal, played.batches[:3])
        found = contents(journal)
        assert journal.news() == ()
    with closing(Journal(path)) as journal:
        assert (contents(journal), journal.news()) == (found, ())


def _try(folder: Path, played: Played, seed: int, count: int) -> None:
    for number, case in enumerate(islice(cycle(cases(seed)), count)):
        place = folder / str(number)
        place.mkdir()
        try:
            _one_damaged(place, played, *case, random.Random(f"{seed} {number}"))
        except AssertionError as error:
            raise AssertionError(f"case {number} of seed {seed}: {case}: {error}") from error
        shutil.rmtree(place)


def _try_both(folder: Path, played: Played, seed: int, count: int) -> None:
    for number in range(count):
        place = folder / str(number)
        place.mkdir()
        try:
            _both_damaged(place, played, random.Random(f"{seed} {number}"))
        except AssertionError as error:
            raise AssertionError(f"case {number} of seed {seed}: {error}") from error
        shutil.rmtree(place)


def test_damage_to_one_file_loses_nothing_and_is_told(folder: Path, played: Played) -> None:
    _try(folder, played, 1, FEW)


def test_damage_to_both_files_leaves_beginnings_of_games_and_is_told(folder: Path, played: Played) -> None:
    _try_both(folder, played, 1, FEW)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_very_much_damage_to_both_files_is_told(folder: Path, played: Played, part: int) -> None:
    _try_both(folder, played, 100 + part, MANY // PARTS)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(PARTS))
def test_very_much_damage_to_one_file_loses_nothing_and_is_told(folder: Path, played: Played, part: int) -> None:
    _try(folder, played, 100 + part, MANY // PARTS)


def _playing(path: Path) -> tuple[Journal, Dealt]:
    journal = Journal(path, lambda: NOW)
    dealt = Dealt(DEALS[0], journal)
    dealt.look()
    for _ in range(6):
        dealt.move()
        dealt.look()
    dealt.agree()
    return journal, dealt


def _remove(path: Path) -> None:
    for file in files(path):
        file.unlink()


def _empty(path: Path) -> None:
    for file in files(path):
        os.truncate(file, 0)


def _garble(path: Path) -> None:
    for file in files(path):
        file.write_bytes(b"\xff" * file.stat().st_size)


def _replace(path: Path) -> None:
    for file in files(path):
        file.rename(file.with_name(f"{file.name}.bak"))
        file.write_bytes(b"something else")


def _remove_folder(path: Path) -> None:
    shutil.rmtree(path.parent)


@pytest.mark.parametrize("spoil_both", [_remove, _empty, _garble, _replace, _remove_folder])
def test_whatever_happens_to_both_files_during_a_game_that_game_is_there(
    folder: Path, spoil_both: Callable[[Path], None]
) -> None:
    """What is being played stands in the program's memory as well."""
    path = folder / "games" / "j"
    journal, dealt = _playing(path)
    with closing(journal):
        announced = contents(journal)
        spoil_both(path)
        dealt.move()
        dealt.look()
        assert dealt.snapshot.notices
        assert LOST.isdisjoint(notice.key.removeprefix("notice.") for notice in dealt.snapshot.notices)
        dealt.agree()
        assert contents(journal)[: len(announced)] == announced
        facts = dealt.facts
    with closing(Journal(path)) as journal:
        assert (Dealt(DEALS[0], journal).facts, journal.news()) == (facts, ())


def test_a_plug_that_is_pulled_between_the_two_files_loses_nothing(folder: Path, played: Played) -> None:
    """The second file lacks what was being written, or some of it; neither was announced."""
    path, last = folder / "j", played.lines[10]
    for torn in (b"", last[:1], last[:100], last[:-1]):
        for first, second, there in ((last, torn, 10), (torn, b"", 9)):
            played.lay(path, 9)
            for file, more in zip(files(path), (first, second), strict=True):
                with file.open("ab") as opened:
                    opened.write(more)
            assert [content(entry) for entry in entries_of(path)] == played.announced[: played.ends[there]]  # type: ignore[arg-type]
            with closing(Journal(path, lambda: NOW)) as journal:
                assert contents(journal) == played.announced[: played.ends[there]]
                told = keys(journal.news())
            assert (told, asides(path)) == (["journal-cut-short"] if first != second else [], [])


@pytest.mark.parametrize("content", [b"", bytes(8192)])
@pytest.mark.parametrize("both", [False, True])
def test_a_journal_that_is_empty_is_told(folder: Path, content: bytes, both: bool) -> None:
    path = folder / "j"
    for file in files(path)[: 1 + both]:
        file.write_bytes(content)
    with closing(Journal(path, lambda: NOW)) as journal:
        told = keys(journal.news())
        assert list(journal.entries()) == []
    assert told == ["journal-damaged"] * (1 + both) + ["journal-empty"]
    assert asides(path) == [content] * (1 + both)


def test_of_several_damaged_files_of_a_day_each_is_kept(folder: Path, played: Played) -> None:
    path, wrong = folder / "j", []
    for number in range(3):
        played.lay(path, 9)
        wrong.append(played.lines[0] + bytes([number]) * 5000)
        path.write_bytes(wrong[-1])
        Journal(path, lambda: NOW).close()
    kept = [folder / f"j.damaged-2026-11-03{end}" for end in ("", "-1", "-2")]
    assert sorted(folder.glob("j*.damaged*")) == kept
    assert [file.read_bytes() for file in kept] == wrong


def test_a_damaged_file_that_cannot_be_set_aside_is_an_error_with_words(
    folder: Path, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, goal: Path) -> Path:
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    played.lay(folder / "j", 9)
    (folder / "j").write_bytes(b"x" * 5000)
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    monkeypatch.setattr(Path, "rename", refuse)
    monkeypatch.setattr(Path, "hardlink_to", refuse)
    with pytest.raises(JournalError, match="Read-only file system") as raised:
        Journal(folder / "j")
    assert raised.value.trouble == "journal-read-only"
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def test_on_a_disk_without_links_a_damaged_file_is_set_aside_all_the_same(
    folder: Path, played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, goal: Path) -> None:
        raise OSError(errno.EPERM, "Operation not permitted", str(self))

    monkeypatch.setattr(Path, "hardlink_to", refuse)
    _one_damaged(folder, played, "zeros", 1, True, random.Random(1))


@pytest.mark.parametrize("name", ["j", "j-2", "j.journal", "j.journal-2"])
def test_a_file_of_another_sort_is_refused_and_left_alone(folder: Path, name: str) -> None:
    (folder / name).write_text("a shopping list " * 100)
    with pytest.raises(JournalError, match="another sort of file; name another file"):
        Journal(folder / name.removesuffix("-2"))
    assert [path.name for path in folder.iterdir()] == [name]


@pytest.mark.parametrize("body", [b'{"entries":[{"kind":"setup"}]', b'{"entries":' + b"[" * 100_000, b'"kind":"setup"'])
def test_what_somebody_has_sealed_that_is_no_entry_is_told_in_words(folder: Path, body: bytes) -> None:
    for file in files(folder / "j"):
        file.write_bytes(HEAD + body + SEAL % zlib.crc32(body, START))
    with pytest.raises(JournalError, match="a line that is none of a journal: "):
        Journal(folder / "j")
    with pytest.raises(JournalError, match="a line that is none of a journal: "):
        list(entries_of(folder / "j"))


def test_what_is_no_regular_file_is_refused_at_once(folder: Path) -> None:
    os.mkfifo(folder / "j-2")
    for name in ("j", "j-2"):
        with pytest.raises(JournalError, match="this is no regular file"):
            Journal(folder / name)
    (folder / "k").mkdir()
    with pytest.raises(JournalError, match="Is a directory"):
        Journal(folder / "k")

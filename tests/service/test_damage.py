"""Journal files that were cut, garbled or lost: a clean beginning of what was announced, and the box plays on."""

from __future__ import annotations

import errno
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from companion.core.messages import say
from companion.service.entries import SETUP, Entry
from companion.service.journal import Journal, JournalError
from companion.service.rescue import salvage
from tests.dealt import Deal, Dealt

NOW = datetime(2026, 11, 3, 18, 30, tzinfo=UTC)
FIRST, SECOND = Deal("phoenix", 2, 5), Deal("phoenix", 3, 6)
MOVES = 40
FILES = ("", "-wal")

Content = tuple[str, str, dict[str, Any], tuple[Any, ...]]
Garble = Callable[[Path, random.Random], None]


class Left(NamedTuple):
    """What lies on the disk: a whole game and a part of another one.

    Attributes:
        cut: as a cut leaves it, the second game in the WAL.
        closed: all in the file.
        written: what was announced.
    """

    cut: Path
    closed: Path
    written: list[Content]


def _content(entry: Entry) -> Content:
    return entry.kind, entry.game, dict(entry.body), entry.events


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Left:
    path, cut, closed = (tmp_path_factory.mktemp(name) / "j" for name in ("played", "cut", "closed"))
    with closing(Journal(path)) as journal:
        Dealt(FIRST, journal).play()
    with closing(Journal(path)) as journal:
        dealt = Dealt(SECOND, journal)
        dealt.look()
        for _ in range(MOVES):
            dealt.move()
            dealt.look()
        for ending in (*FILES, "-shm", ".lock"):
            shutil.copy(f"{path}{ending}", f"{cut}{ending}")
        written = [_content(entry) for entry in journal.entries()]
    for ending in ("", ".lock"):
        shutil.copy(f"{path}{ending}", f"{closed}{ending}")
    assert {kind for kind, *_ in written} == {"setup", "move"}
    return Left(cut, closed, written)


def _cut(ending: str) -> Garble:
    def cut(path: Path, chance: random.Random) -> None:
        file = Path(f"{path}{ending}")
        with file.open("r+b") as opened:
            opened.truncate(chance.randrange(file.stat().st_size))

    return cut


def _flip(ending: str) -> Garble:
    def flip(path: Path, chance: random.Random) -> None:
        file = Path(f"{path}{ending}")
        content = bytearray(file.read_bytes())
        content[chance.randrange(len(content))] ^= chance.randrange(1, 256)
        file.write_bytes(content)

    return flip


def _garbage(ending: str) -> Garble:
    def append(path: Path, chance: random.Random) -> None:
        with Path(f"{path}{ending}").open("ab") as file:
            file.write(chance.randbytes(chance.randrange(1, 9000)))

    return append


def _zeros(ending: str) -> Garble:
    def fill(path: Path, chance: random.Random) -> None:
        file = Path(f"{path}{ending}")
        content = bytearray(file.read_bytes())
        start = chance.randrange(len(content))
        content[start:] = bytes(len(content) - start)
        file.write_bytes(content)

    return fill


def _empty(ending: str) -> Garble:
    return lambda path, _: Path(f"{path}{ending}").write_bytes(b"") and None


def _missing(ending: str) -> Garble:
    return lambda path, _: Path(f"{path}{ending}").unlink()


def _flip_table(path: Path, chance: random.Random) -> None:
    """A byte of what the file says of its table."""
    content = bytearray(path.read_bytes())
    content[content.index(b"CREATE TABLE") + chance.randrange(-40, 250)] ^= chance.randrange(1, 256)
    path.write_bytes(content)


WAYS = {"cut": _cut, "flipped": _flip, "garbage": _garbage, "zeros": _zeros, "empty": _empty, "missing": _missing}
CUT: dict[str, Garble] = {f"{what}{ending}": make(ending) for ending in (*FILES, "-shm") for what, make in WAYS.items()}
CLOSED: dict[str, Garble] = {what: make("") for what, make in WAYS.items()} | {"table": _flip_table}


def _games(written: list[Content]) -> list[list[Content]]:
    starts = [number for number, (kind, *_) in enumerate(written) if kind == SETUP]
    return [written[start:end] for start, end in zip(starts, [*starts[1:], None], strict=True)]


def _sound(path: Path) -> list[Content]:
    return [_content(entry) for entry in salvage(path) if isinstance(entry, Entry)]


def _stands(left: Left, path: Path, damaged: list[Content]) -> None:
    """The journal opens with a beginning of a game that was played, keeps what it sets aside, and plays on."""
    with closing(Journal(path, lambda: NOW)) as journal:
        found = [_content(entry) for entry in journal.last_game("phoenix")]
        assert not found or any(found == game[: len(found)] for game in _games(left.written))
        aside = path.with_name("j.damaged-2026-11-03")
        news = journal.news()
        assert news == ((say("notice.journal-damaged", file=aside.name),) if aside.exists() or news else ())
        if news:
            assert _sound(aside) == damaged, "what could be read before is there to be read"
        else:
            assert len(found) >= len(_games(damaged)[-1]) if damaged else not found
        dealt = Dealt(FIRST, journal)
        if dealt.facts is not None:
            dealt.session._start_again({})
        dealt.look()
        dealt.move()
        dealt.look()
        facts = dealt.facts
        assert facts is not None
    with closing(Journal(path)) as journal:
        assert Dealt(FIRST, journal).facts == facts


def _try(left: Left, laid: Path, garble: Garble, folder: Path, seed: int) -> None:
    shutil.copytree(laid.parent, folder)
    garble(folder / "j", random.Random(seed))
    _stands(left, folder / "j", _sound(folder / "j"))


@pytest.mark.parametrize("what", CUT)
def test_a_journal_garbled_by_a_cut_gives_a_clean_beginning_and_the_box_plays_on(
    what: str, left: Left, tmp_path: Path
) -> None:
    for seed in range(2):
        _try(left, left.cut, CUT[what], tmp_path / str(seed), seed)


@pytest.mark.parametrize("what", CLOSED)
def test_a_journal_garbled_in_its_drawer_gives_a_clean_beginning_and_the_box_plays_on(
    what: str, left: Left, tmp_path: Path
) -> None:
    for seed in range(3):
        _try(left, left.closed, CLOSED[what], tmp_path / str(seed), seed)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("what", [*CUT, *(f"closed {what}" for what in CLOSED)])
def test_many_garbled_journals_give_a_clean_beginning(what: str, part: int, left: Left, tmp_path: Path) -> None:
    name, laid = what.removeprefix("closed "), left.closed if what.startswith("closed") else left.cut
    garble = CLOSED[name] if laid == left.closed else CUT[name]
    for seed in range(1000 + part * 30, 1030 + part * 30):
        _try(left, laid, garble, tmp_path / str(seed), seed)


def _playing(path: Path) -> tuple[Journal, Dealt]:
    journal = Journal(path, lambda: NOW)
    dealt = Dealt(FIRST, journal)
    dealt.look()
    for _ in range(6):
        dealt.move()
        dealt.look()
    return journal, dealt


def test_a_journal_that_is_taken_away_during_a_game_is_begun_again_with_that_game(tmp_path: Path) -> None:
    journal, dealt = _playing(tmp_path / "j")
    with closing(journal):
        for path in tmp_path.iterdir():
            path.unlink()
        dealt.move()
        dealt.look()
        assert dealt.snapshot.notices == (say("notice.journal-lost"),)
        dealt.agree()
        facts = dealt.facts
    with closing(Journal(tmp_path / "j")) as journal:
        assert Dealt(FIRST, journal).facts == facts


def test_a_journal_that_breaks_during_a_game_is_begun_again_with_that_game(tmp_path: Path) -> None:
    journal, dealt = _playing(tmp_path / "j")
    with closing(journal):
        assert journal._db
        journal._db.execute("drop table entries")
        dealt.move()
        dealt.look()
        assert dealt.snapshot.notices == (say("notice.journal-damaged", file="j.damaged-2026-11-03"),)
        dealt.agree()
        facts = dealt.facts
    with closing(Journal(tmp_path / "j")) as journal:
        assert Dealt(FIRST, journal).facts == facts


def test_of_several_damaged_journals_of_a_day_each_is_kept(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / "j").write_bytes(b"SQLite format 3\0" + bytes([number]) * 5000)
        with closing(Journal(tmp_path / "j", lambda: NOW)):
            pass
    kept = sorted(tmp_path.glob("j.damaged*"))
    assert [path.name for path in kept] == [f"j.damaged-2026-11-03{end}" for end in ("", "-1", "-2")]
    assert [path.read_bytes()[-1] for path in kept] == [0, 1, 2]


def test_a_damaged_journal_that_cannot_be_set_aside_is_an_error_with_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Path, goal: Path) -> Path:
        raise OSError(errno.EROFS, "Read-only file system", str(self))

    (tmp_path / "j").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(JournalError, match="Read-only file system") as raised:
        Journal(tmp_path / "j")
    assert raised.value.trouble == "journal-read-only"

"""Journal files that were changed, cut or lost: what was announced is there, and what happened is told."""

from __future__ import annotations

import random
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from itertools import cycle, islice, pairwise
from pathlib import Path

import pytest

from companion.service.archive import last_game
from companion.service.entries import SETUP
from companion.service.journal import Journal
from tests.service.damage import (
    KINDS,
    LOST,
    Played,
    asides,
    cases,
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
    elif told == ["journal-completed"]:  # as if a plug had been pulled while the last move was being written
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
        if "journal-completed" not in told:
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

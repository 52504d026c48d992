"""What can happen to a journal's files, by a seed; and games to fill them with."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

from companion.core.messages import Message
from companion.face.words import load_words
from companion.service.entries import Entry
from companion.service.journal import Journal
from tests.dealt import Deal, Dealt

DEALS = (Deal("phoenix", 2, 5), Deal("phoenix", 3, 6), Deal("storytelling", 2, 3, "midnight"))
LOST = {"journal-missing", "journal-cut", "journal-empty"}
"""What is told where something is missing."""
BLOCK_BYTES = 512
WORDS = load_words("en")

Batch = list[tuple[str, Any, Any, Any]]
Content = tuple[int, str, str, dict[str, Any], tuple[Any, ...]]


class Recorder(Journal):
    """Keeps in mind what is added together."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self.batches: list[Batch] = []

    def append(self, entries: Iterable[Any]) -> None:
        self.batches.append(list(entries))
        super().append(self.batches[-1])


def batches() -> list[Batch]:
    """A few games, one after the other, as sessions write them."""
    found = []
    for deal in DEALS:
        recorder = Recorder()
        Dealt(deal, recorder).play()
        found += recorder.batches
    return found


def content(entry: Entry) -> Content:
    return entry.number, entry.kind, entry.game, dict(entry.body), entry.events


def contents(journal: Journal) -> list[Content]:
    return [content(entry) for entry in journal.entries()]


def files(path: Path) -> tuple[Path, Path]:
    """Both files of a journal."""
    return path, path.with_name(f"{path.name}-2")


def asides(path: Path) -> list[bytes]:
    """What was set aside."""
    return [found.read_bytes() for found in sorted(path.parent.glob(f"{path.name}*.damaged-*"))]


def keys(news: Iterable[Message]) -> list[str]:
    """What is told, after a look whether it can be said."""
    told = list(news)
    assert all(WORDS.say(message).strip() for message in told)
    return [message.key.removeprefix("notice.") for message in told]


def _bit(old: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(old))
    return old[:at] + bytes([old[at] ^ 1 << chance.randrange(8)]) + old[at + 1 :]


def _noise(old: bytes, chance: random.Random) -> bytes:
    at, size = chance.randrange(len(old)), chance.randrange(1, 4096)
    return old[:at] + chance.randbytes(min(size, len(old) - at)) + old[at + size :]


def _zeros(old: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(old)) // BLOCK_BYTES * BLOCK_BYTES
    size = BLOCK_BYTES * chance.choice([1, 8])
    return old[:at] + bytes(min(size, len(old) - at)) + old[at + size :]


def _cut(old: bytes, chance: random.Random) -> bytes:
    return old[: chance.randrange(len(old))]


def _grown(old: bytes, chance: random.Random) -> bytes:
    return old + chance.choice([bytes, chance.randbytes])(chance.randrange(1, 4096))


KINDS: dict[str, Callable[[bytes, random.Random], bytes | None]] = {
    "bit": _bit,
    "noise": _noise,
    "zeros": _zeros,
    "cut": _cut,
    "grown": _grown,
    "emptied": lambda old, _: b"",
    "removed": lambda old, _: None,
}


def spoil(path: Path, kind: str, chance: random.Random) -> bytes | None:
    """Damages a file; what it holds afterwards, nothing if it is gone."""
    old = path.read_bytes()
    new: bytes | None = old
    while new == old:
        new = KINDS[kind](old, chance)
    if new is None:
        path.unlink()
    else:
        with path.open("r+b") as file:  # as it happens to a file that somebody has open
            file.write(new)
            file.truncate()
    return new


class Played(NamedTuple):
    """Games that were played.

    Attributes:
        batches: what sessions have added together.
        lines: the same as a journal has it, after its head.
        announced: all entries.
        ends: how many of them there are after each batch, from none on.
    """

    batches: list[Batch]
    lines: list[bytes]
    announced: list[Content]
    ends: list[int]

    @classmethod
    def at(cls, path: Path) -> Played:
        """Plays them, with a journal in this place."""
        played = batches()
        with closing(Journal(path)) as journal:
            fill(journal, played)
            announced = contents(journal)
        ends = list(accumulate(map(len, played), initial=0))
        return cls(played, path.read_bytes().splitlines(keepends=True), announced, ends)

    def lay(self, path: Path, count: int) -> None:
        """Makes the journal that is there after so many batches."""
        for file in files(path):
            file.write_bytes(b"".join(self.lines[: count + 1]))


def fill(journal: Journal, some: Iterable[Batch]) -> None:
    for batch in some:
        journal.append(batch)


def cases(seed: int) -> Iterator[tuple[str, int, bool]]:
    """Each kind of damage, to each file, with the program running and not; in an order by the seed."""
    found = [(kind, number, running) for kind in KINDS for number in (0, 1) for running in (False, True)]
    random.Random(seed).shuffle(found)
    yield from found

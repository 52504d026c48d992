"""Sealed lines: how entries stand in a journal file, and what is still whole of a damaged one.

A line is a JSON object: the entries of one append, and a seal, the CRC-32 of this line and of all before it. So a line
is there or isn't, and one that was changed, lost or moved breaks the chain. The first line says what sort
of file it is.
"""

from __future__ import annotations

import heapq
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from io import BufferedReader, FileIO
from typing import NamedTuple

import msgspec

from companion.service.entries import ENDED, SETUP, DamagedError, Entry, JournalError, gap

MOST_BYTES = 1 << 22
"""A line is shorter than that, so that none can fill the memory."""
CHUNK_BYTES = 1 << 16
FORM = b'{"tabletop-companion":"journal","form":2'
SEAL = b',"seal":"%08x"}\n'
SEALED = re.compile(rb',"seal":"([0-9a-f]{8})"}\n')
TAIL = len(SEAL % 0)
START = zlib.crc32(FORM)
HEAD = FORM + SEAL % START
"""The first line of each file."""
BEGUN = b'"kind":"setup"'
"""Stands in each line that may hold a set-up."""


class _Line(msgspec.Struct, frozen=True):
    entries: tuple[Entry, ...] = ()


class Link(NamedTuple):
    """A whole line of the chain.

    Attributes:
        entries: what it holds; the head holds nothing.
        line: as it stands there; empty for one that was made up of another sort of file, or has to be sealed anew.
        before: seal of the line before it.
        seal: its own.
    """

    entries: tuple[Entry, ...]
    line: bytes
    before: int
    seal: int


class End(NamedTuple):
    """The end of a file all of whose lines are whole.

    Attributes:
        size: of the file, in bytes.
        seal: of the last line.
        number: of the last entry, 0 if there is none.
        setups: by game, where the line with its last set-up begins, and the seal before it.
    """

    size: int
    seal: int
    number: int
    setups: dict[str, tuple[int, int]]


def sealed(entries: Sequence[Entry], before: int) -> tuple[bytes, int]:
    """The line of some entries, and its seal.

    Args:
        entries: they stand there together, or none of them.
        before: seal of the line before.

    Raises:
        TypeError: something in them is no JSON.
        JournalError: they are too long.
    """
    body = msgspec.json.encode(_Line(tuple(entries)))[:-1]
    if len(body) + TAIL > MOST_BYTES:
        raise JournalError(
            f"entry {entries[0].number}: {len(body)} bytes; a line of a journal has {MOST_BYTES} at most"
        )
    seal = zlib.crc32(body, before)
    return body + SEAL % seal, seal


def entries_in(line: bytes) -> tuple[Entry, ...]:
    """What a whole line holds."""
    return msgspec.json.decode(line, type=_Line).entries


def reading(file: FileIO) -> BufferedReader:
    """Another reader of a file, from its beginning; to close it doesn't close the file."""
    file.seek(0)
    return open(file.fileno(), "rb", closefd=False)


def lines_of(file: FileIO, end: int | None = None, start: int = 0) -> Iterator[bytes]:
    """The lines of a file, read anew; one that can't be read comes as one that isn't sealed, and is the last.

    Args:
        file: open for reading.
        end: what stands there from this byte on is left out.
        start: where to begin.
    """
    with reading(file) as reader:
        try:
            left = (os.fstat(file.fileno()).st_size if end is None else end) - start
            reader.seek(start)
            while left > 0 and (line := reader.readline(min(left, MOST_BYTES))):
                left -= len(line)
                yield line
        except OSError:
            yield b"\n"


def links(lines: Iterable[bytes], before: int | None = 0) -> Iterator[Link | None]:
    """The lines that are whole, with nothing in the place of each that isn't.

    A line after a damaged one is whole if it fits the seal that can still be read there.

    Args:
        lines: of a file, in order.
        before: seal of the line before the first one.
    """
    for line in lines:
        found = SEALED.fullmatch(line[-TAIL:])
        if found and before is not None and int(found[1], 16) == zlib.crc32(line[:-TAIL], before):
            yield Link(entries_in(line), line, before, int(found[1], 16))
        else:
            yield None
        before = int(found[1], 16) if found else None


def chain(lines: Iterable[bytes], before: int = 0) -> End | None:
    """Where lines end, or nothing if one of them isn't whole. Only what begins games is decoded.

    Args:
        lines: in order.
        before: seal of the line before the first one; 0 where that is the head.
    """
    size, seal = 0, before
    setups: dict[str, tuple[int, int]] = {}
    line = b""
    for line in lines:
        last, seal = seal, zlib.crc32(line[:-TAIL], seal)
        if line[-TAIL:] != SEAL % seal or (last == 0 and line != HEAD):
            return None
        if BEGUN in line:
            setups |= {entry.game: (size, last) for entry in entries_in(line) if entry.kind == SETUP}
        size += len(line)
    entries = entries_in(line) if size else ()
    return End(size, seal, entries[-1].number if entries else 0, setups) if size else None


def last_game(lines: Iterable[bytes], game: str) -> tuple[Entry, ...]:
    """The entries of the game of this id that was set up last, in whole lines; empty if there is none to carry on."""
    mine: list[Entry] = []
    for entry in (entry for line in lines for entry in entries_in(line) if entry.game == game):
        if entry.kind == SETUP:
            mine = []
        mine.append(entry)
    return () if not mine or mine[-1].kind == ENDED else tuple(mine)


def merged(sources: Sequence[Iterable[Link | None]]) -> Iterator[Link | DamagedError]:
    """What is whole in any of several files that once were equal, in order, with an error in the place of what isn't.

    After such a place everything is left out up to the next set-up: what comes out are beginnings of games.
    """
    ends: list[Link | None] = [None] * len(sources)

    def whole(place: int) -> Iterator[Link]:
        for link in sources[place]:
            ends[place] = link
            if link:
                yield link

    seal, number, kept = START, 0, 0
    games: set[str] | None = None  # those of which nothing is missing; None: all
    for link in heapq.merge(*map(whole, range(len(sources))), key=_first):
        if _first(link) <= number:
            continue  # another file had it
        if link.before != seal:
            games = set()
        seal, number = link.seal, link.entries[-1].number
        if games is not None:
            games |= {entry.game for entry in link.entries if entry.kind == SETUP}
            link = Link(tuple(entry for entry in link.entries if entry.game in games), b"", 0, 0)
            if link.entries and _first(link) > kept + 1:
                yield gap(kept, _first(link))
        if link.entries:
            kept = link.entries[-1].number
            yield link
    if kept < number:
        yield gap(kept, number + 1)
    if not any(end and end.seal == seal for end in ends):
        yield DamagedError(f"what stood after entry {number} can't be read", number)


def common(one: FileIO, other: FileIO) -> int:
    """How many bytes two files have in common, from their beginning."""
    done = 0
    with reading(one) as ours, reading(other) as theirs:
        try:
            while (mine := ours.read(CHUNK_BYTES)) == (yours := theirs.read(CHUNK_BYTES)) and mine:
                done += len(mine)
        except OSError:
            return done
    return done + next(
        (at for at, (a, b) in enumerate(zip(mine, yours, strict=False)) if a != b), min(len(mine), len(yours))
    )


def _first(link: Link) -> int:
    """The number of a line's first entry; 0 of the head's."""
    return link.entries[0].number if link.entries else 0

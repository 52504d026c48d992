"""Sealed lines: how entries stand in a journal file, and what is still whole of a damaged one.

A line is a JSON object: the entries of one append, and a seal, the CRC-32 of this line and of all before it. So a line
is there or isn't, and one that was changed, lost or moved breaks the chain. The first line says what sort it is.
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
"""A line is no longer than that, so that none can fill the memory."""
CHUNK_BYTES = 1 << 16
FORM = b'{"tabletop-companion":"journal","form":2'
SEAL = b',"seal":"%08x"}\n'
SEALED = re.compile(rb',"seal":"([0-9a-f]{8})"}\n')
TAIL = len(SEAL % 0)
START = zlib.crc32(FORM)
HEAD = FORM + SEAL % START
"""The first line of each file."""
OPENING = b'{"entries":[{"number":'
"""So all other lines begin."""
BEGUN = b'"kind":"setup"'
"""Stands in each line that holds a set-up."""


class _Line(msgspec.Struct, frozen=True):
    entries: tuple[Entry, ...] = ()


class Link(NamedTuple):
    """A whole line, the seal before it, and its own."""

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
    """The line of some entries, which stand there together or not at all, and its seal.

    Raises:
        TypeError: something in them is no JSON.
        JournalError: they are too long.
    """
    body = msgspec.json.encode(_Line(tuple(entries)))[:-1]
    if len(body) + TAIL > MOST_BYTES:
        raise JournalError(f"entry {entries[0].number}: {len(body)} bytes; a line has {MOST_BYTES} at most")
    seal = zlib.crc32(body, before)
    return body + SEAL % seal, seal


def written(entries: Iterable[Entry | None]) -> Iterator[bytes]:
    """A whole file, with one entry in each line, and a line that isn't whole in the place of each that is lost."""
    seal = START
    yield HEAD
    for entry in entries:
        if entry:
            line, seal = sealed([entry], seal)
        else:
            seal = (seal + 1) % 2**32
            line = SEAL % seal
        yield line


def entries_in(line: bytes) -> tuple[Entry, ...]:
    """What a whole line holds.

    Raises:
        DamagedError: somebody has sealed something else.
    """
    try:
        return msgspec.json.decode(line, type=_Line).entries
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise DamagedError(f"a line that is none of a journal: {error}") from error


def reading(file: FileIO) -> BufferedReader:
    """A reader of an open file from its beginning, one at a time; to close it doesn't close the file."""
    file.seek(0)
    return open(file.fileno(), "rb", closefd=False)


def lines_of(file: FileIO, end: int | None = None, start: int = 0) -> Iterator[bytes]:
    """The lines from one byte to another; one that can't be read comes as one that isn't whole, and is the last."""
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
        lines: in order.
        before: seal of the line before the first one; 0 of the head.
    """
    for line in lines:
        found = SEALED.fullmatch(line[-TAIL:])
        seal = int(found[1], 16) if found else None
        whole = before is not None and seal == zlib.crc32(line[:-TAIL], before) and (before or line == HEAD)
        yield Link(line, before or 0, seal or 0) if whole else None
        before = seal


def end_of(lines: Iterable[bytes], before: int = 0) -> End | None:
    """Where lines end, or nothing if one of them isn't whole; see `links`. Only what begins games is decoded."""
    setups: dict[str, tuple[int, int]] = {}
    size, line = 0, b""
    for link in links(lines, before):
        if link is None:
            return None
        line = link.line
        if BEGUN in line:
            setups.update({entry.game: (size, link.before) for entry in entries_in(line) if entry.kind == SETUP})
        size += len(line)
        before = link.seal
    entries = entries_in(line) if line else ()
    return End(size, before, entries[-1].number if entries else 0, setups) if size else None


def last_game(lines: Iterable[bytes], game: str) -> tuple[Entry, ...]:
    """The entries of the game of this id that was set up last, in whole lines; empty if there is none to carry on."""
    mine: list[Entry] = []
    for entry in (entry for line in lines for entry in entries_in(line) if entry.game == game):
        if entry.kind == SETUP:
            mine = []
        mine.append(entry)
    return () if not mine or mine[-1].kind == ENDED else tuple(mine)


def merged(sources: Sequence[Iterator[Link | None]]) -> Iterator[bytes | DamagedError]:
    """What is whole in any of several files that once were equal, with an error in the place of what isn't.

    After such a place everything is left out up to the next set-up: what comes out are beginnings of games.
    """
    ends: list[Link | None] = [None] * len(sources)

    def whole(place: int) -> Iterator[tuple[int, Link, tuple[Entry, ...]]]:
        for link in sources[place]:
            ends[place] = link
            if link and (entries := entries_in(link.line)):
                yield entries[0].number, link, entries

    yield HEAD
    seal = last = START
    number = kept = begun = 0
    games: set[str] | None = None  # those of which nothing is missing; None: all
    for first, link, entries in heapq.merge(*map(whole, range(len(sources))), key=lambda found: found[0]):
        if first <= number:
            continue  # another file had it
        if link.before != seal:
            games = set()
        line, seal, number = link.line, link.seal, entries[-1].number
        setups = {entry.game for entry in entries if entry.kind == SETUP}
        if games is not None:
            games |= setups
            entries = tuple(entry for entry in entries if entry.game in games)
            if not entries:
                continue
            if entries[0].number > kept + 1:
                yield gap(kept, entries[0].number, begun)
            line, last = sealed(entries, last)
        else:
            last = seal
        kept = entries[-1].number
        begun += len(setups)
        yield line
    if kept < number:
        yield gap(kept, number + 1, begun)
    if not any(end and end.seal == seal for end in ends):
        yield DamagedError(f"what stood after entry {number} can't be read", number)


def same(one: FileIO, other: FileIO, size: int) -> bool:
    """Whether two files begin with the same bytes."""
    with reading(one) as ours, reading(other) as theirs:
        try:
            parts = (min(CHUNK_BYTES, size - at) for at in range(0, size, CHUNK_BYTES))
            return all(ours.read(part) == theirs.read(part) for part in parts)
        except OSError:
            return False

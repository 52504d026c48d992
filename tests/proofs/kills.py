"""The program itself, killed at random moments: `python -m tests.proofs.kills play|serve FOLDER SEED KILLS`.

`companion play` plays at its virtual table, which it renders and reads; `companion serve` looks at pictures of a game
that was played there. What they print is kept, they are killed with SIGKILL, and what was printed is held against what
stands in the journal, and against what the next start knows. To start them takes seconds, nearly all of it for loading
libraries; so most are forked from a process that has loaded them, and begin with the command line all the same.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from companion.app.play import Options, Play
from companion.app.serve import BARE
from companion.cli import main as companion
from companion.core.messages import say
from companion.face.words import load_words
from companion.games import load
from companion.service.archive import entries_of
from companion.service.entries import DamagedError, Entry
from companion.service.journal import Journal
from companion.service.lines import written

GAME, PLAYERS = "phoenix", ("Ellie", "Sam")
WORDS = load_words("en", load(GAME))
NOTICES = {WORDS.say(say(f"notice.{key}")) for key in ("resumed", "started", "journal-cut-short", "agrees")}
"""What may be printed besides what happens in the game."""
AFRESH = 10
"""One in so many is started afresh."""
LINES = 4
"""So many lines a program may print before it is killed; the first two are what it begins with."""
DELAY_S = 1.0
"""So long it lives on at most after the last of them."""
QUALITY, REPEATED, MOVES = 92, 12, 16
"""Of the pictures, how often each is shown, and how many moves they are of."""
CONFIG = """
[camera]
source = "frames:{folder}/frames"
[gpio]
factory = "mock"
[display]
driver = "none"
[paths]
journals = "{folder}"
"""
POLL_S, SHORT_S = 0.001, 0.01
"""How often it is looked whether a program saves, and how long it lives on at most after that, or after a line."""
GIVEN_UP_S = 600.0
"""A program that prints nothing for so long hangs."""


class Moment(NamedTuple):
    """When a program is killed.

    Attributes:
        lines: it has printed so many, without that on missing hardware.
        writes: or it has written into its journal so many times; 0 if that doesn't matter.
        delay_s: after that.
    """

    lines: int
    writes: int
    delay_s: float


class Life(NamedTuple):
    """What a program has printed until it was killed, or ended by itself."""

    lines: list[str]
    status: int | None


def live(arguments: list[str], fresh: bool, moment: Moment, journal: Path) -> Life:
    """Lets the program run until a moment, or until it ends by itself."""
    read, write = os.pipe()
    size, writes = _size(journal), 0
    child = _fresh(arguments, write) if fresh else _forked(arguments, write)
    os.close(write)
    content, now_s = b"", time.monotonic()
    until_s = now_s + (GIVEN_UP_S if moment.lines or moment.writes else moment.delay_s)
    reached = not (moment.lines or moment.writes)
    while (now_s := time.monotonic()) < until_s:
        if select.select([read], [], [], min(POLL_S if moment.writes else GIVEN_UP_S, until_s - now_s))[0]:
            part = os.read(read, 65536)
            if not part:
                break
            content += part
        if _size(journal) > size:
            size, writes = _size(journal), writes + 1
        if not reached and (
            content.count(b"\n") - content.count(BARE.encode()) >= moment.lines > 0 or writes >= moment.writes > 0
        ):
            reached, until_s = True, time.monotonic() + moment.delay_s
    os.kill(child, signal.SIGKILL)
    while part := os.read(read, 65536):
        content += part
    os.close(read)
    _, status = os.waitpid(child, 0)
    whole = content[: content.rfind(b"\n") + 1].decode()
    return Life(whole.splitlines(), os.WEXITSTATUS(status) if os.WIFEXITED(status) else None)


def _size(journal: Path) -> int:
    return journal.stat().st_size if journal.exists() else 0


def _fresh(arguments: list[str], pipe: int) -> int:
    command = [sys.executable, "-m", "companion", *arguments]
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, stdin=subprocess.DEVNULL).pid


def _forked(arguments: list[str], pipe: int) -> int:
    child = os.fork()
    if child:
        return child
    os.dup2(pipe, 1)
    os.dup2(pipe, 2)
    sys.stdout, sys.stderr = os.fdopen(1, "w", buffering=1), os.fdopen(2, "w", buffering=1)
    try:
        companion(arguments, prog_name="companion")
    except SystemExit as end:
        os._exit(int(end.code or 0))
    finally:
        os._exit(99)


class Kept:
    """What stands in a journal, and how much of it people have been told.

    Attributes:
        path: the journal.
        entries: those that stood there after the last look.
        errors: what is wrong.
        unannounced: entries that were on disk before a kill, and not printed yet.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.entries: list[Entry] = []
        self.errors: list[str] = []
        self.unannounced = 0

    @cached_property
    def name(self) -> str:
        return self.path.parent.name

    def events(self) -> list[str]:
        """What the entries say, in words."""
        return [WORDS.say(event.message) for entry in self.entries for event in entry.events]

    def look(self, told: list[str]) -> None:
        """Holds what one life has printed against what stands there after it, and that against what stood there."""
        before, number = self.entries, len(self.events())
        found = list(entries_of(self.path)) if self.path.exists() else []
        self.errors += [f"{self.name}: {one}" for one in found if isinstance(one, DamagedError)]
        self.entries = [one for one in found if isinstance(one, Entry)]
        if self.entries[: len(before)] != before:
            self.errors.append(f"{self.name}: entries have changed or are gone: {len(before)}, {len(self.entries)}")
        new = self.events()[number:]
        said = [line for line in told if line not in NOTICES]
        if said != new[: len(said)]:
            self.errors.append(f"{self.name}: {said} was printed, and {new} was written")
        self.unannounced += len(new) - len(said)


class Report(NamedTuple):
    """What came of it."""

    kills: int
    games: int
    announced: int
    unannounced: int
    errors: list[str]


def play(folder: Path, chance: random.Random, kills: int) -> Report:
    """Games at the virtual table, one after the other, until there were so many kills."""
    done = games = announced = unannounced = 0
    errors: list[str] = []
    while done < kills and not errors:
        games += 1
        place = folder / f"play-{games}"
        place.mkdir()
        kept = Kept(place / "j")
        arguments = ["play", GAME, "--plain", "--room", "sharp", "--players", ",".join(PLAYERS)]
        arguments += ["--seed", str(chance.randrange(10_000)), "--journal", str(kept.path)]
        ended = False
        while done < kills and not ended and not kept.errors:
            life = live(arguments, done % AFRESH == 0, _moment(chance, 2 * LINES), kept.path)
            ended = life.status is not None
            kept.look(_events(life.lines, kept, ended))
            done += not ended
        errors += kept.errors
        announced += len(kept.events())
        unannounced += kept.unannounced
    return Report(done, games, announced, unannounced, errors)


def serve(folder: Path, chance: random.Random, kills: int) -> Report:
    """The moves of a filmed game, again and again."""
    done = games = announced = unannounced = 0
    errors: list[str] = []
    shown = film(folder, chance.randrange(10_000), min(MOVES, kills))
    for number, picture in enumerate(shown.pictures):
        (folder / f"{number:02}.jpg").write_bytes(picture)
    while done < kills and not errors:
        games += 1
        place = folder / f"serve-{games}"
        (place / "frames").mkdir(parents=True)
        (place / "config.toml").write_text(CONFIG.format(folder=place))
        (place / "settings.json").write_text(json.dumps({"game": GAME}))
        kept = Kept(place / f"{GAME}.journal")
        Journal(kept.path, first=written(shown.entries[:1])).close()
        kept.look([])
        while len(kept.entries) < len(shown.entries) and not kept.errors:
            _show(folder, place, len(kept.entries) - 1, len(shown.pictures))
            (place / "starts.json").unlink(missing_ok=True)  # to be killed time and again is no reason for safe mode
            moment = _moment(chance, 1 + len(shown.entries) - len(kept.entries))
            life = live(["serve", "--config", str(place / "config.toml")], done % AFRESH == 0, moment, kept.path)
            kept.look([line for line in life.lines if not line.startswith(BARE)])
            done += 1
            if life.status is not None:
                kept.errors.append(f"{kept.name}: it ended by itself, with {life.status}: {life.lines}")
            if [_acts(one) for one in kept.entries] != [_acts(one) for one in shown.entries[: len(kept.entries)]]:
                kept.errors.append(f"{kept.name}: another game stands there: {kept.entries[-3:]}")
        errors += kept.errors
        announced += len(kept.events())
        unannounced += kept.unannounced
    return Report(done, games, announced, unannounced, errors)


def _show(film: Path, place: Path, first: int, end: int) -> None:
    """Lays the pictures before the camera from one of them on; a table stays as it is while nobody looks."""
    for old in (place / "frames").iterdir():
        old.unlink()
    for number in range(first, end):
        for again in range(REPEATED):
            (place / "frames" / f"{number:02}-{again:02}.jpg").symlink_to(film / f"{number:02}.jpg")


def _acts(entry: Entry) -> tuple[Any, ...]:
    return entry.number, entry.kind, entry.body, entry.events


def _events(lines: list[str], kept: Kept, ended: bool) -> list[str]:
    """The events and notices among the lines that `companion play` has printed."""
    found: list[str] = []
    for line in lines[1:-2] if ended else lines[1:]:  # the heading; how it ended
        if line.startswith(" "):
            found[-1] += f" {line.strip()}"
        elif line[6:8] == "· ":
            found.append(line[8:])
        else:
            kept.errors.append(f"{kept.name}: {line!r} was printed")
    return found


def _moment(chance: random.Random, left: int) -> Moment:
    """When a program is killed that will print so many lines: while it saves, right after a line, or at any time."""
    sort = chance.choice(["saving", "printing", "any"])
    if sort == "saving":
        return Moment(left, 1, chance.uniform(0, SHORT_S))
    lines = min(left, chance.randrange(LINES))
    return Moment(lines, 0, chance.uniform(0, SHORT_S if sort == "printing" and lines else DELAY_S))


class Film(NamedTuple):
    """A game, as a camera saw it.

    Attributes:
        setup: its set-up line.
        pictures: when each of its entries was written.
        entries: all of them.
    """

    setup: Any
    pictures: list[bytes]
    entries: list[Entry]


def film(folder: Path, seed: int, moves: int) -> Film:
    """Plays the first moves of a game at the virtual table."""
    options = Options(players=PLAYERS, room="sharp", seed=seed, journal=folder / "film")
    pictures: list[bytes] = []
    with closing(Play(load(GAME), options)) as playing:
        while len(pictures) <= moves:
            playing.step()
            number = len(list(entries_of(folder / "film")))
            if number > len(pictures):
                assert playing.table.frame is not None
                picture = cv2.imencode(".jpg", playing.table.frame.main, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[
                    1
                ].tobytes()
                pictures += [picture] * (number - len(pictures))
    entries = [entry for entry in entries_of(folder / "film") if isinstance(entry, Entry)]
    return Film(entries[0].body, pictures, entries)


if __name__ == "__main__":
    act: Callable[[Path, random.Random, int], Report] = {"play": play, "serve": serve}[sys.argv[1]]
    print(json.dumps(act(Path(sys.argv[2]), random.Random(int(sys.argv[3])), int(sys.argv[4]))._asdict()))

"""Games that are killed at random moments and go on: `python -m tests.proofs.cuts FOLDER SEED KILLS MOST`.

A child process plays dealt games with a real session and a real journal. What it announces it writes into a pipe,
first of all; what happens at the table it writes there before anybody looks. It is killed with SIGKILL, a new one goes
on with the same journal, and each time the journal is held against an uninterrupted game of the same deal: everything
that was announced is there, and nothing but what had happened at the table. Children are forked, so that a start takes
milliseconds.
"""

from __future__ import annotations

import json
import os
import random
import select
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.core.snapshot import Snapshot
from companion.service.archive import entries_of
from companion.service.entries import MOVE, SETUP, DamagedError
from companion.service.journal import Journal
from tests.dealt import Deal, Dealt, deals

LINES = 24
"""A child says at most so much before it is killed; a game takes about ten times as many lines."""
DELAY_S = 0.02
"""So long it lives on at most after what it said last, or after its birth."""
BIRTH = 0.25
"""Chance that it is killed so early that it may not have said anything."""


class Reference(NamedTuple):
    """An uninterrupted game.

    Attributes:
        moves: all that stand in its journal.
        facts: after the set-up and after each of them.
        events: what each of them announced.
        known: how many of them are known after so many moves of the dealer.
    """

    moves: list[Any]
    facts: list[Any]
    events: list[Any]
    known: list[int]


class World:
    """What the table is like, which no cut can undo.

    Attributes:
        deal: the game.
        dealer: its cards, as they lie now.
        due: the dealer's last move.
        steps: how many moves of the dealer there were.
        told: how many moves of the journal have been announced.
        kept: how many stand in the journal.
    """

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.dealer = deal.dealer()
        self.due: Mapping[str, Any] | None = None
        self.steps = self.told = self.kept = 0

    def follow(self, steps: int) -> None:
        """Lets happen what a child has let happen."""
        while self.steps < steps:
            self.due = self.dealer.think()
            self.dealer.do(self.due)
            self.steps += 1


def main(folder: Path, seed: int, kills: int, most: int) -> dict[str, Any]:
    """Plays games of all sorts until there were so many kills, at most so many of one game, and lets each game end.

    What is wrong stands in the report's `errors`.
    """
    chance = random.Random(seed)
    path = folder / "j"
    report: dict[str, Any] = {"games": 0, "kills": 0, "unannounced": 0, "before_setup": 0, "entries": 0, "errors": []}
    waiting: list[Deal] = []
    while report["kills"] < kills and not report["errors"]:
        waiting = waiting or deals(seed + report["games"])
        world = World(waiting.pop(0))
        reference = _reference(world.deal)
        for _ in range(most):
            _check(path, world, reference, _live(path, world, *_moment(chance)), report)
            report["kills"] += world.dealer.choices() != []
        _check(path, world, reference, _live(path, world), report)
        report["games"] += 1
        if world.kept != len(reference.moves) or world.dealer.choices():
            report["errors"].append(f"{world.deal}: it didn't go on to its end")
    report["entries"] = sum(1 for _ in entries_of(path))
    return report


def _reference(deal: Deal) -> Reference:
    dealt = Dealt(deal, Journal(":memory:"))
    dealt.look()
    known = [_made(dealt)]
    while dealt.move():
        dealt.look()
        known.append(_made(dealt))
    session = dealt.session
    assert dealt.facts == dealt.dealer.facts(), deal
    moves = [msgspec.to_builtins(entry.body) for entry in session._journal.entries() if entry.kind == MOVE]
    assert session.history is not None
    past = session.history.past
    facts = [_plain(dealt.game.facts(made.state)) for made in past]
    return Reference(moves, facts, [_plain(made.events) for made in past[1:]], known)


def _made(dealt: Dealt) -> int:
    """Number of moves that stand."""
    return len(dealt.session.history.past) - 1 if dealt.session.history else -1


def _moment(chance: random.Random) -> tuple[int, float]:
    """After how many lines a child is killed, and how long after the last of them."""
    return 0 if chance.random() < BIRTH else chance.randrange(LINES), chance.uniform(0, DELAY_S)


def _live(path: Path, world: World, lines: int | None = None, delay_s: float = 0.0) -> list[Any]:
    """Lets a child play until it is over, or has said so much and lived on for so long; what it has said."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        try:
            _play(path, world, write)
        except BaseException as error:
            _say(write, {"error": repr(error)})
        os._exit(0)
    os.close(write)
    content, part, until = b"", b"-", None if lines != 0 else time.monotonic() + delay_s
    while part and (until is None or select.select([read], [], [], max(0.0, until - time.monotonic()))[0]):
        part = os.read(read, 65536)
        content += part
        if until is None and lines is not None and content.count(b"\n") >= lines:
            until = time.monotonic() + delay_s
    os.kill(child, signal.SIGKILL)
    while part := os.read(read, 65536):
        content += part
    os.close(read)
    os.waitpid(child, 0)
    return [json.loads(line) for line in content.splitlines(keepends=True) if line.endswith(b"\n")]


def _play(path: Path, world: World, pipe: int) -> None:
    """A child's life."""

    def announce(snapshot: Snapshot) -> None:
        _say(pipe, {"facts": snapshot.facts, "events": snapshot.events, "notices": [n.key for n in snapshot.notices]})

    dealt = Dealt(world.deal, Journal(path), world.dealer, announce, world.due)
    dealt.look()
    steps = world.steps
    while dealt.move():
        steps += 1
        _say(pipe, {"step": steps})
        dealt.look()


def _say(pipe: int, what: Any) -> None:
    os.write(pipe, msgspec.json.encode(what) + b"\n")


def _check(path: Path, world: World, reference: Reference, told: list[Any], report: dict[str, Any]) -> None:
    """Holds what one life has announced, and what stands in the journal after it, against the uninterrupted game."""
    errors: list[str] = report["errors"]
    errors += [f"{world.deal}: {one['error']}" for one in told if "error" in one]
    world.follow(max([world.steps, *(one["step"] for one in told if "step" in one)]))
    errors += _announced(world, reference, [one for one in told if "facts" in one])
    moves: list[Any] | None = None
    for entry in entries_of(path):
        if isinstance(entry, DamagedError):
            errors.append(f"{world.deal}: {entry}")
        elif entry.kind == SETUP:
            moves = []
        elif entry.kind == MOVE and moves is not None:
            moves.append(msgspec.to_builtins(entry.body))
    if moves is None or (world.told == 0 and moves != reference.moves[: len(moves)]):
        moves = []  # the set-up of this game isn't there yet: the last one is that of the game before
        report["before_setup"] += 1
    world.kept = len(moves)
    if moves != reference.moves[: len(moves)]:
        errors.append(f"{world.deal}, step {world.steps}: another game stands there: {moves[-3:]}")
    if not world.told <= world.kept <= reference.known[world.steps]:
        span = f"{world.told} were announced, {reference.known[world.steps]} had happened"
        errors.append(f"{world.deal}, step {world.steps}: {world.kept} moves stand there, {span}")
    report["unannounced"] += world.kept - world.told


def _announced(world: World, reference: Reference, told: list[Any]) -> list[str]:
    """Follows the announcements of one life; what of them is wrong."""
    first = True
    for one in told:
        if one["facts"] is None:
            continue
        start = world.kept if first else world.told
        fitting = [n for n in range(start, len(reference.facts)) if reference.facts[n] == one["facts"]]
        end = fitting[0] if fitting else -1
        wanted = [event for told_then in reference.events[start:end] for event in told_then]
        if end < 0 or one["events"] != wanted:
            return [f"{world.deal}, after move {start}: {one['events']} was announced, but {wanted} was to be"]
        world.told, first = end, False
    return []


def _plain(value: Any) -> Any:
    return json.loads(msgspec.json.encode(value))


if __name__ == "__main__":
    print(json.dumps(main(Path(sys.argv[1]), *map(int, sys.argv[2:5]))))

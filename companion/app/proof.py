"""A proof: one whole seeded game, read from rendered frames and held against the dealer who knows the truth.

Hands cover cards, cards lie crooked, and wrong acts are committed and put right. What counts is whole games without
one uncorrected error: a move that was not made, one that was not seen, or a dispute that stays.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np

from companion.app.mischief import Imp, Mischief
from companion.app.virtual import VirtualGame
from companion.app.worlds import lying
from companion.core.game import Game
from companion.core.snapshot import Answer, Snapshot
from companion.service.journal import Journal
from companion.service.session import Session
from vision.cameras.virtual import VirtualCamera
from vision.scene.acting import Script
from vision.scene.optics import preset
from vision.watcher import Watcher

RATE_HZ = 6.0
"""About as many frames as a Raspberry Pi 4 could read in a second, by a guess from the speed of public benchmarks."""
BEFORE_FRAMES = 12
"""So long people look at the table that they have laid out before the first move: 2 s."""
PATIENCE_FRAMES = 48
"""So many frames after the hands are gone, what happened must have been understood: 8 s."""


class Report(msgspec.Struct, frozen=True):
    """What a proof found.

    Attributes:
        game, players, seed: which game it was.
        frames: rendered and looked at.
        moves: of the dealer that left a trace on the table.
        presses: of buttons, for what the table doesn't show.
        mischief: wrong acts by kind.
        disputes: disputes raised in all; each must be due to mischief.
        errors: what was uncorrected; empty if the game was read right.
        scores: as read.
        winners: as read.
        counters: of the watcher.
        render_s, look_s: seconds spent on rendering, and on reading.
    """

    game: str
    players: int
    seed: int
    frames: int
    moves: int
    presses: int
    mischief: dict[str, int]
    disputes: int
    errors: tuple[str, ...]
    scores: dict[str, int]
    winners: tuple[str, ...]
    counters: dict[str, int]
    render_s: float
    look_s: float


class Proof:
    """One game under test.

    Args:
        game: the rules.
        players: how many.
        seed: of everything that is left to chance.
        room: preset of the optics, such as `mild`.
        mischief: chance of a wrong act before each move.
        speed_mm_s: how fast hands move.
        options: further fields of the set-up, such as a mode.
    """

    def __init__(
        self,
        game: Game[Any, Any],
        players: int,
        seed: int,
        room: str = "mild",
        mischief: float = 0.06,
        speed_mm_s: float = 3500.0,
        options: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = game
        self._seed = seed
        self._players = players
        self._mischief = mischief
        names = [f"P{number}" for number in range(1, players + 1)]
        line = {"players": names, **(options or {})}
        self._virtual = VirtualGame(game, seed, line, RATE_HZ, speed_mm_s=speed_mm_s)
        rng = np.random.default_rng(seed)
        self._camera = VirtualCamera(self._virtual.scene, preset(room, rng), rng, RATE_HZ, self._virtual.stage)
        self._watcher = Watcher(game.box)
        self._snapshot = Snapshot(0, game.id)
        self._disputes = 0
        self._session = Session(
            game,
            Journal(":memory:"),
            self._published,
            {**(options or {}), "players": self._virtual.dealer.setup["players"]},
        )
        self._chance = random.Random(seed)
        self._imp = Imp(self._virtual, seed)
        self._frames = 0
        self._moves = self._presses = 0
        self._done: Counter[str] = Counter()
        self._errors: list[str] = []
        self._render_s = self._look_s = 0.0

    def run(self) -> Report:
        """Plays until the game is over or an error can't be mended."""
        if self._until(lambda: self._session.state is not None, "the set-up was not understood"):
            for _ in range(BEFORE_FRAMES):
                self._step()
            while not self._virtual.over and self._turn():
                pass
        state = self._session.state
        outcome = self.game.outcome(state) if state is not None else None
        if not self._errors and self.game.facts(state) != self._virtual.dealer.facts():
            self._errors.append(f"the end: {self.game.facts(state)} instead of {self._virtual.dealer.facts()}")
        return Report(
            self.game.id,
            self._players,
            self._seed,
            self._frames,
            self._moves,
            self._presses,
            dict(self._done),
            self._disputes,
            tuple(self._errors),
            dict(outcome.scores) if outcome else {},
            outcome.winners if outcome else (),
            dict(self._watcher.counters),
            self._render_s,
            self._look_s,
        )

    def _turn(self) -> bool:
        """One move of the dealer, perhaps with a wrong act before it and a hand that rests somewhere."""
        if self._chance.random() < self._mischief:
            mischief = self._imp.think(self._session.state)
            if mischief and not self._suffer(mischief):
                return False
        before = lying(self._virtual.dealer)
        move = self._virtual.move(self._session.state)
        self._moves += lying(self._virtual.dealer) != before
        if self._chance.random() < 0.05:
            self._virtual.stage.play(self._rest())
        return self._until(self._agrees, f"{dict(move)} was not understood")

    def _suffer(self, mischief: Mischief) -> bool:
        self._done[mischief.kind] += 1
        facts = self.game.facts(self._session.state)
        self._virtual.stage.play(mischief.do())
        wrong = f"{mischief.kind} of {', '.join(mischief.what)}"
        if not self._until(lambda: bool(self._snapshot.disputes), f"{wrong} went unnoticed"):
            return False
        if self.game.facts(self._session.state) != facts:
            self._errors.append(f"{wrong} was taken for a move")
            return False
        self._virtual.stage.play(mischief.mend())
        return self._until(self._put_right, f"{wrong} was put right, but stays disputed")

    def _rest(self) -> Script:
        """A hand that lies on the table for three seconds, over whatever is there."""
        width, height = self._virtual.scene.size_mm
        at = (self._chance.uniform(150, width - 150), self._chance.uniform(150, height - 100))
        yield from self._virtual.actor("").rest_hand(at, 20)

    def _agrees(self) -> bool:
        return self._virtual.agrees(self._session.state) and not self._snapshot.disputes

    def _put_right(self) -> bool:
        """Nothing is in dispute, and a move that was made beside the wrong act was told."""
        return not self._snapshot.disputes and self._virtual.due is None

    def _press(self) -> None:
        """Answers what only people can tell."""
        question = self._snapshot.question
        choice = self._virtual.pressed(question, self._session.state)
        if question is not None and choice is not None:
            self._virtual.due = None
            self._presses += 1
            self._session.tell(Answer(choice[0], question, choice[1:]))

    def _until(self, reached: Any, otherwise: str) -> bool:
        """Steps until the hands are gone and the condition holds; a failure is noted."""
        waited = 0
        while waited < PATIENCE_FRAMES:
            self._step()
            if self._virtual.stage.idle:
                if reached():
                    return True
                waited += 1
        disputes = [(dispute.piece, dispute.refusal.code) for dispute in self._snapshot.disputes]
        self._errors.append(f"frame {self._frames}: {otherwise}; disputes {disputes}")
        return False

    def _step(self) -> None:
        start = time.perf_counter()
        frame = self._camera.read()
        rendered = time.perf_counter()
        assert frame is not None
        seen = self._watcher.look(frame)
        self._look_s += time.perf_counter() - rendered
        self._render_s += rendered - start
        self._frames += 1
        if seen is not None:
            self._session.see(seen)
        if self._virtual.stage.idle:
            self._press()

    def _published(self, snapshot: Snapshot) -> None:
        if snapshot.zones != self._snapshot.zones:
            self._watcher.place(snapshot.zones)
        fresh = {d.piece for d in snapshot.disputes} - {d.piece for d in self._snapshot.disputes}
        self._disputes += len(fresh)
        self._snapshot = snapshot

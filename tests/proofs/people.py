"""Whole games at the virtual table with somebody who can't leave the buttons alone: `python -m tests.proofs.people`.

Somebody takes moves back, makes them again, corrects, names pieces, answers in place of the bots and stops the program
in the middle, at moments that chance decides, by the box's four buttons alone. The bots have to go along, and the game
to reach its end.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from companion.app.play import Options, Play
from companion.app.worlds import lying
from companion.core.game import Game
from companion.core.panel import Button
from companion.face.menu import Item, marked, offered
from companion.face.presenter import Action, actions
from companion.face.situation import Opened
from companion.games import load
from tests.onlooker import Onlooker
from tests.proofs.evening import NoCamera
from vision.cameras import Camera

LOOK_FRAMES = 4
"""While a hand is over the table somebody looks so seldom."""
PATIENCE_FRAMES = 900
"""So long without any change of the game, and without a press, is stuck."""
MOST_FRAMES = 60_000
PRESSES = 40
"""After so many presses an idea is given up."""
ACTS, STOPS, RATE, MISCHIEF = 25, 2, 0.02, 0.05
"""How many ideas somebody has, how often the program is stopped, how likely an idea is in each frame, and how often
bots do something wrong."""
CLOSING = (Action.OK, Action.CLOSE, Action.NO, Action.LATER, Action.BACK)

HASTE_MM_S = 3500.0
"""How fast hands move, so that games are short."""


class Rendered(Play):
    """A game at the virtual table as it is, on a clock of its own."""

    def __init__(self, game: Game[Any, Any], options: Options) -> None:
        self._now_s = 0.0
        super().__init__(game, options, lambda: self._now_s)
        assert self.virtual is not None
        self.virtual.speed_mm_s = HASTE_MM_S

    def step(self) -> bool:
        self._now_s += 0.1
        return super().step()


class Watched(Rendered):
    """The same without pictures: an onlooker sees the scene itself, and buttons need no pins."""

    def __init__(self, game: Game[Any, Any], options: Options) -> None:
        super().__init__(game, options)
        assert self.virtual is not None
        self._onlooker = Onlooker(self.virtual.scene, game.box)
        self._frames = 0

    def _camera(self) -> Camera:
        return NoCamera()

    def _push(self, button: Button) -> None:
        self.table.press(button)

    def step(self) -> bool:
        assert self.virtual is not None
        self._bots()
        self.virtual.stage(self._now_s)
        self._now_s += 0.1
        self._frames += 1
        if not self.virtual.scene.hands or self._frames % LOOK_FRAMES == 0:
            self.table.see(self._onlooker.look(self.table.snapshot.zones, self._now_s))
        return True


class Meddler:
    """Somebody with ideas.

    Args:
        play: the game.
        chance: of what and when.
    """

    def __init__(self, play: Play, chance: random.Random) -> None:
        self.play = play
        self.chance = chance

    def may(self) -> dict[Action, Button]:
        """What the buttons mean now."""
        return {action: button for button, action in actions(self.play.table.desk._situation()).items()}

    def item(self, item: Item) -> Iterator[Button]:
        """The presses that lead to an item of the menu, and take it."""
        while True:
            may, situation = self.may(), self.play.table.desk._situation()
            here = [pick for pick, _ in offered(situation)]
            goal = item if situation.opened is Opened.MENU else Item.MENU
            if goal in here:
                yield may[Action.CHOOSE if marked(situation) is goal else Action.NEXT]
                if goal is item and marked(situation) is goal:
                    return
            elif situation.opened is Opened.MENU:
                return
            else:
                ways = (Action.MENU, Action.ANSWER, *CLOSING, Action.STOP)
                yield next(may[way] for way in ways if way in may)

    def some(self) -> Iterator[Button]:
        """Chooses anything of a list, and anything that is asked then."""
        while situation := self.play.table.desk._situation():
            if Action.CHOOSE not in self.may() or situation.opened is Opened.MENU:
                return
            for _ in range(self.chance.randrange(max(1, len(offered(situation))))):
                yield self.may().get(Action.NEXT, Button.DOWN)
            if Action.CHOOSE in self.may():
                yield self.may()[Action.CHOOSE]

    def yes(self) -> Iterator[Button]:
        if Action.YES in self.may():
            yield self.may()[Action.YES]

    def undo(self) -> Iterator[Button]:
        for _ in range(self.chance.randint(1, 5)):
            yield from self.item(Item.UNDO)
            yield from self.yes()

    def redo(self) -> Iterator[Button]:
        for _ in range(self.chance.randint(1, 5)):
            yield from self.item(Item.REDO)

    def to_and_fro(self) -> Iterator[Button]:
        yield from self.undo()
        yield from self.redo()

    def accept(self) -> Iterator[Button]:
        yield from self.item(Item.ACCEPT)
        yield from self.yes()

    def put_right(self) -> Iterator[Button]:
        yield from self.item(Item.PUT_RIGHT)

    def name(self) -> Iterator[Button]:
        yield from self.item(Item.NAME)
        yield from self.some()

    def answer(self) -> Iterator[Button]:
        may = self.may()
        if Action.DIRECT in may:
            yield may[Action.DIRECT]
        elif Action.ANSWER in may:
            yield may[Action.ANSWER]
            yield from self.some()
        else:
            yield from self.item(Item.QUESTION)
            yield from self.some()

    def anything(self) -> Iterator[Button]:
        """Presses at random, though no new game is begun."""
        for _ in range(self.chance.randint(1, 8)):
            opened = self.play.table.desk._situation().opened
            yield Button.B if opened is Opened.RESTART else self.chance.choice(list(Button))

    def close(self) -> Iterator[Button]:
        """Puts away what is open."""
        while self.play.table.desk._situation().opened or Action.OK in self.may():
            ways = [self.may()[way] for way in CLOSING if way in self.may()]
            if not ways:
                return
            yield ways[0]


IDEAS: tuple[Callable[[Meddler], Iterator[Button]], ...] = (
    Meddler.undo, Meddler.undo, Meddler.redo, Meddler.to_and_fro, Meddler.accept, Meddler.put_right, Meddler.name,
    Meddler.answer, Meddler.answer, Meddler.anything,
)  # fmt: skip


class Evening:
    """One game.

    Args:
        make: a game that carries on with its journal.
        seed: of the ideas.
    """

    def __init__(self, make: Callable[[], Play], seed: int) -> None:
        self._make, self._acts, self._stops = make, ACTS, STOPS
        self.chance = random.Random(seed)
        self.play = make()
        self.done: Counter[str] = Counter()
        self.trail: list[str] = []

    def run(self) -> dict[str, Any]:
        """Plays to the end.

        Raises:
            AssertionError: the game is stuck, or the box and the bots differ at its end.
        """
        presses: Iterator[Button] | None = None
        still = pressed = frames = 0
        state: Any = None
        while presses is not None or self._acts or not self._ended():
            self.play.step()
            frames, still = frames + 1, still + 1
            now = self.play.table.session.state
            if now is not state or presses is not None:
                state, still = now, 0
            assert still < PATIENCE_FRAMES and frames < MOST_FRAMES, self._stuck()
            if presses is None and self._acts and (self._ended() or self.chance.random() < RATE):
                presses, pressed = self._idea(), 0
            elif presses is not None and self.chance.random() < 0.5:
                button = next(presses, None) if pressed < PRESSES else None
                pressed += 1
                if button is None:
                    presses = None
                else:
                    self.play.press(button)
        self._agree()
        self.play.close()
        return {**self.done, "frames": frames}

    def _ended(self) -> bool:
        return self.play.over and self.play.table.desk._situation().opened is not Opened.PAUSE

    def _idea(self) -> Iterator[Button] | None:
        self._acts -= 1
        if self._stops and self.chance.random() < self._stops / (self._acts + 1):
            self._stops -= 1
            self._note("stop")
            self.play.close()
            self.play = self._make()
            return None
        idea = self.chance.choice(IDEAS)
        self._note(idea.__name__)
        somebody = Meddler(self.play, self.chance)
        last = [] if self._acts else [somebody.close()]
        return (button for presses in (idea(somebody), *last) for button in presses)

    def _note(self, what: str) -> None:
        self.done[what] += 1
        self.trail.append(f"{self.play.log[-1].time if self.play.log else ''} {what}")

    def _agree(self) -> None:
        virtual, state = self.play.virtual, self.play.table.session.state
        assert virtual is not None
        assert self.play.game.facts(state) == virtual.dealer.facts()
        assert not [entry for entry in self.play.log if "bots" in entry.text]

    def _stuck(self) -> str:
        """All that helps to find out why a game is stuck."""
        play, virtual = self.play, self.play.virtual
        assert virtual is not None
        state, snapshot = play.table.session.state, play.table.snapshot
        told = [(d.piece, d.seen, d.expected, d.refusal.wording or d.refusal.code) for d in snapshot.disputes]
        theirs, ours = virtual.dealer.facts(), play.game.facts(state) if state is not None else {}
        here, goal = virtual.lies(), lying(virtual.dealer)
        found = {
            "disputes": told,
            "to put right": snapshot.to_put_right if snapshot.putting_right else (),
            "facts of dealer and box": {key: (theirs[key], ours[key]) for key in ours if theirs[key] != ours[key]},
            "table and dealer": {p: (here.get(p), goal.get(p)) for p in {*here, *goal} if here.get(p) != goal.get(p)},
            "due": virtual.due,
            "heeded": state is virtual.heeded,
            "opened": play.table.desk._situation().opened,
            "mischief": play.mischief and play.mischief.kind,
            "question": snapshot.question and snapshot.question.message.key,
            "acts": self.trail[-8:],
            "log": [entry.text for entry in play.log[-6:]],
        }
        return "stuck: " + "; ".join(f"{name}: {value}" for name, value in found.items() if value)


def evening(
    folder: Path, game: Game[Any, Any], players: int, seed: int, kind: type[Rendered] = Watched, **more: Any
) -> dict[str, Any]:
    """One game with somebody who meddles, kept in a journal in the folder.

    Args:
        folder: for the journal.
        game: the rules.
        players: how many.
        seed: of the deal and of the ideas.
        kind: from pictures, or without.
        more: options of the set-up.
    """
    names = tuple(f"P{number}" for number in range(1, players + 1))
    options = Options(names, journal=folder / "journal", seed=seed, mischief=MISCHIEF, more=more)
    return Evening(lambda: kind(game, options), seed).run()


if __name__ == "__main__":
    name, players, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
    more = dict(pair.split("=") for pair in sys.argv[5:])
    for number in range(first, last):
        started = time.monotonic()
        with tempfile.TemporaryDirectory() as scratch:
            try:
                found: object = evening(Path(scratch), load(name), players, number, **more)
            except Exception as error:
                found = f"{type(error).__name__}: {error}"
        print(name, players, number, more, f"{time.monotonic() - started:.0f} s", found, flush=True)

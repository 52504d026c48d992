"""Long evenings at full speed: `python -m tests.proofs.evening FOLDER HOURS`; figures as a JSON line.

Games are dealt and played one after the other at a table with desk, screens, lamps, buzzer and journal, on a clock
that runs as fast as the computer can. Nothing is rendered: the session sees what the dealer has on the table. The
devices are simulated, behind the drivers of the real ones.
"""

from __future__ import annotations

import gc
import json
import random
import resource
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from companion.app.hardware import SimulatedBox
from companion.app.table import Table
from companion.core.game import Way, answers
from companion.core.snapshot import Redo, Undo
from companion.core.table import Observation, Sighting
from companion.face.fonts import find_fonts
from companion.face.tables import next_language
from companion.face.words import load_words
from companion.service.journal import Journal
from devices.box import Hardware
from tests.dealt import Deal, deals
from vision.cameras import NothingNewError
from vision.frame import Frame
from vision.watcher import Watcher

TICK_S = 1.0
LOOK_S = 1.0
MOVE_S = 6.0
PART_S = 900.0
"""So often figures are taken, but"""
FEWEST = 12
"""times at least."""


class NoCamera:
    """A camera that has nothing new."""

    def read(self) -> Frame | None:
        raise NothingNewError("nothing new")

    def diagnose(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        pass


class Evening:
    """A box and a table, from one game to the next."""

    def __init__(self, folder: Path, hours: float) -> None:
        self.now_s = 0.0
        self.until_s = 3600.0 * hours
        self.chance = random.Random(1)
        self.box = SimulatedBox(lambda: self.now_s, second=True)
        self.hardware: Hardware = self.box.hardware(lambda _name, _error: None)
        self.journal = Journal(folder / "j")
        self.fonts = find_fonts()
        self.figures: list[dict[str, float]] = []
        self.games = self.moves = self.presses = self.heard = 0
        self._next_figures_s = 0.0

    def run(self) -> dict[str, Any]:
        start = time.perf_counter()
        with closing(self.journal):
            while self.now_s < self.until_s:
                for deal in deals(self.games):
                    self._game(deal)
                    if self.now_s >= self.until_s:
                        break
        self.hardware.close()
        counts = {"games": self.games, "moves": self.moves, "presses": self.presses, "heard": self.heard}
        return {**counts, "seconds": round(time.perf_counter() - start), "figures": self.figures}

    def _game(self, deal: Deal) -> None:
        game, dealer = deal.game, deal.dealer()
        draft = {**deal.options, "players": dealer.setup["players"]}
        table = Table(
            game, NoCamera(), Watcher(game.box), self.journal, load_words("en", game), self.fonts,
            lambda _report: self.hardware, draft, True, self._heard,
        )  # fmt: skip
        due: Any = None
        lay: dict[str, str] = {}
        gone: dict[str, str] = {}
        moved_s = looked_s = -MOVE_S
        while self.now_s < self.until_s:
            if self.now_s - looked_s >= LOOK_S:
                looked_s, lies = self.now_s, dict(dealer.table())
                gone = {p: z for p, z in {**gone, **lay}.items() if p not in lies}
                lay = lies
                table.see(Observation(tuple(Sighting(p, z) for p, z in lies.items()), gone, at_s=self.now_s + 1))
            state = table.session.state
            known = state is not None and game.facts(state) == dealer.facts()
            answer = None if known else self._answer(table, dealer, due)
            # What isn't known with nothing wrong and nothing to press left no trace, and comes with the next move.
            goes_on = known or (state is not None and answer is None and not table.snapshot.disputes)
            if answer is not None and (button := table.desk.towards(answer)) is not None:
                self.box.push(button)
                self.presses += 1
            elif goes_on and self.now_s - moved_s >= MOVE_S:
                if not dealer.choices():
                    break
                moved_s, due = self.now_s, dealer.think()
                dealer.do(due)
                self.moves += 1
                self._play_about(table)
            self._tick(table)
        self.games += not dealer.choices()

    def _play_about(self, table: Table) -> None:
        """Now and then somebody takes a move back and makes it again, or wants another language."""
        if self.chance.random() < 0.03:
            for command in (Undo(), Undo(), Redo(), Redo()):
                table.session.tell(command)
        if self.chance.random() < 0.02:
            table.speak(next_language(table.words.language))

    def _answer(self, table: Table, dealer: Any, due: Any) -> Way | None:
        """What somebody has to tell by the buttons."""
        question, playing = table.snapshot.question, table.session.state is not None
        for way, choice in answers(question):
            dealt = choice.draft is not None and choice.draft.items() <= dealer.setup.items()
            if (dealt and not playing) or (choice.move is not None and choice.move == due):
                return way
        return None

    def _tick(self, table: Table) -> None:
        for _ in range(2):  # a finger goes down, and up
            self.box.fingers()
            self.now_s += TICK_S / 2
            table.refresh(self.now_s)
        if self.now_s >= self._next_figures_s:
            self._next_figures_s += min(PART_S, self.until_s / FEWEST)
            self.figures.append(self._measure())

    def _measure(self) -> dict[str, float]:
        for pin in self.box._factory.pins.values():
            pin.clear_states()  # gpiozero's mock pins remember all that ever happened to them, as no real pin does
        gc.collect()
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return {
            "hours": round(self.now_s / 3600, 2),
            "rss_mb": round(pages * resource.getpagesize() / 2**20, 2),
            "objects": len(gc.get_objects()),
            "handles": sum(1 for _ in Path("/proc/self/fd").iterdir()),
            "journal_mb": round(Path(self.journal.path).stat().st_size / 2**20, 2),
        }

    def _heard(self, snapshot: Any, words: Any) -> None:
        self.heard += sum(len(words.say(event.message)) > 0 for event in snapshot.events)


if __name__ == "__main__":
    print(json.dumps(Evening(Path(sys.argv[1]), float(sys.argv[2])).run()))

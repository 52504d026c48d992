"""How long a journal of a thousand games takes to carry on with its last one, against reading all of it."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from itertools import chain, cycle, islice
from pathlib import Path

from msgspec.structs import replace

from companion.service.entries import REDO, UNDO
from companion.service.journal import Journal
from companion.service.lines import written
from companion.service.replay import replay
from tests.dealt import Deal, Dealt

GAMES = 1000
DEAL = Deal("phoenix", 4, 3)
LONG = 100_000
"""Number of entries of a single game, whose players change their minds without end."""


def main() -> None:
    """Prints times and ratios."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        game = DEAL.game
        with closing(Journal(path)) as journal:
            Dealt(DEAL, journal).play()
            played = journal.last_game(game.id)
            for _ in range(GAMES - 1):
                journal.append([(entry.kind, game, entry.body, entry.events) for entry in played])
        size = path.stat().st_size / 1e6
        print(f"{GAMES} games of {len(played)} entries: {size:.0f} MB, {1000 * size / GAMES:.0f} kB a game")
        opened_s = _seconds(lambda: Journal(path).close())
        with closing(Journal(path)) as journal:
            last_s = _seconds(lambda: journal.last_game(game.id))
            other_s = _seconds(lambda: journal.last_game("another"))
            all_s = _seconds(lambda: sum(1 for _ in journal.entries()))
            replay_s = _seconds(lambda: replay(game, played))
        print(f"opening {opened_s * 1000:.1f} ms, the last game {last_s * 1000:.1f} ms")
        print(f"its replay {replay_s * 1000:.1f} ms")
        print(f"reading all of it takes {all_s / last_s:,.0f} times as long as the last game")
        print(f"finding that a game was never played takes {other_s * 1000:.0f} ms, {all_s / other_s:.0f} times less")

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "j"
        with closing(Journal(path)) as journal:
            dealt = Dealt(DEAL, journal)
            dealt.look()
            dealt.move()
            dealt.look()
            played = journal.last_game(DEAL.game.id)
        there = chain(played, cycle([replace(played[0], kind=kind, body={}, events=()) for kind in (UNDO, REDO)]))
        entries = (replace(entry, number=number) for number, entry in enumerate(islice(there, LONG), 1))
        Journal(Path(folder) / "long", first=written(entries)).close()

        def carry_on() -> None:
            with closing(Journal(Path(folder) / "long")) as journal:
                replay(DEAL.game, journal.last_game(DEAL.game.id))

        print(f"a game of {LONG:,} entries is carried on in {_seconds(carry_on) * 1000:.0f} ms")


def _seconds(work: Callable[[], object], times: int = 3) -> float:
    """Of the processor: the shortest of several runs."""
    taken = []
    for _ in range(times):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


if __name__ == "__main__":
    main()

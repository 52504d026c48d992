"""How fast the rules are, against the dealer that plays the same moves; and how fast the command line starts."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

from companion.core.game import Game, Refusal, decode
from companion.games import load, names

GAMES = 10
STARTS = 7


def main() -> None:
    """Prints rates and ratios."""
    for name in names():
        rules(load(name))
    start_up()


def rules(game: Game[Any, Any]) -> None:
    """Moves per second of whole games with the most players."""
    worlds = [_record(game, seed) for seed in range(GAMES)]
    moves = sum(len(played) for _, played in worlds)
    referee_s = _seconds(lambda: [_apply(game, line, played) for line, played in worlds])
    dealer_s = _seconds(lambda: [_deal(game, seed, played) for seed, (_, played) in enumerate(worlds)])
    facts_s = _seconds(lambda: [_apply(game, line, played, facts=True) for line, played in worlds])
    print(f"{game.id}: referee {moves / referee_s:,.0f} moves/s; with facts {moves / facts_s:,.0f} moves/s")
    print(f"{game.id}: a move takes {referee_s / dealer_s:.1f} times as long as in the dealer, which checks nothing")


def start_up() -> None:
    """`companion --help` against an interpreter that does nothing."""
    bare_s = _seconds(lambda: _run("-c", "pass"), STARTS)
    help_s = _seconds(lambda: _run("-m", "companion", "--help"), STARTS)
    print(f"companion --help: {help_s * 1000:.0f} ms, {help_s / bare_s:.1f} times a bare interpreter")


def _record(game: Game[Any, Any], seed: int) -> tuple[Any, list[Any]]:
    dealer = game.dealer(seed, _players(game))
    played = []
    while dealer.choices():
        move = dealer.think()
        dealer.do(move)
        played.append(move)
    return dealer.setup, played


def _players(game: Game[Any, Any]) -> dict[str, Any]:
    return {"players": [f"P{number}" for number in range(game.players[1])]}


def _apply(game: Game[Any, Any], line: Any, played: list[Any], facts: bool = False) -> None:
    state = game.setup(line)
    for move in played:
        step = game.apply(state, decode(game, move))
        assert not isinstance(step, Refusal)
        state = step.state
        if facts:
            game.facts(state)


def _deal(game: Game[Any, Any], seed: int, played: list[Any]) -> None:
    dealer = game.dealer(seed, _players(game))
    for move in played:
        dealer.do(move)


def _run(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)


def _seconds(work: Callable[[], object], times: int = 3) -> float:
    """The shortest of several runs."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


if __name__ == "__main__":
    main()

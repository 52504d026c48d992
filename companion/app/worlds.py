"""The dealer's worlds: one for each state in which the rules have been, so that bots can go wherever people go."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from companion.core.box import PieceId
from companion.core.errors import CompanionError
from companion.core.game import Dealer, Game, Refusal, decode
from companion.core.table import ZoneId

IMPLIED = 2
"""So many moves that leave no trace may come before one that is read."""

Place = tuple[ZoneId, bool]
"""A zone, and whether a piece lies there face up."""
Lying = Mapping[PieceId, Place]
"""All that lies in zones."""


class AdoptError(CompanionError):
    """A dealer can't go to a state to which its own moves don't lead."""


def lying(dealer: Dealer) -> Lying:
    """What a dealer has on the table, face down and face up; of what lies in one place the lowest comes first."""
    down = {piece: (zone, False) for piece, zone in dealer.face_down().items()}
    return {**down, **{piece: (zone, True) for piece, zone in dealer.table().items()}}


class Worlds:
    """The worlds of one game.

    Args:
        game: the rules.
        dealer: the world at the start.

    Attributes:
        now: the world as it is now. It may be ahead of the rules by what they have not understood yet.
        heeded: the state of the rules that a world agreed with last; None before the game.
    """

    def __init__(self, game: Game[Any, Any], dealer: Dealer) -> None:
        self.now = dealer
        self.heeded: Any = None
        self._game = game
        self._known: list[tuple[Any, Dealer]] = []
        self._tries = 0

    def heed(self, state: Any) -> None:
        """The world is that of this state; it is remembered so."""
        self.heeded = state
        self._known = [pair for pair in self._known if pair[0] != state]
        self._known.append((state, copy.deepcopy(self.now)))

    def carry_on(self, states: Sequence[Any], moves: Sequence[Mapping[str, Any]]) -> None:
        """Goes where a journal leads.

        As long as its moves are of this deal they are made again; moves that leave no trace stand in no journal, and
        are made where the next one needs them. From the first one that isn't, hidden pieces are dealt anew.

        Args:
            states: of the rules, at the start and after each move.
            moves: as JSON objects; of an accepted table how it differed.

        Raises:
            AdoptError: the dealer can't deal anew.
        """
        self.heed(states[0])
        for move, state in zip(moves, states[1:], strict=True):
            if not self._make(partial(self._same, decode(self._game, move)), state):
                break
            self.heed(state)
        if self.heeded is not states[-1]:
            if not self.now.adopt(states[-1], {}):
                raise AdoptError(f"{self._game.id}: its dealer can't carry on from move {len(self._known)} of the game")
            self.heed(states[-1])

    def follow(self, state: Any, table: Mapping[PieceId, ZoneId]) -> bool:
        """Goes to a state to which people have brought the rules; False if the dealer can't.

        That is a world of before, or one to which a single move leads, or else one that is dealt anew.

        Args:
            state: where the rules are.
            table: by piece, the zone in which it lies face up.
        """
        known = next((world for then, world in reversed(self._known) if then == state), None)
        if known is not None:
            self.now = copy.deepcopy(known)
        elif not self._led_to(state):
            world = copy.deepcopy(self.now)
            if not world.adopt(state, table):
                return False
            self.now = world
        self._tries = self._tries + 1 if state is self.heeded else 0
        for _ in range(self._tries):
            self.now.think()  # what wasn't understood is better not tried once more, so the dice are thrown on
        self.heed(state)
        return True

    def _led_to(self, state: Any) -> bool:
        """Goes to a state that follows on the one heeded last, or on one of those just before it."""
        at = next((number for number, (then, _) in enumerate(self._known) if then is self.heeded), -1)
        here = self.now
        for then, world in reversed(self._known[max(0, at - IMPLIED) : at + 1]):
            self.now = copy.deepcopy(world)
            if self._make(partial(self._leads, then, state), state):
                return True
        self.now = here
        return False

    def _same(self, move: Any, line: Mapping[str, Any]) -> bool:
        """Whether a line says this move; in a journal, lists stand for tuples."""
        return bool(decode(self._game, line) == move)

    def _leads(self, then: Any, state: Any, line: Mapping[str, Any]) -> bool:
        """Whether a move leads from one state of the rules to another."""
        move = decode(self._game, line)
        step = move if isinstance(move, Refusal) else self._game.apply(then, move)
        return not isinstance(step, Refusal) and bool(step.state == state)

    def _make(self, meant: Callable[[Mapping[str, Any]], bool], state: Any) -> bool:
        """Makes the one that is meant of the dealer's moves, which leads to a state, and before it what it implies."""
        for _ in range(1 + IMPLIED):
            choices = self.now.choices()
            found = next((line for line in choices if meant(line)), None)
            line = found or next((line for line in choices if not self._leaves_trace(line)), None)
            if line is None:
                return False
            self.now.think()  # the move was thought about then, and what a bot thinks may need its dice
            self.now.do(line)
            if found:
                return bool(self.now.facts() == self._game.facts(state))
        return False

    def _leaves_trace(self, move: Mapping[str, Any]) -> bool:
        after = copy.deepcopy(self.now)
        after.do(move)
        return lying(after) != lying(self.now)

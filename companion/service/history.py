"""What has happened in a game, and what was taken back: one rule for the session, for replaying, and for the referee.

* A move is added at the end; taking back takes the last one away, and playing again makes it the last one once more,
  to any depth.
* A move that leads where the one leads that would be played again next is that move, however it was made: what else was
  taken back can still be played again. Any other move forgets all that was taken back.
* What undone moves have left on the table stays taken back for as long as they are undone. Once one of them is made
  again, that is so for what was taken back before it, as far as nobody has picked it up meanwhile.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.box import Box
from companion.core.game import Event
from companion.core.settle import TakenBack


class Made(msgspec.Struct, frozen=True):
    """A move that was made.

    Attributes:
        state: what it led to.
        line: the move as a JSON object; of an accepted table how it differed.
        events: what it announced.
    """

    state: Any
    line: Mapping[str, Any] = {}
    events: tuple[Event, ...] = ()


class Undone(msgspec.Struct, frozen=True):
    """A move that was taken back, and what was taken back before it."""

    made: Made
    taken_back: TakenBack


class History:
    """One game from its start.

    Args:
        box: its pieces.
        start: the state in which it began.

    Attributes:
        past: the start, and the moves that stand.
        future: the moves that can be made again, the next one last.
        taken_back: the places in which pieces must not count now, since they tell of a move that was taken back.
        unseen: the state and these places as they were when people began to go back and forth before the table was seen
            for the first time after a start; None otherwise. What is out of place by that is told only by a look.
    """

    def __init__(self, box: Box, start: Any) -> None:
        self._box = box
        self.past = [Made(start)]
        self.future: list[Undone] = []
        self.taken_back: TakenBack = {}
        self.unseen: tuple[Any, TakenBack] | None = None

    @property
    def state(self) -> Any:
        """The state that is in force."""
        return self.past[-1].state

    @property
    def top(self) -> Any:
        """The state to which all that was taken back would lead; None if nothing can be made again."""
        return self.future[0].made.state if self.future else None

    def do(self, made: Made) -> None:
        """Adds a move."""
        if self.future and self.future[-1].made.state == made.state:
            self.taken_back = self.left()
            self.future.pop()
        else:
            self.future.clear()
        self.past.append(made)

    def undo(self, taken_back: TakenBack, unseen: bool = False) -> None:
        """Takes the last move back; there has to be one.

        Args:
            taken_back: the places in which pieces must not count from now on.
            unseen: nobody has seen the table since the start.
        """
        self._press(unseen)
        self.future.append(Undone(self.past.pop(), self.taken_back))
        self.taken_back = taken_back

    def redo(self, taken_back: TakenBack, unseen: bool = False) -> None:
        """Makes the move again that was taken back last; there has to be one. The arguments are those of `undo`."""
        self._press(unseen)
        self.past.append(self.future.pop().made)
        self.taken_back = taken_back

    def look(self, taken_back: TakenBack) -> None:
        """The table was seen.

        Args:
            taken_back: the places in which pieces still must not count.
        """
        self.taken_back, self.unseen = taken_back, None

    def left(self) -> TakenBack:
        """What stays taken back once the next move is made again. Copies are counted: any may lie in such a place."""
        wanted = Counter((self._box.name_of(piece), zone) for piece, zone in self.future[-1].taken_back.items())
        left: dict[str, str | None] = {}
        for piece, zone in self.taken_back.items():
            place = (self._box.name_of(piece), zone)
            if wanted[place]:
                wanted[place] -= 1
                left[piece] = zone
        return left

    def _press(self, unseen: bool) -> None:
        if unseen and self.unseen is None:
            self.unseen = (self.state, self.taken_back)

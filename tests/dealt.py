"""Dealt games at a table that a session looks at, with no camera between: what lies there is what the dealer says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from companion.core.game import Dealer, Game, Question, answers
from companion.core.snapshot import Answer, Snapshot
from companion.core.table import Observation, Sighting
from companion.games import load
from companion.service.journal import Journal
from companion.service.session import Session

MODES = ("basic", "stinky-breath", "wolf-blew", "midnight", "race")
LOOK_S = 1.0


class Deal(NamedTuple):
    """A seeded game.

    Attributes:
        name: the game's id.
        players: how many.
        seed: of its dealer.
        mode: of Storytelling.
    """

    name: str
    players: int
    seed: int
    mode: str = ""

    @property
    def game(self) -> Game[Any, Any]:
        return load(self.name)

    @property
    def options(self) -> dict[str, Any]:
        """What is known of the set-up beforehand, but for the players."""
        return {"mode": self.mode} if self.mode else {}

    def dealer(self) -> Dealer:
        names = [f"P{number}" for number in range(1, self.players + 1)]
        return self.game.dealer(self.seed, {"players": names, **self.options})


def deals(seed: int) -> list[Deal]:
    """One game of Phoenix, and one of each mode of Storytelling."""
    tales = [Deal("storytelling", 1 + seed % 4 if mode == "race" else 2 + seed % 3, seed, mode) for mode in MODES]
    return [Deal("phoenix", 2 + seed % 5, seed), *tales]


class Dealt:
    """A dealer's game, as a session understands it.

    Args:
        deal: which one.
        journal: where it is kept.
        dealer: the world as it is now; a fresh one begins.
        publish: gets each snapshot first of all.
        due: the dealer's last move, if it isn't sure that the session knows it.
    """

    def __init__(
        self,
        deal: Deal,
        journal: Journal,
        dealer: Dealer | None = None,
        publish: Callable[[Snapshot], None] = lambda _: None,
        due: Mapping[str, Any] | None = None,
    ) -> None:
        self.game = deal.game
        self.dealer = dealer or deal.dealer()
        self.due = due
        self.snapshot = Snapshot(0, self.game.id)
        self._tell = publish
        self._lay: Mapping[str, str] = {}
        self._gone: dict[str, str] = {}
        self._at_s = 0.0
        self._quiet = False  # the dealer's last move has changed no fact
        draft = {**deal.options, "players": self.dealer.setup["players"]}
        self.session = Session(self.game, journal, self._published, draft)

    @property
    def facts(self) -> Mapping[str, Any] | None:
        """Those of the session."""
        return None if self.session.state is None else self.game.facts(self.session.state)

    def move(self) -> bool:
        """The dealer's next move in the world, which the session doesn't know yet; False after the last one."""
        if not self.dealer.choices():
            return False
        self.due, before = self.dealer.think(), self.dealer.facts()
        self.dealer.do(self.due)
        self._quiet = self.dealer.facts() == before
        return True

    def look(self) -> None:
        """The session sees the table, and people press what the table doesn't show."""
        self.session.see(self.seen())
        while (answer := self._answer(self.session.state, self.snapshot.question)) is not None:
            if self.session.state is not None:
                self.due = None
            self.session.tell(answer)

    def seen(self) -> Observation:
        """All that lies there, and what was seen to leave its place."""
        lies = self.dealer.table()
        self._gone = {p: z for p, z in {**self._gone, **self._lay}.items() if p not in lies}
        self._lay = lies
        self._at_s += LOOK_S
        return Observation(tuple(Sighting(p, z) for p, z in lies.items()), dict(self._gone), at_s=self._at_s)

    def play(self) -> None:
        """The whole game from here."""
        self.look()
        while self.move():
            self.look()

    def agree(self) -> None:
        """Goes on until the session knows all; what leaves no trace is known with what follows."""
        self.look()
        while self.facts != self.dealer.facts() and self.move():
            self.look()

    def _answer(self, state: Any, question: Question | None) -> Answer | None:
        known = state is not None and self.game.facts(state) == self.dealer.facts()
        if question is None or (known and not self._quiet):
            return None
        for way, choice in answers(question):
            dealt = choice.draft is not None and choice.draft.items() <= self.dealer.setup.items()
            if (dealt and state is None) or (choice.move is not None and choice.move == self.due):
                return Answer(way[0], question, way[1:])
        return None

    def _published(self, snapshot: Snapshot) -> None:
        self._tell(snapshot)
        self.snapshot = snapshot

"""A game at a table without a camera: a session, its desk, and pieces that lie where a test says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Self

from msgspec.structs import replace

from companion.core.box import PieceId
from companion.core.game import Game, Refusal
from companion.core.panel import Button
from companion.core.snapshot import Snapshot
from companion.core.table import Observation, Sighting, ZoneId
from companion.face.desk import Desk
from companion.games import load
from companion.service.history import Made
from companion.service.journal import Journal
from companion.service.session import Session


class SeatedGame(ABC):
    """A game that a session follows; with `draft` one that is being set up.

    Attributes:
        snapshot: the newest one.
        lying: what lies where, face up.
        since: when a piece came to lie; the others lay there from the beginning.
        hidden: what is only believed to lie there.
        at_mm: where a piece lies, if that matters.
        page: which of the pages on the screen a test is about.
    """

    def __init__(self, name: str, line: Mapping[str, Any], draft: Mapping[str, Any] | None) -> None:
        self.game: Game[Any, Any] = load(name)
        self.desk = Desk(self.game.melodies)
        self.lying: dict[PieceId, ZoneId] = {}
        self.since: dict[PieceId, float] = {}
        self.hidden: set[PieceId] = set()
        self.at_mm: dict[PieceId, tuple[float, float]] = {}
        self.gone: dict[PieceId, ZoneId] = {}
        self.now_s = 10.0
        self.page = 0
        journal = Journal(":memory:")
        if draft is None:
            journal.append([("setup", self.game, line, ())])
        self.snapshot = Snapshot(0, name)
        self.session = Session(self.game, journal, self._take, dict(draft or {}), resume=draft is None)
        if draft is None:
            self.press(Button.A)
            self.tidy()

    def _take(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot
        self.desk.show(snapshot)

    @property
    def state(self) -> Any:
        """Of the rules."""
        return self.session.state

    @property
    def disputes(self) -> list[tuple[PieceId, str]]:
        """The pieces in dispute, each with the wording of its refusal."""
        return [(dispute.piece, dispute.refusal.wording or dispute.refusal.code) for dispute in self.snapshot.disputes]

    @abstractmethod
    def tidy(self) -> Self:
        """Lays everything as the rules expect it now."""

    def put(self, put: Mapping[PieceId, ZoneId | None], anew: bool) -> Self:
        """Puts pieces into zones, takes them away (None), and lets the session look.

        Args:
            put: by piece, its zone.
            anew: a piece that has lain somewhere before comes to lie now; otherwise it is as old as it was.
        """
        self.now_s += 1.0
        for piece, zone in put.items():
            before = self.lying.pop(piece, None)
            if zone is not None:
                self.gone.pop(piece, None)
                self.lying[piece] = zone
                self.since[piece] = self.now_s if anew else self.since.get(piece, self.now_s)
            elif before:
                self.gone[piece] = before
        sightings = tuple(
            Sighting(
                piece, zone, self.at_mm.get(piece, (0.0, 0.0)), 0.0, piece in self.hidden, self.since.get(piece, 1.0)
            )
            for piece, zone in self.lying.items()
        )
        self.session.see(Observation(sightings, dict(self.gone), at_s=self.now_s))
        return self

    def make(self, moves: Iterable[Any]) -> Self:
        """Makes moves as if the table and the buttons had told them, and lays all as it is expected then."""
        for one in moves:
            step = self.game.apply(self.state, one)
            assert not isinstance(step, Refusal), (one, step)
            assert self.session.history
            self.session.history.do(Made(step.state, {}, step.events))
        return self.tidy()

    def change(self, **fields: Any) -> Self:
        """Another state, as moves alone would hardly reach it."""
        assert self.session.history
        *_, last = self.session.history.past
        self.session.history.past[-1] = replace(last, state=replace(self.state, **fields))
        return self.tidy()

    def fresh(self, name: str) -> PieceId:
        """The piece of this id, or one of this name that lies nowhere."""
        if name in self.game.box.pieces:
            return name
        return next(copy.id for copy in self.game.box.copies[name] if copy.id not in self.lying)

    def press(self, *buttons: Button) -> Self:
        """Presses buttons of the box."""
        for button in buttons:
            command = self.desk.press(button)
            if command:
                self.session.tell(command)
        return self

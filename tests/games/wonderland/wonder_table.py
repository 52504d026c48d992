"""A table of Wonderland XIII without a camera: a session, its desk, and pieces that lie where a test says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.box import PieceId
from companion.core.game import Game, Refusal
from companion.core.panel import Button
from companion.core.snapshot import Snapshot
from companion.core.table import Observation, Sighting, ZoneId
from companion.face.desk import Desk
from companion.games import load
from companion.service.journal import Journal
from companion.service.session import Session
from tests.games.wonderland.wonder import line, move


class Table:
    """A game that a session follows; without `setup` one that is being set up.

    Attributes:
        snapshot: the newest one.
        lying: what lies where, face up.
        since: when a piece came to lie; the others lay there from the beginning.
        page: which of the pages on the screen a test is about.
    """

    def __init__(self, *args: Any, draft: Mapping[str, Any] | None = None, **fields: Any) -> None:
        self.game: Game[Any, Any] = load("wonderland")
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
            journal.append([("setup", self.game, {"game": "wonderland", **line(*args, **fields)}, ())])
        self.snapshot = Snapshot(0, "wonderland")
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

    def tidy(self) -> Table:
        """Lays everything as the rules expect it now; Keys of the turn player before him."""
        names = [(name, zone) for name, zone in self.game.layout(self.state).expected]
        turn = self.state.players[self.state.turn]
        names += [("key", f"keys/{turn}")] * self.state.keys
        names += [(card, "discards/pile") for card in self.state.discards]
        free = dict(self.lying)
        laid: dict[PieceId, ZoneId] = {}
        for name, zone in names:
            copies = [copy.id for copy in self.game.box.copies[name] if copy.id not in laid]
            piece = next((copy for copy in copies if free.get(copy) == zone), None)
            piece = piece or next((copy for copy in copies if copy not in free), copies[0])
            laid[piece] = zone
        self.lying, self.gone = laid, {}
        return self.look()

    def look(self, **put: ZoneId | None) -> Table:
        """Puts pieces into zones (`__` for `/`, `_` for `-`), takes them away (None), and lets the session look."""
        self.now_s += 1.0
        for piece, zone in put.items():
            before = self.lying.pop(piece, None)
            if zone is None and before:
                self.gone[piece] = before
            elif zone is not None:
                self.gone.pop(piece, None)
                self.lying[piece] = zone
                self.since.setdefault(piece, self.now_s)
        sightings = tuple(
            Sighting(
                piece, zone, self.at_mm.get(piece, (0.0, 0.0)), 0.0, piece in self.hidden, self.since.get(piece, 1.0)
            )
            for piece, zone in self.lying.items()
        )
        self.session.see(Observation(sightings, dict(self.gone), at_s=self.now_s))
        return self

    def play(self, *words: str) -> Table:
        """Makes moves as if the table and the buttons had told them, and lays all as it is expected then."""
        for one in words:
            step = self.game.apply(self.state, move(one))
            assert not isinstance(step, Refusal), (one, step)
            self.session._past.append(step.state)
            self.session._told.append(step.events)
        return self.tidy()

    def change(self, **fields: Any) -> Table:
        """Another state, as rules alone would hardly reach it."""
        self.session._past[-1] = replace(self.state, **fields)
        return self.tidy()

    def first(self, name: str, zone: ZoneId) -> PieceId:
        """A piece of this name that lies in a zone."""
        return next(p for p, where in self.lying.items() if where == zone and self.game.box.name_of(p) == name)

    def fresh(self, name: str) -> PieceId:
        """A piece of this name that lies nowhere."""
        return next(copy.id for copy in self.game.box.copies[name] if copy.id not in self.lying)

    def press(self, *buttons: Button) -> Table:
        """Presses buttons of the box."""
        for button in buttons:
            command = self.desk.press(button)
            if command:
                self.session.tell(command)
        return self

    @property
    def disputes(self) -> list[tuple[PieceId, str]]:
        """The pieces in dispute, each with the wording of its refusal."""
        return [(dispute.piece, dispute.refusal.wording or dispute.refusal.code) for dispute in self.snapshot.disputes]

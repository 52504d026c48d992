"""A table of 3 Kings without a camera: a session, its desk, and pieces that lie where a test says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.box import PieceId
from companion.core.game import Game, Refusal, decode
from companion.core.panel import Button
from companion.core.snapshot import Snapshot
from companion.core.table import Observation, Sighting, ZoneId
from companion.face.desk import Desk
from companion.games import load
from companion.service.journal import Journal
from companion.service.session import Session

ANN, BEN, CLEO = "Ann", "Ben", "Cleo"
SIX = {ANN: 6, BEN: 6, CLEO: 6}
Line = Mapping[str, Any]


class Table:
    """A game that a session follows; with `draft` one that is being set up.

    Attributes:
        snapshot: the newest one.
        lying: what lies where.
        since: when a piece came to lie; the others lay there from the beginning.
        page: which of the pages on the screen a test is about.
    """

    def __init__(self, draft: Mapping[str, Any] | None = None, **fields: Any) -> None:
        self.game: Game[Any, Any] = load("three_kings")
        self.desk = Desk(self.game.melodies)
        self.lying: dict[PieceId, ZoneId] = {}
        self.since: dict[PieceId, float] = {}
        self.gone: dict[PieceId, ZoneId] = {}
        self.now_s = 10.0
        self.page = 0
        journal = Journal(":memory:")
        line = {"players": [ANN, BEN, CLEO], "thrones": ["noble-1a", "merchant-1a", "priest-1a"], **fields}
        if draft is None:
            journal.append([("setup", self.game, line, ())])
        self.snapshot = Snapshot(0, "three_kings")
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

    def tidy(self) -> Table:
        """Lays everything as the rules expect it now."""
        self.lying, self.gone = {}, {}
        layout = self.game.layout(self.state)
        shown = [(piece, zone) for piece, zone in layout.optional if zone.startswith("space/")]
        drawn = [(piece, zone) for piece, zone in layout.optional if piece.startswith("action-") and "stage" in zone]
        for name, zone in (*layout.expected, *shown, *drawn):
            self.lying[self.fresh(name)] = zone
        return self.look()

    def look(self, put: Mapping[PieceId, ZoneId | None] | None = None) -> Table:
        """Puts pieces into zones, takes them away (None), and lets the session look."""
        self.now_s += 1.0
        for piece, zone in (put or {}).items():
            before = self.lying.pop(piece, None)
            if zone is not None:
                self.gone.pop(piece, None)
                self.lying[piece] = zone
                self.since[piece] = self.now_s
            elif before:
                self.gone[piece] = before
        sightings = tuple(Sighting(p, zone, since_s=self.since.get(p, 1.0)) for p, zone in self.lying.items())
        self.session.see(Observation(sightings, dict(self.gone), at_s=self.now_s))
        return self

    def backs(self, *zones: ZoneId) -> Table:
        """Lays a card face down into each of these zones, all in one look."""
        laid = {}
        for zone in zones:
            used = {*self.lying, *laid}
            laid[next(copy.id for copy in self.game.box.copies["back"] if copy.id not in used)] = zone
        return self.look(laid)

    def play(self, *moves: Line) -> Table:
        """Makes moves as if the table and the buttons had told them, and lays all as it is expected then."""
        for one in moves:
            move = decode(self.game, one)
            step = self.game.apply(self.state, move)
            assert not isinstance(step, Refusal), (one, step)
            self.session._past.append(step.state)
            self.session._told.append(step.events)
        return self.tidy()

    def change(self, **fields: Any) -> Table:
        """Another state, as moves alone would hardly reach it."""
        self.session._past[-1] = replace(self.state, **fields)
        return self.tidy()

    def fresh(self, name: str) -> PieceId:
        """The piece of this id, or one of this name that lies nowhere."""
        if name in self.game.box.pieces:
            return name
        return next(copy.id for copy in self.game.box.copies[name] if copy.id not in self.lying)

    def press(self, *buttons: Button) -> Table:
        """Presses buttons of the box."""
        for button in buttons:
            command = self.desk.press(button)
            if command:
                self.session.tell(command)
        return self


def planned(*spaces: str, **fields: Any) -> Table:
    """The second Turn, once all have planned: for each player such as `x--`, where the first space is filled."""
    table = Table(turn=2, hands=SIX, **fields)
    plans = spaces or ("xxx", "xxx", "xxx")
    return table.play(
        *(
            {"do": "plan", "by": by, "spaces": [one == "x" for one in plan]}
            for by, plan in zip((ANN, BEN, CLEO), plans, strict=True)
        )
    )


def acting(ann: str, ben: str = "spy-2a", cleo: str = "guard-2a", **fields: Any) -> Table:
    """Ann performs a Character in the first Round; the others have shown theirs."""
    return planned("x--", "x--", "x--", **fields).play(
        {"do": "reveal", "cards": {ANN: ann, BEN: ben, CLEO: cleo}},
    )


def at_counsel(**fields: Any) -> Table:
    """Counselors at Court, with nothing planned before."""
    table = planned("---", "---", "---", **fields)
    return table.play(*[{"do": "reveal", "cards": {}}] * 3)


def at_intrigue(**fields: Any) -> Table:
    """Intrigue of the Throne, with no Counselor sent."""
    return at_counsel(**fields).play(*({"do": "counsel", "by": by, "skip": True} for by in (ANN, BEN, CLEO)))


def at_award(*thrones: int, **fields: Any) -> Table:
    """Awarding, after so many cards were laid before each of the three Thrones."""
    laid = [throne for throne, number in enumerate(thrones, 1) for _ in range(number)]
    table = at_intrigue(**fields)
    moves = [{"do": "intrigue", "throne": throne} for throne in laid]
    table.play(*(dict(move, by=(ANN, BEN, CLEO)[number % 3]) for number, move in enumerate(moves)))
    while table.state.phase == "intrigue":
        by = table.state.seats[table.state.waiting[0]].name
        table.play({"do": "intrigue", "by": by, "pass": True})
    return table

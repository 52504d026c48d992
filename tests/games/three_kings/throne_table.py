"""A table of 3 Kings without a camera: a session, its desk, and pieces that lie where a test says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from companion.core.box import PieceId
from companion.core.game import decode
from companion.core.table import ZoneId
from tests.seated import SeatedGame

ANN, BEN, CLEO = "Ann", "Ben", "Cleo"
SIX = {ANN: 6, BEN: 6, CLEO: 6}
Line = Mapping[str, Any]


class Table(SeatedGame):
    """A game of 3 Kings that a session follows; with `draft` one that is being set up."""

    def __init__(self, draft: Mapping[str, Any] | None = None, **fields: Any) -> None:
        line = {"players": [ANN, BEN, CLEO], "thrones": ["noble-1a", "merchant-1a", "priest-1a"], **fields}
        super().__init__("three_kings", line, draft)

    def tidy(self) -> Self:
        """Lays everything as the rules expect it now."""
        self.lying, self.gone = {}, {}
        layout = self.game.layout(self.state)
        shown = [(piece, zone) for piece, zone in layout.optional if zone.startswith("space/")]
        drawn = [(piece, zone) for piece, zone in layout.optional if piece.startswith("action-") and "stage" in zone]
        for name, zone in (*layout.expected, *shown, *drawn):
            self.lying[self.fresh(name)] = zone
        return self.look()

    def look(self, put: Mapping[PieceId, ZoneId | None] | None = None) -> Self:
        """Puts pieces into zones, takes them away (None), and lets the session look."""
        return self.put(put or {}, anew=True)

    def backs(self, *zones: ZoneId) -> Self:
        """Lays a card face down into each of these zones, all in one look."""
        laid: dict[PieceId, ZoneId | None] = {}
        for zone in zones:
            used = {*self.lying, *laid}
            laid[next(copy.id for copy in self.game.box.copies["back"] if copy.id not in used)] = zone
        return self.look(laid)

    def play(self, *moves: Line) -> Self:
        """Makes moves as if the table and the buttons had told them, and lays all as it is expected then."""
        return self.make(decode(self.game, one) for one in moves)


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

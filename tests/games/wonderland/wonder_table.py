"""A table of Wonderland XIII without a camera: a session, its desk, and pieces that lie where a test says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from companion.core.box import PieceId
from companion.core.table import ZoneId
from tests.games.wonderland.wonder import line, move
from tests.seated import SeatedGame


class Table(SeatedGame):
    """A game of Wonderland XIII that a session follows; with `draft` one that is being set up."""

    def __init__(self, *args: Any, draft: Mapping[str, Any] | None = None, **fields: Any) -> None:
        whole = {"game": "wonderland", **line(*args, **fields)} if draft is None else {}
        super().__init__("wonderland", whole, draft)

    def tidy(self) -> Self:
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

    def look(self, **put: ZoneId | None) -> Self:
        """Puts pieces into zones, takes them away (None), and lets the session look; nothing gets younger."""
        return self.put(put, anew=False)

    def play(self, *words: str) -> Self:
        """Makes moves as if the table and the buttons had told them, and lays all as it is expected then."""
        return self.make(map(move, words))

    def first(self, name: str, zone: ZoneId) -> PieceId:
        """A piece of this name that lies in a zone."""
        return next(p for p, where in self.lying.items() if where == zone and self.game.box.name_of(p) == name)

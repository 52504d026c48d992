"""Wrong acts at the virtual table are such as people can see."""

from __future__ import annotations

from companion.app.mischief import Imp
from companion.app.virtual import VirtualGame
from companion.games import load


def test_of_two_pieces_that_appear_at_once_none_lies_on_the_other() -> None:
    virtual = VirtualGame(load("wonderland"), 1, {"players": ["Ann", "Bea"]})
    imp = Imp(virtual, 1)
    for deck in range(5):
        zones = {where for _ in range(20) for _, where in imp._others("Alicea", f"deck-{deck}/top")}
        assert zones
        assert f"deck-{deck}/top" not in zones

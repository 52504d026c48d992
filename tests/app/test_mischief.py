"""Wrong acts at the virtual table: such as people can see, and what else is done beside them."""

from __future__ import annotations

from companion.app.mischief import Imp
from companion.app.virtual import VirtualGame
from companion.core.game import Refusal, decode
from companion.games import load


def test_a_move_beside_a_wrong_act_is_told_by_button_if_the_table_does_not_tell_it() -> None:
    table = VirtualGame(load("three_kings"), 1, {"players": ["Ann", "Ben", "Cleo"]})
    state = table.game.setup(table.dealer.setup)
    while state.phase == "recruit":
        line = table.dealer.think()
        step = table.game.apply(state, decode(table.game, line))
        assert not isinstance(step, Refusal)
        state = step.state
        table.dealer.do(line)
    by = state.seats[state.waiting[0]]
    move = {"do": "plan", "spaces": (True, False, False), "by": by.name}
    laid = {"back#50": f"space/{by.guild}/1", "action-07": "stage/cards"}
    mischief = Imp(table, 1)._both(state, move, laid, "action-07")
    assert mischief is not None
    for script in (mischief.do(), mischief.mend()):
        table.stage.play(script)
        while not table.stage.idle:
            table.stage(0.0)
    assert ("back#50" in table.scene.placed, "action-07" in table.scene.placed) == (True, False)
    assert table.due == move


def test_of_two_pieces_that_appear_at_once_none_lies_on_the_other() -> None:
    virtual = VirtualGame(load("wonderland"), 1, {"players": ["Ann", "Bea"]})
    imp = Imp(virtual, 1)
    for deck in range(5):
        zones = {where for _ in range(20) for _, where in imp._others("Alicea", f"deck-{deck}/top")}
        assert zones
        assert f"deck-{deck}/top" not in zones

"""Wrong acts at the virtual table, and what else is done beside them."""

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

"""Taking back at the table of 3 Kings: cards that lie face down are all alike."""

from __future__ import annotations

from companion.core.snapshot import Redo, Undo
from tests.games.three_kings.throne_table import Table, at_intrigue

LAID = "intrigue/1"


def _lays(table: Table, *backs: str) -> Table:
    for back in backs:
        table.look({back: LAID})
    return table


def test_a_card_that_was_picked_up_may_be_laid_again_whichever_of_those_alike_was_meant() -> None:
    table = _lays(at_intrigue(), "back#02", "back#01")
    table.session.tell(Undo())
    assert len(table.disputes) == 1
    assert table.look({"back#02": None}).disputes == []
    table.lying = {"back#02": LAID, **table.lying}
    assert (table.look().state.intrigue, table.disputes) == ((2, 0, 0), [])


def test_cards_that_were_taken_back_one_by_one_are_laid_again_one_by_one() -> None:
    table = _lays(at_intrigue(), "back#01", "back#02", "back#03")
    laid = []
    for command in (Undo(), Undo(), Undo(), Redo(), Redo(), Redo()):
        table.session.tell(command)
        laid.append((table.look().state.intrigue[0], len(table.disputes)))
    assert laid == [(2, 1), (1, 2), (0, 3), (1, 2), (2, 1), (3, 0)]
    assert table.session.history
    assert table.session.history.taken_back == {}


def test_a_card_of_a_later_phase_stays_taken_back_while_earlier_moves_are_made_again() -> None:
    table = _lays(at_intrigue(), "back#01")
    laid = []
    for command in (Undo(), Undo(), Undo(), Redo(), Redo(), Redo()):
        table.session.tell(command)
        laid.append((table.look().state.phase, table.state.intrigue[0], len(table.disputes)))
    court, plot = ("counsel", 0, 1), ("intrigue", 0, 1)
    assert laid == [plot, court, court, court, plot, ("intrigue", 1, 0)]

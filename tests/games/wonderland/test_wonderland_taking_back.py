"""Taking back at the table of Wonderland XIII, and laying everything as it was."""

from __future__ import annotations

import pytest

from companion.core.snapshot import Redo, Undo
from tests.games.wonderland.wonder_table import Table


@pytest.mark.parametrize(("skill", "after"), [("Rabbit", "refill"), ("Hatter", "decide")])
def test_a_skill_stays_taken_back_while_the_card_that_told_it_lies_open_on_its_deck(skill: str, after: str) -> None:
    table = Table().play("unlock 1", "cover 1 Cat", f"take 0:{skill} 2:Bundle").look(Bundleh="deck-3/top")
    assert table.state.phase == after
    table.session.tell(Undo())
    assert (table.state.phase, table.disputes) == ("skill", [("Bundleh", "taken-back")])
    assert table.look().disputes == [("Bundleh", "taken-back")]
    assert table.look(Bundleh=None).disputes == []
    table.look(Bundleh="deck-3/top")
    assert table.state.phase == after
    table.session.tell(Undo())
    table.session.tell(Redo())
    assert (table.state.phase, table.disputes) == (after, [])

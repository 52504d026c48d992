"""Where table and box disagree: the table is taken as it lies, or put right; and what no tag tells is told by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from test_session import PLAYERS, START, Table, _codes, _put_away

from companion.core.game import Game
from companion.core.messages import say
from companion.core.snapshot import Accept, AskNameable, Name, PutRight, Redo, Undo
from companion.core.table import Observation, Sighting
from companion.service.archive import entries_of
from companion.service.entries import ACCEPTED
from tests.service.poor_disk import read_only

__all__ = ["_put_away"]


@pytest.fixture
def table(phoenix: Game[Any, Any]) -> Table:
    table = Table(phoenix, draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    return table


def _begun(path: Path, game: Game[Any, Any]) -> Table:
    table = Table(game, path, draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    return table


# The table is right


def test_a_card_at_the_wrong_side_counts_there_if_people_say_so(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    table = _begun(tmp_path / "j", phoenix)
    corrected = say("event.corrected", cards=["red-3a"], turn="Ellie")
    assert table.look(red_3a="big/bell").acceptable == corrected
    table.session.tell(Accept())
    after = table.snapshots[-1]
    assert ([e.name for e in after.events], after.disputes) == (["corrected"], ())
    assert (table.facts()["nests"]["big"]["Sam"], table.facts()["turn"]) == (["red-3"], "Ellie")
    assert (table.facts()["hands"], table.facts()["to_draw"]) == ({"Ellie": 5, "Sam": 4}, "Sam")
    kinds = [entry.kind for entry in entries_of(tmp_path / "j") if not isinstance(entry, Exception)]
    assert kinds[-1] == ACCEPTED
    again = Table(phoenix, tmp_path / "j")
    again.lying = dict(table.lying)
    assert (again.look().facts, again.snapshots[-1].disputes) == (after.facts, ())


def test_what_was_accepted_can_be_taken_back_and_played_again(table: Table) -> None:
    before = table.facts()
    table.look(red_3a="big/bell")
    table.session.tell(Accept())
    after = table.facts()
    table.session.tell(Undo())
    assert table.facts() == before
    assert _codes(table.snapshots[-1]) == {"red-3a": "taken-back"}
    table.session.tell(Redo())
    assert (table.facts(), table.snapshots[-1].disputes) == (after, ())


def test_all_cards_are_conserved_by_an_accepted_table(table: Table) -> None:
    table.look(red_3a="big/crown", red_4a="big/bell")
    table.look(red_3a="small-1/crown", red_5a="small-2/bell", blue_2a="small-2/bell")
    table.session.tell(Accept())
    facts = table.facts()
    lying = sum(len(cards) for nest in facts["nests"].values() for cards in nest.values())
    assert lying == 4
    assert lying + sum(facts["hands"].values()) + facts["deck"] + facts["discards"] + 1 == 69
    assert facts["turn"] == "Ellie", "she has one card there, and Sam three"


def test_a_table_that_agrees_or_that_cannot_be_right_is_not_offered(table: Table) -> None:
    assert table.look(red_3a="big/crown").acceptable is None
    assert table.look(token_2a="big").acceptable is None
    assert table.look(token_2a="small-1", red_4a="small-1/key").acceptable is None
    facts = table.facts()
    table.session.tell(Accept())
    assert table.facts() == facts
    assert [notice.key for notice in table.snapshots[-1].notices] == ["refusal.accept-nobodys-side"]


def test_what_cannot_be_saved_is_not_accepted(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    table = _begun(tmp_path / "j", phoenix)
    table.look(red_3a="big/bell")
    before = table.facts()
    with read_only():
        table.session.tell(Accept())
    assert table.facts() == before
    assert [notice.key for notice in table.snapshots[-1].notices] == ["trouble.journal-read-only"]
    table.session.tell(Accept())
    assert table.facts()["nests"]["big"]["Sam"] == ["red-3"]


# The box is right


def test_while_the_table_is_put_right_nothing_on_it_is_a_move(table: Table) -> None:
    table.look(red_3a="big/crown", red_4a="big/bell")
    table.look(red_4a="big/key", red_5a="small-1/key")
    table.session.tell(PutRight())
    assert table.snapshots[-1].to_put_right == (
        say("putting-right.away", piece="red-5a", zone="small-1/key"),
        say("putting-right.back", piece="red-4a", zone="big/bell"),
    )
    before = table.facts()
    legal = table.look(red_5a="small-1/crown", red_4a="big/bell")
    assert (table.facts(), legal.putting_right) == (before, True)
    assert legal.to_put_right == (say("putting-right.away", piece="red-5a", zone="small-1/crown"),)
    right = table.look(red_5a=None)
    assert (right.putting_right, right.to_put_right, right.disputes) == (False, (), ())
    table.look(red_5a="small-1/crown")
    assert table.facts()["turn"] == "Sam"


def test_a_piece_that_nobody_has_seen_since_is_put_right_as_well(table: Table) -> None:
    table.look(red_3a="big/crown", red_4a="big/bell")
    table.session.tell(PutRight())
    del table.lying["red-3a"]
    assert table.look().to_put_right == ()
    assert not table.snapshots[-1].putting_right
    table.look(red_4a="big/key")
    table.session.tell(PutRight())
    assert table.look(red_4a="big/bell").to_put_right == (say("putting-right.back", piece="red-3a", zone="big/crown"),)
    table.session.tell(PutRight(False))
    assert not table.snapshots[-1].putting_right
    assert table.snapshots[-1].to_put_right == ()


# A tag can't be read


def _offered(table: Table) -> Any:
    table.session.tell(AskNameable())
    return table.snapshots[-1].nameable


def test_only_what_would_count_can_be_named(table: Table) -> None:
    table.look(red_3a="big/crown")
    offered = _offered(table)
    assert set(offered.laid) == {"small-1/bell", "small-2/bell", "big/bell"}
    assert "red-3" in offered.laid["big/bell"], "there are two of them"
    assert "red-7" in offered.laid["big/bell"]
    table.look(red_7="big/bell")
    assert _offered(table).laid.keys() == {"small-1/crown", "small-2/crown", "big/crown"}
    assert "red-7" not in _offered(table).laid["big/crown"]


def test_a_card_that_was_named_is_a_move_like_any_other_and_stays_while_it_is_not_seen(
    tmp_path: Path, phoenix: Game[Any, Any]
) -> None:
    table = _begun(tmp_path / "j", phoenix)
    table.session.tell(Name("red-3", "big/crown"))
    assert [event.name for event in table.snapshots[-1].events] == ["placed"]
    assert table.facts()["nests"]["big"]["Ellie"] == ["red-3"]
    assert table.look(red_4a="big/bell").disputes == ()
    again = Table(phoenix, tmp_path / "j")
    again.lying = dict(table.lying)
    assert (again.look().disputes, again.facts()["nests"]["big"]["Ellie"]) == ((), ["red-3"])


def test_what_was_named_and_breaks_a_rule_is_said_and_forgotten(table: Table) -> None:
    before = table.facts()
    table.session.tell(Name("red-3", "big/bell"))
    snapshot = table.snapshots[-1]
    assert snapshot.notices == (say("notice.not-named", piece="red-3", zone="big/bell"),)
    assert (snapshot.disputes, table.facts()) == ((), before)
    table.session.tell(Name("no-card", "big/bell"))
    assert table.facts() == before


def test_what_is_told_to_be_gone_is_gone_until_it_is_seen(table: Table) -> None:
    for seat in ("crown", "bell"):
        for nest in ("small-1", "small-2", "big"):
            for colour in ("red", "blue"):
                free = next(
                    f"{colour}-{n}{copy}"
                    for n in (2, 3, 4, 5, 6)
                    for copy in "ab"
                    if f"{colour}-{n}{copy}" not in table.lying
                )
                table.lying[free] = f"{nest}/{seat}"
    laid = {piece: zone for piece, zone in table.lying.items() if "/" in (zone or "") and piece != "start"}
    table.lying = dict(START)
    crown = [piece for piece, zone in laid.items() if zone and zone.endswith("crown")]
    bell = [piece for piece, zone in laid.items() if zone and zone.endswith("bell")]
    for mine, yours in zip(crown, bell, strict=True):
        table.lying[mine] = laid[mine]
        table.look()
        table.lying[yours] = laid[yours]
        table.look()
    assert table.facts()["phase"] == "treasure"
    token = "token-2a"
    del table.lying[token]
    table.look()
    assert token in _offered(table).gone
    table.session.tell(Name(token, None))
    assert [event.name for event in table.snapshots[-1].events][:1] == ["picked"]


def test_a_piece_that_is_seen_is_where_it_is_seen(table: Table) -> None:
    table.look(red_3a="big/crown")
    table.session.tell(Name("red-3a", None))
    assert table.snapshots[-1].disputes == ()
    seen = Observation((*(Sighting(p, z) for p, z in table.lying.items()),))
    table.session.see(seen)
    assert table.facts()["nests"]["big"]["Ellie"] == ["red-3"]

"""A session: looks at the table, announces what the journal has, disputes the rest, heals by itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from companion.core.game import Choice, Game, Question
from companion.core.messages import say, verbatim
from companion.core.panel import Page
from companion.core.snapshot import Answer, Redo, Snapshot, Undo
from companion.core.table import Observation, Sighting, Stranger
from companion.face.words import load_words
from companion.service.entries import MOVE, SETUP, JournalError
from companion.service.journal import Journal
from companion.service.session import Session
from tests.service.poor_disk import read_only

PLAYERS = [{"name": "Ellie", "guild": "crown"}, {"name": "Sam", "guild": "bell"}]
START = {
    "token-2a": "small-1",
    "token-3a": "small-2",
    "token-4a": "big",
    "large-10a": "big",
    "blue-3a": "open",
    "start": "seat/crown",
}


class Table:
    """A table that a session looks at; pieces are put down and picked up by name.

    Another one with the same journal is the same table after a start of the box.
    """

    journals: ClassVar[dict[Path | str, Journal]] = {}

    def __init__(self, game: Game[Any, Any], journal: Path | str = ":memory:", **more: Any) -> None:
        self.snapshots: list[Snapshot] = []
        self.lying: dict[str, str | None] = {}
        self.gone: dict[str, str] = {}
        if journal in self.journals:
            self.journals.pop(journal).close()
        self.journal = self.journals[journal] = Journal(journal)
        self.session = Session(game, self.journal, self.snapshots.append, **more)

    def look(self, strangers: tuple[Stranger, ...] = (), **put: str | None) -> Snapshot:
        """Puts pieces (`_` for `-`) into zones, or takes them away (None), and lets the session look."""
        for name, zone in put.items():
            piece = name.replace("_", "-")
            before = self.lying.pop(piece, None)
            if zone is not None:
                self.lying[piece] = zone
                self.gone.pop(piece, None)
            elif before:
                self.gone[piece] = before
        sightings = tuple(Sighting(piece, zone) for piece, zone in self.lying.items())
        self.session.see(Observation(sightings, dict(self.gone), strangers))
        return self.snapshots[-1]

    def answer(self, choice: int) -> None:
        question = self.snapshots[-1].question
        assert question is not None
        self.session.tell(Answer(choice, question))

    def facts(self) -> dict[str, Any]:
        return dict(self.snapshots[-1].facts or {})


@pytest.fixture(autouse=True)
def _put_away() -> Iterator[None]:
    yield
    while Table.journals:
        Table.journals.popitem()[1].close()


@pytest.fixture
def table(phoenix: Game[Any, Any]) -> Table:
    table = Table(phoenix, draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    return table


def _codes(snapshot: Snapshot) -> dict[str, str]:
    return {dispute.piece: dispute.refusal.wording or dispute.refusal.code for dispute in snapshot.disputes}


def test_the_set_up_is_learnt_from_the_table(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix)
    assert table.snapshots[-1].facts is None
    cards = [
        Sighting("guild-crown", None, (100, 500)),
        Sighting("guild-bell", None, (100, 50)),
        Sighting("guild-key", None, (900, 300)),
    ]
    lying = {**START, "token-5a": "small-1", "token-6a": "small-2", "token-7a": "big"}
    table.session.see(Observation(tuple(cards) + tuple(Sighting(piece, zone) for piece, zone in lying.items())))
    question = table.snapshots[-1].question
    assert question is not None
    assert question.message.params["guilds"] == ["bell", "key", "crown"]
    table.answer(0)
    facts = table.facts()
    assert (list(facts["scores"]), facts["turn"], facts["open"]) == (["bell", "key", "crown"], "crown", "blue-3")
    assert facts["tokens"] == {"small-1": [2, 5], "small-2": [3, 6], "big": [4, 7]}


def test_further_fields_of_the_draft_are_those_of_the_set_up(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, draft={"players": PLAYERS, "round": 2})
    table.lying = dict(START)
    table.look()
    assert table.facts()["round"] == 2


def test_a_field_of_the_draft_that_the_game_does_not_know_is_disputed_with_its_name(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, draft={"players": PLAYERS, "colour": "red"})
    table.lying = dict(START)
    (dispute,) = table.look().disputes
    text = load_words("en", phoenix).say(dispute.refusal.message)
    assert text.startswith("This set-up doesn't work: colour: no such field; there are players, holder, open,")


def test_who_has_which_guild_is_asked_once(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, draft={"players": ["Ellie", "Sam"]})
    cards = (Sighting("guild-crown", None, (100, 500)), Sighting("guild-bell", None, (900, 50)))
    table.session.see(Observation(cards))
    question = table.snapshots[-1].question
    assert question is not None
    assert (question.message.params, len(question.choices)) == ({"guild": "bell"}, 2)
    table.answer(1)
    table.session.see(Observation(cards + tuple(Sighting(piece, zone) for piece, zone in START.items())))
    seated = table.session.state.seats
    assert {seat.name: seat.guild for seat in seated} == {"Sam": "bell", "Ellie": "crown"}


def test_the_holder_is_asked_if_the_start_token_is_not_seen(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, draft={"players": PLAYERS})
    table.lying = {piece: zone for piece, zone in START.items() if piece != "start"}
    question = table.look().question
    assert question is not None
    assert question.message.key == "question.holder"
    table.answer(1)
    assert table.facts()["turn"] == "Sam"


def test_missing_tokens_are_asked_for(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, draft={"players": PLAYERS})
    table.lying = {piece: zone for piece, zone in START.items() if piece != "large-10a"}
    rows = table.look(token_4b="big").pages[0].elements
    assert [row.right.key for row in rows] == ["verbatim", "verbatim", "prepare.fewer-tokens"]  # type: ignore[union-attr]


def test_a_legal_card_is_a_move_and_nothing_else(table: Table) -> None:
    snapshot = table.look(red_3a="big/crown")
    assert ([event.name for event in snapshot.events], snapshot.disputes) == (["placed"], ())
    assert table.facts()["turn"] == "Sam"


@pytest.mark.parametrize(
    ("put", "codes"),
    [
        ({"red_3a": "big/key"}, {"red-3a": "nobodys-side"}),
        ({"red_3a": "big/bell"}, {"red-3a": "not-your-turn"}),
        ({"red_3a": "big/crown", "red_4a": "small-1/crown"}, {"red-3a": "two-at-once", "red-4a": "two-at-once"}),
        ({"blue_3a": "big/crown"}, {"blue-3a": "slipped"}),
        ({"token_2a": None}, {"token-2a": "token-must-stay"}),
        ({"token_9a": "big"}, {"token-9a": "token-not-now"}),
        ({"blue_3a": None}, {"blue-3a": "open-must-stay"}),
    ],
)
def test_what_breaks_a_rule_is_disputed_and_the_game_stays(
    table: Table, put: dict[str, str | None], codes: dict[str, str]
) -> None:
    before = table.facts()
    assert _codes(table.look(**put)) == codes
    assert table.facts() == before


def test_a_dispute_goes_when_the_table_agrees_again_and_a_right_place_is_a_move(table: Table) -> None:
    assert table.look(red_3a="big/key").disputes
    snapshot = table.look(red_3a="big/crown")
    assert (snapshot.disputes, table.facts()["turn"]) == ((), "Sam")


def test_an_unchanged_table_is_not_announced_again(table: Table) -> None:
    table.look(red_3a="big/key")
    count = len(table.snapshots)
    table.look()
    table.look()
    assert len(table.snapshots) == count


def test_two_players_who_outrun_the_device_are_both_understood(table: Table) -> None:
    snapshot = table.look(red_3a="big/crown", red_4a="big/bell")
    assert ([event.name for event in snapshot.events], table.facts()["turn"]) == (["placed", "placed"], "Ellie")


def test_a_card_taken_away_must_come_back(table: Table) -> None:
    table.look(red_3a="big/crown")
    assert _codes(table.look(red_3a=None)) == {"red-3a": "must-stay"}
    assert _codes(table.look(red_3a=None, red_4a="big/bell")) == {"red-3a": "must-stay"}
    assert table.look(red_3a="big/crown").disputes == ()


def test_a_covered_card_is_no_matter(table: Table) -> None:
    table.look(red_3a="big/crown")
    del table.lying["red-3a"]
    assert table.look().disputes == ()


def test_a_foreign_tag_in_a_zone_is_disputed(table: Table) -> None:
    snapshot = table.look(strangers=(Stranger("foreign", "WINE", "big/crown"),))
    assert _codes(snapshot) == {"WINE": "tag-foreign"}
    assert table.look().disputes == ()


def test_the_open_card_is_taken_and_a_new_one_revealed(table: Table) -> None:
    table.look(red_3a="big/crown")
    assert table.look(blue_3a=None).disputes == ()
    assert [e.name for e in table.look(green_4a="open").events] == ["took-open"]
    assert table.facts()["open"] == "green-4"


def test_the_open_card_under_a_new_one_was_taken(table: Table) -> None:
    table.look(red_3a="big/crown")
    del table.lying["blue-3a"]
    hidden = (Sighting("blue-3a", "open", hidden=True),)
    lying = tuple(Sighting(piece, zone) for piece, zone in {**table.lying, "green-4a": "open"}.items())
    table.session.see(Observation(hidden + lying))
    assert (table.facts()["open"], table.snapshots[-1].disputes) == ("green-4", ())


def test_an_open_card_that_was_taken_during_a_cut_was_taken(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    """Whoever looks for the first time has not seen that it lay there."""
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    table.look(red_3a="big/crown")
    again = Table(phoenix, tmp_path / "j")
    again.lying = {**table.lying, "green-4a": "open"}
    del again.lying["blue-3a"]
    assert [event.name for event in again.look().events] == ["took-open"]
    assert (again.facts()["open"], again.snapshots[-1].disputes) == ("green-4", ())


def test_a_move_taken_back_asks_for_the_card_and_does_not_come_again_by_itself(table: Table) -> None:
    table.look(red_3a="big/crown")
    table.session.tell(Undo())
    assert (_codes(table.snapshots[-1]), table.facts()["turn"]) == ({"red-3a": "taken-back"}, "Ellie")
    assert _codes(table.look()) == {"red-3a": "taken-back"}
    assert table.look(red_3a=None).disputes == ()
    table.look(red_3a="small-1/crown")
    assert table.facts()["nests"]["small-1"]["Ellie"] == ["red-3"]


def test_a_move_taken_back_can_be_made_again(table: Table) -> None:
    table.look(red_3a="big/crown")
    after = table.facts()
    table.session.tell(Undo())
    table.session.tell(Redo())
    assert (table.facts(), table.snapshots[-1].disputes) == (after, ())


def test_with_nothing_to_take_back_that_is_said(table: Table) -> None:
    table.session.tell(Undo())
    assert [notice.key for notice in table.snapshots[-1].notices] == ["notice.nothing-to-undo"]


def _fill(table: Table) -> None:
    cards = iter(
        ["red", "blue", "yellow", "green", "purple", "red", "blue", "yellow", "green", "purple", "red", "blue"]
    )
    for number, nest in enumerate(n for n in ("small-1", "small-2", "big") for _ in range(2)):
        for guild in ("crown", "bell"):
            table.look(**{f"{next(cards)}_{number % 3 + 4}{'ab'[number // 3]}": f"{nest}/{guild}"})


def test_a_token_that_leaves_its_nest_was_picked(table: Table) -> None:
    _fill(table)
    assert table.facts()["phase"] == "treasure"
    first = table.facts()["turn"]
    table.look(token_2a=None)
    assert table.facts()["scores"][first] == 2


def test_two_tokens_at_once_are_asked_about_and_answered_with_buttons(table: Table) -> None:
    _fill(table)
    for token in ("token_2a", "token_3a"):
        table.look(**{token: None})
    first, *_ = table.facts()["picking"]["order"]
    snapshot = table.look(token_4a=None, large_10a=None)
    assert set(_codes(snapshot).values()) == {"two-tokens"}
    assert snapshot.question is not None
    assert snapshot.question.urgent
    table.answer(0)
    assert table.facts()["holder"] == first, "the large 10 was the first answer; the other pick is seen"
    assert table.facts()["phase"] == "between"


def test_after_the_last_round_another_game_can_be_begun(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, draft={"players": PLAYERS})
    dealer = phoenix.dealer(1, {"players": PLAYERS})
    before: dict[str, str] = {}
    while True:
        now = dict(dealer.table())
        gone = {piece: zone for piece, zone in before.items() if piece not in now}
        table.session.see(Observation(tuple(Sighting(p, z) for p, z in now.items()), gone))
        before = now
        if not dealer.choices():
            break
        dealer.do(dealer.think())
    assert table.snapshots[-1].outcome is not None
    assert table.facts() == dealer.facts()
    table.answer(0)
    assert table.snapshots[-1].facts is None


def test_a_move_that_cannot_be_kept_is_not_made_and_comes_by_itself_later(
    tmp_path: Path, phoenix: Game[Any, Any]
) -> None:
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    with read_only():
        snapshot = table.look(red_3a="big/crown")
        assert snapshot.unsaved
        assert (snapshot.unsaved.key, table.facts()["turn"]) == ("trouble.journal-read-only", "Ellie")
        count = len(table.snapshots)
        assert table.look().unsaved == snapshot.unsaved
        assert len(table.snapshots) == count, "once is enough"
    snapshot = table.look()
    assert ([event.name for event in snapshot.events], snapshot.unsaved) == (["placed"], None)
    with read_only():
        table.session.tell(Undo())
    assert [notice.key for notice in table.snapshots[-1].notices] == ["trouble.journal-read-only"]
    assert table.facts()["turn"] == "Sam"


def test_a_session_carries_on_where_it_was_and_says_so(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    table.look(red_3a="big/crown")
    table.session.tell(Undo())
    facts = table.facts()
    again = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    assert (again.facts(), [n.key for n in again.snapshots[0].notices]) == (facts, ["notice.resumed"])
    again.lying = dict(table.lying)
    assert _codes(again.look()) == {"red-3a": "taken-back"}
    assert Table(phoenix, tmp_path / "j", resume=False).snapshots[0].facts is None


def test_a_journal_of_a_finished_game_is_not_carried_on(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    last = {
        "players": PLAYERS,
        "holder": "Ellie",
        "open": "blue-3a",
        "tokens": {"small-1": [], "small-2": [], "big": []},
        "round": 3,
        "large_there": False,
        "nests": {
            nest: {"Ellie": [f"red-{n}a", f"red-{n}b"], "Sam": [f"blue-{n}a", f"blue-{n}b"]}
            for nest, n in (("small-1", 4), ("small-2", 5), ("big", 6))
        },
    }
    with closing(Journal(tmp_path / "j")) as journal:
        journal.append([(SETUP, phoenix, last, ())])
    assert Table(phoenix, tmp_path / "j").snapshots[0].facts is None


def test_a_journal_of_other_rules_stops_the_start_with_words(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    with closing(Journal(tmp_path / "j")) as journal:
        journal.append([(MOVE, phoenix, {"do": "draw-deck"}, ())])
    assert Table(phoenix, tmp_path / "j").snapshots[0].facts is None
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    table.journal.append([(MOVE, phoenix, {"do": "draw-deck"}, ())])
    with pytest.raises(JournalError, match="today's rules refuse it"):
        Table(phoenix, tmp_path / "j")


def test_a_token_dragged_into_another_nest_is_no_pick(phoenix: Game[Any, Any]) -> None:
    """Its twin that was picked long ago is still known to have left."""
    table = Table(phoenix, draft={"players": PLAYERS})
    table.lying = dict(START) | {"token-4b": "small-1"}
    del table.lying["token-2a"]
    table.look()
    _fill(table)
    scores = table.facts()["scores"]
    table.gone["token-4c"] = "small-1"
    table.look(token_4b="small-2")
    assert table.facts()["scores"] == scores


def test_undo_of_one_of_two_equal_tokens_asks_for_either(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, draft={"players": [*PLAYERS, {"name": "Ezio", "guild": "key"}]})
    six = {"token-6a": "small-1", "token-6b": "small-1", "token-3a": "small-2", "token-3b": "small-2"}
    table.lying = six | {
        "token-4a": "big",
        "token-4b": "big",
        "large-10a": "big",
        "blue-3a": "open",
        "start": "seat/crown",
    }
    table.look()
    cards = iter([f"{c}_{v}{x}" for v in (4, 5, 6) for x in "ab" for c in ("red", "yellow", "green")])
    for nest in ("small-1", "small-1", "small-2", "small-2", "big", "big"):
        for guild in ("crown", "bell", "key"):
            table.look(**{next(cards): f"{nest}/{guild}"})
    table.look(token_6a=None)
    table.look(token_6b=None)
    scores = table.facts()["scores"]
    table.session.tell(Undo())
    assert set(_codes(table.snapshots[-1]).values()) == {"put-back"}
    assert table.look(token_6b="small-1").disputes == ()
    table.look(token_6b=None)
    assert (table.facts()["scores"], table.snapshots[-1].disputes) == (scores, ())


def test_two_moves_taken_back_come_again_one_by_one(table: Table) -> None:
    table.look(red_3a="big/crown")
    table.look(red_4a="big/bell")
    table.session.tell(Undo())
    table.session.tell(Undo())
    table.session.tell(Redo())
    assert (table.facts()["turn"], _codes(table.snapshots[-1])) == ("Sam", {"red-4a": "taken-back"})


def test_a_game_of_which_other_words_were_said_is_carried_on_and_the_difference_is_told(
    tmp_path: Path, phoenix: Game[Any, Any]
) -> None:
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    move = {"do": "place", "card": "red-3a", "nest": "big", "side": "crown", "by": "Ellie"}
    table.journal.append([(MOVE, phoenix, move, ())])
    again = Table(phoenix, tmp_path / "j")
    assert again.snapshots[0].notices == (say("notice.resumed"), say("notice.differs", move=1))
    assert again.facts()["turn"] == "Sam"


def test_a_move_taken_back_right_after_a_cut_stays_taken_back(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    table.look(red_3a="big/crown")
    again = Table(phoenix, tmp_path / "j")
    again.session.tell(Undo())
    again.lying = dict(table.lying)
    assert (_codes(again.look()), again.facts()["turn"]) == ({"red-3a": "taken-back"}, "Ellie")


def test_a_card_picked_up_before_a_cut_may_be_laid_again_after_it(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    table.look(red_3a="big/crown")
    table.session.tell(Undo())
    table.look(red_3a=None)
    again = Table(phoenix, tmp_path / "j")
    again.lying = dict(START)
    again.look()
    assert [event.name for event in again.look(red_3a="big/crown").events] == ["placed"]


def test_a_token_that_must_come_back_must_so_after_a_cut_as_well(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    """Before the first look nobody knows where it is."""
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    _fill(table)
    scores = table.facts()["scores"]
    table.look(token_2a=None)
    table.session.tell(Undo())
    again = Table(phoenix, tmp_path / "j")
    again.lying, again.gone = table.lying, table.gone
    assert (_codes(again.look()), again.facts()["scores"]) == ({"token-2a": "put-back"}, scores)
    assert again.look(token_2a="small-1").disputes == ()
    assert again.look(token_2a=None).events[0].name == "picked"


def test_a_game_begins_only_when_the_sides_are_clear(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, draft={"players": PLAYERS})
    table.lying = dict(START)
    assert table.look(red_3a="big/bell").facts is None
    assert table.look(red_3a=None).facts is not None


def test_an_answer_to_a_question_that_is_over_does_nothing(table: Table) -> None:
    _fill(table)
    question = table.snapshots[-1].question
    assert question is not None
    table.look(token_2a=None)
    scores = table.facts()["scores"]
    table.session.tell(Answer(0, question))
    assert table.facts()["scores"] == scores


def test_a_set_up_that_cannot_be_kept_says_so(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    with read_only():
        snapshot = table.look()
        assert (snapshot.facts, snapshot.unsaved and snapshot.unsaved.key) == (None, "trouble.journal-read-only")
        count = len(table.snapshots)
        table.look()
        assert len(table.snapshots) == count, "once is enough"
    snapshot = table.look()
    assert (snapshot.facts is not None, snapshot.unsaved) == (True, None)


def test_another_games_entries_do_not_hide_ours(tmp_path: Path, phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, tmp_path / "j", draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    table.journal.append([(SETUP, SimpleNamespace(id="chess", rules_version=1), {}, ())])  # type: ignore[list-item]
    assert Table(phoenix, tmp_path / "j").snapshots[0].facts is not None


def test_guilds_of_other_names_sit_at_the_sides_that_nobody_has(phoenix: Game[Any, Any]) -> None:
    players = [{"name": "A", "guild": "left"}, {"name": "B", "guild": "bell"}]
    line = {"players": players, "holder": "A", "open": "red-7", "tokens": {"small-1": [2], "small-2": [2], "big": [2]}}
    assert phoenix.seats(line) == {"A": "guild-crown", "B": "guild-bell"}
    anchors = {zone.id: zone.anchor for zone in phoenix.zones(phoenix.setup(line), {})}
    assert (anchors["seat/left"], anchors["seat/bell"]) == ("guild-crown", "guild-bell")


def test_a_disputed_card_under_a_hand_stays_disputed(table: Table) -> None:
    table.look(red_3a="big/key")
    del table.lying["red-3a"]
    lying = tuple(Sighting(piece, zone) for piece, zone in table.lying.items())
    table.session.see(Observation((*lying, Sighting("red-3a", "big/key", hidden=True))))
    assert _codes(table.snapshots[-1]) == {"red-3a": "nobodys-side"}
    assert table.look().disputes == ()


def test_a_card_believed_to_lie_under_others_does_not_keep_a_round_from_beginning(phoenix: Game[Any, Any]) -> None:
    table = Table(phoenix, draft={"players": PLAYERS})
    table.lying = dict(START)
    table.look()
    _fill(table)
    for token in ("token_2a", "token_3a", "large_10a", "token_4a"):
        table.look(**{token: None})
    assert table.facts()["phase"] == "between"
    for piece in [piece for piece, zone in table.lying.items() if zone and "/" in zone and piece != "start"]:
        del table.lying[piece]
    table.lying |= {"token-5a": "small-1", "token-5b": "small-2", "token-6a": "big", "large-10b": "big"}
    lying = tuple(Sighting(piece, zone) for piece, zone in table.lying.items())
    table.session.see(Observation((*lying, Sighting("red-4a", "small-1/crown", hidden=True))))
    assert (table.facts()["round"], table.snapshots[-1].disputes) == (2, ())


def test_what_faces_the_active_player_is_published_while_playing_and_is_news(phoenix: Game[Any, Any]) -> None:
    facing = [Page(verbatim("one"))]

    class Facing(type(phoenix)):  # type: ignore[misc]
        def aside(self, state: Any) -> tuple[Page, ...]:
            return tuple(facing)

    table = Table(Facing(), draft={"players": PLAYERS})
    assert table.snapshots[-1].aside == ()
    table.lying = dict(START)
    assert table.look().aside == (Page(verbatim("one")),)
    published = len(table.snapshots)
    facing[0] = Page(verbatim("two"))
    assert table.look().aside == (Page(verbatim("two")),)
    assert len(table.snapshots) == published + 1


class _Parts:
    """Schatz des Phönix, but which token was taken is asked in two parts: where, and which."""

    def __init__(self, game: Game[Any, Any]) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        return getattr(self._game, name)

    def question(self, *args: Any) -> Question | None:
        asked = self._game.question(*args)
        return asked and Question(verbatim("where?"), (Choice(verbatim("here"), then=asked),))


def test_an_answer_in_parts_is_the_move_of_its_last_part(phoenix: Game[Any, Any]) -> None:
    table = Table(_Parts(phoenix), draft={"players": PLAYERS})  # type: ignore[arg-type]
    table.lying = dict(START)
    table.look()
    _fill(table)
    question = table.snapshots[-1].question
    assert question is not None
    table.session.tell(Answer(0, question))
    table.session.tell(Answer(0, question, (9,)))
    assert table.facts()["scores"] == {"Ellie": 0, "Sam": 0}, "an answer that leads nowhere does nothing"
    table.session.tell(Answer(0, question, (0,)))
    assert sum(table.facts()["scores"].values()) > 0

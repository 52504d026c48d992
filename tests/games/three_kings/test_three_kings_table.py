"""What the table says and what it keeps to itself: moves read from it, mistakes, corrections, secrets, sheets."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.core.game import Game, Step
from companion.core.messages import say
from companion.core.printing import TagMark
from companion.core.snapshot import Undo
from companion.core.table import Observation, Sighting, compare
from companion.games import load
from companion.service.archive import line_of
from companion.service.journal import Journal
from tests.dealt import Deal, Dealt
from tests.games.three_kings.throne_table import (
    ANN,
    BEN,
    CLEO,
    SIX,
    Table,
    acting,
    at_award,
    at_counsel,
    at_intrigue,
    planned,
)

STAGE = "stage/cards"


def test_the_first_card_that_is_turned_up_says_that_all_have_planned() -> None:
    table = Table(turn=2, hands=SIX).backs("space/red/1", "space/red/3", "space/blue/2")
    assert table.state.phase == "plan"
    table.look({"noble-2a": "space/red/1"})
    assert (table.state.phase, table.state.spaces) == (
        "action",
        ((False, False, True), (False, True, False), (False, False, False)),
    )
    assert table.state.shown == ("noble-2a", "", "")


def test_a_round_is_revealed_when_the_last_card_is_turned_up() -> None:
    table = planned("x--", "x--", "-x-").look({"noble-2a": "space/red/1"})
    assert table.state.phase == "reveal"
    table.look({"spy-2a": "space/blue/1"})
    assert table.state.phase == "action"


def test_a_nobles_exchange_counts_when_his_card_is_put_away() -> None:
    table = acting("noble-2a").look({"merchant-1a": None, "spy-3a": "throne/2"})
    assert table.state.thrones[1] == "merchant-1a"
    table.look({"noble-2a": None})
    assert (table.state.thrones[1], table.state.first, table.state.active) == ("spy-3a", 0, 1)


def test_a_king_of_whom_only_the_name_is_known_can_be_exchanged_for_a_copy_that_was_elsewhere() -> None:
    """Two equal cards were revealed for the Throne, and either may sit there; the third one was not among them."""
    table = acting("noble-2a")
    unseen = (
        msgspec.structs.replace(one, card="merchant-1") if one.card == "merchant-1c" else one
        for one in table.state.unseen
    )
    table.change(thrones=("noble-1a", "merchant-1", "priest-1a"), unseen=tuple(unseen), first=1)
    king = next(piece for piece, zone in table.lying.items() if zone == "throne/2")
    assert king == "merchant-1a"
    table.look({king: None, "merchant-1b": "throne/2"}).look({"noble-2a": None, "first-player": "first/red"})
    assert (table.state.thrones[1], table.state.active) == ("merchant-1b", 1)
    table = acting("noble-2a").change(thrones=("noble-1a", "merchant-1", "priest-1a"), first=1)
    table.look({"noble-2a": None, "first-player": "first/red"})
    assert table.state.thrones[1] == "merchant-1"


def test_a_counselors_noble_counts_when_the_first_player_card_is_taken() -> None:
    table = at_counsel(first=BEN, thrones=["noble-2a", "merchant-1a", "priest-1a"])
    table.play({"do": "counsel", "by": BEN, "skip": True}, {"do": "counsel", "by": CLEO, "skip": True})
    table.look({"counselor-red": "counselors/1", "priest-1a": None, "spy-3a": "throne/3"})
    assert table.state.active == 0
    table.look({"first-player": "first/red"})
    assert (table.state.thrones[2], table.state.first, table.state.counselors[0]) == ("spy-3a", 0, 1)


def test_a_counselor_who_is_home_after_an_exchange_was_there_only_if_one_noble_can_have_done_it() -> None:
    table = at_counsel(thrones=["noble-1a", "merchant-1a", "priest-1a"])
    table.look({"noble-1a": None, "spy-3a": "throne/1"})
    assert (table.state.thrones[0], table.state.active, table.state.counselors) == ("spy-3a", 1, (0, 0, 0))
    table = at_counsel(thrones=["noble-1a", "merchant-1a", "noble-1b"])
    table.look({"noble-1a": None, "spy-3a": "throne/1"})
    assert (table.state.active, table.disputes) == (0, [])
    table.look({"counselor-red": "counselors/3", "first-player": "first/red"})
    assert (table.state.thrones[0], table.state.active, table.state.counselors) == ("spy-3a", 1, (3, 0, 0))


def test_each_card_laid_before_a_throne_is_the_turn_players() -> None:
    table = at_intrigue().backs("intrigue/2")
    assert (table.state.intrigue, table.state.active) == ((0, 1, 0), 1)
    table.backs("intrigue/2")
    assert table.state.intrigue == (0, 2, 0)


def test_two_cards_laid_at_once_are_disputed_until_one_is_taken_back() -> None:
    table = at_intrigue().backs("intrigue/1", "intrigue/3")
    assert {wording for _, wording in table.disputes} == {"two-laid"}
    piece = next(piece for piece, zone in table.lying.items() if zone == "intrigue/3")
    table.look({piece: None})
    assert (table.disputes, table.state.intrigue) == ([], (1, 0, 0))


def test_a_throne_is_fought_for_when_as_many_cards_lie_open_as_were_laid() -> None:
    table = at_award(2, 0, 0).look({"spy-1b": STAGE})
    assert (table.state.awarding, table.disputes) == (1, [])
    table.look({"guard-2b": STAGE})
    assert (table.state.awarding, table.state.vp) == (2, (2, 0, 0, 0))


def test_a_fight_counts_also_if_the_strongest_card_sits_on_the_throne_already() -> None:
    table = at_award(2, 0, 0)
    table.look({"spy-3b": "throne/1", "noble-1a": None, "guard-1b": STAGE})
    assert (table.state.thrones[0], table.state.vp) == ("spy-3b", (0, 0, 2, 0))


@pytest.mark.parametrize("card", ["spy-3a", "spy-3b"])
def test_whichever_of_two_equal_cards_is_laid_on_the_throne_may_stay_there(card: str) -> None:
    table = at_award(2, 0, 0).look({"spy-3a": STAGE, "spy-3b": STAGE})
    assert table.look({"noble-1a": None, card: "throne/1"}).disputes == []
    table.play({"do": "award", "throne": 2, "cards": ()}, {"do": "award", "throne": 3, "cards": ()})
    while table.state.phase == "recruit":
        table.play({"do": "recruit"})
    (lying,) = [piece for piece, zone in table.lying.items() if zone == "throne/1"]
    table.look({lying: None})
    table.gone.clear()
    table.look({card: "throne/1"})
    assert (table.state.phase, table.disputes) == ("plan", [])


def test_what_was_revealed_for_a_throne_may_lie_there_until_all_are_awarded() -> None:
    table = at_award(2, 1, 1).look({"spy-1b": STAGE, "guard-2b": STAGE})
    table.look({"merchant-2b": STAGE})
    assert (table.state.awarding, table.disputes) == (3, [])
    table.look({"spy-1b": None, "guard-2b": None, "priest-2b": STAGE})
    assert (table.state.turn, table.state.vp, table.disputes) == (3, (2, 2, 2, 3), [])


def test_more_cards_than_were_laid_are_refused() -> None:
    table = at_award(1, 0, 0).look({"spy-1b": STAGE, "guard-2b": STAGE})
    assert sorted(table.disputes) == [("guard-2b", "intrigue-count"), ("spy-1b", "intrigue-count")]


def test_markers_have_to_be_in_place_once_all_plan_and_are_only_named_before() -> None:
    table = Table(turn=2, hands={ANN: 6, BEN: 6, CLEO: 4}).look({"marker-owl": "vp/owl/3"})
    assert table.disputes == []
    table.play({"do": "recruit", "by": CLEO}).look({"marker-owl": "vp/owl/3"})
    assert table.disputes == [("marker-owl", "belongs")]


def _accepted(table: Table) -> Any:
    """The state once people say that the table is right."""
    seen = Observation(tuple(Sighting(p, z) for p, z in table.lying.items()), dict(table.gone))
    step = table.game.accept(table.state, compare(table.game.layout(table.state), seen, table.game.box))
    assert isinstance(step, Step), step
    return step.state


@pytest.mark.parametrize(("points", "reached"), [(15, False), (14, True)])
def test_fifteen_points_of_the_eye_that_are_corrected_were_not_reached(points: int, reached: bool) -> None:
    vp = (0, 0, 0, points)
    table = planned().change(vp=vp, eye_reached=True).look({"marker-eye": "vp/eye/5"})
    after = _accepted(table)
    assert (after.vp[3], after.eye_reached) == (5, reached)


def test_what_has_just_got_another_place_is_only_named_until_people_go_on() -> None:
    """The last Noble of a Round takes the First Player card: the next Round begins before it lies where it belongs."""
    table = acting("guard-2a", cleo="noble-1b").play(
        {"do": "act", "by": ANN, "perform": False}, {"do": "act", "by": BEN, "perform": False}
    )
    before = dict(table.lying)
    table.play({"do": "act", "by": CLEO, "swaps": []})
    assert (table.state.phase, table.lying["first-player"]) == ("reveal", "first/purple")
    table.look({"first-player": before["first-player"]})
    assert table.disputes == []
    assert table.snapshot.pages[0].title == say("page.tidy.title")
    table.look({"first-player": None})
    assert table.disputes == []
    table.look({"first-player": "first/blue"})
    assert table.disputes == [("first-player", "belongs")]
    table.look({"first-player": "first/purple"}).play({"do": "reveal", "cards": {}})
    assert table.state.late == ()


def test_a_counselor_whose_throne_was_exchanged_may_be_late_for_home() -> None:
    table = at_counsel(thrones=["noble-2a", "merchant-1a", "priest-1a"], counselors={CLEO: 2})
    table.play({"do": "counsel", "by": ANN, "swaps": [{"throne": 2, "card": "spy-3a"}], "throne": 1})
    assert table.lying["counselor-purple"] == "home/purple"
    table.look({"counselor-purple": "counselors/2"})
    assert table.disputes == []
    table.look({"counselor-purple": "counselors/3"})
    assert table.disputes == [("counselor-purple", "not-your-turn")]
    table.play({"do": "counsel", "by": BEN, "skip": True}, {"do": "counsel", "by": CLEO, "skip": True})
    table.look({"counselor-purple": "counselors/2"})
    assert table.disputes == [("counselor-purple", "belongs")]


def test_counselors_go_along_where_an_action_card_exchanges_thrones() -> None:
    table = at_counsel(thrones=["mercenary-1a", "merchant-1a", "priest-1a"], counselors={ANN: 1, CLEO: 3})
    table.play({"do": "counsel", "by": ANN, "actions": ["changed-seats"]}).look({"counselor-purple": "counselors/1"})
    assert table.disputes == [("counselor-purple", "counselor-stays")]
    table.play({"do": "action", "card": "changed-seats"}).look({"counselor-purple": "counselors/1"})
    assert table.disputes == []


def test_a_card_that_is_taken_back_is_picked_up_and_turned_only_where_it_lay_face_down() -> None:
    table = planned("x--", "---", "---")
    back = next(piece for piece, zone in table.lying.items() if zone == "space/red/1")
    table.look({back: None, "spy-2a": "space/red/1"})
    table.session.tell(Undo())
    assert ("spy-2a", "taken-back-turned") in table.disputes
    table = at_counsel(thrones=["noble-1a", "merchant-1a", "priest-1a"])
    table.look({"counselor-red": "counselors/1", "priest-1a": None, "spy-3a": "throne/3", "first-player": "first/red"})
    assert table.state.thrones[2] == "spy-3a"
    table.session.tell(Undo())
    assert ("spy-3a", "taken-back") in table.disputes


def test_a_table_that_is_right_moves_points_counselors_and_the_first_player() -> None:
    table = planned().look(
        {"marker-eye": "vp/eye/4", "counselor-blue": "counselors/3", "first-player": "first/purple", "noble-1a": None}
    )
    after = _accepted(table.look({"spy-2b": "throne/1"}))
    assert (after.vp, after.counselors, after.first, after.thrones[0]) == ((0, 0, 0, 4), (0, 3, 0), 2, "spy-2b")


def _hidden(dealt: Dealt) -> set[str]:
    """Cards that lie face down or in hands."""
    world = dealt.dealer.world  # type: ignore[attr-defined]
    unseen = [*world.deck, *(card for hand in world.hands.values() for card in hand)]
    unseen += [card for spaces in world.spaces.values() for card in spaces if card]
    unseen += [card for laid in world.intrigue for card in laid]
    return set(unseen)


@pytest.mark.parametrize("players", [3, 8])
def test_nothing_that_lies_face_down_is_published_or_kept_before_it_is_shown(players: int) -> None:
    """Over a whole game: snapshots with pages, questions and events, and the journal as it is exported."""
    published: list[bytes] = []
    journal = Journal(":memory:")
    deal = Deal("three_kings", players, 5)
    dealt = Dealt(deal, journal, publish=lambda snapshot: published.append(msgspec.json.encode(snapshot)))
    dealt.look()
    shown, kept, secrets = set(dealt.dealer.table()), 0, 0
    while dealt.move():
        shown |= set(dealt.dealer.table())
        dealt.look()
        lines = [line_of(entry) for entry in journal.entries()][kept:]
        kept += len(lines)
        text = b"".join((*published, *lines)).decode()
        published.clear()
        secret = _hidden(dealt) - shown
        secrets += len(secret)
        assert [card for card in secret if f'"{card}"' in text] == []
        assert "mark-" not in text
    assert secrets > 1000
    assert kept > 100


def test_backs_say_only_which_deck_a_card_is_of() -> None:
    game: Game[Any, Any] = load("three_kings")
    backs = [piece for piece in game.box.pieces.values() if piece.alike]
    assert {(piece.name, piece.tag) for piece in backs} == {
        ("back", game.box.pieces["back#01"].tag),
        ("action-back", game.box.pieces["action-back#01"].tag),
    }
    assert len(backs) == 54 + 8 + 6 + 33


def test_the_sheets_bear_all_fixed_markers_and_no_tag_overlaps_another() -> None:
    game: Game[Any, Any] = load("three_kings")
    marks = [(p, s) for p in game.printables() for s in p.shapes if isinstance(s, TagMark)]
    fixed = {piece.tag for piece in game.box.pieces.values() if piece.fixed}
    assert fixed <= {mark.tag for _, mark in marks}
    for printable, mark in marks:
        (x, y), half = mark.middle, mark.side / 2
        assert half <= x <= printable.size[0] - half, printable.title
        assert half <= y <= printable.size[1] - half, printable.title

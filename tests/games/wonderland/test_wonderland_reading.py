"""What the table shows of Wonderland XIII is read as moves; what is wrong is disputed, what is on its way is not."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.panel import Button
from tests.games.wonderland.wonder_table import Table

TWO = ("Alice Cat Queen", "Rabbit Hatter Bundle")
FOUR = (*TWO, "Cat Cat Rabbit", "Queen Alice Hatter")


def _facts(table: Table, *names: str) -> list[Any]:
    facts = table.game.facts(table.state)
    return [facts[name] for name in names]


def _cover(table: Table, name: str, deck: int) -> str:
    """Lays a card of the turn player's Notebook on a deck."""
    turn = table.state.players[table.state.turn]
    piece = table.first(name, f"notebook/{turn}")
    table.look(**{piece: f"deck-{deck}/top"})
    return piece


def _exploring(hall: str = "9, 9, 9, 9, 9", notebooks: tuple[str, ...] = FOUR) -> Table:
    """Deck 2 is covered, and its neighbours' cards are to be taken."""
    return Table(hall, notebooks).play("unlock 1", "cover 1 Cat")


def test_a_key_beside_a_deck_unlocks_it_and_a_card_from_the_notebook_covers_it() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR)
    table.look(keya="deck-2/key")
    assert _facts(table, "phase", "unlocked", "keys_hand") == ["explore", [2], 1]
    _cover(table, "Cat", 2)
    assert _facts(table, "phase", "decks")[0] == "take"
    assert table.disputes == []


def test_key_and_card_of_one_look_are_two_moves() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR)
    table.lying[table.first("Cat", "notebook/Ann")] = "deck-4/top"
    table.look(keya="deck-4/key")
    assert _facts(table, "phase", "unlocked") == ["take", [4]]


def test_a_card_can_cover_another_of_its_name() -> None:
    table = Table("9, 9 Cat, 9, 9, 9", FOUR).play("unlock 1")
    table.hidden.add(table.first("Cat", "deck-1/top"))
    _cover(table, "Cat", 1)
    assert table.state.decks[1].up == ("Cat", "Cat")


def test_both_cards_in_the_tunnel_are_taken_and_one_alone_waits() -> None:
    table = _exploring()
    table.look(Rabbitl="tunnel/Ann")
    assert (table.state.phase, table.disputes) == ("take", [])
    table.look(Queenl="tunnel/Ann")
    assert _facts(table, "phase", "tunnel", "sizes") == ["skill", ["Queen", "Rabbit"], [8, 10, 8, 9, 9]]


def test_a_card_that_is_turned_up_on_its_deck_first_is_on_its_way() -> None:
    table = _exploring().look(Rabbitl="deck-0/top")
    assert (table.state.phase, table.disputes) == ("take", [])


def test_what_lay_open_on_a_neighbour_has_to_come_from_there() -> None:
    table = _exploring("9 Queen, 9, 9, 9, 9")
    table.look(Rabbitl="tunnel/Ann", Queenl="tunnel/Ann")
    assert table.disputes == [("Rabbitl", "not-from-beside"), ("Queenl", "not-from-beside")]
    top = table.first("Queen", "deck-0/top")
    table.look(Queenl=None, **{top: "tunnel/Ann"})
    assert _facts(table, "phase", "tunnel") == ["skill", ["Queen", "Rabbit"]]


def test_the_upper_one_of_two_alike_on_a_deck_can_be_taken() -> None:
    table = _exploring("9 Queen Queen, 9, 9, 9, 9")
    top = table.first("Queen", "deck-0/top")
    table.look(**{table.fresh("Queen"): "deck-0/top", "Rabbitl": "tunnel/Ann"})
    table.look(**{top: "tunnel/Ann"})
    assert (table.state.phase, table.state.decks[0].up, table.disputes) == ("skill", ("Queen",), [])


def test_a_card_of_another_notebook_can_not_be_taken() -> None:
    table = _exploring()
    table.look(Queenl="tunnel/Ann", **{table.first("Rabbit", "notebook/Cid"): "tunnel/Ann"})
    assert (table.state.phase, [wording for _, wording in table.disputes]) == ("take", ["not-from-beside"] * 2)


def test_a_collapse_is_read_from_the_tunnel_or_from_the_discards() -> None:
    for zone in ("tunnel/Ann", "discards/pile"):
        table = _exploring().change(tunnel=("Rabbit", "Rabbit"))
        table.look(Rabbitl=zone, Queenl=zone)
        assert _facts(table, "phase", "turn", "tunnel", "discards_count") == ["refill", "Ann", [], 4], zone


def test_what_does_not_collapse_may_not_go_to_the_discards() -> None:
    table = _exploring().look(Rabbitl="discards/pile", Queenl="discards/pile")
    assert (table.state.phase, {wording for _, wording in table.disputes}) == ("take", {"not-to-discards"})


def test_what_collapsed_may_lie_in_the_tunnel_until_it_is_cleared() -> None:
    table = _exploring().change(tunnel=("Rabbit", "Rabbit"))
    table.look(Rabbitl="tunnel/Ann", Queenl="tunnel/Ann").look()
    assert (table.disputes, table.snapshot.pages[0].elements[0].message.key) == ([], "page.to-discards")


def test_alice_is_seen_by_the_key_that_leaves_the_middle() -> None:
    table = _exploring().play("take 0:Alice 2:Bundle")
    table.look(**{table.first("key", "middle/key"): "keys/Ann"})
    assert _facts(table, "phase", "keys_middle", "keys_hand") == ["decide", 1, 2]


def test_the_rabbits_card_is_read_on_its_deck_and_its_deck_with_it() -> None:
    table = _exploring().play("take 0:Rabbit 2:Bundle").look(Catl="deck-4/top")
    assert _facts(table, "phase", "tunnel", "sizes") == ["decide", ["Bundle", "Cat", "Rabbit"], [8, 10, 8, 9, 8]]
    assert table.disputes == [], "it is on its way to the Tunnel"
    table.look(Catl="tunnel/Ann")
    assert (table.state.phase, table.disputes) == ("decide", [])


def test_the_rabbits_card_goes_to_the_discards_if_the_tunnel_collapses_by_it() -> None:
    table = _exploring().play("take 0:Rabbit 2:Cat").change(tunnel=("Alice", "Alice", "Cat", "Rabbit"))
    table.look(Alicel="deck-4/top")
    assert (_facts(table, "phase", "tunnel", "discards_count"), table.disputes) == (["refill", [], 5], [])
    page = table.snapshot.pages[0].elements[0].message
    assert (page.key, page.params["cards"]) == ("page.to-discards", ["Alice", "Alice", "Alice", "Cat", "Rabbit"])
    fallen = [piece for piece, zone in table.lying.items() if zone == "tunnel/Ann"]
    table.look(Alicel="discards/pile", **dict.fromkeys(fallen, "discards/pile"))
    assert (table.disputes, table.snapshot.pages[0].elements[0].message.key) == ([], "page.keys-back")
    assert table.look(Alicek="deck-3/top").disputes == [("Alicek", "not-from-notebook")]


def test_a_card_that_a_skill_turned_up_may_lie_on_its_deck_until_the_next_explore() -> None:
    for skill, page in ("Rabbit", "page.cover"), ("Hatter", "page.hatter-down"):
        table = _exploring(notebooks=TWO).play(f"take 0:{skill} 2:Bundle").look(Catl="deck-4/top").play("stop")
        table.look(Catl="deck-4/top", **{table.first("key", "keys/Bea"): "deck-3/key"})
        shown = table.snapshot.pages[0].elements[0].message.key
        assert (_facts(table, "turn", "unlocked"), table.disputes, shown) == (["Bea", [3]], [], page)
        _cover(table, "Bundle", 3)
        assert (table.state.phase, table.disputes) == ("take", []), "it is turned up beside the covered deck"
        table.look(Alicel="tunnel/Bea", Alicek="tunnel/Bea")
        assert table.disputes == [("Catl", "not-from-notebook")]


def test_a_card_of_the_tunnel_covers_nothing() -> None:
    table = _exploring().play("take 0:Alice 2:Queen", "skill Alice", "unlock 3")
    piece = table.first("Queen", "tunnel/Ann")
    assert table.look(**{piece: "deck-3/top"}).disputes == [(piece, "not-from-notebook")]


def test_the_rabbits_card_in_the_tunnel_needs_its_deck_where_there_are_several() -> None:
    table = _exploring().play("take 0:Rabbit 2:Bundle").look(Catl="tunnel/Ann")
    assert (table.state.phase, table.disputes) == ("skill", [])
    assert table.snapshot.question and table.snapshot.question.message.key == "question.from-deck"
    table.press(Button.DOWN, Button.A)
    assert _facts(table, "phase", "sizes") == ["decide", [8, 10, 7, 9, 9]]


def test_the_rabbits_card_can_only_come_from_the_one_deck_that_has_one() -> None:
    table = _exploring("9 Alice Cat, 9, 9 Alice Rabbit, 2, 9 Bundle").play("take 0:Cat 2:Rabbit")
    table.look(Hatterl="tunnel/Ann")
    assert _facts(table, "phase", "sizes") == ["decide", [10, 10, 10, 1, 10]]


def test_with_two_players_the_hatters_card_is_read_on_its_deck() -> None:
    table = _exploring(notebooks=TWO).play("take 0:Hatter 2:Bundle").look(Catl="deck-4/top")
    assert _facts(table, "phase", "hatter") == ["decide", {"Ann": [], "Bea": ["Cat"]}]
    assert table.disputes == []
    assert table.snapshot.pages[0].elements[0].message.key == "page.hatter-down"
    table.look(Catl=None)
    assert (table.disputes, table.snapshot.pages[0].elements[0].message.key) == ([], "page.decide")


def test_what_collapses_by_the_hatter_before_its_players_turn_may_be_laid_open_and_goes_to_the_discards() -> None:
    table = Table("9, 9, 9, 9, 9", TWO, Bea="Cat Cat").play("unlock 1", "cover 1 Cat", "take 0:Hatter 2:Bundle")
    table.look(Catl="deck-4/top")
    assert _facts(table, "hatter", "discards_count") == [{"Ann": [], "Bea": []}, 3]
    assert table.look(Catl=None, Catk="tunnel/Bea", Catj="tunnel/Bea").disputes == []
    assert table.look(Queenl="tunnel/Bea").disputes == [("Queenl", "strange-tunnel")]


def test_with_more_players_it_is_asked_for_whom_the_hatters_card_is() -> None:
    table = _exploring().play("take 0:Hatter 2:Bundle").look(Catl="deck-4/top")
    assert (table.state.phase, table.disputes) == ("skill", [])
    table.press(Button.DOWN, Button.A)
    assert _facts(table, "hatter") == [{"Ann": [], "Bea": [], "Cid": ["Cat"], "Dot": []}]


def test_rabbit_or_hatter_is_asked_where_both_could_have_turned_a_card_up() -> None:
    table = _exploring(notebooks=TWO).play("take 0:Hatter 2:Rabbit").look(Catl="deck-4/top")
    assert table.snapshot.question is not None
    labels = [choice.label.key for choice in table.snapshot.question.choices]
    assert (table.state.phase, sorted(labels)) == ("skill", ["choice.for", "choice.for-rabbit"])


def test_the_screen_never_names_the_hatters_card() -> None:
    for cards in (TWO, FOUR):
        table = _exploring(notebooks=cards).play("take 0:Hatter 2:Alice").look(Queenl="deck-4/top")
        heard = repr(table.snapshot.events)
        for _ in range(3):
            question = table.snapshot.question
            shown = repr((table.snapshot.pages, question and question.message, table.snapshot.help, heard))
            assert "Queen" not in shown
            table.press(Button.A).look()
        assert sum(map(len, table.state.hatter)) == 1


def test_a_queen_in_her_place_covers_the_other_card_wherever_that_lies() -> None:
    table = _exploring().play("take 0:Queen 2:Cat")
    queen, cat = table.first("Queen", "tunnel/Ann"), table.first("Cat", "tunnel/Ann")
    table.look(**{cat: "covered/Ann"})
    assert (table.state.phase, table.disputes) == ("skill", []), "she is still to come"
    table.look(**{queen: "covered/Ann"})
    assert (_facts(table, "phase", "covered"), table.disputes) == (["decide", ["Cat"]], [])
    table.look(**{cat: "tunnel/Ann"})
    assert table.disputes == []


def test_a_second_queen_may_lie_on_the_first() -> None:
    table = _exploring().play("take 0:Queen 2:Cat", "skill Queen covers=Cat", "unlock 3", "cover 3 Alice")
    table.play("take 2:Queen 4:Rabbit")
    table.hidden |= {piece for piece, zone in table.lying.items() if zone == "covered/Ann"}
    table.look(**{table.first("Queen", "tunnel/Ann"): "covered/Ann"})
    assert _facts(table, "phase", "covered") == ["decide", ["Cat", "Rabbit"]]


def test_a_pair_may_lie_on_a_pair_of_the_same_name() -> None:
    table = _exploring().play("take 0:Queen 2:Rabbit", "skill Queen covers=Rabbit")
    table.hidden |= {piece for piece, zone in table.lying.items() if zone == "covered/Ann"}
    table.play("unlock 3", "cover 3 Alice", "take 2:Queen 4:Rabbit")
    pair = {piece: "covered/Ann" for piece, zone in table.lying.items() if zone == "tunnel/Ann"}
    table.lying = {**pair, **{piece: zone for piece, zone in table.lying.items() if piece not in pair}}
    table.hidden |= {piece for piece in pair if piece.startswith("Rabbit")}
    assert table.look().state.covered == ("Rabbit", "Rabbit")
    assert (table.state.phase, table.disputes) == ("decide", [])


def test_a_card_in_the_queens_place_without_reason_is_disputed() -> None:
    table = _exploring().play("take 0:Queen 2:Cat")
    piece = table.first("Alice", "notebook/Ann")
    assert table.look(**{piece: "covered/Ann"}).disputes == [(piece, "strange-covered")]


def test_the_tunnel_in_the_notebook_ends_the_turn_once_none_of_it_is_left() -> None:
    table = _exploring().play("take 0:Queen 2:Cat", "skill Queen covers=Cat", "unlock 3", "cover 3 Alice")
    table.play("take 2:Hatter 4:Rabbit", "skill Rabbit deck=0 reveals=Bundle")
    cards = [piece for piece, zone in table.lying.items() if zone in ("tunnel/Ann", "covered/Ann")]
    table.look(**{cards[0]: "notebook/Ann"})
    assert (table.state.phase, table.disputes) == ("decide", [])
    table.look(**dict.fromkeys(cards[1:], "notebook/Ann"))
    assert _facts(table, "turn", "tunnel") == ["Bea", []]
    assert table.disputes == []


@pytest.mark.parametrize(("place", "wording"), [("tunnel/Ann", "tunnel-not-now"), ("discards/pile", "not-to-discards")])
def test_who_stops_may_lay_open_what_the_hatter_gave_him(place: str, wording: str) -> None:
    table = Table("9, 9, 9, 9, 9", FOUR, Ann="Queen Queen").play("unlock 1", "cover 1 Cat", "take 0:Alice 2:Cat")
    table.play("skill Alice").look(Queenk=place)
    assert (table.state.phase, table.disputes) == ("decide", [])
    table.look(Queenl=place, Queenj=place)
    assert (table.state.phase, table.disputes) == ("decide", [("Queenj", wording)]), "there were two"
    table.look(Queenj=None)
    cards = [table.first("Alice", "tunnel/Ann"), table.first("Cat", "tunnel/Ann")]
    table.look(**{cards[0]: "notebook/Ann"})
    assert table.state.phase == "decide"
    table.look(**{cards[1]: "notebook/Ann"})
    assert (_facts(table, "turn", "discards"), table.disputes) == (["Bea", ["Queen", "Queen"]], [])


def test_the_hatters_card_may_be_of_the_same_name_as_one_of_the_tunnel() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR, Ann="Rabbit Cat").play("unlock 1", "cover 1 Cat", "take 0:Alice 2:Cat")
    table.play("skill Alice").look(Rabbitk="tunnel/Ann", Catk="tunnel/Ann")
    cards = [table.first("Alice", "tunnel/Ann"), table.first("Cat", "tunnel/Ann")]
    assert (cards[1] != "Catk", table.disputes) == (True, [])
    table.look(**{cards[1]: "notebook/Ann"})
    assert (table.state.phase, table.disputes) == ("decide", [])
    table.look(**{cards[0]: "notebook/Ann"})
    assert (_facts(table, "turn", "discards"), table.disputes) == (["Bea", ["Cat", "Rabbit"]], [])


def test_a_card_of_the_tunnel_that_the_hatters_is_like_is_waited_for() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR, Ann="Rabbit Cat").play("unlock 1", "cover 1 Cat", "take 0:Alice 2:Cat")
    table.play("skill Alice").look(**{table.first("Alice", "tunnel/Ann"): "notebook/Ann"})
    assert (table.state.phase, table.disputes) == ("decide", [])


def test_a_stop_by_the_button_leaves_the_cards_to_be_brought_over() -> None:
    table = _exploring().play("take 0:Alice 2:Cat", "skill Alice").press(Button.A).look()
    assert (_facts(table, "turn"), table.disputes) == (["Bea"], [])
    assert table.snapshot.pages[0].elements[0].message.key == "page.to-notebook"


def test_a_key_of_the_turn_before_unlocks_nothing_until_it_is_laid_anew() -> None:
    table = _exploring().play("take 0:Alice 2:Cat", "skill Alice", "stop")
    table.since = {"keya": 5.0, **{piece: 20.0 for piece, zone in table.lying.items() if zone == "notebook/Ann"}}
    table.look(keya="deck-1/key")
    assert (_facts(table, "turn", "unlocked"), table.disputes) == (["Bea", []], [])
    assert table.snapshot.pages[0].elements[0].message.key == "page.keys-back"
    table.since["keya"] = 60.0
    assert _facts(table.look(), "unlocked") == [[1]]


def test_a_key_that_was_put_back_just_before_a_collapse_unlocks_nothing_for_the_next_player() -> None:
    table = _exploring().play("take 0:Rabbit 2:Cat").change(tunnel=("Alice", "Alice", "Cat", "Rabbit"))
    keya = next(piece for piece, zone in table.lying.items() if zone == "deck-1/key")
    table.since[keya] = table.now_s
    table.look().look(Alicel="deck-4/top")
    table.play("refill Alice").look(Alicel="deck-4/top", **{keya: "deck-1/key"})
    assert _facts(table, "turn", "unlocked") == ["Bea", []]


def test_two_keys_at_once_are_disputed_and_the_earlier_of_two_counts() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR)
    table.look(keya="deck-0/key", keyb="deck-3/key")
    assert table.disputes == [("keya", "two-keys"), ("keyb", "two-keys")]
    table.since["keyb"] = table.since["keya"] + 5.0
    assert _facts(table.look(), "unlocked") == [[0]]
    assert table.disputes == [("keyb", "cover-first")]


def test_two_cards_on_decks_at_once_are_disputed() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR).play("unlock 1")
    cat, queen = table.first("Cat", "notebook/Ann"), table.first("Queen", "notebook/Ann")
    table.look(**{cat: "deck-1/top", queen: "deck-1/top"})
    assert sorted(table.disputes) == [(cat, "two-covers"), (queen, "two-covers")]


@pytest.mark.parametrize(
    ("name", "zone", "wording"),
    [
        ("Cat", "deck-3/top", "locked-cover-first"),
        ("Cat", "discards/pile", "not-to-discards"),
        ("Cat", "tunnel/Ann", "tunnel-not-now"),
        ("Cat", "tunnel/Cid", "strange-tunnel"),
        ("Cat", "notebook/Cid", "strange-notebook"),
    ],
)
def test_a_card_of_the_notebook_elsewhere_is_disputed(name: str, zone: str, wording: str) -> None:
    table = Table("9, 9, 9, 9, 9", FOUR).play("unlock 1")
    piece = table.first(name, "notebook/Ann")
    table.look(**{piece: zone})
    assert table.disputes == [(piece, wording)]
    table.look(**{piece: "notebook/Ann"})
    assert table.disputes == []


def test_a_card_from_nowhere_covers_nothing() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR).play("unlock 1").look(Catl="deck-1/top")
    assert (table.state.phase, table.disputes) == ("explore", [("Catl", "not-from-notebook")])


def test_a_top_card_turned_up_when_no_skill_asks_for_it_is_disputed() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR).look(Hatterl="deck-1/top")
    assert table.disputes == [("Hatterl", "not-from-notebook")]
    table = _exploring().play("take 0:Alice 2:Queen").look(Hatterl="deck-4/top")
    assert table.disputes == [("Hatterl", "not-from-notebook")]


def test_the_turn_player_may_hold_a_card_to_cover_with_and_others_must_not() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR)
    own, other = table.first("Cat", "notebook/Ann"), table.first("Cat", "notebook/Cid")
    assert table.look(**{own: None}).disputes == []
    assert table.look(**{other: None}).disputes == [(other, "must-stay")]


def test_a_deck_stays_unlocked_until_the_turn_is_decided() -> None:
    table = _exploring()
    key = table.first("key", "deck-1/key")
    assert table.look(**{key: None}).disputes == [(key, "key-must-stay")]
    table.look(**{key: "deck-1/key"}).play("take 0:Alice 2:Queen", "skill Alice")
    assert table.look(**{table.first("key", "deck-1/key"): None}).disputes == []


def test_without_a_skill_to_use_going_on_says_so() -> None:
    table = _exploring().play("take 0:Bundle 2:Bundle").look(keyd="deck-3/key")
    assert (_facts(table, "phase", "unlocked"), table.disputes) == (["explore", [1, 3]], [])


def test_the_refill_counts_once_all_its_cards_have_come() -> None:
    table = Table("9, 9, 9, 9, 9", ("Cat", *FOUR[1:]), "Alice Queen Rabbit Hatter").change(phase="refill", keys=0)
    piece = table.first("Queen", "discards/pile")
    assert (table.look(**{piece: "notebook/Ann"}).state.phase, table.disputes) == ("refill", [])
    table.look(Catl="notebook/Ann")
    assert table.disputes == [("Catl", "not-discarded")] or ("Catl", "not-discarded") in table.disputes
    table.look(Catl=None, **{table.first("Alice", "discards/pile"): "notebook/Ann"})
    assert _facts(table, "turn", "discards") == ["Bea", ["Hatter", "Rabbit"]]


def test_a_notebook_with_cards_that_do_not_show_is_to_be_spread() -> None:
    table = Table("9, 9, 9, 9, 9", FOUR)
    del table.lying[table.first("Hatter", "notebook/Bea")]
    assert table.look().snapshot.pages[0].elements[0].message.key == "page.spread"


def test_the_set_up_is_read_once_each_notebook_shows_three_cards() -> None:
    table = Table(draft={"players": ["Ann", "Bea"]}).look(
        **dict.fromkeys(("keya", "keyb", "keyc", "keyd"), "middle/key"),
        **dict.fromkeys(("Catc", "Alicea", "Bundleh"), "notebook/Ann"),
        **dict.fromkeys(("Catd", "Queenl"), "notebook/Bea"),
    )
    table.press(Button.DOWN, Button.A).look(Queenk="deck-0/top", Cate="notebook/Bea")
    assert table.state is None
    table.look(Queenk=None)
    assert _facts(table, "turn", "notebooks") == [
        "Bea",
        {"Ann": ["Alice", "Bundle", "Cat"], "Bea": ["Cat", "Cat", "Queen"]},
    ]


def test_without_all_keys_in_sight_the_game_is_begun_by_a_button() -> None:
    table = Table(draft={"players": ["Ann", "Bea"], "turn": "Ann"}).look(
        **dict.fromkeys(("Catc", "Alicea", "Bundleh"), "notebook/Ann"),
        **dict.fromkeys(("Catd", "Queenl", "Cate"), "notebook/Bea"),
    )
    assert table.state is None
    assert table.press(Button.A).look().state is not None


def test_a_pair_that_was_told_by_the_button_is_to_be_brought_to_the_queens_place() -> None:
    table = _exploring().play("take 0:Queen 2:Rabbit")
    queen, rabbit = table.first("Queen", "tunnel/Ann"), table.first("Rabbit", "tunnel/Ann")
    table.press(Button.A, Button.A).look()
    assert (_facts(table, "phase", "covered"), table.disputes) == (["decide", ["Rabbit"]], [])
    assert table.snapshot.pages[0].elements[0].message.key == "page.use.Queen"
    table.look(keyd="deck-3/key")
    _cover(table, "Alice", 3)
    table.look(Rabbitl="tunnel/Ann", Bundleh="tunnel/Ann")
    assert (_facts(table, "phase"), table.disputes) == (["skill"], []), "the first Rabbit is not a new one"
    table.look(**{queen: "covered/Ann", rabbit: "covered/Ann"})
    assert table.disputes == []

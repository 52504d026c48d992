"""The dealer against the referee: whole games of all numbers of players agree in every fact, and keep their secrets."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.core.game import Event, Refusal
from companion.core.messages import Message
from companion.games.three_kings import rules, setup
from companion.games.three_kings.cards import deck, find, name_of
from companion.games.three_kings.dealer import ThreeKingsDealer
from companion.games.three_kings.marks import pools
from companion.games.three_kings.moves import Move
from companion.games.three_kings.state import State, facts
from companion.games.three_kings.unseen import DECK, DISCARDS, INFIRMARY, board, hand, intrigue
from companion.service.journal import Journal
from tests.dealt import Deal, Dealt
from tests.games.three_kings.court import DECKS, NAMES, said

EVERYBODY = range(3, 9)
ENDS = {"over", "over-shared", "eye-wins"}
RARE = {
    "revealed-none", "over-shared", "mercenary", "unguarded", "recalled", "traded", "closed", "exchanged",
    "hands-exchanged", "done-by-hand", "crowned-nobody", "loses", "throne-passed-over", "put-away", "crowned", "gains",
    "nothing-to-do", "no-majority", "falls-corrupt", "skips", "bodyguards", "recruit-discards", "only-shown",
}  # fmt: skip
"""What need not happen in a few games; a thousand meet it."""
NEVER_SURE = {"unguarded", "revealed-none"}
"""No bot says the one, and with many players somebody has nearly always planned a card."""


def _begun(seed: int, players: int) -> tuple[ThreeKingsDealer, State]:
    dealer = ThreeKingsDealer(seed, {"players": list(NAMES[:players])}, DECKS)
    state = setup.start(dealer.setup, DECKS)
    assert isinstance(state, State), state
    assert facts(state) == dealer.facts()
    return dealer, state


def _play(seed: int, players: int) -> Iterator[tuple[ThreeKingsDealer, State, Mapping[str, Any], tuple[Event, ...]]]:
    """A whole game: after each move the dealer, the state, the move and what it announced."""
    dealer, state = _begun(seed, players)
    while dealer.choices():
        line = dealer.think()
        step = rules.apply(state, msgspec.convert(line, Move))
        dealer.do(line)
        assert not isinstance(step, Refusal), (players, seed, line, step)
        state = step.state
        yield dealer, state, line, step.events


def _agree(seed: int, players: int) -> Iterator[str]:
    """A whole game in which both agree in every fact; what it announced."""
    for dealer, state, line, events in _play(seed, players):
        assert facts(state) == dealer.facts(), (players, seed, line)
        names = [seat.name for seat in state.seats]
        assert {names[seat] for seat in state.protected} == dealer.world.guarded, (players, seed, line)
        assert set(state.closed) == dealer.world.kidnapped, (players, seed, line)
        assert list(state.drawn) == dealer.world.open_actions, (players, seed, line)
        yield from (event.name for event in events)
    assert state.phase == "over"


@pytest.mark.parametrize("players", EVERYBODY)
def test_dealer_and_referee_agree_in_every_fact_of_five_games(players: int) -> None:
    told = Counter(event for seed in range(5) for event in _agree(seed, players))
    assert sum(told[end] for end in ENDS) == 5


@pytest.mark.soak
@pytest.mark.parametrize("players", EVERYBODY)
def test_dealer_and_referee_agree_in_every_fact_of_a_thousand_games(players: int) -> None:
    told = Counter(event for seed in range(1000) for event in _agree(seed, players))
    assert sum(told[end] for end in ENDS) == 1000
    assert RARE - set(told) <= NEVER_SURE


def test_each_move_of_the_dealer_is_listed_or_one_of_too_many_to_list() -> None:
    for dealer, state in _states(3, 4):
        legal = list(rules.legal_moves(state))
        for line in dealer.choices():
            assert line["do"] in rules.CHANCE_MOVES or msgspec.convert(line, Move) in legal, line
        for move in legal:
            step = rules.apply(state, move)
            assert not isinstance(step, Refusal), (move, step)


def test_moves_come_out_of_json_as_they_went_in() -> None:
    for _, _, line, _ in _play(4, 5):
        assert msgspec.to_builtins(msgspec.convert(line, Move)) == line


def test_everything_that_is_announced_can_be_said_in_every_language() -> None:
    for players in EVERYBODY:
        for _, _, _, events in _play(20 + players, players):
            for event in events:
                said(event)


def test_every_hidden_card_is_where_the_referee_thinks_that_it_may_be() -> None:
    for players in (3, 6, 8):
        for dealer, state in _states(30 + players, players):
            truth = dict(_hidden(dealer))
            assert Counter(name_of(one.card) for one in state.unseen) == Counter(map(name_of, truth))
            places: dict[str, int] = {}  # several copies that can't be told apart have their name in common
            for one in state.unseen:
                places[one.card] = places.get(one.card, 0) | one.places
            assert all(card in truth or name_of(card) == card for card in places)
            strayed = [c for c, place in truth.items() if not places[c if c in places else name_of(c)] >> place & 1]
            assert strayed == []


class TestSecrets:
    """A needle is a card in a hand, on a board face down, or in an Intrigue space before the reveal; or a Mark."""

    @pytest.mark.parametrize("players", EVERYBODY)
    def test_no_hidden_card_stands_in_a_fact_an_event_a_move_or_the_journal(self, players: int) -> None:
        dealer, state = _begun(50 + players, players)
        known: set[str] = set(dealer.setup["thrones"])
        while dealer.choices():
            line = dealer.think()
            step = rules.apply(state, msgspec.convert(line, Move))
            assert not isinstance(step, Refusal)
            dealer.do(line)
            state = step.state
            told = [line, facts(state), *(event.params for event in step.events)]
            known |= set(_cards_in(line))
            assert {card for one in told for card in _cards_in(one)} <= known, line
            assert {card for card in _words_of(step.events) if name_of(card) != card} <= known

    @pytest.mark.parametrize("players", [3, 8, *(pytest.param(n, marks=pytest.mark.soak) for n in range(4, 8))])
    def test_no_hidden_card_stands_on_the_screens_or_in_the_file_of_the_journal(
        self, players: int, tmp_path: Path
    ) -> None:
        """A whole game that a session reads from the table; what stands in its file, byte by byte, lay open before."""
        journal = Journal(tmp_path / "journal")
        dealt = Dealt(Deal("three_kings", players, 80 + players), journal)
        hidden = {one for card in deck().values() for one in card.ids}
        dealt.look()
        while dealt.move():
            hidden -= dealt.dealer.table().keys()
            dealt.look()
            assert _tokens(repr(dealt.snapshot)) & hidden == set()
            written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
            assert _tokens(written.decode("latin-1")) & hidden == set()
        assert dealt.snapshot.outcome is not None
        assert _tokens(written.decode("latin-1")) & {one for card in deck().values() for one in card.ids}
        journal.close()

    @pytest.mark.parametrize("players", EVERYBODY)
    def test_moves_name_only_cards_that_lie_open_then(self, players: int) -> None:
        before: dict[str, str] = {}
        for dealer, _, line, _ in _play(60 + players, players):
            lies = dealer.table()
            for card in _cards_in(line):
                assert card in lies or card in before, line
            before = dict(lies)

    def test_marks_are_dealt_as_the_rules_say_and_stand_nowhere(self) -> None:
        for players in EVERYBODY:
            for seed in range(20):
                dealer, state = _begun(seed, players)
                dealt = Counter(dealer.marks.values())
                assert len(dealer.marks) == players
                assert any(dealt <= Counter(pool) for pool in pools(players)), (players, seed)
                other = ThreeKingsDealer(seed, {"players": list(NAMES[:players])}, DECKS)
                other.marks = dict.fromkeys(other.marks, "eye")
                assert other.setup == dealer.setup
                assert facts(state) == other.facts()

    def test_what_is_hidden_makes_no_difference_to_what_is_public(self) -> None:
        """Two worlds that differ only in cards nobody has seen look the same."""
        for players in (3, 5, 8):
            one, state = _begun(70, players)
            other, same = _begun(70, players)
            other.world.deck.reverse()
            for line in ({"do": "recruit"}, {"do": "recruit"}, {"do": "recruit"}):
                for dealer in (one, other):
                    dealer.do({**line, "by": dealer.world.due[1]})
                step, again = (rules.apply(s, msgspec.convert(line, Move)) for s in (state, same))
                assert step == again
                assert not isinstance(step, Refusal)
                state = same = step.state
                assert facts(state) == one.facts() == other.facts()
            assert one.world.hands != other.world.hands


def test_the_dealer_keeps_the_options_that_were_set() -> None:
    line = {"players": ["Ann", {"name": "Ben", "guild": "white"}, "Cleo"], "first": "Cleo", "actions": "three-kings"}
    dealer = ThreeKingsDealer(1, line, DECKS)
    assert dealer.setup["players"] == [
        {"name": "Ann", "guild": "red"}, {"name": "Ben", "guild": "white"}, {"name": "Cleo", "guild": "blue"}
    ]  # fmt: skip
    assert (dealer.setup["first"], dealer.setup["actions"], dealer.facts()["active"]) == ("Cleo", "three-kings", "Cleo")


def _states(seed: int, players: int) -> Iterator[tuple[ThreeKingsDealer, State]]:
    """A whole game: the dealer and the state before each move and at the end."""
    yield _begun(seed, players)
    for dealer, state, _, _ in _play(seed, players):
        yield dealer, state


def _hidden(dealer: ThreeKingsDealer) -> Iterator[tuple[str, int]]:
    """All cards that nobody sees, with their places as the referee counts them."""
    world = dealer.world
    yield from ((card, DECK) for card in world.deck)
    yield from ((card, DISCARDS) for card in world.discards)
    yield from ((card, INFIRMARY) for card in world.infirmary)
    yield from ((card, intrigue(t)) for t, pile in enumerate(world.intrigue, 1) for card in pile)
    for seat, name in enumerate(dealer.names):
        yield from ((card, hand(seat)) for card in world.hands[name])
        yield from ((card, board(seat)) for card in world.spaces[name] if card)


def _cards_in(what: Any) -> Iterator[str]:
    """All cards with their copy letter anywhere in a plain value."""
    if isinstance(what, str):
        if find(what) is not None and name_of(what) != what:
            yield what
    elif isinstance(what, Message):
        yield from _cards_in(what.params)
    elif isinstance(what, Mapping):
        for key, value in what.items():
            yield from _cards_in(key)
            yield from _cards_in(value)
    elif isinstance(what, (list, tuple)):
        for one in what:
            yield from _cards_in(one)


def _words_of(events: tuple[Event, ...]) -> Iterator[str]:
    """Everything that an entry of the journal would hold of what was announced."""
    yield from _cards_in(msgspec.json.decode(msgspec.json.encode(events)))


def _tokens(text: str) -> set[str]:
    """All cards with their copy letters that are named in a text."""
    kinds = "|".join(sorted({card.kind for card in deck().values()}))
    return set(re.findall(rf"(?:{kinds})(?:-[0-9])?[a-h](?![a-z])", text))

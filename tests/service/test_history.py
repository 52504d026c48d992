"""What happened and what was taken back: one rule, and a table that nobody touched tells of nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import islice
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.core.game import Game, answers
from companion.core.snapshot import Answer, Command, Redo, Snapshot, Undo
from companion.core.table import Observation, Sighting
from companion.service.entries import FREED, MOVE, REDO, SETUP, UNDO
from companion.service.history import History, Made
from companion.service.journal import Journal
from companion.service.referee import Referee
from companion.service.replay import replay
from companion.service.session import Session
from tests.dealt import MODES, Deal, Dealt

LINE = {
    "players": [{"name": "A", "guild": "crown"}, {"name": "B", "guild": "bell"}],
    "holder": "A",
    "open": "blue-3a",
    "tokens": {"small-1": [2], "small-2": [3], "big": [4]},
}
MOVES = [
    {"do": "place", "card": "red-3a", "nest": "big", "side": "crown", "by": "A"},
    {"do": "place", "card": "red-4a", "nest": "big", "side": "bell", "by": "B"},
    {"do": "place", "card": "red-5a", "nest": "small-1", "side": "crown", "by": "A"},
]
OTHER = {"do": "place", "card": "red-6a", "nest": "small-2", "side": "crown", "by": "A"}


# One rule


def _stands(history: History | None) -> tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]:
    """The moves that stand, and those that can be made again, the next one first."""
    assert history
    return [made.line for made in history.past[1:]], [undone.made.line for undone in reversed(history.future)]


def _in_a_session(game: Game[Any, Any], deeds: list[Any], journal: Journal) -> History | None:
    """Moves are told by the table, where cards are laid and, before they are laid anew, picked up."""
    journal.append([(SETUP, game, LINE, ())])
    session = Session(game, journal, lambda _: None)
    lying = {"token-2a": "small-1", "token-3a": "small-2", "token-4a": "big", "blue-3a": "open", "start": "seat/crown"}
    gone: dict[str, str] = {}
    for deed in (None, *deeds):
        if deed in (Undo(), Redo()):
            session.tell(deed)
            continue
        if deed:
            expected = dict(game.layout(session.state).expected)
            picked_up = {p: z for p, z in lying.items() if p.startswith("red") and p not in expected}
            gone |= picked_up
            lying = {p: z for p, z in lying.items() if p not in picked_up}
            session.see(Observation(tuple(Sighting(*one) for one in lying.items()), dict(gone)))
            lying[deed["card"]] = f"{deed['nest']}/{deed['side']}"
            gone.pop(deed["card"], None)
        session.see(Observation(tuple(Sighting(*one) for one in lying.items()), dict(gone)))
    return session.history


def _replayed(game: Game[Any, Any], deeds: list[Any], journal: Journal) -> History | None:
    _in_a_session(game, deeds, journal)
    return replay(game, journal.entries()).history


def _by_the_protocol(game: Game[Any, Any], deeds: list[Any], _journal: Journal) -> History | None:
    referee = Referee(game, lambda message: message.key)
    names: dict[Any, dict[str, Any]] = {Undo(): {"undo": True}, Redo(): {"redo": True}}
    for line in ({"setup": LINE}, *(names[deed] if isinstance(deed, Undo | Redo) else deed for deed in deeds)):
        assert referee.answer(msgspec.json.encode(line))["ok"], line
    return referee._history


@pytest.mark.parametrize("way", [_in_a_session, _replayed, _by_the_protocol])
@pytest.mark.parametrize(
    ("deeds", "past", "future"),
    [
        ([*MOVES, Undo(), Undo()], MOVES[:1], MOVES[1:]),
        ([*MOVES, Undo(), Undo(), Undo(), MOVES[0]], MOVES[:1], MOVES[1:]),
        ([*MOVES, Undo(), Undo(), Undo(), MOVES[0], MOVES[1], Redo()], MOVES, []),
        ([*MOVES, Undo(), Undo(), Undo(), OTHER], [OTHER], []),
        ([*MOVES, Undo(), Undo(), Undo(), Redo(), Undo(), MOVES[0], Redo()], MOVES[:2], MOVES[2:]),
    ],
)
def test_a_move_made_again_by_hand_leaves_the_others_to_be_made_again_and_another_one_none(
    phoenix: Game[Any, Any], way: Any, deeds: list[Any], past: list[Any], future: list[Any]
) -> None:
    assert _stands(way(phoenix, deeds, Journal(":memory:"))) == (past, future)


def test_each_move_of_a_table_line_is_taken_back_by_itself(phoenix: Game[Any, Any]) -> None:
    referee = Referee(phoenix, lambda message: message.key)
    lines: tuple[dict[str, Any], ...] = (
        {"setup": LINE},
        {"table": {"red-3a": "big/crown", "red-4a": "big/bell"}},
        {"undo": True},
    )
    told = [referee.answer(msgspec.json.encode(line)) for line in lines]
    assert [len(answer.get("moves", ())) for answer in told] == [0, 2, 0]
    assert _stands(referee._history) == ([MOVES[0]], [MOVES[1]])


def test_what_was_taken_back_before_a_move_is_so_again_once_that_is_made_again(phoenix: Game[Any, Any]) -> None:
    history = History(phoenix.box, 0)
    for number in (1, 2):
        history.do(Made(number))
    history.undo({"red-4a": "big/bell"})
    history.undo({"red-4a": "big/bell", "red-3a": "big/crown"})
    assert (history.state, history.top, history.left()) == (0, 2, {"red-4a": "big/bell"})
    history.look({"red-3a": "big/crown"})  # somebody has picked up red-4a
    history.redo(history.left())
    assert (history.state, history.taken_back) == (1, {})


# A table that nobody touched


class Untouched:
    """A dealt game whose table stays as it is, while people press and the box is switched off and on."""

    def __init__(self, deal: Deal, moves: int) -> None:
        self.chance = random.Random(deal.seed)
        self.game, self.journal = deal.game, Journal(":memory:")
        dealt = Dealt(deal, self.journal, publish=self._published)
        dealt.look()
        for _ in range(moves):
            if dealt.move():
                dealt.look()
        dealt.agree()
        assert (dealt.facts, self.snapshot.disputes) == (dealt.dealer.facts(), ())
        self.session, self.seen = dealt.session, dealt.seen()
        self.answered = 0
        self._names = {piece: piece for piece in self.game.box.pieces}
        self.states = [made.state for made in self.history.past]
        self._before, self._entries = self.told, len(list(self.journal.entries()))

    @property
    def history(self) -> History:
        assert self.session.history
        return self.session.history

    @property
    def told(self) -> tuple[Any, ...]:
        one = self.snapshot
        return (one.facts, one.disputes, one.question, one.last_move, one.can_redo, one.acceptable)

    def press(self, command: Command) -> None:
        self.session.tell(command)
        self._same()

    def answer(self) -> None:
        """Makes the next move again by hand, if a button tells it."""
        for undone in self.history.future[-1:]:
            question = self.snapshot.question
            ways = (way for way, choice in answers(question) if choice.move == undone.made.line)
            for way in islice(ways, 1):
                assert question
                self.press(Answer(way[0], question, way[1:]))
                self.answered += 1

    def look(self, hidden: float = 0.0) -> None:
        """The same table, of which a hand hides a part."""
        sightings = tuple(
            replace(sighting, piece=self._names[sighting.piece], hidden=self.chance.random() < hidden)
            for sighting in self.seen.sightings
        )
        self.seen = replace(self.seen, at_s=self.seen.at_s + 1.0)
        self.session.see(replace(self.seen, sightings=sightings))
        self._same()

    def restart(self) -> None:
        """After a start nobody knows what has left its place, and which of those alike is which."""
        if self.game.outcome(self.session.state) is not None:
            return
        for copies in self.game.box.copies.values():
            ids = [copy.id for copy in copies]
            mixed = self.chance.sample(ids, len(ids)) if copies[0].alike else ids
            self._names |= dict(zip(ids, mixed, strict=True))
        sightings = self.chance.sample(self.seen.sightings, len(self.seen.sightings))
        self.seen = replace(self.seen, sightings=tuple(sightings), gone={})
        self.session = Session(self.game, self.journal, self._published, self.session.draft)

    def act(self, kinds: tuple[str, ...], length: int) -> None:
        """Goes back and forth at random."""
        for _ in range(length):
            kind = self.chance.choice(kinds)
            if kind in ("undo", "redo"):
                self.press(Undo() if kind == "undo" else Redo())
            elif kind == "answer":
                self.answer()
            elif kind == "restart":
                self.restart()
                self.look()
            else:
                self.look(0.5 if kind == "hand" else 0.0)

    def end(self) -> None:
        """Makes all moves again: it is as it was, and the journal holds nothing but how it was gone back and forth."""
        for _ in self.history.future[:]:
            self.press(Redo())
        self.look()
        assert (self.history.state, self.history.taken_back, self.told) == (self.states[-1], {}, self._before)
        kinds = Counter(entry.kind for entry in list(self.journal.entries())[self._entries :])
        assert kinds[UNDO] == kinds[REDO] + kinds[MOVE]
        assert kinds.keys() <= {UNDO, REDO, MOVE, FREED}
        assert self.answered == kinds[MOVE]

    def _same(self) -> None:
        assert self.session.state == self.states[len(self.history.past) - 1]
        assert [undone.made.state for undone in self.history.future] == self.states[len(self.history.past) :][::-1]

    def _published(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot


KINDS = ("undo", "undo", "undo", "redo", "answer", "answer", "look", "hand", "restart")


def _deals(seed: int) -> list[Deal]:
    return [
        Deal("phoenix", 2 + seed % 5, seed),
        Deal("storytelling", 2 + seed % 3, seed, MODES[seed % len(MODES)]),
        Deal("wonderland", 2 + seed % 3, seed),
        Deal("three_kings", 3 + seed % 6, seed),
    ]


def _games(*seeds: int) -> Any:
    games = [deal for seed in seeds for deal in _deals(seed)]
    return pytest.mark.parametrize("deal", games, ids=[f"{deal.name}-{deal.mode}{deal.seed}" for deal in games])


FOUND = [
    (Deal("storytelling", 3, 1006, "basic"), 54, 4),
    (Deal("three_kings", 4, 3003), 18, 4),
    (Deal("three_kings", 3, 3011), 104, 3),
]


@pytest.mark.parametrize("look", [False, True])
@pytest.mark.parametrize(("deal", "moves", "length"), FOUND)
def test_moves_that_were_lost_once_are_there_again(deal: Deal, moves: int, length: int, look: bool) -> None:
    _back_and_forth(Untouched(deal, moves), length, look)


@_games(1, 2, 3)
def test_taking_back_and_playing_again_changes_nothing(deal: Deal) -> None:
    table = Untouched(deal, random.Random(deal.seed).randint(1, 90))
    for length in (1, 2, 3, 5, len(table.states) - 1):
        _back_and_forth(table, length, length % 2 == 0)


@_games(4, 101, 109, 179, 186)
def test_going_back_and_forth_at_random_with_hands_and_restarts_changes_nothing(deal: Deal) -> None:
    _at_random(deal)


@pytest.mark.soak
@_games(*range(10, 20))
def test_taking_back_so_many_moves_and_playing_them_again_changes_nothing(deal: Deal) -> None:
    table = Untouched(deal, random.Random(deal.seed).randint(1, 120))
    for length in range(1, len(table.states)):
        _back_and_forth(table, length, length % 2 == 0)


@pytest.mark.soak
@_games(*range(100, 200))
def test_many_ways_back_and_forth_change_nothing(deal: Deal) -> None:
    _at_random(deal)


def _at_random(deal: Deal) -> None:
    chance = random.Random(deal.seed)
    table = Untouched(deal, chance.randint(1, 120))
    table.act(KINDS, chance.randint(1, 60))
    table.end()


def _back_and_forth(table: Untouched, length: int, look: bool) -> None:
    for command in (Undo(),) * length + (Redo(),) * length:
        table.press(command)
        if look:
            table.look()
    table.end()

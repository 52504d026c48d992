"""The journal keeps what was announced, whatever happens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from datetime import datetime, timedelta, timezone
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Event, Game, decode
from companion.games import load, names
from companion.service.content import shipped
from companion.service.entries import ENDED, MOVE, REDO, SETUP, UNDO, Entry, JournalError
from companion.service.journal import Journal
from companion.service.lines import entries_in, written
from companion.service.replay import Replay, ReplayError, replay
from tests.service.conftest import OpenJournal

LINE = {
    "players": [{"name": "A", "guild": "crown"}, {"name": "B", "guild": "bell"}],
    "holder": "A",
    "open": "blue-3a",
    "tokens": {"small-1": [2], "small-2": [3], "big": [4]},
}
FIRST = {"do": "place", "card": "red-3a", "nest": "big", "side": "crown", "by": "A"}
SECOND = {"do": "place", "card": "red-4a", "nest": "big", "side": "bell", "by": "B"}


def _events(game: Game[Any, Any], *moves: dict[str, Any]) -> list[tuple[Event, ...]]:
    state, told = game.setup(LINE), []
    for move in moves:
        step = game.apply(state, decode(game, move))
        state = step.state
        told.append(step.events)
    return told


def _moves(found: Replay) -> list[Any]:
    return [made.line for made in found.history.past[1:]]


Filled = Callable[[Path], Journal]


@pytest.fixture
def filled(open_journal: OpenJournal, phoenix: Game[Any, Any]) -> Filled:
    """A journal of a game of two moves."""
    return lambda path: _fill(open_journal(path), phoenix)


def _fill(journal: Journal, game: Game[Any, Any]) -> Journal:
    first, second = _events(game, FIRST, SECOND)
    journal.append([(SETUP, game, LINE, ())])
    journal.append([(MOVE, game, FIRST, first), (MOVE, game, SECOND, second)])
    return journal


def test_entries_come_back_as_they_were_written(
    tmp_path: Path, phoenix: Game[Any, Any], filled: Filled, open_journal: OpenJournal
) -> None:
    filled(tmp_path / "deep" / "j")
    entries = open_journal(tmp_path / "deep" / "j").last_game("phoenix")
    assert [(e.number, e.kind, e.game, dict(e.body)) for e in entries] == [
        (1, SETUP, "phoenix", LINE),
        (2, MOVE, "phoenix", FIRST),
        (3, MOVE, "phoenix", SECOND),
    ]
    assert [e.events for e in entries[1:]] == _events(phoenix, FIRST, SECOND)


def test_the_last_game_begins_at_the_last_setup(tmp_path: Path, phoenix: Game[Any, Any], filled: Filled) -> None:
    journal = filled(tmp_path / "j")
    journal.append([(SETUP, phoenix, LINE, ())])
    assert [entry.number for entry in journal.last_game("phoenix")] == [4]


def test_a_game_that_was_given_up_is_not_carried_on(tmp_path: Path, phoenix: Game[Any, Any], filled: Filled) -> None:
    journal = filled(tmp_path / "j")
    journal.append([(ENDED, phoenix, {}, ())])
    assert journal.last_game("phoenix") == ()
    assert _moves(replay(phoenix, journal.entries())) == [FIRST, SECOND]


def test_only_the_last_game_is_decoded(
    tmp_path: Path, phoenix: Game[Any, Any], filled: Filled, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = filled(tmp_path / "j")
    journal.append([(MOVE, phoenix, FIRST, ())] * 100)
    journal.append([(SETUP, phoenix, LINE, ())])
    journal.close()
    decoded: list[bytes] = []
    monkeypatch.setattr("companion.service.lines.entries_in", lambda line: decoded.append(line) or entries_in(line))
    with closing(Journal(tmp_path / "j")) as journal:
        assert [entry.number for entry in journal.last_game("phoenix")] == [104]
    assert all(SETUP.encode() in line for line in decoded)


def test_of_a_very_long_game_each_line_is_decoded_once(
    tmp_path: Path, phoenix: Game[Any, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """How long a hundred thousand entries take is told by the benchmark."""
    first, second = _events(phoenix, FIRST, SECOND)
    start = [(SETUP, LINE, ()), (MOVE, FIRST, first), (MOVE, SECOND, second)]
    acts = chain(start, cycle([(UNDO, {"taken_back": {}}, ()), (REDO, {}, ())]))
    entries = (
        Entry(number, kind, "phoenix", 1, body, events, "2026-11-03T18:30:00+00:00")
        for number, (kind, body, events) in enumerate(islice(acts, 10_000), 1)
    )
    Journal(tmp_path / "j", first=written(entries)).close()
    decoded: list[bytes] = []
    monkeypatch.setattr("companion.service.lines.entries_in", lambda line: decoded.append(line) or entries_in(line))
    with closing(Journal(tmp_path / "j")) as journal:
        found = replay(phoenix, journal.last_game("phoenix")).history
    assert len(decoded) < 10_010
    assert (len(found.past), len(found.future)) == (2, 1)


def test_an_empty_journal_holds_no_game(tmp_path: Path, open_journal: OpenJournal) -> None:
    assert open_journal(tmp_path / "j").last_game("phoenix") == ()


def test_undo_and_redo_are_replayed(tmp_path: Path, phoenix: Game[Any, Any], filled: Filled) -> None:
    journal = filled(tmp_path / "j")
    journal.append([(UNDO, phoenix, {"taken_back": {"red-4a": "big/bell"}}, ())])
    found = replay(phoenix, journal.last_game("phoenix")).history
    assert phoenix.facts(found.state)["turn"] == "B"
    assert (len(found.future), found.taken_back) == (1, {"red-4a": "big/bell"})
    journal.append([(REDO, phoenix, {}, ())])
    again = replay(phoenix, journal.last_game("phoenix")).history
    assert (phoenix.facts(again.state)["turn"], again.future, again.taken_back) == ("A", [], {})


@pytest.mark.parametrize(
    ("kind", "body", "words"),
    [
        (MOVE, {"do": "place", "card": "red-5a", "nest": "big", "side": "bell", "by": "B"}, "not-your-turn"),
        (MOVE, {"do": "jump"}, "bad-line"),
        (SETUP, {"players": []}, "bad-setup"),
        (REDO, {}, "nothing stands before it"),
        (UNDO, {"taken_back": 5}, "taken_back: Expected"),
    ],
)
def test_a_replay_that_differs_says_where(
    tmp_path: Path, phoenix: Game[Any, Any], filled: Filled, kind: str, body: dict[str, Any], words: str
) -> None:
    journal = filled(tmp_path / "j")
    journal.append([(kind, phoenix, body, ())])
    with pytest.raises(ReplayError, match="journal entry 4") as raised:
        replay(phoenix, list(journal.entries()))
    assert words in str(raised.value)


def test_a_replay_whose_words_differ_goes_on_and_says_where(
    tmp_path: Path, phoenix: Game[Any, Any], filled: Filled
) -> None:
    journal = filled(tmp_path / "j")
    third = {"do": "place", "card": "red-5a", "nest": "big", "side": "crown", "by": "A"}
    journal.append([(MOVE, phoenix, third, (Event("played", {"card": "red-5a"}),))])
    found = replay(phoenix, journal.entries())
    assert (found.differs_at, _moves(found)) == (3, [FIRST, SECOND, third])
    assert found.differs.startswith("journal entry 4 (phoenix, rules version")
    assert (
        'it announces {"name":"placed","params":{"by":"A","card":"red-5a","nest":"big"}} '
        'instead of {"name":"played","params":{"card":"red-5a"}}'
    ) in found.differs


def test_a_word_that_an_owner_mends_in_a_story_is_no_change_of_the_rules(
    tmp_path: Path, open_journal: OpenJournal
) -> None:
    game = load("storytelling")
    dealer = game.dealer(4, {"players": ["A", "B"], "mode": "basic", "story": "cinderella"})
    state, journal = game.setup(dealer.setup), open_journal(tmp_path / "j")
    journal.append([(SETUP, game, dealer.setup, ())])
    for _ in range(20):
        line = dealer.think()
        dealer.do(line)
        step = game.apply(state, decode(game, line))
        journal.append([(MOVE, game, line, step.events)])
        state = step.state
    mended = game.equipped({"cinderella": shipped("storytelling", "story")["cinderella"].replace('en = "', 'en = "O ')})
    found = replay(mended, journal.last_game("storytelling"))
    assert (found.differs, len(_moves(found))) == ("", 20)
    before = replay(game, journal.last_game("storytelling"))
    assert [made.events for made in found.history.past] != [made.events for made in before.history.past]


@pytest.mark.parametrize("name", names())
def test_a_whole_game_is_replayed_as_it_was_announced(tmp_path: Path, name: str, open_journal: OpenJournal) -> None:
    """Also events that bring words along, which are objects of their own before the file and plain JSON after it."""
    game = load(name)
    dealer = game.dealer(4, {"players": list("ABCDEFGH"[: game.players[0]])})
    state = game.setup(dealer.setup)
    journal = open_journal(tmp_path / "j")
    journal.append([(SETUP, game, dealer.setup, ())])
    while dealer.choices():
        line = dealer.think()
        dealer.do(line)
        step = game.apply(state, decode(game, line))
        journal.append([(MOVE, game, line, step.events)])
        state = step.state
    found = replay(game, open_journal(tmp_path / "j").last_game(name))
    assert (found.history.state, found.history.past[-1].events) == (state, step.events)


def test_what_is_added_together_is_there_together_or_not_at_all(
    tmp_path: Path, phoenix: Game[Any, Any], filled: Filled
) -> None:
    journal = filled(tmp_path / "j")
    with pytest.raises(TypeError):
        journal.append([(UNDO, phoenix, {}, ()), (REDO, phoenix, {"what": object()}, ())])
    assert [entry.number for entry in journal.entries()] == [1, 2, 3]
    journal.append([(UNDO, phoenix, {}, ())])
    assert [entry.number for entry in journal.entries()] == [1, 2, 3, 4]


def test_a_file_that_is_no_journal_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "j").write_text("a shopping list " * 100)
    with pytest.raises(JournalError, match="another sort of file; name another file"):
        Journal(tmp_path / "j")
    assert [path.name for path in tmp_path.iterdir()] == ["j"]


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="name a folder that can be written"):
        Journal(tmp_path / "file" / "j")


def test_entries_have_the_time_and_keep_their_order_whatever_the_clock_does(
    tmp_path: Path, phoenix: Game[Any, Any], open_journal: OpenJournal
) -> None:
    evening = datetime(2026, 11, 3, 19, 30, tzinfo=timezone(timedelta(hours=1)))
    times = [evening, evening - timedelta(days=20_000), evening + timedelta(days=900_000), evening]
    journal = open_journal(tmp_path / "j", now=iter(times).__next__)
    first, second = _events(phoenix, FIRST, SECOND)
    journal.append([(SETUP, phoenix, LINE, ())])
    journal.append([(MOVE, phoenix, FIRST, first)])
    journal.append([(MOVE, phoenix, SECOND, second)])
    again = open_journal(tmp_path / "j")
    assert [(entry.number, entry.at) for entry in again.last_game("phoenix")] == [
        (1, "2026-11-03T18:30:00+00:00"),
        (2, "1972-01-31T18:30:00+00:00"),
        (3, "4490-12-15T18:30:00+00:00"),
    ]
    assert _moves(replay(phoenix, again.entries())) == [FIRST, SECOND]

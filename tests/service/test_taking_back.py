"""Taking back and playing again to any depth, also over restarts: the same as if the box had never been off."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.game import Game, Refusal
from companion.core.snapshot import Answer, Redo, Snapshot, Undo
from companion.core.table import Observation, Sighting
from companion.games import load
from companion.service.history import History, Made
from companion.service.journal import Journal
from companion.service.session import Session

LINES: Mapping[str, Mapping[str, Any]] = {
    "phoenix": {"players": ["A", "B"]},
    "storytelling": {"players": ["A", "B"], "mode": "basic", "story": "cinderella"},
}
Act = tuple[str, int]
ACTS = st.lists(
    st.tuples(st.sampled_from(["move", "move", "move", "undo", "redo", "restart"]), st.integers(0, 10_000)), max_size=60
)


class Box:
    """A box at a table on which always lies what the rules expect; it may be switched off and on."""

    def __init__(self, game: Game[Any, Any], path: Path | str) -> None:
        self.game, self.path = game, path
        self.line = game.dealer(1, LINES[game.id]).setup
        self.lying: dict[str, str] = {}
        self.gone: dict[str, str] = {}
        self.at_s = 0.0
        self.start()

    def start(self) -> None:
        self.journal = Journal(self.path)
        self.snapshot = Snapshot(0, "")
        self.session = Session(self.game, self.journal, self._published, self.line)
        self.look()

    def act(self, act: Act) -> None:
        kind, number = act
        if kind == "restart" and self.path != ":memory:":
            self.journal.close()
            self.start()
        elif kind in ("undo", "redo"):
            self.session.tell(Undo() if kind == "undo" else Redo())
        elif kind == "move" and self.game.outcome(self.session.state) is None:
            self.move(number)
        self.look()  # the table is put right

    def move(self, number: int) -> None:
        """Makes one of the legal moves, as people show it: with a button, or by how the table lies."""
        state, question = self.session.state, self.snapshot.question
        moves = list(self.game.legal_moves(state))
        move = moves[number % len(moves)]
        asked = [self.game.apply(state, move)] if question is None else []
        for index, choice in enumerate(question.choices if question else ()):
            if choice.move is not None and choice.move["do"] == move.__struct_config__.tag:
                self.session.tell(Answer(index, question))  # type: ignore[arg-type]
                return
        step = asked[0] if asked else self.game.apply(state, move)
        assert not isinstance(step, Refusal)
        self.look(step.state)

    def look(self, state: Any = None) -> None:
        """Lets the session see the table as it is expected in a state, by default in that of the session."""
        state = self.session.state if state is None else state
        if state is None:
            lying = dict(self.game.dealer(1, LINES[self.game.id]).table())
        else:
            lying = {}
            for name, zone in self.game.layout(state).expected:
                copies = [name] if name in self.game.box.pieces else [one.id for one in self.game.box.copies[name]]
                lying[next(copy for copy in copies if copy not in lying)] = zone
        self.gone = {p: z for p, z in {**self.gone, **self.lying}.items() if p not in lying}
        self.lying = lying
        self.at_s += 1.0
        self.session.see(Observation(tuple(Sighting(p, z) for p, z in lying.items()), self.gone, at_s=self.at_s))

    @property
    def history(self) -> History:
        assert self.session.history
        return self.session.history

    def shown(self) -> tuple[Any, ...]:
        """All that is told of the game, and what would be taken back to and played again."""
        one, history = self.snapshot, self.history
        said = (one.facts, [d.piece for d in one.disputes], one.question, one.last_move, one.can_redo, one.outcome)
        made = [*history.past, *(undone.made for undone in history.future)]
        moves = [(one.state, one.events) for one in made]
        return (*said, moves, [undone.taken_back for undone in history.future], history.taken_back)

    def _published(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot


def _agree(name: str, acts: list[Act]) -> None:
    game = load(name)
    with tempfile.TemporaryDirectory() as folder:
        steady, restarted = Box(game, ":memory:"), Box(game, Path(folder) / "j")
        for act in [*acts, ("restart", 0)]:
            steady.act(act)
            restarted.act(act)
            assert restarted.shown() == steady.shown()
        restarted.journal.close()


@pytest.mark.parametrize("name", LINES)
@given(acts=ACTS)
@settings(max_examples=15, deadline=None)
def test_a_game_with_restarts_is_the_game_without(name: str, acts: list[Act]) -> None:
    _agree(name, acts)


@pytest.mark.soak
@pytest.mark.parametrize("name", LINES)
@given(acts=ACTS)
@settings(max_examples=400, deadline=None)
def test_many_games_with_restarts_are_the_games_without(name: str, acts: list[Act]) -> None:
    _agree(name, acts)


@pytest.mark.parametrize("name", LINES)
def test_a_whole_game_is_taken_back_and_played_again_over_restarts(name: str) -> None:
    game = load(name)
    with tempfile.TemporaryDirectory() as folder:
        box = Box(game, Path(folder) / "j")
        for number in range(30):
            box.act(("move", number * 7))
        facts, depth = box.snapshot.facts, len(box.history.past)
        for _ in range(depth - 1):
            box.act(("undo", 0))
            box.act(("restart", 0))
        assert (box.history.past, box.snapshot.last_move) == ([Made(game.setup(box.line))], ())
        for _ in range(depth - 1):
            box.act(("redo", 0))
            box.act(("restart", 0))
        assert (box.snapshot.facts, box.snapshot.can_redo) == (facts, False)
        box.journal.close()
    assert depth > 10

"""A court at which games are played move by move, brought to where a test begins."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec

from companion.core.game import Event, Refusal
from companion.core.messages import Message
from companion.face.words import LANGUAGES, Words, read_game_wording, read_shared_wording
from companion.games.three_kings import deck, rules, setup
from companion.games.three_kings.moves import Move
from companion.games.three_kings.state import State, facts

NAMES = ("Ann", "Ben", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hal")
DECKS = deck.decks({})
Line = Mapping[str, Any]


@cache
def _words() -> tuple[Words, ...]:
    wording, shared = read_game_wording("three_kings"), read_shared_wording()
    return tuple(Words(language, shared, wording, strict=True) for language in LANGUAGES)


def said(what: Event | Refusal | Message) -> None:
    """Says it in every language; what can't be said is an error."""
    for words in _words():
        assert words.say(what if isinstance(what, Message) else what.message)


def cards_of(*effects: Sequence[Line], mark: str = "C", ranks: Sequence[int] = ()) -> dict[str, Any]:
    """A deck of Action cards `card-1`, `card-2` ... with these effects, as it stands in a set-up line."""
    return {
        "name": "Probes",
        "cards": [
            {"id": f"card-{i}", "rank": (ranks or [1] * len(effects))[i - 1], "mark": mark, "effect": list(effect)}
            for i, effect in enumerate(effects, 1)
        ],
    }


class Court:
    """One game.

    Args:
        players: how many of `NAMES` play.
        line: further fields of the set-up line.
    """

    def __init__(self, players: int = 3, **line: Any) -> None:
        self.names = NAMES[:players]
        state = setup.start({"players": list(self.names), **line}, DECKS)
        assert isinstance(state, State), state
        self.state: State = state

    @property
    def facts(self) -> dict[str, Any]:
        """The public facts."""
        return facts(self.state)

    def now(self, *names: str) -> list[Any]:
        """Some of the facts."""
        return [self.facts[name] for name in names]

    def do(self, what: str, **fields: Any) -> list[str]:
        """Makes a legal move; the names of what it announces."""
        return [event.name for event in self.step(what, **fields)]

    def step(self, what: str, **fields: Any) -> tuple[Event, ...]:
        """Makes a legal move; what it announces."""
        step = rules.apply(self.state, _move(what, fields))
        assert not isinstance(step, Refusal), step
        self.state = step.state
        for event in step.events:
            said(event)
        return step.events

    def refused(self, what: str, **fields: Any) -> tuple[str, str]:
        """Tries a move that isn't legal; the code of the refusal and its wording."""
        before = msgspec.json.encode(self.state)
        refusal = rules.apply(self.state, _move(what, fields))
        assert isinstance(refusal, Refusal), refusal
        assert msgspec.json.encode(self.state) == before
        said(refusal)
        return refusal.code, refusal.wording or refusal.code

    def recruit(self) -> Court:
        """Everybody recruits who has to."""
        while self.state.phase == "recruit" and not self.state.counting:
            self.do("recruit")
        return self

    def plan(self, *spaces: str) -> Court:
        """Everybody plans, in the order of the seats: `x` for a card and `.` for none, such as `x.x`."""
        for name, some in zip(self.names, (*spaces, *["..."] * len(self.names)), strict=False):
            self.do("plan", by=name, spaces=[one == "x" for one in some])
        return self

    def reveal(self, *shown: str | None) -> Court:
        """One Round's cards are turned up, in the order of the seats."""
        self.do("reveal", cards=dict(zip(self.names, shown, strict=False)))
        return self

    def hands(self, *numbers: int) -> dict[str, int]:
        """The fact `hands`, in the order of the seats."""
        return dict(zip(self.names, numbers, strict=True))

    def counsels(self) -> Court:
        """Nobody sends a Counselor."""
        while self.state.phase == "counsel":
            self.do("counsel", skip=True)
        return self

    def lay(self, *numbers: int) -> Court:
        """So many cards are laid before each Throne, by whoever's turn it is; then all pass."""
        for throne, number in enumerate(numbers, 1):
            for _ in range(number):
                self.do("intrigue", throne=throne)
        while self.state.phase == "intrigue":
            self.do("intrigue", **{"pass": True})
        return self

    def quiet_turn(self) -> Court:
        """A whole Turn in which nothing is done."""
        at_intrigue(self).lay()
        for throne in (1, 2, 3):
            self.do("award", throne=throne, cards=[])
        return self


def acting(*shown: str | None, players: int = 3, **line: Any) -> Court:
    """A court in Round 1, in which these cards were just turned up, in the order of the seats."""
    court = Court(players, **line).recruit()
    return court.plan(*["x.." if card else "..." for card in shown]).reveal(*shown)


def at_counsel(court: Court) -> Court:
    """After a Character Action in which nobody had planned anything."""
    court.recruit().plan()
    for _ in range(3):
        court.reveal()
    return court


def at_intrigue(court: Court) -> Court:
    """After a phase in which no Counselor was sent."""
    return at_counsel(court).counsels()


def at_award(*numbers: int, **line: Any) -> Court:
    """So many cards lie before each Throne."""
    return at_intrigue(Court(**line)).lay(*numbers)


def effects(*steps: Line, **line: Any) -> Court:
    """A court in which Ann has drawn an Action card of these steps; the others' hands hold six cards."""
    court = acting("mercenary-1", actions=cards_of(steps), **line)
    court.do("act", by="Ann", actions=["card-1"])
    return court


def legal(court: Court) -> list[dict[str, Any]]:
    """All legal moves as JSON objects, without those that are legal always."""
    moves: Iterable[Any] = rules.legal_moves(court.state)
    found = [msgspec.json.decode(msgspec.json.encode(move)) for move in moves]
    return [move for move in found if move["do"] != "bodyguards"]


def _move(what: str, fields: Line) -> Move:
    return msgspec.convert({"do": what, **fields}, Move)  # type: ignore[no-any-return]

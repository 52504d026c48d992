"""3 Kings, for 3 to 8 players: hidden factions, three Thrones, and intrigue that is laid open before everybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec
from msgspec.structs import replace

from companion.core.box import Box, PieceId
from companion.core.content import ContentError, ContentKind
from companion.core.game import Dealer, Dispute, Outcome, Preparation, Question, Refusal, Step
from companion.core.messages import Message
from companion.core.panel import Melody, Note, Page
from companion.core.printing import Printable
from companion.core.table import Difference, Layout, Observation, Pose, Zone
from companion.games.three_kings import (
    asking,
    box,
    checking,
    correcting,
    deck,
    pages,
    preparing,
    prints,
    questions,
    reading,
    rules,
    setup,
    template,
    zones,
)
from companion.games.three_kings import state as states
from companion.games.three_kings.cards import FACTIONS
from companion.games.three_kings.deck import Deck
from companion.games.three_kings.moves import Move
from companion.games.three_kings.state import State

_FANFARE = (Note(523, 0.12), Note(523, 0.06), Note(659, 0.1), Note(784, 0.2))
_FALL = (Note(523, 0.1), Note(466, 0.1), Note(392, 0.1), Note(262, 0.35))
_DARK = (Note(247, 0.15), Note(0, 0.03), Note(233, 0.3))


class ThreeKings:
    """The contract of `companion.core.game.Game`, kept by the modules of this folder.

    Args:
        owned: an owner's decks of Action cards, which go before the shipped one.
    """

    id = "three_kings"
    rules_version = 1
    move_type: Any = Move
    players = setup.PLAYERS
    chance_moves = rules.CHANCE_MOVES
    content: ContentKind | None = ContentKind("deck", checking.check, template.TEMPLATE)
    melodies: Mapping[str, Melody] = {
        "planning": (Note(392, 0.1), Note(440, 0.1), Note(392, 0.15)),
        "all-planned": (Note(523, 0.08), Note(659, 0.12)),
        "next-round": (Note(523, 0.08), Note(659, 0.12)),
        "lays": (Note(440, 0.04),),
        "count-of-the-fallen": (Note(330, 0.2), Note(0, 0.05), Note(330, 0.2), Note(0, 0.05), Note(262, 0.4)),
        "final-count": (Note(330, 0.2), Note(0, 0.05), Note(330, 0.2), Note(0, 0.05), Note(262, 0.4)),
        "first-player": (Note(659, 0.08), Note(880, 0.12)),
        "safe": _FANFARE,
        "falls": _FALL,
        "safe-corrupt": (*_FANFARE, Note(0, 0.05), *_DARK),
        "falls-corrupt": (*_FALL, Note(0, 0.05), *_DARK),
        "no-majority": _DARK,
        "new-turn": (Note(523, 0.1), Note(784, 0.15)),
        "over": (Note(523, 0.15), Note(659, 0.15), Note(784, 0.15), Note(0, 0.05), Note(784, 0.1), Note(1047, 0.4)),
        "over-shared": (Note(659, 0.15), Note(659, 0.15), Note(784, 0.15), Note(880, 0.4)),
        "eye-wins": (Note(262, 0.2), Note(311, 0.2), Note(392, 0.2), Note(311, 0.2), Note(262, 0.6)),
    }

    def __init__(self, owned: Mapping[str, Deck] | None = None) -> None:
        self._owned = dict(owned or {})

    @cached_property
    def decks(self) -> Mapping[str, Deck]:
        """All decks of Action cards by name, the owner's first."""
        return deck.decks(self._owned)

    def equipped(self, files: Mapping[str, str]) -> ThreeKings:
        """The same game with an owner's decks."""
        wrong = [f"{name}: {problem}" for name, text in files.items() for problem in checking.check(text)]
        if wrong:
            raise ContentError("\n".join(wrong))
        return ThreeKings({name: deck.load(text) for name, text in files.items()})

    def printables(self) -> tuple[Printable, ...]:
        """Sheets, boards, cards and tokens."""
        return prints.printables(self.box, self._first_deck)

    @cached_property
    def box(self) -> Box:
        """All pieces with their tags."""
        return box.make_box(self._first_deck)

    @property
    def _first_deck(self) -> Deck:
        return next(iter(self.decks.values()))

    def setup(self, line: Mapping[str, Any]) -> State | Refusal:
        """The first state."""
        return setup.start(line, self.decks)

    def prepare(self, draft: Mapping[str, Any], seen: Observation) -> Preparation:
        """What is still missing of the set-up. An owner's deck is kept with the game, so that it may change later."""
        decks = self._owned or self.decks
        found = preparing.prepare(draft, seen, {**self.decks} if "actions" in draft else decks)
        name = found.setup.get("actions", next(iter(self.decks))) if found.setup else None
        if found.setup and isinstance(name, str) and name in self._owned:
            return replace(found, setup={**found.setup, "actions": msgspec.to_builtins(self._owned[name])})
        return found

    def zones(self, state: State | None, draft: Mapping[str, Any]) -> tuple[Zone, ...]:
        """Thrones, Intrigue, stage, piles and score, and the boards of those who play."""
        seats = preparing.seats_of(draft) if state is None else state.seats
        return zones.zones(seat.guild for seat in seats)

    def arrangement(self, line: Mapping[str, Any]) -> Mapping[PieceId, Pose]:
        """Boards along the long sides, the court between them."""
        return zones.arrangement(line)

    def seats(self, line: Mapping[str, Any]) -> Mapping[str, PieceId]:
        """The markers of the boards."""
        return {player["name"]: box.board(player["guild"]) for player in line["players"]}

    def legal_moves(self, state: State) -> Iterable[Move]:
        """All legal moves; of `chance_moves` examples."""
        return rules.legal_moves(state)

    def interpret(self, state: State, difference: Difference, seen: Observation) -> Move | tuple[Dispute, ...]:
        """The next legal move that the table shows, or what is wrong with it."""
        return reading.interpret(state, difference, seen)

    def apply(self, state: State, move: Move) -> Step | Refusal:
        """The move's consequences, or the first rule that forbids it."""
        return rules.apply(state, move)

    def accept(self, state: State, difference: Difference) -> Step | Refusal:
        """The state in which the rules expect the table as it lies."""
        return correcting.accept(state, difference)

    def layout(self, state: State) -> Layout:
        """Which piece belongs where."""
        return zones.layout(state)

    def outcome(self, state: State) -> Outcome | None:
        """The factions that have won; who belongs to them the players show."""
        if state.phase != "over":
            return None
        scores = dict(zip(FACTIONS, state.vp, strict=True))
        return Outcome(tuple(FACTIONS[faction] for faction in state.winners), scores)

    def facts(self, state: State) -> Mapping[str, Any]:
        """The public facts."""
        return states.facts(state)

    def help(self, state: State) -> Message:
        """The rule that applies now."""
        return asking.help_now(state)

    def pages(self, state: State, difference: Difference, seen: Observation) -> tuple[Page, ...]:
        """Who has to do what, the last fight explained, and how it stands."""
        return pages.pages(state, difference, seen)

    def aside(self, state: State) -> tuple[Page, ...]:  # noqa: ARG002
        """Nothing: what one player alone may know, the box doesn't know."""
        return ()

    def question(self, state: State, difference: Difference, seen: Observation) -> Question | None:
        """How many cards, whose, and that somebody is done."""
        return questions.question(state, difference, seen)

    def dealer(self, seed: int, line: Mapping[str, Any]) -> Dealer:
        """A whole world with hands and Marks."""
        from companion.games.three_kings.dealer import ThreeKingsDealer

        return ThreeKingsDealer(seed, line, self.decks)


GAME = ThreeKings()

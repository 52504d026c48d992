"""Wonderland XIII, for 2 to 4 players: explore a ring of decks, keep what doesn't collapse, collect sets of Spirits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from companion.core.box import Box, PieceId
from companion.core.content import ContentKind
from companion.core.game import Dealer, Dispute, Outcome, Preparation, Question, Refusal, Step
from companion.core.messages import Message
from companion.core.panel import Melody, Note, Page
from companion.core.printing import Printable
from companion.core.table import Difference, Layout, Observation, Pose, Zone
from companion.games.wonderland import (
    asking,
    box,
    correcting,
    guide,
    pages,
    preparing,
    prints,
    reading,
    rules,
    setup,
    zones,
)
from companion.games.wonderland import state as states
from companion.games.wonderland.moves import Move
from companion.games.wonderland.state import State


class Wonderland:
    """The contract of `companion.core.game.Game`, kept by the modules of this folder."""

    id = "wonderland"
    rules_version = 1
    move_type: Any = Move
    players = setup.PLAYERS
    chance_moves: frozenset[str] = frozenset()
    content: ContentKind | None = None
    melodies: Mapping[str, Melody] = {
        "unlocked": (Note(1047, 0.05), Note(1319, 0.07)),
        "covered": (Note(659, 0.06),),
        "took": (Note(587, 0.07), Note(740, 0.07)),
        "collapse": (Note(494, 0.12), Note(392, 0.12), Note(311, 0.12), Note(233, 0.5)),
        "alice": (Note(784, 0.08), Note(988, 0.12)),
        "rabbit": (Note(880, 0.05), Note(0, 0.04), Note(880, 0.05), Note(1175, 0.1)),
        "cat": (Note(740, 0.1), Note(698, 0.1), Note(659, 0.15)),
        "hatter": (Note(523, 0.08), Note(622, 0.08), Note(466, 0.14)),
        "hatter-collapse": (Note(466, 0.12), Note(349, 0.12), Note(233, 0.4)),
        "queen": (Note(784, 0.08), Note(622, 0.08), Note(523, 0.14)),
        "next": (Note(523, 0.08), Note(659, 0.1)),
        "refill": (Note(440, 0.08), Note(440, 0.08)),
        "last-explore": (Note(659, 0.15), Note(587, 0.15), Note(523, 0.25)),
        "over": (Note(523, 0.15), Note(659, 0.15), Note(784, 0.15), Note(1047, 0.2), Note(988, 0.1), Note(1047, 0.4)),
        "over-shared": (Note(659, 0.15), Note(659, 0.15), Note(784, 0.15), Note(880, 0.4)),
    }

    def equipped(self, files: Mapping[str, str]) -> Wonderland:  # noqa: ARG002
        """Wonderland XIII has no content files."""
        return self

    def printables(self) -> tuple[Printable, ...]:
        """The sheets of Hall, Tunnels, Notebooks and discards."""
        return prints.printables()

    def aside(self, state: State) -> tuple[Page, ...]:  # noqa: ARG002
        """Nothing: what one player alone may know, the box doesn't show."""
        return ()

    @cached_property
    def box(self) -> Box:
        """All pieces with their tags."""
        return box.box()

    def setup(self, line: Mapping[str, Any]) -> State | Refusal:
        """The first state."""
        return setup.start(line)

    def prepare(self, draft: Mapping[str, Any], seen: Observation) -> Preparation:
        """What is still missing of the set-up."""
        return preparing.prepare(draft, seen)

    def zones(self, state: State | None, draft: Mapping[str, Any]) -> tuple[Zone, ...]:
        """Places of the Hall, and of all players that are known."""
        return zones.zones(preparing.players_of(draft) if state is None else state.players)

    def arrangement(self, line: Mapping[str, Any]) -> Mapping[PieceId, Pose]:
        """The Hall in the middle, Tunnels and Notebooks around it."""
        return zones.arrangement(len(line["players"]))

    def seats(self, line: Mapping[str, Any]) -> Mapping[str, PieceId]:
        """The markers of the Notebooks."""
        return {name: box.notebook_sheet(seat) for seat, name in enumerate(preparing.players_of(line))}

    def legal_moves(self, state: State) -> Iterable[Move]:
        """All legal moves."""
        return rules.legal_moves(state)

    def interpret(self, state: State, difference: Difference, seen: Observation) -> Move | tuple[Dispute, ...]:
        """The next legal move that the table shows, or what is wrong with it."""
        return reading.interpret(state, difference, seen)

    def apply(self, state: State, move: Move) -> Step | Refusal:
        """The move's consequences, or the first rule that forbids it."""
        return rules.apply(state, move)

    def accept(self, state: State, difference: Difference) -> Step | Refusal:
        """The table counts as it lies, as people say."""
        return correcting.accept(state, difference)

    def layout(self, state: State) -> Layout:
        """Which card and Key belongs where."""
        return zones.layout(state)

    def outcome(self, state: State) -> Outcome | None:
        """The best Notebook wins; equal ones share the victory."""
        return rules.outcome(state)

    def facts(self, state: State) -> Mapping[str, Any]:
        """The public facts."""
        return states.facts(state)

    def help(self, state: State) -> Message:
        """The rule that applies now."""
        return guide.help_now(state)

    def pages(self, state: State, difference: Difference, seen: Observation) -> tuple[Page, ...]:
        """What is to be done, the Tunnel, the Hall, the scores."""
        return pages.pages(state, difference, seen)

    def question(self, state: State, difference: Difference, seen: Observation) -> Question | None:
        """Skills, stopping, and what the camera missed."""
        return asking.question(state, difference, seen)

    def dealer(self, seed: int, line: Mapping[str, Any]) -> Dealer:
        """A whole world of cards and Keys."""
        from companion.games.wonderland.dealer import WonderlandDealer

        return WonderlandDealer(seed, line)


GAME = Wonderland()

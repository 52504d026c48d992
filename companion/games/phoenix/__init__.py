"""Schatz des Phönix, for 2 to 6 players: cards laid at the sides of three nests, treasure for the best combos."""

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
from companion.games.phoenix import box, correcting, pages, preparing, reading, rules, setup, zones
from companion.games.phoenix import state as states
from companion.games.phoenix.moves import Move
from companion.games.phoenix.state import State


class Phoenix:
    """The contract of `companion.core.game.Game`, kept by the modules of this folder."""

    id = "phoenix"
    rules_version = 1
    move_type: Any = Move
    players = (2, 6)
    chance_moves = frozenset({"new-round"})
    melodies: Mapping[str, Melody] = {
        "picked": (Note(660, 0.08),),
        "all-placed": (Note(523, 0.1), Note(659, 0.1), Note(784, 0.15)),
        "new-round": (Note(523, 0.1), Note(784, 0.15)),
        "over": (
            Note(523, 0.15),
            Note(659, 0.15),
            Note(784, 0.15),
            Note(0, 0.05),
            Note(784, 0.1),
            Note(880, 0.4),
        ),
        "over-shared": (Note(659, 0.15), Note(659, 0.15), Note(784, 0.15), Note(880, 0.4)),
    }

    content: ContentKind | None = None

    def equipped(self, files: Mapping[str, str]) -> Phoenix:  # noqa: ARG002
        """Phoenix has no content files."""
        return self

    def printables(self) -> tuple[Printable, ...]:
        """Nothing beside stickers and nests."""
        return ()

    def aside(self, state: State) -> tuple[Page, ...]:  # noqa: ARG002
        """Nothing: everybody sees the table."""
        return ()

    @cached_property
    def box(self) -> Box:
        """All pieces with their tags."""
        return box.box()

    def setup(self, line: Mapping[str, Any]) -> State | Refusal:
        """The first state."""
        return setup.start(line)

    def prepare(self, draft: Mapping[str, Any], seen: Observation) -> Preparation:
        """What the table adds to the set-up."""
        return preparing.prepare(draft, seen)

    def zones(self, state: State | None, draft: Mapping[str, Any]) -> tuple[Zone, ...]:  # noqa: ARG002
        """Sides and bowls of the nests, seats and the open card."""
        return zones.zones(state)

    def arrangement(self, line: Mapping[str, Any]) -> Mapping[PieceId, Pose]:
        """Nests in the middle, guild cards along the edges."""
        return zones.arrangement(line)

    def seats(self, line: Mapping[str, Any]) -> Mapping[str, PieceId]:
        """The guild cards."""
        cards = zones.guild_cards(zones.sides(player["guild"] for player in line["players"]))
        return {player["name"]: cards[player["guild"]] for player in line["players"]}

    def legal_moves(self, state: State) -> Iterable[Move]:
        """All legal moves; of `new-round` one example."""
        return rules.legal_moves(state)

    def interpret(self, state: State, difference: Difference, seen: Observation) -> Move | tuple[Dispute, ...]:
        """The next legal move that the table shows, or what is wrong with it."""
        return reading.interpret(state, difference, seen)

    def apply(self, state: State, move: Move) -> Step | Refusal:
        """The move's consequences, or the first rule that forbids it."""
        return rules.apply(move, state)

    def accept(self, state: State, difference: Difference) -> Step | Refusal:
        """The table counts as it lies, as people say."""
        return correcting.accept(state, difference)

    def layout(self, state: State) -> Layout:
        """Which piece belongs where."""
        return zones.layout(state)

    def outcome(self, state: State) -> Outcome | None:
        """Most treasure wins; equal totals share the victory."""
        if state.phase != "over":
            return None
        scores = {seat.name: score for seat, score in zip(state.seats, state.scores, strict=True)}
        return Outcome(tuple(state.seats[seat].name for seat in state.winners), scores)

    def facts(self, state: State) -> Mapping[str, Any]:
        """The public facts."""
        return states.facts(state)

    def help(self, state: State) -> Message:
        """The rule that applies now."""
        return pages.help_now(state)

    def pages(self, state: State, difference: Difference, seen: Observation) -> tuple[Page, ...]:
        """What is to be done, the scores, the nests."""
        return pages.pages(state, difference, seen)

    def question(self, state: State, difference: Difference, seen: Observation) -> Question | None:  # noqa: ARG002
        """Which token was taken, where the camera can't tell."""
        return pages.question(state, difference)

    def dealer(self, seed: int, line: Mapping[str, Any]) -> Dealer:
        """A whole world of cards and tokens."""
        from companion.games.phoenix.dealer import PhoenixDealer

        return PhoenixDealer(seed, line)


GAME = Phoenix()

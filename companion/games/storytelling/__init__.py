"""Storytelling, for a Storyteller and 1 to 4 players: four tales to be found on sixteen picture tiles."""

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
from companion.games.storytelling import (
    box,
    correcting,
    pages,
    preparing,
    prints,
    reading,
    rules,
    setup,
    tales,
    template,
    zones,
)
from companion.games.storytelling import state as states
from companion.games.storytelling.moves import Move
from companion.games.storytelling.state import State
from companion.games.storytelling.tales import Story

_BELL = Note(523, 0.35)


class Storytelling:
    """The contract of `companion.core.game.Game`, kept by the modules of this folder.

    Args:
        owned: an owner's stories, which go before the shipped ones.
    """

    id = "storytelling"
    rules_version = 1
    move_type: Any = Move
    players = (1, 4)
    chance_moves: frozenset[str] = frozenset()
    content: ContentKind | None = ContentKind("story", tales.check, template.TEMPLATE)
    melodies: Mapping[str, Melody] = {
        "card": (Note(659, 0.06),),
        "found": (Note(784, 0.08),),
        "won": (Note(659, 0.1), Note(784, 0.1), Note(988, 0.18)),
        "completed": (Note(659, 0.1), Note(784, 0.1), Note(988, 0.18)),
        "failed": (Note(330, 0.12), Note(262, 0.25)),
        "hare": (Note(330, 0.08), Note(392, 0.08), Note(330, 0.16)),
        "tortoise": (Note(392, 0.12), Note(523, 0.12), Note(659, 0.2)),
        "stroke": (_BELL,),
        "last-stroke": (_BELL, Note(0, 0.1), Note(466, 0.5)),
        "midnight": (_BELL, Note(0, 0.1), _BELL, Note(0, 0.1), _BELL, Note(0, 0.1), Note(392, 0.2), Note(262, 0.6)),
        "over": (Note(523, 0.15), Note(659, 0.15), Note(784, 0.15), Note(0, 0.05), Note(784, 0.1), Note(1047, 0.4)),
        "over-by-cards": (Note(523, 0.15), Note(659, 0.15), Note(784, 0.3), Note(1047, 0.4)),
        "over-shared": (Note(659, 0.15), Note(659, 0.15), Note(784, 0.15), Note(880, 0.4)),
        "over-nobody": (Note(392, 0.2), Note(330, 0.2), Note(262, 0.6)),
        "race-won": (Note(523, 0.1), Note(523, 0.1), Note(784, 0.15), Note(659, 0.1), Note(784, 0.4)),
        "race-lost": (Note(392, 0.2), Note(330, 0.2), Note(262, 0.6)),
    }

    def __init__(self, owned: Mapping[str, Story] | None = None) -> None:
        self._owned = dict(owned or {})

    @cached_property
    def stories(self) -> Mapping[str, Story]:
        """All stories by name, the owner's first."""
        shipped = {name: tales.load(text) for name, text in tales.shipped().items() if name not in self._owned}
        return {**self._owned, **shipped}

    def equipped(self, files: Mapping[str, str]) -> Storytelling:
        """The same game with an owner's stories."""
        wrong = [f"{name}: {problem}" for name, text in files.items() for problem in tales.check(text)]
        if wrong:
            raise ContentError("\n".join(wrong))
        return Storytelling({name: tales.load(text) for name, text in files.items()})

    def printables(self) -> tuple[Printable, ...]:
        """Grid sheets, dial, picture tiles and story cards."""
        return prints.printables(self.stories)

    @cached_property
    def box(self) -> Box:
        """All pieces with their tags."""
        return box.make_box(self.stories, self._owned.keys())

    def setup(self, line: Mapping[str, Any]) -> State | Refusal:
        """The first state."""
        return setup.start(line, self.stories)

    def prepare(self, draft: Mapping[str, Any], seen: Observation) -> Preparation:
        """What is still missing of the set-up. An owner's story is kept with the game, so that it may change later."""
        found = preparing.prepare(draft, seen, self.stories)
        name = found.setup["story"] if found.setup else None
        if found.setup and isinstance(name, str) and name in self._owned:
            return replace(found, setup={**found.setup, "story": msgspec.to_builtins(self._owned[name])})
        return found

    def zones(self, state: State | None, draft: Mapping[str, Any]) -> tuple[Zone, ...]:
        """Cells of the grid, the dial's places, the squares of The Race."""
        if state is None:
            positions = draft.get("clock_positions")
            usable = positions if isinstance(positions, int) and setup.is_dial(positions) else zones.PRINTED
            return zones.zones(draft.get("mode", "basic"), usable)
        return zones.zones(state.mode, state.clock_positions)

    def arrangement(self, line: Mapping[str, Any]) -> Mapping[PieceId, Pose]:
        """The sheet in the middle, the dial beside it."""
        return zones.arrangement(line)

    def seats(self, line: Mapping[str, Any]) -> Mapping[str, PieceId]:  # noqa: ARG002
        """Nothing lies before the players."""
        return {}

    def legal_moves(self, state: State) -> Iterable[Move]:
        """All legal moves."""
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
        """Which tiles lie face up, and where the figures stand."""
        return zones.layout(state)

    def outcome(self, state: State) -> Outcome | None:
        """Who has won, once it is over; in The Race all or nobody."""
        if state.phase != "over":
            return None
        scores = {name: state.points(player) for player, name in enumerate(state.players)}
        return Outcome(tuple(state.players[player] for player in state.winners), scores)

    def facts(self, state: State) -> Mapping[str, Any]:
        """The public facts."""
        return states.facts(state)

    def help(self, state: State) -> Message:
        """The rule that applies now."""
        return pages.help_now(state)

    def pages(self, state: State, difference: Difference, seen: Observation) -> tuple[Page, ...]:
        """The card's text and pictures, what is to be done, how it stands."""
        return pages.pages(state, difference, seen)

    def aside(self, state: State) -> tuple[Page, ...]:
        """The pictures to be found, for the active player."""
        return pages.aside(state)

    def question(self, state: State, difference: Difference, seen: Observation) -> Question | None:  # noqa: ARG002
        """The next card, whether somebody retires, how tiles went back."""
        return pages.question(state, seen)

    def dealer(self, seed: int, line: Mapping[str, Any]) -> Dealer:
        """A whole world of tiles."""
        from companion.games.storytelling.dealer import StorytellingDealer

        return StorytellingDealer(seed, line, self.stories)


GAME = Storytelling()

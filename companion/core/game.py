"""The contract between a game and everything else.

A game is a folder in `companion/games/` whose package has a `GAME` that keeps this contract. Its rules are functions
of frozen values: state and move in, new state and events or a refusal out. No clock, no randomness, no device.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from companion.core.box import Box, PieceId
from companion.core.content import ContentKind
from companion.core.messages import Message, Params
from companion.core.panel import Melody, Page
from companion.core.printing import Printable
from companion.core.table import Difference, Layout, Observation, Pose, Zone, ZoneId

CODES = frozenset(
    {
        "not-your-turn",
        "not-now",
        "wrong-side",
        "full",
        "two-at-once",
        "card-elsewhere",
        "unknown-card",
        "wrong-count",
        "no-such-token",
        "wrong-card",
        "wrong-place",
        "already-up",
        "must-do",
        "locked",
        "already-unlocked",
        "empty-deck",
        "no-key",
        "no-card",
        "wrong-target",
        "not-allowed",
        "too-many",
        "passed",
        "bad-line",
        "bad-setup",
    }
)
"""The stable codes of refusals; programs may rely on them."""


class Refusal(msgspec.Struct, frozen=True):
    """A rule that does not let something happen. The game is unchanged, also in what it remembers.

    Attributes:
        code: one of `CODES`.
        rule: the section of the game's help that it rests on, such as `playing-a-card`.
        params: values for the placeholders of the wording.
        wording: key below `refusal.` in the wording files; the code itself where one wording does for all.
    """

    code: str
    rule: str
    params: Params = msgspec.field(default_factory=dict)
    wording: str = ""

    @property
    def message(self) -> Message:
        """What it says: what is wrong and how to put it right."""
        return Message(f"refusal.{self.wording or self.code}", self.params)


class Event(msgspec.Struct, frozen=True):
    """Something that has happened in the game, to be announced.

    Attributes:
        name: key below `event.` in the wording files.
        params: values for its placeholders.
    """

    name: str
    params: Params = msgspec.field(default_factory=dict)

    @property
    def message(self) -> Message:
        """How it is announced."""
        return Message(f"event.{self.name}", self.params)


class Dispute(msgspec.Struct, frozen=True):
    """A difference between the table seen and the table expected that is no legal move.

    It stays open until the table agrees again. Nothing but the table closes it.

    Attributes:
        piece: the piece in question, or what a strange tag said.
        seen: where it lies, None if it is gone or lies beside all zones.
        expected: where it belongs, None if it doesn't belong on the table now.
        refusal: the rule, and how to put the table right.
    """

    piece: PieceId
    seen: ZoneId | None
    expected: ZoneId | None
    refusal: Refusal


def deed(events: Sequence[Event]) -> Message:
    """Of all that a move announced, what somebody did; `events` holds at least one."""
    done = [event for event in events if "by" in event.params] or list(events)
    return done[0].message


S = TypeVar("S")
M = TypeVar("M")


class Step(msgspec.Struct, frozen=True):
    """What a legal move leads to: the state after it, and what is announced."""

    state: Any
    events: tuple[Event, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended. More than one winner share the victory; nobody may have won."""

    winners: tuple[str, ...]
    scores: Mapping[str, int]


class Choice(msgspec.Struct, frozen=True):
    """One answer to a question.

    Attributes:
        label: how it is offered.
        move: the move that it makes in a running game, as a JSON object.
        draft: what it adds to the set-up before the game.
        then: what is asked next; it means something only with the answer to that.
    """

    label: Message
    move: Mapping[str, Any] | None = None
    draft: Mapping[str, Any] | None = None
    then: Question | None = None


class Question(msgspec.Struct, frozen=True):
    """Something that the camera can't tell: asked on the screen, answered with the buttons.

    Attributes:
        message: the question.
        choices: the answers, the likeliest first.
        urgent: shown at once; otherwise only when somebody presses the button for it.
        direct: one press of the button gives the first answer, whose label the button bears.
    """

    message: Message
    choices: tuple[Choice, ...]
    urgent: bool = True
    direct: bool = False


Way = tuple[int, ...]
"""Numbers of choices, from 0: of a question, of what that choice asks next, and so on."""


def answers(question: Question | None) -> Iterator[tuple[Way, Choice]]:
    """All that a question can lead to in the end, each with the choices on the way."""
    for number, choice in enumerate(question.choices if question else ()):
        if choice.then is None:
            yield (number,), choice
        yield from (((number, *way), last) for way, last in answers(choice.then))


class Preparation(msgspec.Struct, frozen=True):
    """How far the set-up has come.

    Attributes:
        draft: all that is known of the set-up, from options, answers and the table.
        setup: the whole set-up line once nothing is missing, else None.
        pages: what is there already and what is still missing.
        question: what only people can tell now.
    """

    draft: Mapping[str, Any]
    setup: Mapping[str, Any] | None = None
    pages: tuple[Page, ...] = ()
    question: Question | None = None


class Dealer(Protocol):
    """The whole world of one game, hands and deck included. It plays legal games for tests and the virtual table.

    It knows the rules on its own account and shares no code with the referee's state, so that the two can be
    held against each other. It can be copied (`copy.deepcopy`), and a copy plays on as it would have done itself.
    """

    @property
    def setup(self) -> Mapping[str, Any]:
        """The set-up line of this game."""

    def choices(self) -> list[Mapping[str, Any]]:
        """All legal moves now, as JSON objects; empty when the game is over."""

    def think(self) -> Mapping[str, Any]:
        """The move that a sensible player would make now, one of `choices`."""

    def do(self, move: Mapping[str, Any]) -> None:
        """Makes a move of `choices`."""

    def facts(self) -> Mapping[str, Any]:
        """The public facts, in the shape of the referee's."""

    def table(self) -> Mapping[PieceId, ZoneId]:
        """Which piece lies face up in which zone now, anchors left out."""

    def face_down(self) -> Mapping[PieceId, ZoneId]:
        """Which piece lies face down in which zone now, as far as pieces that can be told apart are turned there."""

    def adopt(self, state: Any, lying: Mapping[PieceId, ZoneId]) -> bool:  # noqa: ARG002
        """Goes to a state of the rules to which no move of its own leads, as after a correction.

        All that is public is as in the state. Hidden pieces are dealt anew, so that they fit all that the table has
        shown. This is the one place where a dealer reads the referee's state. A dealer that inherits from this class
        can leave it out: then its bots say that they can't follow.

        Args:
            state: a state of a game with the set-up line that the dealer was made for.
            lying: by piece, the zone in which it lies face up; of copies those are meant that lie there.

        Returns: whether it has gone there.
        """
        return False


class Game(Protocol[S, M]):
    """One game: its box, its zones, its rules and its pages.

    Attributes:
        id: the folder's name.
        box: its pieces.
        rules_version: raised whenever a journal could replay differently.
        move_type: union of the tagged `msgspec` structs of all moves; the tag field is `do`.
        players: smallest and largest number of players.
        chance_moves: `do` names of moves with too many outcomes to list; `legal_moves` gives one example of each.
        melodies: by the name of the event (or `dispute`, `over`) that sounds it.
        content: what owners can write files of for this game, such as stories; None if nothing.
    """

    id: str
    box: Box
    rules_version: int
    move_type: Any
    players: tuple[int, int]
    chance_moves: frozenset[str]
    melodies: Mapping[str, Melody]
    content: ContentKind | None

    def equipped(self, files: Mapping[str, str]) -> Game[S, M]:
        """The same game with an owner's content files (text by name), which go before the shipped ones.

        Raises:
            ContentError: a file can't be used; the text says what is wrong with it.
        """

    def printables(self) -> tuple[Printable, ...]:
        """What is printed beside stickers and anchors: sheets that lie on the table, cards, full tiles."""

    def aside(self, state: S) -> tuple[Page, ...]:
        """What a second screen shows, which faces the active player."""

    def setup(self, line: Mapping[str, Any]) -> S | Refusal:
        """The state in which a game starts that was set up like this; `bad-setup` names what is wrong."""

    def prepare(self, draft: Mapping[str, Any], seen: Observation) -> Preparation:
        """What the table adds to the set-up, and what is still missing."""

    def zones(self, state: S | None, draft: Mapping[str, Any]) -> tuple[Zone, ...]:
        """The places that matter, in a running game or (state None) while a draft is being set up."""

    def arrangement(self, line: Mapping[str, Any]) -> Mapping[PieceId, Pose]:
        """A good place in the table frame for each anchor and each piece that lies outside all zones."""

    def seats(self, line: Mapping[str, Any]) -> Mapping[str, PieceId]:
        """By player's name: the piece that lies before him, if one does."""

    def legal_moves(self, state: S) -> Iterable[M]:
        """All legal moves; see `chance_moves` for the exception."""

    def interpret(self, state: S, difference: Difference, seen: Observation) -> M | tuple[Dispute, ...]:
        """The next legal move that explains a part of the difference; if there is none, what is wrong with it."""

    def apply(self, state: S, move: M) -> Step | Refusal:
        """The move's consequences, or the first rule that forbids it."""

    def accept(self, state: S, difference: Difference) -> Step | Refusal:
        """The state in which the rules expect the table as it lies, because people say that it is right.

        It changes no more than the difference does, and announces `corrected`; `not-allowed` tells why it can't be.
        What the rules had concluded about hidden pieces, and what doesn't fit any more, is forgotten.
        """

    def layout(self, state: S) -> Layout:
        """Which piece the rules expect in which zone now."""

    def outcome(self, state: S) -> Outcome | None:
        """How it ended, or None while it is running."""

    def facts(self, state: S) -> Mapping[str, Any]:
        """The public state, in the shape of the referee protocol; `winners` is None until the game is over."""

    def help(self, state: S) -> Message:
        """The rule that applies now, in our own words."""

    def pages(self, state: S, difference: Difference, seen: Observation) -> tuple[Page, ...]:
        """What the screen shows while nothing is wrong, most important page first."""

    def question(self, state: S, difference: Difference, seen: Observation) -> Question | None:
        """What only people can tell now."""

    def dealer(self, seed: int, line: Mapping[str, Any]) -> Dealer:
        """A world for a seeded game of the players in `line` (names, and options that are to be kept)."""


def decode(game: Game[Any, M], move: Mapping[str, Any]) -> M | Refusal:
    """The move that a JSON object stands for, or `bad-line` with what is wrong with it."""
    try:
        return msgspec.convert(move, game.move_type)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        return Refusal("bad-line", "protocol", {"reason": str(error)})


def encode(move: Any) -> dict[str, Any]:
    """A move as a JSON object."""
    return msgspec.to_builtins(move)  # type: ignore[no-any-return]


def names(moves: Any) -> Iterator[str]:
    """The `do` names of a game's moves, given its `move_type`."""
    for kind in getattr(moves, "__args__", (moves,)):
        yield kind.__struct_config__.tag

"""The public state of Storytelling: cards, tiles that lie face up, and what the table has shown of the others."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.storytelling.memory import Memory
from companion.games.storytelling.moves import Cell
from companion.games.storytelling.tales import BLEW, BREATH, Card, Story

MODES = ("basic", "stinky-breath", "wolf-blew", "midnight", "race")
"""The basic game, and the advanced one of each tale. Source: rulebook, Basic and Advanced Storytellers."""
ENDS_AT = 10
"""Cards that are won until the game ends. Source: rulebook, End of the game."""
TORTOISE_STEP = 2
NEEDED = {"stinky-breath": BREATH, "wolf-blew": BLEW}
"""Tiles that a story must have for an advanced game."""
TURN_DOWN, SHUFFLE_BACK, BLOW = "turn-down", "shuffle-back", "blow"
"""How the tiles go back at the end of a turn."""


def grid_of(mode: str) -> tuple[int, int]:
    """Rows and columns of the grid. Source: rulebook, Game setup and The Race."""
    return (2, 8) if mode == "race" else (4, 4)


def cells_of(mode: str) -> tuple[Cell, ...]:
    """All cells of the grid, row by row."""
    rows, columns = grid_of(mode)
    return tuple((row, column) for row in range(rows) for column in range(columns))


class State(msgspec.Struct, frozen=True):
    """One moment of a game. Players are counted clockwise from 0.

    Attributes:
        story: the tale.
        mode: one of `MODES`.
        players: names of those who take turns.
        storyteller: who reads; may be one of the players, or nobody's name.
        active: whose turn it is.
        unread: numbers of the cards to be read, next first; the one that is shown counts until the turn is decided.
        read: numbers of the cards that were read and not won.
        won: by player, numbers of the cards won, in that order.
        completed: cards that were won in all, in The Race too, where nobody keeps them.
        card: number of the card that is shown.
        found: how many of its pictures were found in this turn.
        up: tiles that lie face up, in the order in which they were turned.
        outcome: how the turn was decided: `won` or `failed`.
        tidy: how the tiles have to go back before the game goes on.
        asked: the active player still has to say whether he retires.
        memory: what is known of the face-down tiles.
        blown: where BLEW lay when it had moved; it may lie face up there until the next card.
        clock: strokes so far.
        clock_positions: of the dial; when the clock has made so many strokes, it is midnight.
        retired: who has retired, in that order.
        hare: its square.
        tortoise: its square.
        finish: the square of the finish.
        ended: the game is over.
    """

    story: Story
    mode: str
    players: tuple[str, ...]
    storyteller: str
    active: int
    unread: tuple[int, ...]
    won: tuple[tuple[int, ...], ...]
    read: tuple[int, ...] = ()
    completed: int = 0
    card: int | None = None
    found: int = 0
    up: tuple[tuple[Cell, str], ...] = ()
    outcome: str | None = None
    tidy: str | None = None
    asked: bool = False
    memory: Memory = Memory()
    blown: Cell | None = None
    clock: int = 0
    clock_positions: int = 12
    retired: tuple[int, ...] = ()
    hare: int = 0
    tortoise: int = 0
    finish: int = 19
    ended: bool = False

    @property
    def phase(self) -> str:
        """`card`, `flip`, `tidy`, `retire` or `over`."""
        if self.ended:
            return "over"
        if self.tidy:
            return "tidy"
        if self.asked:
            return "retire"
        return "card" if self.card is None else "flip"

    @property
    def rows(self) -> int:
        """Of the grid."""
        return grid_of(self.mode)[0]

    @property
    def columns(self) -> int:
        """Of the grid."""
        return grid_of(self.mode)[1]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, row by row."""
        return cells_of(self.mode)

    @property
    def shown(self) -> Card | None:
        """The card that is shown."""
        return None if self.card is None else self.story.card(self.card)

    @property
    def wanted(self) -> str | None:
        """The picture to be found next."""
        return self.shown.pictures[self.found] if self.shown and self.phase == "flip" else None

    def is_up(self, cell: Cell) -> bool:
        """Whether a tile lies face up in a cell."""
        return any(where == cell for where, _ in self.up)

    def points(self, player: int) -> int:
        """Victory points of the cards that a player holds."""
        return sum(self.story.card(number).points for number in self.won[player])

    def next_player(self) -> int:
        """Who is active after this turn: the next to the left who has not retired."""
        count = len(self.players)
        order = [(self.active + step) % count for step in range(1, count + 1)]
        return next((player for player in order if player not in self.retired), self.active)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has won once the game is over: most points, then most cards. Source: rulebook, Winner and The Race."""
        if not self.ended:
            return ()
        everybody = tuple(range(len(self.players)))
        if self.mode == "race":
            return everybody if self.tortoise >= self.finish else ()
        if not any(self.won):
            return ()
        best = max((self.points(player), len(self.won[player])) for player in everybody)
        return tuple(p for p in everybody if (self.points(p), len(self.won[p])) == best)

    def blows(self) -> Iterator[tuple[str, Cell, dict[Cell, Cell]]]:
        """Where BLEW can go: a name of the direction, the cell, and where each tile of the line goes."""
        row, column = next(cell for cell, tile in self.up if tile == BLEW)
        for name, down, right in (("up", -1, 0), ("down", 1, 0), ("left", 0, -1), ("right", 0, 1)):
            line = [(r, column) for r in range(self.rows)] if down else [(row, c) for c in range(self.columns)]
            goals = {(r, c): ((r + down) % self.rows, (c + right) % self.columns) for r, c in line}
            yield name, goals[row, column], goals


def facts(state: State) -> dict[str, object]:
    """The public facts, in the shape of the referee protocol."""
    names, phase = state.players, state.phase
    found: dict[str, object] = {
        "phase": phase,
        "active": None if phase == "over" else names[state.active],
        "card": state.card,
        "found": state.found,
        "up": [[list(cell), tile] for cell, tile in state.up],
        "outcome": state.outcome,
        "tidy": state.tidy,
        "unread": list(state.unread),
        "read": list(state.read),
        "won": {name: list(cards) for name, cards in zip(names, state.won, strict=True)},
        "points": {name: state.points(player) for player, name in enumerate(names)},
        "completed": state.completed,
        "known": {f"{row},{column}": tile for (row, column), tile in state.memory.known},
        "winners": [names[player] for player in state.winners] if phase == "over" else None,
    }
    if state.mode == "midnight":
        found |= {"clock": state.clock, "retired": [names[player] for player in state.retired]}
    if state.mode == "race":
        found |= {"hare": state.hare, "tortoise": state.tortoise}
    return found

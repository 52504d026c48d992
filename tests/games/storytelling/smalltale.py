"""A small tale of sixteen plain tiles, and games on it that are played move by move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.game import Dispute, Refusal, decode, encode
from companion.core.settle import settle
from companion.core.table import Observation, Sighting
from companion.games.storytelling import GAME
from companion.games.storytelling.state import State

Cell = tuple[int, int]

TILES = (*(f"T{number:02}" for number in range(1, 15)), "BREATH", "BLEW")
COLOURS = ("red", "blue", "green", "gold")
CARDS = {
    1: ("T01", "T02"),
    2: ("T03",),
    3: ("T04", "BREATH"),
    4: ("BLEW", "T05"),
    5: ("T06",),
    **{number: (f"T{number + 1:02}",) for number in range(6, 14)},
}
"""Pictures by card; each is worth as many points as it has pictures, unless a game says otherwise."""


def tale(cards: Mapping[int, Sequence[str]] | None = None, points: Mapping[int, int] | None = None) -> dict[str, Any]:
    """The tale as it stands in a set-up line. Tiles in order are red, blue, green, gold, red and so on."""
    pictures = {**CARDS, **(cards or {})}
    return {
        "name": "A small tale",
        "tiles": [{"name": name, "colour": COLOURS[index % 4]} for index, name in enumerate(TILES)],
        "cards": [
            {"number": number, "pictures": list(names), "points": (points or {}).get(number, len(names))}
            for number, names in pictures.items()
        ],
    }


def piece(tile: str) -> str:
    """The piece that bears a tile's tag."""
    return f"george-{TILES.index(tile) + 1:02}"


def blow(*to: int) -> dict[str, Any]:
    """The wind that moves BLEW to a cell."""
    return {"do": "blow", "to": list(to)}


def look(lying: Mapping[str, str | None], gone: Mapping[str, str] | None = None, **since_s: float) -> Observation:
    """The table as it is seen; tiles and other pieces by their names, `since_s` by the names of tiles."""
    pieces = {_piece(name): zone for name, zone in lying.items()}
    since = {_piece(name): at_s for name, at_s in since_s.items()}
    sightings = tuple(Sighting(one, zone, since_s=since.get(one, 0.0)) for one, zone in pieces.items())
    return Observation(sightings, {_piece(name): zone for name, zone in (gone or {}).items()}, at_s=9.0)


def _piece(name: str) -> str:
    return piece(name) if name in TILES else name


class Evening:
    """One game. Tiles lie row by row in the order given, and whoever flips one names the cell where it lies.

    Args:
        mode: of the game.
        players: their names, clockwise.
        cards: pictures of some cards, by number.
        points: what some cards are worth, by number.
        lying: the tiles, row by row.
        line: further fields of the set-up.
    """

    def __init__(
        self,
        mode: str = "basic",
        players: Sequence[str] = ("Ellie", "Sam"),
        cards: Mapping[int, Sequence[str]] | None = None,
        points: Mapping[int, int] | None = None,
        lying: Sequence[str] = TILES,
        **line: Any,
    ) -> None:
        state = GAME.setup({"mode": mode, "story": tale(cards, points), "players": list(players), **line})
        assert isinstance(state, State), state
        self.state = state
        wide = 8 if mode == "race" else 4
        self.lying: dict[str, Cell] = {tile: divmod(index, wide) for index, tile in enumerate(lying)}

    @property
    def facts(self) -> Mapping[str, Any]:
        return GAME.facts(self.state)

    def flip_of(self, tile: str) -> dict[str, Any]:
        """The move that turns a tile up where it lies."""
        return {"do": "flip", "cell": list(self.lying[tile]), "tile": tile}

    def zone(self, tile: str) -> str:
        """Where a tile lies, such as `grid/B3`."""
        row, column = self.lying[tile]
        return f"grid/{'ABCDEFGH'[column]}{row + 1}"

    def do(self, *moves: Mapping[str, Any]) -> list[str]:
        """Makes moves; what the last of them announces."""
        events: list[str] = []
        for line in moves:
            move = decode(GAME, line)
            assert not isinstance(move, Refusal), move
            step = GAME.apply(self.state, move)
            assert not isinstance(step, Refusal), (line, step)
            self.state, events = step.state, [event.name for event in step.events]
        return events

    def refused(self, move: Mapping[str, Any]) -> Refusal:
        """Why a move can't be made; the state is as it was."""
        decoded = decode(GAME, move)
        result = decoded if isinstance(decoded, Refusal) else GAME.apply(self.state, decoded)
        assert isinstance(result, Refusal), result
        return result

    def card(self) -> list[str]:
        return self.do({"do": "card"})

    def flip(self, *tiles: str) -> list[str]:
        """Turns tiles up one after the other where they lie; what the last one announces."""
        return self.do(*(self.flip_of(tile) for tile in tiles))

    def win(self) -> list[str]:
        """The next card is shown and all its pictures are found; what the last one announces."""
        self.card()
        shown = self.state.shown
        assert shown is not None
        return self.flip(*shown.pictures)

    def fail(self, *tiles: str) -> list[str]:
        """The next card is shown, and the last of these tiles is wrong."""
        self.card()
        events = self.flip(*tiles)
        assert self.facts["outcome"] == "failed"
        return events

    def back(self, **retires: bool) -> list[str]:
        """The tiles go back, and at the ball the active player answers by `yes`."""
        events = self.do({"do": "turn-down"})
        return self.do({"do": "retire", **retires}) if retires else events


def see(evening: Evening, seen: Observation) -> tuple[list[dict[str, Any]], tuple[Dispute, ...]]:
    """The moves that a look leads to, and the disputes that are left."""
    settled = settle(GAME, evening.state, seen)
    evening.state = settled.state
    return [encode(move) for move, _ in settled.moves], settled.disputes


def flipped(tile: str, *cell: int, by: str = "Ellie") -> dict[str, Any]:
    """The flip that a look leads to."""
    return {"do": "flip", "tile": tile, "cell": cell, "by": by}


# Games that have come to a certain moment


def flipping(mode: str = "basic", *tiles: str) -> Evening:
    """Ellie has turned up these tiles, all of them right."""
    evening = Evening(mode)
    evening.card()
    evening.flip(*tiles)
    return evening


def failed(mode: str = "basic", *tiles: str) -> Evening:
    """Ellie has turned up these tiles, the last of them wrong; T03 if none is named."""
    evening = Evening(mode)
    evening.fail(*(tiles or ("T03",)))
    return evening


def breath() -> Evening:
    """T01 and BREATH lie face up and have to be shuffled."""
    return failed("stinky-breath", "T01", "BREATH")


def wind() -> Evening:
    """T01 and BLEW lie face up, and the wind has to blow."""
    return failed("wolf-blew", "T01", "BLEW")


def retiring() -> Evening:
    """Ellie is asked whether she retires."""
    evening = failed("midnight")
    evening.back()
    return evening


def over() -> Evening:
    """It was midnight in Ellie's turn."""
    evening = Evening("midnight", clock_positions=1)
    evening.fail("T02")
    return evening


def remembering() -> Evening:
    """Ellie has turned T03 at C1, Sam T09 at A3; now Ellie looks for T04."""
    evening = failed()
    evening.back()
    evening.fail("T09")
    evening.back()
    evening.card()
    return evening

"""The whole world of one game: every face-down tile, and players who remember some of what they have seen."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.core.box import PieceId
from companion.core.errors import CompanionError
from companion.core.table import ZoneId
from companion.games.storytelling.state import State
from companion.games.storytelling.tales import Card, Story

Place = tuple[int, int]

TALE_OF = {"stinky-breath": "george", "wolf-blew": "pigs", "midnight": "cinderella", "race": "hare"}
REMEMBERS = 0.8
"""How often a bot remembers a tile that it has seen."""
RETIRES = 0.15
BOLD = 0.9
"""How often a bot risks a tile that it doesn't know, where it could stick to those that it does."""


class StorytellingDealer:
    """Plays legal games. It knows the rules on its own account.

    Args:
        seed: of the shuffle and of the bots' luck.
        line: `players`, and `mode`, `story` and so on, which are kept; otherwise the seed chooses.
        stories: those that can be named.
    """

    def __init__(self, seed: int, line: Mapping[str, Any], stories: Mapping[str, Story]) -> None:
        chance = random.Random(seed)
        names = [player if isinstance(player, str) else player["name"] for player in line["players"]]
        usual = ["race"] if len(names) == 1 else ["basic", "stinky-breath", "wolf-blew", "midnight", "race"]
        told = stories.get(str(line.get("story")))
        if told is not None and not line.get("mode"):
            usual = [mode for mode in usual if TALE_OF.get(mode, told.tale) == told.tale] or ["basic"]
        mode = line.get("mode") or usual[seed % len(usual)]
        ours = sorted(name for name, story in stories.items() if story.tale == TALE_OF.get(mode, story.tale))
        chosen = line.get("story") or ours[seed // len(usual) % len(ours)]
        if not isinstance(chosen, Mapping) and str(chosen) not in stories:
            raise CompanionError(f"story: {chosen!r}; there are {', '.join(stories)}")
        first = line.get("first") or chance.choice(names)
        self.setup: Mapping[str, Any] = {
            **line,
            "game": "storytelling",
            "mode": mode,
            "story": chosen,
            "players": [{"name": name} for name in names],
            "first": first,
            "storyteller": line.get("storyteller", ""),
        }
        self.story = stories[chosen] if isinstance(chosen, str) else _inline(chosen)
        self.names, self.mode = names, mode
        self.high, self.wide = (2, 8) if mode == "race" else (4, 4)
        tiles = [tile.name for tile in self.story.tiles]
        chance.shuffle(tiles)
        self.lying: dict[Place, str] = {divmod(i, self.wide): name for i, name in enumerate(tiles)}
        self._chance = random.Random(seed + 1)
        self._shuffle = random.Random(seed + 2)
        self._seen: dict[Place, str] = {}
        self._vague: list[tuple[set[Place], set[str]]] = [(set(self.lying), set(tiles))]
        self._up: list[Place] = []
        self._blown: Place | None = None
        self._pile = [card.number for card in self.story.cards]
        self._read: list[int] = []
        self._won: dict[str, list[int]] = {name: [] for name in names}
        self._retired: list[str] = []
        self._turn = first
        self._card: int | None = None
        self._found, self._done = 0, 0
        self._outcome: str | None = None
        self._phase = "card"
        self._tidy: str | None = None
        self._strokes = 0
        self._dial = line.get("clock_positions", 12)
        self._finish = line.get("finish") or 19
        start = line.get("hare_start")
        self._hare = len(names) if start is None else start
        self._tortoise = 0

    def choices(self) -> list[Mapping[str, Any]]:
        """All legal moves."""
        if self._phase == "card":
            return [{"do": "card", "number": self._pile[0]}]
        if self._phase == "flip":
            return [self._flip(place) for place in self.lying if place not in self._up]
        if self._phase == "retire":
            return [{"do": "retire", "yes": yes, "by": self._turn} for yes in (False, True)]
        if self._phase == "over":
            return []
        if self._tidy == "blow":
            row, column = self._place_of("BLEW")
            goals = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
            return [{"do": "blow", "to": [r % self.high, c % self.wide]} for r, c in goals]
        return [{"do": self._tidy}]

    def think(self) -> Mapping[str, Any]:
        """What a sensible player with an imperfect memory would do."""
        choices = self.choices()
        if self._phase == "retire":
            points = self._points(self._turn)
            tired = points > 0 and self._chance.random() < RETIRES
            return choices[tired]
        if self._phase != "flip":
            return self._chance.choice(choices)
        wanted = self._shown().pictures[self._found]
        place = next((place for place, tile in self._seen.items() if tile == wanted), None)
        if place is not None and place not in self._up and self._chance.random() < REMEMBERS:
            return self._flip(place)
        known = self._seen.keys() if self._chance.random() < BOLD else set()
        fresh = [move for move in choices if tuple(move["cell"]) not in known]
        return self._chance.choice(fresh or choices)

    def do(self, move: Mapping[str, Any]) -> None:
        """Makes a move of `choices`."""
        kind = move["do"]
        if kind == "card":
            self._card, self._found, self._outcome, self._phase, self._blown = move["number"], 0, None, "flip", None
        elif kind == "flip":
            self._turn_up((move["cell"][0], move["cell"][1]))
        elif kind == "retire":
            self._answer(move["yes"])
        else:
            self._put_back(kind, move)

    def facts(self) -> Mapping[str, Any]:
        """The public facts, in the shape of the referee's."""
        over = self._phase == "over"
        found = {
            "phase": self._phase,
            "active": None if over else self._turn,
            "card": self._card,
            "found": self._found,
            "up": [[list(place), self.lying[place]] for place in self._up],
            "outcome": self._outcome,
            "tidy": self._tidy,
            "unread": list(self._pile),
            "read": list(self._read),
            "won": {name: list(cards) for name, cards in self._won.items()},
            "points": {name: self._points(name) for name in self.names},
            "completed": self._done,
            "known": {f"{row},{column}": tile for (row, column), tile in self._seen.items()},
            "winners": self._winners() if over else None,
        }
        if self.mode == "midnight":
            found |= {"clock": self._strokes, "retired": list(self._retired)}
        if self.mode == "race":
            found |= {"hare": self._hare, "tortoise": self._tortoise}
        return found

    def table(self) -> Mapping[PieceId, ZoneId]:
        """The tiles that lie face up, and the figures."""
        up = [*self._up, *([self._blown] if self._blown else [])]
        lying = {self._piece(place): self._zone(place) for place in up}
        if self.mode == "midnight":
            lying["clock"] = f"dial/{self._printed(self._strokes % self._dial)}"
        if self.mode == "race":
            lying["hare"] = f"track/{min(self._hare, self._finish)}"
            lying["tortoise"] = f"track/{min(self._tortoise, self._finish)}"
        return lying

    def _printed(self, strokes: int) -> str:
        """The number that is printed on the dial there, if one is."""
        return str(12 * strokes // self._dial) if 12 * strokes % self._dial == 0 else f"{strokes}-{self._dial}"

    def face_down(self) -> Mapping[PieceId, ZoneId]:
        """The other tiles."""
        up = [*self._up, self._blown]
        return {self._piece(place): self._zone(place) for place in self.lying if place not in up}

    def adopt(self, state: State, lying: Mapping[PieceId, ZoneId]) -> bool:  # noqa: ARG002
        """Goes to a state of the rules; tiles of which nobody knows the very cell are dealt anew among theirs."""
        self.names, self.mode, self.story = list(state.players), state.mode, state.story
        self.high, self.wide = state.rows, state.columns
        self._seen = dict(state.memory.known)
        self.lying = dict(self._seen)
        for one in state.memory.spreads:
            self.lying |= zip(one.cells, self._shuffle.sample(one.tiles, len(one.tiles)), strict=True)
        self._vague = [(set(one.cells), set(one.tiles)) for one in state.memory.spreads]
        self._up = [place for place, _ in state.up]
        self._blown = state.blown
        self._pile, self._read = list(state.unread), list(state.read)
        self._won = {name: list(cards) for name, cards in zip(self.names, state.won, strict=True)}
        self._retired = [self.names[player] for player in state.retired]
        self._turn = self.names[state.active]
        self._card, self._found, self._done = state.card, state.found, state.completed
        self._outcome, self._phase, self._tidy = state.outcome, state.phase, state.tidy
        self._strokes, self._dial = state.clock, state.clock_positions
        self._finish, self._hare, self._tortoise = state.finish, state.hare, state.tortoise
        return True

    def _flip(self, place: Place) -> Mapping[str, Any]:
        return {"do": "flip", "by": self._turn, "cell": list(place), "tile": self.lying[place]}

    def _shown(self) -> Card:
        return next(card for card in self.story.cards if card.number == self._card)

    def _turn_up(self, place: Place) -> None:
        tile, card = self.lying[place], self._shown()
        self._up.append(place)
        self._learn(place, tile)
        if tile == card.pictures[self._found]:
            self._found += 1
            if self._found == len(card.pictures):
                self._complete(card)
            return
        self._fail(card, tile)

    def _complete(self, card: Card) -> None:
        self._outcome, self._done = "won", self._done + 1
        self._pile.remove(card.number)
        if self.mode == "race":
            self._tortoise += 2
            over = self._tortoise >= self._finish
        else:
            self._won[self._turn].append(card.number)
            over = self._done == 10
        self._decided("turn-down", over)

    def _fail(self, card: Card, tile: str) -> None:
        self._outcome, over = "failed", False
        self._pile.remove(card.number)
        self._read.append(card.number)
        up = {self.lying[place] for place in self._up}
        if self.mode == "race":
            self._hare += 1
            over = self._hare >= self._finish
        elif self.mode == "midnight":
            frames = {one.name: one.colour for one in self.story.tiles}
            self._strokes += frames[tile] in {frames[picture] for picture in card.pictures}
            over = self._strokes >= self._dial
            if over:
                self._won = {name: cards if name in self._retired else [] for name, cards in self._won.items()}
        breath = self.mode == "stinky-breath" and "BREATH" in up
        blew = self.mode == "wolf-blew" and "BLEW" in up
        self._decided("shuffle-back" if breath else "blow" if blew else "turn-down", over)

    def _decided(self, tidy: str, over: bool) -> None:
        if over:
            self._phase = "over"
            return
        self._phase, self._tidy = "tidy", tidy
        if not self._pile:
            self._pile, self._read = sorted(self._read), []

    def _put_back(self, kind: str, move: Mapping[str, Any]) -> None:
        if kind == "shuffle-back" and len(self._up) > 1:
            tiles = [self.lying[place] for place in self._up]
            self._vague.append((set(self._up), set(tiles)))
            self._seen = {place: tile for place, tile in self._seen.items() if place not in self._up}
            self._shuffle.shuffle(tiles)
            self.lying |= dict(zip(self._up, tiles, strict=True))
        elif kind == "blow":
            self._shift((move["to"][0], move["to"][1]))
        self._up, self._tidy = [], None
        if self.mode == "midnight":
            self._phase = "retire"
        else:
            self._pass_on()

    def _shift(self, to: Place) -> None:
        row, column = self._place_of("BLEW")
        if to[1] == column:
            step = (to[0] - row) % self.high
            goals = {(r, column): ((r + step) % self.high, column) for r in range(self.high)}
        else:
            step = (to[1] - column) % self.wide
            goals = {(row, c): (row, (c + step) % self.wide) for c in range(self.wide)}
        self.lying = {goals.get(place, place): tile for place, tile in self.lying.items()}
        self._seen = {goals.get(place, place): tile for place, tile in self._seen.items()}
        self._vague = [({goals.get(p, p) for p in places}, tiles) for places, tiles in self._vague]
        self._blown = to

    def _answer(self, yes: bool) -> None:
        if yes:
            self._retired.append(self._turn)
        if len(self._retired) == len(self.names):
            self._phase = "over"
        else:
            self._pass_on()

    def _pass_on(self) -> None:
        here = self.names.index(self._turn)
        order = self.names[here + 1 :] + self.names[: here + 1]
        self._turn = next(name for name in order if name not in self._retired)
        self._phase, self._card = "card", None

    def _learn(self, place: Place, tile: str) -> None:
        """What anybody may conclude who has watched everything."""
        if place in self._seen:
            return
        self._seen[place] = tile
        for places, tiles in self._vague:
            places.discard(place)
            tiles.discard(tile)
            if len(places) == 1:
                self._seen[places.pop()] = tiles.pop()

    def _points(self, name: str) -> int:
        worth = {card.number: card.points for card in self.story.cards}
        return sum(worth[number] for number in self._won[name])

    def _winners(self) -> list[str]:
        if self.mode == "race":
            return list(self.names) if self._tortoise >= self._finish else []
        held = {name: (self._points(name), len(cards)) for name, cards in self._won.items()}
        best = max(held.values())
        return [name for name, what in held.items() if what == best and best > (0, 0)]

    def _place_of(self, tile: str) -> Place:
        return next(place for place in self._up if self.lying[place] == tile)

    def _piece(self, place: Place) -> PieceId:
        names = [tile.name for tile in self.story.tiles]
        return f"{self.story.tale}-{names.index(self.lying[place]) + 1:02}"

    def _zone(self, place: Place) -> ZoneId:
        return f"grid/{'ABCDEFGH'[place[1]]}{place[0] + 1}"


def _inline(raw: Mapping[str, Any]) -> Story:
    import msgspec

    return msgspec.convert(raw, Story)

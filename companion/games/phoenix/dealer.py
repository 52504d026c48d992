"""The dealer of Schatz des Phönix: it knows every card and plays seeded legal games.

It is written from the rulebook on its own account and shares no rule with the referee, so that the two can be held
against each other.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from companion.core.box import PieceId
from companion.core.dealing import Copies, spread
from companion.core.table import ZoneId
from companion.games.phoenix.box import box
from companion.games.phoenix.state import State

NESTS = ("small-1", "small-2", "big")
GUILDS = ("crown", "bell", "key", "moon", "leaf", "star")
MoveLine = Mapping[str, Any]


def _deck() -> list[str]:
    cards = [
        f"{c}-{v}{x}" for c in ("red", "blue", "yellow", "green", "purple") for v in (2, 3, 4, 5, 6, "2x") for x in "ab"
    ]
    cards += [f"{c}-7" for c in ("red", "blue", "yellow", "green", "purple")]
    return [*cards, "wild-2a", "wild-2b", "wild-3a", "wild-3b"]


def _bare(card: str) -> str:
    return card[:-1] if card[-1] in "ab" else card


def _combo(pair: list[str]) -> int:
    (c1, v1), (c2, v2) = (_bare(card).split("-") for card in pair)
    same_colour = c1 == c2 or c1 == "wild" or c2 == "wild"
    numbers = [int(v) for v in (v1, v2) if v != "2x"]
    if not numbers:
        return 0
    if len(numbers) == 1:
        return numbers[0] * (2 if same_colour else 1)
    if v1 == v2:
        return int(v1 + v2) if same_colour else 2 * numbers[0]
    return sum(numbers) if same_colour else max(numbers)


class PhoenixDealer:
    """One world: deck, hands, nests, tokens, scores.

    Args:
        seed: of all shuffles and of the players' taste.
        line: `players`, a list of names or of names with guilds.
    """

    def __init__(self, seed: int, line: MoveLine) -> None:
        # The players' taste has its own dice, so that the same moves always meet the same shuffles.
        self._random, self._taste = random.Random(seed), random.Random(seed + 1)
        players = [p if isinstance(p, Mapping) else {"name": p} for p in line["players"]]
        self.names = [p["name"] for p in players]
        spare = iter([g for g in GUILDS if g not in {p.get("guild") for p in players}])
        self.guilds = {p["name"]: p.get("guild") or next(spare) for p in players}
        self._deck = _deck()
        self._random.shuffle(self._deck)
        self.hands = {name: [self._deck.pop() for _ in range(5)] for name in self.names}
        self._open = self._deck.pop()
        self._discards: list[str] = []
        self._bag = [f"token-{value}{copy}" for value in range(2, 11) for copy in "abcd"]
        self._large = ["large-10c", "large-10b", "large-10a"]
        self._random.shuffle(self._bag)
        self._round = 1
        self._holder = self._random.choice(self.names)
        self._turn = self._holder
        self._waiting: str | None = None
        self._scores = dict.fromkeys(self.names, 0)
        self._winner_of_large: str | None = None
        self._nests: dict[str, dict[str, list[str]]]
        self._tokens: dict[str, list[str]]
        self._queue: list[tuple[str, str]]
        self._clear()
        self._fill()
        self._setup = {
            "game": "phoenix",
            "players": [{"name": name, "guild": self.guilds[name]} for name in self.names],
            "holder": self._holder,
            "open": self._open,
            "tokens": {nest: sorted(self._values(nest)) for nest in NESTS},
        }

    @property
    def setup(self) -> MoveLine:
        """The set-up line of this game."""
        return self._setup

    def choices(self) -> list[MoveLine]:
        """All legal moves now."""
        moves: list[MoveLine] = []
        if self._waiting:
            moves = [{"do": "draw-deck", "by": self._waiting}]
            if self._open and (self._deck or self._discards):
                moves.append({"do": "take-open", "by": self._waiting})
        elif self._turn:
            side = self.guilds[self._turn]
            moves = [
                {"do": "place", "by": self._turn, "card": card, "nest": nest, "side": side}
                for card in self.hands[self._turn]
                for nest in NESTS
                if len(self._nests[nest][self._turn]) < 2
            ]
        elif self._queue:
            nest, name = self._queue[0]
            moves = [
                {"do": "pick", "by": name, "nest": nest, "token": t, "large": False}
                for t in sorted(set(self._values(nest)))
            ]
            if nest == "big" and self._large_there:
                moves.append({"do": "pick", "by": name, "nest": nest, "token": 10, "large": True})
        elif self._round < 3:
            moves = [{"do": "new-round"}]
        return [self._look(move) for move in moves]

    def think(self) -> MoveLine:
        """A sensible move: good pairs, the open card where it helps, mostly the largest token."""
        moves = self.choices()
        if moves[0]["do"] == "place":
            return max(moves, key=lambda m: self._promise(m) + self._taste.random() * 6)
        if moves[0]["do"] == "pick" and self._taste.random() < 0.85:
            return max(moves, key=lambda m: (m["token"], m["large"]))
        return self._taste.choice(moves)

    def do(self, move: MoveLine) -> None:
        """Makes a move of `choices`."""
        getattr(self, "_do_" + move["do"].replace("-", "_"))(move)

    def facts(self) -> MoveLine:
        """The public facts."""
        over = self._round == 3 and not self._turn and not self._queue
        phase = "play" if self._turn else "treasure" if self._queue else "over" if over else "between"
        order = [name for nest, name in self._queue if nest == self._queue[0][0]]
        best = max(self._scores.values())
        return {
            "round": self._round,
            "phase": phase,
            "turn": self._turn or (self._queue[0][1] if self._queue else None),
            "to_draw": self._waiting,
            "holder": self._holder,
            "deck": len(self._deck),
            "discards": len(self._discards),
            "open": _bare(self._open) if self._open else None,
            "hands": {name: len(cards) for name, cards in self.hands.items()},
            "nests": {n: {p: [_bare(c) for c in cards] for p, cards in row.items()} for n, row in self._nests.items()},
            "tokens": {nest: sorted(self._values(nest)) for nest in NESTS},
            "large_there": self._large_there,
            "picking": {"nest": self._queue[0][0], "order": order} if self._queue else None,
            "scores": dict(self._scores),
            "winners": [name for name in self.names if self._scores[name] == best] if over else None,
        }

    def table(self) -> Mapping[PieceId, ZoneId]:
        """Which piece lies face up in which zone."""
        lying = {
            card: f"{n}/{self.guilds[p]}"
            for n, row in self._nests.items()
            for p, cards in row.items()
            for card in cards
        }
        lying |= {token: nest for nest, tokens in self._tokens.items() for token in tokens}
        lying |= {"start": f"seat/{self.guilds[self._holder]}"} | ({self._open: "open"} if self._open else {})
        if self._large_there:
            lying[self._large[-1]] = "big"
        return lying

    def face_down(self) -> Mapping[PieceId, ZoneId]:
        """Nothing is turned over where it lies."""
        return {}

    def adopt(self, state: State, lying: Mapping[PieceId, ZoneId]) -> bool:
        """Goes to a state of the rules; hands, deck and bag are dealt anew."""
        hidden = [(card.card, card.places) for card in state.unseen]
        copies = Copies(box(), lying, (*state.lying(), *(card for card, _ in hidden)))
        self.names = [seat.name for seat in state.seats]
        self.guilds = {seat.name: seat.guild for seat in state.seats}
        self._round, self._holder = state.round, self.names[state.holder]
        self._open = copies.take(state.open, "open") if state.open else ""
        self._nests = {
            nest: {
                seat.name: copies.take_all(side, f"{nest}/{seat.guild}")
                for seat, side in zip(state.seats, row, strict=True)
            }
            for nest, row in zip(NESTS, state.nests, strict=True)
        }
        self._deck, *hands, buried = spread(hidden, state.sizes, self._random)
        self._deck, buried, *hands = (copies.take_all(cards) for cards in (self._deck, buried, *hands))
        self.hands = dict(zip(self.names, hands, strict=True))
        self._discards = copies.take_all(state.discards) + buried
        self._random.shuffle(self._discards)
        self._tokens = {
            nest: copies.take_all([f"token-{value}" for value in values], nest)
            for nest, values in zip(NESTS, state.tokens, strict=True)
        }
        self._bag = copies.take_all(f"token-{value}" for value in state.stock)
        self._random.shuffle(self._bag)
        self._large_there = state.large_there
        self._large = [copies.take("large-10", "big") for _ in range(3 - self._round + state.large_there)][::-1]
        self._scores = dict(zip(self.names, state.scores, strict=True))
        self._waiting = None if state.to_draw is None else self.names[state.to_draw]
        self._turn, self._queue = "", []
        if not self._filled():
            self._turn = self.names[state.turn]
        else:
            self._queue = [pick for nest in NESTS for pick in self._picks(nest)]
        taken = state.large_to if self._turn or self._queue else None
        self._winner_of_large = None if taken is None else self.names[taken]
        return True

    def _look(self, move: MoveLine) -> MoveLine:
        """The move with what the table shows of it."""
        if move["do"] == "take-open":
            source = self._deck or self._discards
            return {**move, "new": source[-1]}
        if move["do"] == "new-round":
            per_nest = self._per_nest()
            drawn = self._bag[-3 * per_nest :][::-1]
            parts = [drawn[i * per_nest : (i + 1) * per_nest] for i in range(3)]
            return {
                **move,
                "tokens": {n: sorted(int(t[6:-1]) for t in part) for n, part in zip(NESTS, parts, strict=True)},
            }
        return move

    def _promise(self, move: MoveLine) -> float:
        lying = self._nests[move["nest"]][move["by"]]
        others = [card for card in self.hands[move["by"]] if card != move["card"]]
        bonus = 3 if move["nest"] == "big" else 0
        if lying:
            return _combo([lying[0], move["card"]]) + bonus
        return max((_combo([move["card"], card]) for card in others), default=0) * 0.7 + bonus

    def _do_place(self, move: MoveLine) -> None:
        name = move["by"]
        self.hands[name].remove(move["card"])
        self._nests[move["nest"]][name].append(move["card"])
        self._waiting = name
        order = self.names[self.names.index(name) + 1 :] + self.names
        self._turn = next((one for one in order if any(len(row[one]) < 2 for row in self._nests.values())), "")
        if self._filled():
            self._queue = [pick for nest in NESTS for pick in self._picks(nest)]

    def _filled(self) -> bool:
        return all(len(cards) == 2 for row in self._nests.values() for cards in row.values())

    def _picks(self, nest: str) -> list[tuple[str, str]]:
        """Who still picks at a nest, in order: as many as there are tokens left."""
        first = nest == "big"
        picks, left = self._per_nest() + first, len(self._tokens[nest]) + (first and self._large_there)
        return [(nest, player) for player in self._ranked(nest)[picks - left : picks]]

    def _ranked(self, nest: str) -> list[str]:
        start = self.names.index(self._holder)
        in_turn = self.names[start:] + self.names[:start]
        return sorted(in_turn, key=lambda name: -_combo(self._nests[nest][name]))

    def _draw(self) -> str:
        if not self._deck:
            self._deck, self._discards = self._discards, []
            # The top stays on top, so that `choices` could show it; the rest is shuffled.
            rest = self._deck[:-1]
            self._random.shuffle(rest)
            self._deck[:-1] = rest
        return self._deck.pop()

    def _do_draw_deck(self, move: MoveLine) -> None:
        self.hands[move["by"]].append(self._draw())
        self._waiting = None

    def _do_take_open(self, move: MoveLine) -> None:
        self.hands[move["by"]].append(self._open)
        self._open = self._draw()
        self._waiting = None

    def _do_pick(self, move: MoveLine) -> None:
        nest, name = self._queue.pop(0)
        self._waiting = None
        self._scores[name] += move["token"]
        if move["large"]:
            self._large_there = False
            self._large.pop()
            self._winner_of_large = name
        else:
            token = next(
                t
                for t in self._tokens[nest]
                if t.startswith(f"token-{move['token']}") and t[6:-1] == str(move["token"])
            )
            self._tokens[nest].remove(token)
        if not self._queue and self._winner_of_large:
            self._holder, self._winner_of_large = self._winner_of_large, None

    def _do_new_round(self, _move: MoveLine) -> None:
        self._discards += [card for row in self._nests.values() for cards in row.values() for card in cards]
        self._random.shuffle(self._discards)
        self._round += 1
        self._clear()
        self._fill()
        self._turn = self._holder

    def _clear(self) -> None:
        self._nests = {nest: {name: [] for name in self.names} for nest in NESTS}
        self._queue = []

    def _per_nest(self) -> int:
        return {2: 1, 3: 2, 4: 3, 5: 4, 6: 4}[len(self.names)]

    def _fill(self) -> None:
        self._large_there = True
        self._tokens = {nest: [self._bag.pop() for _ in range(self._per_nest())] for nest in NESTS}

    def _values(self, nest: str) -> list[int]:
        return [int(token[6:-1]) for token in self._tokens[nest]]

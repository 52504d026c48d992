"""The dealer of Wonderland XIII: it knows every card and plays seeded legal games.

It is written from the rulebook on its own account and shares no rule with the referee, so that the two can be held
against each other.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.core.box import PieceId
from companion.core.dealing import Copies
from companion.core.table import ZoneId
from companion.games.wonderland.box import box
from companion.games.wonderland.state import State

FIVE = ("Alice", "Rabbit", "Cat", "Hatter", "Queen")
MIDDLE, PILE = "middle/key", "discards/pile"
WHIM = 0.12
"""How often a player does just anything that is legal."""
BOLD = (0.15, 0.45)
"""How likely a collapse may be for a player to go on, from the careful to the bold."""
MoveLine = Mapping[str, Any]


def _who(card: str) -> str:
    """The character of a card, without the letter of its copy."""
    return card[:-1]


def _too_many(cards: list[str]) -> bool:
    names = [_who(card) for card in cards]
    return any(sum(name in (one, "Bundle") for name in names) >= 3 for one in FIVE)


def _points(cards: list[str]) -> int:
    """Lays sets of five aside as long as there are any, then counts the rest one by one."""
    left = [_who(card) for card in cards]
    total = 5 * left.count("Bundle")
    while all(one in left for one in FIVE):
        total += 15
        for one in FIVE:
            left.remove(one)
    return total + sum(place for one in FIVE for place in range(1, left.count(one) + 1))


class WonderlandDealer:
    """One world: Notebooks, the decks with what covers them, Tunnel, face-down cards, discards, and each Key.

    Args:
        seed: of all shuffles and of the players' taste.
        line: `players`, a list of names, and perhaps whose `turn` it is first.
    """

    def __init__(self, seed: int, line: MoveLine) -> None:
        # The players' taste has its own dice, so that the same moves always meet the same shuffles.
        self._random, self._taste = random.Random(seed), random.Random(seed + 1)
        self.names: list[str] = [p["name"] if isinstance(p, Mapping) else p for p in line["players"]]
        cards = [one + copy for one in FIVE for copy in "abcdefghijkl"] + ["Bundle" + copy for copy in "abcdefgh"]
        self._random.shuffle(cards)
        self.notebooks = {name: [cards.pop() for _ in range(3)] for name in self.names}
        self._hall: list[list[tuple[str, bool]]] = [[] for _ in range(5)]
        for number, card in enumerate(cards):
            self._hall[number % 5].append((card, False))
        self._tunnel: list[tuple[str, bool]] = []
        self._queened: list[str] = []
        self._dark: dict[str, list[str]] = {name: [] for name in self.names}
        self._discards: list[str] = []
        self._fallen: dict[str, str] = {}
        self._veil: dict[str, str] = {}
        self._last: dict[str, str] = {}
        self._keys = dict.fromkeys(("keya", "keyb", "keyc", "keyd"), MIDDLE)
        self._nerve = {name: self._taste.uniform(*BOLD) for name in self.names}
        self._new: list[str] = []
        self._drawn: list[str] = []
        first: str = self._random.choice(self.names)
        self._turn: str = line["turn"] if line.get("turn") in self.names else first
        self._setup = {
            "game": "wonderland",
            "players": list(self.names),
            "turn": self._turn,
            "notebooks": {name: sorted(map(_who, held)) for name, held in self.notebooks.items()},
        }
        self._begin(self._turn)

    @property
    def setup(self) -> MoveLine:
        """The set-up line of this game."""
        return self._setup

    def choices(self) -> list[MoveLine]:
        """All legal moves now, with what they will show."""
        found: list[dict[str, Any]] = []
        if self._stage in ("explore", "decide"):
            found = self._explores()
            if self._stage == "decide" or not found:
                found.append({"do": "stop"})
        elif self._stage == "take":
            tops = {str(deck): _who(self._hall[deck][-1][0]) for deck in self._beside(self._here)}
            found = [{"do": "take", "cards": tops}]
        elif self._stage == "skill":
            found = self._skills() or [{"do": "no-skill"}]
        elif self._stage == "refill":
            found = [{"do": "refill", "cards": tuple(sorted(map(_who, self._drawn)))}]
        return [{**move, "by": self._turn} for move in found]

    def think(self) -> MoveLine:
        """A sensible move: explore where it is safe and worth while, give what counts least, trip up the best."""
        moves = self.choices()
        if self._taste.random() < WHIM:
            return self._taste.choice(moves)
        if self._stage == "decide":
            best = min((self._risk(d) for d in range(5) if any(m.get("deck") == d for m in moves)), default=1.0)
            if best > self._nerve[self._turn]:
                return moves[-1]
            moves = moves[:-1]
        return max(moves, key=lambda move: self._promise(move) + self._taste.random())

    def do(self, move: MoveLine) -> None:
        """Makes a move of `choices`."""
        self._fallen, self._veil = {}, {}
        getattr(self, "_do_" + move["do"].replace("-", "_"))(move)

    def facts(self) -> MoveLine:
        """The public facts."""
        over = self._stage == "over"
        points = {name: _points(cards) for name, cards in self.notebooks.items()}
        faces = [[(_who(card), up) for card, up in deck] for deck in self._hall]
        return {
            "phase": self._stage,
            "turn": None if over else self._turn,
            "keys_middle": list(self._keys.values()).count(MIDDLE),
            "keys_hand": len(self._held()),
            "unlocked": self._open(),
            "sizes": [len(deck) for deck in self._hall],
            "decks": [
                {"down": sum(not up for _, up in deck), "up": [card for card, up in deck if up]} for deck in faces
            ],
            "tunnel": sorted(_who(card) for card, _ in self._tunnel),
            "covered": sorted(_who(card) for card, covered in self._tunnel if covered),
            "hatter": {name: sorted(map(_who, cards)) for name, cards in self._dark.items()},
            "notebooks": {name: sorted(map(_who, cards)) for name, cards in self.notebooks.items()},
            "discards": sorted(map(_who, self._discards)),
            "discards_count": len(self._discards),
            "can_continue": self._stage == "decide" and bool(self._explores()),
            "scores": points,
            "winners": [name for name in self.names if points[name] == max(points.values())] if over else None,
        }

    def table(self) -> Mapping[PieceId, ZoneId]:
        """Which piece lies face up in which zone; of what lies in one place the lowest comes first.

        What has collapsed is swept up with the next move, so that everybody can see it before. After a skill that ends
        the game everything stays as it lies.
        """
        if self._last:
            return self._last
        lying = {card: f"notebook/{name}" for name, cards in self.notebooks.items() for card in cards}
        lying |= {card: f"tunnel/{self._turn}" for card, _ in self._tunnel if card not in self._queened}
        lying |= dict.fromkeys(self._queened, f"covered/{self._turn}")
        lying |= {card: f"deck-{n}/top" for n, deck in enumerate(self._hall) for card, up in deck if up}
        lying |= {card: PILE for card in self._discards if card not in self._veil}
        return {**lying, **self._keys, **self._fallen}

    def face_down(self) -> Mapping[PieceId, ZoneId]:
        """The highest face-down card of each deck, and what the Hatter has put into Tunnels."""
        downs = {n: [card for card, up in deck if not up] for n, deck in enumerate(self._hall)}
        lying = {cards[-1]: f"deck-{n}/top" for n, cards in downs.items() if cards}
        return lying | {card: f"tunnel/{name}" for name, cards in self._dark.items() for card in cards} | self._veil

    def adopt(self, state: State, lying: Mapping[PieceId, ZoneId]) -> bool:
        """Goes to a state of the rules; what lies face down in the decks is dealt anew."""
        copies = Copies(box(), lying)
        self.names, self._turn, self._stage = list(state.players), state.players[state.turn], state.phase
        self._fallen, self._veil, self._last = {}, {}, {}
        places = [f"keys/{self._turn}"] * state.keys + [f"deck-{deck}/key" for deck in state.unlocked]
        places += [MIDDLE] * (len(self._keys) - len(places))
        self._keys = {copies.take("key", place): place for place in places}
        self.notebooks = {
            name: copies.take_all(cards, f"notebook/{name}")
            for name, cards in zip(self.names, state.notebooks, strict=True)
        }
        covered = copies.take_all(state.covered, f"covered/{self._turn}")
        queens = [copies.take("Queen", f"covered/{self._turn}") for _ in covered]
        below = Counter(map(_who, covered + queens))
        rest = copies.take_all((Counter(state.tunnel) - below).elements(), f"tunnel/{self._turn}")
        self._queened = [card for pair in zip(covered, queens, strict=True) for card in pair]
        self._tunnel = [(card, True) for card in covered] + [(card, False) for card in queens + rest]
        gained = list(rest)
        self._new = [gained.pop([_who(card) for card in gained].index(name)) for name in state.gained]
        ups = [copies.take_all(deck.up, f"deck-{number}/top") for number, deck in enumerate(state.decks)]
        self._dark = {name: copies.take_all(cards) for name, cards in zip(self.names, state.hatter, strict=True)}
        self._discards = copies.take_all(state.discards, PILE)
        downs = copies.take_all(card for card, number in state.unseen.items() for _ in range(number))
        self._random.shuffle(downs)
        self._hall = [
            [(downs.pop(), False) for _ in range(deck.down)] + [(card, True) for card in up]
            for deck, up in zip(state.decks, ups, strict=True)
        ]
        self._here = -1 if state.deck is None else state.deck
        self._drawn = self._random.sample(self._discards, state.missing) if state.phase == "refill" else []
        return True

    def _held(self) -> list[str]:
        return [key for key, place in self._keys.items() if place == f"keys/{self._turn}"]

    def _open(self) -> list[int]:
        return [number for number in range(5) if f"deck-{number}/key" in self._keys.values()]

    def _beside(self, deck: int) -> list[int]:
        """The decks to the left and right of a deck; empty ones are passed over."""
        found = []
        for step in (-1, 1):
            at = deck + step
            while not self._hall[at % 5]:
                at += step
            found.append(at % 5)
        return found

    def _veiled(self) -> list[int]:
        return [number for number, deck in enumerate(self._hall) if deck and not deck[-1][1]]

    def _explores(self) -> list[dict[str, Any]]:
        cards = sorted(set(map(_who, self.notebooks[self._turn])))
        if not cards:
            return []
        if self._here >= 0:
            return [{"do": "cover", "deck": self._here, "card": card} for card in cards]
        there = [number for number, deck in enumerate(self._hall) if deck]
        found: list[dict[str, Any]] = []
        if self._held():
            found = [{"do": "unlock", "deck": number} for number in there if number not in self._open()]
        return found + [{"do": "cover", "deck": n, "card": card} for n in self._open() if n in there for card in cards]

    def _skills(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        one, other = map(_who, self._new)
        tops = {deck: _who(self._hall[deck][-1][0]) for deck in self._veiled()}
        for card in sorted({one, other}):
            use = {"do": "skill", "card": card}
            if card == "Alice" and MIDDLE in self._keys.values():
                found.append(use)
            elif card == "Queen":
                found.append({**use, "covers": other if card == one else one})
            elif card == "Cat":
                found += [{**use, "deck": deck} for deck in tops]
            elif card == "Rabbit":
                found += [{**use, "deck": deck, "reveals": top} for deck, top in tops.items()]
            elif card == "Hatter":
                others = [name for name in self.names if name != self._turn]
                found += [
                    {**use, "deck": d, "reveals": top, "target": name} for d, top in tops.items() for name in others
                ]
        return found

    def _risk(self, deck: int) -> float:
        """About how likely the Tunnel is to collapse by this Explore, as its player sees it."""
        held = [card for card, covered in self._tunnel if not covered]
        known = [self._hall[n][-1] for n in self._beside(deck)]
        held += [card for card, up in known if up]
        if _too_many(held):
            return 1.0
        # What is face down anywhere is about alike to him, also what the Hatter has put before him.
        hidden = [card for pile in self._hall for card, up in pile if not up] + self._dark[self._turn]
        blind: int = sum(not up for _, up in known) + len(self._dark[self._turn])
        bad = sum(number for name, number in Counter(map(_who, hidden)).items() if _too_many([*held, name + "?"]))
        return 1.0 - (1.0 - bad / max(1, len(hidden))) ** blind

    def _promise(self, move: MoveLine) -> float:
        if move["do"] == "unlock":
            return 3.0 - 4.0 * self._risk(move["deck"]) + self._gain(move["deck"])
        if move["do"] == "cover":
            mine = self.notebooks[self._turn]
            without = list(mine)
            without.remove(next(card for card in mine if _who(card) == move["card"]))
            loss = _points(mine) - _points(without)
            return 3.2 - 4.0 * self._risk(move["deck"]) + self._gain(move["deck"]) - loss
        if move["do"] == "skill" and move["card"] == "Rabbit":
            return -2.0 if len(self._tunnel) > 3 else 1.0
        if move["do"] == "skill" and move["card"] == "Hatter":
            return 0.8 * len(self._dark[move["target"]]) + 0.1 * _points(self.notebooks[move["target"]])
        if move["do"] == "skill" and move["card"] == "Queen":
            return 1.5 * [_who(card) for card, _ in self._tunnel].count(move["covers"])
        return 0.9

    def _gain(self, deck: int) -> float:
        """What the cards that lie open beside a deck would add to the Notebook."""
        mine = self.notebooks[self._turn]
        seen = [card for card, up in (self._hall[n][-1] for n in self._beside(deck)) if up]
        return 0.3 * (_points(mine + seen) - _points(mine))

    def _do_unlock(self, move: MoveLine) -> None:
        self._keys[self._held()[0]] = f"deck-{move['deck']}/key"
        self._here, self._stage = move["deck"], "explore"

    def _do_cover(self, move: MoveLine) -> None:
        mine = self.notebooks[self._turn]
        card = next(card for card in mine if _who(card) == move["card"])
        mine.remove(card)
        self._hall[move["deck"]].append((card, True))
        self._here, self._stage = move["deck"], "take"

    def _do_take(self, _move: MoveLine) -> None:
        self._new = [self._hall[deck].pop()[0] for deck in self._beside(self._here)]
        self._tunnel += [(card, False) for card in self._new]
        self._stage = "skill"
        self._check()

    def _do_skill(self, move: MoveLine) -> None:
        if move["card"] == "Alice":
            self._keys[next(key for key, place in self._keys.items() if place == MIDDLE)] = f"keys/{self._turn}"
        elif move["card"] == "Rabbit":
            self._tunnel.append((self._hall[move["deck"]].pop()[0], False))
        elif move["card"] == "Hatter":
            dark = self._dark[move["target"]]
            dark.append(self._hall[move["deck"]].pop()[0])
            if _too_many(dark):
                self._veil = dict.fromkeys(dark, f"tunnel/{move['target']}")
                self._discards += dark
                dark.clear()
        elif move["card"] == "Queen":
            queen = next(card for card in self._new if _who(card) == "Queen")
            other = next(card for card in self._new if card != queen)
            self._tunnel = [(card, covered or card == other) for card, covered in self._tunnel]
            self._queened += [other, queen]
        if move["card"] != "Rabbit" or self._check():
            self._go_on()

    def _do_no_skill(self, _move: MoveLine) -> None:
        self._go_on()

    def _do_stop(self, _move: MoveLine) -> None:
        self._finish()

    def _do_refill(self, _move: MoveLine) -> None:
        for card in self._drawn:
            self._discards.remove(card)
        self.notebooks[self._turn] += self._drawn
        self._begin(self._after())

    def _check(self) -> bool:
        """Whether the Tunnel stands; if it doesn't, the turn is over."""
        if not _too_many([card for card, covered in self._tunnel if not covered] + self._dark[self._turn]):
            return True
        fallen = [card for card, _ in self._tunnel]
        places = {card: "covered" if card in self._queened else "tunnel" for card in fallen}
        self._fallen = {card: f"{place}/{self._turn}" for card, place in places.items()}
        self._veil = dict.fromkeys(self._dark[self._turn], f"tunnel/{self._turn}")
        self._discards += fallen
        self._tunnel = []
        self._finish()
        return False

    def _ended(self) -> bool:
        return sum(not deck for deck in self._hall) >= (1 if len(self.names) == 2 else 2)

    def _go_on(self) -> None:
        """After the skill."""
        self._stage, self._here, self._new = "decide", -1, []
        if self._ended():
            self._last = dict(self.table())
            self._finish()

    def _finish(self) -> None:
        mine = self.notebooks[self._turn]
        mine += [card for card, _ in self._tunnel]
        self._discards += self._dark[self._turn]
        self._tunnel, self._queened, self._dark[self._turn] = [], [], []
        self._keys = dict.fromkeys(self._keys, MIDDLE)
        self._here, self._new = -1, []
        if self._ended():
            self._stage = "over"
        elif len(mine) < 3 and self._discards:
            self._stage = "refill"
            self._random.shuffle(self._discards)
            self._drawn = self._discards[: 3 - len(mine)]
        else:
            self._begin(self._after())

    def _after(self) -> str:
        return self.names[(self.names.index(self._turn) + 1) % len(self.names)]

    def _begin(self, name: str) -> None:
        self._turn, self._stage, self._here, self._new, self._drawn = name, "explore", -1, [], []
        for key in list(self._keys)[:2]:
            self._keys[key] = f"keys/{name}"

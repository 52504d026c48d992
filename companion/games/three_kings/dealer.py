"""The dealer of 3 Kings: it knows every card and plays seeded legal games, each player for a Mark of his own.

The world in which it plays (`world.py`) is written from the rulebook on its own account and shares no rule with the
referee, so that the two can be held against each other.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from itertools import permutations
from typing import Any

from companion.core.box import PieceId
from companion.core.dealing import Copies
from companion.core.table import ZoneId
from companion.games.three_kings import adopting, cards, world_actions, zones
from companion.games.three_kings.box import make_box
from companion.games.three_kings.deck import Deck
from companion.games.three_kings.state import State
from companion.games.three_kings.world import CAMP, MoveLine, World, bare, kind, value

GUILDS = ("red", "blue", "purple", "green", "yellow", "orange", "white", "black")
OPTIONS = ("first", "actions")
"""Fields of a line that are kept."""


class ThreeKingsDealer:
    """One game with all its secrets.

    Args:
        seed: of all shuffles and of the players' taste.
        line: `players`, a list of names or of names with guilds; `first` and `actions` as in a set-up line.
        decks: the decks of Action cards that can be named; the first is used where none is.
    """

    def __init__(self, seed: int, line: MoveLine, decks: Mapping[str, Deck]) -> None:
        # The players' taste has its own dice, so that the same moves always meet the same shuffles.
        self._chance, self._taste = random.Random(seed), random.Random(seed + 1)
        players = [p if isinstance(p, Mapping) else {"name": p} for p in line["players"]]
        self.names = [p["name"] for p in players]
        spare = iter([guild for guild in GUILDS if guild not in {p.get("guild") for p in players}])
        self.guilds = {p["name"]: p.get("guild") or next(spare) for p in players}
        self.marks = dict(zip(self.names, self._deal_marks(len(self.names)), strict=False))
        pile = [one for card in cards.deck().values() for one in card.ids]
        self._chance.shuffle(pile)
        thrones = [next(one for one in pile if bare(one) == name) for name in ("noble-1", "merchant-1", "priest-1")]
        pile = [one for one in pile if one not in thrones]
        actions = self._actions(line.get("actions"), decks)
        action_deck = [card.id for card in actions.cards]
        self._chance.shuffle(action_deck)
        first = line.get("first") or self._chance.choice(self.names)
        self._setup = {
            **{key: line[key] for key in OPTIONS if key in line},
            "game": "three_kings",
            "players": [{"name": name, "guild": guild} for name, guild in self.guilds.items()],
            "first": first,
            "thrones": tuple(thrones),
        }
        self.world = World(
            self.names, first, pile, thrones, actions, action_deck, self._chance.shuffle, self._picked
        )  # fmt: skip
        self._backs: dict[tuple[ZoneId, int], PieceId] = {}
        self._turn_down()

    @property
    def setup(self) -> MoveLine:
        """The set-up line of this game."""
        return self._setup

    def choices(self) -> list[MoveLine]:
        """All legal moves now; of a Noble's swaps, and of what can be done by hand, some."""
        return list(self._choices())

    def think(self) -> MoveLine:
        """A move that a player with his Mark might make."""
        moves = self.choices()
        what, taste = moves[0]["do"], self._taste
        if what == "plan":
            moves = [m for m in moves if m["by"] == moves[0]["by"]] if taste.random() < 0.5 else moves
            return max(moves, key=lambda m: sum(m["spaces"]) + taste.random() * 4)
        if what == "intrigue":
            return self._plot(moves)
        if what in ("act", "counsel"):
            doing = [m for m in moves if not m.get("skip") and m.get("perform", True)]
            lazy = 0.08 if what == "act" else 0.3
            return taste.choice(moves if not doing or taste.random() < lazy else doing)
        if what == "action" and "steps" not in moves[0]:
            return moves[0] if taste.random() < 0.85 else taste.choice(moves)
        if what == "action" and taste.random() < 0.4:  # the first is the least, or nothing at all
            return moves[0]
        return taste.choice(moves)

    def do(self, move: MoveLine) -> None:
        """Makes a move of `choices`."""
        self.world.do(move)
        self._turn_down()

    def facts(self) -> MoveLine:
        """The public facts."""
        return self.world.facts()

    def table(self) -> Mapping[PieceId, ZoneId]:
        """Which piece lies in which zone: faces, backs, Counselors and markers."""
        world = self.world
        found = dict(self._placed(*lies) for lies in world.lying())
        for name, guild in self.guilds.items():
            throne = world.sent[name]
            found[f"counselor-{guild}"] = zones.counselors(throne) if throne else zones.home(guild)
        found["first-player"] = zones.first(self.guilds[world.first])
        found |= {f"marker-{camp}": zones.points(camp, vp) for camp, vp in world.vp.items()}
        found["turn-token"] = zones.turn(world.turn)
        return {**found, **{piece: zone for (zone, _), piece in self._backs.items()}}

    def face_down(self) -> Mapping[PieceId, ZoneId]:
        """No piece that can be told apart is turned over where it lies."""
        return {}

    def adopt(self, state: State, lying: Mapping[PieceId, ZoneId]) -> bool:
        """Goes to a state of the rules; all that lies face down or in hands is dealt anew, but for the Marks."""
        self.names = [seat.name for seat in state.seats]
        self.guilds = {seat.name: seat.guild for seat in state.seats}
        known = (*state.thrones, *state.shown, *(one.card for one in state.unseen))
        adopting.adopt(self.world, state, Copies(make_box(state.actions), lying, known), self._chance)
        self._turn_down()
        return True

    def _deal_marks(self, players: int) -> list[str]:
        """By the number of players, the Marks that are dealt; with three players one stays out."""
        three = ["owl", "serpent", "wyvern"]
        kept = self._chance.sample(three, 2)
        pools = {5: [*kept * 2, "eye"], 6: [*kept * 2, "eye", "eye"], 7: [*three * 2, "eye"], 8: [*three, "eye"] * 2}
        if players == 6:
            pools[6] = self._chance.sample([*three, "eye"], 3) * 2
        marks = pools.get(players, [*three, "eye"])
        self._chance.shuffle(marks)
        return marks

    def _actions(self, named: Any, decks: Mapping[str, Deck]) -> Deck:
        if isinstance(named, Mapping):
            import msgspec

            return msgspec.convert(named, Deck)
        return decks.get(named) or next(iter(decks.values()))  # an unknown one is refused when the game is set up

    def _turn_down(self) -> None:
        """Which card lies where face down: any of those that are alike, as long as it stays the same one."""
        lying: list[tuple[ZoneId, int, str]] = []
        for name, spaces in self.world.spaces.items():
            lying += [(zones.space(self.guilds[name], n), 0, "back") for n, card in enumerate(spaces, 1) if card]
        for throne, laid in enumerate(self.world.intrigue, 1):
            there = len(laid) + self.world.swept.count(throne)
            lying += [(zones.intrigue(throne), number, "back") for number in range(there)]
        piles = (self.world.deck, self.world.discards, self.world.infirmary, self.world.action_deck)
        for name, pile in zip(zones.PILE_NAMES, piles, strict=True):
            lying += [(zones.pile(name), 0, "action-back" if name == "actions" else "back")] * bool(pile)
        kept = {(zone, number) for zone, number, _ in lying}
        self._backs = {place: piece for place, piece in self._backs.items() if place in kept}
        for zone, number, name in lying:
            used = set(self._backs.values())
            free = next(piece for copy in range(1, 100) if (piece := f"{name}#{copy:02}") not in used)
            self._backs.setdefault((zone, number), free)

    def _placed(self, piece: str, place: str) -> tuple[PieceId, ZoneId]:
        """A piece and its zone: players' places are called by their guild, Action cards by their number."""
        parts = place.split("/")
        if parts[0] in ("space", "drawn"):
            parts[1] = self.guilds[parts[1]]
        if parts[0] == "drawn":
            ids = [card.id for card in self.world.actions.cards]
            piece = f"action-{ids.index(piece) + 1:02}"
        return piece, zones.place_of(piece, "/".join(parts))

    def _choices(self) -> Iterator[MoveLine]:
        what, *rest = self.world.due
        if self.world.counting:
            return iter([{"do": "fallen", "cards": tuple(sorted(self.world.infirmary))}])
        found: Iterator[MoveLine] = getattr(self, "_may_" + what, self._nothing)(*rest)
        return found

    def _nothing(self) -> Iterator[MoveLine]:
        return iter(())

    def _may_recruit(self, name: str) -> Iterator[MoveLine]:
        yield {"do": "recruit", "by": name}

    def _may_plan(self, names: list[str]) -> Iterator[MoveLine]:
        spaces = [(a, b, c) for a in (True, False) for b in (True, False) for c in (True, False)]
        for name in names:
            able = sum(kind(card) in CAMP for card in self.world.hands[name])
            yield from ({"do": "plan", "spaces": some, "by": name} for some in spaces if sum(some) <= able)

    def _may_reveal(self, number: int) -> Iterator[MoveLine]:
        yield {"do": "reveal", "cards": {name: self.world.spaces[name][number - 1] or None for name in self.names}}

    def _may_act(self, name: str) -> Iterator[MoveLine]:
        yield {"do": "act", "by": name, "perform": False}
        yield from ({"do": "act", "by": name, **how} for how in self._deeds(name, self.world.shown[name]))

    def _may_counsel(self, name: str) -> Iterator[MoveLine]:
        yield {"do": "counsel", "by": name, "skip": True}
        at = self.world.sent[name]
        for throne in [at] if at else (1, 2, 3):
            for how in self._deeds(name, self.world.thrones[throne - 1]):
                yield {"do": "counsel", "by": name, **how, "throne": throne}

    def _may_intrigue(self, name: str) -> Iterator[MoveLine]:
        yield from ({"do": "intrigue", "by": name, "throne": throne} for throne in (1, 2, 3))
        yield {"do": "intrigue", "by": name, "pass": True}

    def _may_cards(self, name: str) -> Iterator[MoveLine]:
        rank = {card: self.world.actions.known(card).rank for card in self.world.open_actions}
        for card in (card for card in rank if rank[card] == min(rank.values())):
            yield {"do": "action", "card": card, "by": name}
            yield {"do": "action", "card": card, "by": name, "perform": False}

    def _may_step(self, name: str, card: str, *_: Any) -> Iterator[MoveLine]:
        for told in world_actions.choices(self.world) or ():
            yield {"do": "action", "card": card, "by": name, "steps": (told,)}

    def _may_award(self, throne: int) -> Iterator[MoveLine]:
        yield {"do": "award", "throne": throne, "cards": tuple(sorted(self.world.intrigue[throne - 1]))}

    def _deeds(self, name: str, card: str) -> Iterator[dict[str, Any]]:
        """How a player may perform a Character."""
        world, most, who = self.world, value(card), kind(card)
        pairs = [(i, j) for i in range(most + 1) for j in range(most + 1 - i)]
        if who == "noble":
            yield from ({"swaps": swaps} for swaps in self._swaps(name, most))
        elif who == "guard":
            yield from ({"infirmary": i, "bottom": j} for i, j in pairs if i + j <= len(world.discards))
        elif who == "merchant":
            yield from ({"deck": j, "discards": i} for i, j in pairs if i <= len(world.discards))
        elif who == "mercenary":
            yield from self._shown_actions(world.action_deck, most, {"c": 0, "x": 0})
        for other in world.others(name):
            if who == "priest":
                there = min(most, len(world.hands[other]))
                yield from ({"from": other, "count": number} for number in range(there + 1))
            elif who == "spy":
                yield from (
                    {**how, "from": other} for how in self._shown_actions(world.past[other], most, {"count": 0})
                )

    def _swaps(self, name: str, most: int) -> Iterator[tuple[dict[str, Any], ...]]:
        """No swap, each single one, and some of several Thrones at once."""
        able = [card for card in self.world.hands[name] if "-" in card]
        yield ()
        yield from (({"throne": throne, "card": card},) for throne in (1, 2, 3) for card in able)
        for number in range(2, most + 1):
            for chosen in permutations(able[:3], number):
                yield tuple({"throne": t, "card": card} for t, card in enumerate(chosen, 1))

    def _shown_actions(self, pile: list[str], most: int, none: dict[str, int]) -> Iterator[dict[str, Any]]:
        """The top Action cards of a pile, so many and by name; or none; or counted only, since nobody reads them."""
        yield none
        rank = {card.id: card.rank for card in self.world.actions.cards}
        mark = {card.id: card.mark for card in self.world.actions.cards}
        for number in range(1, min(most, len(pile)) + 1):
            top = pile[::-1][:number]
            yield {"actions": tuple(sorted(top, key=lambda one: (rank[one], one)))}
            kept = sum(mark[one] == "C" for one in top)
            yield {"count": number} if "count" in none else {"c": kept, "x": number - kept}

    def _plot(self, moves: list[MoveLine]) -> MoveLine:
        """Where a player lays a card, or whether he keeps what he has."""
        name, taste = moves[0]["by"], self._taste
        if taste.random() < 1 / (1 + len(self.world.hands[name])):
            return moves[-1]
        mine = [CAMP[kind(card)] == self.marks.get(name) for card in self.world.thrones]
        return max(moves[:-1], key=lambda m: mine[m["throne"] - 1] + taste.random() * 2)

    def _picked(self, what: str, who: str, some: list[str], number: int) -> list[str]:
        """Which cards are taken of some: stolen ones blindly, others as suits the Mark."""
        if what == "steal":
            return self._chance.sample(some, number)
        mark = self.marks.get(who)

        def liked(card: str) -> float:
            own = CAMP.get(kind(card), "eye" if kind(card) == "corruption" else "") == mark
            wanted = 1.0 if what.startswith("intrigue") else -1.0
            return wanted * (2 * own + value(card) / 3) + self._taste.random() * 3

        return sorted(some, key=liked, reverse=True)[:number]

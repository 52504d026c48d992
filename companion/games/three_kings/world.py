"""The whole world of a game of 3 Kings: every card, every hand, every Mark. The dealer plays in it.

It is written from the rulebook on its own account and shares no rule with the referee. What is to be done lies on an
agenda: tasks that nobody decides are done by themselves; the first that somebody has to decide is where the game
stands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from companion.games.three_kings.deck import Deck

MoveLine = Mapping[str, Any]
Pick = Callable[[str, str, list[str], int], list[str]]
"""Which cards somebody takes of some: for what, who, of which, how many."""
CAMP = {
    "noble": "owl",
    "guard": "owl",
    "merchant": "wyvern",
    "mercenary": "wyvern",
    "priest": "serpent",
    "spy": "serpent",
}
BEATS = {"owl": "wyvern", "wyvern": "serpent", "serpent": "owl"}


def kind(card: str) -> str:
    """What a card is, without value and copy."""
    return next(one for one in (*CAMP, "corruption", "purge") if card.startswith(one))


def value(card: str) -> int:
    """Its value; 0 for Purge and Corruption."""
    return int(card.split("-")[1][0]) if "-" in card else 0


def bare(card: str) -> str:
    """Its name without copy letter."""
    return kind(card) + (f"-{value(card)}" if "-" in card else "")


class World:
    """Everything there is, and the moves that change it.

    Args:
        names: the players, clockwise.
        first: who has the First Player card.
        pile: the Character deck, the top card last.
        thrones: who sits on the Thrones.
        actions: what the Action cards do.
        action_deck: their ids, the top card last.
        shuffle: mixes a pile.
        pick: chooses what people choose unseen, or by chance.
    """

    def __init__(
        self,
        names: list[str],
        first: str,
        pile: list[str],
        thrones: list[str],
        actions: Deck,
        action_deck: list[str],
        shuffle: Callable[[list[str]], None],
        pick: Pick,
    ) -> None:
        self.names, self.first, self.deck, self.thrones = names, first, pile, thrones
        self.actions, self.action_deck, self.shuffle, self.pick = actions, action_deck, shuffle, pick
        self.hands: dict[str, list[str]] = {name: [] for name in names}
        self.spaces: dict[str, list[str]] = {name: ["", "", ""] for name in names}
        self.shown: dict[str, str] = {}
        self.past: dict[str, list[str]] = {name: [] for name in names}
        self.sent: dict[str, int | None] = dict.fromkeys(names)
        self.discards: list[str] = []
        self.infirmary: list[str] = []
        self.intrigue: list[list[str]] = [[], [], []]
        self.vp = {"owl": 0, "wyvern": 0, "serpent": 0, "eye": 0}
        self.guarded: set[str] = set()
        self.kidnapped: set[int] = set()
        self.eye_peak = 0
        self.turn, self.phase, self.round = 1, "recruit", 0
        self.active: str | None = None
        self.open_actions: list[str] = []
        self.lately: list[tuple[str, str]] = []
        self.swept: list[int] = []
        self.last_step = 0
        self.over: list[str] | None = None
        self.agenda: list[tuple[Any, ...]] = []
        self._begin_turn()

    def circle(self, start: str) -> list[str]:
        """All players clockwise from one."""
        at = self.names.index(start)
        return self.names[at:] + self.names[:at]

    def others(self, name: str) -> list[str]:
        """Whom an effect of this player may concern."""
        return [one for one in self.circle(name)[1:] if one not in self.guarded]

    @property
    def due(self) -> tuple[Any, ...]:
        """What has to be decided now; empty when the game is over."""
        return self.agenda[0] if self.agenda else ("over",)

    @property
    def counting(self) -> bool:
        """Somebody has to count the Fallen."""
        return self.due[0] in ("draw", "final")

    def facts(self) -> dict[str, Any]:
        """The public facts."""
        draws = 0
        for task in self.agenda:
            if task[0] != "draw":
                break
            draws += task[2]
        return {
            "turn": self.turn,
            "phase": "over" if self.over else "final-count" if self.due[0] == "final" else self.phase,
            "round": self.round,
            "active": self.active,
            "first": self.first,
            "vp": dict(self.vp),
            "thrones": [bare(card) for card in self.thrones],
            "counselors": dict(self.sent),
            "hands": {name: len(hand) for name, hand in self.hands.items()},
            "deck": len(self.deck),
            "discards": len(self.discards),
            "infirmary": len(self.infirmary),
            "intrigue": [len(cards) for cards in self.intrigue],
            "past": {name: len(cards) for name, cards in self.past.items()},
            "action_deck": len(self.action_deck),
            "pending_draw": draws,
            "winners": self.over,
        }

    def do(self, move: MoveLine) -> None:
        """Makes a move that is possible now."""
        self.lately, self.swept = [], []
        getattr(self, "_do_" + move["do"])(move)
        self._settle()

    # The agenda

    def _begin_turn(self) -> None:
        self.round = 0
        self.agenda = [("phase", "recruit"), *(("recruit", name) for name in self.circle(self.first))]
        self.agenda += [("phase", "plan"), ("plan", list(self.circle(self.first)))]
        for number in (1, 2, 3):
            self.agenda += [("reveal", number), ("acts",)]
        self.agenda += [("counsels",), ("intrigues",), ("awards",), ("evening",)]
        self._settle()

    def _settle(self) -> None:
        """Does what nobody decides, up to the next decision."""
        while self.agenda:
            what, *rest = self.agenda[0]
            handler = getattr(self, "_auto_" + what, None)
            if handler is None or not handler(*rest):
                return

    def _done(self, *instead: tuple[Any, ...]) -> bool:
        self.agenda[:1] = instead
        return True

    def _auto_phase(self, name: str) -> bool:
        self.phase, self.active = name, None
        return self._done()

    def _auto_recruit(self, name: str) -> bool:
        self.active = name
        return len(self.hands[name]) == 6 and self._done()

    def _auto_plan(self, left: list[str]) -> bool:
        return not left and self._done()

    def _auto_reveal(self, number: int) -> bool:
        self.phase, self.round, self.active = "reveal", number, None
        return False

    def _auto_acts(self) -> bool:
        self.phase = "action"
        return self._done(*(("act", name) for name in self.circle(self.first) if name in self.shown))

    def _auto_act(self, name: str) -> bool:
        self.active = name
        return False

    def _auto_bury(self, name: str) -> bool:
        self.discards.append(self.shown.pop(name))
        return self._done()

    def _auto_counsels(self) -> bool:
        self.phase = "counsel"
        return self._done(*(("counsel", name) for name in self.circle(self.first)))

    def _auto_counsel(self, name: str) -> bool:
        self.active = name
        return False

    def _auto_intrigues(self) -> bool:
        self.phase, self.active = "intrigue", None
        return self._done(*(("intrigue", name) for name in self.circle(self.first)))

    def _auto_intrigue(self, name: str) -> bool:
        self.active = name
        return not self.hands[name] and self._done()

    def _auto_awards(self) -> bool:
        self.phase, self.active = "award", None
        return self._done(("award", 1), ("award", 2), ("award", 3))

    def _auto_award(self, throne: int) -> bool:
        if throne not in self.kidnapped:
            return False
        self.swept += [throne] * len(self.intrigue[throne - 1])
        self.discards += self.intrigue[throne - 1]
        self.intrigue[throne - 1] = []
        return self._done()

    def _auto_evening(self) -> bool:
        """The Majority, then the next Turn or the end."""
        camps = [CAMP[kind(c)] for t, c in enumerate(self.thrones, 1) if t not in self.kidnapped]
        if camps and all(camps.count(camp) <= len(camps) / 2 for camp in camps):
            self.score("eye", 3)
        self.guarded, self.kidnapped = set(), set()
        if self.eye_peak >= 15:
            self.over = ["eye"]
            return self._done() and False
        if self.turn == 4:
            return self._done(("final",))
        self.turn += 1
        self._begin_turn()
        return False

    def _auto_draw(self, name: str, number: int) -> bool:
        """Cards from the Character deck, into a hand or onto a pile; without any left somebody has to count."""
        pile = self.pile(name)
        while number and self.deck:
            pile.append(self.deck.pop())
            number -= 1
        if number and (self.discards or self.infirmary):
            self.agenda[0] = ("draw", name, number)
            return False
        return self._done()

    def _auto_cards(self, _name: str) -> bool:
        return not self.open_actions and self._done()

    def _auto_away(self, name: str, card: str) -> bool:
        self.open_actions.remove(card)
        if self.actions.known(card).mark == "C":
            self.past[name].append(card)
        return self._done()

    def _auto_step(self, name: str, card: str, number: int, _moved: Any) -> bool:
        from companion.games.three_kings import world_actions

        return world_actions.begin(self, name, self.actions.known(card).effect[number])

    # What people do

    def _do_recruit(self, move: MoveLine) -> None:
        name = move["by"]
        lacking = 6 - len(self.hands[name])
        if lacking < 0:
            for card in self.pick("discard", name, self.hands[name], -lacking):
                self.hands[name].remove(card)
                self.discards.append(card)
        self._done(*[("draw", name, lacking)] * (lacking > 0))

    def _do_fallen(self, move: MoveLine) -> None:
        for card in move["cards"]:
            plus = {"mercenary": "owl", "priest": "owl", "noble": "wyvern", "spy": "wyvern"}
            plus |= {"merchant": "serpent", "guard": "serpent"}
            minus = {"noble": "owl", "merchant": "wyvern", "priest": "serpent", "corruption": "eye"}
            for found, points in ((plus, 1), (minus, -1)):
                if kind(card) in found:
                    self.score(found[kind(card)], points)
        self.lately = [(card, "infirmary") for card in self.infirmary]
        self.deck += self.infirmary + self.discards
        self.infirmary, self.discards = [], []
        self.shuffle(self.deck)
        if self.due[0] == "final":
            best = max(self.vp.values())
            self.over = [camp for camp, points in self.vp.items() if points == best]
            self._done()

    def _do_plan(self, move: MoveLine) -> None:
        name, spaces = move["by"], move["spaces"]
        able = [card for card in self.hands[name] if kind(card) in CAMP]
        chosen = self.pick("plan", name, able, sum(spaces))
        for number, taken in enumerate(spaces):
            if taken:
                card = chosen.pop()
                self.hands[name].remove(card)
                self.spaces[name][number] = card
        self.agenda[0] = ("plan", [one for one in self.agenda[0][1] if one != name])

    def _do_reveal(self, move: MoveLine) -> None:
        for name, card in move["cards"].items():
            if card:
                self.shown[name] = card
                self.spaces[name][self.round - 1] = ""
        self._done()

    def _do_act(self, move: MoveLine) -> None:
        name = move["by"]
        self._done(("bury", name))
        if move.get("perform", True):
            self._perform(name, self.shown[name], move)

    def _do_counsel(self, move: MoveLine) -> None:
        name = move["by"]
        self._done()
        if not move.get("skip"):
            self.sent[name] = move["throne"]
            self._perform(name, self.thrones[move["throne"] - 1], move)

    def _perform(self, name: str, card: str, move: MoveLine) -> None:
        getattr(self, "_as_" + kind(card))(name, move)

    def _as_noble(self, name: str, move: MoveLine) -> None:
        old = list(self.thrones)
        for swap in move["swaps"]:
            self.hands[name].remove(swap["card"])
            self.unseat(swap["throne"])
            self.thrones[swap["throne"] - 1] = swap["card"]
        self.hands[name] += [old[swap["throne"] - 1] for swap in move["swaps"]]
        self.first = name

    def _as_guard(self, _name: str, move: MoveLine) -> None:
        top = [self.discards.pop() for _ in range(move["infirmary"] + move["bottom"])]
        self.infirmary += top[: move["infirmary"]]
        self.discards[:0] = top[move["infirmary"] :]

    def _as_merchant(self, name: str, move: MoveLine) -> None:
        self.hands[name] += [self.discards.pop() for _ in range(move["discards"])]
        self.agenda.insert(0, ("draw", name, move["deck"]))

    def _as_mercenary(self, name: str, move: MoveLine) -> None:
        named = "actions" in move
        number = len(move["actions"]) if named else move["c"] + move["x"]
        taken = [self.action_deck.pop() for _ in range(number)]
        self._lay_open(name, move.get("actions", taken), named)

    def _as_priest(self, name: str, move: MoveLine) -> None:
        if move["count"]:
            for card in self.pick("steal", name, self.hands[move["from"]], move["count"]):
                self.hands[move["from"]].remove(card)
                self.hands[name].append(card)

    def _as_spy(self, name: str, move: MoveLine) -> None:
        named = "actions" in move
        number = len(move["actions"]) if named else move["count"]
        pile = self.past[move["from"]]
        taken = pile[len(pile) - number :]
        self.past[move["from"]] = pile[: len(pile) - number]
        self._lay_open(name, move.get("actions", taken), named)

    def _lay_open(self, name: str, taken: Sequence[str], named: bool) -> None:
        """Action cards are shown, of equal ranks as the player likes; if nobody names them, all are only put away."""
        taken = sorted(taken, key=lambda card: self.actions.known(card).rank)
        if not named:
            self.past[name] += [card for card in taken if self.actions.known(card).mark == "C"]
            return
        self.open_actions = taken
        self.agenda.insert(0, ("cards", name))

    def _do_action(self, move: MoveLine) -> None:
        name, card = move["by"], move["card"]
        if self.due[0] == "step":
            from companion.games.three_kings import world_actions

            world_actions.go_on(self, move["steps"][0])
            return
        self.open_actions.sort(key=lambda one: one != card)
        steps: list[tuple[Any, ...]] = []
        if move.get("perform", True):
            self.last_step = 0
            steps = [("step", name, card, number, None) for number in range(len(self.actions.known(card).effect))]
        self.agenda[:0] = [*steps, ("away", name, card)]

    def _do_intrigue(self, move: MoveLine) -> None:
        name = move["by"]
        self._done()
        if move.get("pass"):
            return
        (card,) = self.pick(f"intrigue-{move['throne']}", name, self.hands[name], 1)
        self.hands[name].remove(card)
        self.intrigue[move["throne"] - 1].append(card)
        after = next((i for i, task in enumerate(self.agenda) if task[0] != "intrigue"), 0)
        self.agenda.insert(after, ("intrigue", name))

    def _do_award(self, move: MoveLine) -> None:
        throne = move["throne"]
        shown, sitting = list(move["cards"]), self.thrones[throne - 1]
        power = {camp: sum(value(c) for c in shown if CAMP.get(kind(c)) == camp) for camp in BEATS}
        camp = CAMP[kind(sitting)]
        defence = power.pop(camp) + value(sitting) + list(self.sent.values()).count(throne)
        if defence <= sum(power.values()):
            one, two = power
            winner = one if (power[one], BEATS[one] == two) > (power[two], BEATS[two] == one) else two
            army = [c for c in shown if CAMP.get(kind(c)) == winner]
            top = max(value(c) for c in army)
            strongest = [c for c in army if value(c) == top]
            king = next((c for c in strongest if kind(c) in ("noble", "merchant", "priest")), strongest[0])
            shown.remove(king)
            self.unseat(throne)
            self.infirmary.append(sitting)
            self.thrones[throne - 1] = king
            camp = winner
        bad = sum({"corruption": 1, "purge": -1}.get(kind(c), 0) for c in move["cards"])
        self.score("eye" if bad > 0 else camp, 2)
        self.lately = [(card, f"intrigue/{throne}") for card in shown]
        self.shuffle(shown)
        self.discards += shown
        self.intrigue[throne - 1] = []
        self._done()

    # What several of these need

    def score(self, camp: str, points: int) -> None:
        """A faction wins or loses points."""
        self.vp[camp] += points
        self.eye_peak = max(self.eye_peak, self.vp["eye"])

    def unseat(self, throne: int) -> None:
        """The card of a Throne goes: its Counselors are free."""
        self.sent = {name: None if at == throne else at for name, at in self.sent.items()}

    def pile(self, name: str) -> list[str]:
        """A pile, or a player's hand."""
        piles = {"deck": self.deck, "discards": self.discards, "infirmary": self.infirmary}
        return piles[name] if name in piles else self.hands[name]

    def lying(self) -> Iterator[tuple[str, str]]:
        """What lies open: each card with its place; a player's places are called by his name."""
        yield from ((card, f"throne/{number}") for number, card in enumerate(self.thrones, 1))
        yield from ((card, f"space/{name}/{self.round}") for name, card in self.shown.items())
        yield from ((card, f"drawn/{self.active}") for card in self.open_actions)
        yield from self.lately

"""The public state of Wonderland XIII: what the table has shown, and counts of what it has not.

Pieces and copies: the rules don't tell copies of a character apart, so nothing here names one. A layout names each card
by its character, once for each time it lies there (`("Alice", ZONE)`), and `compare` matches any copy with it. What of
this lies in plain sight: all `notebooks`; the `tunnel` without `covered` (each of those lies under a Queen of the
Tunnel); of a deck only `Deck.top`, the rest of `Deck.up` lies below it; of the `discards` whatever is on top. `hatter`
lies face down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import msgspec

from companion.games.wonderland.spirits import CARDS, COUNTS, in_order, score

DECKS = 5
KEYS = 4
TURN_KEYS = 2
"""Keys that a player takes at the start of his turn. Source: rulebook, Game's Flow."""
NOTEBOOK = 3
"""Cards dealt to each player, and to which he refills. Source: rulebook, Setting and Step 4."""
EMPTY_AT_END = {2: 1, 3: 2, 4: 2}
"""By number of players: how many empty decks end the game. Source: rulebook, End Conditions."""

Cards = tuple[str, ...]


class Deck(msgspec.Struct, frozen=True):
    """One deck of the Hall: cards that nobody has seen, and above them those that cover it.

    Attributes:
        down: how many lie face down.
        up: the covering cards, topmost last.
    """

    down: int
    up: Cards = ()

    @property
    def size(self) -> int:
        """How many cards lie there."""
        return self.down + len(self.up)

    @property
    def top(self) -> str:
        """The covering card on top; empty where the top card lies face down, or none is left."""
        return self.up[-1] if self.up else ""

    @property
    def veiled(self) -> bool:
        """Its top card lies face down, so that Rabbit, Cat and Hatter can draw or look there."""
        return self.down > 0 and not self.up


class Turned(msgspec.Struct, frozen=True):
    """A top card that a skill has turned up: it may lie open on its deck until it is brought where it belongs.

    Attributes:
        deck: from which it came.
        card: what it is.
        target: the Hatter's: the player who gets it; empty for the White Rabbit's.
    """

    deck: int
    card: str
    target: str = ""


class State(msgspec.Struct, frozen=True):
    """One moment of a game. Seats are counted clockwise from 0, decks from 0 to 4 round the Hall.

    Piles whose order means nothing are sorted by name.

    Attributes:
        players: names by seat.
        turn: whose turn it is, also while he refills.
        phase: what comes next: `explore` (`unlock`, or, after one, `cover`), `take` (the neighbours' top cards),
            `skill` (of one of `gained`), `decide` (go on by `unlock` or `cover`, or `stop`), `refill`, or `over`.
        notebooks: by seat.
        decks: the five decks.
        keys: that the turn player holds. Those of unlocked decks lie beside them, the rest in the middle.
        unlocked: decks with a Key of this turn beside them, in that order.
        deck: the deck of this Explore, once it was unlocked or covered; None before that and after its skill.
        gained: the two cards of this Explore, while one of their skills is due.
        tunnel: of the turn player, covered cards included; the Hatter's face-down cards are not in it.
        covered: those cards of the Tunnel that lie under a Queen, and don't count.
        hatter: by seat, cards that the Hatter has put face down into the Tunnel. The owner has not seen them.
        discards: the Discard Pile.
        turned: the card that the last White Rabbit or Hatter has turned up, until a deck is covered.
    """

    players: tuple[str, ...]
    turn: int
    notebooks: tuple[Cards, ...]
    decks: tuple[Deck, ...]
    phase: str = "explore"
    keys: int = TURN_KEYS
    unlocked: tuple[int, ...] = ()
    deck: int | None = None
    gained: Cards = ()
    tunnel: Cards = ()
    covered: Cards = ()
    hatter: tuple[Cards, ...] = ()
    discards: Cards = ()
    turned: Turned | None = None

    @property
    def notebook(self) -> Cards:
        """That of the turn player."""
        return self.notebooks[self.turn]

    @property
    def keys_middle(self) -> int:
        """Keys in the middle of the Hall."""
        return KEYS - self.keys - len(self.unlocked)

    @property
    def counting(self) -> Cards:
        """The cards that the check of the turn player's Tunnel counts: the Hatter's with it, covered ones without."""
        return in_order((Counter(self.tunnel) - Counter(self.covered)).elements()) + self.hatter[self.turn]

    @property
    def unseen(self) -> Mapping[str, int]:
        """By card, how many lie face down in the decks, as far as the table has shown."""
        seen = Counter(card for pile in (*self.notebooks, *self.hatter, self.tunnel, self.discards) for card in pile)
        seen.update(card for deck in self.decks for card in deck.up)
        return {card: COUNTS[card] - seen[card] for card in CARDS}

    def neighbours(self, deck: int) -> tuple[int, int]:
        """The nearest decks with cards to the left and to the right of a deck in the ring: an empty one is skipped.

        Source: rulebook, Step 1 and End Conditions; rulings, Hall.
        """
        ring = [(deck + step) % DECKS for step in range(1, DECKS)]
        there = [other for other in ring if self.decks[other].size]
        return there[-1], there[0]

    @property
    def can_explore(self) -> bool:
        """The turn player has a card to cover with, and an unlocked deck with cards or a Key for another.

        Source: rulings, Turn.
        """
        return bool(self.notebook) and any(
            deck.size and (number in self.unlocked or self.keys) for number, deck in enumerate(self.decks)
        )

    @property
    def ending(self) -> bool:
        """So many decks are empty that the game ends, at the latest after this Explore."""
        return sum(not deck.size for deck in self.decks) >= EMPTY_AT_END[len(self.players)]

    @property
    def missing(self) -> int:
        """How many cards the turn player has to draw from the discards at the end of his turn."""
        return max(0, min(NOTEBOOK - len(self.notebook), len(self.discards)))

    @property
    def scores(self) -> tuple[int, ...]:
        """What each Notebook is worth."""
        return tuple(score(cards) for cards in self.notebooks)

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has the best Notebook once the game is over; equal ones share the victory."""
        if self.phase != "over":
            return ()
        return tuple(seat for seat, found in enumerate(self.scores) if found == max(self.scores))

    def seat_of(self, name: str) -> int | None:
        """The seat of the player with this name."""
        return self.players.index(name) if name in self.players else None


def facts(state: State) -> dict[str, object]:
    """The public facts, in the shape of the referee protocol."""
    names, over = state.players, state.phase == "over"
    return {
        "phase": state.phase,
        "turn": None if over else names[state.turn],
        "keys_middle": state.keys_middle,
        "keys_hand": state.keys,
        "unlocked": sorted(state.unlocked),
        "sizes": [deck.size for deck in state.decks],
        "decks": [{"down": deck.down, "up": list(deck.up)} for deck in state.decks],
        "tunnel": list(state.tunnel),
        "covered": list(state.covered),
        "hatter": dict(zip(names, map(list, state.hatter), strict=True)),
        "notebooks": dict(zip(names, map(list, state.notebooks), strict=True)),
        "discards": list(state.discards),
        "discards_count": len(state.discards),
        "can_continue": state.phase == "decide" and state.can_explore,
        "scores": dict(zip(names, state.scores, strict=True)),
        "winners": [names[seat] for seat in state.winners] if over else None,
    }

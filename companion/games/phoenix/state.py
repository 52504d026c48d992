"""The public state of Schatz des Phönix: what the table has shown, and counts of what it has not."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.phoenix.box import LARGE_VALUE, NESTS, box
from companion.games.phoenix.combos import worth
from companion.games.phoenix.unseen import Pool

ROUNDS = 3
HAND = 5
PER_SIDE = 2


class Seat(msgspec.Struct, frozen=True):
    """A player's place: name and guild."""

    name: str
    guild: str


class State(msgspec.Struct, frozen=True):
    """One moment of a game. Seats are counted clockwise from 0.

    Attributes:
        seats: the players.
        round: 1 to 3.
        turn: whose placement is next, while cards are being played.
        to_draw: who still has to draw for his last placement.
        holder: who has the starting player token.
        large_to: who took the large 10 of this round; he gets the starting player token after the big nest.
        deck: cards in the draw deck.
        hands: cards in each hand.
        open: the face-up card beside the deck; empty if there is none.
        discards: cards that were seen before they were discarded.
        buried: number of further discards, of unknown content.
        nests: by nest and seat, the cards lying there.
        tokens: by nest, the values of its small tokens.
        large_there: the large 10 still lies in the big nest.
        stock: values of the small tokens that have not been in a nest yet.
        scores: treasure of each player.
        unseen: what is known about hidden cards.
    """

    seats: tuple[Seat, ...]
    round: int
    turn: int
    to_draw: int | None
    holder: int
    large_to: int | None
    deck: int
    hands: tuple[int, ...]
    open: str
    discards: tuple[str, ...]
    buried: int
    nests: tuple[tuple[tuple[str, ...], ...], ...]
    tokens: tuple[tuple[int, ...], ...]
    large_there: bool
    stock: tuple[int, ...]
    scores: tuple[int, ...]
    unseen: Pool

    @property
    def filled(self) -> bool:
        """Everyone has played two cards at every nest."""
        return all(len(cards) == PER_SIDE for nest in self.nests for cards in nest)

    @property
    def phase(self) -> str:
        """`play`, `treasure`, `between` or `over`."""
        if not self.filled:
            return "play"
        if self.picking:
            return "treasure"
        return "between" if self.round < ROUNDS else "over"

    @property
    def picking(self) -> tuple[int, tuple[int, ...]] | None:
        """The nest whose treasure is being shared out, and the seats that still pick, in order."""
        if not self.filled:
            return None
        for nest, name in enumerate(NESTS):
            left = len(self.tokens[nest]) + (self.large_there and name == "big")
            if left:
                picks = small_tokens(len(self.seats)) + (name == "big")
                return nest, self.ranking(nest)[max(0, picks - left) : picks]
        return None

    def ranking(self, nest: int) -> tuple[int, ...]:
        """All seats by the value of their combo at a nest, equal ones in turn order from the token holder.

        Source: rulebook, Distributing Treasures.
        """
        players = len(self.seats)
        return tuple(sorted(range(players), key=lambda seat: (-self.combo(nest, seat), (seat - self.holder) % players)))

    def combo(self, nest: int, seat: int) -> int:
        """What a player's two cards at a nest are worth; both must lie."""
        first, second = self.nests[nest][seat]
        return worth(first, second)

    @property
    def sizes(self) -> tuple[int, ...]:
        """How many unseen cards each place holds: deck, hands, unknown discards."""
        return (self.deck, *self.hands, self.buried)

    def lying(self) -> Iterator[str]:
        """All cards that lie face up, or were seen and discarded."""
        for nest in self.nests:
            for cards in nest:
                yield from cards
        yield from self.discards
        if self.open:
            yield self.open

    def seat_of(self, name: str) -> int | None:
        """The seat of the player with this name."""
        return next((index for index, seat in enumerate(self.seats) if seat.name == name), None)

    def seat_at(self, guild: str) -> int | None:
        """The seat of the player with this guild."""
        return next((index for index, seat in enumerate(self.seats) if seat.guild == guild), None)

    def values_in(self, nest: int) -> tuple[int, ...]:
        """Values of all tokens in a nest, the large 10 last."""
        return self.tokens[nest] + ((LARGE_VALUE,) if self.large_there and NESTS[nest] == "big" else ())

    @property
    def winners(self) -> tuple[int, ...]:
        """Who has most treasure once the game is over."""
        if self.phase != "over":
            return ()
        return tuple(seat for seat, score in enumerate(self.scores) if score == max(self.scores))


def small_tokens(players: int) -> int:
    """How many small tokens lie in each nest at first. Source: rulebook, Setup."""
    return 4 if players == 6 else players - 1


def facts(state: State) -> dict[str, object]:
    """The public facts, in the shape of the referee protocol; cards go without their copy letter."""
    names = [seat.name for seat in state.seats]
    bare = box().name_of
    picking = state.picking
    phase = state.phase
    turn = {"play": state.turn, "treasure": picking[1][0] if picking and picking[1] else None}.get(phase)
    return {
        "round": state.round,
        "phase": phase,
        "turn": None if turn is None else names[turn],
        "to_draw": None if state.to_draw is None else names[state.to_draw],
        "holder": names[state.holder],
        "deck": state.deck,
        "discards": len(state.discards) + state.buried,
        "open": bare(state.open) or None,
        "hands": dict(zip(names, state.hands, strict=True)),
        "nests": {
            nest: {name: [bare(card) for card in cards] for name, cards in zip(names, row, strict=True)}
            for nest, row in zip(NESTS, state.nests, strict=True)
        },
        "tokens": {nest: sorted(values) for nest, values in zip(NESTS, state.tokens, strict=True)},
        "large_there": state.large_there,
        "picking": {"nest": NESTS[picking[0]], "order": [names[seat] for seat in picking[1]]} if picking else None,
        "scores": dict(zip(names, state.scores, strict=True)),
        "winners": [names[seat] for seat in state.winners] if phase == "over" else None,
    }

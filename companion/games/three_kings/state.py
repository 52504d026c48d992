"""The public state of 3 Kings: what the table has shown, and counts of what it has not.

Names of zones, as `lying` and `loose` use them: `throne/N` a Throne with its Counselors, `intrigue/N` the space before
it, `space/GUILD/N` the spaces of a player's board, `drawn/GUILD` the Action cards that a player has drawn and not yet
dealt with, `seat/GUILD` what lies before a player, `infirmary` the Infirmary.
"""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from companion.games.three_kings import cards
from companion.games.three_kings.cards import EYE, FACTIONS
from companion.games.three_kings.deck import ActionCard, Deck
from companion.games.three_kings.unseen import Pool

TURNS, ROUNDS, THRONES, HAND = 4, 3, 3, 6
EYE_WINS_AT = 15
"""Points with which the Eye of the Lodge ends the game. Source: rulebook, End of the Game."""
GUILDS = ("red", "blue", "purple", "green", "yellow", "orange", "white", "black")
"""Colours of the boards and Counselors, by which a player's places are called."""
FACE_DOWN = "back"
"""What is seen of a card that lies face down."""
FIRST_CARD = "first-player"
"""The piece that lies before the First Player."""
PHASES = ("recruit", "plan", "reveal", "action", "counsel", "intrigue", "award", "final-count", "over")


class Seat(msgspec.Struct, frozen=True):
    """A player's place: name, and colour of his board and Counselor."""

    name: str
    guild: str

    @property
    def counselor(self) -> str:
        """The piece that is his Counselor."""
        return f"counselor-{self.guild}"


class Fought(msgspec.Struct, frozen=True):
    """The fight for a Throne that was decided last, for those who want to know why.

    Attributes:
        throne: which one, from 1.
        sitting: the card that sat there.
        counselors: how many stood there.
        cards: what was revealed.
    """

    throne: int
    sitting: str
    counselors: int
    cards: tuple[str, ...]


class State(msgspec.Struct, frozen=True):
    """One moment of a game. Seats are counted clockwise from 0, Thrones from 1, factions as in `cards.FACTIONS`.

    Attributes:
        seats: the players.
        actions: the Action deck's cards.
        turn: 1 to 4.
        phase: one of `PHASES`. During a Count of the Fallen it is the phase that the Count interrupts.
        round: of the Turn's three, 0 before the first.
        first: who has the First Player card.
        waiting: who still has to move in this phase, in order: in `plan` in any order, in `intrigue` going round.
        vp: Victory Points of each faction.
        eye_reached: the Eye has had 15 points at some moment.
        thrones: the card on each Throne.
        closed: Thrones that are deactivated until the Turn ends.
        counselors: by seat the Throne his Counselor stands on, 0 if he has him.
        protected: seats that the Bodyguards protect until the Turn ends.
        hands: cards in each hand.
        spaces: by seat, which of his spaces hold a card that is still face down.
        shown: by seat, the card that he has revealed in this Round and not dealt with; empty if none.
        deck: cards in the Character deck.
        discards: cards in the Discards.
        infirmary: cards in the Infirmary.
        intrigue: cards in each Throne's Intrigue space.
        awarding: in `award` the Throne whose turn it is.
        pending: draws that wait for a Count of the Fallen: the place they go to (see `unseen.py`), and how many.
        drawn: Action cards that lie open before whoever moves, lowest rank first; those still to be dealt with.
        at: the step of the first of them that comes next; None if it isn't said yet whether it is performed.
        done: how many cards the step before moved.
        past: by seat, the Past Actions, the top one last; empty text for a card nobody named.
        action_deck: cards in the Action deck.
        boxed: Action cards that were seen to be put back into the box.
        left: cards that were counted last, in this awarding or in a Count, and may still lie there, with their place.
        fought: the fight that was decided last, until the next move.
        late: what has got another place, with the zone before, where it may lie until people go on.
        unseen: what is known about cards that lie face down or in hands.
    """

    seats: tuple[Seat, ...]
    actions: Deck
    turn: int
    phase: str
    first: int
    waiting: tuple[int, ...]
    vp: tuple[int, ...]
    thrones: tuple[str, ...]
    counselors: tuple[int, ...]
    hands: tuple[int, ...]
    spaces: tuple[tuple[bool, ...], ...]
    shown: tuple[str, ...]
    deck: int
    discards: int
    infirmary: int
    intrigue: tuple[int, ...]
    past: tuple[tuple[str, ...], ...]
    action_deck: int
    unseen: Pool
    round: int = 0
    eye_reached: bool = False
    closed: tuple[int, ...] = ()
    protected: tuple[int, ...] = ()
    awarding: int = 0
    pending: tuple[tuple[int, int], ...] = ()
    drawn: tuple[str, ...] = ()
    at: int | None = None
    done: int = 0
    boxed: tuple[str, ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    fought: Fought | None = None
    late: tuple[tuple[str, str], ...] = ()

    @property
    def active(self) -> int | None:
        """Whose turn it is; None where it is everybody's or nobody's."""
        return self.waiting[0] if self.phase in ("recruit", "action", "counsel", "intrigue") else None

    @property
    def counting(self) -> bool:
        """A Count of the Fallen comes before anything else."""
        return bool(self.pending) or self.phase == "final-count"

    @property
    def pending_draw(self) -> int:
        """Cards that are still to be drawn after the Count."""
        return sum(number for _, number in self.pending)

    @property
    def character(self) -> str:
        """The card that the active player performs: the one revealed, or the one that his Counselor stands before."""
        seat = self.active
        if seat is None:
            return ""
        if self.phase == "action":
            return self.shown[seat]
        throne = self.counselors[seat]
        return self.thrones[throne - 1] if self.phase == "counsel" and throne else ""

    @property
    def head(self) -> ActionCard | None:
        """The drawn Action card that comes next."""
        return self.actions.known(self.drawn[0]) if self.drawn else None

    @property
    def open_thrones(self) -> tuple[int, ...]:
        """Thrones that are not deactivated."""
        return tuple(throne for throne in range(1, THRONES + 1) if throne not in self.closed)

    @property
    def winners(self) -> tuple[int, ...]:
        """The factions that have won once the game is over. Source: rulebook, End of the Game."""
        if self.phase != "over":
            return ()
        if self.eye_reached:
            return (EYE,)
        return tuple(faction for faction, points in enumerate(self.vp) if points == max(self.vp))

    def seat_of(self, name: str) -> int | None:
        """The seat of the player with this name."""
        return next((index for index, seat in enumerate(self.seats) if seat.name == name), None)

    def clockwise(self, start: int) -> tuple[int, ...]:
        """All seats from this one on."""
        count = len(self.seats)
        return tuple((start + step) % count for step in range(count))

    def lying(self) -> Iterator[tuple[str, str]]:
        """What has to lie open on the table, each piece with its place."""
        for throne, card in enumerate(self.thrones, 1):
            yield card, f"throne/{throne}"
        for seat, throne in zip(self.seats, self.counselors, strict=True):
            if throne:
                yield seat.counselor, f"throne/{throne}"
        yield FIRST_CARD, f"seat/{self.seats[self.first].guild}"
        for number, card in enumerate(self.shown):
            if card and number != self.active:
                yield card, f"space/{self.seats[number].guild}/{self.round}"

    def loose(self) -> Iterator[tuple[str, str]]:
        """What may lie open or not: what somebody is dealing with or has just counted, and Counselors at home."""
        for seat, throne in zip(self.seats, self.counselors, strict=True):
            if not throne:
                yield seat.counselor, f"seat/{seat.guild}"
        active = self.active
        if active is not None:
            guild = self.seats[active].guild
            if self.shown[active]:
                yield self.shown[active], f"space/{guild}/{self.round}"
            yield from ((self.actions.piece(name), f"drawn/{guild}") for name in self.drawn)
        yield from self.left


def facts(state: State) -> dict[str, object]:
    """The public facts, in the shape of the referee protocol; cards go without their copy letter."""
    names = [seat.name for seat in state.seats]
    return {
        "turn": state.turn,
        "phase": state.phase,
        "round": state.round,
        "active": None if state.active is None else names[state.active],
        "first": names[state.first],
        "vp": dict(zip(FACTIONS, state.vp, strict=True)),
        "thrones": [cards.name_of(card) for card in state.thrones],
        "counselors": {name: throne or None for name, throne in zip(names, state.counselors, strict=True)},
        "hands": dict(zip(names, state.hands, strict=True)),
        "deck": state.deck,
        "discards": state.discards,
        "infirmary": state.infirmary,
        "intrigue": list(state.intrigue),
        "past": {name: len(past) for name, past in zip(names, state.past, strict=True)},
        "action_deck": state.action_deck,
        "pending_draw": state.pending_draw,
        "winners": [FACTIONS[faction] for faction in state.winners] if state.phase == "over" else None,
    }

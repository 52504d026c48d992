"""One look at the table, held against what the rules expect: what is too much where, and what is lacking.

Copies of a card are alike for the rules, so a card that has gone from one place to another is told by both: it is extra
here, and one of its kind is lacking there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.core.box import PieceId
from companion.core.table import Difference, Observation, ZoneId
from companion.games.wonderland import skills
from companion.games.wonderland.box import KEY, box
from companion.games.wonderland.moves import Skill
from companion.games.wonderland.state import State
from companion.games.wonderland.zones import PILE, before, covered, deck_of, deck_top, layout, notebook, tunnel

LEFT_S = 1.0
"""A Key that lay beside a deck so long before the last cards were tidied away is of the turn before."""


class Look:
    """A look at the table in a running game.

    Attributes:
        turn: whose turn it is.
        extra: pieces in zones where none of their name is expected.
        missing: expected pieces that have left their zone and are seen nowhere.
        lacking: by name and zone, how many the rules expect that are not there, not even hidden.
    """

    def __init__(self, state: State, difference: Difference, seen: Observation) -> None:
        self.state, self.seen = state, seen
        self.turn = state.players[state.turn]
        self.extra, self.missing = difference.extra, difference.missing
        self._there = Counter((name_of(s.piece), s.zone) for s in seen.sightings)
        self.lacking = Counter(layout(state).expected)
        self.lacking.subtract(self._there)  # type: ignore[arg-type]
        here = [s for s in seen.sightings if s.zone in (tunnel(self.turn), covered(self.turn))]
        self._owed = Counter(state.tunnel) - Counter(name_of(sighting.piece) for sighting in here)
        if state.phase == "decide":  # of two alike, the one that still lies there may be the Hatter's
            self._owed += Counter(card for card in state.hatter[state.turn] if card in state.tunnel)

    def cards_in(self, zone: ZoneId) -> list[PieceId]:
        """The extra cards in a zone, those first that came first."""
        return self.in_order(piece for piece, where in self.extra.items() if where == zone and not is_key(piece))

    def came(self) -> list[PieceId]:
        """The extra cards in the Tunnel without those that belong to the Queen's place, which came first."""
        found, waiting = [], Counter(self.lacking)
        for piece in self.cards_in(tunnel(self.turn)):
            waiting[name_of(piece), covered(self.turn)] -= 1
            if waiting[name_of(piece), covered(self.turn)] < 0:
                found.append(piece)
        return found

    def waits_for_queen(self, card: str) -> bool:
        """Whether a card that is covered, or the Queen, still lies in the Tunnel instead of the Queen's place."""
        here = set(map(name_of, self.cards_in(tunnel(self.turn))))
        return any(name in here and self.lacking[name, covered(self.turn)] > 0 for name in (card, "Queen"))

    def in_order(self, pieces: Iterator[PieceId]) -> list[PieceId]:
        """Pieces in the order in which they came."""
        since_s = {sighting.piece: sighting.since_s for sighting in self.seen.sightings}
        return sorted(pieces, key=lambda piece: since_s.get(piece, 0.0))

    def between_s(self, first: PieceId, second: PieceId) -> float:
        """How much later the second of two pieces came."""
        since_s = {sighting.piece: sighting.since_s for sighting in self.seen.sightings}
        return since_s.get(second, 0.0) - since_s.get(first, 0.0)

    def lacks(self, piece: PieceId, zone: ZoneId) -> bool:
        """Whether one of its name is lacking in a zone."""
        return self.lacking[name_of(piece), zone] > 0

    def owes(self, piece: PieceId) -> bool:
        """Whether one of its name belongs to the Tunnel, and lies neither there nor in the Queen's place."""
        return self._owed[name_of(piece)] > 0

    def came_from(self, piece: PieceId, deck: int) -> bool:
        """Whether a card can have lain on top of a deck: the one that is known has left it, or nobody had seen it."""
        top, up = self.state.decks[deck].top, self.state.decks[deck].up
        if not top:
            return self.unseen(piece) and not self.strayed(piece)
        # Others of its name may lie below it.
        return name_of(piece) == top and self._there[top, deck_top(deck)] < up.count(top)

    def unseen(self, piece: PieceId) -> bool:
        """Whether one of its name still lies face down in a deck."""
        return self.state.unseen[name_of(piece)] > 0

    def strayed(self, piece: PieceId) -> bool:
        """Whether it may have come from a Notebook in which one of its name is lacking."""
        name = name_of(piece)
        for player in self.state.players:
            places = (tunnel(player), covered(player)) if player != self.turn else ()
            waiting = sum(name_of(p) == name for place in places for p in self.cards_in(place))
            if self.lacking[name, notebook(player)] > waiting:
                return True
        return False

    def revealed(self) -> list[tuple[int, PieceId]]:
        """Cards that were turned up on their decks for the White Rabbit or the Hatter, with the decks' numbers."""
        if self.state.phase != "skill" or not {"Rabbit", "Hatter"} & set(skills.possible(self.state)):
            return []
        found = [(deck_of(zone), piece) for piece, zone in self.extra.items() if not is_key(piece)]
        return [(deck, piece) for deck, piece in found if deck is not None and self.turned_up(piece, deck)]

    def turned_up(self, piece: PieceId, deck: int) -> bool:
        """Whether a card can be the face-down top card of a deck."""
        return self.state.decks[deck].veiled and self.unseen(piece) and not self.strayed(piece)

    def turned(self) -> PieceId | None:
        """The card that the White Rabbit or the Hatter has turned up, while it still lies open on its deck."""
        turned = self.state.turned
        if turned is None:
            return None
        here = [s.piece for s in self.seen.sightings if s.zone == deck_top(turned.deck) and not s.hidden]
        cards = [p for p in here if name_of(p) == turned.card and not self.lacks(p, notebook(self.turn))]
        return next(iter(cards), None)

    def laid_open(self) -> list[PieceId]:
        """The Hatter's cards that the turn player has turned up in his Tunnel, or discarded, because he is stopping."""
        if self.state.phase != "decide":
            return []
        found, waiting = [], Counter(self.state.hatter[self.state.turn])
        for piece in (*self.cards_in(tunnel(self.turn)), *self.cards_in(PILE)):
            waiting[name_of(piece)] -= 1
            if waiting[name_of(piece)] >= 0:
                found.append(piece)
        return found

    def drawn(self) -> PieceId | None:
        """The card that the White Rabbit has brought into the Tunnel, if it is one."""
        cards = self.came()
        able = self.state.phase == "skill" and "Rabbit" in skills.possible(self.state)
        return cards[0] if able and len(cards) == 1 and self.unseen(cards[0]) and not self.strayed(cards[0]) else None


def name_of(piece: PieceId) -> str:
    """A card's or Key's name without its copy letter."""
    return box().name_of(piece)


def is_key(piece: PieceId) -> bool:
    """Whether a piece is a Key."""
    return name_of(piece) == KEY


def left_keys(state: State, seen: Observation) -> tuple[int, ...]:
    """Decks beside which a Key of the turn before still lies: it was there long before the last cards were tidied away.

    A Key that a player means to use has to come to lie anew.
    """
    if state.phase == "refill":
        found = {deck_of(s.zone) for s in seen.sightings if is_key(s.piece)}
        return tuple(sorted(deck for deck in found if deck is not None))
    places = [PILE, *map(notebook, state.players)]
    others = [name for seat, name in enumerate(state.players) if seat != state.turn]
    places += [*map(tunnel, others), *map(covered, others)]
    turned = Look(state, Difference(), seen).turned()  # still on its way
    newest_s = max(
        (s.since_s for s in seen.sightings if (s.zone in places and not is_key(s.piece)) or s.piece == turned),
        default=0.0,
    )
    found = {deck_of(s.zone) for s in seen.sightings if is_key(s.piece) and s.since_s + LEFT_S < newest_s}
    return tuple(sorted(deck for deck in found if deck is not None and deck not in state.unlocked))


def left_cards(state: State, seen: Observation) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the turn that has ended left lying: what belongs to the Notebook, and to the discards."""
    owner = before(state)
    if state.phase not in ("refill", "explore") or (owner == state.players[state.turn] and state.phase != "refill"):
        return (), ()
    here = [s.piece for s in seen.sightings if s.zone in (tunnel(owner), covered(owner)) and not is_key(s.piece)]
    look, discards = Look(state, Difference(), seen), Counter(state.discards)
    lacking, turned = look.lacking, look.turned()
    if turned and state.turned and not state.turned.target:
        here.append(turned)
    home: list[str] = []
    away: list[str] = []
    for name in sorted(map(name_of, here)):
        if lacking[name, notebook(owner)] > home.count(name):
            home.append(name)
        elif discards[name] > away.count(name):
            away.append(name)
    return tuple(home), tuple(away)


def hidden_in_notebooks(state: State, seen: Observation) -> dict[str, int]:
    """By player, how many cards of his Notebook don't show; those that still lie in his Tunnel are not counted."""
    found = {}
    lacking = Look(state, Difference(), seen).lacking
    for name in state.players:
        waiting = Counter(name_of(s.piece) for s in seen.sightings if s.zone in (tunnel(name), covered(name)))
        cards = (number - waiting[card] for (card, zone), number in lacking.items() if zone == notebook(name))
        if number := sum(max(0, one) for one in cards):
            found[name] = number
    return found


def ways_of_drawing(look: Look) -> Iterator[Skill]:
    """The skills that a card which was turned up on its deck, or brought into the Tunnel, can be due to."""
    state, turn = look.state, look.turn
    able, ups, came = skills.possible(state), look.revealed(), look.drawn()
    for deck, piece in ups if len(ups) == 1 else ():
        if "Rabbit" in able:
            yield Skill("Rabbit", deck, name_of(piece), by=turn)
        if "Hatter" in able:
            yield from (Skill("Hatter", deck, name_of(piece), name, by=turn) for name in state.players if name != turn)
    if came and not ups:
        veiled = (number for number, deck in enumerate(state.decks) if deck.veiled)
        yield from (Skill("Rabbit", number, name_of(came), by=turn) for number in veiled)

"""Awarding of VP: the fight for each Throne, who sits on it then, whether he is corrupt, and the points."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.games.three_kings import cards
from companion.games.three_kings.cards import CORRUPTION, EYE, FACTIONS, LEADERS, PURGE
from companion.games.three_kings.guards import elsewhere, not_a_card, unless_now
from companion.games.three_kings.moves import Award
from companion.games.three_kings.piles import freed, laid_down, possible, put, scored, shown_from
from companion.games.three_kings.state import THRONES, Fought, State
from companion.games.three_kings.turning import THRONE_POINTS, next_throne
from companion.games.three_kings.unseen import DISCARDS, INFIRMARY, intrigue

RULE = "awarding"


class Fight(msgspec.Struct, frozen=True):
    """How the fight for a Throne has ended.

    Attributes:
        defence: points of the Throne, its Counselors and the cards of its faction.
        attack: points of the other factions' cards.
        occupant: the card that sits there now.
        corrupt: more Corruption than Purge was among the cards.
        winner: index of the faction that gets the points.
    """

    defence: int
    attack: int
    occupant: str
    corrupt: bool
    winner: int

    @property
    def safe(self) -> bool:
        """Whether the Throne's card stays."""
        return self.defence > self.attack


def fight(occupant: str, counselors: int, shown: Sequence[str]) -> Fight:
    """The fight for a Throne. Source: rulebook, Awarding of VP.

    Args:
        occupant: the card on the Throne.
        counselors: how many stand there.
        shown: the cards of its Intrigue space.
    """
    own = cards.known(occupant)
    points = [0] * len(FACTIONS)
    for card in map(cards.known, shown):
        if card.faction is not None:
            points[card.faction] += card.value
    assert own.faction is not None
    defence = own.value + counselors + points[own.faction]
    attack = sum(points) - points[own.faction]
    if defence <= attack:
        rivals = [faction for faction in range(EYE) if faction != own.faction]
        occupant = _highest(shown, _stronger(rivals[0], rivals[1], points))
    kinds = [cards.known(card).kind for card in shown]
    corrupt = kinds.count(CORRUPTION) > kinds.count(PURGE)
    faction = cards.known(occupant).faction
    assert faction is not None
    return Fight(defence, attack, occupant, corrupt, EYE if corrupt else faction)


def award(move: Award, state: State) -> Step | Refusal:
    """A Throne's Intrigue space was revealed; the Thrones come in their order."""
    refusal = unless_now(state, "award", RULE)
    if refusal:
        return refusal
    throne = state.awarding
    if not 1 <= move.throne <= THRONES:
        return Refusal("wrong-target", RULE, {"throne": move.throne, "n": THRONES}, "no-such-throne")
    if move.throne != throne:
        wording = "throne-closed" if move.throne in state.closed else "other-throne"
        return Refusal("not-now", RULE, {"throne": move.throne, "next": throne}, wording)
    wanted = state.intrigue[throne - 1]
    if len(move.cards) != wanted:
        return Refusal("wrong-count", RULE, {"throne": throne, "n": wanted, "count": len(move.cards)}, "intrigue-count")
    after = state
    for card in move.cards:
        if cards.find(card) is None:
            return not_a_card(card)
        shown = shown_from(after, card, intrigue(throne))
        if shown is None:
            return elsewhere(state, card, RULE, "intrigue")
        after = shown
    if not possible(after):
        return Refusal("card-elsewhere", RULE, {"cards": list(move.cards)}, "cards-elsewhere")
    return _decided(after, throne, move.cards)


def _decided(state: State, throne: int, shown: tuple[str, ...]) -> Step:
    old = state.thrones[throne - 1]
    end = fight(old, state.counselors.count(throne), shown)
    occupant, discarded, open_cards = end.occupant, list(shown), list(shown)
    after = state
    if not end.safe:
        name = cards.name_of(occupant)
        if [cards.name_of(card) for card in shown].count(name) > 1:
            # Nobody can tell which of them people lay on the Throne: the bare name stands for any.
            occupant, discarded = name, [name if cards.name_of(card) == name else card for card in shown]
        else:
            open_cards.remove(occupant)
        discarded.remove(occupant)
        after = replace(freed(state, throne), thrones=put(state.thrones, throne - 1, occupant))
        after = laid_down(after, old, INFIRMARY)
    for card in discarded:
        after = laid_down(after, card, DISCARDS)
    points = tuple(THRONE_POINTS * (faction == end.winner) for faction in range(len(FACTIONS)))
    after = replace(
        scored(after, points),
        left=(*state.left, *((card, f"intrigue/{throne}") for card in open_cards)),
        fought=Fought(throne, old, state.counselors.count(throne), shown),
    )
    told = {
        "throne": throne,
        "defence": end.defence,
        "attack": end.attack,
        "safe": end.safe,
        "occupant": occupant,
        "infirmary": None if end.safe else old,
        "corrupt": end.corrupt,
        "vp": {FACTIONS[end.winner]: THRONE_POINTS},
        "faction": FACTIONS[end.winner],
        "points": THRONE_POINTS,
    }
    event = ("safe" if end.safe else "falls") + ("-corrupt" if end.corrupt else "")
    return next_throne(after, (Event(event, told),))


def _stronger(one: int, other: int, points: Sequence[int]) -> int:
    """Which of two factions has contributed more; equal ones in the circle: each beats the next, the last the first."""
    if points[one] != points[other]:
        return one if points[one] > points[other] else other
    return one if (one + 1) % EYE == other else other


def _highest(shown: Sequence[str], faction: int) -> str:
    """The card of a faction with the highest value; of equal ones its Leader."""
    own = [card for card in shown if cards.known(card).faction == faction]
    return max(own, key=lambda card: (cards.known(card).value, cards.known(card).kind in LEADERS))

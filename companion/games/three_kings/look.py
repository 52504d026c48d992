"""A look at the table of 3 Kings: which cards lie open where, what was laid down, and whose hands may be at work."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.box import PieceId
from companion.core.table import Difference, Observation, ZoneId
from companion.games.three_kings import cards, zones
from companion.games.three_kings.asking import step_now
from companion.games.three_kings.box import ACTION_BACK, BACK
from companion.games.three_kings.moves import Swap
from companion.games.three_kings.state import FIRST_CARD, ROUNDS, THRONES, State

DRAWERS = ("mercenary", "spy")
"""Characters who have Action cards laid open."""


class Look:
    """What the table says beyond what the rules expect.

    Args:
        state: what the rules know.
        difference: how the table differs from what they expect.
        seen: the table.
    """

    def __init__(self, state: State, difference: Difference, seen: Observation) -> None:
        self.state, self.difference, self.seen = state, difference, seen

    def pieces_in(self, zone: ZoneId) -> list[PieceId]:
        """All that lies in a zone, or is believed to."""
        return [sighting.piece for sighting in self.seen.sightings if sighting.zone == zone]

    def extra_in(self, zone: ZoneId) -> list[PieceId]:
        """What lies in a zone and isn't expected there."""
        return sorted(piece for piece, where in self.difference.extra.items() if where == zone)

    def revealed(self) -> list[PieceId]:
        """Characters, Corruption and Purge that were laid open on the stage."""
        return [piece for piece in self.extra_in(zones.STAGE_ZONE) if not is_action(piece)]

    def newcomer(self, throne: int) -> PieceId | None:
        """The card that lies on a Throne in the place of the one that sat there, or hides it."""
        zone = zones.throne(throne)
        plain = [s.piece for s in self.seen.sightings if s.zone == zone and not s.hidden]
        new = self.extra_in(zone) or [piece for piece in plain if self._another(piece, throne)]
        return new[0] if new == plain and len(new) == 1 else None

    def _another(self, piece: PieceId, throne: int) -> bool:
        """Whether a card has the name of the one that sits on a Throne, but is known to have been elsewhere."""
        king = self.state.thrones[throne - 1]
        return piece != king == cards.name_of(piece) and any(unseen.card == piece for unseen in self.state.unseen)

    def awarded(self) -> list[PieceId]:
        """What came out of the Intrigue space that is awarded; its strongest card may have taken the Throne already."""
        king = self.newcomer(self.state.awarding)
        return sorted([*self.revealed(), *([king] if king else [])])

    def drawn_actions(self) -> list[str]:
        """Ids of the Action cards that were laid open on the stage, lowest rank first, then by id."""
        found = [self.state.actions.card(p) for p in self.extra_in(zones.STAGE_ZONE) if is_action(p)]
        return [card.id for card in sorted((card for card in found if card), key=lambda card: (card.rank, card.id))]

    def swaps(self) -> tuple[Swap, ...] | None:
        """The Thrones whose card was exchanged; None while one is empty, or holds two cards."""
        found = []
        for throne in range(1, THRONES + 1):
            lying, new = self.pieces_in(zones.throne(throne)), self.newcomer(throne)
            if new:
                found.append(Swap(throne, new))
            elif self.extra_in(zones.throne(throne)) or (not lying and self.lifted(throne)):
                return None
        return tuple(found)

    def lifted(self, throne: int) -> bool:
        """Whether the card of a Throne was seen to leave it."""
        zone = zones.throne(throne)
        homes = [*self.difference.missing.values(), *(home for home, _ in self.difference.moved.values())]
        return zone in homes

    def filled(self, seat: int) -> tuple[bool, bool, bool]:
        """In which of a player's spaces a card lies, face down or up."""
        guild = self.state.seats[seat].guild
        one, two, three = (bool(self.pieces_in(zones.space(guild, number))) for number in range(1, ROUNDS + 1))
        return one, two, three

    def turned_up(self, seat: int, number: int) -> PieceId | None:
        """The card that a player has turned up in a space."""
        zone = zones.space(self.state.seats[seat].guild, number)
        return next((piece for piece in self.extra_in(zone) if not is_back(piece)), None)

    def laid(self) -> list[tuple[PieceId, int]]:
        """Cards that were laid face down before a Throne, with its number; what was laid first comes first."""
        since = {sighting.piece: sighting.since_s for sighting in self.seen.sightings}
        found = [(piece, throne) for throne in range(1, THRONES + 1) for piece in self.extra_in(zones.intrigue(throne))]
        return sorted(found, key=lambda pair: since.get(pair[0], 0.0))

    def takes_lead(self) -> bool:
        """Whether whoever moves has taken the First Player card."""
        seat = self.state.active
        return (
            seat is not None
            and self.state.first != seat
            and self.seen.zone_of(FIRST_CARD) == zones.first(self.state.seats[seat].guild)
        )

    def put_away(self) -> bool:
        """Whether the card that is performed no longer lies open."""
        seat = self.state.active
        if seat is None or self.state.phase != "action":
            return False
        return self.state.shown[seat] not in self.pieces_in(zones.space(self.state.seats[seat].guild, self.state.round))

    def stands(self) -> int:
        """The Throne to which whoever moves has sent his Counselor; 0 if he is at home."""
        seat = self.state.active
        if seat is None:
            return 0
        zone = self.seen.zone_of(self.state.seats[seat].counselor) or ""
        sent = int(zone.rpartition("/")[2]) if zone.startswith("counselors/") else 0
        return self.state.counselors[seat] or sent

    def may_be(self) -> Iterator[str]:
        """Kinds of Characters who may be at work now."""
        state = self.state
        if state.phase == "action" and state.active is not None:
            yield cards.known(state.character).kind
        elif state.phase == "counsel":
            stands = self.stands()
            yield from (cards.known(state.thrones[t - 1]).kind for t in ([stands] if stands else range(1, THRONES + 1)))

    def exchanging(self) -> bool:
        """Whether cards on Thrones may be exchanged now."""
        state = self.state
        if state.phase == "award" or state.pending or state.phase in ("final-count", "recruit"):
            return True
        step = step_now(state)
        if step is not None:
            return step.do in ("crown", "trade") or "thrones" in step.zones
        return not state.drawn and "noble" in self.may_be()

    def reseating(self) -> bool:
        """Whether an Action card moves Counselors from Throne to Throne now."""
        step = step_now(self.state)
        return step is not None and (step.do == "trade" or "counselors" in step.zones)

    def drawing(self) -> bool:
        """Whether Action cards may be laid open now."""
        return not self.state.drawn and any(kind in DRAWERS for kind in self.may_be())


def is_action(piece: PieceId) -> bool:
    """Whether a piece is the face of an Action card."""
    return piece.startswith("action-") and not piece.startswith(ACTION_BACK)


def is_back(piece: PieceId) -> bool:
    """Whether a piece is a card that lies face down."""
    return piece.startswith((BACK, ACTION_BACK))

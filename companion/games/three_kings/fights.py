"""The fight for a Throne explained, step by step: both sides, who takes it and why, corruption, points won."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.messages import Message, say, verbatim
from companion.core.panel import Art, Element, Page, Row, Text
from companion.games.three_kings import cards
from companion.games.three_kings.awarding import Fight, fight
from companion.games.three_kings.cards import CORRUPTION, EYE, FACTIONS, PURGE
from companion.games.three_kings.drawings import scales
from companion.games.three_kings.state import Fought
from companion.games.three_kings.turning import THRONE_POINTS


def explained(fought: Fought) -> Iterator[Page]:
    """First how it ended; then the defence, the attack, who takes the Throne and why, corruption and points."""
    end = fight(fought.sitting, fought.counselors, fought.cards)
    title = say("page.fight.title", throne=fought.throne)
    beside = (say("page.fight.defence", n=end.defence), say("page.fight.attack", n=end.attack))
    result = say("page.fight.safe" if end.safe else "page.fight.falls", card=fought.sitting)
    yield Page(title, (Art((scales(end.defence, end.attack),), (*beside, result)),))
    yield Page(say("page.fight.defence-title", n=end.defence), tuple(_defence(fought)))
    yield Page(say("page.fight.attack-title", n=end.attack), tuple(_attack(fought)))
    yield Page(title, (Text(_result(fought, end)), *(Text(why) for why in _reasons(fought, end))))
    yield Page(title, tuple(_awarded(fought, end)))


def _defence(fought: Fought) -> Iterator[Element]:
    own = cards.known(fought.sitting)
    yield Row(say("name.card", card=fought.sitting), verbatim(str(own.value)))
    if fought.counselors:
        yield Row(say("page.fight.counselors"), verbatim(str(fought.counselors)))
    yield from _rows(fought, own.faction)


def _attack(fought: Fought) -> Iterator[Element]:
    own = cards.known(fought.sitting).faction
    for faction, points in _points(fought).items():
        if faction != own and points:
            yield Row(say("name.faction", faction=FACTIONS[faction]), verbatim(str(points)), True)
            yield from _rows(fought, faction)
    if not any(points for faction, points in _points(fought).items() if faction != own):
        yield Text(say("page.fight.nobody"))


def _rows(fought: Fought, faction: int | None) -> Iterator[Row]:
    """The revealed cards of a faction with their values."""
    mine = [card for card in fought.cards if cards.known(card).faction == faction]
    for card in sorted(mine, key=lambda card: -cards.known(card).value):
        yield Row(say("name.card", card=card), verbatim(str(cards.known(card).value)))


def _points(fought: Fought) -> dict[int, int]:
    """By faction, what its revealed cards are worth."""
    found = dict.fromkeys(range(EYE), 0)
    for card in map(cards.known, fought.cards):
        if card.faction is not None:
            found[card.faction] += card.value
    return found


def _result(fought: Fought, end: Fight) -> Message:
    told = {"card": fought.sitting, "occupant": end.occupant, "defence": end.defence, "attack": end.attack}
    return say("page.fight.stays" if end.safe else "page.fight.takes", **told)


def _reasons(fought: Fought, end: Fight) -> Iterator[Message]:
    """Why this faction, and why this card of it."""
    if end.safe:
        return
    own = cards.known(fought.sitting).faction
    new = cards.known(end.occupant)
    points = _points(fought)
    assert new.faction is not None
    (other,) = [faction for faction in range(EYE) if faction not in (own, new.faction)]
    told = {"faction": FACTIONS[new.faction], "other": FACTIONS[other], "n": points[new.faction], "m": points[other]}
    if points[other]:
        tied = points[other] == points[new.faction]
        yield say("page.fight.tied-factions" if tied else "page.fight.stronger", **told)
    army = [cards.known(card) for card in fought.cards if cards.known(card).faction == new.faction]
    best = {card.kind for card in army if card.value == new.value}
    if len(best) > 1:
        yield say("page.fight.leader", card=end.occupant)
    elif len(army) > 1:
        yield say("page.fight.highest", card=end.occupant)


def _awarded(fought: Fought, end: Fight) -> Iterator[Element]:
    """Whether its new holder is corrupt, and who gets the points."""
    kinds = [cards.known(card).kind for card in fought.cards]
    for kind in (CORRUPTION, PURGE):
        yield Row(say("name.kind", kind=kind), verbatim(str(kinds.count(kind))))
    yield Text(say("page.fight.corrupt" if end.corrupt else "page.fight.honest", card=end.occupant))
    yield Row(say("name.faction", faction=FACTIONS[end.winner]), verbatim(f"+{THRONE_POINTS}"), True)

"""The set-up: players by their boards, the First Player by his card, and what belongs where at the start."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from companion.core.game import Choice, Preparation, Question, Refusal
from companion.core.messages import Message, say
from companion.core.panel import Element, Page, Row, Text
from companion.core.table import Observation
from companion.games.three_kings import cards, marks, setup, zones
from companion.games.three_kings.box import TURN, board, marker
from companion.games.three_kings.cards import FACTIONS, FIRST_THRONES
from companion.games.three_kings.deck import Deck
from companion.games.three_kings.state import FIRST_CARD, GUILDS, Seat

MIDDLE_MM = (535.0, 300.0)
"""About the middle of a table, around which boards are counted clockwise."""


def seats_of(draft: Mapping[str, Any]) -> tuple[Seat, ...]:
    """The players as far as they are known."""
    players = draft.get("players") or ()
    return setup.seated(tuple(p if isinstance(p, str) else setup.Player(**p) for p in players))


def prepare(draft: Mapping[str, Any], seen: Observation, decks: Mapping[str, Deck]) -> Preparation:
    """What is still missing. The draft's fields are those of the set-up line."""
    question = _ask(draft, seen, decks)
    if question:
        return Preparation(draft, None, (_page(Text(say("prepare.boards"))),), question)
    trial = setup.start(_line(draft), decks)
    if isinstance(trial, Refusal):
        return Preparation(draft, None, (_page(Text(trial.message)),))
    seats = seats_of(draft)
    how = Page(say("page.marks.title"), (Text(marks.instruction(len(seats))),))
    if seen.unplaced or not (seen.sightings or seen.at_s):
        return Preparation(draft, None, (_page(Text(say("prepare.sheets"))), how))
    found = {**_first(seats, seen), **_thrones(draft, seen)}
    draft = {**found, **draft}
    needed: list[Element] = []
    if "first" not in draft:
        needed.append(Text(say("prepare.first")))
    if "thrones" not in draft and draft.get("turn", 1) == 1:
        needed += [
            Row(say("name.card", card=card), say("name.place", zone=zones.throne(number)))
            for number, card in enumerate(FIRST_THRONES, 1)
            if not _on_throne(number, seen)
        ]
    loose = [] if draft.get("ready") else _loose(draft, seats, seen)
    if needed or loose:
        start = Choice(say("choice.start"), draft={"ready": True})
        ask = None if needed else Question(say("question.loose"), (start,), False, True)
        kept = {key: value for key, value in draft.items() if key not in found}
        return Preparation(kept, None, (_page(*needed, *loose), how), ask)
    return Preparation(draft, _line(draft), (_page(Text(say("prepare.ready"))), how))


def _line(draft: Mapping[str, Any]) -> dict[str, Any]:
    line = {key: value for key, value in draft.items() if key != "ready"}
    return {**line, "game": "three_kings"}


def _ask(draft: Mapping[str, Any], seen: Observation, decks: Mapping[str, Deck]) -> Question | None:
    """The next thing that only people can tell: who plays, and with which Action cards where there are several."""
    if not draft.get("players"):
        here = _boards(seen)
        least, most = setup.PLAYERS
        found = [Choice(say("choice.these-boards", n=len(here), guilds=list(here)), draft={"players": _named(here)})]
        counts = [
            Choice(say("choice.players", n=n), draft={"players": _named(GUILDS[:n])}) for n in range(least, most + 1)
        ]
        return Question(say("question.players"), (*(found if len(here) >= least else ()), *counts))
    if len(decks) > 1 and "actions" not in draft:
        choices = tuple(Choice(deck.title, draft={"actions": name}) for name, deck in decks.items())
        return Question(say("question.deck"), choices)
    return None


def _named(guilds: tuple[str, ...]) -> list[dict[str, str]]:
    """Players who are called by the colours of their boards."""
    return [{"name": guild, "guild": guild} for guild in guilds]


def _boards(seen: Observation) -> tuple[str, ...]:
    """The colours of the boards that lie on the table, clockwise."""
    at = {sighting.piece: sighting.at_mm for sighting in seen.sightings}
    here = [guild for guild in GUILDS if board(guild) in at]

    def direction(guild: str) -> float:
        x, y = at[board(guild)]
        return math.atan2(y - MIDDLE_MM[1], x - MIDDLE_MM[0])

    return tuple(sorted(here, key=direction))


def _first(seats: tuple[Seat, ...], seen: Observation) -> dict[str, Any]:
    where = seen.zone_of(FIRST_CARD)
    return next(({"first": seat.name} for seat in seats if zones.first(seat.guild) == where), {})


def _thrones(draft: Mapping[str, Any], seen: Observation) -> dict[str, Any]:
    """The cards on the Thrones, once the right one lies on each."""
    found = [_on_throne(number, seen) for number in range(1, len(FIRST_THRONES) + 1)]
    right = [card and cards.name_of(card) for card in found] == list(FIRST_THRONES)
    return {"thrones": tuple(found)} if right and draft.get("turn", 1) == 1 else {}


def _on_throne(number: int, seen: Observation) -> str | None:
    """The card on a Throne, if it is the one with which a game begins."""
    here = (s.piece for s in seen.sightings if s.zone == zones.throne(number))
    return next((card for card in here if cards.name_of(card) == FIRST_THRONES[number - 1]), None)


def _loose(draft: Mapping[str, Any], seats: tuple[Seat, ...], seen: Observation) -> list[Element]:
    """Counselors and markers that are not where they begin."""
    vp, sent = draft.get("vp") or {}, draft.get("counselors") or {}
    homes = {marker(faction): zones.points(faction, vp.get(faction, 0)) for faction in FACTIONS}
    homes[TURN] = zones.turn(draft.get("turn", 1))
    for seat in seats:
        throne = sent.get(seat.name)
        homes[seat.counselor] = zones.counselors(throne) if throne else zones.home(seat.guild)
    return [
        Row(say("name.piece", card=piece), say("name.place", zone=zone))
        for piece, zone in homes.items()
        if seen.zone_of(piece) != zone
    ]


def _page(*elements: Element) -> Page:
    return Page(_heading(), tuple(elements))


def _heading() -> Message:
    return say("page.prepare.title")

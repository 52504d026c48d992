"""The set-up: players and who begins by the buttons, Notebooks and Keys from the table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.core.game import Choice, Preparation, Question
from companion.core.messages import Message, say, verbatim
from companion.core.panel import Element, Page, Row, Text
from companion.core.table import Observation
from companion.games.wonderland.look import is_key, name_of
from companion.games.wonderland.setup import PLAYERS, POSITION, shares
from companion.games.wonderland.spirits import COUNTS
from companion.games.wonderland.state import DECKS, KEYS, NOTEBOOK
from companion.games.wonderland.zones import MIDDLE, keys_of, notebook


def players_of(draft: Mapping[str, Any]) -> tuple[str, ...]:
    """Names of the players, as far as they are known."""
    return tuple(p["name"] if isinstance(p, Mapping) else str(p) for p in draft.get("players") or ())


def prepare(draft: Mapping[str, Any], seen: Observation) -> Preparation:
    """What is still missing. The draft's fields are those of the set-up line."""
    names = players_of(draft)
    question = _ask(draft, names)
    if question:
        return Preparation(draft, None, (_page(Text(say("prepare.choose"))),), question)
    if not seen.at_s and not seen.sightings:
        return Preparation(draft, None, (_page(Text(say("prepare.sheets"))),))
    notebooks = {name: sorted(name_of(s.piece) for s in _cards(seen) if s.zone == notebook(name)) for name in names}
    wrong = [Text(say("prepare.deal"))] if any(len(cards) < NOTEBOOK for cards in notebooks.values()) else []
    rows: list[Element] = [
        Row(say("name.player", by=name), say("prepare.cards", n=len(cards), most=NOTEBOOK))
        for name, cards in notebooks.items()
        if len(cards) != NOTEBOOK
    ]
    if any(s.zone and s.zone not in map(notebook, names) for s in _cards(seen)):
        rows.append(Text(say("prepare.face-down")))
    # Whoever begins may have taken two of them already.
    keys = sum(s.zone in (MIDDLE, *map(keys_of, names)) and is_key(s.piece) for s in seen.sightings)
    if "notebooks" in draft:
        rows, wrong, notebooks = [], [], draft["notebooks"]
    if rows:
        return Preparation(draft, None, (_page(*wrong, *rows), *_decks(draft, names)))
    if keys < KEYS and not draft.get("ready"):
        start = Choice(say("choice.start"), draft={"ready": True})
        page = _page(Text(say("prepare.keys")), Row(say("prepare.keys-there"), verbatim(f"{keys}/{KEYS}")))
        return Preparation(
            draft, None, (page, *_decks(draft, names)), Question(say("question.keys"), (start,), False, True)
        )
    line = {key: value for key, value in draft.items() if key != "ready"}
    line |= {"game": "wonderland", "players": list(draft["players"]), "notebooks": notebooks}
    return Preparation(draft, line, (_page(Text(say("prepare.ready"))),))


def _ask(draft: Mapping[str, Any], names: tuple[str, ...]) -> Question | None:
    """The next thing that only people can tell."""
    if not names:
        least, most = PLAYERS
        counts = range(least, most + 1)
        choices = tuple(
            Choice(say("choice.players", n=n), draft={"players": [str(i + 1) for i in range(n)]}) for n in counts
        )
        return Question(say("question.players"), choices)
    if draft.get("turn") not in names:
        return Question(
            say("question.first"), tuple(Choice(say("name.player", by=name), draft={"turn": name}) for name in names)
        )
    return None


def _cards(seen: Observation) -> list[Any]:
    """Sightings of cards and no Keys or markers."""
    return [s for s in seen.sightings if s.zone and not is_key(s.piece)]


def _decks(draft: Mapping[str, Any], names: tuple[str, ...]) -> Iterator[Page]:
    """How many cards come into each deck of a new game. Nobody sees them there, so the box counts on these."""
    if not any(field in draft for field in POSITION):
        sizes = shares(sum(COUNTS.values()) - NOTEBOOK * len(names))
        yield Page(say("page.decks"), (Text(say("prepare.decks", most=DECKS, sizes=list(sizes))),))


def _page(*elements: Element) -> Page:
    return Page(_title(), tuple(elements))


def _title() -> Message:
    return say("page.prepare")

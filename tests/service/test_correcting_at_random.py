"""Whatever people correct, in whatever order: the game goes on, and is what the journal says."""

from __future__ import annotations

import random
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.core.snapshot import Accept, AskNameable, Command, Name, PutRight, Redo, Undo
from companion.core.table import Observation, Sighting
from companion.service.journal import Journal
from companion.service.session import Session
from tests.dealt import Deal, Dealt, deals

GAMES = [deal for seed in (1, 2) for deal in deals(seed)]


def _command(dealt: Dealt, chance: random.Random) -> Command:
    offered = dealt.snapshot.nameable
    names = [Name(piece, zone) for zone, pieces in (offered.laid.items() if offered else ()) for piece in pieces]
    names += [Name(piece, None) for piece in (offered.gone if offered else ())]
    pieces, zones = list(dealt.game.box.pieces), [zone.id for zone in dealt.snapshot.zones]
    names.append(Name(chance.choice(pieces), chance.choice(zones) if zones else None))
    others: list[Command] = [Accept(), PutRight(), PutRight(False), AskNameable(), Undo(), Redo()]
    return chance.choice([*others, chance.choice(names)])


def _wrong(dealt: Dealt, seen: Observation, chance: random.Random) -> Observation:
    """The table with a piece that lies anywhere, or is gone."""
    pieces = [piece for piece in dealt.game.box.pieces.values() if piece.kind != "anchor"]
    places = list(dealt.snapshot.zones)
    if not places:
        return seen
    piece, zone = chance.choice(pieces), chance.choice(places)
    rest = tuple(sighting for sighting in seen.sightings if sighting.piece != piece.id)
    if piece.kind in zone.holds and chance.random() < 0.7:
        return replace(seen, sightings=(*rest, Sighting(piece.id, zone.id)))
    return replace(seen, sightings=rest, gone={**seen.gone, piece.id: zone.id})


@pytest.mark.parametrize("deal", GAMES, ids=lambda deal: f"{deal.name}-{deal.mode}-{deal.seed}")
def test_corrections_at_random_lose_nothing_and_stop_nothing(tmp_path: Path, deal: Deal) -> None:
    chance = random.Random(deal.seed)
    with closing(Journal(tmp_path / "j")) as journal:
        dealt = Dealt(deal, journal)
        dealt.look()
        corrected = 0
        for _ in range(60):
            dealt.move()
            for _ in range(chance.randint(0, 3)):
                before = dealt.facts
                dealt.session.see(_wrong(dealt, dealt.seen(), chance))
                dealt.session.tell(_command(dealt, chance))
                corrected += dealt.facts != before
            dealt.look()
        assert corrected > 5
        assert dealt.snapshot.facts == dealt.facts
    with closing(Journal(tmp_path / "j")) as journal:
        found: list[Any] = []
        again = Session(deal.game, journal, found.append, dealt.session.draft)
        over = dealt.snapshot.outcome is not None
        assert over or (again.state is not None and deal.game.facts(again.state) == dealt.facts)

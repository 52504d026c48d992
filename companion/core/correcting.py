"""Putting right what table and rules disagree about: what to do with which piece, and what people can tell by hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.box import Box, PieceId
from companion.core.game import Dispute, Game
from companion.core.messages import Message, say
from companion.core.snapshot import Nameable
from companion.core.table import Layout, Observation, Sighting, Zone, ZoneId, compare, unmet

UNNAMED = frozenset({"anchor"})
"""Kinds of pieces that nobody names by hand: they carry zones, and without a tag there are none."""


def to_put_right(layout: Layout, seen: Observation, disputes: tuple[Dispute, ...], box: Box) -> tuple[Message, ...]:
    """What is to be done so that the table lies as the rules expect it, one thing after the other.

    More than what is disputed: a piece that nobody has seen since the table was knocked over belongs to it as well.

    Args:
        layout: what the rules expect.
        seen: the table.
        disputes: what is wrong with it; markers of a sheet that show are told in their words.
        box: the pieces.
    """
    difference = compare(layout, seen, box)
    away = [
        say("putting-right.away", piece=piece, zone=zone)
        for piece, zone in difference.extra.items()
        if not box.pieces[piece].fixed
    ]
    back = [say("putting-right.back", piece=name, zone=zone) for name, zone in unmet(layout, seen, box)]
    told = [d.refusal.message for d in disputes if d.piece in box.pieces and box.pieces[d.piece].fixed]
    strange = [d.refusal.message for d in disputes if d.piece not in box.pieces]
    return (*strange, *away, *back, *told)


def nameable(game: Game[Any, Any], state: Any, seen: Observation, zones: tuple[Zone, ...]) -> Nameable:
    """What people can tell of pieces that no tag tells: all by which the game would go on."""
    laid = {zone.id: names for zone in zones if (names := tuple(_for_zone(game, state, seen, zone)))}
    sighted = {sighting.piece for sighting in seen.sightings}
    believed = replace(seen, sightings=tuple(s for s in seen.sightings if not s.hidden))
    gone: list[PieceId] = []
    for name, _ in unmet(game.layout(state), believed, game.box):
        copies = game.box.copies.get(name) or (game.box.pieces[name],)
        copy = next((one for one in copies if one.id not in gone and (one.id == name or one.id not in sighted)), None)
        if copy and copy.kind not in UNNAMED and not copy.fixed:
            gone.append(copy.id)
    return Nameable(laid, tuple(gone))


def with_named(seen: Observation, named: Mapping[PieceId, ZoneId | None], layout: Layout, box: Box) -> Observation:
    """The table with what people have told of it; what the camera sees of such a piece goes before that.

    Args:
        seen: what the camera sees.
        named: where a piece lies, or None if it is gone.
        layout: what the rules expect, since what is gone has gone from there.
        box: the pieces.
    """
    told = {piece: zone for piece, zone in named.items() if piece not in seen.in_sight}
    if not told:
        return seen
    homes = {piece: zone for piece in told for name, zone in layout.expected if name in (piece, box.name_of(piece))}
    laid = tuple(Sighting(piece, zone) for piece, zone in told.items() if zone is not None)
    gone = {piece: homes[piece] for piece, zone in told.items() if zone is None and piece in homes}
    kept = tuple(sighting for sighting in seen.sightings if sighting.piece not in told)
    return replace(seen, sightings=(*kept, *laid), gone={**seen.gone, **gone})


def _for_zone(game: Game[Any, Any], state: Any, seen: Observation, zone: Zone) -> Iterator[str]:
    """Names of pieces by which the game would go on if they lay in this zone."""
    box, layout = game.box, game.layout(state)
    used = {piece for piece, _ in layout.expected} | {sighting.piece for sighting in seen.sightings}
    for name, copies in box.copies.items():
        kind = copies[0].kind
        free = next((copy.id for copy in copies if copy.id not in used), None)
        if free is None or kind in UNNAMED or copies[0].fixed or kind not in zone.holds:
            continue
        look = replace(seen, sightings=(*seen.sightings, Sighting(free, zone.id)))
        if not isinstance(game.interpret(state, compare(layout, look, box), look), tuple):
            yield name

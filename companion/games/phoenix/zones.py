"""Where things lie: sides and bowls of the nests, seats, the open card; and how a table may be arranged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from companion.core.box import PieceId
from companion.core.table import Layout, Observation, Point, Pose, Sighting, Zone
from companion.games.phoenix.box import CARD_MM, CARD_TAG_AT_MM, LARGE_TOKEN, NEST_MM, NESTS, START_TOKEN, box, guilds
from companion.games.phoenix.state import State

OPEN = "open"
EVERYWHERE_MM = 5000.0
INNER_MM = NEST_MM / 2 - 6
"""From a nest's middle to where its sides begin to count; a tag may lie a little over the edge."""
EDGE_MM = NEST_MM / 2 + 8
"""From a nest's middle to where a token no longer counts as lying in it."""
OUTER_MM = NEST_MM / 2 + 122
SHIFT_MM = 30.0
"""How much farther out the second card of a side lies, so that both stickers show."""
BOWL_MM = 36.0
"""From a nest's middle to the middles of its tokens."""
OPEN_MM = 130.0
"""How far from the last open card the next one may be laid."""
SEAT_MM = 150.0
PLACES = tuple(f"nest-{nest}" for nest in NESTS)


def side(nest: str, guild: str) -> str:
    """The zone of a guild's side of a nest."""
    return f"{nest}/{guild}"


def at_sides(seen: Observation) -> tuple[Sighting, ...]:
    """What lies at the sides of the nests, hidden pieces included."""
    return tuple(s for s in seen.sightings if s.zone and "/" in s.zone and s.zone.partition("/")[0] in NESTS)


def seat(guild: str) -> str:
    """The zone before the player with a guild."""
    return f"seat/{guild}"


def zones(state: State | None) -> tuple[Zone, ...]:
    """All zones; before the game all seats count and the open card may lie anywhere beside the nests."""
    names = sides([] if state is None else [s.guild for s in state.seats])
    found = [zone for nest in NESTS for zone in (_bowl(nest), *(_side(nest, i, name) for i, name in enumerate(names)))]
    seated = names if state is None else tuple(s.guild for s in state.seats)
    found += [_seat(guild, guild_cards(names)[guild]) for guild in seated]
    anchored = state is not None and state.open in box().pieces
    shape = _ring(OPEN_MM, 8) if anchored else _square(EVERYWHERE_MM)
    found.append(
        Zone(
            OPEN,
            shape,
            state.open if anchored and state else None,
            priority=-1,
            spots=((-CARD_TAG_AT_MM[0], -CARD_TAG_AT_MM[1], 0.0),),
        )
    )
    return tuple(found)


def layout(state: State) -> Layout:
    """Which piece belongs where now. After the treasure is shared out, cards may be cleared away at any time."""
    phase = state.phase
    if phase == "over":
        return Layout()
    cards = tuple(
        (card, side(nest, s.guild))
        for nest, row in zip(NESTS, state.nests, strict=True)
        for s, lying in zip(state.seats, row, strict=True)
        for card in lying
    )
    fixed = [(f"token-{value}", nest) for nest, row in zip(NESTS, state.tokens, strict=True) for value in row]
    fixed += [(LARGE_TOKEN, "big")] * state.large_there
    fixed += [(state.open, OPEN)] * bool(state.open)
    fixed.append((START_TOKEN, seat(state.seats[state.holder].guild)))
    if phase == "between":
        return Layout(tuple(fixed), cards)
    return Layout((*cards, *fixed))


def arrangement(line: Mapping[str, Any]) -> Mapping[PieceId, Pose]:
    """Nests in a triangle in the middle, guild cards along the edges clockwise, for a table of about 107 x 60 cm."""
    cards = guild_cards(sides(player["guild"] for player in line["players"]))
    middles = [(232.0, 214.0), (838.0, 214.0), (535.0, 386.0)]
    poses: dict[PieceId, Pose] = {name: (x, y, 0.0) for name, (x, y) in zip(PLACES, middles, strict=True)}
    edges = [(120, 530, 0), (120, 55, 180), (440, 60, 180), (660, 60, 180), (960, 60, 180), (950, 530, 0)]
    for player, (x, y, angle) in zip(line["players"], edges, strict=False):
        poses[cards[player["guild"]]] = (float(x), float(y), float(angle))
    poses[line["open"]] = (815.0, 505.0, 0.0)
    return poses


def _bowl(nest: str) -> Zone:
    spots = tuple((*_at(BOWL_MM, 72 * i + 36), 0.0) for i in range(5))
    return Zone(nest, _ring(EDGE_MM, 12), f"nest-{nest}", frozenset({"token"}), 1, spots)


def guild_cards(sides: Iterable[str]) -> Mapping[str, PieceId]:
    """The guild card of each side, given all six clockwise."""
    return {side: f"guild-{guild}" for side, guild in zip(sides, guilds(), strict=True)}


def sides(played: Iterable[str]) -> tuple[str, ...]:
    """The six sides clockwise; guilds of the set-up that the box doesn't know stand for those that nobody has."""
    played = list(played)
    strange = iter([guild for guild in played if guild not in guilds()])
    return tuple(guild if guild in played else next(strange, guild) for guild in guilds())


def _side(nest: str, index: int, guild: str) -> Zone:
    angle = 60.0 * index
    half_in, half_out = (mm * math.tan(math.radians(30)) for mm in (INNER_MM, OUTER_MM))
    corners = ((-half_in, -INNER_MM), (half_in, -INNER_MM), (half_out, -OUTER_MM), (-half_out, -OUTER_MM))
    turned = tuple(_turn(x, y, angle) for x, y in corners)
    middle = NEST_MM / 2 + CARD_MM[1] / 2 + 2
    spots = tuple((*_at(middle + shift, angle), angle + 180) for shift in (0.0, SHIFT_MM))
    return Zone(side(nest, guild), turned, f"nest-{nest}", spots=spots)


def _seat(guild: str, card: PieceId) -> Zone:
    return Zone(seat(guild), _square(SEAT_MM), card, frozenset({"figure"}), spots=((50.0, 10.0, 0.0),))


def _ring(radius_mm: float, corners: int) -> tuple[Point, ...]:
    return tuple(_at(radius_mm, 360 / corners * i) for i in range(corners))


def _square(half_mm: float) -> tuple[Point, ...]:
    return ((-half_mm, -half_mm), (half_mm, -half_mm), (half_mm, half_mm), (-half_mm, half_mm))


def _at(radius_mm: float, angle_deg: float) -> Point:
    """The point at a distance from the middle, in a direction clockwise from the top."""
    return _turn(0.0, -radius_mm, angle_deg)


def _turn(x: float, y: float, angle_deg: float) -> Point:
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    return round(x * cos - y * sin, 3), round(x * sin + y * cos, 3)

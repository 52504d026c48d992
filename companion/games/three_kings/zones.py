"""Where things lie: Thrones with Counselors and Intrigue, boards, stage, piles and score; and what belongs there.

Each Throne has a sheet of its own, and so have boards, stage, piles and score; the markers on them carry the zones, so
that they lie where the players like. Cards in an Intrigue space and on the stage lie in rows, each over the one before
it, so that the stickers in their upper left corners show.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.core.box import PieceId
from companion.core.table import Layout, Point, Pose, Zone, ZoneId
from companion.games.three_kings.box import (
    ACTION_BACK,
    BACK,
    CARD_MM,
    FIRST_MM,
    MARKER_MM,
    PILES,
    SCORE,
    STAGE,
    TURN,
    board,
    marker,
    throne_sheet,
)
from companion.games.three_kings.cards import FACTIONS
from companion.games.three_kings.state import FIRST_CARD, GUILDS, ROUNDS, THRONES, TURNS, State

STAGE_ZONE = "stage/cards"
"""Where cards are laid open: drawn Action cards, revealed Intrigue, the Fallen."""
PILE_NAMES = ("deck", "discards", "infirmary", "actions")
LOOSE_MM = 9.0
"""So far beyond a printed place a piece still counts as lying there."""

THRONE_SHEET_MM = (174.0, 246.0)
THRONE_TAG_MM = (76.0, 76.0)
THRONE_CARD_MM = (31.0, 47.5)
COUNSELORS_MM = (74.0, 16.0)
"""The first place for a Counselor; there are two rows."""
COUNSELOR_PITCH_MM, COUNSELORS_IN_ROW = 24.0, 4
INTRIGUE_TOP_MM = 97.0
BACK_PITCH_MM, BACKS_IN_ROW, BACK_ROWS = 19.0, 7, 4

STAGE_SHEET_MM = (370.0, 164.0)
STAGE_TAG_MM = (355.0, 15.0)
FACE_FAN_MM, FACE_ROW_MM = 34.0, 36.0
FACES_IN_ROW, FACE_ROWS = 9, 3

PILES_SHEET_MM = (246.0, 124.0)
PILES_TAG_MM = (232.0, 107.0)
PILE_PITCH_MM = 60.0
TURN_MM, TURN_PITCH_MM = (30.0, 108.0), 40.0

LEAST_VP, MOST_VP = -5, 20
"""The score sheet ends there; whoever has more (or less) stays at the end."""
SCORE_LEFT_MM, VP_PITCH_MM, LANE_MM = 46.0, 19.0, 20.0
SCORE_SHEET_MM = (SCORE_LEFT_MM + (MOST_VP - LEAST_VP + 1) * VP_PITCH_MM + 18.0, 4 * LANE_MM + 30.0)

BOARD_MM = (237.0, 93.0)
BOARD_TAG_MM = (188.0, 15.0)
SPACE_PITCH_MM = 58.0
HOME_MM, FIRST_AT_MM = (221.0, 15.0), (205.5, 65.0)


def throne(number: int) -> ZoneId:
    """Where the Character of a Throne lies."""
    return f"throne/{number}"


def counselors(number: int) -> ZoneId:
    """Where the Counselors of a Throne stand."""
    return f"counselors/{number}"


def intrigue(number: int) -> ZoneId:
    """A Throne's Intrigue space."""
    return f"intrigue/{number}"


def space(guild: str, number: int) -> ZoneId:
    """A space of a player's board, by the Round in which it is revealed."""
    return f"space/{guild}/{number}"


def home(guild: str) -> ZoneId:
    """Where a Counselor stands that isn't sent."""
    return f"home/{guild}"


def first(guild: str) -> ZoneId:
    """Where the First Player card lies before a player."""
    return f"first/{guild}"


def pile(name: str) -> ZoneId:
    """Where a pile lies face down."""
    return f"pile/{name}"


def points(faction: str, vp: int) -> ZoneId:
    """The place on the score sheet for so many points."""
    return f"vp/{faction}/{min(max(vp, LEAST_VP), MOST_VP)}"


def turn(number: int) -> ZoneId:
    """The place of the Turn token."""
    return f"turn/{number}"


def place_of(piece: str, place: str) -> ZoneId:
    """The zone for a piece that lies open at one of the places of `state.py`, or of the dealer's world."""
    name, _, rest = place.partition("/")
    if piece.startswith("counselor-"):
        return home(rest) if name == "seat" else counselors(int(rest))
    if piece == FIRST_CARD:
        return first(rest)
    return STAGE_ZONE if piece != BACK and name in ("intrigue", "infirmary", "drawn") else place


def layout(state: State) -> Layout:
    """Which piece belongs where now."""
    if state.phase == "over":
        return Layout()
    expected = [(piece, place_of(piece, place)) for piece, place in state.lying()]
    loose = [(piece, place_of(piece, place)) for piece, place in state.loose()]
    homes = [pair for pair in loose if pair[0].startswith("counselor-")]
    expected += homes
    for seat, spaces in zip(state.seats, state.spaces, strict=True):
        expected += [(BACK, space(seat.guild, number)) for number, there in enumerate(spaces, 1) if there]
    for number, cards in enumerate(state.intrigue, 1):
        # Once they may be revealed they are taken up, shuffled and laid open.
        if not (state.phase == "award" and number == state.awarding):
            expected += [(BACK, intrigue(number))] * cards
    expected += [(marker(faction), points(faction, vp)) for faction, vp in zip(FACTIONS, state.vp, strict=True)]
    expected.append((TURN, turn(state.turn)))
    optional = [pair for pair in loose if pair not in homes]
    if state.phase == "award":
        optional += [(BACK, intrigue(state.awarding))] * state.intrigue[state.awarding - 1]
    optional += [(BACK, pile(name)) for name in PILE_NAMES[:3]] + [(ACTION_BACK, pile("actions"))]
    return Layout(tuple(expected), tuple(optional))


def followers(state: State) -> Mapping[PieceId, ZoneId]:
    """What people move when something has been decided, with its place: Counselors, First Player card, markers."""
    kinds = ("counselor-", marker(""), FIRST_CARD, TURN)
    return {piece: zone for piece, zone in layout(state).expected if piece.startswith(kinds)}


def zones(guilds: Iterable[str]) -> tuple[Zone, ...]:
    """All zones of the players who have these boards."""
    found = [zone for number in range(1, THRONES + 1) for zone in _throne(number)]
    found += [_stage(), *_piles(), *_score()]
    return (*found, *(zone for guild in guilds for zone in _board(guild)))


def arrangement(line: Mapping[str, Any]) -> Mapping[PieceId, Pose]:
    """Boards along the long sides of a table of 107 x 60 cm, clockwise; Thrones at the left, all else at the right."""
    poses: dict[PieceId, Pose] = {}
    for number in range(1, THRONES + 1):
        left, top = 12.0 + (number - 1) * (THRONE_SHEET_MM[0] + 2), 228.0
        poses[throne_sheet(number)] = (left + THRONE_TAG_MM[0], top + THRONE_TAG_MM[1], 0.0)
    poses[SCORE[0]], poses[SCORE[1]] = ((498.0 + x, 97.0 + y, 0.0) for x, y in score_tags_mm())
    poses[STAGE] = (650.0 + STAGE_TAG_MM[0], 212.0 + STAGE_TAG_MM[1], 0.0)
    poses[PILES] = (660.0 + PILES_TAG_MM[0], 378.0 + PILES_TAG_MM[1], 0.0)
    guilds = [player["guild"] for player in line["players"]]
    for guild, (x, y, angle) in zip(guilds, SEATS[len(guilds)], strict=True):
        across, down = turned((BOARD_TAG_MM[0] - BOARD_MM[0] / 2, BOARD_TAG_MM[1] - BOARD_MM[1] / 2), angle)
        poses[board(guild)] = (x + across, y + down, angle)
    return poses


def _seats(players: int) -> tuple[Pose, ...]:
    """The middles of so many boards, clockwise: from the lower right to the left, then along the top."""
    below = math.ceil(players / 2)
    rows = ((below, 551.5, 0.0), (players - below, 48.5, 180.0))
    found: list[Pose] = []
    for number, y, angle in rows:
        gap = 238.5 if number > 3 else 320.0
        xs = [535.0 + gap * (index - (number - 1) / 2) for index in range(number)]
        found += [(x, y, angle) for x in (reversed(xs) if angle == 0.0 else xs)]
    return tuple(found)


SEATS = {players: _seats(players) for players in range(3, len(GUILDS) + 1)}


def counselor_mm(index: int) -> Point:
    """A place for a Counselor on a Throne's sheet."""
    row, column = divmod(index, COUNSELORS_IN_ROW)
    return COUNSELORS_MM[0] + column * COUNSELOR_PITCH_MM, COUNSELORS_MM[1] + row * COUNSELOR_PITCH_MM


def back_mm(index: int) -> Point:
    """The middle of a card in an Intrigue space, on a Throne's sheet."""
    row, column = divmod(index, BACKS_IN_ROW)
    left, top = 2.0 + CARD_MM[0] / 2, INTRIGUE_TOP_MM + 1.0 + CARD_MM[1] / 2
    return left + column * BACK_PITCH_MM, top + row * BACK_PITCH_MM


def face_mm(index: int) -> Point:
    """The middle of a card on the stage's sheet."""
    row, column = divmod(index, FACES_IN_ROW)
    return 3.0 + CARD_MM[0] / 2 + column * FACE_FAN_MM, 2.0 + CARD_MM[1] / 2 + row * FACE_ROW_MM


def pile_mm(index: int) -> Point:
    """The middle of a pile on its sheet."""
    return 33.0 + index * PILE_PITCH_MM, 47.0


def turn_mm(number: int) -> Point:
    """The place of the Turn token on the sheet of the piles."""
    return TURN_MM[0] + (number - 1) * TURN_PITCH_MM, TURN_MM[1]


def vp_mm(faction: int, vp: int) -> Point:
    """A place on the score sheet."""
    return SCORE_LEFT_MM + (vp - LEAST_VP + 0.5) * VP_PITCH_MM, 28.0 + (faction + 0.5) * LANE_MM


def score_tags_mm() -> tuple[Point, Point]:
    """The markers of the score sheet."""
    return (14.0, 14.0), (SCORE_SHEET_MM[0] - 14.0, 14.0)


def space_mm(number: int) -> Point:
    """The middle of a space on a board, by its Round."""
    return 1.0 + SPACE_PITCH_MM / 2 + (number - 1) * SPACE_PITCH_MM, BOARD_MM[1] / 2


def _throne(number: int) -> Iterator[Zone]:
    sheet, tag = throne_sheet(number), THRONE_TAG_MM
    width, height = THRONE_SHEET_MM
    yield _single(throne(number), sheet, tag, THRONE_CARD_MM, CARD_MM, {"card"})
    spots = tuple(_spot(counselor_mm(index), tag) for index in range(len(GUILDS)))
    corners = _box(tag, (COUNSELORS_MM[0] - 12, 0.0), (width, COUNSELORS_MM[1] + 2 * COUNSELOR_PITCH_MM))
    yield Zone(counselors(number), corners, sheet, frozenset({"counselor"}), spots=spots)
    spots = tuple(_spot(back_mm(index), tag) for index in range(BACKS_IN_ROW * BACK_ROWS))
    corners = _box(tag, (-1.0, INTRIGUE_TOP_MM), (width + 1, height + LOOSE_MM))
    yield Zone(intrigue(number), corners, sheet, frozenset({BACK}), spots=spots, fan=True)


def _stage() -> Zone:
    spots = tuple(_spot(face_mm(index), STAGE_TAG_MM) for index in range(FACES_IN_ROW * FACE_ROWS))
    corners = _box(STAGE_TAG_MM, (-LOOSE_MM, -LOOSE_MM), (STAGE_SHEET_MM[0], STAGE_SHEET_MM[1] + LOOSE_MM))
    return Zone(STAGE_ZONE, corners, STAGE, frozenset({"card", "action"}), spots=spots, fan=True)


def _piles() -> Iterator[Zone]:
    for index, name in enumerate(PILE_NAMES):
        kind = ACTION_BACK if name == "actions" else BACK
        yield _single(pile(name), PILES, PILES_TAG_MM, pile_mm(index), (CARD_MM[0] - 10, CARD_MM[1]), {kind})
    for number in range(1, TURNS + 1):
        size = (TURN_PITCH_MM - 2 * LOOSE_MM, MARKER_MM + 6)
        yield _single(turn(number), PILES, PILES_TAG_MM, turn_mm(number), size, {"turn"})


def _score() -> Iterator[Zone]:
    tags = score_tags_mm()
    for index, faction in enumerate(FACTIONS):
        for vp in range(LEAST_VP, MOST_VP + 1):
            at = vp_mm(index, vp)
            side = int(math.dist(at, tags[1]) < math.dist(at, tags[0]))
            x, y = at
            # A marker slips into the next lane sooner than into the next column; there only its own kind counts.
            corners = _box(tags[side], (x - VP_PITCH_MM / 2, y - LANE_MM), (x + VP_PITCH_MM / 2, y + LANE_MM))
            spots = (_spot(at, tags[side]),)
            yield Zone(points(faction, vp), corners, SCORE[side], frozenset({f"{faction}-marker"}), spots=spots)


def _board(guild: str) -> Iterator[Zone]:
    sheet, tag = board(guild), BOARD_TAG_MM
    for number in range(1, ROUNDS + 1):
        x, y = space_mm(number)
        half = SPACE_PITCH_MM / 2
        corners = _box(tag, (x - half, y - BOARD_MM[1] / 2 - LOOSE_MM), (x + half, y + BOARD_MM[1] / 2 + LOOSE_MM))
        yield Zone(space(guild, number), corners, sheet, frozenset({"card", BACK}), spots=(_spot((x, y), tag),))
    yield _single(home(guild), sheet, tag, HOME_MM, (20.0, 20.0), {"counselor"})
    yield _single(first(guild), sheet, tag, FIRST_AT_MM, (FIRST_MM[0] - 6, FIRST_MM[1]), {"first"})


def _single(zone: ZoneId, sheet: PieceId, tag: Point, middle: Point, size: Point, holds: set[str]) -> Zone:
    """A place for one thing."""
    (x, y), w, h = middle, size[0] / 2 + LOOSE_MM, size[1] / 2 + LOOSE_MM
    corners = _box(tag, (x - w, y - h), (x + w, y + h))
    return Zone(zone, corners, sheet, frozenset(holds), spots=(_spot(middle, tag),))


def _box(tag: Point, left_top: Point, right_bottom: Point) -> tuple[Point, ...]:
    """A rectangle of a sheet in the frame of its marker."""
    (left, top), (right, bottom) = ((x - tag[0], y - tag[1]) for x, y in (left_top, right_bottom))
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _spot(at: Point, tag: Point) -> Pose:
    return at[0] - tag[0], at[1] - tag[1], 0.0


def turned(point: Point, angle_deg: float) -> Point:
    """A point turned clockwise about the origin."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    x, y = point
    return x * cos - y * sin, x * sin + y * cos

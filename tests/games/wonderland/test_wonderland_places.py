"""Sheets, places and table fit together: what is printed, where the rules look, and where people lay things."""

from __future__ import annotations

from itertools import combinations

import pytest

from companion.app.sheets import sheets
from companion.core.printing import Disc, Frame, TagMark
from companion.core.table import Point, Pose, Zone
from companion.games.wonderland import GAME
from companion.games.wonderland.box import CARD_MM, CARD_TAG_AT_MM, CARD_TAG_MM
from vision.scene.scene import Prop
from vision.zones import Pose as TagPose
from vision.zones import ZoneMap

NAMES = ("Ann", "Bea", "Cid", "Dot")
COUNTS = (2, 3, 4)
TABLE_MM = (900.0, 600.0)
CORNER_MM = 60.0
"""A corner marker with its white border."""


def _line(players: int) -> dict[str, object]:
    return {"players": list(NAMES[:players])}


def _poses(players: int) -> dict[str, TagPose]:
    """Where the markers lie, in the middle of their pieces."""
    return {name: TagPose((x, y), angle) for name, (x, y, angle) in GAME.arrangement(_line(players)).items()}


def _rectangle(sheet: Prop, pose: Pose) -> tuple[float, float, float, float]:
    """What a sheet covers of a table of 90 x 60 cm that lies in the middle of the virtual one."""
    x, y, angle = pose
    width, height = sheet.size_mm if angle % 180 == 0 else sheet.size_mm[::-1]
    left = x - (1070.0 - TABLE_MM[0]) / 2
    return left - width / 2, y - height / 2, left + width / 2, y + height / 2


def _apart(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("players", COUNTS)
def test_all_sheets_lie_on_a_table_of_90_by_60_beside_one_another_and_beside_its_corners(players: int) -> None:
    found = [_rectangle(*one) for one in sheets(GAME, GAME.arrangement(_line(players)))]
    assert len(found) == 2 + 2 * players
    for left, top, right, bottom in found:
        assert left >= 0 and top >= 0 and right <= TABLE_MM[0] and bottom <= TABLE_MM[1]
    corners = [
        (x, y, x + CORNER_MM, y + CORNER_MM)
        for x in (0.0, TABLE_MM[0] - CORNER_MM)
        for y in (0.0, TABLE_MM[1] - CORNER_MM)
    ]
    for one, other in combinations([*found, *corners], 2):
        assert _apart(one, other), (one, other)


@pytest.mark.parametrize("players", COUNTS)
def test_what_is_laid_in_its_spot_lies_in_its_zone(players: int) -> None:
    poses = _poses(players)
    placed = ZoneMap(GAME.box, GAME.zones(None, _line(players)), poses)
    assert placed.unplaced == ()
    for zone, _ in placed.placed:
        assert zone.anchor is not None and zone.spots
        for x, y, _angle in zone.spots:
            at = poses[zone.anchor].place([(x, y)])[0]
            for kind in zone.holds:
                found = placed.zone_at((float(at[0]), float(at[1])), kind)
                assert found is not None and found.id == zone.id, (zone.id, x, y)


def _spots(zone: str) -> tuple[Pose, ...]:
    return next(found.spots for found in GAME.zones(None, _line(2)) if found.id == zone)


@pytest.mark.parametrize("zone", ["tunnel/Ann", "notebook/Ann"])
def test_in_a_fan_each_sticker_shows_with_room_to_spare(zone: str) -> None:
    spots = _spots(zone)
    half = CARD_TAG_MM / 2 + 4
    for (x, y, _), (over_x, over_y, _) in combinations(spots, 2):
        tag = (x + CARD_TAG_AT_MM[0] - over_x, y + CARD_TAG_AT_MM[1] - over_y)
        hidden = abs(tag[0]) < CARD_MM[0] / 2 + half and abs(tag[1]) < CARD_MM[1] / 2 + half
        assert not hidden, ((x, y), (over_x, over_y))


def test_a_notebook_has_room_for_19_cards_and_a_tunnel_for_all_that_can_lie_there_uncovered() -> None:
    assert (len(_spots("notebook/Ann")), len(_spots("tunnel/Ann"))) == (19, 2 * 5)


def test_more_cards_have_room_in_a_notebook_where_those_of_a_row_are_pushed_together() -> None:
    """As the page of the game says: 27 mm from card to card, eight in the first row and seven in the others."""
    (zone,) = (zone for zone in GAME.zones(None, _line(4)) if zone.id == "notebook/Ann")
    marker = GAME.box.pieces["notebook-1"].tag_mm / 2 * 9 / 7
    rows = sorted({spot[1] for spot in zone.spots})
    first = min(spot[0] for spot in zone.spots)
    left, right = min(x for x, _ in zone.polygon_mm), max(x for x, _ in zone.polygon_mm)
    assert 25.0 + 2 * (CARD_MM[0] / 2 + CARD_TAG_AT_MM[0] - 12.5) <= 27.0  # stickers of 25 mm, a millimetre inside
    for y, cards in zip(rows, (8, 7, 7), strict=True):
        last = first + 27.0 * (cards - 1)
        assert left <= first - CARD_MM[0] / 2
        assert last + CARD_MM[0] / 2 <= right
        assert last + CARD_MM[0] / 2 <= -marker or y + CARD_MM[1] / 2 <= -marker
        more = last + 27.0 + CARD_MM[0] / 2
        assert more > right or (more > -marker and y + CARD_MM[1] / 2 > -marker)


def _printed(part: str) -> list[tuple[str, Point, tuple[object, ...]]]:
    """Sheets of a part: the piece whose marker comes first, where that is, and all shapes."""
    found = []
    for sheet in GAME.printables():
        marks = [shape for shape in sheet.shapes if isinstance(shape, TagMark)]
        piece = GAME.box.piece_of(marks[0].tag)
        if sheet.part == part and piece:
            found.append((piece.id, marks[0].middle, sheet.shapes))
    return found


def _zones_of(anchor: str) -> list[Zone]:
    return [zone for zone in GAME.zones(None, _line(4)) if zone.anchor == anchor]


def test_stickers_are_printed_where_cards_are_laid_and_discs_where_keys_are() -> None:
    for anchor, (x, y), shapes in _printed("sheets"):
        rows = next(zone for zone in _zones_of(anchor) if zone.fan)
        squares = {
            (shape.left_top[0] + shape.size[0] / 2 - x, shape.left_top[1] + shape.size[1] / 2 - y)
            for shape in shapes
            if isinstance(shape, Frame) and shape.size == (25.0, 25.0)
        }
        laid = {(spot[0] + CARD_TAG_AT_MM[0], spot[1] + CARD_TAG_AT_MM[1]) for spot in rows.spots}
        assert squares == laid
        keys = [spot[:2] for zone in _zones_of(anchor) if "key" in zone.holds for spot in zone.spots]
        discs = [(shape.middle[0] - x, shape.middle[1] - y) for shape in shapes if isinstance(shape, Disc)]
        assert sorted(keys) == sorted(discs)


def test_every_marker_is_printed_once_and_on_a_sheet() -> None:
    marks = [shape.tag for sheet in GAME.printables() for shape in sheet.shapes if isinstance(shape, TagMark)]
    fixed = [piece.tag for piece in GAME.box.pieces.values() if piece.fixed]
    assert len(marks) == len(set(marks))
    assert set(marks) == set(fixed)


def test_a_deck_is_printed_where_its_cards_are_looked_for() -> None:
    (anchor, at, shapes), *_ = _printed("hall")
    assert anchor == "hall-a"
    marks = {GAME.box.piece_of(s.tag).id: s.middle for s in shapes if isinstance(s, TagMark)}  # type: ignore[union-attr]
    discs = [shape.middle for shape in shapes if isinstance(shape, Disc)]
    for deck in range(5):
        zone = next(zone for zone in GAME.zones(None, {}) if zone.id == f"deck-{deck}/key")
        x, y = marks[zone.anchor or ""]
        assert any(abs(x + zone.spots[0][0] - a) < 0.01 and abs(y + zone.spots[0][1] - b) < 0.01 for a, b in discs)
    assert at == marks["hall-a"]


def test_a_key_counts_for_the_nearest_deck_wherever_it_lies_beside_it() -> None:
    placed = ZoneMap(GAME.box, GAME.zones(None, {}), _poses(2))
    poses = _poses(2)
    for deck in range(5):
        zone = next(zone for zone in GAME.zones(None, {}) if zone.id == f"deck-{deck}/top")
        x, y, angle = zone.spots[0]
        middle = poses[zone.anchor or ""].place([(x, y)])[0]
        for across in (-42.0, 42.0):
            beside = TagPose((float(middle[0]), float(middle[1])), angle).place([(across, 0.0)])[0]
            found = placed.zone_at((float(beside[0]), float(beside[1])), "key")
            assert found is not None and found.id == f"deck-{deck}/key"

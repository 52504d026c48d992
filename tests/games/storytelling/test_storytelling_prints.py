"""What is printed and where the rules look for it are the same places; tiles and cards hold what they must."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import pytest

from companion.core.messages import Message, say, told, verbatim
from companion.core.printing import Disc, Drawn, Frame, Label, Printable, TagMark
from companion.core.table import Point, Zone
from companion.games.storytelling import GAME
from companion.games.storytelling.state import MODES
from companion.games.storytelling.tales import Card, Story, Tile

FRAMES = {"red": "#c8403a", "blue": "#3b6fb5", "green": "#4d9a4a", "gold": "#d9a520"}
SHEETS = {4: ("sheet-4x4-a", "sheet-4x4-b"), 8: ("sheet-2x8-a", "sheet-2x8-b")}
PRINTED = GAME.printables()


def _columns(mode: str) -> int:
    return 8 if mode == "race" else 4


def _sheet(mode: str) -> Printable:
    title = say("print.sheet.race" if mode == "race" else "print.sheet.basic")
    (sheet,) = [one for one in PRINTED if one.title == title]
    return sheet


def _dial() -> Printable:
    (dial,) = [one for one in PRINTED if one.part == "dial"]
    return dial


def _marks(printable: Printable) -> dict[str, TagMark]:
    """Tags by the piece that they stand for."""
    marks = [shape for shape in printable.shapes if isinstance(shape, TagMark)]
    pieces = [GAME.box.piece_of(mark.tag) for mark in marks]
    return {piece.name: mark for piece, mark in zip(pieces, marks, strict=True) if piece}


def _zones(mode: str, positions: int = 12) -> dict[str, Zone]:
    return {zone.id: zone for zone in GAME.zones(None, {"mode": mode, "clock_positions": positions})}


def _label(shapes: Sequence[object], message: Message) -> Label:
    """The one label that says this."""
    (label,) = [shape for shape in shapes if isinstance(shape, Label) and shape.message == message]
    return label


def _plus(one: Sequence[float], other: Sequence[float]) -> Point:
    return one[0] + other[0], one[1] + other[1]


def _middle(corners: Sequence[Point]) -> Point:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _box(left_top: Point, size: Point) -> tuple[float, float, float, float]:
    return (*left_top, *_plus(left_top, size))


def _overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _holds(polygon: Sequence[Point], point: Point) -> bool:
    """Whether a point is in a polygon, by counting the edges to its right."""
    inside = False
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y1 > point[1]) != (y2 > point[1]) and point[0] < x1 + (point[1] - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def _on_sheet(mode: str, zone: Zone) -> tuple[Point, ...]:
    """A zone's corners as they lie on the printed sheet."""
    assert zone.anchor is not None
    return tuple(_plus(corner, _marks(_sheet(mode))[zone.anchor].middle) for corner in zone.polygon_mm)


def _cells(mode: str) -> Iterator[tuple[str, str]]:
    """The name of each cell, and the piece whose marker is printed in it: row by row."""
    for index in range(16):
        row, column = divmod(index, _columns(mode))
        yield f"{'ABCDEFGH'[column]}{row + 1}", f"cell-{index + 1:02}"


# The sheets


@pytest.mark.parametrize("mode", MODES)
def test_the_middle_of_each_cells_zone_lies_on_its_printed_marker(mode: str) -> None:
    zones, marks = _zones(mode), _marks(_sheet(mode))
    for name, piece in _cells(mode):
        zone = zones[f"grid/{name}"]
        assert _middle(_on_sheet(mode, zone)) == pytest.approx(marks[piece].middle), name
        (spot,) = zone.spots
        assert zone.anchor is not None
        assert _plus(spot, marks[zone.anchor].middle) == pytest.approx(marks[piece].middle)
        assert (spot[2], zone.holds) == (0.0, {"tile", "cell"})


@pytest.mark.parametrize("mode", MODES)
def test_each_cell_bears_its_name_and_a_tile_covers_its_marker(mode: str) -> None:
    zones, marks = _zones(mode), _marks(_sheet(mode))
    for name, piece in _cells(mode):
        label, corners = _label(_sheet(mode).shapes, verbatim(name)), _on_sheet(mode, zones[f"grid/{name}"])
        left, top, right, bottom = _box(label.left_top, label.size)
        assert all(_holds(corners, corner) for corner in ((left, top), (right, bottom)))
        (x, y), half = marks[piece].middle, marks[piece].side / 2
        assert not _overlap((left, top, right, bottom), (x - half, y - half, x + half, y + half))
        tile = GAME.box.pieces["george-01"].size_mm
        assert marks[piece].side < min(tile)
        assert max(tile) < corners[1][0] - corners[0][0]


@pytest.mark.parametrize("mode", MODES)
def test_markers_lie_to_each_other_as_the_arrangement_puts_them(mode: str) -> None:
    poses, marks = GAME.arrangement({"mode": mode, "players": ["A", "B"]}), _marks(_sheet(mode))
    assert set(marks) == {*SHEETS[_columns(mode)], *(piece for _, piece in _cells(mode))}
    first = SHEETS[_columns(mode)][0]
    corner = _plus(poses[first], (-marks[first].middle[0], -marks[first].middle[1]))
    for piece, mark in marks.items():
        assert poses[piece] == pytest.approx((*_plus(corner, mark.middle), 0.0)), piece
        assert (mark.side, GAME.box.pieces[piece].fixed) == (GAME.box.pieces[piece].tag_mm, True)


@pytest.mark.parametrize("mode", MODES)
def test_each_sheet_fits_on_the_table_with_all_that_lies_beside_it(mode: str) -> None:
    poses = GAME.arrangement({"mode": mode, "players": ["A", "B"]})
    first = SHEETS[_columns(mode)][0]
    left_top = _plus(poses[first], (-_marks(_sheet(mode))[first].middle[0], -_marks(_sheet(mode))[first].middle[1]))
    boxes = [_box(left_top, _sheet(mode).size)]
    if mode == "midnight":
        boxes.append(_box(_plus(poses["dial"], (-_dial().size[0] / 2, -_dial().size[1] / 2)), _dial().size))
    assert ("dial" in poses) == (mode == "midnight")
    for box in boxes:
        assert 0 <= box[0] < box[2] <= 1070
        assert 0 <= box[1] < box[3] <= 600
    assert not (len(boxes) == 2 and _overlap(*boxes))


@pytest.mark.parametrize("mode", MODES)
def test_the_middle_of_each_zone_is_in_no_other_zone(mode: str) -> None:
    poses = GAME.arrangement({"mode": mode, "players": ["A", "B"]})
    zones = list(_zones(mode).values())
    lying = [tuple(_plus(corner, poses[zone.anchor or ""]) for corner in zone.polygon_mm) for zone in zones]
    spots = [_plus(zone.spots[0], poses[zone.anchor or ""]) for zone in zones]
    assert [[i for i, polygon in enumerate(lying) if _holds(polygon, spot)] for spot in spots] == [
        [i] for i in range(len(zones))
    ]


def test_columns_have_letters_and_rows_have_numbers_beside_the_square_grid() -> None:
    zones, shapes = _zones("basic"), _sheet("basic").shapes
    for index in range(4):
        x, y = _middle(_on_sheet("basic", zones[f"grid/{'ABCD'[index]}{index + 1}"]))
        letter, number = _label(shapes, verbatim("ABCD"[index])), _label(shapes, verbatim(str(index + 1)))
        assert letter.left_top[0] + letter.size[0] / 2 == pytest.approx(x)
        assert number.left_top[1] + number.size[1] / 2 == pytest.approx(y)


# The race


def _squares() -> dict[int, tuple[Point, ...]]:
    """Corners of the squares' zones as they lie on the printed sheet."""
    zones = _zones("race")
    return {number: _on_sheet("race", zones[f"track/{number}"]) for number in range(20)}


def test_each_square_of_the_race_is_printed_with_its_number_where_its_zone_is() -> None:
    words = {0: say("print.start"), 19: say("print.finish")}
    shapes = _sheet("race").shapes
    frames = [(_box(frame.left_top, frame.size), frame) for frame in shapes if isinstance(frame, Frame)]
    for number, corners in _squares().items():
        message = words.get(number, verbatim(str(number)))
        label = _label(shapes, message)
        left, top, right, bottom = _box(label.left_top, label.size)
        ((box, frame),) = [
            (box, frame)
            for box, frame in frames
            if frame.size != _sheet("race").size and box[0] < left < right < box[2] and box[1] < top < bottom < box[3]
        ]
        assert _middle(corners) == pytest.approx(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)), number
        assert (frame.size[0] + 2, frame.size[1] + 2) == pytest.approx(
            (corners[2][0] - corners[0][0], corners[2][1] - corners[0][1])
        )
        assert bool(frame.fill) == (number in words)


def test_squares_run_clockwise_around_the_grid_and_the_finish_is_the_one_before_the_start() -> None:
    squares = _squares()
    width, height = _sheet("race").size
    middles = [_middle(squares[number]) for number in range(20)]
    turns = [math.atan2(y - height / 2, x - width / 2) for x, y in middles]
    steps = [(after - before) % math.tau for before, after in zip(turns, (*turns[1:], turns[0]), strict=True)]
    assert all(0 < step < math.pi / 2 for step in steps)
    assert sum(steps) == pytest.approx(math.tau)
    cells = [_on_sheet("race", _zones("race")[f"grid/{name}"]) for name, _ in _cells("race")]
    for middle in middles:
        assert not any(_holds(cell, middle) for cell in cells)
    (left, top), (_, below) = middles[0], middles[19]
    assert middles[19][0] == pytest.approx(left) == pytest.approx(squares[0][0][0] + 22)
    assert below - top == pytest.approx(squares[0][2][1] - squares[0][0][1])


def test_hare_and_tortoise_have_room_beside_each_other_in_every_square() -> None:
    size = GAME.box.pieces["hare"].size_mm[0]
    for number, zone in ((n, _zones("race")[f"track/{n}"]) for n in range(20)):
        one, other = zone.spots
        assert math.dist(one[:2], other[:2]) >= size, number
        assert zone.holds == {"runner"}
        for x, y, _ in zone.spots:
            assert all(
                _holds(zone.polygon_mm, (x + dx * size / 2, y + dy * size / 2))
                for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            )


# The dial


def test_each_place_of_the_clock_is_printed_where_its_zone_is_with_twelve_at_the_top() -> None:
    zones, dial = _zones("midnight"), _dial()
    mark = _marks(dial)["dial"]
    discs = [shape for shape in dial.shapes if isinstance(shape, Disc)]
    assert mark.middle == pytest.approx((dial.size[0] / 2, dial.size[1] / 2))
    for number in range(12):
        zone = zones[f"dial/{number}"]
        (spot,) = zone.spots
        place = _plus(spot, mark.middle)
        (disc,) = [disc for disc in discs if disc.middle == pytest.approx(place)]
        assert disc.radius > GAME.box.pieces["clock"].size_mm[0] / 2
        label = _label(dial.shapes, verbatim(str(number or 12)))
        assert _plus(label.left_top, (label.size[0] / 2, label.size[1] / 2)) == pytest.approx(place)
        assert (zone.anchor, zone.holds) == ("dial", {"clock"})
    twelve, three = (zones[f"dial/{number}"].spots[0] for number in (0, 3))
    assert (twelve[0], three[1]) == pytest.approx((0.0, 0.0))
    assert (twelve[1] < 0, three[0] > 0) == (True, True)


@pytest.mark.parametrize("positions", [1, 2, 3, 5, 12, 24])
def test_each_place_of_a_clock_with_other_positions_is_in_its_own_zone_only(positions: int) -> None:
    zones = [zone for name, zone in _zones("midnight", positions).items() if name.startswith("dial/")]
    printed = [(12 * number // positions, 12 * number % positions == 0) for number in range(positions)]
    wanted = [f"dial/{twelfth}" if there else f"dial/{i}-{positions}" for i, (twelfth, there) in enumerate(printed)]
    assert [zone.id for zone in zones] == wanted
    for number, zone in enumerate(zones):
        spot = zone.spots[0][:2]
        assert [i for i, other in enumerate(zones) if _holds(other.polygon_mm, spot)] == [number]
        assert math.atan2(spot[0], -spot[1]) % math.tau == pytest.approx(math.tau * number / positions, abs=1e-3)


# Tiles and cards

TILES = [(story, tile) for story in GAME.stories.values() for tile in story.tiles]
CARDS = [(story, card) for story in GAME.stories.values() for card in story.cards]


def _parts(part: str) -> list[Printable]:
    return [one for one in PRINTED if one.part == part]


def _labels(shapes: Sequence[object]) -> list[Message]:
    return [shape.message for shape in shapes if isinstance(shape, Label)]


def test_sheets_come_first_and_there_is_one_of_everything() -> None:
    parts = [one.part for one in PRINTED]
    assert parts == ["grid", "grid", "dial", *["tiles"] * 64, *["cards"] * 52]


@pytest.mark.parametrize(
    ("story", "tile", "printed"), [(*one, p) for one, p in zip(TILES, _parts("tiles"), strict=True)]
)
def test_a_tile_bears_the_tag_of_its_piece_where_the_box_says(story: Story, tile: Tile, printed: Printable) -> None:
    number = story.tiles.index(tile) + 1
    piece = GAME.box.pieces[f"{story.tale}-{number:02}"]
    (mark,) = [shape for shape in printed.shapes if isinstance(shape, TagMark)]
    middle = _plus((piece.size_mm[0] / 2, piece.size_mm[1] / 2), piece.tag_at_mm)
    assert mark == TagMark(piece.tag, middle, piece.tag_mm)
    assert printed.size == piece.size_mm
    assert piece.label == say("label.named-tile", name=told(tile.label), tale=story.tale, number=number)


@pytest.mark.parametrize(
    ("story", "tile", "printed"), [(*one, p) for one, p in zip(TILES, _parts("tiles"), strict=True)]
)
def test_a_tile_has_frame_picture_and_name_beside_its_tag(story: Story, tile: Tile, printed: Printable) -> None:
    (picture,) = [shape for shape in printed.shapes if isinstance(shape, Drawn)]
    (mark,) = [shape for shape in printed.shapes if isinstance(shape, TagMark)]
    outer, inner = (shape for shape in printed.shapes if isinstance(shape, Frame))
    assert (outer.size, outer.fill) == (printed.size, FRAMES[tile.colour])
    assert picture.picture == tile.picture
    assert _labels(printed.shapes) == [told(tile.label), say("print.colour", colour=tile.colour)]
    half = mark.side / 2
    tag = (mark.middle[0] - half, mark.middle[1] - half, mark.middle[0] + half, mark.middle[1] + half)
    boxes = [_box(picture.left_top, (picture.side, picture.side))]
    boxes += [_box(shape.left_top, shape.size) for shape in printed.shapes if isinstance(shape, Label)]
    left, top, right, bottom = _box(inner.left_top, inner.size)
    for box in (*boxes, tag):
        assert left <= box[0] < box[2] <= right
        assert top <= box[1] < box[3] <= bottom
    assert [box for box in boxes if _overlap(box, tag)] == []


def test_no_tag_is_printed_twice() -> None:
    tags = [shape.tag for one in PRINTED for shape in one.shapes if isinstance(shape, TagMark)]
    cells = {GAME.box.pieces[piece].tag for _, piece in _cells("basic")}
    assert sorted(map(str, tags)) == sorted(map(str, [*set(tags), *cells]))


@pytest.mark.parametrize(
    ("story", "card", "printed"), [(*one, p) for one, p in zip(CARDS, _parts("cards"), strict=True)]
)
def test_a_card_has_its_number_and_text_in_front(story: Story, card: Card, printed: Printable) -> None:
    assert _labels(printed.shapes) == [verbatim(str(card.number)), told(dict(story.name)), told(card.text)]
    assert [shape for shape in printed.shapes if isinstance(shape, Drawn | TagMark)] == []


@pytest.mark.parametrize(
    ("story", "card", "printed"), [(*one, p) for one, p in zip(CARDS, _parts("cards"), strict=True)]
)
def test_a_card_has_its_pictures_in_order_and_its_points_behind(story: Story, card: Card, printed: Printable) -> None:
    drawn = [shape for shape in printed.back if isinstance(shape, Drawn)]
    read = sorted(drawn, key=lambda shape: (shape.left_top[1], shape.left_top[0]))
    assert [shape.picture for shape in read] == [tile.picture for name in card.pictures if (tile := story.tile(name))]
    labels = [shape for shape in printed.back if isinstance(shape, Label)]
    assert say("print.points", n=card.points) in _labels(labels)
    boxes = [_box(shape.left_top, (shape.side, shape.side)) for shape in read]
    for index, (name, box) in enumerate(zip(card.pictures, boxes, strict=True)):
        tile = story.tile(name)
        assert tile is not None
        message = say("print.picture", number=index + 1, tile=told(tile.label))
        label = _label(labels, message)
        left, top, right, _ = _box(label.left_top, label.size)
        assert (left + right) / 2 == pytest.approx((box[0] + box[2]) / 2)
        assert 0 < top - box[3] < 3
        assert label.size[1] >= 4
    boxes += [_box(label.left_top, label.size) for label in labels]
    for number, box in enumerate(boxes):
        assert 0 <= box[0] < box[2] <= printed.size[0]
        assert 0 <= box[1] < box[3] <= printed.size[1]
        assert not any(_overlap(box, other) for other in boxes[:number]), (card.number, number)


def test_an_owners_tiles_and_cards_are_printed_as_well() -> None:
    from companion.games.storytelling.template import TEMPLATE

    game = GAME.equipped({"mine": TEMPLATE})
    tags = {s.tag for one in game.printables() if one.part == "tiles" for s in one.shapes if isinstance(s, TagMark)}
    assert {game.box.pieces[f"own-{number:02}"].tag for number in range(1, 17)} <= tags
    assert len([one for one in game.printables() if one.part == "cards"]) == 5 * 13

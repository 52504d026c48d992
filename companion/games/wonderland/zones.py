"""Where things lie: decks and Keys of the Hall, Tunnels, Notebooks, the discards; and what belongs where.

Zones, with NAME for a player and N for a deck from 0 to 4: `deck-N/top` (cards on a deck), `deck-N/key`, `middle/key`,
`keys/NAME` (Keys before a player), `tunnel/NAME`, `covered/NAME` (the Queen's place: what she covers, and she on it),
`notebook/NAME`, `discards/pile`.

All of them are carried by markers of printed sheets: the Hall, a Tunnel and a Notebook for each player, and one for the
discards. Cards in a Tunnel or Notebook lie in rows, each over the one before it, so that the stickers in their upper
left corners show.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

from companion.core.box import PieceId
from companion.core.table import Layout, Point, Pose, Zone, ZoneId
from companion.games.wonderland.box import CARD_MM, DISCARDS, HALL, KEY, notebook_sheet, tunnel_sheet
from companion.games.wonderland.state import DECKS, KEYS, State

DECK_MM = 90.0
"""From the Hall's middle to the middles of its decks."""
HALL_MM = (284.0, 258.0)
"""Width and height of the Hall's sheet: two pages of A4, so that two decks jut out a millimetre."""
HALL_MIDDLE_MM = (142.0, 132.5)
"""The middle of the ring on the Hall's sheet, from its upper left corner."""
HALL_TAGS_MM = ((20.0, 20.0), (264.0, 20.0))
MIDDLE_MM = 45.0
"""Radius of the place in the middle of the Hall."""
WEDGE_MM = (50.0, 175.0)
"""From where to where, from the Hall's middle, a Key counts as lying beside a deck."""
BESIDE_MM = (48.5, 0.0)
"""Where a Key is best laid, from a deck's middle, as seen from the Hall's middle: to the right."""

FAN_MM, ROW_MM = 31.0, 34.0
"""From card to card in a row, and from row to row: the sticker of each shows."""
ROWS = {"tunnel": (6, 4), "notebook": (7, 6, 6)}
"""How many cards each row of a player's sheets takes."""
QUEEN_AT = (1, 5)
"""Row and column of the Queen's place in the Tunnel, behind the last card."""
QUEEN_MM = (58.0, 44.0)
"""Width and height of the part around its middle in which a card counts as lying there."""
EDGE_MM = (3.0, 2.0)
SHEET_MM = 258.0
"""Width of a player's sheets; each is a page of A4."""
SHEET_TAGS_MM = {"tunnel": (242.5, 17.0), "notebook": (242.5, 128.0)}
"""The middles of their markers."""
KEYS_MM = tuple((242.5, 49.0 + 27.0 * number) for number in range(3))
"""The middles of the places for Keys on the Tunnel's sheet."""
DISCARDS_MM = (75.0, 136.0)
DISCARDS_TAG_MM = (37.5, 21.0)
DISCARDS_CARD_MM = (37.5, 88.0)
LOOSE_MM = 12.0
"""So far beyond a printed place a card still counts as lying there."""


def deck_top(deck: int) -> ZoneId:
    """The zone on top of a deck."""
    return f"deck-{deck}/top"


def deck_key(deck: int) -> ZoneId:
    """The zone beside a deck."""
    return f"deck-{deck}/key"


MIDDLE, PILE = "middle/key", "discards/pile"


def tunnel(name: str) -> ZoneId:
    """A player's Tunnel."""
    return f"tunnel/{name}"


def covered(name: str) -> ZoneId:
    """The Queen's place in a player's Tunnel."""
    return f"covered/{name}"


def notebook(name: str) -> ZoneId:
    """A player's Notebook."""
    return f"notebook/{name}"


def keys_of(name: str) -> ZoneId:
    """Where a player has his Keys."""
    return f"keys/{name}"


def deck_of(zone: ZoneId | None) -> int | None:
    """The number of the deck that a zone is about."""
    place = (zone or "").partition("/")[0]
    return int(place.removeprefix("deck-")) if place.startswith("deck-") else None


def zones(players: tuple[str, ...]) -> tuple[Zone, ...]:
    """All zones of so many players, clockwise."""
    found = [_middle(), *(zone for deck in range(DECKS) for zone in (_top(deck), _beside(deck))), _pile()]
    for seat, name in enumerate(players):
        found += [
            _rows(tunnel(name), tunnel_sheet(seat)),
            _rows(notebook(name), notebook_sheet(seat)),
            _queen(seat, name),
            _keys(seat, name),
        ]
    return tuple(found)


def layout(state: State) -> Layout:
    """Which card and Key belongs where now.

    The Keys that a player has may still lie in the middle. What collapsed, or came from the Hatter, may lie in the
    Tunnel of the turn that has ended, or of the Hatter's target, until somebody clears it. A card that a Queen covers
    lies in her place, and she on it.
    """
    if state.phase == "over":
        return Layout()
    names, turn = state.players, state.players[state.turn]
    expected = [(card, notebook(name)) for name, cards in zip(names, state.notebooks, strict=True) for card in cards]
    pairs = (*state.covered, *("Queen",) * len(state.covered))
    expected += [(card, covered(turn)) for card in pairs]
    expected += [(card, tunnel(turn)) for card in without(state.tunnel, pairs)]
    expected += [(deck.top, deck_top(number)) for number, deck in enumerate(state.decks) if deck.top]
    expected += [(KEY, MIDDLE)] * state.keys_middle + [(KEY, deck_key(deck)) for deck in state.unlocked]
    optional = [(card, deck_top(number)) for number, deck in enumerate(state.decks) for card in deck.up[:-1]]
    optional += [(KEY, keys_of(turn)), (KEY, MIDDLE)] * state.keys
    cleared = [PILE, tunnel(before(state)), covered(before(state))]
    if state.turned and state.turned.target:
        cleared.append(tunnel(state.turned.target))
    optional += [(card, place) for card in state.discards for place in cleared]
    return Layout(tuple(expected), tuple(optional), frozenset((*map(deck_top, range(DECKS)), covered(turn))))


def without(cards: Iterable[str], others: Iterable[str]) -> tuple[str, ...]:
    """Cards without these, as far as they are among them."""
    return tuple((Counter(cards) - Counter(others)).elements())


def before(state: State) -> str:
    """Whose turn has ended last: while he refills, still the turn player."""
    return state.players[state.turn if state.phase == "refill" else state.turn - 1]


def arrangement(players: int) -> Mapping[PieceId, Pose]:
    """The Hall in the middle of a table of at least 90 x 60 cm (here 107 x 60), players at its sides, clockwise.

    Those at the long sides have Tunnel and Notebook beside one another, those at the short sides one above the other.
    """
    left, top = 535.0 - HALL_MIDDLE_MM[0], 300.0 - HALL_MM[1] / 2
    poses: dict[PieceId, Pose] = {
        name: (left + x, top + y, 0.0) for name, (x, y) in zip(HALL, HALL_TAGS_MM, strict=True)
    }
    poses[DISCARDS] = (150.0 + DISCARDS_TAG_MM[0], 460.0 + DISCARDS_TAG_MM[1], 0.0)
    for seat, side in enumerate(SIDES[players]):
        for name, kind, place in zip((tunnel_sheet(seat), notebook_sheet(seat)), ROWS, _PLACES[side], strict=True):
            poses[name] = _tag_of_sheet(place, kind)
    return poses


SIDES = {2: ("bottom", "top"), 3: ("bottom", "left", "right"), 4: ("bottom", "left", "top", "right")}
"""At which sides of the table so many players sit, clockwise as seen from above."""


def sheet_mm(kind: str) -> Point:
    """Width and height of a player's sheet."""
    return SHEET_MM, CARD_MM[1] + (len(ROWS[kind]) - 1) * ROW_MM + 2 * EDGE_MM[1]


def card_mm(row: int, column: int) -> Point:
    """The middle of a card on a player's sheet, from the sheet's upper left corner."""
    return EDGE_MM[0] + CARD_MM[0] / 2 + column * FAN_MM, EDGE_MM[1] + CARD_MM[1] / 2 + row * ROW_MM


def cards_mm(kind: str) -> tuple[Point, ...]:
    """The middles of all cards on a player's sheet, row by row."""
    return tuple(card_mm(row, column) for row, most in enumerate(ROWS[kind]) for column in range(most))


def deck_mm(deck: int) -> Pose:
    """The middle of a deck on the Hall's sheet, and how it is turned; 0 is at the top, the others go clockwise."""
    angle = 360.0 / DECKS * deck
    x, y = turned((0.0, -DECK_MM), angle)
    return HALL_MIDDLE_MM[0] + x, HALL_MIDDLE_MM[1] + y, angle


def beside_mm(deck: int) -> Point:
    """The middle of the place for a Key beside a deck, on the Hall's sheet."""
    x, y, angle = deck_mm(deck)
    across, out = turned(BESIDE_MM, angle)
    return x + across, y + out


def _tag_of_sheet(place: tuple[str, float, float], kind: str) -> Pose:
    """The pose of a sheet's marker, given the side of the table and where the sheet's middle lies."""
    side, x, y = place
    (width, height), (tag_x, tag_y) = sheet_mm(kind), SHEET_TAGS_MM[kind]
    angle = {"bottom": 0.0, "left": 90.0, "top": 180.0, "right": 270.0}[side]
    across, down = turned((tag_x - width / 2, tag_y - height / 2), angle)
    return x + across, y + down, angle


def _places() -> dict[str, tuple[tuple[str, float, float], tuple[str, float, float]]]:
    """By side of the table, where the middles of Tunnel and Notebook lie."""
    aside, (half, deep) = SHEET_MM / 2 + 2, (sheet_mm(kind)[1] / 2 for kind in ROWS)
    left, right, middle = 85.0, 985.0, (535.0, 300.0)
    inner = 2 * deep + 2 + half
    return {
        "bottom": (("bottom", middle[0] - aside, 599 - half), ("bottom", middle[0] + aside, 599 - deep)),
        "top": (("top", middle[0] + aside, 1 + half), ("top", middle[0] - aside, 1 + deep)),
        "left": (("left", left + inner, middle[1]), ("left", left + deep, middle[1])),
        "right": (("right", right - inner, middle[1]), ("right", right - deep, middle[1])),
    }


def _middle() -> Zone:
    spots = tuple((*_on_hall((x, y)), 0.0) for y in (-15.0, 15.0) for x in (-15.0, 15.0))
    corners = tuple(_on_hall(turned((0.0, -MIDDLE_MM), 360.0 / 12 * step)) for step in range(12))
    return Zone(MIDDLE, corners, HALL[0], frozenset({KEY}), spots=spots[:KEYS])


def _top(deck: int) -> Zone:
    x, y, angle = deck_mm(deck)
    middle = (x - HALL_MIDDLE_MM[0], y - HALL_MIDDLE_MM[1])
    half = (CARD_MM[0] / 2 + LOOSE_MM, CARD_MM[1] / 2 + LOOSE_MM)
    corners = tuple(
        _on_hall(_sum(middle, turned(corner, angle)), deck) for corner in _box((0.0, 0.0), 2 * half[0], 2 * half[1])
    )
    return Zone(deck_top(deck), corners, _anchor(deck), spots=((*_on_hall(middle, deck), angle),))


def _beside(deck: int) -> Zone:
    """A wedge of the ring, so that a Key counts for the nearest deck."""
    angle, half = 360.0 / DECKS * deck, 180.0 / DECKS
    turns = (-half, -half / 2, 0.0, half / 2, half)
    arcs = [turned((0.0, -WEDGE_MM[0]), angle + turn) for turn in turns]
    arcs += [turned((0.0, -WEDGE_MM[1]), angle + turn) for turn in reversed(turns)]
    x, y = beside_mm(deck)
    spot = _on_hall((x - HALL_MIDDLE_MM[0], y - HALL_MIDDLE_MM[1]), deck)
    corners = tuple(_on_hall(point, deck) for point in arcs)
    return Zone(deck_key(deck), corners, _anchor(deck), frozenset({KEY}), spots=((*spot, 0.0),))


def _pile() -> Zone:
    spot = (DISCARDS_CARD_MM[0] - DISCARDS_TAG_MM[0], DISCARDS_CARD_MM[1] - DISCARDS_TAG_MM[1])
    corners = _box(spot, CARD_MM[0] + 4 * LOOSE_MM, CARD_MM[1] + 2 * LOOSE_MM)
    return Zone(PILE, corners, DISCARDS, spots=((*spot, 0.0),))


def _rows(zone: ZoneId, sheet: PieceId) -> Zone:
    kind = zone.partition("/")[0]
    spots = tuple((*_on_sheet(kind, point), 0.0) for point in cards_mm(kind))
    return Zone(zone, _whole(kind), sheet, spots=spots, fan=True)


def _queen(seat: int, name: str) -> Zone:
    middle = _on_sheet("tunnel", card_mm(*QUEEN_AT))
    return Zone(covered(name), _box(middle, *QUEEN_MM), tunnel_sheet(seat), priority=1, spots=((*middle, 0.0),))


def _keys(seat: int, name: str) -> Zone:
    spots = tuple((*_on_sheet("tunnel", point), 0.0) for point in KEYS_MM)
    return Zone(keys_of(name), _whole("tunnel", LOOSE_MM), tunnel_sheet(seat), frozenset({KEY}), -1, spots)


def _whole(kind: str, beyond_mm: float = 0.0) -> tuple[Point, ...]:
    """The outline of a player's sheet."""
    width, height = sheet_mm(kind)
    return _box(_on_sheet(kind, (width / 2, height / 2)), width + 2 * beyond_mm, height + 2 * beyond_mm)


def _on_sheet(kind: str, point: Point) -> Point:
    """A point of a player's sheet in the frame of its marker."""
    return point[0] - SHEET_TAGS_MM[kind][0], point[1] - SHEET_TAGS_MM[kind][1]


def _anchor(deck: int) -> PieceId:
    """The marker nearer to a deck: the right half of the Hall hangs on the right one."""
    return HALL[1] if deck in (1, 2) else HALL[0]


def _on_hall(from_middle: Point, deck: int = 0) -> Point:
    """A point of the Hall, given from its middle, in the frame of the marker that carries a deck."""
    x, y = HALL_TAGS_MM[HALL.index(_anchor(deck))]
    return round(HALL_MIDDLE_MM[0] + from_middle[0] - x, 3), round(HALL_MIDDLE_MM[1] + from_middle[1] - y, 3)


def _box(middle: Point, width: float, height: float) -> tuple[Point, ...]:
    (x, y), w, h = middle, width / 2, height / 2
    return ((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h))


def _sum(one: Point, other: Point) -> Point:
    return one[0] + other[0], one[1] + other[1]


def turned(point: Point, angle_deg: float) -> Point:
    """A point turned clockwise about the origin."""
    cos, sin = math.cos(math.radians(angle_deg)), math.sin(math.radians(angle_deg))
    x, y = point
    return x * cos - y * sin, x * sin + y * cos


_PLACES = _places()

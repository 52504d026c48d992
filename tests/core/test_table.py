from __future__ import annotations

from companion.core.box import Box, Piece
from companion.core.messages import verbatim
from companion.core.table import Difference, Layout, Observation, Sighting, Stranger, compare
from companion.core.tags import ArucoTag


def _piece(name: str, copy: str, number: int) -> Piece:
    return Piece(name, copy, "card", verbatim(name), ArucoTag(number), 20.0, (50.0, 80.0))


BOX = Box("XX", [_piece("coin", "a", 10), _piece("coin", "b", 11), _piece("king", "", 12), _piece("ace", "a", 13)])


def _seen(*pairs: tuple[str, str | None], **more: object) -> Observation:
    return Observation(tuple(Sighting(piece, zone) for piece, zone in pairs), **more)  # type: ignore[arg-type]


def test_a_table_as_expected_makes_no_difference() -> None:
    layout = Layout((("king", "left"), ("coin", "bowl"), ("coin", "bowl")))
    assert compare(layout, _seen(("king", "left"), ("coinb", "bowl"), ("coina", "bowl")), BOX) == Difference()


def test_an_unseen_piece_makes_no_difference() -> None:
    assert not compare(Layout((("king", "left"), ("coin", "bowl"))), _seen(), BOX)


def test_a_piece_that_left_its_zone_is_missing() -> None:
    seen = _seen(gone={"coinb": "bowl"})
    assert compare(Layout((("coin", "bowl"),)), seen, BOX) == Difference(missing={"coinb": "bowl"})


def test_a_piece_that_left_a_zone_where_nobody_expects_it_is_no_matter() -> None:
    assert not compare(Layout((("king", "left"),)), _seen(gone={"coinb": "bowl"}), BOX)


def test_an_expected_piece_seen_elsewhere_has_moved_and_is_not_extra() -> None:
    layout = Layout((("king", "left"),))
    assert compare(layout, _seen(("king", "right")), BOX) == Difference(moved={"king": ("left", "right")})
    assert compare(layout, _seen(("king", None)), BOX) == Difference(moved={"king": ("left", None)})


def test_the_other_copy_in_the_place_of_an_exact_one_is_extra() -> None:
    layout = Layout((("coina", "bowl"),))
    assert compare(layout, _seen(("coinb", "bowl")), BOX) == Difference(extra={"coinb": "bowl"})


def test_optional_pieces_may_lie_there_or_not() -> None:
    layout = Layout(optional=(("king", "left"),))
    assert not compare(layout, _seen(("king", "left")), BOX)
    assert not compare(layout, _seen(gone={"king": "left"}), BOX)


def test_only_strangers_in_a_zone_count() -> None:
    near, far = Stranger("foreign", "WINE", "left"), Stranger("foreign", "WINE", None)
    assert compare(Layout(), _seen(strangers=(near, far)), BOX) == Difference(strangers=(near,))


def test_of_two_alike_in_a_pile_the_one_in_sight_is_the_new_one() -> None:
    lying = Observation((Sighting("coina", "pile"), Sighting("coinb", "pile", hidden=True)))
    layout = Layout((("coin", "pile"),), piles=frozenset({"pile"}))
    assert compare(layout, lying, BOX) == Difference(extra={"coina": "pile"})
    assert not compare(Layout((("coin", "pile"),)), lying, BOX)

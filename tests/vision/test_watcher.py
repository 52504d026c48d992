from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from vision_samples import LAID, Table, card, small_zones, square

from companion.core.box import Piece
from companion.core.messages import verbatim
from companion.core.table import Zone
from companion.core.tags import QrTag
from vision.evidence import Patch
from vision.frame import Frame
from vision.scene import Prop
from vision.scene.acting import Actor
from vision.watcher import FrameSizeError, Watcher

LYING = {
    "nest-1": None,
    "nest-2": None,
    "token-20": "nest-1/pit",
    "token-21": "nest-1/pit",
    "token-22": "nest-2/pit",
    "red2a": "nest-1/north",
    "red3a": "nest-1/south",
    "red4a": "nest-2/east",
}


@pytest.fixture
def table() -> Table:
    table = Table()
    table.run(20)
    return table


@pytest.mark.parametrize("optics", ["sharp", "mild", "everyday"])
def test_everything_that_lies_face_up_is_seen_in_its_zone(optics: str) -> None:
    table = Table(optics=optics, seed=3)
    table.run(15)
    assert table.zones_seen() == LYING
    assert table.seen is not None
    assert (table.seen.gone, table.seen.strangers, table.seen.unplaced) == ({}, (), ())


def test_places_and_angles_are_true_within_a_few_millimetres(table: Table) -> None:
    assert table.seen is not None
    angles = {piece: angle for piece, _, angle in LAID}
    places = {piece: at for piece, at, _ in LAID}
    for sighting in table.seen.sightings:
        piece = table.scene.box.pieces[sighting.piece]
        turn = math.radians(angles[sighting.piece])
        x, y = piece.tag_at_mm
        tag = (x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn))
        true = (places[sighting.piece][0] + tag[0], places[sighting.piece][1] + tag[1])
        assert math.dist(sighting.at_mm, true) < 4.0, sighting
        assert abs((sighting.angle_deg - angles[sighting.piece] + 180) % 360 - 180) < 5.0, sighting


def test_an_unchanged_table_repeats_itself_about_once_a_second(table: Table) -> None:
    heard = table.run(50)
    assert 4 <= len(heard) <= 6
    assert {(seen.sightings, tuple(seen.gone)) for seen in heard} == {(heard[0].sightings, ())}


def test_a_card_that_is_laid_is_seen_once_the_hand_is_away(table: Table) -> None:
    table.play(Actor(table.scene, (535, 900)).lay("red5a", (165, 300), 30))
    table.run(8)
    assert table.zones_seen() == LYING | {"red5a": "nest-1/west"}


def test_a_token_that_is_taken_is_gone_within_a_second(table: Table) -> None:
    table.play(Actor(table.scene, (535, 900)).take("token-21"))
    table.run(10)
    assert table.seen is not None
    assert table.seen.gone == {"token-21": "nest-1/pit"}
    assert table.zones_seen() == {piece: zone for piece, zone in LYING.items() if piece != "token-21"}


def test_a_card_that_is_moved_is_never_reported_gone(table: Table) -> None:
    heard = table.play(Actor(table.scene, (535, 900)).lay("red3a", (620, 300), 0))
    heard += table.run(10)
    assert [seen.gone for seen in heard if seen.gone] == []
    assert table.zones_seen() == LYING | {"red3a": "nest-2/west"}


def test_a_card_pushed_beside_all_zones_has_left_its_zone(table: Table) -> None:
    table.play(Actor(table.scene, (535, 900)).lay("red3a", (525, 480), 0))
    table.run(10)
    assert table.seen is not None
    assert table.zones_seen() == LYING | {"red3a": None}
    assert table.seen.gone == {"red3a": "nest-1/south"}


def test_a_hand_that_rests_for_minutes_removes_nothing_and_blocks_nothing(table: Table) -> None:
    hand = Actor(table.scene, (300, 900), "resting").rest_hand((300, 330), 400)
    for frame, _ in enumerate(hand):
        table.step(0.1 if frame < 20 or frame > 400 else 0.5)  # three minutes of rest in 400 frames
        if frame == 60:
            table.play(Actor(table.scene, (900, -300), "other").take("token-22"))
        if 70 < frame < 410:
            assert table.seen is not None
            assert table.seen.gone == {"token-22": "nest-2/pit"}
    table.run(10)
    assert table.seen is not None
    assert table.seen.gone == {"token-22": "nest-2/pit"}
    assert table.zones_seen() == {piece: zone for piece, zone in LYING.items() if piece != "token-22"}


@pytest.mark.parametrize("optics", ["mild", "everyday"])
def test_a_cup_on_a_card_hides_it_and_removes_nothing(optics: str) -> None:
    table = Table(optics=optics, seed=2)
    table.run(20)
    table.scene.put_prop("cup", Prop(), table.scene.placed["red2a"].at_mm)
    heard = table.run(100, step_s=0.3)
    table.scene.remove("cup")
    heard += table.run(10)
    assert {tuple(seen.gone) for seen in heard} == {()}
    assert table.zones_seen() == LYING


def test_a_card_turned_face_down_is_gone_and_comes_back(table: Table) -> None:
    actor = Actor(table.scene, (535, 900))
    table.play(actor.turn_over("red3a", face_up=False))
    table.run(10)
    assert table.seen is not None
    assert table.seen.gone == {"red3a": "nest-1/south"}
    table.play(actor.turn_over("red3a", face_up=True))
    table.run(10)
    assert table.seen.gone == {}
    assert table.zones_seen() == LYING


def test_a_tile_turned_back_a_little_aside_is_gone_too() -> None:
    table = Table()
    table.scene.put("red3a", (300.0, 435.0), -15.0, face_up=False)
    table.run(40)
    table.scene.put("red3a", (304.0, 432.0), -12.0, face_up=True)
    table.run(20)
    assert table.zones_seen()["red3a"] == "nest-1/south"
    table.scene.put("red3a", (296.0, 439.0), -19.0, face_up=False)
    table.run(20)
    assert table.seen is not None
    assert table.seen.gone == {"red3a": "nest-1/south"}


def test_a_card_below_another_one_is_kept_and_the_upper_one_can_be_taken_back(table: Table) -> None:
    actor = Actor(table.scene, (535, 900))
    table.play(actor.lay("red5a", (303, 448), -10))
    table.run(10)
    assert table.zones_seen() == LYING | {"red5a": "nest-1/south"}
    table.play(actor.take("red5a"))
    table.run(12)
    assert table.seen is not None
    assert table.zones_seen() == LYING
    assert table.seen.gone == {"red5a": "nest-1/south"}


def test_a_card_in_the_very_place_of_another_hides_it_though_their_tags_look_alike(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Patch, "likeness", lambda _self, _grey: 0.75)
    table.scene.put("red5a", table.scene.placed["red3a"].at_mm, table.scene.placed["red3a"].angle_deg)
    table.run(12)
    assert table.seen is not None
    assert {sighting.piece for sighting in table.seen.sightings if sighting.hidden} == {"red3a"}
    assert table.zones_seen() == LYING | {"red5a": "nest-1/south"}


def test_a_bumped_camera_heals_without_inventing_anything(table: Table) -> None:
    x, y = table.optics.shift_mm
    table.see_through(
        msgspec.structs.replace(table.optics, shift_mm=(x + 11, y - 7), roll_deg=table.optics.roll_deg + 0.8)
    )
    heard = table.run(25)
    assert {tuple(seen.gone) for seen in heard} == {()}
    assert {tuple(seen.strangers) for seen in heard} == {()}
    assert table.zones_seen() == LYING
    assert table.watcher.counters["bumps"] == 1
    table.play(Actor(table.scene, (535, 900)).take("token-22"))
    table.run(10)
    assert table.seen is not None
    assert table.seen.gone == {"token-22": "nest-2/pit"}


def test_a_lamp_that_is_switched_invents_nothing_and_blinds_nothing(table: Table) -> None:
    table.see_through(
        msgspec.structs.replace(table.optics, exposure=0.7, shades=(), vignette=0.3, white_balance=(1.1, 1.0, 0.9))
    )
    heard = table.run(30)
    assert {tuple(seen.gone) for seen in heard} == {()}
    assert table.zones_seen() == LYING
    table.play(Actor(table.scene, (535, 900)).take("token-22"))
    table.run(12)
    assert table.seen is not None
    assert table.seen.gone == {"token-22": "nest-2/pit"}


def test_zones_turn_with_their_anchor(table: Table) -> None:
    table.scene.put("nest-1", (300.0, 300.0), 90.0)
    for token, at_mm, angle_deg in LAID[2:4]:
        table.scene.put(token, at_mm, angle_deg)
    table.run(20)
    assert table.zones_seen() == LYING | {"red2a": "nest-1/west", "red3a": "nest-1/east"}
    assert table.seen is not None
    assert table.seen.gone == {}


def test_an_anchor_never_seen_is_named_until_it_is_laid() -> None:
    table = Table([place for place in LAID if place[0] != "nest-2"])
    table.run(15)
    assert table.seen is not None
    assert table.seen.unplaced == ("nest-2",)
    table.scene.put("nest-2", (750.0, 310.0), 12.0)
    table.scene.put("red4a", (890.0, 330.0), 20.0)
    table.run(12)
    assert table.seen.unplaced == ()
    assert table.zones_seen()["red4a"] == "nest-2/east"


def test_strange_tags_are_named_for_what_they_are(table: Table) -> None:
    wine = Piece("wine", "", "card", verbatim("wine"), QrTag("HTTPS://WINE.COM"), 24.0, (40.0, 40.0))
    worn = Piece("worn", "", "card", verbatim("worn"), QrTag("TCPHRED9A-AAAAAA"), 21.0, (40.0, 40.0))
    twin = msgspec.structs.replace(card("red2", "a"), name="twin")
    table.scene.put(wine, (165.0, 300.0))
    table.scene.put(worn, (435.0, 300.0))
    table.scene.put(twin, (600.0, 490.0))
    table.run(30)
    assert table.seen is not None
    found = [(s.kind, s.text, s.zone) for s in table.seen.strangers]
    assert found == [
        ("damaged", "TCPHRED9A-AAAAAA", "nest-1/east"),
        ("double", "red2a", None),
        ("foreign", "HTTPS://WINE.COM", "nest-1/west"),
    ]
    for name in ("wine", "worn", "twina"):
        table.scene.remove(name)
    table.run(30)
    assert table.seen.strangers == ()
    assert table.zones_seen() == LYING


def test_the_double_takes_over_when_the_first_one_leaves(table: Table) -> None:
    table.scene.put(msgspec.structs.replace(card("red2", "a"), name="twin"), (165.0, 300.0))
    table.run(20)
    table.scene.remove("red2a")
    table.run(20)
    assert table.seen is not None
    assert table.zones_seen() == LYING | {"red2a": "nest-1/west"}
    assert table.seen.strangers == ()


def test_a_card_that_lay_exactly_on_another_is_no_double_where_it_is_laid_next(table: Table) -> None:
    """Codes have much in common where they lie alike, so that one looks like the other."""
    table.scene.put("red5a", (435.0, 300.0))
    table.run(20)
    table.scene.put("red3b", (435.0, 300.0))
    table.run(20)
    table.scene.put("red3b", (165.0, 300.0))
    table.run(20)
    assert table.zones_seen() == LYING | {"red5a": "nest-1/east", "red3b": "nest-1/west"}
    assert table.seen is not None
    assert table.seen.strangers == ()


def test_nothing_is_said_before_three_corners_were_seen() -> None:
    table = Table()
    table.scene.put_prop("cup", Prop("paper", (90.0, 90.0)), (25.0, 25.0))
    table.scene.put_prop("hat", Prop("paper", (90.0, 90.0)), (1045.0, 25.0))
    assert table.run(20) == []
    assert table.watcher.table.homography is None
    assert table.watcher.diagnose()["corners_seen"] == [2, 3]
    table.scene.remove("cup")
    table.scene.remove("hat")
    table.run(20)
    assert table.zones_seen() == LYING


@pytest.mark.parametrize("corner", [(25.0, 25.0), (1045.0, 25.0), (1045.0, 575.0), (25.0, 575.0)])
def test_three_corners_give_the_table_and_the_fourth_makes_it_exact(corner: tuple[float, float]) -> None:
    table = Table()
    table.scene.put_prop("cup", Prop("paper", (90.0, 90.0)), corner)
    table.run(20)
    assert len(table.watcher.table.corners_unknown) == 1
    assert table.zones_seen() == LYING
    table.scene.remove("cup")
    table.run(20)
    assert table.watcher.table.corners_unknown == ()
    assert table.zones_seen() == LYING


def test_three_corners_will_do_once_the_table_is_known(table: Table) -> None:
    table.scene.put_prop("cup", Prop("paper", (90.0, 90.0)), (25.0, 25.0))
    table.run(10)
    x, y = table.optics.shift_mm
    table.see_through(msgspec.structs.replace(table.optics, shift_mm=(x + 9, y + 5)))
    table.run(20)
    assert table.watcher.counters["bumps"] == 1
    assert table.zones_seen() == LYING


def test_new_zones_count_from_the_next_look_on(table: Table) -> None:
    table.watcher.place((*small_zones(), Zone("middle", square(750, 480, 80))))
    table.scene.put("red6b", (750.0, 480.0))
    table.run(10)
    assert table.zones_seen()["red6b"] == "middle"


def test_a_grey_camera_will_do() -> None:
    table = Table()
    for _ in range(15):
        frame = table.frame()
        table.seen = table.watcher.look(Frame.of(frame.grey, frame.at_s)) or table.seen
        table.at_s += 0.1
    assert table.zones_seen() == LYING


def test_a_camera_that_changes_its_size_is_refused_with_the_remedy(table: Table) -> None:
    small = Frame.of(np.zeros((720, 1280, 3), np.uint8), table.at_s)
    with pytest.raises(FrameSizeError, match=r"\(2304, 1296\) px became \(1280, 720\) px; restart"):
        table.watcher.look(small)


def test_the_diagnosis_says_how_large_the_tags_are(table: Table) -> None:
    found = table.watcher.diagnose()
    assert found["corners_seen"] == [0, 1, 2, 3]
    assert 1.8 < float(str(found["px_per_module"])) < 2.2
    assert 3.9 < float(str(found["px_per_cell"])) < 4.7
    outline = np.array(found["table_mm"])
    assert np.abs(outline - [(0, 0), (1070, 0), (1070, 600), (0, 600)]).max() < 6


def test_a_mirrored_picture_is_told_from_a_table_without_corners() -> None:
    table = Table()
    watcher = Watcher(table.scene.box)
    for look in range(8):
        picture = table.renderer.picture()
        watcher.look(Frame.of(np.ascontiguousarray(picture[:, ::-1]), look / 3))
    assert watcher.mirrored
    watcher.look(Frame.of(picture, 9.0))
    watcher.look(Frame.of(picture, 9.5))
    assert not watcher.mirrored
    assert watcher.table.homography is not None

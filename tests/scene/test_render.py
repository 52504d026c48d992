"""Rendered pictures: what is on them, where, and that only noise differs from drawing all anew."""

from __future__ import annotations

from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st
from scene_samples import find_markers, lay_table, small_box

from companion.core.printing import Disc, Frame
from companion.core.tags import CORNER_IDS, ArucoTag, QrTag, cells
from vision.scene import Glare, Hand, Optics, OpticsError, Prop, Renderer, Scene, SceneError, Shade, preset
from vision.scene.truth import truth

SMALL = (768, 432)
QUIET = Optics(SMALL, noise=0.0)


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def grey(scene: Scene, optics: Optics) -> Any:
    return cv2.cvtColor(Renderer(scene, optics, rng()).picture(), cv2.COLOR_BGR2GRAY)


def read_qr(picture: Any) -> set[str]:
    double = cv2.resize(picture, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    return {code.text for code in zxingcpp.read_barcodes(double, formats=zxingcpp.BarcodeFormat.QRCode)}


@pytest.mark.parametrize("name", ["sharp", "mild"])
def test_every_tag_of_a_laid_table_is_read_where_the_truth_says(scene: Scene, name: str) -> None:
    lay_table(scene)
    optics = preset(name, rng(3))
    picture = grey(scene, optics)
    true = truth(scene, optics.lens(scene.size_mm))
    assert read_qr(picture) == {t.tag.payload for t in true.values() if isinstance(t.tag, QrTag)}
    seen = find_markers(picture)
    assert set(seen) == {t.tag.number for t in true.values() if isinstance(t.tag, ArucoTag)} | set(CORNER_IDS)
    for one in true.values():
        if isinstance(one.tag, ArucoTag):
            assert np.abs(seen[one.tag.number] - one.corners_px).max() < 1.0, one.name


@pytest.mark.parametrize("name", ["sharp", "mild", "everyday"])
@pytest.mark.parametrize("seed", [1, 2])
def test_outer_corners_of_the_fiducials_are_the_corners_of_the_table_frame(scene: Scene, name: str, seed: int) -> None:
    optics = preset(name, rng(seed))
    seen = find_markers(grey(scene, optics))
    width, height = scene.size_mm
    outer = optics.lens(scene.size_mm).to_px([(0, 0), (width, 0), (width, height), (0, height)])
    assert np.abs(np.array([seen[n][n] for n in CORNER_IDS]) - outer).max() < 1.0


def test_angle_and_centre_of_a_tag_follow_the_piece(scene: Scene) -> None:
    scene.put("card-1", (500, 300), 90)
    found = truth(scene, QUIET.lens(scene.size_mm))["card-1"]
    # The tag sits 29 mm above the card's centre; turned a quarter clockwise that is 29 mm to the right.
    assert (found.at_mm, found.angle_deg) == (pytest.approx((529, 300)), 90)
    scale = QUIET.lens(scene.size_mm).px_per_mm
    assert found.px_per_cell == pytest.approx(scale, rel=0.01)


def test_a_face_down_piece_shows_no_tag(scene: Scene) -> None:
    scene.put("card-1", (500, 300), face_up=False)
    scene.put("card-2", (700, 300))
    optics = preset("sharp", rng())
    assert read_qr(grey(scene, optics)) == {small_box().pieces["card-2"].tag.payload}  # type: ignore[union-attr]
    assert set(truth(scene, optics.lens(scene.size_mm))) == {"card-2"}


def test_what_was_put_last_lies_on_top(scene: Scene) -> None:
    optics = preset("sharp", rng())
    payload = {name: piece.tag.payload for name, piece in scene.box.pieces.items() if isinstance(piece.tag, QrTag)}
    scene.put("card-1", (500, 300))
    scene.put("card-2", (502, 301))
    assert read_qr(grey(scene, optics)) == {payload["card-2"]}
    scene.put("card-1", (500, 300))
    assert read_qr(grey(scene, optics)) == {payload["card-1"]}


def covered(scene: Scene, name: str = "card-1") -> float:
    return truth(scene, QUIET.lens(scene.size_mm))[name].covered


def test_truth_tells_how_much_of_a_tag_is_covered(scene: Scene) -> None:
    scene.put("card-1", (500, 300))
    assert covered(scene) == 0
    scene.put("card-2", (500 + 28, 300))
    assert covered(scene) == pytest.approx(0.5, abs=0.05)
    scene.put("card-2", (500, 330))
    assert covered(scene) == 0  # laid lower: the tag is free again
    scene.put_prop("sheet", Prop("paper", (50, 50), "#ffffff"), (500, 271))
    assert covered(scene) == 1
    scene.remove("sheet")
    scene.reach("hand", Hand((500, 271), (500, 800)))
    assert covered(scene) == 1
    scene.withdraw("hand")
    assert covered(scene) == 0


@pytest.mark.parametrize("cover", ["hand", "cup"])
def test_what_is_covered_can_not_be_read(scene: Scene, cover: str) -> None:
    optics = preset("sharp", rng())
    scene.put("card-1", (500, 300))
    if cover == "hand":
        scene.reach("hand", Hand((500, 280), (500, 800)))
    else:
        scene.put_prop("cup", Prop(), (500, 271))
    assert read_qr(grey(scene, optics)) == set()


steps = st.lists(
    st.one_of(
        st.tuples(
            st.just("put"),
            st.sampled_from(["card-1", "card-2", "tokena", "nest"]),
            st.tuples(st.floats(-60, 1130), st.floats(-60, 660)),
            st.floats(-180, 180),
            st.booleans(),
            st.sampled_from([(0.0, 0.0), (14.0, -9.0)]),
        ),
        st.tuples(st.just("reach"), st.tuples(st.floats(0, 1070), st.floats(0, 600)), st.floats(-400, 1500)),
        st.tuples(st.just("remove"), st.sampled_from(["card-1", "card-2", "nest"])),
        st.tuples(st.just("withdraw")),
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=25, deadline=None)
@given(steps, st.sampled_from([QUIET, msgspec.structs.replace(preset("everyday", rng(1), SMALL), noise=0.0)]))
def test_drawing_only_what_changed_gives_the_picture_of_drawing_everything(changes: list[Any], optics: Optics) -> None:
    scene = Scene(small_box())
    printed = (Frame((20, 20), (260, 160), 1.0, "#f4ecd8", dashed=True), Disc((150, 100), 40, fill="#3b6fb5"))
    scene.put_prop("sheet", Prop("paper", (300.0, 200.0), "#f5f3ec", printed), (420, 280), 4)
    scene.put("nest", (300, 300), 20)
    scene.put_prop("cup", Prop(), (800, 200))
    renderer = Renderer(scene, optics, rng())
    renderer.picture()
    for what, *how in changes:
        if what == "put":
            scene.put(*how)
        elif what == "reach":
            scene.reach("hand", Hand(how[0], (how[1], 900), motion_mm=(0.0, 12.0)))
        elif what == "remove" and how[0] in scene.placed:
            scene.remove(how[0])
        elif what == "withdraw":
            scene.withdraw("hand")
        picture = renderer.picture()
    difference = cv2.absdiff(picture, Renderer(scene, optics, rng()).picture())
    # OpenCV rounds places to 1/32 px, counted from the corner of what is drawn at once: edges may differ a little.
    assert difference.max() <= 4


def test_same_seeds_give_the_same_frames_and_each_frame_has_its_own_noise(scene: Scene) -> None:
    lay_table(scene)
    optics = preset("everyday", rng(4), SMALL)
    one, other = Renderer(scene, optics, rng(7)), Renderer(scene, optics, rng(7))
    first, second = one.picture(), one.picture()
    assert (first == other.picture()).all()
    assert (second == other.picture()).all()
    assert (first != second).mean() > 0.5


def test_noise_has_the_deviation_asked_for_and_does_not_brighten(scene: Scene) -> None:
    clean = Renderer(scene, QUIET, rng()).picture().astype(float)
    noisy = Renderer(scene, msgspec.structs.replace(QUIET, noise=6.0), rng()).picture().astype(float)
    difference = (noisy - clean)[(clean > 40) & (clean < 215)]
    assert (difference.mean(), difference.std()) == (pytest.approx(0, abs=0.1), pytest.approx(6.0, rel=0.05))


def test_small_tags_are_averaged_over_pixels_not_picked(scene: Scene) -> None:
    """At one pixel a module the tag is as dark as its share of black, wherever it lies between the pixels."""
    card = scene.box.pieces["card-1"]
    black = np.mean(cells(card.tag))
    lens = Optics((1152, 648), noise=0.0).lens(scene.size_mm)
    for shift in (0.0, 0.13, 0.31, 0.47):
        scene.put("card-1", (500 + shift / lens.px_per_mm, 300 + shift / 2), 0.0)
        picture = grey(scene, Optics((1152, 648), noise=0.0)).astype(float)
        corners = np.array(truth(scene, lens)["card-1"].corners_px)
        (left, top), (right, bottom) = np.rint(corners[0]).astype(int), np.rint(corners[2]).astype(int)
        mean = picture[top:bottom, left:right].mean()
        assert (250 - mean) / (250 - 34) == pytest.approx(black, abs=0.06)


def test_blur_motion_exposure_vignette_glare_and_shade_do_what_they_are_named_for(scene: Scene) -> None:
    lay_table(scene)
    plain = grey(scene, QUIET).astype(float)

    def seen(**changed: Any) -> Any:
        return grey(scene, msgspec.structs.replace(QUIET, **changed)).astype(float)

    def sharpness(picture: Any) -> float:
        return float(cv2.Laplacian(picture, cv2.CV_64F).var())

    assert sharpness(seen(blur_px=1.5)) < 0.5 * sharpness(plain)
    assert sharpness(seen(motion_px=(4.0, 0.0))) < 0.7 * sharpness(plain)
    assert seen(exposure=0.5).mean() == pytest.approx(plain.mean() / 2, rel=0.02)
    dark_corners = seen(vignette=0.4) / np.maximum(plain, 1)
    assert dark_corners[:5, :5].mean() == pytest.approx(0.6, abs=0.03)
    assert dark_corners[210:220, 380:390].mean() == pytest.approx(1, abs=0.03)
    u, v = np.rint(QUIET.lens(scene.size_mm).to_px([(535, 480)])[0]).astype(int)
    assert seen(glares=(Glare((535, 480), (60, 60), 1.0),))[v, u] > 245
    shaded = seen(shades=(Shade((535, 480), 30, 100, 0.5),))
    assert shaded[v, u] == pytest.approx(plain[v, u] / 2, rel=0.1)
    assert np.abs(shaded - plain)[:40, :40].max() <= 2


def test_a_moving_piece_is_smeared_along_its_way(scene: Scene) -> None:
    scene.put("card-1", (500, 300))
    still = grey(scene, QUIET).astype(float)
    scene.put("card-1", (500, 300), motion_mm=(20.0, 0.0))
    moving = grey(scene, QUIET).astype(float)
    u, v = np.rint(QUIET.lens(scene.size_mm).to_px([(500, 271)])[0]).astype(int)
    window = (slice(v - 6, v + 7), slice(u - 6, u + 7))
    across = np.abs(np.diff(moving[window], axis=1)).mean() / np.abs(np.diff(still[window], axis=1)).mean()
    down = np.abs(np.diff(moving[window], axis=0)).mean() / np.abs(np.diff(still[window], axis=0)).mean()
    assert across < 0.35
    assert down > 2 * across


def test_unknown_pieces_presets_and_tiny_tables_say_what_is_wrong(scene: Scene) -> None:
    with pytest.raises(SceneError, match=r"holds no piece 'joker'"):
        scene.put("joker", (0, 0))
    with pytest.raises(SceneError, match=r"'card-1' is not on the virtual table"):
        scene.remove("card-1")
    with pytest.raises(SceneError, match=r"at least 150 mm"):
        Scene(small_box(), (100, 600))
    with pytest.raises(OpticsError, match=r"'dream': unknown; choose one of sharp, mild, everyday, hard"):
        preset("dream", rng())


def test_a_piece_of_another_game_and_a_double_may_lie_there_too(scene: Scene) -> None:
    card = scene.box.pieces["card-1"]
    foreign = msgspec.structs.replace(card, name="wine", tag=QrTag("HTTP://WINE.SHOP"))
    double = msgspec.structs.replace(card, name="card-1", copy="-double")
    scene.put("card-1", (300, 300))
    scene.put(double, (600, 300))
    scene.put(foreign, (450, 300))
    found = truth(scene, QUIET.lens(scene.size_mm))
    assert {name: one.tag for name, one in found.items()} == {
        "card-1": card.tag,
        "card-1-double": card.tag,
        "wine": foreign.tag,
    }
    assert read_qr(grey(scene, preset("sharp", rng()))) == {card.tag.payload, "HTTP://WINE.SHOP"}  # type: ignore[union-attr]

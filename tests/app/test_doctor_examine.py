"""What the doctor says of pictures of a rendered table: nothing where all is well, and else what helps."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from msgspec.structs import replace

from companion.app.doctor.checks import Verdict
from companion.app.doctor.examine import Examination, Eye, examine, of_focus, of_light, of_tags
from companion.app.doctor.sight import Quarter, Sight, TagSize, Wanted
from companion.app.virtual import VirtualGame
from companion.games import load
from vision.frame import Frame
from vision.health import Light
from vision.reading import Reader
from vision.scene import Optics, Renderer, Scene
from vision.scene.optics import Shade
from vision.scene.scene import Prop

SHARP = Optics(blur_px=0.7, noise=2.0)
RIBBON = Eye("picamera:", (2304, 1296))
NAMES = ("top left", "top right", "bottom right", "bottom left")


def seen(
    optics: Optics = SHARP,
    eye: Eye = RIBBON,
    change: Callable[[Scene], None] = lambda _scene: None,
    reader: Reader | None = None,
    pictures: int = 2,
) -> Examination:
    """What is said of pictures of a table on which Phoenix is laid out."""
    game = load("phoenix")
    scene = VirtualGame(game, 1, {"players": ["Ellie", "Sam", "Ezio"]}).scene
    change(scene)
    renderer = Renderer(scene, optics, np.random.default_rng(1))
    frames = [Frame.of(renderer.picture(), 0.1 * number) for number in range(pictures)]
    return examine(frames, [Wanted("phoenix", game.box, game.zones(None, {}))], eye, reader)


def said(found: Examination) -> dict[str, tuple[str, str]]:
    """Verdict and words by name, of all that isn't simply ok."""
    return {c.name: (c.verdict.value, c.says) for c in found.checks if c.verdict is not Verdict.OK}


def remedy(found: Examination, name: str) -> str:
    return next(check.remedy for check in found.checks if check.name == name)


@cache
def fine() -> Examination:
    return seen(reader=Reader.standard())


def test_a_table_on_which_all_is_well_is_called_so_with_what_was_measured() -> None:
    assert said(fine()) == {}
    assert {check.name: check.says for check in fine().checks if check.says} == {
        "picture": "2304x1296 pixels",
        "corners": "all four, 107 x 60 cm apart",
        "tags": "2.0 px per module: just enough for cards and guilds; "
        "4.0 px per module: fine for tokens, figures and anchors",
        "places": "25 places in sight",
        "reading": "tags read: 15 of phoenix",
    }
    assert [check.remedy for check in fine().checks] == [""] * 7
    measured = {m.what: m.value for check in fine().checks for m in check.measured}
    assert measured["phoenix-card-guild"] == pytest.approx(2.01, abs=0.02)
    assert measured["noise"] == pytest.approx(1.7, abs=0.3)
    assert measured["edge-top-left"] == pytest.approx(1.0, abs=0.1)


def test_several_pictures_together_are_read_where_one_is_full_of_noise() -> None:
    dim = replace(SHARP, exposure=0.4, noise=18.0)
    alone, together = (len(seen(dim, reader=Reader.standard(), pictures=n).sight.seen["phoenix"]) for n in (1, 4))
    assert (alone, together) == (11, 15)  # the four cards


def test_a_covered_lens_leaves_all_else_unknown() -> None:
    found = seen(replace(SHARP, exposure=0.0))
    unknown = dict.fromkeys(("light", "focus", "corners", "tags", "places"), ("not known", "nothing is to be seen"))
    assert said(found) == {"picture": ("fault", "covered, or in the dark"), **unknown}


@pytest.mark.parametrize(
    ("optics", "light", "helps"),
    [
        ({"exposure": 0.35, "noise": 8.0}, ("warning", "low"), "Add a lamp."),
        (
            {"shades": (Shade((-60, 300), 90, 560, 0.75, 80),)},
            ("warning", "low at the left"),
            "Add a lamp at the left.",
        ),
        (
            {"shades": (Shade((1130, 300), 90, 560, 0.45, 80),)},
            ("warning", "uneven, low at the right"),
            "Add a lamp at the right.",
        ),
        (
            {"exposure": 1.3},
            ("warning", "white is washed out"),
            "Move the lamp that shines there, or set exposure_stops = -0.5.",
        ),
    ],
    ids=["everywhere", "at the left", "at the right", "too much"],
)
def test_light_that_is_low_is_named_with_the_side_at_which_a_lamp_helps(
    optics: dict[str, object], light: tuple[str, str], helps: str
) -> None:
    found = seen(replace(SHARP, **optics))
    assert said(found) == {"light": light}
    assert remedy(found, "light") == helps


def test_in_the_dark_the_corners_are_no_fault_of_their_own() -> None:
    found = seen(replace(SHARP, exposure=0.12, noise=9.0))
    assert said(found)["light"] == ("fault", "too dark to read tags")
    assert said(found)["corners"][0] == "fault"
    assert remedy(found, "corners") == "Mend light and focus first, then look again."


def test_a_lens_out_of_focus_is_a_fault_and_what_helps_depends_on_the_camera() -> None:
    blurred = replace(SHARP, blur_px=1.6)
    found = seen(blurred)
    assert said(found) == {"focus": ("fault", "blurred")}
    assert remedy(found, "focus").endswith("with autofocus = false and the right lens_position it stays sharp.")
    by_hand = seen(blurred, replace(RIBBON, autofocus=False))
    assert remedy(by_hand, "focus").endswith("see that lens_position fits the height, or turn the lens by hand.")


def test_a_corner_that_is_covered_is_named() -> None:
    found = seen(change=lambda scene: scene.put_prop("cup", Prop(), (1040.0, 30.0)))
    assert said(found) == {
        "corners": ("warning", "not seen: top right; the other three will do, a little less exactly"),
    }
    assert found.sight.px_per_mm == pytest.approx(fine().sight.px_per_mm, rel=0.02)


def test_tags_that_are_too_small_are_named_with_how_much_lower_the_camera_has_to_hang() -> None:
    found = seen(replace(SHARP, margin_mm=160.0))
    assert said(found) == {
        "tags": (
            "warning",
            "1.4 px per module: too little for cards and guilds; "
            "2.8 px per module: just enough for tokens; 3.2 px per module: fine for figures and anchors",
        )
    }
    # It sees 164 cm: a Camera Module 3 hangs at 126 cm then, a Wide one at 66, and both need 30 % less.
    told = re.fullmatch(
        r"Lower the camera by (\d+) cm \(Camera Module 3\) or (\d+) cm \(Camera Module 3 Wide\), "
        r"or set size = \[4608, 2592\]\.",
        remedy(found, "tags"),
    )
    assert told
    assert [int(told[1]), int(told[2])] == [pytest.approx(37, abs=1), pytest.approx(20, abs=1)]


def test_places_outside_of_the_picture_are_named() -> None:
    found = seen(change=lambda scene: scene.put("nest-big", (1010.0, 320.0), 0.0))
    verdict, told = said(found)["places"]
    assert (verdict, told.partition(":")[0]) == ("warning", "outside of the picture")
    assert "phoenix: big/" in told
    assert "small" not in told


def test_a_camera_that_gives_another_size_is_told_so() -> None:
    found = seen(eye=Eye("usb:0", (1920, 1080)))
    assert said(found) == {"picture": ("warning", "2304x1296 instead of 1920x1080 pixels")}


def sight(
    sizes: tuple[TagSize, ...] = (),
    whites: tuple[float, ...] = (200, 200, 200, 200),
    edges: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0),
    noise: float = 1.0,
    **more: object,
) -> Sight:
    """Measures that nobody has to render a table for."""
    marker = np.zeros((4, 2))
    values = zip(NAMES, whites, edges, strict=True)
    quarters = tuple(Quarter(name, white, 20.0, 0.0, edge, marker) for name, white, edge in values)
    light = Light(50.0, 100.0, max(whites))
    fields = {"px_per_mm": 2.0, "sizes": sizes, **more}
    return Sight((2304, 1296), light, noise, min(edges), quarters, **fields)  # type: ignore[arg-type]


def card(px: float, least_px: float | None = None, code: bool = True, kind: str = "card") -> TagSize:
    return TagSize("phoenix", (kind,), code, 21.0, px, px if least_px is None else least_px)


@pytest.mark.parametrize(
    ("size", "verdict", "degree"),
    [
        (card(3.0), "ok", "fine"),
        (card(2.96), "ok", "fine"),
        (card(2.0), "ok", "just enough"),
        (card(1.96), "ok", "just enough"),
        (card(1.9), "warning", "too little"),
        (card(1.3), "fault", "too little"),
        (card(2.6, code=False, kind="token"), "ok", "just enough"),
        (card(2.2, code=False, kind="token"), "warning", "too little"),
    ],
)
def test_how_many_pixels_a_module_needs(size: TagSize, verdict: str, degree: str) -> None:
    found = of_tags(sight((size,)), RIBBON)
    assert (found.verdict.value, found.says) == (verdict, f"{size.px:.1f} px per module: {degree} for {size.kinds[0]}s")


def test_the_camera_is_lowered_only_as_far_as_the_corners_stay_in_the_picture() -> None:
    tight = np.array([(20.0, 20.0), (2280.0, 20.0), (2280.0, 1270.0), (20.0, 1270.0)])
    wide = 0.5 * (tight - (1152, 648)) + (1152, 648)
    remedies = [of_tags(sight((card(1.5),), outline_px=outline), RIBBON).remedy for outline in (tight, wide)]
    assert remedies[0].startswith("Lay the corner markers closer together and lower the camera by 22 cm")
    assert remedies[1].startswith("Lower the camera by 22 cm")
    usb = of_tags(sight((card(1.5),), outline_px=wide), Eye("usb:0"))
    assert usb.remedy == "Lower the camera by 25 % of its height, or choose a larger size of the pictures."


def test_a_camera_that_leans_has_too_few_pixels_in_its_farthest_corner() -> None:
    found = of_tags(sight((card(2.1, 1.6),)), RIBBON)
    assert (found.verdict, found.says) == (
        Verdict.WARNING,
        "2.1 px per module: just enough for cards; but 1.6 px in the farthest corner",
    )
    assert of_tags(sight((card(4.0, 3.0),)), RIBBON).verdict is Verdict.OK


def test_without_a_corner_nothing_is_known_of_the_size_of_tags() -> None:
    assert of_tags(sight(()), RIBBON).verdict is Verdict.UNKNOWN


@pytest.mark.parametrize(
    ("whites", "where"),
    [
        ((80, 200, 200, 80), " at the left"),
        ((200, 80, 80, 200), " at the right"),
        ((80, 80, 200, 200), " at the top"),
        ((200, 200, 80, 80), " at the bottom"),
        ((200, 200, 80, 200), " at the bottom right"),
        ((80, 82, 84, 86), ""),
    ],
)
def test_the_dark_side_of_the_table_is_named(whites: tuple[float, ...], where: str) -> None:
    found = of_light(sight(whites=whites))
    assert (found.says, found.remedy) == (f"low{where}", f"Add a lamp{where}.")


@pytest.mark.parametrize(("noise", "says"), [(14.0, ""), (16.0, "low")])
def test_a_bright_picture_that_is_full_of_noise_is_low_light_as_well(noise: float, says: str) -> None:
    assert of_light(sight(noise=noise)).says == says


@pytest.mark.parametrize(
    ("edges", "verdict", "says"),
    [
        ((1.0, 1.0, 1.0, 1.0), "ok", ""),
        ((1.2, 1.2, 1.2, 1.2), "ok", ""),
        ((1.0, 1.6, 1.6, 1.0), "warning", "blurred at the right"),
        ((1.6, 1.6, 1.6, 1.6), "fault", "blurred"),
    ],
)
def test_a_corner_that_is_out_of_focus_by_itself_is_named(edges: tuple[float, ...], verdict: str, says: str) -> None:
    found = of_focus(sight((card(2.0),), edges=edges), RIBBON)
    assert (found.verdict.value, found.says) == (verdict, says)
    assert found.remedy.startswith("Hang the camera straight.") == (verdict == "warning")


def test_large_tags_can_be_read_where_small_ones_are_blurred() -> None:
    edges = (2.0, 2.0, 2.0, 2.0)
    told = [of_focus(sight((card(px),), edges=edges), RIBBON).verdict.value for px in (2.0, 3.5, 4.0)]
    assert told == ["fault", "warning", "ok"]

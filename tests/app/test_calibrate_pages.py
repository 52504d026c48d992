"""What a calibration says and shows: each of its pages in four languages, and what the buttons mean."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path

import pytest
from calibrate_samples import AUTO, GOOD, SAID, SMALL, but, said

from companion.app.calibrate.advice import Advice, Known, advise
from companion.app.calibrate.desk import ALL_DONE, BACKWARDS, ONWARDS, Desk, Wish, lamps, melody
from companion.app.calibrate.sighting import Readings
from companion.app.calibrate.steps import ORDER, Step
from companion.core.messages import say
from companion.core.panel import Button, Lamp, Row
from companion.face.fonts import Fonts, find_fonts
from companion.face.screen import render
from companion.face.tables import leaves
from companion.face.words import LANGUAGES, load_words, read_shared_wording
from companion.games import load
from tests import goldens

GOLDEN = Path(__file__).parent / "golden"
MORE_SCREENS = {"picture-camera", "picture-dark", "height-lower-or-finer", "done-write", "done-open"}
"""Pages that may take more than one screen; of all others everything is seen at once, also from a ladder."""


@pytest.fixture(scope="module")
def fonts() -> Fonts:
    found = find_fonts()
    if found.remedy:
        pytest.skip(found.remedy)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("step", ORDER)
def test_each_page_looks_like_its_golden_picture(step: Step, language: str, fonts: Fonts, tmp_path: Path) -> None:
    words = load_words(language, load("phoenix"), strict=True)
    pages = {name: render(Desk(language).panel(*said(name)), words, fonts) for name in SAID if SAID[name][0] is step}
    assert [name for name, screens in pages.items() if len(screens) > 1 and name not in MORE_SCREENS] == []
    goldens.check(goldens.sheet(list(pages.values())), GOLDEN / f"calibrate-{step}-{language}.png", tmp_path)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_menu_looks_like_its_golden_picture(language: str, fonts: Fonts, tmp_path: Path) -> None:
    desk = Desk(language)
    desk.press(Button.B, Step.FOCUS)
    screens = render(desk.panel(*said("focus-fine")), load_words(language, strict=True), fonts)
    goldens.check(goldens.sheet([screens]), GOLDEN / f"calibrate-menu-{language}.png", tmp_path)


def test_every_golden_picture_belongs_to_a_page() -> None:
    names = {f"calibrate-{what}-{language}" for what in (*ORDER, "menu") for language in LANGUAGES}
    assert {path.stem for path in GOLDEN.glob("calibrate-*.png")} == names


def test_every_text_of_a_step_is_on_a_page() -> None:
    steps = [f"{step}." for step in ORDER]
    texts = {key for key, _ in leaves(read_shared_wording()["en"]["calibrate"])}
    wanted = {
        f"calibrate.{key.removesuffix('.one').removesuffix('.other')}" for key in texts if key.startswith(tuple(steps))
    }
    shown = {message.key for name in SAID for message in said(name)[1].says}
    assert wanted - shown == set()


@pytest.mark.parametrize("name", [name for name in SAID if name.endswith(("-fine", "-good", "-enough", "-found"))])
def test_what_is_well_is_fulfilled_and_lights_the_green_lamp(name: str) -> None:
    step, advice = said(name)
    assert (advice.fine, lamps(step, advice)) == (True, {Lamp.GREEN})


def test_no_picture_is_red_and_whatever_else_is_to_be_done_amber() -> None:
    assert lamps(*said("picture-camera")) == {Lamp.RED}
    assert lamps(*said("focus-ring")) == lamps(*said("light-glare")) == {Lamp.AMBER}


def test_without_a_picture_nothing_else_is_told() -> None:
    found = advise(Readings("covered", (2304, 1296)), Known())
    assert [step for step in ORDER[1:-1] if found[step].fine is not None] == []
    assert found[Step.DONE].fine is False


def test_a_picture_that_is_too_small_is_told_with_its_size() -> None:
    advice = advise(Readings("tiny", (3, 2)), Known())[Step.PICTURE]
    assert advice == Advice(False, (say("trouble.camera-tiny", got="3x2"),))


def test_a_picture_of_another_size_than_asked_is_told_but_stops_nobody() -> None:
    advice = advise(GOOD, Known(asked_px=(4608, 2592)))[Step.PICTURE]
    assert advice == Advice(True, (say("trouble.camera-size", got="2304x1296", asked="4608x2592"),))


@pytest.mark.parametrize(
    ("step", "readings"),
    [(Step.HEIGHT, but(module_px=1.9)), (Step.LEVEL, but(tilt_deg=7.0)), (Step.LEVEL, but(roll_deg=-8.0))],
)
def test_what_was_good_enough_once_may_be_a_little_worse(step: Step, readings: Readings) -> None:
    before, after = (advise(readings, Known(passed))[step].fine for passed in (frozenset(), frozenset({step})))
    assert (before, after) == (False, True)


def test_a_lens_that_was_sharp_once_is_not_turned_back_for_a_shadow() -> None:
    worse = but(sharpness=80)
    assert advise(worse, Known(best=100))[Step.FOCUS].fine is False
    assert advise(worse, Known(frozenset({Step.FOCUS}), best=100))[Step.FOCUS].fine is True


def test_a_camera_that_hangs_upside_down_is_straight() -> None:
    assert advise(but(roll_deg=178.0), Known())[Step.LEVEL].fine is True
    assert advise(but(roll_deg=-175.0), Known())[Step.LEVEL].fine is True


def test_a_camera_that_could_not_be_lowered_is_straightened_first() -> None:
    small = but(module_px=1.9, lower_mm=40.0, room=False)
    leaning = but(module_px=1.9, lower_mm=40.0, room=False, tilt_deg=12.0)
    assert advise(small, Known())[Step.HEIGHT].says == (say("calibrate.height.closer", px="1.9"),)
    assert advise(leaning, Known())[Step.HEIGHT] == advise(leaning, Known())[Step.LEVEL]


def test_what_is_to_be_written_into_the_settings_is_what_was_found() -> None:
    known = Known(turns=True)
    assert advise(GOOD, known)[Step.DONE].written == ()
    assert advise(but(lens=AUTO, roll_deg=179.0), known)[Step.DONE].written == (
        "autofocus = false",
        "lens_position = 1.24",
        "rotate = 180",
    )
    assert advise(SMALL, known)[Step.DONE].written == ("size = [4608, 2592]",)
    assert advise(but(roll_deg=179.0), Known(turns=False))[Step.DONE].written == ()


def test_the_corners_that_a_drawing_shows_are_named_for_those_who_read() -> None:
    assert said("corners-covered")[1].where == (say("calibrate.corner.top-left"),)
    assert said("light-dark")[1].where == (say("calibrate.corner.top-left"), say("calibrate.corner.bottom-left"))


def test_a_goes_on_and_ends_at_the_end() -> None:
    desk = Desk()
    assert desk.press(Button.A, Step.LIGHT) is Wish.SKIP
    assert desk.press(Button.A, Step.DONE) is Wish.END


def test_up_and_down_turn_pages() -> None:
    desk = Desk()
    pages = []
    for button in (Button.DOWN, Button.DOWN, Button.UP, Button.UP, Button.UP):
        assert desk.press(button, Step.LIGHT) is None
        pages.append(desk.page)
    assert pages == [1, 2, 1, 0, -1]


def test_the_menu_goes_back_changes_language_and_sound_and_ends() -> None:
    assert _chosen(Desk(), 0) is Wish.BACK
    assert _chosen(Desk(), 3) is Wish.END
    desk = Desk("ca")
    assert _chosen(desk, 1) is None
    assert desk.language == "en"
    assert _chosen(desk, 2, opened=True) is None
    assert (desk.sound, _marked(desk)) == (False, 2)
    assert desk.press(Button.B, Step.LIGHT) is None
    assert _marked(desk) is None


def test_a_step_that_is_done_sounds_higher_than_one_that_is_lost() -> None:
    assert melody(Step.FOCUS, Step.LIGHT) == ONWARDS
    assert melody(Step.LIGHT, Step.CORNERS) == BACKWARDS
    assert melody(Step.ZONES, Step.DONE) == ALL_DONE
    assert melody(Step.FOCUS, Step.FOCUS) == ()


def _marked(desk: Desk) -> int | None:
    rows = [row for row in desk.panel(*said("light-fine")).pages[0].elements if isinstance(row, Row)]
    return len(list(takewhile(lambda row: not row.marked, rows))) if rows else None


def _chosen(desk: Desk, number: int, opened: bool = False) -> Wish | None:
    """What comes of choosing a line of the menu."""
    if not opened:
        desk.press(Button.B, Step.LIGHT)
    for _ in range(number - (_marked(desk) or 0)):
        desk.press(Button.DOWN, Step.LIGHT)
    assert _marked(desk) == number
    return desk.press(Button.A, Step.LIGHT)

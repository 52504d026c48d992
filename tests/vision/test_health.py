"""What a camera's pictures say of the camera: nothing about a room in which tags can be read, and all that hinders."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace
from vision_samples import Table

from vision.frame import Frame, Picture
from vision.health import BEGINS_S, ENDS_S, EVERY_S, Ailment, CameraHealth, edge_px, light
from vision.reading import Reader
from vision.scene import Optics

STEP_S = 0.25
MODULE_MM = 25 / 21
"""Of the tags on real cards."""
SHARP = Optics(blur_px=0.6, noise=2.0)


class Watch:
    """A camera above a rendered table, and its health from frame to frame."""

    def __init__(self, optics: Optics | str = SHARP, health: CameraHealth | None = None, seed: int = 1) -> None:
        self.table = Table(optics=optics, seed=seed)
        self.health = health or CameraHealth()
        self.at_s = 0.0
        self.module_px: float | None = self.table.renderer.lens.px_per_mm * MODULE_MM
        self.picture: Callable[[], Picture] = self._live()

    def light(self, **changed: float) -> None:
        """From now on the camera or the light is another one."""
        self.table.see_through(replace(SHARP, **changed))
        self.picture = self._live()

    def _live(self) -> Callable[[], Picture]:
        """Pictures of the table, each with other noise than the one before."""
        return turns(*(self.table.renderer.picture() for _ in range(2)))

    def run(self, seconds: float) -> list[str]:
        """What is said of this time, each state once, with slashes between ailments."""
        said: list[str] = []
        for _ in range(round(seconds / STEP_S)):
            ills = self.health.look(Frame.of(self.picture(), self.at_s), self.module_px)
            self.at_s += STEP_S
            state = "/".join(sorted(ills))
            if not said or said[-1] != state:
                said.append(state)
        return said


def turns(*pictures: Picture) -> Callable[[], Picture]:
    """These pictures one after another, again and again."""
    return itertools.cycle(pictures).__next__


def noisy(picture: np.ndarray) -> Callable[[], Picture]:
    rng = np.random.default_rng(3)
    noise = [rng.normal(0, 5.0, (1296, 2304, 1)).astype(np.float32) for _ in range(2)]
    return turns(*(np.clip(picture + one, 0, 255).astype(np.uint8) for one in noise))


def plain(level: float) -> np.ndarray:
    return np.full((1296, 2304, 3), level, np.float32)


def finger() -> np.ndarray:
    """Light that glows through a finger on the lens."""
    y, x = np.mgrid[:1296, :2304]
    return (120 * np.exp(-((x - 1800) ** 2 + (y - 300) ** 2) / 700**2))[:, :, None] * np.ones(3, np.float32)


@pytest.mark.parametrize("room", ["sharp", "mild", "everyday", "hard"])
@pytest.mark.parametrize("seed", [1, 5])
def test_rooms_in_which_tags_are_read_have_no_ailment(room: str, seed: int) -> None:
    assert Watch(room, seed=seed).run(6.0) == [""]


@pytest.mark.parametrize(
    ("optics", "ailment"),
    [
        ({"exposure": 0.12, "noise": 9.0}, Ailment.DARK),
        ({"exposure": 3.0}, Ailment.BRIGHT),
        ({"blur_px": 2.0}, Ailment.BLURRED),
    ],
)
def test_light_and_focus_that_make_tags_unreadable_are_named_and_heal(
    optics: dict[str, float], ailment: Ailment
) -> None:
    watch = Watch()
    assert watch.run(2.0) == [""]
    watch.light(**optics)
    assert not Reader.standard().read(Frame.of(watch.picture(), 0.0).grey, 2)
    assert watch.run(BEGINS_S[ailment] - 0.5) == [""]
    assert watch.run(1.0 + 4 * EVERY_S) == ["", ailment]
    assert watch.run(5.0) == [ailment]
    watch.light()
    assert watch.run(ENDS_S + 4 * EVERY_S) == [ailment, ""]


@pytest.mark.parametrize(
    "picture",
    [plain(0.0), plain(14.0), plain(225.0), finger()],
    ids=["black", "a lens cap", "a sheet of paper", "a finger"],
)
def test_a_covered_lens_is_named_as_that_and_nothing_else(picture: np.ndarray) -> None:
    watch = Watch()
    watch.run(2.0)
    bare, watch.picture = watch.picture, noisy(picture)
    assert watch.run(BEGINS_S["covered"] - 0.5) == [""]
    assert watch.run(3.0) == ["", "covered"]
    watch.picture = bare
    assert watch.run(2.0) == ["covered", ""]


def test_a_sensor_that_sees_nothing_and_has_no_noise_is_covered_and_not_frozen() -> None:
    watch = Watch()
    watch.picture = lambda: np.zeros((1296, 2304, 3), np.uint8)
    assert watch.run(12.0) == ["", "covered"]


def test_an_empty_table_with_its_four_corners_is_in_sight() -> None:
    watch = Watch()
    watch.table.scene.clear()
    watch.light()
    assert watch.run(5.0) == [""]


def test_what_passes_quickly_is_not_named() -> None:
    watch = Watch()
    bare, covered = watch.picture, noisy(plain(10.0))
    for _ in range(4):
        watch.picture = covered
        assert watch.run(1.0) == [""]
        watch.picture = bare
        assert watch.run(1.0) == [""]


def test_a_picture_that_comes_again_and_again_is_frozen_until_another_one_comes() -> None:
    watch = Watch()
    watch.run(1.0)
    live = watch.picture
    still = live()
    watch.picture = lambda: still
    assert watch.run(BEGINS_S["frozen"]) == [""]
    assert watch.run(1.0) == ["", "frozen"]
    watch.picture = live
    assert watch.run(2.0) == ["frozen", ""]


def test_one_pixel_of_the_large_picture_is_enough_to_be_alive() -> None:
    watch = Watch()
    still = watch.picture()
    other = still.copy()
    other[7, 7] ^= 1
    watch.picture = turns(still, other)
    assert watch.run(8.0) == [""]


def test_a_folder_of_pictures_may_hold_the_same_picture_again_and_again() -> None:
    watch = Watch(health=CameraHealth(live=False))
    still = watch.picture()
    watch.picture = lambda: still
    assert watch.run(8.0) == [""]


@pytest.mark.parametrize(
    ("asked", "said"), [((2304, 1296), ""), ((2320, 1296), ""), ((4608, 2592), "size"), ((1920, 1080), "size")]
)
def test_a_size_other_than_asked_is_named_at_once(asked: tuple[int, int], said: str) -> None:
    assert Watch(health=CameraHealth(asked)).run(1.0) == [said]


def test_what_was_wrong_is_forgotten_with_the_camera() -> None:
    watch = Watch(replace(SHARP, exposure=0.08))
    assert watch.run(6.0) == ["", "dark"]
    watch.health.forget()
    assert watch.run(2.0) == [""]
    assert watch.run(4.0) == ["", "dark"]


def test_a_clock_that_goes_back_is_that_of_another_camera() -> None:
    watch = Watch(replace(SHARP, exposure=0.08))
    assert watch.run(6.0) == ["", "dark"]
    watch.at_s = -1000.0
    assert watch.run(6.0) == ["", "dark"]


def test_without_known_tags_only_a_picture_that_is_out_of_focus_for_all_of_them_is_blurred() -> None:
    watch = Watch(replace(SHARP, blur_px=1.6))
    watch.module_px = None
    assert watch.run(6.0) == [""]
    watch.light(blur_px=4.0)
    assert watch.run(7.0) == ["", "blurred"]


def test_tags_that_are_read_are_never_called_blurred() -> None:
    read, blurred = [], []
    for sigma in (0.5, 0.8, 1.0, 1.3, 1.6, 2.0, 3.0):
        watch = Watch(replace(SHARP, blur_px=sigma))
        read.append(bool(Reader.standard().read(Frame.of(watch.picture(), 0.0).grey, 2)))
        blurred.append("blurred" in watch.run(6.0)[-1])
    assert (read, blurred) == ([True] * 3 + [False] * 4, [False] * 4 + [True] * 3)


def test_edges_are_as_wide_as_the_lens_blurs() -> None:
    widths = [edge_px(Watch(replace(SHARP, blur_px=sigma)).table.frame()) for sigma in (0.6, 1.0, 1.6, 2.2, 3.0)]
    assert widths == [pytest.approx(sigma, abs=0.35) for sigma in (0.6, 1.0, 1.6, 2.2, 3.0)]


def test_where_there_is_no_edge_there_is_no_width() -> None:
    assert edge_px(Frame.of(noisy(plain(100.0))(), 0.0)) is None
    assert edge_px(Frame.of(np.zeros((8, 8), np.uint8), 0.0)) is None


def test_light_is_measured_in_grey_levels() -> None:
    lores = np.full((324, 576), 50, np.uint8)
    lores[:, :58] = 200
    found = light(lores)
    assert (found.mean, found.white, found.flat) == (pytest.approx(65.1, abs=0.1), 200.0, False)
    assert light(np.full((324, 576), 50, np.uint8)).flat

"""The Raspberry Pi's camera against a stand-in for picamera2 that is as strict as the real package."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from vision_samples import Table

from vision.cameras import Camera, CameraError, PiCamera, PicameraOptions
from vision.cameras.picamera import WAIT_S
from vision.cameras.simulated.pi import SimulatedPi, SimulatedSensor, SimulatedTransform
from vision.frame import Picture

SIZE_PX = (1920, 1080)


def scene() -> Picture:
    """A dark table with a red card in its upper left corner."""
    picture = np.full((1080, 1920, 3), 40, np.uint8)
    picture[:300, :500] = (30, 40, 220)
    return picture


class Bench:
    """A Raspberry Pi with one camera, whose time goes on when it is told to, or when something waits in vain."""

    def __init__(self, platform: str = "pisp", motor: bool = True) -> None:
        self.now_s = 50.0
        self.waits: list[float] = []
        self.sensor = SimulatedSensor(scene, motor=motor)
        self.pi = SimulatedPi(self.sensor, clock=lambda: self.now_s, platform=platform, waited=self._waited)

    def camera(self, number: int = 0, load: Callable[[str], Any] | None = None, **options: Any) -> PiCamera:
        wanted = PicameraOptions(**{"size_px": SIZE_PX, **options})
        return PiCamera(number, lambda: -1.0, wanted, load or self.pi.load)

    def _waited(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now_s += seconds


def open_files() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


@pytest.fixture(params=["pisp", "vc4"])
def bench(request: pytest.FixtureRequest) -> Bench:
    return Bench(request.param)


def test_a_frame_has_the_main_stream_in_bgr_the_small_one_in_grey_and_the_sensors_time(bench: Bench) -> None:
    camera = bench.camera()
    frame = camera.read()
    assert isinstance(camera, Camera)
    assert frame is not None
    assert (frame.size, frame.lores.shape, frame.at_s) == (SIZE_PX, (270, 480), 50.0)
    assert frame.main[100, 100].tolist() == [30, 40, 220]
    assert (frame.main == scene()).all()
    expected = cv2.cvtColor(cv2.resize(scene(), (480, 270), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    assert (frame.lores == expected).all()  # and nothing of what pads the rows
    assert frame.lores.flags.c_contiguous


@pytest.mark.parametrize(
    ("asked", "lores"),
    [((2304, 1296), (576, 324)), ((4608, 2592), (576, 324)), ((1536, 864), (384, 216)), ((640, 480), (640, 480))],
)
def test_the_small_stream_shows_the_same_field_about_576_px_wide(
    asked: tuple[int, int], lores: tuple[int, int]
) -> None:
    assert PicameraOptions(size_px=asked).lores_px == lores


def test_what_is_delivered_counts_and_not_what_was_asked(bench: Bench) -> None:
    bench.sensor.delivers_px = (1536, 864)
    camera = bench.camera()
    frame = camera.read()
    assert frame is not None
    assert (camera.options.size_px, camera.size_px, frame.size) == (SIZE_PX, (1536, 864), (1536, 864))


def test_a_picture_is_flipped_where_that_is_asked(bench: Bench) -> None:
    turned = bench.camera(hflip=True, vflip=True)
    frame = turned.read()
    assert frame is not None
    assert (frame.main == scene()[::-1, ::-1]).all()


@pytest.mark.parametrize(
    ("options", "controls"),
    [
        (
            {},
            {"FrameDurationLimits": (33333, 33333), "AeExposureMode": 1, "AeConstraintMode": 1, "AfMode": 2},
        ),
        (
            {"rate_hz": 50.0, "exposure_us": 10_000, "lens_dioptres": 1.25},
            {
                "FrameDurationLimits": (20000, 20000),
                "AeExposureMode": 1,
                "AeConstraintMode": 1,
                "ExposureTime": 10_000,
                "AfMode": 0,
                "LensPosition": 1.25,
            },
        ),
        (
            {"flicker_us": 10_000, "exposure_value": -0.5},
            {
                "FrameDurationLimits": (33333, 33333),
                "AeExposureMode": 1,
                "AeConstraintMode": 1,
                "AeFlickerMode": 1,
                "AeFlickerPeriod": 10_000,
                "ExposureValue": -0.5,
                "AfMode": 2,
            },
        ),
    ],
)
def test_options_become_controls(bench: Bench, options: dict[str, Any], controls: dict[str, Any]) -> None:
    camera = bench.camera(**options)
    assert bench.pi.set == {"NoiseReductionMode": 1, **controls}
    assert camera.complaints == []
    camera.read()
    assert camera.metadata["LensPosition"] == controls.get("LensPosition", 1.0)


def test_a_lens_without_a_motor_is_complained_of_only_where_it_should_be_moved() -> None:
    bench = Bench(motor=False)
    camera = bench.camera()
    assert (camera.complaints, "AfMode" in bench.pi.set) == ([], False)
    camera.close()
    camera = bench.camera(lens_dioptres=1.2)
    assert camera.complaints == ["its lens has no motor; turn the lens by hand until the tags are sharp"]


def test_requests_are_given_back(bench: Bench) -> None:
    camera = bench.camera(buffers=2)
    for _ in range(10):
        assert camera.read() is not None


def test_a_table_is_read_through_the_driver_as_it_is_without_it(bench: Bench) -> None:
    table = Table()
    bench.sensor.look = table.renderer.picture
    camera = bench.camera(size_px=(2304, 1296))
    for _ in range(12):
        frame = camera.read()
        assert frame is not None
        table.seen = table.watcher.look(frame) or table.seen
        bench.now_s += 0.1
    assert {piece: zone for piece, zone in table.zones_seen().items() if piece.startswith(("red", "token"))} == {
        "token-20": "nest-1/pit",
        "token-21": "nest-1/pit",
        "token-22": "nest-2/pit",
        "red2a": "nest-1/north",
        "red3a": "nest-1/south",
        "red4a": "nest-2/east",
    }


def test_a_time_that_the_driver_does_not_tell_is_taken_from_the_clock(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = bench.camera()
    monkeypatch.setattr(bench.pi.held[0], "_metadata", dict)
    frame = camera.read()
    assert frame is not None
    assert frame.at_s == -1.0


def test_a_camera_that_is_pulled_out_is_an_error_and_comes_back_when_it_is_plugged_in(bench: Bench) -> None:
    camera = bench.camera()
    bench.sensor.plugged = False
    with pytest.raises(CameraError, match=r"picamera:0: delivers no more pictures \(no picture came\); check its rib"):
        camera.read()
    assert (bench.waits, bench.pi.held) == ([WAIT_S], {})
    with pytest.raises(CameraError, match=r"can't be opened \(Failed to start camera: Remote I/O error\); check its r"):
        camera.read()
    assert bench.pi.held == {}
    bench.sensor.plugged = True
    assert camera.read() is not None
    camera.close()
    camera.close()
    assert bench.pi.held == {}


def test_a_driver_that_fails_in_mid_picture_gets_its_buffer_back_and_is_told_of(bench: Bench) -> None:
    camera = bench.camera()
    device = bench.pi.held[0]
    device.camera_config["lores"] = None
    with pytest.raises(CameraError, match=r"delivers no more pictures \(Stream 'lores' is not defined\)"):
        camera.read()
    assert (device._out, device.is_open) == (0, False)


def test_a_camera_that_another_program_uses_is_told_with_the_remedy_and_leaves_nothing_open(bench: Bench) -> None:
    bench.pi.busy.add(0)
    before = open_files()
    for _ in range(3):
        with pytest.raises(CameraError, match=r"can't be opened \(Failed to acquire camera: Device or resource busy\)"):
            bench.camera()
    assert open_files() == before
    bench.pi.busy.clear()
    camera = bench.camera()
    with pytest.raises(CameraError, match="end the other program that uses it"):
        bench.camera()
    camera.close()
    assert open_files() == before


def test_a_camera_that_comes_up_late_is_found_by_the_next_attempt() -> None:
    bench = Bench()
    bench.pi.sensors.clear()
    bench.pi.reset()
    with pytest.raises(CameraError, match=r"no such camera \(found: none\); check the ribbon cable"):
        bench.camera()
    bench.pi.sensors.append(bench.sensor)
    with pytest.raises(CameraError, match="no such camera"):
        bench.camera()
    assert bench.camera().read() is not None


def test_the_second_camera_is_another_one(bench: Bench) -> None:
    with pytest.raises(CameraError, match=r"picamera:1: there is no such camera \(found: imx708\)"):
        bench.camera(1)
    bench.pi.sensors.append(SimulatedSensor(lambda: np.full((8, 8, 3), 9, np.uint8), "imx477", motor=False))
    bench.pi.reset()
    frame = bench.camera(1).read()
    assert frame is not None
    assert int(frame.main.max()) == 9
    assert bench.camera(0).read() is not None


def test_a_webcam_that_libcamera_lists_is_sent_to_the_other_driver(bench: Bench) -> None:
    bench.sensor.id = "/base/scb/pcie@7d500000/pci@0,0/usb@0,0-1.3:1.0-046d:0825"
    with pytest.raises(CameraError, match="picamera:0: is a USB camera; call it usb:0"):
        bench.camera()


def test_a_list_of_cameras_that_fails_is_told_as_well(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("Failed to start camera manager: Permission denied")

    monkeypatch.setattr(bench.pi.Picamera2, "global_camera_info", fail)
    with pytest.raises(CameraError, match=r"Permission denied\); add yourself to the group video"):
        bench.camera()


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("No module named 'libcamera'", name="libcamera"), "sudo apt install python3-picamera2"),
        (ValueError("numpy.dtype size changed, may indicate binary incompatibility"), "install 'numpy<2'"),
        (ModuleNotFoundError("No module named 'numpy._core'", name="numpy._core"), "is older than the one"),
        (ImportError("libpisp.so.1: cannot open shared object file"), "sudo apt full-upgrade"),
    ],
)
def test_a_driver_that_can_not_be_loaded_is_told_with_the_remedy(error: Exception, words: str) -> None:
    def load(_name: str) -> Any:
        raise error

    with pytest.raises(CameraError, match="picamera:0: ") as caught:
        Bench().camera(load=load)
    assert words in str(caught.value)
    assert (str(error) in str(caught.value)) or "libcamera is missing" in str(caught.value)


def test_without_a_raspberry_pi_the_real_modules_are_asked_for_only_when_the_camera_is_opened() -> None:
    with pytest.raises(CameraError, match="the Python module picamera2 is missing"):
        PiCamera(0, lambda: 0.0)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size_px": (2303, 1296)}, "camera option size_px = (2303, 1296): give even numbers from 64 up"),
        ({"rate_hz": 0.0}, "camera option rate_hz = 0.0: give more than 0 and up to 120"),
        ({"exposure_us": -1}, "camera option exposure_us = -1: give 0 to 1000000"),
        ({"lens_dioptres": 80.0}, "camera option lens_dioptres = 80.0: give 0 to 32, or None"),
        ({"buffers": 1}, "camera option buffers = 1: give 2 to 12"),
    ],
)
def test_impossible_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(CameraError) as caught:
        PicameraOptions(**options)
    assert str(caught.value) == message


def test_too_little_memory_for_the_pictures_is_told_with_the_remedy(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def configure(_self: object, _config: object = None) -> None:
        raise OSError(12, os.strerror(12))

    monkeypatch.setattr(bench.pi.Picamera2, "configure", configure)
    with pytest.raises(CameraError, match="choose a smaller size or fewer buffers, or a larger CMA"):
        bench.camera()
    assert bench.pi.held == {}


class TestStandIn:
    """It refuses what the real package refuses."""

    @pytest.fixture
    def device(self) -> Any:
        self.bench = Bench()
        return self.bench.pi.Picamera2()

    def config(self, device: Any, **changed: Any) -> dict[str, Any]:
        streams = {"main": {"size": (640, 480), "format": "RGB888"}, "lores": {"size": (320, 240), "format": "YUV420"}}
        return dict(device.create_video_configuration(**{**streams, **changed}))

    @pytest.mark.parametrize(
        ("changed", "message"),
        [
            ({"main": {"size": (640, 480), "format": "BGR"}}, "Bad format BGR in stream main"),
            ({"lores": {"size": (1280, 960), "format": "YUV420"}}, "lores stream dimensions may not exceed main"),
            ({"main": {"colour": "red"}}, "Bad key 'colour'"),
            ({"controls": {"Focus": 1}}, "Control Focus is not advertised by libcamera"),
            ({"controls": {"AfMode": 7}}, "Control AfMode can't be 7"),
            ({"controls": {"ExposureTime": 9.5}}, "Control ExposureTime can't be 9.5"),
            ({"transform": "hflip"}, "Transform has incorrect type"),
        ],
    )
    def test_wrong_configurations_are_refused(self, device: Any, changed: dict[str, Any], message: str) -> None:
        with pytest.raises((RuntimeError, ValueError), match=message):
            device.configure(self.config(device, **changed))

    def test_a_raspberry_pi_4_has_no_rgb_for_the_small_stream(self) -> None:
        device = Bench("vc4").pi.Picamera2()
        with pytest.raises(RuntimeError, match="lores stream must be YUV"):
            device.configure(self.config(device, lores={"size": (320, 240), "format": "RGB888"}))

    def test_odd_sizes_are_aligned(self, device: Any) -> None:
        device.configure(self.config(device, main={"size": (641, 481), "format": "RGB888"}))
        assert (device.camera_config["main"]["size"], device.camera_config["main"]["stride"]) == ((640, 480), 1920)

    def test_the_order_of_calls_matters(self, device: Any) -> None:
        with pytest.raises(RuntimeError, match="Camera has not been configured"):
            device.start()
        with pytest.raises(TypeError):
            device.configure("video")
        device.configure(self.config(device))
        with pytest.raises(RuntimeError, match="for ever"):
            device.capture_request()
        with pytest.raises(TimeoutError):
            device.capture_request(wait=1.0)
        device.start()
        with pytest.raises(RuntimeError, match="must be stopped"):
            device.configure(self.config(device))

    def test_a_request_is_worth_nothing_after_its_release(self, device: Any) -> None:
        device.start(self.config(device))
        request = device.capture_request()
        request.release()
        with pytest.raises(RuntimeError, match="Stream 'main' is not defined"):
            request.make_array("main")
        with pytest.raises(AssertionError):
            request.get_metadata()
        with pytest.raises(RuntimeError, match="negative ref_count"):
            request.release()

    def test_requests_that_are_kept_starve_the_sensor(self, device: Any) -> None:
        device.start(self.config(device, buffer_count=2))
        kept = [device.capture_request() for _ in range(2)]
        with pytest.raises(TimeoutError):
            device.capture_request(wait=1.0)
        kept[0].release()
        assert device.capture_request(wait=1.0) is not None

    def test_stopping_behind_a_capture_that_found_nothing_would_never_end(self, device: Any) -> None:
        device.start(self.config(device))
        self.bench.sensor.silent = True
        with pytest.raises(TimeoutError):
            device.capture_request(wait=1.0)
        with pytest.raises(RuntimeError, match="for ever"):
            device.stop()
        device.close()
        assert self.bench.pi.held == {}

    def test_frozen_and_black_sensors_go_on_delivering(self, device: Any) -> None:
        noise = iter(range(1, 9))
        self.bench.sensor.look = lambda: np.full((480, 640, 3), next(noise), np.uint8)
        device.start(self.config(device))
        levels = []
        for frozen, black in ((False, False), (True, False), (False, False), (False, True)):
            self.bench.sensor.frozen, self.bench.sensor.black = frozen, black
            request = device.capture_request()
            levels.append(int(request.make_array("main").max()))
            request.release()
        assert levels == [1, 1, 3, 0]

    def test_it_can_flip_and_not_turn(self) -> None:
        with pytest.raises(ValueError, match="not turn by 90"):
            SimulatedTransform(transpose=True)

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.app.hardware import ribbon_options, usb_options
from companion.service.config import CameraTable
from tests.waiting import PATIENCE_S
from vision.cameras import (
    Camera,
    CameraError,
    FrameFiles,
    LiveCamera,
    PicameraOptions,
    UsbCamera,
    UsbOptions,
    is_real,
    open_camera,
)
from vision.cameras.simulated.usb import SimulatedPlug
from vision.frame import Frame


def picture(level: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((48, 64, 3), level, np.uint8)


def write(path: Path, level: int) -> None:
    path.write_bytes(cv2.imencode(path.suffix, picture(level))[1].tobytes())


def clock() -> float:
    return 12.5


def test_a_folder_plays_its_pictures_by_name_at_the_rate_given(tmp_path: Path) -> None:
    for name, level in (("b.png", 20), ("a.jpg", 10), ("c.bmp", 30)):
        write(tmp_path / name, level)
    (tmp_path / "notes.txt").write_text("not a picture")
    camera = open_camera(f"frames:{tmp_path}", clock, rate_hz=4.0)
    frames = [camera.read() for _ in range(4)]
    assert [(f.at_s, int(f.main[0, 0, 0])) for f in frames if f] == [(0.0, 10), (0.25, 20), (0.5, 30)]
    assert frames[3] is None


def test_a_broken_picture_is_counted_and_passed_over(tmp_path: Path) -> None:
    write(tmp_path / "1.png", 10)
    (tmp_path / "2.png").write_bytes(b"\x89PNG broken")
    (tmp_path / "3.png").write_bytes(b"")
    write(tmp_path / "4.png", 40)
    camera = FrameFiles(tmp_path, 10.0)
    times = []
    while (frame := camera.read()) is not None:
        times.append(frame.at_s)
    assert times == [0.0, pytest.approx(0.3)]
    assert camera.broken == 2
    assert camera.complaints == [
        f"{tmp_path}/2.png: not a picture (11 bytes); give a PNG or JPEG file",
        f"{tmp_path}/3.png: not a picture (0 bytes); give a PNG or JPEG file",
    ]


def test_what_is_no_file_among_the_pictures_is_passed_over_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "1.png")
    (tmp_path / "2.png").mkdir()
    (tmp_path / "3.png").symlink_to("/dev/zero")
    write(tmp_path / "4.png", 40)
    camera = FrameFiles(tmp_path, 10.0)
    frame = camera.read()
    assert frame
    assert (frame.at_s, camera.read()) == (pytest.approx(0.3), None)
    assert camera.complaints == [
        f"{tmp_path}/1.png: is a pipe; name a file",
        f"{tmp_path}/2.png: is a folder; name a file",
        f"{tmp_path}/3.png: is a device; name a file",
    ]


def test_a_pipe_or_a_device_is_no_video_and_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((tmp_path / "pipe", "pipe"), (Path("/dev/zero"), "device")):
        with pytest.raises(CameraError, match=f"{path}: is a {what}; name a file"):
            FrameFiles(path)


def test_a_video_plays_its_frames(tmp_path: Path) -> None:
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for level in (10, 200):
        writer.write(picture(level))
    writer.release()
    camera = FrameFiles(path, 10.0)
    frames = [camera.read() for _ in range(3)]
    assert [f.at_s for f in frames if f] == [0.0, 0.1]
    assert frames[2] is None
    camera.close()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("frames:/no/such/folder", "/no/such/folder: there is no such folder or video"),
        ("frames:", "camera 'frames:' is unknown; use one of picamera:, picamera:N, usb:N, frames:PATH"),
        ("usb:one", "camera 'usb:one' is unknown; use one of picamera:, picamera:N, usb:N, frames:PATH"),
        ("usb:²", "camera 'usb:²' is unknown; use one of picamera:, picamera:N, usb:N, frames:PATH"),
        ("picamera:x", "camera 'picamera:x' is unknown; use one of picamera:, picamera:N, usb:N, frames:PATH"),
        ("laser:1", "camera 'laser:1' is unknown; use one of picamera:, picamera:N, usb:N, frames:PATH"),
    ],
)
def test_a_camera_that_does_not_exist_is_refused_with_the_remedy(spec: str, message: str) -> None:
    with pytest.raises(CameraError) as error:
        open_camera(spec, clock)
    assert str(error.value).startswith(message)


def test_an_empty_folder_and_a_text_file_are_no_cameras(tmp_path: Path) -> None:
    with pytest.raises(CameraError, match="no pictures there"):
        FrameFiles(tmp_path)
    (tmp_path / "x.txt").write_text("hello")
    with pytest.raises(CameraError, match="not a video"):
        FrameFiles(tmp_path / "x.txt")
    with pytest.raises(CameraError, match="frame rate of 0 Hz"):
        FrameFiles(tmp_path, 0)


def test_a_ready_camera_joins_by_name() -> None:
    class Still:
        name = "still"

        def read(self) -> Frame | None:
            return None

        def close(self) -> None: ...

    camera = open_camera("virtual:phoenix", clock, more={"virtual": lambda rest: Still()})
    assert isinstance(camera, Camera)
    assert camera.name == "still"


def test_real_cameras_are_read_by_a_thread_and_come_back_at_once_even_if_they_are_not_there() -> None:
    for spec, asked_px, words in (
        ("picamera:", (2304, 1296), "picamera:0: the Python module picamera2 is missing"),
        ("picamera:1", (2304, 1296), "picamera:1: the Python module picamera2 is missing"),
        ("usb:7", (1920, 1080), "usb:7: can't be opened"),
    ):
        camera = open_camera(spec, clock)
        assert isinstance(camera, LiveCamera)
        assert (camera.name, camera.asked_px, is_real(spec)) == (spec, asked_px, True)
        with pytest.raises(CameraError, match=words):
            camera.ready()
        camera.close()
    assert not (is_real("frames:usb:0") or is_real("virtual:"))


def test_real_cameras_get_the_options_of_their_kind() -> None:
    ribbon, plug = PicameraOptions(size_px=(4608, 2592)), UsbOptions(size_px=(1280, 720))
    for spec, asked_px in (("picamera:", (4608, 2592)), ("usb:7", (1280, 720))):
        camera = open_camera(spec, clock, picamera=ribbon, usb=plug)
        assert isinstance(camera, LiveCamera)
        assert camera.asked_px == asked_px
        camera.close()


def test_a_usb_camera_says_what_size_it_really_delivers() -> None:
    camera = UsbCamera(0, clock, UsbOptions((2304, 1296)), SimulatedPlug())
    frame = camera.read()
    assert frame is not None
    assert (camera.size_px, frame.size, frame.at_s) == ((1920, 1080), (1920, 1080), 12.5)


def test_a_usb_camera_compresses_and_sets_itself_unless_it_is_told_otherwise() -> None:
    plug = SimulatedPlug()
    plug.memory[cv2.CAP_PROP_AUTO_EXPOSURE], plug.memory[cv2.CAP_PROP_AUTOFOCUS] = 1.0, 0.0  # another program's
    camera = UsbCamera(0, clock, capture=plug)
    assert camera.complaints == []
    assert plug.memory[cv2.CAP_PROP_AUTO_EXPOSURE] == 3.0
    assert plug.memory[cv2.CAP_PROP_AUTOFOCUS] == 1.0


def test_exposure_and_focus_of_a_usb_camera_can_be_fixed() -> None:
    plug = SimulatedPlug()
    camera = UsbCamera(0, clock, UsbOptions(exposure_us=10_000, focus=40), plug)
    assert camera.complaints == []
    assert plug.memory == {
        cv2.CAP_PROP_AUTO_EXPOSURE: 1.0,
        cv2.CAP_PROP_EXPOSURE: 100.0,
        cv2.CAP_PROP_AUTOFOCUS: 0.0,
        cv2.CAP_PROP_FOCUS: 40.0,
    }


def test_what_a_usb_camera_can_not_do_is_complained_of() -> None:
    simple = SimulatedPlug(exposures=(), focusses=(), compresses=False)
    camera = UsbCamera(0, clock, UsbOptions(exposure_us=10_000, focus=40), simple)
    assert camera.complaints == [
        "its exposure can't be fixed; leave it at 0 and add light",
        "its lens has no motor; turn the lens by hand until the tags are sharp",
        "it has no MJPG, so large pictures may come slowly; choose a smaller size",
    ]
    assert camera.read() is not None
    coarse = SimulatedPlug(exposures=range(10, 1000, 30), focusses=range(0, 256, 5))
    camera = UsbCamera(0, clock, UsbOptions(exposure_us=12_000, focus=42), coarse)
    assert camera.complaints == [
        "it exposes for 15600 us instead of 12000; choose another exposure or 0",
        "its lens stands at 0 instead of 42; choose another position",
    ]


def test_a_single_failed_read_is_forgiven() -> None:
    plug = SimulatedPlug()
    camera = UsbCamera(0, clock, capture=plug)
    plug.hiccups = 3
    assert camera.read() is not None
    assert plug.opened == 1


def test_a_silent_device_is_lost_after_two_seconds_however_slowly_it_fails() -> None:
    now_s, plug = [0.0], SimulatedPlug()

    def wait() -> None:
        now_s[0] += 2.0

    plug.waited = wait
    camera = UsbCamera(0, lambda: now_s[0], capture=plug)
    plug.hiccups = 100
    with pytest.raises(CameraError, match="delivers no more pictures"):
        camera.read()
    assert now_s == [2.0]


def test_an_unplugged_camera_is_an_error_until_it_is_plugged_in_again() -> None:
    plug = SimulatedPlug()
    camera = UsbCamera(0, clock, capture=plug)
    plug.plugged = False
    with pytest.raises(CameraError, match="usb:0: delivers no more pictures; plug it in again"):
        camera.read()
    with pytest.raises(CameraError, match="usb:0: can't be opened"):
        camera.read()
    plug.plugged = True
    assert camera.read() is not None
    assert plug.opened == 2
    camera.close()
    camera.close()
    assert not plug.owned


def test_a_camera_that_another_program_uses_is_refused_with_the_remedy() -> None:
    plug = SimulatedPlug()
    UsbCamera(0, clock, capture=plug)
    with pytest.raises(CameraError, match="no other program uses it"):
        UsbCamera(0, clock, capture=plug)


def test_a_usb_camera_that_is_closed_while_a_read_hangs_is_released_by_that_read() -> None:
    plug = SimulatedPlug()
    camera = UsbCamera(0, clock, capture=plug)
    knot, told = threading.Event(), list[str]()
    plug.hangs = knot

    def read() -> None:
        try:
            camera.read()
        except CameraError as error:
            told.append(str(error))

    reader = threading.Thread(target=read)
    reader.start()
    assert plug.hung.wait(PATIENCE_S)
    camera.close()
    assert plug.owned
    knot.set()
    reader.join(PATIENCE_S)
    assert (told, plug.owned) == (["usb:0: was closed while it was read; read again"], False)
    assert camera.read() is not None


def test_opencv_itself_says_nothing_of_a_missing_device(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(CameraError, match="usb:9: can't be opened"):
        UsbCamera(9, clock)
    assert capfd.readouterr() == ("", "")
    cv2.VideoCapture(9, cv2.CAP_V4L2)  # its own messages are not switched off for good
    assert "can't open camera" in capfd.readouterr().err


@pytest.mark.parametrize("flip", [False, True])
def test_pictures_are_mirrored_where_that_is_asked_for(tmp_path: Path, flip: bool) -> None:
    picture = np.zeros((8, 12, 3), np.uint8)
    picture[:, 9:] = 200
    cv2.imwrite(str(tmp_path / "1.png"), picture)
    frame = open_camera(f"frames:{tmp_path}", lambda: 0.0, flip=flip).read()
    assert frame is not None
    assert np.array_equal(frame.main, picture[:, ::-1] if flip else picture)
    table = CameraTable(flip=flip, rotate=180)
    assert (usb_options(table).flip, ribbon_options(table).hflip, ribbon_options(table).vflip) == (flip, not flip, True)

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision.cameras import Camera, CameraError, FrameFiles, UsbCamera, open_camera
from vision.frame import Frame


def picture(level: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.full((48, 64, 3), level, np.uint8)


def write(path: Path, level: int) -> None:
    path.write_bytes(cv2.imencode(path.suffix, picture(level))[1].tobytes())


class Plug:
    """A socket for a USB camera, as strict as V4L2: one owner, sizes rounded to modes, no reading after the end."""

    modes = ((1920, 1080), (1280, 720), (640, 480))

    def __init__(self) -> None:
        self.plugged = True
        self.owned = False
        self.hiccups = 0
        self.opened = 0

    def __call__(self, number: int, backend: int) -> FakeCapture:
        assert backend == cv2.CAP_V4L2
        return FakeCapture(self, number)


class FakeCapture:
    def __init__(self, plug: Plug, number: int) -> None:
        self._plug = plug
        self._open = plug.plugged and not plug.owned and number == 0
        self._asked = [640, 480]
        if self._open:
            plug.owned = True
            plug.opened += 1

    def isOpened(self) -> bool:  # noqa: N802
        return self._open

    def set(self, key: int, value: float) -> bool:
        assert self._open, "set after release"
        sides = {cv2.CAP_PROP_FRAME_WIDTH: 0, cv2.CAP_PROP_FRAME_HEIGHT: 1}
        if key in sides:
            self._asked[sides[key]] = int(value)
        return True

    def get(self, key: int) -> float:
        assert self._open, "get after release"
        return float(self._mode()[0 if key == cv2.CAP_PROP_FRAME_WIDTH else 1])

    def read(self) -> tuple[bool, Any]:
        assert self._open, "read after release"
        if self._plug.hiccups:
            self._plug.hiccups -= 1
            return False, None
        if not self._plug.plugged:
            return False, None
        width, height = self._mode()
        return True, np.zeros((height, width, 3), np.uint8)

    def release(self) -> None:
        if self._open:
            self._plug.owned = False
        self._open = False

    def _mode(self) -> tuple[int, int]:
        return min(Plug.modes, key=lambda mode: abs(mode[0] - self._asked[0]) + abs(mode[1] - self._asked[1]))


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
        "2.png: not a picture (11 bytes); remove it or save it anew",
        "3.png: not a picture (0 bytes); remove it or save it anew",
    ]


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
        ("frames:", "camera 'frames:' is unknown; use one of frames:PATH, usb:N"),
        ("usb:one", "camera 'usb:one' is unknown; use one of frames:PATH, usb:N"),
        ("laser:1", "camera 'laser:1' is unknown; use one of frames:PATH, usb:N"),
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


def test_a_usb_camera_says_what_size_it_really_delivers() -> None:
    camera = UsbCamera(0, clock, (2304, 1296), Plug())
    frame = camera.read()
    assert frame is not None
    assert (camera.size_px, frame.size, frame.at_s) == ((1920, 1080), (1920, 1080), 12.5)


def test_a_single_failed_read_is_forgiven() -> None:
    plug = Plug()
    camera = UsbCamera(0, clock, capture=plug)
    plug.hiccups = 3
    assert camera.read() is not None
    assert plug.opened == 1


def test_an_unplugged_camera_is_an_error_until_it_is_plugged_in_again() -> None:
    plug = Plug()
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
    plug = Plug()
    UsbCamera(0, clock, capture=plug)
    with pytest.raises(CameraError, match="no other program uses it"):
        UsbCamera(0, clock, capture=plug)

"""USB cameras through V4L2."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import cv2
import msgspec

from vision.cameras.port import CameraError
from vision.frame import Frame, FrameError

FAILED_READS = 5
"""So many failed reads in a row mean an unplugged device; a single one is a corrupt JPEG on the cable."""
SILENCE_S = 2.0
"""So long OpenCV waits for a picture, in whole seconds, and so long failed reads are put up with."""
MANUAL, AUTOMATIC = 1, 3
"""Exposure modes. Source: linux/v4l2-controls.h, V4L2_EXPOSURE_MANUAL and V4L2_EXPOSURE_APERTURE_PRIORITY."""
EXPOSURE_US = 100
"""Unit of a fixed exposure. Source: Linux, V4L2_CID_EXPOSURE_ABSOLUTE."""


class UsbOptions(msgspec.Struct, frozen=True):
    """How a USB camera is to be set. What a camera can't do is told in `UsbCamera.complaints`.

    Attributes:
        size_px: width and height asked for. The device delivers the nearest that it has.
        exposure_us: how long a picture is exposed, in microseconds, 100 or more; 0 leaves it to the camera.
        focus: a fixed position of the lens, in the device's own unit, commonly 0 (far) to 255 (near); None leaves
            it to the camera.
        flip: mirror the pictures left to right.
    """

    size_px: tuple[int, int] = (1920, 1080)
    exposure_us: int = 0
    focus: int | None = None
    flip: bool = False


class UsbCamera:
    """A V4L2 device, `/dev/videoN`.

    Args:
        number: N of `/dev/videoN`.
        clock: seconds, monotonic; time of each frame.
        options: see there.
        capture: opens the device; `cv2.VideoCapture`, or a fake of it.

    Attributes:
        size_px: width and height that the device says it delivers.
        complaints: what of the options it doesn't do.

    Raises:
        CameraError: no such device, or another program has it.
    """

    def __init__(
        self,
        number: int,
        clock: Callable[[], float],
        options: UsbOptions | None = None,
        capture: Callable[[int, int], Any] = cv2.VideoCapture,
    ) -> None:
        self.name = f"usb:{number}"
        self.options = options or UsbOptions()
        self.size_px = self.options.size_px
        self.complaints: list[str] = []
        self._number = number
        self._clock = clock
        self._capture = capture
        self._device: Any = None
        self._state = threading.Lock()
        self._reading = False
        self._open()

    def read(self) -> Frame | None:
        """The next frame.

        Raises:
            CameraError: the device is gone. The next call tries to open it anew.
        """
        if self._device is None:
            self._open()
        with self._state:
            device = self._device
            self._reading = device is not None
        if device is None:
            raise CameraError(f"{self.name}: was closed by another thread; read again")
        try:
            picture = self._next(device)
        finally:
            with self._state:
                self._reading = False
                closed = self._device is not device
            if closed:
                device.release()
        if closed:
            raise CameraError(f"{self.name}: was closed while it was read; read again")
        if picture is None:
            self.close()
            raise CameraError(f"{self.name}: delivers no more pictures; plug it in again, it is tried anew by itself")
        try:
            return Frame.of(cv2.flip(picture, 1) if self.options.flip else picture, self._clock())
        except FrameError as error:
            raise CameraError(f"{self.name}: {error}") from error

    def close(self) -> None:
        """Gives the device back: now, or once it has read if another thread is reading it."""
        with self._state:
            device, self._device = self._device, None
            reading = self._reading
        # A release under a running read would take away the memory that it writes to: the reader does it then.
        if device is not None and not reading:
            device.release()

    def _next(self, device: Any) -> Any:
        """The next picture (H, W, 3) uint8, or None if none comes."""
        until_s = self._clock() + SILENCE_S
        for _ in range(FAILED_READS):
            delivered, picture = device.read()
            if delivered and picture is not None and picture.size:
                return picture
            if self._clock() >= until_s:
                break
        return None

    def _open(self) -> None:
        # Without this OpenCV waits ten seconds for each picture of a device that hangs. It is read but once.
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", str(int(SILENCE_S)))
        with _silent():
            device = self._capture(self._number, cv2.CAP_V4L2)
        if not device.isOpened():
            device.release()
            raise CameraError(
                f"{self.name}: can't be opened; see that it is plugged in (ls /dev/video*), that no other program "
                "uses it and that you belong to the group video"
            )
        self.complaints = []
        # MJPG before the size: raw pictures of full size come at five a second over USB 2.
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, self.options.size_px[0])
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, self.options.size_px[1])
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self._expose(device)
        self._focus(device)
        if int(device.get(cv2.CAP_PROP_FOURCC)) != cv2.VideoWriter.fourcc(*"MJPG"):
            self.complaints.append("it has no MJPG, so large pictures may come slowly; choose a smaller size")
        self.size_px = (int(device.get(cv2.CAP_PROP_FRAME_WIDTH)), int(device.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        self._device = device

    def _expose(self, device: Any) -> None:
        units = self.options.exposure_us // EXPOSURE_US
        # The device keeps what the last program has set, so automatic has to be asked for as well.
        device.set(cv2.CAP_PROP_AUTO_EXPOSURE, MANUAL if units else AUTOMATIC)
        if not units:
            return
        device.set(cv2.CAP_PROP_EXPOSURE, units)
        exposed = int(device.get(cv2.CAP_PROP_EXPOSURE))
        if exposed < 0:
            self.complaints.append("its exposure can't be fixed; leave it at 0 and add light")
        elif exposed != units:
            wanted_us, got_us = units * EXPOSURE_US, exposed * EXPOSURE_US
            self.complaints.append(f"it exposes for {got_us} us instead of {wanted_us}; choose another exposure or 0")

    def _focus(self, device: Any) -> None:
        focus = self.options.focus
        device.set(cv2.CAP_PROP_AUTOFOCUS, focus is None)
        if focus is None:
            return
        device.set(cv2.CAP_PROP_FOCUS, focus)
        focused = int(device.get(cv2.CAP_PROP_FOCUS))
        if focused < 0:
            self.complaints.append("its lens has no motor; turn the lens by hand until the tags are sharp")
        elif focused != focus:
            self.complaints.append(f"its lens stands at {focused} instead of {focus}; choose another position")


@contextmanager
def _silent() -> Iterator[None]:
    """Without what OpenCV itself prints: a missing device is told by our own error, once."""
    logging = getattr(getattr(cv2, "utils", None), "logging", cv2)  # it moved in OpenCV 5
    level = logging.getLogLevel()
    logging.setLogLevel(0)
    try:
        yield
    finally:
        logging.setLogLevel(level)

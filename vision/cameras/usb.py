"""USB cameras through V4L2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2

from vision.cameras.port import CameraError
from vision.frame import Frame

FAILED_READS = 5
"""So many failed reads in a row mean an unplugged device; a single one is a corrupt JPEG on the cable."""


class UsbCamera:
    """A V4L2 device, `/dev/videoN`.

    Args:
        number: N of `/dev/videoN`.
        clock: seconds, monotonic; time of each frame.
        size_px: width and height asked for. The device may deliver another size: see `size_px` afterwards.
        capture: opens the device; `cv2.VideoCapture`, or a fake of it.

    Raises:
        CameraError: no such device, or another program has it.
    """

    def __init__(
        self,
        number: int,
        clock: Callable[[], float],
        size_px: tuple[int, int] = (1920, 1080),
        capture: Callable[[int, int], Any] = cv2.VideoCapture,
    ) -> None:
        self.name = f"usb:{number}"
        self.size_px = size_px
        self._asked_px = size_px
        self._number = number
        self._clock = clock
        self._capture = capture
        self._device: Any = None
        self._open()

    def read(self) -> Frame | None:
        """The next frame.

        Raises:
            CameraError: the device is gone. The next call tries to open it anew.
        """
        if self._device is None:
            self._open()
        for _ in range(FAILED_READS):
            delivered, picture = self._device.read()
            if delivered and picture is not None and picture.size:
                return Frame.of(picture, self._clock())
        self.close()
        raise CameraError(f"{self.name}: delivers no more pictures; plug it in again, it is tried anew by itself")

    def close(self) -> None:
        """Gives the device back."""
        if self._device is not None:
            self._device.release()
            self._device = None

    def _open(self) -> None:
        device = self._capture(self._number, cv2.CAP_V4L2)
        if not device.isOpened():
            device.release()
            raise CameraError(
                f"{self.name}: can't be opened; see that it is plugged in (ls /dev/video*), that no other program "
                "uses it and that you belong to the group video"
            )
        # MJPG before the size: raw pictures of full size come at five a second over USB 2.
        device.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        device.set(cv2.CAP_PROP_FRAME_WIDTH, self._asked_px[0])
        device.set(cv2.CAP_PROP_FRAME_HEIGHT, self._asked_px[1])
        device.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self.size_px = (int(device.get(cv2.CAP_PROP_FRAME_WIDTH)), int(device.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        self._device = device

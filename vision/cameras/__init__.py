"""Cameras: one port, several backends. `open_camera` makes one from its name in the configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from vision.cameras.frames import FrameFiles
from vision.cameras.live import LiveCamera
from vision.cameras.picamera import PiCamera, PicameraOptions
from vision.cameras.port import Camera, CameraError, NothingNewError
from vision.cameras.usb import UsbCamera, UsbOptions

__all__ = [
    "Camera",
    "CameraError",
    "FrameFiles",
    "LiveCamera",
    "NothingNewError",
    "PiCamera",
    "PicameraOptions",
    "UsbCamera",
    "UsbOptions",
    "is_real",
    "open_camera",
]


def is_real(spec: str) -> bool:
    """Whether a specification means a real camera, which looks at a real table."""
    return spec.partition(":")[0] in ("picamera", "usb")


def open_camera(
    spec: str,
    clock: Callable[[], float],
    *,
    rate_hz: float = 10.0,
    flip: bool = False,
    picamera: PicameraOptions | None = None,
    usb: UsbOptions | None = None,
    more: Mapping[str, Callable[[str], Camera]] | None = None,
) -> Camera:
    """The camera that a specification names.

    A real one comes back at once, whether it is there or not: it is a `LiveCamera`, which opens it and tells in its
    `read` why it can't be opened.

    Args:
        spec: `picamera:` or `picamera:N` (on the ribbon cable), `usb:N` (`/dev/videoN`), `frames:PATH` (folder of
            pictures or video), or `NAME` or `NAME:REST` of `more`.
        clock: seconds, monotonic; for cameras whose driver gives no time.
        rate_hz: frames per second of `frames:`.
        flip: mirror the pictures of `frames:`; the options of the others say it for them.
        picamera: how the former is to be set.
        usb: and how the latter.
        more: further backends by name, called with the rest of the specification.

    Raises:
        CameraError: unknown specification, or no such pictures.
    """
    kind, _, rest = spec.partition(":")
    if more and kind in more:
        return more[kind](rest)
    if kind == "frames" and rest:
        return FrameFiles(Path(rest), rate_hz, flip)
    number = int(rest) if rest.isascii() and rest.isdecimal() else None
    if kind == "picamera" and (not rest or number is not None):
        ribbon = picamera or PicameraOptions()
        return LiveCamera(spec, lambda: PiCamera(number or 0, clock, ribbon), clock, asked_px=ribbon.size_px)
    if kind == "usb" and number is not None:
        plug = usb or UsbOptions()
        return LiveCamera(spec, lambda: UsbCamera(number, clock, plug), clock, asked_px=plug.size_px)
    names = ", ".join(["picamera:", "picamera:N", "usb:N", "frames:PATH", *(more or {})])
    raise CameraError(f"camera {spec!r} is unknown; use one of {names}")

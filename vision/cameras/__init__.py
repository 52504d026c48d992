"""Cameras: one port, several backends. `open_camera` makes one from its name in the configuration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from vision.cameras.frames import FrameFiles
from vision.cameras.port import Camera, CameraError
from vision.cameras.usb import UsbCamera

__all__ = ["Camera", "CameraError", "FrameFiles", "UsbCamera", "open_camera"]


def open_camera(
    spec: str,
    clock: Callable[[], float],
    *,
    size_px: tuple[int, int] = (2304, 1296),
    rate_hz: float = 10.0,
    more: Mapping[str, Callable[[str], Camera]] | None = None,
) -> Camera:
    """The camera that a specification names.

    Args:
        spec: `frames:PATH` (folder of pictures or video), `usb:N` (`/dev/videoN`), or `NAME` or `NAME:REST` of `more`.
        clock: seconds, monotonic; for cameras whose driver gives no time.
        size_px: width and height asked of the camera.
        rate_hz: frames per second of `frames:`.
        more: further backends by name, called with the rest of the specification.

    Raises:
        CameraError: unknown specification, or the camera can't be opened.
    """
    kind, _, rest = spec.partition(":")
    if more and kind in more:
        return more[kind](rest)
    if kind == "frames" and rest:
        return FrameFiles(Path(rest), rate_hz)
    if kind == "usb" and rest.isdecimal():
        return UsbCamera(int(rest), clock, size_px)
    names = ", ".join(["frames:PATH", "usb:N", *(more or {})])
    raise CameraError(f"camera {spec!r} is unknown; use one of {names}")

"""What the rest of the program expects of a camera."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from companion.core.errors import CompanionError
from vision.frame import Frame


class CameraError(CompanionError, OSError):
    """A camera that can't be opened, was unplugged, or delivers something else than pictures."""


@runtime_checkable
class Camera(Protocol):
    """A source of frames.

    Attributes:
        name: how it is called in messages, such as `usb:0`.
    """

    name: str

    def read(self) -> Frame | None:
        """The next frame, waiting for it if need be; None when there will never be another one.

        Raises:
            CameraError: the device is gone or broken. Reading again tries to open it anew.
        """

    def close(self) -> None:
        """Gives the device back. Closing twice is fine."""

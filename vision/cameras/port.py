"""What the rest of the program expects of a camera."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from companion.core.errors import CompanionError
from vision.frame import Frame


class CameraError(CompanionError, OSError):
    """A camera that can't be opened, was unplugged, or delivers something else than pictures."""


class NothingNewError(CompanionError):
    """No picture has come since the last one: read again. Only of cameras that don't keep their reader waiting."""


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
            NothingNewError: only by a `LiveCamera`, which waits but for a moment.
        """

    def close(self) -> None:
        """Gives the device back. Closing twice is fine.

        A camera that is to be read by a `LiveCamera` may be closed by another thread while a read hangs: it must
        neither wait for that read nor take away the memory that it works on.
        """

"""A camera above the virtual table."""

from __future__ import annotations

from collections.abc import Callable

from numpy.random import Generator

from vision.cameras.port import CameraError
from vision.frame import Frame
from vision.scene.lens import Lens
from vision.scene.optics import Optics
from vision.scene.render import Renderer
from vision.scene.scene import Scene
from vision.scene.truth import TagTruth, truth


class VirtualCamera:
    """Frames of a scene, by a clock of its own that goes on by one frame's time at each reading.

    As a real one it can be bumped (`optics`) and unplugged (`unplugged`).

    Args:
        scene: what it looks at.
        optics: lens, sensor and light.
        rng: draws the noise.
        rate_hz: frames per second.
        before: called with the time of each frame before it is taken; may change the scene.
        frames: after so many there is no further one; None for no end.
        name: how it is called in messages.

    Raises:
        CameraError: an impossible frame rate.
    """

    def __init__(
        self,
        scene: Scene,
        optics: Optics,
        rng: Generator,
        rate_hz: float = 10.0,
        before: Callable[[float], None] | None = None,
        frames: int | None = None,
        name: str = "virtual",
    ) -> None:
        if rate_hz <= 0:
            raise CameraError(f"{name}: a frame rate of {rate_hz} Hz is impossible; give more than 0")
        self.name = name
        self.scene = scene
        self.before = before
        self.unplugged = False
        self._rng = rng
        self._rate_hz = rate_hz
        self._frames = frames
        self._count = 0
        self._closed = False
        self._renderer = Renderer(scene, optics, rng)

    @property
    def optics(self) -> Optics:
        """Lens, sensor and light. Setting others bumps the camera, or switches a lamp on."""
        return self._renderer.optics

    @optics.setter
    def optics(self, optics: Optics) -> None:
        self._renderer = Renderer(self.scene, optics, self._rng)

    @property
    def lens(self) -> Lens:
        """Where points of the table appear."""
        return self._renderer.lens

    def truth(self) -> dict[str, TagTruth]:
        """What a perfect reader would find in the picture now."""
        return truth(self.scene, self.lens)

    def read(self) -> Frame | None:
        """The next frame, or None after the last one and after `close`.

        Raises:
            CameraError: it is unplugged.
        """
        if self._closed or self._count == self._frames:
            return None
        at_s = self._count / self._rate_hz
        self._count += 1
        if self.before is not None:
            self.before(at_s)
        if self.unplugged:
            raise CameraError(f"{self.name}: unplugged; plug it in again")
        return Frame.of(self._renderer.picture(), at_s)

    def close(self) -> None:
        """No further frames."""
        self._closed = True

"""One picture of the table with its time."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.errors import CompanionError

Picture = npt.NDArray[np.uint8]
"""Grey (height, width) or BGR (height, width, 3), uint8."""

LORES_WIDTH = 640
"""Most px in width of the small picture that `Frame.of` makes."""
LEAST_PX, LEAST_LORES_PX = 64, 32
"""In a picture with a side that is shorter nothing can be read: a tag has thirty modules with its margin."""


class FrameError(CompanionError, ValueError):
    """Something that a camera has delivered is no picture."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One look of the camera, in two sizes of the same field of view.

    Both pictures belong to the frame: a camera that reuses its buffers must copy them, because a frame is compared
    with the one before.

    Attributes:
        main: uint8, full resolution, BGR (H, W, 3) or grey (H, W).
        lores: uint8, grey (h, w), about 320 to 640 px wide; finds changes.
        at_s: time of exposure in seconds, by the camera's own clock.
    """

    main: Picture
    lores: Picture
    at_s: float
    _grey: list[Picture] = field(default_factory=list, init=False, repr=False)

    @classmethod
    def of(cls, picture: Picture, at_s: float, lores_width: int = LORES_WIDTH) -> Frame:
        """The frame of a camera that has no second stream: the small picture is computed.

        Args:
            picture: uint8, BGR or grey, also with an axis for the one channel of grey, or a fourth channel.
            at_s: time in seconds.
            lores_width: the picture is halved until it is no wider than this, in px.

        Raises:
            FrameError: it is of another shape or type, or empty.
        """
        channels = picture.shape[2] if picture.ndim == 3 else 1
        if picture.ndim not in (2, 3) or channels not in (1, 3, 4) or not picture.size or picture.dtype != np.uint8:
            raise FrameError(f"no picture came but {picture.shape} {picture.dtype}; choose another size or camera")
        if picture.ndim == 3 and channels != 3:
            picture = picture[..., 0] if channels == 1 else np.ascontiguousarray(picture[..., :3])
        small = picture
        while small.shape[1] > lores_width:
            # Only halving has a fast path in OpenCV: any other factor costs twenty times as much.
            height, width = small.shape[:2]
            small = cv2.resize(small, (max(1, width // 2), max(1, height // 2)), interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
        return cls(picture, _grey(small), at_s)

    @property
    def grey(self) -> Picture:
        """The full picture in grey, contiguous (H, W) uint8; computed once."""
        if not self._grey:
            self._grey.append(_grey(self.main))
        return self._grey[0]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the full picture in px."""
        return self.main.shape[1], self.main.shape[0]

    @property
    def legible(self) -> bool:
        """Whether it is large enough for anything to be read in it."""
        return bool(min(self.size) >= LEAST_PX and min(self.lores.shape) >= LEAST_LORES_PX)

    @property
    def shrink(self) -> tuple[float, float]:
        """Small px per full px, in x and y."""
        return self.lores.shape[1] / self.main.shape[1], self.lores.shape[0] / self.main.shape[0]


def _grey(picture: Picture) -> Picture:
    if picture.ndim == 2:
        return np.ascontiguousarray(picture)
    return cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)  # type: ignore[return-value]

"""Pictures from disk as a camera: a folder of pictures or a video file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2

from companion import files
from vision.cameras.port import CameraError
from vision.frame import Frame, Picture
from vision.pictures import MOST_PX, PictureError, load

SUFFIXES = frozenset({".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp", ".pgm", ".ppm"})
"""File names that count as pictures; anything else in the folder is passed over."""


class FrameFiles:
    """Pictures of a folder, sorted by name, or the frames of a video; each once, at a steady rate by its own clock.

    A picture that can't be decoded is passed over, counted in `broken` and explained in `complaints`; it keeps its
    place in time.

    Args:
        path: the folder or the video file.
        rate_hz: frames per second of the camera's clock.
        flip: mirror each picture left to right.

    Raises:
        CameraError: nothing there, no picture in the folder, or not a video.
    """

    def __init__(self, path: Path, rate_hz: float = 10.0, flip: bool = False) -> None:
        if rate_hz <= 0:
            raise CameraError(f"{path}: a frame rate of {rate_hz} Hz is impossible; give more than 0")
        self.name = f"frames:{path}"
        self.broken = 0
        self.complaints: list[str] = []
        self._rate_hz = rate_hz
        self._flip = flip
        self._count = 0
        self._files: list[Path] = []
        self._video: Any = None
        try:
            if path.is_dir():
                self._files = sorted(file for file in path.iterdir() if file.suffix.lower() in SUFFIXES)
            else:
                with files.opened(path):
                    self._video = cv2.VideoCapture(str(path))
        except files.FileError as error:
            gone = f"{path}: there is no such folder or video; give the path of one"
            raise CameraError(gone if error.missing else str(error)) from error
        except OSError as error:
            raise CameraError(f"{path}: can't be read ({error.strerror}); name a folder that can") from error
        if self._video is None:
            if not self._files:
                raise CameraError(f"{path}: no pictures there; put files such as 0001.png or 0001.jpg into it")
        elif not self._video.isOpened():
            raise CameraError(f"{path}: not a video that OpenCV can read; try MP4, AVI or a folder of pictures")
        elif self._video.get(cv2.CAP_PROP_FRAME_WIDTH) * self._video.get(cv2.CAP_PROP_FRAME_HEIGHT) > MOST_PX:
            raise CameraError(f"{path}: its pictures have more than {MOST_PX // 10**6} megapixels; shrink them")

    def read(self) -> Frame | None:
        """The next picture that can be read, or None at the end."""
        return self._next_of_video() if self._video is not None else self._next_of_folder()

    def close(self) -> None:
        """Forgets the rest."""
        self._files = []
        if self._video is not None:
            self._video.release()

    def _tick(self) -> float:
        at_s = self._count / self._rate_hz
        self._count += 1
        return at_s

    def _next_of_folder(self) -> Frame | None:
        while self._count < len(self._files):
            file = self._files[self._count]
            at_s = self._tick()
            # Not by name: OpenCV's own file reader prints warnings that nobody can switch off, and fails on
            # names that its C library can't encode.
            try:
                return self._frame(load(file), at_s)
            except PictureError as error:
                self.broken += 1
                self.complaints.append(str(error))
        return None

    def _next_of_video(self) -> Frame | None:
        delivered, picture = self._video.read()
        return self._frame(picture, self._tick()) if delivered else None

    def _frame(self, picture: Picture, at_s: float) -> Frame:
        return Frame.of(cv2.flip(picture, 1) if self._flip else picture, at_s)  # type: ignore[arg-type]

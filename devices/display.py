"""The port that every display keeps."""

from __future__ import annotations

from typing import Protocol

from PIL import Image

WIDTH_PX, HEIGHT_PX = 128, 64


class Display(Protocol):
    """A display of 128x64 pixels that are lit or dark."""

    def show(self, image: Image.Image, dimmed: bool = False) -> None:
        """Shows a picture of mode `1` and 128x64 pixels; 1 is lit. Dimmed it is as dark as can still be read.

        Raises:
            ValueError: the picture has another mode or size.
            DisplayError: the display can't be reached; the next `show` tries it anew.
        """

    def close(self) -> None:
        """Makes it dark and gives it back; a display that is gone already is no error."""


def check_picture(image: Image.Image) -> None:
    """Raises ValueError for a picture that no display can show."""
    if image.mode != "1" or image.size != (WIDTH_PX, HEIGHT_PX):
        raise ValueError(
            f"picture of mode {image.mode!r} and {image.size[0]}x{image.size[1]} px: "
            f"a display shows mode '1' and {WIDTH_PX}x{HEIGHT_PX} px; convert it"
        )

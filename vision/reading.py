"""Reading QR codes: small decoders in a row, each a second opinion on what those before it missed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import cv2
import numpy as np
import numpy.typing as npt

from companion.core.tags import QrTag, cells
from vision.fiducials import Corners
from vision.frame import Picture


@dataclass(frozen=True, slots=True)
class Sharpening:
    """Takes away some of a blur.

    Attributes:
        width_px: width of the blur, in px before the enlargement.
        amount: how much of it.
    """

    width_px: float
    amount: float

    def of(self, large: Picture, enlarged_by: int) -> Picture:
        """The sharpened picture."""
        soft = cv2.GaussianBlur(large, (0, 0), self.width_px * enlarged_by)
        return cv2.addWeighted(large, 1 + self.amount, soft, -self.amount, 0)  # type: ignore[return-value]


MILD = Sharpening(1.0, 1.5)
RETRIES = ((3, Sharpening(1.4, 5.0)), (4, Sharpening(2.0, 5.0)))
"""Enlargements that read what two looks couldn't: modules of about 2 px; neither reads all that the other does."""

CONTRAST, TILES = 3.0, (8, 8)
"""Limit and tiles of a histogram equalisation. Source: K. Zuiderveld, Contrast limited adaptive histogram equalization,
1994. It reads codes beside bright spots; of photographs 4 in 100 more."""
SMOOTH_PX = 2.0
"""Blur that closes worn and dotted codes; 1 in 100 more."""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One code that was read.

    Attributes:
        text: its payload.
        corners_px: float64 (4, 2), clockwise from the code's own top left, quiet zone left out.
        decoder: which decoder read it.
        oriented: False if the decoder doesn't know which corner is the top left one; the corners are then clockwise
            from any of them.
    """

    text: str
    corners_px: Corners
    decoder: str
    oriented: bool = True

    @property
    def centre_px(self) -> npt.NDArray[np.float64]:
        """Mean of the corners, x and y."""
        return np.asarray(self.corners_px.mean(axis=0), np.float64)

    @property
    def side_px(self) -> float:
        """Mean length of the four sides."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1).mean())


class Decoder(Protocol):
    """Something that finds and reads codes in a grey picture.

    Attributes:
        name: how it is counted.
    """

    name: str

    def decode(self, grey: Picture) -> list[Reading]:
        """All codes in a contiguous uint8 picture (H, W). May raise anything: the reader catches and counts it."""


class Zxing:
    """zxing-cpp.

    Args:
        thorough: its default flags instead of the fast ones: also rotated search lines and inverted codes.
    """

    def __init__(self, thorough: bool = False) -> None:
        import zxingcpp

        self.name = "zxing-thorough" if thorough else "zxing"
        self._flags: dict[str, Any] = {"formats": zxingcpp.BarcodeFormat.QRCode}
        if not thorough:
            # QR codes have no direction of reading. Without its shrunk copies, which cost a fifth of the time, it
            # misses large codes on enlargements: it then reads 47 of 100 photographs instead of 61.
            self._flags |= {"try_rotate": False, "try_invert": False}
        self._read = zxingcpp.read_barcodes

    def decode(self, grey: Picture) -> list[Reading]:
        """All codes in the picture."""
        found = []
        for code in self._read(grey, **self._flags):
            at = code.position
            corners = [(p.x, p.y) for p in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)]
            found.append(Reading(code.text, np.array(corners, np.float64), self.name))
        return found


class Zbar:
    """zbar through pyzbar.

    Raises:
        ImportError: the system has no libzbar.
    """

    name = "zbar"

    def __init__(self) -> None:
        # No wheel carries libzbar: pyzbar looks for the system's when it is imported.
        from pyzbar import pyzbar

        self._decode = pyzbar.decode
        self._symbols = [pyzbar.ZBarSymbol.QRCODE]

    def decode(self, grey: Picture) -> list[Reading]:
        """All codes in the picture; which corner is which is lost."""
        found = []
        for code in self._decode(grey, symbols=self._symbols):
            corners = np.array([(p.x, p.y) for p in code.polygon], np.float64)
            if corners.shape != (4, 2):
                left, top, width, height = code.rect
                right, bottom = left + width, top + height
                corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
            if _turns_left(corners):
                corners = corners[::-1]
            found.append(Reading(code.data.decode("ascii", "replace"), corners, self.name, oriented=False))
        return found


class Reader:
    """Decoders in a row. What a decoder raises is caught, counted and taken for "nothing read".

    Args:
        fast: always asked.
        seconds: asked in thorough reads, in this order, each for what those before it missed.
        enlarged: asked after these, where the picture is enlarged.
        degradations: what is missing on this system, in words; shown by health reports.

    Attributes:
        errors: number of exceptions by decoder and type, such as `zbar ValueError`.
        counts: number of codes first read by each decoder.
    """

    def __init__(
        self,
        fast: Decoder,
        seconds: Sequence[Decoder] = (),
        enlarged: Sequence[Decoder] = (),
        degradations: Sequence[str] = (),
    ) -> None:
        self.degradations = tuple(degradations)
        self.errors: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self._fast = fast
        self._seconds = tuple(seconds)
        self._enlarged = tuple(enlarged)

    @classmethod
    def standard(cls, zbar: Callable[[], Decoder] = Zbar) -> Reader:
        """Zxing with fast flags; for thorough reads zxing with its default flags and zbar if the system has it.

        Zbar reads none of our tags at their own size, and is asked on enlargements only.
        """
        enlarged: list[Decoder] = []
        degradations = []
        try:
            enlarged.append(zbar())
        except ImportError as error:
            degradations.append(f"no second opinion on tags: zbar can't be loaded ({error}); install libzbar0")
        return cls(Zxing(), [Zxing(thorough=True)], enlarged, degradations)

    def read(self, grey: Picture, enlarge: int = 2, thorough: bool = False, sharpen: bool = False) -> list[Reading]:
        """All codes in a grey picture, each once per place.

        Args:
            grey: uint8 (H, W).
            enlarge: factor of a cubic enlargement before decoding; 2 reads codes down to 1.75 px per module.
            thorough: ask all decoders instead of the fast one alone.
            sharpen: undo some of the blur of lens and focus. Blurred tags are read twice as often, better still on
                the mean of several frames, because sharpening brings out the noise.

        Returns:
            Readings with corners in px of `grey`.
        """
        if grey.size == 0:
            return []  # zbar divides by the size
        large = enlarged(grey, enlarge)
        if sharpen:
            large = MILD.of(large, enlarge)
        found: list[Reading] = []
        more = (*self._seconds, *(self._enlarged if enlarge > 1 else ())) if thorough else ()
        for decoder in (self._fast, *more):
            found += self._new(decoder, large, enlarge, found)
        return found

    def exhaust(self, grey: Picture, known: Sequence[Reading]) -> list[Reading]:
        """Codes beside the known ones in a picture of which there is only one, by all means.

        Args:
            grey: uint8 (H, W).
            known: what was read there.
        """
        found = list(known)
        even = cv2.createCLAHE(CONTRAST, TILES).apply(grey) if grey.size else grey
        for prepared in (even, cv2.GaussianBlur(grey, (0, 0), SMOOTH_PX)) if grey.size else ():
            for decoder in self._seconds or (self._fast,):
                found += self._new(decoder, prepared, 1, found)  # type: ignore[arg-type]
        return found[len(known) :]

    def retry(self, grey: Picture, known: Sequence[Reading]) -> list[Reading]:
        """Codes beside the known ones in a grey picture, enlarged and sharpened more than in usual reads.

        Args:
            grey: uint8 (H, W), a small part of a frame; the mean of several frames is better.
            known: what was read there.
        """
        found = list(known)
        for enlarge, sharpening in RETRIES if grey.size else ():
            found += self._new(self._fast, sharpening.of(enlarged(grey, enlarge), enlarge), enlarge, found)
        return found[len(known) :]

    def _new(self, decoder: Decoder, large: Picture, enlarge: int, known: Sequence[Reading]) -> list[Reading]:
        read = self._asked(decoder, large)
        read = [Reading(r.text, shrunk(r.corners_px, enlarge), r.decoder, r.oriented) for r in read]
        new = unseen(read, known)
        self.counts[decoder.name] += len(new)
        return new

    def _asked(self, decoder: Decoder, grey: Picture) -> list[Reading]:
        try:
            return decoder.decode(grey)
        except Exception as error:  # decoders are foreign C++ code with foreign bindings: zbar raises ValueError
            self.errors[f"{decoder.name} {type(error).__name__}"] += 1
            return []


def enlarged(grey: Picture, factor: int) -> Picture:
    """A cubic enlargement, contiguous; the picture itself for factor 1."""
    if factor == 1:
        return np.ascontiguousarray(grey)
    size = (grey.shape[1] * factor, grey.shape[0] * factor)
    return cv2.resize(grey, size, interpolation=cv2.INTER_CUBIC)  # type: ignore[return-value]


def shrunk(points_px: Corners, factor: int) -> Corners:
    """Points of an enlarged picture in px of the original; whole numbers are centres of pixels in both."""
    return (points_px + 0.5) / factor - 0.5


def oriented(reading: Reading, grey: Picture) -> Reading:
    """The reading with its corners turned so that they start at the code's own top left.

    Its cells are known from the text, so the one of four turns that looks most like them is the right one.

    Args:
        reading: what was read in `grey`; returned as it is if it knows its corners, or is no code of version 1.
        grey: uint8 (H, W).
    """
    if reading.oriented:
        return reading
    try:
        black = np.array(cells(QrTag(reading.text)), np.float64)
    except ValueError:
        return reading
    side = len(black)
    square = np.array([(0, 0), (side, 0), (side, side), (0, side)], np.float32) - 0.5
    to_cells = cv2.getPerspectiveTransform(reading.corners_px.astype(np.float32), square)
    seen = -cv2.warpPerspective(grey, to_cells, (side, side), flags=cv2.INTER_LINEAR).astype(np.float64)
    # A grid turned by a quarter k times the other way shows where its own top left corner came to lie.
    scores = [float(np.corrcoef(np.rot90(seen, k).ravel(), black.ravel())[0, 1]) for k in range(4)]
    turns = int(np.argmax(scores))
    return Reading(reading.text, np.roll(reading.corners_px, -turns, axis=0), reading.decoder, True)


def unseen(readings: Sequence[Reading], known: Sequence[Reading]) -> list[Reading]:
    """Those readings that are of other codes than the known ones, by their places."""
    if not readings or not known:
        return list(readings)
    centres = np.array([reading.centre_px for reading in known])
    sides = np.array([reading.side_px for reading in known])
    return [r for r in readings if (np.linalg.norm(centres - r.centre_px, axis=1) > 0.5 * sides).all()]


def _turns_left(corners: Corners) -> bool:
    x, y = corners[:, 0], corners[:, 1]
    return bool(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y) < 0)

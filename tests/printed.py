"""A made-up game to be printed, and printed pages read back as a camera and a ruler would."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
import pypdfium2
import zxingcpp

from companion.core.box import Box, Piece
from companion.core.messages import Message, verbatim
from companion.core.printing import Printable
from companion.core.table import Zone

WORDS = {"name.game": "Größe · «Llenguatge» d'Ação", "name.side": "north side"}


@dataclass
class Game:
    box: Box
    found: tuple[Zone, ...] = ()
    printed: tuple[Printable, ...] = ()

    def zones(self, state: Any, draft: Mapping[str, Any]) -> tuple[Zone, ...]:
        return self.found

    def printables(self) -> tuple[Printable, ...]:
        return self.printed


def say(message: Message) -> str:
    return str(message.params["text"]) if message.key == "verbatim" else WORDS[message.key]


def piece(name: str, kind: str, tag: Any, tag_mm: float, size: tuple[float, float], **more: Any) -> Piece:
    return Piece(name, more.pop("copy", ""), kind, verbatim(more.pop("label", name)), tag, tag_mm, size, **more)


@cache
def pictures(pdf: bytes, dpi: int = 150) -> tuple[np.ndarray, ...]:
    return tuple(
        np.asarray(page.render(scale=dpi / 72, grayscale=True).to_numpy()).squeeze().copy()
        for page in pypdfium2.PdfDocument(pdf)
    )


def read_qr(page: np.ndarray, dpi: int = 150) -> dict[str, float]:
    """Payloads of a page with their sides in mm."""
    double = cv2.resize(page, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
    found = {}
    for code in zxingcpp.read_barcodes(double, formats=zxingcpp.BarcodeFormat.QRCode):
        p = code.position
        corners = np.array([(c.x, c.y) for c in (p.top_left, p.top_right, p.bottom_right, p.bottom_left)], float)
        sides = np.hypot(*(corners - np.roll(corners, 1, axis=0)).T)
        assert code.text not in found, f"{code.text} is printed twice"
        found[code.text] = float(sides.mean() + 1) * 25.4 / dpi / 2
    return found


def read_aruco(page: np.ndarray, dpi: int) -> dict[int, float]:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    if hasattr(cv2.aruco, "ArucoDetector"):  # since OpenCV 4.7
        quads, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(page)
    else:
        quads, ids, _ = cv2.aruco.detectMarkers(page, dictionary)
    found: dict[int, float] = {}
    for number, quad in zip([] if ids is None else np.ravel(ids).tolist(), quads, strict=True):
        assert number not in found, f"marker {number} is printed twice"
        corners = np.ascontiguousarray(quad.reshape(4, 1, 2))
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 20, 0.02)
        corners = cv2.cornerSubPix(page, corners, (4, 4), (-1, -1), stop).reshape(4, 2)
        found[number] = float(np.hypot(*(corners - np.roll(corners, 1, axis=0)).T).mean()) * 25.4 / dpi
    return found


def texts(pdf: bytes) -> list[str]:
    return [page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf)]

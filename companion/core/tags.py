"""Tags: what is printed on pieces so that a camera can tell them apart.

Cards and tiles carry a QR code, version 1, level Q. Its payload has exactly 16 upper-case alphanumeric characters:

    TC PH RED3A- 7K2QXD
    |  |  |      `- tail: 6 characters, a keyed hash of the head; checks it
    |  |  `- the piece's short name with its copy letter, filled up with "-"
    |  `- the game's two-letter code
    `- prefix of all our tags

What is too small for 21 modules (tokens, figures), and the anchors and table corners that must be found even when
blurred, carry an ArUco marker of OpenCV's dictionary 5X5_250: 7 cells a side with its border.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache

import msgspec

from companion.core.errors import TagError

PREFIX = "TC"
PAYLOAD_LENGTH = 16
HEAD_LENGTH = 10
SHORT_LENGTH = 6
QR_MODULES = 21
"""Modules a side of a QR code, version 1, without its quiet zone. Source: ISO/IEC 18004."""
QR_QUIET = 2
"""Quiet modules that the kit prints on each side; the standard asks for 4, the decoders used here for 2."""
ARUCO_CELLS = 7
"""Cells a side of a marker of the 5x5 family, its black border included."""
CORNER_IDS = (0, 1, 2, 3)
"""ArUco ids of the table corners, clockwise from the top left; no game may use them."""
ARUCO_IDS = 250

_TAIL_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
_SHORT = re.compile(r"[A-Z0-9]{1,6}\Z")
_CODE = re.compile(r"[A-Z0-9]{2}\Z")


class QrTag(msgspec.Struct, frozen=True, tag="qr"):
    """A QR code of version 1; `payload` follows the scheme of this module."""

    payload: str


class ArucoTag(msgspec.Struct, frozen=True, tag="aruco"):
    """A marker of the dictionary 5X5_250; `number` is its id in 0..249."""

    number: int


Tag = QrTag | ArucoTag


def _tail(head: str) -> str:
    digest = hashlib.blake2s(head.encode("ascii"), digest_size=4, person=b"tt-comp1").digest()
    bits = int.from_bytes(digest, "big")
    return "".join(_TAIL_LETTERS[bits >> shift & 31] for shift in (25, 20, 15, 10, 5, 0))


def encode(game_code: str, short: str) -> str:
    """The payload of the piece `short` of the game `game_code`.

    Args:
        game_code: two characters of A-Z and 0-9.
        short: one to six characters of A-Z and 0-9, the copy letter included.

    Raises:
        TagError: another length or other characters.
    """
    if not _CODE.match(game_code):
        raise TagError(f"game code {game_code!r}: use two characters of A-Z and 0-9")
    if not _SHORT.match(short):
        raise TagError(f"short name {short!r}: use one to six characters of A-Z and 0-9")
    head = PREFIX + game_code + short.ljust(SHORT_LENGTH, "-")
    return head + _tail(head)


def check(payload: str) -> str:
    """What is wrong with a payload that was read: `""` (sound), `"foreign"` (not ours) or `"damaged"`.

    Ours but failing its check is damaged: the tag is worn, printed badly or was misread.
    """
    if len(payload) != PAYLOAD_LENGTH or not payload.startswith(PREFIX):
        return "foreign"
    sound = payload.isascii() and payload[HEAD_LENGTH:] == _tail(payload[:HEAD_LENGTH])
    return "" if sound else "damaged"


@lru_cache(maxsize=1024)
def cells(tag: Tag) -> tuple[tuple[bool, ...], ...]:
    """The black cells of a tag as rows from the top, without quiet zone: 21 x 21 for QR, 7 x 7 for ArUco.

    Raises:
        TagError: an ArUco id outside 0..249, or a payload that doesn't fit version 1 at level Q.
    """
    if isinstance(tag, QrTag):
        import segno

        try:
            code = segno.make(tag.payload, version=1, error="q", mode="alphanumeric", micro=False, boost_error=False)
        except ValueError as error:
            raise TagError(f"payload {tag.payload!r} does not fit a QR code of version 1, level Q: {error}") from error
        return tuple(tuple(bool(module) for module in row) for row in code.matrix)
    import cv2

    if not 0 <= tag.number < ARUCO_IDS:
        raise TagError(f"ArUco id {tag.number}: the dictionary 5X5_250 has ids 0 to {ARUCO_IDS - 1}")
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_5X5_250)
    name = "generateImageMarker" if hasattr(cv2.aruco, "generateImageMarker") else "drawMarker"  # before OpenCV 4.7
    picture = getattr(cv2.aruco, name)(dictionary, tag.number, ARUCO_CELLS)
    return tuple(tuple(bool(value == 0) for value in row) for row in picture)

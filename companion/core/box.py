"""What is in a game's box: its pieces with their tags, sizes and faces."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

import msgspec

from companion.core.art import Picture
from companion.core.errors import BoxError
from companion.core.messages import Message
from companion.core.tags import ARUCO_IDS, CORNER_IDS, ArucoTag, QrTag, Tag

PieceId = str
"""A piece's name with its copy letter: `red-3a`. Where copies don't matter the bare name `red-3` stands for any."""


class Face(msgspec.Struct, frozen=True):
    """How a piece looks on the virtual table and in the kit.

    Attributes:
        colour: fill, `#rrggbb`.
        text: a few characters in large type, such as `3` or `2x`.
        ink: colour of the text, `#rrggbb`.
        round: drawn as a disc instead of a rectangle.
        picture: a drawing in the place of the text.
        paper: `#rrggbb` of what a picture is drawn on; empty for white.
        back: colour of the other side, `#rrggbb`; empty for the usual one.
    """

    colour: str
    text: str = ""
    ink: str = "#1c1a18"
    round: bool = False
    picture: Picture = ()
    back: str = ""
    paper: str = ""


class Piece(msgspec.Struct, frozen=True):
    """One physical piece.

    Attributes:
        name: what it is; copies share it.
        copy: letter that tells copies apart, or `""` where there is only one.
        kind: what zones sort by: `card`, `token`, `guild`, `anchor`, ...
        label: its name for people.
        tag: the tag stuck on it.
        tag_mm: side of the tag's black square, without quiet zone.
        size_mm: width and height of the whole piece.
        tag_at_mm: centre of the tag from the piece's centre, x to the right, y down, as the piece lies upright.
        face: its looks.
        fixed: printed on a sheet that lies on the table; others lie on it, and it is seen only where none does.
        two_sided: it is turned over where it lies, so a place in plain sight without its tag shows its back.
        alike: all copies bear one and the same tag, such as that on the backs of a deck: they are counted, and none
            can be told from the others.
        number: printed with the label below its sticker: what counts such pieces, where they are called otherwise.
    """

    name: str
    copy: str
    kind: str
    label: Message
    tag: Tag
    tag_mm: float
    size_mm: tuple[float, float]
    tag_at_mm: tuple[float, float] = (0.0, 0.0)
    face: Face = Face("#f4efe4")
    fixed: bool = False
    two_sided: bool = False
    alike: bool = False
    number: str = ""

    @property
    def id(self) -> PieceId:
        """Name and copy letter."""
        return self.name + self.copy


class Box:
    """All pieces of one game, found by id, by name and by tag.

    Raises:
        BoxError: two pieces share an id or a tag, or a marker number is reserved or out of range.
    """

    def __init__(self, code: str, pieces: Iterable[Piece]) -> None:
        self.code = code
        self.pieces: dict[PieceId, Piece] = {}
        self._by_tag: dict[Tag, Piece] = {}
        for piece in pieces:
            if piece.id in self.pieces:
                raise BoxError(f"box {code}: two pieces are called {piece.id!r}; give copies their own letter")
            other = self._by_tag.get(piece.tag)
            if other is not None and not (piece.alike and other.alike and piece.name == other.name):
                raise BoxError(f"box {code}: {piece.id} and {other.id} carry the same tag {piece.tag}")
            number = piece.tag.number if isinstance(piece.tag, ArucoTag) else None
            if number is not None and (number in CORNER_IDS or not 0 <= number < ARUCO_IDS):
                raise BoxError(
                    f"box {code}: {piece.id} has marker {number}; use {max(CORNER_IDS) + 1}..{ARUCO_IDS - 1}"
                )
            self.pieces[piece.id] = piece
            self._by_tag.setdefault(piece.tag, piece)

    @cached_property
    def copies(self) -> Mapping[str, tuple[Piece, ...]]:
        """All copies of each name, in the order of their letters."""
        found: dict[str, tuple[Piece, ...]] = {}
        for piece in self.pieces.values():
            found[piece.name] = (*found.get(piece.name, ()), piece)
        return found

    def piece_of(self, tag: Tag) -> Piece | None:
        """The piece that carries `tag`, the first one of those that are alike; None if no piece of this box does."""
        return self._by_tag.get(tag)

    def find(self, piece_or_name: str) -> Piece | None:
        """The piece with this id, or the first copy with this name; None if the box holds no such piece."""
        found = self.pieces.get(piece_or_name)
        return found or next(iter(self.copies.get(piece_or_name, ())), None)

    def name_of(self, piece_or_name: str) -> str:
        """The name without copy letter of a piece of this box; unknown ids come back as they are."""
        piece = self.find(piece_or_name)
        return piece.name if piece else piece_or_name

    @cached_property
    def qr_payloads(self) -> frozenset[str]:
        """Payloads of all QR codes in the box."""
        return frozenset(p.tag.payload for p in self.pieces.values() if isinstance(p.tag, QrTag))

"""What lies on the virtual table now: pieces, props and hands. Pure state; `render` makes pictures of it."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from companion.core.box import Box, Piece, PieceId
from companion.core.errors import CompanionError
from companion.core.printing import Shape
from companion.core.table import Point

FIDUCIAL_MM = 50.0
"""Side of the black square of a corner fiducial."""
WOOD_MM = 150.0
"""How far the wood goes on beyond the table frame, on each side."""


class SceneError(CompanionError, ValueError):
    """Something was put on the virtual table that does not exist."""


class Prop(msgspec.Struct, frozen=True):
    """Something on the table that is no piece of a game.

    Attributes:
        kind: `cup`, or `paper`.
        size_mm: its width and height.
        colour: `#rrggbb`.
        shapes: what is printed on a paper, from its top left corner. Tags on it are pieces, which are put there
            themselves; of labels only `verbatim` ones are printed.
    """

    kind: str = "cup"
    size_mm: tuple[float, float] = (82.0, 82.0)
    colour: str = "#c8543c"
    shapes: tuple[Shape, ...] = ()


class Placed(msgspec.Struct, frozen=True):
    """A piece or prop as it lies.

    Attributes:
        what: the piece or prop.
        at_mm: its centre in the table frame.
        angle_deg: direction of its top edge, 0 along x, clockwise.
        face_up: its face shows; otherwise its plain back.
        motion_mm: how far it moves while the shutter is open, which smears it.
        order: what was put later lies on top.
    """

    what: Piece | Prop
    at_mm: Point
    angle_deg: float = 0.0
    face_up: bool = True
    motion_mm: Point = (0.0, 0.0)
    order: int = 0


class Hand(msgspec.Struct, frozen=True):
    """A hand over the table, with its arm.

    Attributes:
        at_mm: middle of the palm in the table frame.
        from_mm: a point on the arm, such as where it crosses the table's edge; gives the direction.
        skin: `#rrggbb`.
        sleeve: `#rrggbb`.
        left: a left hand.
        motion_mm: how far it moves while the shutter is open.
    """

    at_mm: Point
    from_mm: Point
    skin: str = "#c98f6b"
    sleeve: str = "#37527a"
    left: bool = False
    motion_mm: Point = (0.0, 0.0)


class Scene:
    """The virtual table of one game.

    Its state is replaced, never changed in place: a camera's thread may take `placed` and `hands` while
    another thread puts pieces.

    Args:
        box: where the pieces come from.
        size_mm: width and height of the table frame, from outer corner to outer corner of the fiducials.
        seed: of the wood's grain.

    Raises:
        SceneError: the table has no room for its four fiducials.
    """

    def __init__(self, box: Box, size_mm: tuple[float, float] = (1070.0, 600.0), seed: int = 1) -> None:
        if min(size_mm) < 3 * FIDUCIAL_MM:
            raise SceneError(f"table of {size_mm} mm: four fiducials need at least {3 * FIDUCIAL_MM:g} mm a side")
        self.box = box
        self.size_mm = size_mm
        self.seed = seed
        self._placed: Mapping[str, Placed] = MappingProxyType({})
        self._hands: Mapping[str, Hand] = MappingProxyType({})
        self._order = 0
        self._lock = threading.Lock()

    @property
    def placed(self) -> Mapping[str, Placed]:
        """What lies on the table by piece id or the prop's name; a snapshot."""
        return self._placed

    @property
    def hands(self) -> Mapping[str, Hand]:
        """The hands over the table by name; a snapshot."""
        return self._hands

    def put(
        self,
        piece: Piece | PieceId,
        at_mm: Point,
        angle_deg: float = 0.0,
        face_up: bool = True,
        motion_mm: Point = (0.0, 0.0),
    ) -> None:
        """Lays a piece on top of what lies there, or moves it if it is on the table already.

        Args:
            piece: an id of the box, or any piece at all: of another game, or a second one with the same tag.
            at_mm: its centre.
            angle_deg: direction of its top edge, clockwise.
            face_up: its face with the tag shows.
            motion_mm: how far it moves while the shutter is open.

        Raises:
            SceneError: the box holds no such piece.
        """
        if isinstance(piece, str):
            piece = self._piece(piece)
        self._lay(piece.id, Placed(piece, at_mm, angle_deg, face_up, motion_mm))

    def put_prop(self, name: str, prop: Prop, at_mm: Point, angle_deg: float = 0.0) -> None:
        """Puts a prop on the table, or moves it."""
        self._lay(name, Placed(prop, at_mm, angle_deg))

    def remove(self, name: str) -> None:
        """Takes a piece or prop away.

        Raises:
            SceneError: it does not lie on the table.
        """
        with self._lock:
            if name not in self._placed:
                raise SceneError(
                    f"{name!r} is not on the virtual table; there is {', '.join(self._placed) or 'nothing'}"
                )
            self._placed = MappingProxyType({key: value for key, value in self._placed.items() if key != name})

    def clear(self) -> None:
        """Takes everything away, hands included."""
        with self._lock:
            self._placed, self._hands = MappingProxyType({}), MappingProxyType({})

    def reach(self, name: str, hand: Hand) -> None:
        """Holds a hand over the table, or moves it."""
        with self._lock:
            self._hands = MappingProxyType({**self._hands, name: hand})

    def withdraw(self, name: str) -> None:
        """Takes a hand away; nothing happens if it isn't there."""
        with self._lock:
            self._hands = MappingProxyType({key: value for key, value in self._hands.items() if key != name})

    def _piece(self, piece_id: PieceId) -> Piece:
        try:
            return self.box.pieces[piece_id]
        except KeyError:
            raise SceneError(f"box {self.box.code} holds no piece {piece_id!r}; ids carry their copy letter") from None

    def _lay(self, name: str, placed: Placed) -> None:
        with self._lock:
            self._order += 1
            placed = msgspec.structs.replace(placed, order=self._order)
            self._placed = MappingProxyType({**self._placed, name: placed})

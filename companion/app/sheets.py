"""The printed sheets of a game, as they lie on the virtual table below the pieces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from companion.core.box import Piece, PieceId
from companion.core.game import Game
from companion.core.messages import Message, verbatim
from companion.core.printing import Label, Printable, Shape, TagMark
from companion.core.table import Point, Pose
from vision.scene.scene import Prop
from vision.zones import Pose as TagPose

PAPER = "#f5f3ec"


def sheets(
    game: Game[Any, Any], arrangement: Mapping[PieceId, Pose], say: Callable[[Message], str] | None = None
) -> Iterator[tuple[Prop, Pose]]:
    """The sheets that bear the arrangement's fixed pieces, each with the pose of its middle.

    A printable belongs on the table if all tags on it are those of fixed pieces that are arranged.

    Args:
        game: has them printed.
        arrangement: where its pieces lie.
        say: says what is printed on them; without it only what is the same in every language is.
    """
    fixed = {piece.tag: piece for name in arrangement if (piece := game.box.pieces[name]).fixed}
    for printable in game.printables():
        marks = [shape for shape in printable.shapes if isinstance(shape, TagMark)]
        if marks and all(mark.tag in fixed for mark in marks):
            piece = fixed[marks[0].tag]
            shapes = tuple(_said(shape, say) for shape in printable.shapes)
            yield Prop("paper", printable.size, PAPER, shapes), _pose(printable, marks[0], piece, arrangement[piece.id])


def _said(shape: Shape, say: Callable[[Message], str] | None) -> Shape:
    return replace(shape, message=verbatim(say(shape.message))) if say and isinstance(shape, Label) else shape


def _pose(printable: Printable, mark: TagMark, piece: Piece, lies: Pose) -> Pose:
    """Where the middle of a printable lies, a mark of which is the tag of a piece that lies there."""
    x, y, angle_deg = lies
    width, height = printable.size
    to_middle = (width / 2 - mark.middle[0] + piece.tag_at_mm[0], height / 2 - mark.middle[1] + piece.tag_at_mm[1])
    middle: Point = tuple(TagPose((x, y), angle_deg).place([to_middle])[0].tolist())
    return (*middle, angle_deg)

"""A whole kit: what goes where, the table's corners, anchors, stickers, and what the game has printed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from companion.core.box import Box, Piece
from companion.core.messages import Message
from companion.core.printing import Printable, TagMark
from companion.core.table import Zone
from companion.kit import layout, printables, sheets
from companion.kit.drawing import FAINT, Drawing
from companion.kit.explaining import explanation
from companion.kit.layout import Cell
from companion.kit.page import KitPage
from companion.kit.paper import MARGIN_MM, KitError, paper_named
from companion.kit.sheets import HEADER_MM, Say
from companion.kit.words import KitWords
from companion.rights import mend

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""A file with this date says no date."""


class Game(Protocol):
    """What of a game the kit needs; every `companion.core.game.Game` has it."""

    box: Box

    def zones(self, state: Any, draft: Mapping[str, Any]) -> tuple[Zone, ...]:
        """The places that matter; with state None those of the set-up."""

    def printables(self) -> tuple[Printable, ...]:
        """What is printed beside stickers and anchors."""


def print_kit(
    game: Game,
    path: Path,
    say: Say,
    language: str,
    paper: str = "A4",
    created: datetime = UNDATED,
    parts: Collection[str] | None = None,
) -> None:
    """Writes the kit of a game as a PDF.

    Args:
        game: whose pieces are tagged.
        path: the file; one that is there is overwritten.
        say: how the game's messages read in `language`. Besides the pieces' labels these are `name.game`,
            `part.<part>` for each part of its printables and, if the game has it, `name.side` with a `zone`, for
            what lies at the sides of an anchor.
        language: `en`, `de`, `es` or `ca`, for the kit's own words.
        paper: `A4` or `Letter`.
        created: the date that the file says. The same input and date give the same bytes.
        parts: only these, of `where`, `corners`, `anchors`, `stickers` and the parts of the game's printables, as far
            as there is something to print; None for all.

    Raises:
        KitError: no such paper, language or part, something that is larger than the page, or a file that can't be
            written.
    """
    pdf = kit_pdf(game, say, language, paper, created, parts)
    try:
        path.write_bytes(pdf)
    except OSError as error:
        remedy = mend(path, error, "name a file in a folder that can be written")
        raise KitError(f"{path}: {error.strerror}; {remedy}") from error


def kit_pdf(
    game: Game,
    say: Say,
    language: str,
    paper: str = "A4",
    created: datetime = UNDATED,
    parts: Collection[str] | None = None,
) -> bytes:
    """The kit of a game as the bytes of a PDF; see `print_kit`."""
    words = KitWords(language)
    sheet = paper_named(paper)
    name = say(Message("name.game"))
    drawing = Drawing(sheet, words("title", game=name), created)
    pages = _chosen(list(_pages(game, drawing, words, say)), parts)
    for number, page in enumerate(pages, 1):
        drawing.page()
        width = sheet.inner_mm[0] - (page.plan_mm + 4 if page.plan_mm else 0)
        middle = MARGIN_MM + width / 2
        drawing.label(page.heading, (middle, MARGIN_MM + 0.8), (width, 5.5), 15, bold=True, align="L")
        drawing.label(page.hint, (middle, MARGIN_MM + 7.4), (width, 3), 7.5, align="L", colour=FAINT)
        footing = words("page", game=name, part=page.name, page=number, pages=len(pages))
        drawing.text(footing, (sheet.width_mm / 2, sheet.height_mm - 9), 7, align="C", colour=FAINT)
        page.draw()
    return drawing.output()


def _pages(game: Game, drawing: Drawing, words: KitWords, say: Say) -> Iterator[KitPage]:
    """All pages in their order."""
    room = (drawing.paper.inner_mm[0], drawing.paper.height_mm - HEADER_MM - MARGIN_MM)
    printed = game.printables()
    anchors, stuck = _single(game.box, printed)
    steps = [words(f"step.{step}", **told) for step, told in _steps(game.box, printed, anchors, stuck, say)]
    where = partial(explanation, drawing, words, say, anchors, stuck, steps)
    yield KitPage("where", words("where"), words("title", game=say(Message("name.game"))), where)
    yield KitPage("corners", words("corners"), words("corners"), partial(sheets.corners, drawing, words, HEADER_MM))
    zones = game.zones(None, {})
    for cells in layout.pages([sheets.anchor_cell(piece, room) for piece in anchors], room):
        draw = partial(_anchors, drawing, words, say, cells, zones)
        yield KitPage("anchors", words("anchors"), words("anchors"), draw, words("cut"))
    for cells in layout.pages([sheets.sticker_cell(piece) for piece in stuck], room):
        draw = partial(_stickers, drawing, say, cells)
        yield KitPage("stickers", words("stickers"), words("stickers"), draw, words("cut-stickers"))
    yield from printables.pages(drawing, words, say, printed, room)


def _single(box: Box, printed: Sequence[Printable]) -> tuple[list[Piece], list[Piece]]:
    """Anchors and pieces whose tags are printed by themselves, since no sheet of the game has them on it."""
    shapes = (shape for printable in printed for shape in (*printable.shapes, *printable.back))
    on_sheets = {shape.tag for shape in shapes if isinstance(shape, TagMark)}
    loose = [piece for piece in box.pieces.values() if not piece.fixed]
    anchors = [piece for piece in loose if piece.kind == "anchor" and piece.tag not in on_sheets]
    return anchors, [piece for piece in loose if piece.kind != "anchor"]


def _steps(
    box: Box, printed: Sequence[Printable], anchors: Sequence[Piece], stuck: Sequence[Piece], say: Say
) -> Iterator[tuple[str, dict[str, str]]]:
    """What is to be done, as far as there is something to do: keys below `step.` with what is filled in."""
    fixed = {piece.tag for piece in box.pieces.values() if piece.fixed}
    laid = {one.part for one in printed if any(isinstance(s, TagMark) and s.tag in fixed for s in one.shapes)}
    yield from ((step, {}) for step in ("print", "paper", "corners"))
    if anchors:
        yield "anchors", {}
    if stuck:
        yield "stickers-backs" if any(piece.alike for piece in stuck) else "stickers", {}
    instead = dict.fromkeys(one.part for one in printed if one.part not in laid)
    if instead:
        yield "instead", {"parts": ", ".join(say(Message(f"part.{part}")) for part in instead)}
    if laid:
        yield "sheets", {}


def _chosen(pages: list[KitPage], parts: Collection[str] | None) -> list[KitPage]:
    """The pages of these parts.

    Raises:
        KitError: there is nothing to print of one of them.
    """
    if parts is None:
        return pages
    there = list(dict.fromkeys(page.part for page in pages))
    for part in parts:
        if part not in there:
            raise KitError(f"part {part!r}: this kit has none; choose of {', '.join(there)}")
    return [page for page in pages if page.part in parts]


def _anchors(drawing: Drawing, words: KitWords, say: Say, cells: list[Cell[Piece]], zones: tuple[Zone, ...]) -> None:
    for cell in cells:
        sheets.anchor(drawing, words, say, cell, sheets.sides_of(cell.item.id, zones, say))


def _stickers(drawing: Drawing, say: Say, cells: list[Cell[Piece]]) -> None:
    for cell in cells:
        sheets.sticker(drawing, say, cell)

"""A whole kit: what goes where, the table's corners, the anchors, and the stickers, in this order."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from companion.core.box import Box
from companion.core.messages import Message
from companion.core.table import Zone
from companion.kit import layout, sheets
from companion.kit.drawing import Drawing
from companion.kit.explaining import explanation
from companion.kit.layout import Cell
from companion.kit.paper import MARGIN_MM, KitError, paper_named
from companion.kit.sheets import HEADER_MM, Say
from companion.kit.words import KitWords

UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
"""A file with this date says no date."""


class Game(Protocol):
    """What of a game the kit needs; every `companion.core.game.Game` has it."""

    box: Box

    def zones(self, state: Any, draft: Mapping[str, Any]) -> tuple[Zone, ...]:
        """The places that matter; with state None those of the set-up."""


def print_kit(game: Game, path: Path, say: Say, language: str, paper: str = "A4", created: datetime = UNDATED) -> None:
    """Writes the kit of a game as a PDF.

    Args:
        game: whose pieces are tagged.
        path: the file; one that is there is overwritten.
        say: how the game's messages read in `language`. Besides the pieces' labels these are `name.game` and,
            if the game has it, `name.side` with a `zone`, for what lies at the sides of an anchor.
        language: `en`, `de`, `es` or `ca`, for the kit's own words.
        paper: `A4` or `Letter`.
        created: the date that the file says. The same input and date give the same bytes.

    Raises:
        KitError: no such paper or language, a tag that is larger than the page, or a file that can't be written.
    """
    pdf = kit_pdf(game, say, language, paper, created)
    try:
        path.write_bytes(pdf)
    except OSError as error:
        raise KitError(f"{path}: {error.strerror}; name a file in a folder that can be written") from error


def kit_pdf(game: Game, say: Say, language: str, paper: str = "A4", created: datetime = UNDATED) -> bytes:
    """The kit of a game as the bytes of a PDF; see `print_kit`."""
    words = KitWords(language)
    sheet = paper_named(paper)
    room = (sheet.inner_mm[0], sheet.height_mm - HEADER_MM - MARGIN_MM)
    name = say(Message("name.game"))
    drawing = Drawing(sheet, words("title", game=name), created)
    pages: list[tuple[str, Callable[[], None]]] = [
        ("where", partial(explanation, drawing, words, say, game.box, HEADER_MM)),
        ("corners", partial(sheets.corners, drawing, words, HEADER_MM)),
    ]
    pieces = game.box.pieces.values()
    anchors = [sheets.anchor_cell(piece, room) for piece in pieces if piece.kind == "anchor"]
    stickers = [sheets.sticker_cell(piece) for piece in pieces if piece.kind != "anchor"]
    zones = game.zones(None, {})
    pages += [
        ("anchors", partial(_anchors, drawing, words, say, cells, zones)) for cells in layout.pages(anchors, room)
    ]
    pages += [("stickers", partial(_stickers, drawing, words, say, cells)) for cells in layout.pages(stickers, room)]
    for number, (part, draw) in enumerate(pages, 1):
        drawing.page()
        drawing.text(
            words("title", game=name) if number == 1 else words(part), (MARGIN_MM, MARGIN_MM + 5), 15, bold=True
        )
        footing = words("page", game=name, part=words(part), page=number, pages=len(pages))
        right = (sheet.width_mm - MARGIN_MM, MARGIN_MM + 9.5)
        drawing.text(footing, right, 7.5, align="R", grey=90)
        draw()
    return drawing.output()


def _anchors(drawing: Drawing, words: KitWords, say: Say, cells: list[Cell], zones: tuple[Zone, ...]) -> None:
    drawing.text(words("cut"), (MARGIN_MM, MARGIN_MM + 9.5), 7.5, grey=90)
    for cell in cells:
        sheets.anchor(drawing, words, say, cell, sheets.sides_of(cell.piece.id, zones, say))


def _stickers(drawing: Drawing, words: KitWords, say: Say, cells: list[Cell]) -> None:
    drawing.text(words("cut"), (MARGIN_MM, MARGIN_MM + 9.5), 7.5, grey=90)
    for cell in cells:
        sheets.sticker(drawing, say, cell)

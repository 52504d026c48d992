"""The printed sheets of a game on the virtual table."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from companion.app.sheets import sheets
from companion.app.virtual import VirtualGame
from companion.core.box import Box, Piece
from companion.core.game import Game
from companion.core.messages import Message, verbatim
from companion.core.printing import Label, Printable, TagMark
from companion.core.tags import ArucoTag
from companion.games import load
from vision.scene import Prop
from vision.scene.optics import Optics
from vision.scene.truth import truth

MODES = {"basic": [(384, 384)], "race": [(680, 236)], "midnight": [(384, 384), (184, 184)]}


@pytest.fixture(scope="module")
def storytelling() -> Game[Any, Any]:
    return load("storytelling")


def laid(game: Game[Any, Any], mode: str, **more: Any) -> VirtualGame:
    return VirtualGame(game, 3, {"players": ["Ada", "Bea"], "mode": mode}, **more)


def papers(virtual: VirtualGame) -> list[tuple[Prop, Any]]:
    placed = virtual.scene.placed.values()
    return [(thing.what, thing) for thing in placed if isinstance(thing.what, Prop)]


@pytest.mark.parametrize("mode", MODES)
def test_the_sheets_of_the_mode_lie_below_all_pieces(storytelling: Game[Any, Any], mode: str) -> None:
    virtual = laid(storytelling, mode)
    found = papers(virtual)
    assert [prop.size_mm for prop, _ in found] == MODES[mode]
    pieces = [thing.order for thing in virtual.scene.placed.values() if not isinstance(thing.what, Prop)]
    assert max(thing.order for _, thing in found) < min(pieces)


@pytest.mark.parametrize("mode", MODES)
def test_each_mark_of_a_sheet_is_where_its_piece_lies(storytelling: Game[Any, Any], mode: str) -> None:
    virtual = laid(storytelling, mode)
    true = truth(virtual.scene, Optics().lens(virtual.scene.size_mm))
    places = {one.tag: one.at_mm for one in true.values()}
    for prop, thing in papers(virtual):
        marks = [shape for shape in prop.shapes if isinstance(shape, TagMark)]
        assert marks
        for mark in marks:
            at_mm = np.array(thing.at_mm) - np.array(prop.size_mm) / 2 + mark.middle
            assert places[mark.tag] == pytest.approx(tuple(at_mm)), mark


def test_a_sheet_follows_the_piece_whose_tag_is_printed_on_it() -> None:
    tag = ArucoTag(30)
    anchor = Piece("a", "", "anchor", verbatim("a"), tag, 24.0, (40.0, 40.0), tag_at_mm=(3.0, 0.0), fixed=True)
    printable = Printable("sheets", (100.0, 60.0), (TagMark(tag, (20.0, 10.0), 24.0),))
    game: Any = SimpleNamespace(box=Box("TT", [anchor]), printables=lambda: (printable,))
    ((sheet, pose),) = sheets(game, {"a": (500.0, 300.0, 0.0)})
    # The middle of the sheet is 30 mm to the right of its mark and 20 mm below it; the mark 3 mm right of the anchor.
    assert sheet.size_mm == (100.0, 60.0)
    assert list(pose) == pytest.approx([533, 320, 0])
    ((_, pose),) = sheets(game, {"a": (500.0, 300.0, 90.0)})
    assert list(pose) == pytest.approx([480, 333, 90])


def test_a_game_without_sheets_has_none(storytelling: Game[Any, Any]) -> None:
    phoenix = load("phoenix")
    assert papers(VirtualGame(phoenix, 3, {"players": ["Ada", "Bea"]})) == []
    assert list(sheets(storytelling, {})) == []


def test_words_are_printed_on_a_sheet_if_there_is_a_voice(storytelling: Game[Any, Any]) -> None:
    def voice(message: Message) -> str:
        return f"<{message.key}>"

    def texts(virtual: VirtualGame) -> set[str]:
        labels = [shape for prop, _ in papers(virtual) for shape in prop.shapes if isinstance(shape, Label)]
        return {label.message.params["text"] for label in labels if label.message.key == "verbatim"}

    assert {"<print.start>", "<print.finish>"} <= texts(laid(storytelling, "race", voice=voice))
    assert "7" in texts(laid(storytelling, "race"))


def test_a_game_that_is_carried_on_keeps_its_sheets_below(storytelling: Game[Any, Any]) -> None:
    virtual = laid(storytelling, "race")
    before = papers(virtual)
    virtual.carry_on([storytelling.setup(virtual.setup)], [])
    assert papers(virtual) == before
    assert len(virtual.dealer.face_down()) == 16

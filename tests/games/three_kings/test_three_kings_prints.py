"""What is printed for 3 Kings: seams between texts, stickers inside their pieces, tokens that say what they are."""

from __future__ import annotations

import pytest

from companion.core.messages import LANGUAGES
from companion.core.printing import Drawn, Label, TagMark
from companion.face.words import load_words
from companion.games import load
from companion.games.three_kings import zones
from companion.games.three_kings.box import TURN
from companion.games.three_kings.prints import SCORE_EYE_MM
from companion.kit.drawing import sticker_mm
from companion.kit.parting import sections

GAME = load("three_kings")
PRINTED = GAME.printables()
ROOMS = {"A4": (186.0, 259.0), "Letter": (191.9, 241.4)}


@pytest.mark.parametrize("paper", ROOMS)
def test_no_seam_runs_through_a_text_or_a_picture(paper: str) -> None:
    room = ROOMS[paper]
    cut = 0
    for sheet in PRINTED:
        whole = all(side <= most for side, most in zip(sorted(sheet.size), sorted(room), strict=True))
        parted = () if whole or sheet.back else sections(sheet, room)
        cut += len(parted)
        for shape in sheet.shapes:
            if isinstance(shape, Label | Drawn):
                size = shape.size if isinstance(shape, Label) else (shape.side, shape.side)
                for axis in (0, 1):
                    low, high = shape.left_top[axis], shape.left_top[axis] + size[axis]
                    assert not [part for part in parted if low < part.left_top[axis] < high], (sheet.title, shape)
    assert cut


def test_every_sticker_lies_inside_its_piece() -> None:
    for piece in GAME.box.pieces.values():
        if not piece.fixed and not piece.face.round:
            for axis in (0, 1):
                assert abs(piece.tag_at_mm[axis]) + sticker_mm(piece) / 2 <= piece.size_mm[axis] / 2, piece.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_token_says_below_it_what_it_is(language: str) -> None:
    say = load_words(language, GAME).say
    told = {}
    for token in PRINTED:
        if token.part == "tokens":
            (mark,) = (shape for shape in token.shapes if isinstance(shape, TagMark))
            piece = GAME.box.piece_of(mark.tag)
            assert piece
            assert token.size == piece.size_mm
            shapes = token.legend or token.shapes
            told[piece.id] = [say(shape.message) for shape in shapes if isinstance(shape, Label)]
    kinds = {"counselor", "turn", "first", *(f"{faction}-marker" for faction in ("owl", "wyvern", "serpent", "eye"))}
    assert told == {piece.id: [say(piece.label)] for piece in GAME.box.pieces.values() if piece.kind in kinds}
    assert TURN in told


def test_the_place_where_the_eye_wins_is_explained_above_it() -> None:
    (score,) = (sheet for sheet in PRINTED if sheet.size == zones.SCORE_SHEET_MM)
    eye = next(s for s in score.shapes if isinstance(s, Label) and s.message.key == "print.score-eye")
    assert eye.message.params == {"n": 15}
    x, y = zones.vp_mm(3, 15)
    assert SCORE_EYE_MM <= x <= SCORE_EYE_MM + eye.size[0]
    numbers = {(s.left_top[0] + 8, s.left_top[1] + 6): s for s in score.shapes if isinstance(s, Label) and s.bold}
    assert numbers[x, y].colour != "#8f8a80"

"""Evidence about the place of a card that lies in a fan, in pictures of some few rectangles."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.evidence import View

SHEET, CARD, HAND, OTHER = (235, 240, 244), (230, 190, 220), (140, 160, 210), (180, 215, 240)
CARD_AT = np.s_[20:108, 20:83]
OWN_AT = np.s_[20:34, 20:83]
"""What lies beside the other cards of the fan; on the rest of it or below it lie these."""


def _mask(*parts: Any) -> Any:
    mask = np.zeros((128, 103), bool)
    for part in parts:
        mask[part] = True
    return mask


def _view(*painted: tuple[Any, tuple[int, int, int]]) -> View:
    """A card in the middle of a sheet, with something painted over it."""
    picture = np.full((128, 103, 3), SHEET, np.uint8)
    picture[CARD_AT] = CARD
    for part, colour in painted:
        picture[part] = colour
    body, own = _mask(CARD_AT), _mask(OWN_AT)
    ring = _mask(np.s_[0:16, :])
    return View(picture, _mask(np.s_[11:16, 11:92]), ring, body, own)


def test_a_card_whose_own_part_is_as_it_was_has_not_left() -> None:
    then = _view()
    assert not _view((np.s_[40:108, 20:83], HAND)).empty_since(then), "a hand hides the rest"
    assert not _view((np.s_[40:108, 20:83], OTHER)).empty_since(then), "another card was laid on it"


def test_a_card_has_left_if_its_own_part_shows_the_sheet() -> None:
    then = _view()
    assert _view((CARD_AT, OTHER), (OWN_AT, SHEET)).empty_since(then)
    assert _view((OWN_AT, SHEET)).empty_since(then), "the rest shows a card below it that is of the same look"

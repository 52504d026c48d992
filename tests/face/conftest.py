"""What the tests of the face share."""

from __future__ import annotations

import pytest

from companion.face.fonts import Fonts, find_fonts


@pytest.fixture(scope="session")
def fonts() -> Fonts:
    """The real fonts; golden pictures are of them."""
    found = find_fonts()
    if found.remedy:
        pytest.skip(found.remedy)
    return found

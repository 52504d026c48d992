from __future__ import annotations

import pytest
from scene_samples import small_box

from vision.scene import Scene


@pytest.fixture
def scene() -> Scene:
    return Scene(small_box())

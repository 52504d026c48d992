"""What all tests share: where the data beside the project lies, and games by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Game
from companion.games import load

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture
def shared() -> Path:
    """The folder of data beside the project; without it the test is skipped."""
    if not SHARED.is_dir():
        pytest.skip(f"the data folder {SHARED.name}/ is not beside the project")
    return SHARED


@pytest.fixture
def phoenix() -> Game[Any, Any]:
    return load("phoenix")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Soak and device tests run only where they are asked for by `-m`."""
    asked = config.getoption("-m")
    for item in items:
        for mark in ("soak", "pi"):
            if item.get_closest_marker(mark) and mark not in asked:
                item.add_marker(pytest.mark.skip(reason=f"runs with -m {mark}" + " (./go soak)" * (mark == "soak")))

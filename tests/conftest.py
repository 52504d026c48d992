"""What all tests share: where the data beside the project lies, and games by name."""

from __future__ import annotations

from collections import Counter
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import hypothesis
import pytest

from companion.core.game import Game
from companion.games import load

# A busy computer is no fault of the code.
hypothesis.settings.register_profile("patient", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.load_profile("patient")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture
def shared() -> Path:
    """The folder of data beside the project; without it the test is skipped."""
    if not SHARED.is_dir():
        pytest.skip(f"the data folder {SHARED.name}/ is not beside the project")
    return SHARED


@pytest.fixture
def go() -> ModuleType:
    """The script `go`, as a module."""
    loader = SourceFileLoader("go", str(Path(__file__).resolve().parents[1] / "go"))
    spec = spec_from_loader("go", loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


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


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """The figures of all proofs that ran: games, moves, frames, wrong acts and misreads; and what others measured."""
    ran = [r for kind in ("passed", "failed") for r in terminalreporter.stats.get(kind, []) if r.when == "call"]
    for line in [value for report in ran for name, value in report.user_properties if name == "figures"]:
        terminalreporter.write_line(line)
    proofs = [value for report in ran for name, value in report.user_properties if name == "proof"]
    if not proofs:
        return
    total = {key: sum(proof[key] for proof in proofs) for key in ("moves", "frames", "disputes", "render_s", "look_s")}
    mischief: Counter[str] = Counter()
    counters: Counter[str] = Counter()
    for proof in proofs:
        mischief.update(proof["mischief"])
        counters.update(proof["counters"])
    write = terminalreporter.write_line
    write(f"proofs: {len(proofs)} games, {sum(bool(p['errors']) for p in proofs)} with an uncorrected error")
    write(
        f"  {total['moves']} moves, {total['frames']} frames; disputes {total['disputes']}, wrong acts {dict(mischief)}"
    )
    frames = max(1, total["frames"])
    write(
        f"  a frame: {1000 * total['render_s'] / frames:.0f} ms rendered, {1000 * total['look_s'] / frames:.0f} ms read"
    )
    write(f"  eyes: {dict(counters)}")

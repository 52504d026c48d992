"""Failed starts are counted over restarts, and three of them lead to safe mode."""

from __future__ import annotations

from pathlib import Path

from companion.service.starts import PATIENCE, SETTLED_S, Starts


def _fail(path: Path, times: int, reason: str = "") -> None:
    for _ in range(times):
        starts = Starts(path)
        starts.begin(0.0)
        if reason:
            starts.failed(reason)


def test_a_start_that_was_killed_counts_as_failed(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", PATIENCE - 1)
    assert not Starts(tmp_path / "starts.json").safe
    _fail(tmp_path / "starts.json", 1)
    assert Starts(tmp_path / "starts.json").safe


def test_the_reason_of_the_last_failure_is_kept(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", PATIENCE, "CameraError: no camera")
    assert Starts(tmp_path / "starts.json").before.reason == "CameraError: no camera"


def test_a_box_that_has_run_for_a_while_has_forgotten_its_failures(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", PATIENCE)
    starts = Starts(tmp_path / "starts.json")
    starts.begin(10.0)
    starts.settle(10.0 + SETTLED_S - 1)
    assert Starts(tmp_path / "starts.json").safe
    starts.settle(10.0 + SETTLED_S)
    assert Starts(tmp_path / "starts.json").before.failed == 0


def test_a_stop_on_purpose_is_no_failure(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", 2)
    starts = Starts(tmp_path / "starts.json")
    starts.begin(0.0)
    starts.ended()
    assert Starts(tmp_path / "starts.json").before.failed == 2


def test_a_broken_file_counts_as_no_failures(tmp_path: Path) -> None:
    (tmp_path / "starts.json").write_text("nonsense")
    assert not Starts(tmp_path / "starts.json").safe

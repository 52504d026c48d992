"""Failed starts are counted over restarts, and three of them lead to safe mode."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from companion.service.starts import PATIENCE, SETTLED_S, Record, Starts


def _fail(path: Path, times: int, reason: str = "", ready: bool = False) -> None:
    for _ in range(times):
        starts = Starts(path)
        starts.begin(0.0)
        if ready:
            starts.ready()
        if reason:
            starts.failed(reason)


def test_a_plug_that_is_pulled_once_the_box_is_up_is_no_failure(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", 2 * PATIENCE, ready=True)
    assert Starts(tmp_path / "starts.json").before == Record()


def test_pulled_plugs_do_not_make_the_failures_before_them_undone(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", PATIENCE - 1, "OSError: no such bus")
    _fail(tmp_path / "starts.json", 1, ready=True)
    assert Starts(tmp_path / "starts.json").before == Record(PATIENCE - 1, "OSError: no such bus")


def test_a_box_that_was_up_and_then_named_an_error_has_failed(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", PATIENCE, "OSError: no such bus", ready=True)
    assert Starts(tmp_path / "starts.json").safe


def test_a_start_that_was_killed_before_it_was_ready_counts_as_failed(tmp_path: Path) -> None:
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


def test_an_error_long_after_a_good_start_is_the_first_of_its_row(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", PATIENCE - 1, "OSError: no such bus")
    starts = Starts(tmp_path / "starts.json")
    starts.begin(0.0)
    starts.ready()
    starts.settle(SETTLED_S)
    starts.failed("RuntimeError: later")
    assert Starts(tmp_path / "starts.json").before == Record(1, "RuntimeError: later")


def test_whoever_leaves_safe_mode_has_an_ordinary_start_before_him(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", PATIENCE)
    starts = Starts(tmp_path / "starts.json")
    starts.begin(0.0)
    starts.ready()
    starts.forget()
    starts.ended()
    assert Starts(tmp_path / "starts.json").before == Record()


def test_a_reason_is_kept_on_one_line_and_at_no_great_length(tmp_path: Path) -> None:
    _fail(tmp_path / "starts.json", 1, "E: \x1b[2J\n" + "x" * 10_000)
    reason = Starts(tmp_path / "starts.json").before.reason
    assert (reason[:16], len(reason)) == (r"E: \x1b[2J\nxxxx", 200)


@pytest.mark.parametrize("content", ["nonsense", "[" * 100_000, '{"failed": "many"}', "\0", "{}" + " " * 300_000])
def test_a_broken_file_counts_as_no_failures(tmp_path: Path, content: str) -> None:
    (tmp_path / "starts.json").write_text(content)
    assert Starts(tmp_path / "starts.json").before == Record()


def test_a_pipe_in_the_place_of_the_file_is_not_waited_for(tmp_path: Path) -> None:
    for name in ("starts.json", ".starts.json.new"):
        os.mkfifo(tmp_path / name)
    _fail(tmp_path / "starts.json", 1)
    assert Starts(tmp_path / "starts.json").before == Record(1)

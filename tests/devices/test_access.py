"""Who has a device open, and who may use it: against a made-up /proc and /dev, and once against the real ones."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from devices.access import Holder, barred, holders


def _process(proc: Path, number: int, name: str, cgroup: str, *opened: str) -> None:
    folder = proc / str(number)
    (folder / "fd").mkdir(parents=True)
    for descriptor, path in enumerate(opened):
        (folder / "fd" / str(descriptor)).symlink_to(path)
    (folder / "comm").write_text(f"{name}\n")
    (folder / "cgroup").write_text(f"0::{cgroup}\n")


def test_those_who_have_a_device_open_are_named_with_their_service(tmp_path: Path) -> None:
    _process(tmp_path, 812, "pigpiod", "/system.slice/pigpiod.service", "/dev/null", "/dev/gpiochip0")
    _process(tmp_path, 99, "python3", "/user.slice/user-1000.slice/session-3.scope", "/dev/gpiochip4")
    _process(
        tmp_path, 100, "python3", "/user.slice/user-1000.slice/user@1000.service/app.slice/x.scope", "/dev/gpiochip"
    )
    _process(tmp_path, os.getpid(), "python3", "/", "/dev/gpiochip0")
    (tmp_path / "101").mkdir()  # it has just ended
    (tmp_path / "self").symlink_to("99")
    found = holders(r"/dev/gpiochip\d+", tmp_path)
    assert found == [Holder(99, "python3"), Holder(812, "pigpiod", "pigpiod")]
    assert [str(one) for one in found] == ["process 99 (python3)", "process 812 (pigpiod, service pigpiod)"]
    assert [one.end for one in found] == ["sudo kill 99", "sudo systemctl stop pigpiod"]


def test_a_real_process_is_found_by_what_it_has_open(tmp_path: Path) -> None:
    path = tmp_path / "device"
    path.touch()
    program = f"file = open({str(path)!r}); print('open', flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = holders(str(path))
        process.communicate("\n")
    assert [holder.number for holder in found] == [process.pid]
    assert holders(str(path)) == []


@pytest.mark.parametrize(
    ("group", "mode", "members", "words"),
    [
        ("i2c", 0o660, [], "is for root and the group i2c; sudo usermod -aG i2c ellie, then log in anew"),
        (
            "i2c",
            0o660,
            ["ellie"],
            "is for the group i2c, to which ellie was added after logging in; log in anew, or restart",
        ),
        (
            "root",
            0o600,
            [],
            "belongs to root, and the group i2c may not use it; until the next start this helps: "
            "sudo chgrp i2c {path} && sudo chmod g+rw {path}",
        ),
        (
            "i2c",
            0o640,
            ["ellie"],
            "belongs to root, and the group i2c may not use it; until the next start this helps: "
            "sudo chgrp i2c {path} && sudo chmod g+rw {path}",
        ),
    ],
)
def test_what_bars_a_user_from_a_device_is_told_with_the_command_that_helps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, group: str, mode: int, members: list[str], words: str
) -> None:
    path = tmp_path / "i2c-1"
    path.touch()
    path.chmod(mode)
    monkeypatch.setattr("devices.access.os.access", lambda *_: False)  # root may use anything
    monkeypatch.setattr("devices.access.os.geteuid", lambda: 1000)
    monkeypatch.setattr(
        "devices.access.pwd.getpwuid", lambda number: SimpleNamespace(pw_name={1000: "ellie"}.get(number, "root"))
    )
    monkeypatch.setattr("devices.access.grp.getgrgid", lambda _: SimpleNamespace(gr_name=group, gr_mem=members))
    assert barred(path, "i2c") == words.format(path=path)


def test_users_and_groups_without_a_name_are_told_by_their_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "i2c-1"
    path.touch()
    monkeypatch.setattr("devices.access.os.access", lambda *_: False)
    monkeypatch.setattr("devices.access.pwd.getpwuid", _nobody)
    monkeypatch.setattr("devices.access.grp.getgrgid", _nobody)
    assert barred(path, "i2c").startswith(f"belongs to {os.getuid()}, and the group i2c may not use it")


def _nobody(_number: int) -> None:
    raise KeyError


def test_nobody_is_barred_from_what_he_may_use_and_what_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    (tmp_path / "i2c-1").touch()
    assert barred(tmp_path / "i2c-1", "i2c") == ""
    assert barred(tmp_path / "i2c-2", "i2c") == "not there"

"""The real service file under the real systemd, with a stand-in for the program."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from fake_root import PROJECT, why_no_namespace

HERE = Path(__file__).parent


@pytest.mark.soak
def test_systemd_starts_restarts_and_stops_the_service_as_it_should(tmp_path: Path) -> None:
    reason = why_no_namespace()
    if reason:
        pytest.skip(reason)
    for name in ("job.sh", "stand_in.py"):
        shutil.copy(HERE / name, tmp_path)
    for name in ("companion.service", "companion.sysusers"):
        shutil.copy(PROJECT / "systemd" / name, tmp_path)
    service = tmp_path / "lib/companion/service"
    service.mkdir(parents=True)
    shutil.copy(PROJECT / "companion/service/notify.py", service)
    os.chmod(tmp_path, 0o755)  # noqa: PTH101 # the service must be able to read what lies there
    command = ["sh", HERE / "in_namespace.sh", tmp_path, "job.sh"]
    console = subprocess.run(command, capture_output=True, text=True, check=False)

    said = dict(line.split(" ", 1) for line in (tmp_path / "said").read_text().splitlines() if " " in line)
    assert said["started"] == "stand-in is up success 0 0 active ", console
    assert said["user"] == "companion"
    assert said["killed"] == "stand-in is up success 1 0 active "
    assert said["hung"] == "stand-in is up success 2 0 active "
    assert said["stopped"] == " success 0 0 inactive "
    assert said["drwxr-x---"].split()[1:3] == ["companion", "companion"]

    journal = (tmp_path / "journal").read_text()
    start = [
        "arguments serve --config /etc/companion/config.toml",
        "in /run/companion watched 5.0 file mode 0o77",
        "node /dev/vcio errno 19",  # no such device: it may be used, but nobody is behind it
        "node /dev/strange errno 1",  # not permitted
        "node /dev/null opened",
        "file /var/lib/companion/a written",
        "file /run/companion/a written",
        "file /etc/companion/a errno 30",  # read-only file system
        "file /opt/companion/a errno 30",
        "cpuinfo True",
    ]
    first, dump, rest = journal.partition("Fatal Python error: Aborted\n")
    assert first.splitlines() == start * 2
    assert "in hang_on_purpose" in dump + rest
    assert rest.splitlines()[-len(start) :] == start

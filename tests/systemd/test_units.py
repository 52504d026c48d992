"""The service file as systemd itself sees it, and as the machine needs it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from fake_root import PROJECT

UNIT = PROJECT / "systemd/companion.service"
DROP_IN = PROJECT / "systemd/companion.service.d/backoff.conf"
MOST_EXPOSED = 20
"""Tenths of systemd's exposure score."""
NODES = {
    "gpiochip0": "char-gpiochip",
    "gpiomem": "/dev/gpiomem",
    "i2c-1": "char-i2c",
    "spidev0.0": "char-spi",
    "video0": "char-video4linux",
    "media0": "char-media",
    "dma_heap/linux,cma": "char-dma_heap",
    "udmabuf": "/dev/udmabuf",
    "vcio": "/dev/vcio",
    "vchiq": "/dev/vchiq",
}
"""Device nodes that the box needs, and what systemd calls them: by path, or by the driver's name in /proc/devices."""

needs_systemd = pytest.mark.skipif(
    not shutil.which("systemd-analyze"), reason="systemd-analyze is not installed: apt-get install systemd"
)


def _settings(path: Path = UNIT) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in path.read_text().splitlines():
        if line and line[0] not in "#[":
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


def _version() -> int:
    said = subprocess.run(["systemd-analyze", "--version"], capture_output=True, text=True, check=True).stdout
    return int(said.split()[1])


@pytest.fixture
def unit(tmp_path: Path) -> Path:
    """The service with a command that is there on every machine, and what is installed beside it."""
    text, changed = re.subn(r"^ExecStart=\S+", f"ExecStart={shutil.which('true')}", UNIT.read_text(), flags=re.M)
    assert changed == 1
    path = tmp_path / UNIT.name
    path.write_text(text)
    raising = re.search(r"^RAISING_BACKOFF=(\d+)", (PROJECT / "systemd/install.sh").read_text(), re.M)
    assert raising
    if _version() >= int(raising[1]):
        shutil.copytree(DROP_IN.parent, tmp_path / DROP_IN.parent.name)
    return path


@needs_systemd
def test_systemd_has_nothing_to_say_against_the_service(unit: Path) -> None:
    """Its exit status tells nothing: it is 0 for a misspelt type as well."""
    done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@needs_systemd
def test_a_mistake_in_the_service_would_be_noticed(unit: Path) -> None:
    for wrong in ("Type=notfy", "Restrat=always"):
        unit.write_text(unit.read_text().replace("Type=notify", wrong))
        done = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
        assert done.stderr
        unit.write_text(unit.read_text().replace(wrong, "Type=notify"))


@needs_systemd
def test_the_service_is_hardly_exposed(unit: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", f"--threshold={MOST_EXPOSED}", "--no-pager", unit]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    score = re.search(r"Overall exposure level for \S+: (\d+\.\d)", done.stdout)
    assert score
    assert float(score[1]) * 10 <= MOST_EXPOSED


def test_every_device_that_the_box_needs_can_be_used_and_no_other() -> None:
    settings = _settings()
    assert settings["DevicePolicy"] == ["closed"]
    assert sorted(settings["DeviceAllow"]) == sorted(f"{name} rw" for name in NODES.values())
    assert "PrivateDevices" not in settings
    assert "PrivateUsers" not in settings
    assert "ProcSubset" not in settings


def test_the_user_and_the_groups_of_the_service_are_those_that_are_made() -> None:
    settings = _settings()
    lines = [
        line.split() for line in (PROJECT / "systemd/companion.sysusers").read_text().splitlines() if line[0] != "#"
    ]
    assert settings["User"] == settings["Group"] == [line[1] for line in lines if line[0] == "u"]
    groups = settings["SupplementaryGroups"][0].split()
    assert groups == ["gpio", "i2c", "spi", "video"]
    assert [line[1] for line in lines if line[0] == "g"] == groups
    assert [line[1:] for line in lines if line[0] == "m"] == [["companion", group] for group in groups]


@pytest.mark.skipif(not shutil.which("systemd-sysusers"), reason="systemd-sysusers is not installed")
def test_the_user_is_made_with_its_groups_and_without_a_login(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/group").write_text("gpio:x:997:pi\n")
    command = ["systemd-sysusers", f"--root={tmp_path}", PROJECT / "systemd/companion.sysusers"]
    if subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("systemd-sysusers needs root here")
    user = (tmp_path / "etc/passwd").read_text().strip().split(":")
    assert [user[0], *user[4:]] == ["companion", "Tabletop Companion", "/var/lib/companion", "/usr/sbin/nologin"]
    groups = [line.split(":") for line in (tmp_path / "etc/group").read_text().splitlines()]
    members = {name: sorted(users.split(",")) for name, _, _, users in groups if users}
    assert members == {"gpio": ["companion", "pi"], **{name: ["companion"] for name in ("i2c", "spi", "video")}}


def test_the_paths_of_the_service_are_those_of_the_installer() -> None:
    script = (PROJECT / "systemd/install.sh").read_text()
    settings = _settings()
    assert settings["ExecStart"] == [
        "/opt/companion/current/venv/bin/companion serve --config /etc/companion/config.toml"
    ]
    assert "/opt/companion/current/venv/bin/companion" in script
    assert "settings=$root/etc/companion" in script
    assert (settings["StateDirectory"], "state=$root/var/lib/companion" in script) == (["companion"], True)


def test_the_watchdog_bites_sooner_than_a_family_gives_up_and_a_stop_is_given_time() -> None:
    settings = {key: values[0] for key, values in _settings().items()}
    assert (settings["Type"], settings["NotifyAccess"], settings["Restart"]) == ("notify", "main", "always")
    assert int(settings["WatchdogSec"]) <= 30
    assert int(settings["TimeoutStopSec"]) >= 5
    assert settings["StartLimitIntervalSec"] == "0"
    back_off = _settings(DROP_IN)
    assert sorted(back_off) == ["RestartMaxDelaySec", "RestartSteps"]
    assert int(back_off["RestartMaxDelaySec"][0]) > int(settings["RestartSec"])

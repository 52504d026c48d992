"""What the doctor says of the computer: a made-up one, that is as weak, full or lost in time as a test wants."""

from __future__ import annotations

import errno
import os
import resource
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

import companion
from companion.app.doctor import system
from companion.app.doctor.checks import Check
from companion.app.doctor.system import Computer, in_use
from companion.service.config_file import load
from companion.service.journal import Journal
from companion.service.kept import Kept
from companion.service.starts import Starts
from tests.waiting import PATIENCE_S

NOW = datetime(2099, 11, 30, 18, 30, tzinfo=UTC)
THROTTLED, SYNCHRONISED, ACTIVE = "vcgencmd", "timedatectl", "systemctl"


@pytest.fixture(autouse=True)
def _zone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")


def computer(root: Path, says: Mapping[str, str] | None = None, **more: object) -> Computer:
    """A computer whose commands print what `says` says; those that aren't in it are not there."""
    found = {"now": lambda: NOW, "usage": lambda _path: 30_000_000_000, **more}
    return Computer(root, lambda command: (says or {}).get(command[0], ""), **found)  # type: ignore[arg-type]


def told(check: Check) -> tuple[str, str]:
    return check.verdict.value, check.says


def write(root: Path, path: str, text: str) -> None:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


@pytest.mark.parametrize(
    ("flags", "power", "heat"),
    [
        ("0x0", ("ok", ""), ("ok", "51 °C")),
        ("0x50005", ("fault", "too weak: the voltage is too low now"), ("ok", "51 °C")),
        (
            "0x50000",
            ("warning", "faltered: the voltage was too low at some time since it was switched on"),
            ("ok", "51 °C"),
        ),
        ("0xe0008", ("ok", ""), ("warning", "too hot, so it runs slower: 51 °C")),
        ("0x60000", ("ok", ""), ("warning", "was too hot, so it runs slower: 51 °C")),
    ],
)
def test_the_flags_of_a_raspberry_pi_tell_a_weak_supply_from_heat(
    tmp_path: Path, flags: str, power: tuple[str, str], heat: tuple[str, str]
) -> None:
    write(tmp_path, "sys/class/thermal/thermal_zone0/temp", "51234\n")
    box = computer(tmp_path, {THROTTLED: f"throttled={flags}\n"})
    assert (told(system.of_power(box)), told(system.of_heat(box))) == (power, heat)


def test_without_the_command_the_kernel_is_asked(tmp_path: Path) -> None:
    write(tmp_path, "sys/class/hwmon/hwmon0/name", "cpu_thermal\n")
    write(tmp_path, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    write(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert system.of_power(computer(tmp_path)).verdict == "warning"
    write(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n")
    assert system.of_power(computer(tmp_path)).verdict == "ok"
    write(tmp_path, "sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n")
    assert system.of_power(computer(tmp_path)).verdict == "fault"


def test_a_laptop_tells_nothing_of_its_power_and_that_is_no_fault(tmp_path: Path) -> None:
    box = computer(tmp_path)
    assert (told(system.of_power(box)), told(system.of_heat(box))) == (("not known", "not known here"),) * 2


@pytest.mark.parametrize(
    ("free", "number", "verdict", "says"),
    [
        (30_000_000_000, 0, "ok", "30 GB free"),
        (5_000_000_000, 0, "ok", "5000 MB free"),
        (150_000_000, 0, "warning", "only 150 MB free"),
        (5_000_000, 0, "fault", "full: 5 MB free"),
        (30_000_000_000, errno.EDQUOT, "fault", "full: 30000 MB free"),
        (30_000_000_000, errno.EROFS, "fault", "read-only"),
        (30_000_000_000, errno.EACCES, "fault", "games can't be saved by this user"),
        (30_000_000_000, errno.EIO, "fault", "can't be written: Input/output error"),
    ],
)
def test_a_disk_on_which_no_game_can_be_saved_is_a_fault(
    tmp_path: Path, free: int, number: int, verdict: str, says: str
) -> None:
    box = computer(tmp_path, usage=lambda _path: free, probe=lambda _path: number)
    assert told(system.of_disk(box, tmp_path)) == (verdict, f"{says} ({tmp_path})")


def test_files_that_are_somebody_elses_are_a_fault_with_the_command_that_gives_them_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [tmp_path / "settings.json", tmp_path / "starts.json"]
    monkeypatch.setattr(system, "strangers", lambda folder: others if folder == tmp_path else [])
    monkeypatch.setattr(system, "user", lambda _number: "companion")
    check = system.of_disk(computer(tmp_path), tmp_path)
    said = f"somebody else's, so that companion can't use them: settings.json, starts.json ({tmp_path})"
    assert told(check) == ("fault", said)
    assert check.remedy == f"Give them to companion: sudo chown companion {others[0]} {others[1]}"


def test_a_folder_that_is_not_there_yet_is_judged_by_the_one_above_it(tmp_path: Path) -> None:
    check = system.of_disk(computer(tmp_path), tmp_path / "a" / "b")
    assert told(check) == ("ok", f"30 GB free ({tmp_path})")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_may_not_even_be_looked_for_is_judged_by_the_one_above_it(tmp_path: Path) -> None:
    hidden = tmp_path / ("x" * 300) / "games"  # a name for which the system gives an error, as for one that is closed
    assert told(system.of_disk(computer(tmp_path), hidden)) == ("ok", f"30 GB free ({tmp_path})")
    assert told(system.of_clock(computer(tmp_path, {SYNCHRONISED: "yes"}), hidden))[0] == "ok"
    assert told(system.of_service(computer(tmp_path), hidden))[0] == "ok"


def test_a_disk_is_really_written_to_and_left_as_it_was(tmp_path: Path) -> None:
    assert system.probe(tmp_path) == 0
    assert list(tmp_path.iterdir()) == []
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        assert system.probe(tmp_path) == errno.EFBIG
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(
    ("says", "verdict", "words"),
    [
        ("yes\n", "ok", ", set by the network"),
        ("no\n", "warning", ", not set by the network"),
        ("", "not known", "; whether the network has set it is not known here"),
    ],
)
def test_a_clock_is_right_if_the_network_says_so(tmp_path: Path, says: str, verdict: str, words: str) -> None:
    box = computer(tmp_path, {SYNCHRONISED: says})
    assert told(system.of_clock(box, tmp_path)) == (verdict, f"it says 2099-11-30 18:30{words}")


def test_systemds_own_mark_tells_a_synchronised_clock_as_well(tmp_path: Path) -> None:
    write(tmp_path, "run/systemd/timesync/synchronized", "")
    assert system.of_clock(computer(tmp_path), tmp_path).verdict == "ok"


def test_a_clock_that_is_behind_what_has_happened_is_wrong(tmp_path: Path) -> None:
    early = computer(tmp_path, {SYNCHRONISED: "yes"}, now=lambda: datetime(2001, 1, 1, tzinfo=UTC))
    check = system.of_clock(early, tmp_path)
    assert told(check) == ("warning", "it says 2001-01-01 00:00, before this program was installed")
    played = tmp_path / "phoenix.journal"
    played.touch()
    os.utime(played, (NOW.timestamp() + 7200,) * 2)
    assert told(system.of_clock(computer(tmp_path, {SYNCHRONISED: "yes"}), tmp_path)) == (
        "warning",
        "it says 2099-11-30 18:30, but games were saved later than that",
    )


def test_a_running_box_has_camera_and_devices(tmp_path: Path) -> None:
    check = system.of_service(computer(tmp_path, {ACTIVE: "active\n"}), tmp_path)
    assert told(check) == ("warning", "the box is running, so camera and devices are in use")
    assert check.remedy == "sudo systemctl stop companion; afterwards: sudo systemctl start companion"
    assert in_use(check)


@pytest.mark.parametrize(("state", "verdict"), [("inactive\n", "ok"), ("", "ok"), ("failed\n", "warning")])
def test_a_box_that_does_not_run_leaves_the_devices_alone(tmp_path: Path, state: str, verdict: str) -> None:
    check = system.of_service(computer(tmp_path, {ACTIVE: state}), tmp_path)
    assert (check.verdict, in_use(check)) == (verdict, False)


def test_a_game_in_a_terminal_is_told_by_its_journal(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "phoenix.journal")):
        check = system.of_service(computer(tmp_path), tmp_path)
        assert told(check) == ("warning", f"process {os.getpid()} is playing")
        assert in_use(check)
    assert told(system.of_service(computer(tmp_path), tmp_path)) == ("ok", "not running")


def test_what_is_wrong_in_the_settings_and_failed_starts_are_told(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "settings.json")
    assert told(system.of_settings(load(None), kept)) == ("ok", "no file, so the defaults")
    file = tmp_path / "config.toml"
    file.write_text("[lamps]\ngren = 3\nred = 99\n")
    verdict, says = told(system.of_settings(load(file), kept))
    assert (verdict, says) == (
        "warning",
        f"{file}: line 2, lamps.gren: there is no such key; did you mean green? and 1 more",
    )
    (tmp_path / "settings.json").write_text('{"language": "fr", "large": 1}')
    verdict, says = told(system.of_settings(load(None), Kept(tmp_path / "settings.json")))
    where = f"{tmp_path / 'settings.json'}: language: 'fr'"
    assert (verdict, says) == ("warning", f"{where}; it is left out; set it again in the menu of the box and 1 more")
    starts = Starts(tmp_path / "starts.json")
    assert told(system.of_starts(starts)) == ("ok", "")
    for _ in range(3):
        starts.failed("OSError: no such bus")
        starts = Starts(tmp_path / "starts.json")
    check = system.of_starts(starts)
    assert told(check) == ("warning", "3 failed in a row: OSError: no such bus")
    assert "safe mode" in check.remedy


def test_versions_are_those_of_program_system_and_packages(tmp_path: Path) -> None:
    write(tmp_path, "etc/os-release", 'NAME="x"\nPRETTY_NAME="Raspberry Pi OS 12"\n')
    write(tmp_path, "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    check = system.of_versions(computer(tmp_path), ())
    assert check.verdict == "ok"
    assert check.says.startswith(f"companion {companion.__version__}, Python 3.")
    assert check.says.endswith(", Raspberry Pi OS 12, Raspberry Pi 5 Model B Rev 1.0")
    assert {"numpy", "zxing-cpp", "gpiozero", "luma.oled"} <= {one.what for one in check.measured}
    lacking = system.of_versions(computer(tmp_path), ("zbar can't be loaded; install libzbar0",))
    assert (lacking.verdict, lacking.says.rpartition("; ")[2]) == ("warning", "install libzbar0")


def test_a_command_that_is_not_there_or_fails_says_nothing(tmp_path: Path) -> None:
    assert system.run([str(tmp_path / "none")], PATIENCE_S) == ""
    assert system.run(["sh", "-c", "echo yes; exit 3"], PATIENCE_S) == "yes\n"

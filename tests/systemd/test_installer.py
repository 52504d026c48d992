"""The installer, on machines that are only folders."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from fake_root import ALL_PACKAGES, OS_RELEASE, PROJECT, FakeRoot

INSTALL = PROJECT / "systemd/install.sh"
UNIT = "etc/systemd/system/companion.service"
DROP_IN = "etc/systemd/system/companion.service.d/backoff.conf"
JOURNAL = "var/lib/companion/phoenix.journal"
START = ["systemctl -q enable companion", "systemctl daemon-reload", "systemctl restart companion"]


@pytest.fixture
def machine(tmp_path: Path) -> FakeRoot:
    return FakeRoot(tmp_path)


@pytest.fixture
def installed(machine: FakeRoot) -> FakeRoot:
    """Version 1.0 is installed, and a game was played."""
    machine.install("1.0")
    machine.write(JOURNAL, "a game")
    machine.calls()
    return machine


def test_the_script_is_posix_shell() -> None:
    assert subprocess.run(["sh", "-n", INSTALL], capture_output=True, text=True, check=True).stderr == ""


@pytest.mark.skipif(not shutil.which("shellcheck"), reason="shellcheck is not installed: apt-get install shellcheck")
def test_shellcheck_finds_nothing() -> None:
    assert subprocess.run(["shellcheck", INSTALL], capture_output=True, text=True, check=False).stdout == ""


def test_help_tells_every_option() -> None:
    done = subprocess.run([INSTALL, "--help"], capture_output=True, text=True, check=True)
    accepted = re.findall(r"^    (--[a-z]+)\)", INSTALL.read_text(), re.MULTILINE)
    assert re.findall(r"install\.sh (--[a-z]+)", done.stdout) == accepted
    wrong = subprocess.run([INSTALL, "--bogus"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 1
    assert wrong.stderr.startswith("install.sh: --bogus: no such option; there are --check, ")


def test_a_fresh_install_brings_everything_and_starts_the_service(machine: FakeRoot) -> None:
    said = machine.install("1.0")
    name = (machine.base / "current").readlink().name
    assert re.fullmatch(r"1\.0-[0-9a-f]{8}", name)
    assert f"Installed: version {name}." in said
    assert machine.calls() == [
        "apt-get update -q -o APT::Update::Error-Mode=any",
        f"apt-get install -y -q --no-install-recommends {' '.join(ALL_PACKAGES)}",
        f"systemd-sysusers --root={machine.root} {machine.root}/etc/sysusers.d/companion.conf",
        *START,
    ]
    assert machine.read(UNIT) == (PROJECT / "systemd/companion.service").read_text()
    assert machine.read("etc/sysusers.d/companion.conf") == (PROJECT / "systemd/companion.sysusers").read_text()
    assert machine.read("etc/companion/config.toml") == "[box]\n"
    assert (machine.root / "usr/local/bin/companion").readlink() == Path("/opt/companion/current/venv/bin/companion")
    kept = {"complete", "config.example.toml", "constraints.txt", "requirements.txt", "systemd", "venv"}
    assert {path.name for path in (machine.base / "current").iterdir()} == kept


def test_picamera_is_left_out_with_a_plain_word_where_apt_does_not_know_it(machine: FakeRoot) -> None:
    said = machine.install("1.0")
    assert "python3-picamera2 is in Raspberry Pi's repository, not in this system's; going on without: " in said
    assert "This is no Raspberry Pi" in said


def test_on_a_pi_its_packages_are_installed(machine: FakeRoot) -> None:
    machine.write("proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    machine.play(known="\n".join([*ALL_PACKAGES, "python3-picamera2", "python3-lgpio"]) + "\n")
    machine.write("boot/firmware/config.txt", "camera_auto_detect=1\n")
    machine.write("dev/i2c-1", "")
    said = machine.install("1.0")
    assert "Worth knowing" not in said
    assert "python3-picamera2 python3-lgpio" in machine.read("played/calls")


def test_a_pi_with_i2c_and_camera_switched_off_is_told_how_to_switch_them_on(machine: FakeRoot) -> None:
    machine.write("proc/device-tree/model", "Raspberry Pi 4 Model B Rev 1.4\0")
    machine.write("boot/firmware/config.txt", "start_x=1\n")
    said = machine.run("--check").stdout
    assert "sudo raspi-config nonint do_i2c 0" in said
    assert "camera_auto_detect=1" in said
    assert "start_x=1" in said


def test_a_second_run_changes_nothing_and_says_so(installed: FakeRoot) -> None:
    before = installed.contents()
    said = installed.install("1.0")
    assert re.fullmatch(r"Version 1\.0-[0-9a-f]{8} is installed already; nothing was changed\.", said.splitlines()[-1])
    assert installed.contents() == before
    assert [call for call in installed.calls() if "sysusers" not in call and "update" not in call] == []


def test_without_missing_packages_no_network_is_needed(installed: FakeRoot) -> None:
    installed.play(offline="", installed="\n".join([*ALL_PACKAGES, "python3-picamera2", "python3-lgpio"]) + "\n")
    installed.install("1.0")
    assert [call for call in installed.calls() if call.startswith("apt-get")] == []


def test_an_update_comes_to_lie_beside_the_old_version(installed: FakeRoot) -> None:
    old = (installed.base / "current").resolve()
    said = installed.install("1.1")
    assert "Installed: version 1.1-" in said
    assert (installed.used(), installed.used("previous")) == ("1.1", "1.0")
    assert (old / "complete").exists()
    assert installed.read(JOURNAL) == "a game"
    assert installed.calls()[-3:] == START


def test_another_tree_of_the_same_version_is_another_release(installed: FakeRoot) -> None:
    (installed.clone / "companion/__init__.py").write_text("# changed\n")
    installed.install("1.0")
    assert installed.releases() == ["1.0", "1.0"]
    assert (installed.base / "current").resolve() != (installed.base / "previous").resolve()


@pytest.mark.parametrize(
    ("fails", "told"),
    [
        ("selftest_fails", "numpy.dtype size changed"),
        ("pip_fails", "pip install failed; the version that was installed stays in use. ERROR: No matching"),
    ],
)
def test_a_version_that_fails_leaves_the_old_one_in_use_and_no_trace(
    installed: FakeRoot, fails: str, told: str
) -> None:
    before = installed.contents()
    installed.release("1.1")
    installed.play(**{fails: ".*"})
    done = installed.run()
    assert done.returncode == 1
    assert told in done.stdout + done.stderr
    after = installed.contents()
    assert set(after) == set(before)
    assert {path for path in after if after[path][1] != before[path][1]} == set()
    assert [call for call in installed.calls() if call.startswith("systemctl")] == []


def test_a_version_in_use_that_fails_is_built_again_beside_itself(installed: FakeRoot) -> None:
    installed.install("1.1")
    name = (installed.base / "current").readlink().name
    installed.play(selftest_fails=name)
    said = installed.install("1.1")
    assert f"Version {name} is there, but does not pass its test: cv2: numpy.dtype size changed\n" in said
    assert f"Removed the old version {name}." in said
    assert f"Installed: version {name}-2." in said
    assert installed.runs() == (installed.base / "current").readlink().name == f"{name}-2"
    assert installed.used("previous") == "1.0"
    assert installed.install("1.1").endswith(f"Version {name}-2 is installed already; nothing was changed.\n")


def test_a_version_in_use_that_fails_for_good_is_not_touched(installed: FakeRoot) -> None:
    before = installed.contents()
    installed.play(selftest_fails=".*")
    done = installed.run()
    assert done.returncode == 1
    assert re.search(r"version 1\.0-\w+-2 does not pass its test, see above; it is not used", done.stderr)
    after = installed.contents()
    assert {path: text for path, (_, text) in after.items()} == {path: text for path, (_, text) in before.items()}
    assert [call for call in installed.calls() if call.startswith("systemctl")] == []


def test_packages_are_installed_as_they_are_locked_and_nothing_is_looked_for_to_build(machine: FakeRoot) -> None:
    machine.install("1.0")
    pip = [line for line in machine.read("played/calls").splitlines() if " pip install " in line]
    release = (machine.base / "current").resolve()
    for line, options in zip(
        pip,
        (
            f"--require-hashes --no-deps --only-binary :all: -r {release}/requirements.txt",
            f"--no-index --no-deps --no-build-isolation {release}/source",
        ),
        strict=True,
    ):
        assert line.endswith(options)


def test_an_example_that_its_own_version_refuses_fails_the_test(machine: FakeRoot) -> None:
    machine.play(example="wrong = 1\n")
    done = machine.run()
    assert done.returncode == 1
    assert "1:wrong = 1" in done.stdout
    assert machine.used() == ""


def test_a_version_with_which_the_service_does_not_start_gives_way_to_the_old_one(installed: FakeRoot) -> None:
    installed.install("1.1")
    name = (installed.base / "current").readlink().name
    installed.run("--rollback")
    installed.calls()
    installed.play(unstartable=f"{name}\n")
    installed.release("1.1")
    done = installed.run()
    assert done.returncode == 1
    assert (
        f"the service does not start with version {name} (journalctl -u companion tells why); version 1.0-"
        in done.stderr
    )
    assert (installed.used(), installed.used("previous")) == ("1.0", "1.1")
    assert [call for call in installed.calls() if call.startswith("systemctl")] == START * 2


def test_a_first_version_with_which_the_service_does_not_start_stays_and_says_so(machine: FakeRoot) -> None:
    machine.install("1.0")
    machine.play(unstartable=(machine.base / "current").readlink().name)
    machine.run("--remove")
    done = machine.run()
    assert done.returncode == 1
    assert "is installed, but the service does not start: journalctl -u companion tells why" in done.stderr


def test_an_update_that_does_not_start_leaves_the_version_before_as_it_was(installed: FakeRoot) -> None:
    installed.install("1.1")
    installed.play(unstartable="1[.]2-.*")
    installed.release("1.2")
    assert installed.run().returncode == 1
    assert (installed.used(), installed.used("previous")) == ("1.1", "1.0")


def test_a_version_in_use_that_is_not_the_one_that_runs_is_started(installed: FakeRoot) -> None:
    """As an installer left it that kept no note of what it did."""
    installed.install("1.1")
    runs = installed.runs()
    current = installed.base / "current"
    current.unlink()
    current.symlink_to((installed.base / "previous").readlink())
    installed.calls()
    assert "Installed: version 1.0-" in installed.install("1.0")
    assert installed.calls()[-3:] == START
    assert installed.runs() == current.readlink().name != runs
    assert installed.used("previous") == "1.1"


def test_rollback_goes_back_and_forth(installed: FakeRoot) -> None:
    unit = installed.clone / "systemd/companion.service"
    old_unit = unit.read_text()
    unit.write_text(old_unit + "# newer\n")
    installed.install("1.1")
    assert installed.read(UNIT) == old_unit + "# newer\n"
    installed.calls()
    done = installed.run("--rollback")
    assert re.fullmatch(r"Version 1\.0-\w+ is used again, instead of 1\.1-\w+\.\n", done.stdout)
    assert (installed.used(), installed.used("previous")) == ("1.0", "1.1")
    assert installed.read(UNIT) == old_unit
    assert installed.calls() == START
    assert installed.read(JOURNAL) == "a game"
    installed.run("--rollback")
    assert (installed.used(), installed.used("previous")) == ("1.1", "1.0")


def test_rollback_works_from_the_installed_copy_without_the_clone(installed: FakeRoot) -> None:
    installed.install("1.1")
    shutil.rmtree(installed.clone)
    installed.clone = installed.base / "current"
    assert installed.run("--rollback").returncode == 0
    assert installed.used() == "1.0"
    assert "run systemd/install.sh from a clone or an unpacked release" in installed.run().stderr


def test_rollback_without_a_version_before_or_to_a_broken_one_changes_nothing(installed: FakeRoot) -> None:
    done = installed.run("--rollback")
    assert (done.returncode, done.stderr) == (1, "install.sh: there is no version before this one to go back to\n")
    installed.install("1.1")
    installed.play(selftest_fails=".*")
    before = installed.contents()
    assert installed.run("--rollback").returncode == 1
    assert installed.contents() == before


def test_a_version_that_lies_there_is_taken_without_building_it_again(installed: FakeRoot) -> None:
    installed.install("1.1")
    installed.run("--rollback")
    installed.play(pip_fails="")
    assert "is there already" in installed.install("1.1")
    assert installed.used() == "1.1"


def test_a_version_that_broke_is_built_again(installed: FakeRoot) -> None:
    (installed.base / "current/complete").unlink()
    said = installed.install("1.0")
    assert "Building version 1.0-" in said
    assert (installed.base / "current/complete").exists()
    assert installed.calls()[-3:] == START


def test_an_installation_that_was_cut_before_its_end_is_ended_by_the_next_run(installed: FakeRoot) -> None:
    (installed.played / "enabled").unlink()
    assert "Installed: version 1.0-" in installed.install("1.0")
    assert installed.calls()[-3:] == START


def test_files_that_only_their_owner_may_read_are_for_the_service_too(machine: FakeRoot) -> None:
    (machine.clone / "systemd/packages.py").chmod(0o600)
    machine.install("1.0")
    copied = (machine.base / "current/systemd/packages.py").stat()
    assert copied.st_mode & 0o777 == 0o644
    assert (machine.base / "current/systemd/install.sh").stat().st_mode & 0o777 == 0o755


def test_at_most_three_versions_are_kept_and_always_the_one_before(installed: FakeRoot) -> None:
    for number, version in enumerate(("1.0", "1.1", "1.2", "1.3")):
        installed.install(version)
        os.utime((installed.base / "current").resolve(), (number, number))
    assert installed.releases() == ["1.1", "1.2", "1.3"]
    installed.run("--rollback")
    installed.run("--rollback")
    installed.install("1.4")
    assert installed.releases() == ["1.2", "1.3", "1.4"]
    assert installed.used("previous") == "1.3"


def test_what_a_cut_left_unfinished_is_cleared_away(installed: FakeRoot) -> None:
    (installed.base / "releases/0.9-00000000/venv").mkdir(parents=True)
    installed.install("1.1")
    assert installed.releases() == ["1.0", "1.1"]


def test_settings_are_never_overwritten_and_a_new_example_lies_beside_them(installed: FakeRoot) -> None:
    own = installed.write("etc/companion/config.toml", "[box]\nname = 1\n")
    installed.install("1.1")
    assert not own.with_suffix(".toml.new").exists()
    installed.play(example="[box]\n[camera]\n")
    said = installed.install("1.2")
    assert f"what they could be now is in {own}.new" in said
    assert own.read_text() == "[box]\nname = 1\n"
    assert own.with_suffix(".toml.new").read_text() == "[box]\n[camera]\n"


def test_settings_that_are_the_example_need_none_beside_them(installed: FakeRoot) -> None:
    installed.run("--remove")
    installed.install("1.1")
    assert [path.name for path in (installed.root / "etc/companion").iterdir()] == ["config.toml"]


def test_wrong_settings_are_told_but_stop_no_update(installed: FakeRoot) -> None:
    installed.write("etc/companion/config.toml", "wrong = 1\n")
    said = installed.install("1.1")
    assert "1:wrong = 1\nTo be mended in" in said
    assert installed.used() == "1.1"


def test_settings_are_for_the_service_to_read_and_for_no_other(installed: FakeRoot) -> None:
    assert (installed.root / "etc/companion/config.toml").stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(("systemd", "there"), [("252", False), ("253", False), ("254", True), ("257", True)])
def test_the_rising_back_off_is_installed_where_systemd_knows_it(machine: FakeRoot, systemd: str, there: bool) -> None:
    machine.play(systemd=systemd)
    machine.install("1.0")
    assert (machine.root / DROP_IN).exists() == there


def test_where_systemd_does_not_run_the_service_waits_for_the_next_start(machine: FakeRoot) -> None:
    shutil.rmtree(machine.root / "run/systemd")
    said = machine.install("1.0")
    assert "systemd is not running here: the service begins with the next start of the machine." in said
    assert machine.calls()[-1] == "systemctl -q enable companion"


def _offline(machine: FakeRoot) -> str:
    machine.play(offline="")
    return (
        "The packages python3-venv python3-numpy python3-opencv libzbar0t64|libzbar0 fonts-spleen python3-picamera2 "
        "python3-lgpio are missing, and apt can't be reached: E: Could not resolve host Is there a network?"
    )


def _no_opencv(machine: FakeRoot) -> str:
    machine.play(known="\n".join(set(ALL_PACKAGES) - {"python3-opencv"}))
    return "apt knows no package python3-opencv; is Debian's main archive in its sources?"


def _32_bits(machine: FakeRoot) -> str:
    machine.play(architecture="armhf")
    return "This system is for armhf, not for 64 bits"


def _too_old(machine: FakeRoot) -> str:
    machine.write("etc/os-release", OS_RELEASE.format(name="Raspbian GNU/Linux 11", id="debian", version=11))
    return "This system is Raspbian GNU/Linux 11: Raspberry Pi OS or Debian is needed, Bookworm (12) or newer."


def _other_system(machine: FakeRoot) -> str:
    machine.write("etc/os-release", OS_RELEASE.format(name="Ubuntu 24.04", id="ubuntu", version="24.04"))
    return "This system is Ubuntu 24.04: "


def _no_room(machine: FakeRoot) -> str:
    machine.play(free_mb="100")
    return f"{machine.root} has 97 MB free, 1800 MB are needed"


def _no_python(machine: FakeRoot) -> str:
    (machine.played / "bin/python3").unlink()
    return f"{machine.played}/bin/python3 is missing or broken: sudo apt-get install python3"


def _old_python(machine: FakeRoot) -> str:
    machine.play(python="3.9\n")
    return "is Python 3.9: 3.11 or newer is needed, as in Bookworm."


def _clash(machine: FakeRoot) -> str:
    machine.play(clashes="two RPi")
    return "  - two RPi"


TROUBLES = [
    _offline,
    _no_opencv,
    _32_bits,
    _too_old,
    _other_system,
    _no_room,
    _no_python,
    _old_python,
    _clash,
]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda trouble: trouble.__name__.strip("_"))
def test_what_is_wrong_is_said_before_anything_is_done(machine: FakeRoot, trouble: Callable[[FakeRoot], str]) -> None:
    told = trouble(machine)
    before = machine.contents()
    for option in ((), ("--check",)):
        done = machine.run(*option)
        assert done.returncode == 1
        assert "this is wrong, and nothing was changed:\n  - " in done.stderr
        assert told in done.stderr
    assert machine.contents() == before


def test_all_that_is_wrong_is_said_at_once(machine: FakeRoot) -> None:
    told = [trouble(machine) for trouble in (_offline, _32_bits, _too_old, _no_room, _clash)]
    stderr = machine.run().stderr
    assert [text for text in told if text not in stderr] == []
    assert stderr.count("\n  - ") == len(told)


def test_a_check_of_a_good_machine_changes_nothing(machine: FakeRoot) -> None:
    before = machine.contents()
    done = machine.run("--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith(f"All that is needed is there, or can be installed: {' '.join(ALL_PACKAGES)}.\n")
    assert machine.contents() == before
    assert not any("install" in call for call in machine.calls())


def test_a_newer_name_of_a_package_is_taken_where_there_is_one(machine: FakeRoot) -> None:
    names = [name.replace("libzbar0", "libzbar0t64") for name in ALL_PACKAGES]
    machine.play(known="\n".join(names) + "\n")
    machine.install("1.0")
    assert "libzbar0t64" in machine.read("played/installed").split()


def test_packages_that_can_not_be_installed_end_it(machine: FakeRoot) -> None:
    machine.play(apt_fails="")
    done = machine.run()
    assert done.returncode == 1
    assert "failed, nothing else was changed: E: unmet dependencies" in done.stderr
    assert machine.used() == ""


def test_two_installers_at_once_do_not_get_in_each_others_way(installed: FakeRoot) -> None:
    installed.release("1.1")
    with (installed.base / "lock").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = installed.run()
    assert (done.returncode, done.stderr) == (1, "install.sh: another installer is at work; wait for it\n")
    assert installed.used() == "1.0"


def test_remove_keeps_games_settings_and_the_owners_own_drop_ins(installed: FakeRoot) -> None:
    installed.play(systemd="257")
    installed.install("1.1")
    own = installed.write("etc/systemd/system/companion.service.d/own.conf", "[Service]\n")
    installed.calls()
    done = installed.run("--remove")
    assert done.returncode == 0
    assert done.stdout.startswith("Removed. Games in ")
    stop = ["systemctl -q disable companion", "systemctl stop companion", "systemctl daemon-reload"]
    assert installed.calls() == stop
    assert not any(
        (installed.root / path).is_symlink() for path in ("usr/local/bin/companion", "opt/companion/current")
    )
    left = {path for path, (_, text) in installed.contents().items() if text != "folder"}
    kept = {"etc/os-release", "run/systemd/system/here", "etc/sysusers.d/companion.conf", "etc/companion/config.toml"}
    assert left == {*kept, JOURNAL, str(own.relative_to(installed.root))}
    assert installed.run("--remove").stdout == "Nothing is installed.\n"


def test_an_install_after_a_removal_finds_games_and_settings_again(installed: FakeRoot) -> None:
    installed.write("etc/companion/config.toml", "own = 1\n")
    installed.run("--remove")
    installed.install("1.1")
    assert (installed.read("etc/companion/config.toml"), installed.read(JOURNAL)) == ("own = 1\n", "a game")


def test_purge_asks_first(installed: FakeRoot) -> None:
    before = installed.contents()
    for answer in ("", "no\n", "y\n"):
        done = installed.run("--purge", answer=answer)
        assert (done.returncode, done.stderr) == (1, "install.sh: the answer was not yes; nothing was changed\n")
    assert installed.contents() == before


def test_purge_deletes_games_and_settings(installed: FakeRoot) -> None:
    done = installed.run("--purge", answer="yes\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[1:] == [
        "Removed, with all games, all settings and the user companion. The system's packages are still there."
    ]
    left = {path for path, (_, text) in installed.contents().items() if text != "folder"}
    assert left == {"etc/os-release", "run/systemd/system/here"}
    assert not (installed.root / "var/lib/companion").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="only somebody who is not root can be refused")
def test_without_root_it_says_what_to_type() -> None:
    done = subprocess.run([INSTALL], capture_output=True, text=True, check=False)
    assert f"This must run as root: sudo {INSTALL}" in done.stderr

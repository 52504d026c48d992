"""The installer is killed before each of its commands: what is in use stays whole, and the next run ends the work."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest
from fake_root import ALL_PACKAGES, PROJECT, FakeRoot

CUT = Path(__file__).parent / "cut.sh"
WHOLE = ("complete", "config.example.toml", "constraints.txt", "systemd/install.sh", "venv/bin/companion")
UNIT = "etc/systemd/system/companion.service"
CHANGING = {"mkdir", "rm", "rmdir", "ln", "mv", "cp", "chmod", "sync", ":", "dpkg", "DEBIAN_FRONTEND=noninteractive"}
CHANGING |= {"systemd-sysusers", "systemctl", '"$python"'}
"""Commands by which the installer changes something: before another one, all is as it was before the one before."""

needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed: apt-get install bash")


@dataclass(frozen=True)
class Scenario:
    """What is cut, and what has to come of it.

    Attributes:
        begin: prepares the machine.
        cut: arguments of the run that is cut.
        then: arguments of the run after it.
        runs: the version that runs after that, by what the cut left; empty if none.
        trouble: an answer of the played programs by which runs fail until it is taken away; empty if none.
    """

    begin: Callable[[FakeRoot], None]
    cut: tuple[str, ...]
    then: tuple[str, ...]
    runs: Callable[[FakeRoot], str]
    trouble: str = ""


def _release(machine: FakeRoot, version: str) -> None:
    """The clone is at this version, which has a service file of its own."""
    machine.release(version)
    text = (PROJECT / "systemd/companion.service").read_text()
    (machine.clone / "systemd/companion.service").write_text(f"# of version {version}\n{text}")


def _install(machine: FakeRoot, *versions: str) -> None:
    machine.play(installed="\n".join([*ALL_PACKAGES, "python3-picamera2", "python3-lgpio"]) + "\n")
    for version in versions:
        _release(machine, version)
        machine.install(version)


def _nothing_yet(machine: FakeRoot) -> None:
    _release(machine, "1.1")


def _two(machine: FakeRoot) -> None:
    _install(machine, "1.0", "1.1")


def _newer_clone(machine: FakeRoot) -> None:
    """Four versions in a row, so that the update removes one, and a package that the newest needs."""
    _install(machine, "0.8", "0.9", "1.0")
    machine.play(installed="\n".join(ALL_PACKAGES[1:]) + "\n")
    _release(machine, "1.1")


def _broken_for_good(machine: FakeRoot) -> None:
    _two(machine)
    machine.play(selftest_fails=".*")


def _broken_until_built_again(machine: FakeRoot) -> None:
    _two(machine)
    machine.play(selftest_fails=(machine.base / "current").readlink().name)


def _unstartable(machine: FakeRoot) -> None:
    _newer_clone(machine)
    machine.play(unstartable="1[.]1-.*")


def _before_what_was_in_use(machine: FakeRoot) -> str:
    return "1.0" if machine.used() == "1.1" else "0.9"


def _back_or_forth(machine: FakeRoot) -> str:
    """A rollback that was cut is ended by the next; one that had come to its end is undone by it."""
    ended = not any((machine.base / link).is_symlink() for link in ("unfinished", "returning"))
    return "1.1" if ended and machine.used() == "1.0" else "1.0"


SCENARIOS = {
    "first": Scenario(_nothing_yet, (), (), lambda _: "1.1"),
    "again": Scenario(_two, (), (), lambda _: "1.1"),
    "update": Scenario(_newer_clone, (), (), lambda _: "1.1"),
    "update-rollback": Scenario(_newer_clone, (), ("--rollback",), _before_what_was_in_use),
    "broken-for-good": Scenario(_broken_for_good, (), (), lambda _: "1.1", "selftest_fails"),
    "broken": Scenario(_broken_until_built_again, (), (), lambda _: "1.1"),
    "unstartable": Scenario(_unstartable, (), (), lambda _: "1.1", "unstartable"),
    "rollback": Scenario(_two, ("--rollback",), ("--rollback",), _back_or_forth),
    "rollback-install": Scenario(_two, ("--rollback",), (), lambda _: "1.1"),
    "remove": Scenario(_two, ("--remove",), ("--remove",), lambda _: ""),
    "remove-install": Scenario(_two, ("--remove",), (), lambda _: "1.1"),
}


@needs_bash
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_cut_at_some_commands_leaves_all_whole_and_is_made_good_by_the_next_run(name: str, tmp_path: Path) -> None:
    """At two of the commands that change something, and at the last by which the service is told."""
    machine, words = _whole_run(SCENARIOS[name], tmp_path)
    changing = [number for number, word in enumerate(words, 1) if word in CHANGING]
    told = [number for number, word in enumerate(words, 1) if word == "systemctl"]
    chosen = {changing[len(changing) // 3], changing[2 * len(changing) // 3], *told[-1:]}
    _prove(SCENARIOS[name], machine, sorted(chosen))


@needs_bash
@pytest.mark.soak
@pytest.mark.parametrize("name", SCENARIOS)
def test_a_cut_at_any_command_leaves_all_whole_and_is_made_good_by_the_next_run(
    name: str, tmp_path: Path, record_property: pytest.RecordProperty
) -> None:
    machine, words = _whole_run(SCENARIOS[name], tmp_path)
    states = _prove(SCENARIOS[name], machine, range(1, len(words) + 1))
    record_property("figures", f"installer, {name}: cut at each of {len(words)} commands, leaving {states} states")


def _whole_run(scenario: Scenario, folder: Path) -> tuple[FakeRoot, list[str]]:
    """The machine before, and the first words of all commands of a run that isn't cut."""
    machine = FakeRoot(folder / "machine")
    scenario.begin(machine)
    twin = machine.twin(folder / "whole")
    _cut(twin, scenario, 0)
    return machine, (twin.folder / "log").read_text().splitlines()


def _cut(machine: FakeRoot, scenario: Scenario, number: int) -> subprocess.CompletedProcess[str]:
    cut = {"BASH_ENV": str(CUT), "CUT_AT": str(number), "CUT_LOG": str(machine.folder / "log")}
    return machine.run(*scenario.cut, cut=cut)


def _prove(scenario: Scenario, machine: FakeRoot, numbers: Iterable[int]) -> int:
    """Cuts at the commands with these numbers; how many different states that left."""
    seen = set()
    for number in numbers:
        twin = machine.twin(machine.folder.with_name(str(number)))
        done = _cut(twin, scenario, number)
        assert done.returncode == -signal.SIGKILL, (number, done)
        left = _state(twin)
        if left not in seen:
            seen.add(left)
            _is_whole(twin)
            _comes_right(twin, scenario, machine.runs())
        shutil.rmtree(twin.folder)
    return len(seen)


def _state(machine: FakeRoot) -> frozenset[tuple[str, str]]:
    """All that a further run finds."""
    played = [machine.played / name for name in ("installed", "enabled", "loaded")]
    answers = [(path.name, path.read_text()) for path in played if path.exists()]
    files = [(path, text.replace(str(machine.root), "")) for path, (_, text) in machine.contents().items()]
    return frozenset(files + answers)


def _is_whole(machine: FakeRoot) -> None:
    """What is in use, what was before, and what runs lies there complete."""
    links = [machine.base / name for name in ("current", "previous")]
    names = [link.readlink().name for link in links if link.is_symlink()]
    for release in [machine.base / "releases" / name for name in (*names, machine.runs()) if name]:
        assert [part for part in WHOLE if not (release / part).exists()] == [], release


def _comes_right(machine: FakeRoot, scenario: Scenario, ran_before: str) -> None:
    if scenario.trouble:
        assert machine.run(*scenario.then).returncode == 1
        _is_whole(machine)
        assert machine.runs() == ran_before
        (machine.played / scenario.trouble).unlink()
    version = scenario.runs(machine)
    done = machine.run(*scenario.then)
    assert done.returncode == 0, done
    assert (machine.used(), machine.runs().partition("-")[0]) == (version, version), done
    assert sorted(machine.root.glob("etc/**/*.next")) == []
    _is_whole(machine)
    if not version:
        assert not machine.base.exists()
        assert not (machine.root / UNIT).exists()
        return
    assert machine.runs() == (machine.base / "current").readlink().name
    units = [(machine.root / path).read_text() for path in ("proc/42/unit", UNIT)]
    assert units == [(machine.base / "current/systemd/companion.service").read_text()] * 2
    assert [name for name in ("unfinished", "returning") if (machine.base / name).is_symlink()] == []
    assert [path.name for path in (machine.base / "releases").iterdir() if not (path / "complete").exists()] == []
    assert (machine.played / "enabled").exists()

"""Whose a file is that can't be used, and the command that mends it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.files import FileError, read
from companion.rights import give, mend, strangers, user

DENIED = PermissionError(13, "Permission denied")
NAMES = {0: "root", 1000: "ellie", 1001: "sam", 990: "companion"}


class Machine:
    """A folder whose files belong to whom a test says, as one of their users sees it; tests may run as root."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.owners: dict[Path, int] = {}
        self.closed: set[Path] = set()
        self.me = 1000
        stat = Path.stat

        def owned(path: Path, **rest: bool) -> SimpleNamespace:
            found = stat(path, **rest)
            owner = self.owners.get(path, 1000 if path.is_relative_to(folder) else 0)
            return SimpleNamespace(st_uid=owner, st_mode=found.st_mode)

        patch.setattr(Path, "stat", owned)
        patch.setattr(Path, "lstat", owned)
        patch.setattr(Path, "home", lambda: folder)
        patch.setattr("companion.rights.os.geteuid", lambda: self.me)
        patch.setattr("companion.rights.os.access", lambda path, _mode, **_: path not in self.closed)
        patch.setattr("pwd.getpwuid", lambda number: SimpleNamespace(pw_name=NAMES[number]))

    def place(self, name: str, owner: int, closed: bool = True) -> Path:
        path = self.folder / name
        if name.endswith("/"):
            path.mkdir()
        else:
            path.touch()
        self.owners[path] = owner
        if closed:
            self.closed.add(path)
        return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path, monkeypatch)


def test_a_file_of_roots_is_given_to_who_calls(machine: Machine) -> None:
    path = machine.place("kit 1.pdf", 0)
    assert mend(path, DENIED, "-") == f"{path} is root's, and ellie may not use it; type: sudo chown ellie '{path}'"


def test_a_file_in_a_folder_of_roots_asks_for_the_folder_with_all_that_is_in_it(machine: Machine) -> None:
    folder = machine.place("tabletop-companion/", 0)
    said = f"{folder} is root's, and ellie may not use it; type: sudo chown -R ellie {folder}"
    assert mend(folder / "storytelling" / "a.toml", DENIED, "-") == said


def test_a_file_of_ones_own_needs_no_other_user(machine: Machine) -> None:
    path = machine.place("a.toml", 1000)
    assert mend(path, DENIED, "-") == f"your rights to {path} don't allow it; type: chmod u+rwX {path}"


def test_what_is_the_systems_stays_the_systems(machine: Machine, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("usr")
    machine.closed.add(folder)
    assert mend(folder / "kit.pdf", DENIED, "name another file") == f"{folder} is root's; name another file"


def test_what_is_the_boxes_is_used_as_the_boxes_user(machine: Machine) -> None:
    folder = machine.place("state/", 990)
    said = f"{folder} is the box's own; call this as its user: sudo -u companion companion ..."
    assert mend(folder / "phoenix.journal", DENIED, "-") == said


@pytest.mark.parametrize(
    "error", [FileNotFoundError(2, "No such file"), OSError(28, "No space left"), PermissionError()]
)
def test_whatever_else_is_wrong_has_its_own_remedy(machine: Machine, error: OSError) -> None:
    path = machine.place("a.toml", 0, closed=False)
    assert mend(path, error, "name another file") == "name another file"


def test_root_may_use_everything_and_is_told_nothing(machine: Machine) -> None:
    machine.me = 0
    assert mend(machine.place("a.toml", 1000), DENIED, "name another file") == "name another file"


def test_files_that_the_owner_of_a_folder_can_not_use_are_found_whoever_asks(machine: Machine) -> None:
    settings, starts = machine.place("settings.json", 0), machine.place("starts.json", 0)
    machine.place("phoenix.journal", 1000)
    machine.place("for-all", 0).chmod(0o666)
    machine.place("folder/", 0)
    for machine.me in (0, 1000):
        assert strangers(machine.folder) == [settings, starts]
    assert give("ellie", [settings, starts]) == f"sudo chown ellie {settings} {starts}"
    assert strangers(machine.folder / "nowhere") == []


def test_a_user_without_a_name_is_told_by_his_number() -> None:
    assert user(4_000_000) == "user 4000000"


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a second user")
def test_the_system_itself_refuses_a_file_of_roots_to_another_user() -> None:
    """Nothing is made up here; only root can become somebody else."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        path = Path(folder) / "settings.json"
        path.write_text("{}")
        path.chmod(0o600)
        os.seteuid(65534)
        try:
            with pytest.raises(FileError) as caught:
                read(path)
        finally:
            os.seteuid(0)
    assert str(caught.value) == f"{path}: can't be read (Permission denied); {path} is root's; name a file that can"

"""The real installer in a clean Debian: as far as it goes without a Raspberry Pi."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from fake_root import PROJECT, why_no_namespace

HERE = Path(__file__).parent
PASSED_ON = re.compile(r"(?i)(\w+_proxy|PIP_CERT|PIP_INDEX_URL|PIP_DEFAULT_TIMEOUT)")
"""Variables by which pip and apt reach their registries."""
ENVIRON = {name: value for name, value in os.environ.items() if PASSED_ON.fullmatch(name)}
ENVIRON["PATH"] = "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
LOCK = PROJECT / "systemd/requirements.lock"
SYSTEMS_OWN = ("numpy", "opencv-python-headless")
TRUST = ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt")
INSTALL = "/clone/systemd/install.sh"
IN_ROOT = 'mount -t proc proc "$1/proc" && mount --bind /dev "$1/dev" && exec chroot "$@"'

pytestmark = pytest.mark.soak


class CleanDebian:
    """A root without anything but the base system, with a clone of the project in it."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.base = root / "opt/companion"
        command = [
            "debootstrap",
            "--variant=minbase",
            "--include=python3,ca-certificates,systemd",
            "bookworm",
            str(root),
        ]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        for name in TRUST:
            shutil.copy(f"/{name}", root / name)
        for part in ("companion", "vision", "devices", "systemd"):
            shutil.copytree(PROJECT / part, root / "clone" / part, ignore=shutil.ignore_patterns("__pycache__"))
        for part in ("pyproject.toml", "README.md"):
            shutil.copy(PROJECT / part, root / "clone")

    def run(self, *command: str, answer: str = "") -> subprocess.CompletedProcess[str]:
        """Runs a command in it, with an environment of its own."""
        return subprocess.run(
            self._command(*command), env=ENVIRON, input=answer, capture_output=True, text=True, check=False
        )

    def _command(self, *command: str) -> list[str]:
        return ["unshare", "--mount", "sh", "-c", IN_ROOT, "sh", str(self.root), *command]

    def install(self) -> str:
        """Runs the installer, and what it says."""
        done = self.run(INSTALL)
        assert done.returncode == 0, done
        return done.stdout

    def kill_when_there_is(self, pattern: str) -> None:
        """Runs the installer and kills it with all that it started, as soon as its folder holds such a path."""
        running = subprocess.Popen(
            self._command(INSTALL), env=ENVIRON, stdout=subprocess.DEVNULL, start_new_session=True
        )
        while not any(self.base.glob(pattern)):
            assert running.poll() is None, running.args
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()

    def release(self, version: str) -> None:
        """The clone is at this version from now on."""
        file = self.root / "clone/pyproject.toml"
        file.write_text(re.sub(r'^version = ".*"$', f'version = "{version}"', file.read_text(), flags=re.M))

    def used(self, link: str = "current") -> str:
        """The version in use."""
        return (self.base / link).readlink().name.partition("-")[0]


@pytest.fixture(scope="module")
def debian(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CleanDebian]:
    reason = why_no_namespace()
    if not reason and not shutil.which("debootstrap"):
        reason = "debootstrap is not installed: apt-get install debootstrap"
    if reason:
        pytest.skip(reason)
    root = tmp_path_factory.mktemp("debian")
    os.chmod(root, 0o755)  # noqa: PTH101 # the service's user must be able to look in
    yield CleanDebian(root)
    shutil.rmtree(root)


def test_a_life_of_the_box_from_installation_to_removal(
    debian: CleanDebian, record_property: pytest.RecordProperty
) -> None:
    _installs(debian, record_property)
    _does_nothing_twice(debian)
    _stays_as_it_is_where_nothing_passes_the_test(debian)
    _refuses_files_that_are_not_the_locked_ones(debian)
    _notices_the_clash_of_two_numpys(debian)
    _updates_although_it_was_cut(debian)
    _runs(debian)
    _rolls_back(debian)
    _removes(debian)


def _installs(debian: CleanDebian, record_property: pytest.RecordProperty) -> None:
    debian.release("1.0.0")
    began_s = time.monotonic()
    said = debian.install()
    record_property("install_s", round(time.monotonic() - began_s))
    assert "Installed: version 1.0.0-" in said
    assert "systemd is not running here" in said
    python = "/opt/companion/current/venv/bin/python"
    origin = "import cv2, numpy; print(numpy.__version__, cv2.__version__, cv2.__file__, numpy.__file__)"
    where = debian.run(python, "-c", origin).stdout.split()
    assert where[:2] == ["1.24.2", "4.6.0"]
    assert all(path.startswith("/usr/lib/python3/dist-packages/") for path in where[2:])
    local = debian.run(python, "-m", "pip", "list", "--local", "--format=freeze").stdout
    own = {"pip", "tabletop-companion", *SYSTEMS_OWN}
    assert {name: version for name, version in _pinned(local).items() if name not in own} == {
        name: version for name, version in _pinned(LOCK.read_text()).items() if name not in SYSTEMS_OWN
    }
    assert _pinned(local)["tabletop-companion"] == "1.0.0"
    assert debian.run("companion", "config", "check").stdout.endswith("/etc/companion/config.toml: all right\n")
    settings = (debian.root / "etc/companion/config.toml").stat()
    assert (settings.st_mode & 0o777, settings.st_uid) == (0o640, 0)
    assert settings.st_gid == int(debian.run("id", "-g", "companion").stdout)
    assert debian.run("id", "-nG", "companion").stdout.split()[1:] == ["video", "gpio", "i2c", "spi"]
    wants = debian.root / "etc/systemd/system/multi-user.target.wants/companion.service"
    assert wants.is_symlink()
    verified = debian.run("systemd-analyze", "verify", "/etc/systemd/system/companion.service")
    assert (verified.returncode, verified.stderr) == (0, "")


def _pinned(text: str) -> dict[str, str]:
    found = re.findall(r"^(\w[\w.-]*)==(\S+)", text, re.MULTILINE)
    return {re.sub(r"[-_.]+", "-", name).lower(): version for name, version in found}


def _does_nothing_twice(debian: CleanDebian) -> None:
    before = {path: path.lstat().st_mtime_ns for path in debian.base.rglob("*")}
    assert debian.install().endswith(" is installed already; nothing was changed.\n")
    assert {path: path.lstat().st_mtime_ns for path in debian.base.rglob("*")} == before


def _stays_as_it_is_where_nothing_passes_the_test(debian: CleanDebian) -> None:
    """A broken package of the system's breaks the version in use, and the one that is built to replace it."""
    before = {path: path.lstat().st_mtime_ns for path in debian.base.rglob("*")}
    broken = debian.root / "usr/lib/python3/dist-packages/lgpio.py"
    broken.write_text("raise ValueError('broken')\n")
    done = debian.run(INSTALL)
    assert done.returncode == 1
    assert "does not pass its test, see above; it is not used" in done.stderr
    after = {path: path.lstat().st_mtime_ns for path in debian.base.rglob("*") if path != debian.base / "releases"}
    assert after == {path: before[path] for path in after}
    assert len(after) == len(before) - 1
    broken.unlink()


def _refuses_files_that_are_not_the_locked_ones(debian: CleanDebian) -> None:
    lock = debian.root / "clone/systemd/requirements.lock"
    text = lock.read_text()
    lock.write_text(re.sub(r"sha256:.{8}", f"sha256:{'0' * 8}", text))
    done = debian.run(INSTALL)
    assert done.returncode == 1
    assert "THESE PACKAGES DO NOT MATCH THE HASHES" in done.stderr
    assert len(list((debian.base / "releases").iterdir())) == 1
    lock.write_text(text)


def _notices_the_clash_of_two_numpys(debian: CleanDebian) -> None:
    """What happens to boxes on which somebody installs a newer numpy beside the system's; the next run mends it."""
    python = "/opt/companion/current/venv/bin/python"
    newer = debian.run(python, "-m", "pip", "install", "-q", "--only-binary=:all:", "--no-cache-dir", "numpy>=2")
    assert newer.returncode == 0, newer
    helper, held = ("/opt/companion/current/" + name for name in ("systemd/packages.py", "constraints.txt"))
    done = debian.run(python, helper, "selftest", held)
    assert done.returncode == 1
    assert "import cv2: " in done.stdout
    said = debian.install()
    assert "is there, but does not pass its test:" in said
    assert re.search(r"^Installed: version 1\.0\.0-[0-9a-f]{8}-2\.$", said, re.MULTILINE)
    assert debian.run(python, helper, "selftest", held).returncode == 0


def _updates_although_it_was_cut(debian: CleanDebian) -> None:
    """First while pip is at work, and again when the new version lies there."""
    state = debian.root / "var/lib/companion"
    state.mkdir()
    (state / "phoenix.journal").write_text("a game")
    debian.release("1.1.0")
    for path in ("venv/lib/*/site-packages/click-*.dist-info", "complete"):
        debian.kill_when_there_is(f"releases/1.1.0-*/{path}")
        assert (debian.base / "current/complete").exists()
        assert debian.run("companion", "--version").returncode == 0
    assert "Installed: version 1.1.0-" in debian.install()
    assert (debian.used(), debian.used("previous")) == ("1.1.0", "1.0.0")
    assert len(list((debian.base / "releases").iterdir())) == 2


def _runs(debian: CleanDebian) -> None:
    """Under the real systemd: it comes up, goes back and forth with its service restarted, and ends quickly."""
    job = debian.root.with_name("job")
    job.mkdir()
    shutil.copy(HERE / "box_job.sh", job)
    command = ["sh", HERE / "in_namespace.sh", job, "box_job.sh", debian.root]
    console = subprocess.run(command, capture_output=True, text=True, check=False)
    said = dict(line.split(": ", 1) for line in (job / "said").read_text().splitlines() if ": " in line)
    assert said["active"] == "0 active", (console, said)
    assert said["in use"] == "current 1.1.0, runs 1.1.0"
    assert said["rollback cut"] == "current 1.0.0, runs 1.1.0"
    assert re.fullmatch(r"Version 1\.0\.0-\S+ is used again, instead of 1\.1\.0-\w+\.", said["rollback"])
    assert said["after rollback"] == "current 1.0.0, runs 1.0.0, 0 active"
    assert said["update cut"] == "current 1.1.0, runs 1.0.0"
    assert re.fullmatch(r"Installed: version 1\.1\.0-\w+\.", said["update"])
    assert said["after update"] == "current 1.1.0, runs 1.1.0, 0 active"
    assert said["again"].endswith("is installed already; nothing was changed.")
    assert said["stopped"] == "inactive success"
    shutil.rmtree(job)


def _rolls_back(debian: CleanDebian) -> None:
    done = debian.run("/opt/companion/current/systemd/install.sh", "--rollback")
    assert done.returncode == 0, done
    assert (debian.used(), debian.used("previous")) == ("1.0.0", "1.1.0")
    assert (debian.root / "var/lib/companion/phoenix.journal").read_text() == "a game"


def _removes(debian: CleanDebian) -> None:
    assert debian.run(INSTALL, "--remove").returncode == 0
    assert not debian.base.exists()
    assert not (debian.root / "etc/systemd/system/companion.service").exists()
    assert (debian.root / "var/lib/companion/phoenix.journal").read_text() == "a game"
    assert debian.run(INSTALL, "--purge", answer="yes\n").returncode == 0
    assert not (debian.root / "var/lib/companion").exists()
    assert not (debian.root / "etc/companion").exists()
    assert debian.run("id", "companion").returncode == 1

"""A machine that is only a folder: the installer works in it, and what it would call is played by one small script."""

from __future__ import annotations

import copy
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PLAYED = ("apt-get", "apt-cache", "dpkg", "dpkg-query", "df", "sync", "systemctl", "systemd-sysusers")
QUESTIONS = ("python", "companion", "systemctl --version", "systemctl -q is-enabled", "systemctl show")
ALL_PACKAGES = ("python3-venv", "python3-numpy", "python3-opencv", "libzbar0", "fonts-spleen")
OS_RELEASE = 'PRETTY_NAME="{name}"\nID={id}\nVERSION_ID="{version}"\n'

PLAYER = """#!/bin/sh
# Plays the programs that an installer calls. What they answer lies in files, what they were asked is written down.
me=$(basename "$0")
played=$COMPANION_ROOT/played
case $me in dpkg-query | df | dpkg | apt-cache | sync) ;; *) echo "$me $*" >>"$played/calls" ;; esac
is_one_of() { basename "$2" | grep -qxf "$played/$1" 2>/dev/null; } # releases, as patterns of grep
has() { grep -qx -- "$2" "$played/$1" 2>/dev/null; }
unit=$COMPANION_ROOT/etc/systemd/system/companion.service
service=$COMPANION_ROOT/proc/42
run_it() { # the service's program names the Python of its release in its first line
    mkdir -p "$service"
    release=$(readlink -f "$COMPANION_ROOT/opt/companion/current") || exit 1
    printf '%s/venv/bin/python\\0serve\\0' "$release" >"$service/cmdline"
    cp "$played/loaded" "$service/unit"
    ! is_one_of unstartable "$release" || { rm -r "$service"; exit 1; }
}
case "$me $*" in
'dpkg --print-architecture') cat "$played/architecture" ;;
'df '*) printf 'heading\\n/dev/x 1 1 %s000 1%% /\\n' "$(cat "$played/free_mb")" ;;
dpkg-query*) for name; do :; done; has installed "$name" && printf 'ii ' ;;
'apt-get update'*) [ ! -e "$played/offline" ] || { echo 'E: Could not resolve host'; exit 100; } ;;
'apt-get install'*)
    shift 4
    [ ! -e "$played/apt_fails" ] || { echo 'E: unmet dependencies'; exit 100; }
    for name; do echo "$name" >>"$played/installed"; done
    ;;
'apt-cache madison'*) has known "$2" && echo "$2 | 1.0 | somewhere" ;;
'systemctl --version') echo "systemd $(cat "$played/systemd") (x)" ;;
'systemctl show -P MainPID companion') [ ! -e "$service" ] && echo 0 || echo 42 ;;
'systemctl daemon-reload')
    rm -f "$played/loaded"
    [ ! -e "$unit" ] || cp "$unit" "$played/loaded"
    ;;
'systemctl restart companion') run_it ;;
'systemctl stop companion') rm -rf "$service" ;;
'systemctl -q is-enabled'*) [ -e "$played/enabled" ] ;;
'systemctl -q enable'*) : >"$played/enabled" ;;
'systemctl -q disable'*) rm -f "$played/enabled" ;;
systemd-sysusers* | sync* | 'dpkg --configure -a') ;;
'python3 -m venv'*)
    mkdir -p "$4/bin"
    for name in python companion; do ln -s "$played/bin/python3" "$4/bin/$name"; done
    ;;
'python -m pip'*) [ ! -e "$played/pip_fails" ] || { echo 'ERROR: No matching distribution'; exit 1; } ;;
'python '*'selftest'*)
    ! is_one_of selftest_fails "${0%/venv/bin/*}" || { echo 'cv2: numpy.dtype size changed'; exit 1; }
    ;;
'companion --version') echo 'companion, version 1' ;;
'companion config example') cat "$played/example" ;;
'companion config check'*) ! grep -n wrong "$3" ;;
*packages.py' clashes') [ ! -e "$played/clashes" ] || { cat "$played/clashes"; exit 1; } ;;
*packages.py' '*) ;;
'python3 -c '*) cat "$played/python" ;;
*) echo "$me $*: nobody plays that" >&2; exit 99 ;;
esac
"""


class FakeRoot:
    """The machine.

    Args:
        folder: an empty one.
    """

    def __init__(self, folder: Path) -> None:
        self._lies_in(folder)
        bin_ = self.played / "bin"
        bin_.mkdir(parents=True)
        (self.played / "player").write_text(PLAYER)
        (self.played / "player").chmod(0o755)
        for name in (*PLAYED, "python3"):
            (bin_ / name).symlink_to(self.played / "player")
        self.write("etc/os-release", OS_RELEASE.format(name="Debian GNU/Linux 12", id="debian", version=12))
        self.write("run/systemd/system/here", "")
        self.play(architecture="arm64", free_mb="9000", systemd="252", example="[box]\n", installed="", python="3.11\n")
        self.play(known="\n".join(ALL_PACKAGES) + "\n")
        for part in ("companion", "vision", "devices"):
            (self.clone / part).mkdir(parents=True)
            (self.clone / part / "__init__.py").write_text("")
        shutil.copytree(PROJECT / "systemd", self.clone / "systemd", ignore=shutil.ignore_patterns("__pycache__"))
        (self.clone / "README.md").write_text("# Read me\n")
        self.release("1.0")

    def _lies_in(self, folder: Path) -> None:
        self.folder = folder
        self.root = folder / "machine"
        self.played = self.root / "played"
        self.clone = folder / "clone"
        self.base = self.root / "opt/companion"

    def twin(self, folder: Path) -> FakeRoot:
        """The same machine once more, in a folder that isn't there yet; this one must go on existing."""
        shutil.copytree(self.folder, folder, symlinks=True)
        other = copy.copy(self)
        other._lies_in(folder)
        return other

    def play(self, **answers: str) -> None:
        """What the played programs answer from now on."""
        for name, text in answers.items():
            (self.played / name).write_text(text)

    def write(self, path: str, text: str) -> Path:
        """Writes a file of the machine."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def read(self, path: str) -> str:
        """A file of the machine."""
        return (self.root / path).read_text()

    def release(self, version: str) -> None:
        """The clone is at this version from now on."""
        text = f'[project]\nversion = "{version}"\ndependencies = ["click>=8", "opencv-python-headless>=4.7"]\n'
        (self.clone / "pyproject.toml").write_text(text)

    def run(
        self, *arguments: str, answer: str = "", cut: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs the installer of the clone; in bash, with these further variables, if it is to be cut."""
        bin_ = self.played / "bin"
        environ = {
            "PATH": f"{bin_}:{os.environ['PATH']}",
            "COMPANION_ROOT": str(self.root),
            "COMPANION_PYTHON": str(bin_ / "python3"),
            **(cut or {}),
        }
        command = [*(["bash"] if cut else []), str(self.clone / "systemd/install.sh"), *arguments]
        return subprocess.run(command, env=environ, input=answer, capture_output=True, text=True, check=False)

    def install(self, version: str) -> str:
        """Installs this version, and what is said about it."""
        self.release(version)
        done = self.run()
        assert (done.returncode, done.stderr) == (0, ""), done
        return done.stdout

    def calls(self) -> list[str]:
        """What was called since the last time, but for questions."""
        file = self.played / "calls"
        lines = file.read_text().splitlines() if file.exists() else []
        file.unlink(missing_ok=True)
        return [line for line in lines if not line.startswith(QUESTIONS)]

    def runs(self) -> str:
        """The release whose program the service runs; empty if none."""
        line = self.root / "proc/42/cmdline"
        return line.read_text().partition("/venv/")[0].rpartition("/")[2] if line.exists() else ""

    def used(self, link: str = "current") -> str:
        """The version that is used, without its fingerprint; empty if there is none."""
        path = self.base / link
        return path.resolve(strict=True).name.partition("-")[0] if path.is_symlink() else ""

    def releases(self) -> list[str]:
        """The versions that are kept, without their fingerprints."""
        return sorted(path.name.partition("-")[0] for path in (self.base / "releases").iterdir())

    def contents(self) -> dict[str, tuple[int, str]]:
        """All files and links of the machine, with the time of their last change; but for the played programs."""
        found = {}
        for path in sorted(self.root.rglob("*")):
            if not path.is_relative_to(self.played):
                text = str(path.readlink()) if path.is_symlink() else path.read_text() if path.is_file() else "folder"
                found[str(path.relative_to(self.root))] = (path.lstat().st_mtime_ns, text)
        return found


def why_no_namespace() -> str:
    """Why the real systemd can't be started in namespaces here; empty if it can."""
    if os.geteuid() != 0:
        return "only root can start systemd in namespaces"
    lacking = [name for name in ("unshare", "systemctl", "journalctl") if not shutil.which(name)]
    if lacking or not Path("/lib/systemd/systemd").exists():
        return f"not installed: {', '.join(lacking) or 'systemd'}"
    tried = subprocess.run(
        ["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, text=True, check=False
    )
    return tried.stderr.strip()

"""The computer under the box: settings, other programs, clock, disk, power supply, heat, versions.

What a computer doesn't tell is not known, and no fault: a laptop has no flag for a weak power supply.
"""

from __future__ import annotations

import errno
import os
import platform
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

import companion
from companion import files as filed
from companion.app.doctor.checks import Check, Measure, Verdict
from companion.rights import give, mend, strangers, user
from companion.service.config_file import Loaded
from companion.service.kept import Kept
from companion.service.lock import holder_of
from companion.service.pair import FULL
from companion.service.starts import Starts
from devices.pins import MODEL, installed, rivals

SERVICE = "companion"
STOP = f"sudo systemctl stop {SERVICE}"
RUNNING = ("active", "activating", "reloading", "deactivating")
"""What systemd says of a service that has camera and devices."""
LEAST_MB, LITTLE_MB = 20, 200
"""With less room a game may not be saved any more, or not for long."""
SLACK = timedelta(hours=1)
"""Clocks may differ by so much, and no more, before one of them is wrong."""
UNDER_VOLTAGE, CAPPED, THROTTLED, HOT = 1 << 0, 1 << 1, 1 << 2, 1 << 3
SINCE_BOOT = 16
"""The same flags, so many bits higher: it was so at some time. Source: Raspberry Pi documentation, vcgencmd."""
PACKAGES = (
    "numpy",
    "opencv-python-headless",
    "opencv-python",
    "opencv",
    "zxing-cpp",
    "pyzbar",
    "pillow",
    "luma.oled",
    "luma.core",
    "smbus2",
    "spidev",
    "gpiozero",
    "lgpio",
    "rpi-lgpio",
    "RPi.GPIO",
    "picamera2",
    "msgspec",
    "click",
)
"""Whose versions are told, as far as they are installed."""
_FIRMWARE = Path("sys/devices/platform/soc/soc:firmware/get_throttled")


def run(command: Sequence[str], limit_s: float = 10.0) -> str:
    """What a command prints on standard output; empty where there is no such command, or it takes too long."""
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=limit_s,
            check=False,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode("utf-8", "replace")


def probe(folder: Path) -> int:
    """The number of the error that writing to a folder ends with; 0 for none. Nothing is left there."""
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(bytes(65536))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        return error.errno or errno.EIO
    return 0


class Computer(msgspec.Struct, frozen=True):
    """How the computer is asked.

    Attributes:
        root: where the file system begins.
        run: runs a command, see `run`.
        now: the time of its clock, in UTC.
        usage: bytes that are free on the disk of a folder.
        probe: tries to write there, see `probe`.
    """

    root: Path = Path("/")
    run: Callable[[Sequence[str]], str] = run
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    usage: Callable[[Path], int] = lambda path: shutil.disk_usage(path).free
    probe: Callable[[Path], int] = probe

    def told(self, path: Path) -> str:
        """What stands in a file below the root; empty if it can't be read."""
        below = self.root / path.relative_to("/") if path.is_absolute() else self.root / path
        try:
            return filed.read(below).decode().strip("\0\n ")
        except (filed.FileError, UnicodeDecodeError):
            return ""

    @property
    def model(self) -> str:
        """Which Raspberry Pi it is; empty if it is none."""
        return self.told(MODEL)


def of_settings(loaded: Loaded, kept: Kept) -> Check:
    """That nothing is wrong with the configuration file, nor with what people have set by the buttons."""
    where = str(loaded.path) if loaded.path else "no file, so the defaults"
    count = len(loaded.problems) + len(kept.problems)
    measured = (Measure("file", str(loaded.path) if loaded.path else None), Measure("problems", count))
    if not count:
        return Check("settings", Verdict.OK, where, measured)
    first = [*loaded.complaint(), *kept.complaint()][0]
    more = f" and {count - 1} more" if count > 1 else ""
    return Check("settings", Verdict.WARNING, f"{first}{more}", measured, "companion config check tells all.")


def of_starts(starts: Starts) -> Check:
    """That the box last came up as it should."""
    failed, reason = starts.before.failed, starts.before.reason
    measured = (Measure("failed", failed), Measure("safe-mode", starts.safe))
    if not failed:
        return Check("starts", Verdict.OK, "", measured)
    said = f"{failed} failed in a row" + (f": {reason}" if reason else "")
    if not starts.safe:
        return Check("starts", Verdict.WARNING, said, measured)
    remedy = "The box comes up in safe mode, with a simulated camera, until button A is pressed there."
    return Check("starts", Verdict.WARNING, said, measured, remedy)


def of_service(computer: Computer, journals: Path) -> Check:
    """That no other program has camera, devices and games."""
    state = computer.run(["systemctl", "is-active", SERVICE]).strip()
    holders = sorted(set(_holders(journals)))
    measured = (Measure("service", state or None), Measure("holders", holders))
    if state in RUNNING:
        said = "the box is running, so camera and devices are in use"
        return Check("service", Verdict.WARNING, said, measured, f"{STOP}; afterwards: sudo systemctl start {SERVICE}")
    if holders:
        said = f"process {' and '.join(holders)} is playing"
        return Check("service", Verdict.WARNING, said, measured, "End that game first.")
    if state == "failed":
        return Check("service", Verdict.WARNING, "it failed", measured, f"journalctl -u {SERVICE} tells why.")
    return Check("service", Verdict.OK, "not running", measured)


def in_use(service: Check) -> bool:
    """Whether by the finding of `of_service` somebody has camera and devices."""
    measured = {one.what: one.value for one in service.measured}
    return measured["service"] in RUNNING or bool(measured["holders"])


def of_clock(computer: Computer, journals: Path) -> Check:
    """That the time is plausible, and comes from the network. A Raspberry Pi has no clock that runs while it is off."""
    now = computer.now()
    synchronised = computer.run(["timedatectl", "show", "--property=NTPSynchronized", "--value"]).strip()
    if (computer.root / "run/systemd/timesync/synchronized").exists():
        synchronised = "yes"
    measured = (
        Measure("time", f"{now:%Y-%m-%dT%H:%M:%SZ}"),
        Measure("synchronised", {"yes": True, "no": False}.get(synchronised)),
    )
    said = f"it says {now.astimezone():%Y-%m-%d %H:%M}"
    remedy = "Give it a network until it is right. No game needs the time; only the dates of games are wrong."
    if now + SLACK < _changed(Path(companion.__file__)):
        return Check("clock", Verdict.WARNING, f"{said}, before this program was installed", measured, remedy)
    if any(now + SLACK < _changed(path) for path in files(journals, "*.journal")):
        return Check("clock", Verdict.WARNING, f"{said}, but games were saved later than that", measured, remedy)
    if synchronised == "yes":
        return Check("clock", Verdict.OK, f"{said}, set by the network", measured)
    if synchronised == "no":
        return Check("clock", Verdict.WARNING, f"{said}, not set by the network", measured, remedy)
    return Check("clock", Verdict.UNKNOWN, f"{said}; whether the network has set it is not known here", measured)


def of_disk(computer: Computer, journals: Path) -> Check:
    """That games can be saved, by really writing something where they are. Nothing is left of it."""
    folder = next((path for path in (journals, *journals.parents) if is_folder(path)), Path("/"))
    try:
        free = round(computer.usage(folder) / 1e6)
    except OSError as error:
        return Check("disk", Verdict.FAULT, f"{folder}: {error.strerror}", (), "Is the folder's disk there?")
    measured = (Measure("folder", str(journals)), Measure("free", free, "MB"))

    def found(verdict: Verdict, says: str, remedy: str = "") -> Check:
        return Check("disk", verdict, f"{says} ({folder})", measured, remedy)

    number = computer.probe(folder) if folder == journals else (0 if os.access(folder, os.W_OK) else errno.EACCES)
    if number in FULL or free < LEAST_MB:
        return found(Verdict.FAULT, f"full: {free} MB free", "Free some space: df -h tells which disk, sudo apt clean.")
    if number == errno.EROFS:
        remedy = (
            "The card may be worn out: copy the games, take a new card. A restart may make it writable for a while."
        )
        return found(Verdict.FAULT, "read-only", remedy)
    if number in (errno.EACCES, errno.EPERM):
        as_box = "Call it as the service's user: sudo -u companion companion doctor"
        remedy = mend(folder / "game", PermissionError(), as_box)
        return found(Verdict.FAULT, "games can't be saved by this user", remedy)
    if number:
        return found(Verdict.FAULT, f"can't be written: {os.strerror(number)}", "Copy the games, take a new card.")
    if others := strangers(journals):
        owner = user(journals.stat().st_uid)
        names = ", ".join(path.name for path in others)
        remedy = f"Give them to {owner}: {give(owner, others)}"
        return found(Verdict.FAULT, f"somebody else's, so that {owner} can't use them: {names}", remedy)
    if free < LITTLE_MB:
        return found(
            Verdict.WARNING, f"only {free} MB free", "Free some space: df -h tells which disk, sudo apt clean."
        )
    return found(Verdict.OK, f"{free} MB free" if free < 10_000 else f"{free / 1000:.0f} GB free")


def of_power(computer: Computer) -> Check:
    """That the power supply is strong enough."""
    flags = _flags(computer)
    measured = (Measure("throttled", None if flags is None else f"0x{flags:x}"),)
    remedy = "Use the official power supply and its own cable."
    if flags is None:
        return Check("power", Verdict.UNKNOWN, "not known here", measured)
    if flags & UNDER_VOLTAGE:
        return Check("power", Verdict.FAULT, "too weak: the voltage is too low now", measured, remedy)
    if flags >> SINCE_BOOT & UNDER_VOLTAGE:
        said = "faltered: the voltage was too low at some time since it was switched on"
        return Check("power", Verdict.WARNING, said, measured, remedy)
    return Check("power", Verdict.OK, "", measured)


def of_heat(computer: Computer) -> Check:
    """That it doesn't run slowly for being too hot."""
    flags, told = _flags(computer), computer.told(Path("sys/class/thermal/thermal_zone0/temp"))
    degrees = round(int(told) / 1000) if told.isdecimal() else None
    measured = (Measure("temperature", degrees, "°C"),)
    warm = "" if degrees is None else f"{degrees} °C"
    if flags is None:
        return Check("heat", Verdict.UNKNOWN, warm or "not known here", measured)
    hot, was = (
        flags >> shift & (HOT | THROTTLED | CAPPED) and not flags >> shift & UNDER_VOLTAGE for shift in (0, SINCE_BOOT)
    )
    if hot or was:
        said = f"{'too hot' if hot else 'was too hot'}, so it runs slower" + (f": {warm}" if warm else "")
        return Check("heat", Verdict.WARNING, said, measured, "Give it air: slots, or a fan.")
    return Check("heat", Verdict.OK, warm, measured)


def of_versions(computer: Computer, lacking: Sequence[str]) -> Check:
    """What is installed.

    Args:
        computer: it.
        lacking: what else is missing on this system, in words.
    """
    found = versions(computer)
    measured = tuple(Measure(name, value) for name, value in found.items())
    wrong = [problem for problem in (rivals(installed()), *lacking) if problem]
    said = f"companion {found['companion']}, Python {found['python']}, {found['system']}"
    if found["model"]:
        said += f", {found['model']}"
    if wrong:
        return Check("versions", Verdict.WARNING, f"{said}; {'; '.join(wrong)}", measured)
    return Check("versions", Verdict.OK, said, measured)


def versions(computer: Computer) -> Mapping[str, str]:
    """Versions by name: of this program, of the system, and of the packages it is built on."""
    system = re.search(r'^PRETTY_NAME="?([^"\n]*)', computer.told(Path("etc/os-release")), re.MULTILINE)
    found = {
        "companion": companion.__version__,
        "python": platform.python_version(),
        "system": system[1] if system else platform.system(),
        "kernel": platform.release(),
        "machine": platform.machine(),
        "model": computer.model,
    }
    for name in PACKAGES:
        with suppress(PackageNotFoundError):
            found[name.lower()] = version(name)
    return found


def _flags(computer: Computer) -> int | None:
    """The firmware's flags of voltage and heat; of the kernel's own driver only the one of voltage."""
    said = computer.run(["vcgencmd", "get_throttled"])
    if found := re.search(r"throttled=0x([0-9a-fA-F]+)", said):
        return int(found[1], 16)
    with suppress(ValueError):
        return int(computer.told(_FIRMWARE), 16)
    for folder in sorted((computer.root / "sys/class/hwmon").glob("*")):
        if computer.told(Path("/") / folder.relative_to(computer.root) / "name") == "rpi_volt":
            alarm = computer.told(Path("/") / folder.relative_to(computer.root) / "in0_lcrit_alarm")
            if alarm in ("0", "1"):
                return int(alarm) << SINCE_BOOT
    return None


def _holders(journals: Path) -> Iterator[str]:
    """Numbers of the processes that play with journals."""
    return filter(None, map(holder_of, files(journals, "*.journal")))


def is_folder(path: Path) -> bool:
    """Whether a folder is there that may be looked into."""
    try:
        return path.is_dir()
    except OSError:  # one above it is closed to this user
        return False


def files(folder: Path, pattern: str) -> list[Path]:
    """The files of a folder that are called so, by name; none of one that isn't there or is closed to this user."""
    try:
        return sorted(folder.glob(pattern)) if is_folder(folder) else []
    except OSError:
        return []


def _changed(path: Path) -> datetime:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return datetime.fromtimestamp(0, UTC)

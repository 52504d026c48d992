"""The daemon, as the service manager sees it."""

from __future__ import annotations

import fcntl
import os
import signal
import socket
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.app.serve import Daemon
from companion.rights import user
from companion.service.notify import Notifier, Watchdog
from companion.service.starts import PATIENCE, Record, Starts
from tests.waiting import PATIENCE_S, ended, until

ROOT = Path(__file__).resolve().parents[2]
PLAY = "companion play (or ./go play where the program lies)"


class FakeHost:
    """Does nothing in each step, and stops the daemon after some."""

    doing = "lobby"

    def __init__(self) -> None:
        self.steps = 0
        self.closed = False
        self.daemon: Daemon | None = None

    def step(self, _now_s: float) -> None:
        self.steps += 1
        if self.steps == 5 and self.daemon:
            self.daemon.stop()

    def close(self) -> None:
        self.closed = True


class FakeCamera:
    """May be stuck."""

    name = "fake"
    stuck = False

    def read(self) -> None:
        return None

    def close(self) -> None:
        pass


class Manager:
    """The service manager's end of the socket."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "notify"
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind(str(self.path))
        self._socket.settimeout(PATIENCE_S)

    def next(self) -> str:
        return self._socket.recv(4096).decode()

    def all(self) -> list[str]:
        self._socket.setblocking(False)
        found = []
        while True:
            try:
                found.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return found

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    found = Manager(tmp_path)
    yield found
    found.close()


def _run(tmp_path: Path, manager: Manager, stuck: bool = False) -> FakeHost:
    host, camera, times = FakeHost(), FakeCamera(), iter(range(0, 1000, 10))
    camera.stuck = stuck
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.path)})
    daemon = Daemon(
        lambda: host,  # type: ignore[arg-type, return-value]
        camera,
        Starts(tmp_path / "starts.json"),
        notifier,
        Watchdog(notifier, 15.0),
        lambda: float(next(times)),
        lambda _seconds: None,
    )
    host.daemon = daemon
    daemon.run()
    return host


def test_the_manager_hears_that_the_box_is_ready_alive_and_stopping(tmp_path: Path, manager: Manager) -> None:
    assert _run(tmp_path, manager).closed
    told = manager.all()
    assert (told[0].split("\n")[0], told[-1]) == ("READY=1", "STOPPING=1")
    assert "WATCHDOG=1" in told


def test_a_camera_that_is_stuck_for_good_stops_the_feeding(tmp_path: Path, manager: Manager) -> None:
    _run(tmp_path, manager, stuck=True)
    assert "WATCHDOG=1" not in manager.all()


def test_what_a_start_stumbles_over_is_kept_for_the_next_one(tmp_path: Path, manager: Manager) -> None:
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.path)})

    def broken() -> FakeHost:
        raise OSError("no such bus")

    daemon = Daemon(broken, FakeCamera(), Starts(tmp_path / "s.json"), notifier, Watchdog(notifier, None))  # type: ignore[arg-type]
    with pytest.raises(OSError, match="no such bus"):
        daemon.run()
    assert Starts(tmp_path / "s.json").before.reason == "OSError: no such bus"


def test_a_camera_that_hangs_for_good_is_the_reason_of_a_failed_start(tmp_path: Path, manager: Manager) -> None:
    class Pulled(Starts):
        """The plug is pulled before it is said that the box was stopped."""

        def ended(self) -> None:
            pass

    notifier = Notifier({"NOTIFY_SOCKET": str(manager.path)})
    host, camera, times = FakeHost(), FakeCamera(), iter(range(0, 1000, 10))
    camera.stuck = True
    starts = Pulled(tmp_path / "s.json")
    daemon = Daemon(
        lambda: host, camera, starts, notifier, Watchdog(notifier, 15.0), lambda: float(next(times)), lambda _s: None,
    )  # type: ignore[arg-type, return-value]  # fmt: skip
    host.daemon = daemon
    daemon.run()
    assert Starts(tmp_path / "s.json").before == Record(1, "fake: hangs again and again; check its cable")


def test_whoever_leaves_safe_mode_ends_the_daemon_and_the_next_start_is_an_ordinary_one(
    tmp_path: Path, manager: Manager
) -> None:
    for _ in range(PATIENCE):
        Starts(tmp_path / "starts.json").failed("OSError: no such bus")
    assert Starts(tmp_path / "starts.json").safe
    host = FakeHost()
    notifier = Notifier({"NOTIFY_SOCKET": str(manager.path)})
    daemon = Daemon(
        lambda: host, FakeCamera(), Starts(tmp_path / "starts.json"), notifier, Watchdog(notifier, None),
        sleep=lambda _s: daemon.leave_safe(),
    )  # type: ignore[arg-type, return-value]  # fmt: skip
    daemon.run()
    assert (host.steps, Starts(tmp_path / "starts.json").before) == (1, Record())


def test_the_real_daemon_starts_without_any_hardware_and_stops_cleanly(tmp_path: Path, manager: Manager) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        f'[camera]\nsource = "virtual:"\n[gpio]\nfactory = "mock"\n[display]\ndriver = "none"\n'
        f'[paths]\njournals = "{tmp_path / "kept"}"\n'
    )
    environ = {**os.environ, "NOTIFY_SOCKET": str(manager.path), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "companion", "serve", "--config", str(config)]
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as process:
        try:
            assert manager.next().startswith("READY=1")
            process.send_signal(signal.SIGTERM)
            _, said = ended(process)
        finally:
            process.kill()
    assert process.returncode == 0, said
    assert "Traceback" not in said
    unseen = "no hardware is here (no Raspberry Pi, no display), so the box runs unseen and only writes this log; "
    assert said.splitlines()[0] == f"{unseen}to play at a virtual table, type: {PLAY}"
    assert said.count("no hardware") == 1


class Box:
    """The real daemon on a computer without hardware, again and again in the same folder."""

    def __init__(self, folder: Path, manager: Manager) -> None:
        self.kept, self._manager = folder / "kept", manager
        self._config = folder / "config.toml"
        self._config.write_text(
            f'[camera]\nsource = "virtual:"\n[gpio]\nfactory = "mock"\n[display]\ndriver = "none"\n'
            f'[paths]\njournals = "{self.kept}"\ncontent = "{folder}"\n'
        )
        self.kept.mkdir()

    def start(self, ends: signal.Signals) -> str:
        """Starts it, ends it with a signal once it is ready, and gives what it said."""
        environ = {**os.environ, "NOTIFY_SOCKET": str(self._manager.path), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "companion", "serve", "--config", str(self._config)]
        with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, text=True) as process:
            try:
                while not self._manager.next().startswith("READY=1"):
                    pass
                process.send_signal(ends)
                _, said = ended(process)
            finally:
                process.kill()
        assert "Traceback" not in said
        return said

    def record(self) -> Record:
        return Starts(self.kept / "starts.json").before


@pytest.fixture
def box(tmp_path: Path, manager: Manager) -> Box:
    return Box(tmp_path, manager)


def test_a_pulled_plug_right_after_the_start_never_leads_to_safe_mode(box: Box) -> None:
    for _ in range(PATIENCE):
        box.start(signal.SIGKILL)
    assert box.record() == Record()


@pytest.mark.parametrize("content", ['{"language":"fr"}', '{"game":' + "[" * 100_000])
def test_settings_that_can_not_be_used_stop_no_start_and_are_said(box: Box, content: str) -> None:
    (box.kept / "settings.json").write_text(content)
    assert f"{box.kept / 'settings.json'}: " in box.start(signal.SIGTERM)


def test_a_pipe_among_the_stories_is_not_waited_for(box: Box, tmp_path: Path) -> None:
    folder = tmp_path / "storytelling" / "story"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "a.toml")
    assert f"{folder / 'a.toml'}: file: is a pipe" in box.start(signal.SIGTERM)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a second user")
def test_files_of_somebody_else_are_said_with_the_command_that_gives_them_back(box: Box) -> None:
    settings = box.kept / "settings.json"
    settings.write_text("{}")
    os.chown(box.kept, 65534, -1)
    said = box.start(signal.SIGTERM)
    assert f"files of somebody else; type: sudo chown {user(65534)} {settings}" in said


OWN_TERMINAL = (
    "import fcntl, runpy, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "runpy.run_module('companion', run_name='__main__')"
)
"""Runs the program so that ctrl-C in its terminal, and the end of that, are signals for it."""


class InTerminal:
    """The real daemon in a real terminal, which is too low for the display's pixels: there its words are shown."""

    def __init__(self, folder: Path) -> None:
        config = folder / "config.toml"
        config.write_text(
            f'[camera]\nsource = "virtual:"\n[gpio]\nfactory = "mock"\n[display]\ndriver = "none"\n'
            f'[paths]\njournals = "{folder / "kept"}"\ncontent = "{folder}"\n'
        )
        self._end, other = os.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        os.set_blocking(self._end, False)
        command = [sys.executable, "-c", OWN_TERMINAL, "serve", "--config", str(config)]
        environ = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            command, stdin=other, stdout=other, stderr=other, env=environ, start_new_session=True
        )
        os.close(other)
        self.shown = ""

    def shows(self, text: str) -> None:
        """Waits until a text has been shown."""
        until(lambda: text in self._read(), f"{text!r} in {self.shown[-2000:]!r}")

    def types(self, keys: str) -> None:
        os.write(self._end, keys.encode())

    def ends(self) -> int:
        """Waits until the program has ended; its exit status."""
        until(lambda: self._read() and self.process.poll() is not None, "the end of the program")
        self._read()
        return self.process.returncode

    def hang_up(self) -> None:
        """Closes the terminal's window."""
        os.close(self._end)
        self._end = os.open(os.devnull, os.O_RDWR)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._end)

    def _read(self) -> str:
        with suppress(BlockingIOError, OSError):  # nothing there now, or the program has ended
            while part := os.read(self._end, 65536):
                self.shown += part.decode("utf-8", "replace")
        return self.shown


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[InTerminal]:
    made = InTerminal(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("how", ["q", "\x03", signal.SIGTERM, signal.SIGHUP])
def test_in_a_terminal_the_box_is_drawn_and_its_keys_are_the_buttons(
    terminal: InTerminal, how: str | signal.Signals
) -> None:
    terminal.shows("no hardware is here (no Raspberry Pi, no display), so the box is drawn in this terminal")
    terminal.shows("Which game?")
    terminal.shows("q quit · 1-4 buttons")
    terminal.types("2")
    terminal.shows("[1] OK  [2] Back")
    if isinstance(how, str):
        terminal.types(how)
    else:
        terminal.process.send_signal(how)
    assert terminal.ends() == 0
    assert terminal.shown.rstrip().endswith("\x1b[?1049l")
    assert "Traceback" not in terminal.shown


def test_a_terminal_that_is_closed_ends_the_box(terminal: InTerminal) -> None:
    terminal.shows("Which game?")
    terminal.hang_up()
    assert terminal.ends() == 0

"""The daemon, as the service manager sees it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.app.serve import Daemon
from companion.rights import user
from companion.service.notify import Notifier, Watchdog
from companion.service.starts import PATIENCE, Record, Starts
from tests.terminals import Terminal
from tests.waiting import PATIENCE_S, ended

ROOT = Path(__file__).resolve().parents[2]
CONFIG = """
[camera]
source = "virtual:"
[gpio]
factory = "mock"
[display]
driver = "none"
[paths]
journals = "{kept}"
content = "{content}"
"""
"""Of a computer without hardware."""
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
    config.write_text(CONFIG.format(kept=tmp_path / "kept", content=tmp_path))
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
        self._config.write_text(CONFIG.format(kept=self.kept, content=folder))
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


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """The box in a terminal that is too low for the display's pixels: its words are shown there."""
    config = tmp_path / "config.toml"
    config.write_text(CONFIG.format(kept=tmp_path / "kept", content=tmp_path))
    made = Terminal(sys.executable, "-m", "companion", "serve", "--config", str(config), LINES="30")
    yield made
    made.close()


@pytest.mark.parametrize("how", [b"q", b"\x03", signal.SIGTERM, signal.SIGHUP])
def test_in_a_terminal_the_box_is_drawn_and_its_keys_are_the_buttons(
    terminal: Terminal, how: bytes | signal.Signals
) -> None:
    terminal.until(b"no hardware is here (no Raspberry Pi, no display), so the box is drawn in this terminal")
    terminal.until(b"Which game?")
    terminal.until("q quit · 1-4 buttons".encode())
    terminal.type(b"2")
    terminal.until(b"[1] OK  [2] Back")
    if isinstance(how, bytes):
        terminal.type(how)
    else:
        terminal.process.send_signal(how)
    assert (terminal.end(), terminal.given_back) == (0, True)
    assert b"Traceback" not in terminal.heard


def test_a_terminal_that_is_closed_ends_the_box(terminal: Terminal) -> None:
    terminal.until(b"Which game?")
    terminal.hang_up()
    assert terminal.end() == 0

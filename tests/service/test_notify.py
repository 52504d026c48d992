"""What the service manager hears, over a real socket."""

from __future__ import annotations

import os
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.service.notify import Notifier, Watchdog, watchdog_limit_s


class Manager:
    """Listens as systemd does."""

    def __init__(self, address: str) -> None:
        self.environ = {"NOTIFY_SOCKET": address}
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self._socket.setblocking(False)

    def heard(self) -> list[str]:
        """The messages since the last call."""
        messages = []
        while True:
            try:
                messages.append(self._socket.recv(4096).decode())
            except BlockingIOError:
                return messages

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def manager(request: pytest.FixtureRequest) -> Iterator[Manager]:
    with tempfile.TemporaryDirectory() as folder:  # pytest's own folders can be too long for a socket's name
        address = (
            f"{folder}/notify" if request.param == "path" else f"@companion-test-{os.getpid()}-{Path(folder).name}"
        )
        found = Manager(address)
        yield found
        found.close()


@pytest.fixture
def notifier(manager: Manager) -> Iterator[Notifier]:
    found = Notifier(manager.environ)
    yield found
    found.close()


def test_the_manager_hears_every_message_as_it_is_meant(manager: Manager, notifier: Notifier) -> None:
    sent = (notifier.ready("Phönix, 3 players"), notifier.alive(), notifier.status("paused"), notifier.stopping())
    assert sent == (True, True, True, True)
    assert manager.heard() == ["READY=1\nSTATUS=Phönix, 3 players", "WATCHDOG=1", "STATUS=paused", "STOPPING=1"]


def test_a_status_can_not_smuggle_in_another_message(manager: Manager, notifier: Notifier) -> None:
    notifier.status("one\nSTOPPING=1\r\n two \udcff")
    assert manager.heard() == ["STATUS=one STOPPING=1 two ?"]


@pytest.mark.parametrize("environ", [{}, {"NOTIFY_SOCKET": ""}, {"NOTIFY_SOCKET": "@"}, {"NOTIFY_SOCKET": "vsock:2:1"}])
def test_without_a_manager_nothing_is_said_and_nothing_fails(environ: dict[str, str]) -> None:
    notifier = Notifier(environ)
    assert not any([notifier.ready("up"), notifier.status("x"), notifier.alive(), notifier.stopping()])
    assert not Watchdog(notifier, 10).alive(0)
    notifier.close()


def test_a_manager_that_went_away_stops_nobody_and_is_told_again_when_it_is_back() -> None:
    with tempfile.TemporaryDirectory() as folder:
        notifier = Notifier({"NOTIFY_SOCKET": f"{folder}/notify"})
        watchdog = Watchdog(notifier, 10)
        assert not watchdog.alive(0)
        manager = Manager(f"{folder}/notify")
        assert watchdog.alive(0.1)
        assert manager.heard() == ["WATCHDOG=1"]
        notifier.close()
        manager.close()


def test_a_manager_that_does_not_read_holds_nobody_up(manager: Manager, notifier: Notifier) -> None:
    sent = 0
    while notifier.status("x" * 1000):
        sent += 1
    assert manager.heard() == ["STATUS=" + "x" * 1000] * sent


def test_a_closed_notifier_is_silent(manager: Manager, notifier: Notifier) -> None:
    notifier.close()
    assert not notifier.ready()
    assert manager.heard() == []


def test_the_watchdog_is_fed_at_most_every_half_of_its_limit(manager: Manager, notifier: Notifier) -> None:
    watchdog = Watchdog(notifier, 10)
    assert watchdog.interval_s == 5
    fed = [now_s for now_s in (0, 0.1, 4.9, 5, 5.1, 9.9, 10.2, 15.1, 15.2, 60, 61) if watchdog.alive(now_s)]
    assert fed == [0, 5, 10.2, 15.2, 60]
    assert manager.heard() == ["WATCHDOG=1"] * 5


def test_where_nobody_watches_nothing_is_fed(manager: Manager, notifier: Notifier) -> None:
    watchdog = Watchdog(notifier, None)
    assert watchdog.interval_s is None
    assert not watchdog.alive(0)
    assert manager.heard() == []


@pytest.mark.parametrize(
    ("environ", "limit_s"),
    [
        ({"WATCHDOG_USEC": "15000000"}, 15),
        ({"WATCHDOG_USEC": "1500000", "WATCHDOG_PID": "77"}, 1.5),
        ({"WATCHDOG_USEC": "15000000", "WATCHDOG_PID": "78"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({"WATCHDOG_USEC": "-5"}, None),
        ({}, None),
    ],
)
def test_the_limit_is_what_the_manager_sets_for_this_process(environ: dict[str, str], limit_s: float | None) -> None:
    assert watchdog_limit_s(environ, process=77) == limit_s

"""Telling the service manager how we are: the `sd_notify` protocol, spoken over its own datagram socket.

systemd hands a socket's address to a service of `Type=notify` in `NOTIFY_SOCKET`. Where it is not set, as in a
terminal, nothing is said and nothing fails. A manager that doesn't listen never stops a game: what can't be sent is
dropped.

Source: the manual pages sd_notify(3) and sd_watchdog_enabled(3).
"""

from __future__ import annotations

import socket
from collections.abc import Mapping

PATIENCE_S = 0.5
"""How long a full queue of the manager may hold up a message, in seconds: much less than a clean stop may take."""


class Notifier:
    """The way to the service manager.

    Args:
        environ: the process's environment; `NOTIFY_SOCKET` is a path, or a name in the abstract namespace after an `@`.
            Addresses of any other kind are treated as not there.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        address = environ.get("NOTIFY_SOCKET", "")
        self._address = "\0" + address[1:] if address[:1] == "@" else address
        self._socket: socket.socket | None = None
        if address[:1] in ("/", "@") and len(address) > 1:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.settimeout(PATIENCE_S)

    def ready(self, status: str = "") -> bool:
        """The service is up: to be sent once, when the loop runs. Whether it was sent, as with all that follow."""
        return self._send(*_with_status("READY=1", status))

    def status(self, text: str) -> bool:
        """What `systemctl status` shows from now on, in one line; an empty text clears it."""
        return self._send(f"STATUS={_line(text)}")

    def alive(self) -> bool:
        """Feeds the watchdog; see `Watchdog` for how often."""
        return self._send("WATCHDOG=1")

    def stopping(self, status: str = "") -> bool:
        """The service has begun to end."""
        return self._send(*_with_status("STOPPING=1", status))

    def close(self) -> None:
        """Gives the socket back; afterwards nothing is sent."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _send(self, *assignments: str) -> bool:
        if self._socket is None:
            return False
        try:
            self._socket.sendto("\n".join(assignments).encode(errors="replace"), self._address)
        except OSError:  # the manager is being restarted, or its queue is full
            return False
        return True


class Watchdog:
    """Feeds the watchdog, as long as somebody asks it to.

    It has no thread and no timer of its own, on purpose: whoever owns the real loop calls `alive` from it, and when
    that loop hangs, the feeding ends and the manager restarts the service.

    Args:
        notifier: the way to the manager.
        limit_s: how long the manager waits for a sign of life, in seconds; None if it doesn't watch.

    Attributes:
        interval_s: seconds between two signs of life, half of the limit; None if nobody watches.
    """

    def __init__(self, notifier: Notifier, limit_s: float | None) -> None:
        self._notifier = notifier
        self.interval_s = None if limit_s is None else limit_s / 2
        self._due_s = float("-inf")

    def alive(self, now_s: float) -> bool:
        """To be called from every turn of the loop; sends at most once each half of the limit.

        Args:
            now_s: monotonic clock, in seconds.

        Returns:
            Whether a sign of life was sent. One that could not be sent is tried again at the next call.
        """
        if self.interval_s is None or now_s < self._due_s or not self._notifier.alive():
            return False
        self._due_s = now_s + self.interval_s
        return True


def watchdog_limit_s(environ: Mapping[str, str], process: int) -> float | None:
    """How long the manager waits for a sign of life of this process, in seconds; None if it doesn't watch it.

    Args:
        environ: the process's environment: `WATCHDOG_USEC`, and `WATCHDOG_PID` if it is meant for one process only.
        process: the number of this process.
    """
    usec, meant = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
    if not (usec.isascii() and usec.isdigit()) or int(usec) == 0 or meant not in ("", str(process)):
        return None
    return int(usec) / 1_000_000


def _with_status(assignment: str, text: str) -> tuple[str, ...]:
    return (assignment, f"STATUS={_line(text)}") if text else (assignment,)


def _line(text: str) -> str:
    """The text in one line: a line break would begin another assignment."""
    return " ".join(text.split())

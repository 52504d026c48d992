"""Programs in a real terminal, and what they write there."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import termios

from tests.documents import ROOT
from tests.waiting import PATIENCE_S, until

OPEN, CLOSE = b"\x1b[?1049h", b"\x1b[?1049l"
GIVEN_BACK = {OPEN: CLOSE, b"\x1b[?25l": b"\x1b[?25h", b"\x1b[?7l": b"\x1b[?7h"}


class Terminal:
    """A pseudo-terminal with a program in it.

    Args:
        command: the program and its arguments.
        environment: variables that differ from the usual ones.

    Attributes:
        heard: all that it has written.
    """

    def __init__(self, *command: str, **environment: str) -> None:
        self.number, inner = pty.openpty()
        self._inner = inner
        self.before = termios.tcgetattr(inner)
        self.heard = b""
        self._told = 0
        usual = {"PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "COLUMNS": "100", "LINES": "40"}

        def begin() -> None:
            os.setsid()
            # Whoever runs the tests in the background has them ignored, and what is ignored is inherited.
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command,
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**os.environ, **usual, **environment},
            preexec_fn=begin,
        )

    def until(self, words: bytes) -> None:
        """Reads until these stand there, after those that were waited for last."""
        while (found := self.heard.find(words, self._told)) < 0:
            assert select.select([self.number], [], [], PATIENCE_S)[0], f"no {words!r} in {self.heard!r}"
            self.heard += os.read(self.number, 65536)
        self._told = found + len(words)

    def type(self, keys: bytes) -> None:
        """Types keys."""
        os.write(self.number, keys)

    def end(self) -> int:
        """Waits for the end of the program; its exit status."""
        until(self._over, "the end of the program")
        self._over()
        return self.process.returncode

    def _over(self) -> bool:
        """Reads on, since a program that nobody listens to doesn't come to its end; whether it has."""
        while select.select([self.number], [], [], 0)[0]:
            self.heard += os.read(self.number, 65536)
        return self.process.poll() is not None

    @property
    def given_back(self) -> bool:
        """Whether all is as it was."""
        shown = all(self.heard.rfind(back) > self.heard.rfind(taken) for taken, back in GIVEN_BACK.items())
        return shown and termios.tcgetattr(self._inner) == self.before

    def hang_up(self) -> None:
        """Closes its window."""
        os.close(self._inner)
        os.close(self.number)
        self.number, self._inner = pty.openpty()

    def close(self) -> None:
        """Ends what is left of it."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._inner)
        os.close(self.number)

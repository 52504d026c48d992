"""The box drawn in a terminal, where it has no display of its own: keys press its buttons."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress

from companion.app.console import Console
from companion.app.host import Host
from companion.app.terminal import BUTTONS, QUIT
from companion.core.messages import say
from companion.face.screen import picture
from companion.face.terminal import Entry, draw

DRAWN_S = 0.1
"""Pause between two drawings."""


class DrawnHost:
    """A host whose box is to be seen.

    Args:
        host: it.
        terminal: where the box is drawn.
        log: what has happened, oldest first; it grows.
        stop: called when somebody quits.
    """

    def __init__(self, host: Host, terminal: Console, log: Sequence[Entry], stop: Callable[[], None]) -> None:
        self._host = host
        self._terminal = terminal
        self._log = log
        self._stop = stop
        self._drawn_s = float("-inf")

    @property
    def doing(self) -> str:
        """See `Host.doing`."""
        return self._host.doing

    def step(self, now_s: float) -> None:
        """See `Host.step`; then takes the keys that were typed, and draws."""
        self._host.step(now_s)
        for key in self._terminal.typed():
            if key in QUIT:
                self._stop()
            elif key in BUTTONS:
                self._host.table.press(BUTTONS[key])
        if now_s - self._drawn_s >= DRAWN_S:
            self._drawn_s = now_s
            with suppress(OSError):  # the terminal has been closed, which a signal says as well
                self._draw()

    def close(self) -> None:
        """See `Host.close`."""
        self._host.close()

    def _draw(self) -> None:
        table = self._host.table
        panel, words = table.desk.panel(), table.words
        columns, rows = shutil.get_terminal_size()
        glass = picture(panel, words, table.fonts, table.desk.page)
        lines = draw([glass], panel, words, self._log, columns, max(8, rows - 1), rich=self._terminal.rich)
        keys = words.say(say("terminal.keys-box"))[:columns]
        self._terminal.show([*lines, *[""] * (rows - 1 - len(lines)), keys][:rows])

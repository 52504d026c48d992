"""The terminal that somebody sits at: single keys, a screen of its own, and all as it was at the end of the program."""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import signal
import sys
import termios
import threading
import time
import tty
from collections.abc import Iterator, Sequence
from types import FrameType
from typing import Any, TextIO

from companion.app.outlet import paint, rich
from companion.core.letters import printable

END = "\x04"
"""As if this was typed where nothing more can be."""
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)
_OPEN, _CLOSE = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[2J", "\x1b[?7h\x1b[?25h\x1b[?1049l"
"""Another screen, without a cursor and without breaking lines that are too long; and back."""
_EMPTY_CELL = "\u2800"
"""Of braille: a letter of which nothing is seen, and in a drawing that is right."""
_INK = re.compile("(\x1b\\[[0-9;]*m)")


class Stopped(KeyboardInterrupt):
    """A signal has ended the program.

    Attributes:
        signal: its number.
        status: the exit status that tells which.
    """

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = number
        self.status = 128 + number


class Console:
    """A terminal in use; made by `console`.

    Args:
        source: where keys come from.
        out: what is drawn on.
        whole: it gets a screen of its own.
    """

    def __init__(self, source: TextIO, out: TextIO, whole: bool) -> None:
        self._source = source
        self._out = out
        self._whole = whole
        self._before: list[Any] | None = None
        self._shown: tuple[Any, list[str]] = (None, [])
        self._closed = False

    @property
    def rich(self) -> bool:
        """The terminal shows all letters."""
        return rich(self._out)

    def typed(self, wait_s: float = 0.0) -> str:
        """The keys typed since the last time, without a line's end; waits for the first of them if it is told to."""
        if self._before is None or self._closed:  # in the background nobody types, and to read would stop the program
            time.sleep(wait_s)
            return END if self._closed else ""
        if not select.select([self._source], [], [], wait_s)[0]:
            return ""
        with contextlib.suppress(OSError):
            if typed := os.read(self._source.fileno(), 64):
                return typed.decode("utf-8", "ignore")
        self._closed = True
        return END

    def show(self, lines: Sequence[str]) -> None:
        """Brings the screen up to date line by line. Of control codes only colours pass."""
        if self._before is None:
            return
        size = shutil.get_terminal_size(), len(lines)
        known = self._shown[1] if self._shown[0] == size else []
        out = [] if known else ["\x1b[2J"]
        for number, line in enumerate(lines):
            if number >= len(known) or known[number] != line:
                out.append(f"\x1b[{number + 1};1H{_painted(line)}\x1b[K")
        self._shown = size, list(lines)
        paint(self._out, "".join(out))
        self._out.flush()

    def enter(self) -> None:
        """Takes the terminal, unless somebody else has it: then when this program is in the foreground again."""
        with contextlib.suppress(OSError, termios.error):
            number = self._source.fileno()
            if not _in_foreground(number):
                return
            self._before = self._before or termios.tcgetattr(number)
            self._shown = (None, [])
            tty.setcbreak(number)
            if self._whole:
                paint(self._out, _OPEN)
                self._out.flush()

    def leave(self) -> None:
        """Gives the terminal back as it was."""
        before, self._before = self._before, None
        if before is None:
            return
        with contextlib.suppress(OSError):
            if self._whole:
                paint(self._out, _CLOSE)
                self._out.flush()
        with contextlib.suppress(OSError, termios.error):
            termios.tcsetattr(self._source.fileno(), termios.TCSADRAIN, before)

    def suspend(self, *_: Any) -> None:
        """Stops the program, as ctrl-Z does, and goes on when it is continued."""
        self.leave()
        before = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, before)
        self.enter()

    def resume(self, *_: Any) -> None:
        """Takes the terminal again, which others have had in the meantime."""
        self.enter()


@contextlib.contextmanager
def console(whole: bool = False, source: TextIO | None = None, out: TextIO | None = None) -> Iterator[Console]:
    """The terminal, with single keys and without echo. Without one nobody types.

    It is given back as it was when an exception or a signal ends the program (which raises `Stopped`), and while the
    program is stopped for a while.

    Args:
        whole: draw on a screen of its own, and show the one before at the end.
        source: where keys come from; standard input if it isn't given.
        out: what is drawn on; standard output if it isn't given.
    """
    made = Console(source or sys.stdin, out or sys.stdout, whole)
    handlers = dict.fromkeys(ENDING, _stop) | {signal.SIGTSTP: made.suspend, signal.SIGCONT: made.resume}
    before: dict[int, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number, handler in handlers.items():
                if signal.getsignal(number) is not signal.SIG_IGN:
                    before[number] = signal.signal(number, handler)
        made.enter()
        yield made
    finally:
        try:
            for mine in before:
                signal.signal(mine, signal.SIG_IGN)  # nothing comes between now
        finally:
            made.leave()
            for mine, handler in before.items():
                signal.signal(mine, handler)


def _stop(number: int, _frame: FrameType | None) -> None:
    for other in ENDING:
        signal.signal(other, signal.SIG_IGN)  # one is enough: what has to be put away is put away in peace
    raise Stopped(number)


def _in_foreground(number: int) -> bool:
    try:
        return os.tcgetpgrp(number) == os.getpgrp()
    except OSError:  # a terminal, but not that of this session: there is no background
        return True


def _painted(line: str) -> str:
    return "".join(part if _INK.fullmatch(part) else printable(part, keep=_EMPTY_CELL) for part in _INK.split(line))

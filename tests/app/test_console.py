"""A terminal is given back as it was: the cursor, the main screen and its modes, whatever ends or stops the program."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import subprocess
import sys
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENT_S = 120
OPEN, CLOSE = b"\x1b[?1049h", b"\x1b[?1049l"
GIVEN_BACK = {OPEN: CLOSE, b"\x1b[?25l": b"\x1b[?25h", b"\x1b[?7l": b"\x1b[?7h"}

DRAWS = """
import sys
from companion.app.console import console
from companion.cli import main

@main.command()
def draw():
    with console(whole=True) as terminal:
        terminal.show(["one \\x1b[31mred\\x1b[0m \\x1b[2J\\r", "two"])
        while (typed := terminal.typed(0.05)) not in ("q", "\\x04"):
            if typed == "x":
                raise ValueError("broken")
            terminal.show([f"typed {typed}"] if typed else ["waiting"])
    print("put away")

main(["draw"])
"""

SHELL = """
import os, signal, subprocess, sys, termios
before = termios.tcgetattr(0)
signal.signal(signal.SIGTTOU, signal.SIG_IGN)
def foreground(group): os.tcsetpgrp(0, group)
def begin(): os.setpgid(0, 0); foreground(os.getpid()); signal.signal(signal.SIGTTOU, signal.SIG_DFL)
job = subprocess.Popen(sys.argv[1:], preexec_fn=begin)
while True:
    _, status = os.waitpid(job.pid, os.WUNTRACED)
    foreground(os.getpgrp())
    same = termios.tcgetattr(0) == before
    if not os.WIFSTOPPED(status):
        print("ended", os.waitstatus_to_exitcode(status), same, flush=True)
        break
    print("stopped", same, flush=True)
    sys.stdin.readline()
    foreground(job.pid)
    os.kill(job.pid, signal.SIGCONT)
"""


class Terminal:
    """A pseudo-terminal with a program in it.

    Attributes:
        heard: all that it has written.
    """

    def __init__(self, *command: str) -> None:
        self.number, inner = pty.openpty()
        self._inner = inner
        self.before = termios.tcgetattr(inner)
        self.heard = b""
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8", "COLUMNS": "100", "LINES": "40"}

        def begin() -> None:
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=environment, preexec_fn=begin
        )

    def until(self, words: bytes) -> None:
        """Reads until these stand there, from where it has read to."""
        begin = len(self.heard)
        while words not in self.heard[begin:]:
            assert select.select([self.number], [], [], PATIENT_S)[0], self.heard
            self.heard += os.read(self.number, 65536)

    def type(self, keys: bytes) -> None:
        """Types keys."""
        os.write(self.number, keys)

    def end(self) -> int:
        """Waits for the end of the program; its exit status."""
        status = self.process.wait(PATIENT_S)
        while select.select([self.number], [], [], 0)[0]:
            self.heard += os.read(self.number, 65536)
        return status

    @property
    def given_back(self) -> bool:
        """Whether all is as it was."""
        shown = all(self.heard.rfind(back) > self.heard.rfind(taken) for taken, back in GIVEN_BACK.items())
        return shown and termios.tcgetattr(self._inner) == self.before

    def close(self) -> None:
        """Ends what is left of it."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._inner)
        os.close(self.number)


@pytest.fixture
def opened() -> Iterator[list[Terminal]]:
    terminals: list[Terminal] = []
    yield terminals
    for terminal in terminals:
        terminal.close()


@pytest.fixture
def terminal(opened: list[Terminal]) -> Terminal:
    """One in which a program draws and waits for keys."""
    opened.append(Terminal(sys.executable, "-c", DRAWS))
    opened[0].until(b"waiting")
    return opened[0]


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGQUIT, 131), (signal.SIGINT, 130)]
)
def test_a_signal_ends_the_program_and_the_terminal_is_as_it_was(
    terminal: Terminal, number: signal.Signals, status: int
) -> None:
    assert not terminal.given_back
    terminal.process.send_signal(number)
    terminal.process.send_signal(number)  # impatience breaks nothing, even if it comes when all is put away
    assert (terminal.end() in (status, -number), terminal.given_back) == (True, True)
    assert b"Traceback" not in terminal.heard


def test_an_exception_is_told_on_the_main_screen(terminal: Terminal) -> None:
    terminal.type(b"x")
    assert (terminal.end(), terminal.given_back) == (1, True)
    assert b"ValueError: broken" in terminal.heard[terminal.heard.rfind(CLOSE) :]


def test_a_key_ends_it_as_well(terminal: Terminal) -> None:
    terminal.type(b"q")
    assert (terminal.end(), terminal.given_back) == (0, True)
    assert terminal.heard.endswith(b"put away\r\n")


def test_of_what_is_drawn_only_letters_and_colours_pass(terminal: Terminal) -> None:
    assert b"one \x1b[31mred\x1b[0m ?[2J?\x1b[K" in terminal.heard


def test_a_terminal_that_is_gone_ends_the_program(terminal: Terminal) -> None:
    os.close(terminal.number)
    terminal.number = os.open(os.devnull, os.O_RDWR)
    assert terminal.process.wait(PATIENT_S) != 0


def test_a_stopped_program_gives_the_terminal_back_and_takes_it_again(opened: list[Terminal]) -> None:
    opened.append(Terminal(sys.executable, "-c", SHELL, sys.executable, "-c", DRAWS))
    (terminal,) = opened
    terminal.until(b"waiting")
    for _ in range(2):
        terminal.type(b"\x1a")
        terminal.until(b"stopped True")
        assert terminal.given_back
        terminal.type(b"\n")
        terminal.until(b"waiting")
        assert not terminal.given_back
    terminal.type(b"q")
    terminal.until(b"ended 0 True")
    assert terminal.given_back


@pytest.mark.parametrize(
    ("arguments", "number", "statuses"),
    [
        (["play", "phoenix"], signal.SIGTERM, (143,)),
        (["play", "phoenix"], signal.SIGINT, (0,)),
        (["calibrate", "--camera", "virtual:"], signal.SIGHUP, (0, 1)),  # as far as it has come by then
    ],
)
def test_commands_with_a_screen_of_their_own_leave_the_terminal_as_it_was(
    opened: list[Terminal], arguments: list[str], number: signal.Signals, statuses: tuple[int, ...]
) -> None:
    opened.append(Terminal(sys.executable, "-m", "companion", *arguments))
    (terminal,) = opened
    terminal.until(b"\x1b[10;1H")
    assert not terminal.given_back
    terminal.process.send_signal(number)
    assert (terminal.end() in statuses, terminal.given_back) == (True, True)
    assert b"Traceback" not in terminal.heard

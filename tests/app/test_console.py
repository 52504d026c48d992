"""A terminal is given back as it was: the cursor, the main screen and its modes, whatever ends or stops the program."""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Iterator

import pytest

from tests.terminals import CLOSE, Terminal

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
    terminal.hang_up()
    assert terminal.end() != 0


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


@pytest.mark.parametrize(
    ("environment", "encoding", "shown"),
    [
        ({"LC_ALL": "C"}, "ascii", ["+---", "Zuruckblattern", "q Ende . 1-4 Tasten"]),
        ({"PYTHONIOENCODING": "ascii"}, "ascii", ["+---", "Zuruckblattern", "q Ende . 1-4 Tasten"]),
        ({"PYTHONIOENCODING": "latin-1"}, "latin-1", ["+---", "Zurückblättern", "q Ende · 1-4 Tasten"]),
        ({"PYTHONIOENCODING": "shift_jis"}, "shift_jis", ["+---", "Zuruckblattern", "q Ende . 1-4 Tasten"]),
    ],
)
def test_a_terminal_without_utf_8_shows_the_box_with_the_letters_that_it_has(
    opened: list[Terminal], environment: dict[str, str], encoding: str, shown: list[str]
) -> None:
    arguments = ["play", "phoenix", "--language", "de"]
    opened.append(Terminal(sys.executable, "-m", "companion", *arguments, **environment, COLUMNS="140", LINES="60"))
    (terminal,) = opened
    terminal.until("Großes".encode("latin-1") if encoding == "latin-1" else b"Grosses")
    terminal.type(b"q")
    assert (terminal.end(), terminal.given_back) == (0, True)
    drawn = _plain(terminal.heard.decode(encoding))
    assert [words for words in shown if words not in drawn] == []
    assert re.search("[*o] [*o] [*o]", drawn), "the lamps"
    assert "?" not in drawn


def _plain(drawn: str) -> str:
    """What is drawn without its control codes."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", drawn)

"""Where the program's text goes out: nothing reaches a terminal, a pipe or a file that can't be shown there.

All commands write to standard output and standard error in the end, so these two are the one place to see to it.
"""

from __future__ import annotations

import codecs
import io
import re
import sys
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import BinaryIO, TextIO

from companion.core.letters import printable, replaced

_NOT_ASCII = re.compile("[^\n -~]")
_ASCII_LOCALES = ("C", "POSIX")
_COERCED = "C.UTF-8"
"""What Python makes of LC_CTYPE where the locale is C or none is set."""


class Outlet(io.TextIOBase):
    """A stream that takes any text, and passes on a sign for what can't be shown.

    Args:
        stream: where it goes.
        encoding: what can be shown there; `utf-8` for all letters, drawings with braille and lines among them.

    Attributes:
        rich: all letters can be shown.
    """

    encoding = "utf-8"  # of what it takes
    errors = "strict"

    def __init__(self, stream: TextIO, encoding: str = "utf-8") -> None:
        self.stream = stream
        self.rich = codecs.lookup(encoding).name.startswith("utf")
        self._shown_in = encoding

    @property
    def buffer(self) -> BinaryIO:
        """The bytes below, for those who see to them themselves."""
        return self.stream.buffer

    def write(self, text: str, /) -> int:
        """Writes a text. No letter of it is a control code but the end of a line."""
        self.paint(printable(text, keep="\n"))
        return len(text)

    def paint(self, text: str) -> None:
        """Writes a text whose control codes are meant."""
        self.stream.write(text if self.rich else replaced(text, self.has))

    def has(self, letter: str) -> bool:
        """Whether a letter can be shown, and is as wide as elsewhere."""
        if self.rich or letter.isascii():
            return True
        size = len(letter.encode(self._shown_in, "ignore"))
        # In East Asia lines and signs take two columns each, which letters do as well, but there everybody knows it.
        return size == 1 or (size > 1 and (letter.isalpha() or unicodedata.east_asian_width(letter) in "WF"))

    def flush(self) -> None:
        """Passes on what was written."""
        self.stream.flush()

    def isatty(self) -> bool:
        """Whether it leads to a terminal."""
        return self.stream.isatty()

    def fileno(self) -> int:
        """The number that the system knows it by."""
        return self.stream.fileno()

    def writable(self) -> bool:
        """Whether anything can be written: always."""
        return True


@contextmanager
def outlets(environ: Mapping[str, str]) -> Iterator[None]:
    """Within it standard output and standard error are outlets.

    They stay so when an exception ends the program, since the interpreter still tells of that.

    Args:
        environ: the environment, which knows the terminal's letters.
    """
    before = sys.stdout, sys.stderr
    within = [Outlet(stream, _encoding(stream, environ)) for stream in before]
    sys.stdout, sys.stderr = within
    failed = False
    try:
        yield
    except Exception:
        failed = True
        raise
    finally:
        if not failed and [sys.stdout, sys.stderr] == within:
            sys.stdout, sys.stderr = before


def rich(stream: TextIO) -> bool:
    """Whether all letters can be shown on a stream."""
    return not isinstance(stream, Outlet) or stream.rich


def paint(stream: TextIO, text: str) -> None:
    """Writes a text whose control codes are meant, to an outlet or another stream."""
    (stream.paint if isinstance(stream, Outlet) else stream.write)(text)


def as_json(text: str) -> str:
    """JSON for standard output. Escapes stand for what can't be shown there, so that nothing of it is lost."""
    all_letters = rich(sys.stdout)
    return _NOT_ASCII.sub(lambda found: _escaped(found[0], all_letters), text)


def _escaped(letter: str, all_letters: bool) -> str:
    if all_letters and printable(letter) == letter:
        return letter
    units = letter.encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _encoding(stream: TextIO, environ: Mapping[str, str]) -> str:
    """The encoding of what a stream leads to. Python takes a terminal in the locale C for one that knows UTF-8."""
    locale = environ.get("LC_ALL") or environ.get("LC_CTYPE") or environ.get("LANG", "")
    if locale == _COERCED and not environ.get("LC_ALL"):
        locale = environ.get("LANG", "")
    asked = environ.get("PYTHONIOENCODING") or environ.get("PYTHONUTF8")
    return "ascii" if locale in _ASCII_LOCALES and not asked and stream.isatty() else stream.encoding or "utf-8"

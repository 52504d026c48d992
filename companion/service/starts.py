"""Counts starts that failed, so that a box that can't come up in the usual way comes up in safe mode.

A start has failed if it ended before the box was ready, also if it was killed then, or if it named an error. A plug
that is pulled from a box that plays is no failure, however soon that is.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion import files
from companion.core.letters import escaped
from companion.service.kept import write_whole

PATIENCE = 3
"""So many failed starts in a row lead to safe mode."""
SETTLED_S = 60.0
"""A box that has run for so long has started well."""
LONGEST_REASON = 200
"""So many letters of a reason are kept."""


class Record(msgspec.Struct, frozen=True):
    """What is known of the starts before.

    Attributes:
        failed: how many failed in a row.
        reason: what the last of them that could tell stumbled over.
    """

    failed: int = 0
    reason: str = ""


class Starts:
    """The count of failed starts, in a file.

    Args:
        path: the file. If it can't be written, safe mode can't be reached, but the box starts.

    Attributes:
        before: what is known of the starts before this one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self.before = msgspec.json.decode(files.read(path), type=Record)
        except (files.FileError, msgspec.MsgspecError, ValueError, RecursionError):
            self.before = Record()
        self._began_s: float | None = None

    @property
    def safe(self) -> bool:
        """Too many starts have failed in a row."""
        return self.before.failed >= PATIENCE

    def begin(self, now_s: float) -> None:
        """A start begins; until `ready` it counts as failed."""
        self._began_s = now_s
        self._write(Record(self.before.failed + 1, self.before.reason))

    def ready(self) -> None:
        """The box is up: from now on only an error makes this start a failed one."""
        self._write(self.before)

    def failed(self, reason: str) -> None:
        """This start has failed, and why."""
        self._write(Record(self.before.failed + 1, escaped(reason)[:LONGEST_REASON]))

    def settle(self, now_s: float) -> None:
        """To be called now and then: forgets failures once the box has run for long enough."""
        if self._began_s is not None and now_s - self._began_s >= SETTLED_S:
            self.forget()

    def forget(self) -> None:
        """Forgets all failures: the next start is an ordinary one."""
        self._began_s, self.before = None, Record()
        self._write(self.before)

    def ended(self) -> None:
        """The box was stopped on purpose: this was no failure."""
        if self._began_s is not None:
            self._write(self.before)

    def _write(self, record: Record) -> None:
        try:
            write_whole(self._path, msgspec.json.encode(record))
        except OSError:
            return

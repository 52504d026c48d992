"""Counts starts that failed, so that a box that can't come up in the usual way comes up in safe mode.

A start has succeeded once the box has run for a while. One that ended before has failed, also if it was killed.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from companion.service.kept import write_whole

PATIENCE = 3
"""So many failed starts in a row lead to safe mode."""
SETTLED_S = 60.0
"""A box that has run for so long has started well."""


class Record(msgspec.Struct, frozen=True):
    """What is known of the starts before.

    Attributes:
        failed: how many failed in a row.
        reason: what the last of them stumbled over, if it could tell.
    """

    failed: int = 0
    reason: str = ""


class Starts:
    """The count of failed starts, in a file.

    Args:
        path: the file. If it can't be written, safe mode can't be reached, but the box starts.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self.before = msgspec.json.decode(path.read_bytes(), type=Record)
        except (OSError, msgspec.MsgspecError):
            self.before = Record()
        self._began_s: float | None = None

    @property
    def safe(self) -> bool:
        """Too many starts have failed in a row."""
        return self.before.failed >= PATIENCE

    def begin(self, now_s: float) -> None:
        """A start begins; until `settle` it counts as failed."""
        self._began_s = now_s
        self._write(Record(self.before.failed + 1, self.before.reason))

    def failed(self, reason: str) -> None:
        """This start has failed, and why."""
        self._write(Record(self.before.failed + 1, reason))

    def settle(self, now_s: float) -> None:
        """To be called now and then: forgets failures once the box has run for long enough."""
        if self._began_s is not None and now_s - self._began_s >= SETTLED_S:
            self._began_s = None
            self._write(Record())

    def ended(self) -> None:
        """The box was stopped on purpose: this was no failure."""
        if self._began_s is not None:
            self._write(self.before)

    def _write(self, record: Record) -> None:
        try:
            write_whole(self._path, msgspec.json.encode(record))
        except OSError:
            return

"""The journal: every move of every game, on disk before it is announced.

What `append` has returned from stands in two files, and survives a pulled plug, and damage to either of them. A journal
only ever grows; undo and redo are entries of their own. The state of a game is the replay of its entries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from companion.core.game import Event, Game
from companion.core.messages import Message
from companion.service.entries import ACCEPTED, ENDED, FREED, MOVE, REDO, SETUP, UNDO, Entry, JournalError
from companion.service.lines import entries_in, last_game, sealed
from companion.service.pair import Pair

__all__ = [
    "ACCEPTED",
    "ENDED",
    "FREED",
    "MOVE",
    "REDO",
    "SETUP",
    "UNDO",
    "Entry",
    "Journal",
    "JournalError",
    "default_path",
]

New = tuple[str, Game[Any, Any], Mapping[str, Any], tuple[Event, ...]]
"""An entry to be added: kind, game, body, events."""


def utc_now() -> datetime:
    """The time of the box's clock, which may be wrong: a Raspberry Pi has no battery."""
    return datetime.now(UTC)


class Journal:
    """A journal, opened for writing; only one process may have it.

    What is damaged is mended by what is whole, and `news` tells of it.

    Args:
        path: its first file; the other one lies beside it. `:memory:` keeps nothing.
        now: the time that stands in entries.

    Raises:
        JournalError: another process plays with it, it or its folder can't be written, or it is no journal.
    """

    def __init__(self, path: Path | str, now: Callable[[], datetime] = utc_now) -> None:
        self.path = path
        self._now = now
        self._pair = Pair(path, now) if isinstance(path, Path) else None
        self._kept: list[bytes] = []  # without files
        self._number = 0

    def append(self, entries: Iterable[New]) -> None:
        """Adds entries as one piece: all of them are on disk afterwards, or none.

        Raises:
            JournalError: the disk is full or gone; nothing was added, and it may be tried again.
        """
        at = self._now().astimezone(UTC).isoformat(timespec="seconds")
        if self._pair:
            self._pair.check()
        last = self._pair.end.number if self._pair else self._number
        new = [
            Entry(number, kind, game.id, game.rules_version, body, events, at)
            for number, (kind, game, body, events) in enumerate(entries, last + 1)
        ]
        if self._pair:
            self._pair.append(new)
        else:
            self._kept.append(sealed(new, 0)[0])
            self._number += len(new)

    def last_game(self, game: str) -> tuple[Entry, ...]:
        """The entries of the game of this id that was set up last, in order; empty if there is none to carry on.

        Only what was written since then is read.
        """
        return last_game(self._pair.lines(game) if self._pair else self._kept, game)

    def entries(self) -> Iterator[Entry]:
        """All entries, in order."""
        for line in self._pair.lines() if self._pair else self._kept:
            yield from entries_in(line)

    def news(self) -> tuple[Message, ...]:
        """What happened to the files since the last call."""
        if self._pair is None:
            return ()
        news, self._pair.news = tuple(self._pair.news), []
        return news

    def close(self) -> None:
        """Closes the files, and lets others have them."""
        if self._pair:
            self._pair.close()


def default_path(game: str) -> Path:
    """Where the journal of a game is kept if nobody says otherwise: in the user's data folder."""
    import platformdirs

    return platformdirs.user_data_path("tabletop-companion") / f"{game}.journal"

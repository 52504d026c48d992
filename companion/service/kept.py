"""What the box remembers between two evenings beside its journals: language, type, sound, and the last game."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec


class Settings(msgspec.Struct, frozen=True):
    """What people have chosen by the buttons.

    Attributes:
        language: in which the box speaks; empty for what the configuration says.
        large: what is read aloud stands in large type.
        sound: melodies are heard.
        game: the game that was played last; empty for none.
    """

    language: str = ""
    large: bool = True
    sound: bool = True
    game: str = ""


class Kept:
    """A small file that is always whole: a new one is written beside it, flushed, and put in its place.

    Args:
        path: the file; one that is missing or broken counts as empty.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self.settings = msgspec.json.decode(path.read_bytes(), type=Settings)
        except (OSError, msgspec.MsgspecError):
            self.settings = Settings()

    def keep(self, settings: Settings) -> bool:
        """Writes the settings if they are new; False if that failed, for which the game isn't stopped."""
        if settings == self.settings:
            return True
        try:
            write_whole(self._path, msgspec.json.encode(settings))
        except OSError:
            return False
        self.settings = settings
        return True


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that a cut leaves the old or the new one, never half of it.

    Raises:
        OSError: it can't be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    with fresh.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)

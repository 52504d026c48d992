"""What the box remembers between two evenings beside its journals: language, type, sound, and the last game."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion import files
from companion.core.content import Problem, shown, shown_key, told
from companion.core.messages import LANGUAGES
from companion.games import names

NAME = "settings.json"
"""The file, in the folder of journals."""
FORGOTTEN = "it is left out; set it again in the menu of the box"


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
        path: the file; what can't be used of it counts as never chosen.

    Attributes:
        settings: what is in force.
        problems: what can't be used of the file, key by key, until something is kept anew.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self.settings, self.problems = _read(path)

    def complaint(self) -> list[str]:
        """One line for each problem."""
        return told(self.problems, f"{self._path}: ")

    def keep(self, settings: Settings) -> bool:
        """Writes the settings if they are new; False if that failed, for which the game isn't stopped."""
        if settings == self.settings and not self.problems:
            return True
        try:
            write_whole(self._path, msgspec.json.encode(settings))
        except OSError:
            return False
        self.settings, self.problems = settings, ()
        return True


def write_whole(path: Path, content: bytes) -> None:
    """Writes a file so that a cut leaves the old or the new one, never half of it.

    Raises:
        OSError: it can't be written there.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f".{path.name}.new")
    fresh.unlink(missing_ok=True)  # of a cut, or a pipe, which would be waited for
    with fresh.open("xb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(path)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _read(path: Path) -> tuple[Settings, tuple[Problem, ...]]:
    """The settings in a file, and what in it can't be used."""
    try:
        raw = msgspec.json.decode(files.read(path))
    except files.FileError as error:
        return Settings(), () if error.missing else (msgspec.structs.replace(error.problem, allowed=FORGOTTEN),)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        return Settings(), (Problem("file", f"no JSON: {error}", FORGOTTEN),)
    if not isinstance(raw, dict):
        return Settings(), (Problem("file", f"{shown(raw)} is no JSON object", FORGOTTEN),)
    good = {key: value for key, value in raw.items() if key in _FIT and _FIT[key](value)}
    wrong = ((key, shown(value) if key in _FIT else "no such key") for key, value in raw.items() if key not in good)
    return Settings(**good), tuple(Problem(shown_key(key), what, FORGOTTEN) for key, what in wrong)


def _is_yes_or_no(value: Any) -> bool:
    return isinstance(value, bool)


_FIT: Mapping[str, Callable[[Any], bool]] = {
    "language": lambda value: value in ("", *LANGUAGES),
    "large": _is_yes_or_no,
    "sound": _is_yes_or_no,
    "game": lambda value: value in ("", *names()),
}
"""Whether a value can be used, by key; another version may have had other languages and games."""

"""Owners' content files: where they lie, which of them can be used, and a game that plays with them.

A game ships its files in `companion/games/GAME/content/NOUN`, so that names of folders tell what there is without
loading a game. The owner's lie in the user's data folder; one with the name of a shipped file goes before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from companion import files
from companion.core.content import ContentError, ContentKind, Problem, read_toml, told
from companion.core.game import Game
from companion.games import load, names

SUFFIX = ".toml"
MOST_FILES = 100
"""So many files of one sort are read; whoever has more of them has something else in that folder."""


class ContentFile(msgspec.Struct, frozen=True):
    """One file with all that is wrong with it.

    Attributes:
        path: where it lies.
        text: what it holds; empty if it can't be read.
        problems: none if it is fit for use.
    """

    path: Path
    text: str
    problems: tuple[Problem, ...]

    @property
    def name(self) -> str:
        """What the game calls it: the file's name without the ending."""
        return self.path.stem

    def complaint(self) -> list[str]:
        """One line for each problem."""
        return told(self.problems, f"{self.path}: ")


def nouns() -> dict[str, str]:
    """By noun (such as `story`) the game whose owners can write files of that sort; no game is loaded."""
    found = {}
    for game in names():
        folder = resources.files("companion.games") / game / "content"
        if folder.is_dir():
            found.update({kind.name: game for kind in folder.iterdir() if kind.is_dir()})
    return dict(sorted(found.items()))


def shipped(game: str, noun: str) -> dict[str, str]:
    """The texts of the files that come with a game, by name."""
    folder: Traversable = resources.files("companion.games") / game / "content" / noun
    found = [file for file in folder.iterdir() if file.name.endswith(SUFFIX)] if folder.is_dir() else []
    return {file.name.removesuffix(SUFFIX): file.read_text("utf-8") for file in sorted(found, key=lambda f: f.name)}


def owners_folder(game: str, noun: str, content: Path | None = None) -> Path:
    """Where an owner's files of one sort are looked for.

    Args:
        game: the game's id.
        noun: what one file is called.
        content: folder of all that owners write; the user's data folder if it isn't said.
    """
    import platformdirs

    return (content or platformdirs.user_data_path("tabletop-companion")) / game / noun


def examine(kind: ContentKind, path: Path) -> ContentFile:
    """Reads and checks one file; also a file that can't be read is a problem and no exception."""
    try:
        text = files.read_text(path)
    except files.FileError as error:
        return ContentFile(path, "", (error.problem,))
    return ContentFile(path, text, tuple(kind.check(text)))


def owned(kind: ContentKind, folder: Path) -> tuple[ContentFile, ...]:
    """The files of an owner's folder, by name, as many as are read; none if it isn't there."""
    return tuple(examine(kind, path) for path in _paths(folder)[:MOST_FILES])


def left_out(folder: Path) -> str:
    """What is to be said of an owner's folder with more files than are read; empty for any other."""
    more = len(_paths(folder)) - MOST_FILES
    return f"{folder}: the first {MOST_FILES} files are read, {more:,} are not; move some away" if more > 0 else ""


def _paths(folder: Path) -> list[Path]:
    return sorted(folder.glob(f"*{SUFFIX}"))


def load_equipped(name: str, content: Path | None = None) -> tuple[Game[Any, Any], tuple[str, ...]]:
    """The game in the folder `name` with its owner's files, and a warning for each file that can't be used.

    A broken file stops no game: it is played without, or with the shipped file of the same name.

    Args:
        name: the game's id.
        content: see `owners_folder`.

    Raises:
        NoSuchGameError: there is no such game.
    """
    game = load(name)
    kind = game.content
    if kind is None:
        return game, ()
    folder = owners_folder(name, kind.noun, content)
    own = owned(kind, folder)
    theirs = shipped(name, kind.noun)
    warnings = [_warning(kind.noun, file, file.name in theirs) for file in own if file.problems]
    warnings += [more] if (more := left_out(folder)) else []
    fit = {file.name: file.text for file in own if not file.problems}
    try:
        return (game.equipped(fit) if fit else game), tuple(warnings)
    except ContentError as error:  # each is right by itself, but they don't go together
        used = f"no {kind.noun} of your own is used; mend it or move it away"
        return game, (*warnings, f"{error}\n{used}")


def title(text: str) -> str:
    """What a content file calls itself: its `name`, of several languages the English one; empty if it doesn't say."""
    try:
        name = read_toml(text).get("name", "")
    except ContentError:
        return ""
    if isinstance(name, Mapping):
        name = name.get("en") or next(iter(name.values()), "")
    return str(name)


def _warning(noun: str, file: ContentFile, replaced: bool) -> str:
    used = "the shipped one is used instead" if replaced else "it is left out"
    remedy = f"{file.path}: {used}; mend it (`companion {noun} check` lists what is wrong) or move it away"
    return "\n".join([*file.complaint(), remedy])

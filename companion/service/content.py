"""Owners' content files: where they lie, which of them can be used, and a game that plays with them.

A game ships its files in `companion/games/GAME/content/NOUN`, so that names of folders tell what there is without
loading a game. The owner's lie in the user's data folder; one with the name of a shipped file goes before it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import msgspec

from companion.core.content import ContentError, ContentKind, Problem
from companion.core.game import Game
from companion.games import load, names

SUFFIX = ".toml"


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
        return [f"{self.path}: {problem}" for problem in self.problems]


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
    files = [file for file in folder.iterdir() if file.name.endswith(SUFFIX)] if folder.is_dir() else []
    return {file.name.removesuffix(SUFFIX): file.read_text("utf-8") for file in sorted(files, key=lambda f: f.name)}


def owners_folder(game: str, noun: str) -> Path:
    """Where an owner's files are looked for if nobody says otherwise: in the user's data folder."""
    import platformdirs

    return platformdirs.user_data_path("tabletop-companion") / game / noun


def examine(kind: ContentKind, path: Path) -> ContentFile:
    """Reads and checks one file; also a file that can't be read is a problem and no exception."""
    try:
        text = path.read_bytes().decode("utf-8-sig")  # some editors put a byte order mark first, which is no TOML
    except OSError as error:
        problem = Problem("file", f"can't be read ({error.strerror})", f"name a {SUFFIX} file that can")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        problem = Problem(f"line {line}", "letters in another encoding", "save the file as UTF-8")
    else:
        return ContentFile(path, text, tuple(kind.check(text)))
    return ContentFile(path, "", (problem,))


def owned(kind: ContentKind, folder: Path) -> tuple[ContentFile, ...]:
    """All files of an owner's folder, by name; none if it isn't there."""
    return tuple(examine(kind, path) for path in sorted(folder.glob(f"*{SUFFIX}")))


def load_equipped(name: str, folder: Path | None = None) -> tuple[Game[Any, Any], tuple[str, ...]]:
    """The game in the folder `name` with its owner's files, and a warning for each file that can't be used.

    A broken file stops no game: it is played without, or with the shipped file of the same name.

    Args:
        name: the game's id.
        folder: where the owner's files lie; `owners_folder` if it isn't said.

    Raises:
        NoSuchGameError: there is no such game.
    """
    game = load(name)
    kind = game.content
    if kind is None:
        return game, ()
    files = owned(kind, folder or owners_folder(name, kind.noun))
    theirs = shipped(name, kind.noun)
    warnings = [_warning(kind.noun, file, file.name in theirs) for file in files if file.problems]
    fit = {file.name: file.text for file in files if not file.problems}
    try:
        return (game.equipped(fit) if fit else game), tuple(warnings)
    except ContentError as error:  # each is right by itself, but they don't go together
        used = f"no {kind.noun} of your own is used; mend it or move it away"
        return game, (*warnings, f"{error}\n{used}")


def title(text: str) -> str:
    """What a content file calls itself: its `name`, of several languages the English one; empty if it doesn't say."""
    try:
        name = tomllib.loads(text).get("name", "")
    except (ValueError, RecursionError):  # TOML's own error is a ValueError as well
        return ""
    if isinstance(name, Mapping):
        name = name.get("en") or next(iter(name.values()), "")
    return str(name)


def _warning(noun: str, file: ContentFile, replaced: bool) -> str:
    used = "the shipped one is used instead" if replaced else "it is left out"
    remedy = f"{file.path}: {used}; mend it (`companion {noun} check` lists what is wrong) or move it away"
    return "\n".join([*file.complaint(), remedy])

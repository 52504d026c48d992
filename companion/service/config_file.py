"""The configuration file: found, read, checked, shown, and its commented example.

A broken file never stops a box. What is wrong in it is named, all at once, and the default is taken for that alone.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from companion.core.content import Problem
from companion.service.config import Config
from companion.service.config_values import is_json, nearest, shown_value, wrong_value
from companion.service.pin_use import clashes, same_place

LARGEST_BYTES = 65536
"""A configuration of all keys with all comments has a tenth of that."""

MOST_LOST_LINES = 20
"""A file with more lines than these that are no TOML is something else."""

_AT_LINE = re.compile(r"\(at line (\d+), column \d+\)")
_HEADER = re.compile(r"\s*\[+\s*([^\[\]#]+?)\s*\]+")
_KEY = re.compile(r"""\s*([\w."'-]+)\s*=""")


class Loaded(msgspec.Struct, frozen=True):
    """A configuration and where it comes from.

    Attributes:
        config: what is to be used; defaults where the file says nothing, or something wrong.
        path: the file; None if there is none.
        problems: all that is wrong with it.
    """

    config: Config
    path: Path | None = None
    problems: tuple[Problem, ...] = ()

    def complaint(self) -> list[str]:
        """One line for each problem."""
        return [f"{self.path}: {problem}" for problem in self.problems]


def places() -> tuple[Path, ...]:
    """Where the file is looked for, in this order, if nobody names it."""
    import platformdirs

    return platformdirs.user_config_path("companion") / "config.toml", Path("/etc/companion/config.toml")


def find(named: Path | None, looked_at: Sequence[Path]) -> Path | None:
    """The file to be used: the one that was named, also if it isn't there, or the first that is; None for none."""
    return named or next((path for path in looked_at if path.is_file()), None)


def load(path: Path | None) -> Loaded:
    """Reads and checks a file; None, and whatever can't be read, gives the defaults. It raises nothing."""
    if path is None:
        return Loaded(Config())
    try:
        if path.exists() and not path.is_file():  # a pipe or a device would be waited for without end
            return _unread(path, "is no file", "name a .toml file")
        with path.open("rb") as file:
            data = file.read(LARGEST_BYTES + 1)
    except (OSError, ValueError) as error:
        return _unread(path, f"can't be read ({getattr(error, 'strerror', None) or error})", "name a file that can")
    if len(data) > LARGEST_BYTES:
        return _unread(path, f"has more than {LARGEST_BYTES} bytes", "this can't be a configuration")
    try:
        text = data.decode("utf-8-sig")  # some editors put a byte order mark first, which is no TOML
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        return _unread(path, f"line {line} has letters in another encoding", "save the file as UTF-8")
    config, problems = check(text)
    return Loaded(config, path, tuple(problems))


def check(text: str) -> tuple[Config, list[Problem]]:
    """The configuration in a file's text, and all that is wrong with it, in the order of the file."""
    raw, problems = _parsed(text)
    found: dict[str, Any] = {}
    lines = _lines(text)
    default = Config()
    for name, value in raw.items():
        if name not in Config.__struct_fields__:
            problems.append(_unknown_table(name, lines))
        elif not isinstance(value, Mapping):
            problems.append(Problem(_where(name, lines), shown_value(value), f"a table is needed: [{name}] and its keys"))
        else:
            found[name], wrong = _table(name, getattr(default, name), value, lines)
            problems += wrong
    problems.sort(key=lambda problem: _line_of(problem.where))
    return _without_clashes(Config(**found), problems)


def _table(name: str, default: Any, raw: Mapping[str, Any], lines: Mapping[str, int]) -> tuple[Any, list[Problem]]:
    """One table with the values that can be used, and what is wrong with the others."""
    good: dict[str, Any] = {}
    problems = []
    for key, value in raw.items():
        where = _where(f"{name}.{key}", lines)
        if key not in default.__struct_fields__:
            problems.append(_unknown_key(name, key, default, where))
        elif (name, key) == ("play", "setup"):
            good[key], wrong = _setup(value, lines)
            problems += wrong
        elif complaint := wrong_value(type(default), key, value):
            taken = shown_value(getattr(default, key), type(default), key)
            problems.append(Problem(where, shown_value(value), f"{complaint}; {taken} is taken"))
        else:
            good[key] = tuple(value) if isinstance(value, list) else value
    return msgspec.structs.replace(default, **good), problems


def _setup(raw: Any, lines: Mapping[str, int]) -> tuple[Mapping[str, Any], list[Problem]]:
    """What is always so in the set-up of games. What its fields may be, only the game knows."""
    from companion.games import names

    if not isinstance(raw, Mapping):
        return {}, [Problem(_where("play.setup", lines), shown_value(raw), "[play.setup.GAME] and its fields are needed")]
    good, problems = {}, []
    for game, fields in raw.items():
        where = _where(f"play.setup.{game}", lines)
        if game not in names():
            problems.append(Problem(where, "there is no such game", nearest(game, names(), "there are")))
        elif not isinstance(fields, Mapping):
            problems.append(Problem(where, shown_value(fields), f"[play.setup.{game}] and its fields are needed"))
        else:
            good[game] = {key: value for key, value in fields.items() if is_json(value)}
            problems += [
                Problem(_where(f"play.setup.{game}.{key}", lines), shown_value(fields[key]), "put it in quotes; left out")
                for key in fields
                if key not in good[game]
            ]
    return good, problems


def _unknown_table(name: str, lines: Mapping[str, int]) -> Problem:
    where = _where(name, lines)
    homes = [table for table in Config.__struct_fields__ if name in getattr(Config(), table).__struct_fields__]
    if homes:
        belongs = " or ".join(f"[{home}]" for home in homes)
        return Problem(where, "stands outside of its table", f"put it below {belongs}")
    return Problem(where, "there is no such table", nearest(name, Config.__struct_fields__, "there are"))


def _unknown_key(table: str, key: str, default: Any, where: str) -> Problem:
    keys = default.__struct_fields__
    homes = [name for name in Config.__struct_fields__ if key in getattr(Config(), name).__struct_fields__]
    remedy = nearest(key, keys, f"[{table}] has")
    if homes and not remedy.startswith("did you mean"):
        remedy = f"it belongs below {' or '.join(f'[{home}]' for home in homes)}"
    return Problem(where, "there is no such key", remedy)


def _without_clashes(config: Config, problems: list[Problem]) -> tuple[Config, list[Problem]]:
    """The configuration with defaults for what contradicts itself, and that named as well."""
    from companion.games import names

    problems = list(problems)
    if config.play.game and config.play.game not in names():
        asks = f'{nearest(config.play.game, names(), "there are")}; "" is taken: the box asks'
        problems.append(Problem("play.game", shown_value(config.play.game), asks))
        config = _with_defaults(config, ["play.game"])
    for name in ("display", "second_display"):
        table = getattr(config, name)
        if table.dark_after_min and table.dark_after_min <= table.dim_after_min:
            what = f"{table.dark_after_min:g}, but it is dimmed after {table.dim_after_min:g} minutes only"
            problems.append(Problem(f"{name}.dark_after_min", what, "choose more, or 0 for never; the defaults are taken"))
            config = _with_defaults(config, [f"{name}.dim_after_min", f"{name}.dark_after_min"])
    while (place := same_place(config)) is not None:
        what, key = place
        remedy = f"change {key} of one; it is taken as if there were no second one"
        problems.append(Problem("display, second_display", f"both are at {what}", remedy))
        config = _with_defaults(config, ["second_display.driver"])
    while clashing := clashes(config):
        group = clashing[0]
        who = " and ".join(use.what for use in group)
        # The defaults get on with one another, so some key here is set to something else; and each turn of this
        # loop takes one away, so it ends.
        keys = [key for use in group for key in use.keys if _is_set(config, key)]
        problems.append(
            Problem("pins", f"{who} share GPIO{group[0].pin}", f"give each its own; the default is taken for {', '.join(keys)}")
        )
        config = _with_defaults(config, keys)
    return config, problems


def _is_set(config: Config, key: str) -> bool:
    table, _, name = key.partition(".")
    return bool(getattr(getattr(config, table), name) != getattr(getattr(Config(), table), name))


def _with_defaults(config: Config, keys: Sequence[str]) -> Config:
    for key in keys:
        table, _, name = key.partition(".")
        usual = getattr(getattr(Config(), table), name)
        config = msgspec.structs.replace(config, **{table: msgspec.structs.replace(getattr(config, table), **{name: usual})})
    return config


def _parsed(text: str) -> tuple[dict[str, Any], list[Problem]]:
    """The file as a dictionary. A line that is no TOML is left out and named; with a header goes what stands below it."""
    rows = text.split("\n")
    problems: list[Problem] = []
    while True:
        try:
            return tomllib.loads("\n".join(rows)), problems
        except RecursionError:
            return {}, [Problem("file", "is nested too deeply", "this can't be a configuration")]
        except ValueError as error:  # also numbers that are too long, which are no TOMLDecodeError
            found = _AT_LINE.search(str(error))
            if not found or len(problems) == MOST_LOST_LINES:
                remedy = "quotes and brackets must be closed; see `companion config example`"
                return {}, [*problems, Problem("file", f"no TOML: {error}", f"{remedy}; all defaults are taken")]
            at = min(int(found[1]) - 1, len(rows) - 1)
            end = _end_of_section(rows, at) if rows[at].lstrip().startswith("[") else at + 1
            what = f"{shown_value(rows[at].strip())} is no TOML"
            left_out = "it is left out" if end == at + 1 else "it is left out with all that stands below it"
            problems.append(Problem(f"line {at + 1}", what, left_out))
            rows[at:end] = [""] * (end - at)


def _end_of_section(rows: Sequence[str], at: int) -> int:
    return next((n for n in range(at + 1, len(rows)) if rows[n].lstrip().startswith("[")), len(rows))


def _lines(text: str) -> dict[str, int]:
    """On which line each key and each table stands, as far as a glance at the line's beginning tells."""
    found: dict[str, int] = {}
    header = ""
    for number, line in enumerate(text.split("\n"), 1):
        if match := _HEADER.match(line):
            header = f"{_bare(match[1])}."
            found.setdefault(header[:-1], number)
        elif match := _KEY.match(line):
            found.setdefault(header + _bare(match[1]), number)
    return found


def _bare(name: str) -> str:
    return re.sub(r"""["'\s]""", "", name)


def _where(key: str, lines: Mapping[str, int]) -> str:
    shown = key if len(key) <= 60 else f"{key[:60]}..."
    return f"line {lines[key]}, {shown}" if key in lines else shown


def _line_of(where: str) -> int:
    found = re.match(r"line (\d+)", where)
    return int(found[1]) if found else 0


def _unread(path: Path, what: str, remedy: str) -> Loaded:
    return Loaded(Config(), path, (Problem("file", what, f"{remedy}; all defaults are taken"),))

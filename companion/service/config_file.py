"""The configuration file: found, read, checked, shown, and its commented example.

A broken file never stops a box. What is wrong in it is named, all at once, and the default is taken for that alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from companion import files
from companion.core.content import ContentError, Problem, TooMuchError, read_toml, told
from companion.core.game import Refusal
from companion.core.players import ALLOWED, READERS, named
from companion.service.config import Config
from companion.service.config_values import as_written, is_json, nearest, shown_value, wrong_value
from companion.service.pin_use import clashes, same_place

MOST_LOST = 20
"""So many times what contradicts something further up is left out; more of it is no configuration."""

_AT_LINE = re.compile(r" \(at (?:end of document|line (\d+), column \d+)\)")
_HEADER = re.compile(r"\s*+\[++([^\[\]#]++)\]")
_KEY = re.compile(r"""\s*+([\w."'-]++)\s*+=""")


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
        return told(self.problems, f"{self.path}: ")


def places() -> tuple[Path, ...]:
    """Where the file is looked for, in this order, if nobody names it."""
    import platformdirs

    return platformdirs.user_config_path("companion") / "config.toml", Path("/etc/companion/config.toml")


def find(named: Path | None, looked_at: Sequence[Path]) -> Path | None:
    """The file to be used: the one that was named, also if it isn't there, or the first that is; None for none."""
    return named or next((path for path in looked_at if files.there(path)), None)


def content_folder() -> Path:
    """Where owners' files lie by the configuration at the usual places."""
    return load(find(None, places())).config.paths.folder("content")


def load(path: Path | None) -> Loaded:
    """Reads and checks a file; None, and whatever can't be read, gives the defaults. It raises nothing."""
    if path is None:
        return Loaded(Config())
    try:
        text = files.read_text(path)
    except files.FileError as error:
        remedy = f"{error.problem.allowed}; all defaults are taken"
        return Loaded(Config(), path, (msgspec.structs.replace(error.problem, allowed=remedy),))
    config, problems = check(text)
    return Loaded(config, path, tuple(problems))


def check(text: str) -> tuple[Config, list[Problem]]:
    """The configuration in a file's text, and all that is wrong with it, in the order of the file."""
    try:
        raw, problems = _parsed(text)
    except TooMuchError as error:
        return Config(), [Problem("file", str(error), "this can't be a configuration; all defaults are taken")]
    found: dict[str, Any] = {}
    lines = _lines(text)
    default = Config()
    for name, value in raw.items():
        if name not in Config.__struct_fields__:
            problems.append(_unknown_table(name, lines))
        elif not isinstance(value, Mapping):
            problems.append(
                Problem(_where(name, lines), shown_value(value), f"a table is needed: [{name}] and its keys")
            )
        else:
            found[name], wrong = _table(name, getattr(default, name), value, lines)
            problems += wrong
    return _without_clashes(Config(**found), problems, lines)


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
            taken = as_written(type(default), key, getattr(default, key))
            problems.append(Problem(where, shown_value(value, type(default), key), f"{complaint}; {taken} is taken"))
        else:
            good[key] = tuple(value) if isinstance(value, list) else value
    return msgspec.structs.replace(default, **good), problems


def _setup(raw: Any, lines: Mapping[str, int]) -> tuple[Mapping[str, Any], list[Problem]]:
    """What is always so in the set-up of games. What its fields may be, only the game knows."""
    from companion.games import names

    if not isinstance(raw, Mapping):
        return {}, [
            Problem(_where("play.setup", lines), shown_value(raw), "[play.setup.GAME] and its fields are needed")
        ]
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
                Problem(
                    _where(f"play.setup.{game}.{key}", lines), shown_value(fields[key]), "put it in quotes; left out"
                )
                for key in fields
                if key not in good[game]
            ]
            for key in ("players", *READERS):
                if isinstance(named({key: good[game].get(key)}), Refusal):
                    at = _where(f"play.setup.{game}.{key}", lines)
                    problems.append(Problem(at, shown_value(good[game].pop(key)), f"{ALLOWED}; left out"))
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


def _without_clashes(config: Config, problems: list[Problem], lines: Mapping[str, int]) -> tuple[Config, list[Problem]]:
    """The configuration with defaults for what contradicts itself, and that named as well."""
    from companion.games import names

    problems = list(problems)
    if config.play.game and config.play.game not in names():
        asks = f'{nearest(config.play.game, names(), "there are")}; "" is taken: the box asks'
        problems.append(Problem(_where("play.game", lines), shown_value(config.play.game), asks))
        config = _with_defaults(config, ["play.game"])
    for name in ("display", "second_display"):
        table = getattr(config, name)
        if table.dark_after_min and table.dark_after_min <= table.dim_after_min:
            what = f"{table.dark_after_min:g}, but it is dimmed after {table.dim_after_min:g} minutes only"
            problems.append(
                Problem(
                    _where(f"{name}.dark_after_min", lines), what, "choose more, or 0 for never; the defaults are taken"
                )
            )
            config = _with_defaults(config, [f"{name}.dim_after_min", f"{name}.dark_after_min"])
    # The defaults get on with one another, so where something clashes, some key is set to something else. Each turn
    # takes at least one such key away, so this ends.
    while True:
        if (place := same_place(config)) is not None:
            what, key = place
            keys = ["second_display.driver"]
            problem = (f"both displays are at {what}", f"change {key} of one; the second is taken to be missing")
        elif clashing := clashes(config):
            group = clashing[0]
            keys = [key for use in group for key in use.keys if _is_set(config, key)]
            who = " and ".join(use.what for use in group)
            taken = f"the default is taken for {', '.join(keys)}"
            problem = (f"{who} share GPIO{group[0].pin}", f"give each its own; {taken}")
        else:
            return config, sorted(problems, key=lambda problem: _line_of(problem.where))
        problems.append(Problem(_where(keys[0], lines), *problem))
        config = _with_defaults(config, keys)


def _is_set(config: Config, key: str) -> bool:
    table, _, name = key.partition(".")
    return bool(getattr(getattr(config, table), name) != getattr(getattr(Config(), table), name))


def _with_defaults(config: Config, keys: Sequence[str]) -> Config:
    for key in keys:
        table, _, name = key.partition(".")
        usual = getattr(getattr(Config(), table), name)
        config = msgspec.structs.replace(
            config, **{table: msgspec.structs.replace(getattr(config, table), **{name: usual})}
        )
    return config


def _parsed(text: str) -> tuple[dict[str, Any], list[Problem]]:
    """The file as a dictionary. What is no TOML is left out and named; with a header goes all that stands below it."""
    try:
        return read_toml(text), []
    except TooMuchError:
        raise
    except ContentError as error:
        whole = error
    rows = text.split("\n")
    blocks = _blocks(rows)
    problems = []
    for start, end in blocks:
        if wrong := _wrong(rows[start:end]):
            problems.append(_left_out(rows, start, end, wrong))
    for _ in range(MOST_LOST):
        wrong = _wrong(rows)
        if not wrong:
            return read_toml("\n".join(rows)), problems
        at = int(found[1]) - 1 if (found := _AT_LINE.search(wrong)) and found[1] else len(rows)
        start, end = next(((start, end) for start, end in blocks if start <= at < end), (0, 0))
        if start == end:
            break
        problems.append(_left_out(rows, start, end, wrong))
    remedy = "quotes and brackets must be closed; see `companion config example`; all defaults are taken"
    return {}, [Problem("file", str(whole), remedy)]


def _blocks(rows: Sequence[str]) -> list[tuple[int, int]]:
    """Where each header and each key begins and ends; between them, as rows, from and up to but not including."""
    starts = [n for n, row in enumerate(rows) if row.lstrip().startswith("[") or _KEY.match(row)]
    return list(zip([0, *starts], [*starts, len(rows)], strict=True))


def _wrong(rows: Sequence[str]) -> str:
    """Why these rows are no TOML by themselves; empty if they are."""
    try:
        read_toml("\n".join(rows))
    except ContentError as error:
        return str(error).removeprefix("no TOML: ")
    return ""


def _left_out(rows: list[str], start: int, end: int, wrong: str) -> Problem:
    """Empties the rows from `start` up to but not including `end`, and below a header those up to the next one."""
    row = rows[start].strip()
    if row.startswith("["):
        end = next((n for n in range(end, len(rows)) if rows[n].lstrip().startswith("[")), len(rows))
    rows_below = " with all that stands below it" if row.startswith("[") else ""
    rows[start:end] = [""] * (end - start)
    return Problem(
        f"line {start + 1}", f"{shown_value(row)}: {_AT_LINE.sub('', wrong).strip()}", f"it is left out{rows_below}"
    )


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

"""What the values of a configuration may be, in words; and how values look in a TOML file."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import inspect

DEEPEST = 20
"""So deep may lists and tables lie within one another."""
LONGEST_SHOWN = 40
"""Characters of a wrong value that a message repeats."""


def meaning(table: type[msgspec.Struct], key: str) -> str:
    """What a key means."""
    return str((_info(table, key).extra_json_schema or {})["description"])


def allowed(table: type[msgspec.Struct], key: str) -> str:
    """What a key may be."""
    info = _info(table, key)
    own = (info.extra or {})["allowed"]
    if own:
        return str(own)
    kind = info.type
    if isinstance(kind, inspect.LiteralType):
        return either([_as_written(value, info) for value in _choices(table, key)])
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        sort = "a whole number" if isinstance(kind, inspect.IntType) else "a number"
        return f"{sort} from {kind.ge:g} to {kind.le:g}"
    return "true or false" if isinstance(kind, inspect.BoolType) else "any"


def wrong_value(table: type[msgspec.Struct], key: str, value: Any) -> str:
    """What a key may be, and what comes nearest to `value`; empty if `value` is fine."""
    try:
        msgspec.convert(value, _hint(table, key), strict=True)
    except (msgspec.ValidationError, OverflowError):
        pass
    else:
        return ""
    options = [one for one in _choices(table, key) if isinstance(one, str)]
    return ", ".join(part for part in (f"{allowed(table, key)} is allowed", nearest(value, options, "")) if part)


def either(options: Sequence[str]) -> str:
    """The options with commas, and `or` before the last one."""
    return f"{', '.join(options[:-1])} or {options[-1]}" if len(options) > 1 else options[0]


def nearest(word: Any, options: Iterable[str], otherwise: str) -> str:
    """A question after the option that is meant, or all of them after the words `otherwise`, if there are any."""
    options = list(options)
    if isinstance(word, str):
        asked = word[:LONGEST_SHOWN].casefold().replace("-", "_")
        if close := difflib.get_close_matches(asked, options, n=1, cutoff=0.6):
            return f"did you mean {close[0]}?"
    return f"{otherwise} {', '.join(options)}" if otherwise else ""


def is_json(value: Any, depth: int = 0) -> bool:
    """Whether a value can stand in a set-up line, which knows no dates, nothing infinite and nothing bottomless."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list | Mapping):
        inner = value.values() if isinstance(value, Mapping) else value
        return depth < DEEPEST and all(is_json(one, depth + 1) for one in inner)
    return isinstance(value, str | int)


def as_written(table: type[msgspec.Struct], key: str, value: Any) -> str:
    """The value of a key as people write it."""
    return _as_written(value, _info(table, key))


def shown_value(value: Any, table: type[msgspec.Struct] | None = None, key: str = "") -> str:
    """A value, perhaps that of a key, as a message names it: as in the file, but not at any length."""
    if isinstance(value, Mapping):
        return "a table"
    text = as_written(table, key, value) if table else toml(value)
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def toml(value: Any) -> str:
    """A value as it stands in a TOML file, on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{toml_key(key)} = {toml(inner)}' for key, inner in value.items())}}}"
    return str(value)


def toml_key(key: str) -> str:
    """A key as it stands in a TOML file."""
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else toml(key)


def _as_written(value: Any, info: inspect.Metadata) -> str:
    return f"0x{value:02X}" if isinstance(value, int) and (info.extra or {})["hexadecimal"] else toml(value)


@cache
def _hint(table: type[msgspec.Struct], key: str) -> Any:
    return get_type_hints(table, include_extras=True)[key]


@cache
def _choices(table: type[msgspec.Struct], key: str) -> tuple[Any, ...]:
    """The values of a key that knows only some, in the order in which they were written; none for any other key."""
    kind = get_args(_hint(table, key))[0]
    return get_args(kind) if get_origin(kind) is Literal else ()


@cache
def _info(table: type[msgspec.Struct], key: str) -> inspect.Metadata:
    found = inspect.type_info(_hint(table, key))
    assert isinstance(found, inspect.Metadata), f"{table.__name__}.{key} says nothing of itself"
    return found

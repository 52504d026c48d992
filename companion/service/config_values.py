"""What the values of a configuration may be, in words; and how values look in a TOML file."""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any, get_type_hints

import msgspec
from msgspec import inspect

from companion.core.content import Problem

LONGEST_SHOWN = 40
"""Characters of a wrong value that a message repeats."""


def meaning(table: type[msgspec.Struct], key: str) -> str:
    """What a key means."""
    return str((_info(table, key).extra_json_schema or {})["description"])


def allowed(table: type[msgspec.Struct], key: str) -> str:
    """What a key may be."""
    info = _info(table, key)
    return str((info.extra or {}).get("allowed")) if (info.extra or {}).get("allowed") else _allowed(info, key, table)


def wrong_value(table: type[msgspec.Struct], key: str, value: Any) -> str:
    """What a key may be, and what comes nearest to `value`; empty if `value` is fine."""
    try:
        msgspec.convert(value, get_type_hints(table, include_extras=True)[key], strict=True)
    except (msgspec.ValidationError, OverflowError):
        pass
    else:
        if not isinstance(value, float) or math.isfinite(value):
            return ""
    named = _plain(_info(table, key))
    close = nearest(value, [v for v in named.values if isinstance(v, str)], "") if _is_choice(named) else ""
    return ", ".join(part for part in (f"{allowed(table, key)} is allowed", close) if part)


def nearest(word: Any, options: Iterable[str], otherwise: str) -> str:
    """A question after the option that is meant, or all of them after the words `otherwise`, if there are any."""
    options = list(options)
    if isinstance(word, str):
        asked = word[:LONGEST_SHOWN].casefold().replace("-", "_")
        if close := difflib.get_close_matches(asked, options, n=1, cutoff=0.6):
            return f"did you mean {close[0]}?"
    return f"{otherwise} {', '.join(options)}" if otherwise else ""


def is_json(value: Any) -> bool:
    """Whether a value can stand in a set-up line, which knows no dates and nothing infinite."""
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, list):
        return all(map(is_json, value))
    if isinstance(value, Mapping):
        return all(map(is_json, value.values()))
    return isinstance(value, str | int)


def shown_value(value: Any, table: type[msgspec.Struct] | None = None, key: str = "") -> str:
    """A value as a message names it: as in the file, but not at any length."""
    if isinstance(value, Mapping):
        return "a table"
    if table is not None and (_info(table, key).extra or {}).get("hexadecimal"):
        return f"0x{value:02X}"
    try:
        text = toml(value)
    except ValueError:  # a whole number of thousands of digits
        return "a huge number"
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


def problem(where: str, value: Any, remedy: str) -> Problem:
    """A value that can't be used."""
    return Problem(where, shown_value(value), remedy)


def _info(table: type[msgspec.Struct], key: str) -> inspect.Metadata:
    found = inspect.type_info(get_type_hints(table, include_extras=True)[key])
    assert isinstance(found, inspect.Metadata), f"{table.__name__}.{key} says nothing of itself"
    return found

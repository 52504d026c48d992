r"""Wording files: reading them, the templates in them, and what is wrong with a set of them.

A wording file is TOML in one language, `en.toml`, `de.toml`, `es.toml` or `ca.toml`. Its tables nest as the
dots in a message's key do; its leaves are templates:

* `{player}` is the value as it is; a value that is a message is said, and the items of a list are joined as
  the table `[list]` says.
* `{card:piece}` is the label of that piece in the game's box.
* `{side:guild}` looks the value up in the table `[guild]`; a value that the table lacks is shown as it is.
  Any table can be such a *kind*, and languages may have different ones: `{side:guild-of}` for a genitive.
* In a kind's table `*` stands for any text between slashes, and the template gets the parts by number:
  `"*/*" = "the {1:guild} side of the {0:nest}"` says the zone `small-1/crown`. The entry with the fewest
  stars wins. The value none is looked up as `none`, truth values as `true` and `false`.
* A capital kind, `{card:Piece}`, makes the value's first letter a capital, for the beginning of a sentence.
* A table of `one` and `other` (and `zero`, if it reads better) is a plural: the parameter `n` chooses.
* A soft hyphen, TOML's `\u00AD`, marks where a long word may be broken.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from companion.core.errors import CompanionError
from companion.core.messages import LANGUAGES

LANGUAGE_NAMES = {"en": "English", "de": "Deutsch", "es": "Español", "ca": "Català"}
"""What each language calls itself."""

_ONE_LANGUAGE = "list.last-before."
"""How lists are joined before certain sounds; only some languages have it."""

PLURALS = frozenset({"zero", "one", "other"})

Tables = Mapping[str, Any]
"""The nested tables of one wording file."""

_PLACEHOLDER = re.compile(r"\{([A-Za-z0-9_-]+)(?::([A-Za-z0-9_-]+))?\}")


class WordingError(CompanionError, ValueError):
    """A wording file can't be read, or (where one is strict) something can't be said."""


@dataclass(frozen=True)
class Placeholder:
    """A gap in a template.

    Attributes:
        name: the parameter that fills it.
        kind: `piece`, or the table in which its value is looked up; `""` shows the value as it is.
        capital: the value begins with a capital letter.
    """

    name: str
    kind: str = ""
    capital: bool = False


def next_language(language: str) -> str:
    """The language after this one, counting round."""
    return LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]


def parse(template: str) -> tuple[str | Placeholder, ...]:
    """The pieces of a template in order; a brace that opens no placeholder is plain text."""
    parts: list[str | Placeholder] = []
    end = 0
    for found in _PLACEHOLDER.finditer(template):
        if found.start() > end:
            parts.append(template[end : found.start()])
        name, kind = found[1], found[2] or ""
        parts.append(Placeholder(name, kind[:1].lower() + kind[1:], kind[:1].isupper()))
        end = found.end()
    if end < len(template):
        parts.append(template[end:])
    return tuple(parts)


def read(folder: Traversable | Path) -> dict[str, Tables]:
    """The wording of a folder by language; languages without a file are left out.

    Raises:
        WordingError: a file is no TOML, or holds something else than text.
    """
    found: dict[str, Tables] = {}
    for language in LANGUAGES:
        file = folder / f"{language}.toml"
        if not file.is_file():
            continue
        try:
            found[language] = tomllib.loads(file.read_text(encoding="utf-8"))
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise WordingError(f"{file}: not a TOML file: {error}") from error
        for key, text in leaves(found[language]):
            if not isinstance(text, str):
                raise WordingError(f"{file}: key {key}: {text!r} is no text; put it in quotes")
    return found


def leaves(tables: Tables, prefix: str = "") -> Iterator[tuple[str, Any]]:
    """All texts of a file with their dotted keys, in the file's order."""
    for name, value in tables.items():
        if isinstance(value, Mapping):
            yield from leaves(value, f"{prefix}{name}.")
        else:
            yield prefix + name, value


def find(tables: Tables, key: str) -> str | Mapping[str, str] | None:
    """The template or the plural at a dotted key, or None."""
    value: Any = tables
    for name in key.split("."):
        if not isinstance(value, Mapping) or name not in value:
            return None
        value = value[name]
    return value if isinstance(value, str) or is_plural(value) else None


def is_plural(value: Any) -> bool:
    """Whether a table is a choice by number instead of a table of keys."""
    return isinstance(value, Mapping) and "other" in value and value.keys() <= PLURALS


def check(wording: Mapping[str, Tables], shared: Mapping[str, Tables] | None = None) -> list[str]:
    """What is wrong with a set of wording files, one line each: language, key, what, and what is allowed.

    Args:
        wording: the files to check, by language.
        shared: the files whose kinds they may use as well.
    """
    problems = [f"{lang}: there is no {lang}.toml" for lang in LANGUAGES if lang not in wording]
    texts = {language: dict(leaves(tables)) for language, tables in wording.items()}
    kinds = {language: _kinds(found) for language, found in texts.items()}
    everything = {key: None for found in texts.values() for key in found if not key.startswith(_ONE_LANGUAGE)}
    for key in everything:
        having = [language for language in texts if key in texts[language]]
        table = key.split(".")[0]
        for language in texts:
            private = table in kinds[having[0]] and table not in wording[language] and table not in kinds[language]
            if language not in having and not private:
                problems.append(f"{language}: {key} is missing; {having[0]} says {texts[having[0]][key]!r}")
        names = {language: _names(texts[language][key]) for language in having}
        wanted = names[having[0]]
        for language in having[1:]:
            if names[language] != wanted and not (
                key.endswith((".one", ".zero")) and names[language] ^ wanted == {"n"}
            ):
                problems.append(f"{language}: {key} has {_list(names[language])}; {having[0]} has {_list(wanted)}")
    for language, found in texts.items():
        known = {"piece", *wording[language], *(shared or {}).get(language, {})}
        for key, text in found.items():
            for part in parse(text):
                if isinstance(part, Placeholder) and part.kind and part.kind not in known:
                    problems.append(
                        f"{language}: {key} asks for the kind {part.kind!r}; there is no table [{part.kind}]"
                    )
                elif isinstance(part, str) and re.search(r"[{}]", part):
                    problems.append(f"{language}: {key} has a brace that is no placeholder: {text!r}")
    return problems


def _kinds(texts: Mapping[str, str]) -> set[str]:
    return {part.kind for text in texts.values() for part in parse(text) if isinstance(part, Placeholder)}


def _names(text: str) -> set[str]:
    return {part.name for part in parse(text) if isinstance(part, Placeholder)}


def _list(names: set[str]) -> str:
    return ", ".join(f"{{{name}}}" for name in sorted(names)) or "no placeholder"

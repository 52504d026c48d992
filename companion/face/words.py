"""Saying messages: from a key and its values to a text in one language.

How the wording is written is told in `companion.face.tables`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from typing import Any

from companion.core.box import Box
from companion.core.game import Game
from companion.core.letters import SOFT_HYPHEN, printable
from companion.core.messages import LANGUAGES, Message
from companion.face.tables import Placeholder, Tables, WordingError, check, find, parse, read

__all__ = [
    "LANGUAGES",
    "WordingError",
    "Words",
    "check",
    "load_words",
    "read_game_wording",
    "read_shared_wording",
]

DEEPEST = 12
"""Messages within messages; deeper is a wording that refers to itself."""


class Words:
    """The voice of a game (or of the box alone) in one language.

    A text that is missing in the language is looked for in English; what is nowhere is said as its bare key,
    since a table full of people is better served by an odd word than by a stop. Tests are strict instead.

    Args:
        language: one of `LANGUAGES`.
        shared: the shared wording, by language.
        game: the game's wording, by language; it goes before the shared one.
        box: the game's pieces, for placeholders of the kind `piece`.
        strict: raise WordingError for a missing text, value or kind.
    """

    def __init__(
        self,
        language: str,
        shared: Mapping[str, Tables],
        game: Mapping[str, Tables] | None = None,
        box: Box | None = None,
        strict: bool = False,
    ) -> None:
        if language not in LANGUAGES:
            raise WordingError(f"language {language!r}: there are {', '.join(LANGUAGES)}")
        self.language = language
        self._box = box
        self._strict = strict
        own, fallback = language, LANGUAGES[0]
        order = ((game or {}, own), (shared, own)) + (() if strict else ((game or {}, fallback), (shared, fallback)))
        self._layers = tuple(wording[lang] for wording, lang in order if lang in wording)

    def say(self, message: Message) -> str:
        """The text of a message, `printable` but for line ends and soft hyphens, whatever its values hold.

        Raises:
            WordingError: strict, and a text, a value or a kind is missing.
        """
        return printable(self._say(message, 0), keep=f"\n{SOFT_HYPHEN}")

    def has(self, key: str) -> bool:
        """Whether there is a text for this key."""
        return any(find(layer, key) is not None for layer in self._layers)

    def _say(self, message: Message, depth: int) -> str:
        if message.key == "verbatim":
            return str(message.params.get("text", ""))
        if message.key == "told":
            texts = message.params.get("texts", {})
            return str(texts.get(self.language) or texts.get(LANGUAGES[0]) or next(iter(texts.values()), ""))
        template = next((t for layer in self._layers if (t := find(layer, message.key)) is not None), None)
        if template is None or depth > DEEPEST:
            return self._lacking(f"no text for the key {message.key!r}", message.key)
        if not isinstance(template, str):
            number = message.params.get("n")
            case = "zero" if number == 0 and "zero" in template else "one" if number == 1 else "other"
            template = template.get(case, template["other"])
        return self._fill(template, message.params, message.key, depth)

    def _fill(self, template: str, params: Mapping[str, Any], key: str, depth: int) -> str:
        said = []
        for part in parse(template):
            if isinstance(part, str):
                said.append(part)
            elif part.name not in params:
                said.append(self._lacking(f"{key}: no value for {{{part.name}}}; there are {sorted(params)}", "?"))
            else:
                said.append(self._gap(part, params[part.name], depth))
        return "".join(said)

    def _gap(self, gap: Placeholder, value: Any, depth: int) -> str:
        text = self._value(value, gap.kind, depth)
        return text[:1].upper() + text[1:] if gap.capital else text

    def _value(self, value: Any, kind: str, depth: int) -> str:
        if isinstance(value, Message):
            return self._say(value, depth + 1)
        if isinstance(value, Mapping):  # a message that has been through a journal
            return self._say(Message(str(value.get("key")), value.get("params", {})), depth + 1)
        if isinstance(value, Sequence) and not isinstance(value, str):
            return self._join([self._value(item, kind, depth) for item in value])
        if kind == "piece" and self._box is not None and (piece := self._box.find(str(value))) is not None:
            return self._say(piece.label, depth + 1)
        if kind and kind != "piece":
            return self._look_up(value, kind, depth)
        return "" if value is None else str(value)

    def _look_up(self, value: Any, kind: str, depth: int) -> str:
        """The value in the table of its kind, or as it is."""
        name = str(value).lower() if value is None or isinstance(value, bool) else str(value)
        found = [table for layer in self._layers if isinstance(table := layer.get(kind), Mapping)]
        if not found:
            return self._lacking(f"no table for the kind {kind!r}", str(value))
        parts = name.split("/")
        for table in found:
            entry = table.get(name) or _pattern(table, parts)
            if isinstance(entry, str) and depth <= DEEPEST:
                return self._fill(entry, {str(i): part for i, part in enumerate(parts)}, f"{kind}.{name}", depth + 1)
        return "" if value is None else str(value)

    def _join(self, items: Sequence[str]) -> str:
        if len(items) < 2:
            return "".join(items)
        separator, last = self._list("separator", ", "), self._list("last", " + ")
        # Spanish says e instead of y before the sound i; the longest prefix decides: hi, but not hie.
        before: Mapping[str, str] = next(
            (t for layer in self._layers if (t := layer.get("list", {}).get("last-before"))), {}
        )
        beginnings = [start for start in before if items[-1].casefold().startswith(start)]
        if beginnings:
            last = before[max(beginnings, key=len)]
        return separator.join(items[:-1]) + last + items[-1]

    def _list(self, name: str, otherwise: str) -> str:
        found = next((t for layer in self._layers if (t := find(layer, f"list.{name}")) is not None), otherwise)
        return found if isinstance(found, str) else otherwise

    def _lacking(self, what: str, instead: str) -> str:
        if self._strict:
            raise WordingError(f"wording {self.language}: {what}")
        return instead


def _pattern(table: Tables, parts: Sequence[str]) -> str | None:
    """The entry with the fewest stars that fits the parts of a value."""
    fitting = [
        (pattern.count("*"), entry)
        for pattern, entry in table.items()
        if "*" in pattern
        and len(own := pattern.split("/")) == len(parts)
        and all(mine in ("*", part) for mine, part in zip(own, parts, strict=True))
    ]
    return min(fitting, key=lambda found: found[0])[1] if fitting else None


def read_shared_wording() -> dict[str, Tables]:
    """The wording that all games share, by language."""
    return read(resources.files("companion.face") / "wording")


def read_game_wording(game: str) -> dict[str, Tables]:
    """The wording in the folder of the game with this id, by language."""
    return read(resources.files(f"companion.games.{game}") / "wording")


def load_words(language: str, game: Game[Any, Any] | None = None, strict: bool = False) -> Words:
    """The voice of a game, or of the box before a game is chosen.

    Raises:
        WordingError: there is no such language, or a file is broken.
    """
    shared = read_shared_wording()
    if game is None:
        return Words(language, shared, strict=strict)
    return Words(language, shared, read_game_wording(game.id), game.box, strict)

"""Configurations as text: the commented example, and what is in force."""

from __future__ import annotations

from textwrap import wrap

from companion.service.config import Config
from companion.service.config_values import allowed, as_written, meaning, toml, toml_key

_WIDTH = 100

HEAD = """\
# Settings of a Tabletop Companion. The box looks for this file at three places and uses the first that is there:
#
#   1. the one named with --config
#   2. ~/.config/companion/config.toml
#   3. /etc/companion/config.toml
#
# All values here are those that hold anyway: take away the # before a key to set it to something else.
# `companion config check FILE` tells all that is wrong with a file. Something wrong never stops the box: the
# default is taken instead, and the box says so.
"""

SETUP = """\
# What is always so when a game is set up; the page of each game tells what there is. An example:
#
#   [play.setup.storytelling]
#   mode = "midnight"
#   story = "cinderella"
"""


def example() -> str:
    """A file with each key, what it means, what it may be, and its default."""
    parts = [HEAD]
    for name in Config.__struct_fields__:
        table = getattr(Config(), name)
        lines = _comment(" ".join((type(table).__doc__ or "").split()))
        lines.append(f"[{name}]")
        for key in table.__struct_fields__:
            if (name, key) == ("play", "setup"):
                lines += ["", SETUP.rstrip()]
                continue
            kind = type(table)
            if name != "second_display":
                lines += ["", *_comment(meaning(kind, key)), *_comment(f"Allowed: {allowed(kind, key)}.")]
            lines.append(f"#{key} = {as_written(kind, key, getattr(table, key))}")
        parts.append("\n".join(lines) + "\n")
    return "\n\n".join(parts)


def shown(config: Config) -> str:
    """A file with each key and the value that is in force, without comments."""
    parts = []
    for name in Config.__struct_fields__:
        table = getattr(config, name)
        keys = [key for key in table.__struct_fields__ if (name, key) != ("play", "setup")]
        lines = [f"[{name}]", *(f"{key} = {as_written(type(table), key, getattr(table, key))}" for key in keys)]
        parts.append("\n".join(lines))
    for game, fields in config.play.setup.items():
        lines = [
            f"[play.setup.{toml_key(game)}]",
            *(f"{toml_key(key)} = {toml(value)}" for key, value in fields.items()),
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _comment(text: str) -> list[str]:
    return [f"# {line}" for line in wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)]

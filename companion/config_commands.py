"""`companion config`: what is set, what is wrong with a file, and a commented example."""

from __future__ import annotations

import sys
from pathlib import Path

import click

config_option = click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The configuration file; otherwise the usual places are looked at.",
)
"""For every command that needs the configuration."""


@click.group("config")
def config_group() -> None:
    """The configuration file of the box: show, check, example."""


@config_group.command()
@config_option
def show(config_path: Path | None) -> None:
    """Print all settings that are in force; what is wrong with the file goes to standard error."""
    from companion.service.config_file import find, load, places
    from companion.service.config_text import shown

    found = load(find(config_path, places()))
    click.echo(f"# From {found.path}" if found.path else "# There is no file; these are the defaults.")
    click.echo(shown(found.config), nl=False)
    for line in found.complaint():
        click.echo(line, err=True)
    sys.exit(1 if found.problems else 0)


@config_group.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path), metavar="[FILE...]")
def check(files: tuple[Path, ...]) -> None:
    """Tell all that is wrong with files, without any with the one that is used: where, what, what is allowed.

    Also what can't be used of what was set by the buttons of the box.
    """
    from companion.service.config_file import find, load, places
    from companion.service.kept import NAME, Kept

    paths = files or tuple(path for path in (find(None, places()),) if path)
    if not paths:
        click.echo(f"There is no file at {' or '.join(map(str, places()))}; the defaults are used.")
    found = [load(path) for path in paths]
    for one in found:
        click.echo("\n".join(one.complaint() or [f"{one.path}: all right"]))
    folders = dict.fromkeys(one.config.paths.folder("journals") for one in found or [load(None)])
    set_by_buttons = [complaint for folder in folders for complaint in Kept(folder / NAME).complaint()]
    if set_by_buttons:
        click.echo("\n".join(set_by_buttons))
    sys.exit(1 if set_by_buttons or any(one.problems for one in found) else 0)


@config_group.command()
def example() -> None:
    """Print a file with each key, what it means and its default."""
    from companion.service.config_text import example as text

    click.echo(text(), nl=False)

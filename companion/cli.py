"""The command line: `companion COMMAND`. Each command loads only what it needs, so that `--help` comes at once."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from companion import __version__
from companion.core.errors import CompanionError
from companion.games import names

LANGUAGES = ("en", "de", "es", "ca")
GAME = click.Choice(names())
language = click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of all words."
)


class _Group(click.Group):
    """Errors that a person can put right end in one line and exit status 1, never in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            raise click.ClickException(str(error)) from error


@click.group(cls=_Group)
@click.version_option(__version__)
def main() -> None:
    """Referee for real card games on a real table, seen by a camera."""


@main.command()
@click.argument("game", type=GAME)
@language
def referee(game: str, language: str) -> None:
    """Speak the referee protocol: JSON lines in, a JSON line out for each."""
    from companion.face.words import load_words
    from companion.games import load
    from companion.service.referee import Referee

    rules = load(game)
    for answer in Referee(rules, load_words(language, rules).say).run(sys.stdin.buffer):
        click.echo(answer)
        sys.stdout.flush()


@main.command()
@click.argument("game", type=GAME)
def schema(game: str) -> None:
    """Print the JSON schema of the game's moves, made from their types."""
    import msgspec

    from companion.games import load

    click.echo(msgspec.json.format(msgspec.json.encode(msgspec.json.schema(load(game).move_type))).decode())


@main.command("print")
@click.argument("game", type=GAME)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("kit.pdf"), show_default=True, help="PDF file."
)
@click.option("--paper", type=click.Choice(["A4", "Letter"]), default="A4", show_default=True, help="Paper size.")
@language
def print_(game: str, output: Path, paper: str, language: str) -> None:
    """Write the kit of a game as a PDF: stickers with tags, nest tags, table corners, and where to stick what."""
    from companion.face.words import load_words
    from companion.games import load
    from companion.kit import print_kit

    rules = load(game)
    print_kit(rules, output, load_words(language, rules).say, language, paper)
    click.echo(f"{output}: written for {paper}. Print at 100 %, and check the ruler on the first page.")


@main.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="IMAGE...")
@click.option("--game", "only", type=GAME, help="Know the pieces of this game only; otherwise those of all games.")
def read(images: tuple[Path, ...], only: str | None) -> None:
    """Read the tags on pictures: one JSON line for each."""
    from companion.app.read import read_pictures

    failed = False
    for line, error in read_pictures(images, [only] if only else names()):
        if error:
            click.echo(error, err=True)
            failed = True
        else:
            click.echo(line)
    sys.exit(1 if failed else 0)


@main.command()
@click.argument("game", type=GAME)
@click.option("--players", help="Names, clockwise, with commas between; left out, the table tells.")
@click.option("--guilds", help="What each player's side is called, in the same order.")
@click.option(
    "--camera", default="virtual:", show_default=True, help="virtual:, frames:PATH (folder or video) or usb:N."
)
@language
@click.option("--journal", type=click.Path(path_type=Path), help="Journal file; by default only a real camera has one.")
@click.option("--new", is_flag=True, help="Begin a new game, even if the last one isn't over.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the virtual table.")
@click.option(
    "--room",
    type=click.Choice(["sharp", "mild", "everyday", "hard"]),
    default="mild",
    show_default=True,
    help="Light and lens of the virtual table.",
)
@click.option("--mischief", type=click.FloatRange(0, 1), default=0.0, help="Chance that bots do something wrong.")
@click.option("--picture", type=click.Path(path_type=Path), help="Picture with zones and tags, written at the end.")
@click.option("--plain", is_flag=True, help="Log lines even in a terminal.")
def play(plain: bool, players: str | None, guilds: str | None, journal: Path | None, camera: str, **more: Any) -> None:
    """Play a game at a table that a camera sees, or watch bots play on the virtual table."""
    from companion.app.play import Options, Play, run_plain
    from companion.games import load
    from companion.service.journal import default_path

    game = load(more.pop("game"))
    if journal is None and camera.startswith("usb:"):
        journal = default_path(game.id)
    options = Options(_list(players), _list(guilds), camera, journal=journal, **more)
    running = Play(game, options)
    try:
        if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
            sys.exit(run_plain(running, sys.stdout))
        from companion.app.terminal import run_terminal

        sys.exit(run_terminal(running))
    finally:
        running.table.close()


def _list(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text else ()

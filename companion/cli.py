"""The command line: `companion COMMAND`. Each command loads only what it needs, so that `--help` comes at once."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from companion import __version__
from companion.calibrate_command import calibrate_command
from companion.commands import content_group
from companion.config_commands import config_group, config_option
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.messages import LANGUAGES
from companion.doctor_commands import doctor_command
from companion.games import names
from companion.journal_commands import journal_group
from companion.service.content import nouns
from vision.clash import clash

GAME = click.Choice(names())
language = click.option(
    "--language", type=click.Choice(LANGUAGES), default="en", show_default=True, help="Language of all words."
)


class _Group(click.Group):
    """Errors that a person can put right end in one line and exit status 1, never in a traceback."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        from companion.app.outlet import outlets

        with outlets(os.environ):
            return super().main(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except CompanionError as error:
            raise click.ClickException(str(error)) from error
        except ImportError as error:
            if said := clash(error):
                raise click.ClickException(f"{error}: {said}") from error
            raise
        except KeyboardInterrupt as interrupt:
            from companion.app.console import Stopped

            if isinstance(interrupt, Stopped):
                sys.exit(interrupt.status)
            raise


@click.group(cls=_Group)
@click.version_option(__version__)
def main() -> None:
    """Referee for real card games on a real table, seen by a camera."""


@main.command()
@click.argument("game", type=GAME)
@language
def referee(game: str, language: str) -> None:
    """Speak the referee protocol: JSON lines in, a JSON line out for each."""
    from companion.app.outlet import as_json
    from companion.face.words import load_words
    from companion.service.referee import Referee

    rules = _equipped(game)
    for answer in Referee(rules, load_words(language, rules).say).run(sys.stdin.buffer):
        click.echo(as_json(answer))
        sys.stdout.flush()


@main.command()
@click.argument("game", type=GAME)
def schema(game: str) -> None:
    """Print the JSON schema of the game's moves, made from their types."""
    import msgspec

    from companion.app.outlet import as_json
    from companion.games import load

    schema = msgspec.json.format(msgspec.json.encode(msgspec.json.schema(load(game).move_type)))
    click.echo(as_json(schema.decode()))


@main.command()
@config_option
def serve(config_path: Path | None) -> None:
    """Run the box: choice of games, tables and devices, until it is stopped."""
    from companion.app.serve import serve as run
    from companion.service.config_file import find, load, places

    loaded = load(find(config_path, places()))
    for line in loaded.complaint():
        click.echo(line, err=True)
    sys.exit(run(loaded, lambda line: click.echo(line, err=True)))


@main.command("print")
@click.argument("game", type=GAME)
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), default=Path("kit.pdf"), show_default=True, help="PDF file."
)
@click.option("--paper", type=click.Choice(["A4", "Letter"]), default="A4", show_default=True, help="Paper size.")
@click.option(
    "--part", "parts", multiple=True, help="Only this part, such as where, corners or stickers; may be repeated."
)
@language
def print_(game: str, output: Path, paper: str, parts: tuple[str, ...], language: str) -> None:
    """Write the kit of a game as a PDF: table corners, anchors, stickers, sheets and cards, and what goes where."""
    from companion.face.words import load_words
    from companion.kit import print_kit

    rules = _equipped(game)
    print_kit(rules, output, load_words(language, rules).say, language, paper, parts=parts or None)
    ruler = ", and check the ruler on the first page" if "where" in parts or not parts else ""
    click.echo(f"{output}: written for {paper}. Print at 100 %{ruler}.")


@main.command()
@click.argument("images", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="IMAGE...")
@click.option("--game", "only", type=GAME, help="Know the pieces of this game only; otherwise those of all games.")
@click.option("--large", is_flag=True, help="Read pictures of more than 100 megapixels as well, which takes minutes.")
def read(images: tuple[Path, ...], only: str | None, large: bool) -> None:
    """Read the tags on pictures: one JSON line for each."""
    from companion.app.outlet import as_json
    from companion.app.read import read_pictures

    failed = False
    for line, error in read_pictures(images, [_equipped(game).box for game in ([only] if only else names())], large):
        if error:
            click.echo(error, err=True)
            failed = True
        else:
            click.echo(as_json(line))
    sys.exit(1 if failed else 0)


@main.command()
@click.argument("game", type=GAME)
@click.option("--players", help="Names, clockwise, with commas between; left out, the table tells.")
@click.option("--guilds", help="What each player's side is called, in the same order.")
@click.option(
    "--camera",
    default="virtual:",
    show_default=True,
    help="virtual:, picamera:, usb:N, or frames:PATH (folder, video).",
)
@language
@click.option("--journal", type=click.Path(path_type=Path), help="Journal file; by default only a real camera has one.")
@click.option("--new", is_flag=True, help="Begin a new game, even if the last one isn't over.")
@click.option("--from-last-valid", is_flag=True, help="Carry on with the moves that newer rules still allow.")
@click.option("--seed", type=int, default=1, show_default=True, help="Of the virtual table.")
@click.option(
    "--room",
    type=click.Choice(["sharp", "mild", "everyday", "hard"]),
    default="mild",
    show_default=True,
    help="Light and lens of the virtual table.",
)
@click.option("--mischief", type=click.FloatRange(0, 1), default=0.0, help="Chance that bots do something wrong.")
@click.option(
    "--set",
    "more",
    multiple=True,
    metavar="KEY=VALUE",
    callback=lambda _context, _option, pairs: dict(map(_setting, pairs)),
    help="A further field of the set-up, such as mode=midnight; may be repeated.",
)
@click.option("--picture", type=click.Path(path_type=Path), help="Picture with zones and tags, written at the end.")
@click.option("--second-screen", is_flag=True, help="A second display, which faces the active player.")
@click.option("--plain", is_flag=True, help="Log lines even in a terminal.")
def play(plain: bool, players: str | None, guilds: str | None, journal: Path | None, camera: str, **rest: Any) -> None:
    """Play a game at a table that a camera sees, or watch bots play on the virtual table."""
    from companion.app.play import Options, Play, run_plain
    from companion.service.journal import default_path
    from vision.cameras import is_real

    game = _equipped(rest.pop("game"))
    if journal is None and is_real(camera):
        journal = default_path(game.id)
    named = () if players is None else tuple(players.split(","))
    options = Options(named, _list(guilds), camera, journal=journal, **rest)
    running = Play(game, options)
    try:
        if plain or not (sys.stdin.isatty() and sys.stdout.isatty()):
            sys.exit(run_plain(running, sys.stdout))
        from companion.app.terminal import run_terminal

        sys.exit(run_terminal(running))
    finally:
        running.close()


def _list(text: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip()) if text else ()


def _setting(pair: str) -> tuple[str, Any]:
    """A field of the set-up and its value: JSON, if it looks like a number, truth value, list or object; else text."""
    import msgspec

    key, equals, text = pair.partition("=")
    if not (key and equals):
        raise click.BadParameter(f"{pair!r}: KEY=VALUE is needed, such as mode=midnight")
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, ValueError, RecursionError):
        return key, text
    return key, text if value is None or isinstance(value, str) else value


def _equipped(name: str) -> Game[Any, Any]:
    """The game with its owner's content; which of it can't be used is told on standard error."""
    from companion.service.config_file import content_folder
    from companion.service.content import load_equipped

    game, warnings = load_equipped(name, content_folder())
    for warning in warnings:
        click.echo(warning, err=True)
    return game


main.add_command(calibrate_command)
main.add_command(config_group)
main.add_command(doctor_command)
main.add_command(journal_group)
for _noun, _game in nouns().items():
    main.add_command(content_group(_noun, _game))

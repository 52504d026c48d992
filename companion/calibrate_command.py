"""`companion calibrate`: mounting and focusing the camera."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from companion.config_commands import config_option
from companion.games import names


@click.command("calibrate")
@config_option
@click.option("--camera", default="", help="Another camera than that of the settings, such as virtual: or usb:0.")
@click.option("--game", "name", type=click.Choice(names()), help="Whose tags and places matter.")
@click.option(
    "--picture",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The .jpg or .png file that shows what the camera sees; calibrate.jpg in the folder of pictures otherwise.",
)
@click.option(
    "--angle",
    type=click.FloatRange(20, 160),
    default=66.0,
    show_default=True,
    help="Horizontal angle of view of the lens, in degrees: 102 for the Camera Module 3 Wide.",
)
@click.option("--plain", is_flag=True, help="Log lines even in a terminal.")
def calibrate_command(
    config_path: Path | None, camera: str, name: str | None, picture: Path | None, angle: float, plain: bool
) -> None:
    """Mount and focus the camera, step by step, with a picture of what it sees."""
    from companion.app.calibrate.run import Running, run
    from companion.service.config_file import find, load, places
    from companion.service.content import load_equipped
    from companion.service.kept import NAME, Kept

    loaded = load(find(config_path, places()))
    for line in loaded.complaint():
        click.echo(line, err=True)
    config = loaded.config
    kept = Kept(config.paths.folder("journals") / NAME).settings.game
    chosen = next(one for one in (name, config.play.game, kept, names()[0]) if one in names())
    game, warnings = load_equipped(chosen, config.paths.folder("content"))
    for line in warnings:
        click.echo(line, err=True)
    plain = plain or not (sys.stdin.isatty() and sys.stdout.isatty())
    sys.exit(run(Running(config, game, camera, picture, angle, live=plain), plain))

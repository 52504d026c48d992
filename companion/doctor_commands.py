"""`companion doctor`: what is right and wrong with the box, and a file for a report."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import click

from companion.config_commands import config_option
from companion.games import names


@click.command("doctor")
@config_option
@click.option("--camera", help="Another camera than that of the settings, such as virtual: or usb:0.")
@click.option("--game", "only", type=click.Choice(names()), help="Look at the tags and places of this game only.")
@click.option("--no-questions", is_flag=True, help="Ask nobody to press, look and listen.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object; questions go to standard error.")
@click.option(
    "--bundle", type=click.Path(path_type=Path), metavar="FILE", help="Write a new .zip file for a report as well."
)
def doctor_command(
    config_path: Path | None,
    camera: str | None,
    only: str | None,
    no_questions: bool,
    as_json: bool,
    bundle: Path | None,
) -> None:
    """Examine the box: camera, light, tags, display, buttons, lamps, buzzer, clock, disk, power, versions."""
    import msgspec

    from companion.app import outlet
    from companion.app.console import console
    from companion.app.doctor import bundle as bundles
    from companion.app.doctor import report
    from companion.app.doctor.checks import Verdict, worst
    from companion.app.doctor.people import AtTerminal
    from companion.app.doctor.system import Computer
    from companion.app.doctor.visit import Visit
    from companion.face.words import load_words
    from companion.service.config_file import find, load, places
    from companion.service.content import load_equipped
    from companion.service.kept import NAME, Kept

    if bundle:
        bundles.refuse_if_there(bundle)
    loaded = load(find(config_path, places()))
    everything = [load_equipped(name, loaded.config.paths.folder("content"))[0] for name in names()]
    kept = Kept(loaded.config.paths.folder("journals") / NAME).settings.game
    chosen = only or loaded.config.play.game or kept
    rules = [game for game in everything if game.id == chosen] or everything
    columns = min(110, shutil.get_terminal_size().columns)
    checks = []
    with console() as terminal:
        people = (
            None
            if no_questions
            else AtTerminal(sys.stderr if as_json else sys.stdout, load_words("en").say, terminal.typed)
        )
        visit = Visit(loaded, rules, camera or "", people)
        for check in visit.checks():
            checks.append(check)
            if not as_json:
                click.echo("\n".join(report.lines(check, columns)))
    if as_json:
        click.echo(outlet.as_json(msgspec.json.encode(report.as_json(checks, visit.simulated)).decode()))
    else:
        click.echo(report.ending(checks))
    if bundle:
        files = bundles.write(bundle, checks, visit.simulated, visit.frames, loaded.config, everything, Computer())
        click.echo(f"{bundle}: {len(files)} files. Look at the pictures in it before you send it.", err=as_json)
    sys.exit(1 if worst(checks) is Verdict.FAULT else 0)

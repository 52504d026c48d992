"""`companion journal`: what stands in a journal, whether it is whole, and how it is sent and taken in."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from companion.core.game import Game
    from companion.service.archive import Played

SHOWN = 20
"""So many games are listed."""
MOST_TOLD = 5
"""So many places of damage are named."""
FILE = click.Path(path_type=Path)


@click.group("journal")
def journal_group() -> None:
    """What stands in a journal: list, check, export, import."""


@journal_group.command("list")
@click.argument("files", nargs=-1, type=FILE, metavar="[FILE...]")
@click.option("--all", "everything", is_flag=True, help="All games, not only the last ones.")
def list_(files: tuple[Path, ...], everything: bool) -> None:
    """List the games in journals, without any in your own: number, when, which, players, how far."""
    from companion.service.archive import entries_of, last_games
    from companion.service.entries import DamagedError

    rules = _loader()
    paths = files or _own()
    if not paths:
        click.echo("No journal is kept yet.")
    damaged = False
    for path in paths:
        faults: list[DamagedError] = []
        shown = last_games(entries_of(path), faults, None if everything else SHOWN)
        click.echo(f"{path}: {_games(shown[-1].number if shown else 0)}")
        if shown and shown[0].number > 1:
            click.echo(f"  the last {len(shown)}; --all lists all")
        rows = [_row(played, rules) for played in shown]
        widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
        for row in rows:
            click.echo("  " + "  ".join(text.ljust(width) for text, width in zip(row, [*widths, 0], strict=True)))
        damaged |= _tell(path, faults)
    sys.exit(1 if damaged else 0)


@journal_group.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="FILE...")
def check(files: tuple[Path, ...]) -> None:
    """Tell whether journals are whole and follow today's rules, and if not, from which entry on."""
    from companion.core.errors import CompanionError
    from companion.service.archive import entries_of, games
    from companion.service.entries import DamagedError

    rules, wrong = _loader(), False
    for path in files:
        faults: list[DamagedError] = []
        count, differing = 0, []
        for played in games(entries_of(path), faults):
            count += 1
            try:
                played.standing(rules(played.game))
            except CompanionError as error:
                differing.append(f"{path}: game {played.number}: {error}")
        for line in differing or ([] if faults else [f"{path}: {_games(count)}, all right"]):
            click.echo(line)
        wrong |= _tell(path, faults) or bool(differing)
    sys.exit(1 if wrong else 0)


@journal_group.command("export")
@click.argument("file", type=FILE)
@click.option("-o", "--output", type=FILE, help="The new file; otherwise standard output.")
@click.option("--game", "only", type=int, metavar="NUMBER", help="One game only, by its number in the list.")
def export_(file: Path, output: Path | None, only: int | None) -> None:
    """Write a journal as lines of JSON, such as for a report."""
    from companion.app.outlet import as_json
    from companion.service.archive import entries_of, games, line_of
    from companion.service.entries import DamagedError, JournalError

    faults: list[DamagedError] = []
    found = (one for one in games(entries_of(file), faults) if only in (None, one.number))
    entries = sorted((entry for played in found for entry in played.entries), key=lambda entry: entry.number)
    if only is not None and not entries:
        raise JournalError(f"journal {file}: it has no game {only}; see `companion journal list`")
    lines = b"".join(map(line_of, entries))
    if output is None:
        click.echo(as_json(lines.decode()), nl=False)
    else:
        _write(output, lines)
        click.echo(f"{output}: {len(entries)} entries")
    sys.exit(1 if _tell(file, faults) else 0)


@journal_group.command("import")
@click.argument("file", type=FILE)
@click.option("-o", "--output", type=FILE, required=True, help="The new journal.")
def import_(file: Path, output: Path) -> None:
    """Make a journal of the lines that were exported."""
    from companion.service.archive import parse, reported, write_new

    click.echo(f"{output}: {write_new(output, parse(reported(file), str(file)))} entries")


def _own() -> tuple[Path, ...]:
    """The journals in the user's data folder."""
    from companion.games import names
    from companion.service.archive import is_there
    from companion.service.journal import default_path

    return tuple(path for path in map(default_path, names()) if is_there(path))


def _loader() -> Callable[[str], Game[Any, Any]]:
    """Loads each game once, with its owner's files."""
    from functools import cache

    from companion.service.config_file import content_folder
    from companion.service.content import load_equipped

    content = content_folder()
    return cache(lambda name: load_equipped(name, content)[0])


def _row(played: Played, rules: Callable[[str], Game[Any, Any]]) -> tuple[str, str, str, str, str]:
    from companion.core.errors import CompanionError
    from companion.core.letters import cleaned
    from companion.service.replay import ReplayError

    try:
        standing = played.standing(rules(played.game))
    except ReplayError:
        standing = f"{played.moves} moves, not by today's rules: companion journal check tells"
    except CompanionError as error:
        standing = f"{played.moves} moves: {error}"
    began = f"{played.began.astimezone():%Y-%m-%d %H:%M}" if played.began else "-"
    which = cleaned(f"{played.game} {played.mode}".strip())
    return f"{played.number}", began, which, ", ".join(map(cleaned, played.players)) or "-", standing


def _games(count: int) -> str:
    return f"{count} game{'' if count == 1 else 's'}"


def _tell(path: Path, faults: list[Any]) -> bool:
    """Says on standard error what is damaged; whether anything is."""
    for fault in faults[:MOST_TOLD]:
        click.echo(f"{path}: damaged: {fault}", err=True)
    if len(faults) > MOST_TOLD:
        click.echo(f"{path}: damaged: {len(faults) - MOST_TOLD} more places", err=True)
    return bool(faults)


def _write(path: Path, content: bytes) -> None:
    from companion.rights import mend
    from companion.service.entries import JournalError

    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError as error:
        raise JournalError(f"{path}: is there already and stays as it is; name another file with -o") from error
    except OSError as error:
        remedy = mend(path, error, "name another file with -o")
        raise JournalError(f"{path}: can't be written ({error.strerror}); {remedy}") from error

"""Groups of commands, one for each sort of files that owners can write: `companion story check FILE`."""

from __future__ import annotations

import sys
from pathlib import Path
from shlex import quote

import click

from companion.core.content import ContentError, ContentKind
from companion.rights import mend


def content_group(noun: str, game: str) -> click.Group:
    """The commands for files of one sort.

    Args:
        noun: what one file is called, such as `story`.
        game: the game that plays with them; it is loaded only when a command runs.
    """
    group = click.Group(noun, help=f"What you write for {game}: new, check and list {noun} files.")

    @group.command()
    @click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
    def check(files: tuple[Path, ...]) -> None:
        """Tell all that is wrong with files: where, what, and what is allowed."""
        from companion.service.content import examine

        kind = _kind(game)
        found = [examine(kind, path) for path in files]
        for file in found:
            click.echo("\n".join(file.complaint() or [f"{file.path}: all right"]))
        sys.exit(1 if any(file.problems for file in found) else 0)

    @group.command()
    @click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        default=Path(f"{noun}.toml"),
        show_default=True,
        help="The new file.",
    )
    def new(output: Path) -> None:
        """Write a new file with comments, to be filled in."""
        from companion.service.config_file import content_folder
        from companion.service.content import owners_folder

        try:
            with output.open("x", encoding="utf-8") as file:
                file.write(_kind(game).template)
        except FileExistsError as error:
            raise ContentError(f"{output}: is there already and stays as it is; name another file with -o") from error
        except OSError as error:
            remedy = mend(output, error, "name another file with -o")
            raise ContentError(f"{output}: can't be written ({error.strerror}); {remedy}") from error
        click.echo(f"{output}: written. Fill it in and check it with `companion {noun} check {quote(str(output))}`.")
        click.echo(f"To play with it, put it into {owners_folder(game, noun, content_folder())}")

    @group.command("list")
    def list_() -> None:
        """List what there is to play with: name, title, and whose it is."""
        from companion.service.config_file import content_folder
        from companion.service.content import left_out, owned, owners_folder, shipped, title

        folder = owners_folder(game, noun, content_folder())
        own = owned(_kind(game), folder)
        used = {file.name for file in own if not file.problems}
        rows = [(name, title(text), "shipped") for name, text in shipped(game, noun).items() if name not in used]
        for file in own:
            broken = f", not used: companion {noun} check {quote(str(file.path))}" if file.problems else ""
            rows.append((file.name, title(file.text), f"your own{broken}"))
        widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
        for name, called, whose in sorted(rows, key=lambda row: row[0]):
            click.echo(f"{name:<{widths[0]}}  {called:<{widths[1]}}  {whose}")
        click.echo(f"Your own lie in {folder}")
        if more := left_out(folder):
            click.echo(more, err=True)

    return group


def _kind(game: str) -> ContentKind:
    from companion.games import load

    kind = load(game).content
    assert kind is not None, f"{game} ships files of a sort that it doesn't know"
    return kind

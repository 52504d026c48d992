"""One file for a report of something wrong: findings, versions, settings, the last games, pictures, the log.

Settings are told by a list of keys that are no secret; names of people become `P1`, `P2` and so on, everywhere alike.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import cv2
import msgspec
from msgspec.structs import replace

from companion.app.doctor.checks import Check
from companion.app.doctor.report import as_json
from companion.app.doctor.scrub import Place, Scrub, here, named, players
from companion.app.doctor.system import SERVICE, Computer, files, versions
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.rights import mend
from companion.service.archive import entries_of, last_games, line_of
from companion.service.config import Config
from companion.service.config_values import as_written, toml, toml_key
from companion.service.entries import DamagedError, Entry
from vision.frame import Frame

GAMES = 3
"""So many games of each journal, the last ones."""
PICTURES = 3
LINES = 500
"""So many lines of the log, the last ones."""
QUALITY = 92
TOLD: Mapping[str, tuple[str, ...]] = {
    "box": ("language", "sound"),
    "camera": (
        "size", "autofocus", "lens_position", "usb_focus", "exposure_ms", "exposure_stops", "mains_hz", "rotate",
        "flip",
    ),
    "display": (
        "driver", "bus", "port", "address", "chip_select", "data_pin", "reset_pin", "contrast", "rotate",
        "dim_after_min", "dark_after_min",
    ),
    "second_display": (
        "driver", "bus", "port", "address", "chip_select", "data_pin", "reset_pin", "contrast", "rotate",
        "dim_after_min", "dark_after_min",
    ),
    "buttons": ("a", "b", "up", "down", "debounce_ms", "long_press_s"),
    "lamps": ("green", "red", "amber", "brightness"),
    "buzzer": ("pin", "volume"),
    "gpio": ("factory",),
    "play": ("game",),
}  # fmt: skip
"""The settings that are told as they are."""
HINTED: Mapping[str, tuple[str, ...]] = {
    "box": ("name",),
    "camera": ("source",),
    "paths": ("journals", "content", "pictures"),
    "play": ("setup",),
}
"""Those of which only the harmless part is told: whether they are set, the sort of camera."""
SET = "(set)"
LOG_BY_HAND = f"journalctl -u {SERVICE} prints it for an administrator. The names of players stand in it."
_WHEN = (1980, 1, 1, 0, 0, 0)
"""The time of all files in the bundle: the oldest that there is."""
README = """\
A report of a Tabletop Companion, made by `companion doctor --bundle`.

Names of players have been replaced by P1, P2 and so on, alike in all files. Names of the computer, of its user and of
the box, folders, addresses and passwords have been taken out, as far as they were recognised.

Please look at the pictures and into the log before you send this: a picture shows all that lay on the table, and who
bent over it. What you don't want to send you may delete; the rest is still of use.

"""


class BundleError(CompanionError, OSError):
    """A bundle that can't be written."""


def refuse_if_there(path: Path) -> None:
    """To be asked before anything is looked at, so that nobody answers questions in vain.

    Raises:
        BundleError: the file is there, or its folder isn't.
    """
    if path.exists() or path.is_symlink():
        raise BundleError(f"{path}: is there already and stays as it is; name another file with --bundle")
    if not path.parent.is_dir():
        raise BundleError(f"{path}: there is no folder {path.parent}; name another file with --bundle")


def write(
    path: Path,
    checks: Sequence[Check],
    simulated: bool,
    frames: Sequence[Frame],
    config: Config,
    rules: Sequence[Game[Any, Any]],
    computer: Computer,
    place: tuple[Path, str, str] | None = None,
) -> list[str]:
    """Writes a bundle; the same findings give the same bytes.

    Args:
        path: the new file.
        checks: what was found.
        simulated: the devices were simulated ones.
        frames: what the camera saw.
        config: the settings.
        rules: all games.
        computer: it is asked for versions and the log.
        place: home folder, user and name of the computer; those of this one if they aren't given.

    Returns:
        The names of the files in it.

    Raises:
        BundleError: it can't be written, or is there already.
    """
    found = dict(contents(checks, simulated, frames, config, rules, computer, place or here()))
    try:
        with path.open("xb") as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
            for name, content in found.items():
                bundle.writestr(zipfile.ZipInfo(name, _WHEN), content, zipfile.ZIP_DEFLATED)
    except FileExistsError as error:
        raise BundleError(f"{path}: is there already and stays as it is; name another file with --bundle") from error
    except OSError as error:
        with suppress(OSError):  # it isn't there, or its folder is closed
            path.unlink()
        remedy = mend(path, error, "name another file with --bundle")
        raise BundleError(f"{path}: can't be written ({error.strerror}); {remedy}") from error
    return list(found)


def contents(
    checks: Sequence[Check],
    simulated: bool,
    frames: Sequence[Frame],
    config: Config,
    rules: Sequence[Game[Any, Any]],
    computer: Computer,
    place: tuple[Path, str, str],
) -> Iterator[tuple[str, bytes]]:
    """What a bundle holds, by name; see `write`."""
    folder = config.paths.folder("journals")
    journals = {path.stem: _journal(path) for path in files(folder, "*.journal")}
    scrub = Scrub(_people(journals, config, rules), _place(config, place))
    log = _log(computer)
    notes = [f"The log has its last {LINES} lines." if log else f"The log could not be read: {LOG_BY_HAND}"]
    notes += [f"{name}.journal is damaged: {fault}" for name, (_, faults) in journals.items() for fault in faults]
    yield "README.txt", (README + "\n".join(map(scrub.text, notes)) + "\n").encode()
    yield "doctor.json", _json(scrub.values(as_json([_without_values(check) for check in checks], simulated)))
    yield "versions.json", _json(scrub.values(versions(computer)))
    yield "config.toml", settings(config).encode()
    for name, (entries, _) in journals.items():
        yield f"journals/{name}.jsonl", b"".join(line_of(_renamed(entry, scrub)) for entry in _last(entries))
    for number, frame in enumerate(frames[-PICTURES:], 1):
        written, data = cv2.imencode(".jpg", frame.main, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        if written:
            yield f"pictures/{number}.jpg", data.tobytes()
    if log:
        yield "log.txt", scrub.text(log).encode()


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value)) + b"\n"


def _without_values(check: Check) -> Check:
    """A wrong line of the settings may be anything, also a password; which lines are wrong is seen without them."""
    if check.name != "settings":
        return check
    number = next((one.value for one in check.measured if one.what == "problems"), 0)
    return replace(check, says=f"{number} problems" if number else "")


def _log(computer: Computer) -> str:
    """The last lines of the service's log; empty if it may not be read, or there is none."""
    command = ["journalctl", f"--unit={SERVICE}", f"--lines={LINES}", "--output=short-iso", "--no-hostname"]
    lines = computer.run([*command, "--no-pager"]).splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("-- "))


def _place(config: Config, place: tuple[Path, str, str]) -> Place:
    chosen = [one for key in config.paths.__struct_fields__ if (one := getattr(config.paths, key))]
    chosen += [str(Path(one).expanduser()) for one in chosen]
    if config.camera.source.startswith("frames:"):
        chosen.append(config.camera.source.removeprefix("frames:"))
    name = config.box.name if config.box.name != Config().box.name else ""
    return Place(*place, name, tuple(chosen))


def _people(
    journals: Mapping[str, tuple[list[Entry], list[str]]], config: Config, rules: Sequence[Game[Any, Any]]
) -> list[str]:
    """All names of people, in the order in which they appear."""
    words = {game.id: _vocabulary(game) for game in rules}
    found = []
    for entries, _ in journals.values():
        for game in dict.fromkeys(entry.game for entry in entries):
            found += players((entry for entry in entries if entry.game == game), words.get(game, frozenset()))
    for game, line in config.play.setup.items():
        found += named(line, words.get(game, frozenset()))
    return found


def settings(config: Config) -> str:
    """The settings that may be told, as a file."""
    parts = []
    for name in Config.__struct_fields__:
        table = getattr(config, name)
        told = {key: as_written(type(table), key, getattr(table, key)) for key in TOLD.get(name, ())}
        told |= {key: hint for key in HINTED.get(name, ()) if (hint := _hint(name, key, getattr(table, key)))}
        parts.append("\n".join([f"[{name}]", *(f"{key} = {value}" for key, value in told.items())]))
    for game, line in config.play.setup.items():
        fields = (f"{toml_key(key)} = {toml(_harmless(key, value))}" for key, value in line.items())
        parts.append("\n".join([f"[play.setup.{toml_key(game)}]", *fields]))
    return "\n\n".join(parts) + "\n"


def _hint(table: str, key: str, value: Any) -> str:
    """What is told of a setting whose value is nobody's business; empty for nothing."""
    if key == "setup":
        return ""
    if key == "source":
        return toml(f"frames:{SET}" if value.startswith("frames:") else value)
    usual = getattr(getattr(Config(), table), key)
    return toml(value if value == usual else SET)


def _harmless(key: str, value: Any) -> Any:
    """A field of a set-up without what people have written."""
    if isinstance(value, bool | int | float) or key == "mode":
        return value
    return len(value) if isinstance(value, list | tuple) else SET


def _vocabulary(game: Game[Any, Any]) -> frozenset[str]:
    """Words of a game's own, which stand for no person even if one is called so."""
    zones = (part for zone in game.zones(None, {}) for part in zone.id.split("/"))
    return frozenset((*game.box.pieces, *game.box.copies, *zones))


def _journal(path: Path) -> tuple[list[Entry], list[str]]:
    """The entries of a journal that can be read, and what is wrong with it."""
    entries, faults = [], []
    try:
        for one in entries_of(path):
            if isinstance(one, DamagedError):
                faults.append(str(one))
            else:
                entries.append(one)
    except (CompanionError, OSError) as error:
        faults.append(str(error))
    return entries, faults


def _last(entries: Sequence[Entry]) -> list[Entry]:
    found = last_games(entries, [], GAMES)
    return sorted((entry for played in found for entry in played.entries), key=lambda entry: entry.number)


def _renamed(entry: Entry, scrub: Scrub) -> Entry:
    return msgspec.convert(scrub.values(msgspec.to_builtins(entry), only_names=True), Entry)

"""What the documents say is so: commands, options, verbs, codes, moves, pins, sizes, examples and links."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any

import click
import pytest

from companion.cli import main
from companion.core.game import CODES, Game
from companion.core.tags import ARUCO_CELLS, QR_MODULES
from companion.face.words import load_words
from companion.games import names
from companion.games.phoenix import box
from companion.games.phoenix.setup import Line
from companion.service.referee import ASKS, FORMS, Referee
from devices.oled import ADDRESS, CHIPS
from devices.pins import Pins

ROOT = Path(__file__).resolve().parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
TOLD = {path.name: path.read_text("utf-8") for path in DOCUMENTS}
ALL = "\n".join(TOLD.values())
PROTOCOL = TOLD["referee-protocol.md"]
HEADER = {2: 3, 3: 5, 17: 11, 18: 12, 27: 13, 22: 15, 5: 29, 6: 31, 13: 33, 19: 35}
"""Pins of the 40-pin header by BCM number, as far as they are used."""
OTHERS = {"--no-install-recommends"}
"""Options of other people's programs."""


@pytest.fixture(scope="module")
def go() -> ModuleType:
    """The script `go`, as a module."""
    loader = SourceFileLoader("go", str(ROOT / "go"))
    spec = spec_from_loader("go", loader)
    assert spec
    module = module_from_spec(spec)
    loader.exec_module(module)
    return module


def _commands() -> Mapping[str, click.Command]:
    return main.commands


def _params(command: click.Command) -> list[click.Option]:
    """The options of a command; of a group, those of all its commands."""
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    own = [param for param in command.params if isinstance(param, click.Option)]
    return [*own, *(param for one in inner for param in _params(one))]


def _options(command: click.Command) -> set[str]:
    return {"--help"}.union(*(param.opts for param in _params(command)))


def _section(text: str, title: str) -> str:
    """What stands below a heading, up to the next one of the same rank or a higher one."""
    found = re.search(rf"^(#+) {re.escape(title)}$\n", text, re.MULTILINE)
    assert found, f"no heading {title!r}"
    rest = text[found.end() :]
    end = re.search(rf"^#{{1,{len(found[1])}}} ", rest, re.MULTILINE)
    return rest[: end.start()] if end else rest


def _rows(text: str) -> list[list[str]]:
    """The rows of all tables, without their headings."""
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in text.splitlines() if line[:1] == "|"]
    rules = [number for number, row in enumerate(rows) if set("".join(row)) <= set("-| ")]
    return [row for number, row in enumerate(rows) if number not in rules and number + 1 not in rules]


def _coded(cell: str) -> list[str]:
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def test_every_command_is_described_and_no_other() -> None:
    described = re.findall(r"^### `companion ([a-z]+)", TOLD["commands.md"], re.MULTILINE)
    assert sorted(described) == sorted(_commands())
    listed = [_coded(row[0])[0] for row in _rows(TOLD["README.md"]) if "`companion " in row[0]]
    assert sorted(listed) == sorted(f"companion {name}" for name in _commands())


def test_no_document_names_a_command_that_is_not_there() -> None:
    named = re.findall(r"(?:`|\./go |-m )companion ([a-z]+)", ALL)
    assert set(named) == set(_commands())


def test_every_command_of_a_group_is_described_and_no_other() -> None:
    groups = {name: command for name, command in _commands().items() if isinstance(command, click.Group)}
    for name, group in groups.items():
        described = re.findall(rf"`companion {name} ([a-z]+)", _section(TOLD["commands.md"], f"`companion {name}`"))
        assert sorted(described) == sorted(group.commands)


@pytest.mark.parametrize("name", sorted(_commands()))
def test_every_option_of_a_command_is_described_and_no_other(name: str) -> None:
    title = next(line[4:] for line in TOLD["commands.md"].splitlines() if line.startswith(f"### `companion {name}"))
    described = re.findall(r"`(--?[a-z-]+)`", _section(TOLD["commands.md"], title))
    assert set(described) | {"--help"} == _options(_commands()[name])


def test_every_default_and_choice_of_an_option_is_named() -> None:
    for name, command in _commands().items():
        for option in _params(command):
            named = list(option.type.choices) if isinstance(option.type, click.Choice) else []
            named += [str(option.default)] if option.show_default else []
            text = TOLD["commands.md"]
            missing = [one for one in named if one not in names() and not re.search(rf"\b{re.escape(one)}", text)]
            assert missing == [], (name, option.name)


def test_no_document_names_an_option_that_is_not_there(go: ModuleType) -> None:
    known = {"--fix", "--version", *OTHERS}.union(*(_options(command) for command in _commands().values()))
    assert "--fix" in go.VERBS["lint"]
    assert set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", ALL)) <= known


def test_every_verb_of_go_is_described_and_no_other(go: ModuleType) -> None:
    described = [_coded(row[0])[0].removeprefix("./go ") for row in _rows(_section(TOLD["commands.md"], "`./go`"))]
    assert sorted(described) == sorted(go.VERBS)
    assert set(re.findall(r"\./go ([a-z]+)", ALL)) == set(go.VERBS)
    assert set(re.findall(r"\./go ([a-z]+)", TOLD["README.md"])) == set(go.VERBS)


def test_the_readme_quotes_what_go_says_without_root(go: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    wished = ["libzbar0", "fonts-spleen"]
    monkeypatch.setattr(go.os, "geteuid", lambda: 1000)
    monkeypatch.setattr(go.shutil, "which", lambda _name: "apt-get")
    assert go._install(wished) in TOLD["README.md"]
    monkeypatch.setattr(go.shutil, "which", lambda _name: None)
    assert go._install(wished) in TOLD["README.md"]
    source = (ROOT / "go").read_text("utf-8")
    for line in re.findall(r"^Going on without.*$", TOLD["README.md"], re.MULTILINE):
        assert line in source


def test_all_packages_that_are_used_have_their_licence_in_the_readme() -> None:
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    told = _section(TOLD["README.md"], "What it is built on").casefold()
    wanted = [re.split(r"[<>=\[]", name)[0].replace("-python-headless", "").casefold() for name in needed]
    assert [name for name in wanted if name not in told] == []


def test_the_folders_of_the_readme_are_there() -> None:
    folders = [_coded(row[0])[0] for row in _rows(_section(TOLD["README.md"], "Where things are"))]
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_every_refusal_code_is_described_and_no_other() -> None:
    described = [_coded(row[0])[0] for row in _rows(_section(PROTOCOL, "Refusal codes"))]
    assert sorted(described) == sorted(CODES)


def test_the_codes_that_phoenix_uses_are_told_from_the_others() -> None:
    sources = [*(ROOT / "companion" / "games" / "phoenix").glob("*.py")]
    sources += [ROOT / "companion" / "service" / "referee.py", ROOT / "companion" / "core" / "settle.py"]
    used = {code for path in sources for code in re.findall(r'Refusal\(\s*"([a-z-]+)"', path.read_text("utf-8"))}
    rows = _rows(_section(PROTOCOL, "Refusal codes"))
    assert {_coded(row[0])[0] for row in rows if row[2] != "-"} == used


def test_every_form_and_question_of_the_protocol_is_described() -> None:
    lines = [json.loads(_coded(row[0])[0]) for row in _rows(_section(PROTOCOL, "Lines in")) if "..." not in row[0]]
    assert {line["ask"] for line in lines if "ask" in line} == set(ASKS)
    told = re.findall(r'^\| `\{"([a-z]+)"', _section(PROTOCOL, "Lines in"), re.MULTILINE)
    assert set(told) == set(FORMS)


def test_phoenixs_moves_set_up_and_facts_are_described_and_no_others(phoenix: Game[Any, Any]) -> None:
    moves = {_coded(row[0])[0]: row[1] for row in _rows(_section(PROTOCOL, "Phoenix: moves"))}
    assert set(moves) == {kind.__struct_config__.tag for kind in phoenix.move_type.__args__}
    for kind in phoenix.move_type.__args__:
        assert set(kind.__struct_fields__) <= set(_coded(moves[kind.__struct_config__.tag])), kind
    told = {name for row in _rows(_section(PROTOCOL, "Phoenix: setting up")) for name in _coded(row[0])}
    assert told == {*Line.__struct_fields__, "game"}
    facts = phoenix.facts(phoenix.setup(phoenix.dealer(1, {"players": ["A", "B"]}).setup))
    assert {name for row in _rows(_section(PROTOCOL, "Phoenix: facts")) for name in _coded(row[0])} == set(facts)


def test_phoenixs_zones_are_described(phoenix: Game[Any, Any]) -> None:
    described = [_coded(row[0])[0] for row in _rows(_section(PROTOCOL, "Table lines"))]
    patterns = [one.replace("NEST", "(small-1|small-2|big)").replace("SIDE", "[a-z]+") for one in described]
    zones = [zone.id for zone in phoenix.zones(phoenix.setup(phoenix.dealer(1, {"players": ["A", "B"]}).setup), {})]
    assert {zone for zone in zones if not any(re.fullmatch(p, zone) for p in patterns)} == set()
    assert all(any(re.fullmatch(p, zone) for zone in zones) for p in patterns)


def _examples() -> Iterator[tuple[str, str]]:
    """Lines in with what the page prints as their answer, in the order of the page."""
    lines = [line for line in PROTOCOL.splitlines() if line[:2] in ("> ", "< ")]
    assert [line[0] for line in lines] == [">", "<"] * (len(lines) // 2)
    return zip((line[2:] for line in lines[::2]), (line[2:] for line in lines[1::2]), strict=True)


def _inside(shown: Any, answer: Any) -> bool:
    """Whether all that is shown is in the answer; lists count as a whole."""
    if isinstance(shown, dict):
        return isinstance(answer, dict) and all(k in answer and _inside(v, answer[k]) for k, v in shown.items())
    if isinstance(shown, list):
        return isinstance(answer, list) and len(shown) == len(answer) and all(map(_inside, shown, answer))
    return bool(shown == answer)


def test_the_examples_of_the_protocol_answer_as_printed(phoenix: Game[Any, Any]) -> None:
    referee = Referee(phoenix, load_words("en", phoenix).say)
    number = 0
    for line, printed in _examples():
        answer = json.loads(next(referee.run([line])))
        assert _inside(json.loads(printed), answer), f"{line}\nanswers\n{json.dumps(answer)}"
        number += 1
    assert number > 20


def test_the_first_answer_with_facts_is_printed_whole(phoenix: Game[Any, Any]) -> None:
    line, printed = next((line, printed) for line, printed in _examples() if line.startswith('{"setup"'))
    answer = next(Referee(phoenix, load_words("en", phoenix).say).run([line]))
    assert json.loads(printed) == json.loads(answer)


def test_the_wiring_is_that_of_the_pins() -> None:
    rows = {row[0].casefold(): row for row in _rows(_section(TOLD["hardware.md"], "Wiring"))}
    for field in fields(Pins):
        number = getattr(Pins(), field.name)
        told = rows.pop(field.name.replace("_", " "))
        assert told[1:3] == [f"GPIO{number}", str(HEADER[number])], field.name
    assert [rows[f"display {name}"][1:3] for name in ("sda", "scl")] == [["GPIO2", "3"], ["GPIO3", "5"]]


def test_the_displays_of_the_parts_list_are_known() -> None:
    parts = _section(TOLD["hardware.md"], "Parts")
    assert sorted(re.findall(r"(?:SSD|SH)\d+", parts)) == sorted(chip.upper() for chip in CHIPS)
    assert f"0x{ADDRESS:X}" in parts


def test_tag_sizes_are_what_their_arithmetic_gives() -> None:
    rows = [row for row in _rows(TOLD["hardware.md"]) if "/" in row[1]]
    assert len(rows) == 3
    for row in rows:
        width_mm = 10 * int(row[0].split()[0])
        for cell, width_px in zip(row[1:], (1920, 2304, 4608), strict=True):
            sides = [int(text) for text in re.findall(r"\d+", cell)]
            exact = [QR_MODULES * pixels * width_mm / width_px for pixels in (3, 2)]
            assert sides == pytest.approx(exact, abs=0.6), row


def test_camera_heights_are_what_their_arithmetic_gives() -> None:
    rows = [row for row in _rows(TOLD["hardware.md"]) if re.fullmatch(r"\d+ cm", row[1])]
    assert len(rows) == 3
    for row in rows:
        width = int(row[0].split()[0])
        heights = [int(cell.split()[0]) for cell in row[1:]]
        assert heights == [round(width / 2 / math.tan(math.radians(angle / 2))) for angle in (66, 102)]


def test_the_tags_of_phoenix_have_the_sizes_told(phoenix: Game[Any, Any]) -> None:
    text = TOLD["hardware.md"]
    told = {row[0]: float(row[2].split()[0]) for row in _rows(text) if row[1] in ("QR", "marker")}
    pieces = phoenix.box.pieces
    assert told == {
        "cards, guild cards": pieces["red-7"].tag_mm,
        "treasure tokens": pieces["token-2a"].tag_mm,
        "start token": pieces["start"].tag_mm,
        "nests": pieces["nest-big"].tag_mm,
        "table corners": 50.0,
    }
    assert pieces["guild-crown"].tag_mm == box.CARD_TAG_MM
    per_mm = 2304 / 1070
    assert f"module has {box.CARD_TAG_MM / QR_MODULES * per_mm:.1f} pixels" in text
    assert f"token's cell {box.TOKEN_TAG_MM / ARUCO_CELLS * per_mm:.1f}" in text


def _anchors(text: str) -> set[str]:
    """What a heading is called in a link."""
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.casefold()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text("utf-8")):
        if link.startswith("https://"):
            continue
        file, _, anchor = link.partition("#")
        target = (path.parent / file).resolve() if file else path
        assert target.is_file(), link
        assert target.is_relative_to(ROOT), link
        assert not anchor or anchor in _anchors(target.read_text("utf-8")), link


def test_paths_named_in_the_documents_are_there() -> None:
    named = re.findall(r"`((?:companion|vision|devices|tests|docs)/[\w./-]+)`", ALL)
    assert named
    real = [name for name in named if "GAME" not in name and "high_card" not in name]
    assert [name for name in real if not (ROOT / name).exists()] == []


def test_nothing_speaks_of_the_machine_it_was_written_on() -> None:
    places = ["companion", "vision", "devices", "docs", "systemd", "tests", ".ci"]
    files = [path for place in places for path in (ROOT / place).rglob("*") if path.is_file()]
    files += [path for path in ROOT.iterdir() if path.is_file()]
    spoken = re.compile("|".join(["/wor" + "k/", "/tm" + "p/", "/ro" + "ot/", "/ho" + "me/", "pypi" + r"\.org"]))
    text = (".py", ".md", ".toml", ".jsonl", ".txt", ".sh", ".yml", ".service", "")
    assert [
        f"{path.relative_to(ROOT)}: {found[0]}"
        for path in files
        if path.suffix in text and (found := spoken.search(path.read_text("utf-8", errors="replace")))
    ] == []

"""What the documents say is so: commands, options, verbs, pins, sizes, kit, paths and links."""

from __future__ import annotations

import json
import re
import runpy
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import click
import pytest

from companion.cli import main
from companion.core.messages import Message
from companion.core.tags import ARUCO_CELLS, QR_MODULES, QrTag
from companion.face.words import load_words, read_shared_wording
from companion.games import load, names
from companion.games.storytelling import prints, reading, tales, zones
from companion.games.storytelling.box import CELL_TAG_MM, FIGURE_TAG_MM
from companion.kit.pages import kit_pdf
from companion.kit.words import KitWords
from companion.service.config import Config, DisplayTable
from companion.service.config_file import check
from companion.service.mounting import GOOD_PX, LEAST_PX, LENSES_DEG, MODES, height_mm, lens_position, module_px, tag_mm
from companion.service.pin_use import I2C_LINES, SPI_LINES
from companion.service.referee import Referee
from devices.header import HEADER as SUPPLIES
from devices.header import place_of, places_of
from devices.oled import CHIPS
from devices.wires import ADDRESS, SECOND_ADDRESS
from tests.documents import DOCUMENTS, ROOT, TOLD, coded, examples, section, table_rows
from tests.printed import texts

ALL = "\n".join(TOLD.values())
FIELD_MM = 1070
"""Width of the field for which the documents tell pixels."""
HEADER = {
    2: 3,
    3: 5,
    17: 11,
    18: 12,
    27: 13,
    22: 15,
    5: 29,
    6: 31,
    13: 33,
    19: 35,
    10: 19,
    11: 23,
    8: 24,
    24: 18,
    25: 22,
}
"""Pins of the 40-pin header by BCM number, as far as they are used."""
OTHERS = {"--no-install-recommends", "--list-cameras"}
"""Options of other people's programs."""


def _commands() -> Mapping[str, click.Command]:
    return main.commands


def _params(command: click.Command) -> list[click.Option]:
    """The options of a command; of a group, those of all its commands."""
    inner = command.commands.values() if isinstance(command, click.Group) else ()
    own = [param for param in command.params if isinstance(param, click.Option)]
    return [*own, *(param for one in inner for param in _params(one))]


def _options(command: click.Command) -> set[str]:
    return {"--help"}.union(*(param.opts for param in _params(command)))


def test_every_command_is_described_and_no_other() -> None:
    described = re.findall(r"^### `companion ([a-z]+)", TOLD["commands.md"], re.MULTILINE)
    assert sorted(described) == sorted(_commands())
    listed = [coded(row[0])[0] for row in table_rows(TOLD["README.md"]) if "`companion " in row[0]]
    assert sorted(listed) == sorted(f"companion {name}" for name in _commands())


def test_no_document_names_a_command_that_is_not_there() -> None:
    named = re.findall(r"(?:`|\./go |-m )companion ([a-z]+)", ALL)
    assert set(named) == set(_commands())


def test_every_command_of_a_group_is_described_and_no_other() -> None:
    groups = {name: command for name, command in _commands().items() if isinstance(command, click.Group)}
    for name, group in groups.items():
        described = re.findall(rf"`companion {name} ([a-z]+)", section(TOLD["commands.md"], f"`companion {name}`"))
        assert sorted(described) == sorted(group.commands)


@pytest.mark.parametrize("name", sorted(_commands()))
def test_every_option_of_a_command_is_described_and_no_other(name: str) -> None:
    title = next(line[4:] for line in TOLD["commands.md"].splitlines() if line.startswith(f"### `companion {name}"))
    described = re.findall(r"`(--?[a-z-]+)`", section(TOLD["commands.md"], title))
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
    described = [coded(row[0])[0].removeprefix("./go ") for row in table_rows(section(TOLD["commands.md"], "`./go`"))]
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
    told = section(TOLD["README.md"], "What it is built on").casefold()
    wanted = [re.split(r"[<>=\[]", name)[0].replace("-python-headless", "").casefold() for name in needed]
    assert [name for name in wanted if name not in told] == []


def test_the_folders_of_the_readme_are_there() -> None:
    folders = [coded(row[0])[0] for row in table_rows(section(TOLD["README.md"], "Where things are"))]
    assert [folder for folder in folders if not (ROOT / folder).is_dir()] == []


def test_the_wiring_is_that_of_the_configuration() -> None:
    rows = {row[0].casefold(): row for row in table_rows(section(TOLD["hardware.md"], "Wiring"))}
    config = Config()
    pins = {f"button {button.value.casefold()}": pin for button, pin in config.buttons.pins.items()}
    pins |= {f"lamp {lamp.value}": pin for lamp, pin in config.lamps.pins.items()}
    pins["buzzer"] = config.buzzer.pin
    pins |= {f"display {line.casefold()}": pin for line, pin in I2C_LINES[config.display.bus_number].items()}
    lines = SPI_LINES[DisplayTable(bus="spi").bus_number]
    pins |= {"d0, sclk": lines["SCLK"], "d1, mosi": lines["MOSI"], "cs": lines[f"CE{config.display.chip_select}"]}
    pins |= {"dc": config.display.data_pin, "res": config.display.reset_pin}
    for name, pin in pins.items():
        assert rows.pop(name)[1:3] == [f"GPIO{pin}", str(HEADER[pin])], name
    places = {name: (row[1], int(row[2])) for name, row in rows.items()}
    assert set(places) == {"display vcc", "display gnd", "vcc", "gnd"}
    assert all(SUPPLIES[what - 1] == said for said, what in places.values())


def test_the_places_on_the_header_are_those_of_a_raspberry_pi() -> None:
    assert {pin: place_of(pin) for pin in HEADER} == HEADER
    assert (len(SUPPLIES), len(set(SUPPLIES) - {"ground", "3.3 V", "5 V"})) == (40, 28)
    told = re.search(r"^Ground is on the pins ([\d, and]+)\.", TOLD["hardware.md"], re.MULTILINE)
    assert told
    assert tuple(map(int, re.findall(r"\d+", told[1]))) == places_of("ground")


def test_the_drawing_of_the_wiring_is_that_of_the_configuration() -> None:
    script = ROOT / "docs" / "pictures" / "wiring.py"
    drawn = runpy.run_path(str(script))["drawing"](Config())
    wanted = "`PYTHONPATH=. .venv/bin/python docs/pictures/wiring.py` draws it anew: look at it"
    assert script.with_suffix(".svg").read_text("utf-8") == drawn, wanted


def test_the_prices_add_up_to_what_is_said() -> None:
    parts = section(TOLD["hardware.md"], "Parts")
    prices = {row[0]: int(row[1]) for row in table_rows(parts)}
    bare = sum(prices.values()) - prices["a case"] - prices["an arm or stand"]
    assert f"about {bare} euros, all in all to about {sum(prices.values())}" in parts


def test_the_displays_of_the_parts_list_are_known() -> None:
    parts = section(TOLD["hardware.md"], "Parts")
    assert sorted(re.findall(r"(?:SSD|SH)\d+", parts)) == sorted(chip.upper() for chip in CHIPS)
    assert re.findall(r"0x3\w", parts) == [f"0x{address:X}" for address in (ADDRESS, SECOND_ADDRESS)]


def test_all_that_the_screen_says_of_the_box_is_answered_and_nothing_else() -> None:
    told = [coded(row[0])[0] for row in table_rows(section(TOLD["hardware.md"], "What the screen says"))]
    messages = read_shared_wording()["en"]["trouble"].values()
    patterns = [".+".join(map(re.escape, re.split(r"\{[^}]*\}", message))) for message in messages]
    assert [pattern for pattern in patterns if not any(re.fullmatch(pattern, text) for text in told)] == []
    assert [text for text in told if not any(re.fullmatch(pattern, text) for pattern in patterns)] == []


def test_what_is_said_of_settings_is_so() -> None:
    text = TOLD["hardware.md"]
    for key, value in re.findall(r"`(\w+) = ([^`]+)`", text):
        if key not in ("dtparam",):
            tables = [name for name in Config.__struct_fields__ if key in getattr(Config(), name).__struct_fields__]
            assert any(check(f"[{table}]\n{key} = {value}")[1] == [] for table in tables), (key, value)
    rests = Config().display
    assert (rests.dim_after_min, rests.dark_after_min) == (10, 30), "ten minutes, half an hour"


def test_camera_heights_and_lens_positions_are_what_geometry_gives() -> None:
    rows = [row for row in table_rows(TOLD["hardware.md"]) if re.fullmatch(r"\d+ x \d+ cm", row[0])]
    assert len(rows) == 3
    for row in rows:
        width, depth = map(int, re.findall(r"\d+", row[0]))
        heights = [height_mm(10 * width, angle) for angle in LENSES_DEG.values()]
        wanted = [[f"{height / 10:.0f} cm", f"{lens_position(height):.1f}"] for height in heights]
        assert row[1:] == [*wanted[0], *wanted[1]]
        assert depth == round(width * 9 / 16)


def test_tag_sizes_are_what_their_arithmetic_gives() -> None:
    rows = [row for row in table_rows(TOLD["hardware.md"]) if re.fullmatch(r"\d+ cm wide", row[0])]
    assert len(rows) == 3
    for row in rows:
        width = 10 * int(row[0].split()[0])
        sides = [[tag_mm(pixels, QR_MODULES, width, mode[0]) for pixels in (GOOD_PX, LEAST_PX)] for mode in MODES]
        told = [[int(text) for text in re.findall(r"\d+", cell)] for cell in row[1:]]
        assert told == [pytest.approx(pair, abs=0.6) for pair in sides], row


def test_the_tags_of_the_games_have_the_sizes_told() -> None:
    text = TOLD["hardware.md"]
    rows = [row for row in table_rows(text) if row[2:3] in (["QR"], ["marker"])]
    told = {tuple(row[:2]): (row[2], float(row[3].split()[0])) for row in rows}
    for row in rows:
        side, modules = float(row[3].split()[0]), QR_MODULES if row[2] == "QR" else ARUCO_CELLS
        assert row[4:] == [f"{module_px(side, modules, FIELD_MM, mode[0]):.1f}" for mode in MODES], row
    assert told.pop(("all", "table corners")) == ("marker", 50.0)
    examples = {
        ("Phoenix", "cards"): "red-7",
        ("Phoenix", "guild cards"): "guild-crown",
        ("Phoenix", "treasure tokens"): "token-2a",
        ("Phoenix", "start token"): "start",
        ("Phoenix", "nests"): "nest-big",
        ("Storytelling", "picture tiles"): "george-01",
        ("Storytelling", "cells of the grid sheets"): "cell-16",
        ("Storytelling", "marks of the grid sheets, clock dial"): "dial",
        ("Storytelling", "clock, Hare, Tortoise"): "hare",
        ("3 Kings", "cards, Action cards"): "noble-1a",
        ("3 Kings", "backs of cards, VP markers, turn token"): "turn-token",
        ("3 Kings", "Counselors"): "counselor-red",
        ("3 Kings", "First Player card"): "first-player",
        ("3 Kings", "sheets"): "throne-sheet-1",
        ("Wonderland", "cards"): "Alicea",
        ("Wonderland", "Keys"): "keya",
        ("Wonderland", "Hall"): "hall-a",
        ("Wonderland", "sheets of Tunnel, Notebook and discards"): "discards",
    }
    folders = {
        "Phoenix": "phoenix",
        "Storytelling": "storytelling",
        "Wonderland": "wonderland",
        "3 Kings": "three_kings",
    }
    pieces = {name: load(folder).box.pieces for name, folder in folders.items()}

    def tag(game: str, piece: str) -> tuple[str, float]:
        found = pieces[game][piece]
        return "QR" if isinstance(found.tag, QrTag) else "marker", found.tag_mm

    assert told == {(game, on): tag(game, piece) for (game, on), piece in examples.items()}
    for game, found in pieces.items():
        assert {size for (name, _), size in told.items() if name == game} == {tag(game, piece) for piece in found}
    card = pieces["Phoenix"]["red-7"].tag_mm
    fields = [f"{field} cm" for field in (round(card / QR_MODULES * 2304 / GOOD_PX / 10), 96)]
    assert round(card / QR_MODULES * 1920 / LEAST_PX / 10) == 96
    assert [field for field in fields if field not in " ".join(text.split())] == []


@pytest.mark.parametrize("name", ["storytelling", "three_kings", "wonderland"])
def test_the_parts_of_a_kit_and_their_pages_are_told(name: str) -> None:
    game, words = load(name), KitWords("en")
    say = load_words("en", game).say
    own = {printable.part: say(Message(f"part.{printable.part}")) for printable in game.printables()}
    called = {part: words(part) for part in ("where", "corners", "stickers")} | own
    feet = re.findall(r" · (.+) · page \d+ of \d+", "\n".join(texts(kit_pdf(game, say, "en"))))
    needed = section(TOLD[f"{name}.md"], "What you need")
    told = {coded(row[0])[0]: int(row[2]) for row in table_rows(needed)}
    assert told == {part: feet.count(name) for part, name in called.items()}
    assert sum(told.values()) == len(feet)


def test_the_two_ways_to_print_3_kings_name_parts_with_so_many_pages() -> None:
    needed = section(TOLD["three_kings.md"], "What you need")
    pages = {coded(row[0])[0]: int(row[2]) for row in table_rows(needed)}
    ways = [re.findall(r"--part (\w+)", line) for line in needed.splitlines() if line.startswith("./go print")]
    both = {"where", "corners", "thrones", "sheets", "boards"}
    assert [set(way) for way in ways] == [both | {"stickers"}, both | {"tokens", "cards", "actions", "marks"}]
    told = [int(number) for number in re.findall(r"(\d+) pages:", needed)]
    assert told == [sum(pages[part] for part in way) for way in ways]
    assert f"{sum(pages.values())} pages of A4:" in needed


def test_what_storytelling_says_of_mistakes_is_what_it_answers() -> None:
    text = TOLD["storytelling.md"]
    said = [quote for row in table_rows(section(text, "When something is wrong")) for quote in coded(row[1])]
    answers = "".join(printed for _, printed in examples(text))
    assert said
    assert [quote for quote in said if f'"text": {json.dumps(quote, ensure_ascii=False)}' not in answers] == []


def test_the_numbers_on_storytellings_page_are_those_of_the_game() -> None:
    text = " ".join(TOLD["storytelling.md"].split())
    sizes = [*map(zones.sheet_mm, ("basic", "race")), (prints.DIAL_SIDE_MM, prints.DIAL_SIDE_MM)]
    told = [f"{width / 10:.0f} x {height / 10:.0f} cm" for width, height in sizes]
    told += [f"by {reading.HEAD_START_S} seconds", f"{zones.PITCH_MM:.0f} mm", f"tag has {FIGURE_TAG_MM:.0f} mm"]
    told += [f"{tales.LONGEST_LABEL} letters", f"{tales.LONGEST_TEXT} letters", f"1 to {tales.MOST_PICTURES} pictures"]
    told += [f"one has {CELL_TAG_MM:.0f} mm", f"0 to {tales.MOST_POINTS} points"]
    assert [one for one in told if one not in text] == []
    files = coded(table_rows(section(TOLD["storytelling.md"], "Stories of your own"))[0][0])
    assert sorted(files) == sorted(f"{name}.toml" for name in tales.shipped())


def test_every_kind_of_mischief_is_told() -> None:
    told = {coded(row[0])[0] for row in table_rows(section(TOLD["virtual-table.md"], "What chance decides"))}
    assert told - {"sharp", "mild", "everyday", "hard"} == set(read_shared_wording()["en"]["mischief"])


@pytest.mark.parametrize(
    ("name", "seed", "more"), [("phoenix", 5, {}), ("storytelling", 18, {"mode": "midnight"})], ids=["phoenix", "tale"]
)
def test_the_logs_of_the_virtual_table_are_those_of_the_dealt_games(name: str, seed: int, more: dict[str, str]) -> None:
    """But for the times, for draws, which leave no trace, and for mischief, which a computer commits by the way."""
    game = load(name)
    dealer = game.dealer(seed, {"players": ["Ellie", "Sam"], **more})
    referee = Referee(game, load_words("en", game).say)
    referee.answer(json.dumps({"setup": dealer.setup}))
    text = TOLD["virtual-table.md"].partition(f"· virtual: · Ellie, Sam · seed {seed}\n")[2].partition("```")[0]
    printed = [line[8:] for line in text.splitlines() if line[6] == "·" and line[8] != "("]
    printed = [line for line in printed if line != "The table is right again."]
    events: list[str] = []
    while len(events) < len(printed):
        move = dealer.think()
        dealer.do(move)
        events += [one["text"] for one in referee.answer(json.dumps(move))["events"] if one["event"] != "drew"]
    assert printed == events[: len(printed)]
    assert len(printed) > 4


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

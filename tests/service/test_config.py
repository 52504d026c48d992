"""The configuration file: what is wrong is named, all at once, and never stops the box."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.panel import Button, Lamp
from companion.files import OWNERS_BYTES
from companion.games import names
from companion.service.config import Config, DisplayTable
from companion.service.config_file import check, find, load, places
from companion.service.config_text import example, shown
from companion.service.pin_use import clashes, same_place, uses
from tests.documents import ROOT

TABLES = Config.__struct_fields__
EVERYTHING = """
[box]
name = "Kitchen"
language = "ca"
sound = false
[camera]
source = "usb:2"
size = [1920, 1080]
autofocus = false
lens_position = 2
exposure_ms = 8.3
rotate = 180
[display]
driver = "sh1106"
contrast = 255
dim_after_min = 0
[second_display]
driver = "ssd1309"
bus = "spi"
[buttons]
a = 12
[play]
game = "storytelling"
[play.setup.storytelling]
mode = "midnight"
players = ["Ellie", "Sam"]
"""

GAMES = ", ".join(names())


def _told(text: str) -> list[str]:
    return [str(problem) for problem in check(text)[1]]


def test_what_a_file_says_is_taken_and_all_else_is_as_ever() -> None:
    config, problems = check(EVERYTHING)
    default = Config()
    assert problems == []
    assert config == msgspec.structs.replace(
        default,
        box=msgspec.structs.replace(default.box, name="Kitchen", language="ca", sound=False),
        camera=msgspec.structs.replace(
            default.camera,
            source="usb:2",
            size=(1920, 1080),
            autofocus=False,
            lens_position=2,
            exposure_ms=8.3,
            rotate=180,
        ),
        display=msgspec.structs.replace(default.display, driver="sh1106", contrast=255, dim_after_min=0),
        second_display=msgspec.structs.replace(default.second_display, driver="ssd1309", bus="spi"),
        buttons=msgspec.structs.replace(default.buttons, a=12),
        play=msgspec.structs.replace(
            default.play,
            game="storytelling",
            setup={"storytelling": {"mode": "midnight", "players": ["Ellie", "Sam"]}},
        ),
    )


def test_all_that_is_wrong_is_named_at_once_with_the_nearest_right_word_and_what_is_allowed() -> None:
    text = """
language = "de"
[displey]
[display]
driver = "ssd1360"
contrst = 3
contrast = 300
address = 0x78
brightness = 1
[buttons]
debounce_ms = nan
color = "red"
[lamps]
brightness = true
[camera]
size = [2304]
source = "usb"
rotate = 90
[paths]
journals = "here"
[play]
game = "fenix"
[play.setup.phoneix]
[play.setup.phoenix]
begun = 1979-05-27
[second-display]
[[box]]
"""
    assert _told(text) == [
        "line 2, language: stands outside of its table; put it below [box]",
        "line 3, displey: there is no such table; did you mean display?",
        'line 5, display.driver: "ssd1360"; "ssd1306", "sh1106", "ssd1309" or "none" is allowed, '
        'did you mean ssd1309?; "ssd1306" is taken',
        "line 6, display.contrst: there is no such key; did you mean contrast?",
        "line 7, display.contrast: 300; a whole number from 1 to 255 is allowed; 160 is taken",
        "line 8, display.address: 0x78; 0x3C or 0x3D is allowed; 0x3C is taken",
        "line 9, display.brightness: there is no such key; it belongs below [lamps]",
        "line 11, buttons.debounce_ms: nan; a number from 1 to 200 is allowed; 20.0 is taken",
        "line 12, buttons.color: there is no such key; [buttons] has a, b, up, down, debounce_ms, long_press_s",
        "line 14, lamps.brightness: true; a number from 0 to 1 is allowed; 1.0 is taken",
        "line 16, camera.size: [2304]; an even width of 320 to 9152 and an even height of 240 to 6944 pixels, "
        "such as [2304, 1296] is allowed; [2304, 1296] is taken",
        'line 17, camera.source: "usb"; "picamera:", "picamera:N", "usb:N", "frames:PATH" or "virtual:" is allowed; '
        '"picamera:" is taken',
        "line 18, camera.rotate: 90; 0 or 180 is allowed; 0 is taken",
        'line 20, paths.journals: "here"; a folder whose path begins with / or ~, in quotes, or "" for the usual place '
        'is allowed; "" is taken',
        'line 22, play.game: "fenix"; did you mean phoenix?; "" is taken: the box asks',
        "line 23, play.setup.phoneix: there is no such game; did you mean phoenix?",
        "line 25, play.setup.phoenix.begun: 1979-05-27; put it in quotes; left out",
        "line 26, second-display: there is no such table; did you mean second_display?",
        "line 27, box: [{}]; a table is needed: [box] and its keys",
    ]
    assert check(text)[0] == msgspec.structs.replace(
        Config(), play=msgspec.structs.replace(Config().play, setup={"phoenix": {}})
    )


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ("camera", "exposure_ms = inf"),
        ("camera", "lens_position = -nan"),
        ("camera", "size = [2305, 1296]"),
        ("camera", 'source = "usb:0\\n"'),
        ("camera", 'source = "usb:٣"'),
        ("display", "contrast = 20.5"),
        ("display", "contrast = true"),
        ("display", "rotate = true"),
        ("display", f"contrast = {10**300}"),
        ("box", 'name = ""'),
        ("box", 'name = "two\\nlines"'),
        ("box", "name = 1979-05-27"),
        ("paths", 'journals = "/a\\u0000b"'),
    ],
)
def test_what_looks_nearly_right_is_wrong_as_well(table: str, line: str) -> None:
    config, problems = check(f"[{table}]\n{line}")
    assert (config, len(problems)) == (Config(), 1)


def test_what_has_nothing_in_common_with_anything_is_answered_with_all_there_is() -> None:
    assert _told("[zzz]\n[play]\ngame = 'zzz'\n[play.setup.zzz]") == [
        f"line 1, zzz: there is no such table; there are {', '.join(TABLES)}",
        f'line 3, play.game: "zzz"; there are {GAMES}; "" is taken: the box asks',
        f"line 4, play.setup.zzz: there is no such game; there are {GAMES}",
    ]
    assert _told("[play]\nsetup = 3") == ["line 2, play.setup: 3; [play.setup.GAME] and its fields are needed"]
    assert _told("[play.setup]\nphoenix = 3") == [
        "line 2, play.setup.phoenix: 3; [play.setup.phoenix] and its fields are needed"
    ]


def test_a_line_that_is_no_toml_spoils_nothing_else() -> None:
    text = '[box]\nname = "Den"\nlanguage = de\nsound = false\n[buttons\na = 7\nb = 8\n[lamps]\nred = [27\ngreen = 20\n'
    config, problems = check(text)
    assert list(map(str, problems)) == [
        'line 3: "language = de": Invalid value; it is left out',
        "line 5: \"[buttons\": Expected ']' at the end of a table declaration; it is left out with all that stands "
        "below it",
        'line 9: "red = [27": Unclosed array; it is left out',
    ]
    assert (config.box.name, config.box.sound, config.buttons.a, config.lamps.green) == ("Den", False, 5, 20)


def test_what_stands_there_twice_counts_as_it_stood_first() -> None:
    config, problems = check("[buzzer]\nvolume = 0.5\nvolume = 0.1\n")
    assert config.buzzer.volume == 0.5
    assert list(map(str, problems)) == ['line 3: "volume = 0.1": Cannot overwrite a value; it is left out']


@pytest.mark.parametrize(
    "text", ["\x00", 'a = """', "[" * 5000, "a=" + "[" * 5000, "a." * 2000 + "b=1", "n = " + "9" * 5000]
)
def test_what_is_no_configuration_at_all_gives_the_defaults_and_is_named(text: str) -> None:
    config, problems = check(text)
    assert config == Config()
    assert problems


def test_pins_that_are_used_twice_are_named_and_get_their_defaults_back() -> None:
    config, problems = check("[buttons]\na = 6\nup = 5\n[buzzer]\npin = 3\n[lamps]\nred = 26\namber = 26\n")
    assert sorted(map(str, problems)) == [
        "line 2, buttons.a: buttons.a and buttons.b share GPIO6; give each its own; the default is taken for buttons.a",
        "line 3, buttons.up: buttons.a and buttons.up share GPIO5; give each its own; the default is taken for "
        "buttons.up",
        "line 5, buzzer.pin: SCL of I2C 1 (display) and buzzer.pin share GPIO3; give each its own; the default is "
        "taken for buzzer.pin",
        "line 7, lamps.red: lamps.red and lamps.amber share GPIO26; give each its own; the default is taken for "
        "lamps.red, lamps.amber",
    ]
    assert config == Config()


def test_a_display_over_spi_takes_the_pins_of_its_bus() -> None:
    assert _told('[display]\nbus = "spi"\n[buttons]\na = 10\n[second_display]\ndriver = "sh1106"\nbus = "spi"') == [
        "line 2, display.bus: MOSI of SPI 0 (display) and MOSI of SPI 0 (second_display) and buttons.a share GPIO10; "
        "give each its own; the default is taken for display.bus, second_display.bus, buttons.a"
    ]
    config, problems = check('[display]\nbus = "spi"\n[second_display]\ndriver = "sh1106"\nbus = "spi"')
    assert problems == []
    used = {use.pin for use in uses(config) if not use.what.startswith(("buttons", "lamps", "buzzer"))}
    assert used == {7, 8, 9, 10, 11, 23, 24, 25, 26}


@pytest.mark.parametrize(
    ("second", "place", "key"),
    [
        ("address = 0x3C", "I2C 1, 0x3c", "address"),
        ('bus = "spi"\nchip_select = 0', "SPI 0, CE0", "chip_select"),
    ],
)
def test_two_displays_at_the_same_place_are_one(second: str, place: str, key: str) -> None:
    first = '[display]\nbus = "spi"\n' if "spi" in second else ""
    config, problems = check(f'{first}[second_display]\ndriver = "ssd1306"\n{second}')
    assert [str(problem).partition(", ")[2] for problem in problems] == [
        f"second_display.driver: both displays are at {place}; change {key} of one; the second is taken to be missing"
    ]
    assert config.second_display.driver == "none"


def test_a_display_that_goes_dark_before_it_is_dimmed_is_named() -> None:
    config, problems = check("[display]\ndim_after_min = 60\n")
    assert list(map(str, problems)) == [
        "display.dark_after_min: 30, but it is dimmed after 60 minutes only; choose more, or 0 for never; the defaults "
        "are taken"
    ]
    assert config == Config()
    assert _told("[display]\ndim_after_min = 60\ndark_after_min = 0") == []


PIN = st.integers(2, 27)


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(["a", "b", "up", "down"]), PIN),
    st.dictionaries(st.sampled_from(["green", "red", "amber"]), PIN),
    st.tuples(*[st.fixed_dictionaries({}, optional={
        "driver": st.sampled_from(["ssd1306", "none"]),
        "bus": st.sampled_from(["i2c", "spi"]),
        "port": st.integers(-1, 2),
        "address": st.sampled_from([0x3C, 0x3D]),
        "chip_select": st.integers(0, 1),
        "data_pin": PIN,
        "reset_pin": PIN,
    })] * 2),
    PIN,
)  # fmt: skip
def test_whatever_wiring_is_wished_for_what_is_taken_can_be_built(
    buttons: dict[str, int], lamps: dict[str, int], displays: tuple[dict[str, Any], ...], buzzer: int
) -> None:
    default = Config()
    wish = msgspec.structs.replace(
        default,
        display=msgspec.structs.replace(default.display, **displays[0]),
        second_display=msgspec.structs.replace(default.second_display, **displays[1]),
        buttons=msgspec.structs.replace(default.buttons, **buttons),
        lamps=msgspec.structs.replace(default.lamps, **lamps),
        buzzer=msgspec.structs.replace(default.buzzer, pin=buzzer),
    )
    config, problems = check(shown(wish))
    assert (clashes(config), same_place(config)) == ([], None)
    assert (config == wish) == (problems == [])


WORDS = st.sampled_from(
    ["[box]", "[", "]", "=", '"', "'''", '"""', "\n", "name", "#", " ", ",", "{", "}", "1e999", "-", "9" * 30, ".",
     "play.setup.phoenix", "pin", "[[lamps]]", "[display]\n", "size = ", "true", "1979-05-27", "\\u0000", "é", "\r",
     "\0", "[play.setup]", "driver = "]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(WORDS, max_size=40).map("".join)))
def test_no_text_stops_the_box(text: str) -> None:
    config, problems = check(text)
    assert isinstance(config, Config)
    assert all(str(problem) for problem in problems)
    assert check(shown(config)) == (config, [])


JSON = st.recursive(
    st.one_of(st.booleans(), st.integers(-(2**53), 2**53), st.floats(allow_nan=False, allow_infinity=False), st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.text(), JSON, max_size=4))
def test_what_is_shown_is_a_file_that_says_the_same(fields: dict[str, Any]) -> None:
    default = Config()
    play = msgspec.structs.replace(default.play, game="phoenix", setup={"phoenix": fields})
    config = msgspec.structs.replace(default, play=play)
    assert check(shown(config)) == (config, [])


def test_the_example_has_each_key_with_its_default_and_what_it_means() -> None:
    text = example()
    assert check(text) == (Config(), [])
    awake = re.sub(r"^#(?=\w)", "", text, flags=re.MULTILINE)
    assert check(awake) == (Config(), [])
    assert awake != text
    for name in TABLES:
        below = text.partition(f"[{name}]\n")[2].partition("\n[")[0]
        keys = [key for key in getattr(Config(), name).__struct_fields__ if key != "setup"]
        assert re.findall(r"^#(\w+) = ", below, re.MULTILINE) == keys
        meant = re.findall(r"^# (?!Allowed).+$(?=\n#)", below, re.MULTILINE)
        assert len(meant) >= len(keys) or name == "second_display"


def test_the_shipped_example_is_that_of_today() -> None:
    wanted = "`./go companion config example > docs/companion.toml` writes it anew"
    assert (ROOT / "docs" / "companion.toml").read_text("utf-8") == example(), wanted


def test_the_example_in_the_example_is_right() -> None:
    lines = re.findall(r"^#   (.*[=\[].*)$", example(), re.MULTILINE)
    config, problems = check("\n".join(lines))
    assert (problems, config.play.setup) == ([], {"storytelling": {"mode": "midnight", "story": "cinderella"}})


def test_the_defaults_give_everything_its_own_pin() -> None:
    config = Config()
    assert (clashes(config), same_place(config)) == ([], None)
    assert (set(config.buttons.pins), set(config.lamps.pins)) == (set(Button), set(Lamp))
    both = msgspec.structs.replace(config, second_display=DisplayTable(address=0x3D))
    assert clashes(both) == []


def test_the_first_file_that_is_there_is_used_and_a_named_one_before_all(tmp_path: Path) -> None:
    own, machine, named = (tmp_path / name for name in ("own.toml", "machine.toml", "named.toml"))
    assert find(None, [own, machine]) is None
    machine.touch()
    assert find(None, [own, machine]) == machine
    own.touch()
    assert find(None, [own, machine]) == own
    assert find(named, [own, machine]) == named
    assert places()[1] == Path("/etc/companion/config.toml")


def test_the_users_own_file_is_looked_for_where_such_files_lie(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert places()[0] == tmp_path / "companion" / "config.toml"


def test_without_a_file_the_defaults_hold() -> None:
    found = load(None)
    assert (found.config, found.path, found.complaint()) == (Config(), None, [])


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "file: can't be read (No such file or directory); name a file that can"),
        (b"[box]\nname = '\xff'", "line 2: letters in another encoding; save the file as UTF-8"),
        (b"#" * (OWNERS_BYTES + 1), "file: has more than 256 KiB; name a smaller file"),
        (b"[box]\n" * 5001, "file: more than 5,000 keys; this can't be a configuration"),
    ],
)
def test_a_file_that_cannot_be_read_gives_the_defaults(tmp_path: Path, content: bytes | None, complaint: str) -> None:
    path = tmp_path / "config.toml"
    if content is not None:
        path.write_bytes(content)
    found = load(path)
    assert (found.config, found.complaint()) == (
        Config(),
        [f"{path}: {complaint}; all defaults are taken"],
    )


def test_nothing_is_waited_for_that_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, what in ((tmp_path, "folder"), (tmp_path / "pipe", "pipe")):
        assert load(path).complaint() == [f"{path}: file: is a {what}; name a file; all defaults are taken"]


def test_what_editors_put_first_and_how_they_end_lines_is_no_matter(tmp_path: Path) -> None:
    path = tmp_path / "config.toml"
    path.write_bytes(b"\xef\xbb\xbf[box]\r\nname = 'Den'\r\n")
    assert (load(path).config.box.name, load(path).problems) == ("Den", ())


def test_a_folder_is_where_it_was_put_or_where_such_things_lie(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    paths = check('[paths]\njournals = "~/games"\npictures = "/srv/pictures"')[0].paths
    folders = [paths.folder(name) for name in ("journals", "pictures", "content")]
    assert folders == [tmp_path / "games", Path("/srv/pictures"), tmp_path / "data" / "tabletop-companion"]


def test_the_bus_of_a_display_is_the_usual_one_unless_it_is_named() -> None:
    tables = [DisplayTable(), DisplayTable(bus="spi"), DisplayTable(port=4)]
    assert [table.bus_number for table in tables] == [1, 0, 4]


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "a\u202eb", "a\u2029b", "a\u200bb", "a\x85b", "\x00"])
def test_the_box_has_a_name_that_can_be_shown(name: str) -> None:
    escaped = "".join(f"\\u{ord(letter):04x}" for letter in name)
    (problem,) = _told(f'[box]\nname = "{escaped}"')
    assert problem.startswith("line 2, box.name: ")
    assert problem.isprintable()


def test_players_of_a_set_up_have_names_that_a_game_takes() -> None:
    told = _told(
        '[play.setup.storytelling]\nplayers = ["Ellie", "ellie"]\nstoryteller = "a\\u2028"\nmode = "basic"\n'
        '[play.setup.phoenix]\nplayers = [" Ellie ", "Sam"]'
    )
    rule = "names of 1 to 24 letters that can be shown, none of them twice; left out"
    assert told == [
        f'line 2, play.setup.storytelling.players: ["Ellie", "ellie"]; {rule}',
        f'line 3, play.setup.storytelling.storyteller: "a\\u2028"; {rule}',
    ]

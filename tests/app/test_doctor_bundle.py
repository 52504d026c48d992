"""One file for a report: what must be in it, and what must not."""

from __future__ import annotations

import json
import tomllib
import zipfile
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.app.doctor import bundle
from companion.app.doctor.bundle import BundleError
from companion.app.doctor.checks import Check, Measure, Verdict
from companion.app.doctor.scrub import Place, Scrub, named
from companion.app.doctor.system import Computer
from companion.core.snapshot import Restart
from companion.games import load, names
from companion.service.archive import games, parse
from companion.service.config import Config
from companion.service.config_file import check
from companion.service.entries import SETUP
from companion.service.journal import Journal
from companion.service.replay import replay
from tests.dealt import Deal, Dealt
from vision.frame import Frame

HOME, USER, HOST = Path("/home") / "oma.erna", "oma.erna", "ernas-kiste.lan"
PRIVATE = (
    "Ellie", "Grandma Jo", "Ünal", "Erna", "erna", "kiste", "Erna's box", "hunter2", "geheim", "192.168", "@example",
    "/home", "dc:a6", "stick-of-erna",
)  # fmt: skip
"""What must not be found in a bundle, whatever file it stands in."""
SETTINGS = f"""
[box]
name = "Erna's box"
language = "de"
[camera]
source = "frames:{HOME}/films"
[lamps]
green = 4
brightness = "geheim"
[paths]
journals = "FOLDER"
pictures = "/media/stick-of-erna"
[play]
game = "phoenix"
[play.setup.storytelling]
mode = "midnight"
players = ["Ünal", "Ellie"]
story = "grandma-erna"
clock_positions = 12
[mqtt]
password = "hunter2"
"""
LOG = f"""-- Boot 41a8 --
2026-11-30T18:30:07+0100 companion[411]: Ellie lays red 3. Grandma Jo's turn, says ernas-kiste to {USER}.
2026-11-30T18:30:08+0100 companion[411]: OSError: {HOME}/x/y.toml is gone
2026-11-30T18:30:09+0100 companion[411]: mqtt://box:hunter2@192.168.1.7:1883 password=geheim mail oma@example.org
2026-11-30T18:30:09+0100 companion[411]: wlan dc:a6:32:01:02:03; Ünal, key card, token 5
"""
CHECKS = (
    Check("settings", Verdict.WARNING, 'line 8: "geheim"; a number', (Measure("problems", 2),)),
    Check("disk", Verdict.OK, f"30 GB free ({HOME}/games)", (Measure("folder", f"{HOME}/games"),)),
    Check("camera", Verdict.FAULT, f"frames:{HOME}/films: no pictures there"),
)


def _picture() -> np.ndarray[Any, np.dtype[np.uint8]]:
    rows = np.add.outer(np.arange(90), np.arange(160)).astype(np.uint8)
    return np.dstack([rows, rows, rows])


FRAMES = tuple(Frame.of(_picture(), at_s) for at_s in (0.0, 0.1, 0.2, 0.3))


@pytest.fixture
def config(tmp_path: Path) -> Config:
    """The settings of a box on which Ellie and Grandma Jo have played."""
    folder = tmp_path / "games"
    folder.mkdir()
    for name, seed, mode in (("phoenix", 4, ""), ("storytelling", 3, "midnight")):
        deal = Deal(name, 2, seed, mode)
        minute = iter(range(10_000))
        now = lambda: datetime(2026, 11, 3, 18 + (m := next(minute)) // 60 % 6, m % 60, tzinfo=UTC)  # noqa: E731, B023
        with closing(Journal(folder / f"{name}.journal", now)) as journal:
            for number in range(4):
                people = ["Ellie", "Grandma Jo"] if number else ["Ünal", "Ellie"]
                dealer = deal.game.dealer(seed + number, {"players": people, **deal.options})
                dealt = Dealt(deal, journal, dealer)
                dealt.look()
                for _ in range(6):
                    dealt.move()
                    dealt.look()
                dealt.session.tell(Restart())
    (folder / "settings.json").write_text("{}")
    return check(SETTINGS.replace("FOLDER", str(folder)))[0]


def _computer(log: str = LOG) -> Computer:
    return Computer(run=lambda command: log if command[0] == "journalctl" else "")


def _write(path: Path, config: Config, log: str = LOG) -> list[str]:
    rules = [load(name) for name in names()]
    return bundle.write(path, CHECKS, False, FRAMES, config, rules, _computer(log), (HOME, USER, HOST))


def _files(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def test_a_bundle_holds_findings_versions_settings_games_pictures_and_the_log(config: Config, tmp_path: Path) -> None:
    told = _write(tmp_path / "r.zip", config)
    assert told == list(_files(tmp_path / "r.zip")) == [
        "README.txt", "doctor.json", "versions.json", "config.toml",
        "journals/phoenix.jsonl", "journals/storytelling.jsonl",
        "pictures/1.jpg", "pictures/2.jpg", "pictures/3.jpg", "log.txt",
    ]  # fmt: skip


def test_nothing_private_is_in_any_of_its_files(config: Config, tmp_path: Path) -> None:
    _write(tmp_path / "r.zip", config)
    for name, content in _files(tmp_path / "r.zip").items():
        text = content.decode("utf-8", "replace")
        assert [word for word in (*PRIVATE, str(tmp_path), str(Path.home())) if word in text] == [], name


def test_names_become_the_same_numbers_everywhere(config: Config, tmp_path: Path) -> None:
    _write(tmp_path / "r.zip", config)
    files = _files(tmp_path / "r.zip")
    played = [
        [player["name"] for player in json.loads(line)["body"]["players"]]
        for name in ("phoenix", "storytelling")
        for line in files[f"journals/{name}.jsonl"].decode().splitlines()
        if json.loads(line)["kind"] == SETUP
    ]
    assert played == [["P2", "P3"]] * 6  # P1, who played in the first game alone, is known all the same
    lines = files["log.txt"].decode().splitlines()
    assert lines[0].endswith("P2 lays red 3. P3's turn, says HOST to USER.")
    assert lines[3].endswith("wlan ADDRESS; P1, key card, token 5")


def test_the_games_in_it_can_still_be_played_again(config: Config, tmp_path: Path) -> None:
    _write(tmp_path / "r.zip", config)
    files = _files(tmp_path / "r.zip")
    for name in ("phoenix", "storytelling"):
        lines = files[f"journals/{name}.jsonl"].splitlines()
        found = list(games(parse(lines, name), []))
        assert len(found) == bundle.GAMES
        for played in found:
            assert replay(load(name), played.entries).differs == ""


def test_the_settings_are_told_without_what_people_have_written(config: Config, tmp_path: Path) -> None:
    _write(tmp_path / "r.zip", config)
    told = tomllib.loads(_files(tmp_path / "r.zip")["config.toml"].decode())
    assert told["box"] == {"language": "de", "sound": True, "name": "(set)"}
    assert told["camera"]["source"] == "frames:(set)"
    assert told["paths"] == {"journals": "(set)", "content": "", "pictures": "(set)"}
    setup = {"mode": "midnight", "players": 2, "story": "(set)", "clock_positions": 12}
    assert told["play"] == {"game": "phoenix", "setup": {"storytelling": setup}}
    assert told["lamps"] == {"green": 4, "red": 27, "amber": 22, "brightness": 1.0}


def test_of_every_setting_it_was_decided_what_is_told() -> None:
    for name in Config.__struct_fields__:
        decided = (*bundle.TOLD.get(name, ()), *bundle.HINTED.get(name, ()))
        assert sorted(decided) == sorted(getattr(Config(), name).__struct_fields__), name


def test_of_wrong_settings_only_the_number_is_told(config: Config, tmp_path: Path) -> None:
    _write(tmp_path / "r.zip", config)
    found = json.loads(_files(tmp_path / "r.zip")["doctor.json"])
    assert (found["verdict"], [one["says"] for one in found["checks"]]) == (
        "fault",
        ["2 problems", "30 GB free (~/games)", "frames:~: no pictures there"],
    )


def test_the_pictures_are_those_of_the_camera(config: Config, tmp_path: Path) -> None:
    _write(tmp_path / "r.zip", config)
    data = np.frombuffer(_files(tmp_path / "r.zip")["pictures/3.jpg"], np.uint8)
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert picture is not None
    assert np.abs(picture.astype(int) - _picture()).mean() < 3


def test_the_same_findings_give_the_same_bytes(config: Config, tmp_path: Path) -> None:
    _write(tmp_path / "a.zip", config)
    _write(tmp_path / "b.zip", config)
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as opened:
        assert {one.date_time for one in opened.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_a_log_that_may_not_be_read_is_left_out_and_that_is_said(config: Config, tmp_path: Path) -> None:
    assert "log.txt" not in _write(tmp_path / "r.zip", config, "-- No entries --\n")
    assert "journalctl -u companion" in _files(tmp_path / "r.zip")["README.txt"].decode()


def test_a_damaged_journal_is_told_of_and_what_can_be_read_is_in_it(config: Config, tmp_path: Path) -> None:
    path = tmp_path / "games" / "phoenix.journal"
    for file in (path, path.with_name("phoenix.journal-2")):
        file.write_bytes(b"\0" * 100)
    _write(tmp_path / "r.zip", config)
    assert "phoenix.journal is damaged" in _files(tmp_path / "r.zip")["README.txt"].decode()
    assert _files(tmp_path / "r.zip")["journals/phoenix.jsonl"] == b""


def test_a_file_that_is_there_already_stays_as_it_is(config: Config, tmp_path: Path) -> None:
    path = tmp_path / "r.zip"
    path.write_text("mine")
    with pytest.raises(BundleError, match="is there already and stays as it is"):
        bundle.refuse_if_there(path)
    with pytest.raises(BundleError, match="is there already and stays as it is"):
        _write(path, config)
    assert path.read_text() == "mine"
    with pytest.raises(BundleError, match="there is no folder"):
        bundle.refuse_if_there(tmp_path / "none" / "r.zip")
    bundle.refuse_if_there(tmp_path / "new.zip")


def test_a_player_whom_nobody_named_has_no_name() -> None:
    phoenix = [{"name": "crown", "guild": "crown"}, {"name": "Ellie", "guild": "bell"}, {"name": "red-3", "guild": "x"}]
    assert named({"players": phoenix}, frozenset({"red-3"})) == ["Ellie"]
    assert named({"players": [{"name": "1"}, {"name": "2"}]}, frozenset()) == []
    assert named({"players": ["Sam", 7, {}]}, frozenset()) == ["Sam"]
    assert named({}, frozenset()) == []


def test_only_whole_words_are_replaced_the_longest_name_first() -> None:
    scrub = Scrub(["Jo", "Jo Ann", "C.3"], Place(Path("/"), "pi", "raspberrypi"))
    assert scrub.text("Jo Ann and Jo, Johanna, BanJo, C.3, Cx3; pi on raspberrypi") == (
        "P2 and P1, Johanna, BanJo, P3, Cx3; pi on raspberrypi"
    )
    assert scrub.values({"Jo": ["Jo", 3, None]}, only_names=True) == {"P1": ["P1", 3, None]}
    assert scrub.values({"says": "Jo"}) == {"says": "P1"}


def test_the_findings_are_json_that_msgspec_reads_too(config: Config, tmp_path: Path) -> None:
    _write(tmp_path / "r.zip", config)
    found = msgspec.json.decode(_files(tmp_path / "r.zip")["doctor.json"])
    assert msgspec.convert(found["checks"], tuple[Check, ...])[1].name == "disk"

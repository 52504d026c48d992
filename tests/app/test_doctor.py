"""`companion doctor`: the whole examination, in time that only passes when it is told to."""

from __future__ import annotations

import itertools
import json
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner, Result

import companion
from companion.app.doctor import visit as visits
from companion.app.doctor.camera import Film, eye, opened, wants, watched
from companion.app.doctor.checks import Check, Measure, Verdict, worst
from companion.app.doctor.examine import Eye
from companion.app.doctor.report import ending, lines
from companion.app.doctor.system import Computer
from companion.app.doctor.visit import DEVICE_CHECKS, PICTURE_CHECKS, Visit
from companion.cli import main
from companion.games import load
from companion.service.config import Config
from companion.service.config_file import Loaded, check
from companion.service.journal import Journal
from tests.documents import TOLD, coded, section, table_rows
from tests.waiting import PATIENCE_S
from vision.cameras import LiveCamera, PiCamera, PicameraOptions
from vision.cameras.simulated.pi import SimulatedPi, SimulatedSensor
from vision.frame import Frame, Picture

SMALL_PX = (640, 360)
NAMES = [
    "settings", "starts", "service", "camera", *PICTURE_CHECKS, "pins",
    "button-a", "button-b", "button-up", "button-down", "display", "lamp-green", "lamp-red", "lamp-amber", "buzzer",
    "clock", "disk", "power", "heat", "versions",
]  # fmt: skip


class Time:
    """Goes on while somebody waits."""

    def __init__(self) -> None:
        self.now_s = 50.0

    def clock(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


@pytest.fixture(autouse=True)
def _computer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A user's folders that are empty, a computer of which nothing is known, and time that doesn't really pass."""
    for name in ("DATA", "CONFIG"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name))
    monkeypatch.setattr("companion.service.config_file.places", lambda: ())
    time = Time()
    silent = Computer(tmp_path, lambda _command: "")
    monkeypatch.setattr(visits, "Visit", partial(Visit, clock=time.clock, sleep=time.sleep, computer=silent))
    monkeypatch.chdir(tmp_path)
    yield


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["doctor", *map(str, arguments)])


def _film(folder: Path) -> str:
    """A camera that sees no table: squares of a hand's size."""
    folder.mkdir()
    cv2.imwrite(str(folder / "1.png"), _squares(1))
    return f"frames:{folder}"


def _squares(seed: int) -> Picture:
    squares = np.random.default_rng(7).integers(40, 200, (9, 16, 1)).astype(np.float32)
    large = np.repeat(np.repeat(squares, 40, axis=0), 40, axis=1)
    return np.asarray(large + np.random.default_rng(seed).integers(0, 9, (360, 640, 3)), np.uint8)


def test_on_a_laptop_the_virtual_table_and_simulated_devices_are_well(tmp_path: Path) -> None:
    result = _run("--camera", "virtual:", "--game", "phoenix", "--json", "--bundle", tmp_path / "report.zip")
    found = json.loads(result.stdout)
    assert (result.exit_code, found["verdict"], found["simulated"]) == (0, "ok", True)
    assert found["companion"] == companion.__version__
    assert [one["name"] for one in found["checks"]] == NAMES
    unknown = {one["name"] for one in found["checks"] if one["verdict"] != "ok"}
    assert unknown == {"pins", "clock", "power", "heat"}
    assert "report.zip: 7 files" in result.stderr
    assert (tmp_path / "report.zip").stat().st_size > 10_000


def test_a_fault_is_told_in_plain_words_and_by_the_exit_status(tmp_path: Path) -> None:
    result = _run("--camera", _film(tmp_path / "film"), "--no-questions")
    said = result.stdout.splitlines()
    assert result.exit_code == 1
    assert "corners         fault      none is seen" in said
    assert said[said.index("corners         fault      none is seen") + 1].strip().startswith("Lay the four corner")
    assert said[-1].startswith("1 fault: corners.")
    assert not any(line.startswith("lamp") and "fault" in line for line in said)


def test_a_bundle_that_is_there_already_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "r.zip").write_text("mine")
    result = _run("--camera", "virtual:", "--bundle", tmp_path / "r.zip")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "is there already and stays as it is" in result.stderr


def test_settings_decide_what_is_examined(tmp_path: Path) -> None:
    config = tmp_path / "c.toml"
    config.write_text(
        f'[camera]\nsource = "{_film(tmp_path / "film")}"\n[display]\ndriver = "none"\n[second_display]\n'
        'driver = "sh1106"\n[play]\ngame = "storytelling"\n[lamps]\nred = 99\n'
    )
    found = {one["name"]: one for one in json.loads(_run("--config", config, "--json").stdout)["checks"]}
    assert found["settings"]["says"].startswith(f"{config}: line 10, lamps.red: 99; ")
    assert "display" not in found
    assert found["second-display"]["verdict"] == "ok"
    assert [one["what"] for one in found["reading"]["measured"]] == ["storytelling", "strangers"]


def _visit(source: str = "picamera:", text: str = "", **more: Any) -> Visit:
    time = Time()
    config, problems = check(text)
    fields = {"clock": time.clock, "sleep": time.sleep, "computer": Computer(Path("/none"), lambda _command: "")}
    return Visit(Loaded(config, None, tuple(problems)), _rules(), source, **{**fields, **more})


def _rules() -> list[Any]:
    return [load("phoenix")]


def _verdicts(visit: Visit) -> dict[str, tuple[str, str]]:
    return {one.name: (one.verdict.value, one.says) for one in visit.checks()}


def test_while_the_box_is_running_camera_and_devices_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    pi = Computer(tmp_path, lambda command: "active\n" if command[0] == "systemctl" else "")

    def never(*_arguments: object) -> Any:
        raise AssertionError("the running box has it")

    found = _verdicts(_visit(camera=never, devices=never, computer=pi))
    assert found["service"][0] == "warning"
    for name in ("camera", *PICTURE_CHECKS, *DEVICE_CHECKS):
        assert found[name] == ("skipped", "in use by another program"), name
    assert found["disk"][0] == "ok"


def test_a_game_in_a_terminal_keeps_the_camera_but_not_the_virtual_table(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    with closing(Journal(folder / "phoenix.journal")):
        source = _film(tmp_path / "film")
        found = _verdicts(_visit(source, f'[paths]\njournals = "{folder}"'))
    assert (found["service"][0], found["camera"][0]) == ("warning", "ok")


def test_a_camera_that_is_not_there_is_one_fault_and_what_it_would_show_is_not_known() -> None:
    found = _verdicts(_visit("frames:/none"))
    assert found["camera"] == ("fault", "/none: there is no such folder or video; give the path of one")
    assert {found[name] for name in PICTURE_CHECKS} == {("not known", "no picture")}


def test_on_a_raspberry_pi_the_real_devices_are_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    monkeypatch.setenv("LG_WD", str(tmp_path))
    monkeypatch.setitem(sys.modules, "lgpio", None)  # which isn't installed
    text = '[gpio]\nfactory = "lgpio"\n[display]\nport = 22'
    visit = _visit("frames:/none", text, computer=Computer(tmp_path, lambda _command: ""))
    found = _verdicts(visit)
    assert not visit.simulated
    faults = {name: says for name, (verdict, says) in found.items() if verdict == "fault" and name != "camera"}
    assert sorted(faults) == ["buttons", "buzzer", "display", "lamps"]
    assert faults["buttons"].startswith("pins lgpio: ")
    assert "/dev/i2c-22" in faults["display"]


def test_the_camera_is_set_as_the_settings_say() -> None:
    camera = check("[camera]\nsize = [4608, 2592]\nautofocus = false")[0].camera
    with closing(opened("picamera:", camera, _rules()[0], lambda: 0.0)) as found:
        assert isinstance(found, LiveCamera)
        assert found.asked_px == (4608, 2592)
    assert eye("picamera:", camera) == Eye("picamera:", (4608, 2592), False)
    assert eye("virtual:", camera) == Eye("virtual:", None, False)


def test_places_are_those_of_the_set_up_that_the_settings_say() -> None:
    config = check('[play.setup.storytelling]\nmode = "race"')[0]
    plain, race = (wants([load("storytelling")], one)[0].zones for one in (Config(), config))
    assert [zone.id for zone in race if zone.id.startswith("track/")]
    assert [zone.id for zone in plain if zone.id.startswith("track/")] == []


def test_pins_that_are_simulated_on_a_raspberry_pi_are_a_warning(tmp_path: Path) -> None:
    (tmp_path / "proc/device-tree").mkdir(parents=True)
    (tmp_path / "proc/device-tree/model").write_text("Raspberry Pi 4 Model B Rev 1.5\0")
    pi = Computer(tmp_path, lambda _command: "")
    found = _verdicts(_visit("frames:/none", '[gpio]\nfactory = "mock"', computer=pi))
    assert found["pins"][0] == "warning"


class Ribbon:
    """A camera on a ribbon cable with its real driver and thread; it takes a picture each time that it is waited for.

    Args:
        pictures: what it sees, by turns.
    """

    def __init__(self, *pictures: Picture) -> None:
        self.time = Time()
        self._pictures = itertools.cycle(pictures)
        self._shutter = threading.Semaphore(1)
        self.pi = SimulatedPi(SimulatedSensor(self._look), clock=self.time.clock)

    def film(self) -> Film:
        """What the doctor makes of it; each turn of his takes a tenth of a second."""
        options, clock = PicameraOptions(size_px=SMALL_PX), self.time.clock
        opened = partial(PiCamera, 0, clock, options, self.pi.load)
        camera = LiveCamera("picamera:", opened, clock, wait_s=PATIENCE_S)
        try:
            return watched(camera, self._tick)
        finally:
            self._shutter.release(1000)
            camera.close()

    def _tick(self) -> float:
        self.time.sleep(0.1)
        self._shutter.release()
        return self.time.now_s

    def _look(self) -> Picture:
        assert self._shutter.acquire(timeout=PATIENCE_S)
        return next(self._pictures)


def _told(ribbon: Ribbon) -> tuple[str, str]:
    check = ribbon.film().check
    return check.verdict.value, check.says


def test_a_camera_on_the_ribbon_cable_is_watched_until_it_has_settled() -> None:
    film = Ribbon(_squares(1), _squares(2)).film()
    assert (film.check.verdict, film.check.says) == (Verdict.OK, "picamera:, 10 pictures a second")
    assert [frame.size for frame in film.frames] == [SMALL_PX] * 4


def test_a_camera_that_shows_the_same_again_and_again_is_a_fault() -> None:
    assert _told(Ribbon(_squares(1))) == ("fault", "picamera:: the same picture again and again")


def test_a_lens_that_is_covered_is_no_camera_that_is_frozen() -> None:
    assert _told(Ribbon(np.zeros((360, 640, 3), np.uint8)))[0] == "ok"


def test_a_cable_that_came_loose_says_what_to_look_at() -> None:
    ribbon = Ribbon(_squares(1))
    ribbon.pi.sensors.clear()
    ribbon.pi.reset()
    verdict, says = _told(ribbon)
    assert (verdict, says.startswith("picamera:0: there is no such camera")) == ("fault", True)


def test_what_a_camera_cannot_do_is_a_warning() -> None:
    class One:
        name, complaints = "usb:0", ["its lens has no motor; turn the lens by hand until the tags are sharp"]

        def read(self) -> Any:
            return Frame.of(_squares(1), 0.0)

        def close(self) -> None:
            pass

    found = watched(One(), lambda: 0.0).check
    assert (found.verdict, found.says) == (Verdict.WARNING, f"usb:0: {One.complaints[0]}")


def test_pictures_that_are_too_small_are_a_fault_of_the_camera() -> None:
    class Tiny:
        name = "usb:0"

        def read(self) -> Frame:
            return Frame.of(np.zeros((1, 1, 3), np.uint8), 0.0)

        def close(self) -> None:
            pass

    film = watched(Tiny(), lambda: 0.0)
    said = "usb:0: pictures of 1x1 pixels, in which nothing can be read"
    assert (film.frames, film.check.verdict, film.check.says) == ((), Verdict.FAULT, said)


def test_a_camera_that_ends_at_once_gave_no_picture() -> None:
    class Nothing:
        name = "frames:x"

        def read(self) -> None:
            return None

        def close(self) -> None:
            pass

    assert watched(Nothing(), lambda: 0.0).check.says == "frames:x: no picture came"


def test_findings_are_lines_in_columns_that_are_broken_at_words() -> None:
    check = Check("button-up", Verdict.FAULT, "no press came " * 4, remedy="Does it connect GPIO13 to ground?")
    assert lines(check, 70) == [
        "button up       fault      no press came no press came no press came",
        "                           no press came",
        "                           Does it connect GPIO13 to ground?",
    ]
    assert lines(Check("focus", Verdict.OK)) == ["focus           ok"]


def test_the_end_names_all_that_is_wrong() -> None:
    checks = [Check("light", Verdict.WARNING), Check("lamp-red", Verdict.FAULT), Check("power", Verdict.UNKNOWN)]
    assert ending(checks) == "1 fault: lamp red. 1 warning: light. 1 not known or skipped."
    assert ending([Check("light", Verdict.OK)]) == "Nothing is wrong."
    assert [worst(checks), worst(checks[:1]), worst(checks[2:])] == ["fault", "warning", "ok"]


def test_every_finding_is_documented_and_no_other() -> None:
    told = [name for row in table_rows(_documented("What the doctor looks at")) for name in coded(row[0])]
    there = {*NAMES, *DEVICE_CHECKS, "second-display"}
    assert (sorted(told), len(told)) == (sorted(there), len(there))


def test_every_key_of_the_json_is_documented_and_no_other() -> None:
    found = json.loads(_run("--camera", "frames:none", "--json").stdout)
    told = {name for row in table_rows(_documented("JSON of the doctor")) for name in coded(row[0])}
    assert told == {*found, *Check.__struct_fields__}
    assert all(set(one) == set(Check.__struct_fields__) for one in found["checks"])
    verdicts = {name for row in table_rows(_documented("JSON of the doctor")) for name in coded(row[1])}
    assert verdicts == {*map(str, Verdict), *Measure.__struct_fields__, "null"}


def _documented(title: str) -> str:
    return section(TOLD["commands.md"], title)

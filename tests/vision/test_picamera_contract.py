"""Every call that the Raspberry Pi's camera makes, held against the signatures of real releases of picamera2.

The package itself can't be imported without libcamera. `data/picamera2_signatures.json` was read from the source of its
releases by the script beside it; `data/libcamera_controls.json` is copied from libcamera's control_ids_core.yaml: the
type of each control, and its largest value where it is an enumeration.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vision.cameras import PiCamera, PicameraOptions, picamera
from vision.cameras.simulated import pi

DATA = Path(__file__).parent / "data"
RELEASES: dict[str, dict[str, Any]] = json.loads((DATA / "picamera2_signatures.json").read_text("utf-8"))
CONTROLS: dict[str, tuple[str, int | None]] = json.loads((DATA / "libcamera_controls.json").read_text("utf-8"))
HOLDS = {
    "Picamera2": "Picamera2",
    "device": "Picamera2",
    "self._device": "Picamera2",
    "request": "CompletedRequest",
    "picamera2": "module",
    "libcamera": "module",
}
"""Class of what these expressions of the adapter's source hold."""
OF_PYTHON = {"__new__"}


def uses() -> Iterator[tuple[str, str, ast.Call | None]]:
    """Class and member of all that the adapter does with the package, and the call where it is one."""
    tree = ast.parse(inspect.getsource(picamera))
    calls = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and (held := HOLDS.get(ast.unparse(node.value))) and held != "module":
            yield held, node.attr, calls.get(id(node))


def accepts(parameters: list[list[str | None]], call: ast.Call) -> bool:
    """Whether a method with these parameters takes this call."""
    names = [name for name, _ in parameters]
    given = [*names[: len(call.args)], *(keyword.arg for keyword in call.keywords)]
    needed = {name for name, default in parameters if default is None}
    return len(call.args) <= len(names) and len(set(given)) == len(given) and needed <= set(given) <= set(names)


def test_every_member_that_is_used_is_in_every_release_and_takes_what_it_is_given() -> None:
    wrong = []
    for held, member, call in uses():
        for release, classes in RELEASES.items():
            if member in OF_PYTHON:
                continue
            if member not in classes[held]:
                wrong.append(f"{release} has no {held}.{member}")
            elif call is not None and not accepts(classes[held][member], call):
                wrong.append(f"{release}: {held}.{member}{classes[held][member]} does not take {ast.unparse(call)}")
    assert wrong == []


def test_the_source_shows_all_that_is_used() -> None:
    """What the stand-in is really asked for, while a camera is opened, read and closed, is what was found above."""
    asked: set[tuple[str, str]] = set()

    def recording(name: str, base: type) -> type:
        def look_up(self: object, member: str) -> Any:
            if inspect.stack()[1].filename == picamera.__file__:
                asked.add((name, member))
            return object.__getattribute__(self, member)

        return type(base.__name__, (base,), {"__getattribute__": look_up})

    board = pi.SimulatedPi(pi.SimulatedSensor(lambda: np.zeros((9, 9, 3), np.uint8)), clock=lambda: 0.0)
    board.Picamera2 = recording("Picamera2", board.Picamera2)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(pi, "SimulatedRequest", recording("CompletedRequest", pi.SimulatedRequest))
        camera = PiCamera(0, lambda: 0.0, load=board.load)
        camera.read()
        camera.close()
    assert asked <= {(held, member) for held, member, _ in uses()}
    assert {("Picamera2", "capture_request"), ("CompletedRequest", "release"), ("Picamera2", "close")} <= asked


def test_what_is_found_in_the_source_is_called_with_what_stands_there() -> None:
    calls = {f"{held}.{member}": ast.unparse(call) for held, member, call in uses() if call is not None}
    assert calls["Picamera2.capture_request"] == "self._device.capture_request(wait=WAIT_S)"
    assert set(calls) == {
        "Picamera2.__init__",
        "Picamera2.__new__",
        "Picamera2.capture_request",
        "Picamera2.close",
        "Picamera2.configure",
        "Picamera2.create_video_configuration",
        "Picamera2.global_camera_info",
        "Picamera2.start",
        "CompletedRequest.get_metadata",
        "CompletedRequest.make_array",
        "CompletedRequest.release",
    }


def test_cameras_are_listed_anew_where_a_release_can_do_that() -> None:
    assert 'getattr(Picamera2._cm, "reset", None)' in inspect.getsource(picamera)
    found = {release: classes["CameraManager"].get("reset") for release, classes in RELEASES.items()}
    assert found == {"0.3.18": None, "0.3.25": [], "0.3.31": [], "0.3.38": []}


def test_every_release_takes_a_number_of_seconds_for_how_long_to_wait() -> None:
    for release, classes in RELEASES.items():
        assert ["timeout", "None"] in classes["Job"]["get_result"], release


@pytest.mark.parametrize(
    ("name", "stand_in"),
    [
        ("Picamera2", pi.SimulatedPicamera2),
        ("CompletedRequest", pi.SimulatedRequest),
        ("CameraManager", pi.SimulatedPi),
    ],
)
def test_the_stand_in_has_the_signatures_of_the_real_classes(name: str, stand_in: type) -> None:
    compared = 0
    for release, classes in RELEASES.items():
        for member, parameters in classes[name].items():
            found = inspect.getattr_static(stand_in, member, None)
            if parameters is None or found is None or (name, member) == ("CameraManager", "__init__"):
                continue
            own = [
                one for one in inspect.signature(getattr(stand_in, member)).parameters.values() if one.name != "self"
            ]
            shape = [(one.name, one.default is not inspect.Parameter.empty) for one in own]
            assert shape == [(each, default is not None) for each, default in parameters], (release, member)
            compared += 1
    assert compared >= len(RELEASES) - 1


def test_every_member_of_the_real_classes_that_was_looked_up_has_a_stand_in() -> None:
    lacking = []
    own = {"Picamera2": pi.SimulatedPicamera2, "CompletedRequest": pi.SimulatedRequest, "CameraManager": pi.SimulatedPi}
    board = pi.SimulatedPi(pi.SimulatedSensor(lambda: np.zeros((9, 9, 3), np.uint8)), clock=lambda: 0.0)
    device = board.Picamera2()
    for classes in RELEASES.values():
        for name, stand_in in own.items():
            thing = device if name == "Picamera2" else stand_in
            lacking += [f"{name}.{member}" for member in classes[name] if not hasattr(thing, member)]
    device.close()
    assert lacking == []


def test_the_pixel_formats_are_those_of_the_real_package() -> None:
    for classes in RELEASES.values():
        assert (set(pi.RGB_FORMATS), set(pi.YUV_FORMATS)) == (set(classes["RGB_FORMATS"]), set(classes["YUV_FORMATS"]))
    written = {
        node.value for node in ast.walk(ast.parse(inspect.getsource(picamera))) if isinstance(node, ast.Constant)
    }
    assert {"RGB888", "YUV420"} <= written


def test_controls_are_those_of_libcamera_with_values_of_its_types() -> None:
    full = PicameraOptions(exposure_us=10_000, flicker_us=10_000, exposure_value=-0.5)
    fixed = PicameraOptions(lens_dioptres=1.25)
    types = {"int32_t": int, "float": float, "int64_t[2]": tuple}
    for name, value in [*full.controls().items(), *fixed.controls().items()]:
        kind, most = CONTROLS[name]
        assert type(value) is types[kind], name
        assert most is None or 0 <= value <= most, name
        assert kind != "int64_t[2]" or [type(one) for one in value] == [int, int]


def test_every_control_that_may_be_complained_of_is_one_that_options_set() -> None:
    full = PicameraOptions(exposure_us=10_000, flicker_us=10_000, exposure_value=-0.5, lens_dioptres=1.0)
    assert set(picamera.COMPLAINTS) <= set(full.controls())

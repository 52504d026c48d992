"""A Raspberry Pi's camera sockets, with stand-ins for picamera2 and libcamera that know no mercy.

What the real package refuses is refused here with the same kind of error, and what would make it wait for ever is an
error at once, or really hangs where a test wants just that. Source: picamera2 0.3.18 to 0.3.38, and libcamera's
control_ids_core.yaml for controls and their types.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np

from vision.frame import Picture

YUV_FORMATS = frozenset({"NV21", "NV12", "YUV420", "YVU420", "YVYU", "YUYV", "UYVY", "VYUY"})
RGB_FORMATS = frozenset({"BGR888", "RGB888", "XBGR8888", "XRGB8888", "RGB161616", "BGR161616"})
STRIDES = {"vc4": 32, "pisp": 64}
"""Rows of a picture are padded to a multiple of so many bytes, by platform: Raspberry Pi 4 and older, and 5."""
Control = tuple[type, float, float]
CONTROLS: Mapping[str, Control] = {
    "AeConstraintMode": (int, 0, 3),
    "AeEnable": (bool, 0, 1),
    "AeExposureMode": (int, 0, 3),
    "AeFlickerMode": (int, 0, 1),
    "AeFlickerPeriod": (int, 100, 1_000_000),
    "AeMeteringMode": (int, 0, 3),
    "AnalogueGain": (float, 1.0, 16.0),
    "AwbEnable": (bool, 0, 1),
    "ExposureTime": (int, 0, 112_015_443),
    "ExposureValue": (float, -8.0, 8.0),
    "FrameDurationLimits": (tuple, 0, 112_015_443),
    "NoiseReductionMode": (int, 0, 4),
}
"""Controls that every sensor has: type, least and most."""
LENS_CONTROLS: Mapping[str, Control] = {
    "AfMode": (int, 0, 2),
    "AfRange": (int, 0, 2),
    "AfSpeed": (int, 0, 1),
    "LensPosition": (float, 0.0, 32.0),
}
"""Those of a lens with a motor."""
TYPES: Mapping[type, frozenset[type]] = {
    float: frozenset({int, float}),
    int: frozenset({int}),
    bool: frozenset({bool}),
    tuple: frozenset({int}),
}
"""What Python types libcamera takes for each of its own; those of the parts of a tuple."""


class SimulatedTransform:
    """libcamera's Transform: how a picture is flipped."""

    def __init__(self, rotation: int = 0, hflip: bool = False, vflip: bool = False, transpose: bool = False) -> None:
        if rotation or transpose:
            raise ValueError("Raspberry Pi cameras can flip, but not turn by 90 degrees")
        self.hflip, self.vflip = bool(hflip), bool(vflip)


class SimulatedSensor:
    """A camera on a ribbon cable.

    Args:
        look: gives what is before it, BGR, uint8; called for each picture. A live sensor's noise belongs into it.
        model: as the sensor calls itself.
        largest_px: width and height of its finest mode.
        motor: its lens can be moved.

    Attributes:
        plugged: pulled out, it is still listed, as its driver was loaded at boot, but can't be started.
        silent: it is there and delivers nothing.
        frozen: it delivers the same picture again and again.
        black: it sees nothing.
        delivers_px: width and height that it delivers whatever is asked; None for what is asked.
        hangs: while this event is there and not set, a capture hangs, whatever it was told of waiting.
    """

    def __init__(
        self,
        look: Callable[[], Picture],
        model: str = "imx708",
        largest_px: tuple[int, int] = (4608, 2592),
        motor: bool = True,
    ) -> None:
        self.look = look
        self.model = model
        self.largest_px = largest_px
        self.controls: Mapping[str, Control] = {**CONTROLS, **(LENS_CONTROLS if motor else {})}
        self.id = f"/base/soc/i2c0mux/i2c@1/{model}@1a"
        self.plugged = True
        self.silent = self.frozen = self.black = False
        self.delivers_px: tuple[int, int] | None = None
        self.hangs: threading.Event | None = None


class SimulatedPi:
    """A Raspberry Pi with cameras, of which a program sees the modules picamera2 and libcamera.

    Args:
        sensors: what is connected. One that is added later is listed only after the list was made anew.
        clock: seconds; the sensors' time.
        platform: `pisp` or `vc4`.
        waited: is told how many seconds a capture has waited in vain; tests move their clock.

    Attributes:
        missing: names of modules that aren't installed.
        busy: numbers of cameras that another program uses.
        held: by number, the cameras that are open.
        set: the controls of the camera that was configured last.
    """

    def __init__(
        self,
        *sensors: SimulatedSensor,
        clock: Callable[[], float],
        platform: str = "pisp",
        waited: Callable[[float], None] = lambda _seconds: None,
    ) -> None:
        self.sensors = list(sensors)
        self.clock = clock
        self.platform = platform
        self.waited = waited
        self.missing: set[str] = set()
        self.busy: set[int] = set()
        self.held: dict[int, SimulatedPicamera2] = {}
        self.set: Mapping[str, Any] = {}
        self.Picamera2 = type("Picamera2", (SimulatedPicamera2,), {"pi": self, "_cm": self})
        self.reset()

    def load(self, name: str) -> Any:
        """The module of this name, as `importlib.import_module` gives it."""
        modules: dict[str, dict[str, Any]] = {
            "picamera2": {"Picamera2": self.Picamera2},
            "libcamera": {"Transform": SimulatedTransform},
        }
        if name in self.missing or name not in modules:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return SimpleNamespace(**modules[name])

    def reset(self) -> None:
        """Lists the cameras anew, as picamera2's CameraManager does."""
        self.listed = list(self.sensors)


class SimulatedPicamera2:
    """A stand-in for `picamera2.Picamera2`, of one Raspberry Pi."""

    pi: SimulatedPi

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        """All cameras that are listed."""
        return [
            {"Model": one.model, "Location": 2, "Rotation": 180, "Id": one.id, "Num": number}
            for number, one in enumerate(cls.pi.listed)
        ]

    def __init__(
        self, camera_num: int = 0, verbose_console: Any = None, tuning: Any = None, allocator: Any = None
    ) -> None:
        del verbose_console, tuning, allocator
        self.notifyme_r, self.notifyme_w = os.pipe2(os.O_NONBLOCK)
        self.is_open = self.started = False
        self.camera_config: dict[str, Any] = {}
        if camera_num >= len(self.pi.listed) or camera_num in self.pi.busy | set(self.pi.held):
            os.close(self.notifyme_r)  # the other end stays open, as it does in the real package
            if camera_num >= len(self.pi.listed):
                raise RuntimeError(f"No camera number {camera_num} found")
            cause = RuntimeError("Failed to acquire camera: Device or resource busy")
            raise RuntimeError("Camera __init__ sequence did not complete.") from cause
        self._number = camera_num
        self._sensor = self.pi.listed[camera_num]
        self._out = 0
        self._waits = False
        self._last: dict[str, Picture] = {}
        self.pi.held[camera_num] = self
        self.is_open = True

    @property
    def camera_controls(self) -> dict[str, tuple[Any, Any, Any]]:
        """Least, most and usual value of each control that the camera has."""
        return {name: (low, high, low) for name, (_, low, high) in self._sensor.controls.items()}

    def create_video_configuration(
        self,
        main: Mapping[str, Any] = {},
        lores: Mapping[str, Any] | None = None,
        raw: Mapping[str, Any] | None = {},
        transform: SimulatedTransform = SimulatedTransform(),  # noqa: B008
        colour_space: Any = None,
        buffer_count: int = 6,
        controls: Mapping[str, Any] = {},
        display: str | None = "main",
        encode: str | None = "main",
        queue: bool = True,
        sensor: Mapping[str, Any] | None = {},
        use_case: str = "video",
    ) -> dict[str, Any]:
        """A configuration to be given to `configure`."""
        self._must_be_open()
        streams: dict[str, Any] = {
            "main": _stream({"format": "XBGR8888", "size": (1280, 720)}, main),
            "lores": None if lores is None else _stream({"format": "YUV420", "size": (1280, 720)}, lores),
        }
        rest = {"raw": raw, "colour_space": colour_space, "queue": queue, "sensor": sensor, "use_case": use_case}
        held = {"transform": transform, "buffer_count": buffer_count, "display": display, "encode": encode}
        frames = {"FrameDurationLimits": (33333, 33333), "NoiseReductionMode": 1}
        return {**streams, **rest, **held, "controls": {**frames, **controls}}

    def configure(self, camera_config: Any = None) -> None:
        """Sets formats, sizes and controls. What is delivered stands in `camera_config` afterwards."""
        self._must_be_open()
        if self.started:
            raise RuntimeError("Camera must be stopped before configuring")
        if not isinstance(camera_config, dict):
            raise TypeError("Invalid type for `camera_config` given")
        if not isinstance(camera_config["transform"], SimulatedTransform):
            raise RuntimeError("Transform has incorrect type")
        config = dict(camera_config)
        self._check(config)
        for name in ("main", "lores"):
            if config[name] is not None:
                config[name] = self._delivered(config[name], name == "main")
        self._set(config["controls"])
        self.camera_config = config

    def start(self, config: Any = None, show_preview: Any = False) -> None:
        """Starts the sensor."""
        del show_preview
        self._must_be_open()
        if config is not None:
            self.configure(config)
        if not self.camera_config:
            raise RuntimeError("Camera has not been configured")
        if not self._sensor.plugged:
            raise RuntimeError("Failed to start camera: Remote I/O error")
        self.started = True

    def capture_request(self, wait: Any = None, signal_function: Any = None, flush: Any = None) -> SimulatedRequest:
        """The next picture of all streams; it keeps a buffer from the sensor until it is released."""
        del signal_function, flush
        self._must_be_open()
        if (hangs := self._sensor.hangs) is not None and not hangs.is_set():
            hangs.wait()
            raise TimeoutError
        free = self._out < self.camera_config.get("buffer_count", 0)
        if not (self.started and free and self._sensor.plugged) or self._sensor.silent:
            if wait is None or isinstance(wait, bool):
                raise RuntimeError("the real package would wait here for ever")
            self._waits = True
            self.pi.waited(wait)
            raise TimeoutError
        self._out += 1
        seen = self._sensor.look()
        if not (self._sensor.frozen and self._last):
            self._last = self._pictures(seen)
        return SimulatedRequest(self, self._last, self._metadata())

    def stop(self) -> None:
        """Stops the sensor."""
        if self._waits:
            raise RuntimeError("the real package would wait here for ever, behind the capture that found nothing")
        self.started = False

    def close(self) -> None:
        """Gives the camera back."""
        if not self.is_open:
            return
        self.is_open = self.started = False
        del self.pi.held[self._number]
        self.camera_config = {}
        os.close(self.notifyme_r)
        os.close(self.notifyme_w)

    def given_back(self) -> None:
        """A request was released."""
        self._out -= 1

    def _must_be_open(self) -> None:
        if not self.is_open:
            raise RuntimeError("Camera not opened")

    def _check(self, config: Mapping[str, Any]) -> None:
        for name in ("main", "lores"):
            stream = config[name]
            if stream is None:
                continue
            if stream["format"] not in YUV_FORMATS | RGB_FORMATS:
                raise RuntimeError(f"Bad format {stream['format']} in stream {name}")
        if config["lores"] is None:
            return
        if any(small > large for small, large in zip(config["lores"]["size"], config["main"]["size"], strict=True)):
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        if self.pi.platform == "vc4" and config["lores"]["format"] not in YUV_FORMATS:
            raise RuntimeError("lores stream must be YUV")

    def _delivered(self, stream: Mapping[str, Any], is_main: bool) -> dict[str, Any]:
        width, height = (min(pair) for pair in zip(stream["size"], self._sensor.largest_px, strict=True))
        if is_main and self._sensor.delivers_px:
            width, height = self._sensor.delivers_px
        row, step = width * (1 if stream["format"] in YUV_FORMATS else 3), STRIDES[self.pi.platform]
        return {**stream, "size": (width, height), "stride": -(-row // step) * step}

    def _set(self, controls: Mapping[str, Any]) -> None:
        for name, value in controls.items():
            if name not in self._sensor.controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
            kind, low, high = self._sensor.controls[name]
            values = value if kind is tuple else (value,)
            types = TYPES[kind]
            if not all(type(one) in types and low <= one <= high for one in values):
                raise RuntimeError(f"Control {name} can't be {value!r}")
        self.pi.set = dict(controls)

    def _pictures(self, seen: Picture) -> dict[str, Picture]:
        if self._sensor.black:
            seen = np.zeros_like(seen)
        flip: SimulatedTransform = self.camera_config["transform"]
        seen = seen[:: -1 if flip.vflip else 1, :: -1 if flip.hflip else 1]
        streams = {name: self.camera_config[name] for name in ("main", "lores") if self.camera_config[name]}
        return {name: _developed(np.ascontiguousarray(seen), stream) for name, stream in streams.items()}

    def _metadata(self) -> dict[str, Any]:
        controls = self.pi.set
        return {
            "SensorTimestamp": round(self.pi.clock() * 1e9),
            "ExposureTime": controls.get("ExposureTime", 9998),
            "AnalogueGain": 2.0,
            "LensPosition": controls.get("LensPosition", 1.0),
            "FrameDuration": controls["FrameDurationLimits"][0],
        }


class SimulatedRequest:
    """A stand-in for `picamera2.CompletedRequest`: worth nothing once it is released."""

    def __init__(self, camera: SimulatedPicamera2, arrays: Mapping[str, Picture], metadata: Mapping[str, Any]) -> None:
        self._camera = camera
        self._arrays = dict(arrays)
        self._metadata = metadata
        self._count = 1

    def make_array(self, name: str) -> Picture:
        """A copy of a stream's picture."""
        if name not in self._arrays:
            raise RuntimeError(f"Stream {name!r} is not defined")
        return self._arrays[name].copy()

    def get_metadata(self) -> dict[str, Any]:
        """What is known of the picture."""
        assert self._count, "released already"
        return dict(self._metadata)

    def release(self) -> None:
        """Gives the buffers back to the sensor."""
        self._count -= 1
        if self._count < 0:
            raise RuntimeError("CompletedRequest: lock now has negative ref_count")
        self._arrays = {}
        self._camera.given_back()


def _stream(usual: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    valid = ("format", "size", "stride", "preserve_ar")
    for key in wanted:
        if key not in valid:
            raise ValueError(f"Bad key {key!r}: valid stream configuration keys are {valid}")
    stream = {**usual, **wanted}
    width, height = stream["size"]
    return {**stream, "size": (width - width % 2, height - height % 2)}


def _developed(seen: Picture, stream: Mapping[str, Any]) -> Picture:
    """What `make_array` gives of a stream: BGR, RGB, or YUV420 with padded rows."""
    width, height = stream["size"]
    picture = np.asarray(cv2.resize(seen, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    if stream["format"] == "RGB888":
        return picture
    if stream["format"] == "BGR888":
        return np.ascontiguousarray(picture[:, :, ::-1])
    if stream["format"] != "YUV420":
        raise NotImplementedError(f"format {stream['format']} is not simulated; use RGB888, BGR888 or YUV420")
    padded = np.full((height * 3 // 2, stream["stride"]), 0xEE, np.uint8)
    padded[:height, :width] = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    return padded

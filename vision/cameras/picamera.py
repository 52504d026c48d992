"""The camera on the ribbon cable of a Raspberry Pi, through picamera2 and libcamera."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec
import numpy as np

from vision.cameras.port import CameraError
from vision.clash import clash
from vision.frame import LORES_WIDTH, Frame, Picture

WAIT_S = 2.0
"""A picture comes within so long, or the camera is taken for lost. Source: libcamera gives one up after 1 s."""
MANUAL, CONTINUOUS = 0, 2
"""Values of AfMode. Source, as for all values below: libcamera, control_ids_core.yaml."""
HIGHLIGHT = 1
"""Value of AeConstraintMode: the brightest parts are kept from washing out."""
SHORT = 1
"""Value of AeExposureMode: rather more gain than a longer exposure."""
FIXED_FLICKER = 1
"""Value of AeFlickerMode: the period is given."""

COMPLAINTS = {
    "LensPosition": "its lens has no motor; turn the lens by hand until the tags are sharp",
    "ExposureTime": "its exposure can't be fixed; leave it at 0 and add light",
    "AeFlickerPeriod": "it knows nothing of flicker; fix the exposure at a multiple of the lamps' period",
    "ExposureValue": "its brightness can't be chosen; leave it at 0",
}
"""What is said of a camera that doesn't have a control which the options ask for."""


class PicameraOptions(msgspec.Struct, frozen=True):
    """How a Raspberry Pi's camera is to be set. What a camera can't do is told in `PiCamera.complaints`.

    Attributes:
        size_px: width and height asked for, both even. 2304x1296 and 4608x2592 show the whole field of a Camera
            Module 3.
        rate_hz: pictures per second of the sensor. None is exposed for longer than the time between two, so 30 bounds
            that to 33 ms. At 4608x2592 there are 14 at most.
        exposure_us: how long a picture is exposed, in microseconds; 0 leaves it to the camera, which then prefers
            short ones. The gain is the camera's in both cases.
        flicker_us: period of the lamps' flicker, which automatic exposure is to keep to, in microseconds: 10000
            where the mains have 50 Hz, 8333 where they have 60; 0 for none.
        exposure_value: how much brighter than usual, in stops; negative is darker.
        lens_dioptres: a fixed position of the lens, 1 divided by the distance in metres: 1.25 is 80 cm, 0 is far
            away. None lets the camera focus again and again.
        hflip, vflip: mirror the picture left to right, upside down; both together turn it by 180 degrees.
        buffers: how many pictures are kept in memory for the sensor to write to. With fewer than 3 some are missed.

    Raises:
        CameraError: a value that can't be.
    """

    size_px: tuple[int, int] = (2304, 1296)
    rate_hz: float = 30.0
    exposure_us: int = 0
    flicker_us: int = 0
    exposure_value: float = 0.0
    lens_dioptres: float | None = None
    hflip: bool = False
    vflip: bool = False
    buffers: int = 4

    def __post_init__(self) -> None:
        allowed = {
            "size_px": (all(side >= 64 and side % 2 == 0 for side in self.size_px), "even numbers from 64 up"),
            "rate_hz": (0 < self.rate_hz <= 120, "more than 0 and up to 120"),
            "exposure_us": (0 <= self.exposure_us <= 1_000_000, "0 to 1000000"),
            "flicker_us": (self.flicker_us == 0 or 100 <= self.flicker_us <= 1_000_000, "0, or 100 to 1000000"),
            "exposure_value": (-8 <= self.exposure_value <= 8, "-8 to 8"),
            "lens_dioptres": (self.lens_dioptres is None or 0 <= self.lens_dioptres <= 32, "0 to 32, or None"),
            "buffers": (2 <= self.buffers <= 12, "2 to 12"),
        }
        for name, (fine, wanted) in allowed.items():
            if not fine:
                raise CameraError(f"camera option {name} = {getattr(self, name)!r}: give {wanted}")

    @property
    def lores_px(self) -> tuple[int, int]:
        """Width and height of the small stream: those of the main one, halved until it is narrow enough."""
        width, height = self.size_px
        while width > LORES_WIDTH:
            width, height = width // 2, height // 2
        return width - width % 2, height - height % 2

    def controls(self) -> dict[str, Any]:
        """What is to be set, by libcamera's names."""
        frame_us = round(1e6 / self.rate_hz)
        found: dict[str, Any] = {
            "FrameDurationLimits": (frame_us, frame_us),
            "AeExposureMode": SHORT,
            "AeConstraintMode": HIGHLIGHT,
        }
        if self.exposure_us:
            found["ExposureTime"] = self.exposure_us
        if self.flicker_us:
            found |= {"AeFlickerMode": FIXED_FLICKER, "AeFlickerPeriod": self.flicker_us}
        if self.exposure_value:
            found["ExposureValue"] = float(self.exposure_value)
        if self.lens_dioptres is None:
            found["AfMode"] = CONTINUOUS
        else:
            found |= {"AfMode": MANUAL, "LensPosition": float(self.lens_dioptres)}
        return found


class PiCamera:
    """A camera of a Raspberry Pi: a large picture for reading and a small one for finding changes, of one exposure.

    The driver is loaded when the camera is opened, and not before: elsewhere there is none.

    Args:
        number: 0, or 1 for the second camera.
        clock: seconds, monotonic; the time of a frame only where the driver gives none.
        options: see there.
        load: loads a module by its name: `picamera2` or `libcamera`. Or gives a fake of it.

    Attributes:
        size_px: width and height that are delivered.
        lores_px: the same of the small stream.
        complaints: what of the options the camera doesn't do.
        metadata: what the driver says of the newest picture, such as its `ExposureTime` and `LensPosition`.

    Raises:
        CameraError: no such camera, another program has it, or its driver isn't installed.
    """

    def __init__(
        self,
        number: int,
        clock: Callable[[], float],
        options: PicameraOptions | None = None,
        load: Callable[[str], Any] = importlib.import_module,
    ) -> None:
        self.name = f"picamera:{number}"
        self.options = options or PicameraOptions()
        self.size_px = self.options.size_px
        self.lores_px = self.options.lores_px
        self.complaints: list[str] = []
        self.metadata: Mapping[str, Any] = {}
        self._number = number
        self._clock = clock
        self._load = load
        self._device: Any = None
        self._open()

    def read(self) -> Frame | None:
        """The next frame, by the sensor's own time.

        Raises:
            CameraError: the camera is gone, or delivers something else. The next call opens it anew.
        """
        if self._device is None:
            self._open()
        try:
            request = self._device.capture_request(wait=WAIT_S)
            try:
                main = request.make_array("main")
                lores = request.make_array("lores")
                self.metadata = request.get_metadata()
            finally:
                # The sensor has but few buffers: one that isn't given back is missing for good.
                request.release()
        except Exception as error:
            # picamera2 has no class of its own: it may be a TimeoutError, RuntimeError, OSError or AssertionError.
            self.close()
            reason = "no picture came" if isinstance(error, TimeoutError) else _reason(error)
            raise CameraError(
                f"{self.name}: delivers no more pictures ({reason}); check its ribbon cable at both ends, it is opened "
                "anew by itself"
            ) from error
        return Frame(self._main(main), self._lores(lores), self._time_s())

    def close(self) -> None:
        """Gives the device back."""
        device, self._device = self._device, None
        if device is not None:
            # Not `stop` first: it queues up behind a capture that waits for a picture, and so waits for ever itself.
            with suppress(Exception):
                device.close()

    def _main(self, array: Any) -> Picture:
        width, height = self.size_px
        if array.shape != (height, width, 3) or array.dtype != np.uint8:
            self.close()
            raise CameraError(
                f"{self.name}: delivers {array.shape} {array.dtype} instead of {(height, width, 3)} uint8; update "
                "python3-picamera2 (sudo apt full-upgrade)"
            )
        return np.ascontiguousarray(array)

    def _lores(self, array: Any) -> Picture:
        """Of YUV420 the first rows are the brightness; each is padded on the right to what the hardware likes."""
        width, height = self.lores_px
        return np.ascontiguousarray(array[:height, :width])

    def _time_s(self) -> float:
        stamp_ns = self.metadata.get("SensorTimestamp")
        return self._clock() if stamp_ns is None else stamp_ns / 1e9

    def _open(self) -> None:
        picamera2, libcamera = self._driver()
        try:
            self._find(picamera2.Picamera2)
            device = self._acquired(picamera2.Picamera2)
            try:
                self._start(device, libcamera.Transform)
            except Exception:
                with suppress(Exception):
                    device.close()
                raise
        except CameraError:
            raise
        except Exception as error:
            raise CameraError(f"{self.name}: can't be opened ({_reason(error)}); {_remedy(error)}") from error
        self._device = device

    def _driver(self) -> tuple[Any, Any]:
        """The modules picamera2 and libcamera."""
        try:
            return self._load("picamera2"), self._load("libcamera")
        except Exception as error:  # compiled parts that don't fit together raise ValueError, ImportError, OSError
            if isinstance(error, ModuleNotFoundError) and not str(error.name).startswith("numpy."):
                raise CameraError(
                    f"{self.name}: the Python module {error.name} is missing; on a Raspberry Pi: sudo apt install "
                    "python3-picamera2, and run in a venv made with --system-site-packages"
                ) from error
            remedy = clash(error) or "sudo apt full-upgrade"
            raise CameraError(f"{self.name}: its driver can't be loaded ({error}); {remedy}") from error

    def _find(self, Picamera2: Any) -> None:  # noqa: N803
        """Sees to it that there is such a camera."""
        cameras = Picamera2.global_camera_info()
        if self._number >= len(cameras):
            # libcamera lists cameras but once: one whose driver came up later is found only by a new list.
            reset = getattr(Picamera2._cm, "reset", None)
            if reset is not None:
                reset()
            found = ", ".join(camera["Model"] for camera in cameras) or "none"
            raise CameraError(
                f"{self.name}: there is no such camera (found: {found}); check the ribbon cable at both ends, that you "
                "belong to the group video, and what rpicam-hello --list-cameras says after a reboot"
            )
        if "/usb" in cameras[self._number]["Id"]:
            raise CameraError(f"{self.name}: is a USB camera; call it usb:0, or usb:N where it is /dev/videoN")

    def _acquired(self, Picamera2: Any) -> Any:  # noqa: N803
        """The camera, ours alone."""
        device = Picamera2.__new__(Picamera2)
        try:
            device.__init__(self._number)
        except Exception:
            # Made by a plain call, it would be out of reach now, and its pipe open for good at each of our attempts.
            with suppress(Exception):
                if device.is_open:
                    device.close()
                else:
                    os.close(device.notifyme_w)
            raise
        return device

    def _start(self, device: Any, Transform: Any) -> None:  # noqa: N803
        options, known = self.options, device.camera_controls
        controls = options.controls()
        config = device.create_video_configuration(
            # The names are those of libcamera, which tells bytes from the last to the first: in memory it is BGR.
            main={"size": options.size_px, "format": "RGB888"},
            lores={"size": options.lores_px, "format": "YUV420"},
            transform=Transform(hflip=options.hflip, vflip=options.vflip),
            buffer_count=options.buffers,
            controls={name: value for name, value in controls.items() if name in known},
        )
        device.configure(config)
        main, lores = device.camera_config["main"], device.camera_config["lores"]
        if (main["format"], lores["format"]) != ("RGB888", "YUV420"):
            raise RuntimeError(f"it delivers {main['format']} and {lores['format']}")
        self.size_px, self.lores_px = main["size"], lores["size"]
        self.complaints = [text for name, text in COMPLAINTS.items() if name in controls and name not in known]
        device.start()


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error, and what it came from, one after another."""
    found: BaseException | None = error
    while found is not None:
        yield found
        found = found.__cause__ or found.__context__


def _reason(error: BaseException) -> str:
    """What was at the bottom of an error: picamera2's own say only that a sequence did not complete."""
    return [str(cause) or type(cause).__name__ for cause in _causes(error)][-1]


def _remedy(error: BaseException) -> str:
    said = " ".join(str(cause) for cause in _causes(error)).lower()
    if "busy" in said or "in use" in said:
        return "end the other program that uses it (sudo fuser -v /dev/media* shows it)"
    if "memory" in said or "allocat" in said:
        return "choose a smaller size or fewer buffers, or a larger CMA (dtoverlay=vc4-kms-v3d,cma-512 in config.txt)"
    if "permi" in said:
        return "add yourself to the group video (sudo usermod -aG video $USER) and log in anew"
    return "check its ribbon cable at both ends, and reboot"

"""Who moves the pins: the way to them is chosen here, never by gpiozero's own search."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from devices.access import barred, holders
from devices.errors import PinError
from devices.simulated.board import simulated_pins

FACTORIES = ("auto", "lgpio", "rpigpio", "mock")
"""Ways to the pins: lgpio for every Pi, RPi.GPIO for those up to the 4, simulated ones, and whichever fits here."""

MODEL = Path("/proc/device-tree/model")
"""Where Linux on a Raspberry Pi tells which one it is, such as `Raspberry Pi 5 Model B Rev 1.0`."""

CHIPS = (0, 4)
"""The pins of the header belong to /dev/gpiochip0, but on a Raspberry Pi 5 with an early kernel to /dev/gpiochip4."""
HEADER_LABEL = "pinctrl-"
"""So the label of the header's chip begins, on every Raspberry Pi; that of the 5 is `pinctrl-rp1`."""
_LINES = r"/dev/gpiochip\d+|anon_inode:\[?gpio.*"
"""What a process has open that uses pins, as a regular expression."""
_PACKAGES = {"lgpio": "python3-lgpio", "rpigpio": "python3-rpi.gpio"}
_RIVALS = ("rpi-gpio", "rpi-lgpio")
"""Both bring a Python package called `RPi`; whichever was installed last has overwritten parts of the other."""


def fitting(model_file: Path = MODEL) -> str:
    """The way to the pins that fits this computer: `lgpio`, `rpigpio` or `mock`.

    Args:
        model_file: tells which computer it is; one that isn't there means no Raspberry Pi.
    """
    try:
        model = model_file.read_bytes().rstrip(b"\0").decode("utf-8", "replace")
    except OSError:
        return "mock"
    if not model.startswith("Raspberry Pi"):
        return "mock"
    # `Raspberry Pi 5 Model B`, `400`, `Compute Module 4`: the first digit tells the generation. The very first ones
    # and `Zero 2 W`, whose 2 follows another word, are older than the 4.
    found = re.match(r"Raspberry Pi (?:Compute Module )?(\d)", model)
    return "lgpio" if found and int(found[1]) >= 4 else "rpigpio"


def installed() -> set[str]:
    """The names of all Python packages that are installed here, in lower case and with hyphens."""
    from importlib.metadata import distributions

    return {re.sub(r"[-_.]+", "-", str(found.metadata["Name"])).lower() for found in distributions()}


def rivals(packages: Iterable[str]) -> str:
    """What is wrong if two packages that exclude one another are both installed; empty if they aren't.

    Args:
        packages: names as `installed` gives them.
    """
    if not set(_RIVALS) <= set(packages):
        return ""
    return (
        "RPi.GPIO and rpi-lgpio are both installed and overwrite one another; remove one "
        "(`pip uninstall rpi-lgpio`), or use the pins `lgpio`, which need neither"
    )


def pin_factory(name: str, work_dir: Path, model_file: Path = MODEL) -> Any:
    """The gpiozero pin factory called `name`, one of `FACTORIES`; gpiozero's own search is never used.

    Args:
        name: which one.
        work_dir: a folder for the pipes of lgpio, which otherwise litters the current one; made if need be.
        model_file: see `fitting`.

    Raises:
        PinError: it isn't installed, or this computer has no such pins.
    """
    if name not in FACTORIES:
        raise PinError(f"pins {name!r}: there are {', '.join(FACTORIES)}")
    name = fitting(model_file) if name == "auto" else name
    if name == "mock":
        return simulated_pins()
    try:
        return _lgpio(work_dir) if name == "lgpio" else _rpigpio(work_dir)
    except PinError:
        raise
    except ImportError as error:
        raise PinError(
            f"pins {name}: {error}; install the package {_PACKAGES[name]}, or use the pins `mock`"
        ) from error
    except Exception as error:  # lgpio and RPi.GPIO raise their own kinds, which can't be imported here
        raise PinError(f"pins {name}: {error}; is this a Raspberry Pi, and the user in the group gpio?") from error


def _lgpio(work_dir: Path) -> Any:
    _give_lgpio_a_folder(work_dir)
    # When it is imported, lgpio changes the working directory of the whole program to LG_WD; then all paths that
    # people gave would mean something else. Its pipe stays open after the way back.
    here = Path.cwd()
    try:
        from gpiozero.pins.lgpio import LGPIOFactory, LGPIOPin, lgpio
    except AttributeError as error:  # the package index has an ancient version under the same name, without this
        raise PinError(f"pins lgpio: {error}; this lgpio is too old: use the package python3-lgpio") from error
    finally:
        os.chdir(here)

    class Factory(LGPIOFactory):  # type: ignore[misc]
        """On the chip that we choose: of 2.0.1 and its successors each chooses otherwise, and some can't be told."""

        def __init__(self) -> None:
            super(LGPIOFactory, self).__init__()
            self._get_revision()  # says so where this is no Raspberry Pi
            self._chip, self._handle = _header(lgpio)
            self.pin_class = LGPIOPin

        def used_as(self, pin: int) -> str:
            """What the kernel says a pin is used for, such as `spi0 CS0`; empty if it says nothing."""
            return str(lgpio.gpio_get_line_info(self._handle, pin)[4])

    return Factory()


def _header(lgpio: Any) -> tuple[int, int]:
    """The number of the chip to which the header's pins belong, and its handle."""
    opened: dict[int, int] = {}
    refused = None
    for chip in CHIPS:
        try:
            opened[chip] = lgpio.gpiochip_open(chip)
        except lgpio.error as error:
            refused = error
    if not opened:
        paths = [path for path in (Path(f"/dev/gpiochip{chip}") for chip in CHIPS) if path.exists()]
        if not paths:
            raise PinError("pins lgpio: there is no /dev/gpiochip0; is this a Raspberry Pi?") from refused
        reasons = [f"{path} {barred(path, 'gpio') or f'can not be opened ({refused})'}" for path in paths]
        raise PinError(f"pins lgpio: {'; '.join(reasons)}") from refused
    labelled = [c for c, handle in opened.items() if lgpio.gpio_get_chip_info(handle)[3].startswith(HEADER_LABEL)]
    chosen = (labelled or list(opened))[0]
    for chip, handle in opened.items():
        if chip != chosen:
            lgpio.gpiochip_close(handle)
    return chosen, opened[chosen]


@contextmanager
def claiming(what: str, pin: int, factory: Any) -> Iterator[None]:
    """Around the making of a device on a pin.

    Args:
        what: the device, such as `lamp red`.
        pin: BCM number.
        factory: the way to the pins.

    Raises:
        PinError: it can't be made, for whatever reason.
    """
    try:
        # The pin comes first, alone: a device that fails halfway has reserved it, and keeps it as long as anybody
        # keeps the error.
        factory.pin(pin)
        yield
    except Exception as error:  # the pin libraries raise their own kinds
        why = _in_use(pin, factory) if "busy" in str(error).lower() else f"{error}; check the pins"
        raise PinError(f"{what} on pin {pin}: {why} in the configuration") from error


def _in_use(pin: int, factory: Any) -> str:
    """By whom a pin is used, and what to type."""
    use = factory.used_as(pin) if hasattr(factory, "used_as") else ""
    found = holders(_LINES)
    if found:
        by = f"by {' and '.join(map(str, found))}; {', '.join(dict.fromkeys(holder.end for holder in found))}"
    elif os.geteuid() == 0:
        by = "by no program, so by the system itself; switch off in raspi-config what uses it"
    else:
        by = (
            "by another program, commonly the box itself; sudo systemctl stop companion "
            "(sudo fuser -v /dev/gpiochip* tells which)"
        )
    return f"in use{f' as {use}' if use else ''} {by}, or choose another pin"


def _rpigpio(work_dir: Path) -> Any:
    if problem := rivals(installed()):
        raise PinError(f"pins rpigpio: {problem}")
    _give_lgpio_a_folder(work_dir)  # what is called RPi may be rpi-lgpio, which imports lgpio
    here = Path.cwd()
    try:
        from gpiozero.pins.rpigpio import RPiGPIOFactory
    finally:
        os.chdir(here)
    return RPiGPIOFactory()


def _give_lgpio_a_folder(work_dir: Path) -> None:
    """Sees to it that the folder in LG_WD, which lgpio reads when it is imported, can be written to."""
    folder = Path(os.environ.setdefault("LG_WD", str(work_dir)))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PinError(f"folder {folder} for lgpio: {error.strerror}; set LG_WD to one that can be written") from error
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PinError(f"folder {folder} for lgpio: can't be written; set LG_WD to one that can")

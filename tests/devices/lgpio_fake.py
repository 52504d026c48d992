"""The module lgpio as far as gpiozero uses it, and as strict: what it refuses, this refuses.

`install` puts it where `import lgpio` finds it. Its import does what the real one's does: it changes the working
directory to LG_WD and makes its pipe there.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SIGNATURES = {
    "gpiochip_open": "gpiochip",
    "gpiochip_close": "handle",
    "gpio_get_chip_info": "handle",
    "gpio_get_line_info": "handle, gpio",
    "gpio_get_mode": "handle, gpio",
    "gpio_claim_input": "handle, gpio, lFlags=0",
    "gpio_claim_output": "handle, gpio, level=0, lFlags=0",
    "gpio_claim_alert": "handle, gpio, eFlags, lFlags=0, notify_handle=None",
    "gpio_free": "handle, gpio",
    "gpio_read": "handle, gpio",
    "gpio_write": "handle, gpio, level",
    "gpio_set_debounce_micros": "handle, gpio, debounce_micros",
    "tx_pwm": "handle, gpio, pwm_frequency, pwm_duty_cycle, pulse_offset=0, pulse_cycles=0",
    "callback": "handle, gpio, edge=RISING_EDGE, func=None",
}
"""Of lgpio 0.2.2.0, read from its source."""

RISING_EDGE, FALLING_EDGE, BOTH_EDGES = 1, 2, 3
SET_PULL_UP, SET_PULL_DOWN, SET_PULL_NONE = 32, 64, 128
_KERNEL_MODES = {SET_PULL_UP: 32, SET_PULL_DOWN: 64, SET_PULL_NONE: 128}
_IS_OUT = 2
PWM_ENTRIES = 10
"""So many settings wait for the end of a cycle; for one more there is no room."""


class error(Exception):  # noqa: N801, N818  (the module's own name for it)
    """What the module raises; it is told in quotation marks."""

    def __str__(self) -> str:
        return repr(self.args[0])


class Line:
    """One GPIO.

    Attributes:
        claimed: `""`, `input`, `output` or `alert`.
        level: of the wire.
        grounded: something outside connects it to ground, which no pull-up can lift.
        pull: one of the `SET_PULL` flags.
        pwm: frequency in Hz and duty cycle in percent, None while there are no pulses.
        waiting: settings of pulses since time last passed.
        user: whose it is if it is somebody else's, as the kernel tells it.
    """

    def __init__(self) -> None:
        self.claimed = ""
        self.level = 0
        self.grounded = False
        self.pull = SET_PULL_NONE
        self.pwm: tuple[float, float] | None = None
        self.waiting = 0
        self.user = ""


class Chip:
    """The pins of one Raspberry Pi, and the thread that tells of their edges.

    Attributes:
        lines: by BCM number.
        labels: of the chips that can be opened, by number; the lines are those of each whose label begins with
            `pinctrl`.
        handles: the number of the chip by handle.
        alive: whether the thread that calls callbacks still runs; an exception ends it, and all buttons are dead.
    """

    def __init__(self) -> None:
        self.lines = {number: Line() for number in range(28)}
        self.labels = {0: "pinctrl-bcm2711"}
        self.handles: dict[int, int] = {}
        self.callbacks: list[tuple[int, int, Callable[..., None]]] = []
        self.alive = True

    def drive(self, gpio: int, level: int) -> None:
        """Something outside pulls a wire; who waits for edges is told."""
        line = self.lines[gpio]
        changed, line.level = line.level != level, level
        line.grounded = not level
        if not changed or line.claimed != "alert" or not self.alive:
            return
        for number, edges, func in list(self.callbacks):
            if number == gpio and edges & (RISING_EDGE if level else FALLING_EDGE):
                try:
                    func(0, gpio, level, 1_000_000_000)
                except Exception:
                    self.alive = False

    def let_time_pass(self) -> None:
        """All pulses have come to the end of a cycle."""
        for line in self.lines.values():
            line.waiting = 0


CHIP = Chip()


def _line(handle: int, gpio: int, *, claimed: tuple[str, ...] = ()) -> Line:
    if handle not in CHIP.handles:
        raise error("unknown handle")
    if gpio not in CHIP.lines:
        raise error("bad GPIO number")
    if not CHIP.labels[CHIP.handles[handle]].startswith("pinctrl"):
        raise error("bad GPIO number")
    line = CHIP.lines[gpio]
    if claimed and line.claimed not in claimed:
        raise error("GPIO not allocated")
    return line


def _free(handle: int, gpio: int) -> Line:
    line = _line(handle, gpio)
    if line.user:
        raise error("GPIO busy")
    return line


def gpiochip_open(gpiochip: int) -> int:
    if gpiochip not in CHIP.labels:
        raise error("can not open gpiochip")
    handle = max(CHIP.handles, default=-1) + 1
    CHIP.handles[handle] = gpiochip
    return handle


def gpiochip_close(handle: int) -> int:
    del CHIP.handles[handle]
    return 0


def gpio_get_chip_info(handle: int) -> list[Any]:
    number = CHIP.handles[handle]
    return [0, 54, f"gpiochip{number}", CHIP.labels[number]]


def gpio_get_line_info(handle: int, gpio: int) -> list[Any]:
    return [0, gpio, 0, f"GPIO{gpio}", CHIP.lines[gpio].user]


def gpio_get_mode(handle: int, gpio: int) -> int:
    line = _line(handle, gpio)
    return (_IS_OUT if line.claimed == "output" else 0) | _KERNEL_MODES[line.pull]


def gpio_claim_input(handle: int, gpio: int, lFlags: int = 0) -> int:  # noqa: N803
    line = _free(handle, gpio)
    line.claimed, line.pwm = "input", None
    if lFlags in _KERNEL_MODES:
        line.pull = lFlags
    line.level = int(line.pull == SET_PULL_UP and not line.grounded)
    return 0


def gpio_claim_output(handle: int, gpio: int, level: int = 0, lFlags: int = 0) -> int:  # noqa: N803
    line = _free(handle, gpio)
    line.claimed, line.level, line.pwm = "output", level, None
    return 0


def gpio_claim_alert(handle: int, gpio: int, eFlags: int, lFlags: int = 0, notify_handle: Any = None) -> int:  # noqa: N803
    line = _free(handle, gpio)
    assert eFlags in (RISING_EDGE, FALLING_EDGE, BOTH_EDGES)
    line.claimed = "alert"
    return 0


def gpio_free(handle: int, gpio: int) -> int:
    _line(handle, gpio, claimed=("input", "output", "alert")).claimed = ""
    return 0


def gpio_read(handle: int, gpio: int) -> int:
    return _line(handle, gpio, claimed=("input", "output", "alert")).level


def gpio_write(handle: int, gpio: int, level: int) -> int:
    _line(handle, gpio, claimed=("output",)).level = int(level)
    return 0


def gpio_set_debounce_micros(handle: int, gpio: int, debounce_micros: int) -> int:
    _line(handle, gpio)
    return 0


def tx_pwm(
    handle: int,
    gpio: int,
    pwm_frequency: float,
    pwm_duty_cycle: float,
    pulse_offset: int = 0,
    pulse_cycles: int = 0,
) -> int:
    line = _line(handle, gpio, claimed=("output",))
    if pwm_frequency and not 0.1 <= pwm_frequency <= 10000:
        raise error("bad PWM frequency")
    if not 0 <= pwm_duty_cycle <= 100:
        raise error("bad PWM duty cycle")
    if line.waiting == PWM_ENTRIES:
        raise error("no room in the PWM queue")
    line.waiting += 1
    line.pwm = (pwm_frequency, pwm_duty_cycle) if pwm_frequency else None
    return PWM_ENTRIES - line.waiting


class _Callback:
    def __init__(self, entry: tuple[int, int, Callable[..., None]]) -> None:
        self._entry = entry

    def cancel(self) -> None:
        if self._entry in CHIP.callbacks:
            CHIP.callbacks.remove(self._entry)


def callback(handle: int, gpio: int, edge: int = RISING_EDGE, func: Any = None) -> _Callback:
    entry = (gpio, edge, func)
    CHIP.callbacks.append(entry)
    return _Callback(entry)


def imported() -> None:
    """What the import does."""
    folder = os.environ.get("LG_WD", ".")
    os.chdir(folder)  # so it is: the whole program goes there
    Path(".lgd-nfy0").touch()


def install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str = "") -> Chip:
    """A computer with lgpio and a Raspberry Pi 4's revision number; `source` is the module's, this one's if empty."""
    global CHIP
    CHIP = Chip()
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "lgpio.py").write_text(
        source or f"from {__name__} import *\nfrom {__name__} import imported\nimported()"
    )
    monkeypatch.syspath_prepend(packages)
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC03111)
    monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory.pins", {})
    monkeypatch.setattr("gpiozero.pins.local.LocalPiFactory._reservations", defaultdict(list))
    return CHIP

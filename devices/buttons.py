"""Buttons: edges from the pins, and what people meant by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from companion.core.panel import Button
from devices.errors import PinError

STEADY_S = 0.02
"""A level counts once it has held for so long; cheap buttons bounce for 1 to 10 ms."""

LONG_S = 0.8
"""A button that is held for so long was pressed long."""


@dataclass(frozen=True)
class Press:
    """A button was pressed.

    Attributes:
        button: which one.
        at_s: when, by the clock handed in.
        long: it is still held, `LONG_S` after it was reported pressed.
    """

    button: Button
    at_s: float
    long: bool = False


@dataclass(frozen=True)
class Edge:
    """A pin changed, or was looked at: the button is down or up, at a time."""

    button: Button
    down: bool
    at_s: float


class Debouncer:
    """Tells presses from bouncing contacts and phantom edges. Pure: it knows only the times handed in.

    A level counts once it has held for `steady_s`. So a burst of edges is one press, a spike is none, and a short
    gap in a held button is no second press. A lost edge is put right by the next look at the pin.
    """

    def __init__(self, steady_s: float = STEADY_S, long_s: float = LONG_S) -> None:
        self._steady_s = steady_s
        self._long_s = long_s
        self._raw: dict[Button, Edge] = {}
        self._pressed_at_s: dict[Button, float] = {}
        self._told_long: set[Button] = set()

    def feed(self, edge: Edge) -> list[Press]:
        """Takes an edge (or a look at a level), and gives what had become certain before it."""
        presses = self._decide(edge.button, edge.at_s)
        last = self._raw.get(edge.button)
        if last is None or last.down != edge.down:
            self._raw[edge.button] = edge
        return presses

    def tick(self, now_s: float) -> list[Press]:
        """What has become certain by now."""
        return [press for button in list(self._raw) for press in self._decide(button, now_s)]

    def _decide(self, button: Button, now_s: float) -> list[Press]:
        raw = self._raw.get(button)
        if raw is None or now_s - raw.at_s < self._steady_s:
            return []
        if not raw.down:
            self._pressed_at_s.pop(button, None)
            self._told_long.discard(button)
            return []
        if button not in self._pressed_at_s:
            self._pressed_at_s[button] = raw.at_s
            return [Press(button, raw.at_s), *self._decide(button, now_s)]
        pressed_at_s = self._pressed_at_s[button]
        if button not in self._told_long and now_s - pressed_at_s >= self._long_s:
            self._told_long.add(button)
            return [Press(button, pressed_at_s + self._long_s, long=True)]
        return []


class Buttons:
    """The four buttons on pins.

    Args:
        pins: the pin of each button.
        factory: gpiozero pin factory.
        clock: seconds of a clock that never goes back.

    Raises:
        PinError: a pin can't be used.
    """

    def __init__(self, pins: Mapping[Button, int], factory: Any, clock: Callable[[], float]) -> None:
        from gpiozero import DigitalInputDevice

        self._clock = clock
        self._debouncer = Debouncer()
        self._edges: SimpleQueue[Edge | Exception] = SimpleQueue()
        self._devices: dict[Button, Any] = {}
        try:
            for button, pin in pins.items():
                device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
                self._devices[button] = device
                device.when_activated = self._callback(button, down=True)
                device.when_deactivated = self._callback(button, down=False)
        except Exception as error:  # the pin libraries raise their own kinds
            self.close()
            raise PinError(f"button {button} on pin {pin}: {error}; check the pin table") from error

    def tick(self, now_s: float) -> list[Press]:
        """The presses that have become certain, in order. To be called some 50 times a second.

        Raises:
            PinError: the pins can't be read any more.
        """
        presses = []
        while True:
            try:
                edge = self._edges.get_nowait()
            except Empty:
                break
            if isinstance(edge, Exception):
                raise PinError(f"buttons: {edge}") from edge
            presses += self._debouncer.feed(edge)
        for button, device in self._devices.items():
            presses += self._debouncer.feed(Edge(button, self._is_down(button, device), now_s))
        return presses + self._debouncer.tick(now_s)

    def close(self) -> None:
        """Gives the pins back."""
        for device in self._devices.values():
            device.close()
        self._devices.clear()

    def _is_down(self, button: Button, device: Any) -> bool:
        try:
            return bool(device.is_active)
        except Exception as error:  # the pin libraries raise their own kinds
            raise PinError(f"button {button}: {error}") from error

    def _callback(self, button: Button, down: bool) -> Callable[[], None]:
        """An exception in a callback would end gpiozero's thread, and all buttons would be dead: so none escapes."""

        def put() -> None:
            try:
                self._edges.put(Edge(button, down, self._clock()))
            except Exception as error:
                self._edges.put(error)

        return put

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

TOGETHER = (Button.A, Button.B)
"""The two buttons that mean something of their own when they are pressed together."""

TOGETHER_S = 0.08
"""Two fingers that mean the same moment come down within so much of each other. A press of one alone is told that
much later, since the other may be on its way."""


@dataclass(frozen=True)
class Press:
    """A button was pressed, or both of `TOGETHER` at once.

    Attributes:
        button: which one; of two the first of `TOGETHER`.
        at_s: when, by the clock handed in; of two when the second came down.
        long: it is still held, so long after it was pressed that it counts as a long press; of two, both are.
        together: the other one, if two were pressed at once; neither of them is told by itself then.
    """

    button: Button
    at_s: float
    long: bool = False
    together: Button | None = None


@dataclass(frozen=True)
class Edge:
    """A pin changed, or was looked at: the button is down or up, at a time."""

    button: Button
    down: bool
    at_s: float


@dataclass
class _Hold:
    """A press that goes on.

    Attributes:
        at_s: when it began.
        told: it was reported; before, the other button may still join in.
        told_long: it was reported as a long one.
        together: both buttons are held, as one.
    """

    at_s: float
    told: bool = False
    told_long: bool = False
    together: bool = False


class Debouncer:
    """Tells presses from bouncing contacts and phantom edges. Pure: it knows only the times handed in.

    A level counts once it has held for `steady_s`. So a burst of edges is one press, a spike is none, and a short
    gap in a held button is no second press. A lost edge is put right by the next look at the pin.

    Args:
        steady_s: see `STEADY_S`.
        long_s: see `LONG_S`.
    """

    def __init__(self, steady_s: float = STEADY_S, long_s: float = LONG_S) -> None:
        self._steady_s = steady_s
        self._long_s = long_s
        self._raw: dict[Button, Edge] = {}
        self._held: dict[Button, _Hold] = {}

    def feed(self, edge: Edge) -> list[Press]:
        """Takes an edge (or a look at a level), and gives what had become certain before it."""
        presses = self.tick(edge.at_s)
        last = self._raw.get(edge.button)
        if last is None or last.down != edge.down:
            self._raw[edge.button] = edge
        return presses

    def tick(self, now_s: float) -> list[Press]:
        """What has become certain by now."""
        presses = []
        for raw in list(self._raw.values()):
            if now_s - raw.at_s < self._steady_s:
                continue
            if raw.down and raw.button not in self._held:
                presses += self._begin(raw)
            elif not raw.down and raw.button in self._held:
                presses += self._end(raw.button, raw.at_s)
        for button, hold in self._held.items():
            presses += self._news(button, hold, now_s)
        return presses

    def _begin(self, raw: Edge) -> list[Press]:
        hold = self._held[raw.button] = _Hold(raw.at_s)
        other = self._held.get(self._other(raw.button)) if raw.button in TOGETHER else None
        if other is None or other.told or abs(other.at_s - raw.at_s) > TOGETHER_S:
            return []
        for one in (hold, other):
            one.at_s, one.told, one.together = max(hold.at_s, other.at_s), True, True
        return [Press(TOGETHER[0], hold.at_s, together=TOGETHER[1])]

    def _end(self, button: Button, at_s: float) -> list[Press]:
        hold = self._held[button]
        presses = self._news(button, hold, at_s, ended=True)
        if hold.together and (other := self._held.get(self._other(button))):
            presses += self._news(self._other(button), other, at_s)
            other.told_long = True  # the one that is held on means nothing by itself
        del self._held[button]
        return presses

    def _news(self, button: Button, hold: _Hold, now_s: float, ended: bool = False) -> list[Press]:
        """What is to be said of a press that goes on, or ends now."""
        presses = []
        held_s = now_s - hold.at_s
        # The other button may join in so late, and is certain only after it was steady.
        certain_s = TOGETHER_S + self._steady_s if button in TOGETHER else 0.0
        if not hold.told and (ended or held_s >= certain_s):
            hold.told = True
            presses.append(Press(button, hold.at_s))
        if hold.told and not hold.told_long and held_s >= self._long_s:
            hold.told_long = True
            if not hold.together:
                presses.append(Press(button, hold.at_s + self._long_s, long=True))
            elif button == TOGETHER[0]:
                presses.append(Press(button, hold.at_s + self._long_s, long=True, together=TOGETHER[1]))
        return presses

    @staticmethod
    def _other(button: Button) -> Button:
        return TOGETHER[1 - TOGETHER.index(button)]


class Buttons:
    """The four buttons on pins.

    Args:
        pins: the pin of each button.
        factory: gpiozero pin factory.
        clock: seconds of a clock that never goes back.
        steady_s: see `STEADY_S`.
        long_s: see `LONG_S`.

    Raises:
        PinError: a pin can't be used.
    """

    def __init__(
        self,
        pins: Mapping[Button, int],
        factory: Any,
        clock: Callable[[], float],
        steady_s: float = STEADY_S,
        long_s: float = LONG_S,
    ) -> None:
        from gpiozero import DigitalInputDevice

        self._clock = clock
        self._debouncer = Debouncer(steady_s, long_s)
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
            raise PinError(f"button {button} on pin {pin}: {error}; check the pins in the configuration") from error

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

"""Buttons: edges from the pins, and what people meant by them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Any

from companion.core.panel import Button
from devices.errors import PinError
from devices.pins import claiming

STEADY_S = 0.02
"""A level counts once it has held for so long; cheap buttons bounce for 1 to 10 ms."""

LONG_S = 0.8
"""A button that is held for so long was pressed long."""

STUCK_S = 30.0
"""Nobody holds a button for so long: it sticks. One that was down from the start is known to stick sooner."""

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
class _Contact:
    """What the pin of a button has told.

    Attributes:
        first_s: when it was looked at first.
        down, at_s: its level, and since when.
        bounce_s: when the bouncing began that ended in this level.
        rested_s: when it last stopped resting, at whatever level.
        was_up: it was up when it was looked at first, or has rested up since. Before, nobody can have pressed it: it
            sticks, or was held when its pin was opened.
    """

    first_s: float
    down: bool
    at_s: float
    bounce_s: float
    rested_s: float
    was_up: bool


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

    However late a level counts, a press lasts as long as the finger was down: from the first edge of the bouncing that
    came to rest down to the first edge after which it never came to rest there again.

    Args:
        steady_s: see `STEADY_S`.
        long_s: see `LONG_S`.
    """

    def __init__(self, steady_s: float = STEADY_S, long_s: float = LONG_S) -> None:
        self._steady_s = steady_s
        self._long_s = long_s
        self._contacts: dict[Button, _Contact] = {}
        self._held: dict[Button, _Hold] = {}

    def feed(self, edge: Edge) -> list[Press]:
        """Takes an edge (or a look at a level), and gives what had become certain before it."""
        presses = self.tick(edge.at_s)
        contact = self._contacts.get(edge.button)
        if contact is None:
            at_s = edge.at_s
            self._contacts[edge.button] = _Contact(at_s, edge.down, at_s, at_s, at_s, was_up=not edge.down)
        elif contact.down != edge.down:
            lasted_s = edge.at_s - contact.at_s
            # Within a long `steady_s` there is room for taps that are too short to count, but they are no bouncing.
            if lasted_s >= min(self._steady_s, STEADY_S):
                contact.bounce_s = edge.at_s
            if lasted_s >= self._steady_s:
                contact.rested_s = edge.at_s
            contact.down, contact.at_s = edge.down, edge.at_s
        return presses

    def tick(self, now_s: float) -> list[Press]:
        """What has become certain by now, in order."""
        presses = []
        for button, contact in sorted(self._contacts.items(), key=lambda one: one[1].at_s):
            if now_s - contact.at_s < self._steady_s:
                continue
            if not contact.down:
                contact.was_up = True
                if button in self._held:
                    presses += self._end(button, contact.rested_s)
            elif contact.was_up and button not in self._held:
                presses += self._begin(button, contact.bounce_s)
        for button, hold in self._held.items():
            presses += self._news(button, hold, now_s)
        return sorted(presses, key=lambda press: press.at_s)

    def stuck(self, now_s: float) -> frozenset[Button]:
        """The buttons that are held down without end; one that was never seen up is, soon after the start."""
        never = {
            button
            for button, contact in self._contacts.items()
            if not contact.was_up and now_s - contact.first_s >= self._long_s
        }
        return frozenset(never | {button for button, hold in self._held.items() if now_s - hold.at_s >= STUCK_S})

    def _begin(self, button: Button, at_s: float) -> list[Press]:
        hold = self._held[button] = _Hold(at_s)
        other = self._held.get(self._other(button)) if button in TOGETHER else None
        if other is None or other.told or abs(other.at_s - at_s) > TOGETHER_S:
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
        # The other button may join in so late, and is certain only after it was steady.
        certain_s = TOGETHER_S + self._steady_s if button in TOGETHER else 0.0
        if not hold.told and (ended or now_s - hold.at_s >= certain_s):
            hold.told = True
            presses.append(Press(button, hold.at_s))
        long_at_s = hold.at_s + self._long_s
        both = TOGETHER if hold.together else (button,)
        if hold.told and not hold.told_long and now_s >= long_at_s and not self._in_doubt(both, long_at_s, now_s):
            hold.told_long = True
            if not hold.together:
                presses.append(Press(button, long_at_s, long=True))
            elif button == TOGETHER[0]:
                presses.append(Press(button, long_at_s, long=True, together=TOGETHER[1]))
        return presses

    def _in_doubt(self, buttons: tuple[Button, ...], at_s: float, now_s: float) -> bool:
        """Whether one of these buttons may have been let go before a time, which is certain only after it rests."""
        contacts = [self._contacts[button] for button in buttons]
        return any(c.rested_s < at_s and (not c.down or now_s - c.at_s < self._steady_s) for c in contacts)

    @staticmethod
    def _other(button: Button) -> Button:
        return TOGETHER[1 - TOGETHER.index(button)]


class Buttons:
    """The four buttons on pins. One that is down when its pin is opened means nothing until it has been let go.

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

        self._pins = pins
        self._clock = clock
        self._debouncer = Debouncer(steady_s, long_s)
        self._edges: SimpleQueue[Edge | Exception] = SimpleQueue()
        self._devices: dict[Button, Any] = {}
        try:
            for button, pin in pins.items():
                with claiming(f"button {button}", pin, factory):
                    device = DigitalInputDevice(pin, pull_up=True, pin_factory=factory)
                    self._devices[button] = device
                    device.when_activated = self._callback(button, down=True)
                    device.when_deactivated = self._callback(button, down=False)
                    self._edges.put(self._look(button, device))
        except PinError:
            self.close()
            raise

    def tick(self) -> list[Press]:
        """The presses that have become certain, in order. To be called some 50 times a second.

        However seldom it is called, presses are as long as they were: edges are timed when they happen, and a look at
        a pin when it is taken.

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
            presses += self._debouncer.feed(self._look(button, device))
        return presses + self._debouncer.tick(self._clock())

    def stuck(self) -> dict[Button, PinError]:
        """The buttons that are held down without end, and what is to be said of each."""
        return {
            button: PinError(
                f"button {button} on pin {self._pins[button]}: is down all the time, so it means nothing until it is "
                f"let go; does it stick, or is GPIO{self._pins[button]} wired to ground without it?"
            )
            for button in self._debouncer.stuck(self._clock())
        }

    def close(self) -> None:
        """Gives the pins back."""
        for device in self._devices.values():
            device.close()
        self._devices.clear()

    def _look(self, button: Button, device: Any) -> Edge:
        try:
            return Edge(button, bool(device.is_active), self._clock())
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

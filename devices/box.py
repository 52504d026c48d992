"""All devices of a box together: one that fails stops none of the others, and heals by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Generic, Protocol, TypeVar

from PIL import Image

from companion.core.panel import Button, Lamp, Melody
from devices.buttons import Buttons, Press
from devices.buzzer import Buzzer, check_melody
from devices.display import Display, check_picture
from devices.errors import DeviceError, PinError
from devices.lamps import Lamps
from devices.rest import Rest, Rests, dot

LOOK_AGAIN_S = 0.5
"""How often a display whose picture doesn't change is asked whether it is still there."""

RETRY_S = 2.0
"""Pause before a device that failed is tried again."""


NEVER = Rests(0.0, 0.0)
"""A display that never rests: on a screen nothing burns in."""


def reported(button: Button) -> str:
    """What a button is called in reports."""
    return f"button-{button.value.lower()}"


class Closable(Protocol):
    """Anything that is given back in the end."""

    def close(self) -> None:
        """Gives it back."""


D = TypeVar("D", bound=Closable)

Report = Callable[[str, DeviceError | None], None]
"""Is told a device (`display`, `second-display`, `buttons`, `lamps`, `buzzer`, and `button-a` to `button-down` for one
that is stuck) and its error, or None when it has healed."""


class Part(Generic[D]):
    """One device that may fail: it is made when first used, given up when it fails, and made anew after a pause.

    Args:
        name: for reports.
        make: makes the device, or raises DeviceError.
        report: is told the first error of an outage, and its end.
    """

    def __init__(self, name: str, make: Callable[[], D], report: Report) -> None:
        self._name = name
        self._make = make
        self._report = report
        self._device: D | None = None
        self._failed = False
        self._retry_at_s = float("-inf")

    def use(self, act: Callable[[D], object], now_s: float) -> bool:
        """Lets `act` do something with the device; False if it can't at present."""
        if now_s < self._retry_at_s:
            return False
        try:
            if self._device is None:
                self._device = self._make()
            act(self._device)
        except DeviceError as error:
            self._retry_at_s = now_s + RETRY_S
            self.close()
            if not self._failed:
                self._failed = True
                self._report(self._name, error)
            return False
        if self._failed:
            self._failed = False
            self._report(self._name, None)
        return True

    def close(self) -> None:
        """Gives the device back; one that is broken may not even let itself be closed."""
        device, self._device = self._device, None
        if device is not None:
            with suppress(Exception):
                device.close()


class Glass:
    """A display and the picture that is wanted on it.

    Args:
        part: the display.
        rests: when it is dimmed, and when it goes dark.
    """

    def __init__(self, part: Part[Display], rests: Rests) -> None:
        self._part = part
        self._rests = rests
        self._picture: Image.Image | None = None
        self._sent: tuple[bytes, bool] | None = None
        self._look_at_s = float("-inf")

    def want(self, image: Image.Image) -> bool:
        """Wants this picture, mode `1`, 128x64 pixels; whether it is another one than before."""
        check_picture(image)
        news = self._picture is None or self._picture.tobytes() != image.tobytes()
        self._picture = image.copy()
        return news

    def rest(self, idle_s: float) -> Rest:
        """How far the display has gone to rest, when nothing has happened for so long."""
        return self._rests.at(idle_s)

    def tick(self, now_s: float, idle_s: float) -> None:
        """Shows what is to be seen now if it is new, and now and then asks whether the display is still there."""
        if self._picture is None:
            return
        rest = self.rest(idle_s)
        picture = dot(idle_s) if rest is Rest.DARK else self._picture
        dimmed = rest is not Rest.AWAKE
        sent = (picture.tobytes(), dimmed)
        if sent != self._sent or now_s >= self._look_at_s:
            self._look_at_s = now_s + LOOK_AGAIN_S
            self._sent = sent
            self._part.use(lambda display: display.show(picture, dimmed), now_s)

    def close(self) -> None:
        """Gives the display back."""
        self._part.close()


class Hardware:
    """The display, buttons, lamps and buzzer of a box, and the second display if it has one.

    What is wanted (a picture, lamps) is remembered and brought about at each tick, so that a device that comes back
    shows at once what it should. All methods are for one thread.

    Without news and presses for long the displays rest. Another picture on the first display, a melody or a press
    wakes them; the press that wakes a dark display does nothing else, since nobody could see what it would mean.

    Args:
        display, buttons, lamps, buzzer: make the device, or raise DeviceError; called again after a failure. The
            display is None if there is to be none.
        report: see `Report`.
        second: makes the second display, which faces the active player; None if there is to be none.
        rests, second_rests: when the displays rest.
    """

    def __init__(
        self,
        display: Callable[[], Display] | None,
        buttons: Callable[[], Buttons],
        lamps: Callable[[], Lamps],
        buzzer: Callable[[], Buzzer],
        report: Report,
        second: Callable[[], Display] | None = None,
        rests: Rests = NEVER,
        second_rests: Rests = NEVER,
    ) -> None:
        self._glass = Glass(Part("display", display, report), rests) if display else None
        self._second = Glass(Part("second-display", second, report), second_rests) if second else None
        self._buttons = Part("buttons", buttons, report)
        self._lamps = Part("lamps", lamps, report)
        self._buzzer = Part("buzzer", buzzer, report)
        self._lit: frozenset[Lamp] = frozenset()
        self._melody: Melody | None = None
        self._news = True
        self._awake_at_s: float | None = None
        self._waking: Button | None = None
        self._report = report
        self._stuck: frozenset[Button] = frozenset()
        self.muted = False
        """Keep the buzzer silent."""

    @property
    def has_second(self) -> bool:
        """Whether there is to be a second display."""
        return self._second is not None

    def show(self, image: Image.Image) -> None:
        """Wants this picture on the display, mode `1`, 128x64 pixels."""
        if self._glass and self._glass.want(image):
            self._news = True

    def show_second(self, image: Image.Image) -> None:
        """Wants this picture on the second display, if there is to be one; mode `1`, 128x64 pixels."""
        if self._second:
            self._second.want(image)

    def light(self, lit: frozenset[Lamp]) -> None:
        """Wants these lamps lit, and no others."""
        self._lit = lit

    def play(self, melody: Melody) -> None:
        """Wants this melody played now, instead of any that is still playing.

        Raises:
            ToneError: the buzzer can't play it.
        """
        check_melody(melody)
        self._melody = melody
        self._news = self._news or bool(melody)

    def tick(self, now_s: float) -> list[Press]:
        """Brings about what is wanted, and gives the presses since the last tick. Some 50 times a second.

        Args:
            now_s: seconds of a clock that never goes back, the one that the buttons use.
        """
        presses: list[Press] = []
        stuck: dict[Button, PinError] = {}

        def look(buttons: Buttons) -> None:
            presses.extend(buttons.tick())
            stuck.update(buttons.stuck())

        self._buttons.use(look, now_s)
        self._tell(stuck)
        meant = self._meant(presses)
        if self._news or presses or self._awake_at_s is None:
            self._news, self._awake_at_s = False, now_s
        for glass in self._glasses():
            glass.tick(now_s, now_s - self._awake_at_s)
        self._lamps.use(lambda lamps: lamps.light(self._lit), now_s)
        self._buzzer.use(lambda buzzer: self._sound(buzzer, now_s), now_s)
        self._melody = None  # a melody that could not be heard in its moment is not made up for
        return meant

    def close(self) -> None:
        """Gives all devices back: dark and silent."""
        parts: tuple[Closable, ...] = (*self._glasses(), self._buttons, self._lamps, self._buzzer)
        for part in parts:
            part.close()

    def _glasses(self) -> tuple[Glass, ...]:
        return tuple(glass for glass in (self._glass, self._second) if glass)

    def _tell(self, stuck: Mapping[Button, PinError]) -> None:
        """Reports each button that has got stuck, and each that no longer is."""
        before, self._stuck = self._stuck, frozenset(stuck)
        for button in sorted(before ^ self._stuck):
            self._report(reported(button), stuck.get(button))

    def _meant(self, presses: list[Press]) -> list[Press]:
        """The presses that mean something: not the one that wakes a dark display, nor that it is held for long."""
        if self._awake_at_s is None or not presses:
            return presses
        glass = next(iter(self._glasses()), None)
        if glass and glass.rest(presses[0].at_s - self._awake_at_s) is Rest.DARK:
            self._waking = presses[0].button
            presses = presses[1:]
        meant = [press for press in presses if not (press.long and press.button is self._waking)]
        if any(press.button is self._waking and not press.long for press in meant):
            self._waking = None
        return meant

    def _sound(self, buzzer: Buzzer, now_s: float) -> None:
        buzzer.muted = self.muted
        if self._melody is not None:
            buzzer.play(self._melody)
        buzzer.tick(now_s)

"""The buzzer: melodies without waiting for them."""

from __future__ import annotations

from typing import Any

from companion.core.panel import Melody, Note
from devices.errors import PinError, ToneError
from devices.pins import claiming

MIDDLE_TONE = "A5"
OCTAVES = 2
"""To either side of the middle tone; small piezo discs are faint below and shrill above."""

LOWEST_HZ, HIGHEST_HZ = 220.0, 3520.0

_LOUDEST = 0.5
"""Share of time in which the pin is high at full volume: a square wave is loudest when even."""


def check_melody(melody: Melody) -> None:
    """Raises ToneError for a melody with a tone out of range, or a note that takes no time."""
    for i, note in enumerate(melody):
        if note.frequency_hz and not LOWEST_HZ <= note.frequency_hz <= HIGHEST_HZ:
            raise ToneError(
                f"note {i}: {note.frequency_hz:g} Hz; use {LOWEST_HZ:g} to {HIGHEST_HZ:g} Hz, or 0 for a rest"
            )
        if note.length_s <= 0:
            raise ToneError(f"note {i}: {note.length_s:g} s; a note takes more than 0 s")


class Buzzer:
    """A passive piezo buzzer on a pin. It plays when it is ticked, so nothing ever waits for it.

    Args:
        pin: BCM number.
        factory: gpiozero pin factory.
        volume: 0 (silent) to 1.

    Attributes:
        muted: stay silent; melodies run on unheard.

    Raises:
        PinError: the pin can't be used.
        ValueError: the volume is out of range.
    """

    def __init__(self, pin: int, factory: Any, volume: float = 1.0) -> None:
        from gpiozero import TonalBuzzer

        if not 0 <= volume <= 1:
            raise ValueError(f"volume {volume:g}: choose 0 (silent) to 1 (loudest)")
        self.muted = False
        self._volume = volume
        self._melody: Melody = ()
        self._started_s: float | None = None
        self._sounding: Note | None = None
        with claiming("buzzer", pin, factory):
            self._device: Any = TonalBuzzer(pin, mid_tone=MIDDLE_TONE, octaves=OCTAVES, pin_factory=factory)

    def play(self, melody: Melody) -> None:
        """Plays a melody from the next tick on, instead of any that is still playing; an empty one is silence.

        Raises:
            ToneError: it can't be played.
        """
        check_melody(melody)
        self._melody, self._started_s = melody, None

    def tick(self, now_s: float) -> None:
        """Sounds what is to be heard now. To be called some 50 times a second.

        Raises:
            PinError: the pin can't be set any more.
        """
        if self._started_s is None:
            self._started_s = now_s
        note = self._note_at(now_s - self._started_s)
        if note is not None and (self.muted or not self._volume or not note.frequency_hz):
            note = None
        if note != self._sounding:
            self._sound(note)
            self._sounding = note

    def close(self) -> None:
        """Falls silent and gives the pin back."""
        self._device.close()

    def _note_at(self, played_s: float) -> Note | None:
        for note in self._melody:
            if played_s < note.length_s:
                return note
            played_s -= note.length_s
        return None

    def _sound(self, note: Note | None) -> None:
        from gpiozero.tones import Tone

        try:
            if note is None:
                self._device.stop()
                return
            self._device.play(Tone.from_frequency(note.frequency_hz))
            self._device.pwm_device.value = _LOUDEST * self._volume
        except Exception as error:  # the pin libraries raise their own kinds
            raise PinError(f"buzzer: {error}") from error

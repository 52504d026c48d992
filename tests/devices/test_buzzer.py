from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from device_samples import CONFIG, board_of

from companion.core.panel import Melody, Note
from devices.buzzer import HIGHEST_HZ, LOWEST_HZ, Buzzer, check_melody
from devices.errors import PinError, ToneError
from devices.simulated.board import SimulatedBoard

PIN = CONFIG.buzzer.pin
TUNE: Melody = (Note(440, 0.2), Note(0, 0.1), Note(880, 0.2))


@pytest.fixture
def buzzer(factory: Any) -> Iterator[Buzzer]:
    found = Buzzer(PIN, factory)
    yield found
    found.close()


def _heard(buzzer: Buzzer, board: SimulatedBoard, times_s: tuple[float, ...]) -> list[float | None]:
    heard = []
    for now_s in times_s:
        buzzer.tick(now_s)
        tone = board.tone_hz()
        heard.append(round(tone, 3) if tone else None)
    return heard


def test_a_melody_sounds_note_by_note_as_time_goes_on(buzzer: Buzzer, factory: Any) -> None:
    buzzer.play(TUNE)
    heard = _heard(buzzer, board_of(factory), (50.0, 50.19, 50.21, 50.31, 50.49, 50.51, 60.0))
    assert heard == [440, 440, None, 880, 880, None, None]


def test_a_late_tick_skips_what_is_over(buzzer: Buzzer, factory: Any) -> None:
    buzzer.play(TUNE)
    assert _heard(buzzer, board_of(factory), (1.0, 1.45)) == [440, 880]


def test_a_new_melody_replaces_the_old_one_and_none_is_silence(buzzer: Buzzer, factory: Any) -> None:
    board = board_of(factory)
    buzzer.play(TUNE)
    buzzer.tick(1.0)
    buzzer.play((Note(660, 1.0),))
    assert _heard(buzzer, board, (1.1, 2.0, 2.2)) == [660, 660, None]
    buzzer.play(TUNE)
    buzzer.tick(3.0)
    buzzer.play(())
    assert _heard(buzzer, board, (3.1,)) == [None]


def test_muted_a_melody_runs_on_unheard(buzzer: Buzzer, factory: Any) -> None:
    board = board_of(factory)
    buzzer.play(TUNE)
    buzzer.muted = True
    assert _heard(buzzer, board, (1.0, 1.1)) == [None, None]
    buzzer.muted = False
    assert _heard(buzzer, board, (1.35,)) == [880]


@pytest.mark.parametrize(("volume", "share"), [(1.0, 0.5), (0.2, 0.1), (0.0, 0.0)])
def test_volume_is_the_share_of_time_in_which_the_pin_is_high(factory: Any, volume: float, share: float) -> None:
    buzzer = Buzzer(PIN, factory, volume)
    buzzer.play((Note(440, 1.0),))
    buzzer.tick(1.0)
    assert board_of(factory).volume() == pytest.approx(share)
    buzzer.close()


@pytest.mark.parametrize("frequency_hz", [LOWEST_HZ, 261.63, HIGHEST_HZ])
def test_the_whole_range_can_be_played(buzzer: Buzzer, factory: Any, frequency_hz: float) -> None:
    buzzer.play((Note(frequency_hz, 1.0),))
    assert _heard(buzzer, board_of(factory), (1.0,)) == [pytest.approx(frequency_hz)]


@pytest.mark.parametrize(
    ("note", "problem"),
    [
        (Note(100, 1), "note 1: 100 Hz; use 220 to 3520 Hz, or 0 for a rest"),
        (Note(9999, 1), "note 1: 9999 Hz"),
        (Note(-1, 1), "note 1: -1 Hz"),
        (Note(440, 0), "note 1: 0 s; a note takes more than 0 s"),
    ],
)
def test_what_can_not_be_played_is_refused_and_the_old_melody_goes_on(
    buzzer: Buzzer, factory: Any, note: Note, problem: str
) -> None:
    buzzer.play((Note(440, 9.0),))
    with pytest.raises(ToneError, match=problem):
        buzzer.play((Note(440, 1), note))
    assert _heard(buzzer, board_of(factory), (1.0,)) == [440]
    with pytest.raises(ToneError):
        check_melody((Note(440, 1), note))


def test_a_volume_out_of_range_and_a_pin_in_use_are_refused(buzzer: Buzzer, factory: Any) -> None:
    with pytest.raises(ValueError, match="volume 2"):
        Buzzer(PIN, factory, 2)
    with pytest.raises(PinError, match="buzzer on pin 18"):
        Buzzer(PIN, factory)


def test_a_buzzer_whose_pin_is_gone_is_an_error(buzzer: Buzzer) -> None:
    buzzer.close()
    buzzer.play(TUNE)
    with pytest.raises(PinError, match="buzzer"):
        buzzer.tick(1.0)

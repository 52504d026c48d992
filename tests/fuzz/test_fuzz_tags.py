"""Whatever a reader reads: a payload is sound, foreign or damaged, and a box has a piece for it or none."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.core.tags import PAYLOAD_LENGTH, PREFIX, ArucoTag, QrTag, check
from companion.games import load, names
from tests.fuzz.mutations import garbled, long, no_hang, short

BOXES = {name: load(name).box for name in names()}
PAYLOADS = sorted(payload for box in BOXES.values() for payload in box.qr_payloads)
READINGS = (
    st.text(max_size=40)
    | st.text("TCPHSY0123456789-$%*+./: ", min_size=PAYLOAD_LENGTH, max_size=PAYLOAD_LENGTH).map(
        lambda text: PREFIX + text[len(PREFIX) :]
    )
    | st.builds(garbled, st.sampled_from(PAYLOADS), st.integers(0, 10**9))
    | st.integers(9, 5000).map(lambda length: PREFIX * length)
)


def _holds(payload: str) -> None:
    with no_hang():
        verdict = check(payload)
        assert verdict in ("", "foreign", "damaged")
        for box in BOXES.values():
            piece = box.piece_of(QrTag(payload))
            assert (piece is not None) == (payload in box.qr_payloads)
            assert piece is None or verdict == ""
            named = box.find(payload)
            assert box.name_of(payload) == (named.name if named else payload)


@given(READINGS)
@example("TC" + "\ud800" * 14)
@example("TCÄÖÜ-----é123456"[:16])
@short(150)
def test_any_payload_is_judged_and_looked_up(payload: str) -> None:
    _holds(payload)


@pytest.mark.soak
@given(READINGS)
@long(20_000)
def test_very_many_payloads_are_judged_and_looked_up(payload: str) -> None:
    _holds(payload)


@given(st.integers())
@short(100)
def test_any_marker_is_looked_up(number: int) -> None:
    for box in BOXES.values():
        piece = box.piece_of(ArucoTag(number))
        assert piece is None or piece.tag == ArucoTag(number)


def test_one_wrong_character_is_never_a_piece() -> None:
    for payload in PAYLOADS[::9]:
        for place in range(PAYLOAD_LENGTH):
            for letter in "A0-Z":
                other = payload[:place] + letter + payload[place + 1 :]
                assert (check(other) == "") == (other == payload)

"""The game that docs/storyteller.md shows in pictures, played again: each screen still looks as it does there."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest

from companion.core.panel import Button
from companion.core.snapshot import Snapshot
from companion.core.table import Observation
from companion.face.desk import Desk
from companion.face.fonts import find_fonts
from companion.face.screen import picture
from companion.face.words import load_words
from companion.games import load
from companion.service.journal import Journal
from companion.service.session import Session

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "storyteller"


def test_the_recorded_game_goes_as_recorded() -> None:
    fonts = find_fonts()
    if fonts.remedy:
        pytest.skip(fonts.remedy)
    game = load("storytelling")
    words, desk = load_words("en", game), Desk(game.melodies)
    told: list[str] = []

    def heard(snapshot: Snapshot) -> None:
        desk.show(snapshot)
        told.extend(words.say(event.message) for event in snapshot.events)

    session = Session(game, Journal(":memory:"), heard, {})
    wanted: list[str] = []
    for number, text in enumerate((FOLDER / "recording.jsonl").read_text("utf-8").splitlines(), 1):
        line = msgspec.json.decode(text)
        if "see" in line:
            session.see(msgspec.convert(line["see"], Observation))
        elif "press" in line:
            command = desk.press(Button(line["press"]))
            if command is not None:
                session.tell(command)
        elif "told" in line:
            wanted += line["told"]
        else:
            screen = picture(desk.panel(), words, fonts, desk.page)
            digest = hashlib.sha256(screen.tobytes()).hexdigest()[:16]
            assert digest == line["screen"], f"line {number}; docs/pictures/storyteller.py records it anew"
    assert told == wanted
    assert game.outcome(session.state) is not None


def test_the_recorded_game_is_played_with_buttons_alone() -> None:
    lines = (FOLDER / "recording.jsonl").read_text("utf-8").splitlines()
    assert {key for line in lines for key in msgspec.json.decode(line)} == {"see", "press", "told", "screen"}
    pages = (FOLDER.parents[1] / "storyteller.md").read_text("utf-8")
    assert all(f"storyteller/{path.name}" in pages for path in FOLDER.glob("*.png"))

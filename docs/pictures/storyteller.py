"""Records a whole game of Storytelling as the Storyteller plays it: with the four buttons, nothing else.

    PYTHONPATH=. .venv/bin/python docs/pictures/storyteller.py [FOLDER]

The game runs at the virtual table: hands turn tiles, frames are rendered and read, buttons are pressed on simulated
pins. Into the folder go `storyteller.md`,
a strip of screens for each turn in `pictures/storyteller/`, and `storyteller.jsonl`: what the camera saw, what was
pressed, and a digest of each screen, by which a test plays the game again. It takes about two minutes.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from msgspec.structs import replace
from PIL import Image, ImageDraw

from companion.app.hardware import SimulatedBox
from companion.app.table import Table
from companion.app.virtual import VirtualGame
from companion.core.panel import Button
from companion.core.snapshot import Snapshot
from companion.core.table import Observation
from companion.face.fonts import find_fonts
from companion.face.words import Words, load_words
from companion.games import load
from companion.service.journal import Journal
from vision.cameras.virtual import VirtualCamera
from vision.scene.optics import preset
from vision.watcher import Watcher

LINE = {"players": ["1", "2"], "mode": "midnight", "story": "cinderella"}
SEED = 317
RATE_HZ = 6.0
ZOOM = 2
PER_ROW = 4
GLASS, PIXEL, PAPER, INK = (16, 20, 24), (216, 236, 255), (255, 255, 255), (60, 60, 60)
MOST_FRAMES = 6000
READING = 6
"""So many frames the Storyteller looks at a screen before he goes on."""


class Recorder(Table):
    """A table that writes down what it sees, what is pressed, and what stands on its screen."""

    def __init__(self, box: SimulatedBox, virtual: VirtualGame, **parts: Any) -> None:
        self.lines: list[dict[str, Any]] = []
        self.seen = Observation()
        self.box, self.virtual = box, virtual
        super().__init__(**parts, hardware=box.hardware, draft={}, resume=False, listen=self._heard)

    def see(self, seen: Observation) -> None:
        """Hands an observation to the session."""
        if replace(seen, at_s=0.0) != self.seen:
            self.lines.append({"see": msgspec.to_builtins(seen)})
        self.seen = replace(seen, at_s=0.0)
        super().see(seen)
        self._shown()

    def press(self, button: Button) -> None:
        """Does what a press of a button means now."""
        self.lines.append({"press": str(button)})
        super().press(button)
        self._shown(pressed=True)

    def _shown(self, pressed: bool = False) -> None:
        from companion.face.screen import picture

        image = picture(self.desk.panel(), self.words, self.fonts, self.desk.page)
        digest = hashlib.sha256(image.tobytes()).hexdigest()[:16]
        if pressed or digest != next((line["screen"] for line in reversed(self.lines) if "screen" in line), ""):
            self.lines.append({"screen": digest, "image": image})

    def _heard(self, snapshot: Snapshot, words: Words) -> None:
        told = [words.say(event.message) for event in snapshot.events]
        told += [words.say(dispute.refusal.message) for dispute in snapshot.disputes]
        if told:
            self.lines.append({"told": told})


def record() -> list[dict[str, Any]]:
    """The whole game."""
    now = [0.0]
    box = SimulatedBox(lambda: now[0])
    game = load("storytelling")
    virtual = VirtualGame(game, SEED, LINE, RATE_HZ, speed_mm_s=3500.0)
    rng = np.random.default_rng(SEED)
    table = Recorder(
        box,
        virtual,
        game=game,
        camera=VirtualCamera(virtual.scene, preset("mild", rng), rng, RATE_HZ, virtual.stage),
        watcher=Watcher(game.box),
        journal=Journal(":memory:"),
        words=load_words("en", game),
        fonts=find_fonts(),
    )
    reading = rest = 0
    for _ in range(MOST_FRAMES):
        table.step()
        now[0] += 1 / RATE_HZ
        box.fingers()
        table.refresh(now[0])
        rest += 1
        if not virtual.stage.idle or rest < READING:
            continue
        state, snapshot = table.session.state, table.snapshot
        choice = virtual.pressed(snapshot.question, state)
        pages = _text_screens(table) if state is not None and state.phase == "flip" and not state.up else 0
        if choice is not None and not snapshot.disputes:
            button = table.desk.towards(choice)
            if button is not None:
                box.push(button)
            reading = rest = 0
        elif reading < pages:
            box.push(Button.DOWN)
            reading, rest = reading + 1, 0
        elif state is not None and game.outcome(state):
            return table.lines
        elif state is not None and virtual.agrees(state):
            virtual.move(state)
            rest = 0
    raise SystemExit(f"not over after {MOST_FRAMES} frames: {table.lines[-3:]}")


def _text_screens(table: Recorder) -> int:
    """How many presses lead through the text of the card to its pictures."""
    from companion.face.screen import lay_out

    panel = table.desk.panel()
    return len(lay_out(replace(panel, pages=panel.pages[:1]), table.words, table.fonts))


def chapters(lines: list[dict[str, Any]]) -> list[tuple[list[str], list[tuple[str, Image.Image]]]]:
    """The recording in turns: what was told, and the screens, each with the button that led to it."""
    found: list[tuple[list[str], list[tuple[str, Image.Image]]]] = [([], [])]
    pressed = ""
    for line in lines:
        if "told" in line:
            if any(text.startswith("Card ") for text in line["told"]):
                found.append(([], []))
            found[-1][0].extend(text for text in line["told"] if text not in found[-1][0])
        pressed = line.get("press", pressed)
        if "image" in line:
            found[-1][1].append((pressed, line["image"]))
            pressed = ""
    return found


def strip(screens: list[tuple[str, Image.Image]]) -> Image.Image:
    """Screens in rows, with what led to each below it."""
    width, height = 128 * ZOOM + 12, 64 * ZOOM + 26
    rows = -(-len(screens) // PER_ROW)
    sheet = Image.new("RGB", (width * min(PER_ROW, len(screens)), height * rows), PAPER)
    pen = ImageDraw.Draw(sheet)
    for index, (pressed, image) in enumerate(screens):
        left, top = width * (index % PER_ROW) + 6, height * (index // PER_ROW) + 20
        big = image.resize((image.width * ZOOM, image.height * ZOOM), Image.Resampling.NEAREST)
        pen.rectangle((left - 3, top - 3, left + big.width + 2, top + big.height + 2), fill=GLASS)
        sheet.paste(Image.new("RGB", big.size, PIXEL), (left, top), big)
        label = {"": "(the table)", "up": "button up", "down": "button down"}.get(pressed, f"button {pressed}")
        pen.text((left, top - 16), label, fill=INK)
    return sheet


HEAD = """\
# One evening with the Storyteller

A whole game, as the Storyteller sees it: *Before midnight* with two players, from the first question to the end. He
has the box before him and does everything with its four buttons; nothing is typed anywhere. Above each screen stands
what led to it: a button that he pressed, or the table, where somebody has turned a tile. Each part begins when he
shows the next card.

The game was played at the virtual table: rendered hands turned rendered tiles, and the pictures were really read.
`docs/pictures/storyteller.py` records it, and a test plays the recording again.
"""


def write(folder: Path) -> None:
    """Writes document, strips and recording below a folder."""
    lines = record()
    strips = folder / "pictures" / "storyteller"
    strips.mkdir(parents=True, exist_ok=True)
    parts = [HEAD]
    for number, (told, screens) in enumerate(chapters(lines)):
        name = f"{number:02}.png"
        strip(screens).quantize(16).save(strips / name, optimize=True)
        parts.append(f"## {'Setting up' if number == 0 else told[0]}\n")
        rest = [f"- {text}" for text in told[1 if number else 0 :]]
        parts += ["\n".join(rest) + "\n"] if rest else []
        parts.append(f"![The screens of this part in order](pictures/storyteller/{name})\n")
    (folder / "storyteller.md").write_text("\n".join(parts), "utf-8")
    kept = [{key: value for key, value in line.items() if key != "image"} for line in lines]
    (folder / "pictures" / "storyteller" / "recording.jsonl").write_text(
        "".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in kept), "utf-8"
    )


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))

"""Draws the pictures of tables and screens anew, from seeded games at the virtual table: nothing is made by hand.

    PYTHONPATH=. .venv/bin/python docs/pictures/make.py [FOLDER]

`table.jpg`, `wonderland.jpg` and `three_kings.jpg` are frames of the virtual camera, as the reader gets it, made
smaller. `oled.png` shows four screens as they were decoded from the bytes sent to the display, each pixel enlarged
to 3x3. It takes a few minutes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import cv2
from PIL import Image

from companion.app.play import Options, Play
from companion.core.panel import Button
from companion.games import load

PLAYERS = ("Ellie", "Sam", "Ezio")
SEED = 3
TABLE_WIDTH_PX = 1400
ZOOM = 3
GAP_PX = 12
GLASS = "#101418"
PIXEL = "#d8ecff"
MOST_FRAMES = 3000
TICK_S = 0.05


class Shoot:
    """A game that is played until there is something to photograph."""

    def __init__(self, game: str = "phoenix", players: tuple[str, ...] = PLAYERS) -> None:
        self.now_s = 0.0
        self.play = Play(load(game), Options(players, seed=SEED, room="mild"), lambda: self.now_s)
        assert self.play.virtual is not None
        self.virtual = self.play.virtual
        self.screens: list[Image.Image] = []

    @property
    def cards(self) -> int:
        """How many cards lie at the nests, as the referee knows."""
        facts = self.play.table.snapshot.facts
        return sum(len(cards) for nest in facts["nests"].values() for cards in nest.values()) if facts else 0

    @property
    def told(self) -> int:
        """How many things have happened, as the terminal tells them."""
        return len(self.play.log)

    def until(self, reached: Callable[[], bool]) -> None:
        """Steps until something is so."""
        for _ in range(MOST_FRAMES):
            self._step()
            if reached():
                return
        raise SystemExit(f"not within {MOST_FRAMES} frames; the log: {[entry.text for entry in self.play.log]}")

    def rest(self) -> None:
        """Steps until all hands are away and everything has been read, with the bots paused."""
        self.play.paused = True
        self.until(lambda: self.virtual.stage.idle and self.virtual.agrees(self.play.table.session.state))
        self.frames(5)

    def frames(self, number: int) -> None:
        """Takes so many frames."""
        for _ in range(number):
            self._step()

    def _step(self) -> None:
        self.now_s += TICK_S
        self.play.step()

    def press(self, button: Button) -> None:
        """Presses a button and waits until the screen has answered."""
        self.play.press(button)
        self.frames(6)

    def keep(self) -> None:
        """Keeps the screen as it is now."""
        self.screens.append(self.play.box.panel.image())

    def wrong(self) -> None:
        """Lays the turn player's card at his neighbour's side; keeps what the screen says; takes it back."""
        move = self.virtual.dealer.choices()[-1]
        if move["do"] != "place":  # a draw is due, which leaves no trace
            self.virtual.dealer.do(next(one for one in self.virtual.dealer.choices() if one["do"] == "draw-deck"))
            move = self.virtual.dealer.choices()[-1]
        sides = [player["guild"] for player in self.virtual.dealer.setup["players"]]
        neighbour = sides[(sides.index(move["side"]) + 1) % len(sides)]
        actor = self.virtual.actor(move["by"])
        pose = self.virtual.pose_in(f"{move['nest']}/{neighbour}")
        self.virtual.stage.play(self.virtual.lay(actor, move["card"], pose))
        self.until(lambda: bool(self.play.table.snapshot.disputes) and self.virtual.stage.idle)
        self.frames(2)
        self.keep()
        self.virtual.stage.play(actor.take(move["card"]))
        self.until(lambda: not self.play.table.snapshot.disputes and self.virtual.stage.idle)
        self.play.paused = False


def main(folder: Path) -> None:
    """Plays a round of Phoenix and the beginning of two other games, and writes the pictures."""
    shoot = Shoot()
    shoot.until(lambda: shoot.cards == 4)
    shoot.rest()
    shoot.keep()
    shoot.wrong()
    shoot.until(lambda: shoot.cards == 6)
    shoot.rest()
    shoot.press(Button.B)
    shoot.keep()
    shoot.press(Button.B)
    shoot.play.paused = False
    shoot.until(lambda: shoot.cards >= 11 and _hand_inside(shoot))
    _write_table(shoot, folder / "table.jpg")
    facts = shoot.play.table
    shoot.until(lambda: facts.snapshot.facts is not None and facts.snapshot.facts["phase"] == "treasure")
    shoot.frames(2)
    shoot.keep()
    _write_screens(shoot.screens, folder / "oled.png")
    for game, after in (("wonderland", 14), ("three_kings", 20)):
        shoot = Shoot(game, (*PLAYERS, "Jo"))
        shoot.until(lambda shoot=shoot, after=after: shoot.told >= after and _hand_inside(shoot))
        _write_table(shoot, folder / f"{game}.jpg")


def _hand_inside(shoot: Shoot) -> bool:
    """A hand is well over the table."""
    width, height = shoot.virtual.scene.size_mm
    hands = shoot.virtual.scene.hands.values()
    return any(0 < hand.at_mm[0] < width and 60 < hand.at_mm[1] < height - 60 for hand in hands)


def _write_table(shoot: Shoot, path: Path) -> None:
    frame = shoot.play.table.frame
    assert frame is not None
    height = round(frame.size[1] * TABLE_WIDTH_PX / frame.size[0])
    small = cv2.resize(frame.main, (TABLE_WIDTH_PX, height), interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(path), small, [cv2.IMWRITE_JPEG_QUALITY, 85])


def _write_screens(screens: list[Image.Image], path: Path) -> None:
    width, height = (ZOOM * size + GAP_PX for size in screens[0].size)
    sheet = Image.new("RGB", (2 * width + GAP_PX, -(-len(screens) // 2) * height + GAP_PX), "#8a8f94")
    for number, screen in enumerate(screens):
        large = screen.resize((width - GAP_PX, height - GAP_PX), Image.Resampling.NEAREST)
        sheet.paste(Image.new("RGB", large.size, GLASS), (GAP_PX + number % 2 * width, GAP_PX + number // 2 * height))
        sheet.paste(PIXEL, (GAP_PX + number % 2 * width, GAP_PX + number // 2 * height), large.convert("L"))
    sheet.save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)

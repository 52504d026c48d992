"""The terminal around a game: keys in, the box and its log out."""

from __future__ import annotations

import shutil
import signal
import time
from pathlib import Path

from companion.app.console import END, Console, Stopped, console
from companion.app.play import RATE_HZ, Play
from companion.core.errors import CompanionError
from companion.core.messages import say
from companion.core.panel import Button
from companion.face.terminal import Entry

BUTTONS = {"1": Button.A, "2": Button.B, "3": Button.UP, "4": Button.DOWN}
LETTERS = "abcdefghijkmoruvxyz"
"""Letters that choose a move; those that are keys of their own are left out."""
PICTURE = Path("table.png")
QUIT = ("q", "\x03", END)


def run_terminal(play: Play) -> int:
    """Plays in a terminal until somebody quits or no more frames come.

    Raises:
        Stopped: a signal other than that of ctrl-C ends the program.
    """
    try:
        with console(whole=True) as terminal:
            screen = _Screen(play, terminal)
            while True:
                started = time.monotonic()
                if not play.step():
                    break
                screen.draw()
                if not screen.keys(until_s=started + 1 / RATE_HZ):
                    break
    except Stopped as stopped:
        if stopped.signal != signal.SIGINT:
            raise
    print("\n".join(play.ending()))
    return 0


class _Screen:
    def __init__(self, play: Play, terminal: Console) -> None:
        self._play = play
        self._terminal = terminal

    def keys(self, until_s: float) -> bool:
        """Takes the keys that were typed, and waits for more until a time; False when somebody quits."""
        while typed := self._terminal.typed(max(0.0, until_s - time.monotonic())):
            for key in typed:
                if key in QUIT:
                    return False
                try:
                    self._react(key)
                except CompanionError as error:
                    self._say(str(error))
        return True

    def draw(self) -> None:
        """Brings the terminal up to date."""
        columns, rows = shutil.get_terminal_size()
        footer = [*self._seat_lines(columns), self._key_line(columns)]
        lines = self._play.screen(columns, max(8, rows - len(footer)), colour=True, rich=self._terminal.rich)
        self._terminal.show([*lines, *[""] * (rows - len(footer) - len(lines)), *footer][:rows])

    def _react(self, key: str) -> None:
        play = self._play
        choices = play.choices()
        if key in BUTTONS:
            play.press(BUTTONS[key])
        elif key == " ":
            play.paused = not play.paused
        elif key == "n":
            play.bot_move()
        elif key == "t" and play.virtual:
            seats = ["", *play.virtual.players]
            play.seat = seats[(seats.index(play.seat) + 1) % len(seats)]
        elif key == "w":
            (play.put_right if play.mischief else play.do_wrong)()
        elif key == "p":
            play.write_picture(play.options.picture or PICTURE)
        elif key == "l":
            play.next_language()
        elif key in LETTERS[: len(choices)]:
            play.do(choices[LETTERS.index(key)][1])

    def _say(self, text: str) -> None:
        self._play.log.append(Entry("", text, "trouble"))

    def _seat_lines(self, columns: int) -> list[str]:
        play = self._play
        if not play.seat:
            return []
        said = [f"{letter}) {text}" for letter, (text, _) in zip(LETTERS, play.choices(), strict=False)]
        width = max((len(text) for text in said), default=0) + 2
        per_line = max(1, columns // max(1, width))
        rows = [said[i : i + per_line] for i in range(0, len(said), per_line)]
        if not said and play.paused:
            return []
        return [
            play.words.say(say("terminal.your-move" if said else "terminal.others-play", by=play.seat)),
            *("".join(f"{text:<{width}}" for text in row)[:columns] for row in rows),
        ]

    def _key_line(self, columns: int) -> str:
        play = self._play
        keys = play.words.say(say("terminal.keys" if play.virtual else "terminal.keys-camera"))
        return (f"{play.words.say(say('terminal.paused'))}  {keys}" if play.paused else keys)[:columns]

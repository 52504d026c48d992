"""The box from power-on to power-off: the choice of games, and one table after the other, with the same devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.app.hardware import trouble_of
from companion.app.lobby import GAME, Lobby
from companion.app.table import Table
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.messages import Message, say, verbatim
from companion.core.snapshot import Snapshot
from companion.face.fonts import Fonts
from companion.face.situation import Trouble
from companion.face.words import Words, load_words
from companion.service.archive import is_there, last_game
from companion.service.journal import Journal
from companion.service.kept import Kept, Settings
from companion.service.replay import unfinished
from devices.box import Hardware, Report
from devices.errors import DeviceError
from vision.cameras import Camera
from vision.watcher import Watcher

Load = Callable[[str], Game[Any, Any]]


class Host:
    """One box.

    Args:
        names: ids of the games that can be played.
        load: loads a game.
        camera: the source of frames; it stays open over all games.
        hardware: makes the devices, which stay open as well; it gets a function for their failures.
        journals: folder of the journals, one for each game.
        kept: what is remembered between two evenings.
        fonts: of the screens.
        language: that of the configuration.
        setups: by game, fields of the set-up that are known beforehand.
        troubles: what is to be said of the box itself, by a name for each.
        log: gets each announcement as a line.
        name: what the box is called.
        first: the id of the game that begins if no other is to be carried on; empty to ask.
        leave_safe: ends safe mode and this program; None if this isn't safe mode.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        load: Load,
        camera: Camera,
        hardware: Callable[[Report], Hardware],
        journals: Path,
        kept: Kept,
        fonts: Fonts,
        language: str = "en",
        setups: Mapping[str, Mapping[str, Any]] | None = None,
        troubles: Mapping[str, Message] | None = None,
        log: Callable[[str], None] = lambda _line: None,
        name: str = "",
        first: str = "",
        leave_safe: Callable[[], None] | None = None,
    ) -> None:
        self._names, self._load = names, load
        self._camera = camera
        self._failures: dict[str, DeviceError] = {}
        self._hardware = hardware(self._device_failed)
        self._journals = journals
        self._kept = kept
        self._fonts = fonts
        self._language = language
        self._setups = setups or {}
        self._troubles = dict(troubles or {})
        self._log = log
        self._name = name
        self._leave_safe = leave_safe
        self._journal: Journal | None = None
        self.table = self._first(first)

    def step(self, now_s: float) -> None:
        """Takes one frame and the presses since the last time, and goes from table to table as people want.

        Args:
            now_s: seconds, of the clock that the devices use.
        """
        self.table.step()
        self.table.refresh(now_s)
        self._remember()
        if self.table.left:
            self._open_lobby()
        elif isinstance(self.table.game, Lobby):
            if self._leave_safe and self.table.game.left_safe(self.table.session.draft):
                self._leave_safe()
            chosen = self.table.game.chosen(self.table.session.draft)
            if chosen:
                self._open_game(*chosen)

    @property
    def doing(self) -> str:
        """Who plays what, in one line."""
        return ": ".join(filter(None, (self._name, str(self.table.game.id))))

    def close(self) -> None:
        """Says good night and gives everything back."""
        if self._journal:
            self._journal.close()
        self._camera.close()
        self._hardware.close()

    def _first(self, first: str) -> Table:
        """The game that was being played when the box was switched off, else `first`, else the choice of games."""
        if self._leave_safe:
            return self._lobby_table()
        name = self._kept.settings.game
        try:
            if name in self._names and self._unfinished(name):
                return self._game_table(name, True)
        except CompanionError as error:
            self._troubles["game"] = say("trouble.game", reason=str(error))
        return self._lobby_table({GAME: first} if first in self._names else {})

    def _open_lobby(self) -> None:
        self.table = self._lobby_table()

    def _open_game(self, name: str, carry_on: bool) -> None:
        try:
            self.table = self._game_table(name, carry_on)
            self._troubles.pop("game", None)
        except CompanionError as error:
            self._log(str(error))
            self._troubles["game"] = say("trouble.game", reason=str(error))
            self._open_lobby()

    def _game_table(self, name: str, carry_on: bool) -> Table:
        game = self._load(name)
        self._close_journal()
        journal = Journal(self._journals / f"{name}.journal")
        self._journal = journal
        table = self._table(game, journal, load_words(self._speaks, game), dict(self._setups.get(name, {})), carry_on)
        self._keep(replace(self._kept.settings, game=name))
        return table

    def _lobby_table(self, draft: dict[str, Any] | None = None) -> Table:
        self._close_journal()
        last = self._kept.settings.game
        names = sorted(self._names, key=lambda name: name != last)
        titles = {name: self._title(name) for name in names}
        unfinished = [name for name in names if self._safely_unfinished(name)]
        title = verbatim(self._name) if self._name else None
        lobby = Lobby(titles, unfinished, title=title, safe=self._leave_safe is not None)
        return self._table(lobby, Journal(":memory:"), load_words(self._speaks), draft or {}, False)

    def _table(self, game: Any, journal: Journal, words: Words, draft: dict[str, Any], carry_on: bool) -> Table:
        hosted = not isinstance(game, Lobby)
        table = Table(
            game, self._camera, Watcher(game.box), journal, words, self._fonts, lambda _report: self._hardware,
            draft, carry_on, self._heard, hosted, None if hosted else load_words,
        )  # fmt: skip
        settings = self._kept.settings
        table.desk.large, table.desk.sound = settings.large, settings.sound
        for name, message in self._troubles.items():
            table.desk.trouble(name, Trouble(message, blind=name == "safe-mode"))
        for name in self._failures:
            table.desk.trouble(name, trouble_of(name))
        return table

    @property
    def _speaks(self) -> str:
        return self._kept.settings.language or self._language

    def _title(self, name: str) -> Message:
        try:
            return verbatim(load_words(self._speaks, self._load(name)).say(say("name.game")))
        except CompanionError:
            return verbatim(name)

    def _unfinished(self, name: str) -> bool:
        """Whether the last game in the journal can be carried on."""
        path = self._journals / f"{name}.journal"
        if not is_there(path):
            return False
        game, entries = self._load(name), last_game(path, name)
        return unfinished(game, entries) is not None

    def _safely_unfinished(self, name: str) -> bool:
        try:
            return self._unfinished(name)
        except CompanionError as error:
            self._log(str(error))
            return False

    def _close_journal(self) -> None:
        if self._journal:
            self._journal.close()
            self._journal = None

    def _remember(self) -> None:
        desk = self.table.desk
        chosen = Settings(desk.language, desk.large, desk.sound, self._kept.settings.game)
        spoken = self._kept.settings.language or self._language
        if (desk.language, desk.large, desk.sound) != (spoken, self._kept.settings.large, self._kept.settings.sound):
            self._keep(chosen)
            desk.trouble("kept", None)

    def _keep(self, settings: Settings) -> None:
        """Remembers what was chosen; with that, what couldn't be used of the file is gone from it."""
        if self._kept.keep(settings):
            self._troubles.pop("kept", None)

    def _heard(self, snapshot: Snapshot, words: Words) -> None:
        for message in (*snapshot.notices, *(event.message for event in snapshot.events)):
            self._log(words.say(message))
        for dispute in snapshot.disputes:
            self._log(words.say(dispute.refusal.message))
        if snapshot.unsaved:
            self._log(words.say(snapshot.unsaved))

    def _device_failed(self, name: str, error: DeviceError | None) -> None:
        self._failures.pop(name, None)
        if error:
            self._failures[name] = error
            self._log(str(error))
        if hasattr(self, "table"):
            self.table.desk.trouble(name, trouble_of(name) if error else None)

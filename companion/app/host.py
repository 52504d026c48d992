"""The box from power-on to power-off: the choice of games, and one table after the other, with the same devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from companion.app.hardware import trouble_of
from companion.app.lobby import GAME, Broken, Lobby, broken
from companion.app.table import Table
from companion.core.errors import CompanionError
from companion.core.game import Game
from companion.core.messages import LANGUAGES, Message, say, told, verbatim
from companion.core.snapshot import Snapshot
from companion.face.fonts import Fonts
from companion.face.situation import Trouble
from companion.face.words import Words, load_words
from companion.service.archive import is_there, last_game
from companion.service.journal import Journal
from companion.service.kept import Kept, Settings
from companion.service.replay import Replay, ReplayError, leave_out, unfinished
from devices.box import Hardware, Report
from devices.errors import DeviceError
from vision.cameras import Camera
from vision.watcher import Watcher

PASSING = "passing: "
"""So begin names of troubles that are read before a game is chosen, and are over once one begins."""

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
            self.table = self._lobby_table()
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
        known: dict[str, ReplayError | None] = {}
        try:
            if name in self._names and is_there(self._path(name)):
                if found := self._resumed(name):
                    return self._game_table(name, found)
                known[name] = None
        except ReplayError as error:
            known[name], first = error, name
        except CompanionError as error:
            self._trouble(error)
        for number, message in enumerate(self._journal.news() if self._journal else ()):
            self._troubles[f"{PASSING}saved-{number}"] = message
        return self._lobby_table({GAME: first} if first in self._names else {}, known)

    def _open_game(self, name: str, carry_on: bool) -> None:
        self._troubles = {key: message for key, message in self._troubles.items() if not key.startswith(PASSING)}
        try:
            self.table = self._game_table(name, self._resumed(name, True) if carry_on else None)
        except CompanionError as error:
            self._trouble(error)
            self.table = self._lobby_table()

    def _resumed(self, name: str, leave: bool = False) -> Replay | None:
        """The last game in the journal, which is opened, if it can be carried on.

        Args:
            name: the game's id.
            leave: what doesn't follow today's rules is left out.
        """
        game, journal = self._load(name), self._open_journal(name)
        try:
            return unfinished(game, journal.last_game(name))
        except ReplayError as error:
            if not (leave and error.entries):
                raise
            leave_out(game, journal, error)
        return unfinished(game, journal.last_game(name))

    def _game_table(self, name: str, found: Replay | None) -> Table:
        game, journal = self._load(name), self._journal or self._open_journal(name)
        table = self._table(game, journal, load_words(self._speaks, game), dict(self._setups.get(name, {})), found)
        self._keep(replace(self._kept.settings, game=name))
        return table

    def _lobby_table(
        self, draft: Mapping[str, Any] | None = None, known: Mapping[str, ReplayError | None] | None = None
    ) -> Table:
        """The choice of games.

        Args:
            draft: what is chosen already.
            known: of which games it is known that they can't be carried on, and why if the rules have changed.
        """
        self._close_journal()
        last = self._kept.settings.game
        names = sorted(self._names, key=lambda name: name != last)
        titles = {name: self._title(name) for name in names}
        standing = {name: self._standing(name) for name in names if name not in (known or {})} | dict(known or {})
        lobby = Lobby(
            titles,
            [name for name, found in standing.items() if isinstance(found, Replay)],
            {name: self._broken(name, found) for name, found in standing.items() if isinstance(found, ReplayError)},
            title=verbatim(self._name) if self._name else None,
            safe=self._leave_safe is not None,
            urgent=not any(key.startswith(PASSING) for key in self._troubles),
        )
        return self._table(lobby, Journal(":memory:"), load_words(self._speaks), dict(draft or {}), None)

    def _table(self, game: Any, journal: Journal, words: Words, draft: dict[str, Any], found: Replay | None) -> Table:
        hosted = not isinstance(game, Lobby)
        table = Table(
            game, self._camera, Watcher(game.box), journal, words, self._fonts, lambda _report: self._hardware,
            draft, found or False, self._heard, hosted, None if hosted else load_words,
        )  # fmt: skip
        settings = self._kept.settings
        table.desk.large, table.desk.sound = settings.large, settings.sound
        for name, message in self._troubles.items():
            table.desk.trouble(name, Trouble(message, blind=name == "safe-mode" or name.startswith(PASSING)))
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

    def _path(self, name: str) -> Path:
        return self._journals / f"{name}.journal"

    def _standing(self, name: str) -> Replay | ReplayError | None:
        """The last game in a journal if it can be carried on, or why today's rules don't let it; else None."""
        try:
            if not is_there(self._path(name)):
                return None
            return unfinished(self._load(name), last_game(self._path(name), name))
        except CompanionError as error:
            self._log(str(error))
            return error if isinstance(error, ReplayError) else None

    def _broken(self, name: str, error: ReplayError) -> Broken:
        """A game that can't be carried on, told in all languages: the choice of games doesn't know the words of any."""
        voices = {language: load_words(language, self._load(name)) for language in LANGUAGES}
        return broken(error, lambda message: told({language: voices[language].say(message) for language in voices}))

    def _trouble(self, error: CompanionError) -> None:
        self._log(str(error))
        self._troubles[f"{PASSING}game"] = say("trouble.game", reason=str(error))

    def _open_journal(self, name: str) -> Journal:
        self._close_journal()
        self._journal = Journal(self._path(name))
        return self._journal

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

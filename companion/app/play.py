"""`companion play`: a game at a table, real or virtual, in a terminal or as plain log lines."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TextIO

import msgspec
import numpy as np
from msgspec.structs import replace

from companion.app.hardware import SimulatedBox
from companion.app.lobby import broken
from companion.app.mischief import Imp, Mischief
from companion.app.opening import first_state
from companion.app.table import Table
from companion.app.virtual import VirtualGame
from companion.app.worlds import AdoptError
from companion.core.errors import CompanionError
from companion.core.game import Game, Refusal, decode
from companion.core.messages import Message, say
from companion.core.panel import Button, Text
from companion.core.players import trimmed, wrong_name
from companion.core.snapshot import Snapshot
from companion.face.fonts import find_fonts
from companion.face.tables import next_language
from companion.face.terminal import Entry, draw, plain_lines
from companion.face.words import Words, load_words
from companion.service.config import ButtonsTable, Config
from companion.service.journal import Journal
from companion.service.replay import Replay, ReplayError, leave_out, unfinished
from vision.cameras import Camera, CameraError, LiveCamera, open_camera
from vision.cameras.virtual import VirtualCamera
from vision.overlay import drawn
from vision.scene.optics import preset
from vision.watcher import Watcher

VIRTUAL = "virtual:"
RATE_HZ = 10.0
RETRY_S = 0.5
TAPPED = replace(Config(), buttons=replace(ButtonsTable(), long_press_s=math.inf))
"""A key is tapped, and never held, however long a slow computer takes until the finger is up again."""
FINGER_FRAMES = 3
"""Between two presses of a bot."""
REST_FRAMES = 6
"""So many frames a bot waits after the table has understood the move before it."""
PLAYERS = ("Ellie", "Sam", "Ezio")
"""Who plays at the virtual table if nobody says otherwise."""
PICTURE_HINT = "name a .png or .jpg file in a folder that is there"
LOST_FRAMES = 100
"""After so many frames without progress a game that bots play by themselves is given up."""
SOON_FRAMES, LATER_FRAMES = 10, 30
"""So many frames bots wait before they go along with what people have done: where the box says something else than
they think, and where the table alone may still come to be understood."""


class Options(msgspec.Struct, frozen=True):
    """What the command line says.

    Attributes:
        players: names, clockwise; empty to learn them from the table.
        guilds: of the players, in the same order, or empty.
        camera: its specification, such as `virtual:` or `usb:0`.
        language: of all words.
        journal: its file; None keeps none.
        new: begin a new game even if one could be carried on.
        from_last_valid: where the rules have changed, carry a game on with the moves that still hold.
        seed: of the virtual table.
        room: preset of the virtual camera's optics.
        picture: where a picture of the table is written when it is asked for, and at the end.
        mischief: chance that bots do something wrong before a move.
        more: further fields of the set-up, such as `mode`.
        second_screen: the box has a second display, which faces the active player.
    """

    players: tuple[str, ...] = ()
    guilds: tuple[str, ...] = ()
    camera: str = "virtual:"
    language: str = "en"
    journal: Path | None = None
    new: bool = False
    from_last_valid: bool = False
    seed: int = 1
    room: str = "mild"
    picture: Path | None = None
    mischief: float = 0.0
    more: Mapping[str, Any] = msgspec.field(default_factory=dict)
    second_screen: bool = False


class Play:
    """A running game with its log.

    Args:
        game: the rules.
        options: see there.
        clock: seconds, monotonic.

    Raises:
        CompanionError: a camera, journal or player that can't be had; the text says what to do.
    """

    def __init__(self, game: Game[Any, Any], options: Options, clock: Callable[[], float] = time.monotonic) -> None:
        if options.picture and options.picture.suffix.lower() not in (".png", ".jpg"):
            raise CompanionError(f"picture {options.picture}: {PICTURE_HINT}")
        self.game = game
        self.options = options
        self.log: list[Entry] = []
        self.box = SimulatedBox(clock, options.second_screen, TAPPED)
        self._clock = clock
        self._started_s = clock()
        fonts = find_fonts()
        if fonts.remedy:
            self._note(fonts.remedy, "trouble")
        self.paused = False
        self.seat = ""
        self.mischief: Mischief | None = None
        self._disputes: tuple[Any, ...] = ()
        self._unsaved: Message | None = None
        self._rest = 0
        self._still = 0
        self._touched = False
        self._parted = False  # it has been said that bots can't follow
        self._wronged: Any = None
        draft = _draft(game, options)
        self._journal = Journal(options.journal or ":memory:")
        try:
            self.virtual = None
            kept = None if options.new else _kept(game, options, self._journal)
            if options.camera == VIRTUAL:
                self.virtual, self._touched = _virtual_game(game, options, draft, kept), kept is not None
                draft["players"] = self.virtual.setup["players"]
            self.table = Table(
                game,
                self._camera(),
                Watcher(game.box),
                self._journal,
                load_words(options.language, game),
                fonts,
                self.box.hardware,
                draft,
                kept or False,
                self._heard,
            )
        except CompanionError:
            self._journal.close()
            raise
        self._imp = Imp(self.virtual, options.seed) if self.virtual else None
        self._offered: tuple[Any, list[tuple[str, Mapping[str, Any]]]] = (None, [])

    def step(self) -> bool:
        """One frame; False when nothing more will come."""
        self._bots()
        blind = self.table.blind
        going = self.table.step()
        if self.table.blind and not blind:
            self._note(f"{self.words.say(say('trouble.camera'))} ({self.table.blind})", "trouble")
        elif blind and not self.table.blind:
            self._note(self.words.say(say("notice.camera-back")))
        self.box.fingers()
        self.table.refresh(self._clock())
        return going

    def close(self) -> None:
        """Gives camera, devices and journal back."""
        self.table.close()
        self._journal.close()

    @property
    def words(self) -> Words:
        """The voice, in the language that people have chosen."""
        return self.table.words

    @property
    def over(self) -> bool:
        """Bots have played the game to its end, and the table has understood all of it."""
        return self.table.snapshot.outcome is not None and (self.virtual is None or self.virtual.stage.idle)

    @property
    def lost(self) -> bool:
        """The virtual table and what was read of it differ for good."""
        return self._still > LOST_FRAMES

    def press(self, button: Button) -> None:
        """Pushes one of the box's buttons."""
        self.touched()
        self._push(button)

    def touched(self) -> None:
        """People do something with the box, so the game may go otherwise than the bots have it."""
        self._touched, self._still = True, 0

    def bot_move(self) -> None:
        """Lets the bots make one move."""
        if self.virtual and self.virtual.stage.idle and self.mischief is None and not self.virtual.over:
            self.virtual.move(self.table.session.state)

    def choices(self) -> list[tuple[str, Mapping[str, Any]]]:
        """What the seat that was taken can do now, in words; empty while it has nothing to do."""
        if not (self.virtual and self.seat and self.virtual.stage.idle):
            return []
        now = (self.seat, self.words.language, self.virtual.made, id(self.table.session.state))
        if self._offered[0] != now:
            own = [move for move in self.virtual.dealer.choices() if move.get("by") == self.seat]
            self._offered = now, [(self._told(move), move) for move in own]
        return self._offered[1]

    def do(self, move: Mapping[str, Any]) -> None:
        """Makes one of `choices`."""
        if self.virtual:
            self.virtual.move(self.table.session.state, move)

    def do_wrong(self) -> None:
        """Somebody does something that the rules don't allow."""
        if self.virtual and self._imp and self.mischief is None and self.virtual.stage.idle:
            self._wronged = self.table.session.state
            self.mischief = self._imp.think(self._wronged) if self._wronged is not None else None
            if self.mischief:
                self._note(self.words.say(say(f"mischief.{self.mischief.kind}")))
                self.virtual.stage.play(self.mischief.do())

    def put_right(self) -> None:
        """What was done wrong is put right."""
        if self.virtual and self.mischief:
            self.virtual.stage.play(self.mischief.mend())
            self.mischief = None

    def next_language(self) -> None:
        """Goes on in the next language."""
        self.table.speak(next_language(self.words.language))

    def write_picture(self, path: Path) -> None:
        """Writes the newest frame with zones and tags drawn in, and beside it the plain one, which can be read.

        Raises:
            CompanionError: it can't be written there.
        """
        import cv2

        if self.table.frame is None:
            return
        plain = path.with_stem(f"{path.stem}-plain")
        written = cv2.imwrite(str(path), drawn(self.table.frame, self.table.watcher))
        if not (written and cv2.imwrite(str(plain), self.table.frame.main)):
            raise CompanionError(f"picture {path}: can't be written; {PICTURE_HINT}")
        self._note(f"({path}, {plain})")

    def heading(self) -> str:
        """What is played, where, and by whom."""
        parts = [self.words.say(say("name.game")), self.options.camera]
        if self.virtual is not None:
            parts += [", ".join(self.virtual.players), f"seed {self.options.seed}"]
        return " · ".join(parts)

    def ending(self) -> list[str]:
        """How it stands when the playing stops, and whether it is kept."""
        snapshot = self.table.snapshot
        scores = dict(snapshot.outcome.scores) if snapshot.outcome else dict((snapshot.facts or {}).get("scores", {}))
        lines = [", ".join(f"{name} {score}" for name, score in sorted(scores.items(), key=lambda s: -s[1]))]
        if self.lost:
            lines = ["The table was not understood; see the disputes above."]
        elif not scores:
            waiting = [snapshot.question.message] if snapshot.question else []
            waiting += [e.message for page in snapshot.pages for e in page.elements if isinstance(e, Text)]
            lines = ["No game was set up.", *(self.words.say(message) for message in waiting)]
        journal = self.options.journal
        return [*lines, f"Kept in {journal}." if journal else "Not kept; --journal FILE keeps it."]

    def screen(self, columns: int, rows: int, colour: bool, rich: bool = True) -> list[str]:
        """The box as lines for a terminal; `rich` is one that shows all letters."""
        glasses = [panel.image() for panel in (self.box.panel, self.box.second) if panel]
        return draw(glasses, self.table.desk.panel(), self.words, self.log, columns, rows, colour, rich)

    def _camera(self) -> Camera:
        if self.virtual is None:
            return _opened(self.options.camera, self._clock)
        rng = np.random.default_rng(self.options.seed)
        optics = preset(self.options.room, rng)
        return VirtualCamera(self.virtual.scene, optics, rng, RATE_HZ, before=self.virtual.stage)

    def _bots(self) -> None:
        virtual, state = self.virtual, self.table.session.state
        if virtual is None or not virtual.stage.idle or self.table.desk.paused:
            return
        if state is None or virtual.heeded is None:
            virtual.begin_again(self.table.session.draft)
        if self._finger() or state is None:
            return
        if self._touched and state is not self._wronged:
            self.mischief = None  # what was wrong may be right now
        self._still += 1
        if self.mischief is not None:
            self._rest = 0
            seen = self.table.snapshot.disputes or (self._touched and self._still >= LATER_FRAMES)
            if self.options.mischief and seen and not self.paused:
                self.put_right()
            return
        if not self._understood() or virtual.over:
            self._rest = 0
            if self._touched:
                self._follow(virtual, state)
            return
        self._still = 0
        self._rest += 1
        waiting = self.seat and any(move.get("by") == self.seat for move in virtual.dealer.choices())
        if self._rest < REST_FRAMES or self.paused or waiting:
            return
        self._rest = 0
        if self._imp and self.options.mischief and self._imp.tempted(self.options.mischief):
            self.do_wrong()
        else:
            self.bot_move()

    def _follow(self, virtual: VirtualGame, state: Any) -> None:
        """Lets the bots go along with what people have told the box, and their hands put the table right."""
        snapshot = self.table.snapshot
        otherwise = state is not virtual.heeded or snapshot.putting_right
        if self._still % (SOON_FRAMES if otherwise else LATER_FRAMES) or self.paused:
            return
        if not (otherwise or snapshot.disputes) and virtual.tell(snapshot.question):
            return
        if virtual.follow(state):
            virtual.put_right(snapshot.disputes)
        elif not self._parted:
            self._parted = True
            self._note(self.words.say(say("virtual.cannot-follow")), "trouble")

    def _finger(self) -> bool:
        """Presses the next button on the way to what only people can tell; whether there was one to press."""
        snapshot = self.table.snapshot
        assert self.virtual is not None
        choice = self.virtual.pressed(snapshot.question, self.table.session.state)
        if choice is None or snapshot.disputes or self.paused:
            return False
        self._rest += 1
        button = self.table.desk.towards(choice) if self._rest % FINGER_FRAMES == 0 else None
        if button is not None:
            self._push(button)
        return True

    def _push(self, button: Button) -> None:
        self.box.push(button)

    def _understood(self) -> bool:
        """The table has read all that the bots have done; draws without a trace come with the next move."""
        agrees = self.virtual is not None and self.virtual.agrees(self.table.session.state)
        return agrees and not self.table.snapshot.disputes

    def _told(self, move: Mapping[str, Any]) -> str:
        if zones := self._turned_up(move):
            told = self.words.say(say("choice.turn-up", zones=zones))
            card = self.game.box.find(move.get("card", ""))
            return f"{self.words.say(card.label)}: {told}" if card else told
        found = decode(self.game, move)
        step = found if isinstance(found, Refusal) else self.game.apply(self.table.session.state, found)
        if isinstance(step, Refusal) or not step.events:
            return str(dict(move))
        # A card that is to be turned up is not told before.
        events = (replace(e, params={**e.params, "new": "?"}) if "new" in e.params else e for e in step.events)
        return " ".join(self.words.say(event.message) for event in events)

    def _turned_up(self, move: Mapping[str, Any]) -> tuple[str, ...]:
        """Where the pieces lie that a move turns up, which nobody has seen yet."""
        assert self.virtual is not None
        down, after = self.virtual.dealer.face_down(), copy.deepcopy(self.virtual.dealer)
        after.do(move)
        return tuple(sorted({down[piece] for piece in after.table() if piece in down}))

    def _heard(self, snapshot: Snapshot, words: Words) -> None:
        for message in (*snapshot.notices, *(event.message for event in snapshot.events)):
            self._note(words.say(message))
        fresh = [dispute for dispute in snapshot.disputes if dispute not in self._disputes]
        for dispute in fresh:
            self._note(words.say(dispute.refusal.message), "dispute")
        if self._disputes and not snapshot.disputes:
            self._note(words.say(say("notice.agrees")))
        self._disputes = snapshot.disputes
        if snapshot.unsaved and snapshot.unsaved != self._unsaved:
            self._note(words.say(snapshot.unsaved), "trouble")
        self._unsaved = snapshot.unsaved

    def _note(self, text: str, level: str = "event") -> None:
        passed = int(self._clock() - self._started_s)
        self.log.append(Entry(f"{passed // 60:02}:{passed % 60:02}", text, level))


def run_plain(play: Play, out: TextIO, sleep: Callable[[float], None] = time.sleep) -> int:
    """Plays without a terminal: log lines as they come, until the game or the frames are over.

    Args:
        play: the game.
        out: where the lines go.
        sleep: waits for so many seconds before a camera that failed is tried again.
    """
    told = 0
    going = True
    print(play.heading(), file=out, flush=True)
    while going and not play.over and not play.lost:
        going = play.step()
        for entry in play.log[told:]:
            for line in plain_lines(entry, 100):
                print(line, file=out, flush=True)
        told = len(play.log)
        if play.table.blind:
            sleep(RETRY_S)
    if play.options.picture:
        play.write_picture(play.options.picture)
    print("\n".join(play.ending()), file=out)
    return 1 if play.lost else 0


def _kept(game: Game[Any, Any], options: Options, journal: Journal) -> Replay | None:
    """The journal's last game, if it can be carried on."""
    try:
        return unfinished(game, journal.last_game(game.id))
    except ReplayError as error:
        if not (options.from_last_valid and error.entries):
            found = broken(error)
            ways = say("terminal.ways" if found.can_go_on else "terminal.ways-anew")
            told = [*found.told, *([found.why] if found.why else []), ways]
            words = load_words(options.language, game)
            said = " ".join(text if text.endswith((".", "!", "?")) else f"{text}." for text in map(words.say, told))
            raise CompanionError(f"journal {options.journal}: {said}") from error
        leave_out(game, journal, error)
    return unfinished(game, journal.last_game(game.id))


def _virtual_game(game: Game[Any, Any], options: Options, line: Mapping[str, Any], kept: Replay | None) -> VirtualGame:
    """The virtual table, brought to where the journal's game was left."""
    words = load_words(options.language, game)
    if kept is None:
        return VirtualGame(game, options.seed, line, RATE_HZ, voice=words.say)
    states = [made.state for made in kept.history.past]
    players = [player if isinstance(player, Mapping) else {"name": player} for player in kept.line["players"]]
    names, guilds = (tuple(player.get(key, "") for player in players) for key in ("name", "guild"))
    otherwise = options.players not in ((), names) or options.guilds not in ((), guilds)
    if otherwise or game.setup({**kept.line, **options.more}) != states[0]:
        told = say("virtual.set-up-otherwise", journal=str(options.journal), players=list(names))
        raise CompanionError(words.say(told))
    try:
        virtual = VirtualGame(game, options.seed, kept.line, RATE_HZ, voice=words.say, start=states[0])
        virtual.carry_on(states, [made.line for made in kept.history.past[1:]])
    except AdoptError as error:
        raise CompanionError(words.say(say("virtual.cannot-carry-on", journal=str(options.journal)))) from error
    return virtual


def _opened(spec: str, clock: Callable[[], float]) -> Camera:
    """A camera, or a folder of pictures. One that can't be opened is a mistake of the command line here."""
    camera = open_camera(spec, clock, rate_hz=RATE_HZ, more={VIRTUAL[:-1]: _no_such_table})
    if isinstance(camera, LiveCamera):
        try:
            camera.ready()
        except CameraError:
            camera.close()
            raise
    return camera


def _no_such_table(rest: str) -> Camera:
    raise CameraError(f"camera {VIRTUAL}{rest}: there is one virtual table, called {VIRTUAL!r}")


def _draft(game: Game[Any, Any], options: Options) -> dict[str, Any]:
    """What is known of the set-up beforehand. Where the players are known as well, it is seen to that it can be."""
    if "players" in options.more:
        raise CompanionError("set players: they are named with --players, with commas between")
    draft = dict(options.more)
    least, most = game.players
    names = tuple(map(trimmed, options.players)) or (PLAYERS[:most] if options.camera == VIRTUAL else ())
    if not names:
        return draft
    if wrong := wrong_name(names):
        raise CompanionError(f"players: {load_words(options.language, game).say(wrong.message)}")
    if not least <= len(names) <= most:
        raise CompanionError(f"players: {len(names)} named; {game.id} is for {least} to {most}")
    pairs = _pairs(names, options.guilds)
    draft["players"] = [_player(*pair) for pair in pairs] if options.guilds else list(names)
    if options.more and options.camera != VIRTUAL:
        first_state(game, game.dealer(options.seed, draft), draft)
    return draft


def _pairs(players: tuple[str, ...], guilds: tuple[str, ...]) -> list[tuple[str, str]]:
    if guilds and len(guilds) != len(players):
        raise CompanionError(f"guilds: {len(guilds)} named for {len(players)} players; name one for each")
    return list(zip(players, guilds or [""] * len(players), strict=True))


def _player(name: str, guild: str) -> dict[str, str]:
    return {"name": name, "guild": guild} if guild else {"name": name}

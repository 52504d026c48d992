"""The choice of games, as a game of its own: a set-up that asks one question and never begins.

So the lobby has the desk, the menu, the languages and the devices of any table, and no code for them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from companion.core.box import Box
from companion.core.game import Choice, Preparation, Question, deed
from companion.core.messages import Message, say, verbatim
from companion.core.panel import Melody, Page, Text
from companion.core.table import Observation, Zone
from companion.service.replay import ReplayError

GAME, CARRY_ON, BEFORE, SAFE = "game", "carry-on", "before", "safe"
"""Keys of the draft: the id of the game that was chosen, whether its last one is carried on, whether it is told how to
use the version before, and, in safe mode, whether people stay in it."""

ROLLBACK = ("cd /opt/companion", "cd current/systemd", "sudo ./install.sh --rollback")
"""How the version before is used again, in words that fit into a line of the screen."""


class Broken(msgspec.Struct, frozen=True):
    """A saved game that doesn't follow the rules of this version.

    Attributes:
        holds: how many of its moves hold.
        moves: how many it has.
        can_go_on: it can be carried on with those that hold.
        what: what the first of the others announced; None if that isn't known.
        why: the rule that it breaks; None if something else is wrong with it.
    """

    holds: int
    moves: int
    can_go_on: bool
    what: Message | None = None
    why: Message | None = None

    @property
    def told(self) -> tuple[Message, ...]:
        """What has happened."""
        how = say("lobby.broken", n=self.holds, moves=self.moves) if self.can_go_on else say("lobby.broken-start")
        return (how, say("lobby.refused", what=self.what)) if self.what else (how,)

    def pages(self, title: Message) -> tuple[Page, ...]:
        """What has happened, and why."""
        why = (Page(say("title.why"), (Text(self.why),)),) if self.why else ()
        return (Page(title, tuple(map(Text, self.told))), *why)


def broken(error: ReplayError, said: Callable[[Message], Message] = lambda message: message) -> Broken:
    """A saved game, given why it can't be carried on.

    Args:
        error: that.
        said: makes of a game's message one that can be said by those who don't know the game's words.
    """
    what = said(deed(error.events)) if error.events else None
    why = said(error.refusal.message) if error.refusal else None
    return Broken(error.holds, error.moves, error.entries > 0, what, why)


class Lobby:
    """What `companion.service.session.Session` needs of a game before it is set up.

    Args:
        titles: the games' names by their ids, the likeliest first.
        unfinished: ids of the games that can be carried on.
        broken: by id, the games that can't be because the rules have changed.
        page: what the screen says beside the question.
        title: what stands above it.
        safe: the box is in safe mode.
        urgent: the choice takes the screen at once; otherwise something is to be read first.
    """

    id = "lobby"
    rules_version = 1
    players = (0, 0)
    melodies: Mapping[str, Melody] = {}

    def __init__(
        self,
        titles: Mapping[str, Message],
        unfinished: Sequence[str] = (),
        broken: Mapping[str, Broken] | None = None,
        page: Message | None = None,
        title: Message | None = None,
        safe: bool = False,
        urgent: bool = True,
    ) -> None:
        self.box = Box("LB", ())
        self._titles = titles
        self._unfinished = unfinished
        self._broken = broken or {}
        self._page = page or say("lobby.choose")
        self._title = title or say("title.welcome")
        self._safe = safe
        self._urgent = urgent

    def prepare(self, draft: Mapping[str, Any], seen: Observation) -> Preparation:  # noqa: ARG002
        """Asks which game, and then whether its last one goes on."""
        if self._safe and SAFE not in draft:
            ways = (
                Choice(say("choice.leave-safe"), draft={SAFE: False}),
                Choice(say("choice.stay-safe"), draft={SAFE: True}),
            )
            told = Page(say("title.safe"), (Text(say("lobby.safe")),))
            return Preparation(draft, None, (told,), Question(say("question.safe"), ways, direct=True))
        if draft.get(SAFE) is False:
            return Preparation(draft, None, self._waking)
        pages = (Page(self._title, (Text(self._page),)),)
        name = draft.get(GAME)
        if name is None:
            choices = tuple(Choice(title, draft={GAME: name}) for name, title in self._titles.items())
            return Preparation(draft, None, pages, Question(say("question.game"), choices, self._urgent))
        if CARRY_ON not in draft and name in self._broken:
            return self._ask_how(draft, self._titles[name], self._broken[name])
        if CARRY_ON not in draft and name in self._unfinished:
            answers = ((say("choice.carry-on"), True), (say("choice.again"), False))
            asked = tuple(Choice(label, draft={CARRY_ON: yes}) for label, yes in answers)
            return Preparation(draft, None, pages, Question(say("question.carry-on"), asked))
        return Preparation(draft, None, self._waking)

    def _ask_how(self, draft: Mapping[str, Any], title: Message, broken: Broken) -> Preparation:
        """Says why a game can't simply go on, and asks how it shall."""
        ways = [
            Choice(say("choice.holds", n=broken.holds), draft={CARRY_ON: True}) if broken.can_go_on else None,
            Choice(say("choice.before"), draft={BEFORE: True}),
            Choice(say("choice.again"), draft={CARRY_ON: False}),
            Choice(say("menu.leave"), draft={GAME: None, BEFORE: False}),
        ]
        before = Page(say("choice.before"), (Text(say("lobby.before")), *(Text(verbatim(line)) for line in ROLLBACK)))
        pages = (before,) if draft.get(BEFORE) else broken.pages(title)
        asked = Question(say("question.how"), tuple(way for way in ways if way), urgent=False)
        return Preparation(draft, None, pages, asked)

    @property
    def _waking(self) -> tuple[Page, ...]:
        return (Page(self._title, (Text(say("notice.waking")),)),)

    def zones(self, state: Any, draft: Mapping[str, Any]) -> tuple[Zone, ...]:  # noqa: ARG002
        """None: nobody plays."""
        return ()

    def chosen(self, draft: Mapping[str, Any]) -> tuple[str, bool] | None:
        """The game that was chosen and whether it is carried on, once both are known."""
        name = draft.get(GAME)
        if name is None or (CARRY_ON not in draft and (name in self._unfinished or name in self._broken)):
            return None
        return str(name), bool(draft.get(CARRY_ON, False))

    def left_safe(self, draft: Mapping[str, Any]) -> bool:
        """Whether somebody wants the box to start anew without safe mode."""
        return draft.get(SAFE) is False

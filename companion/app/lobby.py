"""The choice of games, as a game of its own: a set-up that asks one question and never begins.

So the lobby has the desk, the menu, the languages and the devices of any table, and no code for them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.box import Box
from companion.core.game import Choice, Preparation, Question
from companion.core.messages import Message, say
from companion.core.panel import Melody, Page, Text
from companion.core.table import Observation, Zone

GAME, CARRY_ON, SAFE = "game", "carry-on", "safe"
"""Keys of the draft: the id of the game that was chosen, whether its last one is carried on, and, in safe mode, whether
people stay in it."""


class Lobby:
    """What `companion.service.session.Session` needs of a game before it is set up.

    Args:
        titles: the games' names by their ids, the likeliest first.
        unfinished: ids of the games that can be carried on.
        page: what the screen says beside the question.
        title: what stands above it.
        safe: the box is in safe mode.
    """

    id = "lobby"
    rules_version = 1
    players = (0, 0)
    melodies: Mapping[str, Melody] = {}

    def __init__(
        self,
        titles: Mapping[str, Message],
        unfinished: Sequence[str] = (),
        page: Message | None = None,
        title: Message | None = None,
        safe: bool = False,
    ) -> None:
        self.box = Box("LB", ())
        self._titles = titles
        self._unfinished = unfinished
        self._page = page or say("lobby.choose")
        self._title = title or say("title.welcome")
        self._safe = safe

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
        if GAME not in draft:
            choices = tuple(Choice(title, draft={GAME: name}) for name, title in self._titles.items())
            return Preparation(draft, None, pages, Question(say("question.game"), choices))
        if CARRY_ON not in draft and draft[GAME] in self._unfinished:
            answers = ((say("choice.carry-on"), True), (say("choice.again"), False))
            asked = tuple(Choice(label, draft={CARRY_ON: yes}) for label, yes in answers)
            return Preparation(draft, None, pages, Question(say("question.carry-on"), asked))
        return Preparation(draft, None, self._waking)

    @property
    def _waking(self) -> tuple[Page, ...]:
        return (Page(self._title, (Text(say("notice.waking")),)),)

    def zones(self, state: Any, draft: Mapping[str, Any]) -> tuple[Zone, ...]:  # noqa: ARG002
        """None: nobody plays."""
        return ()

    def chosen(self, draft: Mapping[str, Any]) -> tuple[str, bool] | None:
        """The game that was chosen and whether it is carried on, once both are known."""
        name = draft.get(GAME)
        if name is None or (name in self._unfinished and CARRY_ON not in draft):
            return None
        return str(name), bool(draft.get(CARRY_ON, False))

    def left_safe(self, draft: Mapping[str, Any]) -> bool:
        """Whether somebody wants the box to start anew without safe mode."""
        return draft.get(SAFE) is False

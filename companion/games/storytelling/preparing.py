"""The set-up: tale, game, players and reader by the buttons; grid and figures from the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.game import Choice, Preparation, Question
from companion.core.messages import Message, say
from companion.core.panel import Element, Page, Row, Text
from companion.core.table import Observation
from companion.games.storytelling.box import CLOCK, HARE, TORTOISE
from companion.games.storytelling.grid import name_of
from companion.games.storytelling.reading import empty_cells, tiles_up
from companion.games.storytelling.setup import PLAYERS, USUAL_PLAYERS, unusable
from companion.games.storytelling.state import NEEDED
from companion.games.storytelling.tales import Story
from companion.games.storytelling.zones import square, stroke

OWN_MODE = {"george": "stinky-breath", "pigs": "wolf-blew", "cinderella": "midnight", "hare": "race"}
"""The advanced game of each tale. Source: rulebook, Advanced Storytellers."""


def prepare(draft: Mapping[str, Any], seen: Observation, stories: Mapping[str, Story]) -> Preparation:
    """What is still missing. The draft's fields are those of the set-up line."""
    if reason := unusable({key: value for key, value in draft.items() if key != "ready"}):
        return Preparation(draft, None, (_page(say("refusal.bad-setup", reason=reason)),))
    question = _ask(draft, stories)
    if question:
        return Preparation(draft, None, (_page(say("prepare.choose")),), question)
    wrong, figures = _table(draft, seen)
    if wrong or figures:
        pages = (Page(say("page.prepare.title"), (*wrong, *figures)),)
        start = Choice(say("choice.start"), draft={"ready": True})
        return Preparation(
            draft, None, pages, None if wrong else Question(say("question.figures"), (start,), False, True)
        )
    line = {key: value for key, value in draft.items() if key != "ready"} | {"game": "storytelling"}
    return Preparation(draft, line, (_page(say("prepare.ready")),))


def modes_for(story: Story) -> tuple[str, ...]:
    """The games that can be played with a story: the basic one, and the advanced one of its tale if it has the tile."""
    own = [OWN_MODE[story.tale]] if story.tale in OWN_MODE else OWN_MODE.values()
    able = [mode for mode in own if mode not in NEEDED or story.tile(NEEDED[mode])]
    return ("basic", *able)


def _ask(draft: Mapping[str, Any], stories: Mapping[str, Story]) -> Question | None:
    """The next thing that only people can tell."""
    if "story" not in draft:
        need = NEEDED.get(str(draft.get("mode")))
        fit = {name: story for name, story in stories.items() if need is None or story.tile(need)} or stories
        return Question(say("question.story"), tuple(_choice(s.title, story=name) for name, s in fit.items()))
    if "mode" not in draft:
        story = stories.get(draft["story"]) if isinstance(draft["story"], str) else None
        modes = modes_for(story) if story else ("basic", *OWN_MODE.values())
        seated = len(draft.get("players") or ())
        modes = tuple(mode for mode in modes if not seated or _holds(mode, seated)) or modes
        return Question(
            say("question.mode"), tuple(_choice(say("choice.mode", mode=mode), mode=mode) for mode in modes)
        )
    if not draft.get("players"):
        least, most = PLAYERS.get(draft["mode"], USUAL_PLAYERS)
        finish = draft.get("finish") if draft["mode"] == "race" and draft.get("hare_start") is None else None
        numbers = [n for n in range(least, most + 1) if finish is None or n < finish] or [least]
        return Question(
            say("question.players"),
            tuple(
                _choice(say("choice.players", n=n), players=[{"name": str(i + 1)} for i in range(n)]) for n in numbers
            ),
        )
    names = [player if isinstance(player, str) else player["name"] for player in draft["players"]]
    if "storyteller" not in draft:
        readers = [_choice(say("choice.player", by=name), storyteller=name) for name in names]
        return Question(say("question.storyteller"), (_choice(say("choice.nobody"), storyteller=""), *readers))
    if draft.get("first") not in names and len(names) > 1:
        return Question(
            say("question.first"), tuple(_choice(say("choice.player", by=name), first=name) for name in names)
        )
    return None


def _holds(mode: str, players: int) -> bool:
    """Whether a game can be played by so many."""
    least, most = PLAYERS.get(mode, USUAL_PLAYERS)
    return least <= players <= most


def _choice(label: Message, **draft: Any) -> Choice:
    return Choice(label, draft=draft)


def _table(draft: Mapping[str, Any], seen: Observation) -> tuple[list[Element], list[Element]]:
    """What has to be put right on the grid, and where figures are still to be put."""
    if seen.unplaced or not (seen.sightings or seen.at_s):
        return [Text(say("prepare.sheet", mode=draft["mode"]))], []
    wrong: list[Element] = []
    if empty := empty_cells(seen):
        wrong.append(Text(say("prepare.lay-tiles", cells=list(empty), n=len(empty))))
    if up := tiles_up(seen):
        wrong.append(Text(say("prepare.turn-down", cells=[name_of(cell) for cell in up])))
    homes = {}
    if draft["mode"] == "midnight":
        homes = {CLOCK: stroke(0, draft.get("clock_positions", 12))}
    if draft["mode"] == "race":
        hare = draft.get("hare_start")
        homes = {HARE: square(len(draft["players"]) if hare is None else hare), TORTOISE: square(0)}
    missing = [] if draft.get("ready") else [piece for piece, zone in homes.items() if seen.zone_of(piece) != zone]
    return wrong, [Row(say("name.piece", piece=piece), say("name.zone", zone=homes[piece])) for piece in missing]


def _page(message: Message) -> Page:
    return Page(say("page.prepare.title"), (Text(message),))

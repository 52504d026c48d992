"""From a set-up line to the first state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion.core.game import Refusal
from companion.core.players import named
from companion.games.storytelling.memory import Memory, Spread
from companion.games.storytelling.state import MODES, NEEDED, State, cells_of
from companion.games.storytelling.tales import Story, wrong_story

PLAYERS = {"race": (1, 4)}
"""Smallest and largest number of players by mode. Source: rulebook, The Race; rulings, Storytelling."""
USUAL_PLAYERS = (2, 4)
SQUARES = 20
MOST_POSITIONS = 24


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player of the set-up line."""

    name: str
    guild: str = ""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The set-up line."""

    story: str | dict[str, Any]
    players: tuple[Player | str, ...]
    mode: str = "basic"
    first: str | None = None
    storyteller: str = ""
    clock_positions: int = 12
    finish: int | None = None
    hare_start: int | None = None
    game: str = "storytelling"


def start(raw: Mapping[str, Any], stories: Mapping[str, Story]) -> State | Refusal:
    """The first state, or `bad-setup` with everything that is wrong with the line.

    Args:
        raw: the line.
        stories: those that can be named.
    """
    people = named(raw)
    if isinstance(people, Refusal):
        return people
    raw = people
    try:
        line = msgspec.convert(raw, Line)
    except msgspec.ValidationError as error:
        known = ", ".join(field for field in Line.__struct_fields__ if field != "game")
        return _bad([f"{error}; there are {known}" if "unknown field" in str(error) else str(error)])
    names = tuple(player if isinstance(player, str) else player.name for player in line.players)
    wrong = [*_wrong_story(line, stories), *_wrong_players(line, names), *_wrong_numbers(line)]
    if wrong:
        return _bad(wrong)
    story = stories[line.story] if isinstance(line.story, str) else msgspec.convert(line.story, Story)
    tile = NEEDED.get(line.mode)
    if tile and story.tile(tile) is None:
        return _bad([f"mode: {line.mode!r} needs a story with the tile {tile}"])
    return State(
        story=story,
        mode=line.mode,
        players=names,
        storyteller=line.storyteller,
        active=names.index(line.first) if line.first is not None else 0,
        unread=tuple(range(1, len(story.cards) + 1)),
        won=tuple(() for _ in names),
        memory=Memory((), (Spread(cells_of(line.mode), tuple(tile.name for tile in story.tiles), seen=False),)),
        clock_positions=line.clock_positions,
        finish=SQUARES - 1 if line.finish is None else line.finish,
        hare=_hare(line) if line.mode == "race" else 0,
    )


def is_dial(positions: Any) -> bool:
    """Whether a clock can have so many positions."""
    return isinstance(positions, int) and not isinstance(positions, bool) and 1 <= positions <= MOST_POSITIONS


def unusable(draft: Mapping[str, Any]) -> str:
    """What is wrong with the fields that are known of a set-up, whatever is still missing; empty if nothing is."""
    try:
        line = msgspec.convert({"story": "", "players": ("1", "2"), **draft}, Line)
    except msgspec.ValidationError as error:
        return str(error)
    return "; ".join(_wrong_numbers(line))


def _wrong_story(line: Line, stories: Mapping[str, Story]) -> list[str]:
    if isinstance(line.story, dict):
        return wrong_story(line.story)
    return [] if line.story in stories else [f"story: {line.story!r}; there are {', '.join(stories)}"]


def _wrong_players(line: Line, names: tuple[str, ...]) -> list[str]:
    wrong = []
    if line.mode not in MODES:
        wrong.append(f"mode: {line.mode!r}; there are {', '.join(MODES)}")
    least, most = PLAYERS.get(line.mode, USUAL_PLAYERS)
    if not least <= len(names) <= most:
        wrong.append(f"players: {len(names)} named; {line.mode} is for {least} to {most}")
    if line.first is not None and line.first not in names:
        wrong.append(f"first: {line.first!r} is no player")
    return wrong


def _wrong_numbers(line: Line) -> list[str]:
    wrong = []
    if not is_dial(line.clock_positions):
        wrong.append(f"clock_positions: {line.clock_positions}; 1 to {MOST_POSITIONS}")
    finish = SQUARES - 1 if line.finish is None else line.finish
    if not 1 <= finish < SQUARES:
        wrong.append(f"finish: {finish}; 1 to {SQUARES - 1}, of {SQUARES} squares")
    hare = _hare(line)
    if not 0 <= hare < finish:
        wrong.append(f"hare_start: {hare}; 0 to {finish - 1}, before the finish")
    return wrong


def _hare(line: Line) -> int:
    """Where the Hare starts: on the square with the number of players. Source: rulebook, The Race."""
    if line.hare_start is not None:
        return line.hare_start
    return len(line.players) if line.mode == "race" else 0


def _bad(wrong: list[str]) -> Refusal:
    return Refusal("bad-setup", "setup", {"reason": "; ".join(wrong)})

"""Learning the set-up from the table: guild cards, tokens, the open card and the starting player token."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from companion.core.game import Choice, Preparation, Question
from companion.core.messages import Message, say, verbatim
from companion.core.panel import Page, Row, Text
from companion.core.table import Observation, Sighting
from companion.games.phoenix.box import NESTS, START_TOKEN, box
from companion.games.phoenix.reading import token_counts
from companion.games.phoenix.zones import OPEN, at_sides


def prepare(draft: Mapping[str, Any], seen: Observation) -> Preparation:
    """What the table adds to the draft, and what is still missing.

    The draft's fields are those of the set-up line. `players` may hold plain names: then their guild cards are
    waited for, and one question tells who has which. Without `players` each guild card on the table is a player.
    """
    known = dict(draft)
    guild_cards = _clockwise([s for s in seen.sightings if box().pieces[s.piece].kind == "guild"])
    question = _find_players(known, guild_cards)
    complete = isinstance(known.get("players"), list) and all(isinstance(p, Mapping) for p in known["players"])
    if not complete:
        return Preparation(known, None, (_players_page(known, guild_cards),), question)
    counts = token_counts(seen, len(known["players"]))
    tokens_right = all(missing == 0 and large == wanted for _, missing, large, wanted in counts.values())
    tokens = known.get("tokens") or ({nest: small for nest, (small, *_) in counts.items()} if tokens_right else None)
    opens = [s.piece for s in seen.sightings if s.zone == OPEN]
    card = known.get("open") or (opens[0] if len(opens) == 1 else None)
    holder = known.get("holder") or _holder(known["players"], seen)
    pages = _table_pages(counts, tokens is not None, card, len(opens))
    if at_sides(seen):
        clear = Page(say("page.prepare.title"), (Text(say("page.between.clear")),))
        return Preparation(known, None, (clear, *pages))
    if tokens is None or card is None:
        return Preparation(known, None, pages)
    if holder is None:
        return Preparation(known, None, pages, _ask_holder(known["players"]))
    line = {**known, "game": "phoenix", "holder": holder, "open": card, "tokens": tokens}
    return Preparation(known, line, pages)


def _clockwise(cards: list[Sighting]) -> list[str]:
    """Guilds of the cards seen, clockwise around their middle as seen from above."""
    if not cards:
        return []
    x, y = (sum(s.at_mm[axis] for s in cards) / len(cards) for axis in (0, 1))
    ordered = sorted(cards, key=lambda s: math.atan2(s.at_mm[1] - y, s.at_mm[0] - x))
    return [s.piece.removeprefix("guild-") for s in ordered]


def _find_players(known: dict[str, Any], guild_cards: list[str]) -> Question | None:
    players = known.get("players")
    if players is None:
        if not 2 <= len(guild_cards) <= 6:
            return None
        seated = [{"name": guild, "guild": guild} for guild in guild_cards]
        choice = Choice(say("choice.all-here"), draft={"players": seated})
        return Question(say("question.players", n=len(seated), guilds=guild_cards), (choice,))
    if all(isinstance(player, Mapping) for player in players) or len(guild_cards) != len(players):
        return None
    first = guild_cards[0]
    turned = [players[i:] + players[:i] for i in range(len(players))]
    choices = tuple(
        Choice(
            verbatim(names[0]),
            draft={"players": [_player(n, g) for n, g in zip(names, guild_cards, strict=True)]},
        )
        for names in turned
    )
    return Question(say("question.who-has", guild=first), choices)


def _player(name: str, guild: str) -> dict[str, str]:
    return {"name": name, "guild": guild}


def _holder(players: list[Mapping[str, Any]], seen: Observation) -> str | None:
    zone = seen.zone_of(START_TOKEN) or ""
    return next((p["name"] for p in players if zone == f"seat/{p['guild']}"), None)


def _ask_holder(players: list[Mapping[str, Any]]) -> Question:
    choices = tuple(Choice(say("choice.player", by=p["name"]), draft={"holder": p["name"]}) for p in players)
    return Question(say("question.holder"), choices)


def _players_page(known: Mapping[str, Any], guild_cards: list[str]) -> Page:
    wanted = len(known["players"]) if known.get("players") else 0
    lines = [
        Text(say("prepare.guild-cards", n=len(guild_cards), wanted=wanted) if wanted else say("prepare.lay-guilds"))
    ]
    if guild_cards:
        lines.append(Text(say("prepare.guilds-seen", guilds=guild_cards)))
    return Page(say("page.prepare.title"), tuple(lines))


def _table_pages(counts: Mapping[str, Any], tokens: bool, card: str | None, opens: int) -> tuple[Page, ...]:
    pages = []
    if not tokens:
        rows = tuple(Row(say("name.nest", nest=nest), token_state(*counts[nest])) for nest in NESTS)
        pages.append(Page(say("page.prepare.title"), rows))
    if card is None:
        text = Text(say("prepare.one-open" if opens else "prepare.lay-open"))
        pages.append(Page(say("page.prepare.title"), (text,)))
    return tuple(pages)


def token_state(small: list[int], missing: int, large: int, wanted: int) -> Message:
    """What is still to be done with the tokens of one nest, short enough for the right edge of a line."""
    if missing > 0:
        return say("prepare.more-tokens", n=missing)
    if missing < 0 or large > wanted:
        return say("prepare.fewer-tokens", n=max(-missing, large - wanted))
    if large < wanted:
        return say("prepare.large-missing")
    return verbatim("+".join(str(value) for value in [*small, *[10] * large]))

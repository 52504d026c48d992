"""Deck files: all that is wrong with one, for an owner who has typed in the cards of his box."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion.core.content import (
    ContentError,
    Problem,
    found,
    is_whole,
    read_toml,
    shown,
    wrong_keys,
    wrong_texts,
)
from companion.games.three_kings.by_hand import ZONES
from companion.games.three_kings.cards import FACTIONS
from companion.games.three_kings.deck import ACTION_CARDS, ELIMINATED, KEPT, Deck
from companion.games.three_kings.vocabulary import HAND, OTHERS, PILES, TARGET, VERBS, WHO

MARKS = (ELIMINATED, KEPT)
MOST_RANK, MOST_CARDS, MOST_POINTS, MOST_STEPS = 99, 9, 9, 6
LONGEST_NAME, LONGEST_TEXT, MOST_BREAKS = 40, 400, 6
SOURCES = (HAND, *PILES, TARGET, OTHERS)
GOALS = (HAND, *PILES, TARGET, OTHERS)
CROWN_GOALS = (HAND, "discards", "infirmary")
_HEAD = ("name", "stand_in", "cards")
_CARD = ("id", "rank", "mark", "name", "text", "effect")
_STEP = ("do", "from", "to", "n", "up_to", "who", "faction", "zones", "if_done")
_ID = "[a-z0-9]+(-[a-z0-9]+)*"


def check(text: str) -> list[Problem]:
    """All that is wrong with a deck file, in the order of the file."""
    try:
        raw = read_toml(text)
    except ContentError as error:
        return [Problem("the file", str(error), "quotes and brackets must be closed; see `deck new`")]
    return [*_wrong_head(raw), *_wrong_cards(raw.get("cards"))]


def wrong_deck(raw: Mapping[str, Any]) -> list[str]:
    """What is wrong with a deck that was given inline: only what the rules need is asked for."""
    try:
        deck = msgspec.convert(raw, Deck)
    except msgspec.ValidationError as error:
        return [f"actions: {error}"]
    wrong = [] if deck.cards else ["actions: no cards"]
    wrong += [f"actions: {card!r} comes {n} times" for card, n in Counter(c.id for c in deck.cards).items() if n > 1]
    for card in raw["cards"]:
        problems = [*_wrong_marks("", card), *_wrong_effect("effect", card["effect"])]
        wrong += [f"actions, {card['id']!r}, {problem}" for problem in problems]
    return wrong


def _wrong_head(raw: Mapping[str, Any]) -> Iterator[Problem]:
    yield from wrong_keys("", raw, _HEAD)
    yield from wrong_texts("name", raw.get("name"), LONGEST_NAME)
    if not isinstance(raw.get("stand_in", False), bool):
        yield Problem("stand_in", shown(raw["stand_in"]), "true or false")


def _wrong_cards(cards: Any) -> Iterator[Problem]:
    if not isinstance(cards, list):
        yield Problem("cards", "missing", f"{ACTION_CARDS} tables [[cards]]")
        return
    if len(cards) != ACTION_CARDS:
        yield Problem("cards", f"{len(cards)} of them", f"{ACTION_CARDS} tables [[cards]]")
    named = (card.get("id") for card in cards if isinstance(card, dict))
    ids = Counter(name for name in named if isinstance(name, str))
    for number, card in enumerate(cards[: 2 * ACTION_CARDS], 1):
        where = f"cards {number}"
        if not isinstance(card, dict):
            yield Problem(where, shown(card), "a table [[cards]]")
            continue
        yield from wrong_keys(where, card, _CARD)
        name = card.get("id")
        if not isinstance(name, str) or not re.fullmatch(_ID, name):
            yield Problem(f"{where}, id", found(name), "small letters, figures and - between them, such as bodyguards")
        elif ids[name] > 1:
            yield Problem(f"{where}, id", f"{shown(name)} comes {ids[name]} times", "an id of its own")
        yield from _wrong_marks(f"{where}, ", card)
        yield from wrong_texts(f"{where}, name", card.get("name"), LONGEST_NAME)
        yield from wrong_texts(f"{where}, text", card.get("text"), LONGEST_TEXT, MOST_BREAKS)
        yield from _wrong_effect(f"{where}, effect", card.get("effect"))


def _wrong_marks(where: str, card: Mapping[str, Any]) -> Iterator[Problem]:
    """What is wrong with what stands in the corners of a card."""
    if not is_whole(card.get("rank"), 1, MOST_RANK):
        yield Problem(f"{where}rank", found(card.get("rank")), f"1 to {MOST_RANK}, as printed on the card")
    if card.get("mark") not in MARKS:
        yield Problem(f"{where}mark", found(card.get("mark")), '"X" (back into the box) or "C" (kept)')


def _wrong_effect(where: str, effect: Any) -> Iterator[Problem]:
    if not isinstance(effect, (list, tuple)) or not 1 <= len(effect) <= MOST_STEPS:
        yield Problem(where, found(effect), f'a list of 1 to {MOST_STEPS} steps, such as [{{ do = "protect" }}]')
        return
    for number, step in enumerate(effect, 1):
        here = f"{where} {number}"
        if not isinstance(step, dict):
            yield Problem(here, shown(step), 'a step, such as { do = "protect" }')
            continue
        yield from wrong_keys(here, step, _STEP)
        do = step.get("do")
        if not isinstance(do, str) or do not in VERBS:
            yield Problem(f"{here}, do", found(do), f"one of {', '.join(VERBS)}")
            continue
        yield from _wrong_fields(here, do, step)
        if not isinstance(step.get("if_done", False), bool):
            yield Problem(f"{here}, if_done", shown(step["if_done"]), "true or false")
        elif step.get("if_done") and number == 1:
            yield Problem(f"{here}, if_done", "there is no step before it", "leave it out")


def _wrong_fields(where: str, do: str, step: Mapping[str, Any]) -> Iterator[Problem]:
    """What is wrong with the fields of a step whose verb is known."""
    usable = {"do", "if_done", *VERBS[do].fields}
    for key in step:
        if key in _STEP and key not in usable:
            yield Problem(f"{where}, {key}", f"{do} doesn't use it", f"{do} has {', '.join(sorted(usable - {'do'}))}")
    allowed = {"from": SOURCES, "to": CROWN_GOALS if do == "crown" else GOALS, "who": WHO, "faction": FACTIONS}
    for key, values in allowed.items():
        if key in VERBS[do].fields and step.get(key) not in values:
            yield Problem(f"{where}, {key}", found(step.get(key)), f"one of {', '.join(values)}")
    if do == "move":
        yield from _wrong_move(where, step)
    elif do == "score" and (not is_whole(step.get("n"), -MOST_POINTS, MOST_POINTS) or not step["n"]):
        yield Problem(f"{where}, n", found(step.get("n")), f"points, -{MOST_POINTS} to {MOST_POINTS}, but not 0")
    elif do == "exchange" and not is_whole(step.get("n", 0), 0, MOST_CARDS):
        yield Problem(f"{where}, n", found(step["n"]), f"0 to {MOST_CARDS} cards; 0 is all of both hands")
    elif do == "by-hand":
        zones = step.get("zones")
        if (
            not isinstance(zones, list)
            or not zones
            or not all(isinstance(zone, str) and zone in ZONES for zone in zones)
        ):
            yield Problem(f"{where}, zones", found(zones), f"a list of one or more of {', '.join(ZONES)}")


def _wrong_move(where: str, step: Mapping[str, Any]) -> Iterator[Problem]:
    if ("n" in step) == ("up_to" in step):
        what = "both n and up_to" if "n" in step else "neither n nor up_to"
        yield Problem(where, what, "n is how many cards go, up_to how many the player may choose at most")
        return
    key = "n" if "n" in step else "up_to"
    if not is_whole(step[key], 1, MOST_CARDS):
        yield Problem(f"{where}, {key}", shown(step[key]), f"1 to {MOST_CARDS}")
    ends = (step.get("from"), step.get("to"))
    if ends[0] == ends[1]:
        yield Problem(where, f"from {shown(ends[0])} to {shown(ends[1])}", "two different piles")
    elif {TARGET, OTHERS} <= set(ends):
        yield Problem(where, "from target to others, or the other way", "one end must be a pile or the own hand")
    elif OTHERS in ends and key == "up_to":
        yield Problem(f"{where}, up_to", "can't be chosen for all others", "n")

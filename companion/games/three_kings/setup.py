"""From a set-up line to the first state: at the start of a game, or at the start of a later Turn.

A line for a later Turn holds the same fields as the facts of the referee protocol beside those of a plain set-up. What
is left out is as at the start of the game.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from companion.core.content import shown
from companion.core.game import Refusal
from companion.core.players import named
from companion.games.three_kings import cards, checking, unseen
from companion.games.three_kings.cards import EYE, FACTIONS, FIRST_THRONES
from companion.games.three_kings.deck import Deck
from companion.games.three_kings.piles import possible
from companion.games.three_kings.state import EYE_WINS_AT, GUILDS, THRONES, TURNS, Seat, State, facts
from companion.games.three_kings.turning import turn_begun
from companion.games.three_kings.unseen import DECK, DISCARDS, INFIRMARY, Pool, hand

RULE = "setup"
PLAYERS = (3, 8)
MOST_POINTS = 999
DERIVED = ("game", "phase", "round", "active", "intrigue", "pending_draw", "winners")
"""What a line may repeat: at the start of a Turn there is only one way for these facts to be."""


class Player(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player of the set-up line."""

    name: str
    guild: str = ""


class Line(msgspec.Struct, frozen=True):
    """The set-up line. The second half is for positions at the start of a later Turn."""

    players: tuple[Player | str, ...]
    first: str | None = None
    actions: str | dict[str, Any] | None = None
    turn: int = 1
    vp: Mapping[str, int] = msgspec.field(default_factory=dict)
    thrones: tuple[str, str, str] = FIRST_THRONES
    counselors: Mapping[str, int | None] = msgspec.field(default_factory=dict)
    hands: Mapping[str, int] = msgspec.field(default_factory=dict)
    deck: int | None = None
    discards: int = 0
    infirmary: int = 0
    past: Mapping[str, int] = msgspec.field(default_factory=dict)
    action_deck: int | None = None


def start(raw: Mapping[str, Any], decks: Mapping[str, Deck]) -> State | Refusal:
    """The state that a set-up line describes, or `bad-setup` with everything that is wrong with it.

    Args:
        raw: the line.
        decks: those whose Action cards can be named; the first is used where the line names none.
    """
    people = named(raw)
    if isinstance(people, Refusal):
        return people
    raw = people
    try:
        line = msgspec.convert({key: value for key, value in raw.items() if key not in DERIVED}, Line)
    except msgspec.ValidationError as error:
        return _bad([str(error)])
    seats = seated(line.players)
    wrong = [*_wrong_fields(raw), *_wrong_seats(seats), *_wrong_names(line, seats), *_wrong_actions(line, decks)]
    if not wrong:
        wrong = [*_wrong_numbers(line), *_wrong_thrones(line)]
    if wrong:
        return _bad(wrong)
    state = _state(line, seats, _actions(line, decks))
    if isinstance(state, str):
        return _bad([state])
    begun: State = turn_begun(state).state
    so = {"game": "three_kings", **facts(begun)}
    wrong = [
        f"{key}: {raw[key]!r}; at the start of this Turn it is {so[key]!r}"
        for key in DERIVED
        if key in raw and raw[key] != so[key]
    ]
    return _bad(wrong) if wrong else begun


def seated(players: tuple[Player | str, ...]) -> tuple[Seat, ...]:
    """Players with the colours of their boards; who names none gets the next free one."""
    named = [Player(player) if isinstance(player, str) else player for player in players]
    free = iter([guild for guild in GUILDS if guild not in {player.guild for player in named}])
    return tuple(Seat(player.name, player.guild or next(free, "")) for player in named)


def _actions(line: Line, decks: Mapping[str, Deck]) -> Deck:
    if isinstance(line.actions, dict):
        return msgspec.convert(line.actions, Deck)
    return decks[line.actions or next(iter(decks))]


def _wrong_fields(raw: Mapping[str, Any]) -> Iterator[str]:
    known = Line.__struct_fields__
    strange = [key for key in raw if key not in (*known, *DERIVED)]
    if strange:
        yield f"{', '.join(strange)}: no such field; there are {', '.join(known)}"


def _wrong_seats(seats: tuple[Seat, ...]) -> Iterator[str]:
    least, most = PLAYERS
    if not least <= len(seats) <= most:
        yield f"players: {len(seats)} named; 3 Kings is for {least} to {most}"
    for guild, number in Counter(seat.guild for seat in seats[:most]).items():
        if guild not in GUILDS:
            yield f"players: guild {guild!r}; there are {', '.join(GUILDS)}"
        elif number > 1:
            yield f"players: guild {guild!r} comes twice; each player has a colour of his own"


def _wrong_names(line: Line, seats: tuple[Seat, ...]) -> Iterator[str]:
    known = {seat.name for seat in seats}
    named = [("first", line.first)] if line.first is not None else []
    named += [(key, name) for key in ("counselors", "hands", "past") for name in getattr(line, key)]
    for key, name in named:
        if name not in known:
            yield f"{key}: {shown(name)} is no player"
    for faction in line.vp:
        if faction not in FACTIONS:
            yield f"vp: {faction!r}; there are {', '.join(FACTIONS)}"


def _wrong_actions(line: Line, decks: Mapping[str, Deck]) -> Iterator[str]:
    if isinstance(line.actions, dict):
        yield from checking.wrong_deck(line.actions)
    elif line.actions is not None and line.actions not in decks:
        yield f"actions: {line.actions!r}; there are {', '.join(decks)}"


def _wrong_numbers(line: Line) -> Iterator[str]:
    if not 1 <= line.turn <= TURNS:
        yield f"turn: {line.turn}; there are Turns 1 to {TURNS}"
    numbers = [line.discards, line.infirmary, line.deck or 0, line.action_deck or 0]
    numbers += [*line.hands.values(), *line.past.values()]
    if min(numbers) < 0:
        yield "deck, discards, infirmary, hands, past, action_deck: a number below 0"
    if any(abs(points) > MOST_POINTS for points in line.vp.values()):
        yield f"vp: at most {MOST_POINTS} points"
    for name, throne in line.counselors.items():
        if throne is not None and not 1 <= throne <= THRONES:
            yield f"counselors: {name!r} on {throne}; there are Thrones 1 to {THRONES}"


def _wrong_thrones(line: Line) -> Iterator[str]:
    for card in line.thrones:
        found = cards.find(card)
        if found is None:
            yield f"thrones: {card!r} is no card of this box"
        elif not found.is_character:
            yield f"thrones: {card!r}; only Characters sit there"


def _state(line: Line, seats: tuple[Seat, ...], actions: Deck) -> State | str:
    names = [seat.name for seat in seats]
    hands = tuple(line.hands.get(name, 0) for name in names)
    counted = sum(hands) + line.discards + line.infirmary
    box = sum(card.copies for card in cards.deck().values())
    deck = box - THRONES - counted if line.deck is None else line.deck
    if deck < 0 or deck + counted + THRONES != box:
        found = f"{THRONES} on the Thrones, {sum(hands)} in hands, {deck} in the deck, {line.discards} discarded"
        return f"cards: {found}, {line.infirmary} in the Infirmary; the box has {box}"
    pool = _pool(line, deck, hands)
    if isinstance(pool, str):
        return f"thrones: {pool!r} sits there more often than the box holds it"
    past = sum(line.past.values())
    action_deck = len(actions.cards) - past if line.action_deck is None else line.action_deck
    if action_deck < 0 or action_deck + past > len(actions.cards):
        return f"past, action_deck: {past} and {action_deck}; there are {len(actions.cards)} Action cards"
    vp = tuple(line.vp.get(faction, 0) for faction in FACTIONS)
    state = State(
        seats=seats,
        actions=actions,
        turn=line.turn,
        phase="recruit",
        first=0 if line.first is None else names.index(line.first),
        waiting=(),
        vp=vp,
        eye_reached=vp[EYE] >= EYE_WINS_AT,
        thrones=line.thrones,
        counselors=tuple(line.counselors.get(name) or 0 for name in names),
        hands=hands,
        spaces=tuple((False, False, False) for _ in seats),
        shown=tuple("" for _ in seats),
        deck=deck,
        discards=line.discards,
        infirmary=line.infirmary,
        intrigue=(0, 0, 0),
        past=tuple(("",) * line.past.get(name, 0) for name in names),
        action_deck=action_deck,
        unseen=pool,
    )
    return state if possible(state) else "cards: they can't be spread like this"


def _pool(line: Line, deck: int, hands: tuple[int, ...]) -> Pool | str:
    places = [(DECK, deck), (DISCARDS, line.discards), (INFIRMARY, line.infirmary)]
    places += [(hand(seat), number) for seat, number in enumerate(hands)]
    return unseen.all_but(line.thrones, [place for place, number in places if number])


def _bad(wrong: list[str]) -> Refusal:
    return Refusal("bad-setup", RULE, {"reason": "; ".join(wrong)})

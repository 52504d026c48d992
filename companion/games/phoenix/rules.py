"""The rules of Schatz des Phönix: what each move needs and what it leads to. Guards stand in rulebook order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import singledispatch

from msgspec.structs import replace

from companion.core.game import Event, Refusal, Step
from companion.core.messages import say
from companion.games.phoenix.box import LARGE_VALUE, NESTS, box
from companion.games.phoenix.moves import DrawDeck, Item, Move, NewRound, Pick, Place, PlaceMany, TakeOpen
from companion.games.phoenix.state import PER_SIDE, ROUNDS, State, small_tokens
from companion.games.phoenix.unseen import DECK, Unseen, drawn, fits, hand, reshuffled, take

PLAYING = "playing-a-card"
DRAWING = "drawing"
TREASURE = "treasure"
ROUND = "new-round"


@singledispatch
def apply(move: Move, _state: State) -> Step | Refusal:
    """What a move leads to, or the first rule that forbids it."""
    raise TypeError(f"{move!r} is no move of Phoenix")


@apply.register
def _place(move: Place, state: State) -> Step | Refusal:
    if not _is_card(move.card):
        return _unknown(move.card)
    if move.nest not in NESTS:
        return Refusal("bad-line", "protocol", {"reason": f"nest {move.nest!r}: there are {', '.join(NESTS)}"})
    if not (move.side or move.by):
        return Refusal("bad-line", "protocol", {"reason": "a placement needs its side or who made it"})
    if state.phase != "play":
        return Refusal("not-now", PLAYING, {"card": move.card, "phase": state.phase}, f"place-{state.phase}")
    turn = state.seats[state.turn]
    owner = state.seat_at(move.side) if move.side else state.seat_of(move.by)
    seat = state.seat_of(move.by) if move.by else owner
    if move.by and seat is None:
        return _nobody(state, move.by)
    where = {"card": move.card, "nest": move.nest, "side": move.side or state.seats[owner or 0].guild}
    if seat is None:
        return Refusal("wrong-side", PLAYING, where | {"by": turn.name, "own": turn.guild}, "nobodys-side")
    if seat != state.turn:
        wrong = {"turn": turn.name, "own": turn.guild, "by": state.seats[seat].name}
        return Refusal("not-your-turn", PLAYING, where | wrong)
    if owner != seat:
        other = {"by": turn.name, "own": turn.guild}
        if owner is None:
            return Refusal("wrong-side", PLAYING, where | other, "nobodys-side")
        return Refusal("wrong-side", PLAYING, where | other | {"owner": state.seats[owner].name})
    before, events = _draw_if_due(state)
    pool = take(before.unseen, move.card, hand(seat))
    hands = _add(before.hands, seat, -1)
    if pool is None or not fits(pool, (before.deck, *hands, before.buried)):
        return Refusal("card-elsewhere", PLAYING, where | {"by": turn.name} | _last_seen(state, move.card))
    nest = NESTS.index(move.nest)
    cards = state.nests[nest][seat]
    if len(cards) == PER_SIDE:
        return Refusal("full", PLAYING, where | {"by": turn.name})
    nests = _put(before.nests, nest, _put(before.nests[nest], seat, (*cards, move.card)))
    after = replace(before, hands=hands, unseen=pool, nests=nests, turn=_next(nests, seat), to_draw=seat)
    placed = Event("placed", {"by": turn.name, "card": move.card, "nest": move.nest})
    if after.phase == "treasure":
        return Step(after, (*events, placed, Event("all-placed"), ranked(after)))
    return Step(after, (*events, placed))


@apply.register
def _place_many(move: PlaceMany, state: State) -> Step | Refusal:
    if not move.items:
        return Refusal("bad-line", "protocol", {"reason": "items is empty; name the cards that were seen"})
    players = len(state.seats)
    owners = [_owner(item, state) for item in move.items]
    twice = {owner for owner in owners if owner is not None and owners.count(owner) > 1}
    if twice:
        cards = [item.card for item, owner in zip(move.items, owners, strict=True) if owner in twice]
        return Refusal("two-at-once", PLAYING, {"cards": cards})
    order = sorted(range(len(owners)), key=lambda i: (((owners[i] or 0) - state.turn) % players, i))
    step = Step(state)
    for index in order:
        item = move.items[index]
        result = apply(Place(item.card, item.nest, item.side, item.by), step.state)
        if isinstance(result, Refusal):
            return result
        step = Step(result.state, step.events + result.events)
    return step


@apply.register
def _draw_deck(move: DrawDeck, state: State) -> Step | Refusal:
    refusal = _may_draw(state, move.by)
    if refusal or state.to_draw is None:
        return refusal or _nothing_to_draw(state)
    after, events = _draw_if_due(state)
    drew = (Event("drew", {"by": state.seats[state.to_draw].name}),) if after.hands != state.hands else ()
    return Step(after, (*events, *drew))


@apply.register
def _take_open(move: TakeOpen, state: State) -> Step | Refusal:
    refusal = _may_draw(state, move.by)
    if refusal or state.to_draw is None:
        return refusal or _nothing_to_draw(state)
    if not state.open:
        return Refusal("no-card", DRAWING, {}, "no-open-card")
    if move.new and not _is_card(move.new):
        return _unknown(move.new)
    seat = state.to_draw
    shuffled, events = _reshuffle_if_empty(state)
    if not move.new and shuffled.deck:
        return Refusal("must-do", DRAWING, {"card": state.open}, "reveal-open")
    pool = shuffled.unseen
    hands = _add(shuffled.hands, seat, 1)
    if move.new:
        left = take(pool, move.new, DECK)
        if left is None or not fits(left, (shuffled.deck - 1, *shuffled.hands, shuffled.buried)):
            return Refusal(
                "card-elsewhere", DRAWING, {"card": move.new} | _last_seen(state, move.new), "open-elsewhere"
            )
        pool = left
    after = replace(
        shuffled,
        deck=shuffled.deck - bool(move.new),
        open=move.new,
        hands=hands,
        unseen=(*pool, Unseen(state.open, hand(seat))),
        to_draw=None,
    )
    taken = Event("took-open", {"by": state.seats[seat].name, "card": state.open, "new": move.new})
    return Step(after, (*events, taken))


@apply.register
def _pick(move: Pick, state: State) -> Step | Refusal:
    if move.nest not in NESTS:
        return Refusal("bad-line", "protocol", {"reason": f"nest {move.nest!r}: there are {', '.join(NESTS)}"})
    picking = state.picking
    if picking is None or not picking[1]:
        return Refusal("not-now", TREASURE, {"nest": move.nest, "token": move.token}, f"pick-{state.phase}")
    nest, order = picking
    seat = order[0]
    if move.by and state.seat_of(move.by) is None:
        return _nobody(state, move.by)
    params = {"turn": state.seats[seat].name, "nest": move.nest, "current": NESTS[nest], "token": move.token}
    if move.by and move.by != state.seats[seat].name:
        return Refusal("not-your-turn", TREASURE, params | {"by": move.by}, "pick-not-your-turn")
    if move.nest != NESTS[nest]:
        return Refusal("not-now", TREASURE, params, "pick-other-nest")
    there = state.large_there and move.nest == "big"
    small = state.tokens[nest]
    large = move.large if move.large is not None else move.token == LARGE_VALUE and there and LARGE_VALUE not in small
    if (large and (move.token != LARGE_VALUE or not there)) or (not large and move.token not in small):
        return Refusal("no-such-token", TREASURE, params | {"tokens": list(state.values_in(nest))})
    before, events = _draw_if_due(state)
    after = replace(
        before,
        tokens=state.tokens if large else _put(state.tokens, nest, _minus(small, move.token)),
        large_there=state.large_there and not large,
        large_to=seat if large else state.large_to,
        scores=_add(state.scores, seat, move.token),
    )
    picked = Event("picked", {"by": state.seats[seat].name, "token": move.token, "nest": move.nest})
    events = (*events, picked)
    if move.token < max(state.values_in(nest)):
        events = (*events, Event("smaller-token", {"by": state.seats[seat].name, "token": move.token}))
    if after.phase == "treasure":
        follow = () if after.picking and after.picking[0] == nest else (ranked(after),)
        return Step(after, (*events, *follow))
    return _end_round(after, events)


@apply.register
def _new_round(move: NewRound, state: State) -> Step | Refusal:
    if state.phase != "between":
        return Refusal("not-now", ROUND, {"phase": state.phase}, f"new-round-{state.phase}")
    if set(move.tokens) != set(NESTS):
        return Refusal("bad-line", "protocol", {"reason": f"tokens: name the nests {', '.join(NESTS)}"})
    wanted = small_tokens(len(state.seats))
    for nest in NESTS:
        if len(move.tokens[nest]) != wanted:
            params = {"nest": nest, "count": len(move.tokens[nest]), "n": wanted}
            return Refusal("wrong-count", ROUND, params)
    used = Counter(value for values in move.tokens.values() for value in values)
    for value, number in sorted(used.items()):
        if number > state.stock.count(value):
            params = {"token": value, "count": number, "n": state.stock.count(value)}
            return Refusal("no-such-token", ROUND, params, "token-not-left")
    cards = tuple(card for nest in state.nests for side in nest for card in side)
    stock = state.stock
    for value in used.elements():
        stock = _minus(stock, value)
    after = replace(
        state,
        round=state.round + 1,
        turn=state.holder,
        large_to=None,
        discards=state.discards + cards,
        nests=tuple(tuple(() for _ in state.seats) for _ in NESTS),
        tokens=tuple(tuple(sorted(move.tokens[nest])) for nest in NESTS),
        large_there=True,
        stock=stock,
    )
    return Step(after, (Event("new-round", {"round": after.round, "turn": state.seats[state.holder].name}),))


def legal_moves(state: State) -> Iterator[Move]:
    """All legal moves; of `new-round` one example."""
    if state.to_draw is not None:
        by = state.seats[state.to_draw].name
        yield DrawDeck(by)
        if state.open:
            shuffled, _ = _reshuffle_if_empty(state)
            news = [u.card for u in shuffled.unseen if u.places & DECK] if shuffled.deck else [""]
            yield from _legal(state, (TakeOpen(card, by) for card in news))
    phase = state.phase
    if phase == "play":
        seat = state.seats[state.turn]
        before, _ = _draw_if_due(state)
        cards = dict.fromkeys(u.card for u in before.unseen if u.places & hand(state.turn))
        free = [nest for nest, row in zip(NESTS, state.nests, strict=True) if len(row[state.turn]) < PER_SIDE]
        yield from _legal(state, (Place(card, nest, seat.guild, seat.name) for card in cards for nest in free))
    elif phase == "treasure" and state.picking and state.picking[1]:
        nest, order = state.picking
        by = state.seats[order[0]].name
        yield from (Pick(NESTS[nest], value, False, by) for value in sorted(set(state.tokens[nest])))
        if state.large_there and NESTS[nest] == "big":
            yield Pick(NESTS[nest], LARGE_VALUE, True, by)
    elif phase == "between":
        wanted = small_tokens(len(state.seats))
        yield NewRound({nest: state.stock[i * wanted : (i + 1) * wanted] for i, nest in enumerate(NESTS)})


def _legal(state: State, moves: Iterator[Move]) -> Iterator[Move]:
    return (move for move in moves if not isinstance(apply(move, state), Refusal))


def _end_round(state: State, events: tuple[Event, ...]) -> Step:
    holder = state.holder if state.large_to is None else state.large_to
    after = replace(state, holder=holder)
    if state.round < ROUNDS:
        moved = Event("round-over", {"round": state.round, "holder": state.seats[holder].name})
        return Step(after, (*events, moved))
    best = max(state.scores)
    winners = [seat.name for seat, score in zip(state.seats, state.scores, strict=True) if score == best]
    return Step(
        after,
        (*events, Event("over" if len(winners) == 1 else "over-shared", {"winners": winners, "score": best})),
    )


def ranked(state: State) -> Event:
    """The order of picking at the nest whose treasure is shared out next."""
    nest, order = state.picking or (0, ())
    names = [state.seats[seat].name for seat in order]
    values = [state.combo(nest, seat) for seat in order]
    return Event("ranked", {"nest": NESTS[nest], "order": names, "values": values, "turn": names[0]})


def _next(nests: tuple[tuple[tuple[str, ...], ...], ...], seat: int) -> int:
    """Who places after a player: the next one who still can, as after a correction somebody may have laid all cards."""
    order = [(seat + step) % len(nests[0]) for step in range(1, len(nests[0]) + 1)]
    return next((one for one in order if any(len(row[one]) < PER_SIDE for row in nests)), order[0])


def _may_draw(state: State, by: str) -> Refusal | None:
    if by and state.seat_of(by) is None:
        return _nobody(state, by)
    if state.to_draw is None:
        return _nothing_to_draw(state)
    name = state.seats[state.to_draw].name
    if by and by != name:
        return Refusal("not-your-turn", DRAWING, {"turn": name, "by": by}, "draw-not-your-turn")
    return None


def _nothing_to_draw(state: State) -> Refusal:
    return Refusal("not-now", DRAWING, {"card": state.open}, "nothing-to-draw")


def _draw_if_due(state: State) -> tuple[State, tuple[Event, ...]]:
    """After the draw from the deck that the next move implies; without any card left the draw falls away."""
    if state.to_draw is None:
        return state, ()
    shuffled, events = _reshuffle_if_empty(state)
    if not shuffled.deck:
        return replace(shuffled, to_draw=None), events
    seat = state.to_draw
    after = replace(
        shuffled,
        deck=shuffled.deck - 1,
        hands=_add(shuffled.hands, seat, 1),
        unseen=drawn(shuffled.unseen, seat),
        to_draw=None,
    )
    return after, events


def _reshuffle_if_empty(state: State) -> tuple[State, tuple[Event, ...]]:
    if state.deck or not (state.discards or state.buried):
        return state, ()
    number = len(state.discards) + state.buried
    pool = reshuffled(state.unseen, state.discards, hand(len(state.seats)))
    after = replace(state, deck=number, discards=(), buried=0, unseen=pool)
    return after, (Event("reshuffle", {"n": number}),)


def _last_seen(state: State, card: str) -> dict[str, object]:
    """Where the card (or all its copies) is known to be, for the refusal's words."""
    name = box().name_of(card)
    same = {card, name} if card != name else {name, *(copy.id for copy in box().copies[name])}
    for nest, row in zip(NESTS, state.nests, strict=True):
        for seat, cards in zip(state.seats, row, strict=True):
            if same & set(cards):
                return {"there": say("there.nest", nest=nest, side=seat.guild)}
    if state.open in same:
        return {"there": say("there.open")}
    if same & set(state.discards):
        return {"there": say("there.discards")}
    for index, seat in enumerate(state.seats):
        if any(u.card in same and u.places == hand(index) for u in state.unseen):
            return {"there": say("there.hand", by=seat.name)}
    return {"there": say("there.hidden")}


def _is_card(card: str) -> bool:
    piece = box().find(card)
    return piece is not None and piece.kind == "card"


def _unknown(card: str) -> Refusal:
    return Refusal("unknown-card", "components", {"card": card})


def _nobody(state: State, name: str) -> Refusal:
    players = ", ".join(seat.name for seat in state.seats)
    return Refusal("bad-line", "protocol", {"reason": f"player {name!r}: there are {players}"})


def _owner(item: Item, state: State) -> int | None:
    return state.seat_at(item.side) if item.side else state.seat_of(item.by)


def _put(row: tuple, index: int, value: object) -> tuple:  # type: ignore[type-arg]
    return (*row[:index], value, *row[index + 1 :])


def _add(row: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    return (*row[:index], row[index] + more, *row[index + 1 :])


def _minus(values: tuple[int, ...], value: int) -> tuple[int, ...]:
    index = values.index(value)
    return values[:index] + values[index + 1 :]

"""What a difference on the table means: the next legal move, or what is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.box import PieceId
from companion.core.game import Dispute, Refusal
from companion.core.table import Difference, Observation
from companion.games.phoenix.box import LARGE_TOKEN, LARGE_VALUE, NESTS, START_TOKEN, box
from companion.games.phoenix.moves import Move, NewRound, Pick, Place, TakeOpen
from companion.games.phoenix.rules import DRAWING, PLAYING, TREASURE, apply
from companion.games.phoenix.state import State, small_tokens
from companion.games.phoenix.zones import OPEN, at_sides

Reading = Move | tuple[Dispute, ...]


def interpret(state: State, difference: Difference, seen: Observation) -> Reading:
    """The next legal move that explains a part of the difference, or all its disputes."""
    phase = state.phase
    if phase == "over":
        return ()
    taken = _open_taken(state, difference, seen)
    if taken:
        return taken
    if phase == "play":
        found = _placement(state, difference)
        if found:
            return found
    elif phase == "treasure":
        pick = _only_pick(state, difference)
        if pick:
            return pick
    elif phase == "between":
        fresh = _new_round(state, difference, seen)
        if fresh:
            return fresh
    return tuple(_disputes(state, difference))


def tokens_seen(seen: Observation) -> dict[str, tuple[list[int], int]]:
    """By nest: the values of the small tokens that lie in it, and how many large ones."""
    found: dict[str, tuple[list[int], int]] = {nest: ([], 0) for nest in NESTS}
    for sighting in seen.sightings:
        name = box().name_of(sighting.piece)
        if sighting.zone in found and name == LARGE_TOKEN:
            found[sighting.zone] = (found[sighting.zone][0], found[sighting.zone][1] + 1)
        elif sighting.zone in found and name.startswith("token-"):
            found[sighting.zone][0].append(value_of(name))
    return found


def value_of(token: str) -> int:
    """The value of a token, by its id or name."""
    name = box().name_of(token)
    return LARGE_VALUE if name == LARGE_TOKEN else int(name.removeprefix("token-"))


def _open_taken(state: State, difference: Difference, seen: Observation) -> TakeOpen | None:
    """Another card lies in the place of the open one, which itself is nowhere to be seen there.

    Whether it has left is not asked: it may lie under the other one, and after a cut nobody has seen it lie there.
    """
    new = [piece for piece, zone in difference.extra.items() if zone == OPEN]
    if state.to_draw is None or len(new) != 1:
        return None
    lying = [s.piece for s in seen.sightings if s.zone == OPEN and not s.hidden]
    if any(state.open in (piece, box().name_of(piece)) for piece in lying):
        return None
    move = TakeOpen(new[0], state.seats[state.to_draw].name)
    return None if isinstance(apply(move, state), Refusal) else move


def _placements(difference: Difference) -> list[Place]:
    found = []
    for piece, zone in difference.extra.items():
        nest, _, guild = zone.partition("/")
        if nest in NESTS and guild:
            found.append(Place(piece, nest, guild))
    return found


def _placement(state: State, difference: Difference) -> Place | None:
    """The turn player's card, if he laid just one."""
    own = state.seats[state.turn]
    his = [move for move in _placements(difference) if move.side == own.guild]
    if len(his) != 1:
        return None
    move = Place(his[0].card, his[0].nest, his[0].side, own.name)
    return None if isinstance(apply(move, state), Refusal) else move


def _only_pick(state: State, difference: Difference) -> Pick | None:
    """The token that was taken, if it was just one: of several nobody can tell who took which."""
    if not state.picking or not state.picking[1]:
        return None
    nest, order = state.picking
    gone = [p for p, zone in difference.missing.items() if zone == NESTS[nest] and box().pieces[p].kind == "token"]
    if len(gone) != 1:
        return None
    return Pick(NESTS[nest], value_of(gone[0]), box().name_of(gone[0]) == LARGE_TOKEN, state.seats[order[0]].name)


def _new_round(state: State, difference: Difference, seen: Observation) -> NewRound | None:
    """The nests are clear and each holds its new tokens."""
    cards = [sighting for sighting in at_sides(seen) if not sighting.hidden]
    tokens = tokens_seen(seen)
    larges = {nest: large for nest, (_, large) in tokens.items()}
    if cards or difference.moved or larges != {nest: int(nest == "big") for nest in NESTS}:
        return None
    move = NewRound({nest: tuple(sorted(small)) for nest, (small, _) in tokens.items()})
    return None if isinstance(apply(move, state), Refusal) else move


def _disputes(state: State, difference: Difference) -> Iterator[Dispute]:
    own = {p.card: p for p in _placements(difference) if p.side == state.seats[state.turn].guild}
    for piece, zone in difference.extra.items():
        refusal = _extra(state, piece, zone, list(own) if len(own) > 1 and piece in own else [])
        if refusal:
            yield Dispute(piece, zone, None, refusal)
    for piece, zone in difference.missing.items():
        refusal = _missing(state, piece, zone, difference)
        if refusal:
            yield Dispute(piece, None, zone, refusal)
    for piece, (home, where) in difference.moved.items():
        if piece == START_TOKEN or (piece == state.open and where is None and state.to_draw is not None):
            continue  # the page says whose the start token is; an open card on its way to a hand is no mistake
        yield Dispute(piece, where, home, Refusal("card-elsewhere", PLAYING, {"card": piece, "zone": home}, "slipped"))


def _extra(state: State, piece: PieceId, zone: str, together: list[str]) -> Refusal | None:
    if zone == OPEN:
        # While somebody draws it may lie beside the open card for a moment; it counts once that one is gone.
        known = state.to_draw is not None or piece in state.discards or not state.open
        return None if known else Refusal("not-now", DRAWING, {"card": piece}, "one-open-card")
    if box().pieces[piece].kind == "token":
        return _extra_token(state, piece, zone)
    if together:
        return Refusal("two-at-once", PLAYING, {"cards": together, "by": state.seats[state.turn].name})
    nest, _, guild = zone.partition("/")
    result = apply(Place(piece, nest, guild), state)
    return result if isinstance(result, Refusal) else None


def _extra_token(state: State, piece: PieceId, zone: str) -> Refusal | None:
    if state.phase != "between":
        return Refusal("not-now", TREASURE, {"token": value_of(piece), "nest": zone}, "token-not-now")
    return None


def _missing(state: State, piece: PieceId, zone: str, difference: Difference) -> Refusal | None:
    kind = box().pieces[piece].kind
    if kind == "figure" or (zone == OPEN and state.to_draw is not None):
        return None
    if zone == OPEN:
        return Refusal("not-now", PLAYING, {"card": piece}, "open-must-stay")
    if kind == "card":
        return Refusal("not-now", PLAYING, {"card": piece, "zone": zone}, "must-stay")
    params = {"token": value_of(piece), "nest": zone}
    if state.phase == "treasure" and state.picking:
        current = NESTS[state.picking[0]]
        if zone == current:
            tokens = [value_of(p) for p, z in difference.missing.items() if z == zone]
            return Refusal("two-at-once", TREASURE, params | {"tokens": tokens}, "two-tokens")
        name = state.seats[state.picking[1][0]].name if state.picking[1] else ""
        return Refusal("not-now", TREASURE, params | {"current": current, "turn": name}, "pick-other-nest")
    return Refusal("not-now", TREASURE, params, "token-must-stay")


def token_counts(seen: Observation, players: int) -> dict[str, tuple[list[int], int, int, int]]:
    """By nest: small values seen, small ones still missing (below 0: too many), large ones seen, large ones wanted."""
    wanted = small_tokens(players)
    return {
        nest: (sorted(small), wanted - len(small), large, int(nest == "big"))
        for nest, (small, large) in tokens_seen(seen).items()
    }

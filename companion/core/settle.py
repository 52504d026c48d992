"""Settling: from a table that was seen to moves and disputes.

Levels are compared, never edges: what counts is only how the table lies now against what the rules expect now. So
missed frames, hands, restarts and bumped cameras heal by themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from companion.core.box import Box, PieceId
from companion.core.game import Dispute, Event, Game, Refusal
from companion.core.table import Difference, Layout, Observation, Stranger, ZoneId, compare, unmet

S = TypeVar("S")
M = TypeVar("M")

MOST_MOVES = 200
"""More moves than this in one look are a bug of a game, not haste of its players."""

TakenBack = Mapping[PieceId, ZoneId | None]
"""Pieces whose move was undone, with the zone in which they must not count again (None: being away)."""


class Settled(msgspec.Struct, frozen=True):
    """What one look at the table led to.

    Attributes:
        state: the state after all legal changes.
        moves: the moves made, each with what it announced, in order.
        states: the state after each of these moves.
        disputes: what is left over and breaks a rule.
        difference: what is left over.
    """

    state: Any
    moves: tuple[tuple[Any, tuple[Event, ...]], ...]
    states: tuple[Any, ...]
    disputes: tuple[Dispute, ...]
    difference: Difference


def settle(
    game: Game[S, M],
    state: S,
    seen: Observation,
    taken_back: TakenBack | None = None,
) -> Settled:
    """Applies all legal changes that the table shows; the rest becomes disputes.

    Args:
        game: the rules.
        state: the state before the look.
        seen: the table at rest.
        taken_back: pieces whose place was undone; there they are disputed until they leave it.

    Raises:
        RuntimeError: the game explains the same difference for ever.
    """
    moves: list[tuple[Any, tuple[Event, ...]]] = []
    states: list[Any] = []
    for _ in range(MOST_MOVES):
        layout = game.layout(state)
        whole = compare(layout, seen, game.box)
        difference, returned = _without(whole, taken_back or {}, layout, seen, game.box)
        reading = game.interpret(state, difference, seen) if difference else ()
        if isinstance(reading, tuple):
            strange = tuple(_strange(stranger) for stranger in difference.strangers)
            return Settled(state, tuple(moves), tuple(states), (*returned, *reading, *strange), difference)
        step = game.apply(state, reading)
        if isinstance(step, Refusal):
            raise RuntimeError(f"{game.id}: interpreted {reading!r}, which its own rules refuse: {step!r}")
        moves.append((reading, step.events))
        state = step.state
        states.append(state)
    raise RuntimeError(f"{game.id}: {MOST_MOVES} moves in one look: {[move for move, _ in moves[-3:]]!r} ...")


def still_taken_back(
    game: Game[S, M], state: S, taken_back: TakenBack, seen: Observation, top: S | None = None
) -> TakenBack:
    """The undone places that the table still shows, or may show under a hand.

    A piece is free again once it was seen to leave its place or to come back, or once it lies there rightly. One that
    nobody has seen since, as after a restart, has not come back. Copies are counted, since any may stand for another.

    Args:
        game: the rules.
        state: the state that is in force.
        taken_back: the places until now.
        seen: the table.
        top: where the moves would lead that could be made again. What lies rightly now, but not on the way there, does
            so by chance, and only the table frees it.
    """
    if not taken_back:
        return taken_back
    box, layout = game.box, game.layout(state)
    shown = _shown(taken_back, compare(layout, seen, box), seen, box)
    where = {sighting.piece: sighting.zone for sighting in seen.sightings}
    lying = Counter((box.name_of(piece), zone) for piece, zone in where.items())
    lacking = Counter(box.name_of(name) for name, _ in unmet(layout, seen, box))
    wrong = None if top is None else _wrong(layout, game.layout(top), box)
    groups: dict[tuple[str, ZoneId | None], list[PieceId]] = {}
    for piece, zone in taken_back.items():
        groups.setdefault((box.name_of(piece), zone), []).append(piece)
    kept = set(shown)
    for (name, zone), pieces in groups.items():
        others = [piece for piece in pieces if piece not in shown]
        by_chance = 0 if wrong is None else max(0, len(pieces) - wrong[name, zone])
        if zone is None:
            away = [piece for piece in others if where.get(piece) is None]
            kept.update(away[: max(by_chance, lacking[name] - len(pieces) + len(others))])
            continue
        if lying[name, zone] < len(pieces) or not _alike(pieces[0], box):
            others = [p for p in others if where.get(p, zone) == zone and seen.gone.get(p) != zone]
        right = [p for p in others if p in seen.in_sight or (top is None and (p, zone) in layout.expected)]
        kept.update(piece for piece in others if piece not in right[by_chance:])
    return {piece: zone for piece, zone in taken_back.items() if piece in kept}


def undone_places(game: Game[S, M], undone: S, kept: S, seen: Observation, taken_back: TakenBack) -> TakenBack:
    """What is taken back from now on: with what is so already, all that lies on the table because of an undone move.

    Args:
        game: the rules.
        undone: the state that the move had led to.
        kept: the state before it, which is in force again.
        seen: the table.
        taken_back: what is taken back already.
    """
    known = {*(sighting.piece for sighting in seen.sightings), *seen.gone}
    laid = set(game.layout(undone).expected) - set(game.layout(kept).expected)
    unseen = {piece: zone for piece, zone in laid if piece in game.box.pieces and piece not in known}
    places: TakenBack = {**unseen, **pressed_places(game, undone, kept, seen, taken_back)}
    if settle(game, kept, seen, places).states[:1] == (undone,):
        # What told of the move isn't where it is expected after it either, as a card that was turned up on its deck.
        places = _with(game, kept, seen, set(), places)
    return places


def redone_places(
    game: Game[S, M], kept: S, redone: S, top: S, seen: Observation, taken_back: TakenBack, left: TakenBack
) -> TakenBack:
    """What is taken back once a move was made again: what tells of the others, or would tell of any.

    Args:
        game: the rules.
        kept: the state before the move.
        redone: the state that it leads to.
        top: where all moves would lead that could be made again.
        seen: the table.
        taken_back: what is taken back before it.
        left: what of that was so before this move was undone.
    """
    laid = _laid(game, kept, seen, taken_back)
    if top != redone:
        left = _with(game, redone, seen, laid | _laid(game, top, seen, {}), left)
    return _with(game, redone, seen, laid, left) if settle(game, redone, seen, left).moves else left


def pressed_places(
    game: Game[S, M], before: S, after: S, seen: Observation, then: TakenBack, now: TakenBack | None = None
) -> TakenBack:
    """What is taken back with all that is out of place only because buttons led from one state to another.

    Args:
        game: the rules.
        before: the state before that.
        after: the state now.
        seen: the table.
        then: what was taken back before.
        now: what is taken back now, if that is something else.
    """
    return _with(game, after, seen, _laid(game, before, seen, then), then if now is None else now)


def _laid(game: Game[S, M], state: S, seen: Observation, taken_back: TakenBack) -> set[PieceId]:
    """What is out of place and not taken back: people have moved it, and it counts like anything on the table."""
    bare = _bare(seen)
    difference = compare(game.layout(state), bare, game.box)
    return _places(difference).keys() - set(_shown(taken_back, difference, bare, game.box).values())


def _with(game: Game[S, M], state: S, seen: Observation, laid: set[PieceId], taken_back: TakenBack) -> TakenBack:
    """What is taken back with all that is out of place but for what people have laid."""
    places = _places(compare(game.layout(state), _bare(seen), game.box))
    return {**{piece: zone for piece, zone in places.items() if piece not in laid}, **taken_back}


def _bare(seen: Observation) -> Observation:
    """The table without the hands above it."""
    return replace(seen, sightings=tuple(replace(sighting, hidden=False) for sighting in seen.sightings))


def _places(difference: Difference) -> dict[PieceId, ZoneId | None]:
    """Where all lies that is out of place; None if it is in no zone."""
    moved = {piece: where for piece, (_, where) in difference.moved.items()}
    return {**difference.extra, **moved, **dict.fromkeys(difference.missing)}


def _shown(taken_back: TakenBack, difference: Difference, seen: Observation, box: Box) -> dict[PieceId, PieceId]:
    """The undone places that the table shows, each with the piece that shows it: of copies it may be another one."""
    places = _places(difference)
    shown = {piece: piece for piece, zone in taken_back.items() if places.get(piece, ...) == zone}
    for piece, zone in taken_back.items():
        if piece not in shown and (zone is None or _alike(piece, box) or seen.zone_of(piece) == zone):
            name, used = box.name_of(piece), set(shown.values())
            copies = (p for p, where in places.items() if where == zone and p not in used and box.name_of(p) == name)
            if copy := next(copies, None):
                shown[piece] = copy
    return shown


def _wrong(layout: Layout, later: Layout, box: Box) -> Counter[tuple[str, ZoneId | None]]:
    """How many pieces of a name lie where they belong only later, or (None) will be away from where they belong now."""
    now, then = (
        Counter((box.name_of(name), zone) for name, zone in (*one.expected, *one.optional)) for one in (layout, later)
    )
    wrong: Counter[tuple[str, ZoneId | None]] = Counter(then - now)
    for (name, _), pieces in (now - then).items():
        wrong[name, None] += pieces
    return wrong


def _without(
    whole: Difference, taken_back: TakenBack, layout: Layout, seen: Observation, box: Box
) -> tuple[Difference, tuple[Dispute, ...]]:
    extra, missing, moved = dict(whole.extra), dict(whole.missing), dict(whole.moved)
    disputes = []
    for held, piece in _shown(taken_back, whole, seen, box).items():
        zone = taken_back[held]
        if zone is not None and piece in extra:
            del extra[piece]
            refusal = _refusal("taken-back", piece, zone, layout.expected, box)
            disputes.append(Dispute(piece, zone, None, refusal))
        else:
            home = missing.pop(piece) if piece in missing else moved.pop(piece)[0]
            refusal = _refusal("put-back", piece, home, whole.extra.items(), box)
            disputes.append(Dispute(piece, zone, home, refusal))
    return Difference(extra, missing, moved, whole.strangers), tuple(disputes)


def _alike(piece: PieceId, box: Box) -> bool:
    return piece in box.pieces and box.pieces[piece].alike


def _refusal(wording: str, piece: PieceId, zone: ZoneId, backs_in: Iterable[tuple[str, ZoneId]], box: Box) -> Refusal:
    """What to do with a piece whose move was undone.

    Args:
        wording: of a piece that is laid and taken up.
        piece: which one.
        zone: where it lies, or belongs.
        backs_in: names of pieces with zones, among them that of its back if it was, or is to be, turned over there.
        box: the pieces.
    """
    known = box.pieces.get(piece)
    if known and known.two_sided and not known.alike:
        backs = {name for one in box.pieces.values() if one.alike and one.two_sided for name in (one.id, one.name)}
        # Backs without tags are in no layout; pieces that have such are always turned over where they lie.
        if not backs or any(name in backs and where == zone for name, where in backs_in):
            wording += "-turned"
    return Refusal("not-now", "takeback", {"card": piece, "zone": zone}, wording)


def _strange(stranger: Stranger) -> Dispute:
    refusal = Refusal("unknown-card", "tags", {"text": stranger.text, "zone": stranger.zone}, f"tag-{stranger.kind}")
    return Dispute(stranger.text, stranger.zone, None, refusal)
